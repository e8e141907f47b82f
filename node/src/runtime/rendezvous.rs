//! Friends are looked for in a distributed hash table: which keys are provided, and when whom to seek.

use std::collections::{HashMap, HashSet};

use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::rendezvous::{DAY_MS, RendezvousKey, day_of};
use libp2p::PeerId;
use libp2p::kad::QueryId;

use crate::identity;

/// Keys that are provided at one time.
const MAX_PROVIDED: usize = 256;
/// Walks that are under way at one time.
const MAX_WALKS: usize = 4;
/// The first pause before a peer is sought again, in milliseconds.
const FIRST_PAUSE_MS: u64 = 30_000;
/// The longest, in milliseconds.
const LONGEST_PAUSE_MS: u64 = 3_600_000;
/// So near to midnight the clocks of two friends may show different days, in milliseconds.
const MIDNIGHT_MS: u64 = 2 * 3_600_000;

/// What is to be done in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Walk {
    /// Say that this node provides a key.
    Provide(RendezvousKey),
    /// Look for a peer among the providers of a key.
    Seek(PeerId, RendezvousKey),
}

/// Secrets under which people look for each other who do not know each other's key.
#[derive(Clone, Debug, Default)]
pub(super) struct InviteSecrets {
    /// Those of own open offers.
    pub(super) offered: Vec<Vec<u8>>,
    /// Those of invites that were accepted here, with their hosts.
    pub(super) accepted: Vec<(PeerId, Vec<u8>)>,
}

pub(super) struct Rendezvous {
    key: SecretKey,
    /// The keys that are shared with players, of one day: each costs a multiplication on the curve.
    of_day: (u32, HashMap<PeerId, RendezvousKey>),
    provided: HashSet<RendezvousKey>,
    seeking: HashMap<PeerId, Attempt>,
    walks: HashMap<QueryId, Option<PeerId>>,
}

#[derive(Clone, Copy, Debug)]
struct Attempt {
    due_ms: u64,
    pause_ms: u64,
}

impl Rendezvous {
    pub(super) fn new(key: SecretKey) -> Self {
        Self {
            key,
            of_day: (0, HashMap::new()),
            provided: HashSet::new(),
            seeking: HashMap::new(),
            walks: HashMap::new(),
        }
    }

    /// What is to be done now: keys that are not provided yet, and then those of the `away` whose time has come.
    pub(super) fn due(
        &mut self,
        wanted: &HashSet<PeerId>,
        away: &HashSet<PeerId>,
        secrets: &InviteSecrets,
        now_ms: u64,
    ) -> Vec<Walk> {
        let today = day_of(now_ms);
        let mut room = MAX_WALKS.saturating_sub(self.walks.len());
        let mut walks = Vec::new();
        let of_offers = secrets.offered.iter().map(|secret| RendezvousKey::of_invite(secret, today));
        let mut keys: Vec<RendezvousKey> = of_offers.take(MAX_PROVIDED).collect();
        keys.extend(self.of_wanted(wanted, today, MAX_PROVIDED - keys.len()));
        self.provided.retain(|key| keys.contains(key));
        for key in keys {
            if room > 0 && self.provided.insert(key) {
                room -= 1;
                walks.push(Walk::Provide(key));
            }
        }
        self.seeking.retain(|peer, _| away.contains(peer));
        for &peer in away {
            if room == 0 {
                break;
            }
            let fresh = Attempt { due_ms: now_ms, pause_ms: FIRST_PAUSE_MS };
            let attempt = self.seeking.entry(peer).or_insert(fresh);
            if attempt.due_ms > now_ms {
                continue;
            }
            attempt.due_ms = now_ms.saturating_add(attempt.pause_ms);
            attempt.pause_ms = (attempt.pause_ms * 2).min(LONGEST_PAUSE_MS);
            let keys = self.keys_of(&peer, secrets, now_ms);
            room = room.saturating_sub(keys.len());
            walks.extend(keys.into_iter().map(|key| Walk::Seek(peer, key)));
        }
        walks
    }

    /// A walk has begun.
    pub(super) fn walking(&mut self, query: QueryId, sought: Option<PeerId>) {
        self.walks.insert(query, sought);
    }

    /// Whom a walk seeks.
    pub(super) fn sought(&self, query: &QueryId) -> Option<PeerId> {
        self.walks.get(query).copied().flatten()
    }

    /// A walk has ended.
    pub(super) fn ended(&mut self, query: &QueryId) {
        self.walks.remove(query);
    }

    /// The addresses of this node have changed: what it provides must be said again.
    pub(super) fn provide_again(&mut self) {
        self.provided.clear();
    }

    /// A person waits, or the network has changed: all who are away are sought at once.
    pub(super) fn seek_again(&mut self) {
        self.seeking.clear();
    }

