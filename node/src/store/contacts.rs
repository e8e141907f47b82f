//! By which way each peer was last heard of, and what helps to find those who never were.

use std::collections::HashMap;

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{OptionalExtension, Row};

use super::{Store, StoreError, begin};

/// Secrets of accepted invites that are kept: the latest.
const MAX_INVITE_SECRETS: usize = 64;

/// A way by which entries travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Path {
    /// A connection from host to host.
    Direct,
    /// A connection from host to host that began through a relay.
    Punched,
    /// A connection through a relay.
    Relayed,
    /// A connection within the local network.
    Lan,
    /// Letters in a mailbox.
    Mailbox,
    /// Blocks in mails or on a stick.
    Mail,
}

/// How a peer was last heard of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contact {
    /// By which way.
    pub path: Path,
    /// Since when, in milliseconds of Unix time.
    pub at_ms: u64,
    /// Whether the node of this home said that the peer is connected; true of a running node only.
    pub connected: bool,
}

impl Path {
    const ALL: [Self; 6] = [Self::Direct, Self::Punched, Self::Relayed, Self::Lan, Self::Mailbox, Self::Mail];

    /// Its name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Punched => "punched",
            Self::Relayed => "relayed",
            Self::Lan => "lan",
            Self::Mailbox => "mailbox",
            Self::Mail => "mail",
        }
    }
}

impl ToSql for Path {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for Path {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        Self::ALL.into_iter().find(|path| path.name() == name).ok_or(FromSqlError::InvalidType)
    }
}

impl Store {
    /// Notes that a peer was heard of by some way, and whether it is connected by it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn note_contact(
        &mut self,
        peer: &PublicKey,
        path: Path,
        connected: bool,
        now_ms: u64,
    ) -> Result<(), StoreError> {
        self.db.prepare_cached("INSERT OR REPLACE INTO contacts VALUES (?1, ?2, ?3, ?4)")?.execute((
            *peer.as_bytes(),
            path,
            now_ms,
            connected,
        ))?;
        Ok(())
    }

    /// Notes that a peer is not connected any more, or (without one) that none is.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn note_disconnected(&mut self, peer: Option<&PublicKey>, now_ms: u64) -> Result<(), StoreError> {
        let peer = peer.map(|peer| *peer.as_bytes());
        let sql =
            "UPDATE contacts SET connected = 0, at_ms = ?2 WHERE connected = 1 AND (?1 IS NULL OR peer = ?1)";
        self.db.prepare_cached(sql)?.execute((peer, now_ms))?;
        Ok(())
    }

    /// How a peer was last heard of.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn contact(&self, peer: &[u8; KEY_BYTES]) -> Result<Option<Contact>, StoreError> {
        let sql = "SELECT path, at_ms, connected FROM contacts WHERE peer = ?1";
        Ok(self.db.prepare_cached(sql)?.query_row([*peer], |row| contact(row, 0)).optional()?)
    }

    /// How everybody was last heard of.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn contacts(&self) -> Result<HashMap<[u8; KEY_BYTES], Contact>, StoreError> {
        let mut query = self.db.prepare_cached("SELECT peer, path, at_ms, connected FROM contacts")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, contact(row, 1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps the secret of an accepted invite: its host is looked for under it until it answers.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn keep_invite_secret(
        &mut self,
        host: &PublicKey,
        secret: &[u8],
        now_ms: u64,
    ) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        tx.execute(
            "INSERT OR REPLACE INTO invite_secrets VALUES (?1, ?2, ?3)",
            (*host.as_bytes(), secret, now_ms),
        )?;
        tx.execute(
            "DELETE FROM invite_secrets WHERE secret NOT IN
                 (SELECT secret FROM invite_secrets ORDER BY kept_ms DESC LIMIT ?1)",
            [MAX_INVITE_SECRETS],
        )?;
        Ok(tx.commit()?)
    }

    /// The secrets of accepted invites whose host has not set up the board yet, with the host.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn invite_secrets(&self) -> Result<Vec<(PublicKey, Vec<u8>)>, StoreError> {
        let sql = "SELECT DISTINCT host_key, secret FROM invite_secrets
                   JOIN games ON opponent = host_key WHERE waiting IN (1, 2)";
        let mut query = self.db.prepare_cached(sql)?;
        let rows: Vec<([u8; KEY_BYTES], Vec<u8>)> =
            query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        let known =
            rows.into_iter().filter_map(|(key, secret)| Some((PublicKey::from_bytes(&key).ok()?, secret)));
        Ok(known.collect())
    }
}

fn contact(row: &Row<'_>, first: usize) -> rusqlite::Result<Contact> {
    Ok(Contact { path: row.get(first)?, at_ms: row.get(first + 1)?, connected: row.get(first + 2)? })
}

#[cfg(test)]
mod tests {
    use chakart_core::protocol::keys::SecretKey;

    use super::*;

    #[test]
    fn the_last_way_of_each_peer_is_kept() {
        let mut store = Store::in_memory(SecretKey::from_seed(&[1; 32])).expect("memory");
        let [ada, bob] = [2, 3].map(|seed| SecretKey::from_seed(&[seed; 32]).public());
        for path in Path::ALL {
            store.note_contact(&ada, path, true, 5).expect("writable");
            assert_eq!(
                store.contact(ada.as_bytes()).expect("readable").map(|contact| contact.path),
                Some(path)
            );
        }
        store.note_contact(&bob, Path::Lan, true, 6).expect("writable");
        store.note_disconnected(Some(&bob), 7).expect("writable");
        let contacts = store.contacts().expect("readable");
        assert_eq!(contacts[bob.as_bytes()], Contact { path: Path::Lan, at_ms: 7, connected: false });
        assert!(contacts[ada.as_bytes()].connected);
        store.note_disconnected(None, 8).expect("writable");
        assert!(store.contacts().expect("readable").values().all(|contact| !contact.connected));
    }
}
