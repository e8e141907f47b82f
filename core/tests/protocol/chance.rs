//! Random choices are uniform, and nothing that a player can choose moves them.
//!
//! All seeds are fixed, so a run always gives the same figures. Each statistic is held to p = 10⁻⁴ in both tails (too
//! far from uniform, too close to it): |z| < 3.89 for the normal score of a chi-square by Wilson and Hilferty.

use std::collections::BTreeMap;

use chakart_core::protocol::codec::{SignedEntry, encode_entry, entry_id};
use chakart_core::protocol::commitment::{chance, chance_commitment};
use chakart_core::protocol::entry::{Act, Body, Entry, EntryId, Party, Reveal, SignedAction};
use chakart_core::protocol::log::Log;
use chakart_core::protocol::phase::{Phase, Step};
use chakart_core::protocol::session::{Confirmation, Session, make_accept, make_offer};
use chakart_core::rules::{Action, Event, Rules, Variant};

use crate::forge::{is_stealth, key_of, plain};
use crate::players::{Dice, Pair, START_MS, own_entries, settings};

const MAX_SCORE: f64 = 3.89;

/// How often each of `n` candidates was chosen, by `n`.
#[derive(Clone, Debug, Default)]
struct Tally(BTreeMap<usize, Vec<u64>>);

impl Tally {
    fn add(&mut self, n: usize, chosen: usize) {
        self.0.entry(n).or_insert_with(|| vec![0; n])[chosen] += 1;
    }

    fn total(&self) -> u64 {
        self.0.values().flatten().sum()
    }

    /// The normal score of the chi-square against uniform choices, over every `n` with five expected in each cell.
    fn score(&self) -> f64 {
        let (mut chi_square, mut freedom) = (0.0, 0.0);
        for (n, counts) in &self.0 {
            let expected = counts.iter().sum::<u64>() as f64 / *n as f64;
            if expected < 5.0 {
                continue;
            }
            chi_square +=
                counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum::<f64>();
            freedom += (n - 1) as f64;
        }
        let spread = 2.0 / (9.0 * freedom);
        ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
    }

    fn assert_uniform(&self, what: &str) {
        let score = self.score();
        println!("{what}: {} choices, z = {score:.2}", self.total());
        assert!(score.abs() < MAX_SCORE, "{what}: z = {score} over {} choices", self.total());
    }
}

/// The random choices that a step made: number of candidates, and the chosen one.
fn choices(step: &Step) -> impl Iterator<Item = (usize, usize)> {
    let events = match step {
        Step::Acted { events: Some(events), .. } | Step::Resolved { events, .. } => events.as_slice(),
        _ => &[],
    };
    events.iter().filter_map(|event| match event {
        Event::Chance { candidates, chosen, .. } => Some((candidates.len(), *chosen)),
        _ => None,
    })
}

#[test]
fn the_score_tells_a_loaded_die_from_a_fair_one() {
    let mut dice = Dice(1);
    let (mut fair, mut loaded, mut too_even) = (Tally::default(), Tally::default(), Tally::default());
    for round in 0..30_000 {
        fair.add(6, dice.below(6));
        loaded.add(6, dice.below(6).max(usize::from(dice.below(12) == 0)));
        too_even.add(6, round % 6);
    }
    assert!(fair.score().abs() < MAX_SCORE, "{}", fair.score());
    assert!(loaded.score() > MAX_SCORE, "{}", loaded.score());
    assert!(too_even.score() < -MAX_SCORE, "{}", too_even.score());
}

