//! `note`: what a player writes for itself about a game.

use std::io::Write;
use std::path::PathBuf;

use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::show::escape::escaped;
use crate::show::json;

/// Arguments of `note`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Notes stay on this machine (and in 'backup'). An empty TEXT takes the note away.")]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// What to write, in place of what was written before; without it the note is shown
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Add TEXT to what was written before
    #[arg(short, long, requires = "text")]
    append: bool,
    #[command(flatten)]
    json: Json,
}

/// Writes or shows the note of a game.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let game = player.game(&args.game)?;
    if let Some(text) = &args.text {
        let before = if args.append { player.store.memo(game.game)? } else { String::new() };
        let between = if before.is_empty() { "" } else { "\n" };
        player.store.set_memo(game.game, &format!("{before}{between}{text}"))?;
    }
    let memo = player.store.memo(game.game)?;
    if args.json.json {
        json::write_line(out, &json!({ "game": game.name, "note": memo }))?;
    } else if memo.is_empty() {
        writeln!(out, "{} has no note.", game.name)?;
    } else {
        for line in memo.lines() {
            writeln!(out, "{}", escaped(line))?;
        }
    }
    Ok(Exit::Done)
}
