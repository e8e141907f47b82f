//! The program as its users run it: processes with homes of their own, talked to through their standard streams.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::Duration;

use chakart_core::transcript::report::Report;
use chakart_core::transcript::verify::{Expected, check};
use chakart_node::home::Home;
use chakart_node::store::Store;
use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_chakart-under-test");

/// Longest wait for anything to happen before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A person with a home.
pub struct Person {
    folder: TempDir,
    /// Where every node of this home listens: loopback alone, and the same port after a restart.
    address: String,
}

impl Person {
    /// A person whose home has a key.
    pub fn new() -> Self {
        let person = Self::without_key();
        person.done(&["id", "create"]);
        person
    }

    /// A person whose home does not exist yet.
    pub fn without_key() -> Self {
        let probe = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = probe.local_addr().expect("an address").port();
        Self {
            folder: TempDir::new().expect("a folder for a home"),
            address: format!("/ip4/127.0.0.1/tcp/{port}"),
        }
    }

    /// The same person on another machine, with an empty home, at the same address.
    pub fn moved_elsewhere(&self) -> Self {
        Self { folder: TempDir::new().expect("a folder for a home"), address: self.address.clone() }
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// A file beside the home.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).stdin(Stdio::null()).output().expect("the program runs")
    }

    /// Runs a command that must succeed; its standard output.
    pub fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", both(&output));
        String::from_utf8(output.stdout).expect("output is text")
    }

    /// Runs a command that must succeed, with text on its standard input; its standard output.
    pub fn give(&self, arguments: &[&str], input: &str) -> String {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("the program reads all of it");
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{arguments:?}: {}", both(&output));
        String::from_utf8(output.stdout).expect("output is text")
    }

    /// Runs a command that must succeed and answer with one JSON object.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let text = self.done(&[arguments, &["--json"]].concat());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
    }

    /// The store of this home, opened beside whatever process uses it.
    pub fn store(&self) -> Store {
        let home = Home::open(self.home()).expect("the home");
        let key = chakart_node::identity::load(&home).expect("the key");
        Store::open(&home.store_file(), key).expect("the store")
    }

    /// Starts a command that goes on; its lines arrive at `lines` with this tag, `None` at their end.
    pub fn start<T: Copy + Send + 'static>(
        &self,
        arguments: &[&str],
        tag: T,
        lines: &Sender<(T, Option<String>)>,
    ) -> Running {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let lines = lines.clone();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                // The test may have ended.
                let _ = lines.send((tag, Some(line)));
            }
            let _ = lines.send((tag, None));
        });
        let stdin = child.stdin.take();
        Running { child, stdin }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg("--home").arg(self.home()).args(arguments).current_dir(self.folder.path());
        command.env("CHAKART_LISTEN", &self.address);
        command
    }
}

/// A command that goes on. Dropped, it is killed.
pub struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
}

impl Running {
    /// Types a line; whether the program was still there to take it.
    pub fn type_line(&mut self, line: &str) -> bool {
        self.stdin.as_mut().is_some_and(|stdin| writeln!(stdin, "{line}").is_ok())
    }

    /// SIGKILL, and waits until it is gone.
    pub fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for the end; the exit code.
    pub fn exit_code(&mut self) -> Option<i32> {
        self.stdin = None;
        self.child.wait().expect("a child to wait for").code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What a command printed, for a failed assertion.
pub fn both(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr))
}

/// The report on a file.
pub fn report(file: &Path) -> Report {
    let bytes = std::fs::read(file).expect("a written file");
    Report::of(&check(&bytes, Expected::default()))
}

/// The lines of a program up to its end; a program that says nothing for too long fails the test.
pub fn patient<T>(lines: &Receiver<(T, Option<String>)>) -> impl Iterator<Item = String> {
    std::iter::from_fn(|| match lines.recv_timeout(PATIENCE) {
        Ok((_, line)) => line,
        Err(error) => panic!("the program says nothing more: {error}"),
    })
}

/// Two people who have begun a game over loopback, and what it is called in each home.
pub fn begin_game(host: &Person, guest: &Person, settings: &[&str]) -> [String; 2] {
    let (lines, heard) = std::sync::mpsc::channel();
    let mut waiting = host.start(&[&["new"], settings].concat(), (), &lines);
    let mut heard = patient(&heard);
    let invite = heard.find_map(|line| {
        let from = line.find("chakart:")?;
        Some(line[from..].trim_end_matches('\'').to_owned())
    });
    let joined = guest.json(&["join", &invite.expect("an invite")]);
    let guest_name = joined["name"].as_str().expect("a name").to_owned();
    let host_name = heard.find_map(|line| {
        let rest = line.strip_prefix("The game is called ")?;
        Some(rest.split('.').next()?.to_owned())
    });
    assert_eq!(waiting.exit_code(), Some(0));
    [host_name.expect("the game has begun"), guest_name]
}
