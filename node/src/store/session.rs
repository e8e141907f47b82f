//! Stored rows to a session, and the effects of a session to rows.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::conviction::{Equivocation, Proof};
use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_core::protocol::log::Log;
use chakart_core::protocol::session::{Confirmation, Effect, Session};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{GameNo, Store, StoreError, begin, next_change, sign_place, summary};

/// Proofs that are kept of one game; one convicts as well as a thousand.
pub const MAX_PROOFS_PER_GAME: usize = 8;
/// Sessions that are remembered between changes.
const MAX_SESSIONS: usize = 32;

/// Sessions that need no replay while their game has not changed since.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// Those used last come last.
    kept: Vec<(GameNo, u64, Session)>,
}

impl Sessions {
    /// The session of a game and the number of the change that it knows, taken out of those remembered.
    pub(super) fn open(
        &mut self,
        db: &Connection,
        key: &SecretKey,
        game: GameNo,
    ) -> Result<(u64, Session), StoreError> {
        let change = change_of(db, game)?;
        match self.take(game) {
            Some((known, session)) if known == change => Ok((change, session)),
            _ => Ok((change, load(db, key, game)?)),
        }
    }

    /// Remembers a session that has been committed.
    pub(super) fn keep(&mut self, game: GameNo, change: u64, session: Session) {
        self.take(game);
        if self.kept.len() >= MAX_SESSIONS {
            self.kept.remove(0);
        }
        // Proofs beyond those that are stored would otherwise pile up in memory.
        if session.proofs().len() <= MAX_PROOFS_PER_GAME {
            self.kept.push((game, change, session));
        }
    }

    fn renumber(&mut self, game: GameNo, old: u64, new: u64) {
        for (_, change, _) in self.kept.iter_mut().filter(|(kept, change, _)| *kept == game && *change == old)
        {
            *change = new;
        }
    }

    /// Forgets a game.
    pub(super) fn take(&mut self, game: GameNo) -> Option<(u64, Session)> {
        let index = self.kept.iter().position(|(kept, _, _)| *kept == game)?;
        let (_, change, session) = self.kept.remove(index);
        Some((change, session))
    }
}

/// What a job within [`Store::change_game`] leaves to be stored.
pub(super) struct Done<T> {
    pub(super) effects: Vec<Effect>,
    pub(super) value: T,
}

/// Gives a game a further change number without changing its log.
pub(super) fn touch(tx: &Transaction<'_>, sessions: &mut Sessions, game: GameNo) -> Result<(), StoreError> {
    let (old, new) = (change_of(tx, game)?, next_change(tx)?);
    tx.prepare_cached("UPDATE games SET change = ?2 WHERE game = ?1")?.execute((game.0, new))?;
    sessions.renumber(game, old, new);
    Ok(())
}

impl Store {
    /// Lets `job` change the session of a game, and stores what came of it, all in one transaction. If anything fails,
    /// nothing has happened.
    pub(super) fn change_game<T, E: From<StoreError> + From<rusqlite::Error>>(
        &mut self,
        game: GameNo,
        now_ms: u64,
        job: impl FnOnce(&mut Session, &Transaction<'_>) -> Result<Done<T>, E>,
    ) -> Result<T, E> {
        let Self { db, key, sessions } = self;
        let tx = begin(db)?;
        let (mut change, mut session) = sessions.open(&tx, key, game)?;
        let confirmed = session.confirmation();
        let done = job(&mut session, &tx)?;
        if !done.effects.is_empty() || session.confirmation() != confirmed {
            change = store_effects(&tx, game, &session, &done.effects, now_ms)?;
        }
        tx.commit()?;
        sessions.keep(game, change, session);
        Ok(done.value)
    }
}

/// Stores effects and the summary; the number of this change.
pub(super) fn store_effects(
    tx: &Transaction<'_>,
    game: GameNo,
    session: &Session,
    effects: &[Effect],
    now_ms: u64,
) -> Result<u64, StoreError> {
    for effect in effects {
        match effect {
            Effect::StoreEntry { seq, prev, entry, own } => {
                if *own {
                    sign_place(tx, *prev, entry.id())?;
                }
                insert_entry(tx, game, *seq, entry, *own, now_ms)?;
            }
            Effect::StoreStatement { placed, statement, own } => {
                let (author, kind) = (placed.statement.author.index(), placed.statement.kind.rank());
                tx.prepare_cached("INSERT OR REPLACE INTO statements VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
                    .execute(params![
                        game.0,
                        author,
                        kind,
                        statement.bytes,
                        statement.signature,
                        own,
                        now_ms
                    ])?;
                tx.prepare_cached("DELETE FROM held WHERE game = ?1 AND bytes = ?2")?
                    .execute(params![game.0, statement.bytes])?;
            }
            Effect::HoldStatement(statement) => {
                tx.prepare_cached("INSERT OR IGNORE INTO held VALUES (?1, ?2, ?3)")?.execute(params![
                    game.0,
                    statement.bytes,
                    statement.signature
                ])?;
            }
            Effect::StoreProof(proof) => insert_proof(tx, game, proof)?,
        }
    }
    let change = next_change(tx)?;
    summary::write(tx, game, session, change, now_ms)?;
    Ok(change)
}

pub(super) fn insert_entry(
    tx: &Transaction<'_>,
    game: GameNo,
    seq: u32,
    entry: &SignedEntry,
    own: bool,
    now_ms: u64,
) -> Result<(), StoreError> {
    tx.prepare_cached("INSERT INTO entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?.execute(params![
        game.0,
        seq,
        entry.id().0,
        entry.bytes,
        entry.signature,
        own,
        now_ms
    ])?;
    Ok(())
}

fn insert_proof(tx: &Transaction<'_>, game: GameNo, proof: &Proof) -> Result<(), StoreError> {
    let count: usize =
        tx.query_row("SELECT count(*) FROM proofs WHERE game = ?1", [game.0], |row| row.get(0))?;
    if count >= MAX_PROOFS_PER_GAME {
        return Ok(());
    }
    let (key, first, second) = match proof {
        Proof::Equivocation(fork) => (Some(*fork.key()), &fork.entries()[0], Some(&fork.entries()[1])),
        Proof::InvalidEntry { entry, .. } => (None, entry, None),
    };
    tx.execute(
        "INSERT INTO proofs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            game.0,
            count,
            key.map(<[u8; 32]>::from),
            first.bytes,
            first.signature,
            second.map(|entry| &entry.bytes),
            second.map(|entry| entry.signature),
        ],
    )?;
    Ok(())
}

