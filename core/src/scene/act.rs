//! An act with everything that came of it, to be told and animated.

use std::collections::BTreeMap;

use serde::Serialize;

use super::choice::named;
use super::{HiddenPlaces, letter, letters, text};
use crate::board::{Bitboard, Color, Square};
use crate::rules::{Event, Squares, sentences};
use crate::transcript::replay::Ply;
use crate::view::HiddenQueen;

/// One act as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Act {
    /// Number and notation: `12. Rxf6*W`.
    pub headline: String,
    /// The notation with its result.
    pub notation: String,
    /// The turn, from 1; sub-moves share it.
    pub turn: u32,
    /// Who acted.
    pub color: Color,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// Squares that it names or changes.
    pub marked: Vec<String>,
    /// The board afterwards, 64 letters.
    pub board: String,
    /// The queen that is hidden afterwards, if one is; where she is, is not told of the past.
    pub hidden: Option<HiddenPlaces>,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// It, as a sentence.
    pub text: String,
    /// The name of the event, as in its own JSON; `told` where the board does not show it.
    pub event: String,
    /// Where a man came from.
    pub from: Option<String>,
    /// Where it went.
    pub to: Option<String>,
    /// The one square that matters where nothing goes from one to another.
    pub square: Option<String>,
    /// What the step changes on the board: the letter that each square shows from now on.
    pub set: BTreeMap<String, char>,
}

impl Act {
    /// The act as `viewer` sees it; `None` is the public.
    #[must_use]
    pub fn of(ply: &Ply, viewer: Option<Color>) -> Self {
        let mut board = ply.before.view(viewer, None).board;
        let after = ply.after.view(viewer, None);
        Self {
            headline: headline(ply),
            notation: ply.notation_played(),
            turn: ply.turn,
            color: ply.color,
            steps: told_steps(ply, &mut board),
            marked: marked(ply).into_iter().map(text).collect(),
            board: letters(&after.board),
            hidden: after.hidden.map(|queen| HiddenPlaces::of(HiddenQueen { square: None, ..queen })),
        }
    }
}

impl Step {
    fn told(text: String) -> Self {
        Self { text, event: "told".to_owned(), from: None, to: None, square: None, set: BTreeMap::new() }
    }

    fn of(event: &Event, text: String, board: &mut Squares) -> Self {
        let before = *board;
        crate::rules::apply(board, event);
        let changed = Square::all().filter(|square| before[square.index()] != board[square.index()]);
        let set = changed.map(|square| (super::text(square), letter(board[square.index()]))).collect();
        let (from, to) = journey(event).unzip();
        let square = if from.is_some() { None } else { touched(event).first().copied() };
        Self {
            event: event_name(event),
            from: from.map(super::text),
            to: to.map(super::text),
            square: square.map(super::text),
            set,
            text,
        }
    }
}

/// `12. Rxf6*W` for White, `12... Qd1??` for Black, with what else was said with it.
#[must_use]
pub fn headline(ply: &Ply) -> String {
    let number = ply.turn.div_ceil(2);
    let dots = if ply.color == Color::White { "." } else { "..." };
    let offer = if ply.draw_offer { ", draw offered" } else { "" };
    format!("{number}{dots} {}{offer}", ply.notation_played())
}

/// What an act did, a sentence each; what it waits for while its chance is not revealed.
#[must_use]
pub fn steps(ply: &Ply) -> Vec<String> {
    match &ply.events {
        Some(events) => sentences(events),
        None => vec!["its chance is not revealed yet".to_owned()],
    }
}

/// Squares that an act names or changes, to be marked on the board.
#[must_use]
pub fn marked(ply: &Ply) -> Bitboard {
    let mut squares = named(&ply.action);
    for event in ply.events.iter().flatten() {
        for square in touched(event) {
            squares.insert(square);
        }
    }
    squares
}

