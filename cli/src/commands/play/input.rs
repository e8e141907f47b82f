//! Lines from standard input without blocking the board.

use std::io::{self, BufRead, IsTerminal, Read};

use tokio::sync::mpsc;

/// Longest line that is read, in bytes; the rest of a longer one is read as further lines.
const MAX_LINE_BYTES: u64 = 1_024;
/// Lines that may be read ahead.
const MAX_READ_AHEAD: usize = 16;

/// The lines of standard input.
pub(super) struct Input {
    lines: mpsc::Receiver<String>,
    terminal: bool,
}

impl Input {
    /// Starts a thread that reads: a read of a terminal cannot be called off.
    pub(super) fn of_stdin() -> Self {
        let (sender, lines) = mpsc::channel(MAX_READ_AHEAD);
        std::thread::spawn(move || {
            let mut line = Vec::new();
            while let Ok(length) = read_line(&mut line)
                && length > 0
                && sender.blocking_send(String::from_utf8_lossy(&line).trim().to_owned()).is_ok()
            {
            }
        });
        Self { lines, terminal: io::stdin().is_terminal() && io::stdout().is_terminal() }
    }

    pub(super) const fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// The next line; `None` at the end. May be dropped while it waits: nothing is lost.
    pub(super) async fn line(&mut self) -> Option<String> {
        self.lines.recv().await
    }
}

fn read_line(line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    io::stdin().lock().take(MAX_LINE_BYTES).read_until(b'\n', line)
}
