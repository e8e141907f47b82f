//! The mailboxes that this node uses: when each is dialled, and what is said there.

use libp2p::request_response::{Event, Message};
use libp2p::{Multiaddr, PeerId};
use tokio::sync::oneshot;

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};

use super::handle::Stopped;
use super::keeping::Job;
use super::{Core, NodeEvent, Runtime};
use crate::identity;
use crate::mailbox::message::{Request, Response};
use crate::mailbox::post::{MAX_MAILBOXES, MAX_MAILBOXES_OF_OTHERS, PostEvent, Standing};
use crate::settings::PeerAddress;
use crate::store::{ContactPath, StoreError};
use crate::sync::engine::Output;

/// Addresses of one mailbox.
const MAX_ADDRESSES: usize = 4;
/// The first pause before a mailbox is dialled again, in milliseconds.
const FIRST_PAUSE_MS: u64 = 5_000;
/// The longest, in milliseconds.
const LONGEST_PAUSE_MS: u64 = 300_000;
/// How long a dial may take, in milliseconds.
const PATIENCE_MS: u64 = 30_000;
/// Those who wait until nothing is under way with mailboxes.
const MAX_WAITING: usize = 16;

/// The mailboxes of a node.
#[derive(Debug, Default)]
pub(super) struct Mailboxes {
    known: Vec<Mailbox>,
    /// Who wants to hear once nothing is under way.
    waiting: Vec<oneshot::Sender<bool>>,
}

#[derive(Debug)]
struct Mailbox {
    peer: PeerId,
    key: PublicKey,
    addresses: Vec<Multiaddr>,
    /// By this player, in its settings.
    named: bool,
    state: State,
    pause_ms: u64,
    /// Whether the latest dial was in vain.
    failed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Not connected; may be dialled from this moment on.
    Away {
        due_ms: u64,
    },
    /// Being dialled since this moment.
    Dialled {
        since_ms: u64,
    },
    Connected,
}

/// A mailbox with the raw keys of those who have named it for themselves.
pub(super) type OfOthers = (PublicKey, Vec<[u8; KEY_BYTES]>);

impl Mailboxes {
    /// Those that the person has named; one whose key is no player's is none.
    pub(super) fn named(addresses: &[PeerAddress]) -> Self {
        let mut mailboxes = Self::default();
        for at in addresses {
            if mailboxes.add(at, true).is_none() {
                tracing::warn!(%at, "this mailbox is not used: no Ed25519 key, or too many are named");
            }
        }
        mailboxes
    }

    /// The keys of the named ones.
    pub(super) fn keys(&self) -> impl Iterator<Item = PublicKey> {
        self.known.iter().filter(|mailbox| mailbox.named).map(|mailbox| mailbox.key)
    }

    /// Takes the mailboxes of others, as the store keeps them, in place of those that were known; all of them by their keys.
    pub(super) fn set_of_others(&mut self, kept: &[([u8; KEY_BYTES], String)]) -> Vec<OfOthers> {
        let mut others: Vec<OfOthers> = Vec::new();
        for (player, address) in kept {
            let Ok(at) = address.parse::<PeerAddress>() else { continue };
            let Some(key) = self.add(&at, false) else { continue };
            match others.iter_mut().find(|(known, _)| *known == key) {
                Some((_, players)) if players.contains(player) => {}
                Some((_, players)) => players.push(*player),
                None => others.push((key, vec![*player])),
            }
        }
        self.known.retain(|mailbox| mailbox.named || others.iter().any(|(key, _)| *key == mailbox.key));
        others
    }

