//! Actions and commands as text.

use chakart_core::rules::{Action, ReadActionError, Rules as _};
use ratatui::crossterm::event::KeyCode;

use super::{Table, Wish};
use crate::commands::play::typed::Typed;
use crate::commands::position::request::unread;
use crate::desk::deed::Deed;
use crate::show::chat;
use crate::show::escape::escaped;
use crate::tui::keys::Line;

/// Longest line that can be typed, in bytes: a message has room.
const MAX_TYPED_BYTES: usize = 520;

impl Table {
    /// A key while a line is typed.
    pub(super) fn typing(&mut self, key: KeyCode) -> Vec<Wish> {
        let Some(text) = &mut self.typed else { return Vec::new() };
        match key {
            KeyCode::Char(letter) if text.len() + letter.len_utf8() <= MAX_TYPED_BYTES => text.push(letter),
            KeyCode::Backspace if text.pop().is_none() => self.typed = None,
            KeyCode::Esc => self.typed = None,
            KeyCode::Enter => {
                let text = self.typed.take().unwrap_or_default();
                return self.obey(&text);
            }
            _ => {}
        }
        Vec::new()
    }

    /// Pasted text goes on with the line, or begins one.
    pub(in crate::tui) fn paste(&mut self, text: &str) {
        self.question = None;
        let typed = self.typed.get_or_insert_default();
        for letter in text.chars().map(|letter| if letter == '\n' { ' ' } else { letter }) {
            if !letter.is_control() && typed.len() + letter.len_utf8() <= MAX_TYPED_BYTES {
                typed.push(letter);
            }
        }
    }

    fn obey(&mut self, text: &str) -> Vec<Wish> {
        match Line::read(text) {
            Line::Abort => self.ask_sure(
                "Abort this game? Only before both have completed a turn.",
                "abort it",
                Deed::Abort,
            ),
            Line::Confirm => match &self.seat.hold {
                Some(hold) => {
                    let words = format!("Held back: {hold}. Is that all right?");
                    self.ask_sure(&words, "yes, go on", Deed::Confirm);
                }
                None => return tell("nothing is held back in this game"),
            },
            Line::Rematch => {
                self.ask_sure("Offer the opponent another game, colours swapped?", "offer it", Deed::Rematch)
            }
            Line::Lobby => return self.leave(),
            Line::Luck => return vec![Wish::ShowLuck],
            Line::Messages => return vec![Wish::ShowMessages],
            Line::Rules => return vec![Wish::ShowRules],
            Line::Skin => return vec![Wish::ChangeSkin],
            Line::Common(typed) => return self.obey_common(typed),
        }
        Vec::new()
    }

    fn obey_common(&mut self, typed: Typed) -> Vec<Wish> {
        match typed {
            Typed::Nothing | Typed::Show => self.shown = None,
            Typed::Help => return vec![Wish::ShowHelp],
            Typed::Moves(start) => return self.list_moves(&start),
            Typed::Quit => return vec![Wish::Quit],
            Typed::Flip => self.bottom = !self.bottom,
            Typed::Odds(text) => return self.read(&text, |_, action| vec![Wish::Odds(action)]),
            Typed::Draw if self.seat.draw_offered => {
                self.ask_sure("Accept the draw? It ends the game.", "accept it", Deed::AcceptDraw);
            }
            Typed::Draw => return vec![Wish::Do(Deed::IntendDraw(true))],
            Typed::DrawOff => return vec![Wish::Do(Deed::IntendDraw(false))],
            Typed::Resign => self.ask_sure("Resign this game?", "resign", Deed::Resign),
            Typed::Claim => {
                let words = "Claim that the opponent is out of time? It ends nothing by itself.";
                self.ask_sure(words, "claim it", Deed::Claim);
            }
            Typed::Chat(text) => {
                return match chat::parse(&text) {
                    Ok(text) => vec![Wish::Do(Deed::Say(text))],
                    Err(problem) => tell(&problem.message),
                };
            }
            Typed::Action(_) if !self.chooses() => return vec![Wish::Tell(self.seat.standing.clone())],
            Typed::Action(text) => return self.read(&text, Self::choose),
        }
        Vec::new()
    }

    /// Offers the legal actions whose text begins so.
    fn list_moves(&mut self, start: &str) -> Vec<Wish> {
        self.shown = None;
        let begins = |action: &Action| action.to_string().starts_with(start);
        let fits: Vec<Action> = self.seat.legal.iter().copied().filter(begins).collect();
        if fits.is_empty() { tell("no legal action begins so") } else { self.ask_which(&fits) }
    }

    /// Goes on with the action that a text means.
    fn read(&mut self, text: &str, go_on: impl FnOnce(&mut Self, Action) -> Vec<Wish>) -> Vec<Wish> {
        self.shown = None;
        let Some(rules) = self.seat.rules() else { return tell("the board is not set up yet") };
        match rules.read_action(text) {
            Ok(action) => go_on(self, action),
            Err(ReadActionError::Ambiguous { fits, .. }) => self.narrow(fits),
            Err(error) => tell(&escaped(&unread(&error).message)),
        }
    }
}

fn tell(words: &str) -> Vec<Wish> {
    vec![Wish::Tell(words.to_owned())]
}
