//! A relay under floods of all kinds still serves two honest players, and does not grow.

use crate::nat_kinds::PROBE;
use crate::network::{Host, Nat, Network};
use crate::player::{Game, Player, Relay, SHORT, Transport};
use crate::running::{Running, await_until};

/// Places on a relay; two are the players'.
const PLACES: usize = 128;
/// Connections that a relay lets one host have.
const CONNECTIONS_PER_HOST: usize = 64;
/// Peers of each other flood: their slow streams are 2,048 started messages of 60 KiB.
const OTHERS: usize = CONNECTIONS_PER_HOST;
/// What a relay under floods may take, in MiB.
const MAX_RSS_MIB: u64 = 200;
/// Under the floods circuits are made anew.
const SHORT_CIRCUITS: [&str; 2] = ["--circuit-seconds", "6"];
/// The protocol of the table that the relay serves.
const TABLE: &str = "/chakart/flooded/kad/1.0.0";

#[test]
fn an_honest_pair_plays_through_a_relay_under_floods() {
    let Some(mut network) = Network::begin() else { return };
    let mut relay = Relay::start(network.server("relay"), "network = \"flooded\"\n", &SHORT_CIRCUITS);
    let [mut home, mut far] = [(); 2].map(|()| network.home(Nat::Symmetric));
    let settings = relay.named(&[Transport::Quic, Transport::Tcp]);
    let hosts = [home.host("ada"), far.host("bob")];
    let mut game = Game::begin(hosts.map(|host| Player::with_daemon(host, &settings)), &[]);
    game.play(&SHORT[..2]);

    let target = relay.address(Transport::Tcp);
    let crowds = [(); 4].map(|()| network.server("crowd"));
    let mut storms: Vec<Flood> =
        crowds.iter().map(|host| Flood::start(host, "reservations", 48, &target)).collect();
    let others = ["connections", "oversize", "slow", "records"].map(|kind| (kind, network.server(kind)));
    let mut connections = Flood::start(&others[0].1, "connections", 2 * CONNECTIONS_PER_HOST, &target);
    let mut floods: Vec<Flood> =
        others[1..].iter().map(|(kind, host)| Flood::start(host, kind, OTHERS, &target)).collect();
    await_until("all places taken", || {
        (storms.iter_mut().map(Flood::had).sum::<usize>() == PLACES - 2).then_some(())
    });
    await_until("as many connections as one host gets", || {
        (connections.had() == CONNECTIONS_PER_HOST).then_some(())
    });
    await_until("all other floods", || floods.iter_mut().all(|flood| flood.had() > 0).then_some(()));

    game.play(&SHORT[2..]);
    game.await_path("relayed");
    game.finish();
    let peak = peak_rss_mib(relay.pid());
    println!("the relay took {peak} MiB at most");
    assert!(peak <= MAX_RSS_MIB, "{peak} MiB");
}

/// Attackers on a host. Dropped, they are killed.
struct Flood {
    running: Running,
    had: usize,
}

impl Flood {
    fn start(host: &Host, kind: &str, count: usize, target: &str) -> Self {
        let arguments = ["flood", kind, &count.to_string(), target, TABLE];
        Self { running: Running::start(host.command(PROBE).args(arguments)), had: 0 }
    }

    /// How many of them have what they want now.
    fn had(&mut self) -> usize {
        while let Some(line) = self.running.heard() {
            self.had = line.strip_prefix("had ").and_then(|number| number.parse().ok()).unwrap_or(self.had);
        }
        self.had
    }
}

/// The most memory that a process has had.
fn peak_rss_mib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line of Linux");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
}
