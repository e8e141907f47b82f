//! The mailbox that this node keeps for others, on a thread of its own: the loop never waits for its disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use chakart_core::protocol::keys::PublicKey;
use libp2p::request_response::ResponseChannel;
use tokio::sync::mpsc;

use crate::mailbox::keeper::Keeper;
use crate::mailbox::message::{Request, Response};

/// Requests that wait for the thread, at most; beyond that peers hear that it is busy.
const MAX_WAITING_JOBS: usize = 32;
/// How often what the mailbox keeps is counted, in milliseconds.
const COUNT_EVERY_MS: u64 = 60_000;

/// What the thread has to do.
#[derive(Debug)]
pub(super) enum Job {
    /// Answer a peer.
    Answer { peer: PublicKey, request: Request, channel: ResponseChannel<Response> },
    /// Look after old letters.
    Tick,
}

/// An answer, and to which request.
pub(super) type Answer = (ResponseChannel<Response>, Response);

/// What the thread has counted.
#[derive(Debug, Default)]
pub(super) struct Figures {
    pub(super) letters: AtomicU64,
    pub(super) bytes: AtomicU64,
    /// Letters that were refused, since the start.
    pub(super) refused: AtomicU64,
}

/// The way to the thread and back; it ends with this.
#[derive(Debug)]
pub(super) struct Keeping {
    jobs: mpsc::Sender<Job>,
    answers: mpsc::Receiver<Answer>,
    pub(super) figures: Arc<Figures>,
}

impl Keeping {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(super) fn start(keeper: Keeper, clock: fn() -> u64) -> std::io::Result<Self> {
        let (jobs, inbox) = mpsc::channel(MAX_WAITING_JOBS);
        let (outbox, answers) = mpsc::channel(MAX_WAITING_JOBS);
        let figures = Arc::new(Figures::default());
        let worker = Worker { keeper, clock, figures: Arc::clone(&figures), counted_ms: None };
        thread::Builder::new().name("mailbox".to_owned()).spawn(move || worker.run(inbox, &outbox))?;
        Ok(Self { jobs, answers, figures })
    }

    /// Gives the thread something to do; what to answer at once if it has enough.
    pub(super) fn ask(&self, job: Job) -> Option<Answer> {
        match self.jobs.try_send(job).map_err(mpsc::error::TrySendError::into_inner) {
            Err(Job::Answer { channel, .. }) => Some((channel, Response::Busy)),
            Ok(()) | Err(Job::Tick) => None,
        }
    }
}

/// The next answer of the mailbox, if there is one here; else it is waited for without end. May be dropped while it waits.
pub(super) async fn next_answer(keeping: &mut Option<Keeping>) -> Answer {
    if let Some(running) = keeping {
        if let Some(answer) = running.answers.recv().await {
            return answer;
        }
        tracing::error!("the mailbox of this node has ended");
        *keeping = None;
    }
    std::future::pending().await
}

struct Worker {
    keeper: Keeper,
    clock: fn() -> u64,
    figures: Arc<Figures>,
    counted_ms: Option<u64>,
}

impl Worker {
    fn run(mut self, mut inbox: mpsc::Receiver<Job>, outbox: &mpsc::Sender<Answer>) {
        while let Some(job) = inbox.blocking_recv() {
            match job {
                Job::Tick => self.tick(),
                Job::Answer { peer, request, channel } => {
                    let response = self.keeper.answer(&peer, &request, (self.clock)());
                    if matches!((&request, &response), (Request::Put(_), Response::Refused(_))) {
                        self.figures.refused.fetch_add(1, Ordering::Relaxed);
                    }
                    if outbox.blocking_send((channel, response)).is_err() {
                        return;
                    }
                }
            }
        }
    }

    fn tick(&mut self) {
        let now_ms = (self.clock)();
        if let Err(error) = self.keeper.tick(now_ms) {
            tracing::error!(%error, "old letters are not deleted");
        }
        if self.counted_ms.is_some_and(|at_ms| now_ms.saturating_sub(at_ms) < COUNT_EVERY_MS) {
            return;
        }
        self.counted_ms = Some(now_ms);
        match self.keeper.fill() {
            Ok(fill) => {
                self.figures.letters.store(fill.letters, Ordering::Relaxed);
                self.figures.bytes.store(fill.bytes, Ordering::Relaxed);
            }
            Err(error) => tracing::error!(%error, "what the mailbox keeps is not counted"),
        }
    }
}
