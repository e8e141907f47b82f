//! What a player says out of turn, beside the log (protocol §7).

use serde::{Deserialize, Serialize};

use super::entry::{EntryId, Opening, Party};

/// Longest encoded statement, in bytes.
pub const MAX_STATEMENT_BYTES: u64 = 128;

/// A signed word of one player about an entry of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Statement {
    /// A valid entry of seq ≥ 2.
    pub entry: EntryId,
    /// Who signed it.
    pub author: Party,
    /// What it says.
    pub kind: StatementKind,
}

/// What a statement says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StatementKind {
    /// 'I have lost'; the named entry is the last that its author has.
    Resign,
    /// 'After this entry you are out of time'.
    Claim {
        /// When, in milliseconds of Unix time, at most [`super::entry::MAX_AT_MS`].
        at_ms: u64,
    },
    /// 'I sign no entry after this'; opens a queen that is still hidden.
    Seal {
        /// Present iff the author's queen is hidden after the named entry.
        opening: Option<Opening>,
    },
}

impl StatementKind {
    /// The order in a transcript: resign 0, claim 1, seal 2.
    #[must_use]
    pub const fn rank(&self) -> u8 {
        match self {
            Self::Resign => 0,
            Self::Claim { .. } => 1,
            Self::Seal { .. } => 2,
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Resign => "resignation",
            Self::Claim { .. } => "claim",
            Self::Seal { .. } => "seal",
        }
    }
}
