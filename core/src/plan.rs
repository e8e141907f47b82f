//! What a player decides in advance: `if e7e5 then g1f3`, `if kingboo then a1~h8`.
//!
//! A plan is made for the last entry of a log and fires only if exactly what it names comes next and needs no further
//! judgement. Whatever else comes next drops it. Plans are nobody's but their maker's: they are in no log.

use std::fmt;

use crate::chance::NoChance;
use crate::protocol::entry::EntryId;
use crate::protocol::phase::{Phase, Step};
use crate::protocol::session::Session;
use crate::rules::{Action, Effect, Event, Game, PlayError, Rules};

/// A decision in advance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What must come next.
    pub trigger: Trigger,
    /// What is then played.
    pub then: Action,
}

/// What must come next for a plan to fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// The opponent does exactly this, without chance and without a draw offer.
    Opponent(Action),
    /// The egg on which the own last act landed gives this, and a decision is due for it.
    Egg(Effect),
}

/// Why a text is no plan for this game now.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPlan {
    /// Not of the form of a plan.
    #[error("a plan reads 'if ACTION then ACTION' or 'if kingboo|daisy|toadette then ACTION'")]
    Form,
    /// Not an action.
    #[error("'{0}' is not an action: write it as 'moves' does, for example e7e5")]
    NotAnAction(String),
    /// Nothing is waited for to which a plan could be the answer.
    #[error("a plan is made while the other player's answer is waited for")]
    NothingAwaited,
    /// The opponent is to decide, and the plan names an egg.
    #[error("no egg of yours is being opened: name an action of the opponent")]
    NoEgg,
    /// An egg is being opened, and the plan names an action.
    #[error("your own egg is being opened: name kingboo, daisy or toadette")]
    EggAwaited,
    /// The opponent cannot do this.
    #[error("the opponent cannot play {0} here")]
    NotLegal(String),
    /// The answer would not be legal.
    #[error("{then} is not legal after {expected}")]
    AnswerNotLegal {
        /// What the opponent would do.
        expected: String,
        /// What would then be played.
        then: String,
    },
    /// What the opponent would do is decided by chance.
    #[error("{0} needs chance: nobody can know what it does, so no plan answers it")]
    NeedsChance(String),
}

/// What has become of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Nothing has happened yet that decides it.
    Waits,
    /// It is to be played now.
    Fires,
    /// It never will be.
    Dropped(Dropped),
}

/// Why a plan never fires.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Dropped {
    /// Something else came next.
    #[error("something else happened")]
    OtherEvent,
    /// The opponent's action came with a draw offer.
    #[error("a draw was offered with it")]
    DrawOffered,
    /// It came as planned, but no decision is due now.
    #[error("it is not your turn after it")]
    NotYourTurn,
    /// The entry that it was made for is not in the log.
    #[error("the position that it was made for is gone")]
    PositionGone,
}

impl Plan {
    /// Reads a plan for a game as it stands.
    ///
    /// # Errors
    /// [`BadPlan`]
    pub fn read(text: &str, session: &Session) -> Result<Self, BadPlan> {
        let awaited = Awaited::of(session)?;
        let game = session.game().ok_or(BadPlan::NothingAwaited)?;
        let (trigger, then) = split(text)?;
        let then = action(then, game)?;
        let trigger = match (effect(trigger), awaited) {
            (Some(effect), Awaited::Egg) => Trigger::Egg(effect),
            (Some(_), Awaited::Act) => return Err(BadPlan::NoEgg),
            (None, Awaited::Egg) => return Err(BadPlan::EggAwaited),
            (None, Awaited::Act) => {
                let expected = action(trigger, game)?;
                possible(&expected, &then, game)?;
                Trigger::Opponent(expected)
            }
        };
        Ok(Self { trigger, then })
    }

    /// Reads what [`fmt::Display`] writes, without regard to any position.
    ///
    /// # Errors
    /// [`BadPlan`]
    pub fn parse(text: &str, game: &Game) -> Result<Self, BadPlan> {
        let (trigger, then) = split(text)?;
        let then = action(then, game)?;
        let trigger = match effect(trigger) {
            Some(effect) => Trigger::Egg(effect),
            None => Trigger::Opponent(action(trigger, game)?),
        };
        Ok(Self { trigger, then })
    }

