//! The tables, and how an older file becomes a current one.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::StoreError;

/// The schema that this program writes, as SQLite's `user_version`.
pub const SCHEMA: u32 = 4;

/// What turns schema `i` into schema `i + 1`.
const MIGRATIONS: [&str; SCHEMA as usize] = [FIRST, SECOND, THIRD, FOURTH];

const FIRST: &str = "
-- 'change': the number of the latest change of any game or offer; 'key': whose store this is; 'name': of the player.
CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

-- One row a game. What follows `opponent_name` repeats what the entries say, so that a list needs no replay.
CREATE TABLE games (
    game INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    accept_id BLOB NOT NULL UNIQUE,
    offer_id BLOB NOT NULL,
    opponent BLOB NOT NULL,
    created_ms INTEGER NOT NULL,
    change INTEGER NOT NULL,
    draw_intent INTEGER NOT NULL DEFAULT 0,
    -- what the person confirmed
    recovered INTEGER NOT NULL DEFAULT 0,
    confirmed_head BLOB,
    no_later_copy INTEGER NOT NULL DEFAULT 0,
    -- what the opponent is known to have on disk, and what it refused
    acked_length INTEGER NOT NULL DEFAULT 0,
    -- (the default is the digest of no statements)
    acked_statements BLOB NOT NULL DEFAULT x'e3b0c44298fc1c14',
    refused_seq INTEGER,
    refused_reason TEXT,
    -- summary
    opponent_name TEXT NOT NULL DEFAULT '',
    variant INTEGER NOT NULL DEFAULT 0,
    host INTEGER NOT NULL DEFAULT 0,
    white INTEGER,
    length INTEGER NOT NULL DEFAULT 0,
    head BLOB NOT NULL DEFAULT x'',
    statements BLOB NOT NULL DEFAULT x'',
    turns INTEGER NOT NULL DEFAULT 0,
    waiting INTEGER NOT NULL DEFAULT 0,
    finished INTEGER NOT NULL DEFAULT 0,
    result TEXT NOT NULL DEFAULT '*',
    updated_ms INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX games_by_opponent ON games (opponent, game);
CREATE INDEX games_by_change ON games (change);
CREATE INDEX games_by_offer ON games (offer_id);

CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    id BLOB NOT NULL,
    bytes BLOB NOT NULL,
    signature BLOB NOT NULL,
    own INTEGER NOT NULL,
    arrived_ms INTEGER NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entries_by_id ON entries (game, id);

CREATE TABLE statements (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    author INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    signature BLOB NOT NULL,
    own INTEGER NOT NULL,
    arrived_ms INTEGER NOT NULL,
    PRIMARY KEY (game, author, kind)
) STRICT, WITHOUT ROWID;

-- Statements whose entry is not here yet.
CREATE TABLE held (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    bytes BLOB NOT NULL,
    signature BLOB NOT NULL,
    PRIMARY KEY (game, bytes)
) STRICT, WITHOUT ROWID;

-- Two entries at one place by `key`, or (no second) one that is invalid at its place.
CREATE TABLE proofs (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    number INTEGER NOT NULL,
    key BLOB,
    bytes BLOB NOT NULL,
    signature BLOB NOT NULL,
    second_bytes BLOB,
    second_signature BLOB,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;

-- Entries that were refused, as they came.
CREATE TABLE refused (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    id BLOB NOT NULL,
    bytes BLOB NOT NULL,
    signature BLOB NOT NULL,
    reason TEXT NOT NULL,
    arrived_ms INTEGER NOT NULL,
    PRIMARY KEY (game, id)
) STRICT, WITHOUT ROWID;

-- Every place that this key has signed; never deleted from.
CREATE TABLE signed_places (prev BLOB PRIMARY KEY, id BLOB NOT NULL) STRICT, WITHOUT ROWID;

-- The own offers. state: 0 open, 1 taken, 2 cancelled, 3 closed by a restore.
CREATE TABLE offers (
    offer_id BLOB PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL,
    signature BLOB NOT NULL,
    secret BLOB NOT NULL,
    state INTEGER NOT NULL,
    accept_id BLOB,
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE deleted_games (
    accept_id BLOB PRIMARY KEY,
    offer_id BLOB NOT NULL,
    name TEXT NOT NULL,
    deleted_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Where peers were last reached, or said to be.
CREATE TABLE addresses (
    peer BLOB NOT NULL,
    address TEXT NOT NULL,
    good_ms INTEGER NOT NULL,
    PRIMARY KEY (peer, address)
) STRICT, WITHOUT ROWID;
";

const SECOND: &str = "
-- By id first: a block names no game, only entries.
DROP INDEX entries_by_id;
CREATE UNIQUE INDEX entries_by_id ON entries (id, game);

-- summary
ALTER TABLE games ADD COLUMN last_event TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN time TEXT NOT NULL DEFAULT 'none';
ALTER TABLE games ADD COLUMN allowance_ms INTEGER;
ALTER TABLE games ADD COLUMN head_ms INTEGER NOT NULL DEFAULT 0;
-- what was put into a block last
ALTER TABLE games ADD COLUMN sent_length INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN sent_statements BLOB NOT NULL DEFAULT x'e3b0c44298fc1c14';
-- whether an own entry came from elsewhere that this store did not sign
ALTER TABLE games ADD COLUMN other_machine INTEGER NOT NULL DEFAULT 0;
-- the player's own
ALTER TABLE games ADD COLUMN muted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN memo TEXT NOT NULL DEFAULT '';

-- The only key that may accept; 'delivered': 0 no, 1 it is on the guest's disk, 2 the guest refused it.
ALTER TABLE offers ADD COLUMN guest BLOB;
ALTER TABLE offers ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE offers ADD COLUMN rematch_of INTEGER;
CREATE INDEX offers_open ON offers (guest) WHERE state = 0;

-- Offers of others that wait for this player's answer.
CREATE TABLE invites (
    offer_id BLOB PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    host BLOB NOT NULL,
    bytes BLOB NOT NULL,
    signature BLOB NOT NULL,
    arrived_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE friends (
    name TEXT PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    muted INTEGER NOT NULL DEFAULT 0,
    added_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Messages between the players. 'sent_length': the length of the log when it was put into a block with own entries.
CREATE TABLE notes (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    own INTEGER NOT NULL,
    number INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    signature BLOB NOT NULL,
    arrived_ms INTEGER NOT NULL,
    acked INTEGER NOT NULL DEFAULT 0,
    sent_length INTEGER,
    PRIMARY KEY (game, own, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX notes_not_delivered ON notes (game) WHERE own = 1 AND acked = 0;

-- Decisions in advance, with the last entry when they were made.
CREATE TABLE plans (
    plan INTEGER PRIMARY KEY AUTOINCREMENT,
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    head BLOB NOT NULL,
    text TEXT NOT NULL,
    made_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX plans_by_game ON plans (game);
";

const THIRD: &str = "
-- digest of the own statements; 'sent_statements' is what it was when they were put into a block last
ALTER TABLE games ADD COLUMN own_statements BLOB NOT NULL DEFAULT x'e3b0c44298fc1c14';

-- By which way each peer was last heard of.
CREATE TABLE contacts (
    peer BLOB PRIMARY KEY,
    path TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    connected INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Secrets of accepted invites: their hosts are looked for under them.
CREATE TABLE invite_secrets (
    host_key BLOB NOT NULL,
    secret BLOB NOT NULL,
    kept_ms INTEGER NOT NULL,
    PRIMARY KEY (host_key, secret)
) STRICT, WITHOUT ROWID;
";

const FOURTH: &str = "
-- What was last put into a mailbox of what a player is owed in a game, or (game 0) of the offers for it.
CREATE TABLE posted (
    mailbox BLOB NOT NULL,
    game INTEGER NOT NULL,
    recipient BLOB NOT NULL,
    -- of the content, before it was sealed
    digest BLOB NOT NULL,
    -- the sealed letter
    letter BLOB NOT NULL,
    -- the change of the game up to which the content is known to be this
    change INTEGER NOT NULL,
    -- how often the mailbox said to keep this content, and when it was last put there
    kept INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (mailbox, game, recipient)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER posted_of_deleted AFTER DELETE ON games BEGIN DELETE FROM posted WHERE game = OLD.game; END;

-- Mailboxes that players have named for themselves: addresses with keys.
CREATE TABLE mailboxes (
    peer BLOB NOT NULL,
    address TEXT NOT NULL,
    kept_ms INTEGER NOT NULL,
    PRIMARY KEY (peer, address)
) STRICT, WITHOUT ROWID;
";

/// Brings a database to the current schema.
///
/// # Errors
/// [`StoreError::NewerSchema`] of a file that a newer program has written.
pub(super) fn migrate(db: &mut Connection) -> Result<(), StoreError> {
    if version(db)? == SCHEMA {
        return Ok(());
    }
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&tx)?;
    let steps = MIGRATIONS.get(found as usize..).ok_or(StoreError::NewerSchema { found, known: SCHEMA })?;
    for step in steps {
        tx.execute_batch(step)?;
    }
    set_version(&tx)?;
    Ok(tx.commit()?)
}

fn version(db: &Connection) -> Result<u32, StoreError> {
    Ok(db.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

fn set_version(tx: &Transaction<'_>) -> Result<(), StoreError> {
    Ok(tx.pragma_update(None, "user_version", SCHEMA)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_of_the_first_schema_becomes_current() {
        let mut db = Connection::open_in_memory().expect("memory");
        db.execute_batch(FIRST).expect("the first schema");
        db.pragma_update(None, "user_version", 1).expect("memory");
        db.execute("INSERT INTO offers VALUES (x'01', 'offer-1', x'', x'', x'', 0, NULL, 5)", [])
            .expect("a row");
        migrate(&mut db).expect("known steps");
        assert_eq!(version(&db).expect("readable"), SCHEMA);
        let delivered: u8 = db.query_row("SELECT delivered FROM offers", [], |row| row.get(0)).expect("kept");
        assert_eq!(delivered, 0);
        db.pragma_update(None, "user_version", SCHEMA + 1).expect("memory");
        let newer = migrate(&mut db);
        assert!(matches!(newer, Err(StoreError::NewerSchema { .. })), "{newer:?}");
    }
}
