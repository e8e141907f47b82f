//! `receive`: takes the blocks of a mail or a stick.

mod told;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use chakart_core::transcript::armour::{ArmourError, Block, MAX_TEXT_BYTES};
use chakart_node::runtime::unix_ms;
use chakart_node::store::{BlockReceipt, ContactPath, GameNo, Reply};
use serde_json::json;

use super::deciding::opponent_broke;
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::show::{files, json};

/// Arguments of `receive`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Quoting, line ends and text around a block do no harm, and neither does a block that is old or came \
    before. A text may have several; one that is damaged does not keep the others from being taken. If your friend waits \
    for an answer that needs no decision of yours, the block with it is printed last.\n\n\
    Exit codes: 0 taken (also if nothing was new), 1 nothing belongs here, 2 a block or all of them cannot be read, 5 \
    they prove that the other player broke the protocol."
)]
pub struct Args {
    /// A file with blocks in it [default: standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// Takes the blocks, says what they did, and prints the answers that are due.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let source = if path == Path::new("-") { "standard input".into() } else { path.display().to_string() };
    let (block, unreadable) = readable(&source, &read(path)?)?;
    let mut player = Player::open_or_create(folder)?;
    let receipts = player.store.receive_block(&block, unix_ms())?;
    note_mail(&mut player, &receipts)?;
    player.home.wake();
    if args.json.json {
        let told = receipts.iter().map(|receipt| told::object(&player, receipt));
        let told = told.collect::<Result<Vec<_>, Failure>>()?;
        let replies = replies(&mut player, &receipts)?;
        json::write_line(out, &json!({ "received": told, "replies": replies, "unreadable": unreadable }))?;
    } else {
        tell(&mut player, &receipts, out)?;
    }
    let exit = exit(&mut player, &receipts)?;
    match unreadable.first() {
        Some(reason) if exit != Exit::PeerBroke => {
            let hint = "the blocks that can be read were taken; receiving them again does no harm";
            Err(Problem::new(Kind::File, format!("{source}: {reason}")).hint(hint).into())
        }
        _ => Ok(exit),
    }
}

/// Notes that opponents were heard of by mail.
fn note_mail(player: &mut Player, receipts: &[BlockReceipt]) -> Result<(), Failure> {
    for receipt in receipts {
        if let BlockReceipt::Game(receipt) = receipt {
            let opponent = player.store.game(receipt.game)?.opponent_key()?;
            let connected =
                player.store.contact(opponent.as_bytes())?.is_some_and(|contact| contact.connected);
            if !(connected && player.home.is_in_use()) {
                player.store.note_contact(&opponent, ContactPath::Mail, false, unix_ms())?;
            }
        }
    }
    Ok(())
}

/// Everything that the readable blocks of a text carry, and what is wrong with the others; an error if all are.
fn readable(source: &str, text: &str) -> Result<(Block, Vec<String>), Problem> {
    let unusable = |error: &dyn std::fmt::Display| Problem::new(Kind::File, format!("{source}: {error}"));
    let blocks = Block::read_all(text).map_err(|error| unusable(&error))?;
    let count = blocks.len();
    let named = |(index, error): (usize, &ArmourError)| match count {
        1 => error.to_string(),
        _ => format!("block {} of {count}: {error}", index + 1),
    };
    let bad = blocks.iter().enumerate().filter_map(|(index, block)| Some((index, block.as_ref().err()?)));
    let reasons: Vec<String> = bad.map(named).collect();
    match reasons.first().filter(|_| reasons.len() == count) {
        Some(reason) => Err(unusable(reason)),
        None => Ok((Block::joined(blocks.into_iter().flatten()), reasons)),
    }
}

fn tell(player: &mut Player, receipts: &[BlockReceipt], out: &mut dyn Write) -> Result<(), Failure> {
    if receipts.is_empty() {
        writeln!(out, "There is nothing in it.")?;
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

/// At most one byte more than is searched; what is not UTF-8 around the blocks does no harm.
fn read(path: &Path) -> Result<String, Problem> {
    let limit = MAX_TEXT_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map(|_| String::from_utf8_lossy(&bytes).into_owned()).map_err(|error| files::failed(path, &error))
}
