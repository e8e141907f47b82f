//! Every wrong act of a peer by name, and every other reason why an entry is not taken.

use super::codec::DecodeError;
use super::entry::{EntryId, Party};
use crate::rules::IllegalAction;

/// What is wrong with an entry that decodes, is signed by the player that it names, and links to the last entry.
///
/// From seq 2 on it convicts its author (protocol §7).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misdeed {
    /// The place that it names is not the one that it is at.
    #[error("it says seq {got} at place {due}")]
    WrongSeq {
        /// What the entry says.
        got: u32,
        /// Where it stands.
        due: u32,
    },
    /// Its stamp is before that of the entry before.
    #[error("its stamp is {by_ms} ms before that of the entry before")]
    StampDecreases {
        /// How much.
        by_ms: u64,
    },
    /// The other player owes the entry at this place.
    #[error("{due} owes the entry at this place, not {got}")]
    OutOfTurn {
        /// Who signed.
        got: Party,
        /// Who owes.
        due: Party,
    },
    /// Another body is due.
    #[error("{got} where {due} is due")]
    WrongBody {
        /// What came.
        got: &'static str,
        /// What is due.
        due: &'static str,
    },
    /// The host accepts its own offer.
    #[error("the host's own key accepts the offer")]
    HostIsGuest,
    /// The offer names another guest.
    #[error("the offer is for another key")]
    NotTheInvitedGuest,
    /// The nonce does not open the author's latest chance commitment.
    #[error("its nonce does not open {author}'s chance commitment")]
    NonceDoesNotMatch {
        /// Who revealed.
        author: Party,
    },
    /// A hidden queen is due to be opened and is not.
    #[error("the opening of entry {stealth_seq} is missing")]
    OpeningMissing {
        /// The place of the stealth move.
        stealth_seq: u32,
    },
    /// An opening where nothing is hidden.
    #[error("it opens a stealth move, and none is hidden")]
    OpeningNeedless,
    /// The opening does not match the stealth commitment.
    #[error("it falsifies the opening of entry {stealth_seq}: not what was committed")]
    OpeningDoesNotMatch {
        /// The place of the stealth move.
        stealth_seq: u32,
    },
    /// The opening matches, but the queen could not go there.
    #[error("it opens entry {stealth_seq} to a square that the queen could not reach")]
    OpeningIllegal {
        /// The place of the stealth move.
        stealth_seq: u32,
    },
    /// The rules forbid the action.
    #[error(transparent)]
    IllegalAction(#[from] IllegalAction),
    /// Nobody offered the draw, the offer has lapsed, or it is the author's own.
    #[error("the draw that it accepts was not offered by the other player's last act")]
    DrawNotOffered,
}

/// Why an offer opens no log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadOffer {
    /// The bytes are no entry.
    #[error("undecodable: {0}")]
    Undecodable(#[from] DecodeError),
    /// Not an offer at the first place by a host, or it links to something.
    #[error("the first entry is not an offer at seq 0 by a host")]
    NotAnOffer,
    /// Not signed by the key in it.
    #[error("the offer's signature does not hold")]
    BadSignature,
    /// Another version of the protocol.
    #[error("protocol version {0} is unknown here (known: 1); a newer program may know it")]
    UnknownProtocol(u16),
    /// Another set of rules.
    #[error("variant number {0} is unknown here; a newer program may know it")]
    UnknownVariant(u16),
    /// The set-up does not exist in this variant.
    #[error("set-up number {0} does not exist in this variant")]
    UnknownSetup(u8),
    /// The colour is none of the three.
    #[error("colour number {0} is unknown (0 White, 1 Black, 2 random)")]
    UnknownColor(u8),
    /// A part of the time control is out of its range.
    #[error("the time control is out of range")]
    BadTimeControl,
    /// The host invites itself.
    #[error("the offer is for the host's own key")]
    HostIsGuest,
}

/// Why an entry is not taken. The log is as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The bytes are no entry: they prove nothing.
    #[error("undecodable: {0}")]
    Undecodable(#[from] DecodeError),
    /// Not signed by the player whom it names as its author: it proves nothing.
    #[error("the signature of {author} does not hold")]
    BadSignature {
        /// Whom the entry names.
        author: Party,
    },
    /// It links to no entry of this log: it may come later.
    #[error("it links to {prev}, which is not in this log")]
    UnknownPrev {
        /// The link.
        prev: EntryId,
    },
    /// It links to an entry that has a successor by the other player: it proves nothing.
    #[error("place {seq} is taken by an entry of {holder}")]
    PlaceTaken {
        /// The place.
        seq: u32,
        /// Who owed and signed the entry there.
        holder: Party,
    },
    /// Its author signed another entry at the same place: both together are a proof.
    #[error("{author} signed two entries at place {seq}")]
    Equivocation {
        /// The place.
        seq: u32,
        /// Who signed both.
        author: Party,
    },
    /// The game is over: the entry changes nothing.
    #[error("the game is over at entry {last_seq}")]
    AfterEnd {
        /// The last place of the log.
        last_seq: u32,
    },
    /// Placed next, signed by its author, and wrong.
    #[error("entry {seq} by {author}: {misdeed}")]
    Invalid {
        /// The place.
        seq: u32,
        /// Who signed it.
        author: Party,
        /// What is wrong.
        misdeed: Misdeed,
    },
}

impl Refusal {
    /// Whom the refused entry convicts, together with the log before it.
    #[must_use]
    pub const fn convicts(&self) -> Option<Party> {
        match *self {
            Self::Equivocation { author, .. } => Some(author),
            // Entry 2 begins the game: an invalid one leaves no game to lose.
            Self::Invalid { seq, author, .. } if seq > 2 => Some(author),
            _ => None,
        }
    }
}
