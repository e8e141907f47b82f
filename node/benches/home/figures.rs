//! What is measured once: each figure beside the number that the design asks for.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::UdpSocket;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_node::home::Home;
use chakart_node::identity;
use chakart_node::runtime::{Events, Node, NodeEvent, unix_ms};
use chakart_node::store::{GameSummary, Store};
use chakart_node::sync::engine::SyncEvent;

use crate::large::{Homes, key, quiet_action};
use crate::long_game::{ENTRIES, long_game};
use crate::process::{NodeProcess, runtime, start};

/// How long a started node is left alone before it counts as idle.
const SETTLE: Duration = Duration::from_secs(3);
/// How long it is watched.
const WATCH: Duration = Duration::from_secs(20);
/// Where opponents were reached who are away now: a port of this machine at which nobody listens.
const NOBODY: &str = "/ip4/127.0.0.1/tcp/9";
/// How often two stores are compared; more often would slow what is measured.
const LOOK_EVERY: Duration = Duration::from_millis(25);
/// More games than there are.
const MANY: usize = 1_000_000;
/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(120);
/// Moves, round trips and writes of which the median counts.
const REPEATS: usize = 50;
/// What one commit writes ahead: a few pages of the database.
const COMMIT_BYTES: usize = 5 * 4096;

/// One number beside the number that it was designed for.
pub(crate) struct Figure {
    what: String,
    value: f64,
    /// The most that it may be, if there is such a number.
    most: Option<f64>,
    unit: &'static str,
}

impl Figure {
    fn new(what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { what: what.into(), value, most: None, unit }
    }

    fn at_most(self, most: f64) -> Self {
        Self { most: Some(most), ..self }
    }

    /// A line of the table.
    pub(crate) fn line(&self) -> String {
        let Self { what, value, most, unit } = self;
        let target = match most {
            Some(most) if value <= most => format!("at most {most:>8.2}  ok"),
            Some(most) => format!("at most {most:>8.2}  MISSED"),
            None => String::new(),
        };
        format!("{what:<58} {value:>9.2} {unit:<3}  {target}").trim_end().to_owned()
    }
}

/// A node of a large home that starts, and then has nothing to do.
pub(crate) fn idle(homes: &Homes) -> io::Result<Vec<Figure>> {
    let empty = NodeProcess::start(&homes.empty(2))?;
    thread::sleep(SETTLE);
    let base = empty.resident_bytes()?;
    empty.stop()?;
    let node = NodeProcess::start(&homes.owner)?;
    let started = node.started;
    thread::sleep(SETTLE);
    let (used, memory) = (used_while_watched(&node)?, node.resident_bytes()?);
    node.stop()?;
    let mut store = open(&homes.owner);
    let away = store.wanted_peers().expect("readable");
    for key in &away {
        let key = PublicKey::from_bytes(key).expect("a player's");
        store.keep_address(&key, NOBODY, unix_ms()).expect("writable");
    }
    let node = NodeProcess::start(&homes.owner)?;
    thread::sleep(SETTLE);
    let dialling = used_while_watched(&node)?;
    node.stop()?;
    Ok(vec![
        Figure::new("start of a node, from its process to its listening", ms(started), "ms").at_most(1000.0),
        Figure::new("memory of an idle node", mib(memory), "MiB").at_most(100.0),
        Figure::new("  of one without games", mib(base), "MiB"),
        Figure::new("processor time of an idle node", used, "%").at_most(0.1),
        Figure::new(format!("  while it dials {} opponents who are away", away.len()), dialling, "%"),
    ])
}

/// Processor time of a node in percent of the time.
fn used_while_watched(node: &NodeProcess) -> io::Result<f64> {
    let before = node.processor_time()?;
    thread::sleep(WATCH);
    let used = node.processor_time()?.saturating_sub(before);
    Ok(100.0 * used.as_secs_f64() / WATCH.as_secs_f64())
}

