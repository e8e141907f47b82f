//! How automatic players decide: they take a king when they can, like objects and prey, and otherwise do anything.

use chakart_core::board::Role;
use chakart_core::chance::{NoChance, SeededChance};
use chakart_core::protocol::session::Session;
use chakart_core::rules::{Action, Event, Game, Man, Occupant, Outcome, Rules as _};
use chakart_core::scene::named;
use chakart_core::view::View;

use super::seat::Seat;
use crate::failure::Failure;

/// How much likelier an action on an object is than one on nothing.
const OBJECT_WEIGHT: u32 = 4;
/// How much likelier an action that may not be seen is.
const STEALTH_WEIGHT: u32 = 2;
/// Turns before the agreed length at which a draw is offered, so that it is accepted on time.
const OFFER_AHEAD: u32 = 1;

/// The source of a player's choices.
pub(super) struct Choices(SeededChance);

impl Choices {
    pub(super) fn new(seed: [u8; 32]) -> Self {
        Self(SeededChance::new(seed))
    }

    /// One of the actions, each as likely as its weight says.
    fn pick(&mut self, weighted: &[(Action, u32)]) -> Option<Action> {
        let total = weighted.iter().map(|(_, weight)| weight).sum();
        let mut left = self.0.uniform(total);
        weighted
            .iter()
            .find(|(_, weight)| {
                let found = left < *weight;
                left = left.saturating_sub(*weight);
                found
            })
            .map(|(action, _)| *action)
    }
}

/// Decides for the player to move, and signs.
pub(super) fn decide(seat: &mut Seat, agreed_plies: u32, now_ms: u64) -> Result<(), Failure> {
    let session = seat.session()?;
    let number = seat.number()?;
    let (Some(game), Some(view)) = (session.game(), session.view()) else { return Ok(()) };
    if session.is_draw_offered() {
        seat.store.accept_draw(number, now_ms)?;
    } else if let Some(action) = choose(&session, game, &view, &mut seat.choices) {
        let draw_offer = game.ply() + OFFER_AHEAD >= agreed_plies;
        seat.store.act(number, action, draw_offer, now_ms)?;
    }
    seat.wake();
    Ok(())
}

fn choose(session: &Session, game: &Game, view: &View, choices: &mut Choices) -> Option<Action> {
    let actions = game.legal_actions();
    let winning = actions.iter().find(|action| wins(game, action));
    let weighted: Vec<(Action, u32)> =
        actions.iter().map(|action| (*action, weight(session, game, view, action))).collect();
    winning.copied().or_else(|| choices.pick(&weighted))
}

/// Whether an action ends the game in favour of its player before any chance.
fn wins(game: &Game, action: &Action) -> bool {
    game.play(action, &mut NoChance)
        .is_ok_and(|played| played.next.outcome() == Some(Outcome::Win(game.turn())))
}

fn weight(session: &Session, game: &Game, view: &View, action: &Action) -> u32 {
    match action {
        Action::Stealth { .. } => STEALTH_WEIGHT,
        Action::Turn(_) => 1 + thrown_off(session, game, action),
        _ => named(action).into_iter().map(|square| prey(session, view.at(square))).max().unwrap_or(1),
    }
}

fn prey(session: &Session, occupant: Option<Occupant>) -> u32 {
    match occupant {
        Some(Occupant::Object(_)) => OBJECT_WEIGHT,
        Some(Occupant::Man(man)) if Some(man.color) != session.color() => 2 * worth(man),
        _ => 1,
    }
}

/// The worth of enemy men that a turn of Dynamo throws off the board.
fn thrown_off(session: &Session, game: &Game, action: &Action) -> u32 {
    let events = game.play(action, &mut NoChance).map(|played| played.events).unwrap_or_default();
    events
        .iter()
        .map(|event| match event {
            Event::WentOff { man, .. } if Some(man.color) != session.color() => 4 * worth(*man),
            _ => 0,
        })
        .sum()
}

const fn worth(man: Man) -> u32 {
    match man.role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}
