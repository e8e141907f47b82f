//! A log as the acts of two players with what they did: for move lists, stepping and remarks.

use crate::board::{Color, Square};
use crate::protocol::codec::SignedEntry;
use crate::protocol::entry::Party;
use crate::protocol::log::{Log, Placement};
use crate::protocol::misdeed::Refusal;
use crate::protocol::phase::{Phase, Step};
use crate::rules::{Action, Event, Game, Played, Rules};

/// One act and what came of it, from the public view.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The place of the act.
    pub seq: u32,
    /// The place of the reveal that answered it; none if none was due, or it has not come.
    pub reveal_seq: Option<u32>,
    /// Who acted.
    pub author: Party,
    /// With which colour.
    pub color: Color,
    /// The turn, from 1 for White's first; sub-moves of a turn share it.
    pub turn: u32,
    /// The act's stamp in milliseconds of Unix time.
    pub at_ms: u64,
    /// Whether a draw was offered with it.
    pub draw_offer: bool,
    /// The action as everybody may know it.
    pub action: Action,
    /// Its short notation before its result.
    pub notation: String,
    /// Where the other player's hidden queen turned out to stand.
    pub opened: Option<Square>,
    /// What it did; none while the reveal has not come.
    pub events: Option<Vec<Event>>,
    /// The public state before.
    pub before: Game,
    /// The public state after; while the reveal has not come, the state before.
    pub after: Game,
}

impl Ply {
    /// An act of a game that is in no log, as a tour or a rehearsal plays it; its author is the host.
    #[must_use]
    pub fn unlogged(before: Game, action: Action, played: Played<Game>) -> Self {
        Self {
            seq: 0,
            reveal_seq: None,
            author: Party::Host,
            color: before.turn(),
            turn: before.ply() + 1,
            at_ms: 0,
            draw_offer: false,
            notation: before.notation(&action),
            action,
            opened: None,
            events: Some(played.events),
            after: played.next,
            before,
        }
    }

    /// The notation with its result, as far as it is known.
    #[must_use]
    pub fn notation_played(&self) -> String {
        match &self.events {
            Some(events) => self.before.notation_played(&self.action, events, true),
            None => self.notation.clone(),
        }
    }
}

/// Replays entries that form a valid log, up to the first that does not.
///
/// # Errors
/// The [`Refusal`] of that entry, with the acts before it.
pub fn replay(entries: &[SignedEntry]) -> Result<Vec<Ply>, (Vec<Ply>, Refusal)> {
    let mut plies = Vec::new();
    let Some((offer, rest)) = entries.split_first() else { return Ok(plies) };
    let Ok(mut log) = Log::open(offer) else { return Ok(plies) };
    for entry in rest {
        let before = log.phase().clone();
        match log.place(entry) {
            Ok(Placement::Appended(step)) => note(&mut plies, &before, &log, step),
            Ok(Placement::Known { .. }) => {}
            Err(refusal) => return Err((plies, refusal)),
        }
    }
    Ok(plies)
}

fn note(plies: &mut Vec<Ply>, before: &Phase, log: &Log, step: Step) {
    match (step, before) {
        (Step::Acted { action, events, draw_offer }, Phase::ExpectAct(phase)) => {
            let game = &phase.midgame.game;
            let head = log.head();
            plies.push(Ply {
                seq: log.last_seq(),
                reveal_seq: None,
                author: head.author,
                color: game.turn(),
                turn: game.ply() + 1,
                at_ms: head.at_ms,
                draw_offer,
                action,
                notation: game.notation(&action),
                opened: None,
                events,
                before: game.clone(),
                after: log.phase().game().unwrap_or(game).clone(),
            });
        }
        (Step::Resolved { opened, events, .. }, _) => {
            if let (Some(ply), Some(after)) = (plies.last_mut(), log.phase().game()) {
                ply.reveal_seq = Some(log.last_seq());
                ply.opened = opened;
                ply.events = Some(events);
                ply.after = after.clone();
            }
        }
        _ => {}
    }
}