/// What both players chose, and so what the outcome must not depend on.
#[derive(Default)]
struct Split {
    all: Tally,
    by_feature: BTreeMap<(&'static str, u64), Tally>,
    last: Option<usize>,
}

impl Split {
    fn add(&mut self, features: &[(&'static str, u64)], n: usize, chosen: usize) {
        self.all.add(n, chosen);
        let after = self.last.map(|last| ("the choice before", last.min(2) as u64));
        for &feature in features.iter().chain(after.iter()) {
            self.by_feature.entry(feature).or_default().add(n, chosen);
        }
        self.last = Some(chosen);
    }
}

/// Random acts, mostly such as come to a choice, until the game is over or long enough.
fn play_for_chance(pair: &mut Pair, dice: &mut Dice) {
    for _ in 0..400 {
        let Some(party) = pair.decider() else { return };
        let session = &pair.sessions[party.index()];
        let legal = session.game().expect("a board").legal_actions();
        let mut action = legal[dice.below(legal.len())];
        for _ in 0..6 {
            if session.game().expect("a board").reaches_choice(&action) {
                break;
            }
            action = legal[dice.below(legal.len())];
        }
        pair.act(action, false).expect("a listed action");
    }
}

/// Plays random games between honest sessions until so many choices were made.
fn honest_choices(seeds: std::ops::Range<u64>, wanted: u64) -> Split {
    let mut split = Split::default();
    for seed in seeds {
        let variant = Variant::ALL[usize::try_from(seed).expect("small") % 3];
        let mut pair = Pair::begin(&settings(variant), seed);
        play_for_chance(&mut pair, &mut Dice(seed ^ 0xabcd));
        let session = &pair.sessions[0];
        let mut act = None;
        for (entry, step) in session.entries()[1..].iter().zip(session.steps()) {
            let decoded = entry.decode().expect("a valid entry");
            if let Body::Act(body) = &decoded.body {
                // Of an open move: the square that it goes to.
                let to = u64::from(entry.bytes[57]);
                act = Some((decoded.author.index() as u64, body.nonce, decoded.at_ms, to, entry.id()));
            }
            let Some((author, nonce, at_ms, to, id)) = act else { continue };
            let features = [
                ("actor", author),
                ("act nonce", u64::from(nonce[0] & 3)),
                ("act stamp", at_ms / 1_000 % 3),
                ("destination", to % 4),
                ("act id", u64::from(id.0[0] & 3)),
            ];
            for (n, chosen) in choices(step) {
                split.add(&features, n, chosen);
            }
        }
        if split.all.total() >= wanted {
            return split;
        }
    }
    panic!("only {} choices", split.all.total());
}

#[test]
fn a_hundred_thousand_choices_are_uniform_and_independent() {
    let halves = std::thread::scope(|scope| {
        let halves =
            [0..50_000, 50_000..100_000].map(|seeds| scope.spawn(move || honest_choices(seeds, 50_000)));
        halves.map(|half| half.join().expect("a finished half"))
    });
    let mut all = Tally::default();
    for half in halves {
        half.all.assert_uniform("one half");
        for ((feature, value), tally) in &half.by_feature {
            tally.assert_uniform(&format!("{feature} {value}"));
        }
        for (n, counts) in &half.all.0 {
            for (chosen, &count) in counts.iter().enumerate() {
                let sum = all.0.entry(*n).or_insert_with(|| vec![0; *n]);
                sum[chosen] += count;
            }
        }
    }
    assert!(all.total() >= 100_000);
    all.assert_uniform("all choices");
}

/// A guest that grinds: it tries many nonces and stamps for each act and each commitment, predicts the outcome as well
/// as it can, and signs what it hopes to give the first of the candidates.
struct Grinder {
    dice: Dice,
    /// What its latest commitment is to.
    nonce: [u8; 32],
    /// The last nonce that the honest player opened: its best guess at the next.
    seen: [u8; 32],
}

const TRIES: usize = 24;

impl Grinder {
    fn is_lucky(act: EntryId, nonce: &[u8; 32]) -> bool {
        let mut stream = chance(act, nonce);
        [2, 3, 8].into_iter().all(|n| stream.uniform(n) == 0)
    }

    /// A commitment, ground against the act that it expects to be next.
    fn commit(&mut self, prev: EntryId) -> [u8; 32] {
        self.nonce = self.dice.bytes();
        for _ in 0..TRIES {
            if Self::is_lucky(prev, &self.nonce) {
                break;
            }
            self.nonce = self.dice.bytes();
        }
        chance_commitment(prev, &key_of(Party::Guest).public(), &self.nonce)
    }

    fn accept(&mut self, offer: &Log) -> SignedEntry {
        let name = plain().name;
        let accept =
            make_accept(&key_of(Party::Guest), offer, name, self.dice.bytes(), START_MS).expect("open");
        let commitment = self.commit(offer.head().id);
        crate::forge::changed(&accept, |entry| match &mut entry.body {
            Body::Accept(accept) => accept.chance_commitment = commitment,
            other => panic!("not an accept: {other:?}"),
        })
    }

    fn reveal(&mut self, honest: &Session) -> SignedEntry {
        let nonce = self.nonce;
        let head = *honest.log().head();
        let reveal = Reveal { nonce, next_commitment: self.commit(head.id), opening: None };
        self.sign(honest, head.at_ms, Body::Reveal(reveal))
    }

    /// Of many acts, moves and stamps included, the one that its best guess at the honest nonce likes.
    fn act(&mut self, honest: &Session) -> SignedEntry {
        let legal: Vec<Action> = honest.game().expect("a board").legal_actions();
        let open: Vec<Action> = legal.into_iter().filter(|action| !is_stealth(action)).collect();
        let at_ms = honest.log().head().at_ms;
        let mut best = None;
        for _ in 0..TRIES {
            let action = SignedAction::open(open[self.dice.below(open.len())]).expect("an open action");
            let act = Act { action, nonce: self.dice.bytes(), draw_offer: false };
            let stamp = at_ms + self.dice.next() % 1_000;
            let entry = self.entry(honest, stamp, Body::Act(act));
            let lucky = Self::is_lucky(entry_id(&encode_entry(&entry)), &self.seen);
            best = Some(entry);
            if lucky {
                break;
            }
        }
        SignedEntry::sign(&best.expect("tries"), &key_of(Party::Guest))
    }

    fn entry(&self, honest: &Session, at_ms: u64, body: Body) -> Entry {
        let log = honest.log();
        Entry { seq: log.last_seq() + 1, prev: log.head().id, author: Party::Guest, at_ms, body }
    }

    fn sign(&self, honest: &Session, at_ms: u64, body: Body) -> SignedEntry {
        SignedEntry::sign(&self.entry(honest, at_ms, body), &key_of(Party::Guest))
    }

    fn note(&mut self, signed: &[SignedEntry]) {
        for entry in signed {
            if let Body::Reveal(reveal) = entry.decode().expect("own").body {
                self.seen = reveal.nonce;
            }
        }
    }
}

/// One game of an honest host against the grinder; the choices of the host's acts, and those of the grinder's.
fn ground_game(seed: u64, tallies: &mut [Tally; 2]) {
    let mut grinder = Grinder { dice: Dice(seed), nonce: [0; 32], seen: [0; 32] };
    let mut dice = Dice(seed ^ 0x5555);
    let offer = make_offer(&key_of(Party::Host), &plain(), dice.bytes(), START_MS);
    let accept = grinder.accept(&Log::open(&offer).expect("an offer"));
    let mut honest =
        Session::restore(key_of(Party::Host), vec![offer], vec![], vec![], Confirmation::default())
            .expect("an offer");
    let effects = honest.receive_entry(&accept, START_MS).expect("an accept");
    grinder.note(&own_entries(&effects));
    for _ in 0..200 {
        let now_ms = honest.log().head().at_ms + 10;
        let entry = match (honest.log().phase(), honest.log().phase().owes()) {
            (_, None) => break,
            (Phase::ExpectAct(_), Some(Party::Host)) => {
                let legal = honest.game().expect("a board").legal_actions();
                honest.act(legal[dice.below(legal.len())], false, now_ms).expect("legal");
                continue;
            }
            (Phase::ExpectReveal(_), Some(Party::Guest)) => grinder.reveal(&honest),
            (_, Some(Party::Guest)) => grinder.act(&honest),
            (_, Some(Party::Host)) => panic!("the host answers at once"),
        };
        let effects = honest.receive_entry(&entry, now_ms + 2_000).expect("valid");
        grinder.note(&own_entries(&effects));
    }
    let mut actor = Party::Host;
    for (record, step) in honest.log().records()[1..].iter().zip(honest.steps()) {
        if matches!(step, Step::Acted { .. }) {
            actor = record.author;
        }
        for (n, chosen) in choices(step) {
            tallies[actor.index()].add(n, chosen);
        }
    }
}

#[test]
fn grinding_nonces_stamps_and_moves_gains_nothing() {
    let mut tallies = [Tally::default(), Tally::default()];
    for seed in 0.. {
        ground_game(seed, &mut tallies);
        if tallies.iter().all(|tally| tally.total() >= 10_000) {
            break;
        }
    }
    for (tally, what) in tallies.iter().zip(["the grinder reveals", "the grinder acts"]) {
        tally.assert_uniform(what);
        let hits: u64 = tally.0.values().map(|counts| counts[0]).sum();
        let (mean, variance) = tally.0.iter().fold((0.0, 0.0), |(mean, variance), (n, counts)| {
            let (total, p) = (counts.iter().sum::<u64>() as f64, 1.0 / *n as f64);
            (mean + total * p, variance + total * p * (1.0 - p))
        });
        let score = (hits as f64 - mean) / f64::sqrt(variance);
        println!("{what}: {hits} of the wished for, {mean:.0} by chance, z = {score:.2}");
        assert!(score.abs() < MAX_SCORE, "{what}: z = {score}");
    }
}

/// The cheaper shape, in which the actor holds the secret of its own roll, gives every wish: so the test would see it.
#[test]
fn an_actor_that_knew_the_nonce_would_be_seen() {
    let mut dice = Dice(3);
    let mut tally = Tally::default();
    for _ in 0..2_000 {
        let nonce = dice.bytes();
        let lucky = (0..TRIES).map(|_| EntryId(dice.bytes())).find(|&act| Grinder::is_lucky(act, &nonce));
        let act = lucky.unwrap_or(EntryId(dice.bytes()));
        let mut stream = chance(act, &nonce);
        tally.add(2, usize::try_from(stream.uniform(2)).expect("0 or 1"));
    }
    assert!(tally.score() > MAX_SCORE, "{}", tally.score());
}
