//! Games as text: transcripts, evidence, armour and invites; and the verifier that judges them offline.
//!
//! `TRANSCRIPT.md` beside this crate is the text that this module follows.
//!
//! | module | what it holds |
//! |---|---|
//! | [`text`] | the line format of transcripts and evidence, read and written |
//! | [`verify`] | judging one file, and several files of one game together |
//! | [`report`] | the verdict in words: one clear line, what was checked, what was not |
//! | [`export`] | writing a transcript with remarks for people |
//! | [`replay`] | a log as acts and what they did |
//! | [`armour`] | blocks that survive a mail program |
//! | [`invite`] | an offer with the addresses of its host, on one line |

pub mod armour;
pub mod export;
pub mod invite;
pub mod replay;
pub mod report;
pub mod text;
pub mod verify;
