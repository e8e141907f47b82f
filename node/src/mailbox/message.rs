//! What a player and a mailbox say to each other under `/chakart/mailbox/1`, in the form of [`crate::sync::message`].

use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::receipt::{LetterId, MAX_RECEIPT_BYTES, SignedReceipt};

use super::boxes::{MAX_PAGE_BYTES, MAX_PAGE_LETTERS, Page, Posting, Refusal};
use super::seal::MAX_LETTER_BYTES;
use crate::sync::message::{BadMessage, Signed, at_most, decode_within, encode_within, split_within};

/// Longest message, in bytes: a page of one longest letter, or one with a longest letter to keep.
pub const MAX_MESSAGE_BYTES: usize = MAX_LETTER_BYTES + 4 * 1024;

const _: () = assert!(MAX_PAGE_BYTES + 8 * MAX_PAGE_LETTERS <= MAX_LETTER_BYTES, "a page fits too");

/// What a player asks of a mailbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// 'Keep this letter.' Answered with [`Response::Kept`] or [`Response::Refused`].
    Put(Posting),
    /// 'What is here for me?' Answered with [`Response::Letters`] or [`Response::Refused`].
    Take,
    /// 'I have taken these.' Answered with [`Response::Deleted`].
    Receipt(SignedReceipt),
    /// Something of a later version.
    Unknown {
        /// Its kind.
        kind: u16,
    },
}

/// What a mailbox answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response {
    /// The letter is kept until its recipient has it, 30 days at most.
    Kept,
    /// The letter is not kept, or none is given.
    Refused(Refusal),
    /// Letters for the asker.
    Letters(Page),
    /// The letters of a receipt are deleted.
    Deleted,
    /// Too many requests, or the disk failed: ask again later.
    Busy,
    /// This node is no mailbox, or does not know the request.
    Unsupported,
    /// Something of a later version.
    Unknown {
        /// Its kind.
        kind: u16,
    },
}

/// Kinds of requests and, from 0x8000 on, of responses.
mod kind {
    pub(super) const PUT: u16 = 1;
    pub(super) const TAKE: u16 = 2;
    pub(super) const RECEIPT: u16 = 3;

    pub(super) const KEPT: u16 = 0x8001;
    pub(super) const REFUSED: u16 = 0x8002;
    pub(super) const LETTERS: u16 = 0x8003;
    pub(super) const DELETED: u16 = 0x8004;
    pub(super) const BUSY: u16 = 0x8005;
    pub(super) const UNSUPPORTED: u16 = 0x8006;
}

