//! What two nodes say to each other under `/chakart/sync/1`.
//!
//! A message is its kind (u16, little-endian) and then its fields in bincode 1.3.3 with fixed-width integers. A kind
//! that is not known here decodes to `Unknown` and is answered [`Response::Unsupported`], so that later kinds can be
//! added without a further protocol name.

use bincode::Options;
use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::{EntryId, MAX_ENTRY_BYTES};
use chakart_core::protocol::note::{MAX_NOTE_BYTES, SignedNote};
use chakart_core::protocol::statement::MAX_STATEMENT_BYTES;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::limits::{MAX_HEADS, MAX_MESSAGE_BYTES, MAX_REASON_BYTES, MAX_STATEMENTS};
use crate::store::{GameHead, MAX_ANSWER_ENTRIES};

/// What a node asks of its peer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// 'So far have I come in these games.' Answered with [`Response::Heads`] of those in which the peer differs.
    Heads(Vec<GameHead>),
    /// 'Send me the log of this game from this place on.' Answered with [`Response::Entries`].
    GetEntries {
        /// The game.
        game: EntryId,
        /// The first place.
        from: u32,
    },
    /// 'This is new.' Answered with [`Response::Ack`].
    Push {
        /// The game.
        game: EntryId,
        /// Entries in order.
        entries: Vec<SignedEntry>,
        /// Statements beside the log.
        statements: Vec<SignedStatement>,
    },
    /// 'I accept your offer.' Answered with [`Response::Ack`] or [`Response::OfferClosed`].
    DeliverAccept {
        /// The offer.
        offer: EntryId,
        /// The accept.
        accept: SignedEntry,
    },
    /// 'I offer you a game.' Answered with [`Response::Kept`] or [`Response::OfferClosed`]; not an answer of the person.
    Offer {
        /// The offer, which names the peer as its only guest.
        offer: SignedEntry,
    },
    /// Something of a later version.
    Unknown {
        /// Its kind.
        kind: u16,
    },
}

/// What a peer answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response {
    /// The asked peer's heads of those games in which they differ; of length 0 where the game is not there.
    Heads(Vec<GameHead>),
    /// A part of a log.
    Entries {
        /// The game.
        game: EntryId,
        /// The place of the first entry.
        from: u32,
        /// Entries in order.
        entries: Vec<SignedEntry>,
        /// All statements, if the entries reach the end.
        statements: Vec<SignedStatement>,
        /// Whether the entries reach the end.
        complete: bool,
    },
    /// What was sent is valid and on disk, but for what is refused.
    Ack {
        /// How far the game has come there now.
        head: GameHead,
        /// The first entry that was not taken, if any.
        refused: Option<Refused>,
    },
    /// The peer shares no such game with the asker.
    UnknownGame {
        /// The game.
        game: EntryId,
    },
    /// The game was deleted there.
    Deleted {
        /// The game.
        game: EntryId,
    },
    /// The offer cannot be accepted.
    OfferClosed {
        /// Why.
        reason: OfferClosed,
    },
    /// The offer is on disk and waits for the person there.
    Kept,
    /// Too many requests, or the disk failed: ask again later.
    Busy,
    /// The request is of a kind that is not known there, or not taken for the time being.
    Unsupported,
    /// Something of a later version.
    Unknown {
        /// Its kind.
        kind: u16,
    },
}

/// An entry that was not taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// The place that it says it has.
    pub seq: u32,
    /// Whether the same entry may be taken later; if not, it is not to be sent again.
    pub later: bool,
    /// Why, in English; at most [`MAX_REASON_BYTES`].
    pub reason: String,
}

/// Why an offer cannot be accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum OfferClosed {
    /// It is not known there.
    Unknown,
    /// It was taken back.
    Closed,
    /// Another accept came first.
    Taken,
    /// It was joined before, and the game deleted there.
    Deleted,
    /// The accept is not valid.
    Invalid,
}

/// Bytes that are no message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadMessage {
    /// Over so many bytes.
    #[error("a message of over {0} bytes")]
    TooLong(usize),
    /// Under two bytes.
    #[error("a message without a kind")]
    NoKind,
    /// The fields of a known kind cannot be read.
    #[error("kind {kind}: {error}")]
    Malformed {
        /// The kind.
        kind: u16,
        /// Why.
        error: String,
    },
    /// A part is longer than allowed.
    #[error("too many or too long {0}")]
    OverLimit(&'static str),
}

/// Kinds of requests and, from 0x8000 on, of responses.
mod kind {
    pub(super) const HEADS: u16 = 1;
    pub(super) const GET_ENTRIES: u16 = 2;
    pub(super) const PUSH: u16 = 3;
    pub(super) const DELIVER_ACCEPT: u16 = 4;
    pub(super) const OFFER: u16 = 5;

