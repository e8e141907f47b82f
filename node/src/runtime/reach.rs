//! The ways to friends: relays, the local network, the table of a network, ports that others see.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::rendezvous::day_of;
use libp2p::kad::store::RecordStore as _;
use libp2p::kad::{GetProvidersOk, InboundRequest, QueryResult, RecordKey};
use libp2p::swarm::dial_opts::{DialOpts, PeerCondition};
use libp2p::swarm::{FromSwarm, NetworkBehaviour as _, NewExternalAddrCandidate};
use libp2p::{Multiaddr, PeerId, Swarm, autonat, dcutr, identify, kad, mdns, relay, upnp};

use super::handle::Stopped;
use super::mailboxes::Mailboxes;
use super::relays::{Relays, Step};
use super::rendezvous::{InviteSecrets, Rendezvous, Walk};
use super::{NodeConfig, NodeEvent, Runtime};
use crate::identity;
use crate::net::{
    Behaviour, HOP_PROTOCOL, NetError, Places, address_of, dht, ip_of, is_local, is_loopback, is_relayed,
    relay_of,
};
use crate::settings::{PeerAddress, Settings};

/// A machine that answers so much later than expected has slept, in milliseconds: idle QUIC connections are dead by then.
const SLEEP_MS: u64 = 10_000;
/// How long a peer of the local network may take to be heard of, in milliseconds.
const LAN_SEARCH_MS: u64 = 4_000;
/// How long a walk through the table of a network may take before nobody waits for it any more, in milliseconds.
const TABLE_SEARCH_MS: u64 = 12_000;
/// How long a relay may take to open a circuit, in milliseconds.
const CIRCUIT_MS: u64 = 10_000;
/// Circuits that wait for their relay.
const MAX_WAITING_CIRCUITS: usize = 64;

/// What the loop knows of the ways to friends.
pub(super) struct Reach {
    pub(super) relays: Relays,
    pub(super) mailboxes: Mailboxes,
    /// Those for whom this node keeps letters.
    keeps_for: HashSet<PeerId>,
    rendezvous: Option<Rendezvous>,
    pub(super) network: String,
    /// The names of the table's nodes in their identification.
    table: Option<String>,
    gate: dht::Gate,
    /// Whether this node helps others.
    serves: bool,
    /// Listen addresses are announced as they are: this node serves others and was not told its addresses.
    announces: bool,
    /// Addresses of this node by its person's word.
    told: Vec<Multiaddr>,
    /// Those for whom this node holds a reservation.
    pub(super) served: HashSet<PeerId>,
    /// Circuits of others that are open through this node.
    pub(super) circuits: u64,
    /// Places for such reservations.
    places: Places,
    /// Circuits that are dialled once their relay has identified itself: before, hole punching knows no address.
    waiting_circuits: HashMap<PeerId, Vec<(PeerId, Multiaddr)>>,
    /// Relays that have identified themselves, while they are connected.
    identified: HashSet<PeerId>,
    /// Where connected relays see this node.
    seen: HashMap<PeerId, Multiaddr>,
    last_tick_ms: u64,
    pub(super) looks_at_lan: bool,
    pub(super) port_mapping: Option<String>,
    pub(super) reachable: Option<String>,
    pub(super) punched: (u32, u32),
}

