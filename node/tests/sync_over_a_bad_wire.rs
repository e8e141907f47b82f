//! Two engines with stores in memory over a wire that loses, repeats and reorders.

use chakart_core::protocol::keys::PublicKey;
use chakart_node::store::{GameNo, Store};
use chakart_node::sync::engine::{Engine, Output, SyncEvent};
use chakart_node::sync::message::{Request, Response};

use super::players::{NOW_MS, Numbers, act, assert_alike, begin, join, store};

/// One player's side of the wire.
pub(crate) struct Side {
    pub(crate) store: Store,
    pub(crate) engine: Engine,
    pub(crate) events: Vec<SyncEvent>,
}

enum Packet {
    Request { to: usize, request: Request },
    Response { to: usize, request: Request, response: Response },
}

/// How bad the wire is, in percent.
#[derive(Clone, Copy)]
pub(crate) struct Weather {
    pub(crate) lost: usize,
    pub(crate) repeated: usize,
}

pub(crate) const FINE: Weather = Weather { lost: 0, repeated: 0 };

pub(crate) struct Wire {
    pub(crate) sides: [Side; 2],
    packets: Vec<Packet>,
    numbers: Numbers,
    weather: Weather,
    pub(crate) carried: usize,
    /// Bytes of the largest response.
    pub(crate) largest: usize,
}

impl Side {
    fn new(store: Store) -> Self {
        let engine = Engine::new(&store).expect("readable");
        Self { store, engine, events: Vec::new() }
    }
}

impl Wire {
    pub(crate) fn new(host: Store, guest: Store, weather: Weather, seed: u64) -> Self {
        let sides = [Side::new(host), Side::new(guest)];
        Self { sides, packets: Vec::new(), numbers: Numbers::new(seed), weather, carried: 0, largest: 0 }
    }

    fn player(&self, side: usize) -> PublicKey {
        self.sides[side].store.player()
    }

    /// A connection comes up and all is carried that comes of it.
    pub(crate) fn connect(&mut self) {
        for side in 0..2 {
            let peer = self.player(1 - side);
            let Side { store, engine, .. } = &mut self.sides[side];
            let outputs = engine.connected(store, peer, NOW_MS).expect("memory");
            self.put(side, outputs);
        }
        self.settle();
    }

    pub(crate) fn disconnect(&mut self) {
        self.packets.clear();
        for side in 0..2 {
            let peer = self.player(1 - side);
            self.sides[side].engine.disconnected(&peer);
        }
    }

    /// Each side looks into its store, and all is carried that comes of it.
    pub(crate) fn settle(&mut self) {
        for side in 0..2 {
            self.look(side);
        }
        while !self.packets.is_empty() {
            let index = self.numbers.below(self.packets.len());
            let packet = self.packets.swap_remove(index);
            self.carried += 1;
            assert!(self.carried < 200_000, "the two sides never come to rest");
            self.carry(packet);
        }
    }

    fn carry(&mut self, packet: Packet) {
        let lost = self.numbers.below(100) < self.weather.lost;
        let repeated = self.numbers.below(100) < self.weather.repeated;
        match packet {
            Packet::Request { to, request } => {
                let from = 1 - to;
                if lost {
                    let peer = self.player(to);
                    let outputs = self.sides[from].engine.failed(peer, &request);
                    return self.put(from, outputs);
                }
                let response = self.ask(to, &request);
                if repeated {
                    self.ask(to, &request);
                }
                self.packets.push(Packet::Response { to: from, request, response });
            }
            Packet::Response { to, request, response } => {
                let peer = self.player(1 - to);
                let Side { store, engine, .. } = &mut self.sides[to];
                if lost {
                    let outputs = engine.failed(peer, &request);
                    return self.put(to, outputs);
                }
                let outputs = engine.response(store, peer, &request, response, NOW_MS).expect("memory");
                self.put(to, outputs);
                self.look(to);
            }
        }
    }

    /// Has a side answer a request from the other one.
    pub(crate) fn ask(&mut self, side: usize, request: &Request) -> Response {
        let peer = self.player(1 - side);
        let request = Request::decode(&request.encode()).expect("what is sent can be read");
        let Side { store, engine, .. } = &mut self.sides[side];
        let (response, outputs) = engine.request(store, peer, request, NOW_MS).expect("memory");
        self.put(side, outputs);
        self.look(side);
        let bytes = response.encode();
        self.largest = self.largest.max(bytes.len());
        Response::decode(&bytes).expect("what is sent can be read")
    }

    fn look(&mut self, side: usize) {
        let Side { store, engine, .. } = &mut self.sides[side];
        let outputs = engine.look(store).expect("memory");
        self.put(side, outputs);
    }

    fn put(&mut self, side: usize, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Send { request, .. } => self.packets.push(Packet::Request { to: 1 - side, request }),
                Output::Tell(event) => self.sides[side].events.push(event),
            }
        }
    }

    /// Whoever is to decide does; whether anybody was.
    pub(crate) fn act(&mut self, games: (GameNo, GameNo), numbers: &mut Numbers, draw: bool) -> bool {
        let [host, guest] = &mut self.sides;
        act(&mut host.store, games.0, numbers, draw) || act(&mut guest.store, games.1, numbers, draw)
    }

    pub(crate) fn alike(&self, games: (GameNo, GameNo)) {
        assert_alike(&self.sides[0].store, &self.sides[1].store, games);
    }

    pub(crate) fn delivered(&self, games: (GameNo, GameNo)) -> bool {
        let host = self.sides[0].store.game(games.0).expect("kept").delivery;
        let guest = self.sides[1].store.game(games.1).expect("kept").delivery;
        host.complete && guest.complete
    }

    fn play_to_the_end(&mut self, games: (GameNo, GameNo), seed: u64) {
        let mut numbers = Numbers::new(seed);
        for ply in 0..2_000 {
            if self.sides.iter().zip([games.0, games.1]).all(|(s, g)| s.store.game(g).expect("kept").finished)
            {
                break;
            }
            self.act(games, &mut numbers, ply > 60);
            self.settle();
            if self.weather.lost > 0 && ply % 3 == 2 {
                self.disconnect();
                self.connect();
            }
        }
    }
}

