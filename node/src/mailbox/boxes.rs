//! What a mailbox keeps: sealed letters for the keys on its owner's list, in a file of its own.
//!
//! Everything is bounded: a letter, a box, what one sender may fill of a box, what all senders together may fill who are
//! not on the list, and the file. Who is on the list cannot be locked out of a box by strangers.

mod error;
mod share;

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};
use chakart_core::protocol::receipt::{LetterId, SignedReceipt};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::seal::is_letter_length;

pub use error::{BadReceipt, BoxError, PostError, ReceiptError, Refusal};

/// How long a letter is kept, in milliseconds: 30 days.
pub const KEEP_MS: u64 = 30 * 24 * 3_600_000;
/// Bytes of letters in one box, at most.
pub const MAX_BOX_BYTES: u64 = 4 << 20;
/// Letters in one box, at most.
pub const MAX_BOX_LETTERS: u64 = 256;
/// Of a box, the part that one sender may fill: one of so many.
pub const SENDERS_PER_BOX: u64 = 4;
/// Of a box, the part that all senders together may fill who are not on the list: one of so many.
pub const STRANGERS_PER_BOX: u64 = 2;
/// Bytes of letters in all boxes, at most, unless the owner says otherwise.
pub const DEFAULT_MAX_BYTES: u64 = 2 << 30;
/// Letters on one page, at most.
pub const MAX_PAGE_LETTERS: usize = 64;
/// Bytes of letters on one page, at most; a longer letter is a page by itself.
pub const MAX_PAGE_BYTES: usize = 256 * 1024;

/// The schema that this program writes, as SQLite's `user_version`.
const SCHEMA: u32 = 1;
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Of the file, what is in memory at most, in KiB.
const CACHE_KIB: i64 = 4_096;

const TABLES: &str = "
CREATE TABLE letters (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient BLOB NOT NULL,
    id BLOB NOT NULL,
    sender BLOB NOT NULL,
    bytes INTEGER NOT NULL,
    arrived_ms INTEGER NOT NULL,
    -- last: the columns before it are read without it
    letter BLOB NOT NULL,
    UNIQUE (recipient, id)
) STRICT;
CREATE INDEX letters_by_age ON letters (arrived_ms);

-- Bytes of all letters, in one row.
CREATE TABLE total (bytes INTEGER NOT NULL) STRICT;
INSERT INTO total VALUES (0);
CREATE TRIGGER letter_in AFTER INSERT ON letters BEGIN UPDATE total SET bytes = bytes + NEW.bytes; END;
CREATE TRIGGER letter_out AFTER DELETE ON letters BEGIN UPDATE total SET bytes = bytes - OLD.bytes; END;
";

/// The boxes of one mailbox.
#[derive(Debug)]
pub struct Boxes {
    db: Connection,
    own: PublicKey,
    listed: HashSet<[u8; 32]>,
    max_bytes: u64,
}

/// A letter that somebody brings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Posting {
    /// For whom it is.
    pub recipient: PublicKey,
    /// The sealed letter.
    pub letter: Vec<u8>,
    /// An earlier letter of the same sender to the same recipient that says nothing which this one does not say.
    pub replaces: Option<LetterId>,
}

/// Letters for one recipient, the oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// At most [`MAX_PAGE_LETTERS`], of [`MAX_PAGE_BYTES`] together or one.
    pub letters: Vec<Vec<u8>>,
    /// Whether more wait.
    pub more: bool,
}

/// How full a mailbox is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fill {
    /// Recipients with letters.
    pub boxes: u64,
    /// Letters.
    pub letters: u64,
    /// Bytes of letters.
    pub bytes: u64,
}

impl Boxes {
    /// Opens the file of a mailbox, or makes one. `own`: the key of its owner; `listed`: for whom letters are kept;
    /// `max_bytes`: of all letters together.
    ///
    /// # Errors
    /// [`BoxError`]
    pub fn open(
        file: &Path,
        own: PublicKey,
        listed: impl IntoIterator<Item = PublicKey>,
        max_bytes: u64,
    ) -> Result<Self, BoxError> {
        Self::with(Connection::open(file)?, own, listed, max_bytes)
    }

