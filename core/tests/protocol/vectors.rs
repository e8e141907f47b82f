//! The data files under `tests/vectors`: what the code gives for every byte format, held against the files.
//!
//! With `CHAKART_BLESS=1` the files are written; review the difference like code: a changed line breaks the protocol.

use std::fmt::Write as _;
use std::path::PathBuf;

use chakart_core::board::{Role, Square};
use chakart_core::chance::SeededChance;
use chakart_core::protocol::codec::{SignedEntry, SignedStatement, decode_entry, entry_id};
use chakart_core::protocol::commitment::{chance_commitment, seed, stealth_commitment};
use chakart_core::protocol::entry::{
    Accept, Act, Body, Entry, EntryId, Name, Offer, Opening, Party, Reveal, SignedAction, TimeControl,
};
use chakart_core::protocol::keys::{Domain, PublicKey, SecretKey};
use chakart_core::protocol::note::{Note, NoteText, SignedNote};
use chakart_core::protocol::receipt::{LetterId, LetterIds, Receipt, SignedReceipt};
use chakart_core::protocol::rendezvous::{RendezvousKey, day_of};
use chakart_core::protocol::secrets::{SecretKind, Secrets};
use chakart_core::protocol::statement::{Statement, StatementKind};
use chakart_core::rules::{CastlingSide, Displacement, Game, Rules, Setup, Turn, Variant};
use serde_json::{Value, json};

use crate::players::{START_MS, guest_key, host_key};

pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits"))
        .collect()
}

/// Holds a text against its file, or writes the file.
pub fn hold(name: &str, text: &str) {
    let path = folder().join(name);
    if std::env::var_os("CHAKART_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a file in a folder")).expect("the vectors folder");
        std::fs::write(&path, text).expect("a writable vectors folder");
    }
    let file = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(file, text, "{name} differs from what the code gives");
}

fn hold_json(name: &str, format: &str, cases: &[Value]) {
    let value = json!({"format": format, "cases": cases});
    hold(name, &format!("{}\n", serde_json::to_string_pretty(&value).expect("plain values")));
}

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

/// Thirty-two bytes that count up from `start`.
fn bytes(start: u8) -> [u8; 32] {
    std::array::from_fn(|i| start.wrapping_add(u8::try_from(i).expect("below 32")))
}

#[test]
fn seeds_and_uniform_choices() {
    let cases: Vec<_> = [0, 17, 200]
        .into_iter()
        .map(|start| {
            let (act, nonce) = (EntryId(bytes(start)), bytes(start.wrapping_add(100)));
            let seed = seed(act, &nonce);
            // `uniform(2^31 + 1)` rejects nearly every second word: skipping is part of the format.
            let bounds = [2, 3, 5, 8, 4, 13, 64, 2_880, 1 << 31, (1 << 31) + 1, u32::MAX, 7];
            let mut chance = SeededChance::new(seed);
            let choices: Vec<_> =
                bounds.iter().map(|&n| json!({"n": n, "index": chance.uniform(n)})).collect();
            json!({"act": hex(&act.0), "nonce": hex(&nonce), "seed": hex(&seed), "choices": choices})
        })
        .collect();
    hold_json(
        "chance.json",
        "P6.3 to P6.5. act (the id of an act), nonce and seed in hexadecimal; choices: n and the index that uniform(n) gives, \
         one after the other from one stream",
        &cases,
    );
}

#[test]
fn commitments() {
    let key = host_key().public();
    let chance = chance_commitment(EntryId(bytes(1)), &key, &bytes(60));
    let stealth = stealth_commitment(EntryId(bytes(2)), &key, square("d1"), square("h5"), &bytes(90));
    let cases = [
        json!({"kind": "chance", "prev": hex(&bytes(1)), "key": key.to_string(), "nonce": hex(&bytes(60)),
               "commitment": hex(&chance)}),
        json!({"kind": "stealth", "prev": hex(&bytes(2)), "key": key.to_string(), "from": "d1", "to": "h5",
               "salt": hex(&bytes(90)), "commitment": hex(&stealth)}),
    ];
    hold_json("commitments.json", "P6.2 and P7.1. Bytes in hexadecimal, key is the author's", &cases);
}

