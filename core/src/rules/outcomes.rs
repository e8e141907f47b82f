//! Every possible outcome of an action, with exact odds.

use std::collections::HashMap;

use super::{Action, Event, Game, Outcome, PlayError, Played, Rules};
use crate::chance::Chance;

/// An action with more branches than this is not expanded.
pub const MAX_BRANCHES: usize = 200_000;

/// One possible outcome of an action; branches that end in the same FEN and result are one outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PossibleOutcome {
    /// The state afterwards; none if the game is over.
    pub fen: Option<String>,
    /// How the game ended, if it did.
    pub outcome: Option<Outcome>,
    /// The odds: `num / den`, reduced, above 0 and at most 1.
    pub odds: Odds,
    /// What happens in the first branch that ends so.
    pub events: Vec<Event>,
}

/// A probability as a reduced fraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Odds {
    /// Numerator.
    pub num: u128,
    /// Denominator, at least 1.
    pub den: u128,
}

/// Why the outcomes of an action were not listed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OutcomesError {
    /// The action is not legal.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// There are too many branches.
    #[error("the action has more than {MAX_BRANCHES} branches")]
    TooManyBranches,
    /// An exact fraction does not fit in 128 bits.
    #[error("the odds of the action need fractions of over 128 bits")]
    OddsTooLong,
}

/// All outcomes of `action`, in the order in which their first branches come: branches are ordered by their choices,
/// the first candidate first.
///
/// On a public state with a hidden queen these are the outcomes on the public board, as if she were nowhere.
///
/// # Errors
/// [`OutcomesError`]: the action is illegal, or has more than [`MAX_BRANCHES`] branches.
pub fn outcomes(game: &Game, action: &Action) -> Result<Vec<PossibleOutcome>, OutcomesError> {
    // Counted first, so that what is too much is refused before it is held in memory.
    for_each_branch(game, action, |_, _| Ok(()))?;
    let mut list: Vec<PossibleOutcome> = Vec::new();
    let mut places: HashMap<(Option<String>, Option<Outcome>), usize> = HashMap::new();
    for_each_branch(game, action, |played, odds| {
        let outcome = played.next.outcome();
        let fen = outcome.is_none().then(|| played.next.fen());
        if let Some(known) = places.get(&(fen.clone(), outcome)).and_then(|place| list.get_mut(*place)) {
            known.odds = known.odds.plus(odds).ok_or(OutcomesError::OddsTooLong)?;
        } else {
            places.insert((fen.clone(), outcome), list.len());
            list.push(PossibleOutcome { fen, outcome, odds, events: played.events });
        }
        Ok(())
    })?;
    Ok(list)
}

/// Runs `action` through every combination of random choices, in order, with the odds of each.
///
/// # Errors
/// [`OutcomesError`]: as for [`outcomes`], or what `visit` returns.
pub fn for_each_branch(
    game: &Game,
    action: &Action,
    mut visit: impl FnMut(Played<Game>, Odds) -> Result<(), OutcomesError>,
) -> Result<(), OutcomesError> {
    let mut script = Script::default();
    for _ in 0..MAX_BRANCHES {
        let played = game.play(action, &mut script)?;
        visit(played, script.odds().ok_or(OutcomesError::OddsTooLong)?)?;
        if !script.advance() {
            return Ok(());
        }
    }
    Err(OutcomesError::TooManyBranches)
}

/// A source of chance that repeats given choices and goes on with the first candidate.
#[derive(Default)]
struct Script {
    /// Each choice of the run, with the number of its candidates.
    choices: Vec<(u32, u32)>,
    next: usize,
}

impl Chance for Script {
    fn choose(&mut self, candidates: u32) -> Option<u32> {
        let chosen = match self.choices.get(self.next) {
            Some((chosen, _)) => *chosen,
            None => {
                self.choices.push((0, candidates));
                0
            }
        };
        self.next += 1;
        Some(chosen)
    }
}

impl Script {
    fn odds(&self) -> Option<Odds> {
        let den =
            self.choices.iter().try_fold(1u128, |den, (_, count)| den.checked_mul(u128::from(*count)))?;
        Some(Odds { num: 1, den })
    }

    /// Goes to the next combination of choices; `false` after the last.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((chosen, count)) = self.choices.pop() {
            if chosen + 1 < count {
                self.choices.push((chosen + 1, count));
                return true;
            }
        }
        false
    }
}

impl Odds {
    /// The sum, reduced; `None` if it does not fit.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let common = gcd(self.den, other.den);
        let den = self.den.checked_mul(other.den / common)?;
        let left = self.num.checked_mul(other.den / common)?;
        let right = other.num.checked_mul(self.den / common)?;
        let num = left.checked_add(right)?;
        let factor = gcd(num, den);
        Some(Self { num: num / factor, den: den / factor })
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn outcomes_of(fen: &str, action: &str) -> Result<Vec<PossibleOutcome>, OutcomesError> {
        let game = Game::from_fen(Variant::Chakart, fen).expect("the FEN is valid");
        let action = game.parse_action(action).expect("an action");
        outcomes(&game, &action)
    }

    #[test]
    fn equal_outcomes_are_merged_and_sum_to_one() {
        let list = outcomes_of(r#"7k/8/8/8/8/5e2/8/4K1N1 w 10 {"flags":"0000"}"#, "g1f3").expect("outcomes");
        let odds: Vec<(u128, u128)> =
            list.iter().map(|outcome| (outcome.odds.num, outcome.odds.den)).collect();
        // King Boo, Koopa, five kinds of Toadette, Chomp, Daisy, Bowser, Luigi without target, Waluigi on the mover.
        let fortieths = [(1, 40); 5];
        assert_eq!(odds, [&[(1, 8); 2][..], &fortieths, &[(1, 8); 5]].concat());
        let all = list.iter().try_fold(Odds { num: 0, den: 1 }, |sum, outcome| sum.plus(outcome.odds));
        assert_eq!(all, Some(Odds { num: 1, den: 1 }));
    }

    #[test]
    fn a_finished_game_has_no_fen() {
        let list = outcomes_of(r#"7k/8/8/8/8/8/R3d3/4K3 w 10 {"flags":"0000"}"#, "a2e2").expect("outcomes");
        let lost: Vec<_> = list.iter().filter(|outcome| outcome.fen.is_none()).collect();
        assert_eq!(lost.len(), 1);
        assert_eq!(lost[0].outcome.map(|outcome| outcome.to_string()), Some("0-1".to_owned()));
        assert_eq!(lost[0].odds, Odds { num: 1, den: 4 });
    }

    #[test]
    fn a_board_full_of_bananas_is_not_expanded() {
        let fen =
            r#"Qdddddkd/dddddddd/dddddddd/dddddddd/dddddddd/dddddddd/dddddddd/ddddddKd w 0 {"flags":"0000"}"#;
        assert_eq!(outcomes_of(fen, "a8b8"), Err(OutcomesError::TooManyBranches));
    }

    #[test]
    fn an_illegal_action_has_no_outcomes() {
        let found = outcomes_of(r#"7k/8/8/8/8/8/8/4K3 w 10 {"flags":"0000"}"#, "e1e8");
        assert!(matches!(found, Err(OutcomesError::Play(PlayError::Illegal(_)))));
    }
}
