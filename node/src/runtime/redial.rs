//! When opponents are dialled again: at once, and then after pauses that double.

use std::collections::{HashMap, HashSet};

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

    /// Who is to be dialled whenever it is away; newcomers at once.
    pub(super) fn want(&mut self, wanted: &HashSet<PeerId>) {
        self.peers.retain(|peer, _| wanted.contains(peer));
        for &peer in wanted {
            self.peers.entry(peer).or_insert(Attempt::AT_ONCE);
        }
    }

    /// Those wanted who are away and whose time has come, the longest due first; each is then not due before its next pause
    /// is over.
    pub(super) fn due(&mut self, is_away: impl Fn(&PeerId) -> bool, now_ms: u64) -> Vec<PeerId> {
        if !self.enabled {
            return Vec::new();
        }
        let due = self.peers.iter_mut().filter(|(peer, attempt)| attempt.due_ms <= now_ms && is_away(peer));
        let mut due: Vec<_> = due.collect();
        due.sort_unstable_by_key(|(peer, attempt)| (attempt.due_ms, **peer));
        due.truncate(MAX_DIALS_AT_A_TIME);
        for (_, attempt) in &mut due {
            attempt.due_ms = now_ms.saturating_add(attempt.pause_ms);
            attempt.pause_ms = (attempt.pause_ms * 2).min(LONGEST_PAUSE_MS);
        }
        due.into_iter().map(|(peer, _)| *peer).collect()
    }

    /// Begins again with short pauses for everybody.
    pub(super) fn reset_all(&mut self) {
        self.peers.values_mut().for_each(|attempt| *attempt = Attempt::AT_ONCE);
    }

    /// Begins again with short pauses for a peer that was reached or is asked for.
    pub(super) fn reset(&mut self, peer: &PeerId) {
        if let Some(attempt) = self.peers.get_mut(peer) {
            *attempt = Attempt::AT_ONCE;
        }
    }
}

impl Attempt {
    const AT_ONCE: Self = Self { due_ms: 0, pause_ms: FIRST_PAUSE_MS };
}

#[cfg(test)]
mod tests {
    use super::*;

    const AWAY: fn(&PeerId) -> bool = |_| true;

    fn redial(peers: usize) -> (Redial, HashSet<PeerId>) {
        let (mut redial, wanted) = (Redial::new(true), (0..peers).map(|_| PeerId::random()).collect());
        redial.want(&wanted);
        (redial, wanted)
    }

    #[test]
    fn pauses_double_up_to_the_longest() {
        let (mut redial, wanted) = redial(1);
        let peer = wanted.into_iter().next().expect("one");
        let mut now_ms = 0;
        let mut pause_ms = FIRST_PAUSE_MS;
        for _ in 0..12 {
            assert_eq!(redial.due(AWAY, now_ms), [peer]);
            assert!(redial.due(AWAY, now_ms + pause_ms - 1).is_empty());
            now_ms += pause_ms;
            pause_ms = (2 * pause_ms).min(LONGEST_PAUSE_MS);
        }
        redial.reset(&peer);
        assert_eq!(redial.due(AWAY, 0), [peer]);
        redial.enabled = false;
        redial.reset(&peer);
        assert!(redial.due(AWAY, 0).is_empty());
    }

    #[test]
    fn everybody_is_dialled_once_before_anybody_twice() {
        let (mut redial, wanted) = redial(10 * MAX_DIALS_AT_A_TIME);
        let mut dialled = HashSet::new();
        for second in 0..10 {
            let due = redial.due(AWAY, second * 1_000);
            assert_eq!(due.len(), MAX_DIALS_AT_A_TIME);
            dialled.extend(due);
        }
        assert_eq!(dialled, wanted);
    }

    #[test]
    fn only_those_who_are_wanted_and_away_are_dialled() {
        let (mut redial, wanted) = redial(3);
        let here = *wanted.iter().next().expect("three");
        let due = redial.due(|peer| *peer != here, 0);
        assert!(due.len() == 2 && !due.contains(&here), "{due:?}");
        assert_eq!(redial.due(AWAY, 0), [here], "at once when it goes");
        redial.want(&HashSet::from([here]));
        redial.reset_all();
        assert_eq!(redial.due(AWAY, 0), [here]);
    }
}
