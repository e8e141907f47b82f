//! How many requests a peer may make: a burst, and then so many a second.

use crate::sync::limits::{
    PLAYER_BURST, PLAYER_REQUESTS_PER_SECOND, STRANGER_BURST, STRANGER_REQUESTS_PER_SECOND,
};

/// A bucket of requests, counted in thousandths.
#[derive(Debug)]
pub(super) struct Allowance {
    millis_used: u64,
    at_ms: u64,
}

impl Allowance {
    pub(super) const fn new(now_ms: u64) -> Self {
        Self { millis_used: 0, at_ms: now_ms }
    }

    /// Takes one request out; whether there was one. `player`: whether the peer has a common game.
    pub(super) fn take(&mut self, player: bool, now_ms: u64) -> bool {
        let (burst, per_second) = match player {
            true => (PLAYER_BURST, PLAYER_REQUESTS_PER_SECOND),
            false => (STRANGER_BURST, STRANGER_REQUESTS_PER_SECOND),
        };
        let refilled = now_ms.saturating_sub(self.at_ms).saturating_mul(per_second);
        self.at_ms = self.at_ms.max(now_ms);
        self.millis_used = self.millis_used.saturating_sub(refilled);
        if self.millis_used + 1_000 > burst * 1_000 {
            return false;
        }
        self.millis_used += 1_000;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_the_rate() {
        let mut allowance = Allowance::new(0);
        let served = (0..1_000).filter(|_| allowance.take(false, 0)).count();
        assert_eq!(served as u64, STRANGER_BURST);
        let served = (0..1_000).filter(|_| allowance.take(false, 3_000)).count();
        assert_eq!(served as u64, 3 * STRANGER_REQUESTS_PER_SECOND);
        assert!(!allowance.take(false, 1_000), "a clock that goes back gives nothing");
    }
}
