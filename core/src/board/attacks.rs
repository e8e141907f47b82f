//! Where men reach on an otherwise empty board, and rays cut short by occupied squares.

use super::{Bitboard, Color, Direction, Square};

/// The four orthogonal directions: indices into rays.
pub const ORTHOGONAL: [usize; 4] = [0, 1, 2, 3];
/// The four diagonal directions: indices into rays.
pub const DIAGONAL: [usize; 4] = [4, 5, 6, 7];

/// The squares one king step away.
#[must_use]
pub const fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares one knight jump away.
#[must_use]
pub const fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The one or two squares diagonally in front of a pawn.
#[must_use]
pub const fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares one orthogonal step away.
#[must_use]
pub const fn orthogonal_neighbours(square: Square) -> Bitboard {
    Bitboard(KING[square.index()].0 & ROOK_LINES[square.index()].0)
}

/// The squares one diagonal step away.
#[must_use]
pub const fn diagonal_neighbours(square: Square) -> Bitboard {
    Bitboard(KING[square.index()].0 & !ROOK_LINES[square.index()].0)
}

/// All squares beyond `square` in a direction of [`Direction::COMPASS`], 0 to 7, up to the edge.
#[must_use]
pub const fn ray(direction: usize, square: Square) -> Bitboard {
    RAYS[direction & 7][square.index()]
}

/// The first occupied square along a ray.
#[must_use]
pub const fn first_on_ray(direction: usize, square: Square, occupied: Bitboard) -> Option<Square> {
    let hits = Bitboard(ray(direction, square).0 & occupied.0);
    if ASCENDING[direction & 7] { hits.first() } else { hits.last() }
}

/// The squares of a ray up to and with the first occupied one.
#[must_use]
pub const fn slide(direction: usize, square: Square, occupied: Bitboard) -> Bitboard {
    match first_on_ray(direction, square, occupied) {
        Some(blocker) => Bitboard(ray(direction, square).0 & !RAYS[direction & 7][blocker.index()].0),
        None => ray(direction, square),
    }
}

/// Squares that a rook reaches, the first occupied one of each ray with them.
#[must_use]
pub const fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(
        slide(0, square, occupied).0
            | slide(1, square, occupied).0
            | slide(2, square, occupied).0
            | slide(3, square, occupied).0,
    )
}

/// Squares that a bishop reaches, the first occupied one of each ray with them.
#[must_use]
pub const fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(
        slide(4, square, occupied).0
            | slide(5, square, occupied).0
            | slide(6, square, occupied).0
            | slide(7, square, occupied).0,
    )
}

/// Squares that a queen reaches, the first occupied one of each ray with them.
#[must_use]
pub const fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(rook(square, occupied).0 | bishop(square, occupied).0)
}

/// Whether the squares of a ray come in ascending order: the nearest is then the lowest.
const ASCENDING: [bool; 8] = {
    let mut ascending = [false; 8];
    let mut direction = 0;
    while direction < 8 {
        let step = Direction::COMPASS[direction];
        ascending[direction] = step.ranks * 8 + step.files > 0;
        direction += 1;
    }
    ascending
};

static RAYS: [[Bitboard; 64]; 8] = {
    let mut rays = [[Bitboard::EMPTY; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut index = 0;
        while let Some(start) = Square::from_index(index) {
            let mut square = start;
            while let Some(next) = square.step(Direction::COMPASS[direction]) {
                rays[direction][start.index()].insert(next);
                square = next;
            }
            index += 1;
        }
        direction += 1;
    }
    rays
};

static KING: [Bitboard; 64] = leaps(Direction::COMPASS);
static KNIGHT: [Bitboard; 64] = leaps(Direction::KNIGHT);

static PAWN: [[Bitboard; 64]; 2] = {
    let mut pawns = [[Bitboard::EMPTY; 64]; 2];
    let mut color = 0;
    while color < 2 {
        let forward = Color::ALL[color].forward();
        let mut index = 0;
        while let Some(start) = Square::from_index(index) {
            if let Some(left) = start.step(Direction::new(-1, forward)) {
                pawns[color][start.index()].insert(left);
            }
            if let Some(right) = start.step(Direction::new(1, forward)) {
                pawns[color][start.index()].insert(right);
            }
            index += 1;
        }
        color += 1;
    }
    pawns
};

static ROOK_LINES: [Bitboard; 64] = {
    let mut lines = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        lines[square.index()] = Bitboard(
            RAYS[0][square.index()].0
                | RAYS[1][square.index()].0
                | RAYS[2][square.index()].0
                | RAYS[3][square.index()].0,
        );
        index += 1;
    }
    lines
};

const fn leaps(steps: [Direction; 8]) -> [Bitboard; 64] {
    let mut targets = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while let Some(start) = Square::from_index(index) {
        let mut step = 0;
        while step < 8 {
            if let Some(target) = start.step(steps[step]) {
                targets[start.index()].insert(target);
            }
            step += 1;
        }
        index += 1;
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &str) -> Bitboard {
        squares.split_whitespace().map(|s| s.parse().expect("square")).collect()
    }

    fn at(square: &str) -> Square {
        square.parse().expect("square")
    }

    #[test]
    fn sliders_stop_on_the_first_occupied_square() {
        let occupied = set("d6 f4 b2 d4");
        assert_eq!(rook(at("d4"), occupied), set("d5 d6 e4 f4 c4 b4 a4 d3 d2 d1"));
        assert_eq!(bishop(at("d4"), occupied), set("e5 f6 g7 h8 e3 f2 g1 c3 b2 c5 b6 a7"));
    }

    #[test]
    fn leapers_and_neighbours() {
        assert_eq!(knight(at("a1")), set("b3 c2"));
        assert_eq!(king(at("h8")), set("g8 g7 h7"));
        assert_eq!(pawn(Color::Black, at("a7")), set("b6"));
        assert_eq!(orthogonal_neighbours(at("b2")), set("b1 b3 a2 c2"));
        assert_eq!(diagonal_neighbours(at("a1")), set("b2"));
    }
}
