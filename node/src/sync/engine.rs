//! What to send when: one value for all peers of a store, without sockets or clock.
//!
//! The caller tells what happened (a peer came or went, a request or response arrived, the store may have changed) and
//! does what is returned. A request that got no response is given back with [`Engine::failed`].

pub(crate) mod allowance;
mod answer;
mod beside;
mod peer;
mod pull;

use chakart_core::protocol::entry::{EntryId, Party};
use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};

use super::limits::{GREET_EVERY_MS, MAX_HEADS};
use super::message::{OfferClosed, Refused, Request, Response};
use crate::store::{GameHead, GameNo, GameSummary, PlanReport, Receipt, RefusedHere, Store, StoreError};

use peer::{Page, Peer, Peers};

/// What the caller is to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// Send this to a connected peer.
    Send {
        /// To whom.
        peer: PublicKey,
        /// What.
        request: Request,
    },
    /// Tell whoever listens.
    Tell(SyncEvent),
}

/// What happened to a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SyncEvent {
    /// Entries, statements, a proof, an acknowledgement or an intent were added, by whatever process.
    GameChanged {
        /// The game.
        game: GameNo,
        /// Entries in its log now.
        length: u32,
    },
    /// The opponent has everything on its disk.
    Delivered {
        /// The game.
        game: GameNo,
        /// Entries in its log.
        length: u32,
    },
    /// An entry of the opponent was refused here and kept; the game goes on as it was.
    Refused {
        /// The game.
        game: GameNo,
        /// The place that the entry says it has.
        seq: u32,
        /// Why, in words.
        reason: String,
    },
    /// The opponent broke the protocol: the entry is kept as proof, and nothing more is signed in this game.
    PeerBroke {
        /// The game.
        game: GameNo,
        /// The place.
        seq: u32,
        /// What it did, in words.
        reason: String,
    },
    /// The opponent refused an own entry or accept; it is not sent again.
    RefusedByPeer {
        /// The game.
        game: GameNo,
        /// The place.
        seq: u32,
        /// The opponent's words; to be escaped where they are shown.
        reason: String,
    },
    /// An own entry came that this store did not sign: another machine has this key, or this store is an old copy.
    /// Nothing is signed in this game before the person has looked.
    OtherMachine {
        /// The game.
        game: GameNo,
        /// The place.
        seq: u32,
    },
    /// A plan was played, or given up.
    Plan(PlanReport),
    /// A message of the opponent came, and is not muted.
    Note {
        /// The game.
        game: GameNo,
    },
    /// Somebody known offers a game.
    Invite {
        /// The offer.
        offer: EntryId,
        /// Its short name.
        name: String,
    },
}

/// The peers that are connected, and what is under way with each.
#[derive(Debug)]
pub struct Engine {
    peers: Peers,
    /// The change up to which [`Engine::look`] has seen the store.
    seen: u64,
}

/// The outcome of every step.
pub type Outputs = Result<Vec<Output>, StoreError>;

