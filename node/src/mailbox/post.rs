//! A player's side of its mailboxes: what to put, when to take. Values in, values out; no socket, no clock.
//!
//! One request is under way with each mailbox at a time. What is due is read from the store, so nothing is lost when a
//! mailbox is away, refuses or lies: it costs delay alone.

use std::collections::{HashMap, VecDeque};

use chakart_core::protocol::entry::MAX_AT_MS;
use chakart_core::protocol::keys::{KEY_BYTES, PublicKey, SecretKey};
use chakart_core::protocol::receipt::{LetterId, LetterIds, Receipt, SignedReceipt};

use super::boxes::{Page, Posting, Refusal};
use super::message::{Request, Response};
use super::seal;
use super::taken::{self, Taken};
use crate::store::{LetterContent, LetterDue, Store, StoreError};
use crate::sync::engine::SyncEvent;

/// Mailboxes that a player names, at most.
pub const MAX_MAILBOXES: usize = 8;
/// How often a connected mailbox is asked for letters, in milliseconds.
pub const TAKE_EVERY_MS: u64 = 30_000;
/// Pages that are taken one after the other, at most; the rest when it is asked next.
pub const MAX_PAGES_AT_ONCE: u32 = 32;
/// How often the store is looked through for what is due, in milliseconds, unless it changes before.
pub const LOOK_EVERY_MS: u64 = 60_000;

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

/// The mailboxes that a player names.
#[derive(Debug)]
pub struct Post {
    key: SecretKey,
    mailboxes: Vec<Mailbox>,
}

#[derive(Debug)]
struct Mailbox {
    key: PublicKey,
    connected: bool,
    under_way: Option<UnderWay>,
    /// Letters that were taken and are to be receipted.
    done: Option<Done>,
    /// When letters are taken next.
    take_ms: u64,
    /// Pages since the last wait.
    pages: u32,
    /// After failures, nothing is put before.
    pause: Pause,
    junk: Pause,
    recipients: HashMap<[u8; KEY_BYTES], Pause>,
    queue: VecDeque<LetterDue>,
    /// The change of the store that was looked through last, and when.
    looked: Option<(u64, u64)>,
    seen: VecDeque<LetterId>,
}

#[derive(Debug)]
enum UnderWay {
    Take,
    Receipt(Done),
    Put(Box<LetterContent>),
}

/// Letters of a page that may be deleted, and whether a further page is taken then.
#[derive(Debug)]
struct Done {
    letters: LetterIds,
    more: bool,
}

impl Post {
    /// No mailbox is connected yet. Of `mailboxes` the first [`MAX_MAILBOXES`] are used; a player is no mailbox of its own.
    #[must_use]
    pub fn new(key: SecretKey, mailboxes: impl IntoIterator<Item = PublicKey>) -> Self {
        let mut named: Vec<PublicKey> = Vec::new();
        for mailbox in mailboxes {
            if mailbox != key.public() && !named.contains(&mailbox) && named.len() < MAX_MAILBOXES {
                named.push(mailbox);
            }
        }
        Self { key, mailboxes: named.into_iter().map(Mailbox::new).collect() }
    }

    /// The mailboxes.
    pub fn mailboxes(&self) -> impl Iterator<Item = PublicKey> {
        self.mailboxes.iter().map(|mailbox| mailbox.key)
    }

    /// A peer is connected; if it is a mailbox, letters are taken at once.
    pub fn connected(&mut self, peer: &PublicKey) {
        if let Some(mailbox) = self.find(peer) {
            mailbox.connected = true;
            mailbox.under_way = None;
            mailbox.done = None;
            mailbox.wake();
        }
    }

    /// A peer is gone: what it is owed goes into mailboxes from now on.
    pub fn disconnected(&mut self, peer: &PublicKey) {
        if let Some(mailbox) = self.find(peer) {
            mailbox.connected = false;
            mailbox.under_way = None;
        }
        for mailbox in &mut self.mailboxes {
            mailbox.looked = None;
        }
    }

