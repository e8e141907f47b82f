//! What each event does to a world.

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::session::Session;
use chakart_node::store::{GameNo, JoinError, OfferError, Salt, StoreError};
use chakart_node::sync::engine::Output;
use chakart_node::sync::message::{Request, Response};

use crate::checks::{self, Fault};
use crate::clock::{DAY, HOUR, MINUTE, SECOND};
use crate::network::{TIMEOUT_MS, Weather};
use crate::node::{Process, is_dead};
use crate::player::{self, Now};
use crate::random::Random;
use crate::world::{What, World};

impl World {
    pub(crate) fn happen(&mut self, what: What) -> Result<(), Fault> {
        match what {
            What::Look { node } => self.look_at_games(node),
            What::Tick { node, process } => self.tick(node, process),
            What::Start { node } => self.start(node),
            What::SetClock { node } => {
                self.nodes[node].clock.set(&mut self.random);
                Ok(())
            }
            What::Way { pair, open } => self.way(pair, open),
            What::Offer => self.offer(),
            What::Invite { host, guest, offer } => self.join(host, guest, &offer),
            What::Request { from, to, number, bytes } => self.request(from, to, number, &bytes),
            What::Response { to, number, bytes } => self.response(to, number, &bytes),
            What::GiveUp { node, number } => self.give_up(node, number),
        }
    }

    /// Compares all copies of all games, after the end.
    pub(crate) fn judge_all(&mut self) -> Result<(), Fault> {
        let mut sessions: Vec<Vec<Session>> = Vec::new();
        for node in 0..self.nodes.len() {
            let process = self.nodes[node].process.as_mut().ok_or("a node does not run at the end")?;
            self.checks.keeps_promises(node, &process.store)?;
            let games = process.store.games().map_err(in_words)?;
            let mut of_node = Vec::new();
            let mut kept = Vec::new();
            for game in &games {
                let session = process.store.session(game.game).map_err(in_words)?;
                kept.extend(session.log().records().iter().map(|record| record.id));
                if !is_dead(game) {
                    of_node.push(session);
                }
            }
            // An accept that came too late leads to no game, and is kept all the same.
            self.checks.keeps_entries(node, &kept.into_iter().collect())?;
            sessions.push(of_node);
        }
        for (node, own) in sessions.iter().enumerate() {
            for session in own {
                let twin = sessions[..node]
                    .iter()
                    .flatten()
                    .find(|other| other.log().game_id() == session.log().game_id());
                if let Some(twin) = twin {
                    checks::is_sound([twin, session])?;
                }
            }
        }
        Ok(())
    }

    fn look_at_games(&mut self, node: usize) -> Result<(), Fault> {
        if self.random.per_mille(2) {
            self.at(SECOND, What::SetClock { node });
        }
        let change = |process: &mut Process| process.store.change();
        let before = self.work(node, |process, _| change(process))?;
        let games = self.work(node, |process, _| process.store.games())?.unwrap_or_default();
        for game in games.iter().filter(|game| !game.finished) {
            if game.is_my_turn() || self.random.per_mille(500) {
                self.look_at_game(node, game.game)?;
            }
        }
        let idle = before == self.work(node, |process, _| change(process))?;
        let pause_ms = self.nodes[node].pause_ms(idle, &mut self.random);
        self.at(pause_ms, What::Look { node });
        if self.random.per_mille(250) {
            self.compare_copies(node)?;
        }
        self.push_news(node)
    }

    fn look_at_game(&mut self, node: usize, game: GameNo) -> Result<(), Fault> {
        let mut random = Random::new(self.random.next());
        let machine = &self.nodes[node];
        let stamp_ms = machine.clock.stamp(self.now_ms, &mut random);
        let temper = machine.temper.clone();
        self.work(node, |process, clock_ms| {
            temper.look(process.hand(), game, Now { clock_ms, stamp_ms }, &mut random)
        })?;
        Ok(())
    }

    fn compare_copies(&self, node: usize) -> Result<(), Fault> {
        let Some(process) = &self.nodes[node].process else { return Ok(()) };
        for game in process.store.games().map_err(in_words)? {
            for other in self.nodes.iter().filter(|other| game.is_with(&other.player())) {
                if let Some(theirs) = &other.process {
                    checks::one_extends_the_other((&process.store, &game), &theirs.store)?;
                }
            }
        }
        Ok(())
    }

    fn tick(&mut self, node: usize, number: u64) -> Result<(), Fault> {
        if self.nodes[node].process.as_ref().is_none_or(|process| process.number != number) {
            return Ok(());
        }
        // Laptops sleep: between five minutes and half a day.
        let after = self.random.between(5 * MINUTE, 12 * HOUR);
        self.at(after, What::Tick { node, process: number });
        let outputs = self.work(node, |process, now_ms| process.engine.tick(&mut process.store, now_ms))?;
        self.put(node, outputs)?;
        self.push_news(node)
    }

    fn start(&mut self, node: usize) -> Result<(), Fault> {
        if self.nodes[node].process.is_some() {
            return Ok(());
        }
        let process = self.nodes[node].start().map_err(in_words)?;
        let number = process.number;
        self.checks.keeps_promises(node, &process.store)?;
        self.at(MINUTE, What::Tick { node, process: number });
        for peer in 0..self.nodes.len() {
            self.connect(node, peer)?;
        }
        self.push_news(node)
    }

    fn way(&mut self, pair: (usize, usize), open: bool) -> Result<(), Fault> {
        let changed = self.ways.insert(pair, open) != Some(open);
        let next = match open {
            true => self.weather.until_break(&mut self.random),
            false => Some(Weather::until_mended(&mut self.random)),
        };
        if let Some(after) = next.filter(|_| changed) {
            self.at(after, What::Way { pair, open: !open });
        }
        let (a, b) = pair;
        if open {
            return self.connect(a, b);
        }
        self.hang_up(a, b);
        self.hang_up(b, a);
        Ok(())
    }

