//! A running node: one loop between the network, the store and whoever commands it.
//!
//! [`Node::start`] claims the home and runs; [`NodeHandle`] commands; [`Events`] tell. Entries are not given to the node
//! but written to the store; [`NodeHandle::wake`] (or [`Home::wake`] of another process) has it look there.

mod connections;
mod event;
mod handle;
mod keeping;
mod listen;
mod mailboxes;
mod notes;
mod outbox;
mod reach;
mod redial;
mod relays;
mod rendezvous;
mod run;
mod standing;
mod work;

use std::collections::{HashMap, HashSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chakart_core::protocol::keys::{PublicKey, SecretKey};
use libp2p::request_response::OutboundRequestId;
use libp2p::{Multiaddr, PeerId, Swarm};
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;
use tokio::time::Interval;

pub use event::{Events, NodeEvent};
pub use handle::{ConnectError, NodeHandle, PeerStatus, Stopped};
pub use standing::Standing;

pub use crate::net::RelayLimits;

use crate::home::{Home, HomeError, HomeLock, WakeSocket};
use crate::identity;
use crate::mailbox::boxes::{BoxError, Boxes, DEFAULT_MAX_BYTES};
use crate::mailbox::keeper::Keeper;
use crate::mailbox::post::Post;
use crate::metrics::{Metrics, MetricsError};
use crate::net::{self, Behaviour, NetError, Places};
use crate::settings::Settings;
use crate::store::{Store, StoreError};
use crate::sync::engine::Engine;
use crate::sync::message::Request;
use crate::sync::note::NoteRequest;

use connections::Connections;
use handle::Command;
use keeping::Keeping;
use outbox::Outbox;
use reach::Reach;
use redial::Redial;

/// How often a node looks into its store without having been woken.
pub const FALLBACK_LOOK: Duration = Duration::from_secs(5);
/// Commands that wait for the loop, at most.
pub const MAX_WAITING_COMMANDS: usize = 64;
/// Events that a slow listener may leave unread before it misses some.
pub const MAX_UNREAD_EVENTS: usize = 256;

/// How a node runs.
#[derive(Clone, Debug)]
pub struct NodeConfig {
    /// Multiaddrs to listen on. Empty: the same ports as last time on all interfaces if they are free, or else any.
    pub listen: Vec<String>,
    /// Whether opponents are dialled without being asked for, again and again with growing pauses.
    pub redial: bool,
    /// The clock, in milliseconds of Unix time.
    pub clock: fn() -> u64,
    /// Which helpers of others the node uses.
    pub settings: Settings,
    /// What the node does for others, if it does.
    pub helper: Option<HelperRole>,
    /// The port of the loopback on which figures are served, if they are.
    pub metrics: Option<u16>,
}

/// What a node does for others: it relays, serves the table of its network, and keeps a mailbox.
#[derive(Clone, Debug, Default)]
pub struct HelperRole {
    /// Multiaddrs at which others reach this node; empty: those on which it listens.
    pub external: Vec<String>,
    /// How much each of them gets.
    pub limits: RelayLimits,
    /// For whom letters are kept; empty: this node is no mailbox.
    pub mailbox_for: Vec<PublicKey>,
}

impl Default for NodeConfig {
    fn default() -> Self {
        Self {
            listen: Vec::new(),
            redial: true,
            clock: unix_ms,
            settings: Settings::default(),
            helper: None,
            metrics: None,
        }
    }
}

/// A running node. Dropping it and all of its handles stops it too, without waiting.
#[derive(Debug)]
pub struct Node {
    handle: NodeHandle,
    task: JoinHandle<()>,
}

/// Why a node does not start.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// The home, or another node in it.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network.
    #[error(transparent)]
    Net(#[from] NetError),
    /// The mailbox that the node keeps.
    #[error(transparent)]
    Mailbox(#[from] BoxError),
    /// The figures.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
}

impl Node {
    /// Starts the one node of a home; to be called inside a tokio runtime with time and network.
    ///
    /// # Errors
    /// [`NodeError`]; [`HomeError::Running`] if there is one already.
    pub async fn start(home: &Home, key: SecretKey, config: NodeConfig) -> Result<Self, NodeError> {
        let lock = home.lock()?;
        let wake =
            WakeSocket::bind(home).map_err(|error| HomeError::Unusable { path: home.wake_file(), error })?;
        let keypair = identity::network_keypair(&key);
        let mut store = Store::open(&home.store_file(), key.clone())?;
        store.note_disconnected(None, (config.clock)())?;
        let engine = Engine::new(&store)?;
        let wanted = store.wanted_peers()?;
        let metrics = match config.metrics {
            Some(port) => Some(Metrics::serve(port).await?),
            None => None,
        };
        let keeping = mailbox(home, &key, &config)?;
        let places = Places::default();
        let mut swarm = net::build(&keypair, listen::ways(&config, &places)?)?;
        let reach = Reach::new(&mut swarm, key.clone(), &config, places)?;
        let post = Post::new(key, reach.mailboxes.keys());
        let early = listen::listen(&mut swarm, &mut store, &config.listen).await?;
        let (commands, inbox) = mpsc::channel(MAX_WAITING_COMMANDS);
        let (events, _) = broadcast::channel(MAX_UNREAD_EVENTS);
        let handle = NodeHandle::new(commands, events.clone());
        let mut runtime = Runtime {
            swarm,
            core: Some(Box::new(Core { store, engine, post })),
            inbox,
            events,
            asked: HashMap::new(),
            asked_notes: HashMap::new(),
            asked_mailboxes: HashMap::new(),
            outbox: Outbox::default(),
            wanted: HashSet::new(),
            wanted_is_old: false,
            connections: Connections::default(),
            redial: Redial::new(config.redial),
            reach,
            dials: run::dials(),
            keeping,
            metrics,
            clock: config.clock,
            wake,
            _lock: lock,
        };
        runtime.want(&wanted);
        Ok(Self { handle, task: tokio::spawn(runtime.run(early)) })
    }

    /// Commands this node; can be cloned.
    #[must_use]
    pub const fn handle(&self) -> &NodeHandle {
        &self.handle
    }

    /// Ends the loop, closes the connections and lets go of the home.
    pub async fn stop(self) {
        self.handle.shut_down().await;
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the node ended badly");
        }
    }
}

/// Now, in milliseconds of Unix time.
#[must_use]
pub fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// What works on the store; lent to a thread that may block.
struct Core {
    store: Store,
    engine: Engine,
    post: Post,
}

/// The state of the loop.
struct Runtime {
    swarm: Swarm<Behaviour>,
    core: Option<Box<Core>>,
    inbox: mpsc::Receiver<Command>,
    events: broadcast::Sender<NodeEvent>,
    asked: HashMap<OutboundRequestId, (PublicKey, Request)>,
    asked_notes: HashMap<OutboundRequestId, (PublicKey, NoteRequest)>,
    asked_mailboxes: HashMap<OutboundRequestId, PublicKey>,
    outbox: Outbox,
    /// Opponents of games that go on.
    wanted: HashSet<PeerId>,
    /// Whether they may be others by now.
    wanted_is_old: bool,
    connections: Connections,
    redial: Redial,
    reach: Reach,
    dials: Interval,
    keeping: Option<Keeping>,
    metrics: Option<Metrics>,
    clock: fn() -> u64,
    wake: WakeSocket,
    _lock: HomeLock,
}

/// The mailbox that this node keeps for others, if it does.
fn mailbox(home: &Home, key: &SecretKey, config: &NodeConfig) -> Result<Option<Keeping>, NodeError> {
    let listed = config.helper.iter().flat_map(|helper| helper.mailbox_for.iter().copied());
    let listed: Vec<PublicKey> = listed.collect();
    if listed.is_empty() {
        return Ok(None);
    }
    let boxes = Boxes::open(&home.mailbox_file(), key.public(), listed, DEFAULT_MAX_BYTES)?;
    let started = Keeping::start(Keeper::new(boxes), config.clock);
    Ok(Some(started.map_err(|error| HomeError::Unusable { path: home.mailbox_file(), error })?))
}

/// Addresses as texts.
fn texts<'a>(addresses: impl IntoIterator<Item = &'a Multiaddr>) -> Vec<String> {
    addresses.into_iter().map(ToString::to_string).collect()
}
