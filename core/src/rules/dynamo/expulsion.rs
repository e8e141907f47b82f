//! Check: whether a king could be put off the board (rules section 8).

use super::Board;
use crate::board::{Bitboard, Color, Direction, Role, Square, attacks};

/// Whether the king of `color` could be pushed or dragged off the board by a man of the other side.
///
/// Geometry alone decides: it does not matter whether that turn would be legal. `false` without a king.
#[must_use]
pub fn is_in_check(board: &Board, color: Color) -> bool {
    board.king(color).is_some_and(|king| is_expellable(board, king, !color))
}

fn is_expellable(board: &Board, king: Square, by: Color) -> bool {
    let theirs = board.of(by);
    let steppers = board.role(Role::Knight) & KNIGHTS_OUT[king.index()]
        | board.role(Role::King) & KINGS_OUT[king.index()]
        | board.role(Role::Pawn) & PAWNS_OUT[by.index()][king.index()];
    if !(steppers & theirs).is_empty() {
        return true;
    }
    let sliders = board.straight_sliders() & STRAIGHT_LINES[king.index()]
        | board.diagonal_sliders() & DIAGONAL_LINES[king.index()];
    let occupied = board.occupied();
    (sliders & theirs).into_iter().any(|slider| slider_expels(slider, king, occupied))
}

/// Along a clear line, a slider pushes the king off if nothing stands beyond it, or leaves the board away from it and
/// drags it along if nothing stands beyond the slider.
fn slider_expels(slider: Square, king: Square, occupied: Bitboard) -> bool {
    let away = usize::from(TOWARDS[king.index()][slider.index()]);
    let beyond_slider = attacks::ray(away, slider);
    let between = attacks::ray(away, king).minus(beyond_slider).without(slider);
    let beyond_king = attacks::ray(opposite(away), king);
    (between & occupied).is_empty()
        && ((beyond_king & occupied).is_empty() || (beyond_slider & occupied).is_empty())
}

/// The index of the opposite direction in [`Direction::COMPASS`].
pub(super) const fn opposite(direction: usize) -> usize {
    direction ^ 2
}

/// For each square, those one step behind it along a step that leads from it over the edge: `s − d` where `s + d` is
/// outside.
const fn behind_the_edge(steps: [Direction; 8]) -> [Bitboard; 64] {
    let mut sets = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        let mut step = 0;
        while step < 8 {
            add_if_behind(&mut sets[square.index()], square, steps[step]);
            step += 1;
        }
        index += 1;
    }
    sets
}

const fn add_if_behind(set: &mut Bitboard, square: Square, step: Direction) {
    if square.step(step).is_none()
        && let Some(behind) = square.step(step.reversed())
    {
        set.insert(behind);
    }
}

static KNIGHTS_OUT: [Bitboard; 64] = behind_the_edge(Direction::KNIGHT);
static KINGS_OUT: [Bitboard; 64] = behind_the_edge(Direction::COMPASS);

/// By the colour of the pawns: only their two forward diagonals.
static PAWNS_OUT: [[Bitboard; 64]; 2] = {
    let mut sets = [[Bitboard::EMPTY; 64]; 2];
    let mut color = 0;
    while color < 2 {
        let forward = Color::ALL[color].forward();
        let mut index = 0;
        while let Some(square) = Square::from_index(index) {
            add_if_behind(&mut sets[color][square.index()], square, Direction::new(-1, forward));
            add_if_behind(&mut sets[color][square.index()], square, Direction::new(1, forward));
            index += 1;
        }
        color += 1;
    }
    sets
};

static STRAIGHT_LINES: [Bitboard; 64] = lines(attacks::ORTHOGONAL);
static DIAGONAL_LINES: [Bitboard; 64] = lines(attacks::DIAGONAL);

const fn lines(directions: [usize; 4]) -> [Bitboard; 64] {
    let mut sets = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        let mut which = 0;
        while which < 4 {
            sets[square.index()].0 |= attacks::ray(directions[which], square).0;
            which += 1;
        }
        index += 1;
    }
    sets
}

/// The direction from the first square to the second, where they share a line.
static TOWARDS: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut index = 0;
    while let Some(square) = Square::from_index(index) {
        let mut direction = 0;
        while direction < 8 {
            let mut rest = attacks::ray(direction as usize, square);
            while let Some(target) = rest.first() {
                table[square.index()][target.index()] = direction;
                rest.remove(target);
            }
            direction += 1;
        }
        index += 1;
    }
    table
};
