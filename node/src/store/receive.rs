//! What peers send: each entry and statement judged by the session, answered where no decision is needed, and stored in
//! one transaction.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_core::protocol::misdeed::Refusal;
use chakart_core::protocol::session::{Confirmation, Effect, NotTaken, Session};
use rusqlite::{Row, Transaction, params};

use super::session::{Done, held_statements, touch};
use super::{GameHead, GameNo, GameSummary, ReceiveError, Store, StoreError, begin, signed_at};

/// Refused entries that are kept of one game.
pub const MAX_REFUSED_PER_GAME: usize = 16;

/// What became of entries and statements from elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// The game.
    pub game: GameNo,
    /// Entries before.
    pub length_before: u32,
    /// The state afterwards, own answers included.
    pub head: GameHead,
    /// Whether anything was added: entries, statements or a proof.
    pub changed: bool,
    /// The entry at which the rest was refused.
    pub refused: Option<RefusedHere>,
    /// Entries whose place is not known yet.
    pub orphans: Vec<SignedEntry>,
    /// The place of the first entry that this key signed and this store does not know of: another machine has the key.
    pub other_machine: Option<u32>,
}

/// Why an entry was not taken here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedHere {
    /// Its id.
    pub id: EntryId,
    /// The place that it says it has, or 0 if it does not decode.
    pub seq: u32,
    /// Why, in words.
    pub reason: String,
    /// Whether it convicts its author.
    pub convicts: bool,
    /// Whether the same entry may be taken later.
    pub later: bool,
}

/// An entry that was refused, as it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedEntry {
    /// The entry.
    pub entry: SignedEntry,
    /// Why, in words.
    pub reason: String,
    /// When it came, in milliseconds of Unix time.
    pub arrived_ms: u64,
}

impl Receipt {
    /// Of something that was here before.
    pub(super) fn nothing_new(game: &GameSummary) -> Self {
        Self {
            game: game.game,
            length_before: game.length,
            head: GameHead::of(game),
            changed: false,
            refused: None,
            orphans: Vec::new(),
            other_machine: None,
        }
    }

    /// Of a game that began with it.
    pub(super) fn begun(game: &GameSummary) -> Self {
        Self { length_before: 0, changed: true, ..Self::nothing_new(game) }
    }
}

impl Store {
    /// Takes entries, in order, and then statements from the opponent in a game.
    ///
    /// # Errors
    /// [`ReceiveError`]; a refused entry is no error but part of the receipt.
    pub fn receive(
        &mut self,
        peer: &PublicKey,
        accept: EntryId,
        entries: &[SignedEntry],
        statements: &[SignedStatement],
        now_ms: u64,
    ) -> Result<Receipt, ReceiveError> {
        let shared = self.shared_game(peer, accept)?;
        let game = shared.ok_or(ReceiveError::UnknownGame)?.game;
        Ok(self.receive_into(game, entries, statements, Carrier::Opponent, now_ms)?)
    }

    /// The same from any carrier.
    pub(super) fn receive_into(
        &mut self,
        game: GameNo,
        entries: &[SignedEntry],
        statements: &[SignedStatement],
        carrier: Carrier,
        now_ms: u64,
    ) -> Result<Receipt, StoreError> {
        let key = self.key.clone();
        let taken = self.change_game::<Taken, StoreError>(game, now_ms, |session, tx| {
            let before = length(session);
            let mut taken = take_entries(&key, session, tx, game, entries, now_ms)?;
            for statement in statements {
                // A bad statement changes nothing and convicts nobody.
                taken.effects.extend(session.receive_statement(statement).unwrap_or_default());
            }
            taken.changed = !taken.effects.is_empty();
            if carrier == Carrier::Opponent {
                note_theirs(session, tx, game, entries)?;
            }
            taken.length_before = before;
            Ok(Done { effects: std::mem::take(&mut taken.effects), value: taken })
        })?;
        if taken.refused.is_some() && !taken.changed {
            self.touch(game)?;
        }
        let summary = self.game(game)?;
        Ok(Receipt {
            game,
            length_before: taken.length_before,
            head: GameHead::of(&summary),
            changed: taken.changed,
            refused: taken.refused,
            orphans: taken.orphans,
            other_machine: taken.other_machine,
        })
    }

    /// The entries of a game that were refused, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn refused_entries(&self, game: GameNo) -> Result<Vec<RefusedEntry>, StoreError> {
        let sql = "SELECT bytes, signature, reason, arrived_ms FROM refused WHERE game = ?1 ORDER BY arrived_ms, id";
        let read = |row: &Row<'_>| {
            let entry = super::session::entry(row)?;
            Ok(RefusedEntry { entry, reason: row.get(2)?, arrived_ms: row.get(3)? })
        };
        Ok(self.db.prepare_cached(sql)?.query_map([game.0], read)?.collect::<Result<_, _>>()?)
    }

    /// Makes other processes look at a game again.
    fn touch(&mut self, game: GameNo) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        touch(&tx, &mut self.sessions, game)?;
        Ok(tx.commit()?)
    }
}

