//! The terminal board: a lobby of games, and a board at which a person sits.
//!
//! Data goes round in one circle. What happens (a key, a click, news of the node) is a [`model::Message`]; the [`model::Model`] takes it
//! in and answers with [`model::Effect`]s; the loop in [`run`] carries those out and draws the model. Model and drawing
//! do no input or output, so tests and benches run them without a terminal.
//!
//! | module | what it holds |
//! |---|---|
//! | [`lobby`] | the list of games |
//! | `pointing` | which legal actions are meant by squares |
//! | `question` | what is asked beside the board |
//! | [`table`] | the board: cursor, selection, questions, history |
//! | [`model`] | all of it, and which key goes where |
//! | [`look`] | glyphs and colours |
//! | `sprites` | men and objects drawn large |
//! | [`areas`] | what is drawn where, and what a click hits |
//! | [`draw`] | from the model to cells |
//! | [`screen`] | the terminal itself |
//! | [`run`], [`tour`] | the loops at games and at lessons, the only modules that read or write |

pub mod areas;
pub mod draw;
mod keys;
pub mod lobby;
pub mod look;
pub mod model;
mod pointing;
mod question;
pub mod run;
pub mod screen;
mod sprites;
pub mod table;
#[cfg(test)]
mod tests;
pub mod tour;
