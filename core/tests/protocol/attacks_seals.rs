//! Seals: what opens a hidden queen after the end, and who bears it when nothing does.
//!
//! | attack | test |
//! |---|---|
//! | never opened, opened elsewhere, by the winner | `a_winner_that_does_not_open_has_not_proven` |
//! | missing opening of the loser | `a_loser_harms_nobody_by_its_silence` |
//! | an entry played after the other sealed | `a_crossing_entry_does_not_spoil_a_seal` |
//! | a seal and then a later own entry | `a_seal_is_void_when_its_author_signed_on` |
//! | a claim, or a seal, made to coax a seal that opens her | `nothing_but_an_end_coaxes_a_seal` |
//! | a seal in a log without an end | `a_seal_without_an_end_is_reported` |
//! | opened needlessly, falsely or not, by either | `what_a_seal_opens_is_reported_whoever_lost` |
//! | several files with several seals | `of_several_seals_a_true_one_proves` |

use chakart_core::board::Square;
use chakart_core::protocol::codec::SignedStatement;
use chakart_core::protocol::entry::{Opening, Party};
use chakart_core::protocol::judgement::{Standing, Void, Worth};
use chakart_core::protocol::session::Session;
use chakart_core::protocol::statement::StatementKind;
use chakart_core::rules::Rules;
use chakart_core::transcript::report::{Report, Verdict};

use crate::forge::{file, first_own, hidden_queen_of, report, say, timed, transcript};
use crate::players::{own_entries, own_statements};

const NO_OPENING: StatementKind = StatementKind::Seal { opening: None };

/// A game in which a player resigned while the host's queen is hidden, with the resignation and the host's
/// seal.
fn resigned_while_hidden(
    loser: Party,
    seed: u64,
) -> (crate::players::Pair, SignedStatement, SignedStatement) {
    let mut pair = hidden_queen_of(Party::Host, seed);
    let said = own_statements(&pair.session(loser).resign().expect("in a game"));
    let seal = match loser {
        Party::Host => said.last().expect("the loser seals at once").clone(),
        Party::Guest => {
            let effects = pair.session(Party::Host).receive_statement(&said[0]).expect("a resignation");
            own_statements(&effects).first().expect("the winner opens her").clone()
        }
    };
    (pair, said[0].clone(), seal)
}

fn falsified(
    session: &Session,
    seal: &SignedStatement,
    change: impl FnOnce(&mut Opening),
) -> SignedStatement {
    let StatementKind::Seal { opening: Some(mut opening) } = seal.decode().expect("a seal").kind else {
        panic!("a seal with an opening");
    };
    change(&mut opening);
    say(session, Party::Host, session.log().last_seq(), StatementKind::Seal { opening: Some(opening) })
}

fn elsewhere(opening: &mut Opening) {
    opening.to = Square::all().find(|&square| square != opening.to).expect("another square");
}

#[test]
fn a_winner_that_does_not_open_has_not_proven() {
    let (pair, resignation, seal) = resigned_while_hidden(Party::Guest, 1);
    let host = &pair.sessions[0];
    let stealth_seq = host.log().phase().hidden().expect("hidden").seq;
    let judge = |seal: Option<SignedStatement>| {
        let statements = match seal {
            Some(seal) => vec![seal, resignation.clone()],
            None => vec![resignation.clone()],
        };
        report(&file(host.entries(), &statements, Some("1-0")))
    };
    assert_eq!(judge(Some(seal.clone())).verdict, Verdict::Finished);
    let missing = format!("not proven in this copy: Host's opening of entry {stealth_seq} is missing");
    let last = host.log().last_seq();
    for absent in [None, Some(say(host, Party::Host, last, NO_OPENING))] {
        let report = judge(absent);
        assert_eq!((report.verdict, report.result), (Verdict::NotProven, Some("1-0")));
        assert!(report.line.contains(&missing), "{report}");
    }
    for wrong in [falsified(host, &seal, elsewhere), falsified(host, &seal, |opening| opening.salt[0] ^= 1)] {
        let report = judge(Some(wrong));
        assert_eq!((report.verdict, report.convicts.len()), (Verdict::NotProven, 0));
        let falsified = format!("Host falsified the opening of entry {stealth_seq}");
        assert!(report.line.contains(&falsified), "{report}");
    }
}

#[test]
fn a_loser_harms_nobody_by_its_silence() {
    let (pair, resignation, seal) = resigned_while_hidden(Party::Host, 2);
    let host = &pair.sessions[0];
    for statements in [
        vec![resignation.clone()],
        vec![resignation.clone(), seal.clone()],
        vec![resignation.clone(), falsified(host, &seal, elsewhere)],
        vec![resignation, say(host, Party::Host, host.log().last_seq(), NO_OPENING)],
    ] {
        let report = report(&file(host.entries(), &statements, Some("0-1")));
        assert_eq!(report.verdict, Verdict::Finished, "{report}");
        assert!(report.convicts.is_empty());
    }
}

#[test]
fn a_crossing_entry_does_not_spoil_a_seal() {
    let (pair, resignation, seal) = resigned_while_hidden(Party::Host, 3);
    let mut guest = pair.sessions[1].clone();
    let action = guest.game().expect("a board").legal_actions()[0];
    let crossing = first_own(&guest.act(action, false, pair.now_ms + 1_000).expect("it does not know yet"));
    let mut host = pair.sessions[0].clone();
    host.receive_entry(&crossing, pair.now_ms + 1_000).expect("an entry of the player who did not resign");
    let transcript = transcript(&file(host.entries(), &[resignation, seal], Some("0-1")));
    assert_eq!(transcript.defect, None);
    let judgement = transcript.judgement();
    assert_eq!(judgement.standing, Standing::Resigned { loser: Party::Host, aborted: false });
    assert_eq!(judgement.findings[1].worth, Worth::Counts, "the seal holds");
}

