//! Legal actions in words, with the ways to point at them.

use serde::{Serialize, Serializer};

use super::text;
use crate::board::{Bitboard, Color, Role, Square};
use crate::rules::{Action, Displacement, Game, Rules as _, Squares, Turn, action_words};

/// A legal action as it is offered to a person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// Its canonical text.
    pub action: String,
    /// It, in words.
    pub label: String,
    /// Its short notation.
    pub notation: String,
    /// Whether chance decides a part of it.
    pub chance: bool,
    /// Whether it displaces one man: who points at that man means this action.
    pub alone: bool,
    /// The ways to point at it.
    pub ways: Vec<Way>,
    /// Squares that it names.
    pub names: Vec<String>,
    /// The same with another standing answer than a queen.
    pub answers: Vec<Answer>,
}

/// An action with its standing answer: what a pawn becomes that is carried on to its last rank.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Answer {
    /// The canonical text of the action with this answer.
    pub action: String,
    /// The answer in words.
    pub label: String,
}

/// One way to point at an action: at a square alone, or at a square and then at something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Way {
    /// The square that is pointed at first.
    #[serde(serialize_with = "square_text")]
    pub from: Square,
    /// What is pointed at then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Point>,
}

/// What is pointed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// A square.
    On(Square),
    /// Beside the board: a man leaves it. `off` in JSON.
    Off,
}

/// The legal actions of a game, on what a viewer sees of the board.
#[must_use]
pub fn choices(game: &Game, board: &Squares) -> Vec<Choice> {
    game.legal_actions().iter().map(|action| choice(game, board, action)).collect()
}

/// The ways to point at an action of `color`; none for a pass.
#[must_use]
pub fn ways(action: &Action, color: Color) -> Vec<Way> {
    let on = |from, to| Way { from, to: Some(Point::On(to)) };
    let part = |part: &Displacement| Way { from: part.from, to: Some(part.to.map_or(Point::Off, Point::On)) };
    match action {
        Action::Move { from, to, .. } | Action::Stealth { from, to } | Action::Shell { from, to } => {
            vec![on(*from, *to)]
        }
        Action::Drop { to, .. } => vec![Way { from: *to, to: None }],
        Action::Swap { low, high } => vec![on(*low, *high), on(*high, *low)],
        Action::Turn(turn) => std::iter::once(&turn.lead).chain(&turn.trail).map(part).collect(),
        Action::Castle(side) => {
            let (from, to) = side.king_squares(color);
            vec![on(from, to)]
        }
        Action::Pass | Action::Unseen { .. } => Vec::new(),
    }
}

/// Squares that an action names.
#[must_use]
pub fn named(action: &Action) -> Bitboard {
    let ends = |displacement: &Displacement| std::iter::once(displacement.from).chain(displacement.to);
    match action {
        Action::Move { from, to, .. } | Action::Shell { from, to } | Action::Stealth { from, to } => {
            [*from, *to].into_iter().collect()
        }
        Action::Unseen { from } => Bitboard::of(*from),
        Action::Drop { to, .. } => Bitboard::of(*to),
        Action::Swap { low, high } => [*low, *high].into_iter().collect(),
        Action::Turn(turn) => std::iter::once(&turn.lead).chain(turn.trail.iter()).flat_map(ends).collect(),
        Action::Pass | Action::Castle(_) => Bitboard::EMPTY,
    }
}

fn choice(game: &Game, board: &Squares, action: &Action) -> Choice {
    Choice {
        action: action.to_string(),
        label: action_words(board, action),
        notation: game.notation(action),
        chance: game.reaches_choice(action),
        alone: !matches!(action, Action::Turn(Turn { trail: Some(_), .. })),
        ways: ways(action, game.turn()),
        names: named(action).into_iter().map(text).collect(),
        answers: game.standing_answers(action).iter().filter_map(answer).collect(),
    }
}

/// An action with another answer than a queen, who is what is taken without one.
fn answer(action: &Action) -> Option<Answer> {
    let role = match action {
        Action::Move { promotion, .. } | Action::Drop { promotion, .. } => *promotion,
        _ => None,
    };
    role.filter(|role| *role != Role::Queen)
        .map(|role| Answer { action: action.to_string(), label: format!("a {role}") })
}

fn square_text<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::On(square) => serializer.collect_str(square),
            Self::Off => serializer.serialize_str("off"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::Variant;

    use super::*;

    fn offered(variant: Variant, fen: &str, action: &str) -> serde_json::Value {
        let game = Game::from_fen(variant, fen).expect("a position");
        let offered = choices(&game, &game.view(None, None).board);
        let found = offered.into_iter().find(|choice| choice.action == action).expect("it is legal");
        serde_json::to_value(found).expect("plain values")
    }

    #[test]
    fn choices_have_their_shapes_in_json() {
        let expelled = offered(Variant::Dynamo, "r3k2r/8/8/8/8/8/8/R3K2R w 20 iiii -", "a1x");
        assert_eq!(expelled["ways"], serde_json::json!([{ "from": "a1", "to": "off" }]));
        let fen = r#"7k/8/8/8/8/8/8/R3K3 w 20 {"flags":"0000","pending":"toadette:n"}"#;
        let dropped = offered(Variant::Chakart, fen, "n@c3");
        assert_eq!(dropped["ways"], serde_json::json!([{ "from": "c3" }]));
        assert_eq!(dropped["alone"], true);
    }

    #[test]
    fn a_way_by_an_object_says_that_chance_decides() {
        let fen = r#"7k/8/8/8/8/5e2/8/4K1N1 w 10 {"flags":"0000"}"#;
        assert_eq!(offered(Variant::Chakart, fen, "g1f3")["chance"], true);
    }
}
