//! A log of ten thousand entries comes to a store that has nothing, part by part.

use std::time::Instant;

use chakart_node::store::{MAX_ANSWER_BYTES, MAX_ANSWER_ENTRIES};

use crate::long_game::{ENTRIES, long_game};
use crate::players::{NOW_MS, key, store};
use crate::sync_over_a_bad_wire::{FINE, Weather, Wire};

#[test]
fn a_log_of_ten_thousand_entries_is_fetched_in_small_parts() {
    let entries = long_game([&key(1), &key(2)], NOW_MS);
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