    pub(super) const ANSWER_HEADS: u16 = 0x8001;
    pub(super) const ENTRIES: u16 = 0x8002;
    pub(super) const ACK: u16 = 0x8003;
    pub(super) const UNKNOWN_GAME: u16 = 0x8004;
    pub(super) const DELETED: u16 = 0x8005;
    pub(super) const OFFER_CLOSED: u16 = 0x8006;
    pub(super) const BUSY: u16 = 0x8007;
    pub(super) const UNSUPPORTED: u16 = 0x8008;
    pub(super) const KEPT: u16 = 0x8009;
}

impl Request {
    /// The bytes of the message.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Heads(heads) => encode(kind::HEADS, &wire_heads(heads)),
            Self::GetEntries { game, from } => encode(kind::GET_ENTRIES, &(game, from)),
            Self::Push { game, entries, statements } => {
                encode(kind::PUSH, &(game, wire_entries(entries), wire_statements(statements)))
            }
            Self::DeliverAccept { offer, accept } => {
                encode(kind::DELIVER_ACCEPT, &(offer, Signed::from(accept)))
            }
            Self::Offer { offer } => encode(kind::OFFER, &Signed::from(offer)),
            Self::Unknown { kind } => kind.to_le_bytes().to_vec(),
        }
    }

    /// Reads a message.
    ///
    /// # Errors
    /// [`BadMessage`]
    pub fn decode(bytes: &[u8]) -> Result<Self, BadMessage> {
        let (kind, fields) = split(bytes)?;
        Ok(match kind {
            kind::OFFER => Self::Offer { offer: decode::<Signed>(kind, fields)?.entry()? },
            kind::HEADS => Self::Heads(heads(decode(kind, fields)?)?),
            kind::GET_ENTRIES => {
                let (game, from) = decode(kind, fields)?;
                Self::GetEntries { game, from }
            }
            kind::PUSH => {
                let (game, sent, said) = decode(kind, fields)?;
                Self::Push { game, entries: entries(sent)?, statements: statements(said)? }
            }
            kind::DELIVER_ACCEPT => {
                let (offer, accept) = decode::<(EntryId, Signed)>(kind, fields)?;
                Self::DeliverAccept { offer, accept: accept.entry()? }
            }
            kind => Self::Unknown { kind },
        })
    }
}

impl Response {
    /// The bytes of the message.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Heads(heads) => encode(kind::ANSWER_HEADS, &wire_heads(heads)),
            Self::Entries { game, from, entries, statements, complete } => encode(
                kind::ENTRIES,
                &(game, from, wire_entries(entries), wire_statements(statements), complete),
            ),
            Self::Ack { head, refused } => encode(kind::ACK, &(WireHead::from(head), refused)),
            Self::UnknownGame { game } => encode(kind::UNKNOWN_GAME, game),
            Self::Deleted { game } => encode(kind::DELETED, game),
            Self::OfferClosed { reason } => encode(kind::OFFER_CLOSED, reason),
            Self::Kept => encode(kind::KEPT, &()),
            Self::Busy => encode(kind::BUSY, &()),
            Self::Unsupported => encode(kind::UNSUPPORTED, &()),
            Self::Unknown { kind } => kind.to_le_bytes().to_vec(),
        }
    }

    /// Reads a message.
    ///
    /// # Errors
    /// [`BadMessage`]
    pub fn decode(bytes: &[u8]) -> Result<Self, BadMessage> {
        let (kind, fields) = split(bytes)?;
        Ok(match kind {
            kind::ANSWER_HEADS => Self::Heads(heads(decode(kind, fields)?)?),
            kind::ENTRIES => {
                let (game, from, sent, said, complete) = decode(kind, fields)?;
                Self::Entries { game, from, entries: entries(sent)?, statements: statements(said)?, complete }
            }
            kind::ACK => {
                let (head, refused) = decode::<(WireHead, Option<Refused>)>(kind, fields)?;
                if refused.as_ref().is_some_and(|refused| refused.reason.len() > MAX_REASON_BYTES) {
                    return Err(BadMessage::OverLimit("reason"));
                }
                Self::Ack { head: head.into(), refused }
            }
            kind::UNKNOWN_GAME => Self::UnknownGame { game: decode(kind, fields)? },
            kind::DELETED => Self::Deleted { game: decode(kind, fields)? },
            kind::OFFER_CLOSED => Self::OfferClosed { reason: decode(kind, fields)? },
            kind::KEPT => Self::Kept,
            kind::BUSY => Self::Busy,
            kind::UNSUPPORTED => Self::Unsupported,
            kind => Self::Unknown { kind },
        })
    }
}

impl Refused {
    /// Shortens the reason to what a message may carry.
    #[must_use]
    pub fn new(seq: u32, later: bool, reason: &str) -> Self {
        let end = reason.floor_char_boundary(MAX_REASON_BYTES);
        Self { seq, later, reason: reason.get(..end).unwrap_or_default().to_owned() }
    }
}

