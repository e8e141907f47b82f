//! A game under way: the position with the history that repetition needs.

use std::sync::Arc;

use super::position::Identity;
use super::{Position, Refusal, spelling};
use crate::board::Color;
use crate::chance::Chance;
use crate::rules::{
    Action, Displacement, Event, FenFaults, IllegalAction, Man, Outcome, PlayError, Played, ReadActionError,
    Rules, Turn,
};

/// How often a position must occur to end the game.
const DRAWING_OCCURRENCES: usize = 3;

/// The state of a game of Dynamo. Nothing is hidden in it, and nothing random happens.
///
/// A clone copies the position and shares the history. The history is exact, a position taking some 80 bytes, and
/// goes back only to the last turn that no later turn can take back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dynamo {
    position: Position,
    earlier: Arc<[Identity]>,
    outcome: Option<Outcome>,
}

impl Dynamo {
    /// A game that has not begun.
    #[must_use]
    pub fn start() -> Self {
        Self::new(Position::start(), Arc::default())
    }

    /// A game that goes on from a position of which no history is known.
    ///
    /// # Errors
    /// [`FenFaults`]: everything that is wrong with it.
    pub fn from_fen(fen: &str) -> Result<Self, FenFaults> {
        Ok(Self::new(Position::from_fen(fen)?, Arc::default()))
    }

    /// The position on the board.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    fn new(position: Position, earlier: Arc<[Identity]>) -> Self {
        let outcome = ending(&position, &earlier);
        Self { position, earlier, outcome }
    }

    /// The state after a legal turn in canonical spelling.
    fn after(&self, action: Action, displacements: &Turn) -> Self {
        let next = self.position.after(action, displacements);
        let earlier = if is_reversible(&self.position, &next) {
            self.earlier.iter().copied().chain([self.position.identity()]).collect()
        } else {
            Arc::default()
        };
        Self::new(next, earlier)
    }

    fn refuse(action: &Action, refusal: Refusal) -> IllegalAction {
        IllegalAction { action: *action, reason: refusal.reason() }
    }

    fn canonical(&self, action: &Action) -> Result<Action, IllegalAction> {
        if self.outcome.is_some() {
            return Err(Self::refuse(action, Refusal::GameOver));
        }
        self.position.canonical(action).map_err(|refusal| Self::refuse(action, refusal))
    }
}

/// Men that are gone, pawns that have promoted and rights that are lost do not come back.
fn is_reversible(before: &Position, after: &Position) -> bool {
    use crate::board::Role;
    let census = |position: &Position| {
        (position.board().occupied().len(), position.board().role(Role::Pawn).len(), position.rights())
    };
    census(before) == census(after)
}

fn ending(position: &Position, earlier: &[Identity]) -> Option<Outcome> {
    if !position.has_legal_turn() {
        let dynamate = position.is_in_check();
        return Some(if dynamate { Outcome::Win(!position.turn()) } else { Outcome::Draw });
    }
    let identity = position.identity();
    let occurrences = 1 + earlier.iter().filter(|&earlier| *earlier == identity).count();
    (occurrences >= DRAWING_OCCURRENCES).then_some(Outcome::Draw)
}

impl Rules for Dynamo {
    fn turn(&self) -> Color {
        self.position.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn legal_actions(&self) -> Vec<Action> {
        if self.outcome.is_some() { Vec::new() } else { self.position.legal_turns() }
    }

    fn check(&self, action: &Action) -> Result<(), IllegalAction> {
        if self.canonical(action)? == *action {
            Ok(())
        } else {
            Err(Self::refuse(action, Refusal::NotCanonical))
        }
    }

    fn play(&self, action: &Action, _chance: &mut dyn Chance) -> Result<Played<Self>, PlayError> {
        self.check(action)?;
        let displacements =
            self.position.displacements(action).ok_or_else(|| Self::refuse(action, Refusal::NotOfDynamo))?;
        let next = self.after(*action, &displacements);
        let mut events = Vec::with_capacity(3);
        for part in std::iter::once(displacements.lead).chain(displacements.trail) {
            if let Some(man) = self.position.board().man(part.from) {
                tell(man, part, &mut events);
            }
        }
        events.extend(next.outcome.map(|outcome| Event::Ended { outcome }));
        Ok(Played { next, events })
    }

    fn fen(&self) -> String {
        self.position.to_string()
    }

    fn notation(&self, action: &Action) -> String {
        action.to_string()
    }

    fn read_action(&self, text: &str) -> Result<Action, ReadActionError> {
        let meant = spelling::read(self.position.board(), text);
        let mut fits = Vec::new();
        let mut refusal = None;
        for action in &meant {
            match self.canonical(action) {
                Ok(canonical) => fits.push(canonical),
                Err(illegal) => refusal = refusal.or(Some(illegal)),
            }
        }
        fits.sort_by_key(ToString::to_string);
        fits.dedup();
        match (fits.as_slice(), refusal) {
            (&[action], _) => Ok(action),
            ([], Some(illegal)) => Err(illegal.into()),
            ([], None) => Err(ReadActionError::NotUnderstood(text.to_owned())),
            _ => Err(ReadActionError::Ambiguous { text: text.to_owned(), fits }),
        }
    }
}

fn tell(man: Man, part: Displacement, events: &mut Vec<Event>) {
    let Some(to) = part.to else {
        return events.push(Event::WentOff { man, from: part.from });
    };
    events.push(Event::Moved { man, from: part.from, to });
    events.extend(part.promotion.map(|role| Event::Promoted { square: to, role }));
}
