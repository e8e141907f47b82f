//! What is owed to players who are away, as the content of letters, and what was put into which mailbox.

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};
use chakart_core::protocol::receipt::LetterId;
use chakart_core::transcript::armour::Block;
use rusqlite::{OptionalExtension, params};
use sha2::{Digest, Sha256};

use super::blocks::Outgoing;
use super::{GameNo, GameSummary, Store, StoreError};

/// A mailbox that keeps a letter is not given the same content again for so long, in milliseconds: 10 days.
pub const REPUT_MS: u64 = 10 * 24 * 3_600_000;
/// How often a mailbox is given the same content, at most. After that it has kept it for the time of three letters, and
/// only a meeting or something new goes on.
pub const MAX_PUTS: u32 = 3;

/// What letters can be about: one letter each, and a new one takes the place of the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A game.
    Game(GameNo),
    /// Open offers for one player.
    Offers(PublicKey),
}

/// What a mailbox may have to be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LetterDue {
    /// About what.
    pub subject: Subject,
    /// The raw key for which it is.
    pub recipient: [u8; KEY_BYTES],
}

/// What a letter is to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LetterContent {
    /// About what.
    pub subject: Subject,
    /// For whom.
    pub recipient: PublicKey,
    /// The block to be sealed.
    pub block: Block,
    /// Of the text of the block.
    digest: [u8; 32],
    /// Of a game: what is marked as sent once a mailbox keeps it.
    outgoing: Option<Outgoing>,
    change: u64,
}

/// What was last put into a mailbox of one subject.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Posted {
    digest: [u8; 32],
    letter: LetterId,
    change: u64,
    kept: u32,
    at_ms: u64,
}

