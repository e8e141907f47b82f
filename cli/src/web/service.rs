//! The task that has the player and its node: answers requests one after the other, tells of news.

use std::collections::HashMap;

use chakart_core::protocol::entry::EntryId;
use chakart_core::rules::{Action, Game, Rules as _};
use chakart_core::transcript::export::Source;
use chakart_node::carrier::Carrier;
use chakart_node::runtime::NodeEvent;
use chakart_node::store::{GameNo, GameSummary};
use chakart_node::sync::engine::SyncEvent;
use serde::Serialize;
use tokio::sync::{broadcast, mpsc, oneshot};

use super::lobby::Lobby;
use super::offers::{self, Offered, Wanted};
use super::table::Table;
use crate::commands::join::accept_pending;
use crate::commands::luck::{self, Results};
use crate::commands::new::whereabouts;
use crate::commands::position::request::unread;
use crate::desk::news::News;
use crate::desk::{self, deed::Deed};
use crate::failure::{Failure, Kind, Problem};
use crate::player::Player;
use crate::runtime::asked_to_stop;
use crate::show::escape::escaped;
use crate::show::path;

/// Requests that may be waiting.
const MAX_REQUESTS: usize = 32;
/// News that a slow page may miss before it reads everything again.
const MAX_NEWS: usize = 64;

/// How requests reach the task.
#[derive(Clone, Debug)]
pub struct Service {
    requests: mpsc::Sender<Request>,
    news: broadcast::Sender<Told>,
}

/// Something that a page should know of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Told {
    /// The game; none: any may have changed.
    pub game: Option<String>,
    /// What is told, escaped; none: only that something has changed.
    pub words: Option<String>,
}

/// What came of something that a person did.
#[derive(Clone, Debug, Serialize)]
pub struct Done {
    /// What is to be said of it.
    pub said: Option<String>,
    /// The game as it is now.
    pub table: Table,
}

type Answer<T> = oneshot::Sender<Result<T, Failure>>;

/// What the task is asked.
#[derive(Debug)]
enum Request {
    Lobby(Answer<Lobby>),
    Table(String, Answer<Table>),
    Do(String, Wish, Answer<Done>),
    Offer(Wanted, Answer<Offered>),
    Offered(String, Answer<Offered>),
    Cancel(String, Answer<()>),
    Join(String, Option<String>, Answer<String>),
    Accept(String, Answer<String>),
    Position(String, String, Answer<(Game, Action)>),
    Luck(Option<String>, Answer<Results>),
    Transcript(String, Answer<String>),
}

/// What a person wants to be done in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wish {
    /// The action of this text.
    Act(String),
    /// Something else.
    Deed(Deed),
}

/// The task, before it runs.
#[derive(Debug)]
pub struct Task {
    player: Player,
    carrier: Carrier,
    requests: mpsc::Receiver<Request>,
    news: broadcast::Sender<Told>,
    /// Offers whose invites were shown, by name: once taken, an offer loses its name, and its page asks for the game.
    shown: HashMap<String, EntryId>,
}

/// A task for a player and its node, and the way to it.
#[must_use]
pub fn service(player: Player, carrier: Carrier) -> (Service, Task) {
    let (sender, requests) = mpsc::channel(MAX_REQUESTS);
    let (news, _) = broadcast::channel(MAX_NEWS);
    (
        Service { requests: sender, news: news.clone() },
        Task { player, carrier, requests, news, shown: HashMap::new() },
    )
}

impl Service {
    /// News from now on.
    #[must_use]
    pub fn news(&self) -> broadcast::Receiver<Told> {
        self.news.subscribe()
    }

