//! The distributed hash table: only provider records, under keys that mean nothing to others.

use std::collections::HashMap;
use std::time::Duration;

use libp2p::kad::store::{MemoryStore, MemoryStoreConfig};
use libp2p::kad::{self, ProviderRecord, StoreInserts};
use libp2p::{PeerId, StreamProtocol};

use chakart_core::protocol::rendezvous::RENDEZVOUS_BYTES;

/// Keys under which a node that serves the table knows providers.
const MAX_KEYS: usize = 16_384;
/// Providers of one key: two friends, each perhaps with more than one node.
const MAX_PROVIDERS_PER_KEY: usize = 8;
/// Records that one peer may leave in a day.
const MAX_RECORDS_PER_PEER: u32 = 256;
/// Addresses of one record.
const MAX_ADDRESSES_PER_RECORD: usize = 16;
/// How long a record of a provider is kept.
const RECORD_TTL: Duration = Duration::from_secs(24 * 3600);
/// How long a walk may take.
const WALK_TIMEOUT: Duration = Duration::from_secs(30);

/// A client of the table, or a server of it.
pub(super) fn behaviour(me: PeerId, protocol: String, serves: bool) -> kad::Behaviour<MemoryStore> {
    let name = StreamProtocol::try_from_owned(protocol).expect("the name of a network has no odd letters");
    let mut config = kad::Config::new(name);
    config
        .set_query_timeout(WALK_TIMEOUT)
        .set_record_filtering(StoreInserts::FilterBoth)
        .set_provider_record_ttl(Some(RECORD_TTL))
        // The keys change with the day: whoever provides them says so again by itself.
        .set_provider_publication_interval(None)
        .set_publication_interval(None)
        .set_replication_interval(None)
        .set_periodic_bootstrap_interval(None);
    let store = MemoryStoreConfig {
        max_records: 0,
        max_value_bytes: 0,
        max_providers_per_key: MAX_PROVIDERS_PER_KEY,
        max_provided_keys: MAX_KEYS,
    };
    let mut table = kad::Behaviour::with_config(me, MemoryStore::with_config(me, store), config);
    table.set_mode(Some(if serves { kad::Mode::Server } else { kad::Mode::Client }));
    table
}

/// Decides which records of others a server of the table keeps.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    day: u32,
    left_by: HashMap<PeerId, u32>,
}

impl Gate {
    /// Whether a record is of the only kind that is used, and its provider has not left too many on this day.
    pub(crate) fn admits(&mut self, record: &ProviderRecord, day: u32) -> bool {
        if self.day != day {
            self.day = day;
            self.left_by.clear();
        }
        let fits = record.key.as_ref().len() == RENDEZVOUS_BYTES
            && record.addresses.len() <= MAX_ADDRESSES_PER_RECORD;
        if !fits || (self.left_by.len() >= MAX_KEYS && !self.left_by.contains_key(&record.provider)) {
            return false;
        }
        let left = self.left_by.entry(record.provider).or_default();
        *left = left.saturating_add(1);
        *left <= MAX_RECORDS_PER_PEER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(provider: PeerId, length: usize) -> ProviderRecord {
        ProviderRecord::new(vec![7; length], provider, Vec::new())
    }

    #[test]
    fn junk_and_floods_of_records_are_not_kept() {
        let (mut gate, peer) = (Gate::default(), PeerId::random());
        assert!(!gate.admits(&record(peer, 33), 1) && !gate.admits(&record(peer, 10_000), 1));
        let kept = (0..1_000).filter(|_| gate.admits(&record(peer, RENDEZVOUS_BYTES), 1)).count();
        assert_eq!(kept, MAX_RECORDS_PER_PEER as usize);
        assert!(gate.admits(&record(PeerId::random(), RENDEZVOUS_BYTES), 1), "another peer has room");
        assert!(gate.admits(&record(peer, RENDEZVOUS_BYTES), 2), "another day");
    }
}
