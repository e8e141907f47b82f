//! Log, statements and proofs together: how a game stands and who has won (protocol §7).

use super::codec::{DecodeError, SignedStatement};
use super::entry::{EntryId, Opening, Party};
use super::log::Log;
use super::misdeed::Misdeed;
use super::phase::{Ending, HiddenMove, Phase};
use super::statement::{Statement, StatementKind};
use crate::board::Color;
use crate::rules::Outcome;

/// Why a statement is not one of this game. It makes a transcript invalid and convicts nobody.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadStatement {
    /// The bytes are no statement.
    #[error("the statement is undecodable: {0}")]
    Undecodable(#[from] DecodeError),
    /// Not signed by the player whom it names.
    #[error("the statement's signature by {author} does not hold")]
    BadSignature {
        /// Whom it names.
        author: Party,
    },
    /// It names an entry that the log does not have.
    #[error("the {kind} by {author} names entry {entry}, which is not in this log")]
    UnknownEntry {
        /// Who signed it.
        author: Party,
        /// What it is.
        kind: &'static str,
        /// What it names.
        entry: EntryId,
    },
    /// It names the offer or the accept.
    #[error("the {kind} by {author} names entry {seq}; a game begins with entry 2")]
    BeforeTheGame {
        /// Who signed it.
        author: Party,
        /// What it is.
        kind: &'static str,
        /// The place that it names.
        seq: u32,
    },
    /// A second one of its author and kind.
    #[error("a second {kind} by {author}")]
    Second {
        /// Who signed it.
        author: Party,
        /// What it is.
        kind: &'static str,
    },
}

/// A statement that names an entry of the log and is signed by its author.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// What it says.
    pub statement: Statement,
    /// The place of the named entry.
    pub seq: u32,
}

/// Reads a statement and finds its place in a log.
///
/// # Errors
/// [`BadStatement`]
pub fn place_statement(log: &Log, signed: &SignedStatement) -> Result<Placed, BadStatement> {
    let statement = signed.decode()?;
    let Statement { author, entry, kind } = statement;
    let key = log.key(author).ok_or(BadStatement::BadSignature { author })?;
    signed.verify(key).map_err(|_| BadStatement::BadSignature { author })?;
    let kind = kind.name();
    let seq = log.seq_of(entry).ok_or(BadStatement::UnknownEntry { author, kind, entry })?;
    if seq < 2 {
        return Err(BadStatement::BeforeTheGame { author, kind, seq });
    }
    Ok(Placed { statement, seq })
}

/// How a game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The standing by the first rule that applies.
    pub standing: Standing,
    /// What came of each statement, in the order given.
    pub findings: Vec<Finding>,
    /// Whether the result depends on a hidden move that this copy does not open well.
    pub proof: ProofOfHiddenMove,
}

/// How a game stands, in the order in which the rules apply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Both players are convicted: no result.
    BothConvicted,
    /// One player is convicted and has lost.
    Convicted {
        /// Who.
        loser: Party,
    },
    /// One player has resigned.
    Resigned {
        /// Who.
        loser: Party,
        /// Whether it was before both had completed a turn.
        aborted: bool,
    },
    /// The log ends the game.
    Over {
        /// How.
        ending: Ending,
    },
    /// An entry is owed.
    Unfinished {
        /// By whom.
        owes: Party,
    },
}

/// Whether the last hidden move of a finished game is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofOfHiddenMove {
    /// Nothing is hidden, or the opening holds.
    Complete,
    /// The opening is missing or wrong, and its owner lost anyway.
    NotNeeded {
        /// Whose queen is hidden.
        owner: Party,
    },
    /// The owner won or drew, and its opening is missing in this copy.
    Missing {
        /// Whose queen is hidden.
        owner: Party,
        /// The place of the stealth move.
        stealth_seq: u32,
    },
    /// The owner won or drew, and its opening is false.
    Falsified {
        /// Whose queen is hidden.
        owner: Party,
        /// The place of the stealth move.
        stealth_seq: u32,
    },
}

/// What came of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The statement and its place.
    pub placed: Placed,
    /// What it is worth.
    pub worth: Worth,
}

/// What a statement is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// It decided the game, or opened the hidden queen.
    Counts,
    /// It is in order and decides nothing.
    Idle,
    /// A claim that is not conceded.
    Claimed,
    /// A claim; the owed entry came after all.
    ClaimedThenAnswered {
        /// Whether it was late by its stamp.
        late: bool,
    },
    /// A seal in a log without an end.
    SealWithoutEnd,
    /// A seal after the end without the opening of its author's hidden queen.
    SealWithoutOpening {
        /// The place of the stealth move.
        stealth_seq: u32,
    },
    /// A seal after the end with an opening that is not what was committed, or not where the queen could go.
    SealFalsifies {
        /// The place of the stealth move.
        stealth_seq: u32,
    },
    /// A seal that opens a queen where its author has none hidden.
    SealOpensNothing,
    /// Reported and ignored.
    Void(Void),
}

