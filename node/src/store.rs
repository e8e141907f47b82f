//! The games of one player on disk.
//!
//! Every change is one `BEGIN IMMEDIATE` transaction: it reads the head again, restores the session (or takes the one
//! that it remembers, if nothing has changed since), lets the session decide, and stores all of its effects together
//! with the record of the places that it signed. Bytes may leave only after the commit. Any number of processes may
//! share the file.
//!
//! | module | what it does |
//! |---|---|
//! | `schema` | tables and migrations |
//! | `summary` | a game in one row |
//! | `session` | stored rows to a session, and its effects to rows |
//! | `decide` | acts, statements, confirmations of this player |
//! | `offers` | offers made, offers joined, accepts of own offers |
//! | `receive` | what peers send |
//! | `recover` | logs that come from elsewhere; restores; deletion |
//! | `exchange` | what the sync protocol asks of the store |
//! | `addresses` | where peers were reached |
//! | `contacts` | by which way they were last heard of |
//! | `blocks` | games by mail: what the opponent is owed, and what came |
//! | `letters` | the same for mailboxes, and what was put into which |
//! | `invites` | offers of others that wait for an answer; rematches |
//! | `plans` | decisions in advance |
//! | `notes` | messages between the players |
//! | `friends` | names for keys, memos, whose messages are muted |

mod addresses;
mod blocks;
mod contacts;
mod decide;
mod error;
mod exchange;
mod find;
mod friends;
mod invites;
mod letters;
mod mailboxes;
mod notes;
mod offers;
mod plans;
mod receive;
mod recover;
mod schema;
mod session;
mod summary;

use std::path::Path;
use std::time::Duration;

use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_core::protocol::session::Session;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior};

pub use addresses::MAX_ADDRESSES_PER_PEER;
pub use blocks::{BlockReceipt, GameReceipt, MAX_BLOCK_BYTES, MAX_LETTER_BLOCK_BYTES, Outgoing, Reply};
pub use contacts::{Contact, Path as ContactPath};
pub use error::{
    AbortError, AcceptError, FindError, FriendError, InviteError, JoinError, NoteError, OfferError,
    PlanError, ReceiveError, RecoverError, RematchError, SignError, StoreError,
};
pub use exchange::{GameHead, MAX_ANSWER_BYTES, MAX_ANSWER_ENTRIES, Tail};
pub use find::{Holdings, Named};
pub use friends::{Friend, MAX_FRIENDS, MAX_MEMO_BYTES};
pub use invites::{MAX_PENDING_INVITES, MAX_PENDING_INVITES_PER_HOST, PendingInvite};
pub use letters::{LetterContent, LetterDue, MAX_PUTS, REPUT_MS, Subject};
pub use mailboxes::MAX_MAILBOXES_PER_PEER;
pub use notes::{MAX_NOTES_PER_AUTHOR, MAX_UNDELIVERED_NOTES, NoteReceipt, StoredNote};
pub use offers::{MAX_OPEN_OFFERS, OfferState, OwnOffer, Salt};
pub use plans::{MAX_PLANS_PER_GAME, PlanNo, PlanOutcome, PlanReport, StoredPlan};
pub use receive::{MAX_REFUSED_PER_GAME, Receipt, RefusedEntry, RefusedHere};
pub use schema::SCHEMA;
pub use session::MAX_PROOFS_PER_GAME;
pub use summary::{Delivery, DeliveryState, GameSummary, RefusedByPeer, StatementsDigest, Waiting};

use session::Sessions;

/// How long a change waits for that of another process, before it fails.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The number of a game in this store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameNo(pub i64);

/// The games of one player on disk.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    key: SecretKey,
    sessions: Sessions,
}

