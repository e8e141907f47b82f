//! The listener and the routes.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::guard::{self, Guard};
use super::service::Service;
use super::{api, pages};
use crate::failure::{Failure, Kind, Problem};

/// Longest body of a request, in bytes: an invite or a message has room.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// A server that runs; dropped, it runs no longer.
#[derive(Debug)]
pub struct Server {
    guard: Guard,
    task: JoinHandle<()>,
}

impl Server {
    /// Serves pages and data on a port of the loopback; 0 is any that is free. To be called inside a tokio runtime.
    ///
    /// # Errors
    /// [`Failure`]: the port is taken, or there is no randomness.
    pub async fn start(service: Service, port: u16) -> Result<Self, Failure> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let taken = |error| {
            Problem::new(Kind::Usage, format!("port {port} of the loopback cannot be used: {error}"))
                .hint("name another one with --port, or none: then any that is free is taken")
        };
        let listener = listener.map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        let guard = Guard::fresh(address)?;
        let app = router(service, &guard);
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                tracing::error!(%error, "the browser board is served no longer");
            }
        });
        Ok(Self { guard, task })
    }

    /// The address to be opened, with the token that lets its page in.
    #[must_use]
    pub fn url(&self) -> String {
        self.guard.url()
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.guard.address()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn router(service: Service, guard: &Guard) -> Router {
    Router::new()
        .merge(api::routes(service, guard.clone()))
        .fallback(pages::page)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn_with_state(guard.clone(), guard::check))
}