/// A signed thing on the wire; serde knows no arrays of 64.
#[derive(Serialize, Deserialize)]
pub(crate) struct Signed {
    bytes: Vec<u8>,
    signature: [[u8; 32]; 2],
}

#[derive(Serialize, Deserialize)]
struct WireHead {
    game: EntryId,
    length: u32,
    head: EntryId,
    statements: [u8; 8],
}

impl From<&SignedEntry> for Signed {
    fn from(entry: &SignedEntry) -> Self {
        Self::new(&entry.bytes, &entry.signature)
    }
}

impl From<&SignedStatement> for Signed {
    fn from(statement: &SignedStatement) -> Self {
        Self::new(&statement.bytes, &statement.signature)
    }
}

impl From<&SignedNote> for Signed {
    fn from(note: &SignedNote) -> Self {
        Self::new(&note.bytes, &note.signature)
    }
}

impl Signed {
    pub(crate) fn new(bytes: &[u8], signature: &[u8; 64]) -> Self {
        Self { bytes: bytes.to_vec(), signature: halves(signature) }
    }

    fn entry(self) -> Result<SignedEntry, BadMessage> {
        let (bytes, signature) = self.parts(MAX_ENTRY_BYTES, "entries")?;
        Ok(SignedEntry { bytes, signature })
    }

    fn statement(self) -> Result<SignedStatement, BadMessage> {
        let (bytes, signature) = self.parts(MAX_STATEMENT_BYTES, "statements")?;
        Ok(SignedStatement { bytes, signature })
    }

    pub(super) fn note(self) -> Result<SignedNote, BadMessage> {
        let (bytes, signature) = self.parts(MAX_NOTE_BYTES, "notes")?;
        Ok(SignedNote { bytes, signature })
    }

    pub(crate) fn parts(self, limit: u64, what: &'static str) -> Result<(Vec<u8>, [u8; 64]), BadMessage> {
        if self.bytes.len() as u64 > limit {
            return Err(BadMessage::OverLimit(what));
        }
        let mut signature = [0; 64];
        signature.copy_from_slice(self.signature.as_flattened());
        Ok((self.bytes, signature))
    }
}

impl From<&GameHead> for WireHead {
    fn from(head: &GameHead) -> Self {
        let GameHead { game, length, head, statements } = *head;
        Self { game, length, head, statements }
    }
}

impl From<WireHead> for GameHead {
    fn from(head: WireHead) -> Self {
        let WireHead { game, length, head, statements } = head;
        Self { game, length, head, statements }
    }
}

fn halves(signature: &[u8; 64]) -> [[u8; 32]; 2] {
    let mut halves = [[0; 32]; 2];
    halves.as_flattened_mut().copy_from_slice(signature);
    halves
}

fn wire_heads(heads: &[GameHead]) -> Vec<WireHead> {
    heads.iter().map(WireHead::from).collect()
}

fn wire_entries(entries: &[SignedEntry]) -> Vec<Signed> {
    entries.iter().map(Signed::from).collect()
}

fn wire_statements(statements: &[SignedStatement]) -> Vec<Signed> {
    statements.iter().map(Signed::from).collect()
}

fn heads(heads: Vec<WireHead>) -> Result<Vec<GameHead>, BadMessage> {
    at_most(MAX_HEADS, &heads, "heads")?;
    Ok(heads.into_iter().map(GameHead::from).collect())
}

fn entries(entries: Vec<Signed>) -> Result<Vec<SignedEntry>, BadMessage> {
    at_most(MAX_ANSWER_ENTRIES, &entries, "entries")?;
    entries.into_iter().map(Signed::entry).collect()
}

fn statements(statements: Vec<Signed>) -> Result<Vec<SignedStatement>, BadMessage> {
    at_most(MAX_STATEMENTS, &statements, "statements")?;
    statements.into_iter().map(Signed::statement).collect()
}

pub(crate) fn at_most<T>(limit: usize, items: &[T], what: &'static str) -> Result<(), BadMessage> {
    if items.len() > limit { Err(BadMessage::OverLimit(what)) } else { Ok(()) }
}

fn options(limit: usize) -> impl Options {
    bincode::DefaultOptions::new().with_fixint_encoding().with_limit(limit as u64)
}

pub(super) fn encode<T: Serialize>(kind: u16, fields: &T) -> Vec<u8> {
    encode_within(MAX_MESSAGE_BYTES, kind, fields)
}

pub(super) fn split(bytes: &[u8]) -> Result<(u16, &[u8]), BadMessage> {
    split_within(MAX_MESSAGE_BYTES, bytes)
}

pub(super) fn decode<T: DeserializeOwned>(kind: u16, fields: &[u8]) -> Result<T, BadMessage> {
    decode_within(MAX_MESSAGE_BYTES, kind, fields)
}

