//! Mailboxes that players have named for themselves in their invites.

use std::collections::HashSet;

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};

use super::{GameNo, Store, StoreError, begin};

/// Mailboxes that are kept of one player: the latest.
pub const MAX_MAILBOXES_PER_PEER: usize = 4;
/// Mailboxes that are kept in all: the latest.
const MAX_MAILBOXES: usize = 256;

impl Store {
    /// Keeps a mailbox of a player, as an address with a key in its text form.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn keep_mailbox(&mut self, peer: &PublicKey, address: &str, now_ms: u64) -> Result<(), StoreError> {
        let peer = *peer.as_bytes();
        let tx = begin(&mut self.db)?;
        tx.execute("INSERT OR REPLACE INTO mailboxes VALUES (?1, ?2, ?3)", (peer, address, now_ms))?;
        tx.execute(
            "DELETE FROM mailboxes WHERE peer = ?1 AND address NOT IN
                 (SELECT address FROM mailboxes WHERE peer = ?1 ORDER BY kept_ms DESC, address LIMIT ?2)",
            (peer, MAX_MAILBOXES_PER_PEER),
        )?;
        tx.execute(
            "DELETE FROM mailboxes WHERE (peer, address) NOT IN
                 (SELECT peer, address FROM mailboxes ORDER BY kept_ms DESC, address LIMIT ?1)",
            [MAX_MAILBOXES],
        )?;
        Ok(tx.commit()?)
    }

    /// The mailboxes of other players, each with its player: those with whom something is still to be exchanged first, then
    /// the latest first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn mailboxes_of_others(&self) -> Result<Vec<([u8; KEY_BYTES], String)>, StoreError> {
        let wanted: HashSet<[u8; KEY_BYTES]> = self.wanted_peers()?.into_iter().collect();
        let sql = "SELECT peer, address FROM mailboxes ORDER BY kept_ms DESC, address";
        let mut query = self.db.prepare_cached(sql)?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut known = rows.collect::<Result<Vec<([u8; KEY_BYTES], String)>, _>>()?;
        known.sort_by_key(|(peer, _)| !wanted.contains(peer));
        Ok(known)
    }

    /// Whether a mailbox keeps all of a game that the opponent is not known to have.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn is_in_mailbox(&self, game: GameNo) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM posted JOIN games USING (game)
                   WHERE game = ?1 AND kept > 0 AND posted.change = games.change";
        Ok(self.db.prepare_cached(sql)?.exists([game.0])?)
    }
}

#[cfg(test)]
mod tests {
    use chakart_core::protocol::keys::SecretKey;

    use super::*;

    #[test]
    fn the_latest_of_each_player_are_kept() {
        let mut store = Store::in_memory(SecretKey::from_seed(&[1; 32])).expect("memory");
        let [ada, bob] = [2, 3].map(|seed| SecretKey::from_seed(&[seed; 32]).public());
        for number in 0..2 * MAX_MAILBOXES_PER_PEER as u64 {
            store.keep_mailbox(&ada, &format!("/box/{number}"), number).expect("writable");
        }
        store.keep_mailbox(&bob, "/box/7", 3).expect("writable");
        let known = store.mailboxes_of_others().expect("readable");
        let of_ada: Vec<&str> =
            known.iter().filter(|(peer, _)| peer == ada.as_bytes()).map(|(_, at)| at.as_str()).collect();
        assert_eq!(of_ada, ["/box/7", "/box/6", "/box/5", "/box/4"]);
        assert_eq!(known.len(), MAX_MAILBOXES_PER_PEER + 1);
    }
}
