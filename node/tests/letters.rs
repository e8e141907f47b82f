//! Games that run through mailboxes alone: two who are never connected, mailboxes that lie, refuse and are full.

use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::note::NoteText;
use chakart_core::protocol::receipt::LetterId;
use chakart_core::protocol::session::OfferSettings;
use chakart_core::transcript::armour::Block;
use chakart_node::mailbox::boxes::{Boxes, DEFAULT_MAX_BYTES, Page, Refusal};
use chakart_node::mailbox::keeper::Keeper;
use chakart_node::mailbox::message::{Request, Response};
use chakart_node::mailbox::post::{Post, PostEvent, TAKE_EVERY_MS, UNLISTED_MS};
use chakart_node::mailbox::seal;
use chakart_node::store::{MAX_PUTS, REPUT_MS, Salt, Store, Subject};
use chakart_node::sync::engine::SyncEvent;

use crate::players::{NOW_MS, Numbers, act, assert_alike, begin, join, key, name, settings, store};

const HOUR_MS: u64 = 3_600_000;
const MAILBOX: u8 = 9;
/// Acts after which the players have shown enough.
const ENOUGH_ACTS: usize = 40;

/// What stands where a mailbox is expected.
enum Machine {
    Honest(Box<Keeper>),
    /// Says that it keeps everything, keeps nothing, and gives letters of its own making.
    Liar {
        given: u8,
    },
}

impl Machine {
    fn honest(folder: &tempfile::TempDir, listed: &[u8], max_bytes: u64) -> Self {
        let listed = listed.iter().map(|number| key(*number).public());
        let file = folder.path().join("mailbox.db");
        let boxes = Boxes::open(&file, key(MAILBOX).public(), listed, max_bytes).expect("own file");
        Self::Honest(Box::new(Keeper::new(boxes)))
    }

    fn answer(&mut self, peer: &PublicKey, request: &Request, now_ms: u64) -> Response {
        let wire = request.encode();
        let request = Request::decode(&wire).expect("within the limits");
        let response = match self {
            Self::Honest(keeper) => keeper.answer(peer, &request, now_ms),
            Self::Liar { given } => match request {
                Request::Put(_) => Response::Kept,
                Request::Take => {
                    *given = given.wrapping_add(1);
                    let nonsense = Block { unknown_lines: 0, ..Block::default() };
                    let sealed = seal::seal(&nonsense, &key(7).public()).expect("short");
                    Response::Letters(Page { letters: vec![vec![*given; 1_024], sealed, vec![]], more: true })
                }
                _ => Response::Deleted,
            },
        };
        Response::decode(&response.encode()).expect("within the limits")
    }

    fn letters(&self) -> u64 {
        match self {
            Self::Honest(keeper) => keeper.fill().expect("readable").letters,
            Self::Liar { .. } => 0,
        }
    }
}

/// A player who is up now and then.
struct Visitor {
    store: Store,
    post: Post,
}

impl Visitor {
    fn new(number: u8, mailboxes: &[u8]) -> Self {
        Self::with(store(number), number, mailboxes)
    }

    fn with(store: Store, number: u8, mailboxes: &[u8]) -> Self {
        let mailboxes = mailboxes.iter().map(|number| key(*number).public());
        Self { store, post: Post::new(key(number), mailboxes) }
    }

