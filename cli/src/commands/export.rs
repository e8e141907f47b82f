//! `export`: writes the transcript of a game, and its evidence if there is any.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chakart_core::protocol::conviction::Proof;
use chakart_core::transcript::export::Source;
use chakart_core::transcript::text::{EVIDENCE_HEADER, TRANSCRIPT_HEADER, evidence_text};

use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::show::escape::escaped;
use crate::show::{files, json};

/// Arguments of `export`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "A proof that a player signed two entries at one place goes into a file of its own beside the \
    transcript, as NAME.evidence-1.chakart. Anybody can check both with 'verify'."
)]
pub struct Args {
    /// The game, by its name or the beginning of it
    #[arg(value_name = "GAME")]
    game: String,
    /// Where to write; '-' is standard output [default: GAME.chakart]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// Writes the files.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let summary = player.game(&args.game)?;
    let session = player.store.session(summary.game)?;
    let transcript = Source::of(&session).transcript();
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.chakart", summary.name)));
    if path == Path::new("-") {
        out.write_all(transcript.as_bytes())?;
        return Ok(Exit::Done);
    }
    let mut written = vec![path.clone()];
    write_file(&path, &transcript)?;
    let forks = session.proofs().iter().filter_map(|proof| match proof {
        Proof::Equivocation(fork) => Some(fork),
        Proof::InvalidEntry { .. } => None,
    });
    for (index, fork) in forks.enumerate() {
        let path = path.with_extension(format!("evidence-{}.chakart", index + 1));
        write_file(&path, &evidence_text(fork))?;
        written.push(path);
    }
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    if args.json.json {
        json::write_line(out, &serde_json::json!({ "files": names }))?;
    } else {
        for name in names {
            writeln!(out, "{}", escaped(&name))?;
        }
    }
    Ok(Exit::Done)
}

/// Writes a file; one that is there is replaced only if it was written by this program.
///
/// # Errors
/// [`Problem`] of kind [`Kind::File`]
pub fn write_file(path: &Path, text: &str) -> Result<(), Problem> {
    match std::fs::File::open(path) {
        Ok(file) if !is_ours(&file) => {
            let message =
                format!("{} is there already and is no transcript: not overwritten", path.display());
            return Err(Problem::new(Kind::File, message).hint("name another file"));
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(files::failed(path, &error)),
        _ => {}
    }
    std::fs::write(path, text).map_err(|error| files::failed(path, &error))
}

fn is_ours(file: &std::fs::File) -> bool {
    use std::io::Read as _;
    let mut start = Vec::new();
    let longest = TRANSCRIPT_HEADER.len().max(EVIDENCE_HEADER.len()) as u64;
    file.take(longest).read_to_end(&mut start).is_ok()
        && [TRANSCRIPT_HEADER, EVIDENCE_HEADER].iter().any(|header| start.starts_with(header.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_files_are_replaced() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let (game, letter) = (folder.path().join("a.chakart"), folder.path().join("letter.txt"));
        write_file(&game, &format!("{TRANSCRIPT_HEADER}\nend\n")).expect("a fresh file");
        write_file(&game, &format!("{TRANSCRIPT_HEADER}\nlonger\nend\n")).expect("our own file");
        std::fs::write(&letter, "Dear friend").expect("a fresh file");
        assert_eq!(write_file(&letter, "x").expect_err("not ours").kind, Kind::File);
        assert_eq!(std::fs::read_to_string(&letter).expect("still there"), "Dear friend");
    }
}
