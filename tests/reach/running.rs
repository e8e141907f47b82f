//! A program that goes on while a test talks to it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for a program to say something before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How often something is looked at that tells nobody of itself.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Looks again and again until there is something.
///
/// # Panics
/// If it does not come within [`PATIENCE`].
pub fn await_until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "not in time: {what}");
        thread::sleep(LOOK_EVERY);
    }
}

/// A program. Dropped, it is killed.
pub struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Every line that was read so far, for a failed assertion.
    scroll: Vec<String>,
}

impl Running {
    /// Starts a program; its standard error is shown with the test's.
    pub fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                // The test may have ended.
                let _ = sender.send(line);
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, scroll: Vec::new() }
    }

    /// Types a line; a program that has ended does not hear it.
    pub fn type_line(&mut self, line: &str) {
        if let Some(stdin) = &mut self.stdin {
            // What became of it is seen at its output.
            let _ = writeln!(stdin, "{line}");
        }
    }

    /// The next line in which something is found; the lines before it are passed over.
    ///
    /// # Panics
    /// If it does not come within [`PATIENCE`].
    pub fn find<T>(&mut self, what: &str, wanted: impl Fn(&str) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    let found = wanted(&line);
                    self.scroll.push(line);
                    if let Some(found) = found {
                        return found;
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no {what} in time: {:#?}", self.scroll),
                Err(RecvTimeoutError::Disconnected) => panic!("no {what}, it ended: {:#?}", self.scroll),
            }
        }
    }

    /// The next line, if it is there already.
    pub fn heard(&mut self) -> Option<String> {
        self.lines.try_recv().ok().inspect(|line| self.scroll.push(line.clone()))
    }

    /// The next line that contains a text.
    pub fn line_with(&mut self, text: &str) -> String {
        self.find(text, |line| line.contains(text).then(|| line.to_owned()))
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal, by name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.pid().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "SIG{name} is sent");
    }

    /// SIGKILL, and waits until it is gone.
    pub fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}
