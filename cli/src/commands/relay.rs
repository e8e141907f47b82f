//! `relay`: keeps the node of a home up for others too.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use chakart_node::runtime::{HelperRole, RelayLimits};

use super::daemon::{self, Keep};
use crate::failure::{Exit, Failure};
use crate::player::Player;

/// Arguments of `relay`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "For a machine that is always on and can be reached from outside. It relays connections between friends \
    whose routers let nobody in, helps them to punch through, and, where the settings name a private network, serves the \
    table in which its members find each other. What it relays is encrypted and small: 128 KiB or two minutes a circuit. \
    The games of its own home are kept in sync as by 'daemon'.\n\n\
    Your friends name one of the printed addresses in their settings.toml: relays = [\"ADDR\"]."
)]
pub struct Args {
    /// Where to listen, as for 'new'; may be given several times [default: as last time]
    #[arg(long, value_name = "ADDR")]
    listen: Vec<String>,
    /// An address at which others reach this machine, if it differs from where it listens; may be given several times
    #[arg(long, value_name = "ADDR")]
    external: Vec<String>,
    /// How long a circuit lasts, in seconds
    #[arg(long, value_name = "SECONDS", hide = true, value_parser = clap::value_parser!(u32).range(1..))]
    circuit_seconds: Option<u32>,
    /// Bytes that a circuit carries
    #[arg(long, value_name = "BYTES", hide = true)]
    circuit_bytes: Option<u64>,
    /// How long a reservation lasts that is not renewed, in seconds
    #[arg(long, value_name = "SECONDS", hide = true, value_parser = clap::value_parser!(u32).range(1..))]
    reservation_seconds: Option<u32>,
}

/// Keeps the node up for others until told to stop.
///
/// # Errors
/// [`Failure`]
pub fn run(args: Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let player = Player::open_or_create(folder)?;
    let limits = args.limits();
    let helper = HelperRole { external: args.external, limits };
    daemon::keep(player, Keep { listen: args.listen, on_turn: None, helper: Some(helper) }, out)
}

impl Args {
    /// The usual limits, but for those that are given.
    fn limits(&self) -> RelayLimits {
        let usual = RelayLimits::default();
        let seconds =
            |given: Option<u32>, usual| given.map_or(usual, |given| Duration::from_secs(given.into()));
        RelayLimits {
            circuit: seconds(self.circuit_seconds, usual.circuit),
            circuit_bytes: self.circuit_bytes.unwrap_or(usual.circuit_bytes),
            reservation: seconds(self.reservation_seconds, usual.reservation),
        }
    }
}
