//! What every variant must answer, and the one enum that dispatches to the variants.
//!
//! Rules answer five questions: the start position for a stream of chance; the legal actions of what the player to
//! decide may see; whether an action needs chance; what an action does, as [`Event`]s and a next state; and whether
//! the game is over. They know nothing of signatures, clocks or players' keys.

mod action;
mod board_events;
pub mod chakart;
pub mod dynamo;
mod event;
mod fen;
mod game;
mod outcome;
mod outcomes;
mod variant;
mod words;

pub use action::{Action, CastlingSide, Displacement, ParseActionError, Turn};
pub use board_events::{Squares, apply};
pub use event::{Candidate, ChanceKind, Effect, Event, Man, Object, Occupant};
pub use fen::{FenFault, FenFaults, MAX_FEN_BYTES};
pub use game::Game;
pub use outcome::{Outcome, ParseOutcomeError};
pub use outcomes::{MAX_BRANCHES, Odds, OutcomesError, PossibleOutcome, for_each_branch, outcomes};
pub use variant::{ParseVariantError, Setup, Variant, VariantInfo};
pub use words::{action_words, pending_sentence, sentences};

use crate::board::{Bitboard, Color, Role, Square};
use crate::chance::{Chance, NoChance};

/// The state of a game: a position with as much history as its rules need.
///
/// A state is *public* or *true*. In a public state a hidden queen is known only by the square that she left; in a
/// true state she stands on the board. Where nothing is hidden, the two are the same.
pub trait Rules: Sized + Clone {
    /// The player to decide. In a finished game: the one who would have been next.
    fn turn(&self) -> Color;

    /// How the game ended by these rules, if it did.
    fn outcome(&self) -> Option<Outcome>;

    /// Every legal action of the player to decide, on the public state; none once the game is over.
    ///
    /// Promotion letters are listed only where they are compulsory; a standing answer (rules section 10) is accepted
    /// by [`Rules::check`] beyond this list.
    fn legal_actions(&self) -> Vec<Action>;

    /// The same legal action with each standing answer that it may carry (Chakart rules section 10); none where it can
    /// carry none. Without an answer the pawn would become a queen.
    fn standing_answers(&self, action: &Action) -> Vec<Action> {
        let answered = |answer: Role| match *action {
            Action::Move { from, to, promotion: None } => {
                Some(Action::Move { from, to, promotion: Some(answer) })
            }
            Action::Drop { role, to, promotion: None } => {
                Some(Action::Drop { role, to, promotion: Some(answer) })
            }
            _ => None,
        };
        if self.check(action).is_err() {
            return Vec::new();
        }
        let answers = Role::ALL.into_iter().rev().filter_map(answered);
        answers.filter(|action| self.check(action).is_ok()).collect()
    }

    /// Whether `action` may be chosen now, judged on the public state.
    ///
    /// # Errors
    /// [`IllegalAction`] with the reason in words.
    fn check(&self, action: &Action) -> Result<(), IllegalAction>;

    /// Carries out a legal action.
    ///
    /// `chance` is asked for every choice of two or more candidates, in the order of the rules text, and may decline:
    /// then nothing has happened. Forced choices are not asked.
    ///
    /// On a public state a hidden queen is nowhere: this tells whether the action comes to a choice, and the odds on
    /// the public board. What really happens is what this does on the [`Rules::opened`] state.
    ///
    /// # Errors
    /// [`PlayError`]: illegal, or the chance declined.
    fn play(&self, action: &Action, chance: &mut dyn Chance) -> Result<Played<Self>, PlayError>;

    /// Whether a legal `action` comes to a choice of two or more candidates, with forced choices taken. False for an
    /// illegal one.
    fn reaches_choice(&self, action: &Action) -> bool {
        matches!(self.play(action, &mut NoChance), Err(PlayError::ChanceDeclined))
    }

    /// The square that the hidden queen of the player *not* to decide has left, in a public state.
    fn hidden_origin(&self) -> Option<Square> {
        None
    }

    /// Squares to which the queen on `from` may move unseen, in the state before that move.
    fn stealth_destinations(&self, from: Square) -> Bitboard {
        let _ = from;
        Bitboard::EMPTY
    }

    /// The true state: this public one with its hidden queen on `square`. Unchanged where none is hidden, and where
    /// something visible is on `square`: judge an opening by [`Rules::stealth_destinations`] first.
    #[must_use]
    fn opened(&self, square: Square) -> Self {
        let _ = square;
        self.clone()
    }

    /// The state as FEN, as the rules pages describe it for the variant.
    fn fen(&self) -> String;

    /// Short notation of an action that is legal here, from the public state, before its result is known.
    fn notation(&self, action: &Action) -> String;

    /// Notation of an action that was played, with what came of it: for Chakart the letter of an egg's effect, and
    /// in the `verbose` form the square that Luigi or Waluigi changed.
    fn notation_played(&self, action: &Action, events: &[Event], verbose: bool) -> String {
        let _ = (events, verbose);
        self.notation(action)
    }

    /// The legal action that a person means by `text`, in canonical or forgiving spelling.
    ///
    /// # Errors
    /// [`ReadActionError`]: not understood, not legal, or several actions fit.
    fn read_action(&self, text: &str) -> Result<Action, ReadActionError>;
}

/// What a legal action did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played<S> {
    /// The state afterwards.
    pub next: S,
    /// What happened, in order. Applied to the board before, they give the board afterwards.
    pub events: Vec<Event>,
}

/// The action may not be chosen in this state.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{action} is not legal: {reason}")]
pub struct IllegalAction {
    /// The refused action.
    pub action: Action,
    /// Why, in words for its player.
    pub reason: &'static str,
}

/// Why an action was not carried out. The state is as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The rules forbid it here.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
    /// The chance was asked and declined to choose.
    #[error("the action comes to a random choice, and none was given")]
    ChanceDeclined,
}

/// Why a text is not the action of a person here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadActionError {
    /// The text is no action of this variant in any spelling.
    #[error("'{0}' is not an action; try e2e4, or see the legal ones with 'moves'")]
    NotUnderstood(String),
    /// The text is an action, but not one that may be chosen now.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
    /// Several legal actions fit; they are listed.
    #[error("'{text}' fits several actions: {}", list(.fits))]
    Ambiguous {
        /// What was typed.
        text: String,
        /// The legal actions that fit, in ascending order of their text.
        fits: Vec<Action>,
    },
}

fn list(actions: &[Action]) -> String {
    actions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
