//! What a block did, in words and for programs.

use chakart_core::protocol::log::Log;
use chakart_node::store::{BlockReceipt, GameReceipt, PendingInvite, Reply};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::player::Player;
use crate::show::escape::escaped;
use crate::show::{game, plan};
use crate::show::{key, offer};

/// What a part of a block did, a line each.
pub(super) fn lines(player: &mut Player, receipt: &BlockReceipt) -> Result<Vec<String>, Failure> {
    Ok(match receipt {
        BlockReceipt::Game(receipt) => game_lines(player, receipt)?,
        BlockReceipt::Invite { invite, known } => invite_lines(invite, *known),
        BlockReceipt::KnownOffer { .. } => {
            vec!["An offer that was answered before: nothing to do.".to_owned()]
        }
        BlockReceipt::Refused { what, reason } => {
            vec![format!("Not taken, {}: {}.", escaped(what), escaped(reason))]
        }
    })
}

fn invite_lines(invite: &PendingInvite, known: bool) -> Vec<String> {
    let Ok(log) = Log::open(&invite.offer) else { return Vec::new() };
    let before = if known { " (here before)" } else { "" };
    vec![
        format!("{}: {}{before}", invite.name, offer::words(&log)),
        format!("its key's fingerprint: {}", key::fingerprint(&invite.host)),
        format!("'chakart join {}' accepts it; unanswered, it waits.", invite.name),
    ]
}

fn game_lines(player: &mut Player, receipt: &GameReceipt) -> Result<Vec<String>, Failure> {
    let summary = player.store.game(receipt.game)?;
    let session = player.store.session(receipt.game)?;
    let name = &receipt.name;
    let mut lines = vec![format!("{name}: {}.", news(receipt))];
    let plies = game::plies(&session);
    if receipt.applied > 0 {
        let arrivals = player.store.arrivals(receipt.game)?;
        let fresh = plies.iter().filter(|ply| ply.reveal_seq.unwrap_or(ply.seq) >= receipt.length_before);
        lines.extend(fresh.flat_map(|ply| game::told(ply, &summary, &arrivals)));
    }
    if receipt.unplaced > 0 {
        let unplaced = receipt.unplaced;
        lines.push(format!(
            "{unplaced} of its entries follow others that are not here: ask your friend to send again"
        ));
    }
    lines.extend(receipt.refused.as_ref().map(|refused| {
        format!("entry {} is refused and kept as evidence: {}", refused.seq, escaped(&refused.reason))
    }));
    lines.extend(receipt.other_machine.map(game::other_machine));
    lines.extend(receipt.plans.iter().map(plan::told));
    lines.extend(
        receipt.hold.map(|hold| format!("held back: {hold}; 'chakart confirm {name}' lets it go on")),
    );
    if receipt.notes > 0 {
        lines.push(format!("{}; 'chakart chat {name}' shows them", count(receipt.notes, "new message")));
    }
    lines.push(game::standing(&session));
    if receipt.reply == Reply::WithNextAct {
        lines.push(format!("'chakart send {name}' after your action prints what your friend needs"));
    }
    Ok(lines)
}

fn news(receipt: &GameReceipt) -> String {
    match (receipt.begun, receipt.applied) {
        (true, _) => "the game has begun".to_owned(),
        (false, 0) if receipt.other_news || receipt.notes > 0 => "no new entries, other news".to_owned(),
        (false, 0) => "nothing new".to_owned(),
        (false, applied) => match applied {
            1 => "1 new entry".to_owned(),
            more => format!("{more} new entries"),
        },
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// What a part of a block did, for programs.
pub(super) fn object(player: &Player, receipt: &BlockReceipt) -> Result<Value, Failure> {
    Ok(match receipt {
        BlockReceipt::Game(receipt) => game_object(player, receipt)?,
        BlockReceipt::Invite { invite, known } => {
            json!({ "kind": "invite", "known": known, "invite": offer::pending_object(invite) })
        }
        BlockReceipt::KnownOffer { offer } => json!({ "kind": "known-offer", "offer": offer.to_string() }),
        BlockReceipt::Refused { what, reason } => {
            json!({ "kind": "refused", "what": what, "reason": reason })
        }
    })
}

fn game_object(player: &Player, receipt: &GameReceipt) -> Result<Value, Failure> {
    Ok(json!({
        "kind": "game",
        "game": game::summary_object(&player.store.game(receipt.game)?),
        "begun": receipt.begun,
        "applied": receipt.applied,
        "known": receipt.known,
        "unplaced": receipt.unplaced,
        "other_news": receipt.other_news,
        "messages": receipt.notes,
        "refused": receipt.refused.as_ref().map(|refused| json!({ "seq": refused.seq, "reason": refused.reason })),
        "held_back": receipt.hold.map(|hold| hold.to_string()),
        "other_machine": receipt.other_machine,
        "plans": receipt.plans.iter().map(plan::object).collect::<Vec<_>>(),
        "reply": match receipt.reply {
            Reply::Nothing => "nothing",
            Reply::WithNextAct => "with-next-act",
            Reply::Now => "now",
        },
    }))
}
