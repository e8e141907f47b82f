//! Entries that are forged, moved, replayed or wrong.
//!
//! | attack | test |
//! |---|---|
//! | replay from another game or place | `an_entry_of_another_game_or_place_is_not_taken` |
//! | lines removed, inserted, swapped, doubled | `a_transcript_with_lines_moved_is_invalid_and_convicts_nobody` |
//! | truncated tail | `a_shortened_log_is_unfinished_in_this_copy_and_a_cut_file_is_cut` |
//! | signature for another protocol | `a_signature_in_another_domain_does_not_hold` |
//! | wrong author, swapped roles, third key, host as guest, another guest | `each_place_has_one_author` and below |
//! | other keys in the file | `other_keys_than_expected_are_named` |
//! | weak and non-canonical keys and signatures | `weak_keys_sign_nothing` (bytes: the vectors) |
//! | non-canonical bytes, bounds | the vectors and `properties` |
//! | unknown protocol, variant, set-up, colour, time | `unknown_numbers_are_refused_by_name` |
//! | illegal actions | `illegal_actions_convict` |
//! | swap or Dynamo turn spelled another way | `one_decision_has_one_spelling` |
//! | stamps | `stamps_never_decrease`, `a_future_stamp_is_deferred_where_time_counts` |

use chakart_core::board::{Role, Square};
use chakart_core::protocol::codec::{SignedEntry, encode_entry, entry_id};
use chakart_core::protocol::entry::{Body, EntryId, MAX_AT_MS, Offer, Party, SignedAction, TimeControl};
use chakart_core::protocol::keys::{BadKey, Domain, PublicKey};
use chakart_core::protocol::log::Log;
use chakart_core::protocol::misdeed::{BadOffer, Misdeed, Refusal};
use chakart_core::protocol::session::{NotJoined, NotTaken, OfferSettings, Session, make_accept, make_offer};
use chakart_core::rules::{Action, CastlingSide, Displacement, Rules, Turn, Variant};
use chakart_core::transcript::report::Verdict;
use chakart_core::transcript::verify::{Checked, Defect, Expected, check};

use crate::forge::{
    act, changed, file, key_of, midgame, misdeed, next_entry, plain, refused, report, sign, timed, until,
};
use crate::players::{Pair, START_MS, guest_key, host_key, key, settings};

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

#[test]
fn an_entry_of_another_game_or_place_is_not_taken() {
    let other = midgame(1, 6);
    let mut pair = midgame(2, 6);
    for entry in &other.sessions[0].entries()[1..] {
        let (reason, proof) = refused(pair.session(Party::Host), entry);
        assert!(matches!(reason, NotTaken::Refused(Refusal::UnknownPrev { .. })), "{reason}");
        assert_eq!(proof, None);
    }
    let session = &pair.sessions[0];
    let moved = changed(&session.entries()[4], |entry| entry.prev = session.log().head().id);
    let author = moved.decode().expect("decodes").author;
    assert!(matches!(misdeed(session, &moved, author), Misdeed::WrongSeq { got: 4, .. }));
}

#[test]
fn a_transcript_with_lines_moved_is_invalid_and_convicts_nobody() {
    let pair = midgame(3, 8);
    let entries = pair.sessions[0].entries();
    let mut damaged = Vec::new();
    for index in 1..entries.len() - 1 {
        let mut removed = entries.to_vec();
        removed.remove(index);
        let mut doubled = entries.to_vec();
        doubled.insert(index, entries[index].clone());
        let mut swapped = entries.to_vec();
        swapped.swap(index, index + 1);
        let mut inserted = entries.to_vec();
        inserted.insert(index, midgame(4, 8).sessions[0].entries()[index].clone());
        damaged.extend([removed, doubled, swapped, inserted]);
    }
    for entries in damaged {
        let report = report(&file(&entries, &[], None));
        assert_eq!(report.verdict, Verdict::Invalid, "{report}");
        assert!(report.convicts.is_empty() && report.result.is_none(), "{report}");
    }
}

#[test]
fn a_shortened_log_is_unfinished_in_this_copy_and_a_cut_file_is_cut() {
    let pair = midgame(3, 8);
    let entries = pair.sessions[0].entries();
    for length in 1..=entries.len() {
        let report = report(&file(&entries[..length], &[], None));
        assert_eq!(report.verdict, Verdict::Unfinished, "{report}");
        assert!(report.line.contains("in this copy") && report.line.contains("a longer log may exist"));
    }
    let text = file(entries, &[], Some("*"));
    for length in (22..text.len()).step_by(37) {
        let report = report(&text[..length]);
        assert_eq!(report.verdict, Verdict::Invalid, "{report}");
        assert!(report.convicts.is_empty());
    }
}

