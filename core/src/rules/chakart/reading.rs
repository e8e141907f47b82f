//! What a person means by a text: canonical spelling, forgiving spellings, notation.

use super::Position;
use super::moves::PROMOTIONS;
use crate::board::{Role, Square};
use crate::rules::{Action, ReadActionError, Rules};

/// Longest text that is read, in bytes.
const MAX_ACTION_BYTES: usize = 64;

impl Position {
    /// The legal action that a person means.
    pub(super) fn read(&self, text: &str) -> Result<Action, ReadActionError> {
        let typed = text.trim();
        if typed.len() > MAX_ACTION_BYTES || !typed.is_ascii() {
            return Err(ReadActionError::NotUnderstood(text.chars().take(MAX_ACTION_BYTES).collect()));
        }
        let canonical = Action::parse_chakart(typed).ok();
        if let Some(action) = canonical.filter(|action| self.is_choice(action)) {
            return Ok(action);
        }
        let wanted = Wanted::read(typed).or_else(|| Wanted::read(&typed.to_ascii_lowercase()));
        match (self.fitting(wanted).as_slice(), canonical) {
            (&[action], _) => Ok(action),
            (&[], Some(action)) => {
                self.check(&action)?;
                Err(ReadActionError::NotUnderstood(typed.to_owned()))
            }
            (&[], None) => Err(self.refusal(wanted, typed)),
            (fits, _) => Err(ReadActionError::Ambiguous { text: typed.to_owned(), fits: fits.to_vec() }),
        }
    }

    /// Whether this is an action that its own player can choose: an unseen move needs its square.
    fn is_choice(&self, action: &Action) -> bool {
        !matches!(action, Action::Unseen { .. }) && self.check(action).is_ok()
    }

    /// All legal actions that fit, in ascending order of their text.
    fn fitting(&self, wanted: Option<Wanted>) -> Vec<Action> {
        let Some(wanted) = wanted else { return Vec::new() };
        let mut fits: Vec<Action> = self
            .list_actions()
            .into_iter()
            .map(|action| wanted.with_answer(action))
            .filter(|action| wanted.fits(action, self) && self.check(action).is_ok())
            .collect();
        fits.sort_by_key(ToString::to_string);
        fits
    }

    fn refusal(&self, wanted: Option<Wanted>, typed: &str) -> ReadActionError {
        let illegal = wanted.and_then(Wanted::exact).and_then(|action| self.check(&action).err());
        match illegal {
            Some(illegal) => illegal.into(),
            None => ReadActionError::NotUnderstood(typed.to_owned()),
        }
    }
}

/// What a forgiving text says about the action.
#[derive(Clone, Copy)]
enum Wanted {
    Pass,
    Swap(Square, Square),
    Drop { role: Role, to: Square, answer: Option<Role> },
    Stealth { from: Square, to: Option<Square> },
    Shell { from: Origin, to: Square },
    Move { role: Option<Role>, from: Origin, to: Square, answer: Option<Role> },
}

/// As much of an origin as was typed.
#[derive(Clone, Copy, Default)]
struct Origin {
    file: Option<char>,
    rank: Option<char>,
}

impl Wanted {
    fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches('!');
        let text = text.split_once('*').map_or(text, |(before, _)| before);
        match text {
            "-" | "pass" | "Pass" => return Some(Self::Pass),
            _ => {}
        }
        read_stealth(text).or_else(|| read_swap(text)).or_else(|| read_drop(text)).or_else(|| read_move(text))
    }

    /// The action with the standing answer that was typed, if it is one that can carry it.
    fn with_answer(self, action: Action) -> Action {
        match (self, action) {
            (Self::Move { answer: Some(role), .. }, Action::Move { from, to, promotion: None }) => {
                Action::Move { from, to, promotion: Some(role) }
            }
            (Self::Drop { answer: Some(answer), .. }, Action::Drop { role, to, .. }) => {
                Action::Drop { role, to, promotion: Some(answer) }
            }
            _ => action,
        }
    }

    fn fits(self, action: &Action, position: &Position) -> bool {
        match (self, *action) {
            (Self::Pass, Action::Pass) => true,
            (Self::Swap(a, b), Action::Swap { low, high }) => (a, b) == (low, high) || (b, a) == (low, high),
            (Self::Drop { role, to, answer }, Action::Drop { role: dropped, to: square, promotion }) => {
                role == dropped && to == square && answer == promotion
            }
            (Self::Stealth { from, to }, Action::Stealth { from: origin, to: square }) => {
                from == origin && to.is_none_or(|to| to == square)
            }
            (Self::Shell { from, to }, Action::Shell { from: origin, to: square }) => {
                from.fits(origin) && to == square
            }
            (Self::Move { role, from, to, answer }, Action::Move { from: origin, to: square, promotion }) => {
                let mover = position.board.role_at(origin);
                to == square
                    && from.fits(origin)
                    && role.is_none_or(|role| mover == Some(role))
                    && (answer.is_none() || answer == promotion)
            }
            _ => false,
        }
    }

    /// The action itself, where the text leaves nothing open.
    fn exact(self) -> Option<Action> {
        Some(match self {
            Self::Pass => Action::Pass,
            Self::Swap(a, b) => Action::Swap { low: a.min(b), high: a.max(b) },
            Self::Drop { role, to, answer } => Action::Drop { role, to, promotion: answer },
            Self::Stealth { from, to: Some(to) } => Action::Stealth { from, to },
            Self::Stealth { from, to: None } => Action::Unseen { from },
            Self::Shell { from, to } => Action::Shell { from: from.square()?, to },
            Self::Move { from, to, answer, .. } => {
                Action::Move { from: from.square()?, to, promotion: answer }
            }
        })
    }
}

