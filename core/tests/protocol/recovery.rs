//! A player that has nothing but its key, and a log fetched from the opponent.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::Party;
use chakart_core::protocol::session::{CannotSign, Confirmation, Hold, Session};
use chakart_core::rules::Rules;
use chakart_core::transcript::report::{Report, Verdict};
use chakart_core::transcript::verify::{Expected, check};

use crate::forge::{file, hidden_queen_of, key_of, midgame, owed_reveal, say, transcript};
use crate::players::{Dice, Pair, feed, own_entries, own_statements};

/// A session of `party` from the key alone, its log fed entry by entry from the opponent's copy.
fn recover(party: Party, carrier: &Session) -> Session {
    let recovered = Confirmation { recovered: true, ..Confirmation::default() };
    let (first, rest) = carrier.entries().split_at(2);
    let mut session = Session::restore(key_of(party), first.to_vec(), vec![], vec![], recovered)
        .expect("the first two entries");
    let now_ms = carrier.log().head().at_ms;
    let effects = feed(&mut session, rest, now_ms).expect("the opponent's log is valid");
    let fetched: Vec<_> =
        rest.iter().filter(|entry| entry.decode().is_ok_and(|e| e.author == party)).collect();
    assert_eq!(own_entries(&effects).iter().collect::<Vec<_>>(), fetched, "nothing beyond the fetched log");
    session
}

#[test]
fn the_key_alone_goes_on_with_its_hidden_queen() {
    for owner in Party::ALL {
        for seed in [1, 2, 3] {
            let before = hidden_queen_of(owner, seed);
            let square = before.sessions[owner.index()].own_hidden_square();
            assert!(square.is_some());
            let mut restored = recover(owner, &before.sessions[owner.other().index()]);
            assert_eq!(restored.own_hidden_square(), square, "found again from the commitment");
            assert_eq!(restored.view(), before.sessions[owner.index()].view());
            restored.confirm(before.now_ms);
            let mut pair = before.clone();
            *pair.session(owner) = restored;
            pair.play_randomly(&mut Dice(seed), 60);
            let checked = check(pair.transcript(owner).as_bytes(), Expected::default());
            let verdict = Report::of(&checked).verdict;
            assert!(matches!(verdict, Verdict::Finished | Verdict::Unfinished), "{}", Report::of(&checked));
            assert_eq!(pair.sessions[0].entries(), pair.sessions[1].entries());
        }
    }
}

/// Everything that a restored player signs is byte for byte what the lost home would have signed.
#[test]
fn a_restored_player_signs_what_the_lost_one_would_have() {
    let (pair, act, reveal) = owed_reveal(Party::Guest, 4);
    let mut carrier = pair.sessions[1].entries().to_vec();
    assert_eq!(carrier.pop(), Some(act.clone()));
    let mut restored = recover(Party::Host, &pair.sessions[1]);
    assert!(restored.log().seq_of(act.id()).is_some());
    let signed = own_entries(&restored.confirm(pair.now_ms + 1_000));
    assert_eq!(signed, [reveal]);
}

#[test]
fn nothing_is_signed_before_the_word_that_no_later_copy_exists() {
    let (pair, _, _) = owed_reveal(Party::Guest, 5);
    let now_ms = pair.now_ms + 1_000;
    let mut restored = recover(Party::Host, &pair.sessions[1]);
    assert_eq!(restored.hold(now_ms), Some(Hold::Recovered));
    assert!(restored.answer(now_ms).is_empty());
    assert_eq!(restored.resign(), Err(Hold::Recovered.into()));
    assert_eq!(restored.claim(now_ms), Err(Hold::Recovered.into()));

    let pair = midgame(6, 6);
    let party = pair.decider().expect("a player");
    let mut restored = recover(party, &pair.sessions[party.other().index()]);
    let action = restored.game().expect("a board").legal_actions()[0];
    assert_eq!(restored.act(action, false, now_ms), Err(CannotSign::Held(Hold::Recovered)));
    restored.confirm(now_ms);
    assert!(restored.act(action, false, now_ms).is_ok());
}

#[test]
fn no_seal_is_signed_before_it_either() {
    let mut pair = hidden_queen_of(Party::Host, 7);
    let mut restored = recover(Party::Host, &pair.sessions[1]);
    let resigned = own_statements(&pair.session(Party::Guest).resign().expect("in a game"));
    let effects = restored.receive_statement(&resigned[0]).expect("a resignation");
    assert!(own_statements(&effects).is_empty());
    let sealed = own_statements(&restored.confirm(pair.now_ms));
    assert_eq!(sealed.len(), 1, "her opening, once its person has spoken");
    let report =
        transcript(&file(restored.entries(), &[sealed[0].clone(), resigned[0].clone()], Some("1-0")));
    assert_eq!(report.defect, None);
}

