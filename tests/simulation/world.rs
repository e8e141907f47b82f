//! Players in one virtual time: one queue of what happens next, and one stream of numbers that decides it.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::keys::SecretKey;
use chakart_node::store::StoreError;
use chakart_node::sync::message::{Request, Response};

use crate::checks::{Checks, Fault};
use crate::clock::{Clock, DAY, HOUR, MINUTE, SECOND, START_MS, WEEK};
use crate::crash::Crashes;
use crate::network::Weather;
use crate::node::{Node, Process};
use crate::player::Temper;
use crate::random::Random;

/// Events after which the weather clears for good and nobody crashes any more, for each game.
const ROUGH_EVENTS_PER_GAME: u64 = 30_000;
/// Events in fair weather after which every game must have ended, for each game.
const FAIR_EVENTS_PER_GAME: u64 = 30_000;

/// Who plays, and what befalls them.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) players: usize,
    pub(crate) games: u64,
    /// `None`: whatever the seed brings.
    pub(crate) fixed: Option<Fixed>,
}

/// A world that is good but for its crashes.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    pub(crate) crashes: Crashes,
    pub(crate) draw_ply: u32,
}

/// Players, their links, and what happens next.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) now_ms: u64,
    pub(crate) random: Random,
    pub(crate) nodes: Vec<Node>,
    pub(crate) checks: Checks,
    pub(crate) weather: Weather,
    /// Whether there is a way between two nodes, by the lower and the higher one.
    pub(crate) ways: BTreeMap<(usize, usize), bool>,
    /// Pieces of work that were begun.
    pub(crate) works: u64,
    pub(crate) requests: u64,
    queue: BinaryHeap<Reverse<Event>>,
    /// Events that were ever planned: of those at one time the one planned first comes first.
    planned: u64,
    events: u64,
    crashes: Crashes,
    plan: Plan,
    games_begun: u64,
}

/// What happens at some time.
#[derive(Debug)]
pub(crate) enum What {
    /// A player looks at its games.
    Look { node: usize },
    /// The clock of an engine ticks, as long as its process lives.
    Tick { node: usize, process: u64 },
    /// A process starts.
    Start { node: usize },
    /// A machine's clock is set.
    SetClock { node: usize },
    /// A way between two nodes opens or breaks.
    Way { pair: (usize, usize), open: bool },
    /// Somebody makes an offer.
    Offer,
    /// An invite reaches a player by another way.
    Invite { host: usize, guest: usize, offer: SignedEntry },
    /// A request arrives.
    Request { from: usize, to: usize, number: u64, bytes: Vec<u8> },
    /// A response arrives.
    Response { to: usize, number: u64, bytes: Vec<u8> },
    /// A request is given up.
    GiveUp { node: usize, number: u64 },
}

#[derive(Debug)]
struct Event {
    at_ms: u64,
    order: u64,
    what: What,
}

