//! The square of a hidden queen is nowhere but with her player: two runs with equal seeds that differ only in that
//! square look alike to the opponent, but for commitments, ids, nonces and signatures.

use std::fmt::Debug;

use chakart_core::board::Square;
use chakart_core::protocol::entry::{Body, Entry, EntryId, Party, SignedAction};
use chakart_core::protocol::session::Session;
use chakart_core::protocol::statement::StatementKind;
use chakart_core::rules::{Action, Rules};
use chakart_core::transcript::report::Report;
use chakart_core::transcript::verify::{Expected, check};

use crate::forge::{act, first_own, is_stealth, next_entry, say, sign, until};
use crate::players::{Dice, Pair};

/// A text without what must differ: 64 hexadecimal digits, and lists of 32 bytes or more.
fn without_hashes(text: &str) -> String {
    let words = text.split_inclusive(|c: char| !c.is_ascii_hexdigit());
    let words: Vec<&str> =
        words
            .map(|word| {
                if word.trim_end_matches(|c: char| !c.is_ascii_hexdigit()).len() >= 64 {
                    "HASH "
                } else {
                    word
                }
            })
            .collect();
    let text = words.concat();
    let lists = text.split_inclusive(']').map(|part| match part.rfind('[') {
        Some(open) if part[open..].matches(',').count() >= 31 => format!("{}[BYTES]", &part[..open]),
        _ => part.to_owned(),
    });
    lists.collect()
}

fn shown<T: Debug>(what: &T) -> String {
    without_hashes(&format!("{what:?}"))
}

/// An entry without commitments, nonces and links.
fn bare(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    entry.prev = EntryId::NONE;
    match &mut entry.body {
        Body::Act(act) => {
            act.nonce = [0; 32];
            if let SignedAction::Stealth { commitment, .. } = &mut act.action {
                *commitment = [0; 32];
            }
        }
        Body::Reveal(reveal) => {
            reveal.nonce = [0; 32];
            reveal.next_commitment = [0; 32];
        }
        Body::Offer(_) | Body::Accept(_) | Body::AcceptDraw => {}
    }
    entry
}

/// Everything that a session lets its own player or a carrier see.
fn appearance(session: &Session, now_ms: u64) -> Vec<String> {
    let text = chakart_core::transcript::export::Source::of(session).transcript();
    let report = Report::of(&check(text.as_bytes(), Expected::default()));
    let remarks: String = text.lines().filter(|line| line.starts_with('#')).collect();
    let lengths: Vec<usize> = text.lines().map(str::len).collect();
    let entries: Vec<Entry> =
        session.entries().iter().map(|entry| bare(&entry.decode().expect("a valid entry"))).collect();
    let game = session.game().expect("a board");
    vec![
        remarks,
        shown(&lengths),
        without_hashes(&report.to_string()),
        shown(&entries),
        shown(&session.steps()),
        shown(&session.view()),
        shown(&session.game()),
        shown(&game.legal_actions()),
        game.fen(),
        shown(&session.judgement()),
        shown(&session.hold(now_ms)),
        shown(&session.own_hidden_square()),
        shown(&session.log().phase()),
        shown(&session.log().records()),
        shown(&session.statements()),
        shown(&session.proofs()),
        format!("{} {}", session.is_my_turn(), session.is_draw_offered()),
    ]
}

/// What the opponent's session answers to entries and statements that it refuses.
fn refusals(session: &Session, owner: Party, now_ms: u64) -> Vec<String> {
    let entries = [
        sign(&next_entry(session, owner, act(SignedAction::Pass))),
        sign(&next_entry(session, owner, Body::AcceptDraw)),
    ];
    let wrong = say(session, owner, 1, StatementKind::Resign);
    let mut said: Vec<String> = entries
        .iter()
        .map(|entry| match session.clone().receive_entry(entry, now_ms) {
            Ok(effects) => shown(&effects),
            Err(rejection) => format!("{rejection} {}", shown(&rejection.effects)),
        })
        .collect();
    said.push(shown(&session.clone().receive_statement(&wrong)));
    said.push(shown(&session.clone().claim(now_ms)));
    said
}

