//! Charges and lateness by stamps (protocol §7). Stamps are each player's word, and no result follows from them.

use super::entry::{Party, TimeControl};

/// The clocks of both players after some entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    banks_ms: [u64; 2],
}

impl Clocks {
    /// The clocks at the beginning of a game.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        let bank_ms = match control {
            TimeControl::Bank { bank_ms, .. } => bank_ms,
            TimeControl::None | TimeControl::PerMove { .. } => 0,
        };
        Self { control, banks_ms: [bank_ms; 2] }
    }

    /// The time control of the game.
    #[must_use]
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// The longest charge, in milliseconds, with which `party`'s next entry is in time; `None` without a time control.
    #[must_use]
    pub const fn allowance_ms(&self, party: Party) -> Option<u64> {
        match self.control {
            TimeControl::None => None,
            TimeControl::PerMove { move_ms } => Some(move_ms),
            TimeControl::Bank { .. } => Some(self.banks_ms[party.index()]),
        }
    }

    /// Whether an entry of `party` that is charged `charge_ms` would be late.
    #[must_use]
    pub fn would_be_late(&self, party: Party, charge_ms: u64) -> bool {
        self.allowance_ms(party).is_some_and(|allowance| charge_ms > allowance)
    }

    /// The clocks after an entry of `party` that is charged `charge_ms`; an act earns the increment.
    #[must_use]
    pub const fn charged(mut self, party: Party, charge_ms: u64, is_act: bool) -> Self {
        if let TimeControl::Bank { increment_ms, .. } = self.control {
            let bank = &mut self.banks_ms[party.index()];
            *bank = bank.saturating_sub(charge_ms);
            if is_act {
                *bank = bank.saturating_add(increment_ms);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_is_spent_to_zero_and_earns_by_acts_only() {
        let clocks = Clocks::new(TimeControl::Bank { bank_ms: 100, increment_ms: 10 });
        assert!(!clocks.would_be_late(Party::Host, 100));
        assert!(clocks.would_be_late(Party::Host, 101));
        let clocks = clocks.charged(Party::Host, 60, true);
        assert_eq!(clocks.allowance_ms(Party::Host), Some(50));
        assert_eq!(clocks.charged(Party::Host, 60, false).allowance_ms(Party::Host), Some(0));
        assert_eq!(clocks.charged(Party::Host, 60, true).allowance_ms(Party::Host), Some(10));
        assert_eq!(clocks.allowance_ms(Party::Guest), Some(100));
    }

    #[test]
    fn time_per_move_is_not_saved_up() {
        let clocks = Clocks::new(TimeControl::PerMove { move_ms: 5 }).charged(Party::Guest, 1, true);
        assert_eq!(clocks.allowance_ms(Party::Guest), Some(5));
        assert!(!Clocks::new(TimeControl::None).would_be_late(Party::Guest, u64::MAX));
    }
}
