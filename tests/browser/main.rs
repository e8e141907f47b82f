//! The browser board in a real browser: servers as processes, headless Chromium by WebDriver; a module each, named for what
//! happens in it.
#![allow(clippy::panic, reason = "a test may panic")]
#![allow(unreachable_pub, reason = "modules of one test binary")]

mod browser;
mod clicks_are_answered_quickly;
mod duel;
mod hostile_text_stays_text;
mod http;
mod keyboard_alone_plays_a_game;
mod mouse_plays_whole_games;
mod page;
mod pages_come_back;
mod pages_have_no_serious_fault;
mod poll;
#[path = "../situations/program.rs"]
#[allow(dead_code, reason = "not everything that other situations need is needed here")]
mod program;
mod server_gives_nothing_to_strangers;
mod site;
mod verify_page_checks_vectors;
