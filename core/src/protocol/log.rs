//! The chain of one game: every entry judged at its place (protocol §3 to §7).
//!
//! A log grows by [`Log::place`] only. A refused entry leaves it as it was.

use std::collections::HashMap;

use super::clock::Clocks;
use super::codec::SignedEntry;
use super::entry::{Body, ColorChoice, Entry, EntryId, MAX_SEQ, Offer, PROTOCOL_VERSION, Party};
use super::keys::PublicKey;
use super::misdeed::{BadOffer, Misdeed, Refusal};
use super::phase::{ExpectAccept, HiddenMove, Phase, Placed, Step, Terms};
use crate::rules::{Rules, Setup, Variant};

/// The chain of one game, from its offer on.
#[derive(Clone, Debug)]
pub struct Log {
    offer: Offer,
    terms: Terms,
    keys: [Option<PublicKey>; 2],
    names: [String; 2],
    records: Vec<Record>,
    seq_of: HashMap<EntryId, u32>,
    stealths: Vec<HiddenMove>,
    phase: Phase,
}

/// What is kept of an entry of the log: enough to judge statements about it.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Its name.
    pub id: EntryId,
    /// Who signed it.
    pub author: Party,
    /// Its stamp, in milliseconds of Unix time.
    pub at_ms: u64,
    /// The clocks after it.
    pub clocks: Clocks,
    /// Whether it came late by its stamp.
    pub late: bool,
    /// Turns that are complete after it.
    pub turns: u32,
    /// Who owes the next entry; nobody after the end.
    pub owes: Option<Party>,
    /// The stealth move that is hidden after it, as an index into those of the log.
    stealth: Option<usize>,
}

/// What became of an entry that was given to a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placement {
    /// It is the new last entry.
    Appended(Step),
    /// The log has it already.
    Known {
        /// Its place.
        seq: u32,
    },
}

/// An entry that the log takes, and what follows from it.
enum Judged {
    Known { seq: u32 },
    Next(Box<Next>),
}

struct Next {
    entry: Entry,
    id: EntryId,
    phase: Phase,
    step: Step,
}

impl Log {
    /// Opens the log of an offer.
    ///
    /// # Errors
    /// [`BadOffer`]
    pub fn open(signed: &SignedEntry) -> Result<Self, BadOffer> {
        let entry = signed.decode()?;
        let Body::Offer(offer) = entry.body else { return Err(BadOffer::NotAnOffer) };
        if entry.seq != 0 || entry.prev != EntryId::NONE || entry.author != Party::Host {
            return Err(BadOffer::NotAnOffer);
        }
        signed.verify(&offer.host_key).map_err(|_| BadOffer::BadSignature)?;
        let terms = read_terms(&offer)?;
        if offer.guest_key == Some(offer.host_key) {
            return Err(BadOffer::HostIsGuest);
        }
        let id = signed.id();
        let record = Record {
            id,
            author: Party::Host,
            at_ms: entry.at_ms,
            clocks: Clocks::new(terms.time),
            late: false,
            turns: 0,
            owes: Some(Party::Guest),
            stealth: None,
        };
        Ok(Self {
            terms,
            keys: [Some(offer.host_key), None],
            names: [offer.host_name.as_str().to_owned(), String::new()],
            records: vec![record],
            seq_of: HashMap::from([(id, 0)]),
            stealths: Vec::new(),
            phase: Phase::ExpectAccept(ExpectAccept { offer: offer.clone(), terms }),
            offer,
        })
    }

    /// Judges an entry and appends it if it is the next one.
    ///
    /// # Errors
    /// [`Refusal`]; the log is then as it was.
    pub fn place(&mut self, signed: &SignedEntry) -> Result<Placement, Refusal> {
        Ok(match self.judge(signed)? {
            Judged::Known { seq } => Placement::Known { seq },
            Judged::Next(next) => {
                let Next { entry, id, phase, step } = *next;
                self.append(&entry, id, phase);
                Placement::Appended(step)
            }
        })
    }

