//! `receive`: takes a block from a mail or a stick.

mod told;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use chakart_core::transcript::armour::{Block, MAX_ARMOUR_BYTES};
use chakart_node::runtime::unix_ms;
use chakart_node::store::{BlockReceipt, GameNo, Reply};
use serde_json::json;

use super::deciding::opponent_broke;
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::show::{files, json};

/// Arguments of `receive`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Quoting, line ends and text around the block do no harm, and neither does a block that is old or came \
    before. If your friend waits for an answer that needs no decision of yours, the block with it is printed last.\n\n\
    Exit codes: 0 taken (also if nothing in it was new), 1 nothing in it belongs here, 2 no readable block, 5 it proves \
    that the other player broke the protocol."
)]
pub struct Args {
    /// A file with the block in it [default: standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// Takes the block, says what it did, and prints the answer that is due.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let text = read(path)?;
    let block = Block::read(&text).map_err(|error| {
        let message = format!(
            "{}: {error}",
            if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
        );
        Problem::new(Kind::File, message)
    })?;
    let mut player = Player::open_or_create(folder)?;
    let receipts = player.store.receive_block(&block, unix_ms())?;
    player.home.wake();
    if args.json.json {
        let told = receipts.iter().map(|receipt| told::object(&player, receipt));
        let told = told.collect::<Result<Vec<_>, Failure>>()?;
        let replies = replies(&mut player, &receipts)?;
        json::write_line(out, &json!({ "received": told, "replies": replies }))?;
    } else {
        tell(&mut player, &receipts, out)?;
    }
    exit(&mut player, &receipts)
}

fn tell(player: &mut Player, receipts: &[BlockReceipt], out: &mut dyn Write) -> Result<(), Failure> {
    if receipts.is_empty() {
        writeln!(out, "The block is empty.")?;
    }
    for receipt in receipts {
        for line in told::lines(player, receipt)? {
            writeln!(out, "{line}")?;
        }
    }
    for reply in replies(player, receipts)? {
        writeln!(out, "\nSend this back:\n")?;
        write!(out, "{}", reply.block)?;
    }
    Ok(())
}

/// An answer that somebody waits for.
#[derive(serde::Serialize)]
struct Answer {
    game: String,
    block: String,
}

/// The answers that are due now.
fn replies(player: &mut Player, receipts: &[BlockReceipt]) -> Result<Vec<Answer>, Failure> {
    let mut answers = Vec::new();
    for receipt in receipts {
        let BlockReceipt::Game(receipt) = receipt else { continue };
        if receipt.reply == Reply::Now {
            let outgoing = player.store.outgoing_block(receipt.game)?;
            answers.push(Answer { game: receipt.name.clone(), block: outgoing.block.armoured() });
            player.store.mark_sent(&outgoing)?;
        }
    }
    Ok(answers)
}

fn exit(player: &mut Player, receipts: &[BlockReceipt]) -> Result<Exit, Failure> {
    let games: Vec<GameNo> = receipts
        .iter()
        .filter_map(|receipt| match receipt {
            BlockReceipt::Game(receipt) => Some(receipt.game),
            _ => None,
        })
        .collect();
    for game in games {
        if opponent_broke(&player.store.session(game)?) {
            return Ok(Exit::PeerBroke);
        }
    }
    let refused = |receipt: &BlockReceipt| matches!(receipt, BlockReceipt::Refused { .. });
    Ok(if !receipts.is_empty() && receipts.iter().all(refused) { Exit::No } else { Exit::Done })
}

/// At most one byte more than a block may have; what is not UTF-8 around it does no harm.
fn read(path: &Path) -> Result<String, Problem> {
    let limit = MAX_ARMOUR_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map(|_| String::from_utf8_lossy(&bytes).into_owned()).map_err(|error| files::failed(path, &error))
}
