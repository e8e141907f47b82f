//! From a seed to uniform choices (protocol section 4). Own lines, because a transcript must verify for ever.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Whoever decides random choices.
pub trait Chance {
    /// An index below `candidates`, which is at least 2. `None`: this source declines, and the action stops.
    fn choose(&mut self, candidates: u32) -> Option<u32>;
}

/// The stream of one seed: ChaCha20 with zero nonce and counter, read as little-endian 32-bit words.
#[derive(Clone, Debug)]
pub struct SeededChance {
    stream: ChaCha20Rng,
}

/// A source that declines every choice: with it, an action runs up to its first choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoChance;

impl SeededChance {
    /// The stream of `seed`, at its beginning.
    #[must_use]
    pub fn new(seed: [u8; 32]) -> Self {
        Self { stream: ChaCha20Rng::from_seed(seed) }
    }

    /// A uniform number below `n`, for `n ≥ 1`: words at or over the largest multiple of `n` in 2^32 are skipped, so
    /// that every result is equally likely.
    pub fn uniform(&mut self, n: u32) -> u32 {
        let n = u64::from(n.max(1));
        let limit = (1u64 << 32) / n * n;
        loop {
            let word = u64::from(self.stream.next_u32());
            if word < limit {
                #[expect(clippy::cast_possible_truncation, reason = "below n, which is a u32")]
                return (word % n) as u32;
            }
        }
    }
}

impl Chance for SeededChance {
    fn choose(&mut self, candidates: u32) -> Option<u32> {
        Some(self.uniform(candidates))
    }
}

impl Chance for NoChance {
    fn choose(&mut self, _candidates: u32) -> Option<u32> {
        None
    }
}
