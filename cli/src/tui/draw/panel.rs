//! The words beside the board: what is asked or to be known, and the acts with what came of them.

use chakart_core::rules::{Object, Occupant};
use chakart_core::view::View;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::words::wrapped;
use super::{put, row_of};
use crate::desk::seat::Act;
use crate::show::board;
use crate::tui::look::Look;
use crate::tui::question::Question;
use crate::tui::table::Table;

/// Rows that the acts keep while something is asked.
const MIN_ACT_ROWS: usize = 5;

/// What a click on a row means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tui) enum Hit {
    /// An answer, by its place.
    Answer(usize),
    /// The board after so many acts.
    Act(usize),
}

/// A row with what a click on it means.
pub(in crate::tui) struct Row {
    pub(in crate::tui) line: Line<'static>,
    pub(in crate::tui) hit: Option<Hit>,
}

/// Draws the words of a table.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, look: Look, table: &Table) {
    for (index, row) in rows(table, look, area).into_iter().enumerate() {
        put(buffer, row_of(area, index), row.line);
    }
}

/// What a click into the words means.
pub(in crate::tui) fn hit(table: &Table, look: Look, area: Rect, column: u16, row: u16) -> Option<Hit> {
    if !area.contains((column, row).into()) {
        return None;
    }
    rows(table, look, area).get(usize::from(row - area.y))?.hit
}

fn rows(table: &Table, look: Look, area: Rect) -> Vec<Row> {
    let (width, height) = (area.width, usize::from(area.height));
    let mut rows = match &table.question {
        Some(question) => asked(question, look, width, height.saturating_sub(MIN_ACT_ROWS)),
        None => known(table, look, width),
    };
    rows.truncate(height.saturating_sub(MIN_ACT_ROWS));
    rows.push(Row { line: Line::styled(look.rule().repeat(usize::from(width)), look.quiet()), hit: None });
    rows.extend(acts(table, look, width, height - rows.len().min(height)));
    rows
}

fn lines(text: &str, width: u16, indents: (&str, &str), style: Style, hit: Option<Hit>) -> Vec<Row> {
    let lines = wrapped(text, width, indents.0, indents.1).into_iter();
    lines.map(|line| Row { line: Line::styled(line, style), hit }).collect()
}

/// A question with its answers; of many, those around the one at hand.
pub(in crate::tui) fn asked<T>(question: &Question<T>, look: Look, width: u16, height: usize) -> Vec<Row> {
    let words = question.words.iter().flat_map(|words| lines(words, width, ("", ""), look.strong(), None));
    let mut rows: Vec<Row> = words.collect();
    let answers: Vec<Vec<Row>> =
        (0..question.answers.len()).map(|at| answer(question, at, look, width)).collect();
    let room = height.saturating_sub(rows.len());
    let mut first = 0;
    while answers[first..=question.at].iter().map(Vec::len).sum::<usize>() > room && first < question.at {
        first += 1;
    }
    rows.extend(answers.into_iter().skip(first).flatten().take(room));
    rows
}

fn answer<T>(question: &Question<T>, at: usize, look: Look, width: u16) -> Vec<Row> {
    let Some(answer) = question.answers.get(at) else { return Vec::new() };
    let key = answer.key.map_or_else(|| "-".to_owned(), String::from);
    let style = if question.at == at { look.chosen_line() } else { Style::new() };
    lines(&answer.label, width, (&format!("{key}  "), "   "), style, Some(Hit::Answer(at)))
}

/// What is to be decided and what the board does not show.
fn known(table: &Table, look: Look, width: u16) -> Vec<Row> {
    let decide = table.to_decide().into_iter();
    let mut rows: Vec<Row> =
        decide.flat_map(|words| lines(&words, width, ("", ""), look.strong(), None)).collect();
    if let Some(view) = table.view() {
        let told = |facts: Vec<String>| {
            facts
                .into_iter()
                .flat_map(|fact| lines(&fact, width, ("", "  "), look.quiet(), None))
                .collect::<Vec<_>>()
        };
        // Lessons tell themselves what matters.
        if table.seat.purpose.lesson().is_empty() {
            rows.extend(told(board::facts(view)));
        }
        rows.extend(objects(view, look));
        let immobilised = has_immobilised(view).then(|| "z: immobilised by Bowser".to_owned());
        rows.extend(told(immobilised.into_iter().chain(board::hidden(view)).collect()));
    }
    rows
}

/// What the signs of the objects on the board mean, in their colours.
fn objects(view: &View, look: Look) -> Option<Row> {
    let here = |object: &Object| view.board.contains(&Some(Occupant::Object(*object)));
    let sign = |object: Object| {
        let sign = Span::styled(look.object(object).to_string(), look.object_style(object));
        [sign, Span::styled(format!(" {object}  "), look.quiet())]
    };
    let spans: Vec<Span<'static>> = Object::ALL.into_iter().filter(here).flat_map(sign).collect();
    (!spans.is_empty()).then(|| Row { line: Line::from(spans), hit: None })
}

fn has_immobilised(view: &View) -> bool {
    view.board.iter().any(|occupant| matches!(occupant, Some(Occupant::Man(man)) if man.immobilised))
}

/// The acts around the last one that is drawn on the board, as many as fit.
fn acts(table: &Table, look: Look, width: u16, height: usize) -> Vec<Row> {
    let all = &table.seat.acts;
    let shown = table.acts_shown();
    let mut later: Vec<Row> = Vec::new();
    for (index, act) in all.iter().enumerate().skip(shown) {
        if later.len() >= height / 3 {
            break;
        }
        later.extend(act_rows(act, index + 1, table, look, width));
    }
    later.truncate(height / 3);
    let room = height - later.len();
    let mut earlier: Vec<Row> = Vec::new();
    for (index, act) in all.iter().enumerate().take(shown).rev() {
        if earlier.len() >= room {
            break;
        }
        let mut rows = act_rows(act, index + 1, table, look, width);
        rows.append(&mut earlier);
        earlier = rows;
    }
    if earlier.len() < room {
        let style = if table.shown == Some(0) { look.chosen_line() } else { look.quiet() };
        earlier
            .insert(0, Row { line: Line::styled("the board at the start", style), hit: Some(Hit::Act(0)) });
    }
    // The headline of the act that is shown is worth more than the beginning of its trail.
    let cut = earlier.len().saturating_sub(room);
    earlier.drain(..cut);
    earlier.extend(later);
    earlier
}

fn act_rows(act: &Act, number: usize, table: &Table, look: Look, width: u16) -> Vec<Row> {
    let shown = table.acts_shown();
    let hit = Some(Hit::Act(number));
    let style = match (number == shown, table.shown.is_some()) {
        (true, true) => look.chosen_line(),
        (true, false) => look.strong(),
        _ => Style::new(),
    };
    let mut rows = lines(&act.headline, width, ("", "   "), style, hit);
    rows.extend(act.steps.iter().flat_map(|step| lines(step, width, ("  ", "    "), look.quiet(), hit)));
    rows
}