impl Reach {
    pub(super) fn new(
        swarm: &mut Swarm<Behaviour>,
        key: SecretKey,
        config: &NodeConfig,
        places: Places,
    ) -> Result<Self, NetError> {
        let Settings { relays, mailboxes, network, .. } = &config.settings;
        let listed = config.helper.iter().flat_map(|helper| &helper.mailbox_for);
        let external = config.helper.as_ref().map_or(&[][..], |helper| &helper.external);
        let me = *swarm.local_peer_id();
        let told = external.iter().map(|text| address_of(Some(&me), text)).collect::<Result<Vec<_>, _>>()?;
        for address in &told {
            swarm.add_external_address(address.clone());
        }
        if let Some(table) = swarm.behaviour_mut().dht.as_mut() {
            for entry in config.settings.entries() {
                table.add_address(&entry.peer, entry.address);
            }
            // The one walk at the start; without a node to begin with there is none.
            let _ = table.bootstrap();
        }
        let looks_at_lan = swarm.behaviour().looks_at_lan();
        Ok(Self {
            relays: Relays::named(relays),
            mailboxes: Mailboxes::named(mailboxes),
            keeps_for: listed.map(identity::peer_id).collect(),
            rendezvous: network.protocol().map(|_| Rendezvous::new(key)),
            network: network.to_string(),
            table: network.protocol(),
            gate: dht::Gate::default(),
            serves: config.helper.is_some(),
            announces: config.helper.is_some() && told.is_empty(),
            told,
            served: HashSet::new(),
            circuits: 0,
            places,
            waiting_circuits: HashMap::new(),
            identified: HashSet::new(),
            seen: HashMap::new(),
            last_tick_ms: (config.clock)(),
            looks_at_lan,
            port_mapping: None,
            reachable: None,
            punched: (0, 0),
        })
    }

    /// How long somebody who is away and has no known address may take to be found, in milliseconds; 0: nothing would find
    /// it.
    pub(super) const fn search_ms(&self) -> u64 {
        match (self.looks_at_lan, self.rendezvous.is_some()) {
            (_, true) => TABLE_SEARCH_MS,
            (true, false) => LAN_SEARCH_MS,
            (false, false) => 0,
        }
    }

    /// Whether a connection with a peer is of use although it plays no game with this player.
    pub(super) fn needs(&self, peer: &PeerId) -> bool {
        self.relays.is_in_use(peer)
            || self.mailboxes.contains(peer)
            || self.served.contains(peer)
            || self.keeps_for.contains(peer)
            || self.waiting_circuits.contains_key(peer)
    }

    /// Whether a peer is one of the network's own, of whom nobody need hear.
    pub(super) fn is_helper(&self, peer: &PeerId) -> bool {
        self.relays.is_relay(peer)
            || self.mailboxes.contains(peer)
            || self.waiting_circuits.contains_key(peer)
    }

    /// Whether a peer that is no player may be connected: one that this node dialled to find its way, or serves.
    pub(super) fn admits(&self, peer: &PeerId, dialled: bool) -> bool {
        self.is_helper(peer) || (dialled && self.rendezvous.is_some()) || self.serves
    }

    /// How long somebody may wait for a peer, in milliseconds.
    pub(super) fn patience_ms(&self) -> u64 {
        self.search_ms().max(CIRCUIT_MS)
    }

    /// Where connected relays see this node, each address once.
    pub(super) fn seen_by_relays(&self) -> Vec<Multiaddr> {
        let mut seen: Vec<Multiaddr> = self.seen.values().cloned().collect();
        seen.sort();
        seen.dedup();
        seen
    }

    fn waits_for_circuit(&self, peer: &PeerId) -> bool {
        self.waiting_circuits.values().flatten().any(|(waiting, _)| waiting == peer)
    }
}

impl Runtime {
    /// Every second: relays whose time has come, and whether the machine has slept.
    pub(super) fn look_after_ways(&mut self) {
        let now_ms = (self.clock)();
        let slept = now_ms.saturating_sub(self.reach.last_tick_ms) > SLEEP_MS;
        self.reach.last_tick_ms = now_ms;
        if slept {
            tracing::info!("this machine has slept: connections and reservations are made again");
            let steps = self.reach.relays.make_again();
            self.carry_out_steps(steps);
            // They would be believed in until their timeouts.
            self.hang_up();
            self.begin_again();
        }
        let steps = self.reach.relays.due(now_ms);
        self.carry_out_steps(steps);
        self.connections.expire(now_ms);
        self.close_needless(now_ms);
    }

