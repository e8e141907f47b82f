//! What a man is, whatever its colour and condition.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of a man. As a byte: pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
#[repr(u8)]
#[expect(missing_docs, reason = "the names of chess men explain themselves")]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

/// A byte that names no role.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("role {0} is unknown (pawn 0 to king 5)")]
pub struct UnknownRole(pub u8);

impl Role {
    /// Every role, by number.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// 0 to 5.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter: p n b r q k.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The role of a letter, in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }
}

impl From<Role> for u8 {
    fn from(role: Role) -> Self {
        role as Self
    }
}

impl TryFrom<u8> for Role {
    type Error = UnknownRole;

    fn try_from(byte: u8) -> Result<Self, UnknownRole> {
        Self::ALL.get(usize::from(byte)).copied().ok_or(UnknownRole(byte))
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        })
    }
}
