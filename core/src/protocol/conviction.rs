//! Proofs against a player (protocol §7): two entries at one place, or an invalid entry at its place.

use super::codec::{DecodeError, SignedEntry};
use super::entry::{EntryId, Party};
use super::keys::{BadSignature, PublicKey};
use super::log::Log;
use super::misdeed::Refusal;

/// Two different entries that one key signed at one place. It needs no log to be believed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equivocation {
    key: PublicKey,
    prev: EntryId,
    entries: [SignedEntry; 2],
}

/// Why two entries prove nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotEquivocation {
    /// An entry cannot be read.
    #[error("entry {which}: {error}")]
    Undecodable {
        /// 1 or 2.
        which: u8,
        /// Why.
        error: DecodeError,
    },
    /// An entry is not signed by the key.
    #[error("entry {which} is not signed by the key")]
    BadSignature {
        /// 1 or 2.
        which: u8,
    },
    /// The entries are one.
    #[error("the two entries have the same bytes")]
    SameBytes,
    /// The entries link to different entries.
    #[error("the two entries are at different places")]
    DifferentPlaces,
    /// Several offers, or several accepts of one offer, are honest.
    #[error("entry {which} is an offer or an accept (seq below 2), of which several are allowed")]
    BeforeTheGame {
        /// 1 or 2.
        which: u8,
    },
}

impl Equivocation {
    /// Checks the proof.
    ///
    /// # Errors
    /// [`NotEquivocation`]
    pub fn new(key: PublicKey, entries: [SignedEntry; 2]) -> Result<Self, NotEquivocation> {
        let prevs = [check(&key, &entries[0], 1)?, check(&key, &entries[1], 2)?];
        if prevs[0] != prevs[1] {
            return Err(NotEquivocation::DifferentPlaces);
        }
        if entries[0].bytes == entries[1].bytes {
            return Err(NotEquivocation::SameBytes);
        }
        Ok(Self { key, prev: prevs[0], entries })
    }

    /// Who signed both.
    #[must_use]
    pub const fn key(&self) -> &PublicKey {
        &self.key
    }

    /// The link that both carry.
    #[must_use]
    pub const fn prev(&self) -> EntryId {
        self.prev
    }

    /// The two entries.
    #[must_use]
    pub const fn entries(&self) -> &[SignedEntry; 2] {
        &self.entries
    }

    /// Whom it convicts in this game: its key is a player's, and the game was not over at the place.
    #[must_use]
    pub fn convicts_in(&self, log: &Log) -> Option<Party> {
        if !log.has_begun() {
            return None;
        }
        let before = log.seq_of(self.prev)?;
        log.records().get(before as usize)?.owes?;
        Party::ALL.into_iter().find(|&party| log.key(party) == Some(&self.key)).filter(|_| before >= 1)
    }
}

/// What convicts a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// By itself.
    Equivocation(Equivocation),
    /// Together with the log before it: an entry placed next that is not valid.
    InvalidEntry {
        /// The entry.
        entry: SignedEntry,
        /// Whose it is and what is wrong with it.
        refusal: Refusal,
    },
}

impl Proof {
    /// Whom it convicts in this game.
    #[must_use]
    pub fn convicts_in(&self, log: &Log) -> Option<Party> {
        match self {
            Self::Equivocation(proof) => proof.convicts_in(log),
            Self::InvalidEntry { refusal, .. } => refusal.convicts(),
        }
    }
}

fn check(key: &PublicKey, signed: &SignedEntry, which: u8) -> Result<EntryId, NotEquivocation> {
    let entry = signed.decode().map_err(|error| NotEquivocation::Undecodable { which, error })?;
    signed.verify(key).map_err(|BadSignature| NotEquivocation::BadSignature { which })?;
    if entry.seq < 2 {
        return Err(NotEquivocation::BeforeTheGame { which });
    }
    Ok(entry.prev)
}