#[test]
fn a_signature_in_another_domain_does_not_hold() {
    let mut pair = midgame(5, 3);
    let author = pair.decider().expect("a player to decide");
    let bytes = encode_entry(&next_entry(&pair.sessions[0], author, act(SignedAction::Pass)));
    let signature = key_of(author).sign(Domain::Statement, &bytes);
    let (reason, proof) = refused(pair.session(author.other()), &SignedEntry { bytes, signature });
    assert_eq!(reason, NotTaken::Refused(Refusal::BadSignature { author }));
    assert_eq!(proof, None);
}

#[test]
fn each_place_has_one_author() {
    let pair = midgame(6, 5);
    let due = pair.decider().expect("a player to decide");
    let session = &pair.sessions[due.index()];
    let out_of_turn = next_entry(session, due.other(), act(SignedAction::Pass));
    let found = misdeed(session, &sign(&out_of_turn), due.other());
    assert_eq!(found, Misdeed::OutOfTurn { got: due.other(), due });
    let wrong_body = next_entry(session, due, Body::AcceptDraw);
    assert_eq!(
        misdeed(&pair.sessions[due.other().index()], &sign(&wrong_body), due),
        Misdeed::DrawNotOffered
    );
    let again = next_entry(session, due, session.entries()[0].decode().expect("the offer").body);
    let found = misdeed(&pair.sessions[due.other().index()], &sign(&again), due);
    assert_eq!(found, Misdeed::WrongBody { got: "an offer", due: "an act" });
}

#[test]
fn a_role_swapped_or_a_third_key_proves_nothing() {
    let mut pair = midgame(6, 5);
    let due = pair.decider().expect("a player to decide");
    let entry = next_entry(&pair.sessions[0], due, act(SignedAction::Pass));
    for stranger in [key_of(due.other()), key(77)] {
        let (reason, proof) = refused(pair.session(due.other()), &SignedEntry::sign(&entry, &stranger));
        assert_eq!(reason, NotTaken::Refused(Refusal::BadSignature { author: due }));
        assert_eq!(proof, None);
    }
}

#[test]
fn a_host_is_not_its_own_guest_and_an_offer_for_one_is_for_one() {
    let offer = make_offer(&host_key(), &plain(), [1; 32], START_MS);
    let mut log = Log::open(&offer).expect("an offer");
    let name = || plain().name;
    assert_eq!(make_accept(&host_key(), &log, name(), [2; 32], START_MS), Err(NotJoined::OwnOffer));
    let accept = make_accept(&guest_key(), &log, name(), [2; 32], START_MS).expect("open to all");
    let mut entry = accept.decode().expect("an accept");
    let Body::Accept(body) = &mut entry.body else { panic!("an accept") };
    body.guest_key = host_key().public();
    let refusal = log.place(&SignedEntry::sign(&entry, &host_key())).expect_err("the host is no guest");
    assert!(matches!(refusal, Refusal::Invalid { misdeed: Misdeed::HostIsGuest, .. }), "{refusal}");
    assert_eq!(refusal.convicts(), None, "before the game nobody is convicted");

    let for_guest = OfferSettings { guest: Some(guest_key().public()), ..settings(Variant::Chakart) };
    let offer = make_offer(&host_key(), &for_guest, [1; 32], START_MS);
    let mut log = Log::open(&offer).expect("an offer");
    assert_eq!(make_accept(&key(9), &log, name(), [2; 32], START_MS), Err(NotJoined::ForAnotherKey));
    let mut entry = accept.decode().expect("an accept");
    entry.prev = offer.id();
    let Body::Accept(body) = &mut entry.body else { panic!("an accept") };
    body.guest_key = key(9).public();
    let refusal = log.place(&SignedEntry::sign(&entry, &key(9))).expect_err("another guest");
    assert!(matches!(refusal, Refusal::Invalid { misdeed: Misdeed::NotTheInvitedGuest, .. }), "{refusal}");
}

