//! The connected peers, and what is under way with each.

use std::collections::{HashMap, HashSet, VecDeque};

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};

use super::allowance::Allowance;
use crate::store::{GameHead, GameNo};
use crate::sync::limits::{
    MAX_ORPHANS_PER_PEER, MAX_PULLS_PER_PEER, MAX_PUSHES_PER_PEER, MAX_STRANGE_GAMES_PER_PEER,
    MAX_WAITING_PULLS_PER_PEER, MAX_WAITING_PUSHES_PER_PEER,
};

/// Fetched games of which a peer is told at once.
const HEADS_PER_TELLING: usize = 64;

/// The connected peers by their keys.
#[derive(Debug, Default)]
pub(super) struct Peers {
    by_key: HashMap<[u8; KEY_BYTES], (PublicKey, Peer)>,
}

impl Peers {
    pub(super) fn insert(&mut self, key: PublicKey, peer: Peer) {
        self.by_key.insert(key.into(), (key, peer));
    }

    pub(super) fn remove(&mut self, key: &PublicKey) {
        self.by_key.remove(key.as_bytes());
    }

    pub(super) fn contains(&self, key: &[u8; KEY_BYTES]) -> bool {
        self.by_key.contains_key(key)
    }

    pub(super) fn get(&self, key: &PublicKey) -> Option<&Peer> {
        self.by_key.get(key.as_bytes()).map(|(_, peer)| peer)
    }

    pub(super) fn get_mut(&mut self, key: &PublicKey) -> Option<&mut Peer> {
        self.by_key.get_mut(key.as_bytes()).map(|(_, peer)| peer)
    }

    /// The peer with these raw key bytes.
    pub(super) fn find_mut(&mut self, key: &[u8; KEY_BYTES]) -> Option<(PublicKey, &mut Peer)> {
        self.by_key.get_mut(key).map(|(key, peer)| (*key, peer))
    }

    /// Those that fit, in the order of their keys.
    pub(super) fn keys_where(&self, fits: impl Fn(&Peer) -> bool) -> Vec<PublicKey> {
        let mut keys: Vec<PublicKey> =
            self.by_key.values().filter(|(_, peer)| fits(peer)).map(|(key, _)| *key).collect();
        keys.sort_by_key(|key| *key.as_bytes());
        keys
    }
}

/// What is under way with one connected peer.
#[derive(Debug)]
pub(super) struct Peer {
    /// When its games were last compared, in milliseconds of Unix time.
    pub(super) greeted_ms: u64,
    /// The page of a greeting that waits for its answer.
    pub(super) page: Option<Page>,
    /// Games whose push waits for an answer.
    pub(super) pushes: HashSet<EntryId>,
    /// Requests that it may still make.
    pub(super) allowance: Allowance,
    /// Whether it is known to have a common game.
    pub(super) is_player: bool,
    /// Unknown games that were asked for in vain.
    pub(super) strange_games: u32,
    /// Offers that wait for an answer.
    pub(super) offers: HashSet<EntryId>,
    /// Whether messages of this player may be sent.
    pub(super) notes: NoteTurn,
    /// Games that were fetched from it, and are on disk here, of which it is not told yet.
    pub(super) fetched: Vec<GameHead>,
    waiting_pushes: HashSet<EntryId>,
    pulls: HashMap<EntryId, Pull>,
    waiting: VecDeque<(EntryId, u32)>,
    orphans: Vec<(EntryId, SignedEntry)>,
}

/// Whether messages may be sent to a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoteTurn {
    /// They may.
    Free,
    /// Some wait for an answer.
    UnderWay,
    /// They failed: the next greeting tries again.
    Failed,
}

impl NoteTurn {
    pub(super) fn retry(&mut self) {
        if *self == Self::Failed {
            *self = Self::Free;
        }
    }
}

/// A part of a greeting.
#[derive(Debug)]
pub(super) struct Page {
    /// What it names.
    pub(super) heads: Vec<GameHead>,
    /// Its last game, if more follow.
    pub(super) end: Option<GameNo>,
}

/// A log that is being fetched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull {
    /// How far the next step back goes, if the answer has no common entry.
    pub(super) step_back: u32,
    /// Whether it has brought anything.
    pub(super) news: bool,
}

impl Peer {
    pub(super) fn new(now_ms: u64) -> Self {
        Self {
            greeted_ms: now_ms,
            page: None,
            pushes: HashSet::new(),
            allowance: Allowance::new(now_ms),
            is_player: false,
            strange_games: 0,
            offers: HashSet::new(),
            notes: NoteTurn::Free,
            fetched: Vec::new(),
            waiting_pushes: HashSet::new(),
            pulls: HashMap::new(),
            waiting: VecDeque::new(),
            orphans: Vec::new(),
        }
    }

    /// Whether a game may be pushed now. Otherwise it waits, if there is room.
    pub(super) fn may_push(&mut self, game: EntryId) -> bool {
        if self.pushes.len() < MAX_PUSHES_PER_PEER && !self.pushes.contains(&game) {
            return true;
        }
        if self.waiting_pushes.len() < MAX_WAITING_PUSHES_PER_PEER {
            self.waiting_pushes.insert(game);
        }
        false
    }

    /// Whether a game that waits may be pushed now.
    pub(super) fn has_turn(&self) -> bool {
        self.pushes.len() < MAX_PUSHES_PER_PEER
            && self.waiting_pushes.iter().any(|game| !self.pushes.contains(game))
    }

