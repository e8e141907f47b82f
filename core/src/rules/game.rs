//! A game of any variant: one enum that dispatches to the rules of its variant.

use super::{
    Action, Event, FenFaults, IllegalAction, Outcome, ParseActionError, PlayError, Played, ReadActionError,
    Rules, Setup, Variant, chakart,
};
use crate::board::{Bitboard, Color, Square};
use crate::chance::{Chance, SeededChance};

/// The state of a game of any variant.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Game {
    /// Any edition of Chakart.
    Chakart(chakart::Position),
}

impl Game {
    /// The state at the beginning, its arrays drawn from `chance` as the set-up says.
    #[must_use]
    pub fn start(variant: Variant, setup: Setup, chance: &mut SeededChance) -> Self {
        Self::Chakart(chakart::Position::start(edition(variant), setup, chance))
    }

    /// Reads a FEN of a variant.
    ///
    /// # Errors
    /// [`FenFaults`]: everything that is wrong with it.
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Self, FenFaults> {
        chakart::Position::from_fen(edition(variant), fen).map(Self::Chakart)
    }

    /// The variant that is played.
    #[must_use]
    pub fn variant(&self) -> Variant {
        match self {
            Self::Chakart(position) => position.edition().variant,
        }
    }

    /// Whole turns played.
    #[must_use]
    pub fn ply(&self) -> u32 {
        match self {
            Self::Chakart(position) => position.ply(),
        }
    }

    /// Reads the canonical text of an action of this game's variant. Says nothing of legality.
    ///
    /// # Errors
    /// [`ParseActionError`] for any other text.
    pub fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        match self {
            Self::Chakart(_) => Action::parse_chakart(text),
        }
    }
}

fn edition(variant: Variant) -> &'static chakart::Edition {
    match variant {
        Variant::Chakart => chakart::Edition::CURRENT,
        Variant::Chakart2nd => chakart::Edition::SECOND,
        Variant::Chakart1st => chakart::Edition::FIRST,
    }
}

impl Rules for Game {
    fn turn(&self) -> Color {
        match self {
            Self::Chakart(position) => position.turn(),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Chakart(position) => position.outcome(),
        }
    }

    fn legal_actions(&self) -> Vec<Action> {
        match self {
            Self::Chakart(position) => position.legal_actions(),
        }
    }

    fn check(&self, action: &Action) -> Result<(), IllegalAction> {
        match self {
            Self::Chakart(position) => position.check(action),
        }
    }

    fn play(&self, action: &Action, chance: &mut dyn Chance) -> Result<Played<Self>, PlayError> {
        match self {
            Self::Chakart(position) => position
                .play(action, chance)
                .map(|played| Played { next: Self::Chakart(played.next), events: played.events }),
        }
    }

    fn hidden_origin(&self) -> Option<Square> {
        match self {
            Self::Chakart(position) => position.hidden_origin(),
        }
    }

    fn stealth_destinations(&self, from: Square) -> Bitboard {
        match self {
            Self::Chakart(position) => position.stealth_destinations(from),
        }
    }

    fn opened(&self, square: Square) -> Self {
        match self {
            Self::Chakart(position) => Self::Chakart(position.opened(square)),
        }
    }

    fn fen(&self) -> String {
        match self {
            Self::Chakart(position) => position.fen(),
        }
    }

    fn notation(&self, action: &Action) -> String {
        match self {
            Self::Chakart(position) => position.notation(action),
        }
    }

    fn notation_played(&self, action: &Action, events: &[Event], verbose: bool) -> String {
        match self {
            Self::Chakart(position) => position.notation_played(action, events, verbose),
        }
    }

    fn read_action(&self, text: &str) -> Result<Action, ReadActionError> {
        match self {
            Self::Chakart(position) => position.read_action(text),
        }
    }
}
