//! `moves`: the legal actions of a game.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::session::CannotSign;
use chakart_core::rules::{Action, Game, Rules as _};
use chakart_node::store::Waiting;
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure, Problem};
use crate::player::Player;
use crate::show::{game, json};

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
    let Some(position) = session.game() else {
        return Err(Problem::from(CannotSign::NotBegun).into());
    };
    let chosen_now = matches!(summary.waiting, Waiting::Act(_)) && !summary.finished;
    let actions = if chosen_now { position.legal_actions() } else { Vec::new() };
    if args.json.json {
        let rows: Vec<_> = actions.iter().map(|action| row(position, action)).collect();
        let object = json!({
            "my_turn": session.is_my_turn(),
            "waiting_for": game::waiting(&summary),
            "turn": position.turn(),
            "actions": rows,
        });
        json::write_line(out, &object)?;
        return Ok(Exit::Done);
    }
    if !chosen_now {
        writeln!(out, "{}", game::standing(&session))?;
        return Ok(Exit::Done);
    }
    if !session.is_my_turn() {
        writeln!(out, "{} is to decide:", position.turn())?;
    }
    write!(out, "{}", listed(position, &actions))?;
    Ok(Exit::Done)
}

fn row(game: &Game, action: &Action) -> serde_json::Value {
    json!({
        "action": action.to_string(),
        "notation": game.notation(action),
        "chance": game.reaches_choice(action),
    })
}

/// Actions as a person types them, with their notation where it differs, a line for each piece; `*` where there is
/// chance.
#[must_use]
pub fn listed(game: &Game, actions: &[Action]) -> String {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for action in actions {
        let text = action.to_string();
        let chance = if game.reaches_choice(action) { "*" } else { "" };
        let group: String = text.chars().take(2).collect();
        let notation = Some(game.notation(action)).filter(|notation| *notation != text);
        let notation = notation.map_or_else(String::new, |notation| format!(" ({notation})"));
        let shown = format!("{text}{chance}{notation}");
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, list)) => list.push(shown),
            None => groups.push((group, vec![shown])),
        }
    }
    let lines = groups.into_iter().map(|(_, list)| list.join("  "));
    let text: String = lines.map(|line| line + "\n").collect();
    if text.contains('*') { text + "* has chance in it: see 'odds'\n" } else { text }
}
