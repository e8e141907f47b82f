//! Under which key two players look for each other in a table that everybody can read (P17).

use hkdf::Hkdf;
use sha2::Sha256;

use super::keys::{PublicKey, SecretKey};

/// Length of a key as a multihash, in bytes.
pub const RENDEZVOUS_BYTES: usize = 34;
/// Length of a day, in milliseconds.
pub const DAY_MS: u64 = 86_400_000;

const PLAYERS_INFO: &[u8] = b"chakart/rendezvous/players/v1\0";
const INVITE_INFO: &[u8] = b"chakart/rendezvous/invite/v1\0";
/// SHA2-256 and its length, as multihashes begin.
const MULTIHASH: [u8; 2] = [0x12, 32];

/// A key of one day, as a multihash; to anybody else it is noise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RendezvousKey(pub [u8; RENDEZVOUS_BYTES]);

impl RendezvousKey {
    /// That of two players: both of them can compute it, and nobody else. `day` counts from the first of January 1970.
    #[must_use]
    pub fn of_players(key: &SecretKey, other: &PublicKey, day: u32) -> Self {
        Self::derive(key.shared_secret(other).as_slice(), PLAYERS_INFO, day)
    }

    /// That of an invite, for whoever has its secret.
    #[must_use]
    pub fn of_invite(secret: &[u8], day: u32) -> Self {
        Self::derive(secret, INVITE_INFO, day)
    }

    fn derive(secret: &[u8], info: &[u8], day: u32) -> Self {
        let mut key = [0; RENDEZVOUS_BYTES];
        let (prefix, digest) = key.split_at_mut(MULTIHASH.len());
        prefix.copy_from_slice(&MULTIHASH);
        Hkdf::<Sha256>::new(None, secret)
            .expand_multi_info(&[info, &day.to_le_bytes()], digest)
            .expect("32 bytes are a length that HKDF-SHA-256 can give");
        Self(key)
    }
}

/// The day of a moment in milliseconds of Unix time.
#[must_use]
pub fn day_of(at_ms: u64) -> u32 {
    u32::try_from(at_ms / DAY_MS).unwrap_or(u32::MAX)
}
