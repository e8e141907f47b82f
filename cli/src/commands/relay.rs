//! `relay`: keeps the node of a home up for others too.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use chakart_core::protocol::keys::PublicKey;
use chakart_node::runtime::{HelperRole, RelayLimits};

use super::daemon::{self, Keep};
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;

/// Arguments of `relay`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "For a machine that is always on and can be reached from outside. It relays connections between friends \
    whose routers let nobody in, helps them to punch through, and, where the settings name a private network, serves the \
    table in which its members find each other. What it relays is encrypted and small: 128 KiB or two minutes a circuit. \
    The games of its own home are kept in sync as by 'daemon'.\n\n\
    With --mailbox-for it also keeps letters for the players that you name while they are away: sealed, so that it can read \
    none of them. A letter is kept until its player has taken it, 30 days at most; for one player at most 256 letters of 4 \
    MiB together, of one sender a quarter of that, of all senders who are not named half of it; 2 GiB in all. They lie in \
    mailbox.sqlite in the home.\n\n\
    Your friends name one of the printed addresses in their settings.toml: relays = [\"ADDR\"], mailboxes = [\"ADDR\"]."
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
    /// Keep letters for this player; may be given several times
    #[arg(long, value_name = "NAME|KEY")]
    mailbox_for: Vec<String>,
    /// Keep letters for all friends, as they are at the start
    #[arg(long)]
    mailbox_for_friends: bool,
}

/// For whom letters are kept; the owner of the mailbox needs none.
fn listed(player: &Player, args: &Args) -> Result<Vec<PublicKey>, Failure> {
    let mut listed = Vec::new();
    for named in &args.mailbox_for {
        listed.push(player.named(named)?);
    }
    if args.mailbox_for_friends {
        listed.extend(player.store.friends()?.into_iter().map(|friend| friend.key));
        if listed.is_empty() {
            return Err(Problem::new(Kind::Usage, "there are no friends to keep letters for")
                .hint("'friend add NAME KEY' adds one; --mailbox-for KEY names a player without that")
                .into());
        }
    }
    listed.retain(|key| *key != player.key.public());
    Ok(listed)
}

/// Keeps the node up for others until told to stop.
///
/// # Errors
/// [`Failure`]
pub fn run(args: Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let player = Player::open_or_create(folder)?;
    let limits = args.limits();
    let mailbox_for = listed(&player, &args)?;
    if !mailbox_for.is_empty() {
        let players = if mailbox_for.len() == 1 { "player" } else { "players" };
        writeln!(out, "a mailbox for {} {players}", mailbox_for.len())?;
    }
    let helper = HelperRole { external: args.external, limits, mailbox_for };
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