    /// Judges an entry as [`Log::place`] does, and appends nothing.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check(&self, signed: &SignedEntry) -> Result<(), Refusal> {
        self.judge(signed).map(|_| ())
    }

    fn judge(&self, signed: &SignedEntry) -> Result<Judged, Refusal> {
        let id = signed.id();
        if let Some(&seq) = self.seq_of.get(&id) {
            return Ok(Judged::Known { seq });
        }
        let entry = signed.decode()?;
        if entry.prev != self.head().id {
            return Err(self.judge_elsewhere(signed, &entry));
        }
        self.verify_author(signed, &entry)?;
        let Some(due) = self.phase.owes() else {
            return Err(Refusal::AfterEnd { last_seq: self.last_seq() });
        };
        let placed = Placed { entry: &entry, id };
        let (phase, step) =
            self.judge_place(&entry, due).and_then(|()| self.phase.take(placed)).map_err(|misdeed| {
                Refusal::Invalid { seq: self.last_seq() + 1, author: entry.author, misdeed }
            })?;
        Ok(Judged::Next(Box::new(Next { entry, id, phase, step })))
    }

    /// The terms of the offer.
    #[must_use]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The offer itself.
    #[must_use]
    pub const fn offer(&self) -> &Offer {
        &self.offer
    }

    /// The key of a player; the guest has none before it accepts.
    #[must_use]
    pub fn key(&self, party: Party) -> Option<&PublicKey> {
        self.keys[party.index()].as_ref()
    }

    /// What a player calls itself; to be escaped where it is shown.
    #[must_use]
    pub fn name(&self, party: Party) -> &str {
        &self.names[party.index()]
    }

    /// What the log waits for.
    #[must_use]
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The id of the accept: the name of the game.
    #[must_use]
    pub fn game_id(&self) -> Option<EntryId> {
        self.records.get(1).map(|record| record.id)
    }

    /// One record an entry, by place.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The last entry.
    #[must_use]
    pub fn head(&self) -> &Record {
        self.records.last().expect("a log begins with its offer")
    }

    /// The place of the last entry.
    #[must_use]
    pub fn last_seq(&self) -> u32 {
        u32::try_from(self.records.len() - 1).expect("a log has at most 65,536 entries")
    }

    /// The place of an entry.
    #[must_use]
    pub fn seq_of(&self, id: EntryId) -> Option<u32> {
        self.seq_of.get(&id).copied()
    }

    /// Whether entry 2 is there: only then there is a game to lose.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.records.len() > 2
    }

    /// The place of the last entry by a player.
    #[must_use]
    pub fn last_seq_of(&self, party: Party) -> Option<u32> {
        let index = self.records.iter().rposition(|record| record.author == party)?;
        u32::try_from(index).ok()
    }

    /// The queen that is hidden after the entry at this place.
    #[must_use]
    pub fn hidden_after(&self, seq: u32) -> Option<&HiddenMove> {
        let record = self.records.get(seq as usize)?;
        self.stealths.get(record.stealth?)
    }

    /// An entry that does not link to the last one: held, harmless, or a proof.
    fn judge_elsewhere(&self, signed: &SignedEntry, entry: &Entry) -> Refusal {
        let Some(before) = self.seq_of(entry.prev) else {
            return Refusal::UnknownPrev { prev: entry.prev };
        };
        let seq = before + 1;
        let Some(holder) = self.records.get(seq as usize) else {
            return Refusal::UnknownPrev { prev: entry.prev };
        };
        let is_place = seq >= 2 && entry.seq >= 2;
        if is_place && self.is_signed_by(signed, holder.author) {
            // Whatever author the second entry names: the key that signed both is what the proof is about.
            return Refusal::Equivocation { seq, author: holder.author };
        }
        match self.verify_author(signed, entry) {
            Ok(()) => Refusal::PlaceTaken { seq, holder: holder.author },
            Err(refusal) => refusal,
        }
    }

    fn is_signed_by(&self, signed: &SignedEntry, party: Party) -> bool {
        self.key(party).is_some_and(|key| signed.verify(key).is_ok())
    }

    fn verify_author(&self, signed: &SignedEntry, entry: &Entry) -> Result<(), Refusal> {
        let author = entry.author;
        let key = match (&entry.body, self.key(author)) {
            (_, Some(key)) => key,
            (Body::Accept(accept), None) => &accept.guest_key,
            (_, None) => return Err(Refusal::BadSignature { author }),
        };
        signed.verify(key).map_err(|_| Refusal::BadSignature { author })
    }

    /// Place, stamp and author of the next entry.
    fn judge_place(&self, entry: &Entry, due: Party) -> Result<(), Misdeed> {
        let seq = self.last_seq() + 1;
        if entry.seq != seq {
            return Err(Misdeed::WrongSeq { got: entry.seq, due: seq });
        }
        if let Some(by_ms) = self.head().at_ms.checked_sub(entry.at_ms).filter(|&by_ms| by_ms > 0) {
            return Err(Misdeed::StampDecreases { by_ms });
        }
        if entry.author != due {
            return Err(Misdeed::OutOfTurn { got: entry.author, due });
        }
        Ok(())
    }

    fn append(&mut self, entry: &Entry, id: EntryId, phase: Phase) {
        let turns = self.turns_after(&phase);
        self.phase = if entry.seq == MAX_SEQ { phase.closed_by_last_entry() } else { phase };
        if let Body::Accept(accept) = &entry.body {
            self.keys[Party::Guest.index()] = Some(accept.guest_key);
            self.names[Party::Guest.index()] = accept.guest_name.as_str().to_owned();
        }
        let stealth = self.phase.hidden().map(|hidden| {
            if self.stealths.last() != Some(hidden) {
                self.stealths.push(*hidden);
            }
            self.stealths.len() - 1
        });
        let before = *self.head();
        let charge_ms = entry.at_ms - before.at_ms;
        let timed = entry.seq > 2;
        let is_act = matches!(entry.body, Body::Act(_));
        self.seq_of.insert(id, entry.seq);
        self.records.push(Record {
            id,
            author: entry.author,
            at_ms: entry.at_ms,
            clocks: if timed {
                before.clocks.charged(entry.author, charge_ms, is_act)
            } else {
                before.clocks
            },
            late: timed && before.clocks.would_be_late(entry.author, charge_ms),
            turns,
            owes: self.phase.owes(),
            stealth,
        });
    }

    /// A turn is complete when the other side is to decide, or when the game is over by the rules in it.
    fn turns_after(&self, phase: &Phase) -> u32 {
        let before = self.head().turns;
        match (self.phase.game(), phase.game()) {
            (Some(old), Some(new)) if old.turn() != new.turn() => before + 1,
            _ => before,
        }
    }
}

fn read_terms(offer: &Offer) -> Result<Terms, BadOffer> {
    if offer.protocol != PROTOCOL_VERSION {
        return Err(BadOffer::UnknownProtocol(offer.protocol));
    }
    let variant = Variant::from_number(offer.variant).ok_or(BadOffer::UnknownVariant(offer.variant))?;
    let setup = Setup::from_number(offer.setup)
        .filter(|&setup| variant.allows(setup))
        .ok_or(BadOffer::UnknownSetup(offer.setup))?;
    let color = ColorChoice::from_number(offer.color).ok_or(BadOffer::UnknownColor(offer.color))?;
    if !offer.time.is_in_range() {
        return Err(BadOffer::BadTimeControl);
    }
    Ok(Terms { variant, setup, color, time: offer.time })
}
