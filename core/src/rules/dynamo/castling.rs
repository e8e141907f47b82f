//! Which castlings are still possible in principle, and where they lead (rules section 6).

use std::fmt;

use crate::board::{Bitboard, Color, File, Square};
use crate::rules::{CastlingSide, Displacement, Turn};

/// Both castlings, the a-side first as FEN has them.
pub(super) const SIDES: [CastlingSide; 2] = [CastlingSide::Queen, CastlingSide::King];

/// The castling rights of both sides. A right is lost for good when its king or rook is displaced in any way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rights(u8);

impl Rights {
    /// All four.
    pub const ALL: Self = Self(0b1111);
    /// None.
    pub const NONE: Self = Self(0);

    /// Whether a side may still castle to that side.
    #[must_use]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & bit(color, side) != 0
    }

    /// With one more right.
    #[must_use]
    pub const fn with(self, color: Color, side: CastlingSide) -> Self {
        Self(self.0 | bit(color, side))
    }

    /// What is left once the man on `square` has been displaced.
    #[must_use]
    pub fn after_leaving(self, square: Square) -> Self {
        if !HOMES.contains(square) {
            return self;
        }
        let color = if square.rank() == Color::White.first_rank() { Color::White } else { Color::Black };
        Self(match square.file() {
            File::A => self.0 & !bit(color, CastlingSide::Queen),
            File::H => self.0 & !bit(color, CastlingSide::King),
            _ => self.0 & !bit(color, CastlingSide::Queen) & !bit(color, CastlingSide::King),
        })
    }
}

/// Home squares of kings and rooks.
const HOMES: Bitboard = Bitboard(0x9100_0000_0000_0091);

const fn bit(color: Color, side: CastlingSide) -> u8 {
    match (color, side) {
        (Color::White, CastlingSide::Queen) => 1,
        (Color::White, CastlingSide::King) => 2,
        (Color::Black, CastlingSide::Queen) => 4,
        (Color::Black, CastlingSide::King) => 8,
    }
}

/// The file of the rook that castles to a side.
pub(super) const fn rook_file(side: CastlingSide) -> File {
    match side {
        CastlingSide::Queen => File::A,
        CastlingSide::King => File::H,
    }
}

impl CastlingSide {
    /// Where the king of a side stands before it castles, and where afterwards.
    #[must_use]
    pub fn king_squares(self, color: Color) -> (Square, Square) {
        let king = Castling::of(color, self).king;
        (king.from, king.to.unwrap_or(king.from))
    }
}

/// The squares of one castling.
#[derive(Clone, Copy)]
pub(super) struct Castling {
    pub(super) king: Displacement,
    pub(super) rook: Displacement,
    /// Squares between king and rook: all must be empty.
    pub(super) between: Bitboard,
}

impl Castling {
    pub(super) fn of(color: Color, side: CastlingSide) -> Self {
        let rank = color.first_rank();
        let go = |from, to| Displacement {
            from: Square::at(from, rank),
            to: Some(Square::at(to, rank)),
            promotion: None,
        };
        let on = |files: &[File]| files.iter().map(|&file| Square::at(file, rank)).collect();
        match side {
            CastlingSide::Queen => Self {
                king: go(File::E, File::C),
                rook: go(File::A, File::D),
                between: on(&[File::B, File::C, File::D]),
            },
            CastlingSide::King => Self {
                king: go(File::E, File::G),
                rook: go(File::H, File::F),
                between: on(&[File::F, File::G]),
            },
        }
    }

    /// Both displacements, the king's first.
    pub(super) const fn turn(&self) -> Turn {
        Turn { lead: self.king, trail: Some(self.rook) }
    }

    /// The king goes to the square that it would only cross: where the rook will stand.
    pub(super) fn crossing(&self) -> Displacement {
        Displacement { to: self.rook.to, ..self.king }
    }
}

/// Four letters, as in FEN: the file of the rook, or `i` where the right is lost.
impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            for side in SIDES {
                let letter = if self.has(color, side) { rook_file(side).letter() } else { 'i' };
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}