#[test]
fn secrets() {
    let secrets = Secrets::new(&host_key(), bytes(40));
    let kinds = [("chance", SecretKind::Chance), ("act", SecretKind::Act), ("stealth", SecretKind::Stealth)];
    let cases: Vec<_> = [EntryId::NONE, EntryId(bytes(3))]
        .iter()
        .flat_map(|prev| {
            kinds.map(|(label, kind)| {
                json!({"key_seed": hex(host_key().seed().as_slice()), "own_salt": hex(&bytes(40)), "label": label,
                       "prev": hex(&prev.0), "secret": hex(&secrets.derive(kind, *prev))})
            })
        })
        .collect();
    hold_json(
        "secrets.json",
        "P8.2 and P8.3. Bytes in hexadecimal; key_seed is the Ed25519 seed, label lacks its zero byte",
        &cases,
    );
}

#[test]
fn set_ups() {
    let seeds = [0u8, 1, 2, 3];
    let cases: Vec<_> = Variant::ALL
        .into_iter()
        .flat_map(|variant| Setup::ALL.into_iter().map(move |setup| (variant, setup)))
        .filter(|(variant, setup)| variant.allows(*setup))
        .flat_map(|(variant, setup)| {
            seeds.map(|start| {
                let seed = seed(EntryId(bytes(start)), &bytes(50));
                let mut chance = SeededChance::new(seed);
                let host = if chance.uniform(2) == 0 { "white" } else { "black" };
                let fen = Game::start(variant, setup, &mut chance).fen();
                json!({"variant": variant.to_string(), "setup": setup.to_string(), "accept": hex(&bytes(start)),
                       "nonce": hex(&bytes(50)), "color": "random", "host": host, "fen": fen})
            })
        })
        .collect();
    hold_json(
        "setups.json",
        "P5.9 and sections 2 and 3 of the rules. accept (the id of the Accept) and nonce in hexadecimal give the seed; color: \
         of the offer; host: the colour that it gives; fen: the board that it gives",
        &cases,
    );
}

/// One entry of every body and every action.
fn entries() -> Vec<(&'static str, Entry)> {
    let offer = |time, guest_key| {
        Body::Offer(Offer {
            protocol: 1,
            variant: 1,
            setup: 2,
            color: 2,
            time,
            host_key: host_key().public(),
            host_name: Name::new("Ada Ł").expect("a name"),
            guest_key,
            salt: bytes(5),
            chance_commitment: bytes(6),
        })
    };
    let act = |action, draw_offer| Body::Act(Act { action, nonce: bytes(7), draw_offer });
    let reveal = |opening| Body::Reveal(Reveal { nonce: bytes(8), next_commitment: bytes(9), opening });
    let from = square("e2");
    let lead = Displacement { from, to: None, promotion: None };
    let trail = Displacement { from: square("a7"), to: Some(square("b8")), promotion: Some(Role::Queen) };
    let bodies = [
        ("offer", offer(TimeControl::None, None)),
        ("offer per move to a key", {
            offer(TimeControl::PerMove { move_ms: 259_200_000 }, Some(guest_key().public()))
        }),
        (
            "offer with a bank",
            offer(TimeControl::Bank { bank_ms: 864_000_000, increment_ms: 86_400_000 }, None),
        ),
        ("accept", {
            let guest_name = Name::new("").expect("a name may be empty");
            let guest_key = guest_key().public();
            Body::Accept(Accept { guest_key, guest_name, nonce: bytes(10), chance_commitment: bytes(11) })
        }),
        ("move", act(SignedAction::Move { from, to: square("e4"), promotion: None }, false)),
        ("move with a draw offer", act(SignedAction::Move { from, to: square("e4"), promotion: None }, true)),
        ("promotion", {
            let to = square("e8");
            act(SignedAction::Move { from: square("e7"), to, promotion: Some(Role::King) }, false)
        }),
        ("stealth", act(SignedAction::Stealth { from, commitment: bytes(12) }, false)),
        ("shell", act(SignedAction::Shell { from, to: square("e7") }, false)),
        ("drop", act(SignedAction::Drop { role: Role::Knight, to: square("e4"), promotion: None }, false)),
        ("swap", act(SignedAction::Swap { low: square("a1"), high: square("h8") }, false)),
        ("pass", act(SignedAction::Pass, false)),
        ("turn with two displacements", act(SignedAction::Turn(Turn { lead, trail: Some(trail) }), false)),
        ("turn with one displacement", act(SignedAction::Turn(Turn { lead, trail: None }), false)),
        ("castling", act(SignedAction::Castle(CastlingSide::Queen), false)),
        ("reveal", reveal(None)),
        ("reveal with an opening", reveal(Some(Opening { to: square("h5"), salt: bytes(13) }))),
        ("accepted draw", Body::AcceptDraw),
    ];
    bodies.into_iter().enumerate().map(|(index, (name, body))| (name, place(index, body))).collect()
}

