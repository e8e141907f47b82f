//! What is this player's own business: names for keys, memos, whose messages are not announced. Never sent.

use chakart_core::protocol::keys::PublicKey;
use rusqlite::{Connection, OptionalExtension, Row};

use super::find::stem;
use super::session::touch;
use super::{FriendError, GameNo, Store, StoreError, begin};

/// Friends that are kept, at most.
pub const MAX_FRIENDS: usize = 10_000;
/// Longest memo of a game, in bytes; what is longer is cut.
pub const MAX_MEMO_BYTES: usize = 64 * 1024;

/// A name for a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Friend {
    /// What this player calls them.
    pub name: String,
    /// Who it is.
    pub key: PublicKey,
    /// Whether their messages are not announced.
    pub muted: bool,
}

impl Store {
    /// Gives a key a name: games with it that begin later are called after it.
    ///
    /// # Errors
    /// [`FriendError`]
    pub fn add_friend(&mut self, name: &str, key: &PublicKey, now_ms: u64) -> Result<(), FriendError> {
        if stem(name).as_deref() != Some(name) {
            return Err(FriendError::BadName(name.to_owned()));
        }
        if *key == self.player() {
            return Err(FriendError::OwnKey);
        }
        let tx = begin(&mut self.db)?;
        match (friend_name(&tx, key)?, find(&tx, name)?) {
            (Some(known), _) if known == name => return Ok(()),
            (Some(known), _) => return Err(FriendError::KeyKnown(known)),
            (None, Some(_)) => return Err(FriendError::NameTaken(name.to_owned())),
            (None, None) => {}
        }
        let count: usize = tx.query_row("SELECT count(*) FROM friends", [], |row| row.get(0))?;
        if count >= MAX_FRIENDS {
            return Err(FriendError::TooMany(MAX_FRIENDS));
        }
        tx.execute(
            "INSERT INTO friends (name, key, added_ms) VALUES (?1, ?2, ?3)",
            (name, key.as_bytes(), now_ms),
        )?;
        Ok(tx.commit()?)
    }

    /// Forgets a friend; whether there was one of this name. Games keep their names.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn remove_friend(&mut self, name: &str) -> Result<bool, StoreError> {
        Ok(self.db.execute("DELETE FROM friends WHERE name = ?1", [name])? > 0)
    }

    /// All friends, by name.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn friends(&self) -> Result<Vec<Friend>, StoreError> {
        let mut query = self.db.prepare_cached("SELECT name, key, muted FROM friends ORDER BY name")?;
        let mut rows = query.query([])?;
        let mut friends = Vec::new();
        while let Some(row) = rows.next()? {
            friends.push(read(row)?);
        }
        Ok(friends)
    }

    /// The friend of this name.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn friend(&self, name: &str) -> Result<Option<Friend>, StoreError> {
        find(&self.db, name)
    }

    /// What this player calls a key.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn friend_name(&self, key: &PublicKey) -> Result<Option<String>, StoreError> {
        friend_name(&self.db, key)
    }

    /// No longer announces a friend's messages, or does again; whether there is one of this name.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn set_friend_muted(&mut self, name: &str, muted: bool) -> Result<bool, StoreError> {
        Ok(self.db.execute("UPDATE friends SET muted = ?2 WHERE name = ?1", (name, muted))? > 0)
    }

    /// No longer announces the opponent's messages in a game, or does again.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn set_muted(&mut self, game: GameNo, muted: bool) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        tx.execute("UPDATE games SET muted = ?2 WHERE game = ?1", (game.0, muted))?;
        touch(&tx, &mut self.sessions, game)?;
        Ok(tx.commit()?)
    }

    /// What this player wrote for itself about a game.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn memo(&self, game: GameNo) -> Result<String, StoreError> {
        let memo = self
            .db
            .query_row("SELECT memo FROM games WHERE game = ?1", [game.0], |row| row.get(0))
            .optional()?;
        memo.ok_or(StoreError::NoSuchGame)
    }

    /// Writes something for this player itself about a game, in place of what was written before.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn set_memo(&mut self, game: GameNo, text: &str) -> Result<(), StoreError> {
        let text = text.get(..text.floor_char_boundary(MAX_MEMO_BYTES)).unwrap_or_default();
        match self.db.execute("UPDATE games SET memo = ?2 WHERE game = ?1", (game.0, text))? {
            0 => Err(StoreError::NoSuchGame),
            _ => Ok(()),
        }
    }
}

