//! Bounds on what one host may take from all others, whatever keys it has.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::task::{Context, Poll};

use libp2p::core::Endpoint;
use libp2p::core::transport::PortUse;
use libp2p::swarm::{
    ConnectionDenied, ConnectionId, FromSwarm, NetworkBehaviour, THandlerInEvent, ToSwarm, dummy,
};
use libp2p::{Multiaddr, PeerId};

use super::ip_of;

/// Connections from one host, being set up and established. Homes share an address where providers translate them.
pub(crate) const MAX_CONNECTIONS_PER_HOST: usize = 64;
/// Of them those that are being set up.
pub(crate) const MAX_PENDING_PER_HOST: usize = 16;

/// A machine or home as others see it: an IPv4 address, or a network of 64 bits of IPv6. The loopback is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Host(IpAddr);

impl Host {
    /// The host of an address that begins with an IP address.
    pub(crate) fn of(address: &Multiaddr) -> Option<Self> {
        match ip_of(address)? {
            ip if ip.is_loopback() => None,
            IpAddr::V6(ip) => {
                let [a, b, c, d, ..] = ip.segments();
                Some(Self(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()))
            }
            ip => Some(Self(ip)),
        }
    }
}

/// Refuses connections from a host that has many already.
#[derive(Debug, Default)]
pub(crate) struct Behaviour {
    incoming: HashMap<ConnectionId, Incoming>,
    of_host: HashMap<Host, Count>,
}

#[derive(Clone, Copy, Debug)]
struct Incoming {
    host: Host,
    pending: bool,
}

/// Connections from one host.
#[derive(Clone, Copy, Default, Debug)]
struct Count {
    all: usize,
    pending: usize,
}

#[derive(Debug)]
struct TooMany;

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this host has too many connections already")
    }
}

impl std::error::Error for TooMany {}

impl Behaviour {
    fn forget(&mut self, connection: ConnectionId) {
        let Some(Incoming { host, pending }) = self.incoming.remove(&connection) else { return };
        if let Some(count) = self.of_host.get_mut(&host) {
            count.all -= 1;
            count.pending -= usize::from(pending);
            if count.all == 0 {
                self.of_host.remove(&host);
            }
        }
    }

    fn established(&mut self, connection: ConnectionId) {
        let Some(incoming) = self.incoming.get_mut(&connection).filter(|incoming| incoming.pending) else {
            return;
        };
        incoming.pending = false;
        if let Some(count) = self.of_host.get_mut(&incoming.host) {
            count.pending -= 1;
        }
    }
}

impl NetworkBehaviour for Behaviour {
    type ConnectionHandler = dummy::ConnectionHandler;
    type ToSwarm = Infallible;

    fn handle_pending_inbound_connection(
        &mut self,
        connection: ConnectionId,
        _: &Multiaddr,
        remote: &Multiaddr,
    ) -> Result<(), ConnectionDenied> {
        let Some(host) = Host::of(remote) else { return Ok(()) };
        let count = self.of_host.entry(host).or_default();
        if count.all >= MAX_CONNECTIONS_PER_HOST || count.pending >= MAX_PENDING_PER_HOST {
            return Err(ConnectionDenied::new(TooMany));
        }
        count.all += 1;
        count.pending += 1;
        self.incoming.insert(connection, Incoming { host, pending: true });
        Ok(())
    }

    fn handle_established_inbound_connection(
        &mut self,
        connection: ConnectionId,
        _: PeerId,
        _: &Multiaddr,
        _: &Multiaddr,
    ) -> Result<dummy::ConnectionHandler, ConnectionDenied> {
        self.established(connection);
        Ok(dummy::ConnectionHandler)
    }

    fn handle_established_outbound_connection(
        &mut self,
        _: ConnectionId,
        _: PeerId,
        _: &Multiaddr,
        _: Endpoint,
        _: PortUse,
    ) -> Result<dummy::ConnectionHandler, ConnectionDenied> {
        Ok(dummy::ConnectionHandler)
    }

    fn on_swarm_event(&mut self, event: FromSwarm<'_>) {
        match event {
            FromSwarm::ConnectionClosed(closed) => self.forget(closed.connection_id),
            FromSwarm::ListenFailure(failure) => self.forget(failure.connection_id),
            _ => {}
        }
    }

    fn on_connection_handler_event(&mut self, _: PeerId, _: ConnectionId, event: Infallible) {
        match event {}
    }

    fn poll(&mut self, _: &mut Context<'_>) -> Poll<ToSwarm<Infallible, THandlerInEvent<Self>>> {
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(host: &str) -> Multiaddr {
        format!("/{host}/tcp/4001").parse().expect("an address")
    }

    #[test]
    fn a_host_has_so_many_connections_and_then_no_more() {
        let mut behaviour = Behaviour::default();
        let mut connections = (0..).map(ConnectionId::new_unchecked);
        let mut come = |behaviour: &mut Behaviour, host: &str| {
            let id = connections.next().expect("one more");
            let here = from("ip4/192.0.2.7");
            behaviour.handle_pending_inbound_connection(id, &here, &from(host)).map(|()| id).ok()
        };
        let first = come(&mut behaviour, "ip6/2001:db8::1").expect("room");
        behaviour.established(first);
        for number in 2..=MAX_CONNECTIONS_PER_HOST {
            let next = come(&mut behaviour, &format!("ip6/2001:db8::{number:x}"));
            behaviour.established(next.expect("room"));
        }
        assert!(come(&mut behaviour, "ip6/2001:db8::5").is_none(), "one network of 64 bits is one host");
        assert!(come(&mut behaviour, "ip6/2001:db8:0:1::5").is_some());
        behaviour.forget(first);
        assert!(come(&mut behaviour, "ip6/2001:db8::5").is_some(), "one has gone");

        let pending: Vec<_> = (0..100).map_while(|_| come(&mut behaviour, "ip4/192.0.2.8")).collect();
        assert_eq!(pending.len(), MAX_PENDING_PER_HOST);
        behaviour.established(pending[0]);
        assert!(come(&mut behaviour, "ip4/192.0.2.8").is_some());
    }
}
