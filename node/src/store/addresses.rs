//! Where peers were last reached, or said to be.

use chakart_core::protocol::keys::PublicKey;

use super::{Store, StoreError, begin};

/// Addresses that are kept of one peer: the latest.
pub const MAX_ADDRESSES_PER_PEER: usize = 8;

impl Store {
    /// Keeps an address of a peer, in the text form of a multiaddr.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn keep_address(&mut self, peer: &PublicKey, address: &str, now_ms: u64) -> Result<(), StoreError> {
        let peer = *peer.as_bytes();
        let tx = begin(&mut self.db)?;
        tx.execute("INSERT OR REPLACE INTO addresses VALUES (?1, ?2, ?3)", (peer, address, now_ms))?;
        tx.execute(
            "DELETE FROM addresses WHERE peer = ?1 AND address NOT IN
                 (SELECT address FROM addresses WHERE peer = ?1 ORDER BY good_ms DESC, address LIMIT ?2)",
            (peer, MAX_ADDRESSES_PER_PEER),
        )?;
        Ok(tx.commit()?)
    }

    /// The addresses of a peer, the latest first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn addresses(&self, peer: &PublicKey) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT address FROM addresses WHERE peer = ?1 ORDER BY good_ms DESC, address";
        Ok(self
            .db
            .prepare_cached(sql)?
            .query_map([*peer.as_bytes()], |row| row.get(0))?
            .collect::<Result<_, _>>()?)
    }
}
