//! Whoever carries the entries of this home: a node of our own, or the one that another process runs here.
//!
//! A command writes to the store, then lets the carrier deliver. Both kinds tell of changes in the same way.

use std::time::Duration;

use chakart_core::protocol::keys::SecretKey;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::home::{Home, HomeError};
use crate::runtime::{ConnectError, Events, Node, NodeConfig, NodeError, NodeEvent};
use crate::store::{Delivery, GameNo, Store, StoreError};
use crate::sync::engine::SyncEvent;

/// How often the store is looked at while another process runs the node.
const WATCH_EVERY: Duration = Duration::from_millis(200);

/// Whoever carries the entries of this home.
#[derive(Debug)]
pub enum Carrier {
    /// The node of this process.
    Own {
        /// The node.
        node: Node,
        /// What it tells.
        events: Events,
    },
    /// The node of another process, seen through the store.
    Other(Watcher),
}

/// Sees the changes that another process makes.
#[derive(Debug)]
pub struct Watcher {
    home: Home,
    store: Store,
    seen: u64,
    news: Vec<NodeEvent>,
}

/// How far a game is delivered when waiting ends.
#[derive(Debug)]
pub enum Delivered {
    /// The opponent has everything on its disk.
    Complete,
    /// The opponent refused something.
    Refused(Delivery),
    /// The opponent was not reached; a mailbox keeps for it what it is not known to have.
    InMailbox,
    /// Not everything is known to have arrived. What was sent may have arrived all the same.
    NotYet {
        /// Why the opponent was not reached, if that is known.
        unreached: Option<ConnectError>,
    },
}

impl Carrier {
    /// Runs a node in this process, or watches the one that runs already.
    ///
    /// # Errors
    /// [`NodeError`]
    pub async fn open(home: &Home, key: SecretKey, config: NodeConfig) -> Result<Self, NodeError> {
        match Node::start(home, key.clone(), config).await {
            Ok(node) => {
                let events = node.handle().events();
                Ok(Self::Own { node, events })
            }
            Err(NodeError::Home(HomeError::Running { .. })) => {
                Ok(Self::Other(Watcher::new(home.clone(), key)?))
            }
            Err(error) => Err(error),
        }
    }

    /// To be called after writing to the store.
    pub fn wake(&self) {
        match self {
            Self::Own { node, .. } => node.handle().wake(),
            Self::Other(watcher) => watcher.home.wake(),
        }
    }

    /// The next event; `None` once the node has stopped. A watched node tells only of changed games. May be dropped while
    /// it waits: nothing is lost.
    pub async fn next_event(&mut self) -> Option<NodeEvent> {
        match self {
            Self::Own { events, .. } => events.next().await,
            Self::Other(watcher) => Some(watcher.next_event().await),
        }
    }

    /// Waits until mailboxes have been given what is due and have given what they keep, or `patience` is over; whether one
    /// was reached. A node of another process does so by itself.
    pub async fn settle_mailboxes(&self, patience: Duration) -> bool {
        let Self::Own { node, .. } = self else { return false };
        // Late or stopped: what is due stays in the store.
        matches!(timeout(patience, node.handle().settle_mailboxes()).await, Ok(Ok(true)))
    }

    /// Lets a game be delivered: wakes the node, has it connect to the opponent, and waits until everything is on the
    /// opponent's disk, or was refused, or in a mailbox, or `patience` is over.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn deliver(
        &mut self,
        store: &Store,
        game: GameNo,
        patience: Duration,
    ) -> Result<Delivered, StoreError> {
        let end = Instant::now() + patience;
        self.wake();
        let unreached = self.reach(store, game, end).await?;
        loop {
            let summary = store.game(game)?;
            if summary.delivery.refused.is_some() {
                return Ok(Delivered::Refused(summary.delivery));
            }
            if summary.delivery.complete {
                return Ok(Delivered::Complete);
            }
            if matches!(self, Self::Other(_)) && store.is_in_mailbox(game)? {
                // The opponent is away, as whoever carries has found.
                return Ok(Delivered::InMailbox);
            }
            let gone = unreached.is_some() && matches!(self, Self::Own { .. });
            if gone {
                self.settle_mailboxes(end.saturating_duration_since(Instant::now())).await;
            }
            if gone || !matches!(timeout_at(end, self.next_event()).await, Ok(Some(_))) {
                return undelivered(store, game, unreached);
            }
        }
    }

    /// Stops a node of our own; a watched one goes on.
    pub async fn close(self) {
        if let Self::Own { node, .. } = self {
            node.stop().await;
        }
    }

    /// Connects a node of our own to the opponent; a watched one dials by itself.
    async fn reach(
        &self,
        store: &Store,
        game: GameNo,
        end: Instant,
    ) -> Result<Option<ConnectError>, StoreError> {
        let Self::Own { node, .. } = self else { return Ok(None) };
        let opponent = store.game(game)?.opponent_key()?;
        Ok(match timeout_at(end, node.handle().connect(opponent, Vec::new())).await {
            Ok(outcome) => outcome.err(),
            Err(_) => Some(ConnectError::Unreachable("no answer in time".to_owned())),
        })
    }
}

fn undelivered(
    store: &Store,
    game: GameNo,
    unreached: Option<ConnectError>,
) -> Result<Delivered, StoreError> {
    let summary = store.game(game)?;
    Ok(match summary.delivery {
        delivery if delivery.refused.is_some() => Delivered::Refused(delivery),
        Delivery { complete: true, .. } => Delivered::Complete,
        _ if store.is_in_mailbox(game)? => Delivered::InMailbox,
        _ => Delivered::NotYet { unreached },
    })
}

impl Watcher {
    fn new(home: Home, key: SecretKey) -> Result<Self, StoreError> {
        let store = Store::open(&home.store_file(), key)?;
        let seen = store.change()?;
        Ok(Self { home, store, seen, news: Vec::new() })
    }

    async fn next_event(&mut self) -> NodeEvent {
        loop {
            if let Some(event) = self.news.pop() {
                return event;
            }
            if let Err(error) = self.look() {
                sleep(WATCH_EVERY).await;
                return NodeEvent::StoreFailed { reason: error.to_string() };
            }
            if self.news.is_empty() {
                sleep(WATCH_EVERY).await;
            }
        }
    }

    fn look(&mut self) -> Result<(), StoreError> {
        if self.store.change()? == self.seen {
            return Ok(());
        }
        let changed = self.store.games_changed_since(self.seen)?;
        self.seen = changed.last().map_or(self.seen, |game| game.change);
        let event = |game: &crate::store::GameSummary| {
            NodeEvent::Game(SyncEvent::GameChanged { game: game.game, length: game.length })
        };
        self.news = changed.iter().rev().map(event).collect();
        Ok(())
    }
}
