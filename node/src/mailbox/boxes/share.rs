//! Who may fill how much of a box.

use std::collections::HashSet;

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};
use rusqlite::Transaction;

use super::{MAX_BOX_BYTES, MAX_BOX_LETTERS, PostError, Refusal, SENDERS_PER_BOX, STRANGERS_PER_BOX};

/// Letters and bytes in one box.
#[derive(Clone, Copy, Default)]
struct Share {
    letters: u64,
    bytes: u64,
}

impl Share {
    const fn add(&mut self, bytes: u64) {
        self.letters += 1;
        self.bytes += bytes;
    }

    /// Whether one part of `parts` equal parts of a box has no room for it.
    const fn exceeds(self, parts: u64) -> bool {
        self.letters > MAX_BOX_LETTERS / parts || self.bytes > MAX_BOX_BYTES / parts
    }
}

/// Whether a letter of so many bytes has room in a box.
///
/// # Errors
/// [`Refusal::SenderFull`], [`Refusal::BoxFull`]
pub(super) fn check(
    tx: &Transaction<'_>,
    listed: &HashSet<[u8; KEY_BYTES]>,
    sender: &PublicKey,
    recipient: &PublicKey,
    bytes: u64,
) -> Result<(), PostError> {
    let (mut all, mut own, mut strangers) = (Share::default(), Share::default(), Share::default());
    let mut count = |from: &[u8; KEY_BYTES], bytes| {
        all.add(bytes);
        if from == sender.as_bytes() {
            own.add(bytes);
        }
        if !listed.contains(from) {
            strangers.add(bytes);
        }
    };
    count(sender.as_bytes(), bytes);
    let mut query = tx.prepare_cached("SELECT sender, bytes FROM letters WHERE recipient = ?1")?;
    let mut rows = query.query([recipient.as_bytes()])?;
    while let Some(row) = rows.next()? {
        count(&row.get(0)?, row.get(1)?);
    }
    if own.exceeds(SENDERS_PER_BOX) {
        return Err(Refusal::SenderFull.into());
    }
    let stranger = !listed.contains(sender.as_bytes());
    if all.exceeds(1) || (stranger && strangers.exceeds(STRANGERS_PER_BOX)) {
        return Err(Refusal::BoxFull.into());
    }
    Ok(())
}
