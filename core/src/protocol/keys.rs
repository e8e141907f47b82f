//! Ed25519 keys with the strict rules that make a signature mean one thing to every verifier (protocol §2), and the
//! agreement of two of them on a secret (P15).

use std::fmt;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

/// Length of a raw public key, in bytes.
pub const KEY_BYTES: usize = 32;
/// Length of a signature, in bytes.
pub const SIGNATURE_BYTES: usize = 64;
/// Length of a secret of X25519, of its public half, and of what two of them agree on, in bytes.
pub const AGREEMENT_BYTES: usize = 32;

/// What a signature is for: the prefix of every string that a player's key signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// An entry of a log.
    Entry,
    /// A statement beside a log.
    Statement,
    /// A short message between the players, in no transcript.
    Note,
    /// What a player says to have taken out of a mailbox.
    Receipt,
}

impl Domain {
    /// The prefix, its zero byte included.
    #[must_use]
    pub const fn prefix(self) -> &'static [u8] {
        match self {
            Self::Entry => b"chakart/entry/v1\0",
            Self::Statement => b"chakart/statement/v1\0",
            Self::Note => b"chakart/note/v1\0",
            Self::Receipt => b"chakart/receipt/v1\0",
        }
    }
}

/// A player's public key: canonical, on the curve, not of small order.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[u8; KEY_BYTES]", try_from = "[u8; KEY_BYTES]")]
pub struct PublicKey(VerifyingKey);

/// Bytes that are no acceptable public key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadKey {
    /// No point of the curve has this encoding.
    #[error("the key is not a point of the curve")]
    NotAPoint,
    /// The point has a second, shorter encoding: y ≥ p, or the sign bit of x = 0 is set.
    #[error("the key is not in canonical form")]
    NotCanonical,
    /// The point has small order: it 'signs' everything.
    #[error("the key is of small order")]
    SmallOrder,
}

/// A signature that does not hold under the strict rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the signature does not hold")]
pub struct BadSignature;

impl PublicKey {
    /// Checks 32 raw bytes.
    ///
    /// # Errors
    /// [`BadKey`], with what is wrong with them.
    pub fn from_bytes(bytes: &[u8; KEY_BYTES]) -> Result<Self, BadKey> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| BadKey::NotAPoint)?;
        // The library decodes y ≥ p without complaint; only encoding again shows it.
        if key.to_edwards().compress().as_bytes() != bytes {
            return Err(BadKey::NotCanonical);
        }
        if key.is_weak() {
            return Err(BadKey::SmallOrder);
        }
        Ok(Self(key))
    }

    /// The raw 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; KEY_BYTES] {
        self.0.as_bytes()
    }

    /// The public half for X25519 (RFC 7748): this point in Montgomery form.
    #[must_use]
    pub fn agreement(&self) -> [u8; AGREEMENT_BYTES] {
        self.0.to_montgomery().to_bytes()
    }

    /// Strict verification of a signature over `domain ‖ bytes`.
    ///
    /// # Errors
    /// [`BadSignature`]
    pub fn verify(
        &self,
        domain: Domain,
        bytes: &[u8],
        signature: &[u8; SIGNATURE_BYTES],
    ) -> Result<(), BadSignature> {
        let message = prefixed(domain, bytes);
        self.0.verify_strict(&message, &Signature::from_bytes(signature)).map_err(|_| BadSignature)
    }
}

impl From<PublicKey> for [u8; KEY_BYTES] {
    fn from(key: PublicKey) -> Self {
        key.0.to_bytes()
    }
}

impl TryFrom<[u8; KEY_BYTES]> for PublicKey {
    type Error = BadKey;

    fn try_from(bytes: [u8; KEY_BYTES]) -> Result<Self, BadKey> {
        Self::from_bytes(&bytes)
    }
}

/// As 64 lower-case hexadecimal digits.
impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A player's secret key: the 32-byte seed of Ed25519. Wiped from memory when dropped, never shown.
#[derive(Clone)]
pub struct SecretKey(SigningKey);

impl SecretKey {
    /// The key of a seed.
    #[must_use]
    pub fn from_seed(seed: &[u8; KEY_BYTES]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// The seed: whoever has it is this player.
    #[must_use]
    pub fn seed(&self) -> Zeroizing<[u8; KEY_BYTES]> {
        Zeroizing::new(self.0.to_bytes())
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// The secret for X25519 (RFC 7748) to which [`PublicKey::agreement`] belongs, clamped.
    #[must_use]
    pub fn agreement(&self) -> Zeroizing<[u8; AGREEMENT_BYTES]> {
        let mut secret = Zeroizing::new(self.0.to_scalar_bytes());
        let [first, .., last] = &mut *secret;
        *first &= 0xf8;
        *last = *last & 0x7f | 0x40;
        secret
    }

    /// What X25519 gives with another player's key: the same on both sides, and never zero, since no [`PublicKey`] is of
    /// small order. It is no key by itself: every use derives its own from it, under a label of its own (P15.4).
    #[must_use]
    pub fn shared_secret(&self, other: &PublicKey) -> Zeroizing<[u8; AGREEMENT_BYTES]> {
        Zeroizing::new(other.0.to_montgomery().mul_clamped(*self.agreement()).to_bytes())
    }

    /// Signs `domain ‖ bytes`.
    #[must_use]
    pub fn sign(&self, domain: Domain, bytes: &[u8]) -> [u8; SIGNATURE_BYTES] {
        self.0.sign(&prefixed(domain, bytes)).to_bytes()
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey of {}", self.public())
    }
}

fn prefixed(domain: Domain, bytes: &[u8]) -> Vec<u8> {
    [domain.prefix(), bytes].concat()
}
