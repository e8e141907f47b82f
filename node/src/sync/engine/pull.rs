//! Fetching a log from a peer, back to the common entry if need be.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::{EntryId, Party};
use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::log::Log;

use super::{Engine, Output, Outputs, tell};
use crate::store::{GameHead, Receipt, ReceiveError, RecoverError, Store, StoreError};
use crate::sync::limits::MAX_STRANGE_GAMES_PER_PEER;
use crate::sync::message::{Request, Response};

impl Engine {
    /// Fetches a log from a place on, now or when a turn is free.
    pub(super) fn pull(&mut self, peer: PublicKey, game: EntryId, from: u32) -> Vec<Output> {
        let Some(state) = self.peers.get_mut(&peer) else { return Vec::new() };
        match state.begin_pull(game, from) {
            true => vec![get(peer, game, from)],
            false => Vec::new(),
        }
    }

    /// A peer names a game that is not here: it may be this player's from before its home was lost.
    pub(super) fn ask_for_strange_game(
        &mut self,
        store: &Store,
        peer: PublicKey,
        theirs: &GameHead,
    ) -> Outputs {
        let Some(state) = self.peers.get(&peer) else { return Ok(Vec::new()) };
        if state.strange_games >= MAX_STRANGE_GAMES_PER_PEER || store.is_deleted(theirs.game)? {
            return Ok(Vec::new());
        }
        Ok(self.pull(peer, theirs.game, 0))
    }

    /// Takes a part of a log that was asked for, and asks for more where there is more to ask for.
    pub(super) fn take_entries(
        &mut self,
        store: &mut Store,
        peer: PublicKey,
        (game, from): (EntryId, u32),
        response: Response,
        now_ms: u64,
    ) -> Outputs {
        let part = match response {
            Response::Entries { game: got, from: start, entries, statements, complete }
                if got == game && start == from =>
            {
                Part { entries, statements, complete }
            }
            _ => {
                if from == 0 {
                    self.count_strange_game(&peer);
                }
                return Ok(self.end_pull(peer, game));
            }
        };
        let Some(receipt) = self.receive(store, peer, game, &part, now_ms)? else {
            return Ok(self.end_pull(peer, game));
        };
        let mut outputs = tell(&receipt);
        match self.after_part(peer, game, from, &part, &receipt) {
            Some(next) => outputs.push(get(peer, game, next)),
            None => {
                self.note_fetched(&peer, &game, receipt.head);
                outputs.extend(self.end_pull(peer, game));
            }
        }
        Ok(outputs)
    }

    /// Puts a part into its game; `None` if it belongs to no game of this player.
    fn receive(
        &mut self,
        store: &mut Store,
        peer: PublicKey,
        game: EntryId,
        part: &Part,
        now_ms: u64,
    ) -> Result<Option<Receipt>, StoreError> {
        match store.receive(&peer, game, &part.entries, &part.statements, now_ms) {
            Ok(receipt) => return Ok(Some(receipt)),
            Err(ReceiveError::Store(error)) => return Err(error),
            Err(ReceiveError::UnknownGame) => {}
        }
        let named = part.entries.get(1).is_some_and(|accept| accept.id() == game);
        if named && plays(&peer, &part.entries) {
            match store.recover(&part.entries, &part.statements, now_ms) {
                Ok(receipt) => return Ok(Some(receipt)),
                Err(RecoverError::Store(error)) => return Err(error),
                Err(refused) => tracing::debug!(%refused, "a game of a peer is not ours"),
            }
        }
        self.count_strange_game(&peer);
        Ok(None)
    }

    fn count_strange_game(&mut self, peer: &PublicKey) {
        if let Some(state) = self.peers.get_mut(peer) {
            state.strange_games += 1;
        }
    }

    /// The place from which to ask next.
    fn after_part(
        &mut self,
        peer: PublicKey,
        game: EntryId,
        from: u32,
        part: &Part,
        receipt: &Receipt,
    ) -> Option<u32> {
        let pull = self.peers.get_mut(&peer)?.pull(&game)?;
        pull.news |= receipt.changed;
        if receipt.refused.is_some() {
            return None;
        }
        if !receipt.orphans.is_empty() {
            let next = from.checked_sub(pull.step_back);
            pull.step_back = pull.step_back.saturating_mul(2);
            // Nothing in common up to the accept, which names the game: then the peer sends what is not its log.
            return next.or((from > 2).then_some(2)).filter(|next| *next < from);
        }
        let taken = u32::try_from(part.entries.len()).ok()?;
        (!part.complete && taken > 0).then(|| from.saturating_add(taken))
    }

    /// A log that has brought something is on disk here; the peer is still to be told.
    fn note_fetched(&mut self, peer: &PublicKey, game: &EntryId, head: GameHead) {
        let Some(state) = self.peers.get_mut(peer) else { return };
        if state.pull(game).is_some_and(|pull| pull.news) {
            state.fetched.push(head);
        }
    }

    pub(super) fn end_pull(&mut self, peer: PublicKey, game: EntryId) -> Vec<Output> {
        let Some(state) = self.peers.get_mut(&peer) else { return Vec::new() };
        state.end_pull(&game);
        let next = state.next_pull().map(|(game, from)| get(peer, game, from));
        let told = state.fetched_to_tell().map(|heads| Output::Send { peer, request: Request::Heads(heads) });
        next.into_iter().chain(told).collect()
    }
}

struct Part {
    entries: Vec<SignedEntry>,
    statements: Vec<SignedStatement>,
    complete: bool,
}

fn get(peer: PublicKey, game: EntryId, from: u32) -> Output {
    Output::Send { peer, request: Request::GetEntries { game, from } }
}

/// Whether a peer is one of the two players of a log.
fn plays(peer: &PublicKey, entries: &[SignedEntry]) -> bool {
    let [offer, accept, ..] = entries else { return false };
    let Ok(mut log) = Log::open(offer) else { return false };
    log.place(accept).is_ok() && Party::ALL.iter().any(|&party| log.key(party) == Some(peer))
}
