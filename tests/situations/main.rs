//! Whole-program situations: a module each, named for what happens in it.
#![allow(clippy::panic, reason = "a test may panic")]

mod layers_depend_one_way;
