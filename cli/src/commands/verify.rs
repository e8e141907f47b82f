//! `verify`: judges transcripts and evidence offline; files of one game are judged together.

mod groups;

use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::keys::PublicKey;
use chakart_core::transcript::report::Report;
use chakart_core::transcript::verify::{Checked, Expected, check};
use rayon::prelude::*;
use serde::Serialize;

use crate::args::Json;
use crate::failure::{Exit, Failure, Problem};
use crate::show::escape::escaped;
use crate::show::{files, json, key};
use groups::{Group, grouped};

/// Arguments of `verify`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 everything holds, 1 something does not (invalid, or not proven in this copy), \
    2 a file cannot be read.\n\nSeveral files of one game are judged as one, with evidence for it; a fork between two \
    files convicts whoever signed both sides."
)]
pub struct Args {
    /// Transcripts and evidence files; '-' is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The host's key, as you know it by another way
    #[arg(long, value_name = "KEY", value_parser = key::parse)]
    host: Option<PublicKey>,
    /// The guest's key, as you know it by another way
    #[arg(long, value_name = "KEY", value_parser = key::parse)]
    guest: Option<PublicKey>,
    #[command(flatten)]
    json: Json,
}

/// What is said of the files of one game, or of one file on its own.
#[derive(Serialize)]
struct Verdict {
    files: Vec<String>,
    #[serde(flatten)]
    report: Report,
}

/// A file that cannot be read.
#[derive(Serialize)]
struct Unread {
    file: String,
    error: Problem,
}

/// Judges the files and tells.
///
/// # Errors
/// [`Failure`]: no file can be read at all, or the output is closed.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    let expected = Expected { host: args.host, guest: args.guest };
    let read: Vec<Result<(String, Checked), Unread>> =
        args.files.par_iter().map(|path| read_and_check(path, expected)).collect();
    let (mut checked, mut unread) = (Vec::new(), Vec::new());
    for result in read {
        match result {
            Ok(file) => checked.push(file),
            Err(file) => unread.push(file),
        }
    }
    if let ([], [Unread { error, .. }, ..]) = (checked.as_slice(), unread.as_slice()) {
        return Err(error.clone().into());
    }
    let verdicts: Vec<Verdict> = grouped(&checked).par_iter().map(Group::judge).collect();
    let exit = exit(&verdicts, &unread);
    if args.json.json {
        json::write_line(out, &serde_json::json!({ "reports": verdicts, "unreadable": unread }))?;
    } else {
        tell(&verdicts, &unread, out)?;
    }
    Ok(exit)
}

fn read_and_check(path: &std::path::Path, expected: Expected) -> Result<(String, Checked), Unread> {
    let file = path.display().to_string();
    match files::read_transcript(path) {
        Ok(bytes) => Ok((file, check(&bytes, expected))),
        Err(error) => Err(Unread { file, error }),
    }
}

fn exit(verdicts: &[Verdict], unread: &[Unread]) -> Exit {
    if !unread.is_empty() {
        Exit::Usage
    } else if verdicts.iter().any(|verdict| verdict.report.verdict.is_no()) {
        Exit::No
    } else {
        Exit::Done
    }
}

fn tell(verdicts: &[Verdict], unread: &[Unread], out: &mut dyn Write) -> Result<(), Failure> {
    let named = verdicts.len() + unread.len() > 1;
    for verdict in verdicts {
        let text = verdict.report.to_string();
        for (index, line) in text.lines().enumerate() {
            if index == 0 && named {
                write!(out, "{}: ", escaped(&verdict.files.join(", ")))?;
            }
            writeln!(out, "{line}")?;
        }
    }
    for Unread { error, .. } in unread {
        writeln!(out, "unreadable: {}", escaped(&error.message))?;
    }
    Ok(())
}