/// What this player calls a key.
pub(super) fn friend_name(db: &Connection, key: &PublicKey) -> Result<Option<String>, StoreError> {
    let sql = "SELECT name FROM friends WHERE key = ?1";
    Ok(db.prepare_cached(sql)?.query_row([key.as_bytes()], |row| row.get(0)).optional()?)
}

fn find(db: &Connection, name: &str) -> Result<Option<Friend>, StoreError> {
    let sql = "SELECT name, key, muted FROM friends WHERE name = ?1";
    db.prepare_cached(sql)?.query_row([name], |row| Ok(read(row))).optional()?.transpose()
}

fn read(row: &Row<'_>) -> Result<Friend, StoreError> {
    let key = PublicKey::from_bytes(&row.get(1)?).map_err(|_| StoreError::Damaged("key of a friend"))?;
    Ok(Friend { name: row.get(0)?, key, muted: row.get(2)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chakart_core::protocol::keys::SecretKey;

    #[test]
    fn a_key_has_one_name_and_a_name_one_key() {
        let key = |n: u8| SecretKey::from_seed(&[n; 32]);
        let mut store = Store::in_memory(key(1)).expect("a fresh store");
        let (alice, bob) = (key(2).public(), key(3).public());
        store.add_friend("alice", &alice, 0).expect("a friend");
        store.add_friend("alice", &alice, 0).expect("the same again");
        assert!(matches!(store.add_friend("alice", &bob, 0), Err(FriendError::NameTaken(_))));
        assert!(
            matches!(store.add_friend("bob", &alice, 0), Err(FriendError::KeyKnown(name)) if name == "alice")
        );
        assert!(matches!(store.add_friend("Bob!", &bob, 0), Err(FriendError::BadName(_))));
        assert!(matches!(store.add_friend("me", &store.player(), 0), Err(FriendError::OwnKey)));
        assert!(store.set_friend_muted("alice", true).expect("a store"));
        let friend = Friend { name: "alice".to_owned(), key: alice, muted: true };
        assert_eq!(store.friends().expect("a store"), [friend]);
        assert!(store.remove_friend("alice").expect("a store"));
        assert_eq!(store.friend("alice").expect("a store"), None);
    }

    #[test]
    fn games_are_called_after_friends() {
        use crate::store::Salt;
        use chakart_core::protocol::entry::{ColorChoice, Name, TimeControl};
        use chakart_core::protocol::session::OfferSettings;
        use chakart_core::rules::{Setup, Variant};

        let key = |n: u8| SecretKey::from_seed(&[n; 32]);
        let [mut store, mut other] = [1, 2].map(|n| Store::in_memory(key(n)).expect("a fresh store"));
        let settings = OfferSettings {
            variant: Variant::Dynamo,
            setup: Setup::Fixed,
            color: ColorChoice::Random,
            time: TimeControl::None,
            name: Name::new("Zoe").expect("a plain name"),
            guest: None,
        };
        let mut join = |store: &mut Store, salt: u8| {
            let offer = other.create_offer(&settings, Salt::from_bytes([salt; 32]), 0).expect("room");
            let salt = Salt::from_bytes([salt ^ 0xff; 32]);
            let game = store.join(&offer.offer, Name::default(), salt, 0).expect("a good offer");
            store.game(game).expect("just joined").name
        };
        assert_eq!(join(&mut store, 1), "zoe-1");
        store.add_friend("alice", &key(2).public(), 0).expect("a friend");
        assert_eq!(join(&mut store, 2), "alice-1");
    }
}