    /// Every few seconds: who is looked for in the table of the network.
    pub(super) async fn look_into_table(&mut self) -> Result<(), Stopped> {
        if self.reach.rendezvous.is_none() {
            return Ok(());
        }
        let read = self.work(|core, _| {
            let offers = core.store.offers()?;
            let accepted = core.store.invite_secrets()?;
            Ok(InviteSecrets {
                offered: offers.iter().map(|offer| offer.secret.to_vec()).collect(),
                accepted: accepted
                    .into_iter()
                    .map(|(host, secret)| (identity::peer_id(&host), secret))
                    .collect(),
            })
        });
        let Some(secrets) = read.await? else { return Ok(()) };
        let away: HashSet<PeerId> =
            self.wanted.iter().copied().filter(|peer| !self.connections.is_connected(peer)).collect();
        let now_ms = (self.clock)();
        let (Some(rendezvous), Some(table)) =
            (&mut self.reach.rendezvous, self.swarm.behaviour_mut().dht.as_mut())
        else {
            return Ok(());
        };
        if table.kbuckets().all(|bucket| bucket.is_empty()) {
            return Ok(());
        }
        for walk in rendezvous.due(&self.wanted, &away, &secrets, now_ms) {
            match walk {
                Walk::Provide(key) => match table.start_providing(RecordKey::new(&key.0)) {
                    Ok(query) => rendezvous.walking(query, None),
                    Err(error) => tracing::debug!(%error, "a key is not provided"),
                },
                Walk::Seek(peer, key) => {
                    let query = table.get_providers(RecordKey::new(&key.0));
                    rendezvous.walking(query, Some(peer));
                }
            }
        }
        Ok(())
    }

    /// Closes circuits to peers to whom there is a better way, and connections that their peers have lost.
    fn close_needless(&mut self, now_ms: u64) {
        let needless = self.connections.superfluous(now_ms).into_iter().chain(self.connections.lost(now_ms));
        for connection in needless.collect::<Vec<_>>() {
            self.swarm.close_connection(connection);
        }
    }

    /// Dials a peer: at once where it may be, and through relays as soon as they are ready for it.
    pub(super) fn dial(&mut self, peer: PeerId, addresses: Vec<Multiaddr>) {
        let (circuits, mut ready): (Vec<_>, Vec<_>) = addresses.into_iter().partition(is_relayed);
        ready.retain(|address| !self.connections.is_dialled_at(&peer, address));
        // A second circuit through a relay would be one more to punch from, and the two attempts would disturb each other.
        for (relay, way) in ways_through(circuits) {
            if self.connections.is_dialled_through(&peer, &relay) {
                continue;
            }
            if self.reach.identified.contains(&relay) {
                ready.push(way.circuit);
            } else {
                self.wait_for_relay(peer, relay, way);
            }
        }
        if !ready.is_empty() {
            // From a port of its own: two nodes that dial each other at once from the ports on which they listen meet in one
            // TCP connection that each believes to have opened, and no handshake holds.
            let dial = DialOpts::peer_id(peer)
                .addresses(ready.clone())
                .condition(PeerCondition::Disconnected)
                .allocate_new_port()
                .build();
            self.start_dial(peer, dial, ready);
        }
    }

    fn start_dial(&mut self, peer: PeerId, dial: DialOpts, addresses: Vec<Multiaddr>) {
        let id = dial.connection_id();
        self.connections.dialling(id, peer, addresses);
        if let Err(error) = self.swarm.dial(dial) {
            self.connections.dial_failed(id, &error.to_string());
            self.give_up_on(&peer);
        }
    }

    /// Nobody need wait for a peer to whom no way is left.
    pub(super) fn give_up_on(&mut self, peer: &PeerId) {
        let left = self.reach.search_ms() > 0
            || self.reach.waits_for_circuit(peer)
            || self.connections.is_dialled(peer);
        if !left {
            self.connections.give_up(peer);
        }
    }

    fn wait_for_relay(&mut self, peer: PeerId, relay: PeerId, way: WayThrough) {
        let waiting = self.reach.waiting_circuits.values().map(Vec::len).sum::<usize>();
        if waiting >= MAX_WAITING_CIRCUITS {
            return;
        }
        let through = self.reach.waiting_circuits.entry(relay).or_default();
        if through.iter().all(|(known, _)| *known != peer) {
            through.push((peer, way.circuit));
        }
        self.dial_helper(relay, way.relay_at);
    }

