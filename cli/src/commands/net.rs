//! `net`: how this machine can be reached, and what helps.

mod doctor;

use std::io::Write;
use std::path::PathBuf;

use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;

/// What can be set in `settings.toml`, with the defaults.
const SETTINGS: &str = include_str!("net/settings.toml");

/// Arguments of `net`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Clone, Copy, Debug, clap::Subcommand)]
enum Verb {
    /// Try every way to be reached and to reach the friends of open games, and say what worked and what to change
    #[command(after_help = doctor::HELP)]
    Doctor {
        #[command(flatten)]
        json: Json,
    },
    /// Tell where the settings of this home are, and what can be set
    Settings,
}

/// Carries out the chosen verb.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let player = Player::open(folder)?;
    match args.verb {
        Verb::Doctor { json } => doctor::run(player, json, out),
        Verb::Settings => {
            let file = player.home.settings_file();
            let there = if file.exists() { "" } else { " (not there yet: everything has its default)" };
            writeln!(out, "# {}{there}", file.display())?;
            write!(out, "{SETTINGS}")?;
            Ok(Exit::Done)
        }
    }
}