    /// Games, invites and offers.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn lobby(&self) -> Result<Lobby, Failure> {
        self.ask(Request::Lobby).await
    }

    /// A game by its name.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn table(&self, game: String) -> Result<Table, Failure> {
        self.ask(|answer| Request::Table(game, answer)).await
    }

    /// Signs or notes something in a game.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn carry_out(&self, game: String, wish: Wish) -> Result<Done, Failure> {
        self.ask(|answer| Request::Do(game, wish, answer)).await
    }

    /// Makes an offer.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn offer(&self, wanted: Wanted) -> Result<Offered, Failure> {
        self.ask(|answer| Request::Offer(wanted, answer)).await
    }

    /// An open offer by its name.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn offered(&self, offer: String) -> Result<Offered, Failure> {
        self.ask(|answer| Request::Offered(offer, answer)).await
    }

    /// Takes an open offer back.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn cancel(&self, offer: String) -> Result<(), Failure> {
        self.ask(|answer| Request::Cancel(offer, answer)).await
    }

    /// Accepts an invite by its text; the name of the game.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn join(&self, invite: String, name: Option<String>) -> Result<String, Failure> {
        self.ask(|answer| Request::Join(invite, name, answer)).await
    }

    /// Accepts an invite that waits, by its name; the name of the game.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn accept(&self, invite: String) -> Result<String, Failure> {
        self.ask(|answer| Request::Accept(invite, answer)).await
    }

    /// The public state of a game, and the action that a text means in it.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn position(&self, game: String, action: String) -> Result<(Game, Action), Failure> {
        self.ask(|answer| Request::Position(game, action, answer)).await
    }

    /// The random results of a game, or of all.
    ///
    /// # Errors
    /// [`Failure`]
    pub(crate) async fn luck(&self, game: Option<String>) -> Result<Results, Failure> {
        self.ask(|answer| Request::Luck(game, answer)).await
    }

    /// The transcript of a game.
    ///
    /// # Errors
    /// [`Failure`]
    pub async fn transcript(&self, game: String) -> Result<String, Failure> {
        self.ask(|answer| Request::Transcript(game, answer)).await
    }

    async fn ask<T>(&self, request: impl FnOnce(Answer<T>) -> Request) -> Result<T, Failure> {
        let (answer, answered) = oneshot::channel();
        self.requests.send(request(answer)).await.map_err(|_| stopped())?;
        answered.await.map_err(|_| stopped())?
    }
}

fn stopped() -> Failure {
    Problem::new(Kind::Storage, "the program is stopping").hint("start 'chakart web' again").into()
}

impl Task {
    /// Answers until the user or the system asks the program to end; then lets the node go.
    ///
    /// # Errors
    /// [`Failure`]: the node has stopped by itself.
    pub async fn run(mut self) -> Result<(), Failure> {
        let mut stop = std::pin::pin!(asked_to_stop());
        loop {
            tokio::select! {
                () = &mut stop => break,
                request = self.requests.recv() => match request {
                    Some(request) => self.serve(request).await,
                    None => break,
                },
                event = self.carrier.next_event() => match event {
                    Some(event) => self.heard(&event),
                    None => return Err(Problem::new(Kind::Storage, "the node has stopped").into()),
                },
            }
        }
        self.carrier.close().await;
        Ok(())
    }

    /// Whoever has asked may be gone by now: then nobody needs the answer.
    async fn serve(&mut self, request: Request) {
        match request {
            Request::Lobby(answer) => drop(answer.send(Lobby::read(&self.player))),
            Request::Table(game, answer) => drop(answer.send(self.table(&game).await)),
            Request::Do(game, wish, answer) => drop(answer.send(self.carry_out(&game, wish).await)),
            Request::Offer(wanted, answer) => drop(answer.send(self.offer(&wanted).await)),
            Request::Offered(offer, answer) => drop(answer.send(self.offered(&offer).await)),
            Request::Cancel(offer, answer) => drop(answer.send(self.cancel(&offer))),
            Request::Join(invite, name, answer) => drop(answer.send(self.join(&invite, name.as_deref()))),
            Request::Accept(invite, answer) => drop(answer.send(self.accept(&invite))),
            Request::Position(game, action, answer) => drop(answer.send(self.position(&game, &action))),
            Request::Luck(game, answer) => drop(answer.send(self.luck(game.as_deref()))),
            Request::Transcript(game, answer) => drop(answer.send(self.transcript(&game))),
        }
    }

    async fn table(&mut self, game: &str) -> Result<Table, Failure> {
        let summary = self.player.game(game)?;
        self.table_of(&summary).await
    }

    async fn table_of(&mut self, summary: &GameSummary) -> Result<Table, Failure> {
        let path = path::of(&self.carrier, &self.player.store, &summary.opponent_key()?).await?;
        Table::read(&mut self.player, summary, path)
    }

    async fn carry_out(&mut self, game: &str, wish: Wish) -> Result<Done, Failure> {
        let number = self.player.game(game)?.game;
        let deed = match wish {
            Wish::Act(text) => Deed::Act(self.position(game, &text)?.1),
            Wish::Deed(deed) => deed,
        };
        let said = deed.carry_out(&mut self.player, number)?;
        self.carrier.wake();
        self.changed(None);
        let summary = self.player.store.game(number)?;
        Ok(Done { said, table: self.table_of(&summary).await? })
    }

