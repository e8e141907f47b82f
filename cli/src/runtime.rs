//! Runs a command that waits for the network; Ctrl-C ends it.

use std::future::Future;

use chakart_node::home::Home;
use chakart_node::runtime::NodeConfig;
use chakart_node::settings::Settings;

use crate::failure::{Failure, Kind, Problem};

/// Where every command of a user listens that is not told otherwise: multiaddrs, separated by commas.
const LISTEN_VARIABLE: &str = "CHAKART_LISTEN";

/// How the node of a command runs: by the settings of its home; it listens where asked, else where the environment says,
/// else as last time.
///
/// # Errors
/// [`Kind::File`] if the settings cannot be read.
pub fn node_config(home: &Home, asked: &[String]) -> Result<NodeConfig, Failure> {
    let mut listen = asked.to_vec();
    if listen.is_empty() {
        let variable = std::env::var(LISTEN_VARIABLE).unwrap_or_default();
        listen.extend(variable.split(',').map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned));
    }
    Ok(NodeConfig { listen, settings: Settings::of(home)?, ..NodeConfig::default() })
}

/// Runs `work` to its end, or until the user interrupts. What was signed is stored by then, so nothing is lost.
///
/// # Errors
/// Those of `work`; [`Kind::Interrupted`]; [`Kind::Storage`] if the system gives no threads.
pub fn run<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = threads()?;
    let result = runtime.block_on(async {
        tokio::select! {
            result = work => result,
            _ = tokio::signal::ctrl_c() => Err(Problem::new(Kind::Interrupted, "interrupted").into()),
        }
    });
    // A thread that is blocked must not keep the program.
    runtime.shutdown_background();
    result
}

/// Runs `work` to its end; whoever calls looks for signals itself.
///
/// # Errors
/// Those of `work`; [`Kind::Storage`] if the system gives no threads.
pub fn run_to_end<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = threads()?;
    let result = runtime.block_on(work);
    runtime.shutdown_background();
    result
}

/// Waits until the user or the system asks the program to end: Ctrl-C or SIGTERM.
pub async fn asked_to_stop() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

fn threads() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::new(Kind::Storage, format!("no threads to run on: {error}")).into())
}
