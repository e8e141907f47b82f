//! What a page draws, as values with plain JSON shapes: positions, acts step by step, choices in words. Whoever draws
//! them needs no rules.
//!
//! A board is a text of 64 letters by [`Square::index`], a1 first: the letters of FEN, and `.` where nothing is.

mod act;
mod choice;

use serde::Serialize;

pub use act::{Act, Step, headline, marked, steps};
pub use choice::{Answer, Choice, Point, Way, choices, named, ways};

use crate::board::{Color, Square};
use crate::rules::{Occupant, Squares};
use crate::view::{HiddenQueen, View};

/// What a viewer sees at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Position {
    /// 64 letters.
    pub board: String,
    /// The player to decide.
    pub turn: Color,
    /// The decision that an egg has left to the player to decide, in words.
    pub pending: Option<String>,
    /// The queen that is hidden, if one is.
    pub hidden: Option<HiddenPlaces>,
    /// How the game ended by its rules, if it did.
    pub outcome: Option<String>,
}

/// What a viewer knows of a hidden queen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HiddenPlaces {
    /// Whose queen.
    pub color: Color,
    /// The square that she left, if it is known.
    pub origin: Option<String>,
    /// Where she is: known to her owner only.
    pub square: Option<String>,
}

impl Position {
    /// The position that a view shows.
    #[must_use]
    pub fn of(view: &View) -> Self {
        Self {
            board: letters(&view.board),
            turn: view.turn,
            pending: view.pending.clone(),
            hidden: view.hidden.map(HiddenPlaces::of),
            outcome: view.outcome.map(|outcome| outcome.to_string()),
        }
    }
}

impl HiddenPlaces {
    fn of(queen: HiddenQueen) -> Self {
        Self { color: queen.color, origin: queen.origin.map(text), square: queen.square.map(text) }
    }
}

fn text(square: Square) -> String {
    square.to_string()
}

fn letters(board: &Squares) -> String {
    board.iter().map(|occupant| letter(*occupant)).collect()
}

fn letter(occupant: Option<Occupant>) -> char {
    match occupant {
        None => '.',
        Some(Occupant::Man(man)) => man.letter(),
        Some(Occupant::Object(object)) => object.letter(),
    }
}

#[cfg(test)]
mod tests {
    use crate::chance::SeededChance;
    use crate::rules::{Game, Setup, Variant};

    use super::*;

    #[test]
    fn the_first_square_of_a_board_is_a1() {
        let game = Game::start(Variant::Dynamo, Setup::Fixed, &mut SeededChance::new([0; 32]));
        let position = Position::of(&game.view(None, None));
        assert_eq!(position.board.len(), 64);
        assert!(position.board.starts_with("RNBQKBNRPPPPPPPP....") && position.board.ends_with("pprnbqkbnr"));
    }

    #[test]
    fn only_her_owner_is_told_where_a_hidden_queen_is() {
        let fen = r#"4k3/8/8/8/8/8/8/4K3 b 9 {"flags":"0000","hidden":"d1"}"#;
        let game = Game::from_fen(Variant::Chakart, fen).expect("a position");
        let queen = "h5".parse().ok();
        let seen = |viewer| Position::of(&game.view(viewer, queen)).hidden.and_then(|hidden| hidden.square);
        assert_eq!(seen(Some(Color::White)), Some("h5".to_owned()));
        assert_eq!((seen(Some(Color::Black)), seen(None)), (None, None));
    }
}
