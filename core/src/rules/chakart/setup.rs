//! The starting arrays (section 3).

use super::{Edition, Position};
use crate::board::{Color, File, Role, Square};
use crate::chance::SeededChance;
use crate::rules::{Man, Setup};

/// Number of arrays in which the bishops stand on squares of opposite colours.
pub const ARRAYS: u32 = 2880;

/// Men on files a to h of a back rank.
pub type Array = [Role; 8];

const ORTHODOX: Array =
    [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];

/// The array with this index, 0 to 2879, in the lexicographic order of the letters B K N Q R on files a to h.
#[must_use]
pub fn array(index: u32) -> Option<Array> {
    let mut letters = *b"BBKNNQRR";
    let mut left = index;
    loop {
        if bishops_differ(&letters) {
            if left == 0 {
                return Some(
                    letters.map(|letter| Role::from_letter(char::from(letter)).unwrap_or(Role::Pawn)),
                );
            }
            left -= 1;
        }
        if !next_permutation(&mut letters) {
            return None;
        }
    }
}

impl Position {
    /// The position at the beginning of a game.
    ///
    /// Draws from `chance` one array for [`Setup::Symmetric`], White's and then Black's for [`Setup::Asymmetric`],
    /// nothing for [`Setup::Fixed`].
    #[must_use]
    pub fn start(edition: &'static Edition, setup: Setup, chance: &mut SeededChance) -> Self {
        let mut any = || array(chance.uniform(ARRAYS)).unwrap_or(ORTHODOX);
        let arrays = match setup {
            Setup::Fixed => [ORTHODOX; 2],
            Setup::Symmetric => [any(); 2],
            Setup::Asymmetric => {
                let white = any();
                [white, any()]
            }
        };
        Self::with_arrays(edition, &arrays)
    }

    /// The position at the beginning of a game with these arrays, White's first.
    #[must_use]
    pub fn with_arrays(edition: &'static Edition, arrays: &[Array; 2]) -> Self {
        let mut position = Self::empty(edition);
        for (color, array) in Color::ALL.into_iter().zip(arrays) {
            for (file, role) in File::ALL.into_iter().zip(array) {
                position.board.put_man(Square::at(file, color.first_rank()), Man::new(color, *role));
                position.board.put_man(Square::at(file, color.second_rank()), Man::new(color, Role::Pawn));
            }
        }
        position
    }
}

/// Whether the two bishops stand an odd number of files apart.
fn bishops_differ(letters: &[u8; 8]) -> bool {
    let mut bishops = letters.iter().enumerate().filter(|(_, letter)| **letter == b'B').map(|(file, _)| file);
    matches!((bishops.next(), bishops.next()), (Some(a), Some(b)) if (a + b) % 2 == 1)
}

/// Steps to the next arrangement in lexicographic order; `false` after the last.
fn next_permutation(letters: &mut [u8; 8]) -> bool {
    let Some(pivot) = letters.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let successor = letters.iter().rposition(|letter| *letter > letters[pivot]).unwrap_or(pivot + 1);
    letters.swap(pivot, successor);
    letters[pivot + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(index: u32) -> Option<String> {
        array(index).map(|array| array.map(|role| role.letter().to_ascii_uppercase()).iter().collect())
    }

    #[test]
    fn the_order_of_the_arrays_is_that_of_their_letters() {
        let all: Vec<String> = (0..ARRAYS).map(|index| letters(index).expect("below the count")).collect();
        assert!(all.is_sorted());
        assert_eq!(letters(ARRAYS), None);
        assert_eq!(all.first().map(String::as_str), Some("BBKNNQRR"));
        assert_eq!(all.last().map(String::as_str), Some("RRQNNKBB"));
    }
}
