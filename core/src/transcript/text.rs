//! The line format of transcripts and evidence.
//!
//! One space between words, LF after every line, nothing after `end`. Lines that begin with `# ` may stand between
//! the others for people; they prove nothing and are not read.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::protocol::codec::{SignedEntry, SignedStatement};
use crate::protocol::conviction::Equivocation;
use crate::protocol::entry::MAX_ENTRY_BYTES;
use crate::protocol::keys::{KEY_BYTES, SIGNATURE_BYTES};
use crate::protocol::note::{MAX_NOTE_BYTES, SignedNote};
use crate::protocol::statement::MAX_STATEMENT_BYTES;

/// First line of a transcript.
pub const TRANSCRIPT_HEADER: &str = "chakart transcript 1";
/// First line of an evidence file.
pub const EVIDENCE_HEADER: &str = "chakart evidence 1";
/// Largest file that is read, in bytes: more than 65,536 entries of the largest size.
pub const MAX_FILE_BYTES: usize = 64 << 20;
/// Longest line that is read, in bytes without its LF.
pub const MAX_LINE_BYTES: usize = 1_024;

/// Why a text is no transcript, evidence or block of lines. It convicts nobody.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: TextFault,
}

/// What is wrong with a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextFault {
    /// Neither kind of file begins so.
    #[error("not a chakart file: the first line is neither '{TRANSCRIPT_HEADER}' nor '{EVIDENCE_HEADER}'")]
    Header,
    /// The line is too long.
    #[error("longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// The last line has no LF.
    #[error("the line is cut: LF is missing")]
    Cut,
    /// The file ends before `end`.
    #[error("the file is cut: 'end' is missing")]
    EndMissing,
    /// Something follows `end`.
    #[error("something follows 'end'")]
    AfterEnd,
    /// Not a line that may stand here.
    #[error("not a line that may stand here (expected: {0})")]
    Unexpected(&'static str),
    /// Not canonical padded base64.
    #[error("not canonical padded base64")]
    Base64,
    /// A part has the wrong length.
    #[error("{what} has {got} bytes, expected {expected}")]
    Length {
        /// Which part.
        what: &'static str,
        /// Bytes found.
        got: usize,
        /// What is allowed, in words.
        expected: &'static str,
    },
}

/// A line that says something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line<'a> {
    /// An entry.
    Entry(SignedEntry),
    /// A statement.
    Statement(SignedStatement),
    /// The result code.
    Result(&'a str),
    /// The key of an evidence file.
    Key([u8; KEY_BYTES]),
    /// The end.
    End,
}

/// Which kind of file a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A transcript.
    Transcript,
    /// Evidence.
    Evidence,
}

/// Reads the lines of a file one by one.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a str,
    number: usize,
}

impl<'a> Lines<'a> {
    /// Reads the first line of a file.
    ///
    /// # Errors
    /// [`TextFault::Header`] where it is no file of this project.
    pub fn open(text: &'a str) -> Result<(Kind, Self), TextError> {
        let mut lines = Self::of(text);
        let header = TextError { line: 1, fault: TextFault::Header };
        match lines.raw() {
            Ok(Some(TRANSCRIPT_HEADER)) => Ok((Kind::Transcript, lines)),
            Ok(Some(EVIDENCE_HEADER)) => Ok((Kind::Evidence, lines)),
            _ => Err(header),
        }
    }

    /// The lines of a text without a header.
    #[must_use]
    pub const fn of(text: &'a str) -> Self {
        Self { rest: text, number: 0 }
    }

    /// The number of the line that was read last, from 1.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// The next line that is not a remark; `None` at the end of the text.
    ///
    /// # Errors
    /// [`TextError`]
    pub fn next_line(&mut self) -> Result<Option<Line<'a>>, TextError> {
        loop {
            match self.raw()? {
                None => return Ok(None),
                Some(remark) if remark.starts_with("# ") => {}
                Some(line) => return parse(line).map(Some).map_err(|fault| self.error(fault)),
            }
        }
    }

    /// Requires that nothing follows.
    ///
    /// # Errors
    /// [`TextFault::AfterEnd`]
    pub fn finish(&self) -> Result<(), TextError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(TextError { line: self.number + 1, fault: TextFault::AfterEnd })
        }
    }

    /// An error at the line that was read last.
    #[must_use]
    pub const fn error(&self, fault: TextFault) -> TextError {
        TextError { line: self.number, fault }
    }

    fn raw(&mut self) -> Result<Option<&'a str>, TextError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let (line, rest) = self.rest.split_once('\n').ok_or_else(|| self.error(TextFault::Cut))?;
        self.rest = rest;
        if line.len() > MAX_LINE_BYTES { Err(self.error(TextFault::TooLong)) } else { Ok(Some(line)) }
    }
}

