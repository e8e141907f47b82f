//! Homes that were lost, put back from a backup, or given a log from elsewhere.

use chakart_core::protocol::session::{CannotSign, Hold};
use chakart_node::store::{AcceptError, RecoverError, SignError, Store};

use super::players::{NOW_MS, Numbers, act, begin, carry, choose, join, store};

/// Plays until the guest is to decide and has signed something.
fn midgame(
    host: &mut Store,
    guest: &mut Store,
) -> (chakart_node::store::GameNo, chakart_node::store::GameNo) {
    let games = begin(host, guest, 7);
    let mut numbers = Numbers::new(11);
    for _ in 0..100 {
        let session = guest.session(games.1).expect("kept");
        if session.is_my_turn() && session.log().last_seq() > 12 {
            break;
        }
        let _ = act(host, games.0, &mut numbers, false) || act(guest, games.1, &mut numbers, false);
        carry(host, guest);
        carry(guest, host);
        carry(host, guest);
    }
    assert!(guest.session(games.1).expect("kept").is_my_turn(), "nobody has lost a king so early");
    games
}

#[test]
fn the_key_and_the_opponents_log_restore_a_player() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = midgame(&mut host, &mut guest);
    let lost = guest.session(games.1).expect("kept");
    drop(guest);
    let mut fresh = store(2);
    let tail = host.tail(games.0, 0).expect("readable");
    let receipt = fresh.recover(&tail.entries, &tail.statements, NOW_MS).expect("the whole log");
    let summary = fresh.game(receipt.game).expect("kept");
    assert!(summary.recovering && summary.recovered);
    let session = fresh.session(receipt.game).expect("kept");
    assert_eq!(session.own_hidden_square(), lost.own_hidden_square());
    let action = choose(&session, &mut Numbers::new(1));
    let early = fresh.act(receipt.game, action, false, NOW_MS);
    assert!(matches!(early, Err(SignError::CannotSign(CannotSign::Held(Hold::Recovered)))), "{early:?}");
    fresh.confirm(receipt.game, NOW_MS).expect("the person says so");
    assert_eq!(fresh.hold(receipt.game, NOW_MS).expect("readable"), None);
    fresh.act(receipt.game, action, false, NOW_MS).expect("confirmed");
    carry(&mut fresh, &mut host);
    assert_eq!(host.game(games.0).expect("kept").head, host.session(games.0).expect("kept").log().head().id);
}

#[test]
fn a_store_older_than_its_key_notices_its_own_later_entry() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = midgame(&mut host, &mut guest);
    // The backup: everything up to here.
    let backup = guest.tail(games.1, 0).expect("readable");
    let mut old = store(2);
    let copy = old.recover(&backup.entries, &[], NOW_MS).expect("the whole log").game;
    old.confirm(copy, NOW_MS).expect("the person says so");
    act(&mut guest, games.1, &mut Numbers::new(4), false);
    carry(&mut guest, &mut host);
    // The opponent sends back what the lost store had signed.
    let sent = host.tail(games.0, old.game(copy).expect("kept").length).expect("readable");
    let id = host.game(games.0).expect("kept").id;
    old.receive(&host.player(), id, &sent.entries, &[], NOW_MS).expect("shared");
    assert!(old.game(copy).expect("kept").recovering, "nothing more is signed before the person looks");
}

#[test]
fn a_restore_closes_offers_and_asks_before_it_signs() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let (waiting, offer) = join(&mut host, &mut guest, 8);
    host.mark_restored().expect("writable");
    let accept = guest.session(waiting).expect("kept").entries()[1].clone();
    let closed = host.receive_accept(&guest.player(), offer, &accept, NOW_MS);
    assert!(matches!(closed, Err(AcceptError::Closed)), "{closed:?}");
    assert!(host.game(games.0).expect("kept").recovering);
    assert_eq!(host.hold(games.0, NOW_MS).expect("readable"), Some(Hold::Recovered));
}

#[test]
fn a_log_that_binds_nobody_makes_no_game() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let tail = guest.tail(games.1, 0).expect("readable");
    let mut fresh_host = store(1);
    let offer_only = fresh_host.recover(&tail.entries[..2], &[], NOW_MS);
    assert!(matches!(offer_only, Err(RecoverError::NotOurs)), "{offer_only:?}");
    let mut stranger = store(3);
    assert!(matches!(stranger.recover(&tail.entries, &[], NOW_MS), Err(RecoverError::Invalid(_))));
    assert!(stranger.games().expect("readable").is_empty());
    host.delete_game(games.0, NOW_MS).expect("kept");
    assert!(matches!(host.recover(&tail.entries, &[], NOW_MS), Err(RecoverError::Deleted)));
}

#[test]
fn a_shorter_copy_is_brought_up_to_date_and_stays_unrecovered() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = midgame(&mut host, &mut guest);
    act(&mut guest, games.1, &mut Numbers::new(4), false);
    let tail = guest.tail(games.1, 0).expect("readable");
    let receipt = host.recover(&tail.entries, &tail.statements, NOW_MS).expect("a longer log");
    assert!(receipt.changed && receipt.refused.is_none());
    assert!(!host.game(games.0).expect("kept").recovered);
    let again = host.recover(&tail.entries, &tail.statements, NOW_MS).expect("the same again");
    assert!(!again.changed);
}
