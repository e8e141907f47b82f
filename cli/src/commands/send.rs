//! `send`: what the opponent is owed, as a block for a mail or a stick.

use std::io::Write;
use std::path::PathBuf;

use chakart_node::store::{GameSummary, Named, OwnOffer};
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::show::json;

/// Arguments of `send`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "The block goes into a mail or onto a stick; your friend gives it to 'receive'. It has everything that \
    the other player is not known to have: sent twice or late it does no harm. Standard output has the block and nothing \
    else."
)]
pub struct Args {
    /// The game, or an open offer, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// The game from its beginning, for a friend who has lost it
    #[arg(long)]
    whole: bool,
    #[command(flatten)]
    json: Json,
}

/// Prints the block and remembers that it was.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    match player.store.find(&args.game)? {
        Named::Game(game) => send_game(&mut player, &game, args, out),
        Named::Offer(offer) => send_offer(&player, &offer, args.json, out),
    }
}

fn send_offer(player: &Player, offer: &OwnOffer, json: Json, out: &mut dyn Write) -> Result<Exit, Failure> {
    let block = player.store.offer_block(offer.id)?.armoured();
    if json.json {
        json::write_line(out, &json!({ "offer": offer.name, "block": block }))?;
    } else {
        write!(out, "{block}")?;
    }
    Ok(Exit::Done)
}

fn send_game(
    player: &mut Player,
    game: &GameSummary,
    args: &Args,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let outgoing = if args.whole {
        player.store.whole_block(game.game, 0)?
    } else {
        player.store.outgoing_block(game.game)?
    };
    let block = &outgoing.block;
    let text = (!outgoing.is_nothing()).then(|| block.armoured());
    if args.json.json {
        let object = json!({
            "game": game.name,
            "block": text,
            "entries": block.entries.len(),
            "statements": block.statements.len(),
            "messages": block.notes.len(),
            "repeated": outgoing.repeated,
            "complete": outgoing.complete,
        });
        json::write_line(out, &object)?;
    } else if let Some(text) = &text {
        write!(out, "{text}")?;
        if !outgoing.complete {
            writeln!(
                std::io::stderr(),
                "The block is full; the rest follows once your friend has answered."
            )?;
        }
    } else {
        writeln!(out, "Nothing is owed in {}: the other player is known to have everything.", game.name)?;
    }
    out.flush()?;
    if text.is_some() {
        player.store.mark_sent(&outgoing)?;
    }
    Ok(Exit::Done)
}
