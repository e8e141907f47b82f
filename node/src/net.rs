//! The network under the sync protocol: a libp2p swarm with QUIC and TCP+Noise+Yamux, and what finds a way to a friend:
//! relayed circuits with hole punching, the local network, a port mapped by the router, a distributed hash table.

mod codec;
pub(crate) mod dht;
mod helper;
mod hosts;
mod places;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::time::Duration;

use libp2p::connection_limits::{self, ConnectionLimits};
use libp2p::core::Endpoint;
use libp2p::identity::Keypair;
use libp2p::kad::store::MemoryStore;
use libp2p::multiaddr::Protocol;
use libp2p::request_response::{self, ProtocolSupport};
use libp2p::swarm::behaviour::toggle::Toggle;
use libp2p::swarm::{ConnectionId, NetworkBehaviour};
use libp2p::{
    Multiaddr, PeerId, StreamProtocol, Swarm, SwarmBuilder, autonat, dcutr, identify, kad, mdns, noise, ping,
    relay, tcp, upnp, yamux,
};

use codec::WireCodec;
pub use helper::RelayLimits;
pub(crate) use places::Places;

use crate::mailbox::message as letters;
use crate::settings::{PeerAddress, Settings};
use crate::sync::message::{Request, Response};
use crate::sync::note::{NoteRequest, NoteResponse};

/// Connections that are being set up from outside, in all.
pub const MAX_PENDING_INCOMING: u32 = 32;
/// Connections that are being set up to outside, in all.
pub const MAX_PENDING_OUTGOING: u32 = 32;
/// Connections from outside, in all.
pub const MAX_INCOMING: u32 = 128;
/// Connections, in all.
pub const MAX_CONNECTIONS: u32 = 256;
/// Connections with one peer.
pub const MAX_CONNECTIONS_PER_PEER: u32 = 4;
/// How long a peer without a common game may stay, in milliseconds.
pub const STRANGER_STAY_MS: u64 = 60_000;
/// Requests under way on one connection, each way.
pub const MAX_STREAMS_PER_CONNECTION: usize = 32;
/// How long a request and its response may take together.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);
/// Requests to a mailbox under way on one connection, each way: letters are large.
pub const MAX_LETTER_STREAMS_PER_CONNECTION: usize = 2;
/// How long a request to a mailbox and its response may take together.
pub const LETTER_TIMEOUT: Duration = Duration::from_secs(60);
/// After so long without a request a connection is closed: longer than people usually think about a move.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(600);

/// Connections that are being set up from outside with a node that helps others, in all.
pub const MAX_PENDING_INCOMING_OF_HELPER: u32 = 256;
/// Connections from outside of a node that helps others, in all.
pub const MAX_INCOMING_OF_HELPER: u32 = 1_024;
/// Connections of a node that helps others, in all.
pub const MAX_CONNECTIONS_OF_HELPER: u32 = 1_536;

/// What a relay says that it does, in its identification.
pub(crate) const HOP_PROTOCOL: StreamProtocol = relay::HOP_PROTOCOL_NAME;
const SYNC_PROTOCOL: StreamProtocol = StreamProtocol::new("/chakart/sync/1");
const NOTE_PROTOCOL: StreamProtocol = StreamProtocol::new("/chakart/note/1");
const MAILBOX_PROTOCOL: StreamProtocol = StreamProtocol::new("/chakart/mailbox/1");
const IDENTIFY_PROTOCOL: &str = "/chakart/1";

type SyncCodec = WireCodec<Request, Response>;
type NoteCodec = WireCodec<NoteRequest, NoteResponse>;
type LetterCodec = WireCodec<letters::Request, letters::Response>;

/// What the swarm runs.
#[derive(NetworkBehaviour)]
pub(crate) struct Behaviour {
    // The first to be asked about a connection: it refuses before the others allocate.
    pub(crate) limits: connection_limits::Behaviour,
    hosts: hosts::Behaviour,
    ping: ping::Behaviour,
    identify: identify::Behaviour,
    pub(crate) sync: request_response::Behaviour<SyncCodec>,
    pub(crate) notes: request_response::Behaviour<NoteCodec>,
    pub(crate) letters: request_response::Behaviour<LetterCodec>,
    relay: relay::client::Behaviour,
    pub(crate) punch: dcutr::Behaviour,
    pub(crate) reachable: autonat::v2::client::Behaviour,
    lan: Toggle<mdns::tokio::Behaviour>,
    mapping: Toggle<upnp::tokio::Behaviour>,
    pub(crate) dht: Toggle<kad::Behaviour<MemoryStore>>,
    hop: Toggle<relay::Behaviour>,
    dial_back: Toggle<autonat::v2::server::Behaviour>,
}

