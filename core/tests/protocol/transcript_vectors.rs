//! Transcripts, evidence, armour and invites as files, good and bad, each with the verdict that is expected of it.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::conviction::Equivocation;
use chakart_core::protocol::entry::{
    Act, Body, ColorChoice, Entry, Opening, Party, Reveal, SignedAction, TimeControl,
};
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::session::OfferSettings;
use chakart_core::protocol::statement::{Statement, StatementKind};
use chakart_core::rules::{Action, Rules, Variant};
use chakart_core::transcript::armour::Block;
use chakart_core::transcript::invite::Invite;
use chakart_core::transcript::report::{Report, Verdict};
use chakart_core::transcript::text::{entry_line, evidence_text, statement_line};
use chakart_core::transcript::verify::{Expected, check};
use serde_json::{Value, json};

use crate::players::{Dice, Pair, START_MS, guest_key, host_key, settings};
use crate::vectors::hold;

/// A file, what it is for, and what is expected of it.
struct Case {
    name: &'static str,
    meaning: &'static str,
    text: String,
    verdict: Verdict,
    convicts: &'static [&'static str],
}

fn case(
    name: &'static str,
    meaning: &'static str,
    text: String,
    verdict: Verdict,
    convicts: &'static [&'static str],
) -> Case {
    Case { name, meaning, text, verdict, convicts }
}

fn fixed(time: TimeControl) -> OfferSettings {
    OfferSettings { color: ColorChoice::White, time, ..settings(Variant::Chakart) }
}

/// A game of `acts` random acts; the host is White.
fn game(seed: u64, acts: usize) -> Pair {
    let mut pair = Pair::begin(&fixed(TimeControl::None), seed);
    pair.play_randomly(&mut Dice(seed), acts);
    pair
}

/// A game that ends by a taken king, without a hidden queen.
fn finished(variant: Variant) -> Pair {
    (0..)
        .map(|seed| {
            let mut pair = Pair::begin(&settings(variant), seed);
            pair.play_randomly(&mut Dice(seed), 400);
            pair
        })
        .find(|pair| {
            pair.sessions[0].judgement().is_finished() && pair.sessions[0].log().phase().hidden().is_none()
        })
        .expect("random games end")
}

/// A game in which the host's queen has just moved unseen, after two complete turns.
fn host_hidden() -> Pair {
    let mut pair = game(3, 4);
    loop {
        let party = pair.decider().expect("the game goes on");
        let legal = pair.sessions[party.index()].game().expect("a board").legal_actions();
        let stealth = legal.iter().find(|action| matches!(action, Action::Stealth { .. }));
        match stealth {
            Some(&stealth) if party == Party::Host => {
                pair.act(stealth, true).expect("a listed action");
                return pair;
            }
            _ => pair.play_randomly(&mut Dice(pair.now_ms), 1),
        }
    }
}

/// Signs an entry after the last one of the host's log, whatever it says.
fn forge(pair: &Pair, author: Party, body: Body) -> SignedEntry {
    let log = pair.sessions[0].log();
    let entry =
        Entry { seq: log.last_seq() + 1, prev: log.head().id, author, at_ms: log.head().at_ms + 500, body };
    SignedEntry::sign(&entry, key_of(author))
}

fn key_of(party: Party) -> &'static SecretKey {
    use std::sync::OnceLock;
    static KEYS: OnceLock<[SecretKey; 2]> = OnceLock::new();
    &KEYS.get_or_init(|| [host_key(), guest_key()])[party.index()]
}

fn say(pair: &Pair, author: Party, seq: u32, kind: StatementKind) -> SignedStatement {
    let entry = pair.sessions[0].log().records()[seq as usize].id;
    SignedStatement::sign(&Statement { entry, author, kind }, key_of(author))
}

/// A bare transcript: entries, statements, no remarks.
fn bare(entries: &[SignedEntry], statements: &[SignedStatement], result: Option<&str>) -> String {
    let entries: String = entries.iter().map(entry_line).collect();
    let statements: String = statements.iter().map(statement_line).collect();
    let result = result.map_or_else(String::new, |code| format!("result {code}\n"));
    format!("chakart transcript 1\n{entries}{statements}{result}end\n")
}

