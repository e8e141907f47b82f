//! Games that run on armoured text alone: blocks lost, repeated and in the wrong order; what is decided in advance.

use chakart_core::board::Color;
use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{Party, TimeControl};
use chakart_core::protocol::note::NoteText;
use chakart_core::protocol::session::{CannotSign, Hold, OfferSettings};
use chakart_core::rules::{Rules, Setup, Variant};
use chakart_core::transcript::armour::Block;
use chakart_core::transcript::export::Source;
use chakart_core::transcript::report::{Report, Verdict};
use chakart_core::transcript::verify::{Expected, check};
use chakart_node::store::{
    AbortError, BlockReceipt, DeliveryState, GameNo, GameReceipt, MAX_PENDING_INVITES_PER_HOST, PlanError,
    PlanOutcome, RematchError, Reply, Salt, SignError, Store, Waiting,
};

use crate::players::{NOW_MS, Numbers, act, assert_alike, name, settings, store};

/// Acts after which a player resigns.
const PATIENCE: usize = 120;
const HOUR_MS: u64 = 3_600_000;

/// Host and guest with the numbers of their common game.
struct Friends {
    stores: [Store; 2],
    games: [GameNo; 2],
}

impl Friends {
    /// Offer, accept and set-up by text.
    fn begin(settings: &OfferSettings, salt: u8) -> Self {
        let [mut host, mut guest] = [store(1), store(2)];
        let offer = host.create_offer(settings, Salt::from_bytes([salt; 32]), NOW_MS).expect("room");
        let text = host.offer_block(offer.id).expect("just made").armoured();
        let receipts = receive(&mut guest, &text, NOW_MS);
        let [BlockReceipt::Invite { invite, known: false }] = receipts.as_slice() else {
            unreachable!("{receipts:?}")
        };
        let salt = Salt::from_bytes([salt ^ 0xff; 32]);
        let with_guest = guest.join_invite(invite, name("Gil"), salt, NOW_MS).expect("a good offer");
        assert_eq!(guest.invites().expect("readable"), []);
        let accept = send(&mut guest, with_guest);
        let accepted = receive_game(&mut host, &accept, NOW_MS);
        assert!(accepted.begun);
        let mut friends = Self { stores: [host, guest], games: [accepted.game, with_guest] };
        assert_eq!(friends.carry(0, NOW_MS).expect("the set-up").applied, 1);
        friends
    }

    /// Sends what one of them owes, if it is anything that was not sent before.
    fn carry(&mut self, from: usize, now_ms: u64) -> Option<GameReceipt> {
        let outgoing = self.stores[from].outgoing_block(self.games[from]).expect("readable");
        if outgoing.is_nothing() || outgoing.repeated {
            return None;
        }
        let text = send(&mut self.stores[from], self.games[from]);
        Some(receive_game(&mut self.stores[1 - from], &text, now_ms))
    }

    fn finished(&self) -> bool {
        (0..2).all(|who| self.summary(who).finished)
    }

    fn summary(&self, who: usize) -> chakart_node::store::GameSummary {
        self.stores[who].game(self.games[who]).expect("kept")
    }

    /// Whose turn it is to decide.
    fn decider(&self) -> usize {
        match self.summary(0).waiting {
            Waiting::Act(Party::Host) => 0,
            Waiting::Act(Party::Guest) => 1,
            other => unreachable!("nobody is to decide: {other:?}"),
        }
    }

    /// Plays the queen's knight from its first square.
    fn knight_out(&mut self, who: usize) {
        let text = if self.summary(who).color == Some(Color::White) { "b1c3" } else { "b8c6" };
        self.play(who, text, NOW_MS).expect("legal in the fixed array");
    }

    /// Plays a text of an action.
    fn play(&mut self, who: usize, text: &str, now_ms: u64) -> Result<(), SignError> {
        let session = self.stores[who].session(self.games[who]).expect("kept");
        let action = session.game().expect("set up").parse_action(text).expect("an action");
        self.stores[who].act(self.games[who], action, false, now_ms)
    }
}

/// What `send` prints.
fn send(store: &mut Store, game: GameNo) -> String {
    let outgoing = store.outgoing_block(game).expect("readable");
    store.mark_sent(&outgoing).expect("writable");
    outgoing.block.armoured()
}

fn receive(store: &mut Store, text: &str, now_ms: u64) -> Vec<BlockReceipt> {
    let quoted: String = text.lines().map(|line| format!("> {line}\r\n")).collect();
    let block = Block::read(&format!("Dear friend,\r\n{quoted}--\r\n")).expect("an own block");
    store.receive_block(&block, now_ms).expect("a store that works")
}

