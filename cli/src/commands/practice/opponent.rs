//! The machine as a player: a home, a store and a node of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::Name;
use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_node::home::Home;
use chakart_node::identity;
use chakart_node::runtime::{Events, Node, unix_ms};
use chakart_node::store::Store;

use super::config;
use crate::commands::new::fresh_salt;
use crate::failure::{Failure, Kind, Problem};
use crate::machine::{self, Level};

/// The machine.
pub(super) struct Opponent {
    key: SecretKey,
    level: Level,
    // Thinking is lent to a thread that may take its time.
    store: Arc<Mutex<Store>>,
    node: Node,
    events: Events,
}

impl Opponent {
    pub(super) async fn start(home: Home, level: Level) -> Result<Self, Failure> {
        let key = identity::create(&home)?;
        let node = Node::start(&home, key.clone(), config()).await?;
        let events = node.handle().events();
        let store = Arc::new(Mutex::new(Store::open(&home.store_file(), key.clone())?));
        Ok(Self { key, level, store, node, events })
    }

    pub(super) fn player(&self) -> PublicKey {
        self.key.public()
    }

    pub(super) async fn join(&self, offer: &SignedEntry, addresses: Vec<String>) -> Result<(), Failure> {
        let host = {
            let mut store = lock(&self.store);
            let name = Name::new("the machine").map_err(|error| Failure::usage(error.to_string()))?;
            let game = store.join(offer, name, fresh_salt()?, unix_ms())?;
            store.game(game)?.opponent_key()?
        };
        self.node.handle().connect(host, addresses).await?;
        self.node.handle().wake();
        Ok(())
    }

    /// Plays until it is dropped or its node stops.
    pub(super) async fn play(mut self) -> Result<(), Failure> {
        loop {
            let (store, level) = (Arc::clone(&self.store), self.level);
            let decided = tokio::task::spawn_blocking(move || decide(&mut lock(&store), level)).await;
            if decided.map_err(|_| Problem::new(Kind::Storage, "the machine has stopped"))?? {
                self.node.handle().wake();
            }
            if self.events.next().await.is_none() {
                return Ok(());
            }
        }
    }
}

/// A thread that panicked while it had the store has committed or undone what it did.
fn lock(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Acts if it is the machine's turn; whether it was.
fn decide(store: &mut Store, level: Level) -> Result<bool, Failure> {
    let Some(summary) = store.games()?.into_iter().find(|game| !game.finished && game.is_my_turn()) else {
        return Ok(false);
    };
    let session = store.session(summary.game)?;
    let Some(game) = session.game() else { return Ok(false) };
    let mut seed = [0; 32];
    getrandom::fill(&mut seed)
        .map_err(|error| Problem::new(Kind::Storage, format!("no randomness: {error}")))?;
    let Some(action) = machine::choose(game, level, seed) else { return Ok(false) };
    store.act(summary.game, action, false, unix_ms())?;
    Ok(true)
}