    /// Whether a peer is one of them.
    pub(super) fn contains(&self, peer: &PeerId) -> bool {
        self.known.iter().any(|mailbox| mailbox.peer == *peer)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Those of some mailboxes that are to be dialled now, each with its addresses.
    pub(super) fn due(&mut self, away: &[PublicKey], now_ms: u64) -> Vec<(PeerId, Vec<Multiaddr>)> {
        let mut due = Vec::new();
        for mailbox in &mut self.known {
            if matches!(mailbox.state, State::Dialled { since_ms } if since_ms + PATIENCE_MS <= now_ms) {
                mailbox.failed(now_ms);
            }
            let ready = matches!(mailbox.state, State::Away { due_ms } if due_ms <= now_ms);
            if ready && away.contains(&mailbox.key) {
                mailbox.state = State::Dialled { since_ms: now_ms };
                due.push((mailbox.peer, mailbox.addresses.clone()));
            }
        }
        due
    }

    /// A peer is connected; whether it is a mailbox.
    pub(super) fn connected(&mut self, peer: &PeerId) -> bool {
        let Some(mailbox) = self.of_peer(peer) else { return false };
        mailbox.state = State::Connected;
        mailbox.failed = false;
        mailbox.pause_ms = FIRST_PAUSE_MS;
        true
    }

    /// A peer could not be reached, or its last connection is gone; whether it is a mailbox.
    pub(super) fn lost(&mut self, peer: &PeerId, now_ms: u64) -> bool {
        let Some(mailbox) = self.of_peer(peer) else { return false };
        match mailbox.state {
            State::Away { .. } => {}
            State::Dialled { .. } => mailbox.failed(now_ms),
            State::Connected => {
                mailbox.state = State::Away { due_ms: now_ms.saturating_add(FIRST_PAUSE_MS) };
            }
        }
        true
    }

    /// Begins again with short pauses: a person waits, or the network has changed.
    pub(super) fn hurry(&mut self) {
        for mailbox in &mut self.known {
            mailbox.pause_ms = FIRST_PAUSE_MS;
            if let State::Away { due_ms } = &mut mailbox.state {
                *due_ms = 0;
            }
        }
    }

    /// Every mailbox with how it stands, in words.
    pub(super) fn standing(&self, post: &[Standing]) -> Vec<(String, String)> {
        let known = self.known.iter().filter_map(|mailbox| {
            let at = PeerAddress { peer: mailbox.peer, address: mailbox.addresses.first()?.clone() };
            let said = post.iter().find(|standing| standing.mailbox == mailbox.key);
            Some((at.to_string(), mailbox.words(said)))
        });
        known.collect()
    }

    fn not_connected(&self) -> impl Iterator<Item = PeerId> {
        let others = self.known.iter().filter(|mailbox| mailbox.state != State::Connected);
        others.map(|mailbox| mailbox.peer)
    }

    fn is_dialling(&self) -> bool {
        self.known.iter().any(|mailbox| matches!(mailbox.state, State::Dialled { .. }))
    }

    /// Adds a mailbox or a further address of one; `None`: it cannot be one, or there are enough.
    fn add(&mut self, at: &PeerAddress, named: bool) -> Option<PublicKey> {
        if let Some(known) = self.of_peer(&at.peer) {
            if !known.addresses.contains(&at.address) && known.addresses.len() < MAX_ADDRESSES {
                known.addresses.push(at.address.clone());
            }
            return Some(known.key);
        }
        let most = if named { MAX_MAILBOXES } else { MAX_MAILBOXES_OF_OTHERS };
        if self.known.iter().filter(|mailbox| mailbox.named == named).count() >= most {
            return None;
        }
        let key = identity::player(&at.peer)?;
        self.known.push(Mailbox {
            peer: at.peer,
            key,
            addresses: vec![at.address.clone()],
            named,
            state: State::Away { due_ms: 0 },
            pause_ms: FIRST_PAUSE_MS,
            failed: false,
        });
        Some(key)
    }

    fn of_peer(&mut self, peer: &PeerId) -> Option<&mut Mailbox> {
        self.known.iter_mut().find(|mailbox| mailbox.peer == *peer)
    }
}

impl Mailbox {
    fn failed(&mut self, now_ms: u64) {
        self.state = State::Away { due_ms: now_ms.saturating_add(self.pause_ms) };
        self.pause_ms = (self.pause_ms * 2).min(LONGEST_PAUSE_MS);
        self.failed = true;
    }

    fn words(&self, said: Option<&Standing>) -> String {
        let mut words = match self.state {
            State::Connected => "connected".to_owned(),
            _ if self.failed => "not reached".to_owned(),
            State::Dialled { .. } => "being dialled".to_owned(),
            State::Away { .. } => "not connected; nothing is due there".to_owned(),
        };
        let Some(said) = said else { return words };
        if self.state == State::Connected || said.put + said.taken > 0 {
            let letters = if said.put == 1 { "letter" } else { "letters" };
            words.push_str(&format!("; {} {letters} put, {} taken", said.put, said.taken));
        }
        if let Some(refusal) = said.refused {
            words.push_str(&format!("; refused the latest letter: {refusal}"));
        }
        if said.unlisted {
            words.push_str("; keeps no letters for you: its owner has not listed your key");
        }
        words
    }
}

impl Runtime {
    /// Reads again which mailboxes others have named.
    pub(super) async fn learn_mailboxes(&mut self) -> Result<(), Stopped> {
        let Some(kept) = self.work(|core, _| core.store.mailboxes_of_others()).await? else { return Ok(()) };
        let others = self.reach.mailboxes.set_of_others(&kept);
        self.work(move |core, _| {
            core.post.set_of_others(&others);
            Ok(())
        })
        .await?;
        let connected = |peer: &PeerId| self.connections.is_connected(peer);
        for peer in self.reach.mailboxes.not_connected().filter(connected).collect::<Vec<_>>() {
            self.mailbox_connected(&peer).await?;
        }
        Ok(())
    }