fn entries(pair: &Pair) -> &[SignedEntry] {
    pair.sessions[0].entries()
}

fn valid() -> Vec<Case> {
    use Verdict::{Finished, Unfinished};
    let whole = finished(Variant::Chakart);
    let running = game(5, 9);
    let mut resigned = game(5, 9);
    resigned.resign(Party::Guest);
    let mut aborted = game(5, 1);
    aborted.resign(Party::Host);
    let mut drawn = game(5, 6);
    let party = drawn.decider().expect("to decide");
    let legal = drawn.sessions[party.index()].game().expect("a board").legal_actions();
    drawn.act(legal[0], true).expect("a listed action");
    if drawn.decider() == Some(party.other()) {
        drawn.accept_draw();
    }
    let mut sealed = host_hidden();
    sealed.resign(Party::Guest);
    let mut owner_lost = host_hidden();
    owner_lost.resign(Party::Host);
    let lost_without_seal: Vec<_> =
        owner_lost.sessions[0].statements().iter().map(|(_, signed)| signed.clone()).take(1).collect();
    let mut cases = vec![
        case("whole-game", "a king is taken", whole.transcript(Party::Host), Finished, &[]),
        case("unfinished", "a running game", running.transcript(Party::Guest), Unfinished, &[]),
        case("resigned", "a resignation", resigned.transcript(Party::Host), Finished, &[]),
        case("aborted", "resigned before two turns", aborted.transcript(Party::Host), Finished, &[]),
        case("draw-agreed", "an offered draw is accepted", drawn.transcript(Party::Host), Finished, &[]),
        case("offer-only", "nobody has accepted", bare(&entries(&running)[..1], &[], None), Unfinished, &[]),
        case(
            "accept-only",
            "the set-up is not revealed",
            bare(&entries(&running)[..2], &[], None),
            Unfinished,
            &[],
        ),
        case("no-acts", "set up, nothing played", bare(&entries(&running)[..3], &[], None), Unfinished, &[]),
        case(
            "sealed",
            "the winner's hidden queen is opened by its seal",
            sealed.transcript(Party::Guest),
            Finished,
            &[],
        ),
        case(
            "loser-without-seal",
            "the loser's hidden queen needs no opening",
            bare(entries(&owner_lost), &lost_without_seal, Some("0-1")),
            Finished,
            &[],
        ),
        case(
            "stealth-waits",
            "a queen is hidden: remarks show no square",
            host_hidden().transcript(Party::Host),
            Unfinished,
            &[],
        ),
    ];
    for variant in Variant::ALL.into_iter().skip(1) {
        let name: &'static str = match variant {
            Variant::Chakart2nd => "whole-game-2nd",
            Variant::Chakart1st => "whole-game-1st",
            _ => "whole-game-dynamo",
        };
        cases.push(case(
            name,
            "a whole game of this variant",
            finished(variant).transcript(Party::Host),
            Finished,
            &[],
        ));
    }
    cases
}

