//! Waiting for something to become true.

use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for anything to happen before a test gives up.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks.
const INTERVAL: Duration = Duration::from_millis(10);

/// Looks again and again until there is something; fails the test, saying what was waited for, if it never comes.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain: {what}");
        thread::sleep(INTERVAL);
    }
}
