//! Two people with homes of their own in one folder, and the record of what they typed and read.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use chakart_core::protocol::keys::SecretKey;
use chakart_node::home::Home;
use chakart_node::identity;
use regex_lite::{Captures, Regex};
use tempfile::TempDir;

use super::signed;

/// An argument of more bytes is not shown.
const LONGEST_ARGUMENT: usize = 500;

/// Somebody with a home; both keys are fixed, so that keys and fingerprints in a record do not vary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Person {
    Ada,
    Bob,
}

use Person::{Ada, Bob};

impl Person {
    pub(crate) const fn home(self) -> &'static str {
        match self {
            Ada => "ada",
            Bob => "bob",
        }
    }

    const fn key_file(self) -> &'static str {
        match self {
            Ada => include_str!("keys/ada.key"),
            Bob => include_str!("keys/bob.key"),
        }
    }

    /// The public key, in hexadecimal digits.
    pub(crate) fn key(self) -> &'static str {
        let line = self.key_file().lines().find_map(|line| line.strip_prefix("public "));
        line.expect("a key file names its public key")
    }
}

/// A folder with homes and files, and the record of what was typed and read in it.
pub(crate) struct Story {
    folder: TempDir,
    record: String,
}

impl Story {
    /// Nobody has a home yet.
    pub(crate) fn without_homes() -> Self {
        Self { folder: TempDir::new().expect("a folder for homes"), record: String::new() }
    }

    /// Both have their keys, and no games.
    pub(crate) fn of_two() -> Self {
        let story = Self::without_homes();
        for person in [Ada, Bob] {
            let file = format!("{}.key", person.home());
            story.write_private(&file, person.key_file());
            story.done(person, &["id", "import", &file]);
        }
        story
    }

    /// A game of a variant with the fixed start, without clocks, in which Ada has White. It is called `bob-1` by Ada and
    /// `ada-1` by Bob; both have it as far as its start.
    pub(crate) fn of_a_game(variant: &str) -> Self {
        Self::of_a_game_with(variant, "none")
    }

    /// The same with a time control.
    pub(crate) fn of_a_game_with(variant: &str, time: &str) -> Self {
        let story = Self::of_two();
        story.begin(variant, time);
        story
    }

    /// A game that both have taken from one transcript: Ada, with White, has signed the last of `actions`, and Bob's
    /// answer to it is about to leave the decision `pending`, as in a FEN. Nobody has confirmed it yet.
    pub(crate) fn of_a_signed_game(pending: &str, actions: &[&str]) -> Self {
        let story = Self::of_two();
        let text = signed::about_to_leave(pending, &story.secret_key(Ada), &story.secret_key(Bob), actions);
        story.write_private("signed.chakart", &text);
        for person in [Ada, Bob] {
            story.done(person, &["import", "signed.chakart"]);
        }
        story
    }

    /// Begins one more game of the kind of [`Self::of_a_game`].
    pub(crate) fn begin(&self, variant: &str, time: &str) {
        let offer = ["new", "--no-wait", "--color", "white", "--setup", "fixed", "--name", "Ada"];
        let made = [&offer[..], &["--variant", variant, "--time", time, "--json"]].concat();
        let offer = member(&self.done(Ada, &made), "/offer");
        let block = self.done(Ada, &["send", &offer]);
        let invite = member(&self.done_with(Bob, &["receive", "--json"], &block), "/received/0/invite/name");
        let game =
            member(&self.done(Bob, &["join", &invite, "--no-wait", "--name", "Bob", "--json"]), "/name");
        self.mail(Bob, &game);
        self.mail(Ada, &game.replace("ada", "bob"));
    }

    /// The text of an invite to an offer of somebody, whose node is gone by then.
    pub(crate) fn invite(&self, person: Person, settings: &[&str]) -> String {
        member(&self.done(person, &[&["new", "--no-wait", "--json"], settings].concat()), "/invite")
    }

    /// Runs a command and records it with everything that it said and its exit code, unless that is 0.
    pub(crate) fn types(&mut self, person: Person, arguments: &[&str]) {
        self.types_with(person, arguments, "");
    }

    /// The same, with text on standard input.
    pub(crate) fn types_with(&mut self, person: Person, arguments: &[&str], input: &str) {
        let output = self.run(person, arguments, input);
        let shown: Vec<String> = arguments.iter().map(|&word| shown(word)).collect();
        let _ = writeln!(self.record, "{}> chakart {}", person.home(), shown.join(" "));
        for line in input.lines() {
            let _ = writeln!(self.record, "< {line}");
        }
        self.record.push_str(&pretty(text(&output.stdout)));
        for line in text(&output.stderr).lines() {
            let _ = writeln!(self.record, "! {line}");
        }
        match output.status.code() {
            Some(0) => {}
            code => {
                let _ = writeln!(self.record, "[exit {}]", code.expect("the program ends by itself"));
            }
        }
        self.record.push('\n');
    }

    /// Records the same command as text and as JSON.
    pub(crate) fn types_both(&mut self, person: Person, arguments: &[&str]) {
        self.types(person, arguments);
        self.types(person, &[arguments, &["--json"]].concat());
    }

    /// Runs a command that must succeed, without recording it; its standard output.
    pub(crate) fn done(&self, person: Person, arguments: &[&str]) -> String {
        self.done_with(person, arguments, "")
    }

    /// The same, with text on standard input.
    pub(crate) fn done_with(&self, person: Person, arguments: &[&str], input: &str) -> String {
        let output = self.run(person, arguments, input);
        assert!(output.status.success(), "{person:?}: {arguments:?}: {output:?}");
        text(&output.stdout).to_owned()
    }