    /// Comes up, talks with the machines until nothing is due, and goes.
    fn visit(&mut self, machines: &mut [(u8, &mut Machine)], now_ms: u64) -> Vec<PostEvent> {
        let mut events = Vec::new();
        for (number, _) in machines.iter() {
            self.post.connected(&key(*number).public());
        }
        loop {
            let due = self.post.due(&mut self.store, |_| false, now_ms).expect("memory");
            if due.is_empty() {
                break;
            }
            for (mailbox, request) in due {
                let (_, machine) = machines
                    .iter_mut()
                    .find(|(number, _)| key(*number).public() == mailbox)
                    .expect("only connected mailboxes are asked");
                let response = machine.answer(&self.store.player(), &request, now_ms);
                let answered = self.post.answered(&mut self.store, &mailbox, Some(response), now_ms);
                events.extend(answered.expect("memory"));
            }
        }
        for (number, _) in machines.iter() {
            self.post.disconnected(&key(*number).public());
        }
        events
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

fn kept(events: &[PostEvent]) -> usize {
    events.iter().filter(|event| matches!(event, PostEvent::Kept { .. })).count()
}

#[test]
fn a_whole_game_begins_and_goes_on_without_a_meeting() {
    let folder = folder();
    let mut machine = Machine::honest(&folder, &[1, 2], DEFAULT_MAX_BYTES);
    let mut players = [Visitor::new(1, &[MAILBOX]), Visitor::new(2, &[MAILBOX])];
    let [host, guest] = &mut players;
    guest.store.add_friend("hana", &key(1).public(), NOW_MS).expect("a fresh name");
    let for_guest = OfferSettings { guest: Some(key(2).public()), ..settings() };
    host.store.create_offer(&for_guest, Salt::from_bytes([5; 32]), NOW_MS).expect("room");
    assert_eq!(kept(&host.visit(&mut [(MAILBOX, &mut machine)], NOW_MS)), 1);
    let told = guest.visit(&mut [(MAILBOX, &mut machine)], NOW_MS);
    assert!(matches!(told.as_slice(), [PostEvent::Game(SyncEvent::Invite { .. })]), "{told:?}");
    let invite = guest.store.invites().expect("readable").remove(0);
    let with_guest =
        guest.store.join_invite(&invite, name("Gil"), Salt::from_bytes([6; 32]), NOW_MS).expect("an offer");
    let mut now_ms = NOW_MS;
    let mut round = |players: &mut [Visitor; 2], machine: &mut Machine| {
        now_ms += HOUR_MS;
        for player in players.iter_mut() {
            player.visit(&mut [(MAILBOX, machine)], now_ms);
        }
    };
    round(&mut players, &mut machine);
    round(&mut players, &mut machine);
    let games = (players[0].store.games().expect("readable")[0].game, with_guest);
    let mut numbers = Numbers::new(4);
    players[0].store.write_note(games.0, NoteText::new("good luck").expect("short"), NOW_MS).expect("room");
    for _ in 0..ENOUGH_ACTS {
        act(&mut players[0].store, games.0, &mut numbers, false);
        act(&mut players[1].store, games.1, &mut numbers, false);
        round(&mut players, &mut machine);
        round(&mut players, &mut machine);
    }
    players[1].store.resign(games.1, NOW_MS).expect("the game goes on");
    round(&mut players, &mut machine);
    round(&mut players, &mut machine);
    round(&mut players, &mut machine);
    let [host, guest] = &players;
    assert_alike(&host.store, &guest.store, games);
    assert!(host.store.game(games.0).expect("kept").finished);
    assert!(host.store.game(games.0).expect("kept").length > 20);
    let notes = guest.store.notes(games.1).expect("readable");
    assert_eq!(notes.iter().filter(|note| !note.own).count(), 1);
    assert!(host.store.notes(games.0).expect("readable").iter().all(|note| note.delivered));
    assert_eq!(machine.letters(), 0, "every letter was taken and receipted");
}

#[test]
fn each_content_goes_to_each_mailbox_once_and_again_only_after_days() {
    let (folder, other) = (folder(), folder());
    let mut machines = [
        Machine::honest(&folder, &[1, 2], DEFAULT_MAX_BYTES),
        Machine::honest(&other, &[1, 2], DEFAULT_MAX_BYTES),
    ];
    let [mut host, mut guest] = [store(1), store(2)];
    let (game, _) = join(&mut host, &mut guest, 3);
    let mut guest = Visitor::with(guest, 2, &[MAILBOX, 8]);
    let mut visit = |guest: &mut Visitor, now_ms| {
        let [first, second] = &mut machines;
        kept(&guest.visit(&mut [(MAILBOX, first), (8, second)], now_ms))
    };
    assert_eq!(visit(&mut guest, NOW_MS), 2, "the accept, to each");
    assert_eq!(visit(&mut guest, NOW_MS + HOUR_MS), 0);
    // Another process restarts with what the store remembers.
    guest.post = Post::new(key(2), [key(MAILBOX).public(), key(8).public()]);
    assert_eq!(visit(&mut guest, NOW_MS + REPUT_MS - 1), 0);
    guest.store.write_note(game, NoteText::new("are you there?").expect("short"), NOW_MS).expect("room");
    assert_eq!(visit(&mut guest, NOW_MS + HOUR_MS), 2, "with a message it is another content");
    let mut now_ms = NOW_MS + HOUR_MS;
    let mut again = 0;
    for _ in 0..10 {
        now_ms += REPUT_MS;
        again += visit(&mut guest, now_ms);
    }
    assert_eq!(again, 2 * (MAX_PUTS as usize - 1), "as often as is of use");
    for machine in &machines {
        assert_eq!(machine.letters(), 1, "a letter takes the place of the one before");
    }
}

#[test]
fn who_is_connected_gets_no_letter_until_it_is_gone() {
    let folder = folder();
    let mut machine = Machine::honest(&folder, &[1, 2], DEFAULT_MAX_BYTES);
    let [mut host, mut guest] = [store(1), store(2)];
    join(&mut host, &mut guest, 3);
    let mut guest = Visitor::with(guest, 2, &[MAILBOX]);
    let mailbox = key(MAILBOX).public();
    guest.post.connected(&mailbox);
    let take = guest.post.due(&mut guest.store, |_| true, NOW_MS).expect("memory");
    assert_eq!(take, [(mailbox, Request::Take)]);
    guest.post.answered(&mut guest.store, &mailbox, Some(Response::Kept), NOW_MS).expect("memory");
    assert_eq!(guest.post.due(&mut guest.store, |_| true, NOW_MS).expect("memory"), []);
    guest.post.disconnected(&key(1).public());
    let due = guest.post.due(&mut guest.store, |_| false, NOW_MS).expect("memory");
    assert!(matches!(due.as_slice(), [(_, Request::Put(_))]), "{due:?}");
    let response = machine.answer(&key(2).public(), &due[0].1, NOW_MS);
    assert_eq!(response, Response::Kept);
}

#[test]
fn a_liar_and_a_full_mailbox_cost_only_delay() {
    let folder = folder();
    let mut full = Machine::honest(&folder, &[1, 2], 512);
    let mut liar = Machine::Liar { given: 0 };
    let [mut host, mut guest] = [store(1), store(2)];
    let games = begin(&mut host, &mut guest, 3);
    let mut players = [Visitor::with(host, 1, &[MAILBOX, 8]), Visitor::with(guest, 2, &[MAILBOX, 8])];
    let mut numbers = Numbers::new(4);
    let mut now_ms = NOW_MS;
    for _ in 0..3 {
        act(&mut players[0].store, games.0, &mut numbers, false);
        act(&mut players[1].store, games.1, &mut numbers, false);
        now_ms += HOUR_MS;
        for player in &mut players {
            let events = player.visit(&mut [(MAILBOX, &mut full), (8, &mut liar)], now_ms);
            let junk = events.iter().any(|event| matches!(event, PostEvent::Junk { letters: 3, .. }));
            assert!(junk, "{events:?}");
        }
    }
    let summaries =
        [players[0].store.game(games.0).expect("kept"), players[1].store.game(games.1).expect("kept")];
    assert_ne!(summaries[0].length, summaries[1].length, "nothing has arrived");
    drop(full);
    let mut honest = Machine::honest(&folder, &[1, 2], DEFAULT_MAX_BYTES);
    for _ in 0..2 {
        now_ms += HOUR_MS;
        for player in &mut players {
            player.visit(&mut [(MAILBOX, &mut honest), (8, &mut liar)], now_ms);
        }
    }
    let [host, guest] = &players;
    assert_alike(&host.store, &guest.store, games);
}

#[test]
fn refusals_are_told_and_tried_again_with_growing_pauses() {
    let [mut host, mut guest] = [store(1), store(2)];
    join(&mut host, &mut guest, 3);
    let mut guest = Visitor::with(guest, 2, &[MAILBOX]);
    let mailbox = key(MAILBOX).public();
    guest.post.connected(&mailbox);
    let mut puts = Vec::new();
    for now_ms in (0..24 * HOUR_MS / TAKE_EVERY_MS).map(|step| NOW_MS + step * TAKE_EVERY_MS) {
        while let [(_, request)] =
            guest.post.due(&mut guest.store, |_| false, now_ms).expect("memory").as_slice()
        {
            let put = matches!(request, Request::Put(_));
            let response = match put {
                true => Response::Refused(Refusal::NotListed),
                false => Response::Letters(Page { letters: Vec::new(), more: false }),
            };
            let answered = guest.post.answered(&mut guest.store, &mailbox, Some(response), now_ms);
            let events = answered.expect("memory");
            if put {
                assert!(matches!(events.as_slice(), [PostEvent::NotKept { reason: Refusal::NotListed, .. }]));
                puts.push(now_ms);
            }
        }
    }
    let pauses: Vec<u64> = puts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(pauses.len() >= 6 && pauses.len() < 20, "{pauses:?}");
    assert!(pauses.is_sorted(), "{pauses:?}");
    guest.post.wake();
    let due = guest.post.due(&mut guest.store, |_| false, NOW_MS + 24 * HOUR_MS).expect("memory");
    assert!(matches!(due.as_slice(), [(_, Request::Take)]), "{due:?}");
}

#[test]
fn letters_of_anybody_bring_no_offers_and_no_panic() {
    let folder = folder();
    let mut machine = Machine::honest(&folder, &[1], DEFAULT_MAX_BYTES);
    let mut stranger = store(3);
    let offer = stranger
        .create_offer(
            &OfferSettings { guest: Some(key(1).public()), ..settings() },
            Salt::from_bytes([8; 32]),
            NOW_MS,
        )
        .expect("room");
    let block = stranger.offer_block(offer.id).expect("just made");
    let letter = seal::seal(&block, &key(1).public()).expect("short");
    let id = LetterId::of(&letter);
    let put = Request::Put(chakart_node::mailbox::boxes::Posting {
        recipient: key(1).public(),
        letter,
        replaces: Some(id),
    });
    assert_eq!(machine.answer(&key(3).public(), &put, NOW_MS), Response::Kept);
    let mut player = Visitor::new(1, &[MAILBOX]);
    assert_eq!(player.visit(&mut [(MAILBOX, &mut machine)], NOW_MS), []);
    assert_eq!(player.store.invites().expect("readable"), []);
    assert_eq!(machine.letters(), 0, "receipted all the same");
    player.store.add_friend("stan", &key(3).public(), NOW_MS).expect("a fresh name");
    machine.answer(&key(3).public(), &put, NOW_MS);
    // The same letter again is not opened again; sealed anew it is.
    assert!(matches!(
        player.visit(&mut [(MAILBOX, &mut machine)], NOW_MS + HOUR_MS).as_slice(),
        [PostEvent::Junk { letters: 1, .. }]
    ));
    let letter = seal::seal(&block, &key(1).public()).expect("short");
    let put = Request::Put(chakart_node::mailbox::boxes::Posting {
        recipient: key(1).public(),
        letter,
        replaces: None,
    });
    machine.answer(&key(3).public(), &put, NOW_MS);
    let told = player.visit(&mut [(MAILBOX, &mut machine)], NOW_MS + 2 * HOUR_MS);
    assert!(matches!(told.as_slice(), [PostEvent::Game(SyncEvent::Invite { .. })]), "{told:?}");
}

#[test]
fn a_game_that_is_deleted_while_its_letter_is_under_way_is_forgotten() {
    let [mut host, mut guest] = [store(1), store(2)];
    let (game, _) = join(&mut host, &mut guest, 3);
    let mailbox = key(MAILBOX).public();
    let due = guest.letters_due(&mailbox, NOW_MS).expect("memory");
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].subject, Subject::Game(game));
    let (content, replaces) =
        guest.letter_due(&mailbox, due[0].subject, NOW_MS).expect("memory").expect("the accept");
    assert_eq!(replaces, None);
    guest.note_letter(&mailbox, &content, LetterId([1; 32]), NOW_MS).expect("memory");
    guest.delete_game(game, NOW_MS).expect("kept");
    guest.note_letter_kept(&mailbox, &content).expect("memory");
    assert_eq!(guest.letters_due(&mailbox, NOW_MS).expect("memory"), []);
    assert_eq!(guest.letter_due(&mailbox, Subject::Game(game), NOW_MS).expect("memory"), None);
}

