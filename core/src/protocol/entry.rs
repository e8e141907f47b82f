//! What an entry says (protocol §3). Judging it at its place is the business of [`super::log`].

use std::fmt;

use serde::{Deserialize, Serialize};

use super::keys::PublicKey;
use crate::board::{Color, Role, Square};
use crate::rules::{Action, CastlingSide, Turn};

/// The version of the protocol that offers carry.
pub const PROTOCOL_VERSION: u16 = 1;
/// Longest encoded entry, in bytes.
pub const MAX_ENTRY_BYTES: u64 = 512;
/// The last place of a log.
pub const MAX_SEQ: u32 = 65_535;
/// The last stamp: the end of the year 9999, in milliseconds of Unix time.
pub const MAX_AT_MS: u64 = 253_402_300_799_999;
/// Longest name, in bytes of UTF-8.
pub const MAX_NAME_BYTES: usize = 40;

/// SHA-256 of the domain and the bytes of an entry: its name and the link to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntryId(pub [u8; 32]);

impl EntryId {
    /// The link of an offer, which has nothing before it.
    pub const NONE: Self = Self([0; 32]);
}

/// As 64 lower-case hexadecimal digits.
impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One of the two players of a game, by how they came to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Party {
    /// Made the offer.
    Host,
    /// Accepted it.
    Guest,
}

impl Party {
    /// Host, then guest.
    pub const ALL: [Self; 2] = [Self::Host, Self::Guest];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Host => Self::Guest,
            Self::Guest => Self::Host,
        }
    }

    /// 0 for the host, 1 for the guest.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Host => "Host",
            Self::Guest => "Guest",
        })
    }
}

/// One place of a log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The place, 0 to [`MAX_SEQ`].
    pub seq: u32,
    /// The entry before.
    pub prev: EntryId,
    /// Who signed it.
    pub author: Party,
    /// When its author says to have signed it, in milliseconds of Unix time, at most [`MAX_AT_MS`].
    pub at_ms: u64,
    /// What it says.
    pub body: Body,
}

/// What an entry says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Body {
    /// The host offers a game.
    Offer(Offer),
    /// The guest accepts it.
    Accept(Accept),
    /// The player to decide acts.
    Act(Act),
    /// The other player opens its chance commitment, and its hidden queen.
    Reveal(Reveal),
    /// The player to decide accepts the draw that was offered.
    AcceptDraw,
}

/// The terms of a game. Numbers are judged by whoever is to accept them, not by the decoder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// [`PROTOCOL_VERSION`].
    pub protocol: u16,
    /// Number of a [`crate::rules::Variant`].
    pub variant: u16,
    /// Number of a [`crate::rules::Setup`].
    pub setup: u8,
    /// The host's colour: 0 White, 1 Black, 2 decided by chance.
    pub color: u8,
    /// Time allowed.
    pub time: TimeControl,
    /// The host.
    pub host_key: PublicKey,
    /// What the host calls itself.
    pub host_name: Name,
    /// The only key that may accept, if the host chose one.
    pub guest_key: Option<PublicKey>,
    /// Fresh randomness of the host: its secrets in this game depend on it.
    pub salt: [u8; 32],
    /// The host's first chance commitment.
    pub chance_commitment: [u8; 32],
}

/// The guest's answer to an offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Accept {
    /// The guest.
    pub guest_key: PublicKey,
    /// What the guest calls itself.
    pub guest_name: Name,
    /// Fresh randomness of the guest: its secrets in this game depend on it.
    pub nonce: [u8; 32],
    /// The guest's first chance commitment.
    pub chance_commitment: [u8; 32],
}

/// A decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Act {
    /// What is decided.
    pub action: SignedAction,
    /// Makes the id of this entry, and so the seed, unpredictable to the revealer.
    pub nonce: [u8; 32],
    /// Whether a draw is offered with it.
    pub draw_offer: bool,
}

/// The answer to an act with chance, or to an accept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reveal {
    /// Opens the author's latest chance commitment.
    pub nonce: [u8; 32],
    /// The author's next chance commitment.
    pub next_commitment: [u8; 32],
    /// Where the author's hidden queen went; present iff one is hidden.
    pub opening: Option<Opening>,
}

/// Opens a stealth commitment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// Where the queen went.
    pub to: Square,
    /// The salt of the commitment.
    pub salt: [u8; 32],
}

/// An [`Action`] as it is signed: of a stealth move, only the origin and a commitment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are those of Action")]
pub enum SignedAction {
    Move { from: Square, to: Square, promotion: Option<Role> },
    Stealth { from: Square, commitment: [u8; 32] },
    Shell { from: Square, to: Square },
    Drop { role: Role, to: Square, promotion: Option<Role> },
    Swap { low: Square, high: Square },
    Pass,
    Turn(Turn),
    Castle(CastlingSide),
}

