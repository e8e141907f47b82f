//! Messages between the players of a game. The latest of each author are kept.

use chakart_core::protocol::entry::MAX_AT_MS;
use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::note::{Note, NoteText, SignedNote};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::session::touch;
use super::{GameNo, GameSummary, NoteError, Store, StoreError, begin};

/// Messages that are kept of one author in one game: the latest.
pub const MAX_NOTES_PER_AUTHOR: usize = 256;
/// Own messages in one game that wait to be delivered, at most.
pub const MAX_UNDELIVERED_NOTES: usize = 64;

/// A message that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredNote {
    /// What it says; to be escaped where it is shown.
    pub note: Note,
    /// Whether this player wrote it.
    pub own: bool,
    /// When it came or was written here, in milliseconds of Unix time.
    pub arrived_ms: u64,
    /// Whether the opponent is known to have it; always of the opponent's own.
    pub delivered: bool,
}

/// What became of a message that came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteReceipt {
    /// It is kept.
    New {
        /// Its game.
        game: GameNo,
        /// Whether it is not to be announced.
        muted: bool,
    },
    /// It was here before, or is too old to be kept.
    Known {
        /// Its game.
        game: GameNo,
    },
}

impl Store {
    /// Signs a message to the opponent and keeps it until it is delivered.
    ///
    /// # Errors
    /// [`NoteError`]
    pub fn write_note(&mut self, game: GameNo, text: NoteText, now_ms: u64) -> Result<Note, NoteError> {
        let summary = self.game(game)?;
        let tx = begin(&mut self.db)?;
        let sql = "SELECT count(*) FROM notes WHERE game = ?1 AND own = 1 AND acked = 0";
        let waiting: usize = tx.query_row(sql, [game.0], |row| row.get(0))?;
        if waiting >= MAX_UNDELIVERED_NOTES {
            return Err(NoteError::TooMany(waiting));
        }
        let sql = "SELECT coalesce(max(number) + 1, 0) FROM notes WHERE game = ?1 AND own = 1";
        let next: u32 = tx.query_row(sql, [game.0], |row| row.get(0))?;
        // A store that was put back from a backup does not know which numbers it used: seconds are not used twice.
        let number = next.max(u32::try_from(now_ms / 1_000).unwrap_or(next));
        let at_ms = now_ms.min(MAX_AT_MS);
        let note = Note { game: summary.id, author: summary.me, number, at_ms, text };
        insert(&tx, game, true, &note, &SignedNote::sign(&note, &self.key), now_ms)?;
        touch(&tx, &mut self.sessions, game)?;
        tx.commit()?;
        Ok(note)
    }

    /// Takes a message from whatever carrier. One that was here before changes nothing.
    ///
    /// # Errors
    /// [`NoteError`]
    pub fn receive_note(&mut self, signed: &SignedNote, now_ms: u64) -> Result<NoteReceipt, NoteError> {
        let note = signed.decode()?;
        let summary = self.game_of(note.game)?.ok_or(NoteError::UnknownGame)?;
        let (game, own) = (summary.game, note.author == summary.me);
        let author = if own { self.player() } else { summary.opponent_key()? };
        signed.verify(&author).map_err(|_| NoteError::BadSignature)?;
        let tx = begin(&mut self.db)?;
        if is_known(&tx, game, own, note.number)? {
            return Ok(NoteReceipt::Known { game });
        }
        insert(&tx, game, own, &note, signed, now_ms)?;
        if own {
            // It comes back from elsewhere, so somebody else has it.
            tx.execute(
                "UPDATE notes SET acked = 1 WHERE game = ?1 AND own = 1 AND number = ?2",
                (game.0, note.number),
            )?;
        }
        let muted = summary.muted || is_friend_muted(&tx, &summary)?;
        touch(&tx, &mut self.sessions, game)?;
        tx.commit()?;
        Ok(NoteReceipt::New { game, muted })
    }

