//! What the node tells, as far as the board shows it.

use chakart_core::protocol::keys::PublicKey;
use chakart_node::runtime::NodeEvent;
use chakart_node::store::GameNo;
use chakart_node::sync::engine::SyncEvent;

use crate::show::escape::escaped;
use crate::show::{game, path, plan};

/// What an event means for the game at the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct News {
    /// Whether the game has to be read again.
    pub(crate) changed: bool,
    /// Whether the opponent has said something.
    pub(crate) said: bool,
    /// What is told, escaped.
    pub(crate) words: Option<String>,
}

impl News {
    /// What an event means for a game with an opponent.
    pub(crate) fn of(event: &NodeEvent, here: GameNo, opponent: &PublicKey) -> Self {
        let told = |words: String| Self { changed: true, words: Some(words), said: false };
        match event {
            NodeEvent::Missed
            | NodeEvent::Game(SyncEvent::GameChanged { .. } | SyncEvent::Delivered { .. }) => {
                Self { changed: true, ..Self::default() }
            }
            NodeEvent::Game(SyncEvent::Note { game }) if *game == here => {
                Self { changed: true, said: true, ..Self::default() }
            }
            NodeEvent::Game(
                SyncEvent::PeerBroke { game, reason, .. } | SyncEvent::Refused { game, reason, .. },
            ) if *game == here => told(format!("an entry of the opponent was refused: {}", escaped(reason))),
            NodeEvent::Game(SyncEvent::RefusedByPeer { game, reason, .. }) if *game == here => {
                told(format!("the opponent refused an entry: '{}'", escaped(reason)))
            }
            NodeEvent::Game(SyncEvent::Plan(report)) if report.game == here => told(plan::told(report)),
            NodeEvent::Game(SyncEvent::OtherMachine { game, seq }) if *game == here => {
                told(game::other_machine(*seq))
            }
            NodeEvent::PeerConnected { peer, address } if peer == opponent => {
                told(format!("the opponent is connected ({})", path::kind(address)))
            }
            NodeEvent::PathChanged { peer, path } if peer == opponent => {
                told(format!("the opponent is connected {}", path::by(*path)))
            }
            NodeEvent::PeerDisconnected { peer } if peer == opponent => {
                told("the opponent is not connected any more".to_owned())
            }
            NodeEvent::StoreFailed { reason } => told(format!("the store failed: {}", escaped(reason))),
            _ => Self::default(),
        }
    }
}
