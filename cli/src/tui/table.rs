//! The board at which a person sits: cursor, selection, questions, history.

mod asking;
mod typing;

use chakart_core::board::{Bitboard, Color, File, Rank, Square};
use chakart_core::rules::{Action, Rules as _};
use chakart_core::scene;
use chakart_core::view::View;
use ratatui::crossterm::event::KeyCode;

use super::pointing::{self, Point};
use super::question::{Question, Then};
use crate::desk::deed::Deed;
use crate::desk::seat::Seat;

/// What the arrow keys do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Focus {
    Board,
    Acts,
}

/// What a table asks of what is around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// The person is told something.
    Tell(String),
    /// Something is signed.
    Do(Deed),
    /// The odds of an action are shown.
    Odds(Action),
    ShowHelp,
    ShowRules,
    ShowMessages,
    ShowLuck,
    ChangeSkin,
    Lobby,
    Quit,
}

/// A board at which a person sits.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) seat: Seat,
    pub(super) bottom: Color,
    pub(super) cursor: Square,
    /// The square from which an action is being chosen.
    pub(super) from: Option<Square>,
    pub(super) question: Option<Question<Then>>,
    /// What is being typed.
    pub(super) typed: Option<String>,
    /// How many acts are shown while looking back.
    pub(super) shown: Option<usize>,
    pub(super) focus: Focus,
    /// Whether actions with chance are played without being confirmed.
    unasked: bool,
    hold_was_asked: bool,
}

impl Table {
    /// Sits down. `unasked`: actions with chance in them are played without being confirmed.
    #[must_use]
    pub fn new(seat: Seat, unasked: bool) -> Self {
        let bottom = seat.me.unwrap_or(Color::White);
        let rank = if bottom == Color::White { Rank::Second } else { Rank::Seventh };
        let mut table = Self {
            bottom,
            cursor: Square::at(File::E, rank),
            from: None,
            question: None,
            typed: None,
            shown: None,
            focus: Focus::Board,
            unasked,
            hold_was_asked: false,
            seat,
        };
        table.turn_to_whom_it_is();
        table
    }

    /// Takes in how the game stands now.
    pub(super) fn take(&mut self, seat: Seat) {
        let turned = self.seat.legal != seat.legal || self.seat.acts.len() != seat.acts.len();
        if self.seat.me != seat.me {
            self.bottom = seat.me.unwrap_or(self.bottom);
        }
        if self.seat.hold != seat.hold {
            self.hold_was_asked = false;
        }
        self.seat = seat;
        if turned {
            self.from = None;
            self.question = None;
            self.turn_to_whom_it_is();
        } else if self.question.is_none() {
            self.ask_what_is_due();
        }
    }

    fn turn_to_whom_it_is(&mut self) {
        self.focus = if self.seat.legal.is_empty() { Focus::Acts } else { Focus::Board };
        self.ask_what_is_due();
    }

    /// What is drawn: as it is, or as it was.
    pub(super) fn view(&self) -> Option<&View> {
        self.seat.view_after(self.acts_shown())
    }

    /// How many acts led to what is drawn.
    pub(super) fn acts_shown(&self) -> usize {
        self.shown.unwrap_or(self.seat.acts.len())
    }

    /// The squares of the last act that is drawn.
    pub(super) fn last_squares(&self) -> Bitboard {
        let last = self.acts_shown().checked_sub(1).and_then(|last| self.seat.acts.get(last));
        last.map_or(Bitboard::EMPTY, |act| act.marked)
    }

    /// The square from which the action that is being chosen or typed goes.
    pub(super) fn origin(&self) -> Option<Square> {
        let typed = || self.typed.as_ref()?.get(..2)?.parse().ok();
        self.from.or_else(typed).filter(|_| self.shown.is_none())
    }

    /// The squares of the action that a question is about.
    pub(super) fn proposed(&self) -> Bitboard {
        let action = self.question.as_ref().and_then(Question::action);
        action.map_or(Bitboard::EMPTY, |action| scene::named(&action))
    }

    /// The squares to which it may go.
    pub(super) fn targets(&self) -> Bitboard {
        match (self.mover(), self.shown) {
            // While something is asked, only what it is about is marked.
            _ if self.question.is_some() => Bitboard::EMPTY,
            (Some(color), None) => pointing::targets(&self.seat.legal, color, self.origin()),
            _ => Bitboard::EMPTY,
        }
    }

    /// Whether the chosen man may leave the board.
    pub(super) fn may_leave(&self) -> bool {
        self.mover()
            .zip(self.from)
            .is_some_and(|(color, from)| pointing::may_leave(&self.seat.legal, color, from))
    }

    /// Whether this player is to choose an action.
    pub(super) fn chooses(&self) -> bool {
        !self.seat.legal.is_empty()
    }

    fn mover(&self) -> Option<Color> {
        Some(self.seat.rules()?.turn())
    }

