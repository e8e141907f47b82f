//! What comes from elsewhere: entries and statements, in any order and any number of times.

use super::{Effect, MAX_AHEAD_MS, Session};
use crate::protocol::codec::{SignedEntry, SignedStatement};
use crate::protocol::conviction::{Equivocation, Proof};
use crate::protocol::entry::{Entry, Party, TimeControl};
use crate::protocol::judgement::{BadStatement, place_statement};
use crate::protocol::log::Placement;
use crate::protocol::misdeed::Refusal;
use crate::protocol::statement::StatementKind;

/// Why an entry is not taken, and the proof that it gives, if it gives one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Rejection {
    /// Why.
    pub reason: NotTaken,
    /// To be stored: [`Effect::StoreProof`], or nothing.
    pub effects: Vec<Effect>,
}

/// Why an entry is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotTaken {
    /// It is not the next entry of this log, or not a valid one.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Its stamp is too far ahead of the own clock: it may come again later.
    #[error("stamped {ahead_ms} ms ahead of this machine's clock; at most {MAX_AHEAD_MS} are taken")]
    Deferred {
        /// How far.
        ahead_ms: u64,
    },
    /// Its author resigned at an earlier entry.
    #[error("{author} resigned at entry {seq} and signs nothing after it")]
    AfterResignation {
        /// Who.
        author: Party,
        /// The entry that the resignation names.
        seq: u32,
    },
    /// A proof has stopped this game.
    #[error("the game is stopped: {convicted} is proven to have broken the protocol")]
    Stopped {
        /// Who.
        convicted: Party,
    },
}

impl Session {
    /// Judges an entry from elsewhere, appends it if it is the next one, and answers it where no decision is needed.
    /// An entry that the log has already has no effects.
    ///
    /// # Errors
    /// [`Rejection`]; the log is then as it was, but for a proof.
    pub fn receive_entry(&mut self, signed: &SignedEntry, now_ms: u64) -> Result<Vec<Effect>, Rejection> {
        if let Some(reason) = self.not_taken(signed) {
            return Err(Rejection { reason, effects: Vec::new() });
        }
        if let Some(ahead_ms) = self.ahead_ms(signed, now_ms) {
            // Only an entry with nothing else wrong is worth waiting for.
            return Err(match self.log.check(signed) {
                Ok(()) => Rejection { reason: NotTaken::Deferred { ahead_ms }, effects: Vec::new() },
                Err(refusal) => self.reject(signed, refusal),
            });
        }
        match self.log.place(signed) {
            Ok(Placement::Known { .. }) => Ok(Vec::new()),
            Ok(Placement::Appended(step)) => {
                let by_me = self.log.head().author == self.me;
                let mut effects = vec![self.push(signed.clone(), step, by_me)];
                effects.extend(self.place_held());
                effects.extend(self.answer(now_ms));
                Ok(effects)
            }
            Err(refusal) => Err(self.reject(signed, refusal)),
        }
    }

    /// Takes a statement from elsewhere. One that is known, or void of a place for good, has no effects.
    ///
    /// # Errors
    /// [`BadStatement`], unless only its entry is missing and there is room to hold it.
    pub fn receive_statement(&mut self, signed: &SignedStatement) -> Result<Vec<Effect>, BadStatement> {
        match place_statement(&self.log, signed) {
            Ok(_) => {}
            Err(BadStatement::UnknownEntry { .. })
                if self.held.contains(signed) || self.held.len() < super::MAX_HELD_STATEMENTS => {}
            Err(bad) => return Err(bad),
        }
        let kept = self.put_statement(signed.clone());
        let seal =
            if matches!(kept, Some(Effect::StoreStatement { .. })) { self.seal_if_ended() } else { None };
        Ok(kept.into_iter().chain(seal).collect())
    }

    fn seal_if_ended(&mut self) -> Option<Effect> {
        // With the log's own clock no pause can be long: a seal has no stamp.
        let now_ms = self.log.head().at_ms;
        if self.judgement().is_finished() { self.answer(now_ms).into_iter().next() } else { None }
    }

    /// What is refused before the log is asked.
    fn not_taken(&self, signed: &SignedEntry) -> Option<NotTaken> {
        if self.log.seq_of(signed.id()).is_some() {
            return None;
        }
        let entry = signed.decode().ok()?;
        if let Some(convicted) = self.convicted_party().filter(|_| entry.prev == self.log.head().id) {
            return Some(NotTaken::Stopped { convicted });
        }
        self.after_resignation(&entry)
    }

    fn convicted_party(&self) -> Option<Party> {
        Party::ALL.into_iter().find(|party| self.convicted()[party.index()])
    }

    fn after_resignation(&self, entry: &Entry) -> Option<NotTaken> {
        let before = self.log.seq_of(entry.prev)?;
        let resigned = self.statements.iter().find(|(placed, _)| {
            placed.statement.kind == StatementKind::Resign && placed.statement.author == entry.author
        })?;
        let seq = resigned.0.seq;
        (seq <= before && before == self.log.last_seq())
            .then_some(NotTaken::AfterResignation { author: entry.author, seq })
    }

    /// How far the stamp of an unknown entry is ahead of the own clock, if that is too far.
    fn ahead_ms(&self, signed: &SignedEntry, now_ms: u64) -> Option<u64> {
        if self.log.terms().time == TimeControl::None || self.log.seq_of(signed.id()).is_some() {
            return None;
        }
        let ahead_ms = signed.decode().ok()?.at_ms.saturating_sub(now_ms);
        (ahead_ms > MAX_AHEAD_MS).then_some(ahead_ms)
    }

    fn reject(&mut self, signed: &SignedEntry, refusal: Refusal) -> Rejection {
        let proof = self.proof(signed, &refusal).filter(|proof| !self.proofs.contains(proof));
        let effects = proof.iter().cloned().map(Effect::StoreProof).collect();
        self.proofs.extend(proof);
        Rejection { reason: refusal.into(), effects }
    }

    fn proof(&self, signed: &SignedEntry, refusal: &Refusal) -> Option<Proof> {
        let author = refusal.convicts()?;
        match refusal {
            Refusal::Equivocation { seq, .. } => {
                let ours = self.entries.get(*seq as usize)?.clone();
                let key = *self.log.key(author)?;
                Equivocation::new(key, [ours, signed.clone()]).ok().map(Proof::Equivocation)
            }
            _ => Some(Proof::InvalidEntry { entry: signed.clone(), refusal: refusal.clone() }),
        }
    }

    fn place_held(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.held)
            .into_iter()
            .filter_map(|statement| self.put_statement(statement))
            .filter(|effect| matches!(effect, Effect::StoreStatement { .. }))
            .collect()
    }
}