/// Two copies of one game in which `owner` hides its queen on two different squares.
fn twins(owner: Party, seed: u64) -> ([Pair; 2], [Square; 2]) {
    let two = |session: &Session, action: &Action| {
        let Action::Stealth { from, .. } = action else { return false };
        session.game().is_some_and(|game| game.stealth_destinations(*from).len() >= 2)
    };
    let (pair, action) = until(seed, owner, |session, action| is_stealth(action) && two(session, action));
    let Action::Stealth { from, .. } = action else { panic!("a stealth move") };
    let reachable = pair.sessions[0].game().expect("a board").stealth_destinations(from);
    let all: Vec<Square> = Square::all().filter(|&square| reachable.contains(square)).collect();
    let squares = [all[0], all[all.len() - 1]];
    let pairs = squares.map(|to| {
        let mut pair = pair.clone();
        pair.act(Action::Stealth { from, to }, false).expect("legal");
        pair
    });
    (pairs, squares)
}

#[test]
fn two_games_that_differ_in_the_hidden_square_look_alike() {
    for owner in Party::ALL {
        for seed in 0..15 {
            let (mut pairs, squares) = twins(owner, seed * 100);
            let opponent = owner.other().index();
            let now_ms = pairs[0].now_ms;
            let [a, b] = pairs.each_ref().map(|pair| appearance(&pair.sessions[opponent], now_ms));
            assert_eq!(a, b, "{squares:?}");
            let [a, b] = pairs.each_ref().map(|pair| refusals(&pair.sessions[opponent], owner, now_ms));
            assert_eq!(a, b, "{squares:?}");

            // The same answer in both games, before its reveal.
            let legal = pairs[0].sessions[opponent].game().expect("a board").legal_actions();
            let action = legal[Dice(seed).below(legal.len())];
            for pair in &mut pairs {
                let effects = pair.sessions[opponent].act(action, true, now_ms + 1_000).expect("legal");
                first_own(&effects);
            }
            let [a, b] = pairs.each_ref().map(|pair| appearance(&pair.sessions[opponent], now_ms + 1_000));
            assert_eq!(a, b, "{squares:?}");
        }
    }
}

#[test]
fn what_the_mover_writes_for_others_does_not_show_the_square() {
    for seed in 0..15 {
        let (pairs, squares) = twins(Party::Host, seed * 100);
        for pair in &pairs {
            assert_eq!(
                pair.transcript(Party::Host),
                pair.transcript(Party::Guest),
                "nothing more than the other's"
            );
        }
        let remarks = pairs.each_ref().map(|pair| {
            let text = pair.transcript(Party::Host);
            text.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
        });
        assert_eq!(remarks[0], remarks[1]);
        let last = remarks[0].last().expect("remarks");
        assert!(last.ends_with("??"), "{last}");
        assert!(squares.iter().all(|square| !last.contains(&square.to_string())), "{last}");
        let own = pairs.each_ref().map(|pair| pair.sessions[0].own_hidden_square());
        assert_eq!(own, squares.map(Some), "only her player knows");
    }
}

/// The opponent's act and its length, and whether a reveal is owed, tell nothing of what the true board has.
#[test]
fn whether_a_reveal_is_due_does_not_depend_on_the_square() {
    for seed in 0..10 {
        let (pairs, squares) = twins(Party::Host, seed * 100 + 7);
        let legal = pairs[0].sessions[1].game().expect("a board").legal_actions();
        for action in legal {
            let owed = pairs.each_ref().map(|pair| {
                let mut guest = pair.sessions[1].clone();
                let effects = guest.act(action, false, pair.now_ms + 1_000).expect("legal");
                (effects.len(), first_own(&effects).bytes.len(), guest.log().phase().owes())
            });
            assert_eq!(owed[0], owed[1], "{action} {squares:?}");
        }
    }
}

#[test]
fn the_reveal_shows_it_to_both() {
    let (mut pairs, squares) = twins(Party::Guest, 3);
    for (pair, square) in pairs.iter_mut().zip(squares) {
        pair.play_randomly(&mut Dice(1), 1);
        let text = pair.transcript(Party::Host);
        let opened = format!("the hidden queen was on {square}");
        let over = pair.decider().is_none();
        assert!(over || text.contains(&opened), "{opened}\n{text}");
    }
}