/// Two nodes whose common games differ by a move in each, and then by a move in one.
pub(crate) fn sync(homes: &Homes) -> io::Result<Vec<Figure>> {
    let owner = NodeProcess::start(&homes.owner)?;
    let mut common = Common { owner: open(&homes.owner), peer: open(&homes.peer) };
    let all = common.summaries()[0].len();
    let every = connect_and_compare(homes, &owner, &common);
    common.act_in_last();
    let one = connect_and_compare(homes, &owner, &common);
    let memory = owner.peak_bytes()?;
    owner.stop()?;
    Ok(vec![
        Figure::new(format!("sync of {all} games of which one differs"), ms(one), "ms").at_most(2000.0),
        Figure::new(format!("sync of {all} games which all differ by a move"), ms(every), "ms")
            .at_most(2000.0),
        Figure::new("  peak memory of the node of the large home", mib(memory), "MiB").at_most(100.0),
    ])
}

/// A log of ten thousand entries that comes to an empty home.
pub(crate) fn catch_up(homes: &Homes) -> io::Result<Vec<Figure>> {
    let [host, guest] = [homes.empty(3), homes.empty(4)];
    let entries = long_game([&key(3), &key(4)], unix_ms());
    let bytes: usize = entries.iter().map(|entry| entry.bytes.len() + entry.signature.len()).sum();
    let mut store = open(&host);
    let game = store.recover(&entries, &[], unix_ms()).expect("an own game").game;
    store.confirm(game, unix_ms()).expect("writable");
    drop((store, entries));
    let process = NodeProcess::start(&guest)?;
    thread::sleep(SETTLE);
    let before = process.resident_bytes()?;
    let (store, began) = (open(&guest), Instant::now());
    runtime().block_on(async {
        let node = start(&host).await;
        meet(&node, &process).await;
        let has_all = || {
            let games = store.games().expect("readable");
            games.first().is_some_and(|game| game.length as usize == ENTRIES)
        };
        until(has_all).await;
        node.stop().await;
    });
    let taken = began.elapsed();
    let growth = process.peak_bytes()?.saturating_sub(before);
    process.stop()?;
    Ok(vec![
        Figure::new(format!("catch-up of a log of {ENTRIES} entries"), ms(taken), "ms"),
        Figure::new("  growth of memory, at its peak", mib(growth), "MiB"),
        Figure::new("  the log itself", mib(bytes as u64), "MiB"),
    ])
}

/// Moves between two connected nodes whose games are in step: signed, stored, sent, judged and stored there,
/// acknowledged.
pub(crate) fn push(homes: &Homes) -> io::Result<Vec<Figure>> {
    let (round_trip, write) = (round_trip()?, synced_write(homes.owner.root())?);
    let moves = runtime().block_on(async {
        let (owner, peer) = (start(&homes.owner).await, start(&homes.peer).await);
        let addresses = owner.handle().listen_addresses().await.expect("it runs");
        peer.handle().connect(key(0).public(), addresses).await.expect("loopback");
        let mut sides = [Side::new(&owner, &homes.owner), Side::new(&peer, &homes.peer)];
        let moves = play_live(&mut sides).await;
        owner.stop().await;
        peer.stop().await;
        moves
    });
    let most = 2.0 * (ms(round_trip) + 2.0 * ms(write));
    Ok(vec![
        Figure::new("a move, signed to acknowledged, from the large home", ms(moves[0]), "ms").at_most(most),
        Figure::new("a move, signed to acknowledged, to the large home", ms(moves[1]), "ms").at_most(most),
        Figure::new("  a round trip of a datagram over loopback", ms(round_trip), "ms"),
        Figure::new("  a write of 20 KiB with fsync", ms(write), "ms"),
    ])
}

/// A player at its node.
struct Side<'a> {
    node: &'a Node,
    events: Events,
    store: Store,
}

/// The median times of the moves of each side, turn by turn in games that go on.
async fn play_live(sides: &mut [Side<'_>; 2]) -> [Duration; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for game in sides[0].games_with(&key(1)) {
        while let Some(mover) = (0..2).find(|&side| sides[side].is_to_move(game)) {
            times[mover].push(sides[mover].act(game).await);
            until(|| sides[0].summary(game).head == sides[1].summary(game).head).await;
            if times.iter().all(|times| times.len() >= REPEATS) {
                return times.map(median);
            }
        }
    }
    times.map(median)
}

impl<'a> Side<'a> {
    fn new(node: &'a Node, home: &Home) -> Self {
        Self { node, events: node.handle().events(), store: open(home) }
    }

