//! What a player says to have taken out of a mailbox, so that it may be deleted there (protocol P16).

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::codec::{DecodeError, decode, encode};
use super::entry::MAX_AT_MS;
use super::keys::{BadSignature, Domain, PublicKey, SIGNATURE_BYTES, SecretKey};

/// Longest encoded receipt, in bytes.
pub const MAX_RECEIPT_BYTES: u64 = 32 + 8 + 8 + 32 * MAX_RECEIPT_LETTERS as u64;
/// Letters that one receipt names, at most.
pub const MAX_RECEIPT_LETTERS: usize = 64;

/// The name of a sealed letter: the SHA-256 of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LetterId(pub [u8; 32]);

/// 'I have taken these letters out of this mailbox.'
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Receipt {
    /// The key of the mailbox.
    pub mailbox: PublicKey,
    /// When it was written, in milliseconds of Unix time, at most [`MAX_AT_MS`].
    pub at_ms: u64,
    /// The letters.
    pub letters: LetterIds,
}

/// 1 to [`MAX_RECEIPT_LETTERS`] letters, each once, in ascending order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "Vec<LetterId>", try_from = "Vec<LetterId>")]
pub struct LetterIds(Vec<LetterId>);

/// Letters that cannot be named together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadLetterIds {
    /// There is none.
    #[error("no letter is named")]
    Empty,
    /// Over [`MAX_RECEIPT_LETTERS`].
    #[error("a receipt names at most {MAX_RECEIPT_LETTERS} letters, this {0}")]
    TooMany(usize),
    /// One is named twice, or after a greater one.
    #[error("the letters are not in ascending order")]
    NotAscending,
}

/// A receipt as it travels, not checked yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedReceipt {
    /// The encoded receipt, at most [`MAX_RECEIPT_BYTES`].
    pub bytes: Vec<u8>,
    /// Over the receipt domain and the bytes.
    pub signature: [u8; SIGNATURE_BYTES],
}

impl LetterId {
    /// The name of a sealed letter.
    #[must_use]
    pub fn of(sealed: &[u8]) -> Self {
        Self(Sha256::digest(sealed).into())
    }
}

/// As 64 lower-case hexadecimal digits.
impl fmt::Display for LetterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for LetterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl LetterIds {
    /// Sorts letters; one that is given twice counts once.
    ///
    /// # Errors
    /// [`BadLetterIds::Empty`] and [`BadLetterIds::TooMany`]
    pub fn new(mut letters: Vec<LetterId>) -> Result<Self, BadLetterIds> {
        letters.sort_unstable();
        letters.dedup();
        Self::try_from(letters)
    }

    /// In ascending order.
    #[must_use]
    pub fn as_slice(&self) -> &[LetterId] {
        &self.0
    }
}

impl From<LetterIds> for Vec<LetterId> {
    fn from(letters: LetterIds) -> Self {
        letters.0
    }
}

impl TryFrom<Vec<LetterId>> for LetterIds {
    type Error = BadLetterIds;

    fn try_from(letters: Vec<LetterId>) -> Result<Self, BadLetterIds> {
        match letters.len() {
            0 => Err(BadLetterIds::Empty),
            1..=MAX_RECEIPT_LETTERS if letters.is_sorted_by(|a, b| a < b) => Ok(Self(letters)),
            1..=MAX_RECEIPT_LETTERS => Err(BadLetterIds::NotAscending),
            got => Err(BadLetterIds::TooMany(got)),
        }
    }
}

impl SignedReceipt {
    /// Encodes and signs a receipt.
    #[must_use]
    pub fn sign(receipt: &Receipt, key: &SecretKey) -> Self {
        let bytes = encode(receipt, MAX_RECEIPT_BYTES);
        let signature = key.sign(Domain::Receipt, &bytes);
        Self { bytes, signature }
    }

    /// Reads the bytes; the signature is not looked at.
    ///
    /// # Errors
    /// [`DecodeError`]
    pub fn decode(&self) -> Result<Receipt, DecodeError> {
        let receipt: Receipt = decode(&self.bytes, MAX_RECEIPT_BYTES)?;
        if receipt.at_ms > MAX_AT_MS { Err(DecodeError::StampOutOfRange(receipt.at_ms)) } else { Ok(receipt) }
    }

    /// Strict check of the signature.
    ///
    /// # Errors
    /// [`BadSignature`]
    pub fn verify(&self, key: &PublicKey) -> Result<(), BadSignature> {
        key.verify(Domain::Receipt, &self.bytes, &self.signature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(seed: u8) -> SecretKey {
        SecretKey::from_seed(&[seed; 32])
    }

    fn receipt(letters: Vec<LetterId>) -> Receipt {
        let letters = LetterIds::new(letters).expect("letters for the test");
        Receipt { mailbox: key(9).public(), at_ms: 1_000, letters }
    }

    fn letters(count: u8) -> Vec<LetterId> {
        (0..count).rev().map(|i| LetterId::of(&[i])).collect()
    }

    #[test]
    fn reads_back_and_holds_only_under_its_key_and_domain() {
        let longest = receipt(letters(64));
        let signed = SignedReceipt::sign(&longest, &key(1));
        assert_eq!(signed.bytes.len() as u64, MAX_RECEIPT_BYTES);
        assert_eq!(signed.decode(), Ok(longest));
        assert_eq!(signed.verify(&key(1).public()), Ok(()));
        assert_eq!(signed.verify(&key(2).public()), Err(BadSignature));
        let as_note = key(1).public().verify(Domain::Note, &signed.bytes, &signed.signature);
        assert_eq!(as_note, Err(BadSignature));
    }

    #[test]
    fn letters_are_named_once_and_in_order() {
        assert_eq!(LetterIds::new(Vec::new()), Err(BadLetterIds::Empty));
        assert_eq!(LetterIds::new(letters(65)), Err(BadLetterIds::TooMany(65)));
        let twice = [letters(3), letters(3)].concat();
        assert_eq!(LetterIds::new(twice), LetterIds::new(letters(3)));
        let sorted: Vec<LetterId> = receipt(letters(2)).letters.into();
        let reversed: Vec<LetterId> = sorted.iter().rev().copied().collect();
        assert_eq!(LetterIds::try_from(reversed), Err(BadLetterIds::NotAscending));
        assert_eq!(LetterIds::try_from(vec![sorted[0]; 2]), Err(BadLetterIds::NotAscending));
    }

    #[test]
    fn bytes_out_of_order_or_over_a_limit_do_not_decode() {
        let mut signed = SignedReceipt::sign(&receipt(letters(2)), &key(1));
        let (first, second) = signed.bytes[48..].split_at_mut(32);
        first.swap_with_slice(second);
        assert!(matches!(signed.decode(), Err(DecodeError::Malformed(_))));
        signed.bytes.resize(4_000, 0);
        assert!(matches!(signed.decode(), Err(DecodeError::TooLong { got: 4_000, .. })));
        let late = Receipt { at_ms: MAX_AT_MS + 1, ..receipt(letters(1)) };
        let signed = SignedReceipt::sign(&late, &key(1));
        assert_eq!(signed.decode(), Err(DecodeError::StampOutOfRange(MAX_AT_MS + 1)));
    }
}
