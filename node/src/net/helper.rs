//! Parts of the swarm that come from the surroundings of a node, or that it offers to others.

use std::num::NonZeroU32;
use std::time::Duration;

use libp2p::{Multiaddr, PeerId, mdns, relay};

use super::places::Places;

/// Reservations of one peer: one to use and one to come back with.
pub(super) const MAX_RESERVATIONS_PER_PEER: usize = 2;
/// Circuits that are open through a relay, in all.
pub(super) const MAX_CIRCUITS: usize = 64;
/// Circuits of one peer.
pub(super) const MAX_CIRCUITS_PER_PEER: usize = 4;
/// Reservations, and circuits, that one host may ask for at once; homes share an address. Fewer than there are circuits, and
/// with what is added while a circuit lasts too: one host does not take them all.
const PER_HOST: NonZeroU32 = NonZeroU32::new(32).expect("not zero");
/// After so long a host may ask for one more.
const PER_HOST_EVERY: Duration = Duration::from_secs(10);
/// The same for one peer.
const PER_PEER: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
const PER_PEER_EVERY: Duration = Duration::from_secs(20);

/// Finds peers on the local network; `None` where the system gives no sockets for it.
pub(super) fn lan(me: PeerId) -> Option<mdns::tokio::Behaviour> {
    let found = mdns::tokio::Behaviour::new(mdns::Config::default(), me);
    found.inspect_err(|error| tracing::warn!(%error, "friends on the local network are not looked for")).ok()
}

/// How much a relay does for each of the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RelayLimits {
    /// How long a circuit lasts, at most.
    pub circuit: Duration,
    /// Bytes that a circuit carries, at most; a sync that needs more goes on over the next.
    pub circuit_bytes: u64,
    /// How long a reservation lasts that is not renewed.
    pub reservation: Duration,
}

impl Default for RelayLimits {
    fn default() -> Self {
        Self {
            circuit: Duration::from_secs(120),
            circuit_bytes: 128 * 1024,
            reservation: Duration::from_secs(3600),
        }
    }
}

/// Relays circuits of others.
pub(super) fn relay(me: PeerId, limits: RelayLimits, places: Places) -> relay::Behaviour {
    let config = relay::Config {
        // The places are what bounds them.
        max_reservations: usize::MAX,
        max_reservations_per_peer: MAX_RESERVATIONS_PER_PEER,
        max_circuits: MAX_CIRCUITS,
        max_circuits_per_peer: MAX_CIRCUITS_PER_PEER,
        max_circuit_duration: limits.circuit,
        max_circuit_bytes: limits.circuit_bytes,
        reservation_duration: limits.reservation,
        reservation_rate_limiters: Vec::new(),
        circuit_src_rate_limiters: Vec::new(),
    };
    let mut limited = config
        .reservation_rate_per_peer(PER_PEER, PER_PEER_EVERY)
        .reservation_rate_per_ip(PER_HOST, PER_HOST_EVERY)
        .circuit_src_per_peer(PER_PEER, PER_PEER_EVERY)
        .circuit_src_per_ip(PER_HOST, PER_HOST_EVERY);
    // The last to be asked: where it says yes, the reservation is granted.
    limited
        .reservation_rate_limiters
        .push(Box::new(move |peer, from: &Multiaddr, _| places.admits(peer, from)));
    relay::Behaviour::new(me, limited)
}
