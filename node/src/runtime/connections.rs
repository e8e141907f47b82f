//! Who is connected, and who waits for a connection.

use std::collections::HashMap;
use std::net::IpAddr;

use libp2p::swarm::ConnectionId;
use libp2p::{Multiaddr, PeerId};
use tokio::sync::oneshot;

use super::handle::ConnectError;
use crate::net::{is_local, is_relayed, relay_of, source_towards};
use crate::store::ContactPath;

type Reply = oneshot::Sender<Result<(), ConnectError>>;

/// After so long a connection from host to host is relied upon, and the circuit beside it closed, in milliseconds.
const SETTLED_MS: u64 = 1_000;
/// A circuit that its dialler has not closed for so long is its only way, in milliseconds.
const CIRCUIT_STAYS_MS: u64 = 4_000;
/// Two who dial each other at once are connected twice within so long, in milliseconds.
const AT_ONCE_MS: u64 = 3_000;
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
    links: HashMap<ConnectionId, Link>,
    /// When the peer last came by itself, which it does only without a connection: older ones it has lost.
    came_ms: u64,
}

/// One connection.
#[derive(Debug)]
pub(super) struct Link {
    address: Multiaddr,
    /// Whether it leads through a relay.
    circuit: bool,
    /// Whether this node has dialled it.
    dialled: bool,
    since_ms: u64,
    /// The own address from which its packets leave.
    source: Option<IpAddr>,
    /// Whether it leads from host to host and came about while there was one through a relay.
    punched: bool,
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
    pub(super) fn add(&mut self, peer: PeerId, id: ConnectionId, mut link: Link) -> bool {
        self.dials.remove(&id);
        let fresh = || Established { since_ms: link.since_ms, links: HashMap::new(), came_ms: 0 };
        let of_peer = self.established.entry(peer).or_insert_with(fresh);
        link.punched = !link.circuit && of_peer.links.values().any(|other| other.circuit);
        of_peer.came_ms = of_peer.came_ms.max(link.came_ms());
        of_peer.links.insert(id, link);
        let first = of_peer.links.len() == 1;
        for waiting in self.waiting.remove(&peer).unwrap_or_default() {
            // Whoever asked may have gone.
            let _ = waiting.reply.send(Ok(()));
        }
        first
    }

    /// Forgets a connection; whether it was the peer's last.
    pub(super) fn remove(&mut self, peer: &PeerId, id: ConnectionId) -> bool {
        let Some(of_peer) = self.established.get_mut(peer) else { return false };
        of_peer.links.remove(&id);
        let last = of_peer.links.is_empty();
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
        Some(&self.established.get(peer)?.links.get(&id)?.address)
    }

    /// Everybody who is connected, with the addresses of the connections.
    pub(super) fn all(&self) -> impl Iterator<Item = (&PeerId, impl Iterator<Item = &Multiaddr>)> {
        self.established
            .iter()
            .map(|(peer, of_peer)| (peer, of_peer.links.values().map(|link| &link.address)))
    }

    /// The best way by which a peer is connected.
    pub(super) fn path(&self, peer: &PeerId) -> Option<ContactPath> {
        let of_peer = self.established.get(peer)?;
        let direct = of_peer.links.values().filter(|link| !link.circuit);
        let paths = direct.map(|link| match (is_local(&link.address), link.punched) {
            (true, _) => ContactPath::Lan,
            (false, true) => ContactPath::Punched,
            (false, false) => ContactPath::Direct,
        });
        let best = paths.min_by_key(|path| *path != ContactPath::Lan);
        Some(best.unwrap_or(ContactPath::Relayed))
    }

    /// Circuits that this node has dialled to peers with whom it has long enough been connected from host to host.
    pub(super) fn superfluous(&self, now_ms: u64) -> Vec<ConnectionId> {
        let settled = |link: &Link| !link.circuit && link.since_ms.saturating_add(SETTLED_MS) <= now_ms;
        let both = self.established.values().filter(|of_peer| of_peer.links.values().any(settled));
        let links = both.flat_map(|of_peer| &of_peer.links);
        links.filter(|(_, link)| link.circuit && link.dialled).map(|(id, _)| *id).collect()
    }

    /// Connections that their peers have lost: since then these have come anew, and stay.
    pub(super) fn lost(&self, now_ms: u64) -> Vec<ConnectionId> {
        let mut lost = Vec::new();
        for of_peer in self.established.values().filter(|of_peer| of_peer.links.len() > 1) {
            let came_ms = of_peer.came_ms;
            let stays = |link: &Link| link.since_ms >= came_ms && link.stays(now_ms);
            if of_peer.links.values().any(stays) {
                let older = of_peer.links.iter().filter(|(_, link)| link.is_older_than(came_ms));
                lost.extend(older.map(|(id, _)| *id));
            }
        }
        lost
    }

