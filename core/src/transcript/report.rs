//! The verdict in words: one clear line first, then what was checked, and what was not.

use std::fmt;

use serde::Serialize;

use super::verify::{Checked, Defect, Transcript};
use crate::escape::escaped;
use crate::protocol::conviction::Equivocation;
use crate::protocol::entry::{Body, Party, TimeControl};
use crate::protocol::judgement::{
    Finding, Judgement, Placed, ProofOfHiddenMove, Standing, Worth, place_statement,
};
use crate::protocol::misdeed::Refusal;
use crate::protocol::phase::{Ending, Phase, Step};
use crate::rules::{Event, Outcome};

/// A verdict and how it came about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    /// What kind of verdict it is.
    pub verdict: Verdict,
    /// The verdict in one line.
    pub line: String,
    /// The result code, where there is one.
    pub result: Option<&'static str>,
    /// Whom proofs convict, as `Host` or `Guest`, or a key where no log was given.
    pub convicts: Vec<String>,
    /// The game: the id of its accept, in hexadecimal.
    pub game: Option<String>,
    /// What was checked.
    pub checked: Vec<String>,
    /// What was not, or cannot be.
    pub not_checked: Vec<String>,
    /// What else a reader should know.
    pub notes: Vec<String>,
}

/// The kinds of verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Valid, and over by the log, a resignation or a proof.
    Finished,
    /// Valid, and an entry is owed in this copy.
    Unfinished,
    /// Valid, and a player claims the other's lateness.
    Claimed,
    /// Over, but the winner's hidden move is not opened in this copy.
    NotProven,
    /// Two entries at one place by one key.
    Evidence,
    /// Not valid.
    Invalid,
}

impl Verdict {
    /// Whether the answer is a clear no.
    #[must_use]
    pub const fn is_no(self) -> bool {
        matches!(self, Self::NotProven | Self::Invalid)
    }
}

impl Report {
    /// The report on one file.
    #[must_use]
    pub fn of(checked: &Checked) -> Self {
        match checked {
            Checked::Transcript(transcript) => Self::of_game(&[transcript], &[]),
            Checked::Evidence(proof) => Self::of_evidence(proof),
            Checked::Unreadable(defect) => Self::of_defect(None, defect),
        }
    }

    /// The report on all files of one game, and on evidence for it, judged as one: the longest log, all statements,
    /// all proofs. `transcripts` is not empty; the first that is not usable ([`Transcript::is_usable`]) is the verdict.
    #[must_use]
    pub fn of_game(transcripts: &[&Transcript], evidence: &[&Equivocation]) -> Self {
        let alone = transcripts.len() == 1 && evidence.is_empty();
        let bad = transcripts.iter().find(|transcript| alone || !transcript.is_usable());
        match bad.and_then(|transcript| Some((transcript, transcript.defect.as_ref()?))) {
            Some((transcript, defect)) => Self::of_defect(Some(transcript), defect),
            None => Combined::new(transcripts, evidence).report(),
        }
    }

    fn of_evidence(proof: &Equivocation) -> Self {
        let key = proof.key().to_string();
        Self {
            verdict: Verdict::Evidence,
            line: format!("valid evidence: the key {key} signed two entries at one place"),
            result: None,
            convicts: vec![key],
            game: None,
            checked: vec![
                "both entries decode, differ, and name the same entry before them".to_owned(),
                "both signatures hold under the strict rules".to_owned(),
            ],
            not_checked: vec![
                "which game it was: give the transcript too".to_owned(),
                WHO_HOLDS_KEYS.to_owned(),
            ],
            notes: Vec::new(),
        }
    }

    fn of_defect(transcript: Option<&Transcript>, defect: &Defect) -> Self {
        let at = match (transcript, defect) {
            (Some(transcript), Defect::Entry(_) | Defect::Repeated { .. }) => {
                format!(" at entry {}", transcript.entries.len())
            }
            (None, Defect::Offer(_)) => " at entry 0".to_owned(),
            _ => String::new(),
        };
        let judgement = transcript.map(Transcript::judgement);
        let convicted =
            transcript.and_then(|t| t.convicting.as_ref()).and_then(|(_, refusal)| refusal.convicts());
        let convicts = convicted.map_or_else(String::new, |party| format!("; convicts {party}"));
        let result = transcript
            .zip(judgement)
            .filter(|_| convicted.is_some())
            .map(|(transcript, judgement)| judgement.code(&transcript.log));
        Self {
            verdict: Verdict::Invalid,
            line: format!("INVALID{at}: {}{convicts}", why(defect)),
            result,
            convicts: convicted.iter().map(ToString::to_string).collect(),
            game: transcript.map(|transcript| transcript.game_id().to_string()),
            checked: transcript.map_or_else(Vec::new, checked),
            not_checked: vec!["anything after the first defect".to_owned()],
            notes: Vec::new(),
        }
    }
}