fn receive_game(store: &mut Store, text: &str, now_ms: u64) -> GameReceipt {
    match <[_; 1]>::try_from(receive(store, text, now_ms)).expect("one log in the block") {
        [BlockReceipt::Game(receipt)] => receipt,
        [other] => unreachable!("{other:?}"),
    }
}

fn timed() -> OfferSettings {
    let time = TimeControl::PerMove { move_ms: HOUR_MS };
    OfferSettings { time, setup: Setup::Fixed, ..settings() }
}

fn plain() -> OfferSettings {
    OfferSettings { setup: Setup::Fixed, ..settings() }
}

#[test]
fn a_whole_game_of_each_variant_runs_by_armoured_text_only() {
    for (seed, variant) in (1..).zip(Variant::ALL) {
        let setup = if variant.allows(Setup::Asymmetric) { Setup::Asymmetric } else { Setup::Fixed };
        let mut friends = Friends::begin(&OfferSettings { variant, setup, ..settings() }, seed);
        let mut numbers = Numbers::new(u64::from(seed));
        let (mut messages, mut acts) = (0, 0);
        while !friends.finished() {
            for who in 0..2 {
                let [host, guest] = &mut friends.stores;
                let (store, game) =
                    if who == 0 { (host, friends.games[0]) } else { (guest, friends.games[1]) };
                acts += usize::from(act(store, game, &mut numbers, false));
                if acts >= PATIENCE && !store.game(game).expect("kept").finished {
                    store.resign(game, NOW_MS).expect("the game goes on");
                }
                messages += usize::from(friends.carry(who, NOW_MS).is_some());
            }
        }
        // The seal that acknowledges the end.
        for who in 0..2 {
            messages += usize::from(friends.carry(who, NOW_MS).is_some());
        }
        let [host, guest] = &friends.stores;
        assert_alike(host, guest, (friends.games[0], friends.games[1]));
        assert!(messages <= 2 * acts + 4, "{variant}: {messages} messages for {acts} acts");
        let session = friends.stores[1].session(friends.games[1]).expect("kept");
        let report = Report::of(&check(Source::of(&session).transcript().as_bytes(), Expected::default()));
        assert_eq!(report.verdict, Verdict::Finished, "{variant}: {}", report.line);
    }
}

#[test]
fn lost_repeated_and_reordered_blocks_do_no_harm() {
    let mut friends = Friends::begin(&settings(), 3);
    let mut numbers = Numbers::new(7);
    let mut texts: [Vec<String>; 2] = Default::default();
    for round in 0..60 {
        for who in [0, 1] {
            act(&mut friends.stores[who], friends.games[who], &mut numbers, false);
            let text = send(&mut friends.stores[who], friends.games[who]);
            texts[who].push(text);
            // Every third is lost; of the others the newest comes first, then older ones.
            let arrives = texts[who].iter().rev().take(if round % 3 == 0 { 0 } else { 4 });
            for text in arrives {
                for receipt in receive(&mut friends.stores[1 - who], text, NOW_MS) {
                    let good = matches!(&receipt, BlockReceipt::Game(game) if game.refused.is_none());
                    assert!(good, "{receipt:?}");
                }
            }
        }
    }
    assert!(friends.summary(0).length > 30);
    let lengths = [0, 1].map(|who| friends.summary(who).length);
    assert!(lengths[0].abs_diff(lengths[1]) <= 2, "{lengths:?}");
}

#[test]
fn what_is_signed_is_then_sent_and_then_acknowledged() {
    let mut friends = Friends::begin(&plain(), 4);
    let who = friends.decider();
    let nothing = friends.stores[who].outgoing_block(friends.games[who]).expect("readable");
    assert_eq!(nothing.is_nothing(), who == 1, "the host does not know yet that its set-up arrived");
    friends.knight_out(who);
    assert_eq!(friends.summary(who).delivery_state(), DeliveryState::Signed);
    let text = send(&mut friends.stores[who], friends.games[who]);
    assert_eq!(friends.summary(who).delivery_state(), DeliveryState::Sent);
    let receipt = receive_game(&mut friends.stores[1 - who], &text, NOW_MS);
    assert_eq!((receipt.applied, receipt.reply), (1, Reply::Nothing));
    assert!(
        friends.summary(1 - who).last_event.contains("goes from b"),
        "{}",
        friends.summary(1 - who).last_event
    );
    friends.knight_out(1 - who);
    friends.carry(1 - who, NOW_MS).expect("an answer");
    assert_eq!(friends.summary(who).delivery_state(), DeliveryState::Acknowledged);
}