    /// Takes out a game that waited and may be pushed now.
    pub(super) fn next_push(&mut self) -> Option<EntryId> {
        if self.pushes.len() >= MAX_PUSHES_PER_PEER {
            return None;
        }
        let game = self.waiting_pushes.iter().find(|game| !self.pushes.contains(*game)).copied()?;
        self.waiting_pushes.remove(&game);
        Some(game)
    }

    /// Ends the page with these heads, if that is the one that waits; where the next begins, if one follows.
    pub(super) fn end_page(&mut self, heads: &[GameHead]) -> Option<GameNo> {
        self.page.take_if(|page| page.heads == heads)?.end
    }

    /// Asks for a turn to fetch a log; whether it may begin now. Otherwise it waits, if there is room.
    pub(super) fn begin_pull(&mut self, game: EntryId, from: u32) -> bool {
        if self.pulls.contains_key(&game) || self.waiting.iter().any(|(waiting, _)| *waiting == game) {
            return false;
        }
        if self.pulls.len() < MAX_PULLS_PER_PEER {
            self.pulls.insert(game, Pull { step_back: 1, news: false });
            return true;
        }
        if self.waiting.len() < MAX_WAITING_PULLS_PER_PEER {
            self.waiting.push_back((game, from));
        }
        false
    }

    pub(super) fn pull(&mut self, game: &EntryId) -> Option<&mut Pull> {
        self.pulls.get_mut(game)
    }

    pub(super) fn end_pull(&mut self, game: &EntryId) {
        self.pulls.remove(game);
    }

    /// Takes out what it is to be told of fetched games: many at once, or the last few. Each telling is a message here, and
    /// a transaction there.
    pub(super) fn fetched_to_tell(&mut self) -> Option<Vec<GameHead>> {
        let due = self.fetched.len() >= HEADS_PER_TELLING || self.pulls.is_empty();
        (due && !self.fetched.is_empty()).then(|| std::mem::take(&mut self.fetched))
    }

    /// The next log that waits, if there is a turn free.
    pub(super) fn next_pull(&mut self) -> Option<(EntryId, u32)> {
        if self.pulls.len() >= MAX_PULLS_PER_PEER {
            return None;
        }
        if self.strange_games >= MAX_STRANGE_GAMES_PER_PEER {
            // Only a log that is not here at all is fetched from its beginning.
            self.waiting.retain(|(_, from)| *from > 0);
        }
        let (game, from) = self.waiting.pop_front()?;
        self.pulls.insert(game, Pull { step_back: 1, news: false });
        Some((game, from))
    }

    /// Holds entries whose place is not known yet; those beyond the bound are let go.
    pub(super) fn hold(&mut self, game: EntryId, entries: Vec<SignedEntry>) {
        for entry in entries {
            let known = self.orphans.iter().any(|(_, held)| *held == entry);
            if !known && self.orphans.len() < MAX_ORPHANS_PER_PEER {
                self.orphans.push((game, entry));
            }
        }
    }

    /// Takes out the entries that are held for a game, in the order of the places that they say they have.
    pub(super) fn release(&mut self, game: &EntryId) -> Vec<SignedEntry> {
        let (mut released, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.orphans).into_iter().partition(|(held, _)| held == game);
        self.orphans = kept;
        released.sort_by_key(|(_, entry)| entry.decode().map_or(u32::MAX, |entry| entry.seq));
        released.into_iter().map(|(_, entry)| entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orphans_are_bounded_and_kept_once() {
        let mut peer = Peer::new(0);
        let game = EntryId([1; 32]);
        let entry = |n: usize| SignedEntry { bytes: n.to_le_bytes().to_vec(), signature: [0; 64] };
        peer.hold(game, (0..1_000).map(entry).collect());
        peer.hold(game, vec![entry(0)]);
        assert_eq!(peer.release(&EntryId([2; 32])).len(), 0);
        assert_eq!(peer.release(&game).len(), MAX_ORPHANS_PER_PEER);
        assert_eq!(peer.release(&game).len(), 0);
    }

    #[test]
    fn fetched_games_are_told_of_together_and_none_is_kept_back() {
        let mut peer = Peer::new(0);
        let fetch = |peer: &mut Peer, n: u8| {
            let game = EntryId([n; 32]);
            peer.end_pull(&game);
            let statements = [0; 8];
            peer.fetched.push(GameHead { game, length: 3, head: game, statements });
            peer.fetched_to_tell().map(|heads| heads.len())
        };
        for n in 0..3 {
            peer.begin_pull(EntryId([n; 32]), 0);
        }
        assert_eq!(fetch(&mut peer, 0), None);
        assert_eq!(fetch(&mut peer, 1), None);
        assert_eq!(fetch(&mut peer, 2), Some(3), "no other is under way");
        assert_eq!(peer.fetched_to_tell(), None);
        peer.begin_pull(EntryId([255; 32]), 0);
        let told: Vec<_> = (0..130).map(|n| fetch(&mut peer, n)).collect();
        assert_eq!(told.iter().flatten().collect::<Vec<_>>(), [&HEADS_PER_TELLING; 2]);
        assert_eq!(peer.fetched.len(), 130 % HEADS_PER_TELLING);
    }

    #[test]
    fn pulls_wait_their_turn() {
        let mut peer = Peer::new(0);
        let game = |n: u8| EntryId([n; 32]);
        for n in 0..8 {
            assert!(peer.begin_pull(game(n), 0));
        }
        assert!(!peer.begin_pull(game(8), 5), "no turn is free");
        assert!(!peer.begin_pull(game(8), 5), "it waits already");
        assert_eq!(peer.next_pull(), None);
        peer.end_pull(&game(3));
        assert_eq!(peer.next_pull(), Some((game(8), 5)));
        assert_eq!(peer.next_pull(), None);
    }
}
