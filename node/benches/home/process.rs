//! A node in a process of its own, looked at from outside: what Linux says of its memory and its time.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use chakart_core::protocol::keys::PublicKey;
use chakart_node::home::Home;
use chakart_node::identity;
use chakart_node::runtime::{Node, NodeConfig};

/// Tells this program to run the node of a home and nothing else.
const HOME_VARIABLE: &str = "CHAKART_BENCH_NODE";
/// Where nodes of benches listen.
const LISTEN: [&str; 2] = ["/ip4/127.0.0.1/udp/0/quic-v1", "/ip4/127.0.0.1/tcp/0"];
/// In what Linux counts processor time for everybody to read.
const TICK: Duration = Duration::from_millis(10);

/// A running node.
pub(crate) struct NodeProcess {
    child: Child,
    pub(crate) player: PublicKey,
    pub(crate) addresses: Vec<String>,
    /// From the start of the process until it listens.
    pub(crate) started: Duration,
}

impl NodeProcess {
    /// Starts the node of a home and waits until it listens.
    pub(crate) fn start(home: &Home) -> io::Result<Self> {
        let begun = Instant::now();
        let mut child = Command::new(std::env::current_exe()?)
            .env(HOME_VARIABLE, home.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        BufReader::new(output).read_line(&mut line)?;
        let started = begun.elapsed();
        let addresses: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        assert!(!addresses.is_empty(), "the node of {} did not start", home.root().display());
        let player = identity::load(home).map_err(io::Error::other)?.public();
        Ok(Self { child, player, addresses, started })
    }

    /// Memory that it has now, in bytes.
    pub(crate) fn resident_bytes(&self) -> io::Result<u64> {
        self.memory("VmRSS:")
    }

    /// The most memory that it ever had, in bytes.
    pub(crate) fn peak_bytes(&self) -> io::Result<u64> {
        self.memory("VmHWM:")
    }

    /// Processor time that it has used, to a hundredth of a second.
    pub(crate) fn processor_time(&self) -> io::Result<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name, in parentheses, may hold anything. After it, numbers 12 and 13 are the ticks in and below the process.
        let (_, numbers) = stat.rsplit_once(')').ok_or(io::ErrorKind::InvalidData)?;
        let ticks: u64 =
            numbers.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Ok(TICK * u32::try_from(ticks).map_err(io::Error::other)?)
    }

    /// Ends it in good order.
    pub(crate) fn stop(mut self) -> io::Result<()> {
        drop(self.child.stdin.take());
        self.child.wait().map(drop)
    }

    fn memory(&self, what: &str) -> io::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(what));
        Ok(first_number(line.unwrap_or_default())? * 1024)
    }
}

/// Runs the node that this process was started for, if it was.
pub(crate) fn is_node() -> bool {
    let Some(home) = std::env::var_os(HOME_VARIABLE) else { return false };
    runtime().block_on(serve(Path::new(&home)));
    true
}

/// As the program's.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads")
}

/// Starts a node as the program does, but on loopback.
pub(crate) async fn start(home: &Home) -> Node {
    let key = identity::load(home).expect("a home with a key");
    let config = NodeConfig { listen: LISTEN.map(str::to_owned).to_vec(), ..NodeConfig::default() };
    Node::start(home, key, config).await.expect("loopback")
}

async fn serve(home: &Path) {
    let node = start(&Home::open(home).expect("a folder")).await;
    println!("{}", node.handle().listen_addresses().await.expect("it runs").join(" "));
    let until_closed = || io::stdin().read_to_end(&mut Vec::new());
    tokio::task::spawn_blocking(until_closed).await.expect("no panic").expect("a pipe");
    node.stop().await;
}

fn first_number(text: &str) -> io::Result<u64> {
    text.split_whitespace()
        .next()
        .and_then(|number| number.parse().ok())
        .ok_or(io::ErrorKind::InvalidData.into())
}
