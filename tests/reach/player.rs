//! A person with a home on a host: a daemon, and commands beside it.

use std::path::PathBuf;
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::network::Host;
use crate::running::{Running, await_until};

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_chakart-under-test");

/// A person.
pub struct Player {
    pub host: Host,
    folder: TempDir,
    /// What keeps the node of this home up.
    keeper: Option<Running>,
}

/// A `chakart relay` on a public host.
pub struct Relay {
    owner: Player,
    options: Vec<String>,
}

impl Player {
    /// A person whose home has a key and these settings; nothing runs yet.
    pub fn new(host: Host, settings: &str) -> Self {
        let folder = TempDir::new().expect("a folder for a home");
        let player = Self { host, folder, keeper: None };
        player.done(&["id", "create"]);
        player.set(settings);
        player
    }

    /// Has other settings from the next command on.
    pub fn set(&self, settings: &str) {
        std::fs::write(self.home().join("settings.toml"), settings).expect("a folder to write to");
    }

    /// Its key.
    pub fn key(&self) -> String {
        self.json(&["id"])["key"].as_str().expect("a key").to_owned()
    }

    /// A person who keeps a daemon.
    pub fn with_daemon(host: Host, settings: &str) -> Self {
        let mut player = Self::new(host, settings);
        player.keep(&["daemon"]);
        player
    }

    /// Runs a command that keeps the node up; where it listens.
    pub fn keep(&mut self, arguments: &[&str]) -> Vec<String> {
        let mut keeper = Running::start(self.host.command(PROGRAM).args(self.arguments(arguments)));
        let mut addresses = Vec::new();
        // A node of this home has an IPv6 address last of all, and every line before it is one too.
        let listens = |line: &str| Some(line.split_once("listening on ")?.1.to_owned());
        while !addresses.iter().any(|address: &String| address.contains("/ip6/::1/udp/")) {
            addresses.push(keeper.find("where it listens", listens));
        }
        self.keeper = Some(keeper);
        addresses
    }

    /// What keeps the node up.
    pub fn keeper(&mut self) -> &mut Running {
        self.keeper.as_mut().expect("a running daemon")
    }

    /// Kills it.
    pub fn stop(&mut self) {
        self.keeper = None;
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self.host.command(PROGRAM);
        command.args(self.arguments(arguments)).stdin(Stdio::null()).output().expect("the program runs")
    }

    /// Runs a command that must succeed; its standard output.
    pub fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let [out, err] =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(output.status.success(), "{arguments:?}: {}\n{out}\n{err}", output.status);
        out
    }

    /// Runs a command that must succeed and answer with one JSON object.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let text = self.done(&[arguments, &["--json"]].concat());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
    }

    /// A file beside the home.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn home(&self) -> PathBuf {
        self.file("home")
    }

    fn arguments(&self, arguments: &[&str]) -> Vec<String> {
        let home = self.home().to_string_lossy().into_owned();
        ["--home".to_owned(), home].into_iter().chain(arguments.iter().map(|&text| text.to_owned())).collect()
    }
}

impl Relay {
    /// Starts one with these further options of `relay`.
    pub fn start(host: Host, settings: &str, options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let mut relay = Self { owner: Player::new(host, settings), options };
        relay.start_again();
        relay
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.owner.stop();
    }

    /// Starts it once more after [`Self::kill`], with the same key and ports.
    pub fn start_again(&mut self) {
        let options: Vec<&str> =
            std::iter::once("relay").chain(self.options.iter().map(String::as_str)).collect();
        self.owner.keep(&options);
    }

    /// Its address for others: over QUIC, or over TCP.
    pub fn address(&self, transport: Transport) -> String {
        let public = format!("/ip4/{}/", self.owner.host.address());
        let daemon = self.owner.json(&["daemon", "status"]);
        let addresses = daemon["daemon"]["addresses"].as_array().expect("a list");
        let key = self.owner.json(&["id"])["peer_id"].as_str().expect("a name").to_owned();
        let all = addresses.iter().filter_map(Value::as_str);
        let kind = |address: &&str| address.contains("/quic-v1") == (transport == Transport::Quic);
        let found = all.filter(|address| address.starts_with(&public)).find(kind);
        format!("{}/p2p/{key}", found.expect("an address"))
    }

