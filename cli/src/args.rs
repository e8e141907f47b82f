//! The command table: every verb with its options and help.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands::{position, replay, rules, variants, verify};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "chakart",
    version,
    about = "Chakart, peer to peer: chess with objects, fair chance and hidden moves",
    long_about = "Chakart, peer to peer: chess with objects, fair chance and hidden moves.\n\n\
        Two players, two machines, nobody between them. Every random outcome is made by both players together, a \
        stealth move is hidden even from the other player's program, and anyone can check a finished game offline.",
    after_help = EXIT_CODES,
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// Folder of this player: key and games [default: the data folder of your system]
    #[arg(long, global = true, value_name = "DIR", env = "CHAKART_HOME", hide_env_values = true)]
    pub home: Option<PathBuf>,

    /// Write a log to standard error; repeat it for more (-vv, -vvv)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    done, valid, or signed and stored though not delivered yet
  1    a clear no: illegal action, not your turn, invalid transcript
  2    wrong usage, unreadable file, bad invite
  3    the other player cannot be reached
  4    identity or storage failed
  5    the other player broke the protocol
  130  interrupted

Log: set CHAKART_LOG to a filter such as 'debug'. It goes to standard error.";

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the rules that can be played
    Variants(variants::Args),
    /// Explain the rules of a variant, with boards
    Rules(rules::Args),
    /// Check transcripts and evidence offline
    Verify(verify::Args),
    /// Step through a transcript, with every random choice
    Replay(replay::Args),
    /// Answer requests about positions, one JSON line each
    Position(position::Args),
}

/// The option of every command that tells something.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Json {
    /// Print one JSON object instead of text; errors too
    #[arg(long)]
    pub json: bool,
}
