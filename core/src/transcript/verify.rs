//! Judging a file, and several files of one game together.
//!
//! Reading stops at the first bad entry. Nothing here panics or allocates beyond the size of the text.

use super::text::{Kind, Line, Lines, MAX_FILE_BYTES, TextError, TextFault};
use crate::protocol::codec::{SignedEntry, SignedStatement};
use crate::protocol::conviction::{Equivocation, NotEquivocation, Proof};
use crate::protocol::entry::{EntryId, Party};
use crate::protocol::judgement::{BadStatement, Judgement, Placed, place_statement};
use crate::protocol::keys::{BadKey, PublicKey};
use crate::protocol::log::{Log, Placement};
use crate::protocol::misdeed::{BadOffer, Refusal};
use crate::protocol::phase::Step;

/// A file that was read as far as it holds.
#[derive(Clone, Debug)]
pub enum Checked {
    /// A transcript.
    Transcript(Box<Transcript>),
    /// Two entries that convict a key.
    Evidence(Equivocation),
    /// Neither, and why.
    Unreadable(Defect),
}

/// A transcript as far as it holds.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The chain.
    pub log: Log,
    /// Its entries by place.
    pub entries: Vec<SignedEntry>,
    /// What each entry after the offer did.
    pub steps: Vec<Step>,
    /// Statements in the order of the file.
    pub statements: Vec<(Placed, SignedStatement)>,
    /// The result line.
    pub result: Option<String>,
    /// An entry that convicts its author, after the log.
    pub convicting: Option<(SignedEntry, Refusal)>,
    /// The first defect, where reading stopped.
    pub defect: Option<Defect>,
}

