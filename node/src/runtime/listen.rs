//! Where a node listens.

use std::collections::HashSet;
use std::time::Duration;

use futures::StreamExt;
use libp2p::multiaddr::Protocol;
use libp2p::swarm::SwarmEvent;
use libp2p::{Multiaddr, Swarm};

use super::NodeConfig;
use crate::net::{Behaviour, BehaviourEvent, NetError, Places, Ways, address_of, is_loopback};
use crate::store::Store;

/// How long the listeners may take to say where they listen.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(5);

/// Which ways to friends a node uses.
pub(super) fn ways<'a>(config: &'a NodeConfig, places: &'a Places) -> Result<Ways<'a>, NetError> {
    let asked = config.listen.iter().map(|text| address_of(None, text)).collect::<Result<Vec<_>, _>>()?;
    let loopback = !asked.is_empty() && asked.iter().all(is_loopback);
    let keeps_mailbox = config.helper.as_ref().is_some_and(|helper| !helper.mailbox_for.is_empty());
    Ok(Ways {
        settings: &config.settings,
        helps: config.helper.as_ref().map(|helper| helper.limits),
        keeps_mailbox,
        loopback,
        places,
    })
}

/// What has happened before the loop runs, and is still to be looked at: peers of the local network are told of once.
pub(super) type Early = Vec<SwarmEvent<BehaviourEvent>>;

/// Listens where asked, or as last time; waits until at least one address is known.
pub(super) async fn listen(
    swarm: &mut Swarm<Behaviour>,
    store: &mut Store,
    asked: &[String],
) -> Result<Early, NetError> {
    if !asked.is_empty() {
        let asked = asked.iter().map(|text| address_of(None, text)).collect::<Result<Vec<_>, _>>()?;
        return start_listening(swarm, asked).await;
    }
    let port = store.listen_port().unwrap_or_default().unwrap_or_else(free_port);
    let early = match start_listening(swarm, everywhere(port)).await {
        Ok(early) => early,
        Err(_) => start_listening(swarm, everywhere(0)).await?,
    };
    if let Some(port) = swarm.listeners().find_map(port_of) {
        // Where it cannot be kept, the next start takes another one.
        let _ = store.set_listen_port(port);
    }
    Ok(early)
}

async fn start_listening(swarm: &mut Swarm<Behaviour>, addresses: Vec<Multiaddr>) -> Result<Early, NetError> {
    let mut failures = Vec::new();
    let mut early = Early::new();
    let mut pending = HashSet::new();
    for address in addresses {
        match swarm.listen_on(address.clone()) {
            Ok(listener) => drop(pending.insert(listener)),
            Err(error) => failures.push(format!("{address}: {error}")),
        }
    }
    let waiting = async {
        while !pending.is_empty() {
            let event = swarm.select_next_some().await;
            match &event {
                // One listener tells of an address on each interface.
                SwarmEvent::NewListenAddr { listener_id, .. } => drop(pending.remove(listener_id)),
                SwarmEvent::ListenerClosed { listener_id, reason, .. } => {
                    pending.remove(listener_id);
                    failures.extend(reason.as_ref().err().map(ToString::to_string));
                }
                _ => {}
            }
            early.push(event);
        }
    };
    // A listener that says nothing in time is not waited for; the others are enough.
    let _ = tokio::time::timeout(LISTEN_TIMEOUT, waiting).await;
    if swarm.listeners().next().is_some() {
        Ok(early)
    } else {
        Err(NetError::CannotListen(failures.join("; ")))
    }
}

/// A port that was free a moment ago, so that both transports have the same from the first start on; 0 if there is none.
fn free_port() -> u16 {
    let any = (std::net::Ipv4Addr::UNSPECIFIED, 0);
    std::net::UdpSocket::bind(any).and_then(|socket| socket.local_addr()).map_or(0, |address| address.port())
}

/// One port number for both transports on all interfaces.
fn everywhere(port: u16) -> Vec<Multiaddr> {
    let any4 = Multiaddr::from(std::net::Ipv4Addr::UNSPECIFIED);
    let any6 = Multiaddr::from(std::net::Ipv6Addr::UNSPECIFIED);
    [any4, any6]
        .into_iter()
        .flat_map(|any| {
            [any.clone().with(Protocol::Udp(port)).with(Protocol::QuicV1), any.with(Protocol::Tcp(port))]
        })
        .collect()
}

fn port_of(address: &Multiaddr) -> Option<u16> {
    address.iter().find_map(|part| match part {
        Protocol::Udp(port) => Some(port),
        _ => None,
    })
}
