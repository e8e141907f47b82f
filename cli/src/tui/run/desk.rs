//! What the loop at games works on: the player, its node, and what was asked of them.

use std::io::Write;

use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_core::protocol::log::Log;
use chakart_core::rules::{Action, Game, Variant};
use chakart_core::transcript::invite::Invite;
use chakart_node::carrier::Carrier;
use chakart_node::home::Home;
use chakart_node::runtime::{NodeEvent, unix_ms};
use chakart_node::store::{GameNo, OwnOffer};
use tokio::sync::mpsc;

use crate::commands::deciding::{DELIVERY_PATIENCE, opponent_broke};
use crate::commands::games::List;
use crate::commands::join::{accept, accept_pending};
use crate::commands::luck;
use crate::commands::new::{invite, own_name, whereabouts};
use crate::commands::position::request::not_listed;
use crate::desk::deed::Deed;
use crate::desk::news::News;
use crate::desk::offers;
use crate::desk::seat::{Purpose, Seat};
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::show::escape::{escaped, quoted};
use crate::show::{self, game, odds, path};
use crate::tui::lobby;
use crate::tui::model::{Effect, Message, Shown};

/// What the loop works on.
#[derive(Debug)]
pub(crate) struct Desk {
    player: Player,
    carrier: Carrier,
    /// Whether the only game is one against the machine.
    practice: bool,
    /// The game at the board, with its opponent.
    open: Option<(GameNo, PublicKey)>,
    /// The game that was at the board last.
    latest: Option<GameNo>,
    /// Open offers whose invites were shown here, by name.
    shown: Vec<(String, EntryId)>,
    counted: mpsc::Sender<Message>,
}

impl Desk {
    /// `practice`: the only game is one against the machine. What takes a while to count is sent to `counted`.
    pub(super) const fn new(
        player: Player,
        carrier: Carrier,
        practice: bool,
        counted: mpsc::Sender<Message>,
    ) -> Self {
        Self { player, carrier, practice, open: None, latest: None, shown: Vec::new(), counted }
    }

    /// What the node tells next. May be dropped while it waits: nothing is lost.
    pub(super) async fn next_event(&mut self) -> Option<NodeEvent> {
        self.carrier.next_event().await
    }

    pub(super) fn games(&self) -> Result<Message, Failure> {
        Ok(Message::Games(lobby::rows(&List::read(&self.player)?, unix_ms())))
    }

    pub(super) async fn open(&mut self, game: GameNo) -> Result<Message, Failure> {
        self.latest = Some(game);
        self.open = Some((game, self.player.store.game(game)?.opponent_key()?));
        self.seat(game).await
    }

    async fn seat(&mut self, game: GameNo) -> Result<Message, Failure> {
        let opponent = self.player.store.game(game)?.opponent_key()?;
        let path = path::of(&self.carrier, &self.player.store, &opponent).await?;
        let mut seat = Seat::read(&mut self.player, game, path)?;
        if self.practice {
            seat.purpose = Purpose::Practice;
        }
        Ok(Message::Seat(Box::new(seat)))
    }

    /// How everything stands now.
    pub(super) async fn look(&mut self) -> Result<Vec<Message>, Failure> {
        let mut messages = vec![self.games()?];
        if let Some((game, _)) = self.open {
            messages.push(self.seat(game).await?);
        }
        Ok(messages)
    }

    pub(super) async fn heard(&mut self, event: &NodeEvent) -> Result<Vec<Message>, Failure> {
        let Some((game, opponent)) = self.open else {
            let mut messages = vec![self.games()?];
            messages.extend(self.taken()?);
            return Ok(messages);
        };
        let news = News::of(event, game, &opponent);
        let mut messages = if news.changed { self.look().await? } else { Vec::new() };
        let said = if news.said { self.latest_message(game)? } else { None };
        messages.extend(news.words.or(said).map(Message::Notice));
        Ok(messages)
    }

