//! Pages over the board: help, rules, messages; and odds beside it.

use chakart_core::rules::{Rules as _, Variant};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::words::wrapped;
use super::{put, row_of};
use crate::show::invite::qr_code;
use crate::show::odds::{Bar, percent};
use crate::show::pages::page;
use crate::tui::areas::Areas;
use crate::tui::keys::HELP;
use crate::tui::look::Look;
use crate::tui::model::{Model, Page, Shown};

const KEYS: &str = "up, down, page keys scroll   any other key closes this page";
/// Cells of a share in figures.
const SHARE: usize = 7;
/// Cells of a bar that stands for certainty.
const BAR: usize = 10;
/// A bar is measured in so many parts of a cell.
const PARTS: usize = 8;

/// Draws the page that is over the board.
pub(super) fn draw(buffer: &mut Buffer, areas: &Areas, model: &Model) {
    put(buffer, areas.title, Line::styled(title(model), model.look.strong()));
    let lines = lines(model, areas);
    let left = lines.len().saturating_sub(model.scroll + usize::from(areas.body.height));
    for (row, line) in lines.into_iter().skip(model.scroll).enumerate() {
        put(buffer, row_of(areas.body, row), line);
    }
    if left > 0 {
        put(buffer, areas.standing, Line::styled(format!("{left} more lines below"), model.look.quiet()));
    }
    put(buffer, areas.keys, Line::styled(KEYS, model.look.quiet()));
}

/// The farthest that the open page can be scrolled.
pub(in crate::tui) fn last_scroll(model: &Model) -> usize {
    let areas = Areas::new(model.size);
    lines(model, &areas).len().saturating_sub(usize::from(areas.body.height))
}

fn title(model: &Model) -> String {
    match &model.page {
        Some(Page::Rules) => format!("The rules: {}", variant(model)),
        Some(Page::Messages) => "Messages".to_owned(),
        Some(Page::Luck(_)) => "Random results against what was to be expected".to_owned(),
        Some(Page::Invite(shown)) => format!("{}: {}", shown.name, shown.words),
        _ => "Keys and words".to_owned(),
    }
}

fn variant(model: &Model) -> Variant {
    let rules = model.table.as_ref().and_then(|table| table.seat.rules());
    rules.map_or(Variant::Chakart, chakart_core::rules::Game::variant)
}

fn lines(model: &Model, areas: &Areas) -> Vec<Line<'static>> {
    match &model.page {
        None => Vec::new(),
        Some(Page::Help) => HELP.lines().map(|line| heading(line, model.look)).collect(),
        Some(Page::Rules) => page(variant(model)).lines().map(|line| Line::from(line.to_owned())).collect(),
        Some(Page::Messages) => messages(model, areas.body.width),
        Some(Page::Luck(found)) => luck(found.as_ref(), model.look, areas.body.width),
        Some(Page::Invite(shown)) => invite(shown, model.look, areas.body),
        Some(Page::Odds { title, bars, .. }) => odds(model, title, bars.as_ref(), areas.panel.width),
    }
}

fn heading(line: &str, look: Look) -> Line<'static> {
    let style = if line.starts_with(' ') { Style::new() } else { look.strong() };
    Line::styled(line.to_owned(), style)
}

fn messages(model: &Model, width: u16) -> Vec<Line<'static>> {
    let Some(table) = &model.table else { return Vec::new() };
    if table.seat.messages.is_empty() {
        return vec![Line::from("No messages yet; ':chat TEXT' writes one.")];
    }
    table.seat.messages.iter().flat_map(|line| wrapped(line, width, "", "    ")).map(Line::from).collect()
}

fn luck(found: Option<&Result<Vec<String>, String>>, look: Look, width: u16) -> Vec<Line<'static>> {
    match found {
        None => vec![Line::styled("being counted", look.quiet())],
        Some(Err(problem)) => wrapped(problem, width, "", "  ").into_iter().map(Line::from).collect(),
        // Bars are in lines that are further in.
        Some(Ok(lines)) => lines.iter().map(|line| heading(line, look)).collect(),
    }
}

