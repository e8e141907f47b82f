//! How a running node is commanded.

use chakart_core::protocol::keys::PublicKey;
use tokio::sync::{broadcast, mpsc, oneshot};

use super::{Events, NodeEvent, Standing};
use crate::net::NetError;
use crate::store::ContactPath;

/// Commands a running node; can be cloned.
#[derive(Clone, Debug)]
pub struct NodeHandle {
    commands: mpsc::Sender<Command>,
    events: broadcast::Sender<NodeEvent>,
}

/// A connected peer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeerStatus {
    /// Who.
    pub peer: PublicKey,
    /// Where, as multiaddrs, one for each connection.
    pub addresses: Vec<String>,
    /// The best way among them.
    pub path: ContactPath,
}

/// The node has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the node has stopped")]
pub struct Stopped;

/// Why a peer was not reached.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No address of the peer is known.
    #[error("no address of this peer is known")]
    NoAddress,
    /// An address cannot be read.
    #[error(transparent)]
    Address(#[from] NetError),
    /// None of the addresses answered as this peer.
    #[error("not reached: {0}")]
    Unreachable(String),
    /// The node has stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// What the loop is told to do.
#[derive(Debug)]
pub(super) enum Command {
    Connect { peer: PublicKey, addresses: Vec<String>, reply: oneshot::Sender<Result<(), ConnectError>> },
    Greet { peer: PublicKey },
    ListenAddresses { reply: oneshot::Sender<Vec<String>> },
    Standing { reply: oneshot::Sender<Standing> },
    Peers { reply: oneshot::Sender<Vec<PeerStatus>> },
    SettleMailboxes { reply: oneshot::Sender<bool> },
    Wake,
    ShutDown,
}

impl NodeHandle {
    pub(super) const fn new(commands: mpsc::Sender<Command>, events: broadcast::Sender<NodeEvent>) -> Self {
        Self { commands, events }
    }

    /// Events from now on.
    #[must_use]
    pub fn events(&self) -> Events {
        Events::new(self.events.subscribe())
    }

    /// Has the node look into the store for what was added there. Never waits.
    pub fn wake(&self) {
        // A full inbox is being worked on, and every command is followed by a look.
        let _ = self.commands.try_send(Command::Wake);
    }

    /// Connects to a peer at these addresses (multiaddrs) and those that the store knows; fine at once if it is
    /// connected. Copies of common games are compared as soon as it is.
    ///
    /// # Errors
    /// [`ConnectError`]
    pub async fn connect(&self, peer: PublicKey, addresses: Vec<String>) -> Result<(), ConnectError> {
        self.ask(|reply| Command::Connect { peer, addresses, reply }).await?
    }

    /// Compares copies of common games with a connected peer again.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn greet(&self, peer: PublicKey) -> Result<(), Stopped> {
        self.commands.send(Command::Greet { peer }).await.map_err(|_| Stopped)
    }

    /// How this node stands in the network: where it listens, what its helpers do for it.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn standing(&self) -> Result<Standing, Stopped> {
        self.ask(|reply| Command::Standing { reply }).await
    }

    /// The multiaddrs at which this node can be reached from where it stands, without its name, and those at which it was
    /// seen from outside; relayed ones are in [`NodeHandle::standing`].
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn listen_addresses(&self) -> Result<Vec<String>, Stopped> {
        self.ask(|reply| Command::ListenAddresses { reply }).await
    }

    /// The connected peers.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn peers(&self) -> Result<Vec<PeerStatus>, Stopped> {
        self.ask(|reply| Command::Peers { reply }).await
    }

    /// Waits until every mailbox that can be reached has been given what is due and has given what it keeps; whether one was
    /// reached.
    ///
    /// # Errors
    /// [`Stopped`]
    pub async fn settle_mailboxes(&self) -> Result<bool, Stopped> {
        self.ask(|reply| Command::SettleMailboxes { reply }).await
    }

    /// Asks the loop to end.
    pub async fn shut_down(&self) {
        // Where nobody listens any more, it has ended.
        let _ = self.commands.send(Command::ShutDown).await;
    }

    async fn ask<T>(&self, command: impl FnOnce(oneshot::Sender<T>) -> Command) -> Result<T, Stopped> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(command(reply)).await.map_err(|_| Stopped)?;
        answer.await.map_err(|_| Stopped)
    }
}
