//! Reveals, commitments and hidden queens.
//!
//! | attack | test |
//! |---|---|
//! | another nonce than the committed one, chosen after the act | `a_reveal_opens_what_was_committed_before` |
//! | copied, mirrored or reused commitment | `a_commitment_is_bound_to_its_key_and_place` |
//! | brute force of a hidden square | `the_salt_hides_the_square` |
//! | wrong, double, needless, missing reveal | `a_reveal_comes_once_and_only_when_due` |
//! | reveal after a king was taken | `after_a_taken_king_nothing_is_revealed` |
//! | opened elsewhere, never, needlessly, to where she could not go | `an_opening_is_judged_against_its_commitment` |
//! | silence after seeing the outcome | `silence_is_a_debt_and_never_a_second_roll` |
//! | a deferred or illegal act as an oracle of the nonce | `a_refused_act_is_not_answered` |

use chakart_core::board::Square;
use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::commitment::{chance_commitment, stealth_commitment};
use chakart_core::protocol::entry::{Body, EntryId, Opening, Party, Reveal, SignedAction};
use chakart_core::protocol::judgement::Standing;
use chakart_core::protocol::misdeed::{Misdeed, Refusal};
use chakart_core::protocol::phase::Phase;
use chakart_core::protocol::session::{Confirmation, NotTaken, Session};
use chakart_core::rules::{Action, Outcome, Rules};
use chakart_core::transcript::report::Verdict;

use crate::forge::{
    act, changed, file, first_own, hidden_queen_of, is_stealth, key_of, midgame, misdeed, needs_reveal,
    next_entry, owed_reveal, refused, report, sign, until, wanted,
};
use crate::players::own_entries;

fn with_reveal(signed: &SignedEntry, change: impl FnOnce(&mut Reveal)) -> SignedEntry {
    changed(signed, |entry| match &mut entry.body {
        Body::Reveal(reveal) => change(reveal),
        other => panic!("not a reveal: {other:?}"),
    })
}

#[test]
fn a_reveal_opens_what_was_committed_before() {
    let (pair, _, reveal) = owed_reveal(Party::Guest, 1);
    let session = &pair.sessions[Party::Guest.index()];
    for byte in [0, 31] {
        let other = with_reveal(&reveal, |reveal| reveal.nonce[byte] ^= 1);
        assert_eq!(misdeed(session, &other, Party::Host), Misdeed::NonceDoesNotMatch { author: Party::Host });
    }
    let mut session = session.clone();
    assert!(session.receive_entry(&reveal, pair.now_ms + 5_000).is_ok(), "the committed one is taken");
}

#[test]
fn a_commitment_is_bound_to_its_key_and_place() {
    let keys = [Party::Host, Party::Guest].map(|party| key_of(party).public());
    let places = [EntryId([1; 32]), EntryId([2; 32])];
    let nonce = [7; 32];
    let hash = chance_commitment(places[0], &keys[0], &nonce);
    assert_ne!(hash, chance_commitment(places[0], &keys[1], &nonce), "copied by the other player");
    assert_ne!(
        hash,
        chance_commitment(places[1], &keys[0], &nonce),
        "reused at another place or in another game"
    );
    let squares: Vec<Square> = Square::all().collect();
    let stealth = |prev, key, from, to| stealth_commitment(prev, key, from, to, &nonce);
    let hash = stealth(places[0], &keys[0], squares[3], squares[30]);
    assert_ne!(hash, stealth(places[1], &keys[0], squares[3], squares[30]));
    assert_ne!(hash, stealth(places[0], &keys[1], squares[3], squares[30]));
    assert_ne!(hash, stealth(places[0], &keys[0], squares[4], squares[30]));
}

/// A guest that mirrors the host's commitment cannot open it: it knows no nonce that fits its own key and place.
#[test]
fn a_mirrored_commitment_cannot_be_opened() {
    let pair = midgame(3, 0);
    let mut entries = pair.sessions[0].entries()[..2].to_vec();
    let Body::Offer(offer) = entries[0].decode().expect("an offer").body else { panic!("an offer") };
    entries[1] = changed(&entries[1], |entry| match &mut entry.body {
        Body::Accept(accept) => accept.chance_commitment = offer.chance_commitment,
        other => panic!("not an accept: {other:?}"),
    });
    let mut host = Session::restore(key_of(Party::Host), entries, vec![], vec![], Confirmation::default())
        .expect("the host cannot know that it is mirrored");
    let set_up = first_own(&host.answer(pair.now_ms));
    let Body::Reveal(opened) = set_up.decode().expect("a reveal").body else { panic!("a reveal") };
    let now_ms = pair.now_ms;
    while !matches!(host.log().phase(), Phase::ExpectReveal(_)) {
        let plain = wanted(&host, |_, action| !is_stealth(action)).expect("a legal action");
        if host.is_my_turn() {
            let action = wanted(&host, needs_reveal).unwrap_or(plain);
            host.act(action, false, now_ms).expect("legal");
        } else {
            let open = SignedAction::open(plain).expect("no stealth move");
            let entry = sign(&next_entry(&host, Party::Guest, act(open)));
            host.receive_entry(&entry, now_ms).expect("legal, and answered at once");
        }
    }
    let mirror = Reveal { nonce: opened.nonce, next_commitment: [0; 32], opening: None };
    let entry = sign(&next_entry(&host, Party::Guest, Body::Reveal(mirror)));
    assert_eq!(misdeed(&host, &entry, Party::Guest), Misdeed::NonceDoesNotMatch { author: Party::Guest });
}

