//! What is under way with one mailbox.

use std::collections::{HashMap, VecDeque};

use chakart_core::protocol::entry::MAX_AT_MS;
use chakart_core::protocol::keys::{KEY_BYTES, PublicKey, SecretKey};
use chakart_core::protocol::receipt::{LetterId, LetterIds, Receipt, SignedReceipt};

use super::super::boxes::{Page, Posting, Refusal};
use super::super::message::{Request, Response};
use super::super::seal;
use super::super::taken::{self, Taken};
use super::{
    JUNK_PAUSE_MS, LOOK_EVERY_MS, MAILBOX_PAUSE_MS, MAX_PAGES_AT_ONCE, MAX_SEEN, PostEvent,
    RECIPIENT_PAUSE_MS, Standing, TAKE_EVERY_MS, UNLISTED_MS,
};
use crate::store::{LetterContent, LetterDue, Store, StoreError};

/// For whom letters are put into a mailbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// For every opponent: the person has named the mailbox.
    Everybody,
    /// For these raw keys alone, whose own it is.
    Only(Vec<[u8; KEY_BYTES]>),
}

#[derive(Debug)]
pub(super) struct Mailbox {
    pub(super) key: PublicKey,
    pub(super) scope: Scope,
    pub(super) connected: bool,
    pub(super) under_way: Option<UnderWay>,
    /// Letters that were taken and are to be receipted.
    done: Option<Done>,
    /// When letters are taken next.
    take_ms: u64,
    /// Until then it is believed that this player is not on the list.
    unlisted_ms: u64,
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
    /// Letters that it keeps or kept, and that came out of it, since the start.
    put: u64,
    taken: u64,
    /// Why it did not keep the latest letter.
    refused: Option<Refusal>,
}

#[derive(Debug)]
pub(super) enum UnderWay {
    Take,
    Receipt(Done),
    Put(Box<LetterContent>),
}

/// Letters of a page that may be deleted, and whether a further page is taken then.
#[derive(Debug)]
pub(super) struct Done {
    letters: LetterIds,
    more: bool,
}

impl Mailbox {
    pub(super) fn new(key: PublicKey, scope: Scope) -> Self {
        Self {
            key,
            scope,
            connected: false,
            under_way: None,
            done: None,
            take_ms: 0,
            unlisted_ms: 0,
            pages: 0,
            pause: Pause::default(),
            junk: Pause::default(),
            recipients: HashMap::new(),
            queue: VecDeque::new(),
            looked: None,
            seen: VecDeque::new(),
            put: 0,
            taken: 0,
            refused: None,
        }
    }

    pub(super) const fn is_free(&self) -> bool {
        self.connected && self.under_way.is_none()
    }

    /// A mailbox that the person has named stays one for everybody.
    pub(super) fn rescope(&mut self, scope: Scope) {
        if self.scope != Scope::Everybody && self.scope != scope {
            self.scope = scope;
            self.looked = None;
        }
    }

    pub(super) fn connected(&mut self) {
        self.connected = true;
        self.under_way = None;
        self.done = None;
        self.wake();
    }

    pub(super) fn disconnected(&mut self) {
        self.connected = false;
        self.under_way = None;
    }

    /// The store is looked through anew: somebody is gone.
    pub(super) const fn look_again(&mut self) {
        self.looked = None;
    }

    pub(super) fn wake(&mut self) {
        self.take_ms = 0;
        self.pause = Pause::default();
        self.recipients.clear();
        self.looked = None;
    }

    /// Whether there would be something to say to it.
    pub(super) fn is_wanted(
        &mut self,
        store: &Store,
        own: &PublicKey,
        is_connected: &impl Fn(&[u8; KEY_BYTES]) -> bool,
        now_ms: u64,
    ) -> Result<bool, StoreError> {
        if self.may_take(now_ms) {
            return Ok(true);
        }
        if now_ms < self.pause.until_ms {
            return Ok(false);
        }
        self.look(store, now_ms)?;
        Ok(self.queue.iter().any(|due| self.may_put(due, own, is_connected, now_ms)))
    }

    pub(super) fn standing(&self, now_ms: u64) -> Standing {
        Standing {
            mailbox: self.key,
            connected: self.connected,
            put: self.put,
            taken: self.taken,
            refused: self.refused,
            unlisted: now_ms < self.unlisted_ms,
        }
    }