    /// The messages of a game, in the order in which they came or were written.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn notes(&self, game: GameNo) -> Result<Vec<StoredNote>, StoreError> {
        let sql = "SELECT bytes, signature, own, arrived_ms, acked FROM notes WHERE game = ?1
                   ORDER BY arrived_ms, own, number";
        let mut query = self.db.prepare_cached(sql)?;
        let mut rows = query.query([game.0])?;
        let mut notes = Vec::new();
        while let Some(row) = rows.next()? {
            let note = signed(row)?.decode().map_err(|_| StoreError::Damaged("a message"))?;
            let (own, acked): (bool, bool) = (row.get(2)?, row.get(4)?);
            notes.push(StoredNote { note, own, arrived_ms: row.get(3)?, delivered: acked || !own });
        }
        Ok(notes)
    }

    /// Own messages to a player that it is not known to have, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn undelivered_notes(&self, peer: &PublicKey, limit: usize) -> Result<Vec<SignedNote>, StoreError> {
        let sql = "SELECT bytes, signature FROM notes JOIN games USING (game)
                   WHERE own = 1 AND acked = 0 AND opponent = ?1 ORDER BY game, number LIMIT ?2";
        let mut query = self.db.prepare_cached(sql)?;
        Ok(query.query_map((peer.as_bytes(), limit), signed)?.collect::<Result<_, _>>()?)
    }

    /// The opponents to whom messages are not delivered, each once.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn note_peers(&self) -> Result<Vec<PublicKey>, StoreError> {
        let sql = "SELECT DISTINCT opponent FROM notes JOIN games USING (game) WHERE own = 1 AND acked = 0";
        let keys: Vec<[u8; 32]> =
            self.db.prepare_cached(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(keys.iter().filter_map(|key| PublicKey::from_bytes(key).ok()).collect())
    }

    /// Notes that the opponent has these own messages.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn acknowledge_notes(&mut self, peer: &PublicKey, notes: &[SignedNote]) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        let mut games = Vec::new();
        for note in notes {
            let sql = "UPDATE notes SET acked = 1 WHERE own = 1 AND acked = 0 AND bytes = ?2
                           AND game IN (SELECT game FROM games WHERE opponent = ?1) RETURNING game";
            let mut update = tx.prepare_cached(sql)?;
            let changed =
                update.query_map(params![peer.as_bytes(), note.bytes], |row| row.get(0).map(GameNo))?;
            for game in changed {
                games.push(game?);
            }
        }
        games.sort();
        games.dedup();
        for game in games {
            touch(&tx, &mut self.sessions, game)?;
        }
        Ok(tx.commit()?)
    }
}

/// Own messages of one game that the opponent is not known to have.
pub(super) fn undelivered(db: &Connection, game: GameNo) -> Result<Vec<SignedNote>, StoreError> {
    let sql = "SELECT bytes, signature FROM notes WHERE game = ?1 AND own = 1 AND acked = 0 ORDER BY number";
    Ok(db.prepare_cached(sql)?.query_map([game.0], signed)?.collect::<Result<_, _>>()?)
}

/// Remembers with which length of the log the messages of a game were put into a block: who has that log has them.
pub(super) fn mark_sent(tx: &Transaction<'_>, game: GameNo, length: u32) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE notes SET sent_length = ?2 WHERE game = ?1 AND own = 1 AND acked = 0 AND sent_length IS NULL",
        (game.0, length),
    )?;
    Ok(())
}

/// The opponent has these many entries, and so the messages that went with them.
pub(super) fn infer_delivered(tx: &Transaction<'_>, game: GameNo, length: u32) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE notes SET acked = 1 WHERE game = ?1 AND own = 1 AND acked = 0 AND sent_length <= ?2",
        (game.0, length),
    )?;
    Ok(())
}

/// The opponent has said to have these many entries: they may have come by another way than the messages that were put
/// into a block with them, and so show nothing of those.
pub(super) fn infer_no_delivery(tx: &Transaction<'_>, game: GameNo, length: u32) -> Result<(), StoreError> {
    let sql =
        "UPDATE notes SET sent_length = NULL WHERE game = ?1 AND own = 1 AND acked = 0 AND sent_length <= ?2";
    tx.prepare_cached(sql)?.execute((game.0, length))?;
    Ok(())
}

fn insert(
    tx: &Transaction<'_>,
    game: GameNo,
    own: bool,
    note: &Note,
    signed: &SignedNote,
    now_ms: u64,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO notes (game, own, number, bytes, signature, arrived_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![game.0, own, note.number, signed.bytes, signed.signature, now_ms],
    )?;
    tx.execute(
        "DELETE FROM notes WHERE game = ?1 AND own = ?2 AND number NOT IN
             (SELECT number FROM notes WHERE game = ?1 AND own = ?2 ORDER BY number DESC LIMIT ?3)",
        params![game.0, own, MAX_NOTES_PER_AUTHOR],
    )?;
    Ok(())
}

/// Whether a number is here, or below all of a full list.
fn is_known(db: &Connection, game: GameNo, own: bool, number: u32) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM notes WHERE game = ?1 AND own = ?2 AND number = ?3";
    if db.prepare_cached(sql)?.exists(params![game.0, own, number])? {
        return Ok(true);
    }
    let sql = "SELECT count(*), min(number) FROM notes WHERE game = ?1 AND own = ?2";
    let (count, least): (usize, Option<u32>) =
        db.query_row(sql, params![game.0, own], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(count >= MAX_NOTES_PER_AUTHOR && least.is_some_and(|least| number < least))
}

fn is_friend_muted(db: &Connection, game: &GameSummary) -> Result<bool, StoreError> {
    let sql = "SELECT muted FROM friends WHERE key = ?1";
    Ok(db.prepare_cached(sql)?.query_row([game.opponent], |row| row.get(0)).optional()?.unwrap_or(false))
}

fn signed(row: &Row<'_>) -> rusqlite::Result<SignedNote> {
    Ok(SignedNote { bytes: row.get(0)?, signature: row.get(1)? })
}