    /// A key.
    pub(super) fn key(&mut self, key: KeyCode) -> Vec<Wish> {
        if self.typed.is_some() {
            return self.typing(key);
        }
        if self.question.is_some() {
            return self.answering(key);
        }
        match key {
            KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right => self.arrow(key),
            KeyCode::Char('[') | KeyCode::PageUp => self.look_back(1),
            KeyCode::Char(']') | KeyCode::PageDown => self.look_on(1),
            KeyCode::Home => self.show(0),
            KeyCode::End => self.shown = None,
            KeyCode::Tab => self.change_focus(),
            KeyCode::Enter | KeyCode::Char(' ') => return self.pick(Point::On(self.cursor)),
            KeyCode::Esc => self.step_back(),
            KeyCode::Char('f') => self.bottom = !self.bottom,
            KeyCode::Char('x') => return self.pick(Point::Off),
            KeyCode::Char('o') => return vec![self.odds_in_mind()],
            KeyCode::Char(':') => self.typed = Some(String::new()),
            KeyCode::Char('?') => return vec![Wish::ShowHelp],
            KeyCode::Char('R') => return vec![Wish::ShowRules],
            KeyCode::Char('m') => return vec![Wish::ShowMessages],
            KeyCode::Char('L') => return vec![Wish::ShowLuck],
            KeyCode::Char('s') => return vec![Wish::ChangeSkin],
            KeyCode::Char('q') => return self.leave(),
            KeyCode::Char(letter) if super::keys::begins_action(letter) => {
                self.typed = Some(letter.to_string());
            }
            _ => {}
        }
        Vec::new()
    }

    /// A click on a square, or beside the board.
    pub(super) fn click(&mut self, point: Point) -> Vec<Wish> {
        self.typed = None;
        let question = self.question.take();
        if let Point::On(square) = point {
            self.cursor = square;
            self.focus = Focus::Board;
            self.question = question.and_then(|question| question.naming(square));
            if self.question.is_some() {
                return Vec::new();
            }
        } else if self.from.is_none() {
            return Vec::new();
        }
        self.pick(point)
    }

    /// Takes a man, or chooses the action from there to here.
    fn pick(&mut self, point: Point) -> Vec<Wish> {
        if self.shown.take().is_some() {
            return vec![Wish::Tell("back at the board as it is".to_owned())];
        }
        let Some(color) = self.mover().filter(|_| self.chooses()) else {
            return vec![Wish::Tell(self.seat.standing.clone())];
        };
        if let Some(from) = self.from {
            let fits = pointing::between(&self.seat.legal, color, from, point);
            if !fits.is_empty() {
                return self.narrow(fits);
            }
        }
        let Point::On(square) = point else {
            return vec![Wish::Tell("choose the man that is to leave the board first".to_owned())];
        };
        let at_once = pointing::at_once(&self.seat.legal, color, square);
        if !at_once.is_empty() {
            return self.narrow(at_once);
        }
        let again = self.from == Some(square);
        self.from = Some(square).filter(|_| !again && pointing::begins(&self.seat.legal, color, square));
        if self.from.is_none() && !again {
            return vec![Wish::Tell(format!("no legal action begins on {square}"))];
        }
        Vec::new()
    }

    fn step_back(&mut self) {
        if self.shown.take().is_none() {
            self.from = None;
        }
    }

    fn change_focus(&mut self) {
        self.focus = match self.focus {
            Focus::Board => Focus::Acts,
            Focus::Acts => Focus::Board,
        };
    }

    fn arrow(&mut self, key: KeyCode) {
        match (self.focus, key) {
            (Focus::Acts, KeyCode::Left) => self.look_back(1),
            (Focus::Acts, KeyCode::Right) => self.look_on(1),
            (Focus::Acts, KeyCode::Up) => self.show(self.end_of_turn_before()),
            (Focus::Acts, _) => self.show(self.end_of_turn_after()),
            (Focus::Board, _) => self.move_cursor(key),
        }
    }

    fn move_cursor(&mut self, key: KeyCode) {
        let (files, ranks) = match key {
            KeyCode::Up => (0, 1),
            KeyCode::Down => (0, -1),
            KeyCode::Left => (-1, 0),
            _ => (1, 0),
        };
        let sense = if self.bottom == Color::White { 1 } else { -1 };
        let step = chakart_core::board::Direction::new(files * sense, ranks * sense);
        self.cursor = self.cursor.step(step).unwrap_or(self.cursor);
    }

    pub(super) fn look_back(&mut self, acts: usize) {
        self.show(self.acts_shown().saturating_sub(acts));
    }

    pub(super) fn look_on(&mut self, acts: usize) {
        self.show(self.acts_shown() + acts);
    }

    /// Shows the board after this many acts.
    pub(super) fn show(&mut self, acts: usize) {
        self.from = None;
        self.shown = Some(acts).filter(|acts| *acts < self.seat.acts.len());
    }

    /// The turn of the last of so many acts; 0 before the first.
    fn turn_after(&self, acts: usize) -> u32 {
        acts.checked_sub(1).and_then(|last| self.seat.acts.get(last)).map_or(0, |act| act.turn)
    }

    fn end_of_turn_before(&self) -> usize {
        let now = self.acts_shown();
        (0..now).rev().find(|acts| self.turn_after(*acts) != self.turn_after(now)).unwrap_or_default()
    }

    fn end_of_turn_after(&self) -> usize {
        let (now, all) = (self.acts_shown(), self.seat.acts.len());
        let next = (now + 1..=all).find(|acts| self.turn_after(*acts) != self.turn_after(now)).unwrap_or(all);
        (next..=all).take_while(|acts| self.turn_after(*acts) == self.turn_after(next)).last().unwrap_or(all)
    }
}
