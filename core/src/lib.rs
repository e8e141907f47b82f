//! Chakart without its surroundings: values in, values out. No clock, no socket, no disk, no randomness.
//!
//! | module | what it answers |
//! |---|---|
//! | [`board`] | squares, sets of squares, colours, roles: the vocabulary of all variants |
//! | [`rules`] | what may be played and what it does, for every variant |
//! | [`chance`] | from a seed to uniform choices |
//! | [`escape`] | text of other people, made harmless |
//! | [`plan`] | what a player decides in advance |
//! | [`protocol`] | entries, commitments, the log, one player's session |
//! | [`scene`] | what a page draws, as JSON: positions, acts, choices |
//! | [`transcript`] | games as text, and their verifier |
//! | [`view`] | what one player may see; every display is made from it |

#![warn(missing_docs)]

pub mod board;
pub mod chance;
pub mod escape;
pub mod plan;
pub mod protocol;
pub mod rules;
pub mod scene;
pub mod transcript;
pub mod view;
