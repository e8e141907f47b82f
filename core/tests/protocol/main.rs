//! The protocol from outside: whole games, attacks, data files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its case files")]
#![allow(unreachable_pub, reason = "modules of one test binary")]
#![allow(clippy::panic, reason = "a test may panic")]

mod attacks_entries;
mod attacks_forks;
mod attacks_reveals;
mod attacks_seals;
mod attacks_statements;
mod chance;
mod forge;
mod games;
mod length;
mod players;
mod properties;
mod recovery;
mod secrecy;
mod transcript_vectors;
mod vectors;