    /// What has become of this plan, which was made when `made_at` was the last entry.
    #[must_use]
    pub fn progress(&self, made_at: EntryId, session: &Session) -> Progress {
        let Some(seq) = session.log().seq_of(made_at) else {
            return Progress::Dropped(Dropped::PositionGone);
        };
        // The step of entry i is at i − 1.
        let since = session.steps().get(seq as usize..).unwrap_or_default();
        match self.judge(since) {
            Progress::Fires if session.is_my_turn() => Progress::Fires,
            Progress::Fires => Progress::Dropped(Dropped::NotYourTurn),
            // After the end nothing more comes.
            Progress::Waits if session.judgement().is_finished() => Progress::Dropped(Dropped::OtherEvent),
            other => other,
        }
    }

    /// Judges what came after the position of this plan.
    fn judge(&self, since: &[Step]) -> Progress {
        match (self.trigger, since) {
            (_, []) => Progress::Waits,
            (Trigger::Egg(effect), [Step::Resolved { events, .. }]) if hatched(events) == Some(effect) => {
                Progress::Fires
            }
            (Trigger::Opponent(expected), [Step::Acted { action, events, draw_offer }, rest @ ..])
                if *action == expected =>
            {
                match (events, rest) {
                    _ if *draw_offer => Progress::Dropped(Dropped::DrawOffered),
                    (None, []) => Progress::Waits,
                    (Some(events), []) | (None, [Step::Resolved { events, .. }]) if is_certain(events) => {
                        Progress::Fires
                    }
                    _ => Progress::Dropped(Dropped::OtherEvent),
                }
            }
            _ => Progress::Dropped(Dropped::OtherEvent),
        }
    }
}

/// As [`Plan::parse`] reads it back.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.trigger {
            Trigger::Opponent(action) => write!(f, "if {action} then {}", self.then),
            Trigger::Egg(effect) => write!(f, "if {} then {}", word(effect), self.then),
        }
    }
}

/// To what a plan could be the answer.
enum Awaited {
    /// The opponent's act.
    Act,
    /// The reveal of an own act.
    Egg,
}

impl Awaited {
    fn of(session: &Session) -> Result<Self, BadPlan> {
        let owes = session.log().phase().owes();
        if owes != Some(session.me().other()) || session.judgement().is_finished() {
            return Err(BadPlan::NothingAwaited);
        }
        match session.log().phase() {
            Phase::ExpectAct(_) => Ok(Self::Act),
            Phase::ExpectReveal(_) => Ok(Self::Egg),
            _ => Err(BadPlan::NothingAwaited),
        }
    }
}

/// The effects after which a player decides again, with their words.
const DECIDED: [(&str, Effect); 3] =
    [("kingboo", Effect::KingBoo), ("daisy", Effect::Daisy), ("toadette", Effect::Toadette)];

fn effect(word: &str) -> Option<Effect> {
    let word = word.to_ascii_lowercase().replace([' ', '-'], "");
    DECIDED.into_iter().find(|(known, _)| *known == word).map(|(_, effect)| effect)
}

fn word(effect: Effect) -> &'static str {
    DECIDED.into_iter().find(|(_, known)| *known == effect).map_or("", |(word, _)| word)
}

fn split(text: &str) -> Result<(&str, &str), BadPlan> {
    let rest = text.trim().strip_prefix("if ").ok_or(BadPlan::Form)?;
    let (trigger, then) = rest.split_once(" then ").ok_or(BadPlan::Form)?;
    Ok((trigger.trim(), then.trim()))
}

fn action(text: &str, game: &Game) -> Result<Action, BadPlan> {
    game.parse_action(text).map_err(|_| BadPlan::NotAnAction(text.to_owned()))
}

/// Whether the opponent may do this, its outcome is certain, and the answer legal after it.
fn possible(action: &Action, then: &Action, game: &Game) -> Result<(), BadPlan> {
    game.check(action).map_err(|_| BadPlan::NotLegal(action.to_string()))?;
    let after = match game.play(action, &mut NoChance) {
        Ok(played) => played.next,
        Err(PlayError::ChanceDeclined) => return Err(BadPlan::NeedsChance(action.to_string())),
        Err(_) => return Err(BadPlan::NotLegal(action.to_string())),
    };
    // Where a queen is hidden, the public board does not show what is legal after it.
    if game.hidden_origin().is_none() && after.check(then).is_err() {
        return Err(BadPlan::AnswerNotLegal { expected: action.to_string(), then: then.to_string() });
    }
    Ok(())
}

