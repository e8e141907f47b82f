//! Stores that outlive the process that writes them, and processes that die at any point of a write.
//!
//! A disk is a database in memory that several connections can open. A fuse on each connection stops a statement in its
//! middle or a transaction before its commit; whoever set it then drops the store and opens the disk again.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use chakart_core::protocol::keys::SecretKey;
use chakart_node::store::{Store, StoreError};
use rusqlite::Connection;

use crate::random::Random;

/// Instructions of SQLite's machine between two looks at the fuse.
const INSTRUCTIONS_PER_LOOK: i32 = 20;

/// Where in a piece of work the process dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// After so many looks at the fuse: anywhere within or between statements.
    Within(i64),
    /// When the so-manieth transaction of the work is to be committed, from 1.
    AtCommit(i64),
    /// When the work is done and on disk, before anything of it leaves.
    AfterAll,
}

/// When the processes of a world die.
#[derive(Clone, Debug)]
pub(crate) enum Crashes {
    Never,
    /// So often in ten thousand pieces of work, so many times at most: every start replays a game.
    Often {
        times: u64,
        left: u64,
    },
    /// Once, in this piece of work.
    Once {
        work: u64,
        moment: Moment,
    },
}

#[derive(Debug, Default)]
struct Fuse {
    looks: AtomicI64,
    commits: AtomicI64,
}

/// What is left of a machine without power.
#[derive(Debug)]
pub(crate) struct Disk {
    name: String,
    fuse: Arc<Fuse>,
    /// The database lives as long as one connection to it.
    _keeper: Connection,
}

impl Moment {
    pub(crate) fn any(random: &mut Random) -> Self {
        match random.below(3) {
            0 => Self::Within(i64::try_from(random.below(60)).expect("below 60")),
            1 => Self::AtCommit(i64::try_from(random.between(1, 3)).expect("at most 3")),
            _ => Self::AfterAll,
        }
    }
}

impl Crashes {
    pub(crate) fn any(random: &mut Random) -> Self {
        match random.below(10) {
            0..=4 => Self::Never,
            5..=8 => Self::Often { times: 20, left: 10 },
            _ => Self::Often { times: 150, left: 30 },
        }
    }

    /// Whether the process dies in this piece of work, and where.
    pub(crate) fn next(&mut self, work: u64, random: &mut Random) -> Option<Moment> {
        match self {
            Self::Never | Self::Often { left: 0, .. } => None,
            Self::Often { times, left } => {
                let fatal = random.below(10_000) < *times;
                *left -= u64::from(fatal);
                fatal.then(|| Moment::any(random))
            }
            Self::Once { work: fatal, moment } => (work == *fatal).then_some(*moment),
        }
    }
}

impl Disk {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("file:/disk-{}?vfs=memdb", NEXT.fetch_add(1, Relaxed));
        let keeper = Connection::open(&name).expect("memory");
        Self { name, fuse: Arc::default(), _keeper: keeper }
    }

    /// Starts a process on what is on the disk.
    pub(crate) fn open(&self, key: SecretKey) -> Result<Store, StoreError> {
        self.disarm();
        let mut db = Connection::open(&self.name)?;
        let fuse = Arc::clone(&self.fuse);
        db.progress_handler(INSTRUCTIONS_PER_LOOK, Some(move || fuse.looks.fetch_sub(1, Relaxed) == 1))?;
        let fuse = Arc::clone(&self.fuse);
        db.commit_hook(Some(move || fuse.commits.fetch_sub(1, Relaxed) == 1))?;
        Store::with(db, key)
    }

    /// Sets the fuse for the next piece of work.
    pub(crate) fn arm(&self, moment: Moment) {
        match moment {
            Moment::Within(looks) => self.fuse.looks.store(looks + 1, Relaxed),
            Moment::AtCommit(commits) => self.fuse.commits.store(commits, Relaxed),
            Moment::AfterAll => {}
        }
    }

    /// Takes the fuse out.
    pub(crate) fn disarm(&self) {
        self.fuse.looks.store(0, Relaxed);
        self.fuse.commits.store(0, Relaxed);
    }
}
