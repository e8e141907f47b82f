//! Two entries at one place, and what only looks like it.
//!
//! | attack | test |
//! |---|---|
//! | two signed entries at one place | `a_fork_is_kept_shown_and_confirmed_offline` |
//! | the second names another author | `a_fork_under_another_name_is_a_fork` |
//! | an older or a forked copy shown as current | `the_longer_log_counts_and_a_fork_convicts` |
//! | a forked or illegal act to provoke a reveal | `no_reveal_is_signed_for_a_second_act` |
//! | a fork, or a convicting entry with more behind it, in a transcript | `a_fork_inside_a_transcript_convicts_nobody` and below |
//! | both players convicted | `two_convicts_have_no_result` |
//! | honest oddities | `what_honest_players_do_convicts_nobody` and below |
//! | poison that blocks resigning or export | `a_stopped_game_is_still_resigned_and_exported` |

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::conviction::{Equivocation, NotEquivocation, Proof};
use chakart_core::protocol::entry::{Party, SignedAction};
use chakart_core::protocol::judgement::Standing;
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::log::{Log, Placement};
use chakart_core::protocol::misdeed::Refusal;
use chakart_core::protocol::session::{CannotSign, Confirmation, NotTaken, Session, make_accept, make_offer};
use chakart_core::protocol::statement::StatementKind;
use chakart_core::rules::Rules;
use chakart_core::transcript::report::{Report, Verdict};
use chakart_core::transcript::text::evidence_text;
use chakart_core::transcript::verify::{Checked, Expected, check};

use crate::forge::{
    act, changed, file, first_own, key_of, midgame, next_entry, owed_reveal, plain, refused, say, sign,
    transcript,
};
use crate::players::{Pair, START_MS, guest_key, host_key, key, own_entries, own_statements};

/// Two different acts that the player to decide signed at one place, the first delivered.
fn forked(seed: u64) -> (Pair, Party, SignedEntry) {
    let mut pair = midgame(seed, 6);
    let author = pair.decider().expect("a player to decide");
    let legal = pair.sessions[0].game().expect("a board").legal_actions();
    let mut twin = pair.sessions[author.index()].clone();
    let second = first_own(&twin.act(legal[1], false, pair.now_ms + 1_500).expect("legal"));
    pair.act(legal[0], false).expect("legal");
    (pair, author, second)
}

#[test]
fn a_fork_is_kept_shown_and_confirmed_offline() {
    let (mut pair, author, second) = forked(1);
    let victim = pair.session(author.other());
    let (reason, proof) = refused(victim, &second);
    assert!(matches!(reason, NotTaken::Refused(Refusal::Equivocation { author: by, .. }) if by == author));
    let Some(Proof::Equivocation(proof)) = proof else { panic!("a portable proof") };
    assert_eq!(victim.judgement().standing, Standing::Convicted { loser: author });

    let evidence = check(evidence_text(&proof).as_bytes(), Expected::default());
    assert_eq!(Report::of(&evidence).convicts, [key_of(author).public().to_string()]);
    assert_eq!(Report::of(&evidence).verdict, Verdict::Evidence);
    let text = pair.transcript(author.other());
    let transcript = transcript(&text);
    let report = Report::of_game(&[&transcript], &[&proof]);
    assert_eq!((report.verdict, report.convicts), (Verdict::Finished, vec![author.to_string()]));
    let due = if author == Party::Host { "0-1" } else { "1-0" };
    assert_eq!(report.result, Some(due), "the host is White");
}

#[test]
fn a_fork_under_another_name_is_a_fork() {
    let (mut pair, author, _) = forked(2);
    let place = pair.sessions[0].log().last_seq_of(author).expect("an entry");
    let mut twin = pair.sessions[0].entries()[place as usize].decode().expect("an entry");
    twin.author = author.other();
    let twin = SignedEntry::sign(&twin, &key_of(author));
    let (reason, proof) = refused(pair.session(author.other()), &twin);
    assert!(matches!(reason, NotTaken::Refused(Refusal::Equivocation { author: by, .. }) if by == author));
    assert_eq!(proof.and_then(|proof| proof.convicts_in(pair.sessions[0].log())), Some(author));
}

