//! `odds`: the possible outcomes of an action with their odds.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::rules::Rules as _;

use crate::args::Json;
use crate::commands::deciding::{position, read_action};
use crate::commands::position::request::{not_listed, outcome_list};
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::show::{json, odds};

/// Arguments of `odds`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// The action: e2e4, Nf3, d1h5s; 'moves' lists them
    #[arg(value_name = "ACTION")]
    action: String,
    #[command(flatten)]
    json: Json,
}

/// Tells the outcomes of an action of whoever is to decide. Nothing is signed.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    let session = player.store.session(summary.game)?;
    let game = position(&session, &summary)?;
    let action = read_action(game, &summary, &args.action)?;
    if args.json.json {
        json::write_line(out, &outcome_list(game, &action)?)?;
        return Ok(Exit::Done);
    }
    writeln!(out, "{action} ({})", game.notation(&action))?;
    for line in odds::lines(game, &action).map_err(|error| not_listed(&error))? {
        writeln!(out, "{line}")?;
    }
    Ok(Exit::Done)
}
