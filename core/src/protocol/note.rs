//! Short messages between the two players of a game, signed, and in no transcript (protocol P14).

use serde::{Deserialize, Serialize};

use super::codec::{DecodeError, decode, encode};
use super::entry::{EntryId, MAX_AT_MS, Party};
use super::keys::{BadSignature, Domain, PublicKey, SIGNATURE_BYTES, SecretKey};

/// Longest encoded note, in bytes.
pub const MAX_NOTE_BYTES: u64 = 600;
/// Longest text of a note, in bytes of UTF-8.
pub const MAX_NOTE_TEXT_BYTES: usize = 500;

/// A message of one player to the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// The game, by the id of its accept.
    pub game: EntryId,
    /// Who wrote it.
    pub author: Party,
    /// Grows with each note of its author in this game. Of two with one number the one that came first is kept.
    pub number: u32,
    /// When its author says to have written it, in milliseconds of Unix time, at most [`MAX_AT_MS`].
    pub at_ms: u64,
    /// What it says.
    pub text: NoteText,
}

/// The text of a note: 1 to [`MAX_NOTE_TEXT_BYTES`] bytes of UTF-8 without U+0000–001F and U+007F–009F, but for the line
/// feed. Anything else may stand in it, so every display escapes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct NoteText(String);

/// A text that may not be a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadNoteText {
    /// There is none.
    #[error("the message is empty")]
    Empty,
    /// Over [`MAX_NOTE_TEXT_BYTES`].
    #[error("a message has at most {MAX_NOTE_TEXT_BYTES} bytes, this has {0}")]
    TooLong(usize),
    /// Has a control character.
    #[error("a message has no control characters but line feeds, this has U+{0:04X}")]
    Control(u32),
}

/// A note as it travels and is stored, not checked yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedNote {
    /// The encoded note, at most [`MAX_NOTE_BYTES`].
    pub bytes: Vec<u8>,
    /// Over the note domain and the bytes.
    pub signature: [u8; SIGNATURE_BYTES],
}

impl NoteText {
    /// Checks a text.
    ///
    /// # Errors
    /// [`BadNoteText`]
    pub fn new(text: impl Into<String>) -> Result<Self, BadNoteText> {
        let text = text.into();
        match text.len() {
            0 => return Err(BadNoteText::Empty),
            1..=MAX_NOTE_TEXT_BYTES => {}
            got => return Err(BadNoteText::TooLong(got)),
        }
        match text.chars().find(|c| c.is_control() && *c != '\n') {
            Some(control) => Err(BadNoteText::Control(u32::from(control))),
            None => Ok(Self(text)),
        }
    }

    /// The text, to be escaped where it is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<NoteText> for String {
    fn from(text: NoteText) -> Self {
        text.0
    }
}

impl TryFrom<String> for NoteText {
    type Error = BadNoteText;

    fn try_from(text: String) -> Result<Self, BadNoteText> {
        Self::new(text)
    }
}

impl SignedNote {
    /// Encodes and signs a note.
    #[must_use]
    pub fn sign(note: &Note, key: &SecretKey) -> Self {
        let bytes = encode(note, MAX_NOTE_BYTES);
        let signature = key.sign(Domain::Note, &bytes);
        Self { bytes, signature }
    }

    /// Reads the bytes; the signature is not looked at.
    ///
    /// # Errors
    /// [`DecodeError`]
    pub fn decode(&self) -> Result<Note, DecodeError> {
        let note: Note = decode(&self.bytes, MAX_NOTE_BYTES)?;
        if note.at_ms > MAX_AT_MS { Err(DecodeError::StampOutOfRange(note.at_ms)) } else { Ok(note) }
    }

    /// Strict check of the signature.
    ///
    /// # Errors
    /// [`BadSignature`]
    pub fn verify(&self, key: &PublicKey) -> Result<(), BadSignature> {
        key.verify(Domain::Note, &self.bytes, &self.signature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::keys::SecretKey;

    fn note(text: &str) -> Note {
        let text = NoteText::new(text).expect("a text for the test");
        Note { game: EntryId([1; 32]), author: Party::Guest, number: 7, at_ms: 1_000, text }
    }

    #[test]
    fn reads_back_and_holds_only_under_its_key_and_domain() {
        let (key, other) = (SecretKey::from_seed(&[1; 32]), SecretKey::from_seed(&[2; 32]));
        let signed = SignedNote::sign(&note("good luck\nhave fun"), &key);
        assert_eq!(signed.decode(), Ok(note("good luck\nhave fun")));
        assert_eq!(signed.verify(&key.public()), Ok(()));
        assert_eq!(signed.verify(&other.public()), Err(BadSignature));
        let as_statement = key.public().verify(Domain::Statement, &signed.bytes, &signed.signature);
        assert_eq!(as_statement, Err(BadSignature));
    }

    #[test]
    fn the_longest_text_fits_and_bad_ones_are_named() {
        let longest = note(&"x".repeat(MAX_NOTE_TEXT_BYTES));
        let signed = SignedNote::sign(&longest, &SecretKey::from_seed(&[1; 32]));
        assert_eq!(signed.decode(), Ok(longest));
        assert_eq!(NoteText::new(""), Err(BadNoteText::Empty));
        assert_eq!(NoteText::new("x".repeat(501)), Err(BadNoteText::TooLong(501)));
        assert_eq!(NoteText::new("a\u{1b}[2J"), Err(BadNoteText::Control(0x1b)));
        assert_eq!(NoteText::new("a\rb"), Err(BadNoteText::Control(0x0d)));
        assert_eq!(NoteText::new("a\u{85}"), Err(BadNoteText::Control(0x85)));
    }

    #[test]
    fn bytes_with_a_forbidden_text_or_stamp_do_not_decode() {
        let mut signed = SignedNote::sign(&note("abc"), &SecretKey::from_seed(&[1; 32]));
        if let Some(last) = signed.bytes.last_mut() {
            *last = 0x07;
        }
        assert!(matches!(signed.decode(), Err(DecodeError::Malformed(_))));
        let late = Note { at_ms: MAX_AT_MS + 1, ..note("abc") };
        let signed = SignedNote::sign(&late, &SecretKey::from_seed(&[1; 32]));
        assert_eq!(signed.decode(), Err(DecodeError::StampOutOfRange(MAX_AT_MS + 1)));
    }
}
