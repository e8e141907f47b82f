//! Properties of decoders, of the verifier, and of two sessions with an unreliable carrier between them.

use std::sync::OnceLock;

use chakart_core::board::{Color, Square};
use chakart_core::protocol::codec::{SignedEntry, SignedStatement, decode_entry, encode_entry};
use chakart_core::protocol::conviction::Equivocation;
use chakart_core::protocol::entry::{Body, EntryId, Party};
use chakart_core::protocol::phase::{Commitment, ExpectAct, HiddenMove, Midgame, Step, Table};
use chakart_core::protocol::session::{Effect, Session};
use chakart_core::protocol::statement::{Statement, StatementKind};
use chakart_core::rules::{Action, Event, Game, Rules, Variant};
use chakart_core::transcript::armour::Block;
use chakart_core::transcript::invite::Invite;
use chakart_core::transcript::report::{Report, Verdict};
use chakart_core::transcript::text::evidence_text;
use chakart_core::transcript::verify::{Checked, Expected, check};
use proptest::prelude::*;

use crate::forge::{changed, file, key_of, midgame, say};
use crate::players::{Dice, Pair, settings};

/// A finished or long game of each kind, made once.
fn sample() -> &'static Pair {
    static SAMPLE: OnceLock<Pair> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let mut pair = midgame(21, 14);
        if pair.decider().is_some() {
            pair.resign(Party::Guest);
        }
        pair
    })
}

fn sample_entries() -> Vec<Vec<u8>> {
    sample().sessions[0].entries().iter().map(|entry| entry.bytes.clone()).collect()
}

fn sample_statements() -> Vec<Vec<u8>> {
    let session = &sample().sessions[0];
    let last = session.log().last_seq();
    let opening =
        chakart_core::protocol::entry::Opening { to: Square::all().next().expect("a1"), salt: [4; 32] };
    [
        StatementKind::Resign,
        StatementKind::Claim { at_ms: 1 << 40 },
        StatementKind::Seal { opening: None },
        StatementKind::Seal { opening: Some(opening) },
    ]
    .map(|kind| say(session, Party::Host, last, kind).bytes)
    .to_vec()
}

/// A change to bytes: some replaced, some inserted, some removed.
fn mutated(mut bytes: Vec<u8>, changes: &[(u16, u8, u8)]) -> Vec<u8> {
    for &(at, how, byte) in changes {
        let at = usize::from(at) % bytes.len().max(1);
        match how % 4 {
            0 if !bytes.is_empty() => bytes[at] ^= byte,
            1 => bytes.insert(at.min(bytes.len()), byte),
            2 if !bytes.is_empty() => drop(bytes.remove(at)),
            _ => bytes.truncate(bytes.len().saturating_sub(usize::from(byte % 8))),
        }
    }
    bytes
}

fn changes() -> impl Strategy<Value = Vec<(u16, u8, u8)>> {
    prop::collection::vec(any::<(u16, u8, u8)>(), 1..4)
}

fn entry_holds(bytes: &[u8]) {
    if let Ok(entry) = decode_entry(bytes) {
        assert_eq!(encode_entry(&entry), bytes);
    }
}

fn statement_holds(bytes: Vec<u8>) {
    let signed = SignedStatement { bytes, signature: [0; 64] };
    if let Ok(statement) = signed.decode() {
        assert_eq!(SignedStatement::sign(&statement, &key_of(Party::Host)).bytes, signed.bytes);
    }
}

/// The lines of a file that say something.
fn without_remarks(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("# ")).collect()
}

/// Whatever is read as a file without a defect is written again as it was, remarks apart.
fn file_holds(bytes: &[u8]) {
    let checked = check(bytes, Expected::default());
    let _ = Report::of(&checked).to_string();
    let text = String::from_utf8_lossy(bytes);
    match checked {
        Checked::Transcript(transcript) if transcript.defect.is_none() => {
            let statements: Vec<_> = transcript.statements.iter().map(|(_, signed)| signed.clone()).collect();
            let again = file(&transcript.entries, &statements, transcript.result.as_deref());
            assert_eq!(again, without_remarks(&text));
        }
        Checked::Evidence(proof) => assert_eq!(evidence_text(&proof), without_remarks(&text)),
        _ => {}
    }
}

