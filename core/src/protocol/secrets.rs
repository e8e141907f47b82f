//! A player's secrets, derived from its key and never stored (protocol §6).

use std::fmt;

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use super::entry::EntryId;
use super::keys::SecretKey;

const SECRETS_INFO: &[u8] = b"chakart/secrets/v1";

/// What a derived secret is for. No entry uses one twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecretKind {
    /// The nonce behind a chance commitment.
    Chance,
    /// The nonce of an act.
    Act,
    /// The salt of a stealth commitment.
    Stealth,
}

impl SecretKind {
    const fn label(self) -> &'static [u8] {
        match self {
            Self::Chance => b"chance\0",
            Self::Act => b"act\0",
            Self::Stealth => b"stealth\0",
        }
    }
}

/// The source of all secrets of one player in one game.
#[derive(Clone)]
pub struct Secrets {
    root: Zeroizing<[u8; 32]>,
    own_salt: [u8; 32],
}

impl Secrets {
    /// The secrets of `key` in the game in which its own salt (of the offer, or the nonce of the accept) is this.
    #[must_use]
    pub fn new(key: &SecretKey, own_salt: [u8; 32]) -> Self {
        let mut root = Zeroizing::new([0; 32]);
        Hkdf::<Sha256>::new(None, key.seed().as_slice())
            .expand(SECRETS_INFO, root.as_mut_slice())
            .expect("32 bytes are a length that HKDF-SHA-256 can give");
        Self { root, own_salt }
    }

    /// The secret of the entry whose link is `prev`.
    #[must_use]
    pub fn derive(&self, kind: SecretKind, prev: EntryId) -> [u8; 32] {
        Hmac::<Sha256>::new_from_slice(self.root.as_slice())
            .expect("HMAC takes a key of any length")
            .chain_update(kind.label())
            .chain_update(self.own_salt)
            .chain_update(prev.0)
            .finalize()
            .into_bytes()
            .into()
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets")
    }
}
