//! Whole-program situations: a module each, named for what happens in it.
#![allow(clippy::panic, reason = "a test may panic")]
#![allow(unreachable_pub, reason = "modules of one test binary")]

mod key_restored_mid_game;
mod layers_depend_one_way;
mod program;
mod two_processes_play_to_the_end;
