//! How the opponent is connected, in words.

use chakart_core::protocol::keys::PublicKey;
use chakart_node::carrier::Carrier;
use chakart_node::runtime::ConnectError;

use super::escape::escaped;

/// The path to a peer.
pub async fn of(carrier: &Carrier, peer: &PublicKey) -> String {
    let Carrier::Own { node, .. } = carrier else {
        return "another running chakart carries the entries of this home".to_owned();
    };
    let peers = node.handle().peers().await.unwrap_or_default();
    match peers.iter().find(|status| status.peer == *peer).and_then(|status| status.addresses.first()) {
        Some(address) => format!("connected ({})", kind(address)),
        None => "not connected yet".to_owned(),
    }
}

/// Said where no reason is known why a peer was not reached.
pub const NO_ANSWER: &str = "not reached: no answer in time";

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
