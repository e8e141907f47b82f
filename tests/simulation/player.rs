//! Automatic players: they like objects and unseen moves, agree a draw at 60 plies, claim when the other is late, and
//! concede claims.

use chakart_core::board::Square;
use chakart_core::protocol::entry::{ColorChoice, Name, TimeControl};
use chakart_core::protocol::judgement::{Standing, Worth};
use chakart_core::protocol::session::{OfferSettings, Session};
use chakart_core::protocol::statement::StatementKind;
use chakart_core::rules::{Action, Game, Occupant, Rules, Variant};
use chakart_core::view::View;
use chakart_node::store::{GameNo, SignError, Store, StoreError};

use crate::clock::{DAY, HOUR, MINUTE, SECOND};
use crate::random::Random;

/// From here on players agree a draw.
pub(crate) const DRAW_PLY: u32 = 60;

/// How somebody plays.
#[derive(Clone, Debug)]
pub(crate) struct Temper {
    /// Looks of ten thousand that end in a resignation, in turn or out of turn.
    resigns: u64,
    /// From here on this player agrees to a draw.
    draw_ply: u32,
    /// Whether this player leaves its games alone for weeks at times.
    leisurely: bool,
}

/// When a player looks at a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    /// What the own clock shows.
    pub(crate) clock_ms: u64,
    /// What a decision is stamped with.
    pub(crate) stamp_ms: u64,
}

impl Temper {
    pub(crate) fn any(random: &mut Random) -> Self {
        let resigns = *random.pick(&[0, 0, 0, 10, 300]);
        Self { resigns, draw_ply: DRAW_PLY, leisurely: random.per_mille(100) }
    }

    /// Never resigns, and draws early.
    pub(crate) const fn patient(draw_ply: u32) -> Self {
        Self { resigns: 0, draw_ply, leisurely: false }
    }

    /// How long until this player looks at its games again.
    pub(crate) fn pause_ms(&self, random: &mut Random) -> u64 {
        match random.below(20) {
            0..=9 => random.between(SECOND, 5 * MINUTE),
            10..=16 => random.between(MINUTE, 2 * HOUR),
            17..=18 => random.between(HOUR, 8 * HOUR),
            _ if self.leisurely => random.between(DAY, 40 * DAY),
            _ => random.between(8 * HOUR, DAY),
        }
    }

    /// One look at one game that is not finished: does whatever this player wants to do there.
    pub(crate) fn look(
        &self,
        store: &mut Store,
        game: GameNo,
        now: Now,
        random: &mut Random,
    ) -> Result<(), StoreError> {
        let session = store.session(game)?;
        if session.hold(now.clock_ms).is_some() {
            // The person thinks about it; the next look decides.
            if random.per_mille(500) {
                store.confirm(game, now.clock_ms)?;
            }
            return Ok(());
        }
        if !session.log().has_begun() {
            return Ok(());
        }
        if is_claimed_against(&session) || random.below(10_000) < self.resigns {
            return signed(store.resign(game, now.stamp_ms));
        }
        if !session.is_my_turn() {
            return match may_claim(&session, now.clock_ms) {
                true => signed(store.claim(game, now.clock_ms)),
                false => Ok(()),
            };
        }
        let late_enough = session.game().is_some_and(|game| game.ply() >= self.draw_ply);
        if session.is_draw_offered() && (late_enough || random.per_mille(20)) {
            return signed(store.accept_draw(game, now.stamp_ms));
        }
        let Some(action) = choose(&session, random) else { return Ok(()) };
        let draw = late_enough || random.per_mille(10);
        signed(store.act(game, action, draw, now.stamp_ms))
    }
}

/// What a host offers.
pub(crate) fn settings(random: &mut Random) -> OfferSettings {
    let variant = *random.pick(&Variant::ALL);
    let time = match random.below(5) {
        0 => TimeControl::PerMove { move_ms: random.between(HOUR, 5 * DAY) },
        1 => TimeControl::Bank { bank_ms: random.between(DAY, 30 * DAY), increment_ms: random.below(DAY) },
        _ => TimeControl::None,
    };
    OfferSettings {
        variant,
        setup: *random.pick(variant.setups()),
        color: *random.pick(&[ColorChoice::White, ColorChoice::Black, ColorChoice::Random]),
        time,
        name: name("Hana"),
        guest: None,
    }
}

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).expect("a short name")
}

/// A refusal is no fault: the player was too early, or the game ended meanwhile.
fn signed(result: Result<(), SignError>) -> Result<(), StoreError> {
    match result {
        Err(SignError::Store(error)) => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whether the other player claims that this one is out of time, and nothing has come since.
fn is_claimed_against(session: &Session) -> bool {
    let judgement = session.judgement();
    matches!(judgement.standing, Standing::Unfinished { owes } if owes == session.me())
        && judgement.findings.iter().any(|finding| {
            finding.worth == Worth::Claimed
                && finding.placed.statement.author != session.me()
                && matches!(finding.placed.statement.kind, StatementKind::Claim { .. })
        })
}

/// Whether the other player owes an entry that would be late by this player's clock, and it was not told so yet.
fn may_claim(session: &Session, now_ms: u64) -> bool {
    let (head, other) = (session.log().head(), session.me().other());
    let late = head.clocks.would_be_late(other, now_ms.saturating_sub(head.at_ms));
    let claimed = session.statements().iter().any(|(placed, _)| {
        placed.statement.author == session.me()
            && matches!(placed.statement.kind, StatementKind::Claim { .. })
    });
    head.owes == Some(other) && late && !claimed
}

fn choose(session: &Session, random: &mut Random) -> Option<Action> {
    let game = session.game()?;
    let actions = game.legal_actions();
    if actions.is_empty() {
        return None;
    }
    let unseen: Vec<Action> = fitting(&actions, |action| matches!(action, Action::Unseen { .. }));
    if !unseen.is_empty() && random.per_mille(250) {
        return stealth(game, *random.pick(&unseen), random);
    }
    let view = game.view(None, None);
    let liked = fitting(&actions, |action| gains(&view, action));
    let list = if !liked.is_empty() && random.per_mille(600) { &liked } else { &actions };
    stealth(game, *random.pick(list), random)
}

fn fitting(actions: &[Action], fits: impl Fn(&Action) -> bool) -> Vec<Action> {
    actions.iter().copied().filter(fits).collect()
}

/// Whether an action goes onto an object.
fn gains(view: &View, action: &Action) -> bool {
    let to = match *action {
        Action::Move { to, .. } | Action::Drop { to, .. } => to,
        _ => return false,
    };
    matches!(view.at(to), Some(Occupant::Object(_)))
}

/// Chooses where an unseen queen goes.
fn stealth(game: &Game, action: Action, random: &mut Random) -> Option<Action> {
    let Action::Unseen { from } = action else { return Some(action) };
    let squares: Vec<Square> = game.stealth_destinations(from).into_iter().collect();
    (!squares.is_empty()).then(|| Action::Stealth { from, to: *random.pick(&squares) })
}