    fn with(
        mut db: Connection,
        own: PublicKey,
        listed: impl IntoIterator<Item = PublicKey>,
        max_bytes: u64,
    ) -> Result<Self, BoxError> {
        db.busy_timeout(BUSY_TIMEOUT)?;
        // Before the first table; space of deleted letters goes back to the disk in `expire`.
        db.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        // A letter that a power cut takes is put again by its sender: no fsync for each.
        db.pragma_update(None, "synchronous", "NORMAL")?;
        // In pages if positive, in KiB if negative.
        db.pragma_update(None, "cache_size", -CACHE_KIB)?;
        migrate(&mut db)?;
        let listed = listed.into_iter().map(<[u8; 32]>::from).collect();
        Ok(Self { db, own, listed, max_bytes })
    }

    /// Whether letters are kept for a key.
    #[must_use]
    pub fn is_listed(&self, player: &PublicKey) -> bool {
        self.is_listed_key(player.as_bytes())
    }

    pub(super) fn is_listed_key(&self, player: &[u8; KEY_BYTES]) -> bool {
        self.listed.contains(player)
    }

    /// Keeps a letter. One that is here already is kept as it is. `sender`: whose connection brings it.
    ///
    /// # Errors
    /// [`PostError`]; then nothing has changed.
    pub fn put(&mut self, sender: &PublicKey, posting: &Posting, now_ms: u64) -> Result<(), PostError> {
        let Posting { recipient, letter, replaces } = posting;
        if !self.is_listed(recipient) {
            return Err(Refusal::NotListed.into());
        }
        if !is_letter_length(letter.len()) {
            return Err(Refusal::NotALetter.into());
        }
        let id = LetterId::of(letter);
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if is_here(&tx, recipient, &id)? {
            return Ok(());
        }
        if let Some(replaced) = replaces {
            tx.prepare_cached("DELETE FROM letters WHERE recipient = ?1 AND id = ?2 AND sender = ?3")?
                .execute([recipient.as_bytes(), &replaced.0, sender.as_bytes()])?;
        }
        let bytes = letter.len() as u64;
        share::check(&tx, &self.listed, sender, recipient, bytes)?;
        let all: u64 = tx.query_row("SELECT bytes FROM total", [], |row| row.get(0))?;
        if all + bytes > self.max_bytes {
            return Err(Refusal::AllFull.into());
        }
        tx.prepare_cached(
            "INSERT INTO letters (recipient, id, sender, bytes, arrived_ms, letter) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![recipient.as_bytes(), id.0, sender.as_bytes(), bytes, now_ms, letter])?;
        Ok(tx.commit()?)
    }

    /// The oldest letters for a player on the list; they stay until a receipt.
    ///
    /// # Errors
    /// [`PostError`], of refusals only [`Refusal::NotListed`].
    pub fn take(&self, recipient: &PublicKey) -> Result<Page, PostError> {
        if !self.is_listed(recipient) {
            return Err(Refusal::NotListed.into());
        }
        // Without the letters themselves: SQLite would carry them through the sorting.
        let sql = "SELECT number, bytes FROM letters WHERE recipient = ?1 ORDER BY number";
        let mut query = self.db.prepare_cached(sql)?;
        let mut rows = query.query([recipient.as_bytes()])?;
        let (mut numbers, mut bytes, mut more) = (Vec::new(), 0, false);
        while let Some(row) = rows.next()? {
            bytes += row.get::<_, usize>(1)?;
            if numbers.len() == MAX_PAGE_LETTERS || (!numbers.is_empty() && bytes > MAX_PAGE_BYTES) {
                more = true;
                break;
            }
            numbers.push(row.get::<_, i64>(0)?);
        }
        let mut letter = self.db.prepare_cached("SELECT letter FROM letters WHERE number = ?1")?;
        let letters = numbers
            .iter()
            .map(|number| letter.query_row([number], |row| row.get(0)))
            .collect::<Result<_, _>>()?;
        Ok(Page { letters, more })
    }

    /// Deletes the letters that their recipient says to have taken; how many were here.
    ///
    /// # Errors
    /// [`ReceiptError`]; then nothing has changed.
    pub fn receipt(&mut self, recipient: &PublicKey, signed: &SignedReceipt) -> Result<usize, ReceiptError> {
        let receipt = signed.decode().map_err(BadReceipt::Decode)?;
        if receipt.mailbox != self.own {
            return Err(BadReceipt::OtherMailbox.into());
        }
        signed.verify(recipient).map_err(BadReceipt::Signature)?;
        self.delete(recipient, receipt.letters.as_slice()).map_err(|error| ReceiptError::Boxes(error.into()))
    }

    fn delete(&mut self, recipient: &PublicKey, letters: &[LetterId]) -> Result<usize, rusqlite::Error> {
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut deleted = 0;
        for id in letters {
            deleted += tx
                .prepare_cached("DELETE FROM letters WHERE recipient = ?1 AND id = ?2")?
                .execute([recipient.as_bytes(), &id.0])?;
        }
        tx.commit()?;
        Ok(deleted)
    }

    /// Deletes what is older than [`KEEP_MS`] or for somebody who is on the list no longer, and gives the space back to
    /// the disk; how many letters that were.
    ///
    /// # Errors
    /// [`BoxError`]
    pub fn expire(&mut self, now_ms: u64) -> Result<usize, BoxError> {
        let before = now_ms.saturating_sub(KEEP_MS);
        let mut gone = self.db.execute("DELETE FROM letters WHERE arrived_ms < ?1", [before])?;
        for recipient in self.recipients()? {
            if !self.listed.contains(&recipient) {
                gone += self.db.execute("DELETE FROM letters WHERE recipient = ?1", [recipient])?;
            }
        }
        self.db.execute_batch("PRAGMA incremental_vacuum")?;
        Ok(gone)
    }

    /// How full the mailbox is.
    ///
    /// # Errors
    /// [`BoxError`]
    pub fn fill(&self) -> Result<Fill, BoxError> {
        let sql = "SELECT count(DISTINCT recipient), count(*), (SELECT bytes FROM total) FROM letters";
        Ok(self.db.query_row(sql, [], |row| {
            Ok(Fill { boxes: row.get(0)?, letters: row.get(1)?, bytes: row.get(2)? })
        })?)
    }

    fn recipients(&self) -> Result<Vec<[u8; 32]>, rusqlite::Error> {
        let mut query = self.db.prepare_cached("SELECT DISTINCT recipient FROM letters")?;
        query.query_map([], |row| row.get(0))?.collect()
    }
}

fn migrate(db: &mut Connection) -> Result<(), BoxError> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match tx.pragma_query_value(None, "user_version", |row| row.get(0))? {
        0 => {
            tx.execute_batch(TABLES)?;
            tx.pragma_update(None, "user_version", SCHEMA)?;
            Ok(tx.commit()?)
        }
        SCHEMA => Ok(()),
        found => Err(BoxError::NewerSchema { found }),
    }
}