#[test]
fn an_offer_becomes_a_game_and_the_game_ends_alike() {
    let (mut host, mut guest) = (store(1), store(2));
    let (with_guest, _) = join(&mut host, &mut guest, 7);
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    let with_host = wire.sides[0].store.games().expect("readable")[0].game;
    let games = (with_host, with_guest);
    wire.alike(games);
    wire.play_to_the_end(games, 5);
    wire.alike(games);
    assert!(wire.delivered(games));
    assert!(wire.sides[0].store.game(games.0).expect("kept").finished);
}

#[test]
fn games_end_alike_in_bad_weather() {
    for seed in 0..6 {
        let (mut host, mut guest) = (store(1), store(2));
        let games = begin(&mut host, &mut guest, 7);
        let mut wire = Wire::new(host, guest, Weather { lost: 20, repeated: 20 }, seed);
        wire.connect();
        wire.play_to_the_end(games, seed);
        wire.weather = FINE;
        wire.disconnect();
        wire.connect();
        wire.alike(games);
        assert!(wire.delivered(games), "seed {seed}");
        assert!(wire.sides[0].store.game(games.0).expect("kept").finished, "seed {seed}");
        for (side, game) in wire.sides.iter().zip([games.0, games.1]) {
            assert!(side.store.refused_entries(game).expect("readable").is_empty(), "seed {seed}");
        }
    }
}

#[test]
fn many_games_are_compared_page_by_page() {
    let (mut host, mut guest) = (store(1), store(2));
    let mut games = Vec::new();
    for salt in 0..=255 {
        games.push(begin(&mut host, &mut guest, salt));
    }
    let mut numbers = Numbers::new(3);
    for &(with_host, with_guest) in &games {
        let _ = act(&mut host, with_host, &mut numbers, false)
            || act(&mut guest, with_guest, &mut numbers, false);
    }
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    for &pair in &games {
        wire.alike(pair);
        assert!(wire.delivered(pair));
    }
}

#[test]
fn an_empty_home_gets_its_games_back_and_asks_before_it_goes_on() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    let mut numbers = Numbers::new(8);
    for _ in 0..30 {
        wire.act(games, &mut numbers, false);
        wire.settle();
    }
    let [host, _] = wire.sides;
    let mut wire = Wire::new(host.store, store(2), FINE, 2);
    wire.connect();
    let restored = wire.sides[1].store.games().expect("readable");
    assert_eq!(restored.len(), 1);
    assert!(restored[0].recovering);
    wire.alike((games.0, restored[0].game));
}

#[test]
fn a_fork_is_walked_back_to_and_proven() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    let mut numbers = Numbers::new(21);
    for _ in 0..6 {
        wire.act(games, &mut numbers, false);
        wire.settle();
    }
    // One key in two homes: the guest's second home goes on by itself from the same entry.
    while !wire.sides[1].store.session(games.1).expect("kept").is_my_turn() {
        assert!(wire.act(games, &mut numbers, false), "the game goes on");
        wire.settle();
    }
    let tail = wire.sides[1].store.tail(games.1, 0).expect("readable");
    let mut second_home = store(2);
    let copy = second_home.recover(&tail.entries, &tail.statements, NOW_MS).expect("whole").game;
    second_home.confirm(copy, NOW_MS).expect("a lie");
    assert!(act(&mut second_home, copy, &mut Numbers::new(77), true));
    assert!(wire.act(games, &mut numbers, false));
    for _ in 0..10 {
        wire.settle();
        wire.act(games, &mut numbers, false);
    }
    wire.settle();
    let [host, _] = wire.sides;
    let mut wire = Wire::new(host.store, second_home, FINE, 2);
    wire.connect();
    for (side, game) in wire.sides.iter_mut().zip([games.0, copy]) {
        let session = side.store.session(game).expect("kept");
        assert_eq!(session.convicted(), [false, true], "both sides hold the proof");
        assert!(side.events.iter().any(|event| matches!(event, SyncEvent::PeerBroke { .. })));
    }
}

#[test]
fn a_refused_accept_is_told_and_not_sent_again() {
    let (mut host, mut guest) = (store(1), store(2));
    let (game, offer) = join(&mut host, &mut guest, 7);
    host.cancel_offer(offer).expect("writable");
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    let refusals = |wire: &Wire| {
        let events = &wire.sides[1].events;
        events.iter().filter(|event| matches!(event, SyncEvent::RefusedByPeer { .. })).count()
    };
    assert_eq!(refusals(&wire), 1);
    assert!(wire.sides[1].store.game(game).expect("kept").delivery.refused.is_some());
    wire.disconnect();
    wire.connect();
    assert_eq!(refusals(&wire), 1);
}

#[test]
fn a_resignation_reaches_the_other_side_after_a_pause() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    wire.disconnect();
    wire.sides[1].store.resign(games.1, NOW_MS).expect("at any time");
    wire.connect();
    wire.alike(games);
    assert!(wire.delivered(games));
}
