//! The game protocol: signed, hash-linked entries between two players, fair chance, hidden moves.
//!
//! `PROTOCOL.md` beside this crate is the text that this module follows; numbers in brackets below are its sections.
//!
//! | module | what it holds |
//! |---|---|
//! | [`keys`] | Ed25519 keys, strict verification, signing domains (§2) |
//! | [`entry`] | what an entry says (§3) |
//! | [`codec`] | entries and statements as canonical bytes, signed (§3) |
//! | [`commitment`] | chance commitments, stealth commitments, seeds (§4, §5) |
//! | [`secrets`] | a player's secrets, derived from its key (§6) |
//! | [`statement`] | what a player says out of turn (§7) |
//! | [`note`] | short messages between the players, beside the game (P14) |
//! | [`receipt`] | what a player says to have taken out of a mailbox (P16) |
//! | [`rendezvous`] | where two players look for each other (P17) |
//! | [`log`] | the chain of one game: each entry judged at its place (§3 to §7) |
//! | [`phase`] | what the log waits for |
//! | [`clock`] | charges and lateness (§7) |
//! | [`time_text`] | time controls as people write them |
//! | [`conviction`] | proofs against a player (§7) |
//! | [`judgement`] | entries, statements and proofs together: who has won (§7) |
//! | [`session`] | one player's side of one game |

pub mod clock;
pub mod codec;
pub mod commitment;
pub mod conviction;
pub mod entry;
pub mod judgement;
pub mod keys;
pub mod log;
pub mod misdeed;
pub mod note;
pub mod phase;
pub mod receipt;
pub mod rendezvous;
pub mod secrets;
pub mod session;
pub mod statement;
pub mod time_text;