#[test]
fn an_end_is_acknowledged_by_one_reply_and_nothing_follows_it() {
    for ending in ["resignation", "agreed draw"] {
        let mut friends = Friends::begin(&plain(), 14);
        for _ in 0..2 {
            let who = friends.decider();
            friends.knight_out(who);
            friends.carry(who, NOW_MS).expect("news");
        }
        let mut ends = friends.decider();
        if ending == "agreed draw" {
            let session = friends.stores[ends].session(friends.games[ends]).expect("kept");
            let action = session
                .game()
                .expect("set up")
                .parse_action("a2a3")
                .or_else(|_| session.game().expect("set up").parse_action("a7a6"));
            friends.stores[ends]
                .act(friends.games[ends], action.expect("a pawn"), true, NOW_MS)
                .expect("legal");
            friends.carry(ends, NOW_MS).expect("news");
            ends = friends.decider();
            friends.stores[ends].accept_draw(friends.games[ends], NOW_MS).expect("offered");
        } else {
            friends.stores[ends].resign(friends.games[ends], NOW_MS).expect("begun");
        }
        let receipt = friends.carry(ends, NOW_MS).expect("the end");
        assert_eq!(receipt.reply, Reply::Now, "{ending}: the other's seal");
        let receipt = friends.carry(1 - ends, NOW_MS).expect("the seal");
        assert_eq!(receipt.reply, Reply::Nothing, "{ending}");
        assert_eq!(friends.summary(ends).delivery_state(), DeliveryState::Acknowledged, "{ending}");
        assert_eq!(friends.summary(1 - ends).delivery_state(), DeliveryState::Sent, "{ending}");
        let again = friends.stores[ends].outgoing_block(friends.games[ends]).expect("readable");
        assert!(again.is_nothing(), "{ending}: {again:?}");
    }
}

#[test]
fn what_does_not_belong_here_is_refused_by_name() {
    let mut friends = Friends::begin(&plain(), 5);
    let whole = friends.stores[0].whole_block(friends.games[0], 0).expect("readable").block;
    let mut stranger = store(9);
    let receipts = stranger.receive_block(&whole, NOW_MS).expect("a store that works");
    let [BlockReceipt::Refused { what, .. }] = receipts.as_slice() else { unreachable!("{receipts:?}") };
    assert_eq!(what, "a game between Hana and Gil");
    let later = Block { entries: whole.entries[2..].to_vec(), ..Block::default() };
    let receipts = stranger.receive_block(&later, NOW_MS).expect("a store that works");
    assert!(matches!(receipts.as_slice(), [BlockReceipt::Refused { .. }]), "{receipts:?}");
    let unreadable = SignedEntry { bytes: vec![1, 2, 3], signature: [0; 64] };
    let block = Block { entries: vec![unreadable], ..Block::default() };
    let receipts = friends.stores[0].receive_block(&block, NOW_MS).expect("a store that works");
    assert!(matches!(receipts.as_slice(), [BlockReceipt::Refused { .. }]), "{receipts:?}");
    assert_eq!(stranger.games().expect("readable"), []);
}

#[test]
fn offers_of_one_host_are_bounded_and_kept_once() {
    let (mut host, mut guest) = (store(1), store(2));
    let offers: Vec<Block> = (0..10)
        .map(|salt| {
            let offer = host.create_offer(&settings(), Salt::from_bytes([salt; 32]), NOW_MS).expect("room");
            host.offer_block(offer.id).expect("just made")
        })
        .collect();
    for block in offers.iter().chain(&offers) {
        guest.receive_block(block, NOW_MS).expect("a store that works");
    }
    assert_eq!(guest.invites().expect("readable").len(), MAX_PENDING_INVITES_PER_HOST);
    let first = guest.find_invite("invite-1").expect("kept");
    assert!(guest.decline_invite(first.id).expect("writable"));
    assert_eq!(guest.invites().expect("readable").len(), MAX_PENDING_INVITES_PER_HOST - 1);
}

