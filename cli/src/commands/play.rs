//! `play`: the terminal board, or with `--text` and from pipes the line board.

mod input;
mod table;
pub(crate) mod typed;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use chakart_node::carrier::Carrier;
use chakart_node::store::{GameNo, Named};

use self::input::Input;
use self::table::{Next, Table};
use super::new::{invite, wait_and_play, whereabouts};
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::runtime;
use crate::show;
use crate::tui;
use crate::tui::run::Place;

/// How long a finished game waits for news before its player leaves the board.
const OVER_PATIENCE: Duration = Duration::from_secs(5);

/// Arguments of `play`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = format!("In a terminal, the board fills the window, and '?' tells its keys. From a pipe, or with \
    --text, it is a board of lines.\n\n{}", typed::HELP))]
pub struct Args {
    /// The game, or an open offer, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// Do not ask before an action with chance in it
    #[arg(short, long)]
    yes: bool,
    /// Where to listen, as for 'new'; may be given several times [default: as last time]
    #[arg(long, value_name = "ADDR")]
    listen: Vec<String>,
    /// The board as lines of text, as from a pipe: for screen readers and small windows
    #[arg(long)]
    text: bool,
}

/// Opens a game, or waits for the guest of an open offer.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let player = Player::open(folder)?;
    let named = player.store.find(&args.game)?;
    let config = runtime::node_config(&player.home, &args.listen)?;
    runtime::run(async move {
        let carrier = Carrier::open(&player.home, player.key.clone(), config).await?;
        match named {
            Named::Game(game) if args.text => at_lines(player, carrier, game.game, args.yes, out).await,
            Named::Game(game) => at_board(player, carrier, game.game, args.yes, out).await,
            Named::Offer(offer) => {
                let whereabouts = whereabouts(&carrier, &player.home).await?;
                write!(out, "{}", show::invite::text(&invite(whereabouts, &offer)))?;
                writeln!(out, "Waiting for your friend. Ctrl-C leaves the offer open.")?;
                out.flush()?;
                wait_and_play(player, carrier, offer, Json { json: false }, out).await
            }
        }
    })
}

/// Sits at the board of a game: the terminal board in a terminal, else the line board.
///
/// # Errors
/// [`Failure`]
pub async fn at_board(
    player: Player,
    carrier: Carrier,
    game: GameNo,
    yes: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    if is_screen() {
        return tui::run::run(player, carrier, Place::Game(game), yes, out).await;
    }
    at_lines(player, carrier, game, yes, out).await
}

/// Opens the lobby of the terminal board.
///
/// # Errors
/// [`Failure`]; of kind [`Kind::Usage`] if this is no terminal.
pub fn lobby(folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    if !is_screen() {
        return Err(Problem::new(Kind::Usage, "the lobby needs a terminal")
            .hint("'chakart games' lists your games, 'chakart --help' tells what else there is")
            .into());
    }
    let player = Player::open_or_create(folder)?;
    let config = runtime::node_config(&player.home, &[])?;
    runtime::run(async move {
        let carrier = Carrier::open(&player.home, player.key.clone(), config).await?;
        tui::run::run(player, carrier, Place::Lobby, false, out).await
    })
}

/// Whether this is a terminal in which a cursor can be moved.
pub(crate) fn is_screen() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Sits at the line board of a game until its player leaves, its input ends, or the game is over and delivered.
///
/// # Errors
/// [`Failure`]
pub(crate) async fn at_lines(
    player: Player,
    mut carrier: Carrier,
    game: GameNo,
    yes: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut input = Input::of_stdin();
    let mut table = Table::open(player, game, yes, input.is_terminal())?;
    table.greet(&carrier, out).await?;
    loop {
        let next = tokio::select! {
            line = input.line(), if table.wants_input() => match line {
                Some(line) => table.typed(&line, &carrier, out)?,
                None => table.input_ended(),
            },
            // Nobody need be there any more to take the last statement: it is stored and can be sent another time.
            () = tokio::time::sleep(OVER_PATIENCE), if table.is_over() => Next::Leave,
            event = carrier.next_event() => match event {
                Some(event) => table.heard(&event, &carrier, out)?,
                None => return Err(Problem::new(Kind::Storage, "the node has stopped").into()),
            },
        };
        if next == Next::Leave {
            break;
        }
    }
    table.leave(carrier, out).await
}
