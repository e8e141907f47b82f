//! One player's side of one game, as a value: events in, effects out (protocol §4 to §7).
//!
//! Time comes in as a number and secrets come from the key; nothing here reads a clock or sends a byte. The caller
//! stores all effects of one call in one transaction before it sends any of them. If that fails, it drops the session
//! and restores it from the store.

mod begin;
mod decide;
mod receive;

pub use begin::{NotJoined, OfferSettings, make_accept, make_offer};
pub use decide::CannotSign;
pub use receive::{NotTaken, Rejection};

use super::codec::{SignedEntry, SignedStatement};
use super::commitment;
use super::conviction::Proof;
use super::entry::{Body, EntryId, Party};
use super::judgement::{Judgement, Placed, Standing};
use super::keys::SecretKey;
use super::log::{Log, Placement};
use super::misdeed::{BadOffer, Refusal};
use super::phase::{HiddenMove, Phase, Step};
use super::secrets::{SecretKind, Secrets};
use super::statement::StatementKind;
use crate::board::{Color, Square};
use crate::rules::Game;
use crate::view::View;

/// Statements that are held because their entry is not in the log yet, at most.
pub const MAX_HELD_STATEMENTS: usize = 8;
/// How far a stamp may be ahead of the own clock in a game with a time control, in milliseconds.
pub const MAX_AHEAD_MS: u64 = 3_600_000;
/// After so long a pause since the last stamp a person confirms the own clock, in milliseconds: 30 days.
pub const LONG_PAUSE_MS: u64 = 30 * 86_400_000;

/// One player's side of one game.
#[derive(Clone, Debug)]
pub struct Session {
    me: Party,
    key: SecretKey,
    secrets: Secrets,
    log: Log,
    entries: Vec<SignedEntry>,
    steps: Vec<Step>,
    statements: Vec<(Placed, SignedStatement)>,
    held: Vec<SignedStatement>,
    proofs: Vec<Proof>,
    confirmation: Confirmation,
}

/// What the person behind this player has confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Confirmation {
    /// Whether the log came from the other side after a restore of the key or of a backup.
    pub recovered: bool,
    /// The last entry at the time of the latest confirmation.
    pub head: Option<EntryId>,
    /// Whether it was said of a recovered game that no later copy of it exists.
    pub no_later_copy: bool,
}

/// Why nothing is signed before the person says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Hold {
    /// A place of the log might have been signed already by a lost copy.
    #[error("this game was recovered: confirm that no later copy of it exists anywhere")]
    Recovered,
    /// The act to be answered came late by its stamp.
    #[error("the act to be answered is late by its stamp")]
    LateAct,
    /// The own clock says that the last stamp is long past.
    #[error(
        "the last entry was signed {days} days ago by this machine's clock: confirm that the clock is right"
    )]
    LongPause {
        /// Whole days.
        days: u64,
    },
}

/// What the caller must do, in order, all stores in one transaction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Append this entry to the stored log; send it if it is the player's own.
    StoreEntry {
        /// Its place.
        seq: u32,
        /// Its link: with `own`, the place that is signed by it for ever.
        prev: EntryId,
        /// The entry.
        entry: SignedEntry,
        /// Whether this player signed it.
        own: bool,
    },
    /// Keep this statement with the log, in the place of one of the same author and kind; send it if it is own.
    StoreStatement {
        /// What it says and where.
        placed: Placed,
        /// The statement.
        statement: SignedStatement,
        /// Whether this player signed it.
        own: bool,
    },
    /// Keep this statement until its entry comes.
    HoldStatement(SignedStatement),
    /// Keep this proof and show it.
    StoreProof(Proof),
}

/// Why a stored game cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RestoreError {
    /// There are no entries.
    #[error("the stored game has no entries")]
    Empty,
    /// The offer is not valid.
    #[error("the stored offer: {0}")]
    Offer(#[from] BadOffer),
    /// A stored entry is not valid at its place.
    #[error("stored entry {seq}: {refusal}")]
    Entry {
        /// The place.
        seq: usize,
        /// Why.
        refusal: Refusal,
    },
    /// A stored entry stands twice.
    #[error("stored entry {seq} is entry {first} again")]
    Repeated {
        /// The place.
        seq: usize,
        /// Where it stood first.
        first: u32,
    },
    /// The key is not a player's.
    #[error("this key plays neither side of the stored game")]
    NotAPlayer,
}