    /// Dials mailboxes to whom there is something to say.
    pub(super) async fn look_after_mailboxes(&mut self) -> Result<(), Stopped> {
        if self.reach.mailboxes.is_empty() {
            return Ok(());
        }
        let away = self.work(|core, now_ms| {
            let Core { store, engine, post } = core;
            post.away(store, |player| engine.is_connected(player), now_ms)
        });
        let away = away.await?.unwrap_or_default();
        for (peer, addresses) in self.reach.mailboxes.due(&away, (self.clock)()) {
            self.swarm.behaviour_mut().limits.bypass_peer_id(&peer);
            self.dial_helper(peer, addresses);
        }
        Ok(())
    }

    /// A peer has its first connection; if it is a mailbox, letters are taken at once.
    pub(super) async fn mailbox_connected(&mut self, peer: &PeerId) -> Result<(), Stopped> {
        let Some(player) = identity::player(peer).filter(|_| self.reach.mailboxes.connected(peer)) else {
            return Ok(());
        };
        self.tell(NodeEvent::MailboxesChanged);
        self.steps(move |core, _| {
            core.post.connected(&player);
            Ok(Vec::new())
        })
        .await
    }

    pub(super) async fn letters(&mut self, event: Event<Request, Response>) -> Result<(), Stopped> {
        match event {
            Event::Message { peer, message: Message::Request { request, channel, .. }, .. } => {
                let refused = match (identity::player(&peer), &self.keeping) {
                    (Some(peer), Some(keeping)) => keeping.ask(Job::Answer { peer, request, channel }),
                    _ => Some((channel, Response::Unsupported)),
                };
                if let Some((channel, response)) = refused {
                    // A peer that has gone will ask again.
                    let _ = self.swarm.behaviour_mut().letters.send_response(channel, response);
                }
                Ok(())
            }
            Event::Message { message: Message::Response { request_id, response }, .. } => {
                let mailbox = self.asked_mailboxes.remove(&request_id);
                self.mailbox_answered(mailbox, Some(response)).await
            }
            Event::OutboundFailure { request_id, error, .. } => {
                tracing::debug!(%error, "a mailbox gave no response");
                let mailbox = self.asked_mailboxes.remove(&request_id);
                self.mailbox_answered(mailbox, None).await
            }
            Event::InboundFailure { .. } | Event::ResponseSent { .. } => Ok(()),
        }
    }

    pub(super) fn send_to_mailboxes(&mut self, due: Vec<(PublicKey, Request)>) {
        for (mailbox, request) in due {
            let behaviour = &mut self.swarm.behaviour_mut().letters;
            let id = behaviour.send_request(&identity::peer_id(&mailbox), request);
            self.asked_mailboxes.insert(id, mailbox);
        }
    }

    /// Replies once nothing is under way with mailboxes and none is being dialled.
    pub(super) async fn settle_mailboxes(&mut self, reply: oneshot::Sender<bool>) -> Result<(), Stopped> {
        self.reach.mailboxes.waiting.push(reply);
        if self.reach.mailboxes.waiting.len() > MAX_WAITING {
            self.reach.mailboxes.waiting.remove(0);
        }
        self.look_after_mailboxes().await?;
        self.steps(|_, _| Ok(Vec::new())).await
    }

    /// Tells whoever waits for it that nothing is under way with mailboxes.
    pub(super) fn see_mailboxes_settled(&mut self) {
        let busy = self.core.as_ref().is_none_or(|core| core.post.is_busy());
        if busy || self.reach.mailboxes.is_dialling() {
            return;
        }
        let reached = self.reach.mailboxes.known.iter().any(|mailbox| mailbox.state == State::Connected);
        for reply in self.reach.mailboxes.waiting.drain(..) {
            // Whoever asked may have gone.
            let _ = reply.send(reached);
        }
    }

