//! The terminal board gives its terminal back: lines are edited and echoed again, and the screen is the one before.
//!
//! It takes `script` and `stty`, to make a terminal and to look at it. Without them the test says SKIPPED and passes, except
//! in continuous integration.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::program::{PATIENCE, Person};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chakart-under-test");
const OTHER_SCREEN: &str = "\x1b[?1049h";
const SCREEN_BEFORE: &str = "\x1b[?1049l";
const MOUSE_OFF: &str = "\x1b[?1000l";

/// Reads on until a text has come; all that has come.
fn read_until(pieces: &Receiver<String>, seen: &mut String, wanted: &str) {
    while !seen.contains(wanted) {
        let piece = pieces.recv_timeout(PATIENCE);
        seen.push_str(&piece.unwrap_or_else(|_| panic!("no {wanted:?} in {seen:?}")));
    }
}

#[test]
fn after_the_lobby_the_terminal_is_as_it_was() {
    if !cfg!(target_os = "linux") || Command::new("script").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "this must not be skipped here: no script");
        let _ = writeln!(std::io::stderr(), "SKIPPED after_the_lobby_the_terminal_is_as_it_was: no script");
        return;
    }
    let person = Person::new();
    let home = person.home();
    let line = format!(
        "stty rows 24 cols 80; '{PROGRAM}' --home '{}'; echo exit $?; stty -a; echo the end",
        home.display()
    );
    let mut terminal = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .envs([("TERM", "xterm"), ("CHAKART_LISTEN", "/ip4/127.0.0.1/tcp/0"), ("LANG", "C.UTF-8")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script runs");
    let mut output = terminal.stdout.take().expect("piped");
    let (sender, pieces) = channel();
    thread::spawn(move || {
        let mut piece = [0; 4096];
        while let Ok(length) = output.read(&mut piece)
            && length > 0
            && sender.send(String::from_utf8_lossy(&piece[..length]).into_owned()).is_ok()
        {}
    });
    let mut keys = terminal.stdin.take().expect("piped");
    let mut seen = String::new();
    read_until(&pieces, &mut seen, "Your games");
    assert!(seen.contains(OTHER_SCREEN), "{seen:?}");
    keys.write_all(b"q").expect("a key");
    read_until(&pieces, &mut seen, "the end");
    for given_back in [SCREEN_BEFORE, MOUSE_OFF, "exit 0", " icanon", " echo "] {
        assert!(seen.contains(given_back), "{given_back:?} is missing in {seen:?}");
    }
    terminal.wait().expect("script ends");
}