#[test]
fn a_seal_is_void_when_its_author_signed_on() {
    let pair = crate::forge::midgame(4, 12);
    let session = &pair.sessions[0];
    let log = session.log();
    let author = log.head().author;
    let statements = [say(session, author, log.last_seq() - 1, NO_OPENING)];
    let judged = transcript(&file(session.entries(), &statements, None)).judgement();
    assert_eq!(judged.findings[0].worth, Worth::Void(Void::SignedOn));
    assert!(matches!(judged.standing, Standing::Unfinished { .. }));
}

#[test]
fn nothing_but_an_end_coaxes_a_seal() {
    use chakart_core::protocol::entry::TimeControl;
    let settings = timed(TimeControl::PerMove { move_ms: 1_000 });
    let mut pair = crate::players::Pair::begin(&settings, 5);
    let mut dice = crate::players::Dice(5);
    let action = loop {
        if pair.decider() == Some(Party::Host) {
            let wish = |_: &Session, action: &chakart_core::rules::Action| crate::forge::is_stealth(action);
            if let Some(action) = crate::forge::wanted(&pair.sessions[0], wish) {
                break action;
            }
        }
        pair.play_randomly(&mut dice, 1);
    };
    pair.act(action, false).expect("legal");
    let host = &mut pair.sessions[0];
    let last = host.log().last_seq();
    let at_ms = host.log().head().at_ms + 1_000_000;
    for kind in [StatementKind::Claim { at_ms }, NO_OPENING] {
        let said = say(host, Party::Guest, last, kind);
        let effects = host.receive_statement(&said).expect("kept");
        assert!(own_statements(&effects).is_empty() && own_entries(&effects).is_empty(), "{kind:?}");
        assert!(host.answer(at_ms).is_empty());
    }
    let old = say(host, Party::Guest, last, StatementKind::Resign);
    let effects = host.receive_statement(&old).expect("a resignation");
    assert_eq!(own_statements(&effects).len(), 1, "a resignation does");
}

#[test]
fn a_seal_without_an_end_is_reported() {
    let pair = crate::forge::midgame(6, 8);
    let session = &pair.sessions[0];
    let seal = say(session, Party::Host, session.log().last_seq(), NO_OPENING);
    let report = report(&file(session.entries(), &[seal], Some("*")));
    assert_eq!(report.verdict, Verdict::Unfinished);
    assert!(report.notes.iter().any(|note| note.contains("its end is missing in this copy")), "{report}");
}

#[test]
fn of_several_seals_a_true_one_proves() {
    let (pair, resignation, seal) = resigned_while_hidden(Party::Guest, 7);
    let host = &pair.sessions[0];
    let wrong = falsified(host, &seal, elsewhere);
    let files =
        [wrong, seal].map(|seal| transcript(&file(host.entries(), &[seal, resignation.clone()], None)));
    for order in [[&files[0], &files[1]], [&files[1], &files[0]]] {
        let report = Report::of_game(&order, &[]);
        assert_eq!(report.verdict, Verdict::Finished, "{report}");
    }
}

#[test]
fn what_a_seal_opens_is_reported_whoever_lost() {
    let (pair, resignation, seal) = resigned_while_hidden(Party::Host, 9);
    let host = &pair.sessions[0];
    let (last, stealth_seq) = (host.log().last_seq(), host.log().phase().hidden().expect("hidden").seq);
    let StatementKind::Seal { opening } = seal.decode().expect("a seal").kind else { panic!("a seal") };
    let wrong = falsified(host, &seal, elsewhere);
    let worth = |other: SignedStatement| {
        let statements = [resignation.clone(), other];
        transcript(&file(host.entries(), &statements, None)).judgement().findings[1].worth
    };
    let say = |author, opening| say(host, author, last, StatementKind::Seal { opening });
    assert_eq!(worth(seal), Worth::Counts);
    assert_eq!(worth(wrong), Worth::SealFalsifies { stealth_seq });
    assert_eq!(worth(say(Party::Host, None)), Worth::SealWithoutOpening { stealth_seq });
    assert_eq!(worth(say(Party::Guest, opening)), Worth::SealOpensNothing);
    assert_eq!(worth(say(Party::Guest, None)), Worth::Idle);
}

#[test]
fn a_later_seal_replaces_one_that_went_void() {
    let pair = hidden_queen_of(Party::Host, 8);
    let mut guest = pair.sessions[1].clone();
    let early = say(&pair.sessions[0], Party::Host, guest.log().last_seq() - 1, NO_OPENING);
    guest.receive_statement(&early).expect("kept");
    let resigned = own_statements(&guest.resign().expect("in a game"));
    let mut host = pair.sessions[0].clone();
    let seal = own_statements(&host.receive_statement(&resigned[0]).expect("a resignation"));
    assert_eq!(guest.receive_statement(&seal[0]).expect("the true seal").len(), 1);
    let text = chakart_core::transcript::export::Source::of(&guest).transcript();
    assert_eq!(report(&text).verdict, Verdict::Finished);
}
