//! The verifier of transcripts for a page without a server: what `verify` says of a file, and the game as a film.
//!
//! The page calls three functions, with numbers alone:
//!
//! 1. [`reserve`] makes room for a file and tells where; the page writes the bytes there;
//! 2. [`check`] judges them and tells how long the answer is;
//! 3. [`output`] tells where the answer stands, as JSON text in UTF-8.
//!
//! | module | what it holds |
//! |---|---|
//! | [`mod@answer`] | what is said of a file |
//! | [`film`] | a game as a page draws it, act by act |
//!
//! The module knows no clock, no randomness and no network: it imports nothing from the page.

#![warn(missing_docs)]

pub mod answer;
pub mod film;

use std::sync::{Mutex, MutexGuard, PoisonError};

use chakart_core::transcript::text::MAX_FILE_BYTES;

use answer::Answer;

/// What the page gives and gets. It outlives the calls, because the page holds addresses in it.
struct Exchange {
    input: Vec<u8>,
    /// Bytes of a file for which there is no room.
    refused: Option<usize>,
    output: Vec<u8>,
}

static EXCHANGE: Mutex<Exchange> =
    Mutex::new(Exchange { input: Vec::new(), refused: None, output: Vec::new() });

/// Makes room for a file of `bytes` bytes and returns its address; null where the file is larger than
/// [`MAX_FILE_BYTES`]. The address holds until the next call of `reserve` or [`check`].
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[allow(unsafe_code, reason = "the page calls it by name; no other function has it")]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    let mut exchange = exchange();
    exchange.refused = (bytes > MAX_FILE_BYTES).then_some(bytes);
    exchange.input = vec![0; if exchange.refused.is_some() { 0 } else { bytes }];
    if exchange.refused.is_some() { std::ptr::null_mut() } else { exchange.input.as_mut_ptr() }
}

/// Judges the file and returns the length of the answer in bytes. The file is forgotten.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[allow(unsafe_code, reason = "the page calls it by name; no other function has it")]
pub extern "C" fn check() -> usize {
    let mut exchange = exchange();
    let input = std::mem::take(&mut exchange.input);
    let answer = match exchange.refused.take() {
        Some(bytes) => Answer::too_large(bytes),
        None => Answer::to(&input),
    };
    exchange.output = answer.json().into_bytes();
    exchange.output.len()
}

/// The address of the last answer; it holds until the next [`check`].
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
#[allow(unsafe_code, reason = "the page calls it by name; no other function has it")]
pub extern "C" fn output() -> *const u8 {
    exchange().output.as_ptr()
}

fn exchange() -> MutexGuard<'static, Exchange> {
    EXCHANGE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, because what is exchanged is one for the whole process.
    #[test]
    fn a_page_gives_bytes_and_gets_an_answer() {
        for (given, says) in
            [(0, "INVALID: line 1: not a chakart file"), (9, "INVALID: line 1: not a chakart file")]
        {
            assert!(!reserve(given).is_null());
            assert!(answered().contains(says), "{given}");
        }
        assert!(reserve(MAX_FILE_BYTES + 1).is_null());
        assert!(answered().contains("INVALID: the file has 67108865 bytes, at most 67108864 are read"));
        assert!(answered().contains("INVALID: line 1"), "a refusal is said once");
    }

    fn answered() -> String {
        let length = check();
        assert!(!output().is_null());
        let text = String::from_utf8(exchange().output.clone()).expect("JSON is text");
        assert_eq!(text.len(), length);
        text
    }
}