    fn games_with(&self, opponent: &SecretKey) -> Vec<EntryId> {
        let games = self.store.games_with(&opponent.public(), None, MANY).expect("readable");
        games.iter().map(|game| game.id).collect()
    }

    fn summary(&self, game: EntryId) -> GameSummary {
        self.store.game_of(game).expect("readable").expect("kept")
    }

    fn is_to_move(&self, game: EntryId) -> bool {
        self.summary(game).is_my_turn()
    }

    /// How long a move takes from its signing until the opponent is known to have it on disk.
    async fn act(&mut self, game: EntryId) -> Duration {
        let game = self.summary(game).game;
        let action = quiet_action(&self.store.session(game).expect("kept"));
        let began = Instant::now();
        self.store.act(game, action, false, unix_ms()).expect("legal");
        self.node.handle().wake();
        let delivered = async {
            loop {
                match self.events.next().await.expect("it runs") {
                    NodeEvent::Game(SyncEvent::Delivered { game: of, .. }) if of == game => break,
                    _ => {}
                }
            }
        };
        tokio::time::timeout(PATIENCE, delivered).await.expect("delivered");
        began.elapsed()
    }
}

/// The stores of two homes, to look into while their nodes run.
struct Common {
    owner: Store,
    peer: Store,
}

impl Common {
    fn summaries(&self) -> [Vec<GameSummary>; 2] {
        let of = |store: &Store, other: PublicKey| store.games_with(&other, None, MANY).expect("readable");
        [of(&self.owner, self.peer.player()), of(&self.peer, self.owner.player())]
    }

    /// Whether both have the same, and know it of each other.
    fn is_in_step(&self) -> bool {
        let [owner, peer] = self.summaries();
        owner.len() == peer.len()
            && owner.iter().zip(&peer).all(|(a, b)| {
                a.head == b.head && a.delivery.complete && b.delivery.complete && a.statements == b.statements
            })
    }

    /// A move of the peer in the last game in which it is its turn.
    fn act_in_last(&mut self) {
        let [_, peer] = self.summaries();
        let game = peer.iter().rfind(|game| game.is_my_turn()).expect("games go on").game;
        let action = quiet_action(&self.peer.session(game).expect("kept"));
        self.peer.act(game, action, false, unix_ms()).expect("legal");
    }
}

/// Connects the peer's node to the owner's; how long it takes until both are in step.
fn connect_and_compare(homes: &Homes, owner: &NodeProcess, common: &Common) -> Duration {
    runtime().block_on(async {
        let peer = start(&homes.peer).await;
        let began = Instant::now();
        meet(&peer, owner).await;
        until(|| common.is_in_step()).await;
        let taken = began.elapsed();
        peer.stop().await;
        taken
    })
}

async fn meet(node: &Node, process: &NodeProcess) {
    node.handle().connect(process.player, process.addresses.clone()).await.expect("loopback");
}

async fn until(holds: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "it takes too long");
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn open(home: &Home) -> Store {
    Store::open(&home.store_file(), identity::load(home).expect("a key")).expect("a store")
}

/// How long a datagram takes to another thread and back.
fn round_trip() -> io::Result<Duration> {
    let (near, far) = (UdpSocket::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?);
    near.connect(far.local_addr()?)?;
    far.connect(near.local_addr()?)?;
    let echo = thread::spawn(move || {
        for _ in 0..REPEATS {
            let mut byte = [0];
            far.recv(&mut byte)?;
            far.send(&byte)?;
        }
        io::Result::Ok(())
    });
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        let began = Instant::now();
        near.send(&[1])?;
        near.recv(&mut [0])?;
        times.push(began.elapsed());
    }
    echo.join().expect("no panic")?;
    Ok(median(times))
}

/// How long what a commit writes takes to the disk on which the homes are.
fn synced_write(folder: &Path) -> io::Result<Duration> {
    let path = folder.join("written");
    let mut file = File::create(&path)?;
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        let began = Instant::now();
        file.write_all(&[1; COMMIT_BYTES])?;
        file.sync_data()?;
        times.push(began.elapsed());
    }
    fs::remove_file(path)?;
    Ok(median(times))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}
