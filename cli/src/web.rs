//! The browser board: pages and their data, served on loopback to whoever has the address that was printed.
//!
//! One task, the [`service`], has the player and its node; everything else asks it. Requests pass the [`guard`] first.
//! The pages are files of `assets/web`, built into the program; no rules live in them: positions, acts and choices come
//! as [`chakart_core::scene`] makes them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`server`] | the listener and the routes |
//! | [`guard`] | who may ask: host, origin, token, cookie; what answers forbid a page |
//! | [`pages`] | the files of the pages |
//! | [`api`] | requests for data, and what they answer |
//! | [`service`] | the task that has player and node |
//! | [`table`] | one game, as the page draws it |
//! | [`lobby`] | games, invites and offers, as the page lists them |
//! | [`offers`] | new games and invites |

pub mod api;
pub mod guard;
pub mod lobby;
pub mod offers;
pub mod pages;
pub mod server;
pub mod service;
pub mod table;
