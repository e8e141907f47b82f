//! Everything that a person sees: one command table, a file per verb, and displays that are made from views.
//!
//! | module | what it holds |
//! |---|---|
//! | [`args`] | the command table: every verb, option and help text |
//! | [`commands`] | a file per verb |
//! | [`desk`] | what a board knows of a game, and what a person may do at it |
//! | [`luck`] | random results of games, and how odd they are |
//! | [`machine`] | how the machine decides in a practice game |
//! | [`show`] | boards, words, JSON, pages of rules; how text of other people is escaped |
//! | [`tour`] | lessons that can be tried |
//! | [`tui`] | the terminal board: a lobby, and a board to sit at |
//! | [`web`] | the browser board: a server on loopback, and its pages |
//! | [`failure`] | what goes wrong, for people and programs, and the exit codes |

pub mod args;
pub mod commands;
pub mod desk;
pub mod failure;
mod logging;
pub mod luck;
pub mod machine;
pub mod player;
pub mod runtime;
pub mod show;
pub mod tour;
pub mod tui;
pub mod web;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser as _;

use args::Cli;
use failure::{Exit, Failure};

/// Runs the program on the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(run(&arguments) as u8)
}

fn run(arguments: &[OsString]) -> Exit {
    let json = arguments.iter().any(|argument| argument == "--json");
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return told_by_clap(&error, json),
    };
    logging::start(cli.verbose);
    let mut out = io::stdout();
    let result = commands::run(cli, &mut out).and_then(|exit| {
        out.flush()?;
        Ok(exit)
    });
    result.unwrap_or_else(|failure| report(&failure, json))
}

/// Says what went wrong: to programs on standard output, to people on standard error.
fn report(failure: &Failure, json: bool) -> Exit {
    let Failure::Problem(problem) = failure else { return failure.exit() };
    // Nobody is left to be told if these streams are closed.
    let _ = if json {
        show::json::write_line(&mut io::stdout(), &problem.as_json())
    } else {
        write!(io::stderr(), "{problem}")
    };
    failure.exit()
}

/// Help and version are answers; everything else is wrong usage.
fn told_by_clap(error: &clap::Error, json: bool) -> Exit {
    if !error.use_stderr() {
        let _ = error.print();
        return Exit::Done;
    }
    if json {
        let message = error.to_string();
        let message = message.split("\n\nUsage:").next().unwrap_or_default();
        let message = message.trim().trim_start_matches("error: ");
        return report(&Failure::usage(message), true);
    }
    let _ = error.print();
    Exit::Usage
}
