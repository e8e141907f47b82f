//! One of the two players: a home in a temporary folder, a store and a running node.

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::Name;
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::session::{OfferSettings, Session};
use chakart_node::home::Home;
use chakart_node::runtime::{Events, Node, NodeConfig};
use chakart_node::store::{GameNo, GameSummary, Salt, Store, StoreError};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::automatic::Choices;
use crate::failure::{Failure, Kind, Problem};

/// Both transports, on ports that the system picks, for this machine only.
const LISTEN: [&str; 2] = ["/ip4/127.0.0.1/udp/0/quic-v1", "/ip4/127.0.0.1/tcp/0"];

/// A player.
pub(super) struct Seat {
    pub(super) store: Store,
    pub(super) choices: Choices,
    node: Node,
    events: Events,
    salt: [u8; 32],
    game: Option<GameNo>,
    /// Removed when the player leaves.
    _folder: TempDir,
}

impl Seat {
    /// Makes a player whose key, salt and choices follow from the seed and its role.
    pub(super) async fn take(seed: u64, role: &str, clock: fn() -> u64) -> Result<Self, Failure> {
        let folder = tempfile::Builder::new()
            .prefix("chakart-demo-")
            .tempdir()
            .map_err(|error| Problem::new(Kind::Storage, format!("no temporary folder: {error}")))?;
        let home = Home::open(folder.path().join("home"))?;
        let key = SecretKey::from_seed(&derived(seed, role, "key"));
        let config =
            NodeConfig { listen: LISTEN.map(str::to_owned).to_vec(), clock, ..NodeConfig::default() };
        let node = Node::start(&home, key.clone(), config).await?;
        let events = node.handle().events();
        let store = Store::open(&home.store_file(), key)?;
        let choices = Choices::new(derived(seed, role, "choices"));
        let salt = derived(seed, role, "salt");
        Ok(Self { store, choices, node, events, salt, game: None, _folder: folder })
    }

    pub(super) fn offer(&mut self, settings: &OfferSettings, now_ms: u64) -> Result<SignedEntry, Failure> {
        Ok(self.store.create_offer(settings, Salt::from_bytes(self.salt), now_ms)?.offer)
    }

    pub(super) async fn join(
        &mut self,
        offer: &SignedEntry,
        name: Name,
        addresses: Vec<String>,
        now_ms: u64,
    ) -> Result<(), Failure> {
        let game = self.store.join(offer, name, Salt::from_bytes(self.salt), now_ms)?;
        self.game = Some(game);
        let host = self.store.game(game)?.opponent_key()?;
        self.node.handle().connect(host, addresses).await?;
        self.node.handle().wake();
        Ok(())
    }

    pub(super) async fn addresses(&self) -> Result<Vec<String>, Failure> {
        Ok(self.node.handle().listen_addresses().await?)
    }

    /// Looks for the game that an offer has become.
    pub(super) fn find_game(&mut self) -> Result<bool, Failure> {
        self.game = self.store.games()?.first().map(|game| game.game);
        Ok(self.game.is_some())
    }

    pub(super) fn summary(&self) -> Result<GameSummary, Failure> {
        Ok(self.store.game(self.number()?)?)
    }

    pub(super) fn session(&mut self) -> Result<Session, Failure> {
        let game = self.number()?;
        Ok(self.store.session(game)?)
    }

    pub(super) fn number(&self) -> Result<GameNo, StoreError> {
        self.game.ok_or(StoreError::NoSuchGame)
    }

    /// Lets the node look at what was written to the store.
    pub(super) fn wake(&self) {
        self.node.handle().wake();
    }

    pub(super) async fn next_event(&mut self) -> Result<(), Failure> {
        match self.events.next().await {
            Some(_) => Ok(()),
            None => Err(Problem::new(Kind::Storage, "a node has stopped").into()),
        }
    }

    pub(super) async fn leave(self) {
        self.node.stop().await;
    }
}

/// Thirty-two bytes for one purpose of one player.
fn derived(seed: u64, role: &str, purpose: &str) -> [u8; 32] {
    Sha256::digest(format!("chakart demo, seed {seed}, {role}'s {purpose}")).into()
}
