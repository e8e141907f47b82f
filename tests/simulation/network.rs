//! Links between nodes: weeks without one, and messages that are lost, late, doubled or overtaken.

use crate::clock::{DAY, HOUR, MINUTE, SECOND, WEEK};
use crate::random::Random;

/// After so long without a response a request is given up.
pub(crate) const TIMEOUT_MS: u64 = 20 * SECOND;

/// How bad a network is.
#[derive(Clone, Debug)]
pub(crate) struct Weather {
    /// Messages of a thousand that get lost.
    lost: u64,
    /// Requests of a thousand that arrive twice.
    doubled: u64,
    /// Longest way of most messages.
    delay_ms: u64,
    /// Whether links break.
    breaks: bool,
}

/// What becomes of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Passage {
    /// After how long each copy arrives; none: it is lost.
    pub(crate) arrivals: Vec<u64>,
}

impl Weather {
    pub(crate) const FINE: Self = Self { lost: 0, doubled: 0, delay_ms: 200, breaks: false };

    pub(crate) fn any(random: &mut Random) -> Self {
        match random.below(4) {
            0 => Self { breaks: true, ..Self::FINE },
            1 => Self { lost: 20, doubled: 20, delay_ms: 2 * SECOND, breaks: random.per_mille(500) },
            2 => Self { lost: 150, doubled: 100, delay_ms: 15 * SECOND, breaks: true },
            _ => Self { lost: 300, doubled: 300, delay_ms: 30 * SECOND, breaks: true },
        }
    }

    /// The fate of a message. Delays are drawn one by one, so that later messages overtake earlier ones.
    pub(crate) fn carry(&self, doubles: bool, random: &mut Random) -> Passage {
        if random.per_mille(self.lost) {
            return Passage { arrivals: Vec::new() };
        }
        let copies = if doubles && random.per_mille(self.doubled) { 2 } else { 1 };
        let arrivals = (0..copies).map(|copy| copy * self.echo_ms(random) + random.between(1, self.delay_ms));
        Passage { arrivals: arrivals.collect() }
    }

    /// How long a link that is up now stays up; `None`: for ever.
    pub(crate) fn until_break(&self, random: &mut Random) -> Option<u64> {
        self.breaks.then(|| match random.below(4) {
            0 => random.between(SECOND, MINUTE),
            1 => random.between(MINUTE, HOUR),
            _ => random.between(HOUR, 2 * DAY),
        })
    }

    /// How long a link that has broken stays so.
    pub(crate) fn until_mended(random: &mut Random) -> u64 {
        match random.below(10) {
            0..=5 => random.between(SECOND, HOUR),
            6..=7 => random.between(HOUR, 3 * DAY),
            _ => random.between(WEEK, 6 * WEEK),
        }
    }

    /// The second copy may come much later.
    fn echo_ms(&self, random: &mut Random) -> u64 {
        if random.per_mille(100) { random.between(HOUR, DAY) } else { random.below(self.delay_ms) }
    }
}