fn block_holds(text: &str) {
    if let Ok(block) = Block::read(text) {
        let again = Block::read(&block.armoured()).expect("an own block");
        assert_eq!((again.entries, again.statements), (block.entries, block.statements));
    }
}

fn invite_holds(text: &str) {
    if let Ok(invite) = text.parse::<Invite>() {
        assert_eq!(invite.to_string().parse(), Ok(invite));
    }
}

fn evidence() -> String {
    let entry = sample().sessions[0].entries().last().expect("entries").clone();
    let author = entry.decode().expect("an entry").author;
    let twin = changed(&entry, |entry| entry.at_ms += 1);
    evidence_text(&Equivocation::new(key_of(author).public(), [entry, twin]).expect("a fork"))
}

fn invite() -> String {
    let offer = sample().sessions[0].entries()[0].clone();
    let addresses = vec!["/ip4/127.0.0.1/tcp/1".into()];
    Invite {
        offer,
        addresses,
        relays: vec![],
        mailboxes: vec!["/ip4/127.0.0.1/tcp/2".into()],
        secret: [7; 16],
    }
    .to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn decoders_survive_arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..700)) {
        entry_holds(&bytes);
        statement_holds(bytes.clone());
        file_holds(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        block_holds(&text);
        invite_holds(&text);
        invite_holds(&format!("chakart:{text}"));
        file_holds(&[b"chakart transcript 1\n", bytes.as_slice()].concat());
        file_holds(&[b"chakart evidence 1\n", bytes.as_slice()].concat());
    }

    #[test]
    fn decoders_survive_changed_bytes(index in any::<prop::sample::Index>(), changes in changes()) {
        let entries = sample_entries();
        entry_holds(&mutated(entries[index.index(entries.len())].clone(), &changes));
        let statements = sample_statements();
        statement_holds(mutated(statements[index.index(statements.len())].clone(), &changes));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        file_holds(&mutated(evidence().into_bytes(), &changes));
        let block = Block { entries: sample().sessions[0].entries().to_vec(), ..Block::default() };
        block_holds(&text(mutated(block.armoured().into_bytes(), &changes)));
        invite_holds(&text(mutated(invite().into_bytes(), &changes)));
        file_holds(&mutated(sample().transcript(Party::Host).into_bytes(), &changes));
    }

    /// The verifier accepts what the session accepted and nothing else: a changed byte is refused or is in a remark.
    #[test]
    fn a_changed_byte_is_refused_or_a_remark(at in any::<prop::sample::Index>(), flip in 1u8..) {
        let text = sample().transcript(Party::Host);
        let at = at.index(text.len());
        let line = text[..at].rfind('\n').map_or(0, |before| before + 1);
        let in_remark = text[line..].starts_with("# ") && at >= line + 2;
        let mut bytes = text.into_bytes();
        bytes[at] ^= flip;
        let report = Report::of(&check(&bytes, Expected::default()));
        prop_assert!(report.convicts.is_empty(), "{}", report);
        prop_assert!(in_remark || report.verdict == Verdict::Invalid, "byte {} xor {}: {}", at, flip, report);
    }

    #[test]
    fn an_unreliable_carrier_only_delays(seed in any::<u64>()) {
        let mut carrier = Carrier::new(seed);
        carrier.run(60);
        carrier.settle();
    }
}

/// Two sessions with a carrier that loses, doubles and reorders what it is given.
struct Carrier {
    pair: Pair,
    dice: Dice,
    /// On the way, with the player whom it is for.
    bag: Vec<(Party, Parcel)>,
}

#[derive(Clone)]
enum Parcel {
    Entry(SignedEntry),
    Statement(SignedStatement),
}

impl Carrier {
    fn new(seed: u64) -> Self {
        let variant = Variant::ALL[usize::try_from(seed % 3).expect("below 3")];
        Self { pair: Pair::begin(&settings(variant), seed), dice: Dice(seed), bag: Vec::new() }
    }

    fn run(&mut self, rounds: usize) {
        for _ in 0..rounds {
            match self.dice.below(8) {
                0..=3 => self.act(),
                4 if self.dice.below(12) == 0 => self.resign(),
                5 => self.resend(),
                _ => {}
            }
            for _ in 0..self.dice.below(4) {
                self.carry();
            }
        }
    }

