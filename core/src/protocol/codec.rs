//! Entries and statements as canonical bytes with a signature (protocol §3).
//!
//! bincode 1.3.3, fixed-width little-endian integers, a size limit, no trailing bytes; and only if encoding again gives
//! the same bytes, so that one value has one encoding whatever the library tolerates.

use bincode::Options;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::entry::{Entry, EntryId, MAX_AT_MS, MAX_ENTRY_BYTES, MAX_SEQ};
use super::keys::{BadSignature, Domain, PublicKey, SIGNATURE_BYTES, SecretKey};
use super::statement::{MAX_STATEMENT_BYTES, Statement, StatementKind};

/// An entry as it travels and is stored: its bytes and a signature over them, neither checked yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedEntry {
    /// The encoded entry, at most [`MAX_ENTRY_BYTES`].
    pub bytes: Vec<u8>,
    /// Over the entry domain and the bytes.
    pub signature: [u8; SIGNATURE_BYTES],
}

/// A statement as it travels and is stored, not checked yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedStatement {
    /// The encoded statement, at most [`MAX_STATEMENT_BYTES`].
    pub bytes: Vec<u8>,
    /// Over the statement domain and the bytes.
    pub signature: [u8; SIGNATURE_BYTES],
}

/// Bytes that are no entry, statement or note. They prove nothing against anybody.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// Over the size limit.
    #[error("{got} bytes, at most {limit} are allowed")]
    TooLong {
        /// Bytes given.
        got: usize,
        /// Bytes allowed.
        limit: u64,
    },
    /// Not the encoding of any value, or one with a field out of its range.
    #[error("not a valid encoding: {0}")]
    Malformed(String),
    /// The same value has another encoding, which is the valid one.
    #[error("not the canonical encoding")]
    NotCanonical,
    /// The place is over [`MAX_SEQ`].
    #[error("seq {0} is over {MAX_SEQ}")]
    SeqOutOfRange(u32),
    /// The stamp is over [`MAX_AT_MS`].
    #[error("the stamp {0} is over {MAX_AT_MS}")]
    StampOutOfRange(u64),
}

impl SignedEntry {
    /// Encodes and signs an entry.
    #[must_use]
    pub fn sign(entry: &Entry, key: &SecretKey) -> Self {
        let bytes = encode_entry(entry);
        let signature = key.sign(Domain::Entry, &bytes);
        Self { bytes, signature }
    }

    /// The name of this entry, whatever its bytes.
    #[must_use]
    pub fn id(&self) -> EntryId {
        entry_id(&self.bytes)
    }

    /// Reads the bytes; the signature is not looked at.
    ///
    /// # Errors
    /// [`DecodeError`]
    pub fn decode(&self) -> Result<Entry, DecodeError> {
        decode_entry(&self.bytes)
    }

    /// Strict check of the signature.
    ///
    /// # Errors
    /// [`BadSignature`]
    pub fn verify(&self, key: &PublicKey) -> Result<(), BadSignature> {
        key.verify(Domain::Entry, &self.bytes, &self.signature)
    }
}

impl SignedStatement {
    /// Encodes and signs a statement.
    #[must_use]
    pub fn sign(statement: &Statement, key: &SecretKey) -> Self {
        let bytes = encode(statement, MAX_STATEMENT_BYTES);
        let signature = key.sign(Domain::Statement, &bytes);
        Self { bytes, signature }
    }

    /// Reads the bytes; the signature is not looked at.
    ///
    /// # Errors
    /// [`DecodeError`]
    pub fn decode(&self) -> Result<Statement, DecodeError> {
        let statement: Statement = decode(&self.bytes, MAX_STATEMENT_BYTES)?;
        match statement.kind {
            StatementKind::Claim { at_ms } if at_ms > MAX_AT_MS => Err(DecodeError::StampOutOfRange(at_ms)),
            _ => Ok(statement),
        }
    }

    /// Strict check of the signature.
    ///
    /// # Errors
    /// [`BadSignature`]
    pub fn verify(&self, key: &PublicKey) -> Result<(), BadSignature> {
        key.verify(Domain::Statement, &self.bytes, &self.signature)
    }
}

/// The canonical bytes of an entry.
#[must_use]
pub fn encode_entry(entry: &Entry) -> Vec<u8> {
    encode(entry, MAX_ENTRY_BYTES)
}

/// Reads the canonical bytes of an entry.
///
/// # Errors
/// [`DecodeError`]
pub fn decode_entry(bytes: &[u8]) -> Result<Entry, DecodeError> {
    let entry: Entry = decode(bytes, MAX_ENTRY_BYTES)?;
    if entry.seq > MAX_SEQ {
        return Err(DecodeError::SeqOutOfRange(entry.seq));
    }
    if entry.at_ms > MAX_AT_MS {
        return Err(DecodeError::StampOutOfRange(entry.at_ms));
    }
    Ok(entry)
}

/// The name of the entry with these bytes.
#[must_use]
pub fn entry_id(bytes: &[u8]) -> EntryId {
    EntryId(Sha256::new().chain_update(Domain::Entry.prefix()).chain_update(bytes).finalize().into())
}

fn options(limit: u64) -> impl Options {
    bincode::DefaultOptions::new().with_fixint_encoding().with_limit(limit)
}

pub(super) fn encode<T: Serialize>(value: &T, limit: u64) -> Vec<u8> {
    options(limit).serialize(value).expect("every signed value is far below its limit")
}

pub(super) fn decode<T: Serialize + DeserializeOwned>(bytes: &[u8], limit: u64) -> Result<T, DecodeError> {
    if bytes.len() as u64 > limit {
        return Err(DecodeError::TooLong { got: bytes.len(), limit });
    }
    let value: T =
        options(limit).deserialize(bytes).map_err(|error| DecodeError::Malformed(error.to_string()))?;
    if encode(&value, limit) == bytes { Ok(value) } else { Err(DecodeError::NotCanonical) }
}