fn place(index: usize, body: Body) -> Entry {
    let (seq, author) = match &body {
        Body::Offer(_) => (0, Party::Host),
        Body::Accept(_) => (1, Party::Guest),
        _ => (u32::try_from(index).expect("few"), Party::Guest),
    };
    let prev = if seq == 0 { EntryId::NONE } else { EntryId(bytes(14)) };
    Entry { seq, prev, author, at_ms: START_MS, body }
}

#[test]
fn entries_of_every_body() {
    let cases: Vec<_> = entries()
        .into_iter()
        .map(|(name, entry)| {
            let key = if entry.author == Party::Host { host_key() } else { guest_key() };
            let signed = SignedEntry::sign(&entry, &key);
            assert_eq!(signed.decode(), Ok(entry.clone()), "{name}");
            assert_eq!(signed.verify(&key.public()), Ok(()));
            json!({"name": name, "key_seed": hex(key.seed().as_slice()), "seq": entry.seq,
                   "prev": hex(&entry.prev.0), "author": entry.author.to_string(), "at_ms": entry.at_ms,
                   "says": format!("{:?}", entry.body), "bytes": hex(&signed.bytes),
                   "id": signed.id().to_string(), "signature": hex(&signed.signature)})
        })
        .collect();
    hold_json(
        "entries.json",
        "P3 and P4. bytes, id, prev, signature and key_seed (the Ed25519 seed of the author) in hexadecimal; says: for people",
        &cases,
    );
}

#[test]
fn statements_of_every_kind() {
    let opening = Some(Opening { to: square("h5"), salt: bytes(15) });
    let kinds = [
        ("resignation", StatementKind::Resign),
        ("claim", StatementKind::Claim { at_ms: START_MS }),
        ("seal", StatementKind::Seal { opening: None }),
        ("seal with an opening", StatementKind::Seal { opening }),
    ];
    let cases: Vec<_> = kinds
        .into_iter()
        .map(|(name, kind)| {
            let statement = Statement { entry: EntryId(bytes(16)), author: Party::Guest, kind };
            let signed = SignedStatement::sign(&statement, &guest_key());
            assert_eq!(signed.decode(), Ok(statement));
            json!({"name": name, "key_seed": hex(guest_key().seed().as_slice()),
                   "entry": hex(&statement.entry.0), "author": "Guest", "says": format!("{kind:?}"),
                   "bytes": hex(&signed.bytes), "signature": hex(&signed.signature)})
        })
        .collect();
    hold_json(
        "statements.json",
        "P9.2. bytes, entry, signature and key_seed (the Ed25519 seed of the author) in hexadecimal; says: for people",
        &cases,
    );
}

