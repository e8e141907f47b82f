//! One player's machine: what is on its disk, and the process that runs on it.

use std::collections::{BTreeMap, BTreeSet};

use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_node::store::{GameSummary, Store, StoreError};
use chakart_node::sync::engine::Engine;
use chakart_node::sync::message::Request;

use crate::clock::{Clock, DAY};
use crate::crash::{Disk, Moment};
use crate::player::Temper;
use crate::random::Random;

/// A player, its machine, and the process on it.
#[derive(Debug)]
pub(crate) struct Node {
    key: SecretKey,
    disk: Disk,
    pub(crate) clock: Clock,
    pub(crate) temper: Temper,
    /// Whether commands run as a process of their own beside the one that is connected.
    has_terminal: bool,
    /// Processes that were ever started.
    started: u64,
    /// Looks of the player at its games, in a row, at which there was nothing to do.
    idle_looks: u64,
    pub(crate) process: Option<Process>,
}

/// What is lost when the process dies.
#[derive(Debug)]
pub(crate) struct Process {
    /// Which of the processes of this machine it is.
    pub(crate) number: u64,
    pub(crate) store: Store,
    pub(crate) engine: Engine,
    /// A second opening of the same store, for the player's own commands.
    pub(crate) terminal: Option<Store>,
    /// Requests that wait for a response, by number.
    pub(crate) asked: BTreeMap<u64, (usize, Request)>,
    /// Nodes that it is connected with.
    pub(crate) peers: BTreeSet<usize>,
}

impl Node {
    pub(crate) fn new(key: SecretKey, clock: Clock, temper: Temper, has_terminal: bool) -> Self {
        Self { key, disk: Disk::new(), clock, temper, has_terminal, started: 0, idle_looks: 0, process: None }
    }

    pub(crate) fn player(&self) -> PublicKey {
        self.key.public()
    }

    /// How long until the player looks again: the longer, the less there was to do.
    pub(crate) fn pause_ms(&mut self, idle: bool, random: &mut Random) -> u64 {
        self.idle_looks = if idle { self.idle_looks + 1 } else { 0 };
        let pause_ms = self.temper.pause_ms(random);
        pause_ms.max((pause_ms * (self.idle_looks / 4 + 1)).min(DAY))
    }

    /// Starts the process on what is on disk.
    pub(crate) fn start(&mut self) -> Result<&Process, StoreError> {
        let store = self.disk.open(self.key.clone())?;
        let engine = Engine::new(&store)?;
        let terminal = match self.has_terminal {
            true => Some(self.disk.open(self.key.clone())?),
            false => None,
        };
        let (asked, peers) = (BTreeMap::new(), BTreeSet::new());
        self.started += 1;
        Ok(self.process.insert(Process { number: self.started, store, engine, terminal, asked, peers }))
    }

    /// Does a piece of work, and dies in it if `fatal` says so: then nothing of it is known to anybody. `None` also if
    /// no process runs.
    pub(crate) fn work<T>(
        &mut self,
        fatal: Option<Moment>,
        job: impl FnOnce(&mut Process) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let Some(process) = &mut self.process else { return Ok(None) };
        let Some(moment) = fatal else { return job(process).map(Some) };
        self.disk.arm(moment);
        // Whatever came of it is lost with the process.
        drop(job(process));
        self.disk.disarm();
        self.process = None;
        Ok(None)
    }

    /// Whether nothing is left to do or to tell.
    pub(crate) fn is_settled(&self) -> Result<bool, StoreError> {
        let Some(process) = &self.process else { return Ok(false) };
        Ok(process.store.games()?.iter().all(|game| is_dead(game) || game.finished && game.delivery.complete))
    }
}

impl Process {
    /// The store through which the player's own commands go.
    pub(crate) fn hand(&mut self) -> &mut Store {
        self.terminal.as_mut().unwrap_or(&mut self.store)
    }
}

/// A game that never began: its accept was refused.
pub(crate) const fn is_dead(game: &GameSummary) -> bool {
    game.length == 2 && game.delivery.refused.is_some()
}