    fn post(&mut self, from: Party, effects: Vec<Effect>) {
        for effect in effects {
            let parcel = match effect {
                Effect::StoreEntry { entry, own: true, .. } => Parcel::Entry(entry),
                Effect::StoreStatement { statement, own: true, .. } => Parcel::Statement(statement),
                Effect::StoreProof(proof) => panic!("nobody is to blame: {proof:?}"),
                _ => continue,
            };
            for _ in 0..self.dice.below(3) {
                self.bag.push((from.other(), parcel.clone()));
            }
        }
    }

    fn act(&mut self) {
        let party = Party::ALL[self.dice.below(2)];
        let session = &mut self.pair.sessions[party.index()];
        let Some(game) = session.game() else { return };
        let legal = game.legal_actions();
        if legal.is_empty() || !session.is_my_turn() {
            return;
        }
        let action = legal[self.dice.below(legal.len())];
        self.pair.now_ms += 1_000;
        let effects = session.act(action, false, self.pair.now_ms).expect("legal");
        self.post(party, effects);
    }

    fn resign(&mut self) {
        let party = Party::ALL[self.dice.below(2)];
        if let Ok(effects) = self.pair.sessions[party.index()].resign() {
            self.post(party, effects);
        }
    }

    /// All that one player has, in any order.
    fn resend(&mut self) {
        let from = Party::ALL[self.dice.below(2)];
        self.bag.extend(everything(&self.pair.sessions[from.index()]).map(|parcel| (from.other(), parcel)));
    }

    fn carry(&mut self) {
        if self.bag.is_empty() {
            return;
        }
        let index = self.dice.below(self.bag.len());
        let (to, parcel) = self.bag.swap_remove(index);
        self.hand_over(to, parcel);
    }

    fn hand_over(&mut self, to: Party, parcel: Parcel) -> bool {
        let now_ms = self.pair.now_ms;
        let session = &mut self.pair.sessions[to.index()];
        let effects = match parcel {
            Parcel::Entry(entry) => {
                session.receive_entry(&entry, now_ms).unwrap_or_else(|refused| refused.effects)
            }
            Parcel::Statement(statement) => session.receive_statement(&statement).unwrap_or_default(),
        };
        let moved = !effects.is_empty();
        self.post(to, effects);
        moved
    }

    /// Delivers everything both ways until nothing changes; both must then agree.
    fn settle(&mut self) {
        loop {
            let mut moved = false;
            for from in Party::ALL {
                let parcels: Vec<Parcel> = everything(&self.pair.sessions[from.index()]).collect();
                for parcel in parcels {
                    moved |= self.hand_over(from.other(), parcel);
                }
            }
            if !moved {
                break;
            }
        }
        let [host, guest] = &self.pair.sessions;
        assert_eq!(host.entries(), guest.entries());
        assert_eq!(host.judgement().standing, guest.judgement().standing);
        let statements = [host, guest].map(|session| {
            let mut said: Vec<_> =
                session.statements().iter().map(|(_, signed)| signed.bytes.clone()).collect();
            said.sort();
            said
        });
        assert_eq!(statements[0], statements[1]);
        assert_eq!(host.convicted(), [false; 2]);
        assert_eq!(guest.convicted(), [false; 2]);
    }
}

fn everything(session: &Session) -> impl Iterator<Item = Parcel> {
    let entries = session.entries().iter().cloned().map(Parcel::Entry);
    entries.chain(session.statements().iter().map(|(_, signed)| Parcel::Statement(signed.clone())))
}

/// The decision of the host, White, on a board.
fn decision(fen: &str, hidden: Option<HiddenMove>) -> ExpectAct {
    let keys = Party::ALL.map(|party| key_of(party).public());
    let commitment = Commitment { prev: EntryId::NONE, hash: [0; 32] };
    let game = Game::from_fen(Variant::Chakart, fen).expect("a position");
    let midgame = Midgame {
        table: Table { keys, host_color: Color::White },
        commitments: [commitment; 2],
        game,
        hidden,
        draw_offered_by: None,
    };
    ExpectAct { midgame }
}