#[test]
fn the_longer_log_counts_and_a_fork_convicts() {
    let pair = midgame(3, 10);
    let entries = pair.sessions[0].entries();
    let long = transcript(&file(entries, &[], None));
    let short = transcript(&file(&entries[..entries.len() - 3], &[], None));
    for files in [[&long, &short], [&short, &long]] {
        let report = Report::of_game(&files, &[]);
        assert_eq!(report.verdict, Verdict::Unfinished);
        assert_eq!(report.checked[0].split(' ').next(), Some(entries.len().to_string().as_str()));
    }
    let (pair, author, second) = forked(3);
    let mine = transcript(&file(pair.sessions[0].entries(), &[], None));
    let place = pair.sessions[0].log().seq_of(second.decode().expect("an act").prev).expect("known") + 1;
    let mut other = pair.sessions[0].entries()[..place as usize].to_vec();
    other.push(second);
    let theirs = transcript(&file(&other, &[], None));
    let report = Report::of_game(&[&mine, &theirs], &[]);
    assert_eq!(report.convicts, [author.to_string()], "{report}");
}

/// A transcript is one chain: a second entry in it is a defect, and the proof is a file of its own.
#[test]
fn a_fork_inside_a_transcript_convicts_nobody() {
    let (pair, _, second) = forked(3);
    let mut entries = pair.sessions[0].entries().to_vec();
    entries.push(second);
    let checked = check(file(&entries, &[], None).as_bytes(), Expected::default());
    let report = Report::of(&checked);
    assert_eq!((report.verdict, report.result), (Verdict::Invalid, None), "{report}");
    assert!(report.convicts.is_empty(), "{report}");
}

/// What stands after an entry that convicts is not read: neither a resignation nor a result line saves its author.
#[test]
fn nothing_after_a_convicting_entry_is_read() {
    let pair = midgame(10, 8);
    let due = pair.decider().expect("a player to decide");
    let session = &pair.sessions[0];
    let bad = sign(&next_entry(session, due, act(SignedAction::Pass)));
    let resigned = say(session, due.other(), session.log().last_seq(), StatementKind::Resign);
    let mut entries = session.entries().to_vec();
    entries.push(bad);
    let wrong = if due == Party::Host { "1-0" } else { "0-1" };
    let report = Report::of(&check(file(&entries, &[resigned], Some(wrong)).as_bytes(), Expected::default()));
    assert_eq!(report.convicts, [due.to_string()], "{report}");
    assert_eq!(report.result, Some(if due == Party::Host { "0-1" } else { "1-0" }));
}

#[test]
fn no_reveal_is_signed_for_a_second_act() {
    let (mut pair, act_entry, _) = owed_reveal(Party::Host, 4);
    let guest = pair.session(Party::Guest);
    let now_ms = guest.log().head().at_ms + 10_000;
    let effects = guest.receive_entry(&act_entry, now_ms).expect("the first act");
    assert_eq!(own_entries(&effects).len(), 1, "the one reveal");
    let second = changed(&act_entry, |entry| entry.at_ms += 1);
    let (reason, proof) = refused(guest, &second);
    assert!(matches!(reason, NotTaken::Refused(Refusal::Equivocation { .. })));
    assert!(proof.is_some());
    assert!(guest.answer(now_ms).is_empty());
    let third = changed(&act_entry, |entry| {
        entry.prev = guest.log().head().id;
        entry.seq = guest.log().last_seq() + 1;
        entry.at_ms += 20_000;
    });
    let (reason, _) = refused(guest, &third);
    assert_eq!(reason, NotTaken::Stopped { convicted: Party::Host });
}

#[test]
fn two_convicts_have_no_result() {
    let (mut pair, author, second) = forked(5);
    let other = author.other();
    let entry = pair.sessions[0].log().last_seq_of(other).expect("an entry");
    let twin = changed(&pair.sessions[0].entries()[entry as usize], |entry| entry.at_ms += 1);
    let session = pair.session(other);
    refused(session, &second);
    refused(session, &twin);
    assert_eq!(session.judgement().standing, Standing::BothConvicted);
    assert_eq!(session.judgement().code(session.log()), "*");
}

#[test]
fn a_stopped_game_is_still_resigned_and_exported() {
    let pair = midgame(6, 4);
    let due = pair.decider().expect("a player to decide");
    let mut victim = pair.sessions[due.other().index()].clone();
    let poison = sign(&next_entry(&victim, due, act(SignedAction::Pass)));
    refused(&mut victim, &poison);
    let action = victim.game().expect("a board").legal_actions()[0];
    let stopped = victim.act(action, false, pair.now_ms).expect_err("no more entries");
    assert_eq!(stopped, CannotSign::Stopped { convicted: due });
    let text = chakart_core::transcript::export::Source::of(&victim).transcript();
    assert!(Report::of(&check(text.as_bytes(), Expected::default())).line.contains("convicts"));
    let said = own_statements(&victim.resign().expect("a word is still free"));
    assert_eq!(said.len(), 1, "the resignation, and after a conviction no seal");
    assert_eq!(victim.judgement().standing, Standing::Convicted { loser: due });
}

