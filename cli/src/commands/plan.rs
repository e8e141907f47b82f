//! `plan`: decisions in advance, kept on this machine.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::session::CannotSign;
use chakart_node::runtime::unix_ms;
use chakart_node::store::{GameSummary, PlanNo};
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::show::{json, plan};

/// Arguments of `plan`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Plans read:\n  \
    if e7e5 then g1f3       the opponent does exactly this, without chance and without a draw offer\n  \
    if kingboo then a1~h8   the egg that your last act reached gives this (or daisy, toadette)\n\n\
    A plan is played once what it names comes next, by whatever command or daemon takes it in; anything else drops it. \
    Nobody else learns of plans.")]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// The plan; without one, those that are kept are listed
    #[arg(value_name = "PLAN", conflicts_with = "remove")]
    plan: Option<String>,
    /// Remove the plan of this number
    #[arg(long, value_name = "N", value_parser = parse_number)]
    remove: Option<i64>,
    #[command(flatten)]
    json: Json,
}

/// Reads the number of a plan.
fn parse_number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "plans have numbers, as 'plan GAME' lists them".to_owned())
}

/// Keeps, lists or removes plans.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let game = player.game(&args.game)?;
    if let Some(number) = args.remove
        && !player.store.remove_plan(game.game, PlanNo(number))?
    {
        let message = format!("{} has no plan {number}", game.name);
        return Err(Problem::new(Kind::Refused, message)
            .hint("'plan GAME' lists those that are kept")
            .into());
    }
    if let Some(text) = &args.plan {
        if game.finished {
            return Err(Problem::from(CannotSign::Over).into());
        }
        player.store.add_plan(game.game, text, unix_ms())?;
        player.home.wake();
    }
    list(&player, &game, args.json, out)
}

fn list(player: &Player, game: &GameSummary, json: Json, out: &mut dyn Write) -> Result<Exit, Failure> {
    let plans = player.store.plans(game.game)?;
    if json.json {
        let rows: Vec<_> = plans.iter().map(plan::kept_object).collect();
        json::write_line(out, &json!({ "game": game.name, "plans": rows }))?;
    } else if plans.is_empty() {
        writeln!(out, "{} has no plans.", game.name)?;
    } else {
        for kept in plans {
            writeln!(out, "{}: {}", kept.plan.0, kept.text)?;
        }
    }
    Ok(Exit::Done)
}
