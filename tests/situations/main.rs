//! Whole-program situations: a module each, named for what happens in it.
#![allow(clippy::panic, reason = "a test may panic")]
#![allow(unreachable_pub, reason = "modules of one test binary")]

mod daemons_on_both_sides;
mod key_restored_mid_game;
mod layers_depend_one_way;
mod mail_alone_carries_a_game;
mod mailbox_carries_a_whole_game;
mod news_travels_after_the_end;
mod program;
mod the_terminal_is_given_back;
mod two_processes_play_to_the_end;