impl Store {
    /// Writes a consistent copy of the whole store into a file that does not exist yet.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let file = file.to_str().ok_or(StoreError::Damaged("a path that is no text"))?;
        self.db.execute("VACUUM INTO ?1", [file])?;
        Ok(())
    }

    /// Closes the file, with everything in it and nothing beside it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn close(self) -> Result<(), StoreError> {
        self.db.close().map_err(|(_, error)| error.into())
    }

    /// Opens the store file of a player, or makes one.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn open(file: &Path, key: SecretKey) -> Result<Self, StoreError> {
        Self::with(Connection::open_with_flags(file, OpenFlags::default())?, key)
    }

    /// A store that lives as long as this value.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn in_memory(key: SecretKey) -> Result<Self, StoreError> {
        Self::with(Connection::open_in_memory()?, key)
    }

    /// A store over a connection that the caller has opened, to wherever and with whatever hooks.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn with(mut db: Connection, key: SecretKey) -> Result<Self, StoreError> {
        db.busy_timeout(BUSY_TIMEOUT)?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        db.pragma_update(None, "foreign_keys", true)?;
        db.set_prepared_statement_cache_capacity(128);
        // Plans follow from the schema alone: otherwise statements are compiled again for each new value bound.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        schema::migrate(&mut db)?;
        claim(&mut db, &key)?;
        Ok(Self { db, key, sessions: Sessions::default() })
    }

    /// The player.
    #[must_use]
    pub fn player(&self) -> PublicKey {
        self.key.public()
    }

    /// All games, those first that changed last.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn games(&self) -> Result<Vec<GameSummary>, StoreError> {
        summary::select(&self.db, "ORDER BY change DESC", [])
    }

    /// One game.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`]
    pub fn game(&self, game: GameNo) -> Result<GameSummary, StoreError> {
        summary::select_one(&self.db, "WHERE game = ?1", [game.0])?.ok_or(StoreError::NoSuchGame)
    }

    /// The game with this accept, if it is here.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn game_of(&self, accept: EntryId) -> Result<Option<GameSummary>, StoreError> {
        summary::select_one(&self.db, "WHERE accept_id = ?1", [accept.0])
    }

    /// The session of a game as it is stored now, for looking at. What it signs is not stored: decide through the
    /// store.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn session(&mut self, game: GameNo) -> Result<Session, StoreError> {
        let Self { db, key, sessions } = self;
        // One read transaction: the rows of a game belong together.
        let tx = db.transaction()?;
        let (change, session) = sessions.open(&tx, key, game)?;
        drop(tx);
        sessions.keep(game, change, session.clone());
        Ok(session)
    }

    /// The number of the latest change by any process. It grows with every change.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn change(&self) -> Result<u64, StoreError> {
        Ok(self
            .db
            .prepare_cached("SELECT value FROM meta WHERE name = 'change'")?
            .query_row([], |row| row.get(0))?)
    }

    /// Games that changed after a change, in the order of their latest changes.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn games_changed_since(&self, change: u64) -> Result<Vec<GameSummary>, StoreError> {
        summary::select(&self.db, "WHERE change > ?1 ORDER BY change", [change])
    }

    /// What this player calls itself, if it was ever said.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn player_name(&self) -> Result<Option<String>, StoreError> {
        read_meta(&self.db, "name")
    }

    /// Keeps what this player calls itself, for later offers and accepts.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn set_player_name(&mut self, name: &str) -> Result<(), StoreError> {
        self.db.execute("INSERT OR REPLACE INTO meta VALUES ('name', ?1)", [name])?;
        Ok(())
    }

    /// The port on which this player's node listened last.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn listen_port(&self) -> Result<Option<u16>, StoreError> {
        read_meta(&self.db, "listen_port")
    }

    /// Keeps the port on which this player's node listens, so that its addresses outlive it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn set_listen_port(&mut self, port: u16) -> Result<(), StoreError> {
        self.db.execute("INSERT OR REPLACE INTO meta VALUES ('listen_port', ?1)", [port])?;
        Ok(())
    }
}

/// Writes whose store this is, or checks it.
fn claim(db: &mut Connection, key: &SecretKey) -> Result<(), StoreError> {
    let player = key.public().to_string();
    let owner: Option<String> = read_meta(db, "key")?;
    match owner {
        Some(owner) if owner == player => Ok(()),
        Some(owner) => Err(StoreError::OtherKey { owner }),
        None => {
            let tx = begin(db)?;
            tx.execute("INSERT OR IGNORE INTO meta VALUES ('key', ?1), ('change', 0)", [player])?;
            tx.commit()?;
            claim(db, key)
        }
    }
}

fn read_meta<T: rusqlite::types::FromSql>(db: &Connection, name: &str) -> Result<Option<T>, StoreError> {
    Ok(db.query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0)).optional()?)
}

/// A transaction that has the right to write from its first statement on.
fn begin(db: &mut Connection) -> Result<Transaction<'_>, rusqlite::Error> {
    db.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// The number of a further change.
fn next_change(tx: &Transaction<'_>) -> Result<u64, StoreError> {
    Ok(tx
        .prepare_cached("UPDATE meta SET value = value + 1 WHERE name = 'change' RETURNING value")?
        .query_row([], |row| row.get(0))?)
}

/// Records that this key signs `id` after `prev`, for ever.
fn sign_place(tx: &Transaction<'_>, prev: EntryId, id: EntryId) -> Result<(), StoreError> {
    tx.prepare_cached("INSERT INTO signed_places VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
        .execute([prev.0, id.0])?;
    match signed_at(tx, prev)? {
        Some(signed) if signed == id => Ok(()),
        Some(signed) => Err(StoreError::PlaceSigned { prev, signed }),
        None => Err(StoreError::Damaged("a signed place was not kept")),
    }
}

/// What this key signed after `prev`.
fn signed_at(db: &Connection, prev: EntryId) -> Result<Option<EntryId>, StoreError> {
    Ok(db
        .prepare_cached("SELECT id FROM signed_places WHERE prev = ?1")?
        .query_row([prev.0], |row| row.get(0).map(EntryId))
        .optional()?)
}
