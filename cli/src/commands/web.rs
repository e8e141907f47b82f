//! `web`: the browser board.

use std::io::Write;
use std::path::PathBuf;

use chakart_node::carrier::Carrier;

use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::runtime;
use crate::web::server::Server;
use crate::web::service::service;

/// Arguments of `web`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "The board is served to this machine only. The address carries a secret behind '#': whoever has it plays as \
    you, so hand it to nobody. It is made anew each time. Ctrl-C ends it; what was signed is stored."
)]
pub struct Args {
    /// The port on this machine [default: any that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Where the node listens, as for 'new'; may be given several times [default: as last time]
    #[arg(long, value_name = "ADDR")]
    listen: Vec<String>,
}

/// Serves the browser board until the user ends it.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let player = Player::open_or_create(folder)?;
    let config = runtime::node_config(&player.home, &args.listen)?;
    runtime::run_to_end(async move {
        let carrier = Carrier::open(&player.home, player.key.clone(), config).await?;
        let (service, task) = service(player, carrier);
        let server = Server::start(service, args.port).await?;
        writeln!(out, "Open this in a browser on this machine:\n\n  {}\n", server.url())?;
        writeln!(out, "Ctrl-C ends it.")?;
        out.flush()?;
        task.run().await?;
        Ok(Exit::Done)
    })
}