    /// Connections whose packets leave from an own address.
    pub(super) fn coming_from(&self, gone: IpAddr) -> Vec<ConnectionId> {
        let links = self.established.values().flat_map(|of_peer| &of_peer.links);
        links.filter(|(_, link)| link.source == Some(gone)).map(|(id, _)| *id).collect()
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

    /// Whether a dial of a peer through a relay is under way.
    pub(super) fn is_dialled_through(&self, peer: &PeerId, relay: &PeerId) -> bool {
        let through = |at: &Multiaddr| relay_of(at).is_some_and(|at| at.peer == *relay);
        self.dials
            .values()
            .any(|(dialled, at)| dialled == peer && at.iter().filter(|at| is_relayed(at)).any(through))
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

impl Link {
    /// A connection that has just been established.
    pub(super) fn new(address: Multiaddr, dialled: bool, since_ms: u64) -> Self {
        let source = source_towards(&address);
        Self { circuit: is_relayed(&address), address, dialled, since_ms, source, punched: false }
    }

    /// The moment before which a peer that came by this connection had no other from host to host.
    const fn came_ms(&self) -> u64 {
        match self {
            Self { dialled: true, .. } | Self { punched: true, .. } => 0,
            Self { circuit: true, since_ms, .. } => *since_ms,
            Self { since_ms, .. } => since_ms.saturating_sub(AT_ONCE_MS),
        }
    }

    /// Whether the peer still wants this connection: it closes a circuit beside a better way.
    const fn stays(&self, now_ms: u64) -> bool {
        let for_ms = if self.circuit { CIRCUIT_STAYS_MS } else { SETTLED_MS };
        !(self.circuit && self.dialled) && self.since_ms.saturating_add(for_ms) <= now_ms
    }

    /// Whether it was there before a moment; two circuits of which each side dialled one belong together.
    const fn is_older_than(&self, moment_ms: u64) -> bool {
        self.since_ms < if self.circuit { moment_ms.saturating_sub(AT_ONCE_MS) } else { moment_ms }
    }
}

impl Waiting {
    fn fail(self) {
        let error = self.reason.map_or(ConnectError::NoAddress, ConnectError::Unreachable);
        // Whoever asked may have gone.
        let _ = self.reply.send(Err(error));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECT: &str = "/ip4/192.0.2.8/tcp/4001";

    fn link(address: &str, dialled: bool, since_ms: u64) -> Link {
        Link::new(address.parse().expect("an address"), dialled, since_ms)
    }

    #[test]
    fn whoever_dialled_a_circuit_closes_it_beside_a_better_way() {
        let (mut near, mut far, peer) = (Connections::default(), Connections::default(), PeerId::random());
        let [circuit, direct] = [1, 2].map(ConnectionId::new_unchecked);
        let through = format!("/ip4/192.0.2.7/tcp/4001/p2p/{}/p2p-circuit", PeerId::random());
        for (connections, dialled) in [(&mut near, true), (&mut far, false)] {
            assert!(connections.add(peer, circuit, link(&through, dialled, 0)));
            assert!(!connections.add(peer, direct, link(DIRECT, dialled, 10)));
            assert_eq!(connections.path(&peer), Some(ContactPath::Punched));
        }
        assert_eq!(near.superfluous(9 + SETTLED_MS), []);
        assert_eq!(near.superfluous(10 + SETTLED_MS), [circuit]);
        assert_eq!(far.superfluous(10 + SETTLED_MS), []);
        assert_eq!(far.lost(100_000), [], "the direct one is the younger");
    }

    #[test]
    fn a_peer_that_comes_anew_through_a_relay_has_lost_its_older_connection() {
        let (mut connections, peer) = (Connections::default(), PeerId::random());
        let [old, circuit, punched] = [1, 2, 3].map(ConnectionId::new_unchecked);
        let through = format!("/ip4/192.0.2.7/tcp/4001/p2p/{}/p2p-circuit", PeerId::random());
        connections.add(peer, old, link(DIRECT, true, 0));
        connections.add(peer, circuit, link(&through, false, 50));
        assert_eq!(connections.lost(49 + CIRCUIT_STAYS_MS), []);
        assert_eq!(connections.lost(50 + CIRCUIT_STAYS_MS), [old], "the circuit stays");
        connections.add(peer, punched, link(DIRECT, true, 60));
        connections.remove(&peer, circuit);
        assert_eq!(connections.lost(60 + SETTLED_MS), [old], "another took the place of the circuit");
        connections.remove(&peer, old);
        assert_eq!(connections.lost(100_000), []);
    }

    #[test]
    fn of_two_who_dial_each_other_at_once_nobody_closes_anything() {
        let (mut connections, peer) = (Connections::default(), PeerId::random());
        let [own, theirs, later] = [1, 2, 3].map(ConnectionId::new_unchecked);
        connections.add(peer, own, link(DIRECT, true, 0));
        connections.add(peer, theirs, link(DIRECT, false, AT_ONCE_MS));
        assert_eq!(connections.lost(100_000), []);
        connections.add(peer, later, link(DIRECT, false, 2 * AT_ONCE_MS + 1));
        let mut lost = connections.lost(100_000);
        lost.sort();
        assert_eq!(lost, [own, theirs], "it has come once more");
    }
}
