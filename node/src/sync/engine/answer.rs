//! What a peer's request is answered.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::keys::PublicKey;

use super::beside::answer_offer;
use super::{Engine, Output, tell};
use crate::store::{AcceptError, GameHead, Receipt, ReceiveError, Store, StoreError};
use crate::sync::limits::{HEADS_PER_COST, SIGNATURES_PER_COST};
use crate::sync::message::{OfferClosed, Refused, Request, Response};

/// A response, and what else is to be done.
pub(super) type Answer = Result<(Response, Vec<Output>), StoreError>;

impl Engine {
    /// Answers a request. [`Engine::look`] after it pushes what the answer has added.
    ///
    /// # Errors
    /// [`StoreError`]: the peer is then to be told [`Response::Busy`].
    pub fn request(&mut self, store: &mut Store, peer: PublicKey, request: Request, now_ms: u64) -> Answer {
        if !self.may_ask(store, &peer, cost(&request), now_ms)? {
            return Ok((Response::Busy, Vec::new()));
        }
        match request {
            Request::Heads(heads) => self.answer_heads(store, peer, &heads),
            Request::GetEntries { game, from } => Ok((get_entries(store, &peer, game, from)?, Vec::new())),
            Request::Push { game, entries, statements } => {
                self.answer_push(store, peer, (game, &entries, &statements), now_ms)
            }
            Request::DeliverAccept { offer, accept } => {
                let response = match store.receive_accept(&peer, offer, &accept, now_ms) {
                    Ok(receipt) => ack(&receipt),
                    Err(AcceptError::Store(error)) => return Err(error),
                    Err(AcceptError::Later(_)) => Response::Busy,
                    Err(refused) => Response::OfferClosed { reason: closed(&refused) },
                };
                Ok((response, Vec::new()))
            }
            Request::Offer { offer } => answer_offer(store, &peer, &offer, now_ms),
            Request::Unknown { .. } => Ok((Response::Unsupported, Vec::new())),
        }
    }

    pub(super) fn may_ask(
        &mut self,
        store: &Store,
        peer: &PublicKey,
        cost: u64,
        now_ms: u64,
    ) -> Result<bool, StoreError> {
        let Some(state) = self.peers.get_mut(peer) else { return Ok(false) };
        let player = state.is_player || !store.games_with(peer, None, 1)?.is_empty();
        state.is_player = player;
        Ok(state.allowance.take(cost, player, now_ms))
    }

    fn answer_heads(&mut self, store: &mut Store, peer: PublicKey, heads: &[GameHead]) -> Answer {
        let mut differing = Vec::new();
        for theirs in heads {
            let ours = store.shared_game(&peer, theirs.game)?.map(|game| GameHead::of(&game));
            match ours {
                Some(ours) if ours == *theirs => {}
                Some(ours) => differing.push(ours),
                None => differing.push(GameHead { length: 0, ..*theirs }),
            }
        }
        Ok((Response::Heads(differing), self.compare(store, peer, heads)?))
    }

    fn answer_push(
        &mut self,
        store: &mut Store,
        peer: PublicKey,
        (game, entries, statements): (EntryId, &[SignedEntry], &[SignedStatement]),
        now_ms: u64,
    ) -> Answer {
        match store.receive(&peer, game, entries, statements, now_ms) {
            Ok(mut receipt) => {
                let orphans = std::mem::take(&mut receipt.orphans);
                let receipt = self.settle(store, peer, game, receipt, orphans, now_ms)?;
                Ok((ack(&receipt), tell(&receipt)))
            }
            Err(ReceiveError::Store(error)) => Err(error),
            Err(ReceiveError::UnknownGame) => {
                let response = match store.is_deleted(game)? {
                    true => Response::Deleted { game },
                    false => Response::UnknownGame { game },
                };
                Ok((response, Vec::new()))
            }
        }
    }

    /// Holds orphans, and gives those held earlier another chance if the log has grown.
    fn settle(
        &mut self,
        store: &mut Store,
        peer: PublicKey,
        game: EntryId,
        receipt: Receipt,
        orphans: Vec<SignedEntry>,
        now_ms: u64,
    ) -> Result<Receipt, StoreError> {
        let Some(state) = self.peers.get_mut(&peer) else { return Ok(receipt) };
        let grown = receipt.head.length > receipt.length_before;
        state.hold(game, orphans);
        let released = if grown { state.release(&game) } else { Vec::new() };
        if released.is_empty() {
            return Ok(receipt);
        }
        match store.receive(&peer, game, &released, &[], now_ms) {
            Ok(mut later) => {
                state.hold(game, std::mem::take(&mut later.orphans));
                Ok(Receipt { length_before: receipt.length_before, changed: true, ..later })
            }
            Err(ReceiveError::Store(error)) => Err(error),
            Err(ReceiveError::UnknownGame) => Ok(receipt),
        }
    }
}

/// What a request costs its sender's allowance.
fn cost(request: &Request) -> u64 {
    let more = match request {
        Request::Heads(heads) => heads.len() / HEADS_PER_COST,
        Request::Push { entries, statements, .. } => (entries.len() + statements.len()) / SIGNATURES_PER_COST,
        Request::GetEntries { .. }
        | Request::DeliverAccept { .. }
        | Request::Offer { .. }
        | Request::Unknown { .. } => 0,
    };
    1 + more as u64
}

fn get_entries(
    store: &mut Store,
    peer: &PublicKey,
    game: EntryId,
    from: u32,
) -> Result<Response, StoreError> {
    let Some(shared) = store.shared_game(peer, game)? else {
        return Ok(match store.is_deleted(game)? {
            true => Response::Deleted { game },
            false => Response::UnknownGame { game },
        });
    };
    let tail = store.tail(shared.game, from)?;
    Ok(Response::Entries {
        game,
        from,
        entries: tail.entries,
        statements: tail.statements,
        complete: tail.complete,
    })
}

fn ack(receipt: &Receipt) -> Response {
    let refused =
        receipt.refused.as_ref().map(|refused| Refused::new(refused.seq, refused.later, &refused.reason));
    Response::Ack { head: receipt.head, refused }
}

const fn closed(refused: &AcceptError) -> OfferClosed {
    match refused {
        AcceptError::Closed => OfferClosed::Closed,
        AcceptError::Taken => OfferClosed::Taken,
        AcceptError::Deleted => OfferClosed::Deleted,
        AcceptError::Refused(_) => OfferClosed::Invalid,
        AcceptError::UnknownOffer | AcceptError::Later(_) | AcceptError::Store(_) => OfferClosed::Unknown,
    }
}
