//! What goes between two players beside their games: offers to one another, messages; and plans that come due.

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::log::Log;
use chakart_core::protocol::note::SignedNote;

use super::answer::Answer;
use super::peer::NoteTurn;
use super::{Engine, Output, Outputs, SyncEvent};
use crate::store::{InviteError, NoteError, NoteReceipt, Store, StoreError};
use crate::sync::limits::{MAX_NOTES, SIGNATURES_PER_COST};
use crate::sync::message::{OfferClosed, Request, Response};
use crate::sync::note::{NoteRequest, NoteResponse};

impl Engine {
    /// Plays the plans whose events have come, and drops those whose events cannot come any more. To be called before
    /// [`Engine::look`].
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn fire_plans(&mut self, store: &mut Store, now_ms: u64) -> Outputs {
        let mut outputs = Vec::new();
        for game in store.games_with_due_plans()? {
            let reports = store.fire_plans(game, now_ms)?;
            outputs.extend(reports.into_iter().map(|report| Output::Tell(SyncEvent::Plan(report))));
        }
        Ok(outputs)
    }

    /// The messages that connected peers are to be sent now under `/chakart/note/1`. To be called after every other step.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn notes_due(&mut self, store: &Store) -> Result<Vec<(PublicKey, NoteRequest)>, StoreError> {
        let mut due = Vec::new();
        for peer in store.note_peers()? {
            let Some(state) = self.peers.get_mut(&peer).filter(|state| state.notes == NoteTurn::Free) else {
                continue;
            };
            let notes = store.undelivered_notes(&peer, MAX_NOTES)?;
            if !notes.is_empty() {
                state.notes = NoteTurn::UnderWay;
                due.push((peer, NoteRequest { notes }));
            }
        }
        Ok(due)
    }

    /// Takes messages of a peer.
    ///
    /// # Errors
    /// [`StoreError`]: the peer is then to be told [`NoteResponse::Busy`].
    pub fn note_request(
        &mut self,
        store: &mut Store,
        peer: PublicKey,
        request: &NoteRequest,
        now_ms: u64,
    ) -> Result<(NoteResponse, Vec<Output>), StoreError> {
        let cost = 1 + request.notes.len() / SIGNATURES_PER_COST;
        if !self.may_ask(store, &peer, cost as u64, now_ms)? {
            return Ok((NoteResponse::Busy, Vec::new()));
        }
        let mut outputs = Vec::new();
        for note in &request.notes {
            if let Some(event) = take_note(store, &peer, note, now_ms)? {
                outputs.push(Output::Tell(event));
            }
        }
        Ok((NoteResponse::Kept, outputs))
    }

    /// Judges the response to messages; `None`: there was none.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn note_response(
        &mut self,
        store: &mut Store,
        peer: &PublicKey,
        request: &NoteRequest,
        response: Option<NoteResponse>,
    ) -> Result<(), StoreError> {
        let kept = response == Some(NoteResponse::Kept);
        if kept {
            store.acknowledge_notes(peer, &request.notes)?;
        }
        if let Some(state) = self.peers.get_mut(peer) {
            state.notes = if kept { NoteTurn::Free } else { NoteTurn::Failed };
        }
        Ok(())
    }

    /// Sends a connected peer the open offers that are for it alone and that it does not have.
    pub(super) fn push_offers(&mut self, store: &Store, peer: PublicKey) -> Outputs {
        let Some(state) = self.peers.get_mut(&peer) else { return Ok(Vec::new()) };
        let undelivered = store.undelivered_offers(&peer)?;
        let fresh = undelivered.into_iter().filter(|own| state.offers.insert(own.id));
        Ok(fresh.map(|own| Output::Send { peer, request: Request::Offer { offer: own.offer } }).collect())
    }

    pub(super) fn take_offer_answer(
        &mut self,
        store: &mut Store,
        peer: &PublicKey,
        offer: EntryId,
        response: &Response,
    ) -> Result<(), StoreError> {
        match response {
            Response::Kept => store.mark_offer_delivered(offer, true)?,
            Response::OfferClosed { .. } => store.mark_offer_delivered(offer, false)?,
            // A peer of an older version, or one whose person has many to answer: another connection, a block or an
            // invite may still reach it.
            _ => return Ok(()),
        }
        self.unmark_offer(peer, &offer);
        Ok(())
    }

    pub(super) fn unmark_offer(&mut self, peer: &PublicKey, offer: &EntryId) {
        if let Some(state) = self.peers.get_mut(peer) {
            state.offers.remove(offer);
        }
    }
}

/// Takes an offer of a known peer that is for this player alone.
pub(super) fn answer_offer(store: &mut Store, peer: &PublicKey, offer: &SignedEntry, now_ms: u64) -> Answer {
    let closed = |reason| Ok((Response::OfferClosed { reason }, Vec::new()));
    let Ok(log) = Log::open(offer) else { return closed(OfferClosed::Invalid) };
    let ours = log.offer().host_key == *peer && log.offer().guest_key == Some(store.player());
    if !ours || !store.knows(peer)? {
        return closed(OfferClosed::Unknown);
    }
    let known = store.has_invite(offer.id())?;
    match store.keep_invite(offer, now_ms) {
        Ok(_) if known => Ok((Response::Kept, Vec::new())),
        Ok(invite) => {
            let event = SyncEvent::Invite { offer: invite.id, name: invite.name };
            Ok((Response::Kept, vec![Output::Tell(event)]))
        }
        Err(InviteError::Store(error)) => Err(error),
        Err(InviteError::JoinedBefore) => Ok((Response::Kept, Vec::new())),
        // Asked again at once it would be full again: the next connection is soon enough.
        Err(InviteError::TooMany(_) | InviteError::TooManyOfHost(_)) => {
            Ok((Response::Unsupported, Vec::new()))
        }
        Err(_) => closed(OfferClosed::Invalid),
    }
}

/// Takes a message of a peer in a common game; what is told of it.
fn take_note(
    store: &mut Store,
    peer: &PublicKey,
    note: &SignedNote,
    now_ms: u64,
) -> Result<Option<SyncEvent>, StoreError> {
    let Ok(read) = note.decode() else { return Ok(None) };
    if store.shared_game(peer, read.game)?.is_none_or(|game| game.me == read.author) {
        return Ok(None);
    }
    match store.receive_note(note, now_ms) {
        Ok(NoteReceipt::New { game, muted: false }) => Ok(Some(SyncEvent::Note { game })),
        Err(NoteError::Store(error)) => Err(error),
        Ok(_) | Err(_) => Ok(None),
    }
}
