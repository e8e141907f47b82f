//! A player's side of its mailboxes: what to put, when to take. Values in, values out; no socket, no clock.
//!
//! One request is under way with each mailbox at a time. What is due is read from the store, so nothing is lost when a
//! mailbox is away, refuses or lies: it costs delay alone.

mod mailbox;

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey, SecretKey};

use super::boxes::Refusal;
use super::message::{Request, Response};
use crate::store::{LetterDue, Store, StoreError};
use crate::sync::engine::SyncEvent;

use mailbox::{Mailbox, Scope};

/// Mailboxes that a player names, at most.
pub const MAX_MAILBOXES: usize = 8;
/// Mailboxes of others that are used besides, at most.
pub const MAX_MAILBOXES_OF_OTHERS: usize = 16;
/// How often a connected mailbox is asked for letters, in milliseconds.
pub const TAKE_EVERY_MS: u64 = 30_000;
/// Pages that are taken one after the other, at most; the rest when it is asked next.
pub const MAX_PAGES_AT_ONCE: u32 = 32;
/// How often the store is looked through for what is due, in milliseconds, unless it changes before.
pub const LOOK_EVERY_MS: u64 = 60_000;

/// After a mailbox says that this player is not on its list, it is not asked for letters for so long, in milliseconds.
pub const UNLISTED_MS: u64 = 24 * 3_600_000;

/// Of each mailbox, the letters whose receipt is remembered, so that they are not opened again.
const MAX_SEEN: usize = 256;
/// Pauses after a mailbox fails: the first and the longest, in milliseconds.
const MAILBOX_PAUSE_MS: (u64, u64) = (30_000, 3_600_000);
/// Pauses after a letter to one recipient is refused.
const RECIPIENT_PAUSE_MS: (u64, u64) = (300_000, 6 * 3_600_000);
/// Pauses after pages that bring nothing.
const JUNK_PAUSE_MS: (u64, u64) = (60_000, 3_600_000);

/// What has come of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PostEvent {
    /// A letter told something of a game.
    Game(SyncEvent),
    /// A letter of an opponent brought something new.
    Letter {
        /// Out of which mailbox.
        mailbox: PublicKey,
        /// Who signed what was in it.
        from: PublicKey,
    },
    /// A mailbox keeps a letter.
    Kept {
        /// Which.
        mailbox: PublicKey,
        /// What about, and for whom.
        letter: LetterDue,
    },
    /// A mailbox does not keep a letter; it is tried again later.
    NotKept {
        /// Which.
        mailbox: PublicKey,
        /// What about, and for whom.
        letter: LetterDue,
        /// Why.
        reason: Refusal,
    },
    /// A mailbox gave letters that nobody can read, or the same again.
    Junk {
        /// Which.
        mailbox: PublicKey,
        /// How many.
        letters: usize,
    },
}

/// How a mailbox stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Its key.
    pub mailbox: PublicKey,
    /// Whether it is connected.
    pub connected: bool,
    /// Letters that it said to keep, since the start.
    pub put: u64,
    /// Letters that came out of it and could be read, since the start.
    pub taken: u64,
    /// Why it did not keep the latest letter.
    pub refused: Option<Refusal>,
    /// Whether it said within a day that this player is not on its list.
    pub unlisted: bool,
}

/// The mailboxes of a player, and those of others into which letters for these go.
#[derive(Debug)]
pub struct Post {
    key: SecretKey,
    mailboxes: Vec<Mailbox>,
}

impl Post {
    /// No mailbox is connected yet. Of `named` the first [`MAX_MAILBOXES`] are used; a player is no mailbox of its own.
    #[must_use]
    pub fn new(key: SecretKey, named: impl IntoIterator<Item = PublicKey>) -> Self {
        let mut post = Self { key, mailboxes: Vec::new() };
        for mailbox in named {
            if post.may_have(&mailbox) && post.mailboxes.len() < MAX_MAILBOXES {
                post.mailboxes.push(Mailbox::new(mailbox, Scope::Everybody));
            }
        }
        post
    }

