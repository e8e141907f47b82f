//! How the opponent is connected, in words.

use chakart_core::protocol::keys::PublicKey;
use chakart_node::carrier::{Carrier, Delivered};
use chakart_node::runtime::ConnectError;
use chakart_node::store::{Contact, ContactPath, Store, StoreError};
use serde_json::{Value, json};

use super::escape::escaped;
use super::stamp;

/// The path to a peer: how it is connected, or how it was last heard of.
///
/// # Errors
/// [`StoreError`]
pub async fn of(carrier: &Carrier, store: &Store, peer: &PublicKey) -> Result<String, StoreError> {
    if let Carrier::Own { node, .. } = carrier {
        let peers = node.handle().peers().await.unwrap_or_default();
        if let Some(status) = peers.iter().find(|status| status.peer == *peer) {
            return Ok(format!("connected {}", by(status.path)));
        }
    }
    let carried = matches!(carrier, Carrier::Other(_));
    let known = contact(store.contact(peer.as_bytes())?.as_ref(), carried);
    Ok(match (known.is_empty(), carried) {
        (false, true) => known,
        (false, false) => format!("not connected yet; {known}"),
        (true, true) => {
            "not connected yet; another running chakart carries the games of this home".to_owned()
        }
        (true, false) => "not connected yet".to_owned(),
    })
}

/// Said where no reason is known why a peer was not reached.
pub const NO_ANSWER: &str = "not reached: no answer in time";

/// Said where what was signed lies in a mailbox.
pub const IN_MAILBOX: &str = "the opponent was not reached; a mailbox keeps it until its program takes it";

/// Why a peer was not reached, for people; what every address said goes into the log.
#[must_use]
pub fn unreached(error: ConnectError) -> String {
    match error {
        ConnectError::Unreachable(detail) => {
            tracing::info!(%detail, "not reached");
            "not reached: none of its addresses answers; it may be offline".to_owned()
        }
        error => format!("not reached: {error}"),
    }
}

/// Why something reached neither the opponent nor a mailbox, for people; `None`: it did.
#[must_use]
pub fn undelivered(delivered: Delivered) -> Option<String> {
    match delivered {
        Delivered::Complete | Delivered::Refused(_) | Delivered::InMailbox => None,
        Delivered::NotYet { unreached } => {
            Some(unreached.map_or_else(|| NO_ANSWER.to_owned(), self::unreached))
        }
    }
}

/// By which way a peer is connected.
#[must_use]
pub const fn by(path: ContactPath) -> &'static str {
    match path {
        ContactPath::Direct => "directly",
        ContactPath::Punched => "directly, through a punched hole",
        ContactPath::Relayed => "through a relay",
        ContactPath::Lan => "on the local network",
        ContactPath::Mailbox => "by mailbox",
        ContactPath::Mail => "by mail",
    }
}

/// How an opponent is or was last heard of; nothing if never. `running`: a node runs in this home.
#[must_use]
pub fn contact(contact: Option<&Contact>, running: bool) -> String {
    match contact {
        None => String::new(),
        Some(Contact { path, connected: true, .. }) if running => format!("connected {}", by(*path)),
        Some(Contact { path, at_ms, .. }) => format!("last heard of {} {}", by(*path), stamp::utc(*at_ms)),
    }
}

/// The same for programs.
#[must_use]
pub fn contact_object(contact: Option<&Contact>, running: bool) -> Value {
    json!({
        "kind": contact.map_or("none", |contact| contact.path.name()),
        "connected": contact.is_some_and(|contact| contact.connected && running),
        "at_ms": contact.map(|contact| contact.at_ms),
    })
}

/// Which kind of connection an address stands for.
#[must_use]
pub fn kind(address: &str) -> String {
    let kind = if address.contains("/p2p-circuit") {
        "relayed"
    } else if address.contains("/quic-v1") {
        "direct, QUIC"
    } else {
        "direct, TCP"
    };
    // The name of the peer at the end says nothing new.
    let place = address.split("/p2p/").next().unwrap_or_default();
    format!("{kind}, {}", escaped(place))
}
