//! `demo`: two automatic players with a home and a node each, over real connections on loopback.

mod automatic;
mod seat;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chakart_core::protocol::entry::{ColorChoice, Name, TimeControl};
use chakart_core::protocol::session::OfferSettings;
use chakart_core::rules::Variant;
use chakart_core::scene;
use chakart_core::transcript::export::Source;
use chakart_core::transcript::report::Report;
use chakart_core::transcript::verify::{Expected, check};
use tokio::time::timeout;

use self::seat::Seat;
use super::export::write_file;
use super::new::usual_setup;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::runtime;
use crate::show::board::{self, Drawing};
use crate::show::escape::escaped;
use crate::show::game;

/// How long the two nodes may take to agree on one act.
pub(crate) const STEP_PATIENCE: Duration = Duration::from_secs(20);
/// The first stamp of every demo: 2026-01-01 00:00 UTC, in milliseconds of Unix time.
const FIRST_STAMP_MS: u64 = 1_767_225_600_000;
/// Time between two acts by the stamps, in milliseconds.
const ACT_MS: u64 = 1_000;
/// Largest seed that is drawn where none is given: short file names.
const SEEDS: u64 = 1_000_000;

/// The clock of both nodes: with it, keys, choices and so the whole game follow from the seed.
static CLOCK_MS: AtomicU64 = AtomicU64::new(FIRST_STAMP_MS);

/// Arguments of `demo`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Two homes in a temporary folder, two libp2p nodes that talk over loopback, and the same protocol \
    that people play by: neither program can predict or choose a random outcome, and the transcript proves it. The same \
    seed gives the same game, byte for byte; its stamps are of a made-up clock."
)]
pub struct Args {
    /// Keys and choices of the players [default: a random one]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Whole turns after which the players agree on a draw
    #[arg(long, value_name = "N", default_value_t = 200)]
    plies: u32,
    /// The rules, one of those of 'variants'
    #[arg(long, value_name = "VARIANT", default_value = "chakart")]
    variant: Variant,
    /// Where to write the transcript [default: demo-N.chakart, N the seed]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Show the verdict only
    #[arg(short, long)]
    quiet: bool,
}

/// Plays a game, writes its transcript and verifies it.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    let seed = args.seed.map_or_else(random_seed, Ok)?;
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("demo-{seed}.chakart")));
    let transcript = runtime::run(play(args, seed, out))?;
    write_file(&path, &transcript)?;
    let report = Report::of(&check(transcript.as_bytes(), Expected::default()));
    writeln!(out, "{}", escaped(&report.line))?;
    if !args.quiet {
        for line in &report.checked {
            writeln!(out, "  checked: {line}")?;
        }
        writeln!(
            out,
            "Check it yourself: chakart verify {0}; step through it: chakart replay {0}",
            path.display()
        )?;
    }
    writeln!(out, "{}", escaped(&path.display().to_string()))?;
    Ok(if report.verdict.is_no() { Exit::No } else { Exit::Done })
}

fn random_seed() -> Result<u64, Failure> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| Problem::new(Kind::Storage, format!("no randomness: {error}")))?;
    Ok(u64::from_le_bytes(bytes) % SEEDS)
}

fn clock_ms() -> u64 {
    CLOCK_MS.load(Ordering::SeqCst)
}

async fn play(args: &Args, seed: u64, out: &mut dyn Write) -> Result<String, Failure> {
    CLOCK_MS.store(FIRST_STAMP_MS, Ordering::SeqCst);
    let mut host = Seat::take(seed, "host", clock_ms).await?;
    let mut guest = Seat::take(seed, "guest", clock_ms).await?;
    begin(args, &mut host, &mut guest).await?;
    settle(&mut host, &mut guest).await?;
    if !args.quiet {
        let color = host.summary()?.color.map_or_else(String::new, |color| format!(", {color}"));
        writeln!(out, "Seed {seed}: Ada (host{color}) against Grace, {}\n", board::rules_line(args.variant))?;
    }
    let mut told = 0;
    loop {
        settle(&mut host, &mut guest).await?;
        if !args.quiet {
            told = tell(&mut host, told, out)?;
        }
        if host.summary()?.finished {
            break;
        }
        CLOCK_MS.fetch_add(ACT_MS, Ordering::SeqCst);
        let mover = if host.summary()?.is_my_turn() { &mut host } else { &mut guest };
        automatic::decide(mover, args.plies, clock_ms())?;
    }
    let transcript = Source::of(&host.session()?).transcript();
    host.leave().await;
    guest.leave().await;
    Ok(transcript)
}

/// The host offers, the guest joins.
async fn begin(args: &Args, host: &mut Seat, guest: &mut Seat) -> Result<(), Failure> {
    let name = |text: &str| Name::new(text).map_err(|error| Failure::usage(error.to_string()));
    let setup = usual_setup(args.variant);
    let settings = OfferSettings {
        variant: args.variant,
        setup,
        color: ColorChoice::Random,
        time: TimeControl::None,
        name: name("Ada")?,
        guest: None,
    };
    let offer = host.offer(&settings, clock_ms())?;
    guest.join(&offer, name("Grace")?, host.addresses().await?, clock_ms()).await?;
    let wait = async {
        loop {
            if host.find_game()? {
                return Ok::<_, Failure>(());
            }
            host.next_event().await?;
        }
    };
    timeout(STEP_PATIENCE, wait).await.map_err(|_| too_slow())?
}

/// Waits until both have the same log and no program owes an entry.
async fn settle(host: &mut Seat, guest: &mut Seat) -> Result<(), Failure> {
    let wait = async {
        while !settled(host, guest)? {
            tokio::select! {
                event = host.next_event() => event?,
                event = guest.next_event() => event?,
            }
        }
        Ok::<_, Failure>(())
    };
    timeout(STEP_PATIENCE, wait).await.map_err(|_| too_slow())?
}

fn settled(host: &Seat, guest: &Seat) -> Result<bool, Failure> {
    let (host, guest) = (host.summary()?, guest.summary()?);
    let same = host.head == guest.head && host.statements == guest.statements;
    let decidable = host.finished || host.is_my_turn() || guest.is_my_turn();
    Ok(same && decidable)
}

fn too_slow() -> Problem {
    Problem::new(Kind::Unreachable, "the two nodes do not come to terms in time")
}

/// Tells the acts from `told` on, each with the board that everybody sees.
fn tell(host: &mut Seat, told: usize, out: &mut dyn Write) -> Result<usize, Failure> {
    let plies = game::plies(&host.session()?);
    for ply in plies.iter().skip(told) {
        let player = match ply.author {
            chakart_core::protocol::entry::Party::Host => "Ada",
            chakart_core::protocol::entry::Party::Guest => "Grace",
        };
        writeln!(out, "{}  ({}, {player})", scene::headline(ply), ply.color)?;
        for (index, step) in scene::steps(ply).iter().enumerate() {
            writeln!(out, "  {}. {step}", index + 1)?;
        }
        let drawing = Drawing { marked: scene::marked(ply), ..Drawing::default() };
        writeln!(out, "{}\n", board::board(&ply.after.view(None, None), drawing))?;
        out.flush()?;
    }
    Ok(plies.len())
}