    /// From the port on which this node listens, so that the address that the helper sees is one to punch through.
    pub(super) fn dial_helper(&mut self, peer: PeerId, addresses: Vec<Multiaddr>) {
        let dial = DialOpts::peer_id(peer)
            .addresses(addresses)
            .condition(PeerCondition::DisconnectedAndNotDialing)
            .build();
        if let Err(error) = self.swarm.dial(dial) {
            tracing::debug!(%peer, %error, "a helper is not dialled");
        }
    }

    fn carry_out_steps(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Dial(peer, addresses) => {
                    self.swarm.behaviour_mut().limits.bypass_peer_id(&peer);
                    self.dial_helper(peer, addresses);
                }
                Step::Listen(at) => self.reserve(&at),
                Step::Unlisten(listener) => drop(self.swarm.remove_listener(listener)),
            }
        }
    }

    fn reserve(&mut self, at: &PeerAddress) {
        let now_ms = (self.clock)();
        match self.swarm.listen_on(at.circuit()) {
            Ok(listener) => self.reach.relays.listening(&at.peer, listener, now_ms),
            Err(error) => {
                tracing::debug!(%error, "a circuit cannot be listened on");
                self.reach.relays.refused(&at.peer, now_ms);
            }
        }
    }

    /// Closes the connections from an address that this machine has lost: they would be believed in until their timeouts. What
    /// others saw of this node over them holds no more.
    fn leave(&mut self, gone: IpAddr) {
        let dead = self.connections.coming_from(gone);
        if dead.is_empty() {
            return;
        }
        tracing::info!(address = %gone, connections = dead.len(), "this machine has left a network");
        for connection in dead {
            self.swarm.close_connection(connection);
        }
        let seen: Vec<Multiaddr> = self.swarm.external_addresses().cloned().collect();
        for address in seen.iter().filter(|address| !self.reach.told.contains(address)) {
            self.swarm.remove_external_address(address);
        }
    }

    /// Closes all connections.
    pub(super) fn hang_up(&mut self) {
        let peers: Vec<PeerId> = self.swarm.connected_peers().copied().collect();
        for peer in peers {
            // Gone already is as good.
            let _ = self.swarm.disconnect_peer_id(peer);
        }
    }

    /// A person has done something, or the network has changed: whoever is away is worth another try at once.
    pub(super) fn begin_again(&mut self) {
        self.redial.reset_all();
        self.reach.relays.hurry();
        self.reach.mailboxes.hurry();
        if let Some(rendezvous) = &mut self.reach.rendezvous {
            rendezvous.seek_again();
        }
    }

    /// A listen address has come or gone.
    pub(super) fn address_changed(&mut self, address: &Multiaddr, new: bool) {
        if is_relayed(address) {
            return;
        }
        if self.reach.announces && new {
            self.swarm.add_external_address(address.clone());
        }
        if let Some(gone) = ip_of(address).filter(|_| !new) {
            self.leave(gone);
        }
        if !is_loopback(address) {
            self.begin_again();
            self.external_address();
        }
    }

    /// Others reach this node at a further address.
    pub(super) fn external_address(&mut self) {
        if let Some(rendezvous) = &mut self.reach.rendezvous {
            rendezvous.provide_again();
        }
        self.tell(NodeEvent::AddressesChanged);
    }

    /// A peer has told what it is.
    pub(super) fn helper_identified(&mut self, peer: PeerId, from: &Multiaddr, info: &identify::Info) {
        let hop = info.protocols.contains(&HOP_PROTOCOL);
        let of_table =
            self.reach.table.as_ref().is_some_and(|table| {
                info.protocols.iter().any(|protocol| protocol.as_ref() == table.as_str())
            });
        if of_table && let Some(table) = self.swarm.behaviour_mut().dht.as_mut() {
            for address in
                info.listen_addrs.iter().filter(|address| !is_loopback(address) || is_loopback(from))
            {
                table.add_address(&peer, address.clone());
            }
        }
        if hop
            && of_table
            && !is_relayed(from)
            && let Ok(address) = address_of(Some(&peer), &from.to_string())
        {
            self.reach.relays.met(PeerAddress { peer, address });
        }
        if hop {
            self.reach.identified.insert(peer);
            self.seen_at(peer, from, &info.observed_addr);
        }
        let step = self.reach.relays.identified(&peer, hop, (self.clock)());
        self.carry_out_steps(step.into_iter().collect());
        for (sought, circuit) in self.reach.waiting_circuits.remove(&peer).unwrap_or_default() {
            if !self.connections.is_connected(&sought) {
                self.dial(sought, vec![circuit]);
            }
        }
    }

    /// A relay, which is dialled from the port on which this node listens, has seen that port as the router maps it. libp2p
    /// takes a port that is not the own one for an accident and puts the own one in its place.
    fn seen_at(&mut self, relay: PeerId, from: &Multiaddr, observed: &Multiaddr) {
        if is_relayed(from) || is_local(observed) {
            return;
        }
        self.reach.seen.insert(relay, observed.clone());
        if self.swarm.external_addresses().any(|known| known == observed) {
            return;
        }
        let candidate = || FromSwarm::NewExternalAddrCandidate(NewExternalAddrCandidate { addr: observed });
        let behaviour = self.swarm.behaviour_mut();
        behaviour.punch.on_swarm_event(candidate());
        behaviour.reachable.on_swarm_event(candidate());
    }

    /// The last connection with a peer is gone, or it cannot be reached.
    pub(super) fn helper_lost(&mut self, peer: &PeerId) {
        self.reach.identified.remove(peer);
        self.reach.seen.remove(peer);
        self.serves_no_more(peer);
        self.reach.relays.lost(peer, (self.clock)());
        if self.reach.mailboxes.lost(peer, (self.clock)()) {
            self.tell(NodeEvent::MailboxesChanged);
        }
        self.see_mailboxes_settled();
        for (sought, _) in self.reach.waiting_circuits.remove(peer).unwrap_or_default() {
            self.give_up_on(&sought);
        }
    }

    /// A reservation is granted or renewed.
    pub(super) fn relay_event(&mut self, event: relay::client::Event) {
        match event {
            relay::client::Event::ReservationReqAccepted { relay_peer_id, .. } => {
                if self.reach.relays.reserved(&relay_peer_id) {
                    tracing::info!(relay = %relay_peer_id, "a relay holds a reservation for this node");
                    self.external_address();
                }
            }
            other => tracing::debug!(?other, "a circuit"),
        }
    }

    pub(super) fn punch_event(&mut self, event: &dcutr::Event) {
        match &event.result {
            Ok(_) => self.reach.punched.0 += 1,
            Err(error) => {
                tracing::debug!(peer = %event.remote_peer_id, %error, "no hole was punched; the circuit stays");
                self.reach.punched.1 += 1;
            }
        }
    }

    pub(super) fn reachable_event(&mut self, event: &autonat::v2::client::Event) {
        let address = event.tested_addr.to_string();
        self.reach.reachable = Some(match &event.result {
            Ok(()) => format!("{address} can be reached from outside"),
            Err(error) => format!("{address} cannot be reached from outside: {error}"),
        });
    }

    pub(super) fn mapping_event(&mut self, event: &upnp::Event) {
        self.reach.port_mapping = Some(match event {
            upnp::Event::NewExternalAddr { external_addr, .. } => format!("the router maps {external_addr}"),
            upnp::Event::ExpiredExternalAddr { external_addr, .. } => {
                format!("the router has ended the mapping of {external_addr}")
            }
            upnp::Event::GatewayNotFound => "no router answers (UPnP)".to_owned(),
            upnp::Event::NonRoutableGateway => "the router itself has no public address".to_owned(),
        });
    }

    /// Friends, and whoever somebody waits for, are dialled where they are heard of; that one is not heard of any more says
    /// nothing.
    pub(super) fn lan_event(&mut self, event: mdns::Event) {
        match event {
            mdns::Event::Discovered(found) => {
                for (peer, address) in found {
                    let Ok(address) = address_of(Some(&peer), &address.to_string()) else { continue };
                    self.connections.heard_nearby(peer, address.clone());
                    let sought = self.wanted.contains(&peer) || self.connections.is_waited_for(&peer);
                    if sought && !self.connections.is_connected(&peer) {
                        self.dial(peer, vec![address]);
                    }
                }
            }
            mdns::Event::Expired(gone) => {
                for (peer, address) in gone {
                    if let Ok(address) = address_of(Some(&peer), &address.to_string()) {
                        self.connections.nearby_expired(&peer, &address);
                    }
                }
            }
        }
    }

    pub(super) fn table_event(&mut self, event: kad::Event) {
        match event {
            kad::Event::OutboundQueryProgressed { id, result, step, .. } => {
                if let QueryResult::GetProviders(Ok(GetProvidersOk::FoundProviders { providers, .. })) =
                    &result
                {
                    self.found(&id, providers);
                }
                if step.last
                    && let Some(rendezvous) = &mut self.reach.rendezvous
                {
                    rendezvous.ended(&id);
                }
            }
            kad::Event::InboundRequest { request: InboundRequest::AddProvider { record: Some(record) } } => {
                let day = day_of((self.clock)());
                if self.reach.gate.admits(&record, day)
                    && let Some(table) = self.swarm.behaviour_mut().dht.as_mut()
                {
                    // A full table keeps what it has.
                    let _ = table.store_mut().add_provider(record);
                }
            }
            _ => {}
        }
    }

    /// Only the one who is sought is dialled; its addresses are known as long as the walk goes on.
    fn found(&mut self, query: &kad::QueryId, providers: &HashSet<PeerId>) {
        let sought = self.reach.rendezvous.as_ref().and_then(|rendezvous| rendezvous.sought(query));
        let Some(peer) = sought.filter(|peer| providers.contains(peer)) else { return };
        if self.connections.is_connected(&peer) || self.connections.is_dialled(&peer) {
            return;
        }
        let found = self.swarm.behaviour_mut().found_in_table(&peer);
        tracing::info!(%peer, addresses = found.len(), "found in the table of the network");
        let found = found.iter().filter_map(|address| address_of(Some(&peer), &address.to_string()).ok());
        let found: Vec<Multiaddr> = found.take(crate::store::MAX_ADDRESSES_PER_PEER).collect();
        if !found.is_empty() {
            self.dial(peer, found);
        }
    }

    /// Others hold reservations on this node.
    pub(super) fn hop_event(&mut self, event: &relay::Event) {
        match event {
            relay::Event::ReservationReqAccepted { src_peer_id, .. } => {
                self.reach.served.insert(*src_peer_id);
            }
            relay::Event::ReservationTimedOut { src_peer_id }
            | relay::Event::ReservationClosed { src_peer_id } => {
                self.serves_no_more(src_peer_id);
            }
            relay::Event::CircuitReqAccepted { .. } => self.reach.circuits += 1,
            relay::Event::CircuitClosed { .. } => {
                self.reach.circuits = self.reach.circuits.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn serves_no_more(&mut self, peer: &PeerId) {
        self.reach.served.remove(peer);
        self.reach.places.free(peer);
    }
}

/// How to come through a relay to a peer.
struct WayThrough {
    /// Where the relay is.
    relay_at: Vec<Multiaddr>,
    /// One of the circuits: once the relay is connected they are all the same.
    circuit: Multiaddr,
}

/// The relays through which circuits lead.
fn ways_through(circuits: Vec<Multiaddr>) -> HashMap<PeerId, WayThrough> {
    let mut ways: HashMap<PeerId, WayThrough> = HashMap::new();
    for circuit in circuits {
        let Some(relay) = relay_of(&circuit) else { continue };
        let way = ways.entry(relay.peer).or_insert(WayThrough { relay_at: Vec::new(), circuit });
        way.relay_at.push(relay.address);
    }
    ways
}