#[test]
fn a_rematch_swaps_colours_and_needs_nobody_online() {
    let mut friends = Friends::begin(&timed(), 6);
    let early = friends.stores[0].rematch(friends.games[0], Salt::from_bytes([61; 32]), NOW_MS);
    assert!(matches!(early, Err(RematchError::NotOver)));
    friends.stores[1].resign(friends.games[1], NOW_MS).expect("begun");
    friends.carry(1, NOW_MS).expect("the resignation");
    let offer =
        friends.stores[0].rematch(friends.games[0], Salt::from_bytes([62; 32]), NOW_MS).expect("over");
    let again =
        friends.stores[0].rematch(friends.games[0], Salt::from_bytes([63; 32]), NOW_MS).expect("open");
    assert_eq!(offer.id, again.id);
    let text = friends.stores[0].outgoing_block(friends.games[0]).expect("readable").block.armoured();
    let receipts = receive(&mut friends.stores[1], &text, NOW_MS);
    let invite = receipts.iter().find_map(|receipt| match receipt {
        BlockReceipt::Invite { invite, .. } => Some(invite.clone()),
        _ => None,
    });
    let invite = invite.expect("the offer goes with the block of the game");
    let game = friends.stores[1]
        .join_invite(&invite, name("Gil"), Salt::from_bytes([64; 32]), NOW_MS)
        .expect("for this key");
    let accept = send(&mut friends.stores[1], game);
    let begun = receive_game(&mut friends.stores[0], &accept, NOW_MS);
    let second = friends.stores[0].game(begun.game).expect("kept");
    assert_eq!(second.color, friends.summary(0).color.map(|color| !color));
    assert_eq!(second.time, TimeControl::PerMove { move_ms: HOUR_MS });
}

#[test]
fn a_game_is_aborted_only_before_both_have_completed_a_turn() {
    let mut friends = Friends::begin(&plain(), 8);
    for step in 0..2 {
        let who = friends.decider();
        friends.knight_out(who);
        friends.carry(who, NOW_MS).expect("news");
        assert_eq!(friends.summary(0).turns, step + 1);
    }
    let late = friends.stores[0].abort(friends.games[0], NOW_MS);
    assert!(matches!(late, Err(AbortError::TooLate)), "{late:?}");
    let mut friends = Friends::begin(&plain(), 9);
    friends.stores[0].abort(friends.games[0], NOW_MS).expect("nobody has completed a turn");
    friends.carry(0, NOW_MS).expect("news");
    assert_eq!([0, 1].map(|who| friends.summary(who).result), ["aborted", "aborted"]);
}

#[test]
fn messages_travel_once_and_stay_out_of_the_log() {
    let mut friends = Friends::begin(&plain(), 10);
    let text = NoteText::new("good luck\nhave fun").expect("a text");
    let who = friends.decider();
    friends.stores[who].write_note(friends.games[who], text.clone(), NOW_MS).expect("room");
    friends.knight_out(who);
    let sent = send(&mut friends.stores[who], friends.games[who]);
    let receipt = receive_game(&mut friends.stores[1 - who], &sent, NOW_MS);
    assert_eq!((receipt.applied, receipt.notes), (1, 1));
    assert_eq!(receive_game(&mut friends.stores[1 - who], &sent, NOW_MS).notes, 0, "the same again");
    let notes = friends.stores[1 - who].notes(friends.games[1 - who]).expect("readable");
    assert_eq!((notes.len(), &notes[0].note.text, notes[0].own), (1, &text, false));
    friends.stores[1 - who].set_muted(friends.games[1 - who], true).expect("writable");
    friends.stores[who].write_note(friends.games[who], text, NOW_MS + 1).expect("room");
    assert_eq!(friends.carry(who, NOW_MS).expect("a message is owed").notes, 0, "muted");
    assert_eq!(friends.stores[1 - who].notes(friends.games[1 - who]).expect("readable").len(), 2);
    // The answer shows that the first message arrived with the act before it.
    friends.knight_out(1 - who);
    friends.carry(1 - who, NOW_MS).expect("an answer");
    let delivered = friends.stores[who].notes(friends.games[who]).expect("readable");
    assert_eq!(delivered.iter().map(|note| note.delivered).collect::<Vec<_>>(), [true, false]);
    let mut forged = Block::read(&sent).expect("an own block");
    forged.notes[0].signature[5] ^= 1;
    let receipts = friends.stores[1 - who].receive_block(&forged, NOW_MS).expect("a store that works");
    assert!(receipts.iter().any(|receipt| matches!(receipt, BlockReceipt::Refused { .. })), "{receipts:?}");
}

