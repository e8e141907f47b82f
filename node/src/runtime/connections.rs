//! Who is connected, and who waits for a connection.

use std::collections::HashMap;

use libp2p::swarm::ConnectionId;
use libp2p::{Multiaddr, PeerId};
use tokio::sync::oneshot;

use super::handle::ConnectError;

type Reply = oneshot::Sender<Result<(), ConnectError>>;

#[derive(Debug, Default)]
pub(super) struct Connections {
    established: HashMap<PeerId, Established>,
    waiting: HashMap<ConnectionId, (PeerId, Reply)>,
    /// Where connected peers say to listen, until that is kept.
    listens: HashMap<PeerId, Vec<String>>,
}

/// The connections with one peer.
#[derive(Debug)]
struct Established {
    since_ms: u64,
    addresses: HashMap<ConnectionId, Multiaddr>,
}

impl Connections {
    pub(super) fn is_connected(&self, peer: &PeerId) -> bool {
        self.established.contains_key(peer)
    }

    /// Notes a connection and tells whoever waits for its peer; whether it is the peer's first.
    pub(super) fn add(&mut self, peer: PeerId, id: ConnectionId, address: Multiaddr, now_ms: u64) -> bool {
        let fresh = || Established { since_ms: now_ms, addresses: HashMap::new() };
        let of_peer = self.established.entry(peer).or_insert_with(fresh);
        of_peer.addresses.insert(id, address);
        let first = of_peer.addresses.len() == 1;
        for (_, (_, reply)) in self.waiting.extract_if(|_, (waited_for, _)| *waited_for == peer) {
            // Whoever asked may have gone.
            let _ = reply.send(Ok(()));
        }
        first
    }

    /// Forgets a connection; whether it was the peer's last.
    pub(super) fn remove(&mut self, peer: &PeerId, id: ConnectionId) -> bool {
        let Some(of_peer) = self.established.get_mut(peer) else { return false };
        of_peer.addresses.remove(&id);
        let last = of_peer.addresses.is_empty();
        if last {
            self.established.remove(peer);
            self.listens.remove(peer);
        }
        last
    }

    /// Notes where a connected peer says to listen.
    pub(super) fn note_listens(&mut self, peer: PeerId, listens: Vec<String>) {
        if self.is_connected(&peer) {
            self.listens.insert(peer, listens);
        }
    }

    /// What was noted and not kept yet.
    pub(super) fn listens(&self, peer: &PeerId) -> Option<Vec<String>> {
        self.listens.get(peer).cloned()
    }

    pub(super) fn forget_listens(&mut self, peer: &PeerId) {
        self.listens.remove(peer);
    }

    pub(super) fn address(&self, peer: &PeerId, id: ConnectionId) -> Option<&Multiaddr> {
        self.established.get(peer)?.addresses.get(&id)
    }

    /// Everybody who is connected, with the addresses of the connections.
    pub(super) fn all(&self) -> impl Iterator<Item = (&PeerId, impl Iterator<Item = &Multiaddr>)> {
        self.established.iter().map(|(peer, of_peer)| (peer, of_peer.addresses.values()))
    }

    /// Those who came at this moment or earlier.
    pub(super) fn since_before(&self, moment_ms: u64) -> Vec<PeerId> {
        let early = self.established.iter().filter(|(_, of_peer)| of_peer.since_ms <= moment_ms);
        early.map(|(peer, _)| *peer).collect()
    }

    /// Someone waits for the outcome of a dial.
    pub(super) fn wait(&mut self, dial: ConnectionId, peer: PeerId, reply: Reply) {
        self.waiting.insert(dial, (peer, reply));
    }

    /// A dial has failed.
    pub(super) fn dial_failed(&mut self, dial: ConnectionId, reason: String) {
        if let Some((_, reply)) = self.waiting.remove(&dial) {
            let _ = reply.send(Err(ConnectError::Unreachable(reason)));
        }
    }
}