    /// Settings that name this relay, by these addresses.
    pub fn named(&self, transports: &[Transport]) -> String {
        let addresses: Vec<String> = transports.iter().map(|&transport| self.address(transport)).collect();
        format!("relays = {addresses:?}\n")
    }

    /// The process of the relay.
    pub fn pid(&mut self) -> u32 {
        self.owner.keeper().pid()
    }
}

/// A transport of libp2p.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transport {
    Quic,
    Tcp,
}

/// A game between two people who keep daemons.
pub struct Game {
    /// The host of the game, who is White, and the guest.
    pub players: [Player; 2],
    names: [String; 2],
    acts: usize,
}

impl Game {
    /// Offers and joins a game; the offer with these further options of `new`.
    pub fn begin(players: [Player; 2], options: &[&str]) -> Self {
        let new = ["new", "--setup", "fixed", "--color", "white", "--no-wait"];
        let offer = players[0].json(&[&new[..], options].concat());
        let joined = players[1].json(&["join", offer["invite"].as_str().expect("an invite")]);
        let guest_name = joined["name"].as_str().expect("a name").to_owned();
        let host_name = await_until("the game at its host", || {
            Some(players[0].json(&["games"])["games"][0]["name"].as_str()?.to_owned())
        });
        Self::begun(players, [host_name, guest_name])
    }

    /// A game in which nobody has acted yet, by its name in each home.
    pub fn begun(players: [Player; 2], names: [String; 2]) -> Self {
        Self { players, names, acts: 0 }
    }

    /// Plays the next of some actions, which alternate; it has then arrived, with the chance that it asked for.
    pub fn play(&mut self, actions: &[&str]) {
        for action in actions {
            self.sign(action);
            self.await_arrival();
        }
    }

    /// Signs an action, wherever it gets to.
    pub fn sign(&mut self, action: &str) {
        let who = self.acts % 2;
        self.await_turn(who);
        self.players[who].done(&["move", &self.names[who], action, "--yes"]);
        self.acts += 1;
    }

    /// Waits until the other player is to act.
    pub fn await_arrival(&self) {
        self.await_turn(self.acts % 2);
    }

    fn await_turn(&self, who: usize) {
        await_until(&format!("the turn of {}", self.names[who]), || {
            self.of(who, "my_turn").as_bool()?.then_some(())
        });
    }

    /// Waits until both are connected by this path; `none`: not at all.
    pub fn await_path(&self, wanted: &str) {
        for who in [0, 1] {
            self.await_path_of(who, wanted);
        }
    }

    /// Waits until one is connected by this path; `none`: not at all.
    pub fn await_path_of(&self, who: usize, wanted: &str) {
        await_until(&format!("path {wanted} at {}", self.names[who]), || {
            (self.paths()[who] == wanted).then_some(())
        });
    }

    /// How both are connected now; `none` where they are not.
    pub fn paths(&self) -> [String; 2] {
        [0, 1].map(|who| {
            let path = self.of(who, "path");
            let kind = path["kind"].as_str().filter(|_| path["connected"] == true);
            kind.unwrap_or("none").to_owned()
        })
    }

    /// The player whose turn it is resigns, and both hear of it.
    pub fn finish(&self) {
        self.resign();
        let whole = |who| self.of(who, "finished") == true && self.of(who, "delivered") == true;
        await_until("the end on both sides", || (whole(0) && whole(1)).then_some(()));
        let [host, guest] = self.verify();
        assert_eq!(host, guest);
    }

    /// The player whose turn it is resigns.
    pub fn resign(&self) {
        let who = self.acts % 2;
        self.await_turn(who);
        self.players[who].done(&["resign", &self.names[who], "--yes"]);
    }

    /// What both export, which holds.
    pub fn verify(&self) -> [String; 2] {
        [0, 1].map(|who: usize| {
            let file = self.players[who].file("game.chakart");
            let path = file.to_str().expect("a plain path");
            self.players[who].done(&["export", &self.names[who], "-o", path]);
            self.players[who].done(&["verify", path]);
            std::fs::read_to_string(file).expect("a transcript")
        })
    }

    /// A member of what `games` says of this game.
    pub fn of(&self, who: usize, member: &str) -> Value {
        self.players[who].json(&["games"])["games"][0][member].take()
    }
}

/// A short game: the bishops leave bombs, for which the other side reveals chance.
pub const SHORT: [&str; 5] = ["e2e4", "e7e5", "f1c4", "f8c5", "g1f3"];