#[test]
fn the_salt_hides_the_square() {
    let pair = hidden_queen_of(Party::Host, 4);
    let log = pair.sessions[1].log();
    let hidden = log.phase().hidden().expect("a hidden queen");
    let found = Square::all().find(|&to| {
        let key = key_of(Party::Host).public();
        [[0; 32], hidden.commitment.prev.0, hidden.commitment.hash].iter().any(|salt| {
            stealth_commitment(hidden.commitment.prev, &key, hidden.from, to, salt) == hidden.commitment.hash
        })
    });
    assert_eq!(found, None, "nothing public opens it");
    assert_eq!(pair.sessions[1].own_hidden_square(), None);
    assert!(pair.sessions[0].own_hidden_square().is_some());
}

#[test]
fn a_reveal_comes_once_and_only_when_due() {
    let (mut pair, _, reveal) = owed_reveal(Party::Guest, 5);
    let actor = pair.session(Party::Guest);
    let missing = sign(&next_entry(actor, Party::Host, act(SignedAction::Pass)));
    let found = misdeed(actor, &missing, Party::Host);
    assert_eq!(found, Misdeed::WrongBody { got: "an act", due: "a reveal" });
    actor.receive_entry(&reveal, reveal.decode().expect("a reveal").at_ms).expect("the reveal");
    let Body::Reveal(body) = reveal.decode().expect("a reveal").body else { panic!("a reveal") };
    let double = sign(&next_entry(actor, Party::Host, Body::Reveal(body.clone())));
    let found = misdeed(actor, &double, Party::Host);
    assert!(
        matches!(found, Misdeed::WrongBody { got: "a reveal", due: "an act" } | Misdeed::OutOfTurn { .. }),
        "{found}"
    );
    let needless = crate::players::Pair::begin(&crate::forge::plain(), 5);
    let entry = sign(&next_entry(&needless.sessions[1], Party::Host, Body::Reveal(body)));
    let found = misdeed(&needless.sessions[1], &entry, Party::Host);
    assert_eq!(found, Misdeed::WrongBody { got: "a reveal", due: "an act" });
}

#[test]
fn after_a_taken_king_nothing_is_revealed() {
    let mut ended = 0;
    for seed in 0..40 {
        let pair = midgame(seed, 400);
        let session = &pair.sessions[0];
        let Standing::Over { ending } = session.judgement().standing else { continue };
        if !matches!(ending.outcome(), Outcome::Win(_)) {
            continue;
        }
        ended += 1;
        let reveal = Reveal { nonce: [1; 32], next_commitment: [2; 32], opening: None };
        for author in Party::ALL {
            let entry = sign(&next_entry(session, author, Body::Reveal(reveal.clone())));
            let (reason, proof) = refused(&mut session.clone(), &entry);
            assert!(matches!(reason, NotTaken::Refused(Refusal::AfterEnd { .. })), "{reason}");
            assert_eq!(proof, None);
        }
    }
    assert!(ended > 10);
}

/// A game in which `owner` owes the reveal that opens its hidden queen, with that reveal.
fn owed_opening(owner: Party, seed: u64) -> (crate::players::Pair, SignedEntry) {
    let mut pair = hidden_queen_of(owner, seed);
    let actor = owner.other();
    let game = pair.sessions[actor.index()].game().expect("a board").clone();
    let now_ms = pair.now_ms + 1_000;
    let action = game.legal_actions()[0];
    let act = first_own(&pair.session(actor).act(action, false, now_ms).expect("legal"));
    let mut revealer = pair.sessions[owner.index()].clone();
    let reveal = first_own(&revealer.receive_entry(&act, now_ms).expect("valid"));
    (pair, reveal)
}

#[test]
fn an_opening_is_judged_against_its_commitment() {
    let (pair, reveal) = owed_opening(Party::Host, 6);
    let session = &pair.sessions[Party::Guest.index()];
    let stealth_seq = session.log().phase().hidden().expect("hidden").seq;
    let opening = |change: fn(&mut Option<Opening>)| {
        misdeed(session, &with_reveal(&reveal, |reveal| change(&mut reveal.opening)), Party::Host)
    };
    assert_eq!(opening(|opening| *opening = None), Misdeed::OpeningMissing { stealth_seq });
    let elsewhere = opening(|opening| {
        if let Some(opening) = opening {
            opening.to = Square::all().find(|&square| square != opening.to).expect("another square");
        }
    });
    assert_eq!(elsewhere, Misdeed::OpeningDoesNotMatch { stealth_seq });
    let other_salt = opening(|opening| {
        if let Some(opening) = opening {
            opening.salt[5] ^= 1;
        }
    });
    assert_eq!(other_salt, Misdeed::OpeningDoesNotMatch { stealth_seq });

    let (pair, _, reveal) = owed_reveal(Party::Guest, 6);
    let needless = with_reveal(&reveal, |reveal| {
        reveal.opening = Some(Opening { to: Square::all().next().expect("a1"), salt: [0; 32] });
    });
    let session = &pair.sessions[Party::Guest.index()];
    if session.log().phase().hidden().is_none() {
        assert_eq!(misdeed(session, &needless, Party::Host), Misdeed::OpeningNeedless);
    }
}

