//! Who has a place on a relay. libp2p refuses to renew a reservation on a relay that is full; here, who has a place keeps it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use libp2p::{Multiaddr, PeerId};

use super::hosts::Host;

/// Peers that hold reservations, in all.
pub(crate) const MAX_PLACES: usize = 128;
/// Of them those from one host.
pub(crate) const MAX_PLACES_PER_HOST: usize = 32;

/// The places of a relay; clones are the same places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Arc<Mutex<HashMap<PeerId, Option<Host>>>>);

impl Places {
    /// Whether a peer may have a reservation, or another; it then has a place.
    pub(crate) fn admits(&self, peer: PeerId, from: &Multiaddr) -> bool {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.contains_key(&peer) {
            return true;
        }
        let host = Host::of(from);
        let of_host = held.values().filter(|other| host.is_some() && **other == host).count();
        let room = held.len() < MAX_PLACES && of_host < MAX_PLACES_PER_HOST;
        if room {
            held.insert(peer, host);
        }
        room
    }

    /// A peer holds no reservation any more.
    pub(crate) fn free(&self, peer: &PeerId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(peer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_a_place_keeps_it_and_one_host_does_not_take_all() {
        let (places, first) = (Places::default(), PeerId::random());
        let at = |host: usize| format!("/ip4/192.0.2.{host}/tcp/4001").parse().expect("an address");
        assert!(places.admits(first, &at(0)));
        let taken = (0..10 * MAX_PLACES)
            .filter(|number| places.admits(PeerId::random(), &at(1 + number % 3)))
            .count();
        assert_eq!(taken, 3 * MAX_PLACES_PER_HOST);
        while places.admits(PeerId::random(), &at(4)) {}
        assert!(!places.admits(PeerId::random(), &at(5)), "full");
        assert!(places.admits(first, &at(6)), "it renews, from wherever it is");
        places.free(&first);
        assert!(places.admits(PeerId::random(), &at(5)));
    }
}
