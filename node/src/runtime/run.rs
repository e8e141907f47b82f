//! The loop itself. Nothing in it blocks: work on the store is lent to a thread that may.

use std::time::Duration;

use chakart_core::protocol::keys::PublicKey;
use futures::StreamExt;
use libp2p::core::ConnectedPoint;
use libp2p::request_response::{Event as SyncStreamEvent, Message};
use libp2p::swarm::{ConnectionId, DialError, ListenError, SwarmEvent};
use libp2p::{Multiaddr, PeerId, identify, ping};
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::connections::Link;
use super::handle::{Command, ConnectError, PeerStatus, Stopped};
use super::keeping::next_answer;
use super::listen::Early;
use super::{FALLBACK_LOOK, NodeEvent, Runtime, texts};
use crate::identity;
use crate::net::{BehaviourEvent, NetError, STRANGER_STAY_MS, address_of, is_local, is_relayed, same_host};
use crate::store::{ContactPath, Store, StoreError};
use crate::sync::message::{Request, Response};

/// How often it is seen whose time to be dialled has come.
const DIAL_TICK: Duration = Duration::from_secs(1);
/// How long after a call those who are away are dialled: what is on its way to a connected peer goes first.
const DIAL_AFTER_CALL: Duration = Duration::from_millis(50);
/// How often connected peers are looked after.
const PEER_TICK: Duration = Duration::from_secs(5);
/// How long connections may take to close in good order.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

impl Runtime {
    /// Runs until told to stop, or until nobody is left who could tell.
    pub(super) async fn run(mut self, early: Early) {
        if self.learn_mailboxes().await.is_err() {
            return;
        }
        for event in early {
            if self.network(event).await.is_err() {
                return;
            }
        }
        let [mut peers, mut looks] = [PEER_TICK, FALLBACK_LOOK].map(calm_interval);
        loop {
            let step = tokio::select! {
                command = self.inbox.recv() => match command {
                    None | Some(Command::ShutDown) => break,
                    Some(command) => self.command(command).await,
                },
                () = self.wake.woken() => self.woken().await,
                event = self.swarm.select_next_some() => self.network(event).await,
                (channel, response) = next_answer(&mut self.keeping) => {
                    // A peer that has gone will ask again.
                    let _ = self.swarm.behaviour_mut().letters.send_response(channel, response);
                    Ok(())
                }
                _ = looks.tick() => self.look().await,
                _ = self.dials.tick() => {
                    self.look_after_ways();
                    self.dial_wanted().await
                }
                _ = peers.tick() => self.look_after_peers().await,
            };
            if step.is_err() {
                break;
            }
        }
        self.close().await;
    }

