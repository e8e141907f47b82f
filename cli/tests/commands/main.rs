//! What every command says, under snapshot: its usual output, as text and as JSON, its errors and their exit codes.
//!
//! Each test is a story of two people with fixed keys, whose games travel as blocks of text; no network is needed.

mod acting;
mod carrying;
mod ending;
mod filing;
mod identity;
mod listing;
mod planning;
mod playing;
mod position;
mod signed;
mod story;
mod talking;
