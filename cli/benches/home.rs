//! Commands on a home with ten thousand games, each a process of its own.

#[expect(dead_code, reason = "the node's benches need more of it")]
#[path = "../../node/benches/home/large.rs"]
mod large;

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use chakart_node::store::Store;

use large::{GAMES, Homes, key};

/// On a disk, as homes are.
const FOLDER: &str = env!("CARGO_TARGET_TMPDIR");
/// Games of the home where nothing is measured, to see that the benches still run.
const FEW_GAMES: usize = 60;

/// The large home.
static HOME: OnceLock<PathBuf> = OnceLock::new();
/// Games in which it is its player's turn.
static TURNS: OnceLock<usize> = OnceLock::new();

fn main() -> io::Result<()> {
    let games = if std::env::args().any(|argument| argument == "--bench") { GAMES } else { FEW_GAMES };
    let homes = Homes::copy(Path::new(FOLDER), games)?;
    let store = Store::open(&homes.owner.store_file(), key(0)).map_err(io::Error::other)?;
    let list = store.games().map_err(io::Error::other)?;
    TURNS.get_or_init(|| list.iter().filter(|game| game.is_my_turn()).count());
    HOME.get_or_init(|| homes.owner.root().to_owned());
    println!("memory of a daemon: {} MiB (at most 100)", memory_of_a_daemon()? >> 20);
    println!("'games' is to take at most 50 ms, the start of a daemon at most 1 s:");
    divan::main();
    Ok(())
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn games() {
    let status = chakart(&["games"]).stdout(Stdio::null()).status().expect("the program runs");
    assert!(status.success());
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn games_as_json() {
    let status = chakart(&["games", "--json"]).stdout(Stdio::null()).status().expect("the program runs");
    assert!(status.success());
}

/// From the start of the process to the last of the lines that say whose turn it is.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn daemon_starts() {
    stop(daemon().expect("the program runs"));
}

/// What Linux says, in bytes.
fn memory_of_a_daemon() -> io::Result<u64> {
    let daemon = daemon()?;
    let status = fs::read_to_string(format!("/proc/{}/status", daemon.id()))?;
    stop(daemon);
    let kibibytes =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
    kibibytes.map(|kibibytes: u64| kibibytes * 1024).ok_or(io::ErrorKind::InvalidData.into())
}

/// A daemon that has told everything of its start.
fn daemon() -> io::Result<Child> {
    let mut child =
        chakart(&["daemon", "--listen", "/ip4/127.0.0.1/tcp/0"]).stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let mut turns = 0;
    for line in BufReader::new(output).lines() {
        turns += usize::from(line?.ends_with("your turn"));
        if Some(&turns) == TURNS.get() {
            break;
        }
    }
    Ok(child)
}

fn stop(mut daemon: Child) {
    daemon.kill().and_then(|()| daemon.wait()).expect("it runs");
}

fn chakart(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chakart"));
    command.arg("--home").arg(HOME.get().expect("set before the benches run")).args(arguments);
    command
}