#[test]
fn a_plan_is_played_on_exactly_its_event_and_dropped_on_any_other() {
    for (played, fires) in [("b8c6", true), ("g8f6", false)] {
        let mut friends = Friends::begin(&plain(), 11);
        let white = friends.decider();
        let (game, black) = (friends.games[white], 1 - white);
        friends.play(white, "b1c3", NOW_MS).expect("legal");
        friends.carry(white, NOW_MS).expect("news");
        let plan =
            friends.stores[white].add_plan(game, "if b8c6 then g1f3", NOW_MS).expect("Black is to move");
        let same = friends.stores[white].add_plan(game, "if b8c6 then g1f3", NOW_MS).expect("the same again");
        assert_eq!(plan, same);
        let bad = friends.stores[white].add_plan(game, "if b8d7 then g1f3", NOW_MS);
        assert!(matches!(bad, Err(PlanError::Bad(_))), "{bad:?}");
        friends.play(black, played, NOW_MS).expect("legal");
        let receipt = friends.carry(black, NOW_MS).expect("news");
        let [report] = receipt.plans.as_slice() else { unreachable!("{:?}", receipt.plans) };
        assert_eq!(report.outcome == PlanOutcome::Played, fires, "{report:?}");
        assert_eq!(receipt.reply, if fires { Reply::Now } else { Reply::Nothing });
        assert_eq!(friends.stores[white].plans(game).expect("readable"), []);
        assert_eq!(friends.summary(white).length, if fires { 6 } else { 5 });
    }
}

#[test]
fn a_plan_for_an_egg_is_played_when_the_egg_gives_it() {
    let mut outcomes = Vec::new();
    for seed in 0..30 {
        let (mut friends, mut numbers) = (Friends::begin(&plain(), seed), Numbers::new(u64::from(seed)));
        for _ in 0..60 {
            let Waiting::Act(party) = friends.summary(0).waiting else { break };
            let (who, game) = (party.index(), friends.games[party.index()]);
            act(&mut friends.stores[who], game, &mut numbers, false);
            if matches!(friends.summary(who).waiting, Waiting::Reveal(_)) {
                for swap in ["a1~h1", "a8~h8", "a1~h8"] {
                    let plan = format!("if kingboo then {swap}");
                    friends.stores[who]
                        .add_plan(game, &plan, NOW_MS)
                        .expect("an own act waits for its chance");
                }
            }
            friends.carry(who, NOW_MS);
            if let Some(receipt) = friends.carry(1 - who, NOW_MS) {
                outcomes.extend(receipt.plans.into_iter().map(|report| report.outcome));
                assert_eq!(friends.stores[who].plans(game).expect("readable"), []);
                friends.carry(who, NOW_MS);
                friends.carry(1 - who, NOW_MS);
            }
        }
    }
    let played = outcomes.iter().filter(|outcome| **outcome == PlanOutcome::Played).count();
    assert!(played > 0 && played < outcomes.len() / 4, "{played} of {}", outcomes.len());
}

#[test]
fn a_late_act_is_answered_only_after_the_person_has_confirmed() {
    let mut friends = Friends::begin(&timed(), 12);
    let mut now_ms = NOW_MS;
    // Somebody throws an egg or moves a rook: an act with chance, and late.
    let mut numbers = Numbers::new(5);
    loop {
        let who = friends.decider();
        let session = friends.stores[who].session(friends.games[who]).expect("kept");
        let game = session.game().expect("set up");
        let chance = game.legal_actions().into_iter().find(|action| game.reaches_choice(action));
        now_ms += 1_000;
        match chance {
            None => {
                let store = &mut friends.stores[who];
                let actions = game.legal_actions();
                let action = actions[numbers.below(actions.len())];
                if store.act(friends.games[who], action, false, now_ms).is_err() {
                    continue;
                }
                friends.carry(who, now_ms).expect("news");
                friends.carry(1 - who, now_ms);
            }
            Some(action) => {
                now_ms += 2 * HOUR_MS;
                let (game, theirs) = (friends.games[who], friends.games[1 - who]);
                let left = friends.summary(who).time_left_ms(now_ms).expect("a time control");
                assert!(left.1 < 0, "{left:?}");
                friends.stores[1 - who].claim(theirs, now_ms).expect("the other is late");
                friends.stores[who].act(game, action, false, now_ms).expect("late, but legal");
                let receipt = friends.carry(who, now_ms).expect("news");
                assert_eq!((receipt.hold, receipt.reply == Reply::Nothing), (Some(Hold::LateAct), false));
                let held = friends.stores[1 - who].answer(theirs, now_ms).expect("a store that works");
                assert!(!held, "nothing is revealed before the person says so");
                let early = friends.play(1 - who, "pass", now_ms);
                assert!(matches!(early, Err(SignError::CannotSign(CannotSign::NotYourTurn))), "{early:?}");
                friends.stores[1 - who].confirm(theirs, now_ms).expect("a store that works");
                assert_eq!(friends.carry(1 - who, now_ms).expect("the reveal").applied, 1);
                let [host, guest] = &friends.stores;
                return assert_alike(host, guest, (friends.games[0], friends.games[1]));
            }
        }
    }
}