    /// Says which mailboxes players have named for themselves, each with the raw keys of those players: letters for them go
    /// there too. The first [`MAX_MAILBOXES_OF_OTHERS`] are used besides the named ones.
    pub fn set_of_others(&mut self, others: &[(PublicKey, Vec<[u8; KEY_BYTES]>)]) {
        self.mailboxes.retain(|mailbox| {
            mailbox.scope == Scope::Everybody || others.iter().any(|(other, _)| *other == mailbox.key)
        });
        let named = self.mailboxes.iter().filter(|mailbox| mailbox.scope == Scope::Everybody).count();
        for (mailbox, players) in others {
            let scope = Scope::Only(players.clone());
            if let Some(known) = self.find(mailbox) {
                known.rescope(scope);
            } else if self.may_have(mailbox) && self.mailboxes.len() < named + MAX_MAILBOXES_OF_OTHERS {
                self.mailboxes.push(Mailbox::new(*mailbox, scope));
            }
        }
    }

    /// The mailboxes.
    pub fn mailboxes(&self) -> impl Iterator<Item = PublicKey> {
        self.mailboxes.iter().map(|mailbox| mailbox.key)
    }

    /// How each mailbox stands.
    #[must_use]
    pub fn standing(&self, now_ms: u64) -> Vec<Standing> {
        self.mailboxes.iter().map(|mailbox| mailbox.standing(now_ms)).collect()
    }

    /// A peer is connected; if it is a mailbox, letters are taken at once.
    pub fn connected(&mut self, peer: &PublicKey) {
        if let Some(mailbox) = self.find(peer) {
            mailbox.connected();
        }
    }

    /// A peer is gone: what it is owed goes into mailboxes from now on.
    pub fn disconnected(&mut self, peer: &PublicKey) {
        if let Some(mailbox) = self.find(peer) {
            mailbox.disconnected();
        }
        self.mailboxes.iter_mut().for_each(Mailbox::look_again);
    }

    /// The person has done something: everything is worth another try at once.
    pub fn wake(&mut self) {
        self.mailboxes.iter_mut().for_each(Mailbox::wake);
    }

    /// Whether a request is under way.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.mailboxes.iter().any(|mailbox| mailbox.connected && mailbox.under_way.is_some())
    }

    /// Mailboxes that are not connected and to whom there would be something to say. `is_connected`: as in [`Post::due`].
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn away(
        &mut self,
        store: &Store,
        is_connected: impl Fn(&[u8; KEY_BYTES]) -> bool,
        now_ms: u64,
    ) -> Result<Vec<PublicKey>, StoreError> {
        let own = self.key.public();
        let mut away = Vec::new();
        for mailbox in self.mailboxes.iter_mut().filter(|mailbox| !mailbox.connected) {
            if mailbox.is_wanted(store, &own, &is_connected, now_ms)? {
                away.push(mailbox.key);
            }
        }
        Ok(away)
    }

    /// What is to be sent now. `is_connected`: whether a player with these raw key bytes is reached directly. To be
    /// called after every change and every few seconds; what is returned is under way until it is answered.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn due(
        &mut self,
        store: &mut Store,
        is_connected: impl Fn(&[u8; KEY_BYTES]) -> bool,
        now_ms: u64,
    ) -> Result<Vec<(PublicKey, Request)>, StoreError> {
        let own = self.key.public();
        let mut requests = Vec::new();
        for mailbox in self.mailboxes.iter_mut().filter(|mailbox| mailbox.is_free()) {
            let request = match mailbox.next_take(&self.key, now_ms) {
                Some(request) => Some(request),
                None => mailbox.next_put(store, &own, &is_connected, now_ms)?,
            };
            requests.extend(request.map(|request| (mailbox.key, request)));
        }
        Ok(requests)
    }

    /// Judges the answer to the request that is under way with a mailbox; `None`: there was none.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn answered(
        &mut self,
        store: &mut Store,
        peer: &PublicKey,
        response: Option<Response>,
        now_ms: u64,
    ) -> Result<Vec<PostEvent>, StoreError> {
        let key = self.key.clone();
        match self.find(peer) {
            Some(mailbox) => mailbox.answered(store, &key, response, now_ms),
            None => Ok(Vec::new()),
        }
    }

    fn may_have(&self, mailbox: &PublicKey) -> bool {
        *mailbox != self.key.public() && self.mailboxes.iter().all(|known| known.key != *mailbox)
    }

    fn find(&mut self, peer: &PublicKey) -> Option<&mut Mailbox> {
        self.mailboxes.iter_mut().find(|mailbox| mailbox.key == *peer)
    }
}
