//! `moves`: the legal actions of a game.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::session::CannotSign;
use chakart_core::rules::{Action, Game, Rules as _};
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure, Problem};
use crate::player::Player;
use crate::show::json;

/// Arguments of `moves`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    json: Json,
}

/// Lists the legal actions of whoever is to decide.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    let session = player.store.session(summary.game)?;
    let Some(game) = session.game() else {
        return Err(Problem::from(CannotSign::NotBegun).into());
    };
    let actions = if summary.finished { Vec::new() } else { game.legal_actions() };
    if args.json.json {
        let rows: Vec<_> = actions.iter().map(|action| row(game, action)).collect();
        json::write_line(
            out,
            &json!({ "my_turn": session.is_my_turn(), "turn": game.turn(), "actions": rows }),
        )?;
        return Ok(Exit::Done);
    }
    if !session.is_my_turn() && !summary.finished {
        writeln!(out, "{} is to decide:", game.turn())?;
    }
    write!(out, "{}", listed(game, &actions))?;
    Ok(Exit::Done)
}

fn row(game: &Game, action: &Action) -> serde_json::Value {
    json!({
        "action": action.to_string(),
        "notation": game.notation(action),
        "chance": game.reaches_choice(action),
    })
}

/// Actions as a person types them with their notation, a line for each piece; `*` where there is chance.
#[must_use]
pub fn listed(game: &Game, actions: &[Action]) -> String {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for action in actions {
        let text = action.to_string();
        let chance = if game.reaches_choice(action) { "*" } else { "" };
        let group: String = text.chars().take(2).collect();
        let shown = format!("{text}{chance} ({})", game.notation(action));
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, list)) => list.push(shown),
            None => groups.push((group, vec![shown])),
        }
    }
    let lines = groups.into_iter().map(|(_, list)| list.join("  "));
    let text: String = lines.map(|line| line + "\n").collect();
    if text.contains('*') { text + "* has chance in it: see 'odds'\n" } else { text }
}