#[test]
fn who_is_not_on_the_list_asks_again_after_a_day_and_puts_letters_all_the_same() {
    let [mut host, mut guest] = [store(1), store(2)];
    join(&mut host, &mut guest, 3);
    let (mailbox, host) = (key(MAILBOX).public(), *key(1).public().as_bytes());
    let mut guest = Visitor::with(guest, 2, &[]);
    guest.post.set_of_others(&[(mailbox, vec![host])]);
    let away = guest.post.away(&guest.store, |_| false, NOW_MS).expect("memory");
    assert_eq!(away, [mailbox]);
    let ask = |guest: &mut Visitor, response, now_ms| {
        let due = guest.post.due(&mut guest.store, |_| false, now_ms).expect("memory");
        let takes = due.iter().filter(|(_, request)| *request == Request::Take).count();
        if !due.is_empty() {
            guest.post.answered(&mut guest.store, &mailbox, Some(response), now_ms).expect("memory");
        }
        (takes, due.len())
    };
    guest.post.connected(&mailbox);
    assert_eq!(ask(&mut guest, Response::Refused(Refusal::NotListed), NOW_MS), (1, 1));
    assert!(guest.post.standing(NOW_MS)[0].unlisted);
    assert_eq!(ask(&mut guest, Response::Kept, NOW_MS), (0, 1), "the accept for the host");
    guest.post.disconnected(&mailbox);
    guest.post.connected(&mailbox);
    guest.post.wake();
    assert_eq!(ask(&mut guest, Response::Kept, NOW_MS + UNLISTED_MS - 1), (0, 0));
    guest.post.disconnected(&mailbox);
    let away = guest.post.away(&guest.store, |_| false, NOW_MS + HOUR_MS).expect("memory");
    assert_eq!(away, [], "there is nothing to say to it");
    guest.post.connected(&mailbox);
    assert_eq!(ask(&mut guest, Response::Busy, NOW_MS + UNLISTED_MS), (1, 1));
}

