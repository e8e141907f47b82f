//! `show`: the board of a game and how it stands.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::board::Bitboard;
use chakart_core::protocol::session::Session;
use chakart_node::runtime::unix_ms;
use chakart_node::store::GameSummary;

use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::show::board::{self, Drawing};
use crate::show::escape::escaped;
use crate::show::{game, json, turns};

/// Arguments of `show`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// The other side at the bottom
    #[arg(long)]
    flip: bool,
    #[command(flatten)]
    json: Json,
}

/// Shows a game.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    let session = player.store.session(summary.game)?;
    if args.json.json {
        json::write_line(out, &game::object(&summary, &session))?;
        return Ok(Exit::Done);
    }
    for line in lines(&summary, &session, args.flip) {
        writeln!(out, "{line}")?;
    }
    for refused in player.store.refused_entries(summary.game)? {
        writeln!(out, "refused here and kept: {}", escaped(&refused.reason))?;
    }
    Ok(Exit::Done)
}

/// Title, last turn, board and standing of a game.
#[must_use]
pub fn lines(summary: &GameSummary, session: &Session, flip: bool) -> Vec<String> {
    let plies = game::plies(session);
    let last = game::last_turn(&plies);
    let mut lines = vec![game::title(summary, session)];
    lines.extend(last.iter().flat_map(|ply| game::told(ply, summary)));
    if let Some(view) = session.view() {
        let own = summary.color.unwrap_or(chakart_core::board::Color::White);
        let marked = last.last().map_or(Bitboard::EMPTY, turns::marked);
        let drawing = Drawing { bottom: if flip { !own } else { own }, marked };
        lines.extend(board::picture(&view, drawing).lines().map(str::to_owned));
    }
    lines.push(game::standing(session));
    lines.extend(game::unproven(session));
    lines.extend(session.hold(unix_ms()).map(|hold| format!("held back: {hold}")));
    if summary.draw_intent {
        lines.push("your next action offers a draw".to_owned());
    }
    lines.push(game::delivery(summary));
    lines
}
