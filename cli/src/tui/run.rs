//! The loop: waits for keys, news and counted odds, lets the model take them in, carries out what it asks for, draws.

use std::io::Write;
use std::time::Duration;

use chakart_core::protocol::keys::PublicKey;
use chakart_core::rules::{Action, Game};
use chakart_node::carrier::Carrier;
use chakart_node::runtime::{NodeEvent, unix_ms};
use chakart_node::store::GameNo;
use ratatui::crossterm::event::Event;
use tokio::sync::mpsc;

use super::lobby;
use super::look::Look;
use super::model::{Effect, Message, Model};
use super::screen::{self, Screen};
use crate::commands::deciding::{DELIVERY_PATIENCE, opponent_broke};
use crate::commands::games::List;
use crate::commands::join::accept_pending;
use crate::commands::position::request::not_listed;
use crate::desk::deed::Deed;
use crate::desk::news::News;
use crate::desk::seat::Seat;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::runtime;
use crate::show::escape::{escaped, quoted};
use crate::show::{game, odds, path};

/// How often times left are read again.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// Counts of odds that may be waiting.
const MAX_COUNTS: usize = 4;

/// Sits at the terminal board until the person leaves: at `game`, or in the lobby. `unasked`: actions with chance in
/// them are played without being confirmed.
///
/// # Errors
/// [`Failure`]
pub async fn run(
    player: Player,
    carrier: Carrier,
    game: Option<GameNo>,
    unasked: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let (counted, counts) = mpsc::channel(MAX_COUNTS);
    let mut desk = Desk { player, carrier, open: None, latest: None, counted };
    let mut screen = Screen::open()?;
    let mut model = Model::new(screen.size()?, Look::of_environment(), unasked);
    model.update(desk.games()?);
    if let Some(game) = game {
        model.update(desk.open(game).await?);
    }
    let ended = attend(&mut desk, &mut model, &mut screen, counts).await;
    drop(screen);
    ended?;
    desk.leave(out).await
}

async fn attend(
    desk: &mut Desk,
    model: &mut Model,
    screen: &mut Screen,
    mut counts: mpsc::Receiver<Message>,
) -> Result<(), Failure> {
    let mut events = screen::events();
    let mut clock = tokio::time::interval(LOOK_EVERY);
    let mut stop = std::pin::pin!(runtime::asked_to_stop());
    loop {
        screen.draw(model)?;
        let messages = tokio::select! {
            event = events.recv() => match event {
                Some(event) => read_ahead(event, &mut events),
                None => return Ok(()),
            },
            event = desk.carrier.next_event() => match event {
                Some(event) => desk.heard(&event).await?,
                None => return Err(Problem::new(Kind::Storage, "the node has stopped").into()),
            },
            Some(count) = counts.recv() => vec![count],
            _ = clock.tick() => desk.look().await?,
            () = &mut stop => return Ok(()),
        };
        for message in messages {
            for effect in model.update(message) {
                if effect == Effect::Quit {
                    return Ok(());
                }
                for answer in desk.carry_out(effect).await? {
                    model.update(answer);
                }
            }
        }
    }
}

/// An event with those that wait behind it: a held key is drawn once.
fn read_ahead(event: Event, events: &mut mpsc::Receiver<Event>) -> Vec<Message> {
    let mut messages = vec![Message::Input(event)];
    while let Ok(event) = events.try_recv() {
        messages.push(Message::Input(event));
    }
    messages
}

/// What the loop works on.
struct Desk {
    player: Player,
    carrier: Carrier,
    /// The game at the board, with its opponent.
    open: Option<(GameNo, PublicKey)>,
    /// The game that was at the board last.
    latest: Option<GameNo>,
    counted: mpsc::Sender<Message>,
}

impl Desk {
    fn games(&self) -> Result<Message, Failure> {
        Ok(Message::Games(lobby::rows(&List::read(&self.player)?, unix_ms())))
    }

    async fn open(&mut self, game: GameNo) -> Result<Message, Failure> {
        self.latest = Some(game);
        self.open = Some((game, self.player.store.game(game)?.opponent_key()?));
        self.seat(game).await
    }

    async fn seat(&mut self, game: GameNo) -> Result<Message, Failure> {
        let opponent = self.player.store.game(game)?.opponent_key()?;
        let path = path::of(&self.carrier, &self.player.store, &opponent).await?;
        Ok(Message::Seat(Box::new(Seat::read(&mut self.player, game, path)?)))
    }

