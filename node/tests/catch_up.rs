//! A log of ten thousand entries comes to a store that has nothing, part by part.

use std::time::Instant;

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::ColorChoice;
use chakart_core::protocol::log::Log;
use chakart_core::protocol::session::{
    Confirmation, Effect, OfferSettings, Session, make_accept, make_offer,
};
use chakart_core::rules::Setup;
use chakart_node::store::{MAX_ANSWER_BYTES, MAX_ANSWER_ENTRIES};

use crate::players::{NOW_MS, key, name, settings, store};
use crate::sync_over_a_bad_wire::{FINE, Weather, Wire};

const ENTRIES: usize = 10_000;

/// Two players who move their kings to and fro.
fn long_game() -> Vec<SignedEntry> {
    let settings = OfferSettings { setup: Setup::Fixed, color: ColorChoice::White, ..settings() };
    let offer = make_offer(&key(1), &settings, [1; 32], NOW_MS);
    let log = Log::open(&offer).expect("an own offer");
    let accept = make_accept(&key(2), &log, name("Gil"), [2; 32], NOW_MS).expect("an open offer");
    let open = |number, entries| {
        Session::restore(key(number), entries, Vec::new(), Vec::new(), Confirmation::default()).expect("good")
    };
    let mut sessions = [open(1, vec![offer.clone()]), open(2, vec![offer, accept.clone()])];
    let mut effects = sessions[0].receive_entry(&accept, NOW_MS).expect("the accept is next");
    let mut turn = 0;
    loop {
        for effect in std::mem::take(&mut effects) {
            if let Effect::StoreEntry { entry, own: true, .. } = effect {
                let answers = sessions[(turn + 1) % 2].receive_entry(&entry, NOW_MS).expect("it is next");
                assert_eq!(answers.len(), 1, "a king needs no chance");
            }
        }
        if sessions[0].entries().len() == ENTRIES {
            return sessions[0].entries().to_vec();
        }
        // The set-up was the host's, and the host is White.
        let mover = sessions[0].log().phase().owes().expect("nobody wins").index();
        let game = sessions[mover].game().expect("set up");
        let action = game.parse_action(next_move(&sessions[0])).expect("an action");
        effects = sessions[mover].act(action, false, NOW_MS).expect("legal");
        turn = mover;
    }
}

fn next_move(session: &Session) -> &'static str {
    match session.entries().len() - 3 {
        0 => "e2e4",
        1 => "e7e5",
        later => ["e1e2", "e8e7", "e2e1", "e7e8"][(later - 2) % 4],
    }
}

#[test]
fn a_log_of_ten_thousand_entries_is_fetched_in_small_parts() {
    let entries = long_game();
    for (weather, most) in [(FINE, 400), (Weather { lost: 10, repeated: 10 }, 1_600)] {
        let (mut host, guest) = (store(1), store(2));
        let began = Instant::now();
        let receipt = host.recover(&entries, &[], NOW_MS).expect("an own game");
        let read = began.elapsed();
        host.confirm(receipt.game, NOW_MS).expect("writable");
        let mut wire = Wire::new(host, guest, weather, 3);
        let began = Instant::now();
        let mut connections = 0;
        while wire.sides[1].store.games().expect("readable").first().is_none_or(|game| game.length < 10_000) {
            connections += 1;
            assert!(connections < 200, "the fetch never ends");
            wire.connect();
            wire.disconnect();
        }
        println!(
            "{ENTRIES} entries: read in {read:?}, fetched in {:?}, {} messages",
            began.elapsed(),
            wire.carried
        );
        assert!(wire.largest <= MAX_ANSWER_BYTES, "{} bytes", wire.largest);
        assert!(wire.carried >= ENTRIES / MAX_ANSWER_ENTRIES && wire.carried < most, "{}", wire.carried);
        let game = wire.sides[1].store.games().expect("readable").remove(0);
        assert!(game.recovering && !game.other_machine);
    }
}