impl World {
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut random = Random::new(plan.seed);
        let (weather, crashes) = match &plan.fixed {
            Some(fixed) => (Weather::FINE, fixed.crashes.clone()),
            None => (Weather::any(&mut random), Crashes::any(&mut random)),
        };
        // Two processes on one store replay a game at each of their changes: dear.
        let terminals = plan.fixed.is_none() && random.per_mille(10);
        let nodes = (0..plan.players).map(|_| node(plan, terminals, &mut random)).collect();
        let mut world = Self {
            now_ms: START_MS,
            random,
            nodes,
            checks: Checks::default(),
            weather,
            ways: BTreeMap::new(),
            works: 0,
            requests: 0,
            queue: BinaryHeap::new(),
            planned: 0,
            events: 0,
            crashes,
            plan: plan.clone(),
            games_begun: 0,
        };
        world.open_everything();
        world
    }

    /// Runs until all games have ended and everybody knows it.
    pub(crate) fn run(&mut self) -> Result<(), Fault> {
        for node in 0..self.nodes.len() {
            self.at(SECOND, What::Start { node });
            self.at(2 * SECOND, What::Look { node });
        }
        for _ in 0..self.plan.games {
            let most = if self.plan.games == 1 { HOUR } else { WEEK };
            let after = self.random.between(5 * SECOND, most);
            self.at(after, What::Offer);
        }
        while !self.is_settled()? {
            let Some(Reverse(event)) = self.queue.pop() else {
                return Err("nothing happens any more, and not every game has ended".to_owned());
            };
            self.now_ms = event.at_ms;
            self.happen(event.what)?;
            self.events += 1;
            self.calm()?;
        }
        self.judge_all()
    }

    /// What there is, in words.
    pub(crate) fn report(&self) -> String {
        let days = (self.now_ms - START_MS) / DAY;
        let mut report = format!(
            "{} events, {} pieces of work, {} requests in {days} days; {:?}, {:?}\n",
            self.events, self.works, self.requests, self.weather, self.crashes,
        );
        for (number, node) in self.nodes.iter().enumerate() {
            let Some(process) = &node.process else {
                report.push_str(&format!("node {number} does not run\n"));
                continue;
            };
            report.push_str(&format!(
                "node {number}: {:?}, {:?}, with {:?}\n",
                node.clock, node.temper, process.peers
            ));
            for game in process.store.games().unwrap_or_default() {
                report.push_str(&format!(
                    "  {} {} of {} entries, {:?}: {} {:?}\n",
                    game.id, game.variant, game.length, game.waiting, game.result, game.delivery
                ));
            }
        }
        report
    }

    /// Counts a game that has been offered.
    pub(crate) const fn begin_game(&mut self) {
        self.games_begun += 1;
    }

    pub(crate) fn at(&mut self, after_ms: u64, what: What) {
        self.planned += 1;
        let (at_ms, order) = (self.now_ms + after_ms, self.planned);
        self.queue.push(Reverse(Event { at_ms, order, what }));
    }

    /// A piece of work of a node, at the time that its clock shows; `None` if no process runs or it dies in it.
    pub(crate) fn work<T>(
        &mut self,
        node: usize,
        job: impl FnOnce(&mut Process, u64) -> Result<T, StoreError>,
    ) -> Result<Option<T>, Fault> {
        self.works += 1;
        let fatal = self.crashes.next(self.works, &mut self.random);
        let machine = &mut self.nodes[node];
        let clock_ms = machine.clock.read(self.now_ms);
        let peers: Vec<usize> =
            machine.process.iter().flat_map(|process| process.peers.iter().copied()).collect();
        let done =
            machine.work(fatal, |process| job(process, clock_ms)).map_err(|error| error.to_string())?;
        if fatal.is_some() && self.nodes[node].process.is_none() {
            self.crashed(node, &peers);
        }
        Ok(done)
    }

    fn is_settled(&self) -> Result<bool, Fault> {
        if self.games_begun < self.plan.games || !self.events.is_multiple_of(16) {
            return Ok(false);
        }
        for node in &self.nodes {
            if !node.is_settled().map_err(|error| error.to_string())? {
                return Ok(false);
            }
        }
        // An invite may still be on its way.
        Ok(!self.queue.iter().any(|Reverse(event)| matches!(event.what, What::Invite { .. })))
    }

    /// Fair weather after a long time, and an end to waiting after a longer one.
    fn calm(&mut self) -> Result<(), Fault> {
        if self.events == ROUGH_EVENTS_PER_GAME * self.plan.games {
            self.weather = Weather::FINE;
            self.crashes = Crashes::Never;
            self.open_everything();
        }
        let most = (ROUGH_EVENTS_PER_GAME + FAIR_EVENTS_PER_GAME) * self.plan.games;
        if self.events > most {
            return Err("the games do not come to an end".to_owned());
        }
        Ok(())
    }

    fn open_everything(&mut self) {
        for low in 0..self.nodes.len() {
            for high in low + 1..self.nodes.len() {
                let after = self.random.between(3 * SECOND, MINUTE);
                self.at(after, What::Way { pair: (low, high), open: true });
            }
        }
    }

    fn crashed(&mut self, node: usize, peers: &[usize]) {
        for &peer in peers {
            self.hang_up(peer, node);
        }
        let after = match self.random.below(8) {
            0 => self.random.between(HOUR, 3 * DAY),
            _ => self.random.between(SECOND, 10 * MINUTE),
        };
        self.at(after, What::Start { node });
    }

    /// A node notices that another one is gone.
    pub(crate) fn hang_up(&mut self, node: usize, peer: usize) {
        let key = self.nodes[peer].player();
        let Some(process) = &mut self.nodes[node].process else { return };
        if !process.peers.remove(&peer) {
            return;
        }
        let lost: Vec<u64> =
            process.asked.iter().filter(|(_, (to, _))| *to == peer).map(|(number, _)| *number).collect();
        for (_, request) in lost.iter().filter_map(|number| process.asked.remove(number)) {
            // The peer is gone: nothing that follows from this could be sent to it.
            drop(process.engine.failed(key, &request));
        }
        process.engine.disconnected(&key);
    }

    /// A message on its way: requests may arrive twice, anything may not arrive.
    pub(crate) fn carry_request(&mut self, from: usize, to: usize, number: u64, request: &Request) {
        let passage = self.weather.carry(true, &mut self.random);
        let bytes = request.encode();
        for after in passage.arrivals {
            self.at(after, What::Request { from, to, number, bytes: bytes.clone() });
        }
    }

    pub(crate) fn carry_response(&mut self, to: usize, number: u64, response: &Response) {
        let passage = self.weather.carry(false, &mut self.random);
        for after in passage.arrivals {
            self.at(after, What::Response { to, number, bytes: response.encode() });
        }
    }
}

fn node(plan: &Plan, terminals: bool, random: &mut Random) -> Node {
    let key = SecretKey::from_seed(&random.bytes());
    match &plan.fixed {
        Some(fixed) => Node::new(key, Clock::RIGHT, Temper::patient(fixed.draw_ply), false),
        None => Node::new(key, Clock::any(random), Temper::any(random), terminals),
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.at_ms, self.order).cmp(&(other.at_ms, other.order))
    }
}