    async fn mailbox_answered(
        &mut self,
        mailbox: Option<PublicKey>,
        response: Option<Response>,
    ) -> Result<(), Stopped> {
        let Some(mailbox) = mailbox else { return Ok(()) };
        let now_ms = (self.clock)();
        let standing = |core: &Option<Box<Core>>| core.as_ref().map(|core| core.post.standing(now_ms));
        let before = standing(&self.core);
        self.steps(move |core, now_ms| answered(core, &mailbox, response, now_ms)).await?;
        if standing(&self.core) != before {
            self.tell(NodeEvent::MailboxesChanged);
        }
        Ok(())
    }
}

fn answered(
    core: &mut Core,
    mailbox: &PublicKey,
    response: Option<Response>,
    now_ms: u64,
) -> Result<Vec<Output>, StoreError> {
    let mut outputs = Vec::new();
    for event in core.post.answered(&mut core.store, mailbox, response, now_ms)? {
        match event {
            PostEvent::Game(told) => outputs.push(Output::Tell(told)),
            PostEvent::Letter { from, .. } if core.engine.is_connected(from.as_bytes()) => {}
            PostEvent::Letter { from, .. } => {
                core.store.note_contact(&from, ContactPath::Mailbox, false, now_ms)?;
            }
            PostEvent::Kept { mailbox, .. } => tracing::debug!(%mailbox, "a mailbox keeps a letter"),
            PostEvent::NotKept { mailbox, reason, .. } => {
                tracing::info!(%mailbox, %reason, "a mailbox does not keep a letter");
            }
            PostEvent::Junk { mailbox, letters } => {
                tracing::info!(%mailbox, letters, "letters out of a mailbox say nothing");
            }
        }
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use chakart_core::protocol::keys::SecretKey;

    use super::*;

    fn at(number: u8) -> PeerAddress {
        let peer = identity::peer_id(&SecretKey::from_seed(&[number; 32]).public());
        format!("/ip4/192.0.2.{number}/tcp/4001/p2p/{peer}").parse().expect("an address")
    }

    #[test]
    fn only_those_to_whom_something_is_to_be_said_are_dialled_with_growing_pauses() {
        let named = [at(1), at(2)];
        let mut mailboxes = Mailboxes::named(&named);
        let keys: Vec<PublicKey> = mailboxes.keys().collect();
        assert_eq!(mailboxes.due(&[], 0), []);
        let (mut now_ms, mut pause_ms) = (0, FIRST_PAUSE_MS);
        for _ in 0..10 {
            assert_eq!(mailboxes.due(&keys[..1], now_ms).len(), 1);
            assert!(mailboxes.is_dialling());
            mailboxes.lost(&named[0].peer, now_ms);
            assert_eq!(mailboxes.due(&keys[..1], now_ms + pause_ms - 1), []);
            now_ms += pause_ms;
            pause_ms = (2 * pause_ms).min(LONGEST_PAUSE_MS);
        }
        assert_eq!(mailboxes.standing(&[])[0], (named[0].to_string(), "not reached".to_owned()));
        mailboxes.hurry();
        assert_eq!(mailboxes.due(&keys[..1], 0).len(), 1);
        assert!(mailboxes.connected(&named[0].peer) && !mailboxes.connected(&at(3).peer));
        let said = Standing {
            mailbox: keys[0],
            connected: true,
            put: 3,
            taken: 2,
            refused: Some(crate::mailbox::boxes::Refusal::AllFull),
            unlisted: false,
        };
        let words = "connected; 3 letters put, 2 taken; refused the latest letter: the mailbox is full";
        assert_eq!(mailboxes.standing(&[said])[0].1, words);
    }

    #[test]
    fn those_of_others_come_and_go_and_named_ones_stay() {
        let mut mailboxes = Mailboxes::named(&[at(1)]);
        let kept = |numbers: &[u8]| -> Vec<([u8; KEY_BYTES], String)> {
            numbers.iter().map(|number| ([*number; KEY_BYTES], at(*number).to_string())).collect()
        };
        let mut many: Vec<u8> = (1..100).collect();
        let others = mailboxes.set_of_others(&kept(&many));
        assert_eq!(others.len(), MAX_MAILBOXES_OF_OTHERS + 1, "the named one is somebody's too");
        many.clear();
        assert_eq!(mailboxes.set_of_others(&[([7; KEY_BYTES], "nonsense".to_owned())]), []);
        assert!(mailboxes.contains(&at(1).peer) && !mailboxes.contains(&at(2).peer));
        let twice = [kept(&[2]), vec![([9; KEY_BYTES], at(2).to_string())]].concat();
        assert_eq!(mailboxes.set_of_others(&twice)[0].1, [[2; KEY_BYTES], [9; KEY_BYTES]]);
    }
}
