//! A file per verb. Each has its arguments as `Args` and a function `run`.

pub mod position;
pub mod replay;
pub mod rules;
pub mod variants;
pub mod verify;

use std::io::Write;

use crate::args::{Cli, Command};
use crate::failure::{Exit, Failure};

/// Carries out the chosen command.
///
/// # Errors
/// [`Failure`]: what the user is told, or that the output is closed.
pub fn run(cli: Cli, out: &mut dyn Write) -> Result<Exit, Failure> {
    match cli.command {
        Command::Variants(args) => variants::run(args, out),
        Command::Rules(args) => rules::run(&args, out),
        Command::Verify(args) => verify::run(&args, out),
        Command::Replay(args) => replay::run(&args, out),
        Command::Position(args) => position::run(args, out),
    }
}