/// A queen that 'goes' to an occupied or unreachable square: the commitment hides it, the opening convicts.
#[test]
fn a_stealth_move_to_where_she_cannot_go_convicts_at_its_opening() {
    let (pair, action) = until(7, Party::Host, |_, action| is_stealth(action));
    let Action::Stealth { from, .. } = action else { panic!("a stealth move") };
    let host = &pair.sessions[0];
    let reachable = host.game().expect("a board").stealth_destinations(from);
    for to in Square::all().filter(|&square| !reachable.contains(square)).take(20) {
        let (prev, salt) = (host.log().head().id, [3; 32]);
        let commitment = stealth_commitment(prev, &key_of(Party::Host).public(), from, to, &salt);
        let hide = sign(&next_entry(host, Party::Host, act(SignedAction::Stealth { from, commitment })));
        let mut guest = pair.sessions[1].clone();
        guest.receive_entry(&hide, pair.now_ms + 1_000).expect("its square is not known yet");
        let stealth_seq = guest.log().last_seq();
        let answer = guest.game().expect("a board").legal_actions()[0];
        guest.act(answer, false, pair.now_ms + 2_000).expect("legal");
        let Phase::ExpectReveal(phase) = guest.log().phase() else { continue };
        let nonce = host_nonce(host, phase.midgame.commitments[0].prev);
        let reveal = Reveal { nonce, next_commitment: [0; 32], opening: Some(Opening { to, salt }) };
        let entry = sign(&next_entry(&guest, Party::Host, Body::Reveal(reveal)));
        assert_eq!(misdeed(&guest, &entry, Party::Host), Misdeed::OpeningIllegal { stealth_seq }, "{to}");
    }
}

/// The nonce that the host committed to at a place.
fn host_nonce(host: &Session, prev: EntryId) -> [u8; 32] {
    use chakart_core::protocol::secrets::{SecretKind, Secrets};
    Secrets::new(&key_of(Party::Host), host.log().offer().salt).derive(SecretKind::Chance, prev)
}

#[test]
fn silence_is_a_debt_and_never_a_second_roll() {
    let (mut pair, act_entry, reveal) = owed_reveal(Party::Guest, 8);
    let report = report(&pair.transcript(Party::Guest));
    assert_eq!(report.verdict, Verdict::Unfinished);
    assert!(report.line.contains("this copy: the next entry would be Host's (a reveal)"), "{report}");
    // The revealer, late or restored, can only sign the very outcome that it withheld.
    let later = pair.now_ms + 1_000_000;
    let mut host = pair.sessions[0].clone();
    let again = first_own(&host.receive_entry(&act_entry, later).expect("the act"));
    let nonce = |entry: &SignedEntry| match entry.decode().expect("a reveal").body {
        Body::Reveal(reveal) => reveal.nonce,
        other => panic!("not a reveal: {other:?}"),
    };
    assert_eq!(nonce(&again), nonce(&reveal));
    let mut other = pair.session(Party::Guest).clone();
    other.receive_entry(&again, later).expect("valid");
    pair.session(Party::Guest).receive_entry(&reveal, later).expect("valid");
    assert_eq!(other.game(), pair.sessions[1].game());
}

#[test]
fn a_refused_act_is_not_answered() {
    let (pair, action) = until(9, Party::Host, needs_reveal);
    let guest = &pair.sessions[1];
    let mut twin = pair.sessions[0].clone();
    let good = first_own(&twin.act(action, false, pair.now_ms + 1_000).expect("legal"));
    let wrong_seq = changed(&good, |entry| entry.seq += 1);
    let illegal = sign(&next_entry(guest, Party::Host, act(SignedAction::Pass)));
    let forged = SignedEntry { signature: [1; 64], ..good.clone() };
    for entry in [wrong_seq, illegal, forged] {
        let mut guest = guest.clone();
        let rejection = guest.receive_entry(&entry, pair.now_ms + 1_000).expect_err("refused");
        assert!(own_entries(&rejection.effects).is_empty());
        assert!(own_entries(&guest.answer(pair.now_ms + 2_000)).is_empty());
    }
    let mut guest = guest.clone();
    assert_eq!(own_entries(&guest.receive_entry(&good, pair.now_ms + 1_000).expect("valid")).len(), 1);
    assert_eq!(report(&file(guest.entries(), &[], None)).verdict, Verdict::Unfinished);
}
