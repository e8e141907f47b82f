//! A network namespace with a name of its own, gone with all its processes when it is dropped.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// How all names begin. The process that made a namespace comes next, then a number, then a label.
const PREFIX: &str = "chakart-reach";

static MADE: AtomicU32 = AtomicU32::new(0);

/// A network namespace.
pub struct Namespace {
    name: String,
}

impl Namespace {
    /// Makes one, with its loopback up; the label is for people.
    ///
    /// # Errors
    /// What `ip` says: not root, or namespaces are not to be had here.
    pub fn new(label: impl Display) -> Result<Self, String> {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}-{}-{number}-{label}", std::process::id());
        output_of(Command::new("ip").args(["netns", "add", &name]), "")?;
        let namespace = Self { name };
        namespace.ip("link set lo up");
        // Nobody else has these addresses: they need not be tentative for a second.
        namespace.must("sysctl", &["-qw", "net.ipv6.conf.default.accept_dad=0"], "");
        Ok(namespace)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs lines of `ip` commands inside.
    pub fn ip(&self, lines: &str) {
        let arguments = ["-n", &self.name, "-batch", "-"];
        output_of(Command::new("ip").args(arguments), lines)
            .unwrap_or_else(|error| panic!("{lines}: {error}"));
    }

    /// Runs a program inside to its successful end, with this standard input.
    pub fn must(&self, program: &str, arguments: &[&str], input: &str) {
        output_of(self.command(program).args(arguments), input)
            .unwrap_or_else(|error| panic!("{program} {arguments:?}: {error}\n{input}"));
    }

    /// A program to be run inside. Its process is the child itself: nothing stands between.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]).arg(program.as_ref());
        command
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        remove(&self.name);
    }
}

/// Removes the namespaces of test runs that are no more: they were killed before they could.
pub fn remove_left_overs() {
    let Ok(list) = Command::new("ip").args(["netns", "list"]).output() else { return };
    let text = String::from_utf8_lossy(&list.stdout).into_owned();
    for name in text.lines().filter_map(|line| line.split_whitespace().next()) {
        let maker = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').nth(1));
        if maker.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            remove(name);
        }
    }
}

/// Kills what runs in a namespace and deletes it. Errors are of no use to anybody: the next run tries again.
fn remove(name: &str) {
    if let Ok(inside) = Command::new("ip").args(["netns", "pids", name]).output() {
        let pids = String::from_utf8_lossy(&inside.stdout).into_owned();
        if !pids.trim().is_empty() {
            let _ = Command::new("kill").arg("-KILL").args(pids.split_whitespace()).output();
        }
    }
    let _ = Command::new("ip").args(["netns", "delete", name]).output();
}

/// Runs a command to its end with this standard input; an error is what it wrote to standard error.
pub fn output_of(command: &mut Command, input: &str) -> Result<Output, String> {
    let running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = running.map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(|error| error.to_string())?;
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(output)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}
