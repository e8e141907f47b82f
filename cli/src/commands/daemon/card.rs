//! What a daemon leaves in its home for `daemon status`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use chakart_node::home::Home;
use chakart_node::runtime::{Node, Standing, unix_ms};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::new::Whereabouts;
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::show::escape::escaped;
use crate::show::{json, path, stamp};

/// The file in the home.
pub(super) struct Card {
    path: PathBuf,
    since_ms: u64,
}

/// What is in it.
#[derive(Serialize, Deserialize)]
struct Content {
    pid: u32,
    since_ms: u64,
    addresses: Vec<String>,
    standing: Standing,
    peers: Vec<Peer>,
}

#[derive(Serialize, Deserialize)]
struct Peer {
    key: String,
    addresses: Vec<String>,
}

impl Card {
    pub(super) fn new(home: &Home) -> Self {
        Self { path: file(home), since_ms: unix_ms() }
    }

    /// Writes how the daemon stands; readers see the old card or this one.
    pub(super) async fn write(&self, node: &Node) -> Result<(), Failure> {
        let peers = node.handle().peers().await?.into_iter();
        let content = Content {
            pid: std::process::id(),
            since_ms: self.since_ms,
            addresses: node.handle().listen_addresses().await?,
            standing: node.handle().standing().await?,
            peers: peers.map(|peer| Peer { key: peer.peer.to_string(), addresses: peer.addresses }).collect(),
        };
        let text = serde_json::to_vec(&content).map_err(std::io::Error::from)?;
        let beside = self.path.with_extension("tmp");
        let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &self.path));
        written
            .map_err(|error| Problem::new(Kind::Storage, format!("{}: {error}", self.path.display())).into())
    }

    pub(super) fn remove(&self) {
        // One that stays behind is not believed once the home is free.
        let _ = fs::remove_file(&self.path);
    }
}

fn file(home: &Home) -> PathBuf {
    home.root().join("daemon.json")
}

/// How the daemon of a home that is in use can be reached; `None` if none tells.
pub(super) fn whereabouts(home: &Home) -> Option<Whereabouts> {
    let Content { addresses, standing, .. } = read(home)?;
    Some(Whereabouts { addresses, relays: standing.relays, mailboxes: Vec::new() })
}

/// How the daemon of a home that is in use stands in the network; `None` if none tells.
pub(super) fn standing(home: &Home) -> Option<Standing> {
    read(home).map(|content| content.standing)
}

/// Tells whether a daemon runs.
pub(super) fn status(home: &Home, json: Json, out: &mut dyn Write) -> Result<Exit, Failure> {
    let busy = home.is_in_use();
    let content = if busy { read(home) } else { None };
    if json.json {
        json::write_line(
            out,
            &json!({ "running": content.is_some(), "home_in_use": busy, "daemon": content }),
        )?;
    } else {
        tell(content.as_ref(), busy, out)?;
    }
    Ok(if content.is_some() { Exit::Done } else { Exit::No })
}

/// The card of the daemon that has the home. One that a killed daemon left behind is not believed when another command
/// has the home since.
fn read(home: &Home) -> Option<Content> {
    let content: Content = serde_json::from_slice(&fs::read(file(home)).ok()?).ok()?;
    (home.last_holder() == Some(content.pid)).then_some(content)
}

fn tell(content: Option<&Content>, busy: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(content) = content else {
        let other = if busy { "; another command runs a node" } else { "" };
        return Ok(writeln!(out, "no daemon is running{other}")?);
    };
    writeln!(out, "running: process {}, since {}", content.pid, stamp::utc(content.since_ms))?;
    for address in &content.addresses {
        writeln!(out, "listening on {}", path::kind(address))?;
    }
    for relay in &content.standing.relays {
        writeln!(out, "reachable through the relay {}", escaped(relay))?;
    }
    for (mailbox, words) in &content.standing.mailboxes {
        writeln!(out, "mailbox {}: {}", escaped(mailbox), escaped(words))?;
    }
    for peer in &content.peers {
        let way = peer.addresses.first().map_or_else(String::new, |address| path::kind(address));
        writeln!(out, "connected: {} ({way})", peer.key)?;
    }
    Ok(())
}
