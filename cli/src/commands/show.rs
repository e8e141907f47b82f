//! `show`: the board of a game and how it stands.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::board::{Bitboard, Color};
use chakart_core::protocol::session::{CannotSign, Session};
use chakart_core::scene;
use chakart_core::transcript::replay::Ply;
use chakart_node::runtime::unix_ms;
use chakart_node::store::GameSummary;

use crate::args::Json;
use crate::failure::{Exit, Failure, Problem};
use crate::player::Player;
use crate::show::board::{self, Drawing};
use crate::show::escape::escaped;
use crate::show::{chat, files, game, json, png, svg};

/// Messages that are shown below the board: the latest.
const MESSAGES: usize = 3;

/// Arguments of `show`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// The other side at the bottom
    #[arg(long)]
    flip: bool,
    /// The board alone, as a picture in SVG
    #[arg(long, conflicts_with = "json")]
    svg: bool,
    /// Write the board alone as a picture in PNG (only in programs built with --features png)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "svg"])]
    png: Option<PathBuf>,
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
        json::write_line(out, &game::object(&summary, &session, &player.store.arrivals(summary.game)?))?;
        return Ok(Exit::Done);
    }
    if args.svg {
        write!(out, "{}", picture(&summary, &session, args.flip)?)?;
        return Ok(Exit::Done);
    }
    if let Some(path) = &args.png {
        let rendered = png::rendered(&picture(&summary, &session, args.flip)?)?;
        std::fs::write(path, rendered).map_err(|error| files::failed(path, &error))?;
        writeln!(out, "{}", path.display())?;
        return Ok(Exit::Done);
    }
    for line in lines(&player, &summary, &session, args.flip)? {
        writeln!(out, "{line}")?;
    }
    for refused in player.store.refused_entries(summary.game)? {
        writeln!(out, "refused here and kept: {}", escaped(&refused.reason))?;
    }
    Ok(Exit::Done)
}

/// Title, last turn, board, standing and latest messages of a game.
///
/// # Errors
/// [`Failure`]
pub fn lines(
    player: &Player,
    summary: &GameSummary,
    session: &Session,
    flip: bool,
) -> Result<Vec<String>, Failure> {
    let arrivals = player.store.arrivals(summary.game)?;
    let plies = game::plies(session);
    let last = game::last_turn(&plies);
    let mut lines = vec![game::title(summary, session)];
    lines.extend(last.iter().flat_map(|ply| game::told(ply, summary, &arrivals)));
    if let Some(view) = session.view() {
        let drawing = drawing(summary, last, flip);
        lines.extend(board::picture(&view, drawing).lines().map(str::to_owned));
    }
    lines.push(game::standing(session));
    lines.extend(game::unproven(session));
    lines.extend(session.hold(unix_ms()).map(|hold| format!("held back: {hold}")));
    if summary.draw_intent {
        lines.push("your next action offers a draw".to_owned());
    }
    lines.push(game::delivery(summary));
    if !summary.muted {
        let notes = player.store.notes(summary.game)?;
        let latest = notes.iter().skip(notes.len().saturating_sub(MESSAGES));
        lines.extend(latest.flat_map(|note| chat::lines(note, summary)));
    }
    Ok(lines)
}

fn picture(summary: &GameSummary, session: &Session, flip: bool) -> Result<String, Failure> {
    let view = session.view().ok_or_else(|| Problem::from(CannotSign::NotBegun))?;
    let plies = game::plies(session);
    Ok(svg::picture(&view, drawing(summary, game::last_turn(&plies), flip)))
}

/// The own side at the bottom unless it is to be turned round, and the squares of the last act marked.
fn drawing(summary: &GameSummary, last: &[Ply], flip: bool) -> Drawing {
    let own = summary.color.unwrap_or(Color::White);
    let marked = last.last().map_or(Bitboard::EMPTY, scene::marked);
    Drawing { bottom: if flip { !own } else { own }, marked }
}
