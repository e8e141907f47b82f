//! `move`: plays one action of a game.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::session::CannotSign;

use super::deciding::{self, confirm_chance, deliver_and_tell, read_action};
use crate::args::Json;
use crate::failure::{Exit, Failure, Problem};
use crate::player::Player;

/// Arguments of `move`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// The action: e2e4, Nf3, d1h5s; 'moves' lists them
    #[arg(value_name = "ACTION")]
    action: String,
    /// Do not ask before an action with chance in it
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    json: Json,
}

/// Signs and stores the action, and tries to deliver it.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    let session = player.store.session(summary.game)?;
    let game = deciding::position(&session, &summary)?;
    if !session.is_my_turn() {
        return Err(Problem::from(CannotSign::NotYourTurn).into());
    }
    let action = read_action(game, &summary, &args.action)?;
    confirm_chance(&session, &action, args.yes, out)?;
    deciding::act(&mut player, summary.game, action)?;
    deliver_and_tell(&mut player, &summary, args.json, out)
}