fn convicting() -> Vec<Case> {
    let pair = game(5, 9);
    let decider = pair.decider().expect("to decide");
    let name = |party: Party| -> &'static [&'static str] {
        match party {
            Party::Host => &["Host"],
            Party::Guest => &["Guest"],
        }
    };
    let square = |text: &str| text.parse().expect("a square");
    let act = |action| Body::Act(Act { action, nonce: [1; 32], draw_offer: false });
    let nothing = SignedAction::Move { from: square("e5"), to: square("e6"), promotion: None };
    let with = |entry: SignedEntry| bare(&[entries(&pair), &[entry]].concat(), &[], None);
    let reveal = |opening| Body::Reveal(Reveal { nonce: [2; 32], next_commitment: [3; 32], opening });
    let backdated = {
        let log = pair.sessions[0].log();
        let entry = Entry {
            seq: log.last_seq() + 1,
            prev: log.head().id,
            author: decider,
            at_ms: START_MS,
            body: act(SignedAction::Pass),
        };
        SignedEntry::sign(&entry, key_of(decider))
    };
    let wrong_seq = {
        let log = pair.sessions[0].log();
        let entry = Entry {
            seq: log.last_seq() + 2,
            prev: log.head().id,
            author: decider,
            at_ms: log.head().at_ms,
            body: act(SignedAction::Pass),
        };
        SignedEntry::sign(&entry, key_of(decider))
    };
    let invalid = Verdict::Invalid;
    vec![
        case(
            "illegal-action",
            "no such piece",
            with(forge(&pair, decider, act(nothing))),
            invalid,
            name(decider),
        ),
        case(
            "pass-with-moves",
            "a pass with legal moves",
            with(forge(&pair, decider, act(SignedAction::Pass))),
            invalid,
            name(decider),
        ),
        case(
            "out-of-turn",
            "the other player acts",
            with(forge(&pair, decider.other(), act(SignedAction::Pass))),
            invalid,
            name(decider.other()),
        ),
        case(
            "needless-reveal",
            "no reveal is due",
            with(forge(&pair, decider, reveal(None))),
            invalid,
            name(decider),
        ),
        case(
            "draw-not-offered",
            "accepts what was not offered",
            with(forge(&pair, decider, Body::AcceptDraw)),
            invalid,
            name(decider),
        ),
        case("stamp-decreases", "stamped before the entry before", with(backdated), invalid, name(decider)),
        case(
            "wrong-seq",
            "links to the last entry, but names another place",
            with(wrong_seq),
            invalid,
            name(decider),
        ),
    ]
}

fn not_proven() -> Vec<Case> {
    let pair = {
        let mut pair = host_hidden();
        pair.resign(Party::Guest);
        pair
    };
    let seq = pair.sessions[0].log().last_seq();
    let resign = say(&pair, Party::Guest, seq, StatementKind::Resign);
    let opening = Opening { to: "a1".parse().expect("a square"), salt: [9; 32] };
    let false_seal = say(&pair, Party::Host, seq, StatementKind::Seal { opening: Some(opening) });
    let empty_seal = say(&pair, Party::Host, seq, StatementKind::Seal { opening: None });
    vec![
        case(
            "seal-missing",
            "the winner's queen is not opened",
            bare(entries(&pair), std::slice::from_ref(&resign), Some("1-0")),
            Verdict::NotProven,
            &[],
        ),
        case(
            "seal-empty",
            "the winner's seal opens nothing",
            bare(entries(&pair), &[empty_seal, resign.clone()], Some("1-0")),
            Verdict::NotProven,
            &[],
        ),
        case(
            "seal-false",
            "the winner's seal opens something else",
            bare(entries(&pair), &[false_seal, resign], Some("1-0")),
            Verdict::NotProven,
            &[],
        ),
    ]
}

fn claims() -> Vec<Case> {
    let mut pair = Pair::begin(&fixed(TimeControl::PerMove { move_ms: 5_000 }), 5);
    pair.play_randomly(&mut Dice(5), 8);
    let debtor = pair.decider().expect("to decide");
    let head = pair.sessions[0].log().head();
    let late = StatementKind::Claim { at_ms: head.at_ms + 6_000 };
    let seq = pair.sessions[0].log().last_seq();
    let claim = say(&pair, debtor.other(), seq, late);
    let early = say(&pair, debtor.other(), seq, StatementKind::Claim { at_ms: head.at_ms + 5_000 });
    let by_debtor = say(&pair, debtor, seq, late);
    let before = entries(&pair).to_vec();
    let mut answered = pair.clone();
    answered.now_ms += 7_000;
    answered.play_randomly(&mut Dice(6), 1);
    let untimed = game(5, 8);
    let untimed_debtor = untimed.decider().expect("to decide");
    let untimed_claim = say(&untimed, untimed_debtor.other(), untimed.sessions[0].log().last_seq(), late);
    vec![
        case(
            "claimed",
            "late, not conceded",
            bare(&before, std::slice::from_ref(&claim), Some("*")),
            Verdict::Claimed,
            &[],
        ),
        case(
            "claimed-then-answered",
            "the late act came",
            bare(entries(&answered), &[claim], Some("*")),
            Verdict::Unfinished,
            &[],
        ),
        case(
            "claim-too-early",
            "void: still in time",
            bare(&before, &[early], Some("*")),
            Verdict::Unfinished,
            &[],
        ),
        case(
            "claim-by-debtor",
            "void: its author owes",
            bare(&before, &[by_debtor], Some("*")),
            Verdict::Unfinished,
            &[],
        ),
        case(
            "claim-untimed",
            "void: no time control",
            bare(entries(&untimed), &[untimed_claim], Some("*")),
            Verdict::Unfinished,
            &[],
        ),
    ]
}