/// Why a file is invalid. Only [`Defect::Entry`] may convict somebody.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Defect {
    /// Too large to be a transcript.
    #[error("the file has {0} bytes, at most {MAX_FILE_BYTES} are read")]
    TooLarge(usize),
    /// Not UTF-8.
    #[error("the file is not text")]
    NotText,
    /// A line is wrong.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The first entry opens no game.
    #[error("{0}")]
    Offer(#[from] BadOffer),
    /// An entry is not valid at its place.
    #[error("{0}")]
    Entry(#[from] Refusal),
    /// An entry stands twice.
    #[error("the same as entry {seq}")]
    Repeated {
        /// The first place.
        seq: u32,
    },
    /// A statement is not one of this game.
    #[error("{0}")]
    Statement(#[from] BadStatement),
    /// Statements do not stand in their order.
    #[error("line {line}: statements stand in the order host's, guest's, each resign, claim, seal")]
    StatementOrder {
        /// The line, from 1.
        line: usize,
    },
    /// The result line differs from what entries and statements give.
    #[error("the result line says {found}, but entries and statements give {due}")]
    Result {
        /// What the file says.
        found: String,
        /// What it should say.
        due: &'static str,
    },
    /// A key is not the one that the reader expects.
    #[error("the key of {party} is {found}, not {expected} as asked for")]
    OtherKey {
        /// Whose.
        party: Party,
        /// In the file.
        found: Box<PublicKey>,
        /// Given by the reader.
        expected: Box<PublicKey>,
    },
    /// The key of an evidence file is not acceptable.
    #[error("{0}")]
    Key(#[from] BadKey),
    /// The two entries of an evidence file prove nothing.
    #[error("{0}")]
    NotEvidence(#[from] NotEquivocation),
}

/// Keys that the reader knows by another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// The host's.
    pub host: Option<PublicKey>,
    /// The guest's.
    pub guest: Option<PublicKey>,
}

/// Reads and judges one file.
#[must_use]
pub fn check(bytes: &[u8], expected: Expected) -> Checked {
    if bytes.len() > MAX_FILE_BYTES {
        return Checked::Unreadable(Defect::TooLarge(bytes.len()));
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return Checked::Unreadable(Defect::NotText) };
    match Lines::open(text) {
        Ok((Kind::Transcript, lines)) => check_transcript(lines, expected),
        Ok((Kind::Evidence, lines)) => {
            check_evidence(lines).map_or_else(Checked::Unreadable, Checked::Evidence)
        }
        Err(error) => Checked::Unreadable(error.into()),
    }
}

impl Transcript {
    /// Whether the file is in order, but for a last entry that convicts its author.
    #[must_use]
    pub const fn is_usable(&self) -> bool {
        self.defect.is_none() || self.convicting.is_some()
    }

    /// The judgement of this file alone.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        let mut convicted = [false; 2];
        if let Some(party) = self.convicting.as_ref().and_then(|(_, refusal)| refusal.convicts()) {
            convicted[party.index()] = true;
        }
        Judgement::new(&self.log, &self.placed(), convicted)
    }

    /// The statements without their signatures.
    #[must_use]
    pub fn placed(&self) -> Vec<Placed> {
        self.statements.iter().map(|(placed, _)| *placed).collect()
    }

    /// The proof that the file's last entry gives.
    #[must_use]
    pub fn proof(&self) -> Option<Proof> {
        let (entry, refusal) = self.convicting.clone()?;
        Some(Proof::InvalidEntry { entry, refusal })
    }

    /// What names the game: the accept's id, or the offer's while there is no accept.
    #[must_use]
    pub fn game_id(&self) -> EntryId {
        self.log.game_id().unwrap_or(self.log.records()[0].id)
    }

    /// Where this file and another of the same game fork, and the proof that it is.
    #[must_use]
    pub fn fork(&self, other: &Self) -> Option<(u32, Equivocation)> {
        let (seq, (mine, theirs)) = self
            .entries
            .iter()
            .zip(&other.entries)
            .enumerate()
            .find(|(_, (mine, theirs))| mine.bytes != theirs.bytes)?;
        let author = self.log.records().get(seq)?.author;
        let key = *self.log.key(author)?;
        let proof = Equivocation::new(key, [mine.clone(), theirs.clone()]).ok()?;
        Some((u32::try_from(seq).ok()?, proof))
    }
}

fn check_transcript(mut lines: Lines<'_>, expected: Expected) -> Checked {
    let offer = match lines.next_line() {
        Ok(Some(Line::Entry(offer))) => offer,
        Ok(_) => return Checked::Unreadable(lines.error(TextFault::Unexpected("entry")).into()),
        Err(error) => return Checked::Unreadable(error.into()),
    };
    let log = match Log::open(&offer) {
        Ok(log) => log,
        Err(bad) => return Checked::Unreadable(bad.into()),
    };
    let mut transcript = Transcript {
        log,
        entries: vec![offer],
        steps: Vec::new(),
        statements: Vec::new(),
        result: None,
        convicting: None,
        defect: None,
    };
    transcript.defect = read_on(&mut transcript, &mut lines, expected).err();
    Checked::Transcript(Box::new(transcript))
}

/// Reads the lines after the offer; stops at the first defect.
fn read_on(transcript: &mut Transcript, lines: &mut Lines<'_>, expected: Expected) -> Result<(), Defect> {
    require_key(&transcript.log, Party::Host, expected.host)?;
    let mut section = Section::Entries;
    loop {
        let Some(line) = lines.next_line()? else {
            return Err(TextError { line: lines.number() + 1, fault: TextFault::EndMissing }.into());
        };
        match (line, section) {
            (Line::Entry(entry), Section::Entries) => {
                read_entry(transcript, entry)?;
                require_key(&transcript.log, Party::Guest, expected.guest)?;
            }
            (Line::Statement(statement), Section::Entries | Section::Statements) => {
                section = Section::Statements;
                read_statement(transcript, statement, lines.number())?;
            }
            (Line::Result(code), Section::Entries | Section::Statements) => {
                section = Section::Result;
                require_result(transcript, code)?;
            }
            (Line::End, _) => return Ok(lines.finish()?),
            (_, section) => return Err(lines.error(TextFault::Unexpected(section.expected())).into()),
        }
    }
}

/// The part of a transcript that is being read: a later part never returns to an earlier one.
#[derive(Clone, Copy)]
enum Section {
    Entries,
    Statements,
    Result,
}

impl Section {
    const fn expected(self) -> &'static str {
        match self {
            Self::Entries => "entry, statement, result or end",
            Self::Statements => "statement, result or end",
            Self::Result => "end",
        }
    }
}

fn read_entry(transcript: &mut Transcript, entry: SignedEntry) -> Result<(), Defect> {
    match transcript.log.place(&entry) {
        Ok(Placement::Appended(step)) => {
            transcript.entries.push(entry);
            transcript.steps.push(step);
            Ok(())
        }
        Ok(Placement::Known { seq }) => Err(Defect::Repeated { seq }),
        Err(refusal) => {
            if matches!(refusal, Refusal::Invalid { .. }) && refusal.convicts().is_some() {
                transcript.convicting = Some((entry, refusal.clone()));
            }
            Err(refusal.into())
        }
    }
}

fn read_statement(transcript: &mut Transcript, signed: SignedStatement, line: usize) -> Result<(), Defect> {
    let placed = place_statement(&transcript.log, &signed)?;
    let order = |placed: &Placed| (placed.statement.author.index(), placed.statement.kind.rank());
    match transcript.statements.last().map(|(last, _)| order(last)) {
        Some(last) if last == order(&placed) => {
            let (author, kind) = (placed.statement.author, placed.statement.kind.name());
            return Err(BadStatement::Second { author, kind }.into());
        }
        Some(last) if last > order(&placed) => return Err(Defect::StatementOrder { line }),
        _ => {}
    }
    transcript.statements.push((placed, signed));
    Ok(())
}

fn require_result(transcript: &mut Transcript, code: &str) -> Result<(), Defect> {
    let due = transcript.judgement().code(&transcript.log);
    if code != due {
        return Err(Defect::Result { found: code.to_owned(), due });
    }
    transcript.result = Some(code.to_owned());
    Ok(())
}

fn require_key(log: &Log, party: Party, expected: Option<PublicKey>) -> Result<(), Defect> {
    match (log.key(party), expected) {
        (Some(&found), Some(expected)) if found != expected => {
            Err(Defect::OtherKey { party, found: Box::new(found), expected: Box::new(expected) })
        }
        _ => Ok(()),
    }
}

fn check_evidence(mut lines: Lines<'_>) -> Result<Equivocation, Defect> {
    let key = match lines.next_line()? {
        Some(Line::Key(key)) => PublicKey::from_bytes(&key)?,
        _ => return Err(lines.error(TextFault::Unexpected("key")).into()),
    };
    let first = evidence_entry(&mut lines)?;
    let second = evidence_entry(&mut lines)?;
    match lines.next_line()? {
        Some(Line::End) => lines.finish()?,
        _ => return Err(lines.error(TextFault::Unexpected("end")).into()),
    }
    Ok(Equivocation::new(key, [first, second])?)
}

fn evidence_entry(lines: &mut Lines<'_>) -> Result<SignedEntry, Defect> {
    match lines.next_line()? {
        Some(Line::Entry(entry)) => Ok(entry),
        _ => Err(lines.error(TextFault::Unexpected("entry")).into()),
    }
}
