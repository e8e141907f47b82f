//! Blocks of entries, statements and notes that survive a mail program: quoting, re-wrapping, CRLF, text around them.
//!
//! ```text
//! -----BEGIN CHAKART BLOCK-----
//! base64 of `entry …`, `statement …` and `note …` lines, folded at 64 columns
//! -----END CHAKART BLOCK 1a2b3c4d-----
//! ```
//!
//! The END line carries the CRC-32 (IEEE) of the decoded bytes as eight lower-case hexadecimal digits: it finds a
//! damaged paste and proves nothing.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::text::{Line, Lines, TextError, TextFault, entry_line, note_line, read_note_line, statement_line};
use crate::protocol::codec::{SignedEntry, SignedStatement};
use crate::protocol::note::SignedNote;

const BEGIN: &str = "-----BEGIN CHAKART BLOCK-----";
const END: &str = "-----END CHAKART BLOCK ";
const DASHES: &str = "-----";
const COLUMNS: usize = 64;
/// Largest text of one block, in bytes.
pub const MAX_ARMOUR_BYTES: usize = 1 << 20;
/// Largest text that is searched for blocks, in bytes.
pub const MAX_TEXT_BYTES: usize = 4 << 20;

/// What a block carries, in the order of its lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// Entries, from any place on.
    pub entries: Vec<SignedEntry>,
    /// Statements.
    pub statements: Vec<SignedStatement>,
    /// Messages between the players.
    pub notes: Vec<SignedNote>,
    /// Lines of kinds that this version does not know; they are skipped.
    pub unknown_lines: usize,
}

/// Why a text has no readable block.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArmourError {
    /// A block of over [`MAX_ARMOUR_BYTES`].
    #[error("a block of {0} bytes; the longest has {MAX_ARMOUR_BYTES}")]
    TooLong(usize),
    /// Over [`MAX_TEXT_BYTES`].
    #[error("a text of over {MAX_TEXT_BYTES} bytes; give the blocks in it one by one")]
    TextTooLong,
    /// There is no BEGIN line.
    #[error("no block found: the line '{BEGIN}' is missing")]
    NoBegin,
    /// There is no END line.
    #[error("the block is cut: its END line is missing; copy it whole")]
    NoEnd,
    /// What stands between is not base64.
    #[error("the block is damaged: not base64; copy it again")]
    Base64,
    /// The checksum differs.
    #[error("the block is damaged: its checksum differs; copy it again")]
    Checksum,
    /// The decoded text has a bad line.
    #[error("the block is intact, but its {0}")]
    Text(#[from] TextError),
    /// The decoded text is not UTF-8.
    #[error("the block is intact, but not text")]
    NotText,
}

impl Block {
    /// The lines alone: what a letter holds, which is sealed and so needs no armour.
    #[must_use]
    pub fn lines(&self) -> String {
        let entries = self.entries.iter().map(entry_line);
        let statements = self.statements.iter().map(statement_line);
        entries.chain(statements).chain(self.notes.iter().map(note_line)).collect()
    }

    /// Writes the block.
    #[must_use]
    pub fn armoured(&self) -> String {
        let text = self.lines();
        let base64 = STANDARD.encode(&text);
        let mut armoured = format!("{BEGIN}\n");
        for start in (0..base64.len()).step_by(COLUMNS) {
            armoured.push_str(&base64[start..base64.len().min(start + COLUMNS)]);
            armoured.push('\n');
        }
        armoured.push_str(&format!("{END}{:08x}{DASHES}\n", crc32fast::hash(text.as_bytes())));
        armoured
    }

    /// Finds and reads the first block in a text.
    ///
    /// # Errors
    /// [`ArmourError`]
    pub fn read(text: &str) -> Result<Self, ArmourError> {
        Self::read_all(text)?.swap_remove(0)
    }

