//! When opponents are dialled again: at once, and then after pauses that double.

use std::collections::HashMap;

use libp2p::PeerId;

/// The first pause, in milliseconds.
pub(super) const FIRST_PAUSE_MS: u64 = 2_000;
/// The longest pause, in milliseconds.
pub(super) const LONGEST_PAUSE_MS: u64 = 900_000;
/// Peers that are dialled at one time.
const MAX_DIALS_AT_A_TIME: usize = 16;

#[derive(Debug)]
pub(super) struct Redial {
    enabled: bool,
    peers: HashMap<PeerId, Attempt>,
}

#[derive(Clone, Copy, Debug)]
struct Attempt {
    due_ms: u64,
    pause_ms: u64,
}

impl Redial {
    pub(super) fn new(enabled: bool) -> Self {
        Self { enabled, peers: HashMap::new() }
    }

    /// Those of the wanted peers whose time has come; each is then not due before its next pause is over.
    pub(super) fn due(&mut self, wanted: &[PeerId], now_ms: u64) -> Vec<PeerId> {
        if !self.enabled {
            return Vec::new();
        }
        self.peers.retain(|peer, _| wanted.contains(peer));
        let mut due = Vec::new();
        for &peer in wanted {
            let attempt =
                self.peers.entry(peer).or_insert(Attempt { due_ms: now_ms, pause_ms: FIRST_PAUSE_MS });
            if attempt.due_ms <= now_ms && due.len() < MAX_DIALS_AT_A_TIME {
                attempt.due_ms = now_ms.saturating_add(attempt.pause_ms);
                attempt.pause_ms = (attempt.pause_ms * 2).min(LONGEST_PAUSE_MS);
                due.push(peer);
            }
        }
        due
    }

    /// Begins again with short pauses for everybody.
    pub(super) fn reset_all(&mut self) {
        self.peers.clear();
    }

    /// Begins again with short pauses for a peer that was reached or is asked for.
    pub(super) fn reset(&mut self, peer: &PeerId) {
        self.peers.remove(peer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let mut redial = Redial::new(true);
        let peer = PeerId::random();
        let mut now_ms = 0;
        let mut pause_ms = FIRST_PAUSE_MS;
        for _ in 0..12 {
            assert_eq!(redial.due(&[peer], now_ms), [peer]);
            assert!(redial.due(&[peer], now_ms + pause_ms - 1).is_empty());
            now_ms += pause_ms;
            pause_ms = (2 * pause_ms).min(LONGEST_PAUSE_MS);
        }
        redial.reset(&peer);
        assert_eq!(redial.due(&[peer], 0), [peer]);
        assert!(Redial::new(false).due(&[peer], 0).is_empty());
    }
}