/// A player restored from a stale copy that signs again is convicted by its own word: hence the question.
#[test]
fn a_stale_copy_that_goes_on_is_a_fork() {
    let pair = midgame(8, 6);
    let party = pair.decider().expect("a player");
    let stale = pair.sessions[party.index()].clone();
    let mut ahead: Pair = pair.clone();
    let legal = stale.game().expect("a board").legal_actions();
    ahead.act(legal[0], false).expect("legal");
    let mut stale = stale;
    let second = own_entries(&stale.act(legal[1], false, pair.now_ms + 1_000).expect("legal"));
    let opponent = ahead.session(party.other());
    let rejection = opponent.receive_entry(&second[0], pair.now_ms + 2_000).expect_err("a fork");
    assert_eq!(rejection.effects.len(), 1, "a proof");
    // The same copy that first fetches the longer log takes it, and signs at no used place.
    let mut fetched = pair.sessions[party.index()].clone();
    feed(&mut fetched, ahead.sessions[party.other().index()].entries(), pair.now_ms + 2_000)
        .expect("known, then new");
    assert_eq!(fetched.entries(), ahead.sessions[party.other().index()].entries());
}

/// A store gives back what it was given: every effect, in order.
#[test]
fn a_session_restored_from_its_effects_is_the_same() {
    let mut pair = midgame(9, 30);
    if pair.decider().is_some() {
        pair.resign(Party::Guest);
    }
    for party in Party::ALL {
        let session = &pair.sessions[party.index()];
        let statements: Vec<SignedStatement> = session.statements().iter().map(|(_, s)| s.clone()).collect();
        let entries: Vec<SignedEntry> = session.entries().to_vec();
        let restored = Session::restore(
            key_of(party),
            entries,
            statements,
            session.proofs().to_vec(),
            session.confirmation(),
        )
        .expect("own data");
        assert_eq!(restored.view(), session.view());
        assert_eq!(restored.judgement(), session.judgement());
        assert_eq!(restored.steps(), session.steps());
    }
}

#[test]
fn stored_data_that_is_damaged_is_an_error_and_no_panic() {
    let pair = midgame(10, 10);
    let entries = pair.sessions[0].entries();
    let open = |entries: Vec<SignedEntry>, key| {
        Session::restore(key, entries, vec![], vec![], Confirmation::default()).map(|_| ())
    };
    assert!(open(vec![], key_of(Party::Host)).is_err());
    assert!(open(entries[1..].to_vec(), key_of(Party::Host)).is_err());
    assert!(open(entries[..1].to_vec(), key_of(Party::Guest)).is_err());
    assert!(open(entries.to_vec(), crate::players::key(9)).is_err());
    let mut twice = entries.to_vec();
    twice.push(entries[3].clone());
    assert!(open(twice, key_of(Party::Host)).is_err());
    for index in 0..entries.len() {
        let mut damaged = entries.to_vec();
        damaged[index].bytes.truncate(20);
        assert!(open(damaged, key_of(Party::Host)).is_err());
    }
    let unknown = say(
        &midgame(11, 4).sessions[0],
        Party::Guest,
        2,
        chakart_core::protocol::statement::StatementKind::Resign,
    );
    let restored = Session::restore(
        key_of(Party::Host),
        entries.to_vec(),
        vec![unknown],
        vec![],
        Confirmation::default(),
    );
    assert!(restored.is_ok_and(|session| session.statements().is_empty()), "held, not placed");
}

/// A key that played with a program of other secrets signs nothing wrong here, and does not crash.
#[test]
fn secrets_of_another_program_are_not_guessed() {
    let (pair, act, _) = owed_reveal(Party::Guest, 12);
    let mut entries = pair.sessions[0].entries()[..2].to_vec();
    // The host's commitment is to a nonce that its key does not derive.
    let foreign = crate::forge::changed(&entries[0], |entry| match &mut entry.body {
        chakart_core::protocol::entry::Body::Offer(offer) => offer.chance_commitment = [8; 32],
        other => panic!("not an offer: {other:?}"),
    });
    entries[1] = crate::forge::changed(&entries[1], |entry| entry.prev = foreign.id());
    entries[0] = foreign;
    let mut session = Session::restore(key_of(Party::Host), entries, vec![], vec![], Confirmation::default())
        .expect("nobody can see that yet");
    assert!(session.answer(act.decode().expect("an act").at_ms).is_empty());
    assert_eq!(session.log().last_seq(), 1);
}