impl Store {
    /// What a mailbox may have to be given, without looking at each: games in which the opponent is not known to have
    /// everything and that changed since the last letter, and offers for one player. In the order of their changes.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn letters_due(&self, mailbox: &PublicKey, now_ms: u64) -> Result<Vec<LetterDue>, StoreError> {
        let sql = "SELECT games.game, opponent FROM games LEFT JOIN posted ON posted.mailbox = ?1 AND posted.game = games.game
                   WHERE (acked_length <> length OR acked_statements <> statements OR EXISTS
                             (SELECT 1 FROM notes WHERE notes.game = games.game AND own = 1 AND acked = 0))
                         AND (posted.game IS NULL OR posted.change <> games.change OR posted.kept = 0
                              OR (posted.kept < ?2 AND posted.at_ms <= ?3))
                   ORDER BY games.change";
        let before = now_ms.saturating_sub(REPUT_MS);
        let mut query = self.db.prepare_cached(sql)?;
        let games = query.query_map(params![mailbox.as_bytes(), MAX_PUTS, before], |row| {
            Ok(LetterDue { subject: Subject::Game(GameNo(row.get(0)?)), recipient: row.get(1)? })
        })?;
        let mut due = games.collect::<Result<Vec<_>, _>>()?;
        let guests = self.offer_guests()?.into_iter();
        due.extend(
            guests.map(|guest| LetterDue { subject: Subject::Offers(guest), recipient: *guest.as_bytes() }),
        );
        Ok(due)
    }

    /// What a mailbox is to be given now of one subject, and the letter before that it takes the place of; `None` if it has
    /// it or nothing is owed.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn letter_due(
        &mut self,
        mailbox: &PublicKey,
        subject: Subject,
        now_ms: u64,
    ) -> Result<Option<(LetterContent, Option<LetterId>)>, StoreError> {
        let Some(content) = self.letter_content(subject)? else { return Ok(None) };
        let Some(posted) = self.posted(mailbox, &content)? else { return Ok(Some((content, None))) };
        let recent = posted.at_ms > now_ms.saturating_sub(REPUT_MS);
        if posted.digest == content.digest && (posted.kept >= MAX_PUTS || (posted.kept > 0 && recent)) {
            if posted.change != content.change {
                self.note_unchanged(mailbox, &content)?;
            }
            return Ok(None);
        }
        Ok(Some((content, Some(posted.letter))))
    }

    /// Remembers a sealed letter, before its first byte leaves.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn note_letter(
        &mut self,
        mailbox: &PublicKey,
        content: &LetterContent,
        letter: LetterId,
        now_ms: u64,
    ) -> Result<(), StoreError> {
        let (game, recipient) = content.subject_columns();
        // Of another content nothing is kept yet.
        self.db.execute(
            "INSERT INTO posted VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7)
             ON CONFLICT (mailbox, game, recipient) DO UPDATE SET
                 kept = CASE WHEN digest = ?4 THEN kept ELSE 0 END,
                 digest = ?4, letter = ?5, change = ?6, at_ms = ?7",
            params![
                mailbox.as_bytes(),
                game,
                recipient.as_bytes(),
                content.digest,
                letter.0,
                content.change,
                now_ms
            ],
        )?;
        Ok(())
    }

    /// Remembers that a mailbox keeps a letter.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn note_letter_kept(
        &mut self,
        mailbox: &PublicKey,
        content: &LetterContent,
    ) -> Result<(), StoreError> {
        if let Some(outgoing) = content.outgoing.as_ref().filter(|outgoing| !outgoing.repeated) {
            if self.game_if_kept(outgoing.game)?.is_none() {
                return Ok(());
            }
            self.mark_sent(outgoing)?;
        }
        let (game, recipient) = content.subject_columns();
        self.db.execute(
            "UPDATE posted SET kept = kept + 1 WHERE mailbox = ?1 AND game = ?2 AND recipient = ?3 AND digest = ?4",
            params![mailbox.as_bytes(), game, recipient.as_bytes(), content.digest],
        )?;
        Ok(())
    }

    fn letter_content(&mut self, subject: Subject) -> Result<Option<LetterContent>, StoreError> {
        let (recipient, block, outgoing, change) = match subject {
            Subject::Game(game) => {
                let Some(summary) = self.game_if_kept(game)? else { return Ok(None) };
                let outgoing = self.letter_block(game)?;
                if outgoing.is_nothing() {
                    return Ok(None);
                }
                (summary.opponent_key()?, outgoing.block.clone(), Some(outgoing), summary.change)
            }
            Subject::Offers(guest) => {
                let offers = self.undelivered_offers(&guest)?;
                if offers.is_empty() {
                    return Ok(None);
                }
                let entries = offers.into_iter().map(|own| own.offer).collect();
                (guest, Block { entries, ..Block::default() }, None, 0)
            }
        };
        let digest = Sha256::digest(block.lines()).into();
        Ok(Some(LetterContent { subject, recipient, block, digest, outgoing, change }))
    }

    fn game_if_kept(&self, game: GameNo) -> Result<Option<GameSummary>, StoreError> {
        match self.game(game) {
            Ok(summary) => Ok(Some(summary)),
            Err(StoreError::NoSuchGame) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn posted(&self, mailbox: &PublicKey, content: &LetterContent) -> Result<Option<Posted>, StoreError> {
        let (game, recipient) = content.subject_columns();
        let sql = "SELECT digest, letter, change, kept, at_ms FROM posted
                   WHERE mailbox = ?1 AND game = ?2 AND recipient = ?3";
        let mut query = self.db.prepare_cached(sql)?;
        let row = query.query_row(params![mailbox.as_bytes(), game, recipient.as_bytes()], |row| {
            Ok(Posted {
                digest: row.get(0)?,
                letter: LetterId(row.get(1)?),
                change: row.get(2)?,
                kept: row.get(3)?,
                at_ms: row.get(4)?,
            })
        });
        Ok(row.optional()?)
    }

    /// The game has changed, but not what its letter says.
    fn note_unchanged(&mut self, mailbox: &PublicKey, content: &LetterContent) -> Result<(), StoreError> {
        let (game, recipient) = content.subject_columns();
        self.db.execute(
            "UPDATE posted SET change = ?4 WHERE mailbox = ?1 AND game = ?2 AND recipient = ?3",
            params![mailbox.as_bytes(), game, recipient.as_bytes(), content.change],
        )?;
        Ok(())
    }
}

impl LetterContent {
    const fn subject_columns(&self) -> (i64, &PublicKey) {
        match self.subject {
            Subject::Game(game) => (game.0, &self.recipient),
            Subject::Offers(_) => (0, &self.recipient),
        }
    }
}