    /// Shown offers that have become games since.
    fn taken(&mut self) -> Result<Vec<Message>, Failure> {
        let mut messages = Vec::new();
        for (name, offer) in std::mem::take(&mut self.shown) {
            match offers::taken(&self.player, offer)? {
                Some(game) => messages.push(Message::Taken(name, game.game)),
                None => self.shown.push((name, offer)),
            }
        }
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

    pub(super) async fn carry_out(&mut self, effect: Effect) -> Result<Vec<Message>, Failure> {
        match effect {
            Effect::Do(deed) => self.carry_out_deed(deed).await,
            Effect::Odds(rules, action) => {
                self.count(*rules, action);
                Ok(Vec::new())
            }
            Effect::Luck => {
                self.count_luck();
                Ok(Vec::new())
            }
            Effect::Open(game) => Ok(vec![self.open(game).await?]),
            Effect::Accept(name) => {
                let joined = accept_pending(&mut self.player, &name);
                self.joined(joined).await
            }
            Effect::Join(invite) => {
                let joined = self.join(&invite);
                self.joined(joined).await
            }
            Effect::Offer(variant) => {
                let offered = self.offer(variant).await;
                self.or_told(offered)
            }
            Effect::CallMe(name) => {
                own_name(&mut self.player, Some(&name))?;
                let words = format!("From now on you are called {}.", quoted(name.as_str()));
                Ok(vec![Message::Notice(words)])
            }
            Effect::ShowOffer(name) => {
                let found = offers::find(&self.player, &name);
                let offered = match found {
                    Ok(offer) => self.show_offer(&offer).await,
                    Err(failure) => Err(failure),
                };
                self.or_told(offered)
            }
            Effect::Close => {
                self.open = None;
                Ok(vec![self.games()?])
            }
            Effect::Practise(_) | Effect::TakeTour | Effect::Quit => Ok(Vec::new()),
        }
    }

    fn join(&mut self, invite: &Invite) -> Result<GameNo, Failure> {
        let name = own_name(&mut self.player, None)?;
        accept(&mut self.player, invite, name)
    }

    /// The game of an invite opens, and its host sets the board up once it is reached.
    async fn joined(&mut self, joined: Result<GameNo, Failure>) -> Result<Vec<Message>, Failure> {
        self.carrier.wake();
        let opened = match joined {
            Ok(game) => self.open(game).await.map(|message| vec![message]),
            Err(failure) => Err(failure),
        };
        self.or_told(opened)
    }

    async fn offer(&mut self, variant: Variant) -> Result<Vec<Message>, Failure> {
        // What cannot be told to anybody is not offered.
        whereabouts(&self.carrier, &self.player.home).await?;
        let offer = offers::make_usual(&mut self.player, variant)?;
        self.carrier.wake();
        self.show_offer(&offer).await
    }

    async fn show_offer(&mut self, offer: &OwnOffer) -> Result<Vec<Message>, Failure> {
        let log = Log::open(&offer.offer)
            .map_err(|error| Problem::new(Kind::Storage, format!("the offer: {error}")))?;
        let shown = Shown {
            name: offer.name.clone(),
            words: show::offer::terms(&log),
            invite: invite(whereabouts(&self.carrier, &self.player.home).await?, offer),
        };
        if self.shown.iter().all(|(name, _)| *name != offer.name) {
            self.shown.push((offer.name.clone(), offer.id));
        }
        Ok(vec![self.games()?, Message::Offered(Box::new(shown))])
    }

    /// What goes wrong in the lobby is told there, unless the store itself has failed.
    fn or_told(&self, done: Result<Vec<Message>, Failure>) -> Result<Vec<Message>, Failure> {
        match done {
            Ok(messages) => Ok(messages),
            Err(failure) => Ok(vec![self.games()?, Message::Notice(told_of(failure)?)]),
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

    /// Counts how lucky both sides were on a thread of its own, with a store of its own: p-values are simulated.
    fn count_luck(&self) {
        let (counted, game) = (self.counted.clone(), self.open.map(|(game, _)| game));
        let (home, key) = (self.player.home.clone(), self.player.key.clone());
        tokio::task::spawn_blocking(move || {
            let lines = luck_lines(home, key, game)
                .or_else(|failure| told_of(failure).map(|words| vec![words]))
                .map_err(|_| "the store failed".to_owned());
            let _ = counted.blocking_send(Message::Luck(lines));
        });
    }

    /// Closes what nobody is told of any more.
    pub(crate) async fn close(self) {
        self.carrier.close().await;
    }

    /// Lets the last game be delivered and tells how far it has got.
    pub(crate) async fn leave(mut self, out: &mut dyn Write) -> Result<Exit, Failure> {
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

/// The luck of one game, or of all.
fn luck_lines(home: Home, key: SecretKey, game: Option<GameNo>) -> Result<Vec<String>, Failure> {
    let mut player = Player::with(home, key)?;
    let games = match game {
        Some(game) => vec![player.store.game(game)?],
        None => player.store.games()?,
    };
    let results = luck::of_games(&mut player, &games)?;
    let mut lines = vec![results.headline()];
    lines.extend(show::luck::lines(&results.groups()));
    Ok(lines)
}

/// What is told of something that went wrong, if the board can go on after it.
pub(super) fn told_of(failure: Failure) -> Result<String, Failure> {
    match failure {
        Failure::Problem(problem) if problem.kind.exit() < Exit::Storage => Ok(told(&problem)),
        failure => Err(failure),
    }
}

fn told(problem: &Problem) -> String {
    let hint = problem.hint.as_ref().map(|hint| format!(" ({})", escaped(hint))).unwrap_or_default();
    format!("{}{hint}", escaped(&problem.message))
}
