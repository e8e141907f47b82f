//! Who is connected, and who waits for a connection.

use std::collections::{HashMap, HashSet};

use libp2p::swarm::ConnectionId;
use libp2p::{Multiaddr, PeerId};
use tokio::sync::oneshot;

use super::handle::ConnectError;
use crate::net::{is_local, is_relayed};
use crate::store::ContactPath;

type Reply = oneshot::Sender<Result<(), ConnectError>>;

/// Peers of the local network that are remembered.
const MAX_NEARBY: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Connections {
    established: HashMap<PeerId, Established>,
    /// Dials under way, each with where it leads.
    dials: HashMap<ConnectionId, (PeerId, Vec<Multiaddr>)>,
    waiting: HashMap<PeerId, Vec<Waiting>>,
    /// Peers of the local network, each with where it was heard of.
    nearby: HashMap<PeerId, Vec<Multiaddr>>,
    /// Where connected peers say to listen, until that is kept.
    listens: HashMap<PeerId, Vec<String>>,
}

/// The connections with one peer.
#[derive(Debug)]
struct Established {
    since_ms: u64,
    addresses: HashMap<ConnectionId, Multiaddr>,
    /// Connections from host to host that came about while there was one through a relay.
    punched: HashSet<ConnectionId>,
}

/// Somebody who waits for a connection.
#[derive(Debug)]
struct Waiting {
    reply: Reply,
    until_ms: u64,
    /// Why the latest dial failed.
    reason: Option<String>,
}

impl Connections {
    pub(super) fn is_connected(&self, peer: &PeerId) -> bool {
        self.established.contains_key(peer)
    }

    /// Notes a connection and tells whoever waits for its peer; whether it is the peer's first.
    pub(super) fn add(&mut self, peer: PeerId, id: ConnectionId, address: Multiaddr, now_ms: u64) -> bool {
        self.dials.remove(&id);
        let fresh = || Established { since_ms: now_ms, addresses: HashMap::new(), punched: HashSet::new() };
        let of_peer = self.established.entry(peer).or_insert_with(fresh);
        if !is_relayed(&address) && of_peer.addresses.values().any(is_relayed) {
            of_peer.punched.insert(id);
        }
        of_peer.addresses.insert(id, address);
        let first = of_peer.addresses.len() == 1;
        for waiting in self.waiting.remove(&peer).unwrap_or_default() {
            // Whoever asked may have gone.
            let _ = waiting.reply.send(Ok(()));
        }
        first
    }

    /// Forgets a connection; whether it was the peer's last.
    pub(super) fn remove(&mut self, peer: &PeerId, id: ConnectionId) -> bool {
        let Some(of_peer) = self.established.get_mut(peer) else { return false };
        of_peer.addresses.remove(&id);
        of_peer.punched.remove(&id);
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

    /// The best way by which a peer is connected.
    pub(super) fn path(&self, peer: &PeerId) -> Option<ContactPath> {
        let of_peer = self.established.get(peer)?;
        let direct = of_peer.addresses.iter().filter(|(_, address)| !is_relayed(address));
        let paths = direct.map(|(id, address)| match (is_local(address), of_peer.punched.contains(id)) {
            (true, _) => ContactPath::Lan,
            (false, true) => ContactPath::Punched,
            (false, false) => ContactPath::Direct,
        });
        let best = paths.min_by_key(|path| *path != ContactPath::Lan);
        Some(best.unwrap_or(ContactPath::Relayed))
    }

    /// Connections through a relay whose peer has one from host to host too.
    pub(super) fn superfluous(&self) -> Vec<ConnectionId> {
        let both = self.established.values().filter(|of_peer| !of_peer.addresses.values().all(is_relayed));
        let relayed =
            both.flat_map(|of_peer| of_peer.addresses.iter().filter(|(_, address)| is_relayed(address)));
        relayed.map(|(id, _)| *id).collect()
    }

    /// Those who came at this moment or earlier.
    pub(super) fn since_before(&self, moment_ms: u64) -> Vec<PeerId> {
        let early = self.established.iter().filter(|(_, of_peer)| of_peer.since_ms <= moment_ms);
        early.map(|(peer, _)| *peer).collect()
    }

    /// Someone waits for a connection with a peer, until a moment.
    pub(super) fn wait(&mut self, peer: PeerId, reply: Reply, until_ms: u64) {
        self.waiting.entry(peer).or_default().push(Waiting { reply, until_ms, reason: None });
    }

    /// Whether someone waits for a connection with a peer.
    pub(super) fn is_waited_for(&self, peer: &PeerId) -> bool {
        self.waiting.contains_key(peer)
    }

    /// A peer is being dialled at these addresses.
    pub(super) fn dialling(&mut self, dial: ConnectionId, peer: PeerId, addresses: Vec<Multiaddr>) {
        self.dials.insert(dial, (peer, addresses));
    }

    /// A dial has failed; whose it was.
    pub(super) fn dial_failed(&mut self, dial: ConnectionId, reason: &str) -> Option<PeerId> {
        let (peer, _) = self.dials.remove(&dial)?;
        for waiting in self.waiting.get_mut(&peer).into_iter().flatten() {
            waiting.reason = Some(reason.to_owned());
        }
        Some(peer)
    }

    /// Whether a dial of a peer is under way.
    pub(super) fn is_dialled(&self, peer: &PeerId) -> bool {
        self.dials.values().any(|(dialled, _)| dialled == peer)
    }

    /// Whether a dial of a peer at an address is under way.
    pub(super) fn is_dialled_at(&self, peer: &PeerId, address: &Multiaddr) -> bool {
        self.dials.values().any(|(dialled, at)| dialled == peer && at.contains(address))
    }

    /// There is no way left by which a peer could come.
    pub(super) fn give_up(&mut self, peer: &PeerId) {
        for waiting in self.waiting.remove(peer).unwrap_or_default() {
            waiting.fail();
        }
    }

    /// Lets go of those who have waited for long enough.
    pub(super) fn expire(&mut self, now_ms: u64) {
        for waiting in
            self.waiting.values_mut().flat_map(|list| list.extract_if(.., |one| one.until_ms <= now_ms))
        {
            waiting.fail();
        }
        self.waiting.retain(|_, list| !list.is_empty());
    }

    /// A peer was heard of on the local network.
    pub(super) fn heard_nearby(&mut self, peer: PeerId, address: Multiaddr) {
        if self.nearby.len() >= MAX_NEARBY && !self.nearby.contains_key(&peer) {
            return;
        }
        let known = self.nearby.entry(peer).or_default();
        if !known.contains(&address) && known.len() < crate::store::MAX_ADDRESSES_PER_PEER {
            known.push(address);
        }
    }

    /// It was not heard of at this address for long.
    pub(super) fn nearby_expired(&mut self, peer: &PeerId, address: &Multiaddr) {
        if let Some(known) = self.nearby.get_mut(peer) {
            known.retain(|kept| kept != address);
        }
        self.nearby.retain(|_, known| !known.is_empty());
    }

    /// Where a peer was heard of on the local network.
    pub(super) fn nearby(&self, peer: &PeerId) -> &[Multiaddr] {
        self.nearby.get(peer).map_or(&[], Vec::as_slice)
    }

    /// How many peers were heard of on the local network.
    pub(super) fn nearby_count(&self) -> usize {
        self.nearby.len()
    }
}

impl Waiting {
    fn fail(self) {
        let error = self.reason.map_or(ConnectError::NoAddress, ConnectError::Unreachable);
        // Whoever asked may have gone.
        let _ = self.reply.send(Err(error));
    }
}
