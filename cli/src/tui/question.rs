//! What is asked beside the board, with keys.

use chakart_core::board::Square;
use chakart_core::rules::Action;
use chakart_core::scene::named;

use crate::desk::deed::Deed;

/// Answers that have a digit as their key.
const DIGITS: [char; 9] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/// A question whose answers lead to a `T`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Question<T> {
    /// What is asked, a paragraph each.
    pub(super) words: Vec<String>,
    /// What may be answered; never empty.
    pub(super) answers: Vec<Answer<T>>,
    /// The answer that Enter gives.
    pub(super) at: usize,
}

/// One answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer<T> {
    /// The key that gives it; beyond the ninth only Enter and the mouse do.
    pub(super) key: Option<char>,
    pub(super) label: String,
    pub(super) then: T,
}

/// What an answer at the board leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Then {
    /// An action is chosen; its standing answer may still be asked.
    Choose(Action),
    /// An action is chosen with its standing answer.
    Complete(Action),
    /// Something is done.
    Do(Deed),
    /// The board is left.
    Leave,
    /// Nothing is done.
    Back,
}

impl<T> Question<T> {
    /// Which of several things is meant; the first one is at hand.
    pub(super) fn which(words: Vec<String>, answers: Vec<(String, T)>) -> Self {
        let answers = answers.into_iter().enumerate().map(|(index, (label, then))| Answer {
            key: DIGITS.get(index).copied(),
            label,
            then,
        });
        Self { words, answers: answers.collect(), at: 0 }
    }

    /// Whether something that cannot be undone is wanted: Enter alone does nothing.
    pub(super) fn sure(words: Vec<String>, (yes, then): (&str, T), back: T) -> Self {
        let answer = |key, label: &str, then| Answer { key: Some(key), label: label.to_owned(), then };
        Self { words, answers: vec![answer('y', yes, then), answer('n', "not now", back)], at: 1 }
    }

    /// The place of the answer that a key gives.
    pub(super) fn by_key(&self, key: char) -> Option<usize> {
        self.answers.iter().position(|answer| answer.key == Some(key))
    }

    /// Goes some answers on.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.answers.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// What an answer leads to.
    pub(super) fn answered(self, at: usize) -> Option<T> {
        self.answers.into_iter().nth(at).map(|answer| answer.then)
    }
}

impl Question<Then> {
    /// The action that the answer at hand leads to.
    pub(super) fn action(&self) -> Option<Action> {
        match &self.answers.get(self.at)?.then {
            Then::Choose(action) | Then::Complete(action) | Then::Do(Deed::Act(action)) => Some(*action),
            Then::Do(_) | Then::Leave => None,
            Then::Back => self.answers.iter().find_map(|answer| match answer.then {
                Then::Do(Deed::Act(action)) => Some(action),
                _ => None,
            }),
        }
    }

    /// The answers that name a square, asked again; `None` if it tells nothing apart.
    pub(super) fn naming(&self, square: Square) -> Option<Self> {
        let names = |answer: &&Answer<Then>| match &answer.then {
            Then::Choose(action) => named(action).contains(square),
            _ => false,
        };
        let fits: Vec<&Answer<Then>> = self.answers.iter().filter(names).collect();
        if fits.is_empty() || fits.len() == self.answers.len() {
            return None;
        }
        let answers = fits.into_iter().map(|answer| (answer.label.clone(), answer.then.clone())).collect();
        Some(Self::which(self.words.clone(), answers))
    }
}
