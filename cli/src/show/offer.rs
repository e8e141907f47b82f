//! Offers in words and for programs.

use chakart_core::protocol::entry::TimeControl;
use chakart_core::protocol::log::Log;
use chakart_node::store::{OwnOffer, PendingInvite};
use serde_json::{Value, json};

use super::board;
use super::escape::quoted;

/// Who offers what: the host by its own name.
#[must_use]
pub fn words(log: &Log) -> String {
    format!("{} offers a game: {}", quoted(log.offer().host_name.as_str()), terms(log))
}

/// Rules, set-up and time.
#[must_use]
pub fn terms(log: &Log) -> String {
    let terms = log.terms();
    format!("{}, set-up {}{}", board::rules_line(terms.variant), terms.setup, time(terms.time))
}

/// A time control after other settings; nothing if there is none.
#[must_use]
pub fn time(control: TimeControl) -> String {
    match control {
        TimeControl::None => String::new(),
        TimeControl::PerMove { .. } => format!(", {control} a move"),
        TimeControl::Bank { .. } => format!(", time {control}"),
    }
}

/// An own offer, for programs.
#[must_use]
pub fn own_object(offer: &OwnOffer) -> Value {
    let terms = Log::open(&offer.offer).ok().map(|log| *log.terms());
    json!({
        "name": offer.name,
        "id": offer.id.to_string(),
        "variant": terms.map(|terms| terms.variant.info().name),
        "setup": terms.map(|terms| terms.setup.name()),
        "time": terms.map(|terms| terms.time.to_string()),
        "created_ms": offer.created_ms,
    })
}

/// An offer that waits for this player's answer, for programs.
#[must_use]
pub fn pending_object(invite: &PendingInvite) -> Value {
    let log = Log::open(&invite.offer).ok();
    json!({
        "name": invite.name,
        "id": invite.id.to_string(),
        "host": {
            "name": log.as_ref().map(|log| log.offer().host_name.as_str().to_owned()),
            "key": invite.host.to_string(),
        },
        "variant": log.as_ref().map(|log| log.terms().variant.info().name),
        "setup": log.as_ref().map(|log| log.terms().setup.name()),
        "time": log.as_ref().map(|log| log.terms().time.to_string()),
        "arrived_ms": invite.arrived_ms,
    })
}
