//! What the store promises: nothing half done, nothing signed twice, nothing acknowledged lost.

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{Act, Body, Entry, EntryId, SignedAction};
use chakart_core::protocol::session::CannotSign;
use chakart_core::rules::Action;
use chakart_node::store::{
    AcceptError, FindError, JoinError, Named, OfferState, SCHEMA, Salt, SignError, Store, StoreError, Waiting,
};

use super::players::{
    NOW_MS, Numbers, act, assert_alike, begin, carry, choose, join, key, name, settings, store,
};

#[test]
fn a_whole_game_by_hand_ends_alike() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let mut numbers = Numbers::new(3);
    for ply in 0..200 {
        if host.game(games.0).expect("kept").finished {
            break;
        }
        let draw = ply >= 60;
        let _ = act(&mut host, games.0, &mut numbers, draw) || act(&mut guest, games.1, &mut numbers, draw);
        carry(&mut host, &mut guest);
        carry(&mut guest, &mut host);
        carry(&mut host, &mut guest);
        assert_alike(&host, &guest, games);
    }
    assert!(host.game(games.0).expect("kept").finished);
    assert!(host.refused_entries(games.0).expect("readable").is_empty());
}

#[test]
fn a_second_process_cannot_sign_the_same_place() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = folder.path().join("games.sqlite");
    let mut host = Store::open(&file, key(1)).expect("a fresh file");
    let mut other_terminal = Store::open(&file, key(1)).expect("the same file");
    let mut guest = store(2);
    let games = begin(&mut host, &mut guest, 7);
    let (mut mover, game) = if host.session(games.0).expect("kept").is_my_turn() {
        (host, games.0)
    } else {
        act(&mut guest, games.1, &mut Numbers::new(0), false);
        carry(&mut guest, &mut host);
        carry(&mut host, &mut guest);
        carry(&mut guest, &mut host);
        (host, games.0)
    };
    let session = mover.session(game).expect("kept");
    let stale = other_terminal.session(game).expect("kept");
    if !session.is_my_turn() {
        return;
    }
    let mut numbers = Numbers::new(1);
    mover.act(game, choose(&session, &mut numbers), false, NOW_MS).expect("legal");
    let places = mover.signed_places().expect("readable");
    let again = other_terminal.act(game, choose(&stale, &mut numbers), false, NOW_MS + 1);
    assert!(matches!(again, Err(SignError::CannotSign(CannotSign::NotYourTurn))), "{again:?}");
    assert_eq!(other_terminal.signed_places().expect("readable"), places);
}

#[test]
fn a_lost_log_does_not_free_the_places_that_were_signed_in_it() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = folder.path().join("games.sqlite");
    let mut host = Store::open(&file, key(1)).expect("a fresh file");
    let mut guest = store(2);
    let games = begin(&mut host, &mut guest, 7);
    if !host.session(games.0).expect("kept").is_my_turn() {
        act(&mut guest, games.1, &mut Numbers::new(5), false);
        carry(&mut guest, &mut host);
    }
    let session = host.session(games.0).expect("kept");
    if !session.is_my_turn() {
        return;
    }
    let before = session.log().last_seq();
    let mut numbers = Numbers::new(1);
    host.act(games.0, choose(&session, &mut numbers), false, NOW_MS).expect("legal");
    drop(host);
    // A meddler cuts the log; the record of signed places stays.
    let db = rusqlite::Connection::open(&file).expect("the same file");
    db.execute("DELETE FROM entries WHERE seq > ?1", [before]).expect("a table of entries");
    drop(db);
    let mut host = Store::open(&file, key(1)).expect("the same file");
    let other = choose(&session, &mut numbers);
    let signed = host.act(games.0, other, true, NOW_MS + 5);
    assert!(matches!(signed, Err(SignError::Store(StoreError::PlaceSigned { .. }))), "{signed:?}");
    assert_eq!(host.session(games.0).expect("kept").log().last_seq(), before, "nothing was stored");
}

#[test]
fn an_illegal_action_changes_nothing() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let before = (host.game(games.0).expect("kept"), guest.game(games.1).expect("kept"));
    let absurd = Action::parse_chakart("a1a1").expect("reads");
    assert!(host.act(games.0, absurd, false, NOW_MS).is_err());
    assert!(guest.act(games.1, absurd, false, NOW_MS).is_err());
    assert_eq!(before, (host.game(games.0).expect("kept"), guest.game(games.1).expect("kept")));
}