/// What the guest is sent, and its QR code where that leaves room for the text.
fn invite(shown: &Shown, look: Look, area: Rect) -> Vec<Line<'static>> {
    let styled = |words: &str, style| {
        let lines = wrapped(words, area.width, "", "").into_iter();
        lines.map(move |line| Line::styled(line, style)).collect::<Vec<_>>()
    };
    let mut lines = styled(
        "Send this text to your friend, by any way that you trust. Line breaks in it do no harm:",
        look.strong(),
    );
    lines.push(Line::default());
    lines.extend(styled(&shown.invite, Style::new()));
    lines.push(Line::default());
    lines.extend(styled(
        "Your friend opens chakart, presses i and pastes it, or types: chakart join 'THE TEXT'. Stay here, and the game \
         opens as soon as your friend has taken it. If you leave, the offer stays open.",
        Style::new(),
    ));
    let room = usize::from(area.height).saturating_sub(lines.len() + 1);
    // Blocks of two colours, or nothing that could be read.
    if let Some(code) = qr_code(&shown.invite, (usize::from(area.width), room)).filter(|_| look.has_sprites())
    {
        lines.push(Line::default());
        lines.extend(code.lines().map(|line| Line::styled(line.to_owned(), look.paper())));
    }
    lines
}

/// Draws the odds of an action.
pub(super) fn draw_odds(buffer: &mut Buffer, area: Rect, model: &Model) {
    let Some(Page::Odds { title, bars, .. }) = &model.page else { return };
    let lines = odds(model, title, bars.as_ref(), area.width);
    let more = lines.len().saturating_sub(model.scroll + usize::from(area.height)) > 0;
    for (row, line) in lines.into_iter().skip(model.scroll).enumerate() {
        put(buffer, row_of(area, row), line);
    }
    if more {
        let last = row_of(area, usize::from(area.height).saturating_sub(1));
        buffer.set_style(last, Style::new());
        put(
            buffer,
            last,
            Line::styled(
                format!("{:width$}", "more below", width = usize::from(area.width)),
                model.look.quiet(),
            ),
        );
    }
}

fn odds(
    model: &Model,
    title: &str,
    bars: Option<&Result<Vec<Bar>, String>>,
    width: u16,
) -> Vec<Line<'static>> {
    let look = model.look;
    let words = |text: &str, style| {
        wrapped(text, width, "", "  ")
            .into_iter()
            .map(move |line| Line::styled(line, style))
            .collect::<Vec<_>>()
    };
    let mut lines = words(&format!("Odds: {title}"), look.strong());
    match bars {
        None => lines.push(Line::styled("being counted", look.quiet())),
        Some(Err(why)) => lines.extend(words(why, Style::new())),
        Some(Ok(bars)) => lines.extend(bars.iter().flat_map(|bar| bar_lines(bar, look, width))),
    }
    let hidden = model.table.as_ref().and_then(|table| table.seat.rules()?.hidden_origin());
    if hidden.is_some() {
        lines.extend(words("A queen is hidden: these are the odds as if she were nowhere.", Style::new()));
    }
    lines
}

/// The share in figures and as a part of a bar, and what it is the share of.
fn bar_lines(bar: &Bar, look: Look, width: u16) -> Vec<Line<'static>> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a few cells")]
    let parts = (bar.share * (BAR * PARTS) as f64).round() as usize;
    let cells = (0..BAR).map(|cell| look.bar(parts.saturating_sub(cell * PARTS).min(PARTS)));
    let figures = format!("{:>SHARE$} ", percent(bar.share));
    let filled: String = cells.collect();
    let head = format!("{figures}{filled} ");
    let ways = if bar.outcomes > 1 { format!(" ({} outcomes)", bar.outcomes) } else { String::new() };
    let mut lines = wrapped(&format!("{}{ways}", bar.words), width, &head, "    ").into_iter();
    let first = lines.next().unwrap_or_default();
    let words = first.strip_prefix(&head).unwrap_or_default().to_owned();
    let first = Line::from(vec![
        Span::raw(figures),
        Span::styled(filled, look.strong()),
        Span::raw(format!(" {words}")),
    ]);
    std::iter::once(first).chain(lines.map(Line::from)).collect()
}
