//! The list of games.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{put, row_of};
use crate::tui::areas::Areas;
use crate::tui::lobby::{Lobby, Row};
use crate::tui::look::Look;
use crate::tui::model::Model;

/// Rows of the window that a game takes.
const ROWS_EACH: usize = 3;
const NOTHING: &str =
    "No games yet. 'chakart new' makes an invite for a friend, 'chakart join INVITE' takes one.";
const KEYS: &str = "up, down, Enter or mouse   s glyphs or letters   R rules   ? help   q leave";

/// Draws the list.
pub(super) fn draw(buffer: &mut Buffer, areas: &Areas, model: &Model) {
    let look = model.look;
    let mine = model.lobby.rows.iter().filter(|row| row.mine).count();
    let title = match mine {
        0 => "Your games".to_owned(),
        1 => "Your games: it is your turn in one".to_owned(),
        many => format!("Your games: it is your turn in {many}"),
    };
    put(buffer, areas.title, Line::styled(title, look.strong()));
    if model.lobby.rows.is_empty() {
        for (index, line) in super::words::wrapped(NOTHING, areas.body.width, "", "").into_iter().enumerate()
        {
            put(buffer, row_of(areas.body, index + 1), line);
        }
    }
    let first = first_row(&model.lobby, areas);
    let widths = widths(&model.lobby);
    for (place, (index, row)) in model.lobby.rows.iter().enumerate().skip(first).enumerate() {
        let top = 1 + place * ROWS_EACH;
        let [line, detail] = lines(row, index == model.lobby.at, widths, look);
        put(buffer, row_of(areas.body, top), line);
        put(buffer, row_of(areas.body, top + 1), detail);
    }
    put(buffer, areas.keys, Line::styled(KEYS, look.quiet()));
}

/// The row on which a click falls.
pub(in crate::tui) fn row_at(lobby: &Lobby, areas: &Areas, row: u16) -> Option<usize> {
    let below = usize::from(row.checked_sub(areas.body.y + 1)?);
    let at = first_row(lobby, areas) + below / ROWS_EACH;
    (row < areas.body.bottom() && at < lobby.rows.len()).then_some(at)
}

/// The first row that is drawn: the one at hand is always among those.
fn first_row(lobby: &Lobby, areas: &Areas) -> usize {
    let fit = usize::from(areas.body.height.saturating_sub(1)) / ROWS_EACH;
    (lobby.at + 1).saturating_sub(fit.max(1))
}

/// The widest name and the widest state, in cells.
fn widths(lobby: &Lobby) -> (usize, usize) {
    let widest = |text: fn(&Row) -> &str| lobby.rows.iter().map(|row| Span::raw(text(row)).width()).max();
    (widest(|row| &row.name).unwrap_or_default(), widest(|row| &row.state).unwrap_or_default())
}

fn lines(row: &Row, at_hand: bool, (name, state): (usize, usize), look: Look) -> [Line<'static>; 2] {
    let pointer = if at_hand { look.pointer() } else { "  " };
    let name_style = if at_hand { look.chosen_line() } else { Style::new() };
    let state_style = if row.mine { look.strong() } else { Style::new() };
    let first = Line::from(vec![
        Span::raw(pointer),
        Span::styled(padded(&row.name, name), name_style),
        Span::styled(format!("  {}", padded(&row.state, state)), state_style),
        Span::raw(format!("  {}", row.words)),
    ]);
    [first, Line::styled(format!("    {}", row.detail), look.quiet())]
}

/// A text with blanks up to so many cells.
fn padded(text: &str, cells: usize) -> String {
    let missing = cells.saturating_sub(Span::raw(text).width());
    format!("{text}{:missing$}", "")
}