/// The last effect that an egg gave.
fn hatched(events: &[Event]) -> Option<Effect> {
    events.iter().rev().find_map(|event| match event {
        Event::Hatched { effect } => Some(*effect),
        _ => None,
    })
}

fn is_certain(events: &[Event]) -> bool {
    !events.iter().any(|event| matches!(event, Event::Chance { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::chance::SeededChance;
    use crate::rules::{ChanceKind, Setup, Variant};

    fn game() -> Game {
        Game::start(Variant::Chakart, Setup::Fixed, &mut SeededChance::new([0; 32]))
    }

    fn plan(text: &str) -> Plan {
        Plan::parse(text, &game()).expect("a plan")
    }

    fn acted(action: Action, events: Option<Vec<Event>>, draw_offer: bool) -> Step {
        Step::Acted { action, events, draw_offer }
    }

    fn resolved(events: Vec<Event>) -> Step {
        let action = action("e7e5", &game()).expect("an action");
        Step::Resolved { action, opened: None, events }
    }

    #[test]
    fn an_opponents_action_must_come_exactly_and_alone() {
        let plan = plan("if e7e5 then g1f3");
        let expected = action("e7e5", &game()).expect("an action");
        assert_eq!(plan.trigger, Trigger::Opponent(expected));
        let done = vec![Event::Passed { color: Color::Black }];
        assert_eq!(plan.judge(&[]), Progress::Waits);
        assert_eq!(plan.judge(&[acted(expected, None, false)]), Progress::Waits);
        assert_eq!(plan.judge(&[acted(expected, Some(done.clone()), false)]), Progress::Fires);
        assert_eq!(plan.judge(&[acted(expected, None, false), resolved(done.clone())]), Progress::Fires);
        let other = Progress::Dropped(Dropped::OtherEvent);
        assert_eq!(plan.judge(&[acted(plan.then, Some(done.clone()), false)]), other);
        let drawn = acted(expected, Some(done.clone()), true);
        assert_eq!(plan.judge(&[drawn]), Progress::Dropped(Dropped::DrawOffered));
        let chance = Event::Chance { kind: ChanceKind::Placement, candidates: Vec::new(), chosen: 0 };
        assert_eq!(plan.judge(&[acted(expected, None, false), resolved(vec![chance])]), other);
        let gone_on = [acted(expected, Some(done.clone()), false), acted(plan.then, Some(done), false)];
        assert_eq!(plan.judge(&gone_on), other);
    }

    #[test]
    fn an_egg_must_give_exactly_this() {
        let trigger = Trigger::Egg(Effect::KingBoo);
        let plan = Plan { trigger, then: plan("if e7e5 then g1f3").then };
        let gives = |effect| resolved(vec![Event::Hatched { effect }]);
        assert_eq!(plan.judge(&[gives(Effect::KingBoo)]), Progress::Fires);
        assert_eq!(plan.judge(&[gives(Effect::Daisy)]), Progress::Dropped(Dropped::OtherEvent));
        let twice = resolved(vec![
            Event::Hatched { effect: Effect::KingBoo },
            Event::Hatched { effect: Effect::Koopa },
        ]);
        assert_eq!(plan.judge(&[twice]), Progress::Dropped(Dropped::OtherEvent));
    }

    #[test]
    fn texts_read_back_and_bad_ones_are_named() {
        assert_eq!(plan(" if e7e5 then g1f3 ").to_string(), "if e7e5 then g1f3");
        assert_eq!(plan("if King Boo then g1f3").to_string(), "if kingboo then g1f3");
        assert_eq!(Plan::parse("e7e5 g1f3", &game()), Err(BadPlan::Form));
        let not_an_action = BadPlan::NotAnAction("knight".to_owned());
        assert_eq!(Plan::parse("if e7e5 then knight", &game()), Err(not_an_action));
    }

    #[test]
    fn a_plan_must_be_possible() {
        let possible = |expected: &str, then: &str| {
            let [expected, then] = [expected, then].map(|text| action(text, &game()).expect("an action"));
            super::possible(&expected, &then, &game())
        };
        assert_eq!(possible("b1c3", "b8c6"), Ok(()));
        assert_eq!(possible("b1d4", "b8c6"), Err(BadPlan::NotLegal("b1d4".to_owned())));
        let not_legal = BadPlan::AnswerNotLegal { expected: "b1c3".to_owned(), then: "b8d4".to_owned() };
        assert_eq!(possible("b1c3", "b8d4"), Err(not_legal));
    }
}
