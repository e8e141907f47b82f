//! `backup` and `restore`: key and games in one encrypted file. `delete` forgets a game.

use std::io::Write;
use std::path::PathBuf;

use chakart_node::backup;
use chakart_node::runtime::unix_ms;
use serde_json::json;

use super::ending::ask;
use super::passphrase;
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::{Player, home};
use crate::show::escape::escaped;
use crate::show::{json, key};

/// Arguments of `backup` and `restore`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "The file has key and games, under a passphrase. A backup is for a lost machine, not for a second one: one \
    key on two machines signs two entries at one place sooner or later, and that convicts its owner. After a restore \
    nothing is signed in an unfinished game before you have fetched its log ('sync', 'receive') and said with 'confirm' \
    that no later copy exists."
)]
pub struct Args {
    /// The backup file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Take the passphrase from the first line of a file [default: asked on the terminal]
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// Arguments of `delete`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "That the game was here, and what was signed in it, is remembered: nothing is ever signed twice."
)]
pub struct DeleteArgs {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// Do not ask; also delete a game that goes on
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    json: Json,
}

/// Writes the backup.
///
/// # Errors
/// [`Failure`]
pub fn backup(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let home = home(folder)?;
    let passphrase = passphrase::fresh(args.passphrase_file.as_deref())?;
    backup::backup(&home, &args.file, &passphrase)?;
    let name = args.file.display().to_string();
    if args.json.json {
        json::write_line(out, &json!({ "file": name }))?;
    } else {
        writeln!(out, "{}: key and games", escaped(&name))?;
    }
    Ok(Exit::Done)
}

/// Puts a backup into a home that is empty.
///
/// # Errors
/// [`Failure`]
pub fn restore(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let home = home(folder)?;
    let passphrase = passphrase::known(args.passphrase_file.as_deref())?;
    let restored = backup::restore(&home, &args.file, &passphrase)?;
    let public = restored.key.public();
    if args.json.json {
        let object = json!({
            "key": public.to_string(),
            "fingerprint": key::fingerprint(&public),
            "games": restored.games,
            "recovered": restored.recovered,
        });
        json::write_line(out, &object)?;
        return Ok(Exit::Done);
    }
    writeln!(out, "key:         {public}\nfingerprint: {}", key::fingerprint(&public))?;
    writeln!(out, "games:       {}, of which {} go on", restored.games, restored.recovered)?;
    if restored.recovered > 0 {
        writeln!(
            out,
            "In those nothing is signed yet. Fetch what came since ('sync' or 'receive'), make sure that no other machine \
             has this key, then 'confirm' each."
        )?;
    }
    Ok(Exit::Done)
}

/// Forgets a game.
///
/// # Errors
/// [`Failure`]
pub fn delete(args: &DeleteArgs, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let game = player.game(&args.game)?;
    if !game.finished && !args.yes {
        return Err(Problem::new(Kind::Refused, format!("{} goes on", game.name))
            .hint("'resign' ends it; --yes deletes it all the same")
            .into());
    }
    ask(args.yes, &format!("Delete {} for good?", game.name), out)?;
    player.store.delete_game(game.game, unix_ms())?;
    if args.json.json {
        json::write_line(out, &json!({ "deleted": game.name }))?;
    } else {
        writeln!(out, "{} is deleted.", game.name)?;
    }
    Ok(Exit::Done)
}