/// Why a statement is void.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Void {
    /// A resignation at an entry at which the game was over.
    #[error("the game was already over at entry {seq}")]
    AlreadyOver {
        /// The named place.
        seq: u32,
    },
    /// A claim without a time control.
    #[error("the game has no time control")]
    NoTimeControl,
    /// A claim at an entry after which its author owes.
    #[error("the other player does not owe the entry after {seq}")]
    NotOwed {
        /// The named place.
        seq: u32,
    },
    /// A claim with a stamp that is in time.
    #[error("the other player would still be in time")]
    TooEarly,
    /// Its author signed a later entry.
    #[error("its author signed a later entry of the log")]
    SignedOn,
}

impl Judgement {
    /// Judges a log with statements that are placed in it, and convictions (host's, guest's).
    #[must_use]
    pub fn new(log: &Log, statements: &[Placed], convicted: [bool; 2]) -> Self {
        let standing = stand(log, statements, convicted);
        let findings = statements
            .iter()
            .map(|&placed| Finding { placed, worth: weigh(log, placed, &standing) })
            .collect();
        let proof = prove(log, statements, &standing);
        Self { standing, findings, proof }
    }

    /// The result line: `1-0`, `0-1`, `1/2-1/2`, `aborted` or `*`.
    #[must_use]
    pub fn code(&self, log: &Log) -> &'static str {
        let won_by = |party: Party| match log.phase().table().map(|table| table.color(party)) {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "*",
        };
        match self.standing {
            Standing::BothConvicted | Standing::Unfinished { .. } => "*",
            Standing::Resigned { aborted: true, .. } => "aborted",
            Standing::Convicted { loser } | Standing::Resigned { loser, .. } => won_by(loser.other()),
            Standing::Over { ending } => match ending.outcome() {
                Outcome::Win(Color::White) => "1-0",
                Outcome::Win(Color::Black) => "0-1",
                Outcome::Draw => "1/2-1/2",
            },
        }
    }

    /// Whether nobody owes anything any more.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        !matches!(self.standing, Standing::Unfinished { .. })
    }
}

fn stand(log: &Log, statements: &[Placed], convicted: [bool; 2]) -> Standing {
    match convicted {
        [true, true] => return Standing::BothConvicted,
        [true, false] => return Standing::Convicted { loser: Party::Host },
        [false, true] => return Standing::Convicted { loser: Party::Guest },
        [false, false] => {}
    }
    if let Some(resigned) = resignation(log, statements) {
        return resigned;
    }
    match (log.phase(), log.phase().owes()) {
        (Phase::Over(over), _) => Standing::Over { ending: over.ending },
        (_, Some(owes)) => Standing::Unfinished { owes },
        (_, None) => unreachable!("a log that is not over owes an entry"),
    }
}

/// The resignation that counts: of several by one player the one at the earliest entry; of both players' the earlier,
/// and at the same entry that of the player who owed the next.
fn resignation(log: &Log, statements: &[Placed]) -> Option<Standing> {
    let earliest = |party: Party| {
        statements
            .iter()
            .filter(|placed| {
                placed.statement.kind == StatementKind::Resign && placed.statement.author == party
            })
            .filter(|placed| owed_after(log, placed.seq).is_some())
            .map(|placed| placed.seq)
            .min()
    };
    let (loser, named) = match (earliest(Party::Host), earliest(Party::Guest)) {
        (None, None) => return None,
        (Some(seq), None) => (Party::Host, seq),
        (None, Some(seq)) => (Party::Guest, seq),
        (Some(host), Some(guest)) if host < guest => (Party::Host, host),
        (Some(host), Some(guest)) if guest < host => (Party::Guest, guest),
        (Some(both), Some(_)) => (owed_after(log, both)?, both),
    };
    let counts_from = log.last_seq_of(loser).unwrap_or(named).max(named);
    let turns = log.records().get(counts_from as usize).map_or(0, |record| record.turns);
    Some(Standing::Resigned { loser, aborted: turns < 2 })
}

fn owed_after(log: &Log, seq: u32) -> Option<Party> {
    log.records().get(seq as usize)?.owes
}

