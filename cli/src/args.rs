//! The command table: every verb with its options and help.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands::{
    act, backup, cancel, chat, completions, daemon, demo, ending, export, friend, games, id, import, join,
    luck, moves, net, new, note, odds, plan, play, position, practice, receive, relay, rematch, replay,
    rules, send, show, sync, tour, variants, verify, web,
};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "chakart",
    version,
    about = "Chakart, peer to peer: chess with objects, fair chance and hidden moves",
    long_about = "Chakart, peer to peer: chess with objects, fair chance and hidden moves.\n\n\
        Two players, two machines, nobody between them. Every random outcome is made by both players together, a \
        stealth move is hidden even from the other player's program, and anyone can check a finished game offline.\n\n\
        Without a command, the lobby opens: your games, your turn first.",
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

    /// What to do; nothing: open the lobby.
    #[command(subcommand)]
    pub command: Option<Command>,
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

Log: set CHAKART_LOG to a filter such as 'debug'. It goes to standard error.
Network: CHAKART_LISTEN names where every command listens that is not told by --listen, as multiaddrs
separated by commas, such as /ip4/127.0.0.1/tcp/4001.";

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Watch two automatic players, each with a node of its own, and verify their game
    Demo(demo::Args),
    /// Offer a game: prints an invite and waits for your friend
    New(new::Args),
    /// Learn objects and bonuses on small boards, in five minutes
    Tour(tour::Args),
    /// Play against the machine
    Practice(practice::Args),
    /// Join a game by an invite
    Join(join::Args),
    /// Play at the board
    Play(play::Args),
    /// Play at a board in your browser
    Web(web::Args),
    /// List your games and open offers, those first in which it is your turn
    Games(games::Args),
    /// Show the board of a game and how it stands
    Show(show::Args),
    /// List the legal actions
    Moves(moves::Args),
    /// Tell what may come of an action, with exact odds
    Odds(odds::Args),
    /// Play one action
    Move(act::Args),
    /// Accept a draw, or offer one with your next action
    Draw(ending::DrawArgs),
    /// Give a game up
    Resign(ending::Args),
    /// Give a game up before both players have completed a turn; later it is refused
    Abort(ending::Args),
    /// Say that the opponent is out of time; it ends nothing by itself
    Claim(ending::Args),
    /// Offer the opponent of a finished game another one, colours swapped
    Rematch(rematch::Args),
    /// Decide in advance: keep, list or remove plans
    Plan(plan::Args),
    /// Send the opponent a message, or show the messages of a game
    Chat(chat::Args),
    /// Write something for yourself about a game, or show it
    Note(note::Args),
    /// Say that a game may go on that is held back: after a restore, a late act, a long pause
    Confirm(ending::Args),
    /// Take an open offer back
    Cancel(cancel::Args),
    /// Keep the node up: exchanges news whenever an opponent appears, and tells of it
    Daemon(daemon::Args),
    /// Keep the node up for others too: relay their connections and serve their network
    Relay(relay::Args),
    /// Tell how this machine can be reached, and what helps
    Net(net::Args),
    /// Exchange news with the opponents of open games, and leave
    Sync(sync::Args),
    /// Print what the other player of a game is owed, as a block for a mail or a stick
    Send(send::Args),
    /// Take such a block from a file or from standard input
    Receive(receive::Args),
    /// Write the transcript of a game
    Export(export::Args),
    /// Take the log of a game from a transcript, as after restoring a key
    Import(import::Args),
    /// Create, show, export or import your key
    Id(id::Args),
    /// Give keys names: add, list, remove
    Friend(friend::Args),
    /// Write key and games into one encrypted file
    Backup(backup::Args),
    /// Put such a file into an empty home
    Restore(backup::Args),
    /// Forget a game
    Delete(backup::DeleteArgs),
    /// List the rules that can be played
    Variants(variants::Args),
    /// Explain the rules of a variant, with boards
    Rules(rules::Args),
    /// Check transcripts and evidence offline
    Verify(verify::Args),
    /// Tell how lucky both sides were, against what was to be expected
    Luck(luck::Args),
    /// Step through a transcript, with every random choice
    Replay(replay::Args),
    /// Answer requests about positions, one JSON line each
    Position(position::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Write a manual page for each command
    Man(completions::ManArgs),
}

/// The option of every command that tells something.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Json {
    /// Print one JSON object instead of text; errors too
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_table_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_help_text_is_as_it_was() {
        let mut table = Cli::command().term_width(100);
        insta::assert_snapshot!("help", table.render_long_help());
        table.build();
        let verbs: Vec<String> = table.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        for name in verbs {
            let verb = table.find_subcommand_mut(&name).expect("just listed");
            insta::assert_snapshot!(format!("help_{name}"), verb.render_long_help());
        }
    }
}
