//! Displays: boards, words and JSON, all made from what the viewer may see.
//!
//! | module | what it shows |
//! |---|---|
//! | [`board`] | a board with its legend |
//! | [`svg`], [`png`] | a board as a picture |
//! | [`turns`] | acts: notation, and step by step what came of them |
//! | [`pages`] | the rules, illustrated |
//! | [`offer`], [`plan`], [`chat`] | offers, what became of plans, messages |
//! | [`key`], [`stamp`] | keys as words, stamps as dates |
//! | [`mod@luck`] | random results against what was to be expected |
//! | [`escape`], [`json`] | text of other people, made harmless |
//! | [`files`] | files that a person names |

pub mod board;
pub mod chat;
pub mod files;
pub mod game;
pub mod invite;
pub mod json;
pub mod key;
pub mod luck;
pub mod odds;
pub mod offer;
pub mod pages;
pub mod path;
pub mod plan;
pub mod png;
pub mod stamp;
pub mod svg;
pub mod turns;

pub use chakart_core::escape;
