//! A relay and a DHT that share no code with this program: js-libp2p, from `js/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::namespace::output_of;
use crate::network::{Host, Nat, Network, skip};
use crate::player::{Game, Player, SHORT};
use crate::running::Running;

/// Port of the server.
const PORT: u16 = 4001;

/// A relay and DHT server.
pub struct Server {
    /// Kept for as long as it is to serve.
    _running: Running,
    /// Where it is to be dialled, with its peer id.
    pub address: String,
}

impl Server {
    /// Starts the server of a private network on a public host.
    pub fn start(host: &Host, network: &str) -> Self {
        let listen = format!("/ip4/{}/tcp/{PORT}", host.address());
        let mut running = script(host, "serve.js", &["--listen", &listen, "--dht", &kademlia(network)]);
        let address = running.find("address", |line| Some(line.strip_prefix("listening on ")?.to_owned()));
        Self { _running: running, address }
    }
}

/// Whether the scripts can run here; if not, that is told loudly.
///
/// # Panics
/// If they cannot in a continuous integration.
pub fn is_installed() -> bool {
    let node =
        output_of(Command::new("node").arg("--version"), "").map_err(|error| format!("no Node.js: {error}"));
    let libraries = folder().join("node_modules/libp2p").exists();
    let installed =
        node.and_then(|_| if libraries { Ok(()) } else { Err("run 'npm ci' in tests/reach/js".to_owned()) });
    installed.map_err(|lack| skip(&lack)).is_ok()
}

/// The protocol of a private network's DHT.
fn kademlia(network: &str) -> String {
    format!("/chakart/{network}/kad/1.0.0")
}

fn script(host: &Host, name: &str, arguments: &[&str]) -> Running {
    Running::start(host.command("node").arg(folder().join(name)).args(arguments))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("reach/js")
}

#[test]
fn strangers_find_and_reach_each_other_through_it() {
    if !is_installed() {
        return;
    }
    let Some(mut network) = Network::begin() else { return };
    let server_host = network.server("server");
    let server = Server::start(&server_host, "strangers");
    let [mut home, mut office] = [network.home(Nat::Symmetric), network.home(Nat::Symmetric)];
    let [provider_host, seeker_host] = [home.host("provider"), office.host("seeker")];
    let dht = kademlia("strangers");
    let client =
        |host, verb| script(host, "client.js", &["--server", &server.address, "--dht", &dht, verb, "chess"]);

    let mut provider = client(&provider_host, "--provide");
    let provided = provider.line_with("provided ");
    let mut seeker = client(&seeker_host, "--find");
    let reached = seeker.line_with("reached ");
    assert!(provided.contains("/p2p-circuit/"), "{provided}");
    assert_eq!(provided.trim_start_matches("provided"), reached.trim_start_matches("reached"));
}

#[test]
fn friends_find_each_other_in_its_table_and_play_over_it_as_a_named_relay() {
    play(|server| format!("relays = [\"{server}\"]\n"));
}

#[test]
fn friends_who_name_no_relay_take_the_one_that_they_meet_in_the_table() {
    play(|_| String::new());
}

/// A game whose invite has no addresses, between homes that let nobody in.
fn play(relays: impl Fn(&str) -> String) {
    if !is_installed() {
        return;
    }
    let Some(mut network) = Network::begin() else { return };
    let server_host = network.server("server");
    let server = Server::start(&server_host, "friends");
    let settings =
        format!("network = \"friends\"\nbootstrap = [\"{0}\"]\n{1}", server.address, relays(&server.address));
    let [mut home, mut office] = [(); 2].map(|()| network.home(Nat::Symmetric));
    let hosts = [home.host("ada"), office.host("bob")];
    let mut game = Game::begin(hosts.map(|host| Player::with_daemon(host, &settings)), &["--no-addresses"]);
    game.play(&SHORT);
    assert_eq!(game.paths(), ["relayed", "relayed"]);
    game.finish();
}