impl Session {
    /// Opens a stored game; every entry is judged again.
    ///
    /// Statements without a valid place are held; proofs that convict nobody here are kept and change nothing.
    ///
    /// # Errors
    /// [`RestoreError`]
    pub fn restore(
        key: SecretKey,
        entries: Vec<SignedEntry>,
        statements: Vec<SignedStatement>,
        proofs: Vec<Proof>,
        confirmation: Confirmation,
    ) -> Result<Self, RestoreError> {
        let (log, steps) = replay(&entries)?;
        let me = seat(&log, &key)?;
        let own_salt = own_salt(&log, &entries, me);
        let secrets = Secrets::new(&key, own_salt);
        let mut session = Self {
            me,
            key,
            secrets,
            log,
            entries,
            steps,
            statements: Vec::new(),
            held: Vec::new(),
            proofs,
            confirmation,
        };
        for statement in statements {
            session.put_statement(statement);
        }
        Ok(session)
    }

    /// Which player this is.
    #[must_use]
    pub const fn me(&self) -> Party {
        self.me
    }

    /// This player's colour, once it is decided.
    #[must_use]
    pub fn color(&self) -> Option<Color> {
        self.log.phase().table().map(|table| table.color(self.me))
    }

    /// The chain.
    #[must_use]
    pub const fn log(&self) -> &Log {
        &self.log
    }

    /// The entries by place.
    #[must_use]
    pub fn entries(&self) -> &[SignedEntry] {
        &self.entries
    }

    /// What each entry after the offer did: that of entry `i` is at `i − 1`.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The statements that have a place in the log.
    #[must_use]
    pub fn statements(&self) -> &[(Placed, SignedStatement)] {
        &self.statements
    }

    /// The proofs that are kept.
    #[must_use]
    pub fn proofs(&self) -> &[Proof] {
        &self.proofs
    }

    /// What the person has confirmed.
    #[must_use]
    pub const fn confirmation(&self) -> Confirmation {
        self.confirmation
    }

    /// The public state of the board, once there is one.
    #[must_use]
    pub const fn game(&self) -> Option<&Game> {
        self.log.phase().game()
    }

    /// What this player may see of the board.
    #[must_use]
    pub fn view(&self) -> Option<View> {
        Some(self.game()?.view(self.color(), self.own_hidden_square()))
    }

    /// Where this player's hidden queen stands, found again from the commitment.
    #[must_use]
    pub fn own_hidden_square(&self) -> Option<Square> {
        let hidden = self.log.phase().hidden().filter(|hidden| hidden.owner == self.me)?;
        self.find_hidden_square(hidden)
    }