#[test]
fn what_honest_players_do_convicts_nobody() {
    // Two offers by one key, several accepts of one offer, and the same bytes signed again.
    let offers = [1, 2].map(|salt| make_offer(&host_key(), &plain(), [salt; 32], START_MS));
    let two_offers = Equivocation::new(host_key().public(), offers.clone());
    assert_eq!(two_offers, Err(NotEquivocation::BeforeTheGame { which: 1 }));
    let log = Log::open(&offers[0]).expect("an offer");
    let accept =
        |key: SecretKey, nonce| make_accept(&key, &log, plain().name, [nonce; 32], START_MS).expect("open");
    let accepts = [accept(guest_key(), 1), accept(guest_key(), 2)];
    let two_accepts = Equivocation::new(guest_key().public(), accepts.clone());
    assert_eq!(two_accepts, Err(NotEquivocation::BeforeTheGame { which: 1 }));

    let mut host =
        Session::restore(host_key(), vec![offers[0].clone()], vec![], vec![], Confirmation::default())
            .expect("an open offer");
    host.receive_entry(&accepts[0], START_MS).expect("the first accept");
    assert!(host.receive_entry(&accepts[0], START_MS).expect("known").is_empty(), "the same again");
    let (reason, proof) = refused(&mut host, &accepts[1]);
    assert_eq!(reason, NotTaken::Refused(Refusal::PlaceTaken { seq: 1, holder: Party::Guest }));
    assert_eq!(proof, None);
    let (reason, proof) = refused(&mut host, &accept(key(9), 3));
    assert_eq!(reason, NotTaken::Refused(Refusal::BadSignature { author: Party::Guest }));
    assert_eq!(proof, None, "a second guest comes too late and is not to blame");
}

#[test]
fn the_same_bytes_signed_again_are_one_entry() {
    let pair = midgame(7, 4);
    let entry = pair.sessions[0].entries().last().expect("entries").clone();
    let twin = SignedEntry { signature: [0; 64], ..entry.clone() };
    let mut log = pair.sessions[0].log().clone();
    assert!(matches!(log.place(&twin), Ok(Placement::Known { .. })));
    let author = entry.decode().expect("an entry").author;
    let same = Equivocation::new(key_of(author).public(), [entry.clone(), entry]);
    assert_eq!(same, Err(NotEquivocation::SameBytes));
}

#[test]
fn evidence_for_another_game_or_after_the_end_convicts_nobody() {
    let (mut pair, author, second) = forked(8);
    let (_, proof) = refused(pair.session(author.other()), &second);
    let Some(Proof::Equivocation(proof)) = proof else { panic!("a proof") };
    assert_eq!(proof.convicts_in(midgame(9, 4).sessions[0].log()), None, "another game");

    let over = (0..)
        .map(|seed| midgame(seed, 400))
        .find(|pair| pair.sessions[0].judgement().is_finished())
        .expect("random games end");
    let log = over.sessions[0].log();
    let late = |nonce| {
        let mut entry = next_entry(&over.sessions[0], Party::Host, act(SignedAction::Pass));
        entry.at_ms += nonce;
        sign(&entry)
    };
    let proof = Equivocation::new(host_key().public(), [late(1), late(2)]).expect("two entries at one place");
    assert_eq!(proof.convicts_in(log), None, "the game was over there");
    let (reason, kept) = refused(&mut over.sessions[1].clone(), &late(1));
    assert_eq!(reason, NotTaken::Refused(Refusal::AfterEnd { last_seq: log.last_seq() }));
    assert_eq!(kept, None);
    let mut entries = over.sessions[0].entries().to_vec();
    entries.push(late(1));
    let checked = check(file(&entries, &[], None).as_bytes(), Expected::default());
    assert!(matches!(checked, Checked::Transcript(_)));
    assert!(Report::of(&checked).convicts.is_empty(), "{}", Report::of(&checked));
}

#[test]
fn an_unusable_file_stays_invalid_beside_evidence() {
    let (mut pair, author, second) = forked(1);
    let (_, proof) = refused(pair.session(author.other()), &second);
    let Some(Proof::Equivocation(proof)) = proof else { panic!("a proof") };
    let cut = file(pair.sessions[0].entries(), &[], None).replace("end\n", "");
    let report = Report::of_game(&[&transcript(&cut)], &[&proof]);
    assert_eq!(report.verdict, Verdict::Invalid, "{report}");
}
