//! What this player signs: acts, reveals, accepted draws, statements.

use super::{Effect, Hold, Session};
use crate::protocol::codec::{SignedEntry, SignedStatement};
use crate::protocol::commitment::{chance_commitment, stealth_commitment};
use crate::protocol::entry::{Act, Body, Entry, EntryId, MAX_AT_MS, Opening, Party, Reveal, SignedAction};
use crate::protocol::judgement::{Placed, Standing};
use crate::protocol::log::Placement;
use crate::protocol::misdeed::Refusal;
use crate::protocol::phase::Phase;
use crate::protocol::secrets::SecretKind;
use crate::protocol::statement::{Statement, StatementKind};
use crate::rules::{Action, IllegalAction, Rules};

/// Why this player signs nothing. The session is as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CannotSign {
    /// The game has not begun: the host has not set the board up yet.
    #[error("the game has not begun yet")]
    NotBegun,
    /// It is over.
    #[error("the game is over")]
    Over,
    /// A player broke the protocol: nothing more is signed here.
    #[error("the game is stopped: {convicted} is proven to have broken the protocol")]
    Stopped {
        /// Who.
        convicted: Party,
    },
    /// The other player owes the next entry.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The rules forbid the action.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
    /// No draw is offered.
    #[error("no draw is offered to you")]
    NoDrawOffered,
    /// The person is asked first.
    #[error(transparent)]
    Held(#[from] Hold),
    /// A claim that would be void.
    #[error("the other player is not out of time")]
    NotLate,
    /// What was to be signed is not valid: this key's commitments in this game were not made by this program.
    #[error("not signed, because it would not be valid: {0}")]
    NotValid(#[from] Refusal),
    /// The same statement was made before.
    #[error("you have said so already")]
    SaidAlready,
}

impl Session {
    /// Signs an act of this player.
    ///
    /// # Errors
    /// [`CannotSign`]
    pub fn act(&mut self, action: Action, draw_offer: bool, now_ms: u64) -> Result<Vec<Effect>, CannotSign> {
        self.may_decide(now_ms)?;
        let Phase::ExpectAct(phase) = self.log.phase() else { return Err(CannotSign::NotYourTurn) };
        phase.midgame.game.check(&action)?;
        let prev = self.log.head().id;
        let action = self.signed_action(action, prev)?;
        let nonce = self.secrets.derive(SecretKind::Act, prev);
        let effect = self.sign(Body::Act(Act { action, nonce, draw_offer }), now_ms)?;
        Ok(self.followed_by_seal(effect))
    }

    /// Accepts the draw that the opponent's last act offers.
    ///
    /// # Errors
    /// [`CannotSign`]
    pub fn accept_draw(&mut self, now_ms: u64) -> Result<Vec<Effect>, CannotSign> {
        self.may_decide(now_ms)?;
        if !self.is_draw_offered() {
            return Err(CannotSign::NoDrawOffered);
        }
        let effect = self.sign(Body::AcceptDraw, now_ms)?;
        Ok(self.followed_by_seal(effect))
    }

    /// Resigns, in turn or out of turn.
    ///
    /// # Errors
    /// [`CannotSign`]
    pub fn resign(&mut self) -> Result<Vec<Effect>, CannotSign> {
        match self.may_state() {
            // A proof stops entries, never a resignation.
            Ok(()) | Err(CannotSign::Stopped { .. }) => self.state(StatementKind::Resign),
            Err(refused) => Err(refused),
        }
    }

    /// Claims that the opponent is out of time; it ends nothing.
    ///
    /// # Errors
    /// [`CannotSign`]
    pub fn claim(&mut self, now_ms: u64) -> Result<Vec<Effect>, CannotSign> {
        self.may_state()?;
        let head = self.log.head();
        let debtor = self.me.other();
        let at_ms = now_ms.clamp(head.at_ms, MAX_AT_MS);
        if head.owes != Some(debtor) || !head.clocks.would_be_late(debtor, at_ms - head.at_ms) {
            return Err(CannotSign::NotLate);
        }
        self.state(StatementKind::Claim { at_ms })
    }

    /// The person's word that whatever holds this game back is all right; signs what was held.
    pub fn confirm(&mut self, now_ms: u64) -> Vec<Effect> {
        self.confirmation.head = Some(self.log.head().id);
        self.confirmation.no_later_copy = true;
        self.answer(now_ms)
    }

    /// Signs what this player owes without a decision: a reveal, then a seal once the game is over.
    pub fn answer(&mut self, now_ms: u64) -> Vec<Effect> {
        let reveal = self.reveal(now_ms);
        reveal.into_iter().chain(self.seal()).collect()
    }

    /// Seals a game that the other player has ended, so that its end is acknowledged where only signed texts travel.
    /// Nothing comes of it if this player has sealed the game or has ended it itself.
    pub fn acknowledge_end(&mut self) -> Vec<Effect> {
        let ended_by_other = match self.judgement().standing {
            Standing::Over { .. } => self.log.head().author != self.me,
            Standing::Resigned { loser, .. } => loser != self.me,
            Standing::BothConvicted | Standing::Convicted { .. } | Standing::Unfinished { .. } => false,
        };
        let own = |placed: &Placed| placed.statement.author == self.me;
        let sealed = self
            .statements
            .iter()
            .any(|(placed, _)| own(placed) && matches!(placed.statement.kind, StatementKind::Seal { .. }));
        if !ended_by_other || sealed || self.is_recovering() {
            return Vec::new();
        }
        let opening = self.opening();
        self.state(StatementKind::Seal { opening }).unwrap_or_default()
    }

    fn followed_by_seal(&mut self, effect: Effect) -> Vec<Effect> {
        std::iter::once(effect).chain(self.seal()).collect()
    }

    fn reveal(&mut self, now_ms: u64) -> Option<Effect> {
        let due = matches!(self.log.phase(), Phase::ExpectSetup(_) | Phase::ExpectReveal(_))
            && self.log.phase().owes() == Some(self.me);
        if !due || self.hold(now_ms).is_some() || self.judgement().is_finished() {
            return None;
        }
        let prev = self.log.head().id;
        let next = self.secrets.derive(SecretKind::Chance, prev);
        let reveal = Reveal {
            nonce: self.secrets.derive(SecretKind::Chance, self.own_commitment_prev()?),
            next_commitment: chance_commitment(prev, &self.key.public(), &next),
            opening: self.opening(),
        };
        self.sign(Body::Reveal(reveal), now_ms).ok()
    }

    /// After the end, opens a queen of this player that is still hidden.
    fn seal(&mut self) -> Option<Effect> {
        let ended = matches!(self.judgement().standing, Standing::Over { .. } | Standing::Resigned { .. });
        if !ended || self.is_recovering() {
            return None;
        }
        let opening = self.opening()?;
        self.state(StatementKind::Seal { opening: Some(opening) }).ok()?.into_iter().next()
    }

    /// The opening of this player's hidden queen, if she is hidden.
    fn opening(&self) -> Option<Opening> {
        let hidden = self.log.phase().hidden().filter(|hidden| hidden.owner == self.me)?;
        let to = self.find_hidden_square(hidden)?;
        Some(Opening { to, salt: self.secrets.derive(SecretKind::Stealth, hidden.commitment.prev) })
    }

    /// The link of the entry that carries this player's unopened chance commitment.
    fn own_commitment_prev(&self) -> Option<EntryId> {
        let commitments = match self.log.phase() {
            Phase::ExpectSetup(phase) => &phase.commitments,
            Phase::ExpectAct(phase) => &phase.midgame.commitments,
            Phase::ExpectReveal(phase) => &phase.midgame.commitments,
            Phase::ExpectAccept(_) | Phase::Over(_) => return None,
        };
        Some(commitments[self.me.index()].prev)
    }

    fn signed_action(&self, action: Action, prev: EntryId) -> Result<SignedAction, CannotSign> {
        match action {
            Action::Stealth { from, to } => {
                let salt = self.secrets.derive(SecretKind::Stealth, prev);
                let commitment = stealth_commitment(prev, &self.key.public(), from, to, &salt);
                Ok(SignedAction::Stealth { from, commitment })
            }
            open => SignedAction::open(open).ok_or_else(|| {
                IllegalAction { action, reason: "say where the queen goes; only you will know" }.into()
            }),
        }
    }

    fn may_decide(&self, now_ms: u64) -> Result<(), CannotSign> {
        self.may_state()?;
        if !self.is_my_turn() {
            return Err(CannotSign::NotYourTurn);
        }
        self.hold(now_ms).map_or(Ok(()), |hold| Err(hold.into()))
    }

    fn may_state(&self) -> Result<(), CannotSign> {
        if !self.log.has_begun() {
            return Err(CannotSign::NotBegun);
        }
        if self.is_recovering() {
            return Err(Hold::Recovered.into());
        }
        match self.judgement().standing {
            Standing::Unfinished { .. } => Ok(()),
            Standing::Convicted { loser } => Err(CannotSign::Stopped { convicted: loser }),
            Standing::BothConvicted => Err(CannotSign::Stopped { convicted: self.me.other() }),
            Standing::Over { .. } | Standing::Resigned { .. } => Err(CannotSign::Over),
        }
    }

    /// Signs the next entry and appends it through the same judgement as any other.
    ///
    /// A key may have played this game with another program, whose secrets are not derived as here: then a reveal of
    /// this one would be wrong, and its bytes are dropped.
    fn sign(&mut self, body: Body, now_ms: u64) -> Result<Effect, CannotSign> {
        let head = self.log.head();
        let entry = Entry {
            seq: self.log.last_seq() + 1,
            prev: head.id,
            author: self.me,
            at_ms: now_ms.clamp(head.at_ms, MAX_AT_MS),
            body,
        };
        let signed = SignedEntry::sign(&entry, &self.key);
        match self.log.place(&signed)? {
            Placement::Appended(step) => Ok(self.push(signed, step, true)),
            Placement::Known { .. } => Err(CannotSign::SaidAlready),
        }
    }

    fn state(&mut self, kind: StatementKind) -> Result<Vec<Effect>, CannotSign> {
        let statement = Statement { entry: self.log.head().id, author: self.me, kind };
        let signed = SignedStatement::sign(&statement, &self.key);
        let placed = Placed { statement, seq: self.log.last_seq() };
        let kept = self.keep_statement(placed, signed).ok_or(CannotSign::SaidAlready)?;
        Ok(std::iter::once(kept).chain(self.seal_after_resignation(kind)).collect())
    }

    fn seal_after_resignation(&mut self, kind: StatementKind) -> Option<Effect> {
        if kind == StatementKind::Resign { self.seal() } else { None }
    }
}
