//! `cancel`: takes an open offer back.

use std::io::Write;
use std::path::PathBuf;

use chakart_node::store::{FindError, Named};
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::show::json;

/// Arguments of `cancel`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The offer, by its name or the beginning of it; 'games' lists open ones
    #[arg(value_name = "OFFER")]
    offer: String,
    #[command(flatten)]
    json: Json,
}

/// Takes the offer back: an accept that comes later begins no game.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let offer = match player.store.find(&args.offer) {
        Ok(Named::Offer(offer)) => offer,
        Ok(Named::Game(game)) => {
            let hint =
                if game.finished { "'delete' forgets a game that is over" } else { "'resign' ends a game" };
            let message = format!("{} is a game, not an open offer", game.name);
            return Err(Problem::new(Kind::Refused, message).hint(hint).into());
        }
        Err(FindError::NotFound(name)) => {
            let message = format!("no open offer is called '{name}'");
            return Err(Problem::new(Kind::UnknownGame, message)
                .hint("'games' lists those that are open")
                .into());
        }
        Err(error) => return Err(error.into()),
    };
    if !player.store.cancel_offer(offer.id)? {
        return Err(Problem::new(Kind::Refused, format!("{} is not open any more", offer.name)).into());
    }
    if args.json.json {
        json::write_line(out, &json!({ "cancelled": offer.name }))?;
    } else {
        writeln!(out, "{} is cancelled.", offer.name)?;
    }
    Ok(Exit::Done)
}