    /// Connects two nodes, if there is a way and both run.
    fn connect(&mut self, a: usize, b: usize) -> Result<(), Fault> {
        let way = self.ways.get(&(a.min(b), a.max(b))).copied().unwrap_or(false);
        for (node, peer) in [(a, b), (b, a)] {
            let runs = self.nodes[peer].process.is_some();
            let new = self.nodes[node].process.as_ref().is_some_and(|process| !process.peers.contains(&peer));
            if !(way && runs && new) {
                return Ok(());
            }
            let key = self.nodes[peer].player();
            let outputs = self.work(node, |process, now_ms| {
                process.peers.insert(peer);
                process.engine.connected(&mut process.store, key, now_ms)
            })?;
            self.put(node, outputs)?;
        }
        Ok(())
    }

    fn offer(&mut self) -> Result<(), Fault> {
        let players = self.nodes.len() as u64;
        let host = index(self.random.below(players));
        let guest = (host + index(self.random.between(1, players - 1))) % self.nodes.len();
        let settings = player::settings(&mut self.random);
        let salt = Salt::from_bytes(self.random.bytes());
        let offer =
            self.work(host, |process, now_ms| match process.hand().create_offer(&settings, salt, now_ms) {
                Err(OfferError::Store(error)) => Err(error),
                made => Ok(made.ok()),
            })?;
        let Some(Some(own)) = offer else {
            self.at(HOUR, What::Offer);
            return Ok(());
        };
        self.begin_game();
        let after = self.random.between(SECOND, DAY);
        self.at(after, What::Invite { host, guest, offer: own.offer.clone() });
        if players > 2 && self.random.per_mille(100) {
            let rival = (guest + 1) % self.nodes.len();
            let after = self.random.between(SECOND, DAY);
            self.at(after, What::Invite { host, guest: rival, offer: own.offer });
        }
        Ok(())
    }

    fn join(&mut self, host: usize, guest: usize, offer: &SignedEntry) -> Result<(), Fault> {
        if guest == host {
            return Ok(());
        }
        let salt = Salt::from_bytes(self.random.bytes());
        let joined = self.work(guest, |process, now_ms| {
            match process.hand().join(offer, player::name("Gil"), salt, now_ms) {
                Err(JoinError::Store(error)) => Err(error),
                joined => Ok(joined.is_ok()),
            }
        })?;
        match joined {
            Some(true) => self.push_news(guest),
            // The process died, or the offer is stamped ahead of this machine's clock.
            Some(false) | None => {
                self.at(HOUR, What::Invite { host, guest, offer: offer.clone() });
                Ok(())
            }
        }
    }

    fn request(&mut self, from: usize, to: usize, number: u64, bytes: &[u8]) -> Result<(), Fault> {
        let connected = self.nodes[to].process.as_ref().is_some_and(|process| process.peers.contains(&from));
        if !connected {
            return Ok(());
        }
        let request = Request::decode(bytes).map_err(|error| error.to_string())?;
        let key = self.nodes[from].player();
        let answer = self
            .work(to, |process, now_ms| process.engine.request(&mut process.store, key, request, now_ms))?;
        let Some((response, outputs)) = answer else { return Ok(()) };
        self.checks.answered(to, &response)?;
        self.carry_response(from, number, &response);
        self.put(to, Some(outputs))?;
        self.push_news(to)
    }

    fn response(&mut self, to: usize, number: u64, bytes: &[u8]) -> Result<(), Fault> {
        let Some(process) = &mut self.nodes[to].process else { return Ok(()) };
        let Some((peer, request)) = process.asked.remove(&number) else { return Ok(()) };
        let response = Response::decode(bytes).map_err(|error| error.to_string())?;
        let key = self.nodes[peer].player();
        let outputs = self.work(to, |process, now_ms| {
            process.engine.response(&mut process.store, key, &request, response, now_ms)
        })?;
        self.put(to, outputs)?;
        self.push_news(to)
    }

    fn give_up(&mut self, node: usize, number: u64) -> Result<(), Fault> {
        let Some(process) = &mut self.nodes[node].process else { return Ok(()) };
        let Some((peer, request)) = process.asked.remove(&number) else { return Ok(()) };
        let key = self.nodes[peer].player();
        let Some(process) = &mut self.nodes[node].process else { return Ok(()) };
        let outputs = process.engine.failed(key, &request);
        self.put(node, Some(outputs))
    }

    /// Pushes what was added to a store.
    fn push_news(&mut self, node: usize) -> Result<(), Fault> {
        let outputs = self.work(node, |process, _| process.engine.look(&mut process.store))?;
        self.put(node, outputs)
    }

    /// Does what an engine says.
    fn put(&mut self, node: usize, outputs: Option<Vec<Output>>) -> Result<(), Fault> {
        for output in outputs.unwrap_or_default() {
            let Output::Send { peer, request } = output else { continue };
            let to =
                self.nodes.iter().position(|other| other.player() == peer).ok_or("a stranger is sent to")?;
            self.checks.asked(node, to, &request)?;
            self.requests += 1;
            let number = self.requests;
            self.carry_request(node, to, number, &request);
            if let Some(process) = &mut self.nodes[node].process {
                process.asked.insert(number, (to, request));
                self.at(TIMEOUT_MS, What::GiveUp { node, number });
            }
        }
        Ok(())
    }
}

fn in_words(error: StoreError) -> Fault {
    error.to_string()
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("a small number")
}
