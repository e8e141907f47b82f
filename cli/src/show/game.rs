//! How a game stands, in words: for its player, with what only it may see.

use chakart_core::protocol::entry::Party;
use chakart_core::protocol::judgement::{Placed, ProofOfHiddenMove, Standing};
use chakart_core::protocol::phase::{Ending, Phase};
use chakart_core::protocol::session::Session;
use chakart_core::protocol::statement::StatementKind;
use chakart_core::scene;
use chakart_core::transcript::replay::{Ply, replay};
use chakart_node::runtime::unix_ms;
use chakart_node::store::{DeliveryState, GameSummary, Waiting};
use serde_json::{Value, json};

use super::board;
use super::escape::{escaped, quoted};
use super::stamp;
use super::turns;

/// Who plays whom by which rules, in a line.
#[must_use]
pub fn title(summary: &GameSummary, session: &Session) -> String {
    let color = summary.color.map_or_else(|| "colour not decided yet".to_owned(), |color| color.to_string());
    format!(
        "{}: you ({color}) against {}, {}, set-up {}{}",
        summary.name,
        quoted(&summary.opponent_name),
        board::rules_line(summary.variant),
        session.log().terms().setup,
        super::offer::time(summary.time)
    )
}

/// What is waited for, or how the game ended.
#[must_use]
pub fn standing(session: &Session) -> String {
    let judgement = session.judgement();
    let code = judgement.code(session.log());
    let me = session.me();
    let who = |party: Party| if party == me { "you" } else { "the opponent" };
    match judgement.standing {
        Standing::BothConvicted => "over without a result: both players broke the protocol".to_owned(),
        Standing::Convicted { loser } => {
            format!("over, {code}: {} broke the protocol; the proof is kept, 'export' writes it", who(loser))
        }
        Standing::Resigned { loser, aborted: true } => {
            format!("over, aborted: {} resigned before both had completed a turn", who(loser))
        }
        Standing::Resigned { loser, aborted: false } => format!("over, {code}: {} resigned", who(loser)),
        Standing::Over { ending } => format!("over, {code}: {}", ended(ending)),
        Standing::Unfinished { owes } => waited_for(session, owes) + claimed(session).unwrap_or_default(),
    }
}

fn ended(ending: Ending) -> String {
    match ending {
        Ending::Rules(outcome) => match outcome {
            chakart_core::rules::Outcome::Win(winner) => format!("{winner} has won"),
            chakart_core::rules::Outcome::Draw => "drawn by the rules".to_owned(),
        },
        Ending::Agreed => "a draw was agreed".to_owned(),
        Ending::LastEntry => "drawn, the log is full".to_owned(),
    }
}

fn waited_for(session: &Session, owes: Party) -> String {
    let mine = owes == session.me();
    match (session.log().phase(), mine) {
        (Phase::ExpectAct(_), true) if session.is_draw_offered() => "your turn; a draw is offered".to_owned(),
        (Phase::ExpectAct(_), true) => "your turn".to_owned(),
        (Phase::ExpectAct(_), false) => "the opponent's turn".to_owned(),
        (Phase::ExpectReveal(_), true) => "your reveal for the opponent's act is held back".to_owned(),
        (Phase::ExpectReveal(_), false) => {
            "waiting for the opponent's program to reveal the chance".to_owned()
        }
        (_, true) => "your program has to set the board up".to_owned(),
        (_, false) => "waiting for the opponent's program to set the board up".to_owned(),
    }
}

/// That somebody claims to have waited too long for the next entry.
fn claimed(session: &Session) -> Option<&'static str> {
    let last = session.log().last_seq();
    let is_claim =
        |placed: &Placed| placed.seq == last && matches!(placed.statement.kind, StatementKind::Claim { .. });
    let (claim, _) = session.statements().iter().find(|(placed, _)| is_claim(placed))?;
    Some(if claim.statement.author == session.me() {
        "; you claim that the opponent is out of time"
    } else {
        "; the opponent claims that you are out of time"
    })
}

/// Why the result cannot be proven yet, if it cannot.
#[must_use]
pub fn unproven(session: &Session) -> Option<String> {
    match session.judgement().proof {
        ProofOfHiddenMove::Missing { owner, .. } if owner != session.me() => {
            Some("the opponent has not opened its hidden queen yet".to_owned())
        }
        ProofOfHiddenMove::Falsified { owner, .. } if owner != session.me() => {
            Some("the opponent opened its hidden queen falsely".to_owned())
        }
        _ => None,
    }
}

/// What the opponent is known to have.
#[must_use]
pub fn delivery(summary: &GameSummary) -> String {
    let delivery = &summary.delivery;
    match &delivery.refused {
        Some(refused) => {
            format!("the opponent refused entry {}: '{}'", refused.seq, escaped(&refused.reason))
        }
        None if delivery.complete => "delivered: the opponent has everything".to_owned(),
        None if delivery.length < summary.length => format!(
            "not delivered yet: the opponent is known to have {} of {} entries",
            delivery.length, summary.length
        ),
        None => "a statement is not delivered yet".to_owned(),
    }
}