#[test]
fn notes() {
    let longest = "é".repeat(250);
    let texts = ["good luck", "two\nlines", "\u{202e}txet \u{1f984}", longest.as_str()];
    let cases: Vec<_> = (0..)
        .zip(texts)
        .map(|(number, text)| {
            let text = NoteText::new(text).expect("a text that may be a note");
            let note = Note { game: EntryId(bytes(17)), author: Party::Host, number, at_ms: START_MS, text };
            let signed = SignedNote::sign(&note, &host_key());
            assert_eq!(signed.decode(), Ok(note.clone()));
            json!({"key_seed": hex(host_key().seed().as_slice()), "game": hex(&note.game.0), "author": "Host",
                   "number": number, "at_ms": START_MS, "text": note.text.as_str(),
                   "bytes": hex(&signed.bytes), "signature": hex(&signed.signature)})
        })
        .collect();
    hold_json("notes.json", "notes as canonical bytes, with signature", &cases);
}

#[test]
fn agreement_of_two_keys() {
    let pairs = [(1, 2), (2, 1), (7, 7), (3, 200)];
    let cases: Vec<_> = pairs
        .into_iter()
        .map(|(own, other)| {
            let (own, other) = (SecretKey::from_seed(&[own; 32]), SecretKey::from_seed(&[other; 32]));
            let secret = own.shared_secret(&other.public());
            assert_eq!(secret, other.shared_secret(&own.public()));
            json!({"key_seed": hex(own.seed().as_slice()), "other_key": other.public().to_string(),
                   "secret": hex(own.agreement().as_slice()), "public": hex(&own.public().agreement()),
                   "other_public": hex(&other.public().agreement()), "shared_secret": hex(secret.as_slice())})
        })
        .collect();
    hold_json(
        "agreement.json",
        "P15. In hexadecimal: key_seed (the own Ed25519 seed) and other_key (the other player's Ed25519 key) give secret and \
         public (the own X25519 pair), other_public (of the other) and shared_secret",
        &cases,
    );
}

#[test]
fn rendezvous_keys() {
    let (one, other) = (SecretKey::from_seed(&[1; 32]), SecretKey::from_seed(&[2; 32]));
    let days = [0, 20_000, u32::MAX];
    let of_players = days.map(|day| {
        let key = RendezvousKey::of_players(&one, &other.public(), day);
        assert_eq!(key, RendezvousKey::of_players(&other, &one.public(), day));
        json!({"key_seed": hex(&[1; 32]), "other_key": other.public().to_string(), "day": day, "key": hex(&key.0)})
    });
    let of_invites = days.map(|day| {
        json!({"invite_secret": hex(&[9; 16]), "day": day, "key": hex(&RendezvousKey::of_invite(&[9; 16], day).0)})
    });
    assert_eq!(day_of(1_790_000_000_000), 20_717);
    hold_json(
        "rendezvous.json",
        "P17. In hexadecimal: key_seed (an Ed25519 seed) and other_key (another player's key), or invite_secret, and day give \
         key, a multihash",
        &of_players.into_iter().chain(of_invites).collect::<Vec<_>>(),
    );
}

#[test]
fn a_key_with_a_part_of_small_order_agrees_on_no_zero() {
    let text = std::fs::read_to_string(folder().join("signatures.json")).expect("a data file");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let cases = file["cases"].as_array().expect("cases").iter();
    let mixed: Vec<_> = cases
        .filter(|case| case["name"].as_str().is_some_and(|name| name.starts_with("mixed-order key")))
        .map(|case| unhex(case["key"].as_str().expect("a text")).try_into().expect("32 bytes"))
        .collect();
    assert!(!mixed.is_empty());
    for key in mixed {
        let key = PublicKey::from_bytes(&key).expect("not of small order");
        assert_ne!(*host_key().shared_secret(&key), [0; 32]);
    }
}

#[test]
fn receipts() {
    let cases: Vec<_> = [1u8, 2, 64]
        .into_iter()
        .map(|count| {
            let letters = LetterIds::new((0..count).map(|i| LetterId::of(&[i])).collect()).expect("few");
            let mailbox = guest_key().public();
            let receipt = Receipt { mailbox, at_ms: START_MS, letters };
            let signed = SignedReceipt::sign(&receipt, &host_key());
            assert_eq!(signed.decode(), Ok(receipt.clone()));
            let letters: Vec<_> = receipt.letters.as_slice().iter().map(LetterId::to_string).collect();
            json!({"key_seed": hex(host_key().seed().as_slice()), "mailbox": mailbox.to_string(),
                   "at_ms": START_MS, "letters": letters, "bytes": hex(&signed.bytes),
                   "signature": hex(&signed.signature)})
        })
        .collect();
    hold_json(
        "receipts.json",
        "P16.6. mailbox, letters, bytes, signature and key_seed (the Ed25519 seed of the author) in hexadecimal",
        &cases,
    );
}

