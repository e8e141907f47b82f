//! Games without a network: what the opponent is owed as a block, and what a block brings.
//!
//! A block names no game: each entry finds its place by its link. What it brings is judged as if a peer had sent it, by
//! whatever hands it came. What the opponent has is inferred: whoever signs an entry has all before it.

mod group;
mod incoming;

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::judgement::Standing;
use chakart_core::protocol::session::Session;
use chakart_core::protocol::statement::StatementKind;
use chakart_core::transcript::armour::Block;
use rusqlite::Transaction;

use super::offers::find_offer;
use super::session::{entry, statement, touch};
use super::summary::digest;
use super::{GameNo, GameSummary, StatementsDigest, Store, StoreError, begin, notes};

pub use incoming::{BlockReceipt, GameReceipt, Reply};

/// Bytes of entries and signatures that one block carries, at most: its armour then stays far below what is read.
pub const MAX_BLOCK_BYTES: usize = 384 * 1024;
/// The same of a letter: with statements and messages, its text stays below [`MAX_LETTER_TEXT_BYTES`].
///
/// [`MAX_LETTER_TEXT_BYTES`]: crate::mailbox::seal::MAX_LETTER_TEXT_BYTES
pub const MAX_LETTER_BLOCK_BYTES: usize = 256 * 1024;

/// What the opponent in a game is owed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outgoing {
    /// The game.
    pub game: GameNo,
    /// Entries, statements, messages and offers that the opponent is not known to have.
    pub block: Block,
    /// Whether all of it was put into a block before.
    pub repeated: bool,
    /// Whether it is everything; if not, the rest follows once the opponent has answered.
    pub complete: bool,
    /// Entries of the log up to the end of the block.
    length: u32,
    own_statements: StatementsDigest,
}

impl Outgoing {
    /// Whether the opponent has everything.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        let Block { entries, statements, notes, .. } = &self.block;
        entries.is_empty() && statements.is_empty() && notes.is_empty()
    }
}

impl Store {
    /// Everything in a game that the opponent is not known to have: entries, own statements, own messages, and open
    /// offers for it. Call [`Store::mark_sent`] once it is printed.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn outgoing_block(&mut self, game: GameNo) -> Result<Outgoing, StoreError> {
        let summary = self.game(game)?;
        let from = self.owed_from(&summary)?;
        self.block_from(&summary, from)
    }

    /// The same for a letter: without offers, which have letters of their own, and shorter.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn letter_block(&mut self, game: GameNo) -> Result<Outgoing, StoreError> {
        let summary = self.game(game)?;
        let from = self.owed_from(&summary)?;
        self.log_block(&summary, from, MAX_LETTER_BLOCK_BYTES)
    }

    /// The same from a place on, whatever the opponent has: for one who has lost its copy.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn whole_block(&mut self, game: GameNo, from: u32) -> Result<Outgoing, StoreError> {
        let summary = self.game(game)?;
        self.block_from(&summary, from)
    }

    /// An own offer as a block.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`] where there is no such offer.
    pub fn offer_block(&self, offer: EntryId) -> Result<Block, StoreError> {
        let entry = find_offer(&self.db, offer)?.ok_or(StoreError::NoSuchGame)?.offer;
        Ok(Block { entries: vec![entry], ..Block::default() })
    }

    /// Remembers that a block was given to a person who sends it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn mark_sent(&mut self, outgoing: &Outgoing) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        let sql = "SELECT sent_length FROM games WHERE game = ?1";
        let sent_before: u32 = tx.query_row(sql, [outgoing.game.0], |row| row.get(0))?;
        tx.execute(
            "UPDATE games SET sent_length = max(sent_length, ?2), sent_statements = ?3 WHERE game = ?1",
            (outgoing.game.0, outgoing.length, outgoing.own_statements),
        )?;
        // Only entries that were in no block before can show later that this one arrived.
        if outgoing.length > sent_before {
            notes::mark_sent(&tx, outgoing.game, outgoing.length)?;
        }
        touch(&tx, &mut self.sessions, outgoing.game)?;
        Ok(tx.commit()?)
    }

    fn owed_from(&self, game: &GameSummary) -> Result<u32, StoreError> {
        let sql = "SELECT coalesce(max(seq) + 1, 0) FROM entries WHERE game = ?1 AND own = 0";
        let theirs = self.db.prepare_cached(sql)?.query_row([game.game.0], |row| row.get(0))?;
        Ok(game.delivery.length.max(theirs))
    }

    fn block_from(&mut self, game: &GameSummary, from: u32) -> Result<Outgoing, StoreError> {
        let offers = self.undelivered_offers(&game.opponent_key()?)?;
        let mut outgoing = self.log_block(game, from, MAX_BLOCK_BYTES)?;
        outgoing.repeated &= offers.is_empty();
        outgoing.block.entries.splice(0..0, offers.into_iter().map(|offer| offer.offer));
        Ok(outgoing)
    }

    fn log_block(&mut self, game: &GameSummary, from: u32, max_bytes: usize) -> Result<Outgoing, StoreError> {
        let tx = self.db.transaction()?;
        let (entries, complete) = entries_from(&tx, game.game, from, max_bytes)?;
        let said = acked_statements(&tx, game.game)? == game.statements;
        let statements = if said { Vec::new() } else { own_statements(&tx, game.game)? };
        let notes = notes::undelivered(&tx, game.game)?;
        let length = from.max(game.delivery.length) + u32::try_from(entries.len()).unwrap_or(u32::MAX);
        let new_notes = notes_sent_first(&tx, game.game)?;
        Ok(Outgoing {
            game: game.game,
            block: Block { entries, statements, notes, unknown_lines: 0 },
            repeated: game.sent && !new_notes,
            complete,
            length: length.min(game.length),
            own_statements: game.own_statements,
        })
    }

    /// Notes what a log itself says of the opponent: it has everything up to its last entry.
    fn infer_delivered(&mut self, game: GameNo) -> Result<(), StoreError> {
        let session = self.session(game)?;
        let opponent = session.me().other();
        let named = session.statements().iter().filter(|(placed, _)| placed.statement.author == opponent);
        let named = named.map(|(placed, _)| placed.seq).max();
        let length = session.log().last_seq_of(opponent).max(named).map_or(0, |seq| seq + 1);
        let statements = digest(&session);
        let tx = begin(&mut self.db)?;
        let mut changed = tx.execute(
            "UPDATE games SET acked_length = ?2 WHERE game = ?1 AND acked_length < ?2",
            (game.0, length),
        )?;
        if has_own_statements(&session) {
            changed += tx.execute(
                "UPDATE games SET acked_statements = ?2 WHERE game = ?1 AND acked_statements <> ?2",
                (game.0, statements),
            )?;
        }
        notes::infer_delivered(&tx, game, length)?;
        if changed > 0 {
            touch(&tx, &mut self.sessions, game)?;
        }
        Ok(tx.commit()?)
    }
}

