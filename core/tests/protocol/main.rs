//! The protocol from outside: whole games, attacks, data files.
#![allow(unreachable_pub, reason = "modules of one test binary")]

mod games;
mod players;