#[test]
fn bytes_that_are_no_entry() {
    let valid = |name: &str| {
        let (_, entry) = entries().into_iter().find(|(n, _)| *n == name).expect("a named entry");
        SignedEntry::sign(&entry, &host_key()).bytes
    };
    let change = |name: &str, at: usize, to: &[u8]| {
        let mut bytes = valid(name);
        bytes[at..at + to.len()].copy_from_slice(to);
        bytes
    };
    // Where fields stand: seq 0, prev 4, author 36, at_ms 40, body 48, contents from 52.
    let name_length = 52 + 6 + 4 + 32;
    let cases: Vec<_> = [
        ("empty", vec![]),
        ("cut by a byte", valid("move")[..valid("move").len() - 1].to_vec()),
        ("a trailing byte", [valid("move"), vec![0]].concat()),
        ("seq 65536", change("move", 0, &65_536u32.to_le_bytes())),
        ("author 2", change("move", 36, &[2])),
        ("stamp after the year 9999", change("move", 40, &253_402_300_800_000u64.to_le_bytes())),
        ("body 5", change("move", 48, &[5])),
        ("action 8", change("move", 52, &[8])),
        ("square 64", change("move", 56, &[64])),
        ("an option tag of 2", change("move", 58, &[2])),
        ("role 6", change("promotion", 59, &[6])),
        ("a draw offer of 2", change("pass", 52 + 4 + 32, &[2])),
        ("castling side 2", change("castling", 56, &[2])),
        ("time control 3", change("offer", 58, &[3])),
        (
            "a key of small order",
            change("offer", 62, &{
                let mut identity = [0; 32];
                identity[0] = 1;
                identity
            }),
        ),
        ("a name length over the entry", change("offer", name_length, &u64::MAX.to_le_bytes())),
        ("a name with a control character", change("offer", name_length + 8, &[0x1b])),
        ("a name that is not UTF-8", change("offer", name_length + 8, &[0xff])),
        ("over 512 bytes", [valid("move"), vec![0; 512]].concat()),
    ]
    .into_iter()
    .map(|(name, bytes)| {
        let error = decode_entry(&bytes).expect_err(name);
        json!({"name": name, "bytes": hex(&bytes), "expect": "undecodable", "here": error.to_string()})
    })
    .collect();
    hold_json(
        "undecodable.json",
        "P3.5 and P4.7. bytes in hexadecimal that no decoder takes for an entry; here: what this program says, for people",
        &cases,
    );
}

#[test]
fn signatures_good_and_bad() {
    let text = std::fs::read_to_string(folder().join("signatures.json")).expect("a data file");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let cases = file["cases"].as_array().expect("cases");
    assert!(cases.len() >= 20);
    for case in cases {
        let field = |name: &str| unhex(case[name].as_str().expect("a text"));
        let key: [u8; 32] = field("key").try_into().expect("32 bytes");
        let signature: [u8; 64] = field("signature").try_into().expect("64 bytes");
        let domain = if case["domain"] == "entry" { Domain::Entry } else { Domain::Statement };
        let verdict = match PublicKey::from_bytes(&key) {
            Err(_) => "bad key",
            Ok(key) => match key.verify(domain, &field("bytes"), &signature) {
                Ok(()) => "valid",
                Err(_) => "bad signature",
            },
        };
        assert_eq!(verdict, case["expect"], "{}", case["name"]);
    }
}

#[test]
fn an_id_is_the_hash_of_the_domain_and_the_bytes() {
    let signed = SignedEntry::sign(&entries()[0].1, &host_key());
    assert_eq!(entry_id(&signed.bytes), signed.id());
}
