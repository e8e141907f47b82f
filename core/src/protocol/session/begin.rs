//! The two entries before there is a game: an offer and its accept.

use super::MAX_AHEAD_MS;
use crate::protocol::codec::SignedEntry;
use crate::protocol::commitment::chance_commitment;
use crate::protocol::entry::{
    Accept, Body, ColorChoice, Entry, EntryId, MAX_AT_MS, Name, Offer, PROTOCOL_VERSION, Party, TimeControl,
};
use crate::protocol::keys::{PublicKey, SecretKey};
use crate::protocol::log::Log;
use crate::protocol::secrets::{SecretKind, Secrets};
use crate::rules::{Setup, Variant};

/// What a host decides of its offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfferSettings {
    /// The rules.
    pub variant: Variant,
    /// The arrays.
    pub setup: Setup,
    /// The host's colour.
    pub color: ColorChoice,
    /// Time allowed.
    pub time: TimeControl,
    /// What the host calls itself.
    pub name: Name,
    /// The only key that may accept.
    pub guest: Option<PublicKey>,
}

/// Why an offer is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotJoined {
    /// The offer is this key's own.
    #[error("this is your own offer; send it to somebody else")]
    OwnOffer,
    /// The offer is for another key.
    #[error("this offer is for another key than yours")]
    ForAnotherKey,
    /// In a game with a time control, the offer comes from the future.
    #[error(
        "the offer is stamped {minutes} minutes ahead of this machine's clock: one of the two clocks is wrong"
    )]
    FromTheFuture {
        /// Whole minutes.
        minutes: u64,
    },
}

/// Signs an offer. `salt` is fresh from the operating system; `now_ms` is Unix time in milliseconds.
#[must_use]
pub fn make_offer(key: &SecretKey, settings: &OfferSettings, salt: [u8; 32], now_ms: u64) -> SignedEntry {
    let host_key = key.public();
    let nonce = Secrets::new(key, salt).derive(SecretKind::Chance, EntryId::NONE);
    let offer = Offer {
        protocol: PROTOCOL_VERSION,
        variant: settings.variant.number(),
        setup: settings.setup as u8,
        color: settings.color.number(),
        time: settings.time,
        host_key,
        host_name: settings.name.clone(),
        guest_key: settings.guest,
        salt,
        chance_commitment: chance_commitment(EntryId::NONE, &host_key, &nonce),
    };
    let entry = Entry {
        seq: 0,
        prev: EntryId::NONE,
        author: Party::Host,
        at_ms: now_ms.min(MAX_AT_MS),
        body: Body::Offer(offer),
    };
    SignedEntry::sign(&entry, key)
}

/// Signs the accept of an offer. `nonce` is fresh from the operating system; `now_ms` is Unix time in milliseconds.
///
/// # Errors
/// [`NotJoined`]
pub fn make_accept(
    key: &SecretKey,
    offer: &Log,
    name: Name,
    nonce: [u8; 32],
    now_ms: u64,
) -> Result<SignedEntry, NotJoined> {
    let guest_key = key.public();
    if guest_key == offer.offer().host_key {
        return Err(NotJoined::OwnOffer);
    }
    if offer.offer().guest_key.is_some_and(|invited| invited != guest_key) {
        return Err(NotJoined::ForAnotherKey);
    }
    let head = *offer.head();
    let ahead_ms = head.at_ms.saturating_sub(now_ms);
    if offer.terms().time != TimeControl::None && ahead_ms > MAX_AHEAD_MS {
        return Err(NotJoined::FromTheFuture { minutes: ahead_ms / 60_000 });
    }
    let secret = Secrets::new(key, nonce).derive(SecretKind::Chance, head.id);
    let accept = Accept {
        guest_key,
        guest_name: name,
        nonce,
        chance_commitment: chance_commitment(head.id, &guest_key, &secret),
    };
    let entry = Entry {
        seq: 1,
        prev: head.id,
        author: Party::Guest,
        at_ms: now_ms.clamp(head.at_ms, MAX_AT_MS),
        body: Body::Accept(accept),
    };
    Ok(SignedEntry::sign(&entry, key))
}
