//! Logs that come from elsewhere, restores, and deletion.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::Party;
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::session::{Confirmation, RestoreError, Session};
use rusqlite::{OptionalExtension, Transaction};

use super::offers::{insert_game, is_deleted};
use super::receive::{Carrier, Receipt, take_entries};
use super::session::{insert_entry, store_effects};
use super::{GameNo, RecoverError, Store, StoreError, begin, next_change, sign_place, signed_at, summary};

impl Store {
    /// Takes the log of a game in which this key plays, from a file or a peer: adds what is missing to the game that is
    /// here, or makes a game of it that is marked as recovered. Entries must come from seq 0 on.
    ///
    /// # Errors
    /// [`RecoverError`]; an entry that is refused later in the log is no error but part of the receipt.
    pub fn recover(
        &mut self,
        entries: &[SignedEntry],
        statements: &[SignedStatement],
        now_ms: u64,
    ) -> Result<Receipt, RecoverError> {
        let accept = entries.get(1).ok_or(RestoreError::Empty)?.id();
        if let Some(known) = self.game_of(accept)? {
            return Ok(self.receive_into(known.game, entries, statements, Carrier::Elsewhere, now_ms)?);
        }
        let (mut session, bound) = bound_by_own_signature(&self.key, entries)?;
        let tx = begin(&mut self.db)?;
        let signed = bound.last().map(SignedEntry::decode).and_then(Result::ok);
        let known_place = match signed {
            Some(own) => signed_at(&tx, own.prev)?.is_some(),
            None => false,
        };
        if known_place || is_deleted(&tx, accept)? {
            return Err(RecoverError::Deleted);
        }
        let game = insert_game(&tx, &session, now_ms)?;
        insert_bound(&tx, game, &session, bound, now_ms)?;
        let rest = entries.get(bound.len()..).unwrap_or_default();
        let mut taken = take_entries(&self.key, &mut session, &tx, game, rest, now_ms)?;
        for statement in statements {
            taken.effects.extend(session.receive_statement(statement).unwrap_or_default());
        }
        let change = store_effects(&tx, game, &session, &taken.effects, now_ms)?;
        let summary = summary::select_one(&tx, "WHERE game = ?1", [game.0])?.ok_or(StoreError::NoSuchGame)?;
        tx.commit()?;
        self.sessions.keep(game, change, session);
        Ok(Receipt { refused: taken.refused, ..Receipt::begun(&summary) })
    }

    /// To be called once after this store was put back from a backup: closes every open offer, and has nothing signed in
    /// any unfinished game before its person says that no later copy of it exists.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn mark_restored(&mut self) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        let change = next_change(&tx)?;
        tx.execute("UPDATE offers SET state = 3 WHERE state = 0", [])?;
        tx.execute(
            "UPDATE games SET recovered = 1, no_later_copy = 0, confirmed_head = NULL, change = ?1 WHERE finished = 0",
            [change],
        )?;
        Ok(tx.commit()?)
    }

    /// Deletes a game. That it was here, and every place that was signed in it, is remembered for ever.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn delete_game(&mut self, game: GameNo, now_ms: u64) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        let kept = tx.execute(
            "INSERT INTO deleted_games SELECT accept_id, offer_id, name, ?2 FROM games WHERE game = ?1",
            (game.0, now_ms),
        )?;
        if kept == 0 {
            return Err(StoreError::NoSuchGame);
        }
        tx.execute("DELETE FROM games WHERE game = ?1", [game.0])?;
        next_change(&tx)?;
        tx.commit()?;
        self.sessions.take(game);
        Ok(())
    }

    /// How many places this key has signed, as far as this store knows.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn signed_places(&self) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM signed_places";
        Ok(self.db.query_row(sql, [], |row| row.get(0)).optional()?.unwrap_or(0))
    }
}

/// The beginning of a log up to the first entry by which this key is bound to the game: its accept, or its reveal of
/// seq 2. An own offer alone binds to nobody's game.
fn bound_by_own_signature<'a>(
    key: &SecretKey,
    entries: &'a [SignedEntry],
) -> Result<(Session, &'a [SignedEntry]), RecoverError> {
    let confirmation = Confirmation { recovered: true, head: None, no_later_copy: false };
    let open = |entries: &[SignedEntry]| {
        Session::restore(key.clone(), entries.to_vec(), Vec::new(), Vec::new(), confirmation)
    };
    let bound = entries.get(..2).ok_or(RecoverError::NotOurs)?;
    let session = open(bound)?;
    if session.me() == Party::Guest {
        return Ok((session, bound));
    }
    let bound = entries.get(..3).ok_or(RecoverError::NotOurs)?;
    Ok((open(bound)?, bound))
}

fn insert_bound(
    tx: &Transaction<'_>,
    game: GameNo,
    session: &Session,
    bound: &[SignedEntry],
    now_ms: u64,
) -> Result<(), StoreError> {
    let mut prev = None;
    for (seq, (entry, record)) in (0..).zip(bound.iter().zip(session.log().records())) {
        let own = record.author == session.me();
        if let Some(prev) = prev.filter(|_| own) {
            sign_place(tx, prev, record.id)?;
        }
        insert_entry(tx, game, seq, entry, own, now_ms)?;
        prev = Some(record.id);
    }
    Ok(())
}
