//! `net doctor`: what was tried, what worked, what to change, in plain words.

mod reachable;

use std::io::Write;
use std::time::Duration;

use chakart_core::protocol::keys::PublicKey;
use chakart_node::runtime::{Node, NodeError, Standing};
use chakart_node::settings::{DiscoveryNetwork, Settings};
use chakart_node::store::ContactPath;
use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use self::reachable::Reachable;
use crate::args::Json;
use crate::commands::daemon;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::runtime::{self, node_config};
use crate::show::escape::escaped;
use crate::show::{json, path};

/// Said below the arguments.
pub(super) const HELP: &str = "It takes about a quarter of a minute. Beside a running daemon it tells how that one \
    stands.\n\nExit codes: 0 something from outside can reach this machine, or nothing from outside was asked for; 3 \
    nothing can.\n\nNot tried where this program was made: the real public network, real home routers with UPnP, and \
    providers that share one address among many customers. There it was tried against hosts and address-translating \
    routers made of network namespaces, and against a relay and a table of another implementation of libp2p.";

/// How long the ways may take to come up.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often it is seen whether they have.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How long a friend may take to be reached.
const FRIEND_PATIENCE: Duration = Duration::from_secs(15);

/// How a friend was reached.
struct Friend {
    name: String,
    path: Result<ContactPath, String>,
}

pub(super) fn run(player: Player, json: Json, out: &mut dyn Write) -> Result<Exit, Failure> {
    runtime::run(async move {
        let settings = Settings::of(&player.home)?;
        let config = node_config(&player.home, &[])?;
        let (standing, friends) = match Node::start(&player.home, player.key.clone(), config).await {
            Ok(node) => {
                // Late or stopped is told by how each mailbox stands.
                let _ = timeout(PATIENCE, node.handle().settle_mailboxes()).await;
                let standing = settled(&node, &settings).await?;
                let friends = reach_friends(&node, &player).await?;
                node.stop().await;
                (standing, friends)
            }
            Err(NodeError::Home(_)) => (daemon::standing(&player.home).ok_or_else(in_use)?, Vec::new()),
            Err(error) => return Err(error.into()),
        };
        tell(&settings, &standing, &friends, json, out)
    })
}

fn in_use() -> Problem {
    Problem::new(Kind::Refused, "another command of this home runs a node")
        .hint("leave it, then ask again; beside a 'chakart daemon' it works too")
}

/// Waits until every way that was asked for has come up, or long enough.
async fn settled(node: &Node, settings: &Settings) -> Result<Standing, Failure> {
    let end = Instant::now() + PATIENCE;
    loop {
        let standing = node.handle().standing().await?;
        let relays = settings.relays.is_empty() || !standing.relays.is_empty();
        let network = standing.network.as_ref().is_none_or(|(_, nodes)| *nodes > 0);
        let router = !settings.port_mapping || standing.port_mapping.is_some();
        // A relay looks whether this machine can be reached without it.
        let checked = settings.relays.is_empty() || standing.reachable.is_some();
        if (relays && network && router && checked) || Instant::now() >= end {
            return Ok(standing);
        }
        sleep(LOOK_EVERY).await;
    }
}

async fn reach_friends(node: &Node, player: &Player) -> Result<Vec<Friend>, Failure> {
    let mut friends = Vec::new();
    let wanted = player.store.wanted_peers()?;
    for peer in wanted.iter().filter_map(|key| PublicKey::from_bytes(key).ok()) {
        let reached = timeout(FRIEND_PATIENCE, node.handle().connect(peer, Vec::new())).await;
        let path = match reached {
            Ok(Ok(())) => Ok(path_of(node, &peer).await?),
            Ok(Err(error)) => Err(path::unreached(error)),
            Err(_) => Err(path::NO_ANSWER.to_owned()),
        };
        friends.push(Friend { name: player.called(&peer)?, path });
    }
    Ok(friends)
}

async fn path_of(node: &Node, peer: &PublicKey) -> Result<ContactPath, Failure> {
    let peers = node.handle().peers().await?;
    Ok(peers.iter().find(|status| status.peer == *peer).map_or(ContactPath::Direct, |status| status.path))
}

fn tell(
    settings: &Settings,
    standing: &Standing,
    friends: &[Friend],
    json: Json,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let advice = advice(settings, standing);
    if json.json {
        let friends = friends.iter().map(|friend| {
            let path = friend.path.as_ref();
            json!({ "friend": friend.name, "path": path.ok().map(|path| path.name()), "unreached": path.err() })
        });
        let friends: Vec<_> = friends.collect();
        json::write_line(
            out,
            &json!({ "reachable": Reachable::of(standing), "standing": standing, "friends": friends, "advice": advice }),
        )?;
    } else {
        for line in lines(settings, standing).into_iter().chain(friends.iter().map(friend_line)) {
            writeln!(out, "{}", escaped(&line))?;
        }
        for line in &advice {
            writeln!(out, "* {line}")?;
        }
    }
    let asked = !settings.relays.is_empty() || settings.network != DiscoveryNetwork::None;
    Ok(if asked && Reachable::of(standing) == Reachable::Not { Exit::Unreachable } else { Exit::Done })
}