#[test]
fn other_keys_than_expected_are_named() {
    let text = midgame(7, 3).transcript(Party::Host);
    let (host, guest, third) = (host_key().public(), guest_key().public(), key(9).public());
    let judge = |host, guest| match check(text.as_bytes(), Expected { host, guest }) {
        Checked::Transcript(transcript) => transcript.defect,
        other => panic!("not a transcript: {other:?}"),
    };
    assert_eq!(judge(Some(host), Some(guest)), None);
    for (host, guest, named) in [(Some(third), None, Party::Host), (None, Some(third), Party::Guest)] {
        let defect = judge(host, guest);
        assert!(matches!(defect, Some(Defect::OtherKey { party, .. }) if party == named), "{defect:?}");
    }
}

#[test]
fn weak_keys_sign_nothing() {
    let mut identity = [0; 32];
    identity[0] = 1;
    assert_eq!(PublicKey::from_bytes(&identity), Err(BadKey::SmallOrder));
    let mut over_p = [0xff; 32];
    over_p[0] = 0xee;
    over_p[31] = 0x7f;
    assert_eq!(PublicKey::from_bytes(&over_p), Err(BadKey::NotCanonical));
    let text = midgame(7, 3).transcript(Party::Host);
    let offer = text.lines().find(|line| line.starts_with("entry ")).expect("an offer");
    let evidence = format!(
        "chakart evidence 1\nkey AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n{offer}\n{offer}\nend\n"
    );
    let checked = check(evidence.as_bytes(), Expected::default());
    assert!(matches!(checked, Checked::Unreadable(Defect::Key(BadKey::SmallOrder))), "{checked:?}");
}

#[test]
fn unknown_numbers_are_refused_by_name() {
    let offer = make_offer(&host_key(), &plain(), [1; 32], START_MS);
    let with = |change: fn(&mut Offer)| {
        let signed = changed(&offer, |entry| match &mut entry.body {
            Body::Offer(offer) => change(offer),
            _ => panic!("an offer"),
        });
        Log::open(&signed).map(|_| ()).expect_err("a refusal")
    };
    assert_eq!(with(|offer| offer.protocol = 2), BadOffer::UnknownProtocol(2));
    assert_eq!(with(|offer| offer.variant = 999), BadOffer::UnknownVariant(999));
    assert_eq!(with(|offer| offer.setup = 9), BadOffer::UnknownSetup(9));
    assert_eq!(with(|offer| offer.color = 3), BadOffer::UnknownColor(3));
    assert_eq!(with(|offer| offer.time = TimeControl::PerMove { move_ms: 0 }), BadOffer::BadTimeControl);
    assert_eq!(with(|offer| offer.guest_key = Some(offer.host_key)), BadOffer::HostIsGuest);
    let linked = changed(&offer, |entry| entry.prev = EntryId([1; 32]));
    assert_eq!(Log::open(&linked).map(|_| ()), Err(BadOffer::NotAnOffer));
}

#[test]
fn illegal_actions_convict() {
    let pair = Pair::begin(&plain(), 8);
    let session = &pair.sessions[Party::Guest.index()];
    let displaced = Displacement { from: square("a2"), to: Some(square("a3")), promotion: None };
    let (a2, a3, e2) = (square("a2"), square("a3"), square("e2"));
    for action in [
        SignedAction::Move { from: a2, to: square("a6"), promotion: None },
        SignedAction::Move { from: square("a7"), to: square("a6"), promotion: None },
        SignedAction::Move { from: a2, to: a3, promotion: Some(Role::Queen) },
        SignedAction::Shell { from: a2, to: a3 },
        SignedAction::Drop { role: Role::Knight, to: a3, promotion: None },
        SignedAction::Swap { low: e2, high: a2 },
        SignedAction::Pass,
        SignedAction::Stealth { from: a2, commitment: [0; 32] },
        SignedAction::Turn(Turn { lead: displaced, trail: None }),
        SignedAction::Castle(CastlingSide::King),
    ] {
        let entry = sign(&next_entry(session, Party::Host, act(action)));
        let found = misdeed(session, &entry, Party::Host);
        assert!(matches!(found, Misdeed::IllegalAction(_)), "{action:?}: {found}");
    }
}

