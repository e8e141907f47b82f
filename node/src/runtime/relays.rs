//! Reservations on relays: whom to ask, when to ask again, what is held.
//!
//! A reservation lives as long as the connection under it, and libp2p renews it meanwhile. What is left to do is here: a
//! relay is dialled, says in its identification whether it relays, is asked for a reservation by listening on its circuit,
//! and is asked again whenever the reservation or the connection is gone.

use libp2p::core::transport::ListenerId;
use libp2p::{Multiaddr, PeerId};

use crate::settings::PeerAddress;

/// Reservations that are held at one time.
pub(super) const MAX_RESERVATIONS: usize = 3;
/// Relays that are known at one time.
const MAX_RELAYS: usize = 64;
/// Addresses of one relay.
const MAX_ADDRESSES: usize = 8;
/// The first pause before a relay is tried again, in milliseconds.
const FIRST_PAUSE_MS: u64 = 2_000;
/// The longest, in milliseconds.
const LONGEST_PAUSE_MS: u64 = 300_000;
/// How long a relay may take to identify itself and to grant a reservation, in milliseconds.
const PATIENCE_MS: u64 = 30_000;

/// What is to be done about a relay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Connect to it at one of its addresses.
    Dial(PeerId, Vec<Multiaddr>),
    /// Listen on its circuit, which asks for a reservation.
    Listen(PeerAddress),
    /// Give a reservation back.
    Unlisten(ListenerId),
}

/// The relays of a node.
#[derive(Debug, Default)]
pub(super) struct Relays {
    known: Vec<Relay>,
}

#[derive(Debug)]
struct Relay {
    at: PeerAddress,
    /// Its other addresses.
    others: Vec<Multiaddr>,
    /// Named by the person, and so preferred to those that were met.
    named: bool,
    /// Whether it is connected and says that it relays.
    ready: bool,
    state: State,
    pause_ms: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// To be tried at this moment.
    Idle { due_ms: u64 },
    /// Being dialled, or connected and not identified, since this moment.
    Dialled { since_ms: u64 },
    /// Asked for a reservation; no listener yet.
    Asked { since_ms: u64 },
    /// The listener waits for the reservation.
    Reserving { listener: ListenerId, since_ms: u64 },
    /// It holds.
    Reserved { listener: ListenerId },
}

impl Relays {
    /// Those that the person has named.
    pub(super) fn named(relays: &[PeerAddress]) -> Self {
        let mut known = Self::default();
        for relay in relays {
            known.add(relay.clone(), true);
        }
        known
    }

    /// A peer that says it relays, for when the named ones are not enough.
    pub(super) fn met(&mut self, at: PeerAddress) {
        self.add(at, false);
    }

    /// Whether a peer is one of them.
    pub(super) fn is_relay(&self, peer: &PeerId) -> bool {
        self.known.iter().any(|relay| relay.at.peer == *peer)
    }

    /// Whether a connection with this peer is needed.
    pub(super) fn is_in_use(&self, peer: &PeerId) -> bool {
        self.known.iter().any(|relay| relay.at.peer == *peer && !matches!(relay.state, State::Idle { .. }))
    }

    /// What is to be done now.
    pub(super) fn due(&mut self, now_ms: u64) -> Vec<Step> {
        let mut steps = self.give_up_on_silent(now_ms);
        let mut busy = self.known.iter().filter(|relay| !matches!(relay.state, State::Idle { .. })).count();
        for relay in &mut self.known {
            if busy >= MAX_RESERVATIONS {
                break;
            }
            let State::Idle { due_ms } = relay.state else { continue };
            if due_ms <= now_ms {
                busy += 1;
                steps.push(relay.begin(now_ms));
            }
        }
        steps
    }

    /// A connected peer has said what it is; what follows.
    pub(super) fn identified(&mut self, peer: &PeerId, relays: bool, now_ms: u64) -> Option<Step> {
        let relay = self.of_peer(peer)?;
        relay.ready = relays;
        match relay.state {
            State::Dialled { .. } if relays => Some(relay.begin(now_ms)),
            State::Dialled { .. } => {
                relay.failed(now_ms);
                None
            }
            _ => None,
        }
    }

    /// Its circuit is listened on.
    pub(super) fn listening(&mut self, peer: &PeerId, listener: ListenerId, now_ms: u64) {
        if let Some(relay) = self.of_peer(peer) {
            relay.state = State::Reserving { listener, since_ms: now_ms };
        }
    }

    /// A reservation was granted or renewed; whether it is a new one.
    pub(super) fn reserved(&mut self, peer: &PeerId) -> bool {
        let Some(relay) = self.of_peer(peer) else { return false };
        let State::Reserving { listener, .. } = relay.state else { return false };
        relay.state = State::Reserved { listener };
        relay.pause_ms = FIRST_PAUSE_MS;
        true
    }

