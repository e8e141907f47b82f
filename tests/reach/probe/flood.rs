//! Peers that wish a relay no good. Each has a key of its own.

use std::collections::HashSet;
use std::io;
use std::time::Duration;

use futures::{AsyncRead, AsyncWrite, AsyncWriteExt, StreamExt};
use libp2p::kad::store::{MemoryStore, MemoryStoreConfig};
use libp2p::multiaddr::Protocol;
use libp2p::request_response::{self, Codec, ProtocolSupport};
use libp2p::swarm::dial_opts::DialOpts;
use libp2p::swarm::{NetworkBehaviour, SwarmEvent};
use libp2p::{Multiaddr, PeerId, StreamProtocol, Swarm, kad, noise, ping, relay, tcp, yamux};
use tokio::sync::mpsc;

/// Longer than any test.
const LONG: Duration = Duration::from_secs(600);
/// How long a peer that was refused waits.
const PAUSE: Duration = Duration::from_millis(200);
/// Streams that one peer opens at once.
const STREAMS: usize = 256;
/// What goes out on a stream that is too long.
const OVERSIZE: usize = 4 * 1024 * 1024;
/// What goes out on a stream that then says nothing more: almost the longest message.
const SLOW: usize = 60 * 1024;
/// Records that one peer announces.
const RECORDS: usize = 1_024;

/// What a peer does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Connects, and again whenever it is thrown out.
    Connections,
    /// Asks for a reservation and keeps it.
    Reservations,
    /// Sends messages that are too long.
    Oversize,
    /// Sends messages that do not end.
    Slow,
    /// Announces itself under keys that nobody looks for.
    Records,
}

impl std::str::FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "connections" => Self::Connections,
            "reservations" => Self::Reservations,
            "oversize" => Self::Oversize,
            "slow" => Self::Slow,
            "records" => Self::Records,
            _ => return Err(format!("{text}: no such flood")),
        })
    }
}

#[derive(NetworkBehaviour)]
struct Behaviour {
    ping: ping::Behaviour,
    relay: relay::client::Behaviour,
    messages: request_response::Behaviour<Junk>,
    table: kad::Behaviour<MemoryStore>,
}

/// Sends `count` peers against a relay, again and again; prints `had N` whenever the number of those changes who have what they
/// want. Goes on until the process is killed.
pub(crate) async fn flood(
    kind: Kind,
    count: usize,
    target: &str,
    table: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut address: Multiaddr = target.parse()?;
    let Some(Protocol::P2p(relay)) = address.pop() else { return Err("an address with a key".into()) };
    let (told, mut heard) = mpsc::channel(count);
    for _ in 0..count {
        let swarm = swarm(kind, table.to_owned())?;
        tokio::spawn(attack(kind, swarm, relay, address.clone(), told.clone()));
    }
    let mut had = 0;
    while let Some(one_more) = heard.recv().await {
        had = if one_more { had + 1 } else { had - 1 };
        super::say(&format!("had {had}"))?;
    }
    Ok(())
}

fn swarm(kind: Kind, table: String) -> Result<Swarm<Behaviour>, Box<dyn std::error::Error>> {
    let requests =
        request_response::Config::default().with_request_timeout(LONG).with_max_concurrent_streams(STREAMS);
    let swarm = libp2p::SwarmBuilder::with_new_identity()
        .with_tokio()
        .with_tcp(tcp::Config::default(), noise::Config::new, yamux::Config::default)?
        .with_relay_client(noise::Config::new, yamux::Config::default)?
        .with_behaviour(move |keypair, relay| {
            let me = keypair.public().to_peer_id();
            let protocol = StreamProtocol::try_from_owned(table).expect("a protocol");
            let store = MemoryStoreConfig { max_provided_keys: usize::MAX, ..MemoryStoreConfig::default() };
            let mut table = kad::Behaviour::with_config(
                me,
                MemoryStore::with_config(me, store),
                kad::Config::new(protocol),
            );
            table.set_mode(Some(kad::Mode::Client));
            let sync = [(StreamProtocol::new("/chakart/sync/1"), ProtocolSupport::Outbound)];
            Behaviour {
                ping: ping::Behaviour::default(),
                relay,
                messages: request_response::Behaviour::with_codec(Junk(kind), sync, requests),
                table,
            }
        })?
        .with_swarm_config(|config| config.with_idle_connection_timeout(LONG))
        .build();
    Ok(swarm)
}

