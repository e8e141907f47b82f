//! Why a letter is not kept, and what else goes wrong at the boxes.

use chakart_core::protocol::codec::DecodeError;
use chakart_core::protocol::keys::BadSignature;

use super::SCHEMA;

/// Why a letter is not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The recipient (or who wants to take letters) is not on the owner's list.
    #[error("the key is not on the list of the mailbox")]
    NotListed,
    /// The sender fills its part of this box.
    #[error("the box holds enough letters of this sender")]
    SenderFull,
    /// The box is full.
    #[error("the box is full")]
    BoxFull,
    /// The mailbox is full.
    #[error("the mailbox is full")]
    AllFull,
    /// No letter has this length.
    #[error("it is not a letter")]
    NotALetter,
    /// Something of a later version.
    #[error("refused for a reason of a later version, number {0}")]
    Other(u16),
}

/// A receipt that deletes nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadReceipt {
    /// It cannot be read.
    #[error("the receipt cannot be read: {0}")]
    Decode(#[from] DecodeError),
    /// It is not signed by the recipient.
    #[error(transparent)]
    Signature(#[from] BadSignature),
    /// It names another mailbox.
    #[error("the receipt is for another mailbox")]
    OtherMailbox,
}

/// Why the boxes cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BoxError {
    /// The file.
    #[error("the file of the mailbox failed: {0}")]
    Database(#[from] rusqlite::Error),
    /// A newer program wrote the file.
    #[error("the file of the mailbox has schema {found}, this program knows up to {SCHEMA}: update it")]
    NewerSchema {
        /// The schema found.
        found: u32,
    },
}

/// Why a posting is not in its box.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// It is not kept.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The boxes failed.
    #[error(transparent)]
    Boxes(#[from] BoxError),
}

/// Why a receipt deletes nothing.
#[derive(Debug, thiserror::Error)]
pub enum ReceiptError {
    /// The receipt is bad.
    #[error(transparent)]
    Bad(#[from] BadReceipt),
    /// The boxes failed.
    #[error(transparent)]
    Boxes(#[from] BoxError),
}

impl From<rusqlite::Error> for PostError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Boxes(error.into())
    }
}