/// A message of at most `limit` bytes, its kind excluded.
pub(crate) fn encode_within<T: Serialize>(limit: usize, kind: u16, fields: &T) -> Vec<u8> {
    let mut bytes = kind.to_le_bytes().to_vec();
    let fields = options(limit).serialize(fields).expect("every message is built within its limits");
    bytes.extend(fields);
    bytes
}

pub(crate) fn split_within(limit: usize, bytes: &[u8]) -> Result<(u16, &[u8]), BadMessage> {
    if bytes.len() > limit {
        return Err(BadMessage::TooLong(limit));
    }
    let (kind, fields) = bytes.split_first_chunk().ok_or(BadMessage::NoKind)?;
    Ok((u16::from_le_bytes(*kind), fields))
}

pub(crate) fn decode_within<T: DeserializeOwned>(
    limit: usize,
    kind: u16,
    fields: &[u8],
) -> Result<T, BadMessage> {
    options(limit)
        .deserialize(fields)
        .map_err(|error| BadMessage::Malformed { kind, error: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: EntryId = EntryId([3; 32]);

    fn entry(length: usize) -> SignedEntry {
        SignedEntry { bytes: vec![7; length], signature: [9; 64] }
    }

    fn requests() -> Vec<Request> {
        let head = GameHead { game: GAME, length: 4, head: EntryId([5; 32]), statements: [6; 8] };
        let statement = SignedStatement { bytes: vec![1; 128], signature: [2; 64] };
        vec![
            Request::Heads(vec![head; MAX_HEADS]),
            Request::GetEntries { game: GAME, from: 65_535 },
            Request::Push {
                game: GAME,
                entries: vec![entry(512); MAX_ANSWER_ENTRIES],
                statements: vec![statement; MAX_STATEMENTS],
            },
            Request::DeliverAccept { offer: GAME, accept: entry(200) },
            Request::Offer { offer: entry(200) },
            Request::Unknown { kind: 999 },
        ]
    }

    #[test]
    fn the_largest_requests_read_back() {
        for request in requests() {
            assert_eq!(Request::decode(&request.encode()), Ok(request));
        }
    }

    #[test]
    fn responses_read_back() {
        let head = GameHead { game: GAME, length: 4, head: EntryId([5; 32]), statements: [6; 8] };
        let refused = Some(Refused::new(3, false, &"é".repeat(500)));
        for response in [
            Response::Heads(vec![head]),
            Response::Entries {
                game: GAME,
                from: 2,
                entries: vec![entry(90)],
                statements: Vec::new(),
                complete: true,
            },
            Response::Ack { head, refused },
            Response::UnknownGame { game: GAME },
            Response::Deleted { game: GAME },
            Response::OfferClosed { reason: OfferClosed::Taken },
            Response::Kept,
            Response::Busy,
            Response::Unsupported,
            Response::Unknown { kind: 0x9000 },
        ] {
            assert_eq!(Response::decode(&response.encode()), Ok(response));
        }
    }

    #[test]
    fn a_later_kind_is_unknown_whatever_follows_it() {
        let bytes = [0x34, 0x12, 1, 2, 3];
        assert_eq!(Request::decode(&bytes), Ok(Request::Unknown { kind: 0x1234 }));
        assert_eq!(Response::decode(&bytes), Ok(Response::Unknown { kind: 0x1234 }));
    }

    #[test]
    fn cut_long_and_absurd_messages_are_refused() {
        for request in &requests()[..5] {
            let bytes = request.encode();
            assert!(Request::decode(&bytes[..bytes.len() - 1]).is_err(), "cut");
            assert!(Request::decode(&[&bytes[..], &[0]].concat()).is_err(), "trailing byte");
        }
        assert_eq!(Request::decode(&[0; MAX_MESSAGE_BYTES + 1]), Err(BadMessage::TooLong(MAX_MESSAGE_BYTES)));
        assert_eq!(Request::decode(&[1]), Err(BadMessage::NoKind));
        let endless = [&kind::HEADS.to_le_bytes()[..], &u64::MAX.to_le_bytes()].concat();
        assert!(matches!(Request::decode(&endless), Err(BadMessage::Malformed { .. })));
        let over = Request::DeliverAccept { offer: GAME, accept: entry(513) };
        assert_eq!(Request::decode(&over.encode()), Err(BadMessage::OverLimit("entries")));
    }

    #[test]
    fn arbitrary_bytes_never_panic() {
        let mut state = 1u64;
        for length in 0..2_000 {
            let bytes: Vec<u8> = (0..length % 97)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    state.to_le_bytes()[7] % 9
                })
                .collect();
            let _ = Request::decode(&bytes);
            let _ = Response::decode(&bytes);
        }
    }
}
