//! Resignations, claims, accepted draws: said too early, too late, crossing, or about the wrong entry.
//!
//! | attack | test |
//! |---|---|
//! | claim without a clock, too early, by the debtor, at an old entry | `a_claim_out_of_place_is_void` |
//! | clock burning; late act answered | `lateness_is_shown_and_ends_nothing`, `a_late_act_waits_for_its_persons_word` |
//! | 'abort' at an early entry to erase a loss | `an_early_resignation_counts_from_its_authors_last_entry` |
//! | act after an abort was seen, to make it a win | `an_abort_stays_an_abort` |
//! | two resignations by one or both | `of_several_resignations_one_counts` |
//! | resignation at an end | `a_resignation_after_the_end_is_void` |
//! | resignation crossing an act, a reveal, an accepted draw, the end | `a_resignation_outweighs_what_crosses_it` |
//! | resignation before there is a game | `before_the_game_nothing_can_be_resigned` |
//! | draw not offered, lapsed, own | `only_a_standing_offer_of_the_other_is_accepted` |
//! | second of a kind, badly signed, about an unknown entry | `statements_out_of_place_make_a_file_invalid` |
//! | result line or remarks against the log | `the_result_line_is_checked_and_remarks_are_not` |
//! | statement whose entry is not here; floods of them | `a_statement_waits_for_its_entry_and_few_wait` |

use chakart_core::protocol::codec::SignedStatement;
use chakart_core::protocol::entry::{Body, EntryId, Party, TimeControl};
use chakart_core::protocol::judgement::{BadStatement, Standing, Void, Worth};
use chakart_core::protocol::misdeed::Misdeed;
use chakart_core::protocol::session::{CannotSign, Hold, MAX_HELD_STATEMENTS, NotTaken, Session};
use chakart_core::protocol::statement::{Statement, StatementKind};
use chakart_core::rules::Rules;
use chakart_core::transcript::report::Verdict;
use chakart_core::transcript::verify::Defect;

use crate::forge::{
    file, first_own, key_of, midgame, misdeed, needs_reveal, next_entry, owed_reveal, plain, refused, report,
    say, sign, timed, transcript, until, wanted,
};
use crate::players::{Dice, Pair, own_entries, own_statements};

const RESIGN: StatementKind = StatementKind::Resign;

/// What becomes of statements in a file with the entries of a session.
fn worths(session: &Session, statements: &[SignedStatement]) -> Vec<Worth> {
    let transcript = transcript(&file(session.entries(), statements, None));
    assert_eq!(transcript.defect, None);
    transcript.judgement().findings.iter().map(|finding| finding.worth).collect()
}

fn standing(session: &Session, statements: &[SignedStatement]) -> (Standing, &'static str) {
    let transcript = transcript(&file(session.entries(), statements, None));
    assert_eq!(transcript.defect, None);
    let judgement = transcript.judgement();
    let code = judgement.code(&transcript.log);
    (judgement.standing, code)
}

#[test]
fn a_claim_out_of_place_is_void() {
    let claim = |session: &Session, author, seq, after_ms| {
        let at_ms = session.log().records()[seq as usize].at_ms + after_ms;
        worths(session, &[say(session, author, seq, StatementKind::Claim { at_ms })])[0]
    };
    let untimed = midgame(1, 6);
    let (session, due) = (&untimed.sessions[0], untimed.decider().expect("a player"));
    let last = session.log().last_seq();
    assert_eq!(claim(session, due.other(), last, 1 << 40), Worth::Void(Void::NoTimeControl));

    let mut pair = Pair::begin(&timed(TimeControl::PerMove { move_ms: 60_000 }), 1);
    pair.play_randomly(&mut Dice(1), 6);
    let (session, due) = (&pair.sessions[0], pair.decider().expect("a player"));
    let last = session.log().last_seq();
    assert_eq!(claim(session, due, last, 60_001), Worth::Void(Void::NotOwed { seq: last }), "by the debtor");
    assert_eq!(claim(session, due.other(), last, 60_000), Worth::Void(Void::TooEarly));
    assert_eq!(claim(session, due.other(), last, 60_001), Worth::Claimed);
    let old = (2..last)
        .find(|&seq| {
            let owes = session.log().records()[seq as usize].owes;
            owes.is_some_and(|owes| session.log().last_seq_of(owes.other()) > Some(seq))
        })
        .expect("an old place");
    let claimant = session.log().records()[old as usize].owes.expect("a debtor").other();
    assert_eq!(claim(session, claimant, old, 60_001), Worth::Void(Void::SignedOn), "retroactive");
    let text = file(
        session.entries(),
        &[say(
            session,
            due.other(),
            last,
            StatementKind::Claim { at_ms: session.log().head().at_ms + 60_001 },
        )],
        Some("*"),
    );
    let report = report(&text);
    assert_eq!((report.verdict, report.result), (Verdict::Claimed, Some("*")), "it ends nothing: {report}");
}

