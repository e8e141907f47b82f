//! How the machine decides in a practice game: by chance, by expected material, or by that after the best answer.
//!
//! It sees what a player sees, takes chance as the rules draw it, and thinks for a bounded number of positions.

use std::cmp::Ordering;

use chakart_core::board::{Color, Role};
use chakart_core::chance::SeededChance;
use chakart_core::rules::{Action, Game, Occupant, Outcome, OutcomesError, Rules as _, for_each_branch};

/// Branches of chance that are looked at for one action; beyond them the first ones stand for all.
const MAX_BRANCHES: usize = 400;
/// The same for answers, and for actions whose answers are looked at.
const MAX_BRANCHES_OF_ANSWER: usize = 8;
const MAX_BRANCHES_BEFORE_ANSWER: usize = 24;
/// Actions whose answers are looked at.
const BEST: usize = 10;
/// More than all men together.
const GAME: f64 = 1_000.0;
/// Actions that are as good as this one, in pawns.
const LIKE: f64 = 0.15;

/// How well the machine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Any legal action.
    Random,
    /// The best material after the action, on average of chance.
    Greedy,
    /// The best material after the action and the best answer to it.
    Expectimax,
}

/// The machine's choice among the legal actions; `None` if there is none. `seed` decides among those that are as good.
#[must_use]
pub fn choose(game: &Game, level: Level, seed: [u8; 32]) -> Option<Action> {
    let mut chance = SeededChance::new(seed);
    let actions = game.legal_actions();
    if level == Level::Random {
        let index = chance.uniform(u32::try_from(actions.len()).ok()?);
        return completed(game, *actions.get(index as usize)?, &mut chance);
    }
    // What a stealth move is worth nobody can tell by counting men.
    let seen = actions.iter().filter(|action| !matches!(action, Action::Unseen { .. }));
    let mut rated: Vec<(f64, Action)> =
        seen.map(|action| (expected(game, action, MAX_BRANCHES, material), *action)).collect();
    rated.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal));
    if level == Level::Expectimax {
        rated.truncate(BEST);
        for (value, action) in &mut rated {
            *value = expected(game, action, MAX_BRANCHES_BEFORE_ANSWER, after_answer);
        }
    }
    let best = rated.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    rated.retain(|(value, _)| *value >= best - LIKE);
    let index = chance.uniform(u32::try_from(rated.len()).ok().filter(|count| *count > 0)?);
    rated.get(index as usize).map(|(_, action)| *action)
}

/// A stealth move with its square.
fn completed(game: &Game, action: Action, chance: &mut SeededChance) -> Option<Action> {
    let Action::Unseen { from } = action else { return Some(action) };
    let squares: Vec<_> = game.stealth_destinations(from).into_iter().collect();
    let index = chance.uniform(u32::try_from(squares.len()).ok()?);
    Some(Action::Stealth { from, to: *squares.get(index as usize)? })
}

/// The average of what a side has after an action, over at most so many branches of chance.
fn expected(game: &Game, action: &Action, branches: usize, value: fn(&Game, Color) -> f64) -> f64 {
    let side = game.turn();
    let (mut sum, mut weights, mut seen) = (0.0, 0.0, 0);
    // That there are more branches is no error here, and neither is an action that turns out illegal: it is worth nothing.
    let _ = for_each_branch(game, action, |played, odds| {
        #[expect(clippy::cast_precision_loss, reason = "a rating")]
        let weight = odds.num as f64 / odds.den as f64;
        sum += weight * value(&played.next, side);
        weights += weight;
        seen += 1;
        if seen < branches { Ok(()) } else { Err(OutcomesError::TooManyBranches) }
    });
    if weights > 0.0 { sum / weights } else { -GAME }
}

/// What a side has after the other's best answer; its own further decision, as after King Boo, is left out.
fn after_answer(game: &Game, side: Color) -> f64 {
    if game.outcome().is_some() || game.turn() == side {
        return material(game, side);
    }
    let answers = game.legal_actions();
    let values = answers.iter().map(|answer| -expected(game, answer, MAX_BRANCHES_OF_ANSWER, material));
    values.fold(f64::INFINITY, f64::min).min(GAME)
}

/// Own men less the other's, in pawns.
fn material(game: &Game, side: Color) -> f64 {
    match game.outcome() {
        Some(Outcome::Win(winner)) => return if winner == side { GAME } else { -GAME },
        Some(Outcome::Draw) => return 0.0,
        None => {}
    }
    let view = game.view(None, None);
    let men = view.board.iter().filter_map(|occupant| match occupant {
        Some(Occupant::Man(man)) => Some(man),
        _ => None,
    });
    men.map(|man| {
        let worth = if man.immobilised { 0.5 } else { 1.0 } * worth(man.role);
        if man.color == side { worth } else { -worth }
    })
    .sum()
}

const fn worth(role: Role) -> f64 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 30.0,
    }
}

#[cfg(test)]
mod tests {
    use chakart_core::rules::{Setup, Variant};

    use super::*;

    fn position(fen: &str) -> Game {
        Game::from_fen(Variant::Chakart, fen).expect("a position")
    }

    #[test]
    fn a_king_that_can_be_taken_is_taken() {
        let game = position(r#"4k3/8/8/8/8/8/4R3/K7 w 20 {"flags":"0000"}"#);
        for level in [Level::Greedy, Level::Expectimax] {
            for seed in 0..5 {
                let action = choose(&game, level, [seed; 32]).expect("an action");
                assert_eq!(action.to_string(), "e2e8", "{level:?}");
            }
        }
    }

    #[test]
    fn a_queen_is_not_given_for_a_pawn_by_who_sees_the_answer() {
        let game = position(r#"k7/8/4p3/3p4/8/8/8/K2Q4 w 20 {"flags":"0000"}"#);
        assert_eq!(choose(&game, Level::Greedy, [1; 32]).expect("an action").to_string(), "d1d5");
        let action = choose(&game, Level::Expectimax, [1; 32]).expect("an action");
        assert_ne!(action.to_string(), "d1d5");
    }

    #[test]
    fn every_level_plays_whole_games_of_every_variant_legally() {
        for (variant, level) in
            Variant::ALL.into_iter().zip([Level::Random, Level::Greedy, Level::Expectimax, Level::Greedy])
        {
            let mut chance = SeededChance::new([7; 32]);
            let mut game = Game::start(variant, Setup::Fixed, &mut chance);
            for turn in 0..12 {
                let Some(action) = choose(&game, level, [turn; 32]) else { break };
                game.check(&action).expect("legal");
                let public =
                    if let Action::Stealth { from, .. } = action { Action::Unseen { from } } else { action };
                game = game.play(&public, &mut chance).expect("legal").next;
                if let Action::Stealth { to, .. } = action {
                    game = game.opened(to);
                }
            }
        }
    }
}
