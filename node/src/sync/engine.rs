//! What to send when: one value for all peers of a store, without sockets or clock.
//!
//! The caller tells what happened (a peer came or went, a request or response arrived, the store may have changed) and
//! does what is returned. A request that got no response is given back with [`Engine::failed`].

mod allowance;
mod answer;
mod peer;
mod pull;

use chakart_core::protocol::entry::{EntryId, Party};
use chakart_core::protocol::keys::PublicKey;

use super::limits::{GREET_EVERY_MS, MAX_HEADS, MAX_PUSHES_PER_PEER};
use super::message::{OfferClosed, Refused, Request, Response};
use crate::store::{GameHead, GameNo, GameSummary, Receipt, Store, StoreError};

use peer::{Peer, Peers};

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

    /// Compares all games with a connected peer again.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn greet(&mut self, store: &mut Store, peer: PublicKey, now_ms: u64) -> Outputs {
        let Some(state) = self.peers.get_mut(&peer) else { return Ok(Vec::new()) };
        state.greeted_ms = now_ms;
        if state.greeting {
            return Ok(Vec::new());
        }
        state.greeting = true;
        self.next_page(store, peer, None)
    }

    /// To be called every minute or so.
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
        if store.change()? == self.seen {
            return Ok(outputs);
        }
        for game in store.games_changed_since(self.seen)? {
            self.seen = self.seen.max(game.change);
            outputs.push(Output::Tell(SyncEvent::GameChanged { game: game.game, length: game.length }));
            outputs.extend(self.push(store, &game)?);
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
            (Request::Heads(_), _) => {
                self.end_greeting(&peer);
                Ok(Vec::new())
            }
            (Request::Unknown { .. }, _) => Ok(Vec::new()),
        }
    }

    /// Forgets a request that got no response; whether it arrived is not known. The next greeting mends what is missing.
    pub fn failed(&mut self, peer: &PublicKey, request: &Request) {
        match request {
            Request::Heads(_) => self.end_greeting(peer),
            Request::GetEntries { game, .. } => {
                if let Some(state) = self.peers.get_mut(peer) {
                    state.end_pull(game);
                }
            }
            Request::Push { game, .. } => self.unmark_push(peer, game),
            Request::DeliverAccept { accept, .. } => self.unmark_push(peer, &accept.id()),
            Request::Unknown { .. } => {}
        }
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
        state.page_end = games.last().map(|game| game.game).filter(|_| games.len() == MAX_HEADS);
        // An empty page still asks the peer for nothing; its own greeting names what this side lacks.
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
        let mut outputs = Vec::new();
        for head in asked {
            match differing.iter().find(|other| other.game == head.game) {
                Some(other) => outputs.extend(self.compare(store, peer, other)?),
                None => outputs.extend(self.compare(store, peer, head)?),
            }
        }
        let page_end = self.peers.get_mut(&peer).and_then(|state| state.page_end.take());
        match page_end {
            Some(after) => outputs.extend(self.next_page(store, peer, Some(after))?),
            None => self.end_greeting(&peer),
        }
        Ok(outputs)
    }

    /// What a peer's head of a game means: it has what is here, or this side lacks something.
    fn compare(&mut self, store: &mut Store, peer: PublicKey, theirs: &GameHead) -> Outputs {
        if theirs.length == 0 {
            return Ok(Vec::new());
        }
        let Some(game) = store.shared_game(&peer, theirs.game)? else {
            return self.ask_for_strange_game(store, peer, theirs);
        };
        let outputs = acknowledge(store, &game, theirs)?;
        let known = store.seq_of(game.game, theirs.head)?.is_some();
        if known && theirs.statements == game.statements {
            return Ok(outputs);
        }
        let from = if theirs.length > game.length || known { game.length } else { theirs.length - 1 };
        Ok([outputs, self.pull(peer, theirs.game, from)].concat())
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
            return acknowledge(store, game, &theirs);
        }
        // The peer has gone on: what it was sent is below its head, and its own push or a fetch brings the rest.
        let pushed_seq = match last_pushed {
            Some(id) if refused.is_none() => store.seq_of(game.game, id)?,
            _ => None,
        };
        let mut outputs = Vec::new();
        if let (Some(head), Some(seq)) = (last_pushed, pushed_seq.filter(|seq| *seq < theirs.length)) {
            outputs = acknowledge(store, game, &GameHead { length: seq + 1, head, ..theirs })?;
        }
        if theirs.length <= game.length {
            outputs.extend(self.pull(peer, game.id, theirs.length.saturating_sub(1)));
        }
        Ok(outputs)
    }

    /// Sends the opponent in a game what it is not known to have, unless a push is under way.
    fn push(&mut self, store: &mut Store, game: &GameSummary) -> Outputs {
        let Some((peer, state)) = self.peers.find_mut(&game.opponent) else { return Ok(Vec::new()) };
        if game.delivery.complete
            || state.pushes.contains(&game.id)
            || state.pushes.len() >= MAX_PUSHES_PER_PEER
        {
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

    fn end_greeting(&mut self, peer: &PublicKey) {
        if let Some(state) = self.peers.get_mut(peer) {
            state.greeting = false;
            state.page_end = None;
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

fn acknowledge(store: &mut Store, game: &GameSummary, theirs: &GameHead) -> Outputs {
    let news = store.acknowledge(game, theirs)?;
    let delivered = news && theirs.head == game.head && theirs.statements == game.statements;
    let event = SyncEvent::Delivered { game: game.game, length: game.length };
    Ok(if delivered { vec![Output::Tell(event)] } else { Vec::new() })
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
fn tell(receipt: &Receipt) -> Option<Output> {
    let refused = receipt.refused.as_ref().filter(|refused| !refused.later)?;
    let (game, seq, reason) = (receipt.game, refused.seq, refused.reason.clone());
    Some(Output::Tell(match refused.convicts {
        true => SyncEvent::PeerBroke { game, seq, reason },
        false => SyncEvent::Refused { game, seq, reason },
    }))
}
