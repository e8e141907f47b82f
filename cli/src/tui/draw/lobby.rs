//! The list of games.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::words::wrapped;
use super::{panel, put, row_of};
use crate::tui::areas::Areas;
use crate::tui::lobby::{Lobby, Row, Start};
use crate::tui::look::Look;
use crate::tui::model::Model;
use crate::tui::question::Question;

/// Rows of the window that a game takes.
const ROWS_EACH: usize = 3;
/// What somebody without games is told, a paragraph a line.
const GREETING: &str = "\
Welcome! Chakart is chess in which pieces leave mushrooms, eggs, bananas and bombs, and chance decides what these \
do. You play it with a friend, and nobody is in between: no server, no account, and no way to cheat at the dice.

  t   take the tour: eleven small boards, five minutes
  p   practise against the machine
  n   invite a friend: makes a text for you to send
  i   you have got an invite: paste it here
  c   say what you want to be called

Your games will be listed here, those first in which it is your turn.";
/// Longest lines of the greeting: wider ones are hard to read.
const GREETING_WIDTH: u16 = 78;
const KEYS: &str = "Enter  n new  i invited  p practise  t tour  c your name  L luck  ? help  q leave";
const KEYS_ASKED: &str = "1-9 y n answer  up down Enter  Esc back";
const KEYS_TYPED: &str = "paste or type it, then Enter   Esc back";

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
    put(buffer, areas.keys, Line::styled(keys(&model.lobby), look.quiet()));
    if let Some(question) = &model.lobby.question {
        for (index, row) in asked(question, model, areas).into_iter().enumerate() {
            put(buffer, row_of(areas.body, index + 1), row.line);
        }
        return;
    }
    if model.lobby.rows.is_empty() {
        greet(buffer, areas);
    }
    let first = first_row(&model.lobby, areas);
    let widths = widths(&model.lobby);
    for (place, (index, row)) in model.lobby.rows.iter().enumerate().skip(first).enumerate() {
        let top = 1 + place * ROWS_EACH;
        let [line, detail] = lines(row, index == model.lobby.at, widths, look);
        put(buffer, row_of(areas.body, top), line);
        put(buffer, row_of(areas.body, top + 1), detail);
    }
}

fn greet(buffer: &mut Buffer, areas: &Areas) {
    let width = areas.body.width.min(GREETING_WIDTH);
    let lines = GREETING.lines().flat_map(|line| {
        wrapped(line.trim_start(), width, if line.starts_with(' ') { "  " } else { "" }, "")
    });
    for (index, line) in lines.enumerate() {
        put(buffer, row_of(areas.body, index + 1), line);
    }
}

const fn keys(lobby: &Lobby) -> &'static str {
    match (&lobby.question, &lobby.typed) {
        (Some(_), _) => KEYS_ASKED,
        (None, Some(_)) => KEYS_TYPED,
        (None, None) => KEYS,
    }
}

fn asked(question: &Question<Start>, model: &Model, areas: &Areas) -> Vec<panel::Row> {
    let height = usize::from(areas.body.height).saturating_sub(1);
    panel::asked(question, model.look, areas.body.width, height)
}

/// The answer on which a click falls, if something is asked.
pub(in crate::tui) fn answer_at(model: &Model, areas: &Areas, row: u16) -> Option<usize> {
    let question = model.lobby.question.as_ref()?;
    let below = usize::from(row.checked_sub(areas.body.y + 1)?);
    match asked(question, model, areas).get(below)?.hit? {
        panel::Hit::Answer(at) => Some(at),
        panel::Hit::Act(_) => None,
    }
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