fn is_here(tx: &Transaction<'_>, recipient: &PublicKey, id: &LetterId) -> Result<bool, rusqlite::Error> {
    let sql = "SELECT 1 FROM letters WHERE recipient = ?1 AND id = ?2";
    Ok(tx.prepare_cached(sql)?.query_row([recipient.as_bytes(), &id.0], |_| Ok(())).optional()?.is_some())
}

#[cfg(test)]
mod tests {
    use chakart_core::protocol::keys::SecretKey;
    use chakart_core::protocol::receipt::{LetterIds, Receipt};

    use super::*;

    const NOW_MS: u64 = 1_800_000_000_000;
    const KIB: usize = 1_024;

    fn key(seed: u16) -> SecretKey {
        let mut bytes = [0; 32];
        bytes[..2].copy_from_slice(&seed.to_le_bytes());
        SecretKey::from_seed(&bytes)
    }

    fn player(seed: u16) -> PublicKey {
        key(seed).public()
    }

    /// Of owner 0, for the keys 1 to `listed`.
    fn boxes(listed: u16, max_bytes: u64) -> Boxes {
        let db = Connection::open_in_memory().expect("memory");
        Boxes::with(db, player(0), (1..=listed).map(player), max_bytes).expect("fresh")
    }

    fn letter(number: u32, bytes: usize) -> Vec<u8> {
        let mut letter = vec![0; bytes];
        letter[..4].copy_from_slice(&number.to_le_bytes());
        letter
    }

    fn posting(to: u16, number: u32, bytes: usize) -> Posting {
        Posting { recipient: player(to), letter: letter(number, bytes), replaces: None }
    }

    fn refusal(put: Result<(), PostError>) -> Option<Refusal> {
        match put {
            Ok(()) => None,
            Err(PostError::Refused(refusal)) => Some(refusal),
            Err(PostError::Boxes(error)) => unreachable!("{error}"),
        }
    }