    /// A listener is gone; whether it stood for a reservation.
    pub(super) fn listener_closed(&mut self, closed: ListenerId, now_ms: u64) -> bool {
        let of_it = |relay: &&mut Relay| match relay.state {
            State::Reserving { listener, .. } | State::Reserved { listener } => listener == closed,
            _ => false,
        };
        let found = self.known.iter_mut().find(of_it);
        found.map(|relay| relay.failed(now_ms)).is_some()
    }

    /// A peer could not be reached, or its last connection is gone.
    pub(super) fn lost(&mut self, peer: &PeerId, now_ms: u64) {
        let Some(relay) = self.of_peer(peer) else { return };
        relay.ready = false;
        if !matches!(relay.state, State::Idle { .. }) {
            relay.failed(now_ms);
        }
    }

    /// A circuit cannot be listened on.
    pub(super) fn refused(&mut self, peer: &PeerId, now_ms: u64) {
        if let Some(relay) = self.of_peer(peer) {
            relay.failed(now_ms);
        }
    }

    /// Begins again with short pauses: a person waits, or the network has changed.
    pub(super) fn hurry(&mut self) {
        for relay in &mut self.known {
            relay.pause_ms = FIRST_PAUSE_MS;
            if let State::Idle { due_ms } = &mut relay.state {
                *due_ms = 0;
            }
        }
    }

    /// Gives everything up and begins again: after a sleep nothing is known of what is still held.
    pub(super) fn make_again(&mut self) -> Vec<Step> {
        let steps = self.known.iter_mut().filter_map(|relay| {
            relay.ready = false;
            relay.pause_ms = FIRST_PAUSE_MS;
            relay.give_up(0)
        });
        steps.collect()
    }

    /// The relays that hold a reservation, each with its address.
    pub(super) fn held(&self) -> Vec<String> {
        let held = self.known.iter().filter(|relay| matches!(relay.state, State::Reserved { .. }));
        held.map(|relay| relay.at.to_string()).collect()
    }

    /// Every relay with how it stands, in words.
    pub(super) fn standing(&self) -> Vec<(String, &'static str)> {
        self.known.iter().map(|relay| (relay.at.to_string(), relay.state.words())).collect()
    }

    fn add(&mut self, at: PeerAddress, named: bool) {
        if let Some(known) = self.of_peer(&at.peer) {
            if known.at != at && !known.others.contains(&at.address) && known.others.len() < MAX_ADDRESSES {
                known.others.push(at.address);
            }
            return;
        }
        if self.known.len() >= MAX_RELAYS {
            let idle = |relay: &Relay| !relay.named && matches!(relay.state, State::Idle { .. });
            let Some(index) = self.known.iter().position(idle) else { return };
            self.known.remove(index);
        }
        let state = State::Idle { due_ms: 0 };
        let others = Vec::new();
        self.known.push(Relay { at, others, named, ready: !named, state, pause_ms: FIRST_PAUSE_MS });
    }

    fn of_peer(&mut self, peer: &PeerId) -> Option<&mut Relay> {
        self.known.iter_mut().find(|relay| relay.at.peer == *peer)
    }

    fn give_up_on_silent(&mut self, now_ms: u64) -> Vec<Step> {
        let silent = |relay: &&mut Relay| match relay.state {
            State::Dialled { since_ms } | State::Asked { since_ms } | State::Reserving { since_ms, .. } => {
                since_ms + PATIENCE_MS <= now_ms
            }
            State::Idle { .. } | State::Reserved { .. } => false,
        };
        let silent = self.known.iter_mut().filter(silent);
        silent
            .filter_map(|relay| {
                relay.ready = false;
                let due_ms = relay.next_try(now_ms);
                relay.give_up(due_ms)
            })
            .collect()
    }
}

impl Relay {
    fn begin(&mut self, now_ms: u64) -> Step {
        if self.ready {
            self.state = State::Asked { since_ms: now_ms };
            Step::Listen(self.at.clone())
        } else {
            self.state = State::Dialled { since_ms: now_ms };
            let addresses = std::iter::once(&self.at.address).chain(&self.others);
            Step::Dial(self.at.peer, addresses.cloned().collect())
        }
    }

    fn failed(&mut self, now_ms: u64) {
        let due_ms = self.next_try(now_ms);
        self.state = State::Idle { due_ms };
    }

    fn next_try(&mut self, now_ms: u64) -> u64 {
        let due_ms = now_ms.saturating_add(self.pause_ms);
        self.pause_ms = (self.pause_ms * 2).min(LONGEST_PAUSE_MS);
        due_ms
    }

