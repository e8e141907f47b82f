//! What the sync protocol asks of the store.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};
use rusqlite::OptionalExtension;

use super::offers::is_deleted;
use super::session::{entry, statement, touch};
use super::{GameNo, GameSummary, StatementsDigest, Store, StoreError, begin, notes, summary};

/// Entries that one answer carries, at most.
pub const MAX_ANSWER_ENTRIES: usize = 64;
/// Bytes of entries and their signatures that one answer carries, at most.
pub const MAX_ANSWER_BYTES: usize = 32 * 1024;

/// How far a game has come in one store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameHead {
    /// The id of its accept.
    pub game: EntryId,
    /// Entries; 0: the game is not here.
    pub length: u32,
    /// The last entry.
    pub head: EntryId,
    /// Short hash of the statements.
    pub statements: StatementsDigest,
}

/// A part of a log, from some place on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tail {
    /// Entries in order.
    pub entries: Vec<SignedEntry>,
    /// All statements, if the entries reach the end of the log.
    pub statements: Vec<SignedStatement>,
    /// Whether they do.
    pub complete: bool,
}

impl GameHead {
    /// That of a game here.
    #[must_use]
    pub const fn of(game: &GameSummary) -> Self {
        Self { game: game.id, length: game.length, head: game.head, statements: game.statements }
    }
}

impl Store {
    /// The game with this accept, if the peer plays in it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn shared_game(&self, peer: &PublicKey, accept: EntryId) -> Result<Option<GameSummary>, StoreError> {
        Ok(self.game_of(accept)?.filter(|game| game.is_with(peer)))
    }

    /// Games shared with a peer, in order of their numbers, after a given one.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn games_with(
        &self,
        peer: &PublicKey,
        after: Option<GameNo>,
        limit: usize,
    ) -> Result<Vec<GameSummary>, StoreError> {
        let after = after.map_or(0, |game| game.0);
        // Not bare `?2` and `?3`: SQLite plans a query anew whenever it has looked at a number to estimate a range.
        summary::select(
            &self.db,
            "WHERE opponent = ?1 AND game > (SELECT ?2) ORDER BY game LIMIT (SELECT ?3)",
            (*peer.as_bytes(), after, limit),
        )
    }

    /// The opponents of games that are not finished or not fully delivered, those for whom messages wait, and the guests
    /// of offers that were not delivered, each once, as raw keys.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn wanted_peers(&self) -> Result<Vec<[u8; KEY_BYTES]>, StoreError> {
        let sql = "SELECT opponent FROM games
                   WHERE finished = 0 OR acked_length <> length OR acked_statements <> statements
                   UNION SELECT opponent FROM games JOIN notes USING (game) WHERE own = 1 AND acked = 0
                   UNION SELECT guest FROM offers WHERE state = 0 AND delivered = 0 AND guest IS NOT NULL";
        Ok(self.db.prepare_cached(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// Whether a game with this accept was deleted here.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn is_deleted(&self, accept: EntryId) -> Result<bool, StoreError> {
        is_deleted(&self.db, accept)
    }

    /// The place of an entry in a game.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn seq_of(&self, game: GameNo, id: EntryId) -> Result<Option<u32>, StoreError> {
        let sql = "SELECT seq FROM entries WHERE game = ?1 AND id = ?2";
        Ok(self.db.prepare_cached(sql)?.query_row((game.0, id.0), |row| row.get(0)).optional()?)
    }

    /// When each entry of a game came here or was signed here, by place, in milliseconds of Unix time.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn arrivals(&self, game: GameNo) -> Result<Vec<u64>, StoreError> {
        let sql = "SELECT arrived_ms FROM entries WHERE game = ?1 ORDER BY seq";
        Ok(self.db.prepare_cached(sql)?.query_map([game.0], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// The log of a game from a place on, as much as one answer carries.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn tail(&mut self, game: GameNo, from: u32) -> Result<Tail, StoreError> {
        let tx = self.db.transaction()?;
        let sql = "SELECT bytes, signature FROM entries WHERE game = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3";
        let mut query = tx.prepare_cached(sql)?;
        let mut rows = query.query((game.0, from, MAX_ANSWER_ENTRIES + 1))?;
        let (mut entries, mut bytes, mut complete) = (Vec::new(), 0, true);
        while let Some(row) = rows.next()? {
            let entry = entry(row)?;
            bytes += entry.bytes.len() + entry.signature.len();
            if entries.len() == MAX_ANSWER_ENTRIES || bytes > MAX_ANSWER_BYTES {
                complete = false;
                break;
            }
            entries.push(entry);
        }
        drop(rows);
        let sql = "SELECT bytes, signature FROM statements WHERE game = ?1 ORDER BY author, kind";
        let mut query = tx.prepare_cached(sql)?;
        let statements = match complete {
            true => query.query_map([game.0], statement)?.collect::<Result<_, _>>()?,
            false => Vec::new(),
        };
        Ok(Tail { entries, statements, complete })
    }

    /// Notes what opponents say to have on disk, all in one transaction; for each, whether that is news. A head that is
    /// not in the log here says nothing.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn acknowledge(&mut self, heads: &[(GameSummary, GameHead)]) -> Result<Vec<bool>, StoreError> {
        let news: Vec<bool> =
            heads.iter().map(|(game, theirs)| self.is_news(game, theirs)).collect::<Result<_, _>>()?;
        if !news.contains(&true) {
            return Ok(news);
        }
        let tx = begin(&mut self.db)?;
        for ((game, theirs), _) in heads.iter().zip(&news).filter(|(_, news)| **news) {
            tx.prepare_cached(
                "UPDATE games SET acked_length = ?2, acked_statements = ?3,
                     refused_reason = CASE WHEN refused_seq < ?2 THEN NULL ELSE refused_reason END,
                     refused_seq = CASE WHEN refused_seq < ?2 THEN NULL ELSE refused_seq END
                 WHERE game = ?1",
            )?
            .execute((game.game.0, theirs.length, theirs.statements))?;
            notes::infer_no_delivery(&tx, game.game, theirs.length)?;
            touch(&tx, &mut self.sessions, game.game)?;
        }
        tx.commit()?;
        Ok(news)
    }

    fn is_news(&self, game: &GameSummary, theirs: &GameHead) -> Result<bool, StoreError> {
        let delivery = &game.delivery;
        if (delivery.length, delivery.statements) == (theirs.length, theirs.statements) {
            return Ok(false);
        }
        let place = theirs.length.checked_sub(1);
        Ok(place.is_some() && self.seq_of(game.game, theirs.head)? == place)
    }

    /// Notes that the opponent refused an entry for good.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn mark_refused(&mut self, game: GameNo, seq: u32, reason: &str) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        tx.execute(
            "UPDATE games SET refused_seq = ?2, refused_reason = ?3 WHERE game = ?1",
            (game.0, seq, reason),
        )?;
        touch(&tx, &mut self.sessions, game)?;
        Ok(tx.commit()?)
    }
}