#[test]
fn a_mailbox_of_one_opponent_gets_no_letters_for_others() {
    let [mut host, mut guest] = [store(1), store(2)];
    join(&mut host, &mut guest, 3);
    let mailbox = key(MAILBOX).public();
    let mut guest = Visitor::with(guest, 2, &[]);
    guest.post.set_of_others(&[(mailbox, vec![*key(5).public().as_bytes()])]);
    guest.post.connected(&mailbox);
    let due = guest.post.due(&mut guest.store, |_| false, NOW_MS).expect("memory");
    assert_eq!(due, [(mailbox, Request::Take)]);
    let empty = Response::Letters(Page { letters: Vec::new(), more: false });
    guest.post.answered(&mut guest.store, &mailbox, Some(empty), NOW_MS).expect("memory");
    assert_eq!(guest.post.due(&mut guest.store, |_| false, NOW_MS).expect("memory"), []);
    guest.post.set_of_others(&[(mailbox, vec![*key(1).public().as_bytes()])]);
    let due = guest.post.due(&mut guest.store, |_| false, NOW_MS).expect("memory");
    assert!(matches!(due.as_slice(), [(_, Request::Put(_))]), "{due:?}");
    guest.post.set_of_others(&[]);
    assert_eq!(guest.post.mailboxes().count(), 0);
}