fn defective() -> Vec<Case> {
    let pair = game(5, 9);
    let all = entries(&pair);
    let text = bare(all, &[], Some("*"));
    let changed = |from: &str, to: &str| text.replacen(from, to, 1);
    let mut bad_signature = all.to_vec();
    bad_signature[4].signature[0] ^= 1;
    let mut swapped = all.to_vec();
    swapped.swap(3, 4);
    let mut removed = all.to_vec();
    removed.remove(5);
    let repeated = [all, &all[all.len() - 1..]].concat();
    let mut undecodable = all.to_vec();
    undecodable[6].bytes.push(0);
    let whole = finished(Variant::Chakart);
    let after_end = [entries(&whole), &[forge(&whole, Party::Host, Body::AcceptDraw)]].concat();
    let seq = pair.sessions[0].log().last_seq();
    let resign = say(&pair, Party::Host, seq, StatementKind::Resign);
    let earlier = say(&pair, Party::Host, seq - 1, StatementKind::Resign);
    let guests = say(&pair, Party::Guest, seq, StatementKind::Resign);
    let at_accept = say(&pair, Party::Host, 1, StatementKind::Resign);
    let mut forged = resign.clone();
    forged.signature[5] ^= 1;
    let mut unknown_version = all[..1].to_vec();
    unknown_version[0] = other_offer(|offer| offer.protocol = 2);
    let unknown_variant = vec![other_offer(|offer| offer.variant = 999)];
    let own_guest = vec![other_offer(|offer| offer.guest_key = Some(offer.host_key))];
    let invalid = Verdict::Invalid;
    let last = all.len() - 1;
    let cases = [
        ("bad-signature", "one bit of a signature", bare(&bad_signature, &[], None)),
        ("swapped", "two entries in the wrong order", bare(&swapped, &[], None)),
        ("removed", "an entry is missing in the middle", bare(&removed, &[], None)),
        ("repeated", "the last entry stands twice", bare(&repeated, &[], None)),
        ("undecodable", "a trailing byte inside an entry", bare(&undecodable, &[], None)),
        ("after-end", "an entry after the end", bare(&after_end, &[], None)),
        ("wrong-result", "the result line says more than the log", bare(all, &[], Some("1-0"))),
        ("second-statement", "two resignations of one player", bare(all, &[resign.clone(), earlier], None)),
        ("statement-order", "the guest's statement first", bare(all, &[guests, resign.clone()], None)),
        ("statement-at-accept", "a statement before the game", bare(all, &[at_accept], None)),
        ("statement-forged", "a statement with a bad signature", bare(all, &[forged], None)),
        (
            "statement-elsewhere",
            "a statement on an entry that the file lacks",
            bare(&all[..last], &[resign], None),
        ),
        ("unknown-protocol", "a version of the future", bare(&unknown_version, &[], None)),
        ("unknown-variant", "rules of the future", bare(&unknown_variant, &[], None)),
        ("offer-to-oneself", "the host invites its own key", bare(&own_guest, &[], None)),
        ("no-end", "the last line is missing", text.replace("end\n", "")),
        ("no-last-newline", "the last line is cut", text.trim_end().to_owned()),
        ("after-end-line", "a line after the end", format!("{text}# a remark\n")),
        ("two-spaces", "two spaces between words", changed("entry ", "entry  ")),
        ("carriage-return", "CRLF", text.replace('\n', "\r\n")),
        ("unknown-line", "a line of another kind", changed("result *", "note hello")),
        ("loose-base64", "padding left out", changed("= ", " ")),
        ("tail-bits", "non-zero bits behind the last byte", tail_bits(&text)),
        ("empty", "nothing at all", String::new()),
        ("no-entries", "no entries", "chakart transcript 1\nend\n".to_owned()),
    ];
    cases.into_iter().map(|(name, meaning, text)| case(name, meaning, text, invalid, &[])).collect()
}