    fn receipt_of(letters: &[Vec<u8>], mailbox: u16, author: u16) -> SignedReceipt {
        let ids = letters.iter().map(|letter| LetterId::of(letter)).collect();
        let letters = LetterIds::new(ids).expect("a page of letters");
        SignedReceipt::sign(&Receipt { mailbox: player(mailbox), at_ms: NOW_MS, letters }, &key(author))
    }

    #[test]
    fn letters_wait_until_their_recipient_has_them() {
        let mut boxes = boxes(2, DEFAULT_MAX_BYTES);
        for number in [1, 2, 1] {
            boxes.put(&player(9), &posting(1, number, KIB), NOW_MS).expect("room");
        }
        let page = boxes.take(&player(1)).expect("listed");
        assert_eq!(page, Page { letters: vec![letter(1, KIB), letter(2, KIB)], more: false });
        assert_eq!(boxes.take(&player(2)).expect("listed").letters, Vec::<Vec<u8>>::new());
        let others = receipt_of(&page.letters, 0, 2);
        assert_eq!(boxes.receipt(&player(2), &others).expect("valid"), 0, "only the recipient's are deleted");
        assert_eq!(boxes.receipt(&player(1), &receipt_of(&page.letters, 0, 1)).expect("valid"), 2);
        assert_eq!(boxes.fill().expect("readable"), Fill { boxes: 0, letters: 0, bytes: 0 });
    }

    #[test]
    fn bad_receipts_delete_nothing() {
        let mut boxes = boxes(2, DEFAULT_MAX_BYTES);
        boxes.put(&player(9), &posting(1, 1, KIB), NOW_MS).expect("room");
        let letters = [letter(1, KIB)];
        let mut damaged = receipt_of(&letters, 0, 1);
        damaged.bytes.pop();
        for bad in [receipt_of(&letters, 0, 2), receipt_of(&letters, 5, 1), damaged] {
            let judged = boxes.receipt(&player(1), &bad);
            assert!(matches!(judged, Err(ReceiptError::Bad(_))), "{judged:?}");
        }
        assert_eq!(boxes.fill().expect("readable").letters, 1);
    }

    #[test]
    fn only_letters_to_listed_keys_are_kept_and_given() {
        let mut boxes = boxes(1, DEFAULT_MAX_BYTES);
        assert_eq!(refusal(boxes.put(&player(1), &posting(2, 1, KIB), NOW_MS)), Some(Refusal::NotListed));
        assert!(matches!(boxes.take(&player(2)), Err(PostError::Refused(Refusal::NotListed))));
        for bytes in [0, 100, 1_025, 3 * KIB, 1024 * KIB] {
            let mut posting = posting(1, 1, 4);
            posting.letter = vec![0; bytes];
            assert_eq!(
                refusal(boxes.put(&player(1), &posting, NOW_MS)),
                Some(Refusal::NotALetter),
                "{bytes}"
            );
        }
    }

    #[test]
    fn a_sender_fills_a_quarter_and_strangers_half_of_a_box() {
        let mut boxes = boxes(4, DEFAULT_MAX_BYTES);
        let mut number = 0;
        let mut fill = |boxes: &mut Boxes, sender: u16| {
            for kept in 0.. {
                number += 1;
                if let Some(refusal) = refusal(boxes.put(&player(sender), &posting(1, number, KIB), NOW_MS)) {
                    return (kept, refusal);
                }
            }
            unreachable!("a box is bounded")
        };
        assert_eq!(fill(&mut boxes, 100), (64, Refusal::SenderFull));
        assert_eq!(fill(&mut boxes, 101), (64, Refusal::SenderFull));
        assert_eq!(fill(&mut boxes, 102), (0, Refusal::BoxFull));
        assert_eq!(fill(&mut boxes, 2), (64, Refusal::SenderFull), "a friend finds room beside strangers");
        assert_eq!(fill(&mut boxes, 3), (64, Refusal::SenderFull));
        assert_eq!(fill(&mut boxes, 4), (0, Refusal::BoxFull));
        let mut large = 1_000_000;
        let mut put_large = || {
            large += 1;
            refusal(boxes.put(&player(100), &posting(2, large, 512 * KIB), NOW_MS))
        };
        assert_eq!([put_large(), put_large(), put_large()], [None, None, Some(Refusal::SenderFull)]);
    }

