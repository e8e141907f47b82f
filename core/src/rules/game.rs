//! A game of any variant: one enum that dispatches to the rules of its variant.

use super::{
    Action, Event, FenFaults, IllegalAction, Outcome, ParseActionError, PlayError, Played, ReadActionError,
    Rules, Setup, Variant, chakart, dynamo,
};
use crate::board::{Bitboard, Color, Square};
use crate::chance::{Chance, SeededChance};

/// The state of a game of any variant.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Game {
    /// Any edition of Chakart.
    Chakart(chakart::Position),
    /// Dynamo.
    Dynamo(dynamo::Dynamo),
}

impl Game {
    /// The state at the beginning, its arrays drawn from `chance` as the set-up says. Dynamo has one array: it draws
    /// nothing, whatever the set-up.
    #[must_use]
    pub fn start(variant: Variant, setup: Setup, chance: &mut SeededChance) -> Self {
        match edition(variant) {
            Some(edition) => Self::Chakart(chakart::Position::start(edition, setup, chance)),
            None => Self::Dynamo(dynamo::Dynamo::start()),
        }
    }

    /// Reads a FEN of a variant.
    ///
    /// # Errors
    /// [`FenFaults`]: everything that is wrong with it.
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Self, FenFaults> {
        match edition(variant) {
            Some(edition) => chakart::Position::from_fen(edition, fen).map(Self::Chakart),
            None => dynamo::Dynamo::from_fen(fen).map(Self::Dynamo),
        }
    }

    /// The variant that is played.
    #[must_use]
    pub fn variant(&self) -> Variant {
        match self {
            Self::Chakart(position) => position.edition().variant,
            Self::Dynamo(_) => Variant::Dynamo,
        }
    }

    /// Whole turns played.
    #[must_use]
    pub fn ply(&self) -> u32 {
        match self {
            Self::Chakart(position) => position.ply(),
            Self::Dynamo(game) => game.position().halfmoves(),
        }
    }

    /// Reads the canonical text of an action of this game's variant. Says nothing of legality.
    ///
    /// # Errors
    /// [`ParseActionError`] for any other text.
    pub fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        match self {
            Self::Chakart(_) => Action::parse_chakart(text),
            Self::Dynamo(_) => Action::parse_dynamo(text),
        }
    }

    /// Number of sequences of `depth` actions from here, as [`dynamo::perft`] counts them; `None` in variants with
    /// chance. Takes time in proportion to the number.
    #[must_use]
    pub fn perft(&self, depth: u32) -> Option<u64> {
        match self {
            Self::Chakart(_) => None,
            Self::Dynamo(game) => Some(dynamo::perft(game.position(), depth)),
        }
    }
}

/// The edition of a variant of Chakart; `None` for Dynamo.
fn edition(variant: Variant) -> Option<&'static chakart::Edition> {
    match variant {
        Variant::Chakart => Some(chakart::Edition::CURRENT),
        Variant::Chakart2nd => Some(chakart::Edition::SECOND),
        Variant::Chakart1st => Some(chakart::Edition::FIRST),
        Variant::Dynamo => None,
    }
}

impl Rules for Game {
    fn turn(&self) -> Color {
        match self {
            Self::Chakart(position) => position.turn(),
            Self::Dynamo(game) => game.turn(),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Chakart(position) => position.outcome(),
            Self::Dynamo(game) => game.outcome(),
        }
    }

    fn legal_actions(&self) -> Vec<Action> {
        match self {
            Self::Chakart(position) => position.legal_actions(),
            Self::Dynamo(game) => game.legal_actions(),
        }
    }

    fn check(&self, action: &Action) -> Result<(), IllegalAction> {
        match self {
            Self::Chakart(position) => position.check(action),
            Self::Dynamo(game) => game.check(action),
        }
    }

    fn play(&self, action: &Action, chance: &mut dyn Chance) -> Result<Played<Self>, PlayError> {
        match self {
            Self::Chakart(position) => position
                .play(action, chance)
                .map(|played| Played { next: Self::Chakart(played.next), events: played.events }),
            Self::Dynamo(game) => game
                .play(action, chance)
                .map(|played| Played { next: Self::Dynamo(played.next), events: played.events }),
        }
    }

    fn hidden_origin(&self) -> Option<Square> {
        match self {
            Self::Chakart(position) => position.hidden_origin(),
            Self::Dynamo(game) => game.hidden_origin(),
        }
    }

    fn stealth_destinations(&self, from: Square) -> Bitboard {
        match self {
            Self::Chakart(position) => position.stealth_destinations(from),
            Self::Dynamo(game) => game.stealth_destinations(from),
        }
    }

    fn opened(&self, square: Square) -> Self {
        match self {
            Self::Chakart(position) => Self::Chakart(position.opened(square)),
            Self::Dynamo(game) => Self::Dynamo(game.opened(square)),
        }
    }

    fn fen(&self) -> String {
        match self {
            Self::Chakart(position) => position.fen(),
            Self::Dynamo(game) => game.fen(),
        }
    }

    fn notation(&self, action: &Action) -> String {
        match self {
            Self::Chakart(position) => position.notation(action),
            Self::Dynamo(game) => game.notation(action),
        }
    }

    fn notation_played(&self, action: &Action, events: &[Event], verbose: bool) -> String {
        match self {
            Self::Chakart(position) => position.notation_played(action, events, verbose),
            Self::Dynamo(game) => game.notation_played(action, events, verbose),
        }
    }

    fn read_action(&self, text: &str) -> Result<Action, ReadActionError> {
        match self {
            Self::Chakart(position) => position.read_action(text),
            Self::Dynamo(game) => game.read_action(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_starts_and_reads_its_own_fen() {
        for variant in Variant::ALL {
            assert_eq!(Variant::from_number(variant.number()), Some(variant));
            for &setup in variant.setups() {
                let game = Game::start(variant, setup, &mut SeededChance::new([7; 32]));
                assert_eq!((game.variant(), game.ply(), game.outcome()), (variant, 0, None));
                assert_eq!(Game::from_fen(variant, &game.fen()), Ok(game));
            }
        }
    }

    #[test]
    fn dynamo_draws_no_array_and_counts_turns() {
        let start = |setup| Game::start(Variant::Dynamo, setup, &mut SeededChance::new([7; 32]));
        assert_eq!(start(Setup::Asymmetric), start(Setup::Fixed));
        assert_eq!(start(Setup::Fixed).perft(1), Some(168));
        assert_eq!(
            start(Setup::Fixed).parse_action("d4b2,g7d4").map(|turn| turn.to_string()),
            Ok("d4b2,g7d4".into())
        );
    }
}