impl Request {
    /// The bytes of the message.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Put(Posting { recipient, letter, replaces }) => {
                encode(kind::PUT, &(recipient, letter, replaces))
            }
            Self::Take => encode(kind::TAKE, &()),
            Self::Receipt(signed) => encode(kind::RECEIPT, &Signed::new(&signed.bytes, &signed.signature)),
            Self::Unknown { kind } => kind.to_le_bytes().to_vec(),
        }
    }

    /// Reads a message.
    ///
    /// # Errors
    /// [`BadMessage`]
    pub fn decode(bytes: &[u8]) -> Result<Self, BadMessage> {
        let (kind, fields) = split_within(MAX_MESSAGE_BYTES, bytes)?;
        Ok(match kind {
            kind::PUT => {
                let (recipient, letter, replaces) =
                    decode::<(PublicKey, Vec<u8>, Option<LetterId>)>(kind, fields)?;
                at_most(MAX_LETTER_BYTES, &letter, "bytes of a letter")?;
                Self::Put(Posting { recipient, letter, replaces })
            }
            kind::TAKE => Self::Take,
            kind::RECEIPT => {
                let (bytes, signature) =
                    decode::<Signed>(kind, fields)?.parts(MAX_RECEIPT_BYTES, "bytes of a receipt")?;
                Self::Receipt(SignedReceipt { bytes, signature })
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
            Self::Kept => encode(kind::KEPT, &()),
            Self::Refused(refusal) => encode(kind::REFUSED, &number(*refusal)),
            Self::Letters(Page { letters, more }) => encode(kind::LETTERS, &(letters, more)),
            Self::Deleted => encode(kind::DELETED, &()),
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
        let (kind, fields) = split_within(MAX_MESSAGE_BYTES, bytes)?;
        Ok(match kind {
            kind::KEPT => Self::Kept,
            kind::REFUSED => Self::Refused(refusal(decode(kind, fields)?)),
            kind::LETTERS => {
                let (letters, more) = decode::<(Vec<Vec<u8>>, bool)>(kind, fields)?;
                at_most(MAX_PAGE_LETTERS, &letters, "letters")?;
                Self::Letters(Page { letters, more })
            }
            kind::DELETED => Self::Deleted,
            kind::BUSY => Self::Busy,
            kind::UNSUPPORTED => Self::Unsupported,
            kind => Self::Unknown { kind },
        })
    }
}

const fn number(refusal: Refusal) -> u16 {
    match refusal {
        Refusal::NotListed => 1,
        Refusal::SenderFull => 2,
        Refusal::BoxFull => 3,
        Refusal::AllFull => 4,
        Refusal::NotALetter => 5,
        Refusal::Other(number) => number,
    }
}

const fn refusal(number: u16) -> Refusal {
    match number {
        1 => Refusal::NotListed,
        2 => Refusal::SenderFull,
        3 => Refusal::BoxFull,
        4 => Refusal::AllFull,
        5 => Refusal::NotALetter,
        number => Refusal::Other(number),
    }
}

fn encode<T: serde::Serialize>(kind: u16, fields: &T) -> Vec<u8> {
    encode_within(MAX_MESSAGE_BYTES, kind, fields)
}

fn decode<T: serde::de::DeserializeOwned>(kind: u16, fields: &[u8]) -> Result<T, BadMessage> {
    decode_within(MAX_MESSAGE_BYTES, kind, fields)
}

#[cfg(test)]
mod tests {
    use chakart_core::protocol::keys::SecretKey;

    use super::*;

    fn posting(bytes: usize) -> Posting {
        let recipient = SecretKey::from_seed(&[1; 32]).public();
        Posting { recipient, letter: vec![7; bytes], replaces: Some(LetterId([8; 32])) }
    }

    #[test]
    fn requests_read_back_up_to_the_largest() {
        let receipt = SignedReceipt { bytes: vec![7; 2_096], signature: [9; 64] };
        let requests = [
            Request::Put(posting(MAX_LETTER_BYTES)),
            Request::Put(Posting { replaces: None, ..posting(0) }),
            Request::Take,
            Request::Receipt(receipt),
            Request::Unknown { kind: 77 },
        ];
        for request in requests {
            let bytes = request.encode();
            assert!(bytes.len() <= MAX_MESSAGE_BYTES);
            assert_eq!(Request::decode(&bytes), Ok(request));
        }
    }

    #[test]
    fn responses_read_back_up_to_the_largest() {
        let full =
            Page { letters: vec![vec![1; MAX_PAGE_BYTES / MAX_PAGE_LETTERS]; MAX_PAGE_LETTERS], more: true };
        let longest = Page { letters: vec![vec![2; MAX_LETTER_BYTES]], more: false };
        let mut responses = vec![
            Response::Kept,
            Response::Letters(full),
            Response::Letters(longest),
            Response::Deleted,
            Response::Busy,
            Response::Unsupported,
            Response::Unknown { kind: 0x9000 },
        ];
        responses.extend((0..8).map(|number| Response::Refused(refusal(number))));
        for response in responses {
            let bytes = response.encode();
            assert!(bytes.len() <= MAX_MESSAGE_BYTES);
            assert_eq!(Response::decode(&bytes), Ok(response));
        }
    }

    #[test]
    fn what_is_too_long_or_too_many_is_refused() {
        let over = Request::Put(posting(MAX_LETTER_BYTES + 1)).encode();
        assert_eq!(Request::decode(&over), Err(BadMessage::OverLimit("bytes of a letter")));
        let over = SignedReceipt { bytes: vec![7; 2_097], signature: [9; 64] };
        let over = Request::Receipt(over).encode();
        assert_eq!(Request::decode(&over), Err(BadMessage::OverLimit("bytes of a receipt")));
        let many = Page { letters: vec![vec![1]; MAX_PAGE_LETTERS + 1], more: false };
        let many = Response::Letters(many).encode();
        assert_eq!(Response::decode(&many), Err(BadMessage::OverLimit("letters")));
        let long = vec![1; MAX_MESSAGE_BYTES + 1];
        assert_eq!(Request::decode(&long), Err(BadMessage::TooLong(MAX_MESSAGE_BYTES)));
    }

    #[test]
    fn damaged_bytes_are_errors() {
        assert_eq!(Request::decode(&[]), Err(BadMessage::NoKind));
        let message = Request::Put(posting(1_024)).encode();
        for length in 2..60 {
            assert!(matches!(Request::decode(&message[..length]), Err(BadMessage::Malformed { .. })));
        }
        // A length that promises more than any message has.
        let mut promising = Response::Letters(Page { letters: vec![vec![1]], more: false }).encode();
        promising[2..10].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(matches!(Response::decode(&promising), Err(BadMessage::Malformed { .. })));
        let no_key = [&1u16.to_le_bytes()[..], &[0; 60]].concat();
        assert!(matches!(Request::decode(&no_key), Err(BadMessage::Malformed { .. })));
    }
}
