//! `relay`: keeps the node of a home up for others too.

use std::io::Write;
use std::path::PathBuf;

use chakart_node::runtime::HelperRole;

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
}

/// Keeps the node up for others until told to stop.
///
/// # Errors
/// [`Failure`]
pub fn run(args: Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let player = Player::open_or_create(folder)?;
    let helper = HelperRole { external: args.external };
    daemon::keep(player, Keep { listen: args.listen, on_turn: None, helper: Some(helper) }, out)
}