    /// Runs a command by which somebody learns that the other has broken the protocol, without recording it.
    pub(crate) fn breaks_the_protocol(&self, victim: Person, arguments: &[&str], input: &str) {
        let output = self.run(victim, arguments, input);
        assert_eq!(output.status.code(), Some(5), "{victim:?}: {arguments:?}: {output:?}");
    }

    /// Copies the files of a home, as somebody does who plays on two machines.
    pub(crate) fn copy_home(&self, person: Person, copy: &str) {
        let copy = self.path(copy);
        std::fs::create_dir(&copy).expect("the folder is ours");
        for file in std::fs::read_dir(self.path(person.home())).expect("a home") {
            let file = file.expect("a file of the home");
            std::fs::copy(file.path(), copy.join(file.file_name())).expect("a file of the home");
        }
    }

    /// Puts such a copy in the place of the home.
    pub(crate) fn move_home(&self, copy: &str, person: Person) {
        let home = self.path(person.home());
        std::fs::remove_dir_all(&home).expect("a home");
        std::fs::rename(self.path(copy), home).expect("the folder is ours");
    }

    /// One sends what the other is owed in a game, or an offer; whatever answers that makes due follow.
    pub(crate) fn mail(&self, from: Person, game: &str) {
        let mut block = self.done(from, &["send", game]);
        let mut to = other(from);
        while block.contains("-----BEGIN CHAKART BLOCK-----") {
            block = self.done_with(to, &["receive"], &block);
            to = other(to);
        }
    }

    /// Actions in turn, beginning with Ada, mailed one by one.
    pub(crate) fn play(&self, actions: &[&str]) {
        for (index, action) in actions.iter().enumerate() {
            let (person, game) = if index % 2 == 0 { (Ada, "bob-1") } else { (Bob, "ada-1") };
            self.done(person, &["move", game, action, "--yes"]);
            self.mail(person, game);
        }
    }

    /// Where a file of this folder is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file that only its owner may read.
    pub(crate) fn write_private(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::write(&path, content).expect("the folder is ours");
        make_private(&path);
    }

    /// The text of a file of this folder.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file of text")
    }

    /// The record, with everything that varies redacted.
    pub(crate) fn record(self) -> String {
        redacted(&self.record)
    }

    fn secret_key(&self, person: Person) -> SecretKey {
        let home = Home::open(self.path(person.home())).expect("a home");
        identity::load(&home).expect("a key")
    }

    fn run(&self, person: Person, arguments: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_chakart"))
            .args(["--home", person.home()])
            .args(arguments)
            .current_dir(self.folder.path())
            .env("CHAKART_LISTEN", "/ip4/127.0.0.1/tcp/0")
            .env_remove("CHAKART_HOME")
            .env_remove("CHAKART_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program was built for this test");
        let mut stdin = child.stdin.take().expect("a pipe");
        // A command that reads nothing closes the pipe.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        child.wait_with_output().expect("the program ends")
    }
}

/// A text with another character in its middle.
pub(crate) fn other_character_in(text: &str) -> String {
    let middle = text.len() / 2;
    let other = if text[middle..].starts_with('A') { "B" } else { "A" };
    format!("{}{other}{}", &text[..middle], &text[middle + 1..])
}

/// A text in a JSON object.
fn member(object: &str, pointer: &str) -> String {
    let object: serde_json::Value = serde_json::from_str(object).expect("a JSON object");
    object.pointer(pointer).and_then(serde_json::Value::as_str).expect("a text").to_owned()
}

const fn other(person: Person) -> Person {
    match person {
        Ada => Bob,
        Bob => Ada,
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("output is text")
}

/// An argument as a shell takes it, but for what is too long or cannot be seen.
fn shown(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,/=:".contains(c);
    if word.len() > LONGEST_ARGUMENT {
        format!("[{} bytes]", word.len())
    } else if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", visible(word))
    }
}

/// A JSON object with a line for each member; other text as it is.
fn pretty(output: &str) -> String {
    match serde_json::from_str::<serde_json::Value>(output) {
        Ok(object) if object.is_object() => {
            assert!(output.is_ascii(), "JSON is printed in ASCII: {output}");
            visible(&format!("{object:#}\n"))
        }
        _ => output.to_owned(),
    }
}

/// What is not ASCII, and what moves the cursor, as `<U+202E>`: not as the program itself escapes it.
fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | ' '..='~' => c.to_string(),
        _ => format!("<U+{:04X}>", u32::from(c)),
    };
    text.chars().map(shown).collect()
}

fn redacted(record: &str) -> String {
    let known = [Ada.key(), Bob.key()];
    let mut text = record.to_owned();
    for (varies, shown) in [
        (r"(?s)-----BEGIN CHAKART BLOCK-----.*?-----END CHAKART BLOCK [0-9a-f]{8}-----", "[block]"),
        (r"chakart:[A-Za-z0-9_-]{40,}", "[invite]"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "[stamp]"),
        (r#"("(?:[a-z]+_)?ms"): -?\d+"#, r#"$1: "[ms]""#),
        // A message has the moment of its writing for a number.
        (r#""number": \d{9,}"#, r#""number": "[number]""#),
        (r"(?:\d+[dhms])+ (left|over time)", "[duration] $1"),
    ] {
        text = Regex::new(varies).expect("a pattern").replace_all(&text, shown).into_owned();
    }
    let digest = Regex::new("[0-9a-f]{64}").expect("a pattern");
    digest
        .replace_all(&text, |found: &Captures<'_>| {
            if known.contains(&&found[0]) { found[0].to_owned() } else { "[digest]".to_owned() }
        })
        .into_owned()
}

#[cfg(unix)]
fn make_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).expect("the file is ours");
}

#[cfg(not(unix))]
fn make_private(_path: &Path) {}
