//! Work on the store, lent to a thread that may block, and what comes of it.

use std::collections::HashSet;

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};
use libp2p::PeerId;
use libp2p::request_response::OutboundRequestId;

use super::handle::Stopped;
use super::{Core, NodeEvent, Runtime};
use crate::identity;
use crate::store::StoreError;
use crate::sync::engine::Output;
use crate::sync::message::Request;

impl Runtime {
    /// Works on the store and engine, looks for what has changed, and carries out what comes of both.
    pub(super) async fn steps(
        &mut self,
        job: impl FnOnce(&mut Core, u64) -> Result<Vec<Output>, StoreError> + Send + 'static,
    ) -> Result<(), Stopped> {
        let worked = self
            .work(move |core, now_ms| {
                let mut outputs = job(core, now_ms)?;
                outputs.extend(core.engine.fire_plans(&mut core.store, now_ms)?);
                let news = core.engine.look(&mut core.store)?;
                let notes = core.engine.notes_due(&core.store)?;
                let Core { store, engine, post } = &mut *core;
                let letters = post.due(store, |player| engine.is_connected(player), now_ms)?;
                let changed = !news.is_empty();
                outputs.extend(news);
                Ok((outputs, notes, letters, changed))
            })
            .await?;
        if let Some((outputs, notes, letters, changed)) = worked {
            self.wanted_is_old |= changed;
            self.send_notes(notes);
            self.send_to_mailboxes(letters);
            self.carry_out(outputs);
        }
        self.see_mailboxes_settled();
        Ok(())
    }

    /// Opponents of games that go on are dialled until they are reached, and let in however many others there are.
    /// Those who were not wanted before.
    pub(super) fn want(&mut self, wanted: &[[u8; KEY_BYTES]]) -> Vec<PeerId> {
        let wanted: HashSet<PeerId> = wanted.iter().map(identity::peer_id_of).collect();
        let come: Vec<PeerId> = wanted.difference(&self.wanted).copied().collect();
        let limits = &mut self.swarm.behaviour_mut().limits;
        for gone in self.wanted.difference(&wanted).filter(|peer| !self.reach.is_helper(peer)) {
            limits.remove_peer_id(gone);
        }
        for peer in &come {
            limits.bypass_peer_id(peer);
        }
        self.redial.want(&wanted);
        self.wanted = wanted;
        come
    }

    /// Lends store, engine and post to a thread that may block. A failure of the store is told; `None` comes of it.
    pub(super) async fn work<T: Send + 'static>(
        &mut self,
        job: impl FnOnce(&mut Core, u64) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<Option<T>, Stopped> {
        let mut core = self.core.take().ok_or(Stopped)?;
        let clock = self.clock;
        let worked = tokio::task::spawn_blocking(move || {
            let result = job(&mut core, clock());
            (core, result)
        });
        let (core, result) = worked.await.map_err(|_| Stopped)?;
        self.core = Some(core);
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                tracing::error!(%error, "the store failed");
                self.tell(NodeEvent::StoreFailed { reason: error.to_string() });
                Ok(None)
            }
        }
    }

    pub(super) fn carry_out(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Send { peer, request } => {
                    let first = self.outbox.put(&peer, request);
                    self.send(peer, first);
                }
                Output::Tell(event) => self.tell(NodeEvent::Game(event)),
            }
        }
    }

    fn send(&mut self, peer: PublicKey, request: Option<Request>) {
        let Some(request) = request else { return };
        let id = self.swarm.behaviour_mut().sync.send_request(&identity::peer_id(&peer), request.clone());
        self.asked.insert(id, (peer, request));
    }

    /// A request has its response, or will have none; the next in line is sent.
    pub(super) fn asked(&mut self, id: OutboundRequestId) -> Option<(PublicKey, Request)> {
        let (peer, request) = self.asked.remove(&id)?;
        let next = self.outbox.ended(&peer);
        self.send(peer, next);
        Some((peer, request))
    }

    pub(super) fn tell(&self, event: NodeEvent) {
        // Nobody need listen.
        let _ = self.events.send(event);
    }
}