fn change_of(db: &Connection, game: GameNo) -> Result<u64, StoreError> {
    db.prepare_cached("SELECT change FROM games WHERE game = ?1")?
        .query_row([game.0], |row| row.get(0))
        .optional()?
        .ok_or(StoreError::NoSuchGame)
}

/// Replays a stored game.
fn load(db: &Connection, key: &SecretKey, game: GameNo) -> Result<Session, StoreError> {
    let (name, confirmation) = read_game(db, game)?;
    let entries = all(db, "SELECT bytes, signature FROM entries WHERE game = ?1 ORDER BY seq", game, entry)?;
    let mut statements = all(
        db,
        "SELECT bytes, signature FROM statements WHERE game = ?1 ORDER BY author, kind",
        game,
        statement,
    )?;
    statements.extend(held_statements(db, game)?);
    let proofs = all(
        db,
        "SELECT key, bytes, signature, second_bytes, second_signature FROM proofs WHERE game = ?1 ORDER BY number",
        game,
        StoredProof::read,
    )?;
    let damaged = |error| StoreError::DamagedGame { name: name.clone(), error };
    let restore = |proofs| {
        Session::restore(key.clone(), entries.clone(), statements.clone(), proofs, confirmation)
            .map_err(damaged)
    };
    let session = restore(Vec::new())?;
    if proofs.is_empty() {
        return Ok(session);
    }
    // Why an entry is invalid is not stored: the log before it says so again.
    restore(proofs.into_iter().filter_map(|proof| proof.judged(session.log())).collect())
}

/// Statements of a game whose entry is not here yet.
pub(super) fn held_statements(db: &Connection, game: GameNo) -> Result<Vec<SignedStatement>, StoreError> {
    all(db, "SELECT bytes, signature FROM held WHERE game = ?1", game, statement)
}

fn read_game(db: &Connection, game: GameNo) -> Result<(String, Confirmation), StoreError> {
    let sql = "SELECT name, recovered, confirmed_head, no_later_copy FROM games WHERE game = ?1";
    let read = |row: &Row<'_>| {
        let head: Option<[u8; 32]> = row.get(2)?;
        let (recovered, no_later_copy) = (row.get(1)?, row.get(3)?);
        Ok((row.get(0)?, Confirmation { recovered, head: head.map(EntryId), no_later_copy }))
    };
    db.prepare_cached(sql)?.query_row([game.0], read).optional()?.ok_or(StoreError::NoSuchGame)
}

/// A proof as it is stored.
struct StoredProof {
    key: Option<[u8; 32]>,
    first: SignedEntry,
    second: Option<SignedEntry>,
}

impl StoredProof {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let first = SignedEntry { bytes: row.get(1)?, signature: row.get(2)? };
        let second: (Option<Vec<u8>>, Option<[u8; 64]>) = (row.get(3)?, row.get(4)?);
        let second = match second {
            (Some(bytes), Some(signature)) => Some(SignedEntry { bytes, signature }),
            _ => None,
        };
        Ok(Self { key: row.get(0)?, first, second })
    }

    fn judged(self, log: &Log) -> Option<Proof> {
        match (self.key, self.second) {
            (Some(key), Some(second)) => {
                let key = PublicKey::from_bytes(&key).ok()?;
                Equivocation::new(key, [self.first, second]).ok().map(Proof::Equivocation)
            }
            _ => {
                let refusal = log.clone().place(&self.first).err()?;
                Some(Proof::InvalidEntry { entry: self.first, refusal })
            }
        }
    }
}

/// Every row of a query about one game.
fn all<T>(
    db: &Connection,
    sql: &str,
    game: GameNo,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    Ok(db.prepare_cached(sql)?.query_map([game.0], read)?.collect::<Result<_, _>>()?)
}

/// Columns `bytes, signature` as an entry.
pub(super) fn entry(row: &Row<'_>) -> rusqlite::Result<SignedEntry> {
    Ok(SignedEntry { bytes: row.get(0)?, signature: row.get(1)? })
}

/// Columns `bytes, signature` as a statement.
pub(super) fn statement(row: &Row<'_>) -> rusqlite::Result<SignedStatement> {
    Ok(SignedStatement { bytes: row.get(0)?, signature: row.get(1)? })
}
