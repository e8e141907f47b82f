//! Figures of a running node for Prometheus, as text on a port of the loopback: counts and sizes, no names of players, no
//! games, no addresses.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use libp2p::metrics::{Metrics as Libp2pMetrics, Recorder as _, Registry};
use libp2p::swarm::SwarmEvent;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::gauge::Gauge;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::net::BehaviourEvent;

/// Where the figures are, as the path of an HTTP request.
pub const PATH: &str = "/metrics";

const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Why figures are not served.
#[derive(Debug, thiserror::Error)]
#[error("metrics cannot be served on port {port} of the loopback: {error}")]
pub struct MetricsError {
    /// The port that was asked for.
    pub port: u16,
    /// Why not; most often another program has it.
    pub error: io::Error,
}

/// Figures that are counted elsewhere and copied here from time to time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Figures {
    /// Connections that are open.
    pub(crate) connections: u64,
    /// Reservations that relays hold for this node.
    pub(crate) reservations_held: u64,
    /// Reservations that this node holds for others.
    pub(crate) reservations_served: u64,
    /// Circuits of others that are open through this node.
    pub(crate) circuits: u64,
    /// Letters for others that this node keeps.
    pub(crate) letters_kept: u64,
    /// Bytes of them.
    pub(crate) letter_bytes_kept: u64,
    /// Letters for others that this node refused, since the start.
    pub(crate) letters_refused: u64,
    /// Games that are not over.
    pub(crate) games_open: u64,
    /// Entries of all games.
    pub(crate) entries_stored: u64,
}

/// The figures, and who serves them; dropped, they are served no longer.
pub(crate) struct Metrics {
    libp2p: Libp2pMetrics,
    gauges: Gauges,
    server: JoinHandle<()>,
}

struct Gauges {
    connections: Gauge,
    reservations_held: Gauge,
    reservations_served: Gauge,
    circuits: Gauge,
    letters_kept: Gauge,
    letter_bytes_kept: Gauge,
    letters_refused: Gauge,
    games_open: Gauge,
    entries_stored: Gauge,
}

impl Metrics {
    /// Serves figures on this port of the loopback; to be called inside a tokio runtime.
    ///
    /// # Errors
    /// [`MetricsError`]
    pub(crate) async fn serve(port: u16) -> Result<Self, MetricsError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .await
            .map_err(|error| MetricsError { port, error })?;
        let mut registry = Registry::default();
        let libp2p = Libp2pMetrics::new(&mut registry);
        let gauges = Gauges::new(&mut registry);
        let registry = Arc::new(registry);
        let app = Router::new().route(PATH, get(move || std::future::ready(page(&registry))));
        let server = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                tracing::error!(%error, "metrics are served no longer");
            }
        });
        Ok(Self { libp2p, gauges, server })
    }

    /// Counts an event of the network.
    pub(crate) fn record(&self, event: &SwarmEvent<BehaviourEvent>) {
        self.libp2p.record(event);
        let SwarmEvent::Behaviour(event) = event else { return };
        match event {
            BehaviourEvent::Identify(event) => self.libp2p.record(event),
            BehaviourEvent::Ping(event) => self.libp2p.record(event),
            BehaviourEvent::Punch(event) => self.libp2p.record(event),
            BehaviourEvent::Dht(event) => self.libp2p.record(event),
            BehaviourEvent::Hop(event) => self.libp2p.record(event),
            _ => {}
        }
    }

    pub(crate) fn set(&self, figures: &Figures) {
        self.gauges.set(figures);
    }
}

impl Drop for Metrics {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Gauges {
    fn new(registry: &mut Registry) -> Self {
        let own = registry.sub_registry_with_prefix("chakart");
        let mut gauge = |name: &str, help: &str| {
            let gauge: Gauge<i64, AtomicI64> = Gauge::default();
            own.register(name, help, gauge.clone());
            gauge
        };
        Self {
            connections: gauge("connections", "Connections that are open"),
            reservations_held: gauge("reservations_held", "Reservations that relays hold for this node"),
            reservations_served: gauge("reservations_served", "Reservations that this node holds for others"),
            circuits: gauge("circuits", "Circuits of others that are open through this node"),
            letters_kept: gauge("letters_kept", "Letters that this node's mailbox keeps"),
            letter_bytes_kept: gauge("letter_bytes_kept", "Bytes of letters that this node's mailbox keeps"),
            letters_refused: gauge(
                "letters_refused",
                "Letters that this node's mailbox refused since the start",
            ),
            games_open: gauge("games_open", "Games of this home that are not over"),
            entries_stored: gauge("entries_stored", "Entries of all games of this home"),
        }
    }

    fn set(&self, figures: &Figures) {
        for (gauge, value) in [
            (&self.connections, figures.connections),
            (&self.reservations_held, figures.reservations_held),
            (&self.reservations_served, figures.reservations_served),
            (&self.circuits, figures.circuits),
            (&self.letters_kept, figures.letters_kept),
            (&self.letter_bytes_kept, figures.letter_bytes_kept),
            (&self.letters_refused, figures.letters_refused),
            (&self.games_open, figures.games_open),
            (&self.entries_stored, figures.entries_stored),
        ] {
            gauge.inner().store(i64::try_from(value).unwrap_or(i64::MAX), Ordering::Relaxed);
        }
    }
}

fn page(registry: &Registry) -> Response {
    let mut text = String::new();
    match encode(&mut text, registry) {
        Ok(()) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
