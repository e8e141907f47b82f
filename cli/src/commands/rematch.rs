//! `rematch`: offers the opponent of a finished game another one.

use std::io::Write;
use std::path::PathBuf;

use chakart_node::runtime::unix_ms;

use super::new::fresh_salt;
use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::show::{json, offer};

/// Arguments of `rematch`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Colours are swapped and all else is alike; only this opponent may accept. The offer goes with the next \
    connection of a running 'daemon' or of 'sync', or as text with 'send'. Nobody needs to be online."
)]
pub struct Args {
    /// The game that is over, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    json: Json,
}

/// Makes the offer, or finds the one that is open.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let game = player.game(&args.game)?;
    let offered = player.store.rematch(game.game, fresh_salt()?, unix_ms())?;
    player.home.wake();
    if args.json.json {
        json::write_line(out, &offer::own_object(&offered))?;
    } else {
        writeln!(
            out,
            "{} offers the opponent of {} another game, colours swapped.",
            offered.name, game.name
        )?;
        writeln!(out, "It goes with the next connection; 'chakart send {}' prints it.", offered.name)?;
    }
    Ok(Exit::Done)
}
