//! From the model to cells.

mod board;
pub(super) mod lobby;
pub(super) mod pages;
pub(super) mod panel;
mod words;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::areas::{Areas, MIN_HEIGHT, MIN_WIDTH};
use super::lobby::Typed;
use super::model::{Model, Page};
use super::table::{Focus, Table};
use crate::desk::seat::Purpose;

/// Cells that tell what is waited for, if it needs so many.
const MIN_STANDING: usize = 24;

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, model: &Model) {
    let window = frame.area();
    let buffer = frame.buffer_mut();
    if !Areas::is_enough(window.as_size()) {
        let words = format!(
            "This window is too small: {MIN_WIDTH} x {MIN_HEIGHT} are needed. 'play GAME --text' needs less."
        );
        for (row, line) in words::wrapped(&words, window.width, "", "").into_iter().enumerate() {
            put(buffer, row_of(window, row), line);
        }
        return;
    }
    let areas = Areas::new(window.as_size());
    let beside = matches!(model.page, Some(Page::Odds { .. }));
    match &model.table {
        _ if model.page.is_some() && !beside => pages::draw(buffer, &areas, model),
        Some(table) => draw_table(buffer, &areas, model, table),
        None => lobby::draw(buffer, &areas, model),
    }
    draw_prompt(frame, &areas, model);
}

fn draw_table(buffer: &mut Buffer, areas: &Areas, model: &Model, table: &Table) {
    let look = model.look;
    put(buffer, areas.title, Line::styled(table.seat.title.clone(), look.strong()));
    board::draw(buffer, areas, look, table);
    if let Some(Page::Odds { .. }) = model.page {
        pages::draw_odds(buffer, areas.panel, model);
    } else {
        panel::draw(buffer, areas.panel, look, table);
    }
    put(buffer, areas.standing, standing(model, table, areas.standing.width));
    put(buffer, areas.keys, Line::styled(keys(model, table), look.quiet()));
}

/// What is waited for, how the opponent is connected, what has arrived there. Where they are too long together, the
/// delivery is whole and the others are cut.
fn standing(model: &Model, table: &Table, width: u16) -> Line<'static> {
    let seat = &table.seat;
    let separator = model.look.separator();
    let style = if table.chooses() || seat.finished { model.look.strong() } else { Style::new() };
    let waited = format!("{}{}", seat.standing, seat.time_left);
    if let Purpose::Lesson(_) = seat.purpose {
        return Line::styled(seat.standing.clone(), style);
    }
    let delivery = format!("{separator}{}", seat.delivery);
    let room = usize::from(width).saturating_sub(Span::raw(&delivery).width());
    let kept = Span::raw(&waited).width().min(MIN_STANDING);
    let path = words::head(&format!("{separator}{}", seat.path), room.saturating_sub(kept));
    let waited = words::head(&waited, room.saturating_sub(Span::raw(&path).width()));
    Line::from(vec![Span::styled(waited, style), Span::styled(path + &delivery, model.look.quiet())])
}

const LESSON_KEYS: &str = "arrows Enter, mouse or e2e4  o odds  n next  p previous  r again  q leave";
const LESSON_DONE_KEYS: &str = "n or Enter next lesson  r again  p previous  left right acts  q leave";

/// What can be typed now, the most useful first; the narrowest window shows the beginning.
fn keys(model: &Model, table: &Table) -> &'static str {
    if model.page.is_some() {
        "up down scroll  y n 1-9 answer  Esc closes the odds"
    } else if table.typed.is_some() {
        "Enter does it  Esc back   e2e4, draw, resign, chat TEXT, quit ..."
    } else if table.question.is_some() {
        "1-9 y n answer  up down Enter  o odds  Esc back, nothing is signed  ? help"
    } else if let Purpose::Lesson(_) = table.seat.purpose {
        if table.chooses() { LESSON_KEYS } else { LESSON_DONE_KEYS }
    } else if table.shown.is_some() || table.focus == Focus::Acts {
        "left right act  up down turn  Tab board  : words  m messages  ? help  q games"
    } else {
        "arrows Enter, mouse or e2e4  o odds  Tab back  : words  R rules  ? help  q games"
    }
}

/// What is typed, told, or looked at.
fn draw_prompt(frame: &mut Frame<'_>, areas: &Areas, model: &Model) {
    let typed = match &model.table {
        Some(table) => table.typed.as_deref().map(|text| (":", text)),
        None => model.lobby.typed.as_ref().map(|typed| match typed {
            Typed::Invite(text) => ("invite: ", text.as_str()),
            Typed::Name(text) => ("your name: ", text.as_str()),
        }),
    };
    if let Some((before, text)) = typed.filter(|_| model.page.is_none()) {
        let text = crate::show::escape::escaped(text);
        let room = areas.prompt.width.saturating_sub(1 + width_of(before));
        let shown = words::tail(&text, room);
        let column = areas.prompt.x + width_of(before) + width_of(&shown);
        put(frame.buffer_mut(), areas.prompt, Line::from(format!("{before}{shown}")));
        frame.set_cursor_position((column.min(areas.prompt.right().saturating_sub(1)), areas.prompt.y));
        return;
    }
    let looking_back = || {
        let table = model.table.as_ref()?;
        let shown = table.shown?;
        Some(format!("looking back: the board after act {shown} of {}; Esc returns", table.seat.acts.len()))
    };
    if let Some(words) = model.notice.clone().or_else(looking_back) {
        put(frame.buffer_mut(), areas.prompt, Line::styled(words, model.look.strong()));
    }
}

/// Cells of a text that fits into a window.
fn width_of(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// Writes a line, cut where the area ends.
fn put(buffer: &mut Buffer, area: Rect, line: impl Into<Line<'static>>) {
    if area.height > 0 {
        buffer.set_line(area.x, area.y, &line.into(), area.width);
    }
}

/// One row of an area; empty below its last.
fn row_of(area: Rect, row: usize) -> Rect {
    let row = u16::try_from(row).unwrap_or(u16::MAX);
    if row < area.height { Rect { y: area.y + row, height: 1, ..area } } else { Rect { height: 0, ..area } }
}
