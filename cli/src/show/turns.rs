//! Acts as people read them: move number, notation, and step by step what came of them.

use chakart_core::board::{Bitboard, Color, Square};
use chakart_core::rules::{Action, Displacement, Event, sentences};
use chakart_core::transcript::replay::Ply;
use serde::Serialize;

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

/// An act for programs.
#[derive(Serialize)]
pub struct PlyObject {
    seq: u32,
    reveal_seq: Option<u32>,
    turn: u32,
    color: Color,
    author: String,
    at_ms: u64,
    action: String,
    notation: String,
    draw_offer: bool,
    opened: Option<String>,
    events: Option<Vec<Event>>,
    steps: Vec<String>,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    arrived_ms: Option<u64>,
}

/// The same, with the moment at which the act came here; `arrivals` by place, in milliseconds of Unix time.
#[must_use]
pub fn arrived(ply: &Ply, arrivals: &[u64]) -> PlyObject {
    PlyObject { arrived_ms: arrivals.get(ply.seq as usize).copied(), ..object(ply) }
}

/// An act for programs, with the public position after it.
#[must_use]
pub fn object(ply: &Ply) -> PlyObject {
    use chakart_core::rules::Rules as _;
    PlyObject {
        seq: ply.seq,
        reveal_seq: ply.reveal_seq,
        turn: ply.turn,
        color: ply.color,
        author: ply.author.to_string(),
        at_ms: ply.at_ms,
        action: ply.action.to_string(),
        notation: ply.notation_played(),
        draw_offer: ply.draw_offer,
        opened: ply.opened.map(|square| square.to_string()),
        events: ply.events.clone(),
        steps: steps(ply),
        fen: ply.after.fen(),
        arrived_ms: None,
    }
}
