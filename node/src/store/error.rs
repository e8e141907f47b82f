//! What can go wrong with the store, by whose fault it is.

use chakart_core::plan::BadPlan;
use chakart_core::protocol::codec::DecodeError;
use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::misdeed::BadOffer;
use chakart_core::protocol::session::{CannotSign, NotJoined, RestoreError};

/// The disk, the file on it, or its schema. Nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite or the disk under it failed.
    #[error("the store failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A newer program wrote this store.
    #[error("the store has schema {found}, and this program knows {known}: use a newer program")]
    NewerSchema {
        /// What the file has.
        found: u32,
        /// What is known here.
        known: u32,
    },
    /// The store is another player's.
    #[error("the store belongs to the key {owner}, not to the key of this home")]
    OtherKey {
        /// Whose it is.
        owner: String,
    },
    /// The entries of a game do not hold any more.
    #[error("the stored game {name} is damaged: {error}")]
    DamagedGame {
        /// Its short name.
        name: String,
        /// What is wrong.
        error: RestoreError,
    },
    /// A value in the store cannot be read.
    #[error("the store is damaged: {0}")]
    Damaged(&'static str),
    /// This key has already signed another entry at this place. Signing again would prove a fork.
    #[error("another entry after {prev} was signed before ({signed}); a second one is never signed")]
    PlaceSigned {
        /// The place.
        prev: EntryId,
        /// What stands there.
        signed: EntryId,
    },
    /// The operating system gave no randomness.
    #[error("the operating system gave no randomness")]
    NoRandomness,
    /// There is no such game any more.
    #[error("the game is not in the store")]
    NoSuchGame,
}

/// Why nothing was signed. Nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// The state of the game forbids it, or the person is asked first.
    #[error(transparent)]
    CannotSign(#[from] CannotSign),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why no offer was made.
#[derive(Debug, thiserror::Error)]
pub enum OfferError {
    /// Too many are open.
    #[error("{0} offers are open already; cancel one first")]
    TooMany(usize),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an offer was not joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The offer itself.
    #[error("the offer is not valid: {0}")]
    Offer(#[from] BadOffer),
    /// It is not for this player, or comes from the future.
    #[error(transparent)]
    NotJoined(#[from] NotJoined),
    /// It was joined before, and the game was deleted.
    #[error("this offer was joined before, and the game {name} deleted")]
    Deleted {
        /// What the game was called.
        name: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a text names no game or offer.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// Nothing begins so.
    #[error("no game is called '{0}'; 'games' lists them")]
    NotFound(String),
    /// Several names begin so.
    #[error("'{text}' fits several games: {}", .fits.join(", "))]
    Ambiguous {
        /// What was asked for.
        text: String,
        /// Some that fit, in order of their names.
        fits: Vec<String>,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an accept does not begin a game here.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// No such offer was made here.
    #[error("no such offer is known here")]
    UnknownOffer,
    /// It was cancelled, or closed by a restore.
    #[error("the offer is closed")]
    Closed,
    /// Another accept came first.
    #[error("the offer was accepted before")]
    Taken,
    /// The game was deleted here.
    #[error("the game was deleted")]
    Deleted,
    /// The accept itself.
    #[error("{0}")]
    Refused(String),
    /// The accept is stamped too far ahead of the clock here.
    #[error("{0}")]
    Later(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why entries do not reach a game.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    /// No such game is shared with this peer.
    #[error("no such game is shared with this peer")]
    UnknownGame,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a log from elsewhere does not become a game here.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// A part of it does not hold.
    #[error("the log does not hold: {0}")]
    Invalid(#[from] RestoreError),
    /// It stops before this key signed anything that binds it.
    #[error("the log has nothing in it that this key signed")]
    NotOurs,
    /// It is a game that was deleted here.
    #[error("the game was deleted here")]
    Deleted,
    /// The game is here with other entries: two logs of one game.
    #[error("entry {seq} is another one than in the game {name} here")]
    Conflict {
        /// The first place at which they differ.
        seq: u32,
        /// The game's short name.
        name: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a game is not aborted.
#[derive(Debug, thiserror::Error)]
pub enum AbortError {
    /// Both players have completed a turn: only a resignation ends it now.
    #[error("both players have completed a turn: a game is aborted before that, later it is resigned")]
    TooLate,
    /// As with any resignation.
    #[error(transparent)]
    Sign(#[from] SignError),
}

/// Why a message was not written or not taken.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    /// Too many wait to be delivered.
    #[error("{0} messages of yours wait to be delivered; wait until the other player has them")]
    TooMany(usize),
    /// Its bytes.
    #[error("the message cannot be read: {0}")]
    Unreadable(#[from] DecodeError),
    /// Its signature.
    #[error("the message is not signed by the player that it names")]
    BadSignature,
    /// Its game.
    #[error("the message belongs to no game here")]
    UnknownGame,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a plan was not made.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The plan itself.
    #[error(transparent)]
    Bad(#[from] BadPlan),
    /// Too many are made.
    #[error("a game has at most {0} plans; remove one first")]
    TooMany(usize),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a friend was not added.
#[derive(Debug, thiserror::Error)]
pub enum FriendError {
    /// The name is not easy to type.
    #[error("'{0}' is no name of a friend: lower-case letters, digits and single hyphens, at most 20")]
    BadName(String),
    /// The name is another key's.
    #[error("the name '{0}' is another key's; remove that friend first or choose another name")]
    NameTaken(String),
    /// The key has a name already.
    #[error("this key is already called '{0}'")]
    KeyKnown(String),
    /// The key is the player's own.
    #[error("this is your own key")]
    OwnKey,
    /// Too many.
    #[error("at most {0} friends are kept")]
    TooMany(usize),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an offer of somebody else is not kept.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    /// The offer itself.
    #[error("the offer is not valid: {0}")]
    Offer(#[from] BadOffer),
    /// It is not for this player.
    #[error(transparent)]
    NotJoined(#[from] NotJoined),
    /// It was joined before.
    #[error("this offer was joined before")]
    JoinedBefore,
    /// Too many of one host wait.
    #[error("{0} offers of this player wait for an answer already")]
    TooManyOfHost(usize),
    /// Too many wait.
    #[error("{0} offers wait for an answer already; answer or decline one first")]
    TooMany(usize),
    /// There is no such invite.
    #[error("there is no such invite")]
    Unknown,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why no rematch was offered.
#[derive(Debug, thiserror::Error)]
pub enum RematchError {
    /// The game goes on.
    #[error("the game is not over yet")]
    NotOver,
    /// The offer.
    #[error(transparent)]
    Offer(#[from] OfferError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

macro_rules! from_sqlite {
    ($($error:ty),*) => {
        $(impl From<rusqlite::Error> for $error {
            fn from(error: rusqlite::Error) -> Self {
                Self::Store(StoreError::Sqlite(error))
            }
        })*
    };
}

from_sqlite!(
    SignError,
    OfferError,
    JoinError,
    FindError,
    AcceptError,
    ReceiveError,
    RecoverError,
    NoteError,
    PlanError,
    FriendError,
    InviteError,
    RematchError
);
