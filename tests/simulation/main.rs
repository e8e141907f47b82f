//! Games by correspondence in virtual time, through the store and the sync engine of the node: players whose messages
//! are lost, late, doubled and overtaken, whose links break for weeks, whose clocks are wrong or lie, and whose
//! processes die at any point of a write.
//!
//! | module | what it is |
//! |---|---|
//! | `world` | the queue of events, and the work of nodes |
//! | `happen` | what each event does |
//! | `node` | a player's machine and the process on it |
//! | `network` | loss, delay, doubling, broken links |
//! | `clock` | skew, leaps, backdated stamps |
//! | `crash` | disks in memory, and processes that die |
//! | `player` | automatic players |
//! | `checks` | what must hold |
//! | `random` | numbers from a seed |

mod checks;
mod clock;
mod crash;
mod happen;
mod network;
mod node;
mod player;
mod random;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crash::{Crashes, Moment};
use world::{Fixed, Plan, World};

/// Games of two players, unless the environment says otherwise.
const GAMES: u64 = 10_000;
/// The same with `CHAKART_SOAK=1`.
const SOAK_GAMES: u64 = 1_000_000;
/// Worlds of twenty players for each ten thousand games of two.
const CROWDS_PER_10_000_GAMES: u64 = 20;

#[test]
fn two_players() {
    let plan = |seed| Plan { seed, players: 2, games: 1, fixed: None };
    play_all("two_players", games(), plan);
}

#[test]
fn twenty_players() {
    let plan = |seed| Plan { seed, players: 20, games: 40, fixed: None };
    play_all("twenty_players", (games() * CROWDS_PER_10_000_GAMES).div_ceil(10_000), plan);
}

#[test]
fn a_crash_at_every_write_boundary() {
    let fixed = |crashes| Some(Fixed { crashes, draw_ply: 6 });
    let plan = |crashes| Plan { seed: 7, players: 2, games: 1, fixed: fixed(crashes) };
    let mut quiet = World::new(&plan(Crashes::Never));
    quiet.run().expect("a game without crashes");
    for work in 1..=quiet.works {
        for moment in [Moment::Within(4), Moment::AtCommit(1), Moment::AtCommit(2), Moment::AfterAll] {
            let crashes = Crashes::Once { work, moment };
            let result = World::new(&plan(crashes)).run();
            assert_eq!(result, Ok(()), "dead in work {work} {moment:?}");
        }
    }
}

/// How many games are to be played.
fn games() -> u64 {
    let asked = |name: &str| std::env::var(name).ok();
    match asked("CHAKART_SIM_GAMES") {
        Some(games) => games.parse().expect("CHAKART_SIM_GAMES is a number"),
        None if asked("CHAKART_SOAK").as_deref() == Some("1") => SOAK_GAMES,
        None => GAMES,
    }
}

/// Plays the worlds of many seeds on all cores, or that of one seed.
fn play_all(test: &str, worlds: u64, plan: impl Fn(u64) -> Plan + Sync) {
    if let Ok(seed) = std::env::var("CHAKART_SIM_SEED") {
        let seed = seed.parse().expect("CHAKART_SIM_SEED is a number");
        let mut world = World::new(&plan(seed));
        let result = world.run();
        println!("{}", world.report());
        assert_eq!(result, Ok(()), "seed {seed}");
        return;
    }
    let (next, failures, begun) = (AtomicU64::new(0), Mutex::new(Vec::new()), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Relaxed);
                    if seed >= worlds {
                        break;
                    }
                    if let Err(fault) = play(&plan(seed)) {
                        failures.lock().expect("nobody panics with it").push((seed, fault));
                    }
                }
            });
        }
    });
    let seconds = begun.elapsed().as_secs_f64();
    println!("{test}: {worlds} worlds in {seconds:.1} s");
    report(test, &failures.into_inner().expect("nobody panics with it"));
}

fn play(plan: &Plan) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| World::new(plan).run()))
        .unwrap_or_else(|_| Err("a panic, see above".to_owned()))
}

/// Fails with a line for each failure that replays it alone.
fn report(test: &str, failures: &[(u64, String)]) {
    let lines: Vec<String> = failures
        .iter()
        .take(20)
        .map(|(seed, fault)| {
            let replay = "cargo test -p chakart-tests --test simulation";
            format!("{fault}\n    CHAKART_SIM_SEED={seed} {replay} {test}")
        })
        .collect();
    assert!(failures.is_empty(), "{} worlds failed:\n{}", failures.len(), lines.join("\n"));
}
