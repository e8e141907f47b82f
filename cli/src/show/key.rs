//! Keys as people give them and compare them.

use std::fmt::Write as _;

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};
use sha2::{Digest, Sha256};

/// Number of words of a fingerprint; each stands for eleven bits.
const FINGERPRINT_WORDS: usize = 6;
const BITS_PER_WORD: usize = 11;

/// Reads a key of 64 hexadecimal digits.
///
/// # Errors
/// What is wrong with it, in words.
pub fn parse(text: &str) -> Result<PublicKey, String> {
    let digits: Vec<u8> = text
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()
        .ok_or("a key is 64 hexadecimal digits")?;
    let bytes: Vec<u8> =
        digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect();
    let bytes: [u8; KEY_BYTES] = bytes
        .try_into()
        .ok()
        .filter(|_| digits.len() == 2 * KEY_BYTES)
        .ok_or("a key is 64 hexadecimal digits")?;
    PublicKey::from_bytes(&bytes).map_err(|error| error.to_string())
}

/// Six words to compare a key by telephone: the first 66 bits of its SHA-256, eleven for each word of the English list
/// of BIP 39.
#[must_use]
pub fn fingerprint(key: &PublicKey) -> String {
    let hash = Sha256::digest(key.as_bytes());
    let list = bip39::Language::English.word_list();
    let mut words = String::new();
    for word in 0..FINGERPRINT_WORDS {
        let index = bits(&hash, word * BITS_PER_WORD);
        let _ = write!(words, "{}{}", if word == 0 { "" } else { " " }, list.get(index).unwrap_or(&""));
    }
    words
}

/// Eleven bits from `start` on, the highest first.
fn bits(bytes: &[u8], start: usize) -> usize {
    (start..start + BITS_PER_WORD).fold(0, |number, at| {
        let byte = bytes.get(at / 8).copied().unwrap_or_default();
        number << 1 | usize::from(byte >> (7 - at % 8) & 1)
    })
}

#[cfg(test)]
mod tests {
    use chakart_core::protocol::keys::SecretKey;

    use super::*;

    #[test]
    fn keys_read_back_and_others_are_refused() {
        let key = SecretKey::from_seed(&[7; 32]).public();
        assert_eq!(parse(&key.to_string()), Ok(key));
        assert_eq!(parse(&key.to_string().to_uppercase()), Ok(key));
        for wrong in ["", "xyz", &"0".repeat(63), &"0".repeat(64), &"é".repeat(32), &"00".repeat(33)] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn fingerprints_are_frozen() {
        // The words of another program for the same key must be these.
        let key = SecretKey::from_seed(&[7; 32]).public();
        insta::assert_snapshot!(fingerprint(&key));
        assert_eq!(bits(&[0b1000_0000, 0b0010_0000], 0), 0b100_0000_0001);
        assert_eq!(bits(&[0, 0b0001_1111, 0xff], 11), 0b111_1111_1111);
    }
}
