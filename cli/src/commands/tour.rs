//! `tour`: lessons that can be tried, at the terminal board or line by line.

use std::io::{self, BufRead, Read, Write};

use chakart_core::rules::Rules as _;
use chakart_core::scene;
use chakart_core::transcript::replay::Ply;

use super::play::is_screen;
use super::position::request::unread;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::runtime;
use crate::show::board::{self, Drawing};
use crate::tour::Tour;
use crate::tui;
use crate::tui::screen::Console;

/// Longest line that is read, in bytes; the rest of a longer one is read as further lines.
const MAX_LINE_BYTES: u64 = 1_024;

/// Arguments of `tour`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    after_help = "Small positions, one thing to try in each: objects, bonuses, the hidden queen, the shell. Nothing is \
    kept, and no network is needed. With --text, Enter alone plays what is proposed; 'next', 'back', 'again' and 'quit' go \
    through the lessons."
)]
pub struct Args {
    /// Lines of text, as from a pipe: for screen readers and small windows
    #[arg(long)]
    text: bool,
}

/// Takes somebody on the tour.
///
/// # Errors
/// [`Failure`]
pub fn run(args: Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    let tour = Tour::new(fresh_seed()?);
    if args.text || !is_screen() {
        return in_lines(tour, out);
    }
    runtime::run(async move {
        let mut console = Console::open()?;
        tui::tour::run(&mut console, tour).await?;
        Ok(Exit::Done)
    })
}

/// Where the chance of one tour comes from.
///
/// # Errors
/// [`Kind::Storage`] if the system gives no randomness.
pub(crate) fn fresh_seed() -> Result<[u8; 32], Failure> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed)
        .map_err(|error| Problem::new(Kind::Storage, format!("no randomness: {error}")))?;
    Ok(seed)
}

fn in_lines(mut tour: Tour, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut input = io::stdin().lock();
    tell(&tour, out)?;
    loop {
        write!(out, "\n{} > ", asked(&tour))?;
        out.flush()?;
        let mut line = Vec::new();
        if input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            writeln!(out)?;
            return Ok(Exit::Done);
        }
        match String::from_utf8_lossy(&line).trim() {
            "quit" | "q" => return Ok(Exit::Done),
            "next" | "n" if !tour.go_on() => return Ok(Exit::Done),
            "next" | "n" => tell(&tour, out)?,
            "back" => {
                tour.back();
                tell(&tour, out)?;
            }
            "again" => {
                tour.again();
                tell(&tour, out)?;
            }
            "" if tour.is_done() && !tour.go_on() => return Ok(Exit::Done),
            "" if tour.plies().is_empty() && tour.suggestion().is_none() => tell(&tour, out)?,
            text => attempt(&mut tour, text, out)?,
        }
    }
}

/// What Enter alone does, and what else there is.
fn asked(tour: &Tour) -> String {
    match tour.suggestion() {
        Some(action) => format!("Enter: {action}"),
        None if tour.is_done() && tour.is_last() => "Enter: the end; again, back".to_owned(),
        None if tour.is_done() => "Enter: next lesson; again, back, quit".to_owned(),
        None => "an action, as 'chakart moves' lists them; again, next".to_owned(),
    }
}

/// Plays what was typed, or without a text what is proposed.
fn attempt(tour: &mut Tour, text: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let action = match (text, tour.suggestion()) {
        ("", Some(action)) => action,
        ("", None) => return Ok(list(tour, out)?),
        _ if tour.is_done() => return Ok(writeln!(out, "This lesson is done: 'again' begins it again.")?),
        _ => match tour.game().read_action(text) {
            Ok(action) => action,
            Err(error) => {
                return Ok(writeln!(out, "{}", crate::show::escape::escaped(&unread(&error).message))?);
            }
        },
    };
    if let Err(error) = tour.play(&action) {
        return Ok(writeln!(out, "{error}")?);
    }
    if let Some(ply) = tour.plies().last() {
        tell_ply(ply, out)?;
    }
    if tour.is_done() {
        for words in tour.words() {
            writeln!(out, "\n{words}")?;
        }
    } else {
        list(tour, out)?;
    }
    Ok(())
}

/// What is to be decided in the middle of a turn.
fn list(tour: &Tour, out: &mut dyn Write) -> io::Result<()> {
    let view = tour.game().view(Some(tour.game().turn()), None);
    let actions: Vec<String> = tour.game().legal_actions().iter().map(ToString::to_string).collect();
    writeln!(out, "{}", view.pending.unwrap_or_default())?;
    writeln!(out, "  {}", actions.join(" "))
}

fn tell(tour: &Tour, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}\n", tour.title())?;
    let view = tour.game().view(None, None);
    writeln!(out, "{}", board::picture(&view, Drawing::default()))?;
    for words in tour.words() {
        writeln!(out, "\n{words}")?;
    }
    Ok(())
}

fn tell_ply(ply: &Ply, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}", scene::headline(ply))?;
    for step in scene::steps(ply) {
        writeln!(out, "  {step}")?;
    }
    let drawing = Drawing { marked: scene::marked(ply), ..Drawing::default() };
    writeln!(out, "\n{}", board::picture(&ply.after.view(Some(ply.color), None), drawing))
}