#[test]
fn a_claim_is_signed_only_where_it_holds_and_a_later_one_replaces_it() {
    let mut pair = Pair::begin(&timed(TimeControl::PerMove { move_ms: 60_000 }), 2);
    let start = pair.now_ms;
    let guest = pair.session(Party::Guest);
    assert_eq!(guest.claim(start), Err(CannotSign::NotLate));
    let first = own_statements(&guest.claim(start + 100_000).expect("out of time"));
    assert_eq!(guest.claim(start + 200_000), Err(CannotSign::SaidAlready));
    pair.sessions[0].receive_statement(&first[0]).expect("a claim");
    assert!(pair.decider().is_some(), "the game goes on");
    pair.now_ms += 100_000;
    let quiet = wanted(&pair.sessions[0], |session, action| !needs_reveal(session, action));
    let action = quiet.or_else(|| wanted(&pair.sessions[0], |_, _| true)).expect("an action");
    let answer = first_own(&pair.sessions[0].act(action, false, pair.now_ms).expect("late, and in order"));
    pair.sessions[1].receive_entry(&answer, pair.now_ms).expect("a late act is valid");
    let report = report(&pair.transcript(Party::Guest));
    let note = "claimed, then answered, late by its stamp";
    assert!(report.notes.iter().any(|line| line.contains(note)), "{report}");
    assert!(report.convicts.is_empty());
}

#[test]
fn a_late_act_waits_for_its_persons_word() {
    let mut pair = Pair::begin(&timed(TimeControl::PerMove { move_ms: 10 }), 3);
    let action = (0..)
        .find_map(|_| {
            let decider = pair.decider()?;
            let action = wanted(&pair.sessions[decider.index()], needs_reveal);
            if action.is_none() {
                let legal = pair.sessions[decider.index()].game()?.legal_actions();
                let now_ms = pair.now_ms;
                let act = first_own(&pair.session(decider).act(legal[0], false, now_ms).ok()?);
                pair.session(decider.other()).receive_entry(&act, now_ms).ok()?;
            }
            action
        })
        .expect("an action with chance");
    let (actor, late) = (pair.decider().expect("a player"), pair.now_ms + 11);
    let act = first_own(&pair.session(actor).act(action, false, late).expect("legal"));
    let revealer = pair.session(actor.other());
    assert!(own_entries(&revealer.receive_entry(&act, late).expect("valid")).is_empty());
    assert_eq!(revealer.hold(late), Some(Hold::LateAct));
    assert_eq!(own_entries(&revealer.confirm(late)).len(), 1);
}

#[test]
fn a_long_pause_waits_for_a_word_about_the_clock() {
    let (mut pair, act, _) = owed_reveal(Party::Guest, 4);
    let later = pair.now_ms + 31 * 86_400_000;
    let host = pair.session(Party::Host);
    assert!(own_entries(&host.receive_entry(&act, later).expect("valid")).is_empty());
    assert_eq!(host.hold(later), Some(Hold::LongPause { days: 30 }));
    assert_eq!(own_entries(&host.confirm(later)).len(), 1);
}

