//! Acts for programs.

use chakart_core::board::Color;
use chakart_core::rules::Event;
use chakart_core::scene;
use chakart_core::transcript::replay::Ply;
use serde::Serialize;

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
        steps: scene::steps(ply),
        fen: ply.after.fen(),
        arrived_ms: None,
    }
}
