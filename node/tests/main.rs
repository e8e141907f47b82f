//! The node from outside: its store, two stores over a bad wire, and two nodes over loopback.

mod beside_games;
mod catch_up;

mod floods;
mod letters;
mod long_game;
mod mail;
mod mailbox_load;
mod metrics;

mod network;
mod players;
mod store_keeps;
mod store_restores;
mod sync_over_a_bad_wire;
