//! A home with ten thousand games: how soon its node starts, what it costs, how fast it syncs, beside the numbers that it
//! was designed for. Then what the store alone takes for the work behind them.
//!
//! `cargo bench -p chakart-node --bench home`, on a machine that does nothing else; it reads `/proc` of Linux. The same
//! home is that of the bench `home` of the package `chakart`, which times whole commands.

mod figures;
mod large;
#[path = "../../tests/long_game.rs"]
mod long_game;
mod process;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use chakart_node::store::Store;
use divan::{Bencher, black_box};

use figures::Figure;
use large::{GAMES, Homes, key};

/// On a disk: a folder in memory would make every write look free.
const FOLDER: &str = env!("CARGO_TARGET_TMPDIR");
/// Games of the home where nothing is measured, to see that the benches still run.
const FEW_GAMES: usize = 60;

/// The store of the large home.
static STORE: OnceLock<PathBuf> = OnceLock::new();

fn main() -> io::Result<()> {
    if process::is_node() {
        return Ok(());
    }
    let games = if std::env::args().any(|argument| argument == "--bench") { GAMES } else { FEW_GAMES };
    let homes = Homes::copy(Path::new(FOLDER), games)?;
    for figure in measure(&homes)? {
        println!("{}", figure.line());
    }
    STORE.get_or_init(|| homes.owner.store_file());
    divan::main();
    Ok(())
}

fn measure(homes: &Homes) -> io::Result<Vec<Figure>> {
    let measured =
        [figures::idle(homes)?, figures::sync(homes)?, figures::push(homes)?, figures::catch_up(homes)?];
    Ok(measured.into_iter().flatten().collect())
}

fn store() -> Store {
    let file = STORE.get().expect("set before the benches run");
    Store::open(file, key(0)).expect("a store")
}

#[divan::bench]
fn open_the_store() -> Store {
    store()
}

#[divan::bench]
fn list_all_games(bencher: Bencher<'_, '_>) {
    let store = store();
    bencher.bench_local(|| black_box(&store).games().expect("readable").len());
}

#[divan::bench]
fn find_the_peers_to_dial(bencher: Bencher<'_, '_>) {
    let store = store();
    bencher.bench_local(|| black_box(&store).wanted_peers().expect("readable").len());
}