/// Which ways to friends a node uses and offers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways<'a> {
    pub(crate) settings: &'a Settings,
    /// What others get who use this node as a relay and to enter the network, if they may.
    pub(crate) helps: Option<RelayLimits>,
    /// Whether this node keeps letters for others.
    pub(crate) keeps_mailbox: bool,
    /// Whether this node listens on the loopback alone, so that neither router nor local network are its business.
    pub(crate) loopback: bool,
    /// Who holds reservations on this node.
    pub(crate) places: &'a Places,
}

/// Why there is no network.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The encryption of TCP connections.
    #[error("the encryption of connections failed: {0}")]
    Noise(#[from] noise::Error),
    /// A text that is no multiaddr.
    #[error("'{0}' is not an address; try /ip4/0.0.0.0/tcp/4001 or /ip4/0.0.0.0/udp/4001/quic-v1")]
    BadAddress(String),
    /// None of the addresses can be listened on.
    #[error("cannot listen on any address: {0}")]
    CannotListen(String),
}

/// A swarm of this player; to be called inside a tokio runtime.
pub(crate) fn build(keypair: &Keypair, ways: Ways<'_>) -> Result<Swarm<Behaviour>, NetError> {
    let transports = || -> Result<_, noise::Error> {
        Ok(SwarmBuilder::with_existing_identity(keypair.clone())
            .with_tokio()
            .with_tcp(tcp::Config::default().nodelay(true), noise::Config::new, yamux::Config::default)?
            .with_quic())
    };
    let behaviour = |keypair: &Keypair, relay| Behaviour::new(keypair, relay, ways);
    let timeouts =
        |config: libp2p::swarm::Config| config.with_idle_connection_timeout(IDLE_TIMEOUT).with_smart_dial();
    Ok(match transports()?.with_dns() {
        Ok(with_names) => with_names
            .with_relay_client(noise::Config::new, yamux::Config::default)?
            .with_behaviour(behaviour)
            .expect("cannot fail")
            .with_swarm_config(timeouts)
            .build(),
        Err(error) => {
            tracing::warn!(%error, "no resolver of names: only numeric addresses can be dialled");
            transports()?
                .with_relay_client(noise::Config::new, yamux::Config::default)?
                .with_behaviour(behaviour)
                .expect("cannot fail")
                .with_swarm_config(timeouts)
                .build()
        }
    })
}

/// Reads a multiaddr; the name of `peer` at its end is cut off, that of another peer makes it a bad one.
pub(crate) fn address_of(peer: Option<&PeerId>, text: &str) -> Result<Multiaddr, NetError> {
    let bad = || NetError::BadAddress(text.to_owned());
    let mut address: Multiaddr = text.parse().map_err(|_| bad())?;
    if let Some(Protocol::P2p(named)) = address.iter().last() {
        if peer != Some(&named) {
            return Err(bad());
        }
        address.pop();
    }
    Ok(address)
}

/// Whether two addresses begin with the same IP address.
pub(crate) fn same_host(a: &Multiaddr, b: &Multiaddr) -> bool {
    match (a.iter().next(), b.iter().next()) {
        (Some(a @ (Protocol::Ip4(_) | Protocol::Ip6(_))), Some(b)) => a == b,
        _ => false,
    }
}