#[test]
fn an_offer_is_answered_once() {
    let (mut host, mut guest, mut late) = (store(1), store(2), store(3));
    let (game, offer) = join(&mut host, &mut guest, 7);
    let own = host.offer(offer).expect("readable").expect("kept");
    let late_game = late.join(&own.offer, name("Lu"), Salt::from_bytes([9; 32]), NOW_MS).expect("open");
    let accept = guest.session(game).expect("kept").entries()[1].clone();
    let late_accept = late.session(late_game).expect("kept").entries()[1].clone();
    let stolen = host.receive_accept(&late.player(), offer, &accept, NOW_MS);
    assert!(matches!(stolen, Err(AcceptError::Refused(_))), "an accept is its sender's: {stolen:?}");
    let first = host.receive_accept(&guest.player(), offer, &accept, NOW_MS).expect("open");
    let again = host.receive_accept(&guest.player(), offer, &accept, NOW_MS).expect("the same");
    assert_eq!((first.game, first.head), (again.game, again.head));
    let taken = host.receive_accept(&late.player(), offer, &late_accept, NOW_MS);
    assert!(matches!(taken, Err(AcceptError::Taken)), "{taken:?}");
    assert_eq!(host.offer(offer).expect("readable").expect("kept").state, OfferState::Taken(accept.id()));
    assert_eq!(host.game(first.game).expect("kept").length, 3, "the set-up is signed at once");
}

#[test]
fn joining_twice_finds_the_same_game_until_it_is_deleted() {
    let (mut host, mut guest) = (store(1), store(2));
    let (game, offer) = join(&mut host, &mut guest, 7);
    let offer = host.offer(offer).expect("readable").expect("kept").offer;
    let again = guest.join(&offer, name("Gil"), Salt::fresh().expect("randomness"), NOW_MS).expect("known");
    assert_eq!(game, again);
    guest.delete_game(game, NOW_MS).expect("it is there");
    let deleted = guest.join(&offer, name("Gil"), Salt::fresh().expect("randomness"), NOW_MS);
    assert!(matches!(deleted, Err(JoinError::Deleted { .. })), "{deleted:?}");
    assert_eq!(guest.signed_places().expect("readable"), 1, "what was signed is remembered");
    let own = host.join(&offer, name("Hana"), Salt::fresh().expect("randomness"), NOW_MS);
    assert!(matches!(own, Err(JoinError::NotJoined(_))), "{own:?}");
}

#[test]
fn a_cancelled_offer_is_closed() {
    let (mut host, mut guest) = (store(1), store(2));
    let (game, offer) = join(&mut host, &mut guest, 7);
    assert!(host.cancel_offer(offer).expect("writable"));
    assert!(!host.cancel_offer(offer).expect("writable"));
    let accept = guest.session(game).expect("kept").entries()[1].clone();
    let closed = host.receive_accept(&guest.player(), offer, &accept, NOW_MS);
    assert!(matches!(closed, Err(AcceptError::Closed)), "{closed:?}");
    assert!(host.offers().expect("readable").is_empty());
}

#[test]
fn open_offers_are_bounded() {
    let mut host = store(1);
    for number in 0..chakart_node::store::MAX_OPEN_OFFERS {
        let salt = Salt::from_bytes([u8::try_from(number).expect("few"); 32]);
        host.create_offer(&settings(), salt, NOW_MS).expect("room");
    }
    assert!(host.create_offer(&settings(), Salt::from_bytes([255; 32]), NOW_MS).is_err());
}

#[test]
fn names_are_short_unique_and_found_by_their_beginning() {
    let (mut host, mut guest) = (store(1), store(2));
    let first = begin(&mut host, &mut guest, 1);
    let second = begin(&mut host, &mut guest, 2);
    let offer = host.create_offer(&settings(), Salt::from_bytes([3; 32]), NOW_MS).expect("room");
    assert_eq!(host.game(first.0).expect("kept").name, "gil-1");
    assert_eq!(host.find_game("gil-2").expect("exact").game, second.0);
    assert_eq!(guest.find_game("hana-1").expect("exact").game, first.1);
    assert!(matches!(host.find_game("gil"), Err(FindError::Ambiguous { fits, .. }) if fits.len() == 2));
    assert!(matches!(host.find_game("x"), Err(FindError::NotFound(_))));
    assert!(matches!(host.find("off"), Ok(Named::Offer(found)) if found.id == offer.id));
    host.delete_game(second.0, NOW_MS).expect("kept");
    begin(&mut host, &mut guest, 4);
    assert!(host.find_game("gil-3").is_ok(), "a name is never given twice");
}

