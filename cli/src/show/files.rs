//! Reading and writing files that a person names, with bounds and with words for what fails.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use chakart_core::transcript::text::MAX_FILE_BYTES;

use crate::failure::{Kind, Problem};

/// Reads a transcript or evidence file, `-` from standard input: at most one byte more than the verifier takes.
///
/// # Errors
/// [`Problem`] of kind [`Kind::File`]
pub fn read_transcript(path: &Path) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let limit = MAX_FILE_BYTES as u64 + 1;
    let read = if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map(|_| bytes).map_err(|error| failed(path, &error))
}

/// What is said of a file that cannot be read or written.
#[must_use]
pub fn failed(path: &Path, error: &io::Error) -> Problem {
    Problem::new(Kind::File, format!("{}: {error}", path.display()))
}
