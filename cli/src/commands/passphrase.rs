//! Passphrases: from the terminal or from a file, never from the command line.

use std::io::{self, IsTerminal, Read};
use std::path::Path;

use crate::failure::{Failure, Kind, Problem};
use crate::show::files;

/// Longest passphrase that is read from a file, in bytes.
const MAX_PASSPHRASE_BYTES: u64 = 1_024;

/// A passphrase for a file that is made: from the first line of `file`, or asked for twice.
///
/// # Errors
/// [`Failure`] of kind [`Kind::Identity`] or [`Kind::File`]
pub fn fresh(file: Option<&Path>) -> Result<String, Failure> {
    if let Some(path) = file {
        return read(path);
    }
    let first = ask("Passphrase for the file: ")?;
    if ask("Once more: ")? != first {
        return Err(Problem::new(Kind::Identity, "the two passphrases differ").into());
    }
    Ok(first)
}

/// The passphrase of a file that is there: from the first line of `file`, or asked for.
///
/// # Errors
/// [`Failure`] of kind [`Kind::Identity`] or [`Kind::File`]
pub fn known(file: Option<&Path>) -> Result<String, Failure> {
    file.map_or_else(|| ask("Passphrase of the file: "), read)
}

fn ask(prompt: &str) -> Result<String, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Problem::new(
            Kind::Identity,
            "a passphrase is needed, and there is no terminal to ask on",
        )
        .hint("give it with --passphrase-file")
        .into());
    }
    let typed = rpassword::prompt_password(prompt);
    typed.map_err(|error| {
        Problem::new(Kind::Identity, format!("the passphrase cannot be read: {error}")).into()
    })
}

fn read(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_PASSPHRASE_BYTES).read_to_string(&mut text))
        .map_err(|error| files::failed(path, &error))?;
    match text.lines().next() {
        Some(first) if !first.is_empty() => Ok(first.to_owned()),
        _ => Err(Problem::new(Kind::File, format!("{}: its first line is empty", path.display())).into()),
    }
}