#[test]
fn an_early_resignation_counts_from_its_authors_last_entry() {
    let pair = midgame(5, 12);
    let session = &pair.sessions[0];
    let (standing, code) = standing(session, &[say(session, Party::Host, 2, RESIGN)]);
    assert_eq!(standing, Standing::Resigned { loser: Party::Host, aborted: false });
    assert_eq!(code, "0-1");
}

#[test]
fn an_abort_stays_an_abort() {
    let mut pair = Pair::begin(&plain(), 6);
    let resignation = say(&pair.sessions[0], Party::Guest, 2, RESIGN);
    pair.play_randomly(&mut Dice(6), 1);
    // The host has seen the resignation and goes on by itself.
    let mut entries = pair.sessions[0].entries().to_vec();
    while entries.last().is_some_and(|last| last.decode().is_ok_and(|entry| entry.author == Party::Guest)) {
        entries.pop();
    }
    let report = report(&file(&entries, std::slice::from_ref(&resignation), Some("aborted")));
    assert_eq!(report.verdict, Verdict::Finished, "{report}");
    let mut host = pair.sessions[0].clone();
    host.receive_statement(&resignation).expect("a resignation");
    let action = host.game().expect("a board").legal_actions()[0];
    assert_eq!(host.act(action, false, pair.now_ms + 1), Err(CannotSign::Over));
}

#[test]
fn of_several_resignations_one_counts() {
    let pair = midgame(7, 12);
    let session = &pair.sessions[0];
    let last = session.log().last_seq();
    let both = |host, guest| {
        standing(
            session,
            &[say(session, Party::Host, host, RESIGN), say(session, Party::Guest, guest, RESIGN)],
        )
        .0
    };
    assert_eq!(both(last - 1, last), Standing::Resigned { loser: Party::Host, aborted: false });
    assert_eq!(both(last, last - 1), Standing::Resigned { loser: Party::Guest, aborted: false });
    let owes = session.log().head().owes.expect("a debtor");
    assert_eq!(both(last, last), Standing::Resigned { loser: owes, aborted: false });

    let mut copies = [session.clone(), session.clone()];
    let [late, early] = [last, last - 2].map(|seq| say(session, Party::Guest, seq, RESIGN));
    for (copy, order) in copies.iter_mut().zip([[&late, &early], [&early, &late]]) {
        for statement in order {
            copy.receive_statement(statement).expect("a resignation");
        }
        assert_eq!(copy.statements().len(), 1);
        assert_eq!(copy.statements()[0].1, early, "the one at the earliest entry, in any order");
    }
}

#[test]
fn a_resignation_after_the_end_is_void() {
    let over = (0..)
        .map(|seed| midgame(seed, 400))
        .find(|pair| pair.sessions[0].judgement().is_finished())
        .expect("random games end");
    let session = &over.sessions[0];
    let last = session.log().last_seq();
    for author in Party::ALL {
        let said = say(session, author, last, RESIGN);
        assert_eq!(
            worths(session, std::slice::from_ref(&said))[0],
            Worth::Void(Void::AlreadyOver { seq: last })
        );
        assert!(matches!(standing(session, &[said]).0, Standing::Over { .. }));
        assert_eq!(over.sessions[author.index()].clone().resign(), Err(CannotSign::Over));
    }
    let crossing = say(session, Party::Host, last - 1, RESIGN);
    assert_eq!(worths(session, &[crossing])[0], Worth::Counts, "the end crossed it");
}

#[test]
fn a_resignation_outweighs_what_crosses_it() {
    // An act, and a reveal, that the other signed before it knew.
    let (mut pair, _, reveal) = owed_reveal(Party::Guest, 8);
    let guest = pair.session(Party::Guest);
    guest.resign().expect("in a game");
    let crossing = guest.receive_entry(&reveal, reveal.decode().expect("a reveal").at_ms);
    assert!(crossing.is_ok(), "entries of the other player are taken");
    assert!(guest.act(guest.game().expect("a board").legal_actions()[0], false, 0).is_err());
    assert_eq!(guest.judgement().standing, Standing::Resigned { loser: Party::Guest, aborted: false });

    // The author of the resignation signs on: nobody takes it, and nobody is convicted by it.
    let (pair, action) = until(9, Party::Guest, |_, _| true);
    let at = pair.sessions[0].log().last_seq();
    let resignation = say(&pair.sessions[0], Party::Guest, at, RESIGN);
    let mut knowing = pair.sessions[0].clone();
    knowing.receive_statement(&resignation).expect("a resignation");
    let on = first_own(&pair.sessions[1].clone().act(action, false, pair.now_ms).expect("legal"));
    let (reason, proof) = refused(&mut knowing, &on);
    assert_eq!(reason, NotTaken::AfterResignation { author: Party::Guest, seq: at });
    assert_eq!(proof, None);
}