/// The own address from which packets to an address leave now; nothing is sent to find out.
pub(crate) fn source_towards(address: &Multiaddr) -> Option<IpAddr> {
    let far = ip_of(address)?;
    let any: IpAddr = if far.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    // Any port will do: only the route matters.
    socket.connect((far, 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// The IP address with which an address begins.
pub(crate) fn ip_of(address: &Multiaddr) -> Option<IpAddr> {
    match address.iter().next()? {
        Protocol::Ip4(ip) => Some(ip.into()),
        Protocol::Ip6(ip) => Some(ip.into()),
        _ => None,
    }
}

/// Whether an address leads through a relay.
pub(crate) fn is_relayed(address: &Multiaddr) -> bool {
    address.iter().any(|part| part == Protocol::P2pCircuit)
}

/// The relay through which a circuit leads.
pub(crate) fn relay_of(circuit: &Multiaddr) -> Option<PeerAddress> {
    let before: Multiaddr = circuit.iter().take_while(|part| *part != Protocol::P2pCircuit).collect();
    before.to_string().parse().ok()
}

/// Whether an address begins with an IP address of the loopback.
pub(crate) fn is_loopback(address: &Multiaddr) -> bool {
    match address.iter().next() {
        Some(Protocol::Ip4(ip)) => ip.is_loopback(),
        Some(Protocol::Ip6(ip)) => ip.is_loopback(),
        _ => false,
    }
}

/// Whether an address begins with an IP address that has a meaning on the local network alone, the loopback included.
pub(crate) fn is_local(address: &Multiaddr) -> bool {
    match address.iter().next() {
        Some(Protocol::Ip4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Some(Protocol::Ip6(ip)) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
        _ => false,
    }
}

impl Behaviour {
    /// Whether peers of the local network are heard of.
    pub(crate) fn looks_at_lan(&self) -> bool {
        self.lan.is_enabled()
    }

    /// The addresses of a peer that walks under way have come upon.
    pub(crate) fn found_in_table(&mut self, peer: &PeerId) -> Vec<Multiaddr> {
        let id = ConnectionId::new_unchecked(0);
        let asked = self
            .dht
            .as_mut()
            .map(|table| table.handle_pending_outbound_connection(id, Some(*peer), &[], Endpoint::Dialer));
        asked.and_then(Result::ok).unwrap_or_default()
    }

    fn new(keypair: &Keypair, relay: relay::client::Behaviour, ways: Ways<'_>) -> Self {
        let Ways { settings, helps, keeps_mailbox, loopback, places } = ways;
        let me = keypair.public().to_peer_id();
        let (pending, incoming, all) = match helps {
            Some(_) => (MAX_PENDING_INCOMING_OF_HELPER, MAX_INCOMING_OF_HELPER, MAX_CONNECTIONS_OF_HELPER),
            None => (MAX_PENDING_INCOMING, MAX_INCOMING, MAX_CONNECTIONS),
        };
        let limits = ConnectionLimits::default()
            .with_max_pending_incoming(Some(pending))
            .with_max_pending_outgoing(Some(MAX_PENDING_OUTGOING))
            .with_max_established_incoming(Some(incoming))
            .with_max_established(Some(all))
            .with_max_established_per_peer(Some(MAX_CONNECTIONS_PER_PEER));
        let identify = identify::Config::new(IDENTIFY_PROTOCOL.to_owned(), keypair.public())
            .with_agent_version(concat!("chakart/", env!("CARGO_PKG_VERSION")).to_owned())
            // A friend hears at once of a new circuit or address.
            .with_push_listen_addr_updates(true);
        let requests = request_response::Config::default()
            .with_request_timeout(REQUEST_TIMEOUT)
            .with_max_concurrent_streams(MAX_STREAMS_PER_CONNECTION);
        let letters = request_response::Config::default()
            .with_request_timeout(LETTER_TIMEOUT)
            .with_max_concurrent_streams(MAX_LETTER_STREAMS_PER_CONNECTION);
        let letter_ways = if keeps_mailbox { ProtocolSupport::Full } else { ProtocolSupport::Outbound };
        Self {
            limits: connection_limits::Behaviour::new(limits),
            hosts: hosts::Behaviour::default(),
            ping: ping::Behaviour::default(),
            identify: identify::Behaviour::new(identify),
            sync: request_response::Behaviour::with_codec(
                SyncCodec::new(),
                [(SYNC_PROTOCOL, ProtocolSupport::Full)],
                requests.clone(),
            ),
            notes: request_response::Behaviour::with_codec(
                NoteCodec::new(),
                [(NOTE_PROTOCOL, ProtocolSupport::Full)],
                requests,
            ),
            letters: request_response::Behaviour::with_codec(
                LetterCodec::new(),
                [(MAILBOX_PROTOCOL, letter_ways)],
                letters,
            ),
            relay,
            punch: dcutr::Behaviour::new(me),
            reachable: autonat::v2::client::Behaviour::default(),
            lan: (settings.lan && !loopback).then(|| helper::lan(me)).flatten().into(),
            mapping: (settings.port_mapping && !loopback).then(upnp::tokio::Behaviour::default).into(),
            dht: settings
                .network
                .protocol()
                .map(|protocol| dht::behaviour(me, protocol, helps.is_some()))
                .into(),
            hop: helps.map(|limits| helper::relay(me, limits, places.clone())).into(),
            dial_back: helps.map(|_| autonat::v2::server::Behaviour::default()).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_to_the_loopback_leave_from_it() {
        let source = |text: &str| source_towards(&text.parse().expect("an address"));
        assert_eq!(source("/ip4/127.0.0.1/tcp/4001"), Some(Ipv4Addr::LOCALHOST.into()));
        assert_eq!(source("/dns4/node.example/tcp/4001"), None);
    }

    #[test]
    fn addresses_lose_their_own_peer_and_refuse_others() {
        let (peer, other) = (PeerId::random(), PeerId::random());
        let plain: Multiaddr = "/ip4/192.0.2.1/tcp/4001".parse().expect("an address");
        let named = format!("{plain}/p2p/{peer}");
        assert_eq!(address_of(Some(&peer), &named).expect("its own name"), plain);
        assert_eq!(address_of(Some(&peer), &plain.to_string()).expect("no name"), plain);
        assert!(address_of(Some(&other), &named).is_err());
        assert!(address_of(None, "somewhere").is_err());
    }
}
