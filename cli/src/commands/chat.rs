//! `chat`: short signed messages between the players of a game.

use std::io::Write;
use std::path::PathBuf;

use chakart_node::runtime::unix_ms;
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::show::{chat, json};

/// Arguments of `chat`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Messages are signed, and in no transcript. They go with the next connection of a running 'daemon' or of \
    'sync', or with the block of 'send'."
)]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// What to say, up to 500 bytes; without it, messages are shown
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Do not announce the opponent's messages in this game any more
    #[arg(long, conflicts_with_all = ["text", "unmute"])]
    mute: bool,
    /// Announce them again
    #[arg(long, conflicts_with = "text")]
    unmute: bool,
    #[command(flatten)]
    json: Json,
}

/// Writes a message, or shows those that are kept.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let mut game = player.game(&args.game)?;
    if args.mute || args.unmute {
        player.store.set_muted(game.game, args.mute)?;
        game.muted = args.mute;
    }
    if let Some(text) = &args.text {
        player.store.write_note(game.game, chat::parse(text)?, unix_ms())?;
        player.home.wake();
    }
    let notes = player.store.notes(game.game)?;
    if args.json.json {
        let rows: Vec<_> = notes.iter().map(chat::object).collect();
        json::write_line(out, &json!({ "game": game.name, "muted": game.muted, "messages": rows }))?;
        return Ok(Exit::Done);
    }
    if game.muted {
        writeln!(out, "Messages of this opponent are muted: they are kept, and not announced.")?;
    }
    if notes.is_empty() {
        writeln!(out, "{} has no messages.", game.name)?;
    }
    for line in notes.iter().flat_map(|note| chat::lines(note, &game)) {
        writeln!(out, "{line}")?;
    }
    Ok(Exit::Done)
}