/// One peer; tells when it has what it wants, and when not any more.
async fn attack(
    kind: Kind,
    mut swarm: Swarm<Behaviour>,
    relay: PeerId,
    address: Multiaddr,
    told: mpsc::Sender<bool>,
) {
    let mut had = false;
    let mut tell = |has: bool| {
        if std::mem::replace(&mut had, has) != has {
            // Nobody listens any more once the test has ended.
            let _ = told.try_send(has);
        }
    };
    let mut failed = 0;
    let mut records = HashSet::new();
    let begin = |swarm: &mut Swarm<Behaviour>| {
        let circuit = address.clone().with(Protocol::P2p(relay)).with(Protocol::P2pCircuit);
        // What cannot be begun shows itself as nothing had.
        let _ = match kind {
            Kind::Reservations => swarm.listen_on(circuit).map(drop).map_err(|error| error.to_string()),
            _ => {
                let dial = DialOpts::peer_id(relay).addresses(vec![address.clone()]).build();
                swarm.dial(dial).map_err(|error| error.to_string())
            }
        };
    };
    begin(&mut swarm);
    loop {
        match swarm.select_next_some().await {
            SwarmEvent::ConnectionEstablished { .. } => match kind {
                Kind::Connections => tell(true),
                Kind::Reservations => {}
                Kind::Oversize | Kind::Slow => {
                    for _ in 0..STREAMS {
                        swarm.behaviour_mut().messages.send_request(&relay, ());
                    }
                    if kind == Kind::Slow {
                        tell(true);
                    }
                }
                Kind::Records if !records.is_empty() => {}
                Kind::Records => {
                    let table = &mut swarm.behaviour_mut().table;
                    table.add_address(&relay, address.clone());
                    for number in 0..RECORDS {
                        // Every other one has a length that no friend would use.
                        let mut key = PeerId::random().to_bytes();
                        key.truncate(if number % 2 == 0 { 32 } else { 24 });
                        let query = table.start_providing(key.into()).expect("room in the own store");
                        records.insert(query);
                    }
                }
            },
            SwarmEvent::ConnectionClosed { num_established: 0, .. }
            | SwarmEvent::OutgoingConnectionError { .. }
                if kind != Kind::Reservations =>
            {
                tell(kind == Kind::Records && records.is_empty());
                tokio::time::sleep(PAUSE).await;
                begin(&mut swarm);
            }
            SwarmEvent::ListenerClosed { .. } => {
                tell(false);
                tokio::time::sleep(PAUSE).await;
                begin(&mut swarm);
            }
            SwarmEvent::Behaviour(BehaviourEvent::Relay(relay::client::Event::ReservationReqAccepted {
                ..
            })) => {
                tell(true);
            }
            SwarmEvent::Behaviour(BehaviourEvent::Messages(request_response::Event::OutboundFailure {
                ..
            })) => {
                failed += 1;
                if failed == STREAMS {
                    tell(true);
                }
            }
            SwarmEvent::Behaviour(BehaviourEvent::Table(kad::Event::OutboundQueryProgressed {
                id,
                step,
                ..
            })) if step.last => {
                records.remove(&id);
                if records.is_empty() {
                    tell(true);
                }
            }
            _ => {}
        }
    }
}

/// Writes what nobody wants.
#[derive(Clone)]
struct Junk(Kind);

impl Codec for Junk {
    type Protocol = StreamProtocol;
    type Request = ();
    type Response = ();

    async fn read_request<T: AsyncRead + Unpin + Send>(
        &mut self,
        _: &StreamProtocol,
        _: &mut T,
    ) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    async fn read_response<T: AsyncRead + Unpin + Send>(
        &mut self,
        _: &StreamProtocol,
        _: &mut T,
    ) -> io::Result<()> {
        std::future::pending().await
    }

    async fn write_request<T: AsyncWrite + Unpin + Send>(
        &mut self,
        _: &StreamProtocol,
        stream: &mut T,
        (): (),
    ) -> io::Result<()> {
        let length = if self.0 == Kind::Slow { SLOW } else { OVERSIZE };
        stream.write_all(&vec![7; length]).await?;
        stream.flush().await?;
        if self.0 == Kind::Slow {
            return std::future::pending().await;
        }
        Ok(())
    }

    async fn write_response<T: AsyncWrite + Unpin + Send>(
        &mut self,
        _: &StreamProtocol,
        _: &mut T,
        (): (),
    ) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
