//! Peers that send too much, nonsense, or what is none of theirs.

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{Body, Entry, EntryId, Party};
use chakart_node::store::GameHead;
use chakart_node::sync::limits::{MAX_HEADS, MAX_STRANGE_GAMES_PER_PEER, PLAYER_BURST, STRANGER_BURST};
use chakart_node::sync::message::{OfferClosed, Request, Response};

use super::players::{NOW_MS, Numbers, begin, join, key, store};
use super::sync_over_a_bad_wire::{FINE, Wire};

fn orphan(number: u32) -> SignedEntry {
    let [a, b, c, d] = number.to_le_bytes();
    let mut prev = [0xaa; 32];
    prev[..4].copy_from_slice(&[a, b, c, d]);
    let entry = Entry {
        seq: 10 + number % 60_000,
        prev: EntryId(prev),
        author: Party::Guest,
        at_ms: NOW_MS,
        body: Body::AcceptDraw,
    };
    SignedEntry::sign(&entry, &key(2))
}

#[test]
fn orphans_by_the_thousand_leave_the_game_going_on() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    let game = wire.sides[0].store.game(games.0).expect("kept").id;
    let head = wire.sides[0].store.game(games.0).expect("kept").head;
    for batch in 0..32 {
        let entries = (0..64).map(|number| orphan(batch * 64 + number)).collect();
        let response = wire.ask(0, &Request::Push { game, entries, statements: Vec::new() });
        assert!(matches!(response, Response::Ack { head: theirs, refused: None } if theirs.head == head));
    }
    let mut numbers = Numbers::new(2);
    for _ in 0..10 {
        wire.act(games, &mut numbers, false);
        wire.settle();
    }
    wire.alike(games);
}

#[test]
fn entries_out_of_order_find_their_place() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.connect();
    let mut numbers = Numbers::new(2);
    wire.disconnect();
    // The guest's copy goes on by way of a third store that stands for the host's second terminal.
    let mut reference = Wire::new(store(1), store(2), FINE, 3);
    let same = begin_same(&mut reference);
    for _ in 0..8 {
        reference.act(same, &mut numbers, false);
        reference.settle();
    }
    let log = reference.sides[1].store.tail(same.1, 0).expect("readable").entries;
    let game = wire.sides[0].store.game(games.0).expect("kept").id;
    assert_eq!(log[1].id(), game, "the same salts make the same game");
    wire.connect();
    for entry in log.iter().rev() {
        wire.ask(0, &Request::Push { game, entries: vec![entry.clone()], statements: Vec::new() });
    }
    let summary = wire.sides[0].store.game(games.0).expect("kept");
    assert!(summary.length >= u32::try_from(log.len()).expect("short"), "all orphans were placed");
}

fn begin_same(wire: &mut Wire) -> (chakart_node::store::GameNo, chakart_node::store::GameNo) {
    let [host, guest] = &mut wire.sides;
    let games = begin(&mut host.store, &mut guest.store, 7);
    wire.connect();
    games
}

#[test]
fn requests_beyond_the_allowance_are_put_off() {
    let (mut host, mut guest) = (store(1), store(2));
    begin(&mut host, &mut guest, 7);
    let mut players = Wire::new(host, guest, FINE, 1);
    players.connect();
    let ask = Request::GetEntries { game: EntryId([1; 32]), from: 0 };
    let busy = (0..PLAYER_BURST + 10).filter(|_| players.ask(0, &ask) == Response::Busy).count();
    assert!((10..30).contains(&busy), "{busy}");
    let mut strangers = Wire::new(store(1), store(3), FINE, 1);
    strangers.connect();
    let busy = (0..STRANGER_BURST + 10).filter(|_| strangers.ask(0, &ask) == Response::Busy).count();
    assert!((10..20).contains(&busy), "{busy}");
}

#[test]
fn foreign_unknown_and_later_requests_are_answered_politely() {
    let (mut host, mut guest) = (store(1), store(2));
    let games = begin(&mut host, &mut guest, 7);
    let id = host.game(games.0).expect("kept").id;
    let mut wire = Wire::new(host, store(3), FINE, 1);
    wire.connect();
    assert_eq!(wire.ask(0, &Request::GetEntries { game: id, from: 0 }), Response::UnknownGame { game: id });
    let push = Request::Push { game: id, entries: vec![orphan(1)], statements: Vec::new() };
    assert_eq!(wire.ask(0, &push), Response::UnknownGame { game: id });
    assert_eq!(wire.ask(0, &Request::Unknown { kind: 77 }), Response::Unsupported);
    let accept = Request::DeliverAccept { offer: EntryId([5; 32]), accept: orphan(1) };
    assert_eq!(wire.ask(0, &accept), Response::OfferClosed { reason: OfferClosed::Unknown });
    assert!(wire.sides[0].store.refused_entries(games.0).expect("readable").is_empty());
}

#[test]
fn an_offer_withstands_accepts_that_are_none() {
    let (mut host, mut guest) = (store(1), store(2));
    let (_, offer) = join(&mut host, &mut guest, 7);
    let mut wire = Wire::new(host, guest, FINE, 1);
    wire.sides[0].engine.connected(&mut wire.sides[0].store, key(2).public(), NOW_MS).expect("memory");
    for number in 0..10 {
        let nonsense = Request::DeliverAccept { offer, accept: orphan(number) };
        assert_eq!(wire.ask(0, &nonsense), Response::OfferClosed { reason: OfferClosed::Invalid });
    }
    wire.connect();
    assert_eq!(wire.sides[0].store.games().expect("readable").len(), 1, "the true guest still gets in");
}

#[test]
fn games_that_do_not_exist_cost_a_bounded_number_of_questions() {
    let mut wire = Wire::new(store(1), store(2), FINE, 1);
    wire.connect();
    let before = wire.carried;
    for page in 0..20_u8 {
        let invented: Vec<GameHead> = (0..MAX_HEADS)
            .map(|number| {
                let mut game = [page; 32];
                game[..8].copy_from_slice(&number.to_le_bytes());
                GameHead { game: EntryId(game), length: 9, head: EntryId(game), statements: [0; 8] }
            })
            .collect();
        wire.ask(0, &Request::Heads(invented));
    }
    wire.settle();
    let packets = wire.carried - before;
    assert!(packets <= 4 * MAX_STRANGE_GAMES_PER_PEER as usize, "{packets}");
    assert!(wire.sides[0].store.games().expect("readable").is_empty());
}