#[test]
fn one_decision_has_one_spelling() {
    let swaps = |_: &Session, action: &Action| matches!(action, Action::Swap { .. });
    let (pair, swap) = until(30, Party::Host, swaps);
    let Action::Swap { low, high } = swap else { panic!("a swap") };
    let turned = SignedAction::Swap { low: high, high: low };
    let entry = sign(&next_entry(&pair.sessions[1], Party::Host, act(turned)));
    assert!(matches!(misdeed(&pair.sessions[1], &entry, Party::Host), Misdeed::IllegalAction(_)));

    let dynamo = OfferSettings { color: plain().color, ..settings(Variant::Dynamo) };
    let pair = Pair::begin(&dynamo, 1);
    let session = &pair.sessions[1];
    let legal = session.game().expect("a board").legal_actions();
    let two = legal.into_iter().find_map(|action| match action {
        Action::Turn(Turn { lead, trail: Some(trail) }) => Some((lead, trail)),
        _ => None,
    });
    let (lead, trail) = two.expect("a turn of two men");
    let turned = SignedAction::Turn(Turn { lead: trail, trail: Some(lead) });
    let entry = sign(&next_entry(session, Party::Host, act(turned)));
    assert!(matches!(misdeed(session, &entry, Party::Host), Misdeed::IllegalAction(_)));
}

#[test]
fn a_queen_without_unseen_squares_cannot_hide() {
    let pair = Pair::begin(&plain(), 8);
    let session = &pair.sessions[Party::Guest.index()];
    let game = session.game().expect("a board");
    let queen = Square::all()
        .find(|&from| {
            game.view(None, None).at(from).is_some_and(|man| format!("{man:?}").contains("Queen"))
                && game.stealth_destinations(from).is_empty()
        })
        .expect("a queen that is shut in");
    let action = SignedAction::Stealth { from: queen, commitment: [5; 32] };
    let entry = sign(&next_entry(session, Party::Host, act(action)));
    assert!(matches!(misdeed(session, &entry, Party::Host), Misdeed::IllegalAction(_)));
}

#[test]
fn stamps_never_decrease() {
    let pair = midgame(9, 5);
    let due = pair.decider().expect("a player to decide");
    let session = &pair.sessions[due.other().index()];
    let mut entry = next_entry(session, due, act(SignedAction::Pass));
    entry.at_ms = session.log().head().at_ms - 1;
    assert_eq!(misdeed(session, &sign(&entry), due), Misdeed::StampDecreases { by_ms: 1 });
    entry.at_ms = MAX_AT_MS + 1;
    let (reason, proof) = refused(&mut session.clone(), &sign(&entry));
    assert!(matches!(reason, NotTaken::Refused(Refusal::Undecodable(_))), "{reason}");
    assert_eq!(proof, None, "undecodable bytes prove nothing");
}

#[test]
fn a_future_stamp_is_deferred_where_time_counts() {
    let (far, hour) = (7_200_000, 3_600_000);
    for (time, deferred) in [(TimeControl::None, false), (TimeControl::PerMove { move_ms: hour }, true)] {
        let pair = Pair::begin(&timed(time), 10);
        let action = pair.sessions[0].game().expect("a board").legal_actions()[0];
        let mut ahead = pair.sessions[0].clone();
        let entry = crate::players::own_entries(&ahead.act(action, false, pair.now_ms + far).expect("legal"));
        let mut guest = pair.sessions[1].clone();
        let answer = guest.receive_entry(&entry[0], pair.now_ms);
        match answer {
            Ok(_) => assert!(!deferred),
            Err(rejection) => {
                assert!(deferred);
                assert!(matches!(rejection.reason, NotTaken::Deferred { .. }), "{rejection}");
                assert!(rejection.effects.is_empty(), "a deferred act convicts nobody and is not answered");
            }
        }
        assert!(guest.receive_entry(&entry[0], pair.now_ms + far).is_ok(), "later it is taken");
    }
}

#[test]
fn an_entry_that_is_wrong_and_ahead_is_wrong() {
    let pair = Pair::begin(&timed(TimeControl::PerMove { move_ms: 1 }), 10);
    let mut entry = next_entry(&pair.sessions[1], Party::Host, act(SignedAction::Pass));
    entry.at_ms += 7_200_000;
    assert!(matches!(misdeed(&pair.sessions[1], &sign(&entry), Party::Host), Misdeed::IllegalAction(_)));
    let forged = SignedEntry::sign(&entry, &key(9));
    let (reason, _) = refused(&mut pair.sessions[1].clone(), &forged);
    assert_eq!(reason, NotTaken::Refused(Refusal::BadSignature { author: Party::Host }));
    assert_eq!(entry_id(&forged.bytes), sign(&entry).id());
}
