//! The text of a key file: plain, or encrypted under a passphrase.
//!
//! ```text
//! chakart key 1
//! public HEX                                 whose key it is
//! seed B64                                   plain, or instead of it
//! argon2id MEMORY_KIB PASSES LANES SALT_B64
//! xchacha20poly1305 NONCE_B64 BOX_B64        the seed, with `public` as associated data
//! end
//! ```

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use chakart_core::protocol::keys::SecretKey;
use zeroize::Zeroizing;

/// Longest key file, in bytes.
pub(super) const MAX_KEY_FILE_BYTES: u64 = 1024;
/// Memory that the passphrase of a file may cost its reader, in KiB: 1 GiB.
const MAX_MEMORY_KIB: u32 = 1 << 20;
/// Passes that the passphrase of a file may cost its reader.
const MAX_PASSES: u32 = 16;
/// What a file written here costs: 64 MiB, three passes, one lane (RFC 9106, second recommended option, one lane).
pub(crate) const COST: Cost = Cost { memory_kib: 1 << 16, passes: 3, lanes: 1 };

const HEADER: &str = "chakart key 1";

/// Why a text gives no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It has another form, or is damaged.
    #[error("not a key file of this program, or damaged: {0}")]
    Malformed(&'static str),
    /// It is encrypted and no passphrase was given.
    #[error("the key is encrypted: a passphrase is needed")]
    PassphraseNeeded,
    /// It does not open with this passphrase.
    #[error("the passphrase does not open it")]
    WrongPassphrase,
    /// The operating system gave no randomness.
    #[error("the operating system gave no randomness")]
    NoRandomness,
}

/// What a passphrase costs its reader.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) memory_kib: u32,
    pub(crate) passes: u32,
    pub(crate) lanes: u32,
}

impl Cost {
    /// Whether a reader need not fear it.
    pub(crate) const fn is_bearable(self) -> bool {
        self.memory_kib <= MAX_MEMORY_KIB && self.passes <= MAX_PASSES
    }
}

/// What stands between `public` and `end`.
enum Content<'a> {
    Plain { seed: &'a str },
    Encrypted { cost: Cost, salt: Vec<u8>, nonce: Vec<u8>, sealed: Vec<u8> },
}

pub(super) fn write(key: &SecretKey, passphrase: Option<&str>) -> Result<Zeroizing<String>, KeyFileError> {
    let public = key.public().to_string();
    let content = match passphrase {
        None => Zeroizing::new(format!("seed {}\n", *Zeroizing::new(BASE64.encode(*key.seed())))),
        Some(passphrase) => Zeroizing::new(seal(key, &public, passphrase)?),
    };
    Ok(Zeroizing::new(format!("{HEADER}\npublic {public}\n{}end\n", *content)))
}

pub(super) fn read(text: &str, passphrase: Option<&str>) -> Result<SecretKey, KeyFileError> {
    let (public, content) = parse(text)?;
    let seed = match (content, passphrase) {
        (Content::Plain { seed }, _) => Zeroizing::new(BASE64.decode(seed).map_err(|_| MALFORMED_BASE64)?),
        (Content::Encrypted { .. }, None) => return Err(KeyFileError::PassphraseNeeded),
        (Content::Encrypted { cost, salt, nonce, sealed }, Some(passphrase)) => {
            let cipher = cipher(passphrase, cost, &salt)?;
            let nonce: [u8; 24] = nonce.try_into().map_err(|_| KeyFileError::Malformed("nonce"))?;
            let payload = Payload { msg: &sealed, aad: public.as_bytes() };
            let opened = cipher.decrypt(&XNonce::from(nonce), payload);
            Zeroizing::new(opened.map_err(|_| KeyFileError::WrongPassphrase)?)
        }
    };
    let seed: Zeroizing<[u8; 32]> = Zeroizing::new(
        seed.as_slice().try_into().map_err(|_| KeyFileError::Malformed("length of the seed"))?,
    );
    let key = SecretKey::from_seed(&seed);
    if key.public().to_string() == public {
        Ok(key)
    } else {
        Err(KeyFileError::Malformed("seed and key differ"))
    }
}

pub(super) fn is_encrypted(text: &str) -> Result<bool, KeyFileError> {
    Ok(matches!(parse(text)?.1, Content::Encrypted { .. }))
}

const MALFORMED_BASE64: KeyFileError = KeyFileError::Malformed("base64");

