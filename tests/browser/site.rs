//! A person who has the browser board open: `chakart web` as a process, and its data as the page asks for it.

use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use crate::http::{Answer, request};
use crate::poll::until;
use crate::program::{Person, Running, patient};

/// Settings by which a node leaves loopback alone.
const SETTINGS: &str = "lan = false\nport_mapping = false\n";

/// A running browser board.
pub struct Site {
    pub person: Person,
    running: Running,
    /// Kept so that the program may go on printing.
    _lines: Receiver<((), Option<String>)>,
    url: String,
    cookie: String,
}

impl Site {
    /// The browser board of a new person.
    pub fn open() -> Self {
        let person = Person::new();
        std::fs::write(person.home().join("settings.toml"), SETTINGS).expect("the home can be written");
        Self::of(person, 0)
    }

    /// The browser board of somebody on a port; 0: any.
    fn of(person: Person, port: u16) -> Self {
        let (sender, lines) = channel();
        let running = person.start(&["web", "--port", &port.to_string()], (), &sender);
        let url = patient(&lines).find_map(|line| line.trim().strip_prefix("http://").map(str::to_owned));
        let mut site = Self {
            person,
            running,
            _lines: lines,
            url: format!("http://{}", url.expect("an address is printed")),
            cookie: String::new(),
        };
        site.cookie = site.buy_cookie();
        site
    }

    /// Kills the program and starts it again on the same port.
    pub fn restart(self) -> Self {
        let (port, person) = (self.port(), self.kill());
        Self::of(person, port)
    }

    /// Kills the program; its person.
    pub fn kill(self) -> Person {
        let Self { person, mut running, .. } = self;
        running.kill();
        person
    }

    /// The address that it printed.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What the address carries behind `#`.
    pub fn token(&self) -> &str {
        self.url.split_once('#').expect("a fragment").1
    }

    /// The first part of every address of its pages.
    pub fn origin(&self) -> &str {
        self.url.split_once("/#").expect("a fragment").0
    }

    pub fn port(&self) -> u16 {
        self.origin().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port")
    }

    /// Name and value, as a page sends it back.
    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    /// Sends a request as its own page does, with cookie and origin.
    pub fn send(&self, method: &str, path: &str, body: &[u8]) -> Answer {
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Origin", self.origin()),
            ("Content-Type", "application/json"),
        ];
        request(self.port(), method, path, &headers, body)
    }

    /// Data that must be there.
    pub fn get(&self, path: &str) -> Value {
        let answer = self.send("GET", path, b"");
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// Something that must succeed.
    pub fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.send("POST", path, body.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{path} {body}: {}", answer.text());
        answer.json()
    }

    /// A game as its page is shown it.
    pub fn table(&self, game: &str) -> Value {
        self.get(&format!("/api/games/{game}"))
    }

    /// Does something in a game.
    pub fn deed(&self, game: &str, deed: &Value) -> Value {
        self.post(&format!("/api/games/{game}/deeds"), deed)
    }

    /// Waits until a game is as wanted.
    pub fn await_table(&self, game: &str, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        until(what, || Some(self.table(game)).filter(&wanted))
    }

    /// Makes an offer, which another accepts; the game as both call it.
    pub fn begin_with(&self, guest: &Self, variant: &str, color: &str) -> [String; 2] {
        let offer = self.post("/api/offers", &json!({ "variant": variant, "color": color }));
        self.begin_by(text(&offer["invite"]), guest, None)
    }

    /// Lets a guest of this name accept an own invite; the game as both call it.
    pub fn begin_by(&self, invite: &str, guest: &Self, name: Option<&str>) -> [String; 2] {
        let known = self.games();
        let joined = guest.post("/api/join", &json!({ "invite": invite, "name": name }));
        let theirs = text(&joined["name"]).to_owned();
        let ready = |table: &Value| table["me"].is_string() && table["position"].is_object();
        guest.await_table(&theirs, "the guest's board is set up", ready);
        let new = || self.games().into_iter().find(|game| !known.contains(game));
        let mine = until("the offer becomes a game", new);
        self.await_table(&mine, "the host's board is set up", ready);
        [mine, theirs]
    }

    /// Names of all games.
    fn games(&self) -> Vec<String> {
        let lobby = self.get("/api/lobby");
        let games = lobby["games"].as_array().expect("games");
        games.iter().map(|game| text(&game["name"]).to_owned()).collect()
    }

    /// Accepts an invite; what the game is called here.
    pub fn join(&self, invite: &str) -> String {
        let joined = self.post("/api/join", &json!({ "invite": invite, "name": null }));
        text(&joined["name"]).to_owned()
    }

    fn buy_cookie(&self) -> String {
        let body = json!({ "token": self.token() }).to_string();
        let answer = self.send("POST", "/api/session", body.as_bytes());
        assert_eq!(answer.status, 204, "{}", answer.text());
        let cookie = answer.header("set-cookie").expect("a cookie");
        cookie.split(';').next().expect("name and value").to_owned()
    }
}

/// A text of JSON; anything else fails the test.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}
