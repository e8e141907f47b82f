//! Chakart, in its editions. Section numbers are those of `core/rules/chakart.md`.
//!
//! | module | what it answers |
//! |---|---|
//! | [`Edition`] | on which points the editions differ |
//! | [`setup`] | the starting arrays |
//! | [`Position`], `board`, `state` | what a position knows |
//! | `moves`, `legality` | what may be chosen |
//! | `path`, `egg`, `ending` | what the chosen action does |
//! | `fen`, `notation`, `reading` | positions and actions as text |

mod board;
mod edition;
mod egg;
mod ending;
mod fen;
mod legality;
mod moves;
mod notation;
mod path;
mod reading;
pub mod setup;
mod state;

pub use edition::{Edition, KnightTrail};
pub use state::{Captured, Hidden, Pending, Powers};

use self::board::Board;
use super::{Action, Event, IllegalAction, Occupant, Outcome, PlayError, Played, ReadActionError, Rules};
use crate::board::{Bitboard, Color, Square};
use crate::chance::Chance;

/// A position of Chakart, public or true (see [`Rules`]). Small and cheap to copy.
///
/// Its board holds the visible men only; the hidden queen is kept apart, so that nothing that is legal can depend on
/// her square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    edition: &'static Edition,
    board: Board,
    turn: Color,
    /// Whole turns played.
    ply: u32,
    powers: Powers,
    pending: Option<Pending>,
    hidden: Hidden,
    /// Passes in a row up to here.
    passes: u8,
    captured: Captured,
}

impl Position {
    fn empty(edition: &'static Edition) -> Self {
        Self {
            edition,
            board: Board::default(),
            turn: Color::White,
            ply: 0,
            powers: Powers::ALL,
            pending: None,
            hidden: Hidden::None,
            passes: 0,
            captured: Captured::default(),
        }
    }

    /// The edition by which this position is played.
    #[must_use]
    pub const fn edition(&self) -> &'static Edition {
        self.edition
    }

    /// Whole turns played.
    #[must_use]
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The powers that are still unused.
    #[must_use]
    pub const fn powers(&self) -> Powers {
        self.powers
    }

    /// The decision that an egg has left, if any.
    #[must_use]
    pub const fn pending(&self) -> Option<Pending> {
        self.pending
    }

    /// The hidden queen of the side not to move.
    #[must_use]
    pub const fn hidden(&self) -> Hidden {
        self.hidden
    }

    /// Passes in a row up to here, 0 to 3.
    #[must_use]
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// The captured men (first edition; all zero elsewhere).
    #[must_use]
    pub const fn captured(&self) -> Captured {
        self.captured
    }

    /// What stands or lies on a square for everybody to see.
    #[must_use]
    pub fn occupant_at(&self, square: Square) -> Option<Occupant> {
        self.board.occupant_at(square)
    }
}

impl Rules for Position {
    fn turn(&self) -> Color {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.result()
    }

    fn legal_actions(&self) -> Vec<Action> {
        self.list_actions()
    }

    fn check(&self, action: &Action) -> Result<(), IllegalAction> {
        self.check_action(action)
    }

    fn play(&self, action: &Action, chance: &mut dyn Chance) -> Result<Played<Self>, PlayError> {
        self.check_action(action)?;
        path::resolve(*self, action, chance).map_err(|path::Declined| PlayError::ChanceDeclined)
    }

    fn hidden_origin(&self) -> Option<Square> {
        match self.hidden {
            Hidden::From(origin) => Some(origin),
            Hidden::None | Hidden::At(_) => None,
        }
    }

    fn stealth_destinations(&self, from: Square) -> Bitboard {
        self.stealth_squares(from)
    }

    fn opened(&self, square: Square) -> Self {
        match self.hidden {
            Hidden::From(_) if self.board.occupant_at(square).is_none() => {
                Self { hidden: Hidden::At(square), ..*self }
            }
            _ => *self,
        }
    }

    fn fen(&self) -> String {
        self.write_fen()
    }

    fn notation(&self, action: &Action) -> String {
        self.write_notation(action)
    }

    fn notation_played(&self, action: &Action, events: &[Event], verbose: bool) -> String {
        let mut text = self.write_notation(action);
        notation::push_egg(events, verbose, &mut text);
        text
    }

    fn read_action(&self, text: &str) -> Result<Action, ReadActionError> {
        self.read(text)
    }
}