/// The same in a word or two.
#[must_use]
pub fn delivery_short(summary: &GameSummary) -> String {
    match summary.delivery_state() {
        _ if summary.delivery.refused.is_some() => "the opponent refused an entry".to_owned(),
        DeliveryState::Acknowledged => "delivered".to_owned(),
        DeliveryState::Sent => "sent as a block".to_owned(),
        DeliveryState::Signed => "signed, not delivered yet".to_owned(),
    }
}

/// The acts of the game, from the public view.
#[must_use]
pub fn plies(session: &Session) -> Vec<Ply> {
    replay(session.entries()).unwrap_or_else(|(plies, _)| plies)
}

/// The acts of the last turn.
#[must_use]
pub fn last_turn(plies: &[Ply]) -> &[Ply] {
    let Some(last) = plies.last() else { return &[] };
    let first = plies.iter().position(|ply| ply.turn == last.turn).unwrap_or_default();
    plies.get(first..).unwrap_or_default()
}

/// An act with its author and its steps, a line each. `arrivals` has the moment at which each entry came, by place, in
/// milliseconds of Unix time.
#[must_use]
pub fn told(ply: &Ply, summary: &GameSummary, arrivals: &[u64]) -> Vec<String> {
    let who = if ply.author == summary.me { "you".to_owned() } else { quoted(&summary.opponent_name) };
    let mut lines = vec![format!("{}  ({}, {who})", scene::headline(ply), ply.color)];
    lines.extend(
        arrivals.get(ply.seq as usize).and_then(|arrived_ms| stamp::doubtful(ply.at_ms, *arrived_ms)),
    );
    lines.extend(ply.opened.map(|square| format!("  the hidden queen was on {square}")));
    lines
        .extend(scene::steps(ply).iter().enumerate().map(|(index, step)| format!("  {}. {step}", index + 1)));
    lines
}

/// Said where another machine signs with this key.
#[must_use]
pub fn other_machine(seq: u32) -> String {
    format!(
        "entry {seq} was signed by your key, but not here: another machine has it, or this is an old copy. Use one machine \
         only: two entries at one place convict you."
    )
}

/// A game in a list, for programs.
#[must_use]
pub fn summary_object(summary: &GameSummary) -> Value {
    json!({
        "name": summary.name,
        "id": summary.id.to_string(),
        "variant": summary.variant.info().name,
        "opponent": { "name": summary.opponent_name, "key": hex(&summary.opponent) },
        "party": summary.me.to_string(),
        "color": summary.color,
        "entries": summary.length,
        "turns": summary.turns,
        "my_turn": summary.is_my_turn(),
        "waiting_for": waiting(summary),
        "finished": summary.finished,
        "result": summary.result,
        "delivered": summary.delivery.complete,
        "delivered_entries": summary.delivery.length,
        "refused": summary.delivery.refused.as_ref().map(|refused| json!({ "seq": refused.seq, "reason": refused.reason })),
        "recovering": summary.recovering,
        "draw_intent": summary.draw_intent,
        "last_event": summary.last_event,
        "time": summary.time.to_string(),
        "time_left": summary.time_left_ms(unix_ms()).map(|(owes, ms)| json!({ "of": owes.to_string(), "ms": ms })),
        "delivery": delivery_word(summary),
        "muted": summary.muted,
        "other_machine": summary.other_machine,
        "updated_ms": summary.updated_ms,
    })
}

/// How far what is here has got, in a word.
#[must_use]
pub const fn delivery_word(summary: &GameSummary) -> &'static str {
    match summary.delivery_state() {
        DeliveryState::Signed => "signed",
        DeliveryState::Sent => "sent",
        DeliveryState::Acknowledged => "acknowledged",
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What is waited for, in a word for programs and lists.
#[must_use]
pub fn waiting(summary: &GameSummary) -> &'static str {
    let mine = |party: Party| party == summary.me;
    match summary.waiting {
        Waiting::Nothing => "nothing",
        Waiting::Act(party) if mine(party) => "my action",
        Waiting::Act(_) => "their action",
        Waiting::Setup(party) | Waiting::Reveal(party) if mine(party) => "my reveal",
        Waiting::Setup(_) | Waiting::Reveal(_) => "their reveal",
    }
}

/// A game with its board, for programs. It shows what its player may see, its own hidden queen included.
#[must_use]
pub fn object(summary: &GameSummary, session: &Session, arrivals: &[u64]) -> Value {
    use chakart_core::rules::Rules as _;
    let mut object = summary_object(summary);
    let view = session.view();
    let hidden = view.as_ref().and_then(|view| view.hidden).map(|queen| {
        json!({
            "color": queen.color,
            "origin": queen.origin.map(|square| square.to_string()),
            "square": queen.square.map(|square| square.to_string()),
        })
    });
    let more = json!({
        "setup": session.log().terms().setup.name(),
        "fen": session.game().map(|game| game.fen()),
        "pending": view.as_ref().and_then(|view| view.pending.clone()),
        "hidden": hidden,
        "draw_offered": session.is_draw_offered(),
        "standing": standing(session),
        "plies": plies(session).iter().map(|ply| turns::arrived(ply, arrivals)).collect::<Vec<_>>(),
    });
    if let (Value::Object(members), Value::Object(more)) = (&mut object, more) {
        members.extend(more);
    }
    object
}