    const fn may_take(&self, now_ms: u64) -> bool {
        now_ms >= self.take_ms && now_ms >= self.unlisted_ms
    }

    fn may_put(
        &self,
        due: &LetterDue,
        own: &PublicKey,
        is_connected: &impl Fn(&[u8; KEY_BYTES]) -> bool,
        now_ms: u64,
    ) -> bool {
        let recipient = &due.recipient;
        let paused = self.recipients.get(recipient).is_some_and(|pause| now_ms < pause.until_ms);
        let covered = match &self.scope {
            Scope::Everybody => recipient != self.key.as_bytes(),
            Scope::Only(players) => players.contains(recipient),
        };
        covered && !paused && recipient != own.as_bytes() && !is_connected(recipient)
    }

    pub(super) fn next_take(&mut self, key: &SecretKey, now_ms: u64) -> Option<Request> {
        if let Some(done) = self.done.take() {
            let at_ms = now_ms.min(MAX_AT_MS);
            let receipt = Receipt { mailbox: self.key, at_ms, letters: done.letters.clone() };
            self.under_way = Some(UnderWay::Receipt(done));
            return Some(Request::Receipt(SignedReceipt::sign(&receipt, key)));
        }
        if !self.may_take(now_ms) {
            return None;
        }
        self.take_ms = now_ms.saturating_add(TAKE_EVERY_MS);
        self.under_way = Some(UnderWay::Take);
        Some(Request::Take)
    }

    pub(super) fn next_put(
        &mut self,
        store: &mut Store,
        own: &PublicKey,
        is_connected: &impl Fn(&[u8; KEY_BYTES]) -> bool,
        now_ms: u64,
    ) -> Result<Option<Request>, StoreError> {
        if now_ms < self.pause.until_ms {
            return Ok(None);
        }
        self.look(store, now_ms)?;
        while let Some(due) = self.queue.pop_front() {
            if !self.may_put(&due, own, is_connected, now_ms) {
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

    /// Judges the answer to what is under way; `None`: there was none.
    pub(super) fn answered(
        &mut self,
        store: &mut Store,
        key: &SecretKey,
        response: Option<Response>,
        now_ms: u64,
    ) -> Result<Vec<PostEvent>, StoreError> {
        match (self.under_way.take(), response) {
            (Some(UnderWay::Take), Some(Response::Letters(page))) => {
                self.unlisted_ms = 0;
                self.take_page(store, key, page, now_ms)
            }
            (Some(UnderWay::Take), Some(Response::Refused(Refusal::NotListed))) => {
                self.unlisted_ms = now_ms.saturating_add(UNLISTED_MS);
                Ok(Vec::new())
            }
            (Some(UnderWay::Receipt(done)), Some(Response::Deleted)) => {
                self.receipted(&done, now_ms);
                Ok(Vec::new())
            }
            (Some(UnderWay::Put(content)), Some(Response::Kept)) => {
                store.note_letter_kept(&self.key, &content)?;
                self.pause = Pause::default();
                self.recipients.remove(content.recipient.as_bytes());
                self.refused = None;
                self.put += 1;
                Ok(vec![PostEvent::Kept { mailbox: self.key, letter: due(&content) }])
            }
            (Some(UnderWay::Put(content)), Some(Response::Refused(reason))) => {
                self.refused(&content, reason, now_ms);
                let letter = due(&content);
                Ok(vec![PostEvent::NotKept { mailbox: self.key, letter, reason }])
            }
            (Some(UnderWay::Put(_)), _) => {
                self.pause.grow(MAILBOX_PAUSE_MS, now_ms);
                self.looked = None;
                Ok(Vec::new())
            }
            // Busy, or no mailbox at all: letters may be put there all the same.
            (Some(UnderWay::Take | UnderWay::Receipt(_)), _) => {
                self.junk.grow(JUNK_PAUSE_MS, now_ms);
                self.take_ms = self.junk.until_ms;
                Ok(Vec::new())
            }
            (None, _) => Ok(Vec::new()),
        }
    }

    fn refused(&mut self, content: &LetterContent, reason: Refusal, now_ms: u64) {
        self.refused = Some(reason);
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
                Ok(Taken::Block { told, from }) => {
                    self.taken += 1;
                    events.extend(from.map(|from| PostEvent::Letter { mailbox: self.key, from }));
                    events.extend(told.into_iter().map(PostEvent::Game));
                }
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