fn told_steps(ply: &Ply, board: &mut Squares) -> Vec<Step> {
    let opened = ply.opened.map(|square| Step::told(format!("the hidden queen was on {square}")));
    let texts = steps(ply).into_iter();
    let steps: Vec<Step> = match &ply.events {
        Some(events) => events.iter().zip(texts).map(|(event, text)| Step::of(event, text, board)).collect(),
        None => texts.map(Step::told).collect(),
    };
    opened.into_iter().chain(steps).collect()
}

/// From where to where a man goes, if one does.
const fn journey(event: &Event) -> Option<(Square, Square)> {
    match *event {
        Event::Moved { from, to, .. } | Event::Returned { from, to } | Event::ShellThrown { from, to } => {
            Some((from, to))
        }
        _ => None,
    }
}

fn touched(event: &Event) -> Vec<Square> {
    match *event {
        Event::Moved { from, to, .. } | Event::Returned { from, to } => vec![from, to],
        Event::Swapped { low, high } => vec![low, high],
        Event::Dropped { to, .. } => vec![to],
        Event::Captured { square, .. }
        | Event::Destroyed { square, .. }
        | Event::Turned { square, .. }
        | Event::Promoted { square, .. }
        | Event::Immobilised { square } => vec![square],
        _ => Vec::new(),
    }
}

/// The name that an event has in its own JSON.
fn event_name(event: &Event) -> String {
    let value = serde_json::to_value(event).unwrap_or_default();
    value.get("event").and_then(serde_json::Value::as_str).unwrap_or("told").to_owned()
}

#[cfg(test)]
mod tests {
    use crate::chance::SeededChance;
    use crate::rules::{Game, Rules as _, Setup, Variant};

    use super::*;

    fn played(before: &Game, number: usize, chance: &mut SeededChance) -> Option<(Game, Ply)> {
        let legal = before.legal_actions();
        let action = *legal.get(number % legal.len().max(1))?;
        let played = before.play(&action, chance).ok()?;
        let ply = Ply::unlogged(before.clone(), action, played);
        Some((ply.after.clone(), ply))
    }

    /// What the steps set leads from the board before to the board after, in every variant.
    #[test]
    fn steps_lead_to_the_board_afterwards() {
        for variant in Variant::ALL {
            let mut chance = SeededChance::new([7; 32]);
            let mut game = Game::start(variant, Setup::Fixed, &mut chance);
            let mut number = 7;
            while let Some((next, ply)) = played(&game, number, &mut chance) {
                let act = Act::of(&ply, None);
                let mut board = letters(&ply.before.view(None, None).board).into_bytes();
                for (square, letter) in act.steps.iter().flat_map(|step| &step.set) {
                    let index = square.parse::<Square>().expect("a square").index();
                    board[index] = u8::try_from(*letter).expect("a letter of FEN");
                }
                assert_eq!(String::from_utf8(board).expect("letters"), act.board, "{}", act.headline);
                (game, number) = (next, number * 31 % 1009);
                if game.ply() > 60 {
                    break;
                }
            }
            assert!(game.ply() > 3, "{variant}");
        }
    }

    #[test]
    fn the_places_of_an_act_have_their_shapes_in_json() {
        let mut chance = SeededChance::new([0; 32]);
        let game = Game::start(Variant::Dynamo, Setup::Fixed, &mut chance);
        let action = game.parse_action("e2e4").expect("canonical");
        let at = game.legal_actions().iter().position(|legal| *legal == action).expect("legal");
        let (_, ply) = played(&game, at, &mut chance).expect("it is played");
        let json = serde_json::to_value(Act::of(&ply, None)).expect("plain values");
        assert_eq!(json["color"], "white");
        assert_eq!(json["steps"][0]["event"], "moved");
        assert_eq!(json["steps"][0]["set"], serde_json::json!({ "e2": ".", "e4": "P" }));
        assert_eq!(json["marked"], serde_json::json!(["e2", "e4"]));
    }
}