/// The reason alone, where place and author stand beside it anyway.
fn why(defect: &Defect) -> String {
    match defect {
        Defect::Entry(Refusal::Invalid { misdeed, .. }) => misdeed.to_string(),
        other => other.to_string(),
    }
}

/// As people read it, line by line, each escaped: what somebody else wrote stays inside its line.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", escaped(&self.line))?;
        for (title, lines) in
            [("note", &self.notes), ("checked", &self.checked), ("not checked", &self.not_checked)]
        {
            for line in lines {
                writeln!(f, "  {title}: {}", escaped(line))?;
            }
        }
        Ok(())
    }
}

const WHO_HOLDS_KEYS: &str = "who holds the keys: compare fingerprints by another way";

/// All files of one game as one.
struct Combined<'a> {
    longest: &'a Transcript,
    judgement: Judgement,
    convicted: [bool; 2],
    notes: Vec<String>,
}

impl<'a> Combined<'a> {
    fn new(transcripts: &[&'a Transcript], evidence: &[&Equivocation]) -> Self {
        let longest = transcripts
            .iter()
            .copied()
            .max_by_key(|transcript| transcript.entries.len())
            .expect("there is at least one file of the game");
        let mut notes = Vec::new();
        let mut convicted = [false; 2];
        for proof in evidence {
            let logs = transcripts.iter().map(|transcript| &transcript.log);
            if let Some(party) = logs.filter_map(|log| proof.convicts_in(log)).next() {
                convicted[party.index()] = true;
                notes.push(format!("confirmed evidence: {party} signed two entries at one place"));
            }
        }
        for party in transcripts.iter().filter_map(|transcript| transcript.proof()?.convicts_in(&longest.log))
        {
            convicted[party.index()] = true;
            notes.push(format!("one file ends with an invalid entry that convicts {party}"));
        }
        for transcript in transcripts.iter().filter(|other| !std::ptr::eq(**other, longest)) {
            compare(longest, transcript, &mut convicted, &mut notes);
        }
        let placed: Vec<_> = merged_statements(longest, transcripts);
        let judgement = Judgement::new(&longest.log, &placed, convicted);
        Self { longest, judgement, convicted, notes }
    }

    fn report(mut self) -> Report {
        let (verdict, line) = self.verdict();
        self.notes.extend(self.judgement.findings.iter().map(describe_finding));
        let longest = self.longest;
        let convicts = Party::ALL
            .iter()
            .filter(|party| self.convicted[party.index()])
            .map(ToString::to_string)
            .collect();
        Report {
            verdict,
            line,
            result: Some(self.judgement.code(&longest.log)),
            convicts,
            game: Some(longest.game_id().to_string()),
            checked: checked(longest),
            not_checked: not_checked(longest, &self.judgement),
            notes: self.notes,
        }
    }

    fn verdict(&self) -> (Verdict, String) {
        let code = self.judgement.code(&self.longest.log);
        match self.judgement.proof {
            ProofOfHiddenMove::Missing { owner, stealth_seq } => {
                let line = format!(
                    "finished, not proven in this copy: {owner}'s opening of entry {stealth_seq} is missing ({code})"
                );
                return (Verdict::NotProven, line);
            }
            ProofOfHiddenMove::Falsified { owner, stealth_seq } => {
                let line = format!(
                    "finished, not proven in this copy: {owner} falsified the opening of entry {stealth_seq} ({code})"
                );
                return (Verdict::NotProven, line);
            }
            ProofOfHiddenMove::Complete | ProofOfHiddenMove::NotNeeded { .. } => {}
        }
        self.standing(code)
    }

    fn standing(&self, code: &str) -> (Verdict, String) {
        match self.judgement.standing {
            Standing::BothConvicted => (
                Verdict::Finished,
                "valid, finished, *: both players are convicted, there is no result".to_owned(),
            ),
            Standing::Convicted { loser } => (
                Verdict::Finished,
                format!("valid, finished, {code}: {loser} forfeits, proven to have broken the protocol"),
            ),
            Standing::Resigned { loser, aborted: true } => (
                Verdict::Finished,
                format!("valid, finished, aborted: {loser} resigned before both had completed a turn"),
            ),
            Standing::Resigned { loser, aborted: false } => {
                (Verdict::Finished, format!("valid, finished, {code}: {loser} resigned"))
            }
            Standing::Over { ending } => {
                (Verdict::Finished, format!("valid, finished, {code}: {}", describe_ending(ending)))
            }
            Standing::Unfinished { owes } => self.unfinished(owes),
        }
    }

    fn unfinished(&self, owes: Party) -> (Verdict, String) {
        let due = self.longest.log.phase().due();
        let copy = format!("the next entry would be {owes}'s ({due}); a longer log may exist");
        let claimed = self.judgement.findings.iter().find(|finding| finding.worth == Worth::Claimed);
        match claimed {
            Some(Finding { placed, .. }) => (
                Verdict::Claimed,
                format!(
                    "valid, unfinished in this copy, claimed by {}, not conceded: {copy}",
                    placed.statement.author
                ),
            ),
            None => (Verdict::Unfinished, format!("valid, unfinished in this copy: {copy}")),
        }
    }
}

fn compare(longest: &Transcript, other: &Transcript, convicted: &mut [bool; 2], notes: &mut Vec<String>) {
    match longest.fork(other) {
        Some((seq, proof)) => {
            if let Some(party) = proof.convicts_in(&longest.log) {
                convicted[party.index()] = true;
                notes.push(format!("the files fork at entry {seq}: {party} signed both entries there"));
            }
        }
        None if longest.entries.len() == other.entries.len() => {
            notes.push("two files have the same entries".to_owned());
        }
        None => notes.push(format!(
            "one file has {} entries, another goes on to {}; the longer counts",
            other.entries.len(),
            longest.entries.len()
        )),
    }
}

/// The statements of all files that have a place in the longest log, each once.
fn merged_statements(longest: &Transcript, transcripts: &[&Transcript]) -> Vec<Placed> {
    let mut placed = Vec::new();
    for (_, signed) in transcripts.iter().flat_map(|transcript| &transcript.statements) {
        match place_statement(&longest.log, signed) {
            Ok(statement) if !placed.contains(&statement) => placed.push(statement),
            _ => {}
        }
    }
    placed
}

fn describe_ending(ending: Ending) -> String {
    match ending {
        Ending::Rules(Outcome::Win(winner)) => format!("{winner} won by the rules"),
        Ending::Rules(Outcome::Draw) => "drawn by the rules".to_owned(),
        Ending::Agreed => "a draw was agreed".to_owned(),
        Ending::LastEntry => "drawn: the log is full".to_owned(),
    }
}

fn describe_finding(finding: &Finding) -> String {
    let author = finding.placed.statement.author;
    let kind = finding.placed.statement.kind.name();
    let seq = finding.placed.seq;
    let worth = match finding.worth {
        Worth::Counts => "counts".to_owned(),
        Worth::Idle => "changes nothing".to_owned(),
        Worth::Claimed => "claimed, not conceded".to_owned(),
        Worth::ClaimedThenAnswered { late: true } => "claimed, then answered, late by its stamp".to_owned(),
        Worth::ClaimedThenAnswered { late: false } => {
            "claimed, then answered, in time by its stamp".to_owned()
        }
        Worth::SealWithoutEnd => "its end is missing in this copy".to_owned(),
        Worth::SealWithoutOpening { stealth_seq } => format!("does not open entry {stealth_seq}"),
        Worth::SealFalsifies { stealth_seq } => format!("falsifies the opening of entry {stealth_seq}"),
        Worth::SealOpensNothing => "opens a stealth move, and none is hidden".to_owned(),
        Worth::Void(void) => format!("void and ignored: {void}"),
    };
    format!("{author}'s {kind} after entry {seq}: {worth}")
}

fn checked(transcript: &Transcript) -> Vec<String> {
    let log = &transcript.log;
    let entries = transcript.entries.len();
    let signatures = entries + transcript.statements.len();
    let reveals = transcript
        .entries
        .iter()
        .filter(|entry| entry.decode().is_ok_and(|entry| matches!(entry.body, Body::Reveal(_))))
        .count();
    let (choices, opened) = count_chance(&transcript.steps);
    vec![
        format!("{entries} entries: canonical bytes, places, links, authors, stamps that never decrease"),
        format!("{signatures} signatures under the strict rules"),
        format!("{reveals} reveals: commitments opened, {choices} random choices replayed from their seeds"),
        format!(
            "every action is legal by the rules of {}, every reveal due and none needless",
            log.terms().variant
        ),
        format!("{opened} hidden moves opened in time, each to a square that the queen could reach"),
    ]
}

fn count_chance(steps: &[Step]) -> (usize, usize) {
    let mut choices = 0;
    let mut opened_moves = 0;
    for step in steps {
        let events = match step {
            Step::Acted { events: Some(events), .. } => events,
            Step::Resolved { events, opened, .. } => {
                opened_moves += usize::from(opened.is_some());
                events
            }
            _ => continue,
        };
        choices += events.iter().filter(|event| matches!(event, Event::Chance { .. })).count();
    }
    (choices, opened_moves)
}

fn not_checked(transcript: &Transcript, judgement: &Judgement) -> Vec<String> {
    let log = &transcript.log;
    let mut lines = vec![WHO_HOLDS_KEYS.to_owned()];
    if !judgement.is_finished() {
        lines.push("whether a longer log exists, or who stopped answering".to_owned());
    }
    if matches!(log.phase(), Phase::Over(_)) && judgement.proof != ProofOfHiddenMove::Complete {
        lines.push("the board at the end: a queen is still hidden".to_owned());
    }
    lines.push(match log.terms().time {
        TimeControl::None => "when anything was signed: stamps are each player's word".to_owned(),
        _ => "lateness: stamps are each player's word, and no result follows from them".to_owned(),
    });
    lines.push("remarks in the file, and whether a player was helped".to_owned());
    lines
}
