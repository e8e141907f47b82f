//! Messages between players under `/chakart/note/1`, in the form of [`super::message`].

use chakart_core::protocol::note::SignedNote;

use super::limits::MAX_NOTES;
use super::message::{BadMessage, Signed, at_most, decode, encode, split};

/// Messages to the peer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoteRequest {
    /// At most [`MAX_NOTES`].
    pub notes: Vec<SignedNote>,
}

/// What the peer answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteResponse {
    /// Those that it takes are on its disk; the others are not to be sent again.
    Kept,
    /// Too many requests, or its disk failed: send them again later.
    Busy,
    /// Something of a later version.
    Unknown {
        /// Its kind.
        kind: u16,
    },
}

const NOTES: u16 = 1;
const KEPT: u16 = 0x8001;
const BUSY: u16 = 0x8002;

impl NoteRequest {
    /// The bytes of the message.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        encode(NOTES, &self.notes.iter().map(Signed::from).collect::<Vec<_>>())
    }

    /// Reads a message. One of a later kind has no notes.
    ///
    /// # Errors
    /// [`BadMessage`]
    pub fn decode(bytes: &[u8]) -> Result<Self, BadMessage> {
        let (kind, fields) = split(bytes)?;
        if kind != NOTES {
            return Ok(Self { notes: Vec::new() });
        }
        let notes: Vec<Signed> = decode(kind, fields)?;
        at_most(MAX_NOTES, &notes, "notes")?;
        Ok(Self { notes: notes.into_iter().map(Signed::note).collect::<Result<_, _>>()? })
    }
}

impl NoteResponse {
    /// The bytes of the message.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Kept => KEPT,
            Self::Busy => BUSY,
            Self::Unknown { kind } => *kind,
        }
        .to_le_bytes()
        .to_vec()
    }

    /// Reads a message.
    ///
    /// # Errors
    /// [`BadMessage`]
    pub fn decode(bytes: &[u8]) -> Result<Self, BadMessage> {
        Ok(match split(bytes)?.0 {
            KEPT => Self::Kept,
            BUSY => Self::Busy,
            kind => Self::Unknown { kind },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_read_back_and_too_many_are_refused() {
        let note = SignedNote { bytes: vec![7; 556], signature: [9; 64] };
        let most = NoteRequest { notes: vec![note.clone(); MAX_NOTES] };
        assert_eq!(NoteRequest::decode(&most.encode()), Ok(most));
        let over = NoteRequest { notes: vec![note; MAX_NOTES + 1] };
        assert_eq!(NoteRequest::decode(&over.encode()), Err(BadMessage::OverLimit("notes")));
        for response in [NoteResponse::Kept, NoteResponse::Busy, NoteResponse::Unknown { kind: 3 }] {
            assert_eq!(NoteResponse::decode(&response.encode()), Ok(response));
        }
        assert_eq!(NoteRequest::decode(&[9, 0, 1, 2]), Ok(NoteRequest { notes: Vec::new() }));
    }
}
