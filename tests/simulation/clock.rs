//! What a player's machine says that the time is.

use crate::random::Random;

pub(crate) const SECOND: u64 = 1_000;
pub(crate) const MINUTE: u64 = 60 * SECOND;
pub(crate) const HOUR: u64 = 60 * MINUTE;
pub(crate) const DAY: u64 = 24 * HOUR;
pub(crate) const WEEK: u64 = 7 * DAY;

/// When every simulation begins, in milliseconds of Unix time.
pub(crate) const START_MS: u64 = 1_790_000_000_000;

/// A machine's clock, and how its player treats the truth.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// Ahead if positive.
    skew_ms: i64,
    /// How often, in a thousand, a decision is stamped earlier than it is made.
    backdates: u64,
}

impl Clock {
    /// Shows the true time and is believed.
    pub(crate) const RIGHT: Self = Self { skew_ms: 0, backdates: 0 };

    /// Mostly right, sometimes wrong by hours, rarely by days.
    pub(crate) fn any(random: &mut Random) -> Self {
        let most = match random.below(10) {
            0..=6 => 20 * SECOND,
            7..=8 => 4 * HOUR,
            _ => 20 * DAY,
        };
        let backdates = if random.per_mille(150) { 300 } else { 0 };
        Self { skew_ms: skew(random, most), backdates }
    }

    /// The time that the machine shows at a true time.
    pub(crate) const fn read(&self, true_ms: u64) -> u64 {
        true_ms.saturating_add_signed(self.skew_ms)
    }

    /// The time that a decision is stamped with.
    pub(crate) fn stamp(&self, true_ms: u64, random: &mut Random) -> u64 {
        let now_ms = self.read(true_ms);
        if random.per_mille(self.backdates) { now_ms - random.below(6 * DAY) } else { now_ms }
    }

    /// Somebody sets the clock: it is nearly right afterwards, be it by a leap back.
    pub(crate) fn set(&mut self, random: &mut Random) {
        self.skew_ms = skew(random, MINUTE);
    }
}

fn skew(random: &mut Random, most_ms: u64) -> i64 {
    let size = i64::try_from(random.below(most_ms)).expect("days in milliseconds");
    if random.per_mille(500) { size } else { -size }
}