    /// The person has done something: everything is worth another try at once.
    pub fn wake(&mut self) {
        self.mailboxes.iter_mut().for_each(Mailbox::wake);
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
        let mut requests = Vec::new();
        for mailbox in self.mailboxes.iter_mut().filter(|mailbox| mailbox.is_free()) {
            let request = match mailbox.next_take(&self.key, now_ms) {
                Some(request) => Some(request),
                None => mailbox.next_put(store, &is_connected, now_ms)?,
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
        let Some(mailbox) = self.find(peer) else { return Ok(Vec::new()) };
        match (mailbox.under_way.take(), response) {
            (Some(UnderWay::Take), Some(Response::Letters(page))) => {
                mailbox.take_page(store, &key, page, now_ms)
            }
            (Some(UnderWay::Receipt(done)), Some(Response::Deleted)) => {
                mailbox.receipted(&done, now_ms);
                Ok(Vec::new())
            }
            (Some(UnderWay::Put(content)), Some(Response::Kept)) => {
                store.note_letter_kept(&mailbox.key, &content)?;
                mailbox.pause = Pause::default();
                mailbox.recipients.remove(content.recipient.as_bytes());
                Ok(vec![PostEvent::Kept { mailbox: mailbox.key, letter: due(&content) }])
            }
            (Some(UnderWay::Put(content)), Some(Response::Refused(reason))) => {
                mailbox.refused(&content, reason, now_ms);
                let letter = due(&content);
                Ok(vec![PostEvent::NotKept { mailbox: mailbox.key, letter, reason }])
            }
            (Some(UnderWay::Put(_)), _) => {
                mailbox.pause.grow(MAILBOX_PAUSE_MS, now_ms);
                mailbox.looked = None;
                Ok(Vec::new())
            }
            // Not listed there, or no mailbox at all: letters may be put there all the same.
            (Some(UnderWay::Take | UnderWay::Receipt(_)), _) => {
                mailbox.junk.grow(JUNK_PAUSE_MS, now_ms);
                mailbox.take_ms = mailbox.junk.until_ms;
                Ok(Vec::new())
            }
            (None, _) => Ok(Vec::new()),
        }
    }

    fn find(&mut self, peer: &PublicKey) -> Option<&mut Mailbox> {
        self.mailboxes.iter_mut().find(|mailbox| mailbox.key == *peer)
    }
}

impl Mailbox {
    fn new(key: PublicKey) -> Self {
        Self {
            key,
            connected: false,
            under_way: None,
            done: None,
            take_ms: 0,
            pages: 0,
            pause: Pause::default(),
            junk: Pause::default(),
            recipients: HashMap::new(),
            queue: VecDeque::new(),
            looked: None,
            seen: VecDeque::new(),
        }
    }

    const fn is_free(&self) -> bool {
        self.connected && self.under_way.is_none()
    }

    fn wake(&mut self) {
        self.take_ms = 0;
        self.pause = Pause::default();
        self.recipients.clear();
        self.looked = None;
    }

    fn next_take(&mut self, key: &SecretKey, now_ms: u64) -> Option<Request> {
        if let Some(done) = self.done.take() {
            let at_ms = now_ms.min(MAX_AT_MS);
            let receipt = Receipt { mailbox: self.key, at_ms, letters: done.letters.clone() };
            self.under_way = Some(UnderWay::Receipt(done));
            return Some(Request::Receipt(SignedReceipt::sign(&receipt, key)));
        }
        if now_ms < self.take_ms {
            return None;
        }
        self.take_ms = now_ms.saturating_add(TAKE_EVERY_MS);
        self.under_way = Some(UnderWay::Take);
        Some(Request::Take)
    }

    fn next_put(
        &mut self,
        store: &mut Store,
        is_connected: &impl Fn(&[u8; KEY_BYTES]) -> bool,
        now_ms: u64,
    ) -> Result<Option<Request>, StoreError> {
        if now_ms < self.pause.until_ms {
            return Ok(None);
        }
        self.look(store, now_ms)?;
        while let Some(due) = self.queue.pop_front() {
            let paused = self.recipients.get(&due.recipient).is_some_and(|pause| now_ms < pause.until_ms);
            if paused || is_connected(&due.recipient) || due.recipient == *self.key.as_bytes() {
                continue;
            }
            let Some((content, replaces)) = store.letter_due(&self.key, due.subject, now_ms)? else {
                continue;
            };
            let letter = match seal::seal(&content.block, &content.recipient) {
                Ok(letter) => letter,
                Err(error) => {
                    tracing::error!(%error, "a letter cannot be sealed");
                    self.refused(&content, Refusal::NotALetter, now_ms);
                    continue;
                }
            };
            store.note_letter(&self.key, &content, LetterId::of(&letter), now_ms)?;
            let posting = Posting { recipient: content.recipient, letter, replaces };
            self.under_way = Some(UnderWay::Put(Box::new(content)));
            return Ok(Some(Request::Put(posting)));
        }
        Ok(None)
    }

    /// Fills the queue again once it is empty, if the store has changed or was not looked through for long.
    fn look(&mut self, store: &Store, now_ms: u64) -> Result<(), StoreError> {
        let change = store.change()?;
        let fresh = self
            .looked
            .is_some_and(|(seen, at_ms)| seen == change && now_ms.saturating_sub(at_ms) < LOOK_EVERY_MS);
        if self.queue.is_empty() && !fresh {
            self.queue = store.letters_due(&self.key, now_ms)?.into();
            self.looked = Some((change, now_ms));
        }
        Ok(())
    }

    fn refused(&mut self, content: &LetterContent, reason: Refusal, now_ms: u64) {
        match reason {
            Refusal::AllFull => self.pause.grow(MAILBOX_PAUSE_MS, now_ms),
            Refusal::NotListed
            | Refusal::SenderFull
            | Refusal::BoxFull
            | Refusal::NotALetter
            | Refusal::Other(_) => {
                let pause = self.recipients.entry(*content.recipient.as_bytes()).or_default();
                pause.grow(RECIPIENT_PAUSE_MS, now_ms);
            }
        }
    }

    /// Takes the letters of a page; those that the store took, and those that say nothing, get a receipt.
    fn take_page(
        &mut self,
        store: &mut Store,
        key: &SecretKey,
        page: Page,
        now_ms: u64,
    ) -> Result<Vec<PostEvent>, StoreError> {
        let (mut done, mut events, mut junk) = (Vec::new(), Vec::new(), 0);
        let mut failed = None;
        for letter in &page.letters {
            let id = LetterId::of(letter);
            let again = self.seen.contains(&id) || done.contains(&id);
            match if again { Ok(Taken::Junk) } else { taken::take(store, key, letter, now_ms) } {
                Ok(Taken::Block(told)) => events.extend(told.into_iter().map(PostEvent::Game)),
                Ok(Taken::Junk) => junk += 1,
                // It stays where it is; the others are not held up.
                Err(error) => {
                    failed = Some(error);
                    continue;
                }
            }
            done.push(id);
        }
        if junk > 0 {
            events.push(PostEvent::Junk { mailbox: self.key, letters: junk });
        }
        let useful = done.len() > junk;
        if useful || page.letters.is_empty() {
            self.junk = Pause::default();
        } else {
            self.junk.grow(JUNK_PAUSE_MS, now_ms);
            self.take_ms = self.take_ms.max(self.junk.until_ms);
        }
        self.pages += 1;
        let more = page.more && useful && self.pages < MAX_PAGES_AT_ONCE;
        self.done = LetterIds::new(done).ok().map(|letters| Done { letters, more });
        if !more {
            self.pages = 0;
        }
        match failed {
            Some(error) if self.done.is_none() => Err(error),
            Some(error) => {
                tracing::error!(%error, "a letter was not taken");
                Ok(events)
            }
            None => Ok(events),
        }
    }

    fn receipted(&mut self, done: &Done, now_ms: u64) {
        for letter in done.letters.as_slice() {
            if self.seen.len() == MAX_SEEN {
                self.seen.pop_front();
            }
            self.seen.push_back(*letter);
        }
        if done.more {
            self.take_ms = now_ms;
        }
    }
}

fn due(content: &LetterContent) -> LetterDue {
    LetterDue { subject: content.subject, recipient: *content.recipient.as_bytes() }
}

/// A pause that grows with each failure after another.
#[derive(Clone, Copy, Default, Debug)]
struct Pause {
    until_ms: u64,
    length_ms: u64,
}

impl Pause {
    fn grow(&mut self, (first_ms, longest_ms): (u64, u64), now_ms: u64) {
        self.length_ms = self.length_ms.saturating_mul(2).clamp(first_ms, longest_ms);
        self.until_ms = now_ms.saturating_add(self.length_ms);
    }
}
