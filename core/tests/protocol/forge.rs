//! What a dishonest player signs: entries and statements with any field, by any key.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::conviction::Proof;
use chakart_core::protocol::entry::{Act, Body, ColorChoice, Entry, Party, SignedAction, TimeControl};
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::misdeed::{Misdeed, Refusal};
use chakart_core::protocol::phase::Phase;
use chakart_core::protocol::session::{Effect, NotTaken, OfferSettings, Session};
use chakart_core::protocol::statement::{Statement, StatementKind};
use chakart_core::rules::{Action, Rules, Variant};
use chakart_core::transcript::report::Report;
use chakart_core::transcript::text::{entry_line, statement_line};
use chakart_core::transcript::verify::{Checked, Expected, Transcript, check};

use crate::players::{Dice, Pair, guest_key, host_key, settings};

/// The host is White, so that who is to decide is known.
pub fn plain() -> OfferSettings {
    OfferSettings { color: ColorChoice::White, ..settings(Variant::Chakart) }
}

pub fn timed(time: TimeControl) -> OfferSettings {
    OfferSettings { time, ..plain() }
}

/// A game after some random acts.
pub fn midgame(seed: u64, acts: usize) -> Pair {
    let mut pair = Pair::begin(&plain(), seed);
    pair.play_randomly(&mut Dice(seed), acts);
    pair
}

pub fn key_of(party: Party) -> SecretKey {
    match party {
        Party::Host => host_key(),
        Party::Guest => guest_key(),
    }
}

/// The next entry of a log, by any author.
pub fn next_entry(session: &Session, author: Party, body: Body) -> Entry {
    let head = session.log().head();
    Entry { seq: session.log().last_seq() + 1, prev: head.id, author, at_ms: head.at_ms + 500, body }
}

pub fn sign(entry: &Entry) -> SignedEntry {
    SignedEntry::sign(entry, &key_of(entry.author))
}

/// A statement about the entry at a place.
pub fn say(session: &Session, author: Party, seq: u32, kind: StatementKind) -> SignedStatement {
    let entry = session.log().records()[seq as usize].id;
    SignedStatement::sign(&Statement { entry, author, kind }, &key_of(author))
}

/// An act as an attacker would write it.
pub fn act(action: SignedAction) -> Body {
    Body::Act(Act { action, nonce: [9; 32], draw_offer: false })
}

/// An entry with another content.
pub fn changed(signed: &SignedEntry, change: impl FnOnce(&mut Entry)) -> SignedEntry {
    let mut entry = signed.decode().expect("a valid entry");
    change(&mut entry);
    sign(&entry)
}

/// A legal open action of the player to decide that satisfies a wish.
pub fn wanted(session: &Session, wish: impl Fn(&Session, &Action) -> bool) -> Option<Action> {
    session.game()?.legal_actions().into_iter().find(|action| wish(session, action))
}

pub fn needs_reveal(session: &Session, action: &Action) -> bool {
    match session.log().phase() {
        Phase::ExpectAct(phase) => phase.reveal_due(action) == Some(true),
        _ => false,
    }
}

pub fn is_stealth(action: &Action) -> bool {
    matches!(action, Action::Stealth { .. })
}

/// Plays on randomly until a player can do what is wished; gives the game and the action.
pub fn until(seed: u64, who: Party, wish: impl Fn(&Session, &Action) -> bool) -> (Pair, Action) {
    for seed in seed.. {
        let mut pair = midgame(seed, 4);
        let mut dice = Dice(seed);
        for _ in 0..60 {
            let found = wanted(&pair.sessions[who.index()], &wish);
            if let Some(action) = found.filter(|_| pair.decider() == Some(who)) {
                return (pair, action);
            }
            pair.play_randomly(&mut dice, 1);
        }
    }
    unreachable!("random games have everything")
}

/// A game in which this player's queen has just moved unseen.
pub fn hidden_queen_of(owner: Party, seed: u64) -> Pair {
    let (mut pair, action) = until(seed, owner, |_, action| is_stealth(action));
    pair.act(action, false).expect("a legal stealth move");
    pair
}

/// A game in which the other player owes a reveal for an act of `actor`, which is stored by both sides; the reveal is
/// signed in a copy only.
pub fn owed_reveal(actor: Party, seed: u64) -> (Pair, SignedEntry, SignedEntry) {
    let (mut pair, action) = until(seed, actor, needs_reveal);
    let now_ms = pair.now_ms + 1_000;
    let act = first_own(&pair.session(actor).act(action, false, now_ms).expect("a legal action"));
    let mut revealer = pair.sessions[actor.other().index()].clone();
    let reveal = first_own(&revealer.receive_entry(&act, now_ms).expect("a valid act"));
    (pair, act, reveal)
}

pub fn first_own(effects: &[Effect]) -> SignedEntry {
    crate::players::own_entries(effects).swap_remove(0)
}

/// Gives an entry to a session, which refuses it; what it says, and the proof that it keeps.
pub fn refused(session: &mut Session, entry: &SignedEntry) -> (NotTaken, Option<Proof>) {
    let before = session.entries().to_vec();
    let now_ms = session.log().head().at_ms + 1_000;
    let rejection = session.receive_entry(entry, now_ms).expect_err("a refusal");
    assert_eq!(session.entries(), before, "a refused entry changes nothing");
    let proof = rejection.effects.into_iter().find_map(|effect| match effect {
        Effect::StoreProof(proof) => Some(proof),
        _ => None,
    });
    (rejection.reason, proof)
}

/// The misdeed of an entry that is placed next, which convicts its author on the spot and in the exported file.
pub fn misdeed(session: &Session, entry: &SignedEntry, author: Party) -> Misdeed {
    let mut session = session.clone();
    let (reason, proof) = refused(&mut session, entry);
    let NotTaken::Refused(Refusal::Invalid { author: by, misdeed, .. }) = reason else {
        panic!("not refused as invalid: {reason}");
    };
    assert_eq!(by, author);
    assert_eq!(proof.and_then(|proof| proof.convicts_in(session.log())), Some(author));
    let text = chakart_core::transcript::export::Source::of(&session).transcript();
    let report = report(&text);
    assert_eq!(report.convicts, [author.to_string()], "{report}");
    assert!(report.line.contains(&format!("{misdeed}; convicts {author}")), "{report}");
    misdeed
}

/// A bare transcript.
pub fn file(entries: &[SignedEntry], statements: &[SignedStatement], result: Option<&str>) -> String {
    let entries: String = entries.iter().map(entry_line).collect();
    let statements: String = statements.iter().map(statement_line).collect();
    let result = result.map_or_else(String::new, |code| format!("result {code}\n"));
    format!("chakart transcript 1\n{entries}{statements}{result}end\n")
}

pub fn report(text: &str) -> Report {
    Report::of(&check(text.as_bytes(), Expected::default()))
}

pub fn transcript(text: &str) -> Transcript {
    match check(text.as_bytes(), Expected::default()) {
        Checked::Transcript(transcript) => *transcript,
        other => panic!("not a transcript: {other:?}"),
    }
}
