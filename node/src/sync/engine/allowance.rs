//! How much a peer may ask for: a burst, and then so much a second.

use crate::sync::limits::{PLAYER_BURST, PLAYER_COST_PER_SECOND, STRANGER_BURST, STRANGER_COST_PER_SECOND};

/// A bucket of work, counted in thousandths.
#[derive(Debug)]
pub(crate) struct Allowance {
    millis_used: u64,
    at_ms: u64,
}

impl Allowance {
    pub(crate) const fn new(now_ms: u64) -> Self {
        Self { millis_used: 0, at_ms: now_ms }
    }

    /// Takes the cost of a request out; whether so much was left. `player`: whether the peer has a common game.
    pub(crate) fn take(&mut self, cost: u64, player: bool, now_ms: u64) -> bool {
        let (burst, per_second) = match player {
            true => (PLAYER_BURST, PLAYER_COST_PER_SECOND),
            false => (STRANGER_BURST, STRANGER_COST_PER_SECOND),
        };
        let refilled = now_ms.saturating_sub(self.at_ms).saturating_mul(per_second);
        self.at_ms = self.at_ms.max(now_ms);
        self.millis_used = self.millis_used.saturating_sub(refilled);
        let used = self.millis_used.saturating_add(cost.saturating_mul(1_000));
        if used > burst * 1_000 {
            return false;
        }
        self.millis_used = used;
        true
    }

    /// Whether nothing of what it has used counts any more.
    pub(crate) const fn is_rested(&self, player: bool, now_ms: u64) -> bool {
        let per_second = if player { PLAYER_COST_PER_SECOND } else { STRANGER_COST_PER_SECOND };
        now_ms.saturating_sub(self.at_ms).saturating_mul(per_second) >= self.millis_used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_the_rate() {
        let mut allowance = Allowance::new(0);
        let served = (0..1_000).filter(|_| allowance.take(1, false, 0)).count();
        assert_eq!(served as u64, STRANGER_BURST);
        let served = (0..1_000).filter(|_| allowance.take(1, false, 3_000)).count();
        assert_eq!(served as u64, 3 * STRANGER_COST_PER_SECOND);
        assert!(!allowance.is_rested(false, 3_001) && allowance.is_rested(false, 3_000_000));
        assert!(!allowance.take(1, false, 1_000), "a clock that goes back gives nothing");
    }
}