    /// How the game stands.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        let placed: Vec<_> = self.statements.iter().map(|(placed, _)| *placed).collect();
        Judgement::new(&self.log, &placed, self.convicted())
    }

    /// Whether a proof convicts the host, and the guest.
    #[must_use]
    pub fn convicted(&self) -> [bool; 2] {
        let mut convicted = [false; 2];
        for party in self.proofs.iter().filter_map(|proof| proof.convicts_in(&self.log)) {
            convicted[party.index()] = true;
        }
        convicted
    }

    /// Whether this player owes a decision now.
    #[must_use]
    pub fn is_my_turn(&self) -> bool {
        self.log.phase().owes() == Some(self.me)
            && matches!(self.log.phase(), Phase::ExpectAct(_))
            && matches!(self.judgement().standing, Standing::Unfinished { .. })
    }

    /// Whether the opponent's last act offers this player a draw that it may accept now.
    #[must_use]
    pub fn is_draw_offered(&self) -> bool {
        match self.log.phase() {
            Phase::ExpectAct(phase) => {
                self.is_my_turn() && phase.midgame.draw_offered_by == Some(self.me.other())
            }
            _ => false,
        }
    }

    /// Why nothing would be signed now without the person's word; `now_ms` is the own clock in Unix milliseconds.
    #[must_use]
    pub fn hold(&self, now_ms: u64) -> Option<Hold> {
        if self.is_recovering() {
            return Some(Hold::Recovered);
        }
        if self.confirmation.head == Some(self.log.head().id) {
            return None;
        }
        let answers_late_act = matches!(self.log.phase(), Phase::ExpectReveal(_)) && self.log.head().late;
        if answers_late_act {
            return Some(Hold::LateAct);
        }
        let pause_ms = now_ms.saturating_sub(self.log.head().at_ms);
        (pause_ms > LONG_PAUSE_MS).then_some(Hold::LongPause { days: pause_ms / 86_400_000 })
    }

    const fn is_recovering(&self) -> bool {
        self.confirmation.recovered && !self.confirmation.no_later_copy
    }

    fn find_hidden_square(&self, hidden: &HiddenMove) -> Option<Square> {
        let salt = self.secrets.derive(SecretKind::Stealth, hidden.commitment.prev);
        let (prev, hash) = (hidden.commitment.prev, hidden.commitment.hash);
        let key = self.key.public();
        Square::all().find(|&to| commitment::stealth_commitment(prev, &key, hidden.from, to, &salt) == hash)
    }

    /// Puts a statement where it belongs: with the log, or among those held. `None`: neither.
    fn put_statement(&mut self, signed: SignedStatement) -> Option<Effect> {
        use super::judgement::{BadStatement, place_statement};
        match place_statement(&self.log, &signed) {
            Ok(placed) => self.keep_statement(placed, signed),
            Err(BadStatement::UnknownEntry { .. }) if self.held.len() < MAX_HELD_STATEMENTS => {
                if self.held.contains(&signed) {
                    return None;
                }
                self.held.push(signed.clone());
                Some(Effect::HoldStatement(signed))
            }
            Err(_) => None,
        }
    }

    /// Keeps one statement of each author and kind: of resignations the one at the earliest entry, of claims and seals
    /// the one at the latest, because their authors' later entries make the earlier ones void.
    fn keep_statement(&mut self, placed: Placed, signed: SignedStatement) -> Option<Effect> {
        let (author, rank) = (placed.statement.author, placed.statement.kind.rank());
        let same = self
            .statements
            .iter()
            .position(|(old, _)| old.statement.author == author && old.statement.kind.rank() == rank);
        let own = author == self.me;
        match same.map(|index| &mut self.statements[index]) {
            None => self.statements.push((placed, signed.clone())),
            Some(kept) => {
                let weightier = match placed.statement.kind {
                    StatementKind::Resign => placed.seq < kept.0.seq,
                    StatementKind::Claim { .. } | StatementKind::Seal { .. } => placed.seq > kept.0.seq,
                };
                if !weightier {
                    return None;
                }
                *kept = (placed, signed.clone());
            }
        }
        Some(Effect::StoreStatement { placed, statement: signed, own })
    }

    /// Appends an entry that the log has just taken.
    fn push(&mut self, signed: SignedEntry, step: Step, own: bool) -> Effect {
        let seq = self.log.last_seq();
        let prev = self.log.records()[seq as usize - 1].id;
        self.entries.push(signed.clone());
        self.steps.push(step);
        Effect::StoreEntry { seq, prev, entry: signed, own }
    }
}

fn replay(entries: &[SignedEntry]) -> Result<(Log, Vec<Step>), RestoreError> {
    let (offer, rest) = entries.split_first().ok_or(RestoreError::Empty)?;
    let mut log = Log::open(offer)?;
    let mut steps = Vec::with_capacity(rest.len());
    for (index, entry) in rest.iter().enumerate() {
        match log.place(entry) {
            Ok(Placement::Appended(step)) => steps.push(step),
            Ok(Placement::Known { seq: first }) => {
                return Err(RestoreError::Repeated { seq: index + 1, first });
            }
            Err(refusal) => return Err(RestoreError::Entry { seq: index + 1, refusal }),
        }
    }
    Ok((log, steps))
}

fn seat(log: &Log, key: &SecretKey) -> Result<Party, RestoreError> {
    let public = key.public();
    Party::ALL.into_iter().find(|&party| log.key(party) == Some(&public)).ok_or(RestoreError::NotAPlayer)
}

/// The salt of the own secrets: that of the offer, or the nonce of the accept.
fn own_salt(log: &Log, entries: &[SignedEntry], me: Party) -> [u8; 32] {
    match me {
        Party::Host => log.offer().salt,
        Party::Guest => match entries.get(1).map(SignedEntry::decode) {
            Some(Ok(super::entry::Entry { body: Body::Accept(accept), .. })) => accept.nonce,
            _ => unreachable!("a guest is seated by the accept at place 1"),
        },
    }
}
