//! The longest game: 65,536 entries, and what the last of them may be.

use std::time::Instant;

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::commitment::stealth_commitment;
use chakart_core::protocol::entry::{Act, Body, Entry, MAX_SEQ, Party, SignedAction};
use chakart_core::protocol::judgement::{Judgement, Standing};
use chakart_core::protocol::log::{Log, Placement};
use chakart_core::protocol::misdeed::Refusal;
use chakart_core::protocol::phase::{Ending, Phase, Step};
use chakart_core::protocol::session::{Confirmation, OfferSettings, Session};
use chakart_core::rules::{Action, Rules, Setup, Variant};
use chakart_core::transcript::report::{Report, Verdict};
use chakart_core::transcript::verify::{Expected, check};

use crate::forge::{file, key_of, plain};
use crate::players::Pair;

/// A log with its entries, on which both kings step to and fro.
struct Shuffle {
    log: Log,
    entries: Vec<SignedEntry>,
}

impl Shuffle {
    fn new() -> Self {
        let settings = OfferSettings { setup: Setup::Fixed, ..plain() };
        assert_eq!(settings.variant, Variant::Chakart);
        let pair = Pair::begin(&settings, 1);
        Self { log: pair.sessions[0].log().clone(), entries: pair.sessions[0].entries().to_vec() }
    }

    fn next(&self, author: Party, body: Body) -> SignedEntry {
        let head = self.log.head();
        let entry =
            Entry { seq: self.log.last_seq() + 1, prev: head.id, author, at_ms: head.at_ms + 1, body };
        SignedEntry::sign(&entry, &key_of(author))
    }

    fn act(&self, action: SignedAction, draw_offer: bool) -> SignedEntry {
        let author = self.log.head().owes.expect("a debtor");
        self.next(author, Body::Act(Act { action, nonce: [1; 32], draw_offer }))
    }

    fn push(&mut self, text: &str, draw_offer: bool) {
        let action = Action::parse_chakart(text).expect("an action");
        let entry = self.act(SignedAction::open(action).expect("an open action"), draw_offer);
        assert!(matches!(self.log.place(&entry), Ok(Placement::Appended(_))), "{text}");
        self.entries.push(entry);
    }

    /// Up to the last place but one, where `last` is due.
    fn run(&mut self, last: u32) {
        for text in ["e2e3", "e7e6", "d2d3", "d7d6", "a2a4", "a7a5", "b1c3", "b8c6"] {
            self.push(text, false);
        }
        let steps = ["e1e2", "e8e7", "e2e1", "e7e8"];
        while self.log.last_seq() + 1 < last {
            let step = steps[(self.log.last_seq() as usize - 10) % 4];
            self.push(step, self.log.last_seq() + 2 == last);
        }
    }

    /// How the game stands if this is the last entry.
    fn ending(&self, last: &SignedEntry) -> (Log, Step, Standing) {
        let mut log = self.log.clone();
        let Ok(Placement::Appended(step)) = log.place(last) else { panic!("a valid last entry") };
        let standing = Judgement::new(&log, &[], [false; 2]).standing;
        (log, step, standing)
    }
}

fn open(text: &str) -> SignedAction {
    SignedAction::open(Action::parse_chakart(text).expect("an action")).expect("an open action")
}

#[test]
fn the_last_entry_ends_the_game_whatever_is_pending() {
    let started = Instant::now();
    let mut game = Shuffle::new();
    game.run(MAX_SEQ);
    assert_eq!(game.log.last_seq(), MAX_SEQ - 1);
    println!("65,535 entries signed and judged in {:?}", started.elapsed());
    let full = Standing::Over { ending: Ending::LastEntry };
    let decider = game.log.head().owes.expect("a player");
    assert_eq!(decider, Party::Host);

    let (log, _, standing) = game.ending(&game.act(open("h2h3"), true));
    assert_eq!(standing, full);
    let more = Shuffle { log: log.clone(), entries: vec![] }.next(Party::Guest, Body::AcceptDraw);
    assert!(log.check(&more).is_err(), "seq 65,536 is no entry");

    let Phase::ExpectAct(due) = game.log.phase() else { panic!("a decision") };
    let legal = due.midgame.game.legal_actions();
    let uncertain =
        legal.iter().find(|action| due.reveal_due(action) == Some(true)).expect("one with chance");
    let uncertain = SignedAction::open(*uncertain).expect("an open action");
    let (log, step, standing) = game.ending(&game.act(uncertain, false));
    assert!(matches!(step, Step::Acted { events: None, .. }));
    assert_eq!(standing, full, "the pending chance stays unresolved");
    assert_eq!(log.phase().owes(), None);

    let from = "d1".parse().expect("a square");
    let to = "d2".parse().expect("a square");
    let commitment =
        stealth_commitment(game.log.head().id, &key_of(Party::Host).public(), from, to, &[2; 32]);
    let (log, _, standing) = game.ending(&game.act(SignedAction::Stealth { from, commitment }, false));
    assert_eq!(standing, full);
    let Phase::Over(over) = log.phase() else { panic!("over") };
    assert!(over.hidden.is_some(), "a seal opens her");

    let (_, _, standing) = game.ending(&game.next(decider, Body::AcceptDraw));
    assert_eq!(standing, Standing::Over { ending: Ending::Agreed }, "it ends the game itself");

    if std::env::var_os("CHAKART_SOAK").is_some() {
        whole_file(&mut game);
    }
}

/// The whole game as a file, and as a stored game.
fn whole_file(game: &mut Shuffle) {
    let last = game.act(open("h2h3"), false);
    assert!(game.log.place(&last).is_ok());
    game.entries.push(last);
    let text = file(&game.entries, &[], Some("1/2-1/2"));
    let started = Instant::now();
    let report = Report::of(&check(text.as_bytes(), Expected::default()));
    assert_eq!(report.verdict, Verdict::Finished, "{report}");
    println!("{} bytes verified in {:?}", text.len(), started.elapsed());
    let started = Instant::now();
    let entries = game.entries.clone();
    let session = Session::restore(key_of(Party::Guest), entries, vec![], vec![], Confirmation::default());
    assert!(session.is_ok_and(|session| session.log().last_seq() == MAX_SEQ));
    println!("restored in {:?}", started.elapsed());
}

/// Files that only look long are refused by size, line and place, before they cost anything.
#[test]
fn bombs_are_refused_by_named_limits() {
    use chakart_core::transcript::text::{MAX_FILE_BYTES, MAX_LINE_BYTES};
    let verdict = |bytes: &[u8]| Report::of(&check(bytes, Expected::default())).verdict;
    assert_eq!(verdict(&vec![b'#'; MAX_FILE_BYTES + 1]), Verdict::Invalid);
    let line = format!("chakart transcript 1\n# {}\nend\n", "x".repeat(MAX_LINE_BYTES));
    assert_eq!(verdict(line.as_bytes()), Verdict::Invalid);
    let mut bytes = vec![0; 48];
    bytes.extend([0xff; 64]);
    let bomb = SignedEntry { bytes, signature: [0; 64] };
    assert!(bomb.decode().is_err(), "a length beyond the entry allocates nothing");
    let log = Shuffle::new().log;
    let huge = SignedEntry { bytes: vec![1; 513], signature: [0; 64] };
    assert!(matches!(log.check(&huge), Err(Refusal::Undecodable(_))));
}