    /// Finds and reads every block in a text, in order; at least one. A bad block does not keep the others from being
    /// read.
    ///
    /// # Errors
    /// [`ArmourError::TextTooLong`], [`ArmourError::NoBegin`]
    pub fn read_all(text: &str) -> Result<Vec<Result<Self, ArmourError>>, ArmourError> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(ArmourError::TextTooLong);
        }
        let mut parts = text.split(BEGIN);
        // What stands before the first.
        parts.next();
        let blocks: Vec<_> = parts.map(Self::read_after_begin).collect();
        if blocks.is_empty() { Err(ArmourError::NoBegin) } else { Ok(blocks) }
    }

    /// Everything that these blocks carry, as one.
    #[must_use]
    pub fn joined(blocks: impl IntoIterator<Item = Self>) -> Self {
        blocks.into_iter().fold(Self::default(), |mut all, block| {
            all.entries.extend(block.entries);
            all.statements.extend(block.statements);
            all.notes.extend(block.notes);
            all.unknown_lines += block.unknown_lines;
            all
        })
    }

    fn read_after_begin(text: &str) -> Result<Self, ArmourError> {
        let (body, end) = text.split_once(END).ok_or(ArmourError::NoEnd)?;
        if body.len() > MAX_ARMOUR_BYTES {
            return Err(ArmourError::TooLong(body.len()));
        }
        let base64: String = body.chars().filter(|c| !c.is_whitespace() && *c != '>').collect();
        let bytes = STANDARD.decode(base64).map_err(|_| ArmourError::Base64)?;
        let (checksum, _) = end.split_once(DASHES).ok_or(ArmourError::NoEnd)?;
        if checksum != format!("{:08x}", crc32fast::hash(&bytes)) {
            return Err(ArmourError::Checksum);
        }
        Ok(Self::read_lines(&String::from_utf8(bytes).map_err(|_| ArmourError::NotText)?)?)
    }

    /// Reads what [`Block::lines`] gives.
    ///
    /// # Errors
    /// [`TextError`] of the first bad line of a known kind.
    pub fn read_lines(text: &str) -> Result<Self, TextError> {
        let mut block = Self::default();
        let mut known = String::new();
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if line.starts_with("entry ") || line.starts_with("statement ") {
                known.push_str(line);
            } else if line.starts_with("note ") {
                let note = line.strip_suffix('\n').ok_or(TextFault::Cut).and_then(read_note_line);
                block.notes.push(note.map_err(|fault| TextError { line: index + 1, fault })?);
            } else {
                block.unknown_lines += 1;
            }
        }
        let mut lines = Lines::of(&known);
        while let Some(line) = lines.next_line()? {
            match line {
                Line::Entry(entry) => block.entries.push(entry),
                Line::Statement(statement) => block.statements.push(statement),
                Line::Result(_) | Line::Key(_) | Line::End => block.unknown_lines += 1,
            }
        }
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> Block {
        Block {
            entries: vec![SignedEntry { bytes: vec![7; 100], signature: [1; 64] }],
            statements: vec![SignedStatement { bytes: vec![9; 40], signature: [2; 64] }],
            notes: vec![SignedNote { bytes: vec![8; 556], signature: [3; 64] }],
            unknown_lines: 0,
        }
    }

    #[test]
    fn lines_of_later_kinds_are_skipped_and_counted() {
        let text = format!("later 1 2\n{}", entry_line(&block().entries[0]));
        let read = Block::read_lines(&text).expect("a line that is skipped is no fault");
        assert_eq!((read.entries, read.unknown_lines), (block().entries, 1));
    }

    #[test]
    fn a_bad_note_is_named_with_its_line() {
        let text = format!("{}note AAAA\n", entry_line(&block().entries[0]));
        assert!(matches!(Block::read_lines(&text), Err(TextError { line: 2, .. })));
    }

    #[test]
    fn survives_quoting_wrapping_and_text_around() {
        let armoured = block().armoured();
        assert!(armoured.lines().all(|line| line.len() <= COLUMNS));
        let quoted: String = armoured.lines().map(|line| format!("> > {line}\r\n")).collect();
        assert_eq!(Block::read(&format!("Hello,\r\n\r\n{quoted}\r\nregards")), Ok(block()));
        assert_eq!(Block::read(&armoured.replace('\n', "\n\n  ")), Ok(block()));
    }

    #[test]
    fn damage_is_named() {
        let armoured = block().armoured();
        assert_eq!(Block::read("hello"), Err(ArmourError::NoBegin));
        assert_eq!(Block::read(&armoured[..200]), Err(ArmourError::NoEnd));
        assert_eq!(Block::read(&armoured.replacen("ZW50", "ZW51", 1)), Err(ArmourError::Checksum));
        assert_eq!(Block::read(&armoured.replacen("ZW50", "Z*50", 1)), Err(ArmourError::Base64));
        let long = "A".repeat(MAX_ARMOUR_BYTES + 1);
        let (begin, end) = armoured.split_once('\n').expect("lines");
        assert_eq!(
            Block::read(&format!("{begin}\n{long}\n{end}")),
            Err(ArmourError::TooLong(long.len() + end.find(END).expect("an END line") + 2))
        );
        assert_eq!(Block::read(&"x".repeat(MAX_TEXT_BYTES + 1)), Err(ArmourError::TextTooLong));
    }

    #[test]
    fn a_bad_block_does_not_hide_those_around_it() {
        let good = block().armoured();
        let cut = &good[..120];
        let damaged = good.replacen("ZW50", "ZW51", 1);
        let text = format!("one\n{good}two\n{cut}\n> three\n{damaged}{good}");
        let read = Block::read_all(&text).expect("blocks");
        assert_eq!(read, [Ok(block()), Err(ArmourError::NoEnd), Err(ArmourError::Checksum), Ok(block())]);
        let joined = Block::joined(read.into_iter().flatten());
        assert_eq!((joined.entries.len(), joined.statements.len(), joined.notes.len()), (2, 2, 2));
    }
}
