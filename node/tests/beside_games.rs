//! What goes between two connected players beside their games; and a key that is used twice.

use chakart_core::protocol::note::NoteText;
use chakart_core::protocol::session::{CannotSign, Hold};
use chakart_node::store::{DeliveryState, PlanOutcome, Salt, SignError, Store};
use chakart_node::sync::engine::SyncEvent;
use chakart_node::sync::message::{OfferClosed, Request, Response};
use chakart_node::sync::note::{NoteRequest, NoteResponse};

use crate::players::{NOW_MS, Numbers, act, begin, carry, key, name, settings, store};
use crate::sync_over_a_bad_wire::{FINE, Side, Wire};

#[test]
fn a_rematch_reaches_a_connected_opponent_and_waits_there() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 1);
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    wire.sides[1].store.resign(games.1, NOW_MS).expect("begun");
    wire.settle();
    wire.sides[0].store.rematch(games.0, Salt::from_bytes([5; 32]), NOW_MS).expect("over");
    wire.settle();
    let guest = wire.sides[1].store.player();
    assert_eq!(wire.sides[0].store.undelivered_offers(&guest).expect("readable"), []);
    let invites = wire.sides[1].store.invites().expect("readable");
    let [invite] = invites.as_slice() else { unreachable!("{invites:?}") };
    let told = wire.sides[1].events.iter().filter(|event| matches!(event, SyncEvent::Invite { .. })).count();
    assert_eq!(told, 1);
    let salt = Salt::from_bytes([6; 32]);
    wire.sides[1].store.join_invite(invite, name("Gil"), salt, NOW_MS).expect("an open offer");
    wire.settle();
    let second = wire.sides[0].store.games().expect("readable");
    assert_eq!(second.len(), 2);
    assert!(second.iter().all(|game| game.length >= 3));
}

#[test]
fn an_offer_of_a_stranger_is_not_kept() {
    let (mut host, guest) = (store(1), store(2));
    let mut settings = settings();
    settings.guest = Some(guest.player());
    let offer = host.create_offer(&settings, Salt::from_bytes([1; 32]), NOW_MS).expect("room");
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    assert_eq!(wire.sides[1].store.invites().expect("readable"), []);
    let response = wire.ask(1, &Request::Offer { offer: offer.offer.clone() });
    assert_eq!(response, Response::OfferClosed { reason: OfferClosed::Unknown });
    let host = wire.sides[0].store.player();
    wire.sides[1].store.add_friend("hana", &host, NOW_MS).expect("a friend");
    assert_eq!(wire.ask(1, &Request::Offer { offer: offer.offer }), Response::Kept);
    assert_eq!(wire.sides[1].store.invites().expect("readable").len(), 1);
}

fn deliver(from: &mut Side, to: &mut Side, answered: bool) -> usize {
    let due = from.engine.notes_due(&from.store).expect("readable");
    for (peer, request) in &due {
        assert_eq!(*peer, to.store.player());
        let read = NoteRequest::decode(&request.encode()).expect("what is sent can be read");
        let sender = from.store.player();
        let (response, outputs) =
            to.engine.note_request(&mut to.store, sender, &read, NOW_MS).expect("memory");
        assert_eq!(response, NoteResponse::Kept);
        to.events.extend(outputs.into_iter().filter_map(|output| match output {
            chakart_node::sync::engine::Output::Tell(event) => Some(event),
            chakart_node::sync::engine::Output::Send { .. } => None,
        }));
        let response = answered.then_some(response);
        from.engine.note_response(&mut from.store, peer, request, response).expect("memory");
    }
    due.len()
}

#[test]
fn messages_are_pushed_until_they_are_acknowledged() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 1);
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.sides[0].store.write_note(games.0, NoteText::new("hello").expect("a text"), NOW_MS).expect("room");
    assert!(
        wire.sides[0].engine.notes_due(&wire.sides[0].store).expect("readable").is_empty(),
        "not connected"
    );
    wire.connect();
    let [host, guest] = &mut wire.sides;
    assert_eq!(deliver(host, guest, false), 1, "the answer is lost");
    assert_eq!(deliver(host, guest, true), 0, "not at once again");
    let peer = guest.store.player();
    host.engine.greet(&mut host.store, peer, NOW_MS).expect("memory");
    assert_eq!(deliver(host, guest, true), 1);
    assert_eq!(deliver(host, guest, true), 0);
    assert_eq!(guest.store.notes(games.1).expect("readable").len(), 1);
    let told = guest.events.iter().filter(|event| matches!(event, SyncEvent::Note { .. })).count();
    assert_eq!(told, 1);
}

#[test]
fn a_plan_is_played_by_the_node_while_the_player_is_away() {
    let (mut host, mut guest) = (store(1), store(2));
    let mut fixed = settings();
    fixed.setup = chakart_core::rules::Setup::Fixed;
    fixed.color = chakart_core::protocol::entry::ColorChoice::White;
    let offer = host.create_offer(&fixed, Salt::from_bytes([1; 32]), NOW_MS).expect("room");
    let game = guest.join(&offer.offer, name("Gil"), Salt::from_bytes([2; 32]), NOW_MS).expect("open");
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    wire.sides[1].store.add_plan(game, "if b1c3 then b8c6", NOW_MS).expect("White is to move");
    let hosts = wire.sides[0].store.games().expect("readable")[0].game;
    let session = wire.sides[0].store.session(hosts).expect("kept");
    let action = session.game().expect("set up").parse_action("b1c3").expect("an action");
    wire.sides[0].store.act(hosts, action, false, NOW_MS).expect("legal");
    wire.settle();
    let Side { store, engine, .. } = &mut wire.sides[1];
    let outputs = engine.fire_plans(store, NOW_MS).expect("memory");
    let played = outputs.iter().any(|output| {
        matches!(output, chakart_node::sync::engine::Output::Tell(SyncEvent::Plan(report))
            if report.outcome == PlanOutcome::Played)
    });
    assert!(played, "{outputs:?}");
    assert!(engine.fire_plans(store, NOW_MS).expect("memory").is_empty());
    wire.settle();
    let summary = wire.sides[0].store.game(hosts).expect("kept");
    assert_eq!((summary.length, summary.delivery_state()), (5, DeliveryState::Acknowledged));
}

#[test]
fn an_own_entry_of_another_machine_stops_the_game_until_the_person_looks() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let file = folder.path().join("copy.sqlite");
    let (mut first, mut opponent) = (store(1), store(2));
    let games = begin(&mut first, &mut opponent, 1);
    let mut numbers = Numbers::new(3);
    first.copy_to(&file).expect("a writable folder");
    let mut second = Store::open(&file, key(1)).expect("a copy");
    let length = first.game(games.0).expect("kept").length;
    while first.game(games.0).expect("kept").length < length + 4 {
        act(&mut first, games.0, &mut numbers, false);
        carry(&mut first, &mut opponent);
        act(&mut opponent, games.1, &mut numbers, false);
        carry(&mut opponent, &mut first);
    }
    let id = second.game(games.0).expect("kept").id;
    let tail = opponent.tail(games.1, 0).expect("readable");
    let receipt = second
        .receive(&opponent.player(), id, &tail.entries, &tail.statements, NOW_MS)
        .expect("a common game");
    assert!(receipt.other_machine.is_some(), "{receipt:?}");
    let summary = second.game(games.0).expect("kept");
    assert!(summary.other_machine && summary.recovering);
    let refused = second.resign(games.0, NOW_MS);
    assert!(matches!(refused, Err(SignError::CannotSign(CannotSign::Held(Hold::Recovered)))), "{refused:?}");
}