impl Engine {
    /// Begins with no peers and the store as it is.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn new(store: &Store) -> Result<Self, StoreError> {
        Ok(Self { peers: Peers::default(), seen: store.change()? })
    }

    /// Greets a peer that is now connected.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn connected(&mut self, store: &mut Store, peer: PublicKey, now_ms: u64) -> Outputs {
        self.peers.insert(peer, Peer::new(now_ms));
        self.greet(store, peer, now_ms)
    }

    /// Forgets a peer whose last connection is gone.
    pub fn disconnected(&mut self, peer: &PublicKey) {
        self.peers.remove(peer);
    }

    /// Whether the player with this raw key is connected.
    #[must_use]
    pub fn is_connected(&self, player: &[u8; KEY_BYTES]) -> bool {
        self.peers.contains(player)
    }

    /// Compares all games with a connected peer again.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn greet(&mut self, store: &mut Store, peer: PublicKey, now_ms: u64) -> Outputs {
        let Some(state) = self.peers.get_mut(&peer) else { return Ok(Vec::new()) };
        state.greeted_ms = now_ms;
        state.notes.retry();
        if state.page.is_some() {
            return Ok(Vec::new());
        }
        let offers = self.push_offers(store, peer)?;
        Ok([offers, self.next_page(store, peer, None)?].concat())
    }

    /// To be called every few seconds.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn tick(&mut self, store: &mut Store, now_ms: u64) -> Outputs {
        let due = self.peers.keys_where(|peer| now_ms.saturating_sub(peer.greeted_ms) >= GREET_EVERY_MS);
        let mut outputs = Vec::new();
        for peer in due {
            outputs.extend(self.greet(store, peer, now_ms)?);
        }
        Ok(outputs)
    }

    /// Looks for what this or any other process has added to the store since the last look, tells of it, and pushes it
    /// to opponents that are connected. To be called after every other step.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn look(&mut self, store: &mut Store) -> Outputs {
        let mut outputs = Vec::new();
        if store.change()? != self.seen {
            for game in store.games_changed_since(self.seen)? {
                self.seen = self.seen.max(game.change);
                outputs.push(Output::Tell(SyncEvent::GameChanged { game: game.game, length: game.length }));
                outputs.extend(self.push(store, &game)?);
            }
            for guest in store.offer_guests()? {
                outputs.extend(self.push_offers(store, guest)?);
            }
        }
        for peer in self.peers.keys_where(Peer::has_turn) {
            outputs.extend(self.push_waiting(store, peer)?);
        }
        Ok(outputs)
    }

    /// Judges the response to an earlier request.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn response(
        &mut self,
        store: &mut Store,
        peer: PublicKey,
        request: &Request,
        response: Response,
        now_ms: u64,
    ) -> Outputs {
        if response == Response::Busy {
            return Ok(self.failed(peer, request));
        }
        match (request, response) {
            (Request::Heads(asked), Response::Heads(heads)) => self.take_heads(store, peer, asked, &heads),
            (Request::GetEntries { game, from }, response) => {
                self.take_entries(store, peer, (*game, *from), response, now_ms)
            }
            (Request::Push { game, entries, .. }, response) => {
                self.unmark_push(&peer, game);
                let Some(shared) = store.shared_game(&peer, *game)? else { return Ok(Vec::new()) };
                match response {
                    Response::Ack { head, refused } => {
                        let last_pushed = entries.last().map(|entry| entry.id());
                        self.take_ack(store, peer, &shared, (head, refused), last_pushed)
                    }
                    Response::Deleted { .. } => {
                        refused_by_peer(store, &shared, shared.length, "the game was deleted there")
                    }
                    _ => Ok(Vec::new()),
                }
            }
            (Request::DeliverAccept { accept, .. }, response) => {
                self.unmark_push(&peer, &accept.id());
                let Some(shared) = store.shared_game(&peer, accept.id())? else { return Ok(Vec::new()) };
                match response {
                    Response::Ack { head, refused } => {
                        self.take_ack(store, peer, &shared, (head, refused), Some(accept.id()))
                    }
                    Response::OfferClosed { reason } => {
                        refused_by_peer(store, &shared, 1, closed_in_words(reason))
                    }
                    _ => Ok(Vec::new()),
                }
            }
            (Request::Heads(asked), _) => {
                self.end_page(&peer, asked);
                Ok(Vec::new())
            }
            (Request::Offer { offer }, response) => {
                self.take_offer_answer(store, &peer, offer.id(), &response)?;
                Ok(Vec::new())
            }
            (Request::Unknown { .. }, _) => Ok(Vec::new()),
        }
    }

    /// Forgets a request that got no response; whether it arrived is not known. The next tick greets the peer again, which
    /// mends what is missing.
    pub fn failed(&mut self, peer: PublicKey, request: &Request) -> Vec<Output> {
        self.greet_soon(&peer);
        match request {
            Request::Heads(asked) => drop(self.end_page(&peer, asked)),
            Request::GetEntries { game, .. } => return self.end_pull(peer, *game),
            Request::Push { game, .. } => self.unmark_push(&peer, game),
            Request::DeliverAccept { accept, .. } => self.unmark_push(&peer, &accept.id()),
            Request::Offer { offer } => self.unmark_offer(&peer, &offer.id()),
            Request::Unknown { .. } => {}
        }
        Vec::new()
    }

    /// The next page of a greeting; accepts that no host has answered yet go with it.
    fn next_page(&mut self, store: &mut Store, peer: PublicKey, after: Option<GameNo>) -> Outputs {
        let games = store.games_with(&peer, after, MAX_HEADS)?;
        let mut outputs = Vec::new();
        let mut heads = Vec::with_capacity(games.len());
        for game in &games {
            if is_unanswered_accept(game) {
                outputs.extend(self.push(store, game)?);
            } else {
                heads.push(GameHead::of(game));
            }
        }
        let Some(state) = self.peers.get_mut(&peer) else { return Ok(outputs) };
        if heads.is_empty() {
            // The peer's own greeting names what this side lacks.
            return Ok(outputs);
        }
        let end = games.last().map(|game| game.game).filter(|_| games.len() == MAX_HEADS);
        state.page = Some(Page { heads: heads.clone(), end });
        outputs.push(Output::Send { peer, request: Request::Heads(heads) });
        Ok(outputs)
    }

    /// Compares the answer to a page with it: games that are not named are alike on both sides.
    fn take_heads(
        &mut self,
        store: &mut Store,
        peer: PublicKey,
        asked: &[GameHead],
        differing: &[GameHead],
    ) -> Outputs {
        let theirs: Vec<GameHead> = asked
            .iter()
            .map(|head| differing.iter().find(|other| other.game == head.game).unwrap_or(head))
            .copied()
            .collect();
        let mut outputs = self.compare(store, peer, &theirs)?;
        if let Some(after) = self.end_page(&peer, asked) {
            outputs.extend(self.next_page(store, peer, Some(after))?);
        }
        Ok(outputs)
    }

    /// What a peer's heads mean: it has what is here, or this side lacks something.
    fn compare(&mut self, store: &mut Store, peer: PublicKey, heads: &[GameHead]) -> Outputs {
        let mut outputs = Vec::new();
        let mut shared = Vec::with_capacity(heads.len());
        for theirs in heads.iter().filter(|theirs| theirs.length > 0) {
            match store.shared_game(&peer, theirs.game)? {
                Some(game) => shared.push((game, *theirs)),
                None => outputs.extend(self.ask_for_strange_game(store, peer, theirs)?),
            }
        }
        outputs.extend(acknowledge(store, &shared)?);
        for (game, theirs) in &shared {
            let known = (game.length, game.head) == (theirs.length, theirs.head)
                || store.seq_of(game.game, theirs.head)?.is_some();
            if !known || theirs.statements != game.statements {
                let ahead = theirs.length > game.length || known;
                let from = if ahead { game.length } else { theirs.length - 1 };
                outputs.extend(self.pull(peer, theirs.game, from));
            }
        }
        Ok(outputs)
    }

    fn take_ack(
        &mut self,
        store: &mut Store,
        peer: PublicKey,
        game: &GameSummary,
        (theirs, refused): (GameHead, Option<Refused>),
        last_pushed: Option<EntryId>,
    ) -> Outputs {
        if theirs.game != game.id {
            return Ok(Vec::new());
        }
        if let Some(Refused { seq, later: false, reason }) = &refused {
            return refused_by_peer(store, game, *seq, reason);
        }
        if store.seq_of(game.game, theirs.head)?.is_some() {
            return acknowledge(store, &[(game.clone(), theirs)]);
        }
        // The peer has gone on: what it was sent is below its head, and its own push or a fetch brings the rest.
        let pushed_seq = match last_pushed {
            Some(id) if refused.is_none() => store.seq_of(game.game, id)?,
            _ => None,
        };
        let mut outputs = Vec::new();
        if let (Some(head), Some(seq)) = (last_pushed, pushed_seq.filter(|seq| *seq < theirs.length)) {
            let pushed = GameHead { length: seq + 1, head, ..theirs };
            outputs = acknowledge(store, &[(game.clone(), pushed)])?;
        }
        if theirs.length <= game.length {
            outputs.extend(self.pull(peer, game.id, theirs.length.saturating_sub(1)));
        }
        Ok(outputs)
    }

    /// Pushes games that waited for their turn.
    fn push_waiting(&mut self, store: &mut Store, peer: PublicKey) -> Outputs {
        let mut outputs = Vec::new();
        while let Some(game) = self.peers.get_mut(&peer).and_then(Peer::next_push) {
            if let Some(game) = store.shared_game(&peer, game)? {
                outputs.extend(self.push(store, &game)?);
            }
        }
        Ok(outputs)
    }

    /// Sends the opponent in a game what it is not known to have; where that must wait, its turn comes.
    fn push(&mut self, store: &mut Store, game: &GameSummary) -> Outputs {
        let Some((peer, state)) = self.peers.find_mut(&game.opponent) else { return Ok(Vec::new()) };
        if game.delivery.complete || !state.may_push(game.id) {
            return Ok(Vec::new());
        }
        let refused = game.delivery.refused.is_some();
        // The opponent judges no further entry after one that it refused; what is said beside the log still counts.
        let from = if refused { game.length } else { game.delivery.length };
        let tail = store.tail(game.game, from)?;
        if refused && (tail.statements.is_empty() || is_unanswered_accept(game)) {
            return Ok(Vec::new());
        }
        state.pushes.insert(game.id);
        let request = if is_unanswered_accept(game) {
            let parts = store.tail(game.game, 0)?.entries;
            match <[_; 2]>::try_from(parts) {
                Ok([offer, accept]) => Request::DeliverAccept { offer: offer.id(), accept },
                Err(_) => return Ok(Vec::new()),
            }
        } else {
            Request::Push { game: game.id, entries: tail.entries, statements: tail.statements }
        };
        Ok(vec![Output::Send { peer, request }])
    }

    fn end_page(&mut self, peer: &PublicKey, asked: &[GameHead]) -> Option<GameNo> {
        self.peers.get_mut(peer)?.end_page(asked)
    }

    /// Has the next tick greet a peer.
    fn greet_soon(&mut self, peer: &PublicKey) {
        if let Some(state) = self.peers.get_mut(peer) {
            state.greeted_ms = 0;
        }
    }

    fn unmark_push(&mut self, peer: &PublicKey, game: &EntryId) {
        if let Some(state) = self.peers.get_mut(peer) {
            state.pushes.remove(game);
        }
    }
}