    async fn offer(&mut self, wanted: &Wanted) -> Result<Offered, Failure> {
        // Without whereabouts there is no invite: they are asked for before anything is signed.
        let whereabouts = whereabouts(&self.carrier, &self.player.home).await?;
        let offer = offers::make(&mut self.player, wanted)?;
        self.shown.insert(offer.name.clone(), offer.id);
        self.carrier.wake();
        self.changed(None);
        offers::offered(&offer, whereabouts)
    }

    async fn offered(&mut self, name: &str) -> Result<Offered, Failure> {
        let found = desk::offers::find(&self.player, name);
        if let (Err(_), Some(known)) = (&found, self.shown.get(name))
            && let Some(game) = desk::offers::taken(&self.player, *known)?
        {
            return Ok(Offered::Begun { game: game.name });
        }
        let offer = found?;
        self.shown.insert(offer.name.clone(), offer.id);
        offers::offered(&offer, whereabouts(&self.carrier, &self.player.home).await?)
    }

    fn cancel(&mut self, name: &str) -> Result<(), Failure> {
        let offer = desk::offers::find(&self.player, name)?;
        if !self.player.store.cancel_offer(offer.id)? {
            return Err(Problem::new(Kind::Refused, format!("{} is not open any more", offer.name)).into());
        }
        self.changed(None);
        Ok(())
    }

    fn join(&mut self, invite: &str, name: Option<&str>) -> Result<String, Failure> {
        let game = offers::join(&mut self.player, invite, name)?;
        self.carrier.wake();
        self.changed(None);
        Ok(self.player.store.game(game)?.name)
    }

    fn accept(&mut self, name: &str) -> Result<String, Failure> {
        let game = accept_pending(&mut self.player, name)?;
        self.carrier.wake();
        self.changed(None);
        Ok(self.player.store.game(game)?.name)
    }

    fn position(&mut self, game: &str, action: &str) -> Result<(Game, Action), Failure> {
        let summary = self.player.game(game)?;
        let session = self.player.store.session(summary.game)?;
        let Some(rules) = session.game() else {
            return Err(Problem::new(Kind::Refused, "the board is not set up yet").into());
        };
        let read = rules.read_action(action).map_err(|error| unread(&error))?;
        Ok((rules.clone(), read))
    }

    fn luck(&mut self, game: Option<&str>) -> Result<Results, Failure> {
        let games = match game {
            Some(name) => vec![self.player.game(name)?],
            None => self.player.store.games()?,
        };
        luck::of_games(&mut self.player, &games)
    }

    fn transcript(&mut self, game: &str) -> Result<String, Failure> {
        let summary = self.player.game(game)?;
        Ok(Source::of(&self.player.store.session(summary.game)?).transcript())
    }

    fn heard(&self, event: &NodeEvent) {
        if let Some(game) = game_of(event) {
            let Ok(summary) = self.player.store.game(game) else { return };
            let Ok(opponent) = summary.opponent_key() else { return };
            let news = News::of(event, game, &opponent);
            self.tell(Told { game: Some(summary.name), words: news.words });
        } else {
            let words = match event {
                NodeEvent::StoreFailed { reason } => Some(format!("the store failed: {}", escaped(reason))),
                _ => None,
            };
            self.tell(Told { game: None, words });
        }
    }

    /// Other pages of this player show the same games.
    fn changed(&self, game: Option<String>) {
        self.tell(Told { game, words: None });
    }

    fn tell(&self, told: Told) {
        // An error: no page is open.
        let _ = self.news.send(told);
    }
}

const fn game_of(event: &NodeEvent) -> Option<GameNo> {
    use SyncEvent::{Delivered, GameChanged, Note, OtherMachine, PeerBroke, Refused, RefusedByPeer};
    match event {
        NodeEvent::Game(
            GameChanged { game, .. }
            | Delivered { game, .. }
            | Note { game }
            | OtherMachine { game, .. }
            | PeerBroke { game, .. }
            | Refused { game, .. }
            | RefusedByPeer { game, .. },
        ) => Some(*game),
        NodeEvent::Game(SyncEvent::Plan(report)) => Some(report.game),
        _ => None,
    }
}