/// Whether what the opponent has signed shows that it has this player's own statements. A seal follows an end alone: one
/// that its author did not make itself, it has from this player.
fn has_own_statements(session: &Session) -> bool {
    let (me, opponent) = (session.me(), session.me().other());
    let by = |author| {
        session
            .statements()
            .iter()
            .map(|(placed, _)| placed)
            .filter(move |placed| placed.statement.author == author)
    };
    let seal = by(opponent).find(|placed| matches!(placed.statement.kind, StatementKind::Seal { .. }));
    let resigned = by(opponent).any(|placed| placed.statement.kind == StatementKind::Resign);
    let log = session.log();
    match (session.judgement().standing, seal) {
        _ if by(me).next().is_none() => true,
        (Standing::Resigned { loser, .. }, Some(_)) => loser == me && !resigned,
        // The own seal is signed and sent with the own entry that ends the game.
        (Standing::Over { .. }, Some(seal)) => {
            log.head().author == me && log.last_seq_of(me) == Some(seal.seq)
        }
        _ => false,
    }
}

fn entries_from(
    tx: &Transaction<'_>,
    game: GameNo,
    from: u32,
    max_bytes: usize,
) -> Result<(Vec<SignedEntry>, bool), StoreError> {
    let sql = "SELECT bytes, signature FROM entries WHERE game = ?1 AND seq >= ?2 ORDER BY seq";
    let mut query = tx.prepare_cached(sql)?;
    let mut rows = query.query((game.0, from))?;
    let (mut entries, mut bytes) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let entry = entry(row)?;
        bytes += entry.bytes.len() + entry.signature.len();
        if bytes > max_bytes {
            return Ok((entries, false));
        }
        entries.push(entry);
    }
    Ok((entries, true))
}

fn own_statements(tx: &Transaction<'_>, game: GameNo) -> Result<Vec<SignedStatement>, StoreError> {
    let sql = "SELECT bytes, signature FROM statements WHERE game = ?1 AND own = 1 ORDER BY kind";
    Ok(tx.prepare_cached(sql)?.query_map([game.0], statement)?.collect::<Result<_, _>>()?)
}

fn acked_statements(tx: &Transaction<'_>, game: GameNo) -> Result<StatementsDigest, StoreError> {
    let sql = "SELECT acked_statements FROM games WHERE game = ?1";
    Ok(tx.query_row(sql, [game.0], |row| row.get(0))?)
}

/// Whether a message waits that was in no block yet.
fn notes_sent_first(tx: &Transaction<'_>, game: GameNo) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM notes WHERE game = ?1 AND own = 1 AND acked = 0 AND sent_length IS NULL";
    Ok(tx.prepare_cached(sql)?.exists([game.0])?)
}
