//! Messages between the players of a game.

use chakart_core::protocol::note::NoteText;
use chakart_node::store::{GameSummary, StoredNote};
use serde_json::{Value, json};

use super::escape::{escaped, quoted};
use super::stamp;
use crate::failure::{Kind, Problem};

/// Reads the text of a message.
///
/// # Errors
/// [`Problem`] of kind [`Kind::Usage`]
pub fn parse(text: &str) -> Result<NoteText, Problem> {
    NoteText::new(text).map_err(|error| Problem::new(Kind::Usage, error.to_string()))
}

/// A message as lines, escaped: when and by whom it was written, and its text.
#[must_use]
pub fn lines(note: &StoredNote, game: &GameSummary) -> Vec<String> {
    let who = if note.own { "you".to_owned() } else { quoted(&game.opponent_name) };
    let way = if note.delivered { "" } else { ", not delivered yet" };
    let at_ms = note.note.at_ms;
    let mut lines = vec![format!("{who}, {}{way}:", stamp::utc(at_ms))];
    lines.extend(stamp::doubtful(at_ms, note.arrived_ms));
    lines.extend(note.note.text.as_str().split('\n').map(|line| format!("  | {}", escaped(line))));
    lines
}

/// A message for programs.
#[must_use]
pub fn object(note: &StoredNote) -> Value {
    json!({
        "own": note.own,
        "number": note.note.number,
        "at_ms": note.note.at_ms,
        "arrived_ms": note.arrived_ms,
        "delivered": note.delivered,
        "text": note.note.text.as_str(),
    })
}