fn lines(settings: &Settings, standing: &Standing) -> Vec<String> {
    let mut lines = vec![Reachable::of(standing).words().to_owned()];
    let mut listens: Vec<String> = standing.listens.iter().filter(|at| is_of_use(at)).cloned().collect();
    listens.sort();
    lines.push(format!("listens on: {}", listed(&listens, "this machine alone")));
    if !standing.relays.is_empty() || !standing.seen.is_empty() {
        lines
            .push(format!("relays see it at: {}", listed(&standing.seen, "an address of the local network")));
    }
    lines.push(format!(
        "reached from outside at: {}",
        listed(&standing.external, "nothing that is known to work")
    ));
    lines.extend(standing.reachable.as_ref().map(|checked| format!("checked by another node: {checked}")));
    lines.push(match (&standing.port_mapping, settings.port_mapping) {
        (Some(said), _) => format!("router: {said}"),
        (None, true) => "router: no answer yet".to_owned(),
        (None, false) => "router: not asked (port_mapping = false)".to_owned(),
    });
    lines.push(match standing.lan {
        Some(0) => "local network: friends are looked for; no node was heard of".to_owned(),
        Some(1) => "local network: friends are looked for; 1 node was heard of".to_owned(),
        Some(heard) => format!("local network: friends are looked for; {heard} nodes were heard of"),
        None => "local network: friends are not looked for".to_owned(),
    });
    if standing.known_relays.is_empty() {
        lines.push("relays: none named".to_owned());
    }
    lines.extend(standing.known_relays.iter().map(|(relay, words)| format!("relay {relay}: {words}")));
    if standing.mailboxes.is_empty() {
        lines.push("mailboxes: none named".to_owned());
    }
    lines.extend(standing.mailboxes.iter().map(|(mailbox, words)| format!("mailbox {mailbox}: {words}")));
    lines.push(match &standing.network {
        Some((name, nodes)) => format!("network '{name}': {nodes} of its nodes are known"),
        None => "network: none (friends are not looked for in a table)".to_owned(),
    });
    let (punched, failed) = standing.punched;
    if punched + failed > 0 {
        lines.push(format!("hole punching: {punched} times done, {failed} times in vain"));
    }
    lines
}

fn friend_line(friend: &Friend) -> String {
    match &friend.path {
        Ok(path) => format!("{}: reached {}", friend.name, path::by(*path)),
        Err(reason) => format!("{}: {reason}", friend.name),
    }
}

fn advice(settings: &Settings, standing: &Standing) -> Vec<&'static str> {
    let mut advice = Vec::new();
    if Reachable::of(standing) == Reachable::Not && settings.relays.is_empty() {
        advice.push(
            "On the same network, by mail and by mailbox you can play all the same. Else name a relay: relays = [\"ADDR\"] in \
             settings.toml; a friend's 'chakart relay' is one.",
        );
    }
    if !settings.relays.is_empty() && standing.relays.is_empty() {
        advice.push("No named relay holds a reservation: ask its owner whether it runs and whether its address is the same.");
    }
    if standing.mailboxes.iter().any(|(_, words)| words.starts_with("not reached")) {
        advice.push(
            "A mailbox was not reached: ask its owner whether it runs and whether its address is the same.",
        );
    }
    if standing.mailboxes.iter().any(|(_, words)| words.contains("not listed your key")) {
        advice.push(
            "A mailbox keeps no letters for you: send its owner your key ('chakart id'), for --mailbox-for.",
        );
    }
    if standing.network.as_ref().is_some_and(|(_, nodes)| *nodes == 0) {
        advice.push(
            "No node of the network answers: look at 'bootstrap' in settings.toml and at your connection.",
        );
    }
    advice
}

fn listed(addresses: &[String], none: &str) -> String {
    if addresses.is_empty() { none.to_owned() } else { addresses.join(", ") }
}

/// Whether others could have any use for an address.
fn is_of_use(address: &str) -> bool {
    !["/ip4/127.", "/ip6/::1/", "/ip6/fe80:"].iter().any(|own| address.starts_with(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_machine_itself_are_not_listed() {
        let own = ["/ip4/127.0.0.1/tcp/1", "/ip6/::1/tcp/1", "/ip6/fe80::1/tcp/1"];
        assert!(!own.into_iter().any(is_of_use) && is_of_use("/ip4/192.168.2.2/tcp/1"));
    }
}
