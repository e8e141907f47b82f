//! `games`: all games and open offers, those first in which this player is to decide.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::board::Color;
use chakart_core::protocol::log::Log;
use chakart_node::store::{GameSummary, OwnOffer};
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::show::escape::quoted;
use crate::show::{game, json, stamp};

/// Arguments of `games`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    json: Json,
}

/// Lists games and offers.
///
/// # Errors
/// [`Failure`]
pub fn run(args: Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let player = Player::open(folder)?;
    let mut games = player.store.games()?;
    games.sort_by_key(|game| (game.finished, !game.is_my_turn()));
    let offers = player.store.offers()?;
    if args.json.json {
        let games: Vec<_> = games.iter().map(game::summary_object).collect();
        let offers: Vec<_> = offers.iter().map(offer_object).collect();
        json::write_line(out, &json!({ "games": games, "offers": offers }))?;
        return Ok(Exit::Done);
    }
    if games.is_empty() && offers.is_empty() {
        writeln!(out, "No games yet. 'new' makes an invite, 'join INVITE' takes one.")?;
    }
    let width = games.iter().map(|game| game.name.len()).max().unwrap_or_default();
    for game in &games {
        writeln!(out, "{}", line(game, width))?;
    }
    for offer in &offers {
        writeln!(out, "{}  offered {}, waits for a guest", offer.name, stamp::utc(offer.created_ms))?;
    }
    Ok(Exit::Done)
}

fn line(game: &GameSummary, width: usize) -> String {
    let color = match game.color {
        Some(Color::White) => "White",
        Some(Color::Black) => "Black",
        None => "no colour yet",
    };
    let state = if game.finished { format!("over, {}", game.result) } else { state(game) };
    let delivered = if game.delivery.complete { "delivered" } else { "not delivered yet" };
    let refused = if game.delivery.refused.is_some() { ", the opponent refused an entry" } else { "" };
    let recovering = if game.recovering { ", recovered: say 'confirm'" } else { "" };
    format!(
        "{:width$}  {:<24}  {} against {}, {}, turn {}, {delivered}{refused}{recovering}",
        game.name,
        state,
        color,
        quoted(&game.opponent_name),
        crate::show::board::rules_line(game.variant),
        game.turns / 2 + 1,
    )
}

fn state(game: &GameSummary) -> String {
    match game::waiting(game) {
        "my action" => "YOUR TURN".to_owned(),
        waited => format!("waits for {waited}"),
    }
}

fn offer_object(offer: &OwnOffer) -> serde_json::Value {
    let terms = Log::open(&offer.offer).ok().map(|log| *log.terms());
    json!({
        "name": offer.name,
        "id": offer.id.to_string(),
        "variant": terms.map(|terms| terms.variant.info().name),
        "setup": terms.map(|terms| terms.setup.name()),
        "created_ms": offer.created_ms,
    })
}