impl Origin {
    fn fits(self, square: Square) -> bool {
        self.file.is_none_or(|file| file == square.file().letter())
            && self.rank.is_none_or(|rank| rank == square.rank().digit())
    }

    fn square(self) -> Option<Square> {
        format!("{}{}", self.file?, self.rank?).parse().ok()
    }

    fn read(text: &str) -> Option<Self> {
        let mut origin = Self::default();
        for letter in text.chars() {
            match letter {
                'a'..='h' if origin.file.is_none() && origin.rank.is_none() => origin.file = Some(letter),
                '1'..='8' if origin.rank.is_none() => origin.rank = Some(letter),
                _ => return None,
            }
        }
        Some(origin)
    }
}

/// `stealth d1 h5`, `d1h5s`, `Qd1??h5`, `d1??`.
fn read_stealth(text: &str) -> Option<Wanted> {
    if let Some(words) = text.strip_prefix("stealth ") {
        let mut squares = words.split_whitespace();
        let from = squares.next()?.parse().ok()?;
        let to = squares.next().map(str::parse).transpose().ok()?;
        return squares.next().is_none().then_some(Wanted::Stealth { from, to });
    }
    let (from, to) = text.split_once("??")?;
    let from = from.trim_start_matches(['Q', 'q']).parse().ok()?;
    let to = if to.is_empty() { None } else { Some(to.parse().ok()?) };
    Some(Wanted::Stealth { from, to })
}

/// `h8~a1`; `K~e5` and `Ke1~e5` are shells.
fn read_swap(text: &str) -> Option<Wanted> {
    let (left, right) = text.split_once('~')?;
    let to = right.parse().ok()?;
    if let Some(origin) = left.strip_prefix(['K', 'k']) {
        return Some(Wanted::Shell { from: Origin::read(origin)?, to });
    }
    Some(Wanted::Swap(left.parse().ok()?, to))
}

/// `N@e4`, `@e4`, `@e4=N`.
fn read_drop(text: &str) -> Option<Wanted> {
    let (role, rest) = text.split_once('@')?;
    let role = if role.is_empty() { Role::Pawn } else { role_named(role)? };
    let (to, answer) = split_answer(rest)?;
    Some(Wanted::Drop { role, to: to.parse().ok()?, answer })
}

/// `e2-e4`, `e7e8=k`, `Nbd2`, `exd5`, `e8=Q`, `R1xa3`.
fn read_move(text: &str) -> Option<Wanted> {
    let (role, rest) = match text.chars().next().filter(char::is_ascii_uppercase) {
        Some(letter) => (Some(Role::from_letter(letter)?), text.get(1..)?),
        None => (None, text),
    };
    let (squares, answer) = split_answer(rest)?;
    let (origin, to) = squares.split_at_checked(squares.len().checked_sub(2)?)?;
    let from = Origin::read(origin.trim_end_matches(['x', '-']))?;
    // A text without a piece letter and without a whole origin is a pawn's.
    let role = role.or_else(|| from.square().is_none().then_some(Role::Pawn));
    Some(Wanted::Move { role, from, to: to.parse().ok()?, answer })
}

/// Cuts `=Q`, `=q`, or a bare letter after a rank digit, off the end.
fn split_answer(text: &str) -> Option<(&str, Option<Role>)> {
    if let Some((squares, letter)) = text.split_once('=') {
        return Some((squares, Some(role_named(letter)?)));
    }
    let before = text.len().checked_sub(1)?;
    match text.split_at_checked(before)? {
        (squares, letter) if squares.ends_with(|c: char| c.is_ascii_digit()) && !ends_in_digit(letter) => {
            Some((squares, Some(role_named(letter)?)))
        }
        _ => Some((text, None)),
    }
}

fn ends_in_digit(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
}

fn role_named(text: &str) -> Option<Role> {
    let mut letters = text.chars();
    let role = Role::from_letter(letters.next()?)?;
    (letters.next().is_none() && (role == Role::Pawn || PROMOTIONS.contains(&role))).then_some(role)
}
