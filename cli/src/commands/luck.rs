//! `luck`: the random results of games, against what was to be expected.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::entry::Party;
use chakart_core::transcript::replay::replay;
use chakart_core::transcript::report::Report;
use chakart_core::transcript::verify::{Checked, Expected, check};
use chakart_node::store::GameSummary;
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::luck::{self, Draw, Group};
use crate::player::Player;
use crate::show::{self, files, game, json};

/// Arguments of `luck`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Every random result was drawn by both players together, evenly among its candidates. A p-value says how \
    often chance alone is at least as uneven: below 0.01 is odd, if you looked once; who looks at a hundred groups finds one. \
    P-values are simulated, with the same numbers in every run."
)]
pub struct Args {
    /// Games by name [default: all games of this home]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// A transcript instead; may be given several times
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    file: Vec<PathBuf>,
    /// Write the plot as a picture in SVG too
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// The results of both sides of some games.
#[derive(Debug)]
pub(crate) struct Results {
    pub(crate) games: usize,
    sides: [(&'static str, Vec<Draw>); 2],
}

impl Results {
    /// How many games and results these are.
    pub(crate) fn headline(&self) -> String {
        format!("verified games: {}, random results: {}", self.games, self.draws())
    }

    pub(crate) fn draws(&self) -> usize {
        self.sides.iter().map(|(_, draws)| draws.len()).sum()
    }

    /// The results of each side by kind. Takes a moment: p-values are simulated.
    pub(crate) fn groups(&self) -> Vec<(&'static str, Vec<Group>)> {
        self.sides.iter().map(|(side, draws)| (*side, luck::groups(draws))).collect()
    }
}

/// Tells how lucky both sides were.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let results = if args.file.is_empty() { of_named(&args.games, folder)? } else { of_files(&args.file)? };
    let sides = results.groups();
    if let Some(path) = &args.svg {
        let plot = show::luck::plot(&sides);
        fs::write(path, plot).map_err(|error| files::failed(path, &error))?;
    }
    if args.json.json {
        let sides: Vec<_> =
            sides.iter().map(|(side, groups)| json!({ "side": side, "groups": groups })).collect();
        json::write_line(out, &json!({ "games": results.games, "sides": sides }))?;
        return Ok(Exit::Done);
    }
    writeln!(out, "{}", results.headline())?;
    for line in show::luck::lines(&sides) {
        writeln!(out, "{line}")?;
    }
    Ok(Exit::Done)
}

fn of_named(names: &[String], folder: Option<PathBuf>) -> Result<Results, Failure> {
    let mut player = Player::open(folder)?;
    let games = if names.is_empty() {
        player.store.games()?
    } else {
        names.iter().map(|name| player.game(name)).collect::<Result<_, _>>()?
    };
    of_games(&mut player, &games)
}

/// The results of games of this home, which were verified when they came.
///
/// # Errors
/// [`Failure`]
pub(crate) fn of_games(player: &mut Player, games: &[GameSummary]) -> Result<Results, Failure> {
    let mut results =
        Results { games: games.len(), sides: [("you", Vec::new()), ("the opponents", Vec::new())] };
    for summary in games {
        let session = player.store.session(summary.game)?;
        for draw in luck::draws(&game::plies(&session)) {
            results.sides[usize::from(draw.party != summary.me)].1.push(draw);
        }
    }
    Ok(results)
}

fn of_files(paths: &[PathBuf]) -> Result<Results, Failure> {
    let mut results = Results { games: paths.len(), sides: [("hosts", Vec::new()), ("guests", Vec::new())] };
    for path in paths {
        let checked = check(&files::read_transcript(path)?, Expected::default());
        let report = Report::of(&checked);
        let Checked::Transcript(transcript) = &checked else { return Err(unusable(path, &report)) };
        if report.verdict.is_no() {
            return Err(unusable(path, &report));
        }
        let plies = replay(&transcript.entries).unwrap_or_else(|(plies, _)| plies);
        for draw in luck::draws(&plies) {
            results.sides[usize::from(draw.party == Party::Guest)].1.push(draw);
        }
    }
    Ok(results)
}

fn unusable(path: &std::path::Path, report: &Report) -> Failure {
    Problem::new(Kind::Refused, format!("{}: {}", path.display(), report.line))
        .hint("only games that verify are counted; 'verify' tells more")
        .into()
}