/// A guest's game to which the host has not answered: its log is the offer and the accept.
fn is_unanswered_accept(game: &GameSummary) -> bool {
    game.me == Party::Guest && game.length == 2
}

/// Notes what the peer has, and tells of each game of which it now has everything.
fn acknowledge(store: &mut Store, heads: &[(GameSummary, GameHead)]) -> Outputs {
    let news = store.acknowledge(heads)?;
    let delivered = heads
        .iter()
        .zip(news)
        .filter(|((game, theirs), news)| *news && GameHead::of(game) == *theirs)
        .map(|((game, _), _)| SyncEvent::Delivered { game: game.game, length: game.length });
    Ok(delivered.map(Output::Tell).collect())
}

fn refused_by_peer(store: &mut Store, game: &GameSummary, seq: u32, reason: &str) -> Outputs {
    store.mark_refused(game.game, seq, reason)?;
    let reason = reason.to_owned();
    Ok(vec![Output::Tell(SyncEvent::RefusedByPeer { game: game.game, seq, reason })])
}

fn closed_in_words(reason: OfferClosed) -> &'static str {
    match reason {
        OfferClosed::Unknown => "the offer is not known there",
        OfferClosed::Closed => "the offer was taken back",
        OfferClosed::Taken => "somebody else accepted the offer first",
        OfferClosed::Deleted => "the game was deleted there",
        OfferClosed::Invalid => "the accept is not valid there",
    }
}

/// What a receipt tells whoever listens.
fn tell(receipt: &Receipt) -> Vec<Output> {
    tell_of(receipt.game, receipt.refused.as_ref(), receipt.other_machine).map(Output::Tell).collect()
}

/// What is told of a log that came: an own entry that this store did not sign (its place), and what was refused.
pub(crate) fn tell_of(
    game: GameNo,
    refused: Option<&RefusedHere>,
    other_machine: Option<u32>,
) -> impl Iterator<Item = SyncEvent> {
    let other = other_machine.map(|seq| SyncEvent::OtherMachine { game, seq });
    let refused = refused.filter(|refused| !refused.later);
    let refused = refused.map(|refused| match (refused.seq, refused.reason.clone()) {
        (seq, reason) if refused.convicts => SyncEvent::PeerBroke { game, seq, reason },
        (seq, reason) => SyncEvent::Refused { game, seq, reason },
    });
    other.into_iter().chain(refused)
}
