//! What a running node tells.

use chakart_core::protocol::keys::PublicKey;
use tokio::sync::broadcast::{self, error::RecvError};

use crate::store::ContactPath;
use crate::sync::engine::SyncEvent;

/// What a running node tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeEvent {
    /// Something happened to a game.
    Game(SyncEvent),
    /// A peer is connected.
    PeerConnected {
        /// Who.
        peer: PublicKey,
        /// Where, as a multiaddr.
        address: String,
    },
    /// A connected peer is now reached by another way.
    PathChanged {
        /// Who.
        peer: PublicKey,
        /// By which.
        path: ContactPath,
    },
    /// Others reach this node at other addresses than before.
    AddressesChanged,
    /// A mailbox was reached or lost, or has been given or has given something.
    MailboxesChanged,
    /// The last connection with a peer is gone.
    PeerDisconnected {
        /// Who.
        peer: PublicKey,
    },
    /// A node with this player's key was met: another machine has the key, or this node was reached at an old address of
    /// somebody else. One key on two machines signs two entries at one place sooner or later, which convicts its owner.
    SecondNode {
        /// From where, as a multiaddr.
        address: String,
    },
    /// The store failed; what was under way is undone and will be tried again.
    StoreFailed {
        /// Why, in words.
        reason: String,
    },
    /// The listener was too slow and missed events: look at the store again.
    Missed,
}

/// The events of a node from some moment on.
#[derive(Debug)]
pub struct Events(broadcast::Receiver<NodeEvent>);

impl Events {
    pub(super) const fn new(receiver: broadcast::Receiver<NodeEvent>) -> Self {
        Self(receiver)
    }

    /// The next event; `None` once the node has stopped. May be dropped while it waits: nothing is lost.
    pub async fn next(&mut self) -> Option<NodeEvent> {
        match self.0.recv().await {
            Ok(event) => Some(event),
            Err(RecvError::Lagged(_)) => Some(NodeEvent::Missed),
            Err(RecvError::Closed) => None,
        }
    }
}