fn parse(text: &str) -> Result<(&str, Content<'_>), KeyFileError> {
    if text.len() as u64 > MAX_KEY_FILE_BYTES {
        return Err(KeyFileError::Malformed("too long"));
    }
    let lines: Vec<&str> = text.lines().collect();
    let [HEADER, public, content @ .., "end"] = lines.as_slice() else {
        return Err(KeyFileError::Malformed("first or last line"));
    };
    let public = public.strip_prefix("public ").ok_or(KeyFileError::Malformed("line of the public key"))?;
    match content {
        [seed] => {
            let seed = seed.strip_prefix("seed ").ok_or(KeyFileError::Malformed("line of the seed"))?;
            Ok((public, Content::Plain { seed }))
        }
        [derivation, sealed] => Ok((public, parse_encrypted(derivation, sealed)?)),
        _ => Err(KeyFileError::Malformed("number of lines")),
    }
}

fn parse_encrypted<'a>(derivation: &str, sealed: &str) -> Result<Content<'a>, KeyFileError> {
    let ["argon2id", memory_kib, passes, lanes, salt] = words(derivation)[..] else {
        return Err(KeyFileError::Malformed("line of the passphrase"));
    };
    let ["xchacha20poly1305", nonce, sealed] = words(sealed)[..] else {
        return Err(KeyFileError::Malformed("line of the sealed seed"));
    };
    let number = |word: &str| word.parse::<u32>().map_err(|_| KeyFileError::Malformed("number"));
    let bytes = |word: &str| BASE64.decode(word).map_err(|_| MALFORMED_BASE64);
    let cost = Cost { memory_kib: number(memory_kib)?, passes: number(passes)?, lanes: number(lanes)? };
    if !cost.is_bearable() {
        return Err(KeyFileError::Malformed("cost of the passphrase"));
    }
    Ok(Content::Encrypted { cost, salt: bytes(salt)?, nonce: bytes(nonce)?, sealed: bytes(sealed)? })
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// The two lines that hold the encrypted seed.
fn seal(key: &SecretKey, public: &str, passphrase: &str) -> Result<String, KeyFileError> {
    let (mut salt, mut nonce) = ([0; 16], [0; 24]);
    getrandom::fill(&mut salt).map_err(|_| KeyFileError::NoRandomness)?;
    getrandom::fill(&mut nonce).map_err(|_| KeyFileError::NoRandomness)?;
    let seed = key.seed();
    let payload = Payload { msg: seed.as_slice(), aad: public.as_bytes() };
    let sealed = cipher(passphrase, COST, &salt)?
        .encrypt(&XNonce::from(nonce), payload)
        .map_err(|_| KeyFileError::Malformed("seed"))?;
    let Cost { memory_kib, passes, lanes } = COST;
    let [salt, nonce, sealed] = [&salt[..], &nonce, &sealed].map(|bytes| BASE64.encode(bytes));
    Ok(format!("argon2id {memory_kib} {passes} {lanes} {salt}\nxchacha20poly1305 {nonce} {sealed}\n"))
}

/// The cipher under a passphrase.
pub(crate) fn cipher(passphrase: &str, cost: Cost, salt: &[u8]) -> Result<XChaCha20Poly1305, KeyFileError> {
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32))
        .map_err(|_| KeyFileError::Malformed("cost of the passphrase"))?;
    let mut key = Zeroizing::new([0; 32]);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.as_bytes(), salt, key.as_mut())
        .map_err(|_| KeyFileError::Malformed("salt"))?;
    Ok(XChaCha20Poly1305::new(&(*key).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_or_changed_plain_file_is_refused() {
        let key = SecretKey::from_seed(&[9; 32]);
        let text = write(&key, None).expect("plain");
        for end in 0..text.len() - 1 {
            assert!(read(&text[..end], None).is_err(), "cut at {end}");
        }
        let other = SecretKey::from_seed(&[8; 32]).public().to_string();
        let swapped = text.replace(&key.public().to_string(), &other);
        assert_eq!(read(&swapped, None).err(), Some(KeyFileError::Malformed("seed and key differ")));
    }

    #[test]
    fn a_file_cannot_ask_for_any_memory_it_likes() {
        let text =
            format!("{HEADER}\npublic 00\nargon2id 4294967295 3 1 AAAA\nxchacha20poly1305 AAAA AAAA\nend\n");
        assert_eq!(read(&text, Some("x")).err(), Some(KeyFileError::Malformed("cost of the passphrase")));
    }
}
