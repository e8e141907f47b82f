//! Letters: blocks that only their recipient can read (protocol P16).
//!
//! HPKE in base mode (RFC 9180) under the recipient's key in Montgomery form. The length of a letter is a power of two,
//! so that it says little about what is in it.

use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_core::transcript::armour::Block;
use chakart_core::transcript::text::TextError;
use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::{Deserializable, HpkeError, Kem, OpModeR, OpModeS, Serializable};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use zeroize::Zeroizing;

/// Shortest letter, in bytes.
pub const MIN_LETTER_BYTES: usize = 1 << 10;
/// Longest letter, in bytes.
pub const MAX_LETTER_BYTES: usize = 1 << 19;
/// Longest text that a letter holds, in bytes.
pub const MAX_LETTER_TEXT_BYTES: usize = MAX_LETTER_BYTES - OVERHEAD_BYTES - LENGTH_BYTES;

const INFO: &[u8] = b"chakart/mailbox/letter/v1";
/// The encapsulated key, and the tag at the end.
const OVERHEAD_BYTES: usize = KEY_BYTES + 16;
const KEY_BYTES: usize = 32;
/// The length of the text, before it.
const LENGTH_BYTES: usize = 4;

/// Why a block is not sealed.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// Over [`MAX_LETTER_TEXT_BYTES`].
    #[error("{0} bytes of text, a letter holds at most {MAX_LETTER_TEXT_BYTES}")]
    TooLong(usize),
    /// The operating system gave no random bytes.
    #[error("no randomness: {0}")]
    NoRandomness(#[from] getrandom::Error),
    /// The encryption failed.
    #[error("the letter cannot be sealed: {0}")]
    Encryption(HpkeError),
}

/// Why a letter has no block in it. It says nothing about anybody: any hands may have made it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenError {
    /// No letter has so many bytes.
    #[error("{0} bytes are no letter")]
    Length(usize),
    /// It is for somebody else, or was changed on its way.
    #[error("it is not for this key, or damaged")]
    NotForThisKey,
    /// The padding is not as it must be.
    #[error("its padding is damaged")]
    Padding,
    /// The text is not UTF-8.
    #[error("it holds no text")]
    NotText,
    /// The text has a bad line.
    #[error("its {0}")]
    Text(#[from] TextError),
}

/// Whether a letter can have so many bytes.
#[must_use]
pub const fn is_letter_length(bytes: usize) -> bool {
    bytes.is_power_of_two() && MIN_LETTER_BYTES <= bytes && bytes <= MAX_LETTER_BYTES
}

/// Seals a block for a player.
///
/// # Errors
/// [`SealError`]
pub fn seal(block: &Block, recipient: &PublicKey) -> Result<Vec<u8>, SealError> {
    let mut seed = Zeroizing::new([0; 32]);
    getrandom::fill(seed.as_mut())?;
    seal_from(&seed, block, recipient)
}

/// The same with randomness that is given: the same seed must never seal two letters.
fn seal_from(seed: &[u8; 32], block: &Block, recipient: &PublicKey) -> Result<Vec<u8>, SealError> {
    let content = padded(&block.lines())?;
    let key = <X25519HkdfSha256 as Kem>::PublicKey::from_bytes(&recipient.agreement())
        .map_err(SealError::Encryption)?;
    let (encapsulated, ciphertext) =
        hpke::single_shot_seal_with_rng::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
            &OpModeS::Base,
            &key,
            INFO,
            &content,
            &[],
            &mut ChaCha20Rng::from_seed(*seed),
        )
        .map_err(SealError::Encryption)?;
    Ok([encapsulated.to_bytes().as_slice(), &ciphertext].concat())
}

/// Opens a letter to this player.
///
/// # Errors
/// [`OpenError`]
pub fn open(letter: &[u8], key: &SecretKey) -> Result<Block, OpenError> {
    if !is_letter_length(letter.len()) {
        return Err(OpenError::Length(letter.len()));
    }
    let not_ours = |_| OpenError::NotForThisKey;
    let (encapsulated, ciphertext) =
        letter.split_at_checked(KEY_BYTES).ok_or(OpenError::Length(letter.len()))?;
    let secret =
        <X25519HkdfSha256 as Kem>::PrivateKey::from_bytes(key.agreement().as_slice()).map_err(not_ours)?;
    let encapsulated = <X25519HkdfSha256 as Kem>::EncappedKey::from_bytes(encapsulated).map_err(not_ours)?;
    let content = hpke::single_shot_open::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
        &OpModeR::Base,
        &secret,
        &encapsulated,
        INFO,
        ciphertext,
        &[],
    )
    .map_err(not_ours)?;
    let text = std::str::from_utf8(unpadded(&content)?).map_err(|_| OpenError::NotText)?;
    Ok(Block::read_lines(text)?)
}

/// The length of a text, the text, and zeros up to the length of a letter.
fn padded(text: &str) -> Result<Vec<u8>, SealError> {
    let length = u32::try_from(text.len()).map_err(|_| SealError::TooLong(text.len()))?;
    if text.len() > MAX_LETTER_TEXT_BYTES {
        return Err(SealError::TooLong(text.len()));
    }
    let sealed = (LENGTH_BYTES + text.len() + OVERHEAD_BYTES).next_power_of_two().max(MIN_LETTER_BYTES);
    let mut content = [&length.to_le_bytes(), text.as_bytes()].concat();
    content.resize(sealed - OVERHEAD_BYTES, 0);
    Ok(content)
}