    /// How everything stands now.
    async fn look(&mut self) -> Result<Vec<Message>, Failure> {
        let mut messages = vec![self.games()?];
        if let Some((game, _)) = self.open {
            messages.push(self.seat(game).await?);
        }
        Ok(messages)
    }

    async fn heard(&mut self, event: &NodeEvent) -> Result<Vec<Message>, Failure> {
        let Some((game, opponent)) = self.open else { return Ok(vec![self.games()?]) };
        let news = News::of(event, game, &opponent);
        let mut messages = if news.changed { self.look().await? } else { Vec::new() };
        let said = if news.said { self.latest_message(game)? } else { None };
        messages.extend(news.words.or(said).map(Message::Notice));
        Ok(messages)
    }

    /// The opponent's latest message, in a line.
    fn latest_message(&self, game: GameNo) -> Result<Option<String>, Failure> {
        let summary = self.player.store.game(game)?;
        let notes = self.player.store.notes(game)?;
        let latest = notes.iter().rfind(|note| !note.own && !summary.muted);
        Ok(latest.map(|note| {
            let text = note.note.text.as_str().replace('\n', " ");
            format!("{}: {} (m: all messages)", quoted(&summary.opponent_name), escaped(&text))
        }))
    }

    async fn carry_out(&mut self, effect: Effect) -> Result<Vec<Message>, Failure> {
        match effect {
            Effect::Do(deed) => self.carry_out_deed(deed).await,
            Effect::Odds(rules, action) => {
                self.count(*rules, action);
                Ok(Vec::new())
            }
            Effect::Open(game) => Ok(vec![self.open(game).await?]),
            Effect::Join(name) => self.join(&name).await,
            Effect::Close => {
                self.open = None;
                Ok(vec![self.games()?])
            }
            Effect::Quit => Ok(Vec::new()),
        }
    }

    /// Accepts an invite that waits; its game opens, and its host sets the board up once it is reached.
    async fn join(&mut self, name: &str) -> Result<Vec<Message>, Failure> {
        let joined = accept_pending(&mut self.player, name);
        self.carrier.wake();
        match joined {
            Ok(game) => Ok(vec![self.open(game).await?]),
            Err(Failure::Problem(problem)) if problem.kind.exit() < Exit::Storage => {
                Ok(vec![self.games()?, Message::Notice(told(&problem))])
            }
            Err(failure) => Err(failure),
        }
    }

    /// What goes wrong is told at the board, which stays, unless the store itself has failed.
    async fn carry_out_deed(&mut self, deed: Deed) -> Result<Vec<Message>, Failure> {
        let Some((game, _)) = self.open else { return Ok(Vec::new()) };
        let said = match deed.carry_out(&mut self.player, game) {
            Ok(said) => said,
            Err(Failure::Problem(problem)) if problem.kind.exit() == Exit::No => Some(told(&problem)),
            Err(failure) => return Err(failure),
        };
        self.carrier.wake();
        let mut messages = self.look().await?;
        messages.extend(said.map(Message::Notice));
        Ok(messages)
    }

    /// Counts outcomes on a thread of its own: there may be many.
    fn count(&self, rules: Game, action: Action) {
        let counted = self.counted.clone();
        tokio::task::spawn_blocking(move || {
            let bars = odds::chart(&rules, &action).map_err(|error| escaped(&not_listed(&error).message));
            // Who has left the board asks for no odds any more.
            let _ = counted.blocking_send(Message::Odds(action, bars));
        });
    }

    /// Lets the last game be delivered and tells how far it has got.
    async fn leave(mut self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let mut exit = Exit::Done;
        if let Some(number) = self.latest {
            if !self.player.store.game(number)?.delivery.complete {
                writeln!(out, "Waiting a moment for the opponent to take what was signed …")?;
                out.flush()?;
                self.carrier.deliver(&self.player.store, number, DELIVERY_PATIENCE).await?;
            }
            let summary = self.player.store.game(number)?;
            let session = self.player.store.session(number)?;
            writeln!(out, "{}: {}; {}", summary.name, game::standing(&session), game::delivery(&summary))?;
            if opponent_broke(&session) {
                exit = Exit::PeerBroke;
            }
        }
        self.carrier.close().await;
        out.flush()?;
        Ok(exit)
    }
}

fn told(problem: &Problem) -> String {
    let hint = problem.hint.as_ref().map(|hint| format!(" ({})", escaped(hint))).unwrap_or_default();
    format!("{}{hint}", escaped(&problem.message))
}