    /// The keys of the day that are shared with wanted players, at most so many.
    fn of_wanted(&mut self, wanted: &HashSet<PeerId>, today: u32, most: usize) -> Vec<RendezvousKey> {
        let (day, known) = std::mem::take(&mut self.of_day);
        let mut known = if day == today { known } else { HashMap::new() };
        known.retain(|peer, _| wanted.contains(peer));
        for peer in wanted {
            if known.len() >= most {
                break;
            }
            if !known.contains_key(peer)
                && let Some(key) = self.of_player(peer, today)
            {
                known.insert(*peer, key);
            }
        }
        let keys = known.values().copied().take(most).collect();
        self.of_day = (today, known);
        keys
    }

    fn of_player(&self, peer: &PeerId, day: u32) -> Option<RendezvousKey> {
        Some(RendezvousKey::of_players(&self.key, &identity::player(peer)?, day))
    }

    /// The keys of the day, and near midnight also of its neighbour, under which a peer may be found.
    fn keys_of(&self, peer: &PeerId, secrets: &InviteSecrets, now_ms: u64) -> Vec<RendezvousKey> {
        let days =
            [now_ms.saturating_sub(MIDNIGHT_MS), now_ms, now_ms.saturating_add(MIDNIGHT_MS)].map(day_of);
        let mut keys = Vec::new();
        for day in days {
            let accepted = secrets.accepted.iter().filter(|(host, _)| host == peer);
            let of_invites = accepted.map(|(_, secret)| RendezvousKey::of_invite(secret, day));
            keys.extend(of_invites.chain(self.of_player(peer, day)));
        }
        // Neighbouring days are mostly the same one.
        let mut seen = HashSet::new();
        keys.retain(|key| seen.insert(*key));
        keys
    }
}

const _: () = assert!(2 * MIDNIGHT_MS < DAY_MS, "at most one neighbouring day");

#[cfg(test)]
mod tests {
    use super::*;

    const NOON_MS: u64 = 20_000 * DAY_MS + DAY_MS / 2;

    fn key(number: u8) -> SecretKey {
        SecretKey::from_seed(&[number; 32])
    }

    fn those(peers: &[PeerId]) -> HashSet<PeerId> {
        peers.iter().copied().collect()
    }

    #[test]
    fn two_friends_provide_and_seek_the_same_key() {
        let [ada, bob] = [key(1), key(2)];
        let [ada_id, bob_id] = [&ada, &bob].map(|key| identity::peer_id(&key.public()));
        let none = InviteSecrets::default();
        let walks = Rendezvous::new(ada).due(&those(&[bob_id]), &those(&[bob_id]), &none, NOON_MS);
        let [Walk::Provide(provided), Walk::Seek(sought, seek)] = walks.as_slice() else {
            unreachable!("{walks:?}")
        };
        assert_eq!((provided, *sought), (seek, bob_id));
        let theirs = Rendezvous::new(bob).due(&those(&[ada_id]), &those(&[]), &none, NOON_MS);
        assert_eq!(theirs, [Walk::Provide(*seek)]);
    }

    #[test]
    fn a_guest_seeks_the_host_under_the_secret_of_the_invite() {
        let host = identity::peer_id(&key(1).public());
        let offered = InviteSecrets { offered: vec![vec![5; 16]], accepted: Vec::new() };
        let provided = Rendezvous::new(key(1)).due(&those(&[]), &those(&[]), &offered, NOON_MS);
        let accepted = InviteSecrets { offered: Vec::new(), accepted: vec![(host, vec![5; 16])] };
        let walks = Rendezvous::new(key(2)).due(&those(&[]), &those(&[host]), &accepted, NOON_MS);
        let [Walk::Provide(key)] = provided.as_slice() else { unreachable!("{provided:?}") };
        assert!(walks.contains(&Walk::Seek(host, *key)), "{walks:?}");
    }

    #[test]
    fn a_friend_who_is_away_is_sought_with_growing_pauses_and_keys_change_with_the_day() {
        let bob = identity::peer_id(&key(2).public());
        let (mut rendezvous, none) = (Rendezvous::new(key(1)), InviteSecrets::default());
        let seeks = |walks: &[Walk]| walks.iter().filter(|walk| matches!(walk, Walk::Seek(..))).count();
        let mut moments = Vec::new();
        for second in 0..3_000 {
            let now_ms = NOON_MS + second * 1_000;
            if seeks(&rendezvous.due(&those(&[bob]), &those(&[bob]), &none, now_ms)) > 0 {
                moments.push(second);
            }
        }
        assert_eq!(moments, [0, 30, 90, 210, 450, 930, 1_890]);
        let tomorrow = rendezvous.due(&those(&[bob]), &those(&[]), &none, NOON_MS + DAY_MS);
        assert!(matches!(tomorrow.as_slice(), [Walk::Provide(_)]));
        rendezvous.provide_again();
        rendezvous.seek_again();
        assert_eq!(rendezvous.due(&those(&[bob]), &those(&[]), &none, NOON_MS + DAY_MS), tomorrow);
        let midnight = NOON_MS + DAY_MS / 2 + 60_000;
        assert_eq!(seeks(&Rendezvous::new(key(1)).due(&those(&[]), &those(&[bob]), &none, midnight)), 2);
    }
}