impl SignedAction {
    /// The signed form of an action whose destination everybody may see; `None` for a stealth move, which needs a
    /// commitment.
    #[must_use]
    pub const fn open(action: Action) -> Option<Self> {
        Some(match action {
            Action::Move { from, to, promotion } => Self::Move { from, to, promotion },
            Action::Shell { from, to } => Self::Shell { from, to },
            Action::Drop { role, to, promotion } => Self::Drop { role, to, promotion },
            Action::Swap { low, high } => Self::Swap { low, high },
            Action::Pass => Self::Pass,
            Action::Turn(turn) => Self::Turn(turn),
            Action::Castle(side) => Self::Castle(side),
            Action::Stealth { .. } | Action::Unseen { .. } => return None,
        })
    }

    /// What everybody may know of it.
    #[must_use]
    pub const fn public(&self) -> Action {
        match *self {
            Self::Move { from, to, promotion } => Action::Move { from, to, promotion },
            Self::Stealth { from, .. } => Action::Unseen { from },
            Self::Shell { from, to } => Action::Shell { from, to },
            Self::Drop { role, to, promotion } => Action::Drop { role, to, promotion },
            Self::Swap { low, high } => Action::Swap { low, high },
            Self::Pass => Action::Pass,
            Self::Turn(turn) => Action::Turn(turn),
            Self::Castle(side) => Action::Castle(side),
        }
    }
}

/// Time allowed (§7). No result follows from it: a late player may only be claimed against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum TimeControl {
    /// As long as it takes.
    #[default]
    None,
    /// So long for each entry.
    PerMove {
        /// Milliseconds, 1 to [`TimeControl::MAX_MS`].
        move_ms: u64,
    },
    /// A bank for the whole game, and an increment after each own act.
    Bank {
        /// Milliseconds, 1 to [`TimeControl::MAX_MS`].
        bank_ms: u64,
        /// Milliseconds, 0 to [`TimeControl::MAX_MS`].
        increment_ms: u64,
    },
}

impl TimeControl {
    /// Longest time of any part: ten years of 365 days, in milliseconds.
    pub const MAX_MS: u64 = 315_360_000_000;

    /// Whether every part is in its range.
    #[must_use]
    pub const fn is_in_range(&self) -> bool {
        match *self {
            Self::None => true,
            Self::PerMove { move_ms } => 1 <= move_ms && move_ms <= Self::MAX_MS,
            Self::Bank { bank_ms, increment_ms } => {
                1 <= bank_ms && bank_ms <= Self::MAX_MS && increment_ms <= Self::MAX_MS
            }
        }
    }
}

/// The host's colour, as an offer says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColorChoice {
    /// The host plays White.
    White,
    /// The host plays Black.
    Black,
    /// Decided by the chance of the set-up.
    #[default]
    Random,
}

impl ColorChoice {
    /// 0, 1 or 2.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The choice with this number.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::White),
            1 => Some(Self::Black),
            2 => Some(Self::Random),
            _ => None,
        }
    }

    /// The host's colour, unless chance decides.
    #[must_use]
    pub const fn fixed(self) -> Option<Color> {
        match self {
            Self::White => Some(Color::White),
            Self::Black => Some(Color::Black),
            Self::Random => None,
        }
    }
}

/// What a player calls itself: at most [`MAX_NAME_BYTES`] bytes of UTF-8 without U+0000–001F and U+007F–009F.
///
/// Anything else may stand in it, so every display escapes it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Name(String);

/// A text that may not be a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadName {
    /// Over [`MAX_NAME_BYTES`].
    #[error("a name has at most {MAX_NAME_BYTES} bytes, this has {0}")]
    TooLong(usize),
    /// Has a control character.
    #[error("a name has no control characters, this has U+{0:04X}")]
    Control(u32),
}

impl Name {
    /// Checks a text.
    ///
    /// # Errors
    /// [`BadName`]
    pub fn new(text: impl Into<String>) -> Result<Self, BadName> {
        let text = text.into();
        if text.len() > MAX_NAME_BYTES {
            return Err(BadName::TooLong(text.len()));
        }
        match text.chars().find(|c| c.is_control()) {
            Some(control) => Err(BadName::Control(u32::from(control))),
            None => Ok(Self(text)),
        }
    }

    /// The text, to be escaped where it is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

impl TryFrom<String> for Name {
    type Error = BadName;

    fn try_from(text: String) -> Result<Self, BadName> {
        Self::new(text)
    }
}