/// Who brought entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carrier {
    /// The other player, who therefore has them.
    Opponent,
    /// Anybody, a file, a stick.
    Elsewhere,
}

/// Notes that the opponent has the last of the entries that are in the log here.
fn note_theirs(
    session: &Session,
    tx: &Transaction<'_>,
    game: GameNo,
    entries: &[SignedEntry],
) -> Result<(), StoreError> {
    let Some(seq) = entries.iter().rev().find_map(|entry| session.log().seq_of(entry.id())) else {
        return Ok(());
    };
    tx.prepare_cached("UPDATE games SET acked_length = max(acked_length, ?2) WHERE game = ?1")?
        .execute((game.0, seq + 1))?;
    Ok(())
}

#[derive(Default)]
pub(super) struct Taken {
    pub(super) effects: Vec<Effect>,
    length_before: u32,
    changed: bool,
    pub(super) refused: Option<RefusedHere>,
    orphans: Vec<SignedEntry>,
    other_machine: Option<u32>,
}

/// Gives entries to a session until one is refused. Those of unknown place are handed back.
pub(super) fn take_entries(
    key: &SecretKey,
    session: &mut Session,
    tx: &Transaction<'_>,
    game: GameNo,
    entries: &[SignedEntry],
    now_ms: u64,
) -> Result<Taken, StoreError> {
    let mut taken = Taken::default();
    for entry in entries {
        if !is_recovering(session) && is_forgotten(session, tx, entry)? {
            *session = recovering(key, session, tx, game)?;
            taken.other_machine = Some(length(session));
            tx.execute("UPDATE games SET other_machine = 1 WHERE game = ?1", [game.0])?;
        }
        match session.receive_entry(entry, now_ms) {
            Ok(effects) => taken.effects.extend(effects),
            Err(rejection) => {
                taken.effects.extend(rejection.effects);
                if matches!(rejection.reason, NotTaken::Refused(Refusal::UnknownPrev { .. })) {
                    taken.orphans.push(entry.clone());
                    continue;
                }
                let refused = describe(entry, &rejection.reason);
                if !refused.later {
                    keep_refused(tx, game, entry, &refused.reason, now_ms)?;
                }
                taken.refused = Some(refused);
                break;
            }
        }
    }
    Ok(taken)
}

/// Whether an entry that comes next was signed by this player's key and this store does not know of it: then the store
/// is older than what the key has signed, and nothing may be signed before the person has looked.
fn is_forgotten(session: &Session, tx: &Transaction<'_>, signed: &SignedEntry) -> Result<bool, StoreError> {
    let Ok(entry) = signed.decode() else { return Ok(false) };
    let log = session.log();
    let next = entry.author == session.me() && entry.prev == log.head().id;
    let own = next && log.key(session.me()).is_some_and(|key| signed.verify(key).is_ok());
    Ok(own && signed_at(tx, entry.prev)?.is_none())
}

/// Whether nothing is signed anyway before the person has looked.
fn is_recovering(session: &Session) -> bool {
    let confirmation = session.confirmation();
    confirmation.recovered && !confirmation.no_later_copy
}

fn recovering(
    key: &SecretKey,
    session: &Session,
    tx: &Transaction<'_>,
    game: GameNo,
) -> Result<Session, StoreError> {
    let mut statements: Vec<_> = session.statements().iter().map(|(_, signed)| signed.clone()).collect();
    statements.extend(held_statements(tx, game)?);
    let confirmation = Confirmation { recovered: true, head: None, no_later_copy: false };
    Session::restore(
        key.clone(),
        session.entries().to_vec(),
        statements,
        session.proofs().to_vec(),
        confirmation,
    )
    .map_err(|error| StoreError::DamagedGame { name: "that was just open".to_owned(), error })
}

fn describe(signed: &SignedEntry, reason: &NotTaken) -> RefusedHere {
    let convicts = matches!(reason, NotTaken::Refused(refusal) if refusal.convicts().is_some());
    RefusedHere {
        id: signed.id(),
        seq: signed.decode().map_or(0, |entry| entry.seq),
        reason: reason.to_string(),
        convicts,
        later: matches!(reason, NotTaken::Deferred { .. }),
    }
}

fn keep_refused(
    tx: &Transaction<'_>,
    game: GameNo,
    entry: &SignedEntry,
    reason: &str,
    now_ms: u64,
) -> Result<(), StoreError> {
    let count: usize =
        tx.query_row("SELECT count(*) FROM refused WHERE game = ?1", [game.0], |row| row.get(0))?;
    if count < MAX_REFUSED_PER_GAME {
        tx.execute(
            "INSERT OR IGNORE INTO refused VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![game.0, entry.id().0, entry.bytes, entry.signature, reason, now_ms],
        )?;
    }
    Ok(())
}

fn length(session: &Session) -> u32 {
    session.log().last_seq() + 1
}
