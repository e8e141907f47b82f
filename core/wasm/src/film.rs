//! A game as a page draws it, from the view of the public.

use chakart_core::board::Color;
use chakart_core::escape::quoted;
use chakart_core::scene::{Act, Position};
use chakart_core::transcript::replay::replay;
use chakart_core::transcript::verify::Transcript;
use serde::Serialize;

/// A game from its set-up on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Film {
    /// The name of its rules.
    pub variant: &'static str,
    /// Rules and set-up in words.
    pub title: String,
    /// Who plays, White first.
    pub players: [Player; 2],
    /// The position before the first act.
    pub start: Position,
    /// What was played.
    pub acts: Vec<Act>,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Player {
    /// Which side.
    pub color: Color,
    /// What it calls itself, escaped and in quotes.
    pub name: String,
}

impl Film {
    /// The game of a transcript as far as it is valid; none before the board is set up.
    #[must_use]
    pub fn of(transcript: &Transcript) -> Option<Self> {
        let log = &transcript.log;
        let (table, game) = (log.phase().table()?, log.phase().game()?);
        let plies = replay(&transcript.entries).unwrap_or_else(|(plies, _)| plies);
        let start = plies.first().map_or(game, |ply| &ply.before);
        let variant = log.terms().variant;
        Some(Self {
            variant: variant.info().name,
            title: format!("rules {variant}, set-up {}", log.terms().setup),
            players: Color::ALL.map(|color| Player { color, name: quoted(log.name(table.party(color))) }),
            start: Position::of(&start.view(None, None)),
            acts: plies.iter().map(|ply| Act::of(ply, None)).collect(),
        })
    }
}