/// The offer of a test game with something else in it, signed all the same.
fn other_offer(change: impl FnOnce(&mut chakart_core::protocol::entry::Offer)) -> SignedEntry {
    let pair = game(5, 0);
    let mut entry = entries(&pair)[0].decode().expect("an offer");
    if let Body::Offer(offer) = &mut entry.body {
        change(offer);
    }
    SignedEntry::sign(&entry, &host_key())
}

/// Sets a bit that canonical base64 leaves zero, before the first padding.
fn tail_bits(text: &str) -> String {
    let at = text.find("= ").expect("padding") - usize::from(text.contains("== "));
    let mut bytes = text.as_bytes().to_vec();
    let at = if bytes[at] == b'=' { at - 1 } else { at };
    bytes[at] += 1;
    String::from_utf8(bytes).expect("base64")
}

#[test]
fn transcripts_good_and_bad() {
    let mut index = Vec::new();
    let cases = [valid(), convicting(), not_proven(), claims(), defective()];
    for Case { name, meaning, text, verdict, convicts } in cases.into_iter().flatten() {
        let file = format!("transcripts/{name}.chakart");
        hold(&file, &text);
        let report = Report::of(&check(text.as_bytes(), Expected::default()));
        assert_eq!(report.verdict, verdict, "{name}: {}", report.line);
        assert_eq!(report.convicts, convicts, "{name}: {}", report.line);
        index.push(json!({"file": file, "meaning": meaning, "verdict": verdict, "line": report.line,
                          "result": report.result, "convicts": convicts, "notes": report.notes}));
    }
    hold_index(
        "transcripts.json",
        "T2 and T3. verdict: finished, unfinished, claimed (unfinished, with a claim that is not conceded), not-proven (P9.9) \
         or invalid; result: the code, null for none; convicts: Host, Guest; line and notes: what this program says, for people",
        &index,
    );
}

#[test]
fn evidence_good_and_bad() {
    let pair = game(5, 9);
    let decider = pair.decider().expect("to decide");
    let act = |nonce| Body::Act(Act { action: SignedAction::Pass, nonce: [nonce; 32], draw_offer: false });
    let [one, two] = [forge(&pair, decider, act(1)), forge(&pair, decider, act(2))];
    let key = key_of(decider).public();
    let proof = Equivocation::new(key, [one.clone(), two.clone()]).expect("two entries at one place");
    let good = evidence_text(&proof);
    let same = good.replace(&entry_line(&two), &entry_line(&one));
    let mut bad_signature = two.clone();
    bad_signature.signature[3] ^= 1;
    let unsigned = good.replace(&entry_line(&two), &entry_line(&bad_signature));
    let other_place = good.replace(&entry_line(&two), &entry_line(&entries(&pair)[3]));
    let offers = [other_offer(|offer| offer.salt = [1; 32]), other_offer(|offer| offer.salt = [2; 32])];
    let two_offers = good
        .replace(&entry_line(&one), &entry_line(&offers[0]))
        .replace(&entry_line(&two), &entry_line(&offers[1]));
    let key_line = good.lines().nth(1).expect("a key line").to_owned();
    let host_line = format!("key {}", entry_key_base64(&host_key()));
    let cases = [
        ("two-acts", "two acts at one place", good.clone(), Verdict::Evidence),
        ("same-bytes", "one entry twice", same, Verdict::Invalid),
        ("bad-signature", "the second is not signed", unsigned, Verdict::Invalid),
        ("other-place", "two places", other_place, Verdict::Invalid),
        ("two-offers", "two offers are honest", two_offers.replace(&key_line, &host_line), Verdict::Invalid),
        ("no-end", "cut", good.replace("end\n", ""), Verdict::Invalid),
    ];
    let mut index = Vec::new();
    for (name, meaning, text, verdict) in cases {
        let file = format!("evidence/{name}.chakart");
        hold(&file, &text);
        let report = Report::of(&check(text.as_bytes(), Expected::default()));
        assert_eq!(report.verdict, verdict, "{name}: {}", report.line);
        index.push(json!({"file": file, "meaning": meaning, "verdict": verdict, "line": report.line}));
    }
    hold_index(
        "evidence.json",
        "T4. verdict: evidence (it is valid) or invalid; line: what this program says, for people",
        &index,
    );
}