/// Writes an entry as a line.
#[must_use]
pub fn entry_line(entry: &SignedEntry) -> String {
    format!("entry {} {}\n", STANDARD.encode(&entry.bytes), STANDARD.encode(entry.signature))
}

/// Writes a statement as a line.
#[must_use]
pub fn statement_line(statement: &SignedStatement) -> String {
    format!("statement {} {}\n", STANDARD.encode(&statement.bytes), STANDARD.encode(statement.signature))
}

/// Writes a note as a line of a block; no transcript has one.
#[must_use]
pub fn note_line(note: &SignedNote) -> String {
    format!("note {} {}\n", STANDARD.encode(&note.bytes), STANDARD.encode(note.signature))
}

/// Reads what [`note_line`] writes, without its LF.
///
/// # Errors
/// [`TextFault`]
pub fn read_note_line(line: &str) -> Result<SignedNote, TextFault> {
    let rest = line.strip_prefix("note ").ok_or(TextFault::Unexpected("note"))?;
    let (bytes, signature) = signed(rest, MAX_NOTE_BYTES, "at most 600")?;
    Ok(SignedNote { bytes, signature })
}

/// Writes a remark as a line. Whatever is not printable is escaped (controls, line and paragraph separators, marks that
/// turn the direction of text), so that it stays one line and shows what it says.
#[must_use]
pub fn remark_line(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|c| {
            let plain = matches!(c, '\'' | '"');
            plain.then_some(c).into_iter().chain((!plain).then(|| c.escape_debug()).into_iter().flatten())
        })
        .collect();
    let mut line = format!("# {escaped}");
    while line.len() > MAX_LINE_BYTES {
        line.pop();
    }
    line.push('\n');
    line
}

/// Writes an evidence file.
#[must_use]
pub fn evidence_text(proof: &Equivocation) -> String {
    let [first, second] = proof.entries();
    format!(
        "{EVIDENCE_HEADER}\nkey {}\n{}{}end\n",
        STANDARD.encode(proof.key().as_bytes()),
        entry_line(first),
        entry_line(second)
    )
}

fn parse(line: &str) -> Result<Line<'_>, TextFault> {
    let unexpected = TextFault::Unexpected("entry, statement, result, end");
    if line == "end" {
        return Ok(Line::End);
    }
    let (word, rest) = line.split_once(' ').ok_or(unexpected)?;
    match word {
        "entry" => {
            let (bytes, signature) = signed(rest, MAX_ENTRY_BYTES, "at most 512")?;
            Ok(Line::Entry(SignedEntry { bytes, signature }))
        }
        "statement" => {
            let (bytes, signature) = signed(rest, MAX_STATEMENT_BYTES, "at most 128")?;
            Ok(Line::Statement(SignedStatement { bytes, signature }))
        }
        "key" => Ok(Line::Key(fixed(rest, "the key", "32")?)),
        "result" if ["1-0", "0-1", "1/2-1/2", "aborted", "*"].contains(&rest) => Ok(Line::Result(rest)),
        "result" => Err(TextFault::Unexpected("1-0, 0-1, 1/2-1/2, aborted or *")),
        _ => Err(unexpected),
    }
}

fn signed(
    text: &str,
    limit: u64,
    expected: &'static str,
) -> Result<(Vec<u8>, [u8; SIGNATURE_BYTES]), TextFault> {
    let (bytes, signature) = text.split_once(' ').ok_or(TextFault::Unexpected("two words of base64"))?;
    let bytes = decode(bytes)?;
    if bytes.len() as u64 > limit {
        return Err(TextFault::Length { what: "the signed text", got: bytes.len(), expected });
    }
    Ok((bytes, fixed(signature, "the signature", "64")?))
}

fn fixed<const N: usize>(
    text: &str,
    what: &'static str,
    expected: &'static str,
) -> Result<[u8; N], TextFault> {
    decode(text)?.try_into().map_err(|bytes: Vec<u8>| TextFault::Length { what, got: bytes.len(), expected })
}

/// Canonical padded base64: the engine refuses missing padding and non-zero tail bits.
fn decode(text: &str) -> Result<Vec<u8>, TextFault> {
    STANDARD.decode(text).map_err(|_| TextFault::Base64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_canonical_base64_is_read() {
        assert_eq!(decode("AAE="), Ok(vec![0, 1]));
        for bad in ["AAE", "AAF=", "AA E=", "AAE=\r", "AAE-", "A==="] {
            assert_eq!(decode(bad), Err(TextFault::Base64), "{bad:?}");
        }
    }

    #[test]
    fn remarks_stay_on_one_line() {
        assert_eq!(remark_line("a\nb\u{1b}[2J"), "# a\\nb\\u{1b}[2J\n");
        assert_eq!(remark_line("a\u{202e}b\u{2028}'é'"), "# a\\u{202e}b\\u{2028}'é'\n");
        assert!(remark_line(&"é".repeat(2_000)).len() <= MAX_LINE_BYTES + 1);
    }
}