#[test]
fn a_king_taken_by_rook_bishop_or_promotion_needs_no_reveal() {
    for (fen, takes, quiet) in [
        ("4k3/8/8/8/8/8/8/R3RK2 w 0 {\"flags\":\"1111\"}", "e1e8", Some("e1e4")),
        ("4k3/8/8/8/B7/8/8/5K2 w 0 {\"flags\":\"1111\"}", "a4e8", Some("a4c6")),
        ("4k3/3P4/8/8/8/8/8/5K2 w 0 {\"flags\":\"1111\"}", "d7e8r", None),
    ] {
        let decision = decision(fen, None);
        let action = |text: &str| Action::parse_chakart(text).expect("an action");
        assert_eq!(decision.reveal_due(&action(takes)), Some(false), "{fen} {takes}");
        if let Some(quiet) = quiet {
            assert_eq!(decision.reveal_due(&action(quiet)), Some(true), "{fen} {quiet}");
        }
    }
}

/// With a hidden queen a quiet king's move and a pass are answered too, and a taken king still is not.
#[test]
fn a_hidden_queen_is_due_after_everything_but_a_taken_king() {
    let commitment = Commitment { prev: EntryId::NONE, hash: [0; 32] };
    let d8 = Action::parse_chakart("d8??").expect("an action");
    let Action::Unseen { from } = d8 else { panic!("a stealth move") };
    let hidden = HiddenMove {
        owner: Party::Guest,
        seq: 9,
        from,
        commitment,
        destinations: chakart_core::board::Bitboard::of(from),
    };
    let flags = "{\"flags\":\"1110\",\"hidden\":\"d8\"}";
    for (board, text, due) in [
        ("4k3/8/8/8/8/8/8/4RK2", "f1f2", true),
        ("4k3/8/8/8/8/8/8/4RK2", "e1e8", false),
        ("4k3/8/8/8/8/8/8/L7", "pass", true),
    ] {
        let fen = format!("{board} w 0 {flags}");
        let action = Action::parse_chakart(text).expect("an action");
        assert_eq!(decision(&fen, Some(hidden)).reveal_due(&action), Some(due), "{fen} {text}");
        let open = format!("{board} w 0 {{\"flags\":\"1110\"}}");
        assert_eq!(decision(&open, None).reveal_due(&action), Some(false), "{open} {text}");
    }
}

/// In random games of every edition: an act without reveal made no choice, and one that was answered made one or had a
/// hidden queen to open.
#[test]
fn a_reveal_is_there_exactly_where_chance_or_a_queen_asks_for_it() {
    let (mut forced, mut opened_only) = (0, 0);
    for seed in 0..90 {
        let variant = Variant::ALL[usize::try_from(seed % 3).expect("below 3")];
        let mut pair = Pair::begin(&settings(variant), seed);
        pair.play_randomly(&mut Dice(seed), 120);
        let session = &pair.sessions[0];
        for (seq, step) in (1..).zip(session.steps()) {
            let has_choice =
                |events: &[Event]| events.iter().any(|event| matches!(event, Event::Chance { .. }));
            let is_forced =
                |events: &[Event]| events.iter().any(|event| matches!(event, Event::Forced { .. }));
            match step {
                Step::Acted { events: Some(events), .. } => {
                    assert!(!has_choice(events), "{variant} {seed}: {events:?}");
                    let ended = events.iter().any(|event| matches!(event, Event::Ended { .. }));
                    assert!(ended || session.log().hidden_after(seq - 1).is_none(), "{variant} {seed}");
                    forced += usize::from(is_forced(events));
                }
                Step::Resolved { events, opened, .. } => {
                    assert!(has_choice(events) || opened.is_some(), "{variant} {seed}: {events:?}");
                    opened_only += usize::from(!has_choice(events));
                }
                _ => {}
            }
        }
        let kinds = session.entries().iter().map(|entry| entry.decode().expect("valid").body);
        assert!(kinds.skip(3).all(|body| !matches!(body, Body::Offer(_) | Body::Accept(_))));
    }
    assert!(forced > 0 && opened_only > 0, "{forced} forced, {opened_only} opened only");
}

#[test]
fn a_statement_reads_back() {
    for bytes in sample_statements() {
        let signed = SignedStatement { bytes: bytes.clone(), signature: [0; 64] };
        let Statement { author, .. } = signed.decode().expect("a statement");
        assert_eq!(author, Party::Host);
        statement_holds(bytes);
    }
}