fn unpadded(content: &[u8]) -> Result<&[u8], OpenError> {
    let (length, rest) = content.split_first_chunk().ok_or(OpenError::Padding)?;
    let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| OpenError::Padding)?;
    let (text, zeros) = rest.split_at_checked(length).ok_or(OpenError::Padding)?;
    if zeros.iter().all(|byte| *byte == 0) { Ok(text) } else { Err(OpenError::Padding) }
}

#[cfg(test)]
mod tests {
    use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
    use chakart_core::protocol::note::SignedNote;
    use chakart_core::protocol::receipt::LetterId;
    use serde_json::json;

    use super::*;
    use crate::store::{MAX_LETTER_BLOCK_BYTES, MAX_UNDELIVERED_NOTES};

    fn key(seed: u8) -> SecretKey {
        SecretKey::from_seed(&[seed; 32])
    }

    fn block(entries: usize) -> Block {
        Block {
            entries: vec![SignedEntry { bytes: vec![7; 100], signature: [1; 64] }; entries],
            statements: vec![SignedStatement { bytes: vec![9; 40], signature: [2; 64] }],
            notes: vec![SignedNote { bytes: vec![8; 556], signature: [3; 64] }],
            unknown_lines: 0,
        }
    }

    #[test]
    fn only_the_recipient_opens_a_letter() {
        let letter = seal(&block(3), &key(1).public()).expect("short");
        assert_eq!(open(&letter, &key(1)), Ok(block(3)));
        assert_eq!(open(&letter, &key(2)), Err(OpenError::NotForThisKey));
        let again = seal(&block(3), &key(1).public()).expect("short");
        assert_ne!(letter, again, "each letter is sealed with fresh randomness");
    }

    #[test]
    fn lengths_are_powers_of_two_up_to_the_longest() {
        for (entries, bytes) in [(0, 2_048), (1, 2_048), (20, 8_192), (2_000, MAX_LETTER_BYTES)] {
            let letter = seal(&block(entries), &key(1).public()).expect("short enough");
            assert_eq!(letter.len(), bytes, "{entries} entries");
            assert_eq!(open(&letter, &key(1)), Ok(block(entries)));
        }
        let least = seal(&Block::default(), &key(1).public()).expect("short");
        assert_eq!(least.len(), MIN_LETTER_BYTES);
        let over = seal(&block(2_400), &key(1).public());
        assert!(matches!(over, Err(SealError::TooLong(_))), "{over:?}");
    }

    #[test]
    fn a_changed_letter_does_not_open() {
        let letter = seal(&block(1), &key(1).public()).expect("short");
        for at in [0, 31, 32, 1_000, letter.len() - 1] {
            let mut changed = letter.clone();
            changed[at] ^= 1;
            assert_eq!(open(&changed, &key(1)), Err(OpenError::NotForThisKey), "byte {at}");
        }
        for length in [0, 1, 48, 1_023, 1_025, 3_072, 2 * MAX_LETTER_BYTES] {
            assert_eq!(open(&vec![0; length], &key(1)), Err(OpenError::Length(length)));
        }
        // Points of small order agree with nobody.
        assert_eq!(open(&[0; 1_024], &key(1)), Err(OpenError::NotForThisKey));
    }

    #[test]
    fn padding_is_checked() {
        let content = padded("later kind\n").expect("short");
        assert_eq!(unpadded(&content), Ok("later kind\n".as_bytes()));
        let mut marked = content.clone();
        marked[900] = 1;
        assert_eq!(unpadded(&marked), Err(OpenError::Padding));
        let mut long = content;
        long[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(unpadded(&long), Err(OpenError::Padding));
        assert_eq!(unpadded(&[1, 0]), Err(OpenError::Padding));
    }

    #[test]
    fn the_longest_block_of_a_game_fits() {
        let entry = SignedEntry { bytes: vec![7; 52], signature: [1; 64] };
        let note = SignedNote { bytes: vec![8; 600], signature: [3; 64] };
        let statement = SignedStatement { bytes: vec![9; 128], signature: [2; 64] };
        let longest = Block {
            entries: vec![entry; MAX_LETTER_BLOCK_BYTES / (52 + 64)],
            statements: vec![statement; 3],
            notes: vec![note; MAX_UNDELIVERED_NOTES],
            unknown_lines: 0,
        };
        assert!(seal(&longest, &key(1).public()).is_ok());
    }

    /// The data file of P16.8. With `CHAKART_BLESS=1` it is written.
    #[test]
    fn letters_as_in_the_data_file() {
        let blocks = [Block::default(), block(1), Block { notes: Vec::new(), ..block(4) }];
        let cases: Vec<_> = (10..)
            .zip(blocks)
            .map(|(seed, block)| {
                let letter = seal_from(&[seed; 32], &block, &key(1).public()).expect("short");
                assert_eq!(open(&letter, &key(1)), Ok(block.clone()));
                json!({"recipient_seed": hex(key(1).seed().as_slice()), "randomness": hex(&[seed; 32]),
                       "text": block.lines(), "letter": hex(&letter), "id": LetterId::of(&letter).to_string()})
            })
            .collect();
        let format = "P16. recipient_seed (the Ed25519 seed), letter and id in hexadecimal; opened, the letter has text. \
                      randomness: the seed of the ChaCha20 stream whose first 32 bytes are the ikm of the ephemeral key";
        let value = json!({"format": format, "cases": cases});
        let text = format!("{}\n", serde_json::to_string_pretty(&value).expect("plain values"));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/vectors/letters.json");
        if std::env::var_os("CHAKART_BLESS").is_some() {
            std::fs::write(path, &text).expect("a writable vectors folder");
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), text);
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