    fn give_up(&mut self, due_ms: u64) -> Option<Step> {
        let before = std::mem::replace(&mut self.state, State::Idle { due_ms });
        match before {
            State::Reserving { listener, .. } | State::Reserved { listener } => {
                Some(Step::Unlisten(listener))
            }
            State::Idle { .. } | State::Dialled { .. } | State::Asked { .. } => None,
        }
    }
}

impl State {
    const fn words(self) -> &'static str {
        match self {
            Self::Idle { .. } => "no reservation; it is tried again later",
            Self::Dialled { .. } => "being dialled",
            Self::Asked { .. } | Self::Reserving { .. } => "asked for a reservation",
            Self::Reserved { .. } => "reservation held",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relay(number: u8) -> PeerAddress {
        let text = format!("/ip4/192.0.2.{number}/tcp/4001/p2p/{}", PeerId::random());
        text.parse().expect("an address")
    }

    fn dial(at: &PeerAddress) -> Step {
        Step::Dial(at.peer, vec![at.address.clone()])
    }

    fn reserve(relays: &mut Relays, at: &PeerAddress, now_ms: u64) -> ListenerId {
        assert_eq!(relays.identified(&at.peer, true, now_ms), Some(Step::Listen(at.clone())));
        let listener = ListenerId::next();
        relays.listening(&at.peer, listener, now_ms);
        assert!(relays.reserved(&at.peer));
        listener
    }

    #[test]
    fn at_most_three_are_held_and_a_lost_one_is_made_again() {
        let named: Vec<PeerAddress> = (1..6).map(relay).collect();
        let mut relays = Relays::named(&named);
        let dialled: Vec<Step> = named[..3].iter().map(dial).collect();
        assert_eq!(relays.due(0), dialled);
        assert_eq!(relays.due(1), []);
        for at in &named[..3] {
            reserve(&mut relays, at, 2);
        }
        assert_eq!((relays.held().len(), relays.due(3)), (3, Vec::new()));
        assert!(!relays.reserved(&named[0].peer), "a renewal is no news");
        relays.lost(&named[0].peer, 10);
        assert_eq!(relays.due(11), [dial(&named[3])], "the next takes its place");
        relays.lost(&named[3].peer, 12);
        assert_eq!(relays.due(13), [dial(&named[4])]);
        relays.lost(&named[4].peer, 14);
        assert_eq!(relays.due(15), []);
        assert_eq!(relays.due(10 + FIRST_PAUSE_MS), [dial(&named[0])]);
    }

    #[test]
    fn a_relay_that_is_silent_or_none_is_left_with_growing_pauses() {
        let at = relay(1);
        let mut relays = Relays::named(std::slice::from_ref(&at));
        let (mut now_ms, mut pause_ms) = (0, FIRST_PAUSE_MS);
        for _ in 0..10 {
            assert_eq!(relays.due(now_ms), [dial(&at)]);
            assert_eq!(relays.due(now_ms + PATIENCE_MS), [], "given up");
            now_ms += PATIENCE_MS + pause_ms;
            assert_eq!(relays.due(now_ms - 1), []);
            pause_ms = (2 * pause_ms).min(LONGEST_PAUSE_MS);
        }
        relays.hurry();
        let other: Multiaddr = "/ip4/192.0.2.1/udp/4001/quic-v1".parse().expect("an address");
        relays.met(PeerAddress { peer: at.peer, address: other.clone() });
        assert_eq!(relays.due(now_ms), [Step::Dial(at.peer, vec![at.address.clone(), other])]);
        assert_eq!(relays.identified(&at.peer, false, now_ms), None, "it does not relay");
        assert_eq!(relays.due(now_ms), []);
    }

    #[test]
    fn after_a_sleep_all_are_given_back_and_asked_again() {
        let at = relay(1);
        let mut relays = Relays::named(std::slice::from_ref(&at));
        relays.due(0);
        let listener = reserve(&mut relays, &at, 0);
        assert_eq!(relays.make_again(), [Step::Unlisten(listener)]);
        assert!(relays.held().is_empty());
        assert!(!relays.listener_closed(listener, 5), "it stands for nothing any more");
        assert_eq!(relays.due(5), [dial(&at)]);
        let listener = reserve(&mut relays, &at, 6);
        assert!(relays.listener_closed(listener, 7));
        assert_eq!(relays.due(7 + FIRST_PAUSE_MS), [Step::Listen(at)], "still connected");
    }

    #[test]
    fn relays_that_were_met_fill_up_and_make_room() {
        let mut relays = Relays::named(&[]);
        for number in 0..=u8::try_from(MAX_RELAYS).expect("few") {
            relays.met(relay(number));
        }
        assert_eq!(relays.known.len(), MAX_RELAYS);
        let steps = relays.due(0);
        assert!(steps.iter().all(|step| matches!(step, Step::Listen(_))) && steps.len() == MAX_RESERVATIONS);
    }
}
