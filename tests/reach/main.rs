//! Reaching each other: the program on hosts of a small internet, each a network namespace, behind routers of all kinds.
//!
//! It takes root and Linux. Where these are missing each test says SKIPPED and passes, except in continuous integration.
#![allow(clippy::panic, reason = "a test may panic")]
#![allow(unreachable_pub, reason = "modules of one test binary")]

mod address_changes;
mod doctor;
mod floods;
mod foreign;
mod lan;
mod mailboxes;
mod namespace;
mod nat_kinds;
mod nat_pairs;
mod network;
mod player;
mod relay_restarts;
mod running;
mod short_leases;
