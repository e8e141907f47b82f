//! A file per verb, with its arguments as `Args` and a function `run`; `deciding` holds what verbs that sign have in
//! common, `act` is `move`, `ending` is `resign`, `abort`, `claim`, `draw` and `confirm`, `backup` is `restore` and
//! `delete` too, `completions` is `man` too, `passphrase` asks for one.

pub mod act;
pub mod backup;
pub mod cancel;
pub mod chat;
pub mod completions;
pub mod daemon;
pub mod deciding;
pub mod demo;
pub mod ending;
pub mod export;
pub mod friend;
pub mod games;
pub mod id;
pub mod import;
pub mod join;
pub mod luck;
pub mod moves;
pub mod net;
pub mod new;
pub mod note;
pub mod odds;
pub mod passphrase;
pub mod plan;
pub mod play;
pub mod position;
pub mod practice;
pub mod receive;
pub mod relay;
pub mod rematch;
pub mod replay;
pub mod rules;
pub mod send;
pub mod show;
pub mod sync;
pub mod tour;
pub mod variants;
pub mod verify;
pub mod web;

use std::io::Write;

use crate::args::{Cli, Command};
use crate::failure::{Exit, Failure};

/// Carries out the chosen command.
///
/// # Errors
/// [`Failure`]: what the user is told, or that the output is closed.
pub fn run(cli: Cli, out: &mut dyn Write) -> Result<Exit, Failure> {
    let home = cli.home;
    let Some(command) = cli.command else { return play::lobby(home, out) };
    match command {
        Command::Demo(args) => demo::run(&args, out),
        Command::New(args) => new::run(&args, home, out),
        Command::Tour(args) => tour::run(args, out),
        Command::Practice(args) => practice::run(&args, out),
        Command::Join(args) => join::run(&args, home, out),
        Command::Play(args) => play::run(&args, home, out),
        Command::Web(args) => web::run(&args, home, out),
        Command::Games(args) => games::run(args, home, out),
        Command::Show(args) => show::run(&args, home, out),
        Command::Moves(args) => moves::run(&args, home, out),
        Command::Odds(args) => odds::run(&args, home, out),
        Command::Move(args) => act::run(&args, home, out),
        Command::Draw(args) => ending::draw(&args, home, out),
        Command::Resign(args) => ending::resign(&args, home, out),
        Command::Abort(args) => ending::abort(&args, home, out),
        Command::Claim(args) => ending::claim(&args, home, out),
        Command::Rematch(args) => rematch::run(&args, home, out),
        Command::Plan(args) => plan::run(&args, home, out),
        Command::Chat(args) => chat::run(&args, home, out),
        Command::Note(args) => note::run(&args, home, out),
        Command::Friend(args) => friend::run(args, home, out),
        Command::Backup(args) => backup::backup(&args, home, out),
        Command::Restore(args) => backup::restore(&args, home, out),
        Command::Delete(args) => backup::delete(&args, home, out),
        Command::Confirm(args) => ending::confirm(&args, home, out),
        Command::Cancel(args) => cancel::run(&args, home, out),
        Command::Daemon(args) => daemon::run(args, home, out),
        Command::Relay(args) => relay::run(args, home, out),
        Command::Net(args) => net::run(&args, home, out),
        Command::Sync(args) => sync::run(args, home, out),
        Command::Send(args) => send::run(&args, home, out),
        Command::Receive(args) => receive::run(&args, home, out),
        Command::Export(args) => export::run(&args, home, out),
        Command::Import(args) => import::run(&args, home, out),
        Command::Id(args) => id::run(args, home, out),
        Command::Variants(args) => variants::run(args, out),
        Command::Rules(args) => rules::run(&args, out),
        Command::Verify(args) => verify::run(&args, out),
        Command::Luck(args) => luck::run(&args, home, out),
        Command::Replay(args) => replay::run(&args, out),
        Command::Position(args) => position::run(args, out),
        Command::Completions(args) => completions::completions(args, out),
        Command::Man(args) => completions::man(&args, out),
    }
}
