//! One of the 64 squares, its file and rank, and steps between squares.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A square: a1 = 0, b1 = 1, … h1 = 7, a2 = 8, … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct Square(u8);

/// A byte over 63 where a square was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("square {0} is out of range (a1 is 0, h8 is 63)")]
pub struct SquareOutOfRange(pub u8);

/// A text that is not a file a–h and a rank 1–8.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a square is a file a–h and a rank 1–8, such as e4")]
pub struct ParseSquareError;

/// A column of the board; a = 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names of files explain themselves")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

/// A row of the board; rank 1 = 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names of ranks explain themselves")]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

/// A step over the board: files to the right, ranks up; each −7 to 7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Direction {
    /// Files, positive towards h.
    pub files: i8,
    /// Ranks, positive towards 8.
    pub ranks: i8,
}

impl Direction {
    /// A step of `files` to the right and `ranks` up.
    #[must_use]
    pub const fn new(files: i8, ranks: i8) -> Self {
        Self { files, ranks }
    }

    /// The four orthogonal unit steps, then the four diagonal ones.
    pub const COMPASS: [Self; 8] = [
        Self::new(0, 1),
        Self::new(1, 0),
        Self::new(0, -1),
        Self::new(-1, 0),
        Self::new(1, 1),
        Self::new(1, -1),
        Self::new(-1, -1),
        Self::new(-1, 1),
    ];

    /// The eight knight jumps.
    pub const KNIGHT: [Self; 8] = [
        Self::new(1, 2),
        Self::new(2, 1),
        Self::new(2, -1),
        Self::new(1, -2),
        Self::new(-1, -2),
        Self::new(-2, -1),
        Self::new(-2, 1),
        Self::new(-1, 2),
    ];

    /// The unit step along this direction: each part reduced to its sign.
    #[must_use]
    pub const fn unit(self) -> Self {
        Self::new(self.files.signum(), self.ranks.signum())
    }

    /// The step back.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self::new(-self.files, -self.ranks)
    }
}

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 64;

    /// The square with this index, 0 to 63.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square on `file` and `rank`.
    #[must_use]
    pub const fn at(file: File, rank: Rank) -> Self {
        Self(rank as u8 * 8 + file as u8)
    }

    /// Every square in ascending order, a1, b1, … h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self)
    }

    /// 0 to 63.
    #[must_use]
    pub const fn index(self) -> usize {
        // The mask changes nothing and lets the compiler drop bounds checks on tables of 64.
        (self.0 & 63) as usize
    }

    /// The column.
    #[must_use]
    pub const fn file(self) -> File {
        File::ALL[(self.0 & 7) as usize]
    }

    /// The row.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 >> 3 & 7) as usize]
    }

    /// The square one `step` away, if it is on the board.
    #[must_use]
    pub const fn step(self, step: Direction) -> Option<Self> {
        let file = (self.0 & 7) as i8 + step.files;
        let rank = (self.0 >> 3) as i8 + step.ranks;
        if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            #[expect(clippy::cast_sign_loss, reason = "both parts were just found to be 0 to 7")]
            let index = (rank * 8 + file) as u8;
            Some(Self(index))
        } else {
            None
        }
    }

    /// The step that leads from here to `other`.
    #[must_use]
    pub const fn towards(self, other: Self) -> Direction {
        Direction::new((other.0 & 7) as i8 - (self.0 & 7) as i8, (other.0 >> 3) as i8 - (self.0 >> 3) as i8)
    }
}

impl File {
    /// a to h.
    pub const ALL: [Self; 8] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// The letter, a to h.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }
}

impl Rank {
    /// 1 to 8.
    pub const ALL: [Self; 8] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
    ];

    /// The digit, 1 to 8.
    #[must_use]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }
}

impl From<Square> for u8 {
    fn from(square: Square) -> Self {
        square.0
    }
}

impl TryFrom<u8> for Square {
    type Error = SquareOutOfRange;

    fn try_from(byte: u8) -> Result<Self, SquareOutOfRange> {
        Self::from_index(byte).ok_or(SquareOutOfRange(byte))
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self((rank - b'1') * 8 + (file - b'a'))),
            _ => Err(ParseSquareError),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_index_agree() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::at(square.file(), square.rank()), square);
        }
        assert_eq!("b1".parse::<Square>().map(u8::from), Ok(1));
        assert_eq!("h8".parse::<Square>().map(u8::from), Ok(63));
        for bad in ["", "e", "e9", "i1", "E4", "e44", "é4"] {
            assert_eq!(bad.parse::<Square>(), Err(ParseSquareError), "{bad}");
        }
    }

    #[test]
    fn steps_stay_on_the_board() {
        let corner = Square(0);
        assert_eq!(corner.step(Direction::new(-1, 0)), None);
        assert_eq!(corner.step(Direction::new(1, 2)).map(|s| s.to_string()), Some("b3".into()));
        for (from, to) in Square::all().zip(Square::all().rev()) {
            assert_eq!(from.step(from.towards(to)), Some(to));
        }
    }
}
