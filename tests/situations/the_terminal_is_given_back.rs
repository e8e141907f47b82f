//! The terminal board gives its terminal back: lines are edited and echoed again, and the screen is the one before.
//!
//! It takes `script` and `stty`, to make a terminal and to look at it. Without them the test says SKIPPED and passes, except
//! in continuous integration.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::program::{PATIENCE, Person};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chakart-under-test");
const OTHER_SCREEN: &str = "\x1b[?1049h";
const SCREEN_BEFORE: &str = "\x1b[?1049l";
const PASTE_OFF: &str = "\x1b[?2004l";
const MOUSE_OFF: &str = "\x1b[?1000l";

/// A program in a terminal of 24 rows and 80 columns.
struct Terminal {
    script: Child,
    keys: ChildStdin,
    pieces: Receiver<String>,
    /// Everything that has come.
    seen: String,
}

impl Terminal {
    /// Starts the program without a command; none without what makes terminals, which is told.
    fn open(person: &Person, test: &str) -> Option<Self> {
        if !cfg!(target_os = "linux") || Command::new("script").arg("--version").output().is_err() {
            assert!(std::env::var_os("CI").is_none(), "this must not be skipped here: no script");
            let _ = writeln!(std::io::stderr(), "SKIPPED {test}: no script");
            return None;
        }
        let line = format!(
            "stty rows 24 cols 80; sh -c 'echo \"process $$.\"; exec \"{PROGRAM}\" --home \"{}\"'; echo exit $?; stty -a; echo the end",
            person.home().display()
        );
        let mut script = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .envs([("TERM", "xterm"), ("CHAKART_LISTEN", "/ip4/127.0.0.1/tcp/0"), ("LANG", "C.UTF-8")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script runs");
        let mut output = script.stdout.take().expect("piped");
        let keys = script.stdin.take().expect("piped");
        let (sender, pieces) = channel();
        thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(length) = output.read(&mut piece)
                && length > 0
                && sender.send(String::from_utf8_lossy(&piece[..length]).into_owned()).is_ok()
            {}
        });
        Some(Self { script, keys, pieces, seen: String::new() })
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal is there");
    }

    /// Reads on until a text has come after everything that was read before.
    fn read_until(&mut self, wanted: &str) {
        let before = self.seen.len();
        while !self.seen[before..].contains(wanted) {
            let piece = self.pieces.recv_timeout(PATIENCE);
            self.seen
                .push_str(&piece.unwrap_or_else(|_| panic!("no {wanted:?} in {:?}", &self.seen[before..])));
        }
    }

    /// Asks the program to stop, as the system does when it shuts down.
    fn ask_to_stop(&self) {
        let process = self.seen.split("process ").nth(1).and_then(|rest| rest.split('.').next());
        let killed = Command::new("kill").args(["-TERM", process.expect("it was printed")]).status();
        assert!(killed.is_ok_and(|status| status.success()));
    }

    fn end(mut self) {
        self.read_until("the end");
        for given_back in [SCREEN_BEFORE, MOUSE_OFF, PASTE_OFF, "exit 0", " icanon", " echo "] {
            assert!(self.seen.contains(given_back), "{given_back:?} is missing in {:?}", self.seen);
        }
        self.script.wait().expect("script ends");
    }
}

#[test]
fn after_the_lobby_the_terminal_is_as_it_was() {
    let person = Person::new();
    let Some(mut terminal) = Terminal::open(&person, "after_the_lobby_the_terminal_is_as_it_was") else {
        return;
    };
    terminal.read_until("Your games");
    assert!(terminal.seen.contains(OTHER_SCREEN), "{:?}", terminal.seen);
    terminal.press("q");
    terminal.end();
}

// Only cells that change are sent: each text that is waited for comes where there was nothing.
#[test]
fn a_newcomer_goes_to_the_tour_and_to_practice_and_comes_back() {
    let person = Person::new();
    let name = "a_newcomer_goes_to_the_tour_and_to_practice_and_comes_back";
    let Some(mut terminal) = Terminal::open(&person, name) else { return };
    terminal.read_until("Welcome!");
    terminal.press("t");
    terminal.read_until("try it");
    terminal.press("e2e4\r");
    terminal.read_until("mushroom on e3");
    terminal.press("q");
    terminal.read_until("Welcome!");
    terminal.press("p1");
    terminal.read_until("unused:");
    terminal.press("q");
    terminal.read_until("not now");
    terminal.press("y");
    terminal.read_until("Welcome!");
    terminal.press("q");
    terminal.end();
}

#[test]
fn a_program_that_is_asked_to_stop_gives_the_terminal_back() {
    let person = Person::new();
    let name = "a_program_that_is_asked_to_stop_gives_the_terminal_back";
    let Some(mut terminal) = Terminal::open(&person, name) else { return };
    terminal.read_until("Welcome!");
    // Also from a board within the lobby.
    terminal.press("t");
    terminal.read_until("try it");
    terminal.ask_to_stop();
    terminal.end();
}
