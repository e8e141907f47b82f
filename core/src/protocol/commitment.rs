//! Commitments and the seed of chance (protocol §4 and §5): SHA-256 over a label and the parts in order.

use sha2::{Digest, Sha256};

use super::entry::EntryId;
use super::keys::PublicKey;
use crate::board::Square;
use crate::chance::SeededChance;

const CHANCE_COMMITMENT_LABEL: &[u8] = b"chakart/commit/chance/v1\0";
const STEALTH_COMMITMENT_LABEL: &[u8] = b"chakart/commit/stealth/v1\0";
const SEED_LABEL: &[u8] = b"chakart/chance/v1\0";

/// The commitment to a chance nonce, carried by an entry of `author` whose link is `prev`.
#[must_use]
pub fn chance_commitment(prev: EntryId, author: &PublicKey, nonce: &[u8; 32]) -> [u8; 32] {
    hash(&[CHANCE_COMMITMENT_LABEL, &prev.0, author.as_bytes(), nonce])
}

/// The commitment to a stealth move from `from` to `to`, carried by an act of `author` whose link is `prev`.
#[must_use]
pub fn stealth_commitment(
    prev: EntryId,
    author: &PublicKey,
    from: Square,
    to: Square,
    salt: &[u8; 32],
) -> [u8; 32] {
    let squares = [u8::from(from), u8::from(to)];
    hash(&[STEALTH_COMMITMENT_LABEL, &prev.0, author.as_bytes(), &squares, salt])
}

/// The seed of the chance of an act (or, for the set-up, of an accept) whose id is `act`.
#[must_use]
pub fn seed(act: EntryId, nonce: &[u8; 32]) -> [u8; 32] {
    hash(&[SEED_LABEL, &act.0, nonce])
}

/// The stream of that seed.
#[must_use]
pub fn chance(act: EntryId, nonce: &[u8; 32]) -> SeededChance {
    SeededChance::new(seed(act, nonce))
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    parts.iter().fold(Sha256::new(), |hasher, part| hasher.chain_update(part)).finalize().into()
}
