//! The men on the board, in four words: small enough to keep every board of a game, exact enough to compare them.

use std::fmt;

use crate::board::{Bitboard, Color, Rank, Role, Square};
use crate::rules::{Displacement, Man, Turn};

/// Which man stands on which square.
///
/// Each square has four bits, one a plane: whether the man is black, and the three bits of its role.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    planes: [u64; 4],
}

const BLACK: usize = 0;
/// Bishop, queen; with `OTHER`: knight.
const DIAGONAL: usize = 1;
/// Rook, queen; with `OTHER`: king.
const STRAIGHT: usize = 2;
/// Pawn, knight, king: the men that are no sliders.
const OTHER: usize = 3;

impl Board {
    /// The orthodox array, with which every game starts.
    #[must_use]
    pub fn start() -> Self {
        const BACK: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let mut board = Self::default();
        for color in Color::ALL {
            for (file, role) in crate::board::File::ALL.into_iter().zip(BACK) {
                board.put(Square::at(file, color.first_rank()), color, role);
                board.put(Square::at(file, color.second_rank()), color, Role::Pawn);
            }
        }
        board
    }

    /// The man on a square.
    #[must_use]
    pub fn man(&self, square: Square) -> Option<Man> {
        let [black, diagonal, straight, other] = self.planes.map(|plane| plane >> square.index() & 1 == 1);
        let role = match (diagonal, straight, other) {
            (false, false, false) => return None,
            (false, false, true) => Role::Pawn,
            (true, false, true) => Role::Knight,
            (true, false, false) => Role::Bishop,
            (false, true, false) => Role::Rook,
            (true, true, false) => Role::Queen,
            (_, true, true) => Role::King,
        };
        let color = if black { Color::Black } else { Color::White };
        Some(Man::new(color, role))
    }

    /// The squares with a man.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[DIAGONAL] | self.planes[STRAIGHT] | self.planes[OTHER])
    }

    /// The squares of one side's men.
    #[must_use]
    pub const fn of(&self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.occupied().0 & !self.planes[BLACK]),
            Color::Black => Bitboard(self.planes[BLACK]),
        }
    }

    /// The squares of the men of a role, both sides.
    #[must_use]
    pub const fn role(&self, role: Role) -> Bitboard {
        let [_, diagonal, straight, other] = self.planes;
        Bitboard(match role {
            Role::Pawn => other & !diagonal & !straight,
            Role::Knight => other & diagonal,
            Role::Bishop => diagonal & !straight & !other,
            Role::Rook => straight & !diagonal & !other,
            Role::Queen => straight & diagonal,
            Role::King => other & straight,
        })
    }

    /// Rooks and queens of both sides.
    #[must_use]
    pub const fn straight_sliders(&self) -> Bitboard {
        Bitboard(self.planes[STRAIGHT] & !self.planes[OTHER])
    }

    /// Bishops and queens of both sides.
    #[must_use]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.planes[DIAGONAL] & !self.planes[OTHER])
    }

    /// Where the king of a side stands; the lowest square of several.
    #[must_use]
    pub const fn king(&self, color: Color) -> Option<Square> {
        Bitboard(self.role(Role::King).0 & self.of(color).0).first()
    }

    /// Squares on which the man on `square` would promote by arriving there: none unless it is a pawn.
    pub(super) fn promotion_squares(&self, square: Square) -> Bitboard {
        if !self.role(Role::Pawn).contains(square) {
            Bitboard::EMPTY
        } else if self.of(Color::Black).contains(square) {
            Bitboard::rank(Rank::First)
        } else {
            Bitboard::rank(Rank::Eighth)
        }
    }

    /// Puts a man on an empty square.
    pub(super) fn put(&mut self, square: Square, color: Color, role: Role) {
        self.planes[BLACK] |= u64::from(color == Color::Black) << square.index();
        self.toggle(square, code(role));
    }

    /// Empties a square.
    pub(super) fn clear(&mut self, square: Square) {
        for plane in &mut self.planes {
            *plane &= !(1 << square.index());
        }
    }

    /// The board after the displacements of a turn whose squares to go to are then empty. Both men leave their
    /// squares before either arrives.
    pub(super) fn displaced(&self, turn: &Turn) -> Self {
        let mut after = *self;
        self.carry(&turn.lead, &mut after);
        if let Some(trail) = &turn.trail {
            self.carry(trail, &mut after);
        }
        after
    }

    /// A mixed number, the same for equal boards.
    pub(super) fn digest(&self) -> u64 {
        const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |digest: u64, plane: &u64| (digest.rotate_left(29) ^ plane).wrapping_mul(MULTIPLIER);
        let digest = self.planes.iter().fold(0, mix);
        digest ^ digest >> 32
    }

    fn carry(&self, displacement: &Displacement, after: &mut Self) {
        let from = displacement.from.index();
        let Some(to) = displacement.to else {
            for (now, before) in after.planes.iter_mut().zip(self.planes) {
                *now ^= before & 1 << from;
            }
            return;
        };
        for (now, before) in after.planes.iter_mut().zip(self.planes) {
            let bit = before >> from & 1;
            *now ^= bit << from | bit << to.index();
        }
        if let Some(role) = displacement.promotion {
            after.toggle(to, code(Role::Pawn) ^ code(role));
        }
    }

    fn toggle(&mut self, square: Square, code: u64) {
        self.planes[DIAGONAL] ^= (code & 1) << square.index();
        self.planes[STRAIGHT] ^= (code >> 1 & 1) << square.index();
        self.planes[OTHER] ^= (code >> 2 & 1) << square.index();
    }
}

/// The planes of a role: bit 0 diagonal, bit 1 straight, bit 2 other.
const fn code(role: Role) -> u64 {
    match role {
        Role::Bishop => 0b001,
        Role::Rook => 0b010,
        Role::Queen => 0b011,
        Role::Pawn => 0b100,
        Role::Knight => 0b101,
        Role::King => 0b110,
    }
}

/// The first field of FEN.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            if rank != Rank::Eighth {
                f.write_str("/")?;
            }
            self.write_rank(rank, f)?;
        }
        Ok(())
    }
}

impl Board {
    fn write_rank(&self, rank: Rank, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut empty = 0;
        for file in crate::board::File::ALL {
            let Some(man) = self.man(Square::at(file, rank)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(f, "{empty}")?;
                empty = 0;
            }
            write!(f, "{}", man.letter())?;
        }
        if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_are_found_where_they_were_put() {
        for color in Color::ALL {
            for role in Role::ALL {
                let mut board = Board::default();
                for square in Square::all() {
                    board.put(square, color, role);
                    assert_eq!(board.man(square), Some(Man::new(color, role)));
                }
                assert_eq!(board.role(role), Bitboard::FULL);
                assert_eq!(board.of(color), Bitboard::FULL);
                Square::all().for_each(|square| board.clear(square));
                assert_eq!(board, Board::default());
            }
        }
    }

    #[test]
    fn the_start_array() {
        assert_eq!(Board::start().to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    }
}