    #[test]
    fn a_letter_takes_the_place_of_an_earlier_one_of_its_sender() {
        let mut boxes = boxes(1, 2 * KIB as u64);
        let replacing = |number, replaced: u32, bytes| Posting {
            replaces: Some(LetterId::of(&letter(replaced, KIB))),
            ..posting(1, number, bytes)
        };
        boxes.put(&player(8), &posting(1, 1, KIB), NOW_MS).expect("room");
        boxes.put(&player(9), &replacing(2, 1, KIB), NOW_MS).expect("room");
        assert_eq!(boxes.take(&player(1)).expect("listed").letters.len(), 2, "not of another sender");
        let refused = refusal(boxes.put(&player(8), &replacing(3, 1, 2 * KIB), NOW_MS));
        assert_eq!(refused, Some(Refusal::AllFull));
        assert_eq!(boxes.take(&player(1)).expect("listed").letters.len(), 2, "a refusal changes nothing");
        boxes.put(&player(8), &replacing(4, 1, KIB), NOW_MS).expect("the place of the first");
        let letters = boxes.take(&player(1)).expect("listed").letters;
        assert_eq!(letters, [letter(2, KIB), letter(4, KIB)]);
    }

    #[test]
    fn pages_are_short_or_one_letter() {
        let mut boxes = boxes(1, DEFAULT_MAX_BYTES);
        let mut put = |sender, number, bytes| {
            boxes.put(&player(sender), &posting(1, number, bytes), NOW_MS).expect("room");
        };
        put(1, 1, 512 * KIB);
        put(1, 2, 128 * KIB);
        put(1, 3, 128 * KIB);
        put(1, 4, KIB);
        (5..69).for_each(|number| put(2, number, KIB));
        let mut pages = Vec::new();
        loop {
            let page = boxes.take(&player(1)).expect("listed");
            pages.push((page.letters.len(), page.letters.concat().len() / KIB));
            boxes.receipt(&player(1), &receipt_of(&page.letters, 0, 1)).expect("valid");
            if !page.more {
                break;
            }
        }
        assert_eq!(pages, [(1, 512), (2, 256), (64, 64), (1, 1)]);
    }

    #[test]
    fn letters_go_after_thirty_days_and_with_their_recipient() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = folder.path().join("mailbox.db");
        let open = |listed: u16| {
            Boxes::open(&file, player(0), (1..=listed).map(player), DEFAULT_MAX_BYTES).expect("own file")
        };
        let mut boxes = open(2);
        boxes.put(&player(9), &posting(1, 1, KIB), NOW_MS).expect("room");
        boxes.put(&player(9), &posting(1, 2, KIB), NOW_MS + 1).expect("room");
        boxes.put(&player(9), &posting(2, 3, KIB), NOW_MS + 1).expect("room");
        assert_eq!(boxes.expire(NOW_MS + KEEP_MS).expect("own file"), 0);
        assert_eq!(boxes.expire(NOW_MS + KEEP_MS + 1).expect("own file"), 1);
        assert_eq!(boxes.fill().expect("readable"), Fill { boxes: 2, letters: 2, bytes: 2 * KIB as u64 });
        drop(boxes);
        let mut boxes = open(1);
        assert_eq!(boxes.expire(NOW_MS).expect("own file"), 1);
        assert_eq!(boxes.fill().expect("readable"), Fill { boxes: 1, letters: 1, bytes: KIB as u64 });
    }

    #[test]
    fn a_thousand_boxes_are_served_from_the_disk() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let file = folder.path().join("mailbox.db");
        let mut boxes =
            Boxes::open(&file, player(0), (1..=1_000).map(player), DEFAULT_MAX_BYTES).expect("own file");
        for to in 1..=1_000 {
            for number in 0..2 {
                boxes.put(&player(1_001), &posting(to, number, 4 * KIB), NOW_MS).expect("room");
            }
        }
        let expected = Fill { boxes: 1_000, letters: 2_000, bytes: 2_000 * 4 * KIB as u64 };
        assert_eq!(boxes.fill().expect("readable"), expected);
        assert_eq!(boxes.take(&player(777)).expect("listed").letters.len(), 2);
    }

    #[test]
    fn a_file_of_a_newer_program_is_left_alone() {
        let db = Connection::open_in_memory().expect("memory");
        db.pragma_update(None, "user_version", SCHEMA + 1).expect("memory");
        let opened = Boxes::with(db, player(0), [], DEFAULT_MAX_BYTES);
        assert!(matches!(opened, Err(BoxError::NewerSchema { found }) if found == SCHEMA + 1));
    }
}