#[test]
fn a_resignation_that_crosses_an_accepted_draw_loses() {
    let (mut pair, action) = until(10, Party::Host, |session, action| !needs_reveal(session, action));
    pair.act(action, true).expect("legal");
    let resigned = own_statements(&pair.sessions[0].resign().expect("in a game"));
    let draw = first_own(&pair.sessions[1].accept_draw(pair.now_ms).expect("offered"));
    pair.sessions[0].receive_entry(&draw, pair.now_ms).expect("it crossed");
    pair.sessions[1].receive_statement(&resigned[0]).expect("it crossed");
    for session in &pair.sessions {
        assert_eq!(session.judgement().standing, Standing::Resigned { loser: Party::Host, aborted: false });
    }
}

#[test]
fn before_the_game_nothing_can_be_resigned() {
    let pair = Pair::begin(&plain(), 11);
    for (seq, kind) in [(0, RESIGN), (1, RESIGN), (1, StatementKind::Seal { opening: None })] {
        let early = say(&pair.sessions[0], Party::Host, seq, kind);
        let bad = pair.sessions[1].clone().receive_statement(&early).expect_err("no game");
        assert!(matches!(bad, BadStatement::BeforeTheGame { .. }), "{bad}");
        let report = report(&file(pair.sessions[0].entries(), &[early], None));
        assert_eq!(report.verdict, Verdict::Invalid);
        assert!(report.convicts.is_empty());
    }
}

#[test]
fn only_a_standing_offer_of_the_other_is_accepted() {
    let accept = |session: &Session, author| sign(&next_entry(session, author, Body::AcceptDraw));
    let (mut pair, action) = until(12, Party::Host, needs_reveal);
    let guest = &pair.sessions[1];
    assert_eq!(misdeed(guest, &accept(guest, Party::Host), Party::Host), Misdeed::DrawNotOffered);
    // The offer survives its reveal; the one who made it cannot accept it; a further act ends it.
    pair.act(action, true).expect("legal");
    let decider = pair.decider().expect("a player");
    let session = &pair.sessions[decider.other().index()];
    let found = session.clone().receive_entry(&accept(session, decider), pair.now_ms + 600);
    match decider {
        Party::Guest => assert!(found.is_ok(), "a standing offer"),
        Party::Host => assert!(found.is_err(), "its own offer"),
    }
    pair.play_randomly(&mut Dice(1), 1);
    while pair.decider() != Some(Party::Guest) {
        let action = wanted(&pair.sessions[0], |_, _| true).expect("an action");
        pair.act(action, false).expect("legal");
    }
    let host = &pair.sessions[0];
    assert_eq!(misdeed(host, &accept(host, Party::Guest), Party::Guest), Misdeed::DrawNotOffered, "lapsed");
    assert_eq!(pair.sessions[1].clone().accept_draw(pair.now_ms), Err(CannotSign::NoDrawOffered));
}

