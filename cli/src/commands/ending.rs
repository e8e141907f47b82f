//! `resign`, `abort`, `claim`, `draw` and `confirm`: decisions that are no actions on the board.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use chakart_core::protocol::entry::TimeControl;
use chakart_core::protocol::time_text::rough;
use chakart_node::runtime::unix_ms;
use chakart_node::store::GameSummary;

use super::deciding::deliver_and_tell;
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::show::plan;

/// Arguments of `resign`, `abort`, `claim` and `confirm`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    json: Json,
}

/// Arguments of `draw`.
#[derive(Clone, Debug, clap::Args)]
pub struct DrawArgs {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// Do not offer a draw with the next action after all
    #[arg(long)]
    withdraw: bool,
    #[command(flatten)]
    json: Json,
}

/// Resigns.
///
/// # Errors
/// [`Failure`]
pub fn resign(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    ask(args.yes, &format!("Resign {}?", summary.name), out)?;
    player.store.resign(summary.game, unix_ms())?;
    deliver_and_tell(&mut player, &summary, args.json, out)
}

/// Aborts a game in which not both have completed a turn.
///
/// # Errors
/// [`Failure`]
pub fn abort(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    ask(args.yes, &format!("Abort {}?", summary.name), out)?;
    player.store.abort(summary.game, unix_ms())?;
    deliver_and_tell(&mut player, &summary, args.json, out)
}

/// Claims that the opponent is out of time.
///
/// # Errors
/// [`Failure`]
pub fn claim(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    is_not_early(&summary, unix_ms())?;
    ask(
        args.yes,
        &format!("Claim that the opponent of {} is out of time? It ends nothing.", summary.name),
        out,
    )?;
    player.store.claim(summary.game, unix_ms())?;
    deliver_and_tell(&mut player, &summary, args.json, out)
}

/// Refuses a claim that would be void, with the reason; the store judges it again.
pub(crate) fn is_not_early(summary: &GameSummary, now_ms: u64) -> Result<(), Problem> {
    if summary.finished {
        return Ok(());
    }
    if summary.time == TimeControl::None {
        return Err(Problem::new(Kind::Refused, "this game has no time control: nobody is ever out of time"));
    }
    match summary.time_left_ms(now_ms) {
        Some((owes, _)) if owes == summary.me => {
            Err(Problem::new(Kind::Refused, "the time that runs is yours, not the opponent's"))
        }
        Some((_, left)) if left >= 0 => {
            let left = rough(left.unsigned_abs());
            Err(Problem::new(Kind::Refused, format!("the opponent is not out of time: {left} left")))
        }
        _ => Ok(()),
    }
}

/// Says that whatever holds a game back is all right.
///
/// # Errors
/// [`Failure`]
pub fn confirm(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    let Some(hold) = player.store.hold(summary.game, unix_ms())? else {
        return Err(Problem::new(Kind::Refused, "nothing is held back in this game").into());
    };
    ask(args.yes, &format!("{}: {hold}. Is that all right?", summary.name), out)?;
    player.store.confirm(summary.game, unix_ms())?;
    let plans = player.store.fire_plans(summary.game, unix_ms())?;
    if !args.json.json {
        plans.iter().try_for_each(|report| writeln!(out, "{}", plan::told(report)))?;
    }
    deliver_and_tell(&mut player, &summary, args.json, out)
}

/// Accepts the draw that is offered, or offers one with the next own action.
///
/// # Errors
/// [`Failure`]
pub fn draw(args: &DrawArgs, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    let session = player.store.session(summary.game)?;
    if session.is_draw_offered() && !args.withdraw {
        player.store.accept_draw(summary.game, unix_ms())?;
        return deliver_and_tell(&mut player, &summary, args.json, out);
    }
    if summary.finished {
        return Err(Problem::new(Kind::Refused, "the game is over").into());
    }
    player.store.set_draw_intent(summary.game, !args.withdraw)?;
    if args.json.json {
        crate::show::json::write_line(
            out,
            &serde_json::json!({ "game": summary.name, "draw_intent": !args.withdraw }),
        )?;
    } else if args.withdraw {
        writeln!(out, "Your next action offers no draw.")?;
    } else {
        writeln!(out, "Your next action offers a draw.")?;
    }
    Ok(Exit::Done)
}

/// Asks yes or no before something that cannot be undone.
///
/// # Errors
/// [`Failure`]: the person says no, or nobody can be asked.
pub fn ask(yes: bool, question: &str, out: &mut dyn Write) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        return Err(Problem::new(Kind::Refused, format!("{question} There is no terminal to ask on"))
            .hint("--yes answers without being asked")
            .into());
    }
    write!(out, "{question} [y/n] ")?;
    out.flush()?;
    let mut typed = String::new();
    std::io::stdin().read_line(&mut typed)?;
    match typed.trim() {
        "y" | "yes" => Ok(()),
        _ => Err(Problem::new(Kind::Refused, "nothing was signed").into()),
    }
}
