//! The program's log: on standard error, off unless asked for. Logs never say where a hidden queen is.

use tracing_subscriber::EnvFilter;

/// Environment variable with a filter such as `info` or `chakart_node=debug`.
const LOG_VARIABLE: &str = "CHAKART_LOG";

/// Starts the log: by `CHAKART_LOG` if it is set, otherwise by the number of `-v`.
pub(crate) fn start(verbose: u8) {
    let level = match verbose {
        0 => "error",
        1 => "chakart=info,chakart_node=info,warn",
        2 => "chakart=debug,chakart_node=debug,info",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_env(LOG_VARIABLE).unwrap_or_else(|_| EnvFilter::new(level));
    // A log that was started before, by whoever uses this library, stays.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
}