fn weigh(log: &Log, placed: Placed, standing: &Standing) -> Worth {
    let author = placed.statement.author;
    let signed_on = log.last_seq_of(author).is_some_and(|last| last > placed.seq);
    match placed.statement.kind {
        StatementKind::Resign => match (owed_after(log, placed.seq), standing) {
            (None, _) => Worth::Void(Void::AlreadyOver { seq: placed.seq }),
            (_, Standing::Resigned { loser, .. }) if *loser == author => Worth::Counts,
            _ => Worth::Idle,
        },
        StatementKind::Claim { at_ms } => weigh_claim(log, placed, at_ms, signed_on),
        StatementKind::Seal { .. } if signed_on => Worth::Void(Void::SignedOn),
        StatementKind::Seal { opening } => match standing {
            Standing::Unfinished { .. } => Worth::SealWithoutEnd,
            Standing::Resigned { .. } | Standing::Over { .. } => weigh_seal(log, placed, opening),
            Standing::Convicted { .. } | Standing::BothConvicted => Worth::Idle,
        },
    }
}

fn weigh_seal(log: &Log, placed: Placed, opening: Option<Opening>) -> Worth {
    let hidden = log.hidden_after(placed.seq).filter(|hidden| hidden.owner == placed.statement.author);
    match (hidden, opening) {
        (None, None) => Worth::Idle,
        (None, Some(_)) => Worth::SealOpensNothing,
        (Some(hidden), None) => Worth::SealWithoutOpening { stealth_seq: hidden.seq },
        (Some(hidden), Some(opening)) => match judge_opening(log, hidden, &opening) {
            Ok(()) => Worth::Counts,
            Err(_) => Worth::SealFalsifies { stealth_seq: hidden.seq },
        },
    }
}

fn weigh_claim(log: &Log, placed: Placed, at_ms: u64, signed_on: bool) -> Worth {
    let debtor = placed.statement.author.other();
    let Some(record) = log.records().get(placed.seq as usize) else {
        return Worth::Void(Void::NotOwed { seq: placed.seq });
    };
    if record.clocks.allowance_ms(debtor).is_none() {
        return Worth::Void(Void::NoTimeControl);
    }
    if record.owes != Some(debtor) {
        return Worth::Void(Void::NotOwed { seq: placed.seq });
    }
    if !record.clocks.would_be_late(debtor, at_ms.saturating_sub(record.at_ms)) {
        return Worth::Void(Void::TooEarly);
    }
    if signed_on {
        return Worth::Void(Void::SignedOn);
    }
    match log.records().get(placed.seq as usize + 1) {
        Some(answer) => Worth::ClaimedThenAnswered { late: answer.late },
        None => Worth::Claimed,
    }
}

/// The openings in the seals of a player that are not void. Several files of one game may hold several seals.
fn openings_by(log: &Log, statements: &[Placed], party: Party) -> impl Iterator<Item = Opening> {
    let last = log.last_seq_of(party);
    statements.iter().filter_map(move |placed| match placed.statement.kind {
        StatementKind::Seal { opening }
            if placed.statement.author == party && last.is_none_or(|last| last <= placed.seq) =>
        {
            opening
        }
        _ => None,
    })
}

fn prove(log: &Log, statements: &[Placed], standing: &Standing) -> ProofOfHiddenMove {
    let Some(hidden) = log.phase().hidden() else { return ProofOfHiddenMove::Complete };
    let owner_lost = match standing {
        Standing::Resigned { loser, aborted: false } => *loser == hidden.owner,
        Standing::Over { ending } => {
            let color = log.phase().table().map(|table| table.color(hidden.owner));
            matches!(ending.outcome(), Outcome::Win(winner) if Some(winner) != color)
        }
        // Nobody has won or drawn, or whatever else was signed has lost its weight.
        Standing::Resigned { aborted: true, .. }
        | Standing::Unfinished { .. }
        | Standing::Convicted { .. }
        | Standing::BothConvicted => {
            return ProofOfHiddenMove::Complete;
        }
    };
    let (owner, stealth_seq) = (hidden.owner, hidden.seq);
    let mut judged = openings_by(log, statements, owner).map(|opening| judge_opening(log, hidden, &opening));
    let first = judged.next();
    if first.iter().cloned().chain(judged).any(|judged| judged.is_ok()) {
        return ProofOfHiddenMove::Complete;
    }
    match first {
        _ if owner_lost => ProofOfHiddenMove::NotNeeded { owner },
        None => ProofOfHiddenMove::Missing { owner, stealth_seq },
        Some(_) => ProofOfHiddenMove::Falsified { owner, stealth_seq },
    }
}

/// Judges the opening of a seal.
///
/// # Errors
/// The [`Misdeed`] that the same opening would be in a reveal.
pub fn judge_opening(log: &Log, hidden: &HiddenMove, opening: &Opening) -> Result<(), Misdeed> {
    let missing = Misdeed::OpeningMissing { stealth_seq: hidden.seq };
    hidden.judge(log.key(hidden.owner).ok_or(missing)?, opening)
}
