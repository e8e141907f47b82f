//! Messages between players on the wire.

use chakart_core::protocol::keys::PublicKey;
use libp2p::request_response::{Event, Message};

use super::Runtime;
use super::handle::Stopped;
use crate::identity;
use crate::sync::note::{NoteRequest, NoteResponse};

impl Runtime {
    pub(super) async fn notes(&mut self, event: Event<NoteRequest, NoteResponse>) -> Result<(), Stopped> {
        match event {
            Event::Message { peer, message: Message::Request { request, channel, .. }, .. } => {
                let Some(player) = identity::player(&peer) else { return Ok(()) };
                let answered = self
                    .work(move |core, now_ms| {
                        core.engine.note_request(&mut core.store, player, &request, now_ms)
                    })
                    .await?;
                let (response, outputs) = answered.unwrap_or((NoteResponse::Busy, Vec::new()));
                // A peer that has gone will send again.
                let _ = self.swarm.behaviour_mut().notes.send_response(channel, response);
                self.carry_out(outputs);
                self.steps(|_, _| Ok(Vec::new())).await
            }
            Event::Message { message: Message::Response { request_id, response }, .. } => {
                let asked = self.asked_notes.remove(&request_id);
                self.notes_answered(asked, Some(response)).await
            }
            Event::OutboundFailure { request_id, error, .. } => {
                tracing::debug!(%error, "messages got no response");
                let asked = self.asked_notes.remove(&request_id);
                self.notes_answered(asked, None).await
            }
            Event::InboundFailure { .. } | Event::ResponseSent { .. } => Ok(()),
        }
    }

    pub(super) fn send_notes(&mut self, due: Vec<(PublicKey, NoteRequest)>) {
        for (peer, request) in due {
            let behaviour = &mut self.swarm.behaviour_mut().notes;
            let id = behaviour.send_request(&identity::peer_id(&peer), request.clone());
            self.asked_notes.insert(id, (peer, request));
        }
    }

    async fn notes_answered(
        &mut self,
        asked: Option<(PublicKey, NoteRequest)>,
        response: Option<NoteResponse>,
    ) -> Result<(), Stopped> {
        let Some((peer, request)) = asked else { return Ok(()) };
        self.steps(move |core, _| {
            core.engine.note_response(&mut core.store, &peer, &request, response)?;
            Ok(Vec::new())
        })
        .await
    }
}