fn entry_key_base64(key: &SecretKey) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(key.public().as_bytes())
}

#[test]
fn armour_good_and_bad() {
    let pair = game(5, 9);
    let block = Block {
        entries: entries(&pair)[8..11].to_vec(),
        statements: vec![say(&pair, Party::Host, 9, StatementKind::Resign)],
        notes: Vec::new(),
        unknown_lines: 0,
    };
    let text = block.armoured();
    let quoted: String = text.lines().map(|line| format!("> {line}\r\n")).collect();
    let damaged = text.replacen("ZW50cnkg", "ZW50cnkh", 1);
    let cases = [
        ("plain", text.clone(), true),
        ("quoted with CRLF and text around", format!("On Monday, Ada wrote:\r\n{quoted}\r\nYours\r\n"), true),
        ("damaged", damaged, false),
        ("cut", text[..text.len() - 20].to_owned(), false),
        ("no block", "Dear Ada,\n".to_owned(), false),
    ];
    let index: Vec<_> = cases
        .into_iter()
        .map(|(name, text, good)| {
            let read = Block::read(&text);
            assert_eq!(read.is_ok(), good, "{name}");
            if good {
                assert_eq!(read.as_ref(), Ok(&block), "{name}");
            }
            let here = read.err().map(|error| error.to_string());
            json!({"name": name, "text": text, "expect": if good { "read" } else { "refused" }, "here": here,
                   "entries": if good { block.entries.len() } else { 0 }})
        })
        .collect();
    hold_index(
        "armour.json",
        "T5. expect: read or refused; entries: how many entry lines are in it; here: what this program says, for people",
        &index,
    );
}

#[test]
fn invites_good_and_bad() {
    let invite = Invite {
        offer: entries(&game(5, 0))[0].clone(),
        addresses: vec!["/ip4/127.0.0.1/udp/4001/quic-v1".to_owned(), "/ip6/::1/tcp/4001".to_owned()],
        relays: vec!["/dns4/relay.example/tcp/4001".to_owned()],
        mailboxes: Vec::new(),
        secret: [8; 16],
    };
    let text = invite.to_string();
    let key = "12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo";
    let mailboxes = ["box", "post"].map(|name| format!("/dns4/{name}.example/tcp/4001/p2p/{key}"));
    let with_mailboxes = Invite { mailboxes: mailboxes.to_vec(), ..invite.clone() }.to_string();
    assert_eq!(with_mailboxes.parse::<Invite>().map(|read| read.mailboxes), Ok(mailboxes.to_vec()));
    let cases = [
        ("plain", text.clone(), true),
        ("with two mailboxes", with_mailboxes, true),
        ("broken into lines", text.chars().flat_map(|c| [c, '\n']).collect(), true),
        ("cut", text[..text.len() - 3].to_owned(), false),
        ("a changed character", text.replacen('A', "B", 1), false),
        ("another text", "hello".to_owned(), false),
    ];
    let index: Vec<_> = cases
        .into_iter()
        .map(|(name, text, good)| {
            let read = text.parse::<Invite>();
            assert_eq!(read.is_ok(), good, "{name}");
            let here = read.err().map(|error| error.to_string());
            json!({"name": name, "text": text, "expect": if good { "read" } else { "refused" }, "here": here})
        })
        .collect();
    hold_index(
        "invites.json",
        "T6. expect: read or refused; here: what this program says, for people",
        &index,
    );
}

fn hold_index(name: &str, format: &str, cases: &[Value]) {
    let value = json!({"format": format, "cases": cases});
    hold(name, &format!("{}\n", serde_json::to_string_pretty(&value).expect("plain values")));
}