#[test]
fn statements_out_of_place_make_a_file_invalid() {
    let pair = midgame(13, 8);
    let session = &pair.sessions[0];
    let last = session.log().last_seq();
    let resign = |author, seq| say(session, author, seq, RESIGN);
    let stranger = {
        let entry = EntryId([7; 32]);
        SignedStatement::sign(&Statement { entry, author: Party::Host, kind: RESIGN }, &key_of(Party::Host))
    };
    let forged = SignedStatement { signature: [2; 64], ..resign(Party::Host, last) };
    let cases: [(&str, Vec<SignedStatement>); 4] = [
        ("second", vec![resign(Party::Host, last), resign(Party::Host, last - 1)]),
        ("order", vec![resign(Party::Guest, last), resign(Party::Host, last)]),
        ("stranger", vec![stranger]),
        ("forged", vec![forged]),
    ];
    for (name, statements) in cases {
        let defect = transcript(&file(session.entries(), &statements, None)).defect;
        let named = match name {
            "second" => matches!(defect, Some(Defect::Statement(BadStatement::Second { .. }))),
            "order" => matches!(defect, Some(Defect::StatementOrder { .. })),
            "stranger" => matches!(defect, Some(Defect::Statement(BadStatement::UnknownEntry { .. }))),
            _ => matches!(defect, Some(Defect::Statement(BadStatement::BadSignature { .. }))),
        };
        assert!(named, "{name}: {defect:?}");
        assert!(report(&file(session.entries(), &statements, None)).convicts.is_empty());
    }
}

#[test]
fn the_result_line_is_checked_and_remarks_are_not() {
    let pair = midgame(14, 8);
    let entries = pair.sessions[0].entries();
    for code in ["1-0", "0-1", "1/2-1/2", "aborted"] {
        let defect = transcript(&file(entries, &[], Some(code))).defect;
        assert_eq!(defect, Some(Defect::Result { found: code.to_owned(), due: "*" }));
    }
    let honest = file(entries, &[], Some("*"));
    let boasting = honest.replace("result", "# White won; Host is a champion\nresult");
    assert_eq!(report(&boasting).verdict, Verdict::Unfinished);
    assert!(report(&boasting).not_checked.iter().any(|line| line.contains("remarks")));
    // An answer, or a resignation, that is left out: the file says only what it has.
    let said = say(&pair.sessions[0], Party::Host, pair.sessions[0].log().last_seq(), RESIGN);
    assert_eq!(report(&file(entries, &[said], None)).verdict, Verdict::Finished);
    assert!(report(&honest).line.contains("a longer log may exist"));
}

#[test]
fn a_statement_waits_for_its_entry_and_few_wait() {
    let (mut pair, act_entry, _) = owed_reveal(Party::Guest, 15);
    let resigned = own_statements(&pair.session(Party::Guest).resign().expect("in a game"));
    let host = pair.session(Party::Host);
    assert_eq!(host.receive_statement(&resigned[0]).expect("held").len(), 1);
    assert!(matches!(host.judgement().standing, Standing::Unfinished { .. }));
    let effects = host.receive_entry(&act_entry, act_entry.decode().expect("an act").at_ms).expect("valid");
    assert!(own_entries(&effects).is_empty(), "nothing is revealed to a player who has resigned");
    assert_eq!(host.judgement().standing, Standing::Resigned { loser: Party::Guest, aborted: false });

    let mut host = midgame(15, 4).sessions[0].clone();
    let about = |byte| {
        let statement = Statement { entry: EntryId([byte; 32]), author: Party::Guest, kind: RESIGN };
        SignedStatement::sign(&statement, &key_of(Party::Guest))
    };
    for byte in 0..40 {
        let held = host.receive_statement(&about(byte));
        assert_eq!(held.is_ok(), usize::from(byte) < MAX_HELD_STATEMENTS);
    }
    assert!(host.receive_statement(&about(0)).expect("held already").is_empty());
}

#[test]
fn hostile_names_are_escaped_where_they_are_written() {
    let name = chakart_core::protocol::entry::Name::new("\u{202e}evil\u{2066}<b>").expect("no control");
    let settings = chakart_core::protocol::session::OfferSettings { name, ..plain() };
    let pair = Pair::begin(&settings, 16);
    let text = pair.transcript(Party::Guest);
    assert!(text.contains("\\u{202e}evil\\u{2066}<b>"), "{text}");
    assert!(text.chars().all(|c| c == '\n' || (' '..='~').contains(&c)), "{text}");
    for control in ["\u{1b}[2J", "a\nb", "\u{9b}", "\u{7f}"] {
        assert!(chakart_core::protocol::entry::Name::new(control).is_err());
    }
}