#[test]
fn a_draw_intent_goes_with_the_next_act_and_is_gone() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    host.set_draw_intent(games.0, true).expect("writable");
    guest.set_draw_intent(games.1, true).expect("writable");
    let mut numbers = Numbers::new(2);
    let host_acts = act(&mut host, games.0, &mut numbers, false);
    let (store, game) = if host_acts {
        (&mut host, games.0)
    } else {
        assert!(act(&mut guest, games.1, &mut numbers, false));
        (&mut guest, games.1)
    };
    let entry = store.session(game).expect("kept").entries().last().expect("an act").decode().expect("own");
    assert!(matches!(entry.body, Body::Act(Act { draw_offer: true, .. })));
    assert!(!store.game(game).expect("kept").draw_intent);
}

#[test]
fn a_resignation_travels_and_ends_the_game() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    guest.resign(games.1, NOW_MS).expect("in turn or out of turn");
    assert!(matches!(
        guest.resign(games.1, NOW_MS),
        Err(SignError::CannotSign(CannotSign::Over | CannotSign::SaidAlready))
    ));
    carry(&mut guest, &mut host);
    let game = host.game(games.0).expect("kept");
    assert_eq!((game.result.as_str(), game.waiting), ("aborted", Waiting::Nothing));
    assert_alike(&host, &guest, games);
}

#[test]
fn a_forged_entry_is_kept_as_evidence_and_blocks_nothing() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let session = host.session(games.0).expect("kept");
    let (log, head) = (session.log(), session.log().head());
    let owes = log.phase().owes().expect("it has begun");
    let nonsense = Entry {
        seq: log.last_seq() + 1,
        prev: head.id,
        author: owes,
        at_ms: head.at_ms,
        body: Body::Act(Act { action: SignedAction::Pass, nonce: [0; 32], draw_offer: false }),
    };
    let (liar, victim, game) =
        if owes == session.me() { (1, &mut guest, games.1) } else { (2, &mut host, games.0) };
    let liar = key(liar);
    let forged = SignedEntry::sign(&nonsense, &liar);
    let id = session.log().game_id().expect("begun");
    let receipt =
        victim.receive(&liar.public(), id, std::slice::from_ref(&forged), &[], NOW_MS).expect("shared");
    let refused = receipt.refused.expect("nobody passes at the start");
    assert!(refused.convicts && !refused.later);
    assert_eq!(victim.refused_entries(game).expect("readable")[0].entry, forged);
    let summary = victim.game(game).expect("kept");
    assert!(summary.finished && summary.result != "*");
    let session = victim.session(game).expect("the proof is read back");
    assert_eq!(session.proofs().len(), 1);
    victim.resign(game, NOW_MS).expect("a proof never blocks a resignation");
    assert_eq!(victim.tail(game, 0).expect("export works").statements.len(), 1);
}

#[test]
fn a_stranger_sees_and_touches_nothing() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let id = host.game(games.0).expect("kept").id;
    let stranger = key(9).public();
    assert!(host.receive(&stranger, id, &[], &[], NOW_MS).is_err());
    assert!(host.shared_game(&stranger, id).expect("readable").is_none());
    assert!(host.games_with(&stranger, None, 10).expect("readable").is_empty());
    assert!(host.receive(&guest.player(), EntryId([1; 32]), &[], &[], NOW_MS).is_err());
}

#[test]
fn newer_schemas_and_other_keys_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = folder.path().join("games.sqlite");
    drop(Store::open(&file, key(1)).expect("a fresh file"));
    assert!(matches!(Store::open(&file, key(2)), Err(StoreError::OtherKey { .. })));
    let db = rusqlite::Connection::open(&file).expect("the same file");
    db.pragma_update(None, "user_version", SCHEMA + 1).expect("writable");
    drop(db);
    let newer = Store::open(&file, key(1));
    assert!(
        matches!(newer, Err(StoreError::NewerSchema { found, known }) if found == SCHEMA + 1 && known == SCHEMA)
    );
}

#[test]
fn a_write_that_does_not_commit_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = folder.path().join("games.sqlite");
    let mut host = Store::open(&file, key(1)).expect("a fresh file");
    let mut guest = store(2);
    let games = begin(&mut host, &mut guest, 7);
    // Another process holds the right to write until it dies without committing.
    let mut other = rusqlite::Connection::open(&file).expect("the same file");
    let tx = other.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).expect("free");
    tx.execute("DELETE FROM signed_places", []).expect("writable");
    tx.execute("DELETE FROM games", []).expect("writable");
    drop(tx);
    drop(other);
    assert_eq!(host.game(games.0).expect("still here").length, 3);
    assert_eq!(host.signed_places().expect("readable"), 1);
}