    /// Says goodbye, so that peers need not wait for their timeouts.
    async fn close(&mut self) {
        self.hang_up();
        let swarm = &mut self.swarm;
        let closing = async {
            while swarm.connected_peers().next().is_some() {
                swarm.select_next_some().await;
            }
        };
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, closing).await;
    }

    async fn command(&mut self, command: Command) -> Result<(), Stopped> {
        match command {
            Command::Connect { peer, addresses, reply } => {
                let known = self.work(move |core, _| core.store.addresses(&peer)).await?;
                let network_name = identity::peer_id(&peer);
                self.redial.reset(&network_name);
                match readable(&network_name, &addresses, &known.unwrap_or_default()) {
                    Ok(addresses) => self.connect(network_name, addresses, Some(reply)),
                    // Whoever asked may have gone, here and below.
                    Err(error) => drop(reply.send(Err(error.into()))),
                }
            }
            Command::Greet { peer } => {
                self.steps(move |core, now_ms| core.engine.greet(&mut core.store, peer, now_ms)).await?;
            }
            Command::ListenAddresses { reply } => {
                let mut addresses = texts(self.swarm.listeners().filter(|address| !is_relayed(address)));
                addresses.extend(self.external_texts());
                addresses.sort();
                addresses.dedup();
                drop(reply.send(addresses));
            }
            Command::Standing { reply } => drop(reply.send(self.standing())),
            Command::Peers { reply } => drop(reply.send(self.peers())),
            Command::SettleMailboxes { reply } => self.settle_mailboxes(reply).await?,
            Command::Wake => self.woken().await?,
            Command::ShutDown => {}
        }
        Ok(())
    }

    /// A person has done something: whoever is away is worth another try at once.
    async fn woken(&mut self) -> Result<(), Stopped> {
        self.begin_again();
        self.dials.reset_after(DIAL_AFTER_CALL);
        self.learn_mailboxes().await?;
        self.steps(|core, _| {
            core.post.wake();
            Ok(Vec::new())
        })
        .await?;
        self.look_after_mailboxes().await
    }

    async fn look(&mut self) -> Result<(), Stopped> {
        self.steps(|_, _| Ok(Vec::new())).await
    }

    async fn look_after_peers(&mut self) -> Result<(), Stopped> {
        self.steps(|core, now_ms| core.engine.tick(&mut core.store, now_ms)).await?;
        let early = self.connections.since_before((self.clock)().saturating_sub(STRANGER_STAY_MS));
        let strangers = self.work(move |core, _| strangers(&core.store, early)).await?;
        for peer in strangers.unwrap_or_default().into_iter().filter(|peer| !self.reach.needs(peer)) {
            // Gone already is as good.
            let _ = self.swarm.disconnect_peer_id(peer);
        }
        self.look_after_mailboxes().await?;
        self.count().await?;
        self.look_into_table().await
    }

    async fn network(&mut self, event: SwarmEvent<BehaviourEvent>) -> Result<(), Stopped> {
        if let Some(metrics) = &self.metrics {
            metrics.record(&event);
        }
        match event {
            SwarmEvent::ConnectionEstablished { peer_id, connection_id, endpoint, .. } => {
                self.established(peer_id, connection_id, way_of(&endpoint), endpoint.is_dialer()).await
            }
            SwarmEvent::ConnectionClosed { peer_id, connection_id, .. } => {
                self.closed(peer_id, connection_id).await
            }
            SwarmEvent::OutgoingConnectionError { connection_id, peer_id, error, .. } => {
                if let DialError::LocalPeerId { address } = &error {
                    self.tell(NodeEvent::SecondNode { address: address.to_string() });
                }
                if let Some(sought) = self.connections.dial_failed(connection_id, &error.to_string()) {
                    self.give_up_on(&sought);
                }
                if let Some(peer) = peer_id.filter(|peer| !self.connections.is_connected(peer)) {
                    self.helper_lost(&peer);
                }
                Ok(())
            }
            SwarmEvent::NewListenAddr { address, .. } => {
                self.address_changed(&address, true);
                Ok(())
            }
            SwarmEvent::ExpiredListenAddr { address, .. } => {
                self.address_changed(&address, false);
                Ok(())
            }
            SwarmEvent::ListenerClosed { listener_id, .. } => {
                self.reach.relays.listener_closed(listener_id, (self.clock)());
                Ok(())
            }
            SwarmEvent::ExternalAddrConfirmed { .. } => {
                self.external_address();
                Ok(())
            }
            SwarmEvent::Behaviour(BehaviourEvent::Sync(event)) => self.sync(event).await,
            SwarmEvent::Behaviour(BehaviourEvent::Notes(event)) => self.notes(event).await,
            SwarmEvent::Behaviour(BehaviourEvent::Letters(event)) => self.letters(event).await,
            SwarmEvent::IncomingConnectionError { error: ListenError::LocalPeerId { address }, .. } => {
                self.tell(NodeEvent::SecondNode { address: address.to_string() });
                Ok(())
            }
            SwarmEvent::Behaviour(BehaviourEvent::Identify(identify::Event::Received {
                peer_id,
                connection_id,
                info,
            })) => self.identified(peer_id, connection_id, info).await,
            SwarmEvent::Behaviour(BehaviourEvent::Ping(ping::Event {
                connection,
                result: Err(error),
                ..
            })) => {
                tracing::debug!(%error, "a silent connection is closed");
                self.swarm.close_connection(connection);
                Ok(())
            }
            SwarmEvent::Behaviour(event) => {
                self.way(event);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What the ways to friends tell.
    fn way(&mut self, event: BehaviourEvent) {
        match event {
            BehaviourEvent::Relay(event) => self.relay_event(event),
            BehaviourEvent::Punch(event) => self.punch_event(&event),
            BehaviourEvent::Reachable(event) => self.reachable_event(&event),
            BehaviourEvent::Lan(event) => self.lan_event(event),
            BehaviourEvent::Mapping(event) => self.mapping_event(&event),
            BehaviourEvent::Dht(event) => self.table_event(event),
            BehaviourEvent::Hop(event) => self.hop_event(&event),
            _ => {}
        }
    }

    async fn established(
        &mut self,
        peer: PeerId,
        id: ConnectionId,
        address: Multiaddr,
        dialled: bool,
    ) -> Result<(), Stopped> {
        let player = identity::player(&peer);
        if player.is_none() && !self.reach.admits(&peer, dialled) {
            // A name that is no player's has nothing to say here.
            self.swarm.close_connection(id);
            return Ok(());
        }
        let text = address.to_string();
        self.redial.reset(&peer);
        let first = self.connections.add(peer, id, Link::new(address, dialled, (self.clock)()));
        if first {
            self.mailbox_connected(&peer).await?;
        }
        let Some(player) = player.filter(|_| !self.reach.is_helper(&peer) || self.wanted.contains(&peer))
        else {
            return Ok(());
        };
        let Some(path) = self.connections.path(&peer) else { return Ok(()) };
        if first {
            self.tell(NodeEvent::PeerConnected { peer: player, address: text.clone() });
        } else {
            self.tell(NodeEvent::PathChanged { peer: player, path });
        }
        self.steps(move |core, now_ms| {
            note_path(&mut core.store, &player, path, now_ms)?;
            if !first {
                return Ok(Vec::new());
            }
            if dialled && let Ok(address) = address_of(Some(&peer), &text) {
                core.store.keep_address(&player, &address.to_string(), now_ms)?;
            }
            core.engine.connected(&mut core.store, player, now_ms)
        })
        .await
    }

    async fn closed(&mut self, peer: PeerId, id: ConnectionId) -> Result<(), Stopped> {
        let last = self.connections.remove(&peer, id);
        if last {
            self.helper_lost(&peer);
        }
        let Some(player) = identity::player(&peer) else { return Ok(()) };
        if let Some(path) = self.connections.path(&peer) {
            self.tell(NodeEvent::PathChanged { peer: player, path });
            return self
                .steps(move |core, now_ms| {
                    note_path(&mut core.store, &player, path, now_ms)?;
                    Ok(Vec::new())
                })
                .await;
        }
        self.outbox.forget(&player);
        self.asked_mailboxes.retain(|_, mailbox| *mailbox != player);
        if !self.reach.is_helper(&peer) || self.wanted.contains(&peer) {
            self.tell(NodeEvent::PeerDisconnected { peer: player });
        }
        self.steps(move |core, now_ms| {
            core.store.note_disconnected(Some(&player), now_ms)?;
            core.engine.disconnected(&player);
            core.post.disconnected(&player);
            Ok(Vec::new())
        })
        .await
    }

    /// Where an opponent listens it can be dialled later: on the host from which it came, at addresses that mean the same
    /// everywhere, and through relays.
    async fn identified(
        &mut self,
        peer: PeerId,
        id: ConnectionId,
        info: identify::Info,
    ) -> Result<(), Stopped> {
        let Some(from) = self.connections.address(&peer, id).cloned() else { return Ok(()) };
        let good: Vec<String> = info
            .listen_addrs
            .iter()
            .filter(|address| {
                let near = !is_relayed(&from) && same_host(address, &from);
                near || is_relayed(address) || !is_local(address)
            })
            .filter_map(|address| address_of(Some(&peer), &address.to_string()).ok())
            .take(crate::store::MAX_ADDRESSES_PER_PEER)
            .map(|address| address.to_string())
            .collect();
        self.helper_identified(peer, &from, &info);
        self.connections.note_listens(peer, good);
        self.keep_listens(peer).await
    }

    /// Keeps where an opponent says to listen; a guest becomes one only with its accept, after it has said so.
    async fn keep_listens(&mut self, peer: PeerId) -> Result<(), Stopped> {
        let (Some(player), Some(listens)) = (identity::player(&peer), self.connections.listens(&peer)) else {
            return Ok(());
        };
        let kept = self
            .work(move |core, now_ms| {
                // Only of opponents: nobody else fills the store.
                let opponent = !core.store.games_with(&player, None, 1)?.is_empty();
                for address in listens.iter().filter(|_| opponent) {
                    core.store.keep_address(&player, address, now_ms)?;
                }
                Ok(opponent)
            })
            .await?;
        if kept == Some(true) {
            self.connections.forget_listens(&peer);
        }
        Ok(())
    }

    async fn sync(&mut self, event: SyncStreamEvent<Request, Response>) -> Result<(), Stopped> {
        match event {
            SyncStreamEvent::Message { peer, message: Message::Request { request, channel, .. }, .. } => {
                let Some(player) = identity::player(&peer) else { return Ok(()) };
                let answered = self
                    .work(move |core, now_ms| core.engine.request(&mut core.store, player, request, now_ms))
                    .await?;
                let (response, outputs) = answered.unwrap_or((Response::Busy, Vec::new()));
                // A peer that has gone will ask again.
                let _ = self.swarm.behaviour_mut().sync.send_response(channel, response);
                self.carry_out(outputs);
                self.keep_listens(peer).await?;
                self.steps(|_, _| Ok(Vec::new())).await
            }
            SyncStreamEvent::Message { message: Message::Response { request_id, response }, .. } => {
                let Some((player, request)) = self.asked(request_id) else { return Ok(()) };
                self.steps(move |core, now_ms| {
                    core.engine.response(&mut core.store, player, &request, response, now_ms)
                })
                .await
            }
            SyncStreamEvent::OutboundFailure { request_id, error, .. } => {
                let Some((player, request)) = self.asked(request_id) else { return Ok(()) };
                tracing::debug!(%error, "a request got no response");
                self.steps(move |core, _| Ok(core.engine.failed(player, &request))).await
            }
            SyncStreamEvent::InboundFailure { .. } | SyncStreamEvent::ResponseSent { .. } => Ok(()),
        }
    }

    /// Notes how peers are connected who were strangers when they came.
    async fn note_paths(&mut self, peers: &[PeerId]) -> Result<(), Stopped> {
        let path = |peer| Some((identity::player(peer)?, self.connections.path(peer)?));
        let paths: Vec<_> = peers.iter().filter_map(path).collect();
        if paths.is_empty() {
            return Ok(());
        }
        let noted = self.work(move |core, now_ms| {
            paths.iter().try_for_each(|(player, path)| note_path(&mut core.store, player, *path, now_ms))
        });
        noted.await.map(drop)
    }

    /// Dials opponents of open games whose time has come.
    async fn dial_wanted(&mut self) -> Result<(), Stopped> {
        if self.wanted_is_old
            && let Some(wanted) = self.work(|core, _| core.store.wanted_peers()).await?
        {
            self.wanted_is_old = false;
            let come = self.want(&wanted);
            self.note_paths(&come).await?;
        }
        let due = self.redial.due(|peer| !self.connections.is_connected(peer), (self.clock)());
        if due.is_empty() {
            return Ok(());
        }
        let known = self.work(move |core, _| addresses(&core.store, due)).await?;
        for (peer, known) in known.unwrap_or_default() {
            if let Ok(addresses) = readable(&peer, &[], &known) {
                self.connect(peer, addresses, None);
            }
        }
        Ok(())
    }

    fn connect(
        &mut self,
        peer: PeerId,
        mut addresses: Vec<Multiaddr>,
        reply: Option<tokio::sync::oneshot::Sender<Result<(), ConnectError>>>,
    ) {
        if self.connections.is_connected(&peer) {
            return reply.map_or((), |reply| drop(reply.send(Ok(()))));
        }
        if let Some(reply) = reply {
            let until_ms = (self.clock)().saturating_add(self.reach.patience_ms());
            self.connections.wait(peer, reply, until_ms);
        }
        addresses.extend(self.connections.nearby(&peer).iter().cloned());
        self.dial(peer, addresses);
        self.give_up_on(&peer);
    }

    fn peers(&self) -> Vec<PeerStatus> {
        self.connections
            .all()
            .filter_map(|(peer, addresses)| {
                let path = self.connections.path(peer)?;
                Some(PeerStatus { peer: identity::player(peer)?, addresses: texts(addresses), path })
            })
            .collect()
    }
}

/// Where a connection comes from or leads to. A circuit of which this node is the far end comes from the relay, which
/// libp2p tells as its near end.
fn way_of(endpoint: &ConnectedPoint) -> Multiaddr {
    match endpoint {
        ConnectedPoint::Listener { local_addr, .. } if endpoint.is_relayed() => local_addr.clone(),
        _ => endpoint.get_remote_address().clone(),
    }
}

/// Notes how an opponent is connected; nobody else fills the store.
fn note_path(
    store: &mut Store,
    player: &PublicKey,
    path: ContactPath,
    now_ms: u64,
) -> Result<(), StoreError> {
    if store.games_with(player, None, 1)?.is_empty() {
        return Ok(());
    }
    store.note_contact(player, path, true, now_ms)
}

/// Where some peers were reached.
fn addresses(store: &Store, peers: Vec<PeerId>) -> Result<Vec<(PeerId, Vec<String>)>, StoreError> {
    let known = |peer| match identity::player(&peer) {
        Some(player) => Ok((peer, store.addresses(&player)?)),
        None => Ok((peer, Vec::new())),
    };
    peers.into_iter().map(known).collect()
}

/// Those of some peers who have no common game.
fn strangers(store: &Store, peers: Vec<PeerId>) -> Result<Vec<PeerId>, StoreError> {
    let mut strangers = Vec::new();
    for peer in peers {
        let known = match identity::player(&peer) {
            Some(player) => !store.games_with(&player, None, 1)?.is_empty(),
            None => false,
        };
        if !known {
            strangers.push(peer);
        }
    }
    Ok(strangers)
}

/// The times at which those who are away are dialled.
pub(super) fn dials() -> Interval {
    calm_interval(DIAL_TICK)
}

/// Ticks at once and then regularly; a late tick is not made up for.
fn calm_interval(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Addresses to dial: those given, which must be readable, and those remembered.
fn readable(peer: &PeerId, given: &[String], known: &[String]) -> Result<Vec<Multiaddr>, NetError> {
    let mut addresses =
        given.iter().map(|text| address_of(Some(peer), text)).collect::<Result<Vec<_>, _>>()?;
    addresses.extend(known.iter().filter_map(|text| address_of(Some(peer), text).ok()));
    addresses.sort();
    addresses.dedup();
    Ok(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circuit_is_relayed_at_both_of_its_ends() {
        let [relay, friend] = [PeerId::random(), PeerId::random()];
        let circuit: Multiaddr =
            format!("/ip4/192.0.2.7/tcp/4001/p2p/{relay}/p2p-circuit").parse().expect("an address");
        let far_end = ConnectedPoint::Listener {
            local_addr: circuit.clone(),
            send_back_addr: format!("/p2p/{friend}").parse().expect("an address"),
        };
        assert_eq!(way_of(&far_end), circuit);
        let [near, far] = ["/ip4/192.0.2.8/tcp/4001", "/ip4/192.0.2.9/tcp/4001"]
            .map(|text| text.parse().expect("an address"));
        assert_eq!(way_of(&ConnectedPoint::Listener { local_addr: near, send_back_addr: far.clone() }), far);
    }
}
