//! How a node stands in the network, in figures and words.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::handle::Stopped;
use super::keeping::{Figures as Kept, Job};
use super::{Runtime, texts};
use crate::metrics::Figures;
use crate::net::{address_of, is_relayed};

/// How a node stands in the network.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Standing {
    /// Multiaddrs on which it listens, without its name.
    pub listens: Vec<String>,
    /// Multiaddrs at which others were seen to reach it, without its name and without circuits.
    pub external: Vec<String>,
    /// Multiaddrs at which relays see it: its port as the router maps it.
    pub seen: Vec<String>,
    /// Relays that hold a reservation for it.
    pub relays: Vec<String>,
    /// All relays that it knows, with how each stands, in words.
    pub known_relays: Vec<(String, String)>,
    /// All mailboxes that it uses, with how each stands, in words.
    pub mailboxes: Vec<(String, String)>,
    /// What the router said to a mapped port; `None`: it was not asked, or has not answered yet.
    pub port_mapping: Option<String>,
    /// Whether friends are looked for on the local network, and how many nodes were heard of there.
    pub lan: Option<usize>,
    /// The network on which friends are looked for, with the nodes of it that are known.
    pub network: Option<(String, usize)>,
    /// How often hole punching has succeeded and failed since the start.
    pub punched: (u32, u32),
    /// What the last check of reachability by another node said.
    pub reachable: Option<String>,
}

impl Runtime {
    pub(super) fn standing(&mut self) -> Standing {
        let nodes = self
            .swarm
            .behaviour_mut()
            .dht
            .as_mut()
            .map(|table| table.kbuckets().map(|bucket| bucket.num_entries()).sum::<usize>());
        let relays = self.reach.relays.standing().into_iter();
        let now_ms = (self.clock)();
        let post = self.core.as_ref().map(|core| core.post.standing(now_ms)).unwrap_or_default();
        Standing {
            listens: texts(self.swarm.listeners().filter(|address| !is_relayed(address))),
            external: self.external_texts(),
            seen: texts(&self.reach.seen_by_relays()),
            relays: self.reach.relays.held(),
            known_relays: relays.map(|(at, words)| (at, words.to_owned())).collect(),
            mailboxes: self.reach.mailboxes.standing(&post),
            port_mapping: self.reach.port_mapping.clone(),
            lan: self.reach.looks_at_lan.then(|| self.connections.nearby_count()),
            network: nodes.map(|nodes| (self.reach.network.clone(), nodes)),
            punched: self.reach.punched,
            reachable: self.reach.reachable.clone(),
        }
    }

    /// Addresses at which others reach this node, without circuits and without its name.
    pub(super) fn external_texts(&self) -> Vec<String> {
        let me = *self.swarm.local_peer_id();
        let external = self.swarm.external_addresses().filter(|address| !is_relayed(address));
        external
            .filter_map(|address| Some(address_of(Some(&me), &address.to_string()).ok()?.to_string()))
            .collect()
    }

    /// Brings the figures up to date, where they are served.
    pub(super) async fn count(&mut self) -> Result<(), Stopped> {
        if let Some(keeping) = &self.keeping {
            keeping.ask(Job::Tick);
        }
        if self.metrics.is_none() {
            return Ok(());
        }
        let held = self.work(|core, _| core.store.holdings()).await?.unwrap_or_default();
        let kept = self.keeping.as_ref().map(|keeping| &keeping.figures);
        let of_mailbox =
            |figure: fn(&Kept) -> &AtomicU64| kept.map_or(0, |kept| figure(kept).load(Ordering::Relaxed));
        let figures = Figures {
            connections: self.connections.all().map(|(_, addresses)| addresses.count() as u64).sum(),
            reservations_held: self.reach.relays.held().len() as u64,
            reservations_served: self.reach.served.len() as u64,
            circuits: self.reach.circuits,
            letters_kept: of_mailbox(|kept| &kept.letters),
            letter_bytes_kept: of_mailbox(|kept| &kept.bytes),
            letters_refused: of_mailbox(|kept| &kept.refused),
            games_open: held.games_open,
            entries_stored: held.entries,
        };
        if let Some(metrics) = &self.metrics {
            metrics.set(&figures);
        }
        Ok(())
    }
}
