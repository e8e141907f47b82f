//! `import`: takes the log of a game from a transcript, as after restoring a key.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::transcript::verify::{Checked, Expected, check};
use chakart_node::runtime::unix_ms;

use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::show::escape::escaped;
use crate::show::{files, game, json};

/// Arguments of `import`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "A game that this home does not have becomes one that is marked as recovered: nothing is signed in \
    it before you say with 'confirm' that no later copy of it exists. Of a game that is here, only what is missing is \
    added."
)]
pub struct Args {
    /// A transcript of a game in which this key plays; '-' is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    json: Json,
}

/// Takes the log.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let transcript = match check(&files::read_transcript(&args.file)?, Expected::default()) {
        Checked::Transcript(transcript) if transcript.is_usable() => transcript,
        Checked::Transcript(transcript) => {
            return Err(invalid(transcript.defect.map(|defect| defect.to_string())));
        }
        Checked::Unreadable(defect) => return Err(invalid(Some(defect.to_string()))),
        Checked::Evidence(_) => {
            return Err(Problem::new(Kind::Refused, "this is evidence, not a transcript")
                .hint("check it with 'verify'")
                .into());
        }
    };
    let mut entries = transcript.entries;
    entries.extend(transcript.convicting.map(|(entry, _)| entry));
    let statements: Vec<_> = transcript.statements.into_iter().map(|(_, signed)| signed).collect();
    let receipt = player.store.recover(&entries, &statements, unix_ms())?;
    let summary = player.store.game(receipt.game)?;
    if args.json.json {
        let mut object = game::summary_object(&summary);
        if let Some(members) = object.as_object_mut() {
            members.insert("added".to_owned(), receipt.changed.into());
            members.insert("entries_before".to_owned(), receipt.length_before.into());
        }
        json::write_line(out, &object)?;
        return Ok(Exit::Done);
    }
    writeln!(out, "{}", told(&summary.name, receipt.changed, receipt.length_before, summary.length))?;
    if let Some(refused) = &receipt.refused {
        writeln!(out, "entry {} of the file was refused: {}", refused.seq, escaped(&refused.reason))?;
    }
    if summary.recovering {
        writeln!(out, "Nothing is signed in it before you say 'chakart confirm {}'.", summary.name)?;
    }
    Ok(Exit::Done)
}

fn told(name: &str, changed: bool, before: u32, after: u32) -> String {
    match (changed, before) {
        (false, _) => format!("{name}: nothing that was not here"),
        (true, 0) => format!("{name}: recovered, {after} entries"),
        (true, before) => format!("{name}: {before} entries before, {after} now"),
    }
}

fn invalid(reason: Option<String>) -> Failure {
    let reason = reason.unwrap_or_default();
    Problem::new(Kind::Refused, format!("the file is INVALID: {reason}")).hint("'verify' tells more").into()
}
