//! What a block brings, log by log.

use std::collections::HashSet;

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::{Body, EntryId, Party};
use chakart_core::protocol::log::Log;
use chakart_core::protocol::session::{Hold, NotJoined};
use chakart_core::transcript::armour::Block;
use rusqlite::OptionalExtension;

use super::group::{Group, sort};
use crate::store::offers::find_offer;
use crate::store::receive::{Carrier, Receipt, RefusedHere};
use crate::store::session::Done;
use crate::store::{
    AcceptError, GameNo, InviteError, NoteError, NoteReceipt, PendingInvite, PlanReport, RecoverError, Store,
    StoreError,
};

/// What a block did to one game, or why a part of it did nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BlockReceipt {
    /// A game of this player.
    Game(GameReceipt),
    /// An offer that waits now for this player's answer.
    Invite {
        /// The offer.
        invite: PendingInvite,
        /// Whether it was here before.
        known: bool,
    },
    /// This player's own offer, or one that it joined: nothing to do.
    KnownOffer {
        /// The offer.
        offer: EntryId,
    },
    /// A part that does not belong here, with why.
    Refused {
        /// What it is: 'an accept', 'a game between Ada and Bob', '3 entries from 17 on'; names are as they came and to be
        /// escaped where they are shown.
        what: String,
        /// Why, in words.
        reason: String,
    },
}

/// What a block did to one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameReceipt {
    /// The game.
    pub game: GameNo,
    /// Its short name.
    pub name: String,
    /// Entries before.
    pub length_before: u32,
    /// Entries now, own answers included.
    pub length: u32,
    /// Entries of the block that were added.
    pub applied: usize,
    /// Entries of the block that were here before.
    pub known: usize,
    /// Entries of the block that are waited for by none: something before them is missing.
    pub unplaced: usize,
    /// Whether statements or a proof were added.
    pub other_news: bool,
    /// Messages that were added, and not muted.
    pub notes: usize,
    /// Whether the game began with this block, or was fetched with it.
    pub begun: bool,
    /// The entry at which the rest was refused.
    pub refused: Option<RefusedHere>,
    /// What keeps this player's node from answering before the person has confirmed.
    pub hold: Option<Hold>,
    /// The place of an own entry that this store did not sign: another machine has the key.
    pub other_machine: Option<u32>,
    /// Plans that were played or dropped.
    pub plans: Vec<PlanReport>,
    /// Whether an answer is to be sent.
    pub reply: Reply,
}

/// Whether an answer to a block is to be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Nothing is owed.
    Nothing,
    /// What was signed without a decision goes with the next own act; nobody waits for it alone.
    WithNextAct,
    /// The other player waits for what was signed.
    Now,
}

impl Store {
    /// Takes a block from whatever hands: entries in any order and any number of times, statements, messages, offers,
    /// accepts. Says what became of each log in it. `now_ms` is Unix time in milliseconds.
    ///
    /// # Errors
    /// [`StoreError`]; what was taken before it stays, and the same block may come again.
    pub fn receive_block(&mut self, block: &Block, now_ms: u64) -> Result<Vec<BlockReceipt>, StoreError> {
        let (groups, unreadable) = sort(&block.entries);
        let mut receipts = Vec::new();
        let mut said = Said::of(block);
        for group in &groups {
            receipts.push(self.receive_group(group, &mut said, now_ms)?);
        }
        receipts.extend(self.receive_rest(&mut said, now_ms)?);
        let bad_notes = self.receive_notes(block, now_ms, &mut receipts)?;
        receipts.extend(bad_notes);
        if unreadable > 0 {
            receipts.push(refused(format!("{unreadable} entries"), "they cannot be read"));
        }
        Ok(receipts)
    }

    fn receive_group(
        &mut self,
        group: &Group,
        said: &mut Said,
        now_ms: u64,
    ) -> Result<BlockReceipt, StoreError> {
        for id in group.names() {
            if let Some(game) = self.game_with_entry(id)? {
                let statements = said.about(self, game, group)?;
                return self.receive_log(game, &group.entries, &statements, now_ms);
            }
        }
        if let Some((accept, entry)) = group.accept() {
            if let Some(own) = find_offer(&self.db, entry.prev)? {
                return self.receive_own_accept(own.id, accept, group, said, now_ms);
            }
            if group.offer().is_some() {
                return self.receive_whole_log(group, said, now_ms);
            }
            return Ok(refused("an accept".to_owned(), "its offer is not known here"));
        }
        match group.offer() {
            Some(offer) => self.receive_offer(offer, now_ms),
            None => {
                let from = group.decoded.first().map_or(0, |entry| entry.seq);
                let what = format!("{} entries from {from} on", group.entries.len());
                Ok(refused(what, "what comes before them is in no game here; ask for the whole game"))
            }
        }
    }

    /// Entries and statements of a game that is here.
    fn receive_log(
        &mut self,
        game: GameNo,
        entries: &[SignedEntry],
        statements: &[SignedStatement],
        now_ms: u64,
    ) -> Result<BlockReceipt, StoreError> {
        let mut known = 0;
        for entry in entries {
            known += usize::from(self.seq_of(game, entry.id())?.is_some());
        }
        let receipt = self.receive_into(game, entries, statements, Carrier::Elsewhere, now_ms)?;
        self.finish(receipt, entries, known, false, now_ms)
    }

    /// An accept of an own offer, and what may follow it.
    fn receive_own_accept(
        &mut self,
        offer: EntryId,
        accept: &SignedEntry,
        group: &Group,
        said: &mut Said,
        now_ms: u64,
    ) -> Result<BlockReceipt, StoreError> {
        let guest = group.accept().and_then(|(_, entry)| match &entry.body {
            Body::Accept(accept) => Some(accept.guest_key),
            _ => None,
        });
        let Some(guest) = guest else { return Ok(refused("an accept".to_owned(), "it cannot be read")) };
        match self.receive_accept(&guest, offer, accept, now_ms) {
            Ok(begun) => {
                let statements = said.about(self, begun.game, group)?;
                let after =
                    self.receive_into(begun.game, &group.entries, &statements, Carrier::Elsewhere, now_ms)?;
                let receipt = Receipt { length_before: 0, changed: true, ..after };
                self.finish(receipt, &group.entries, 0, true, now_ms)
            }
            Err(AcceptError::Store(error)) => Err(error),
            Err(error) => Ok(refused("an accept".to_owned(), &error.to_string())),
        }
    }

    /// A log from its offer on that is not here: a game of this key that was lost, or somebody else's.
    fn receive_whole_log(
        &mut self,
        group: &Group,
        said: &mut Said,
        now_ms: u64,
    ) -> Result<BlockReceipt, StoreError> {
        let statements = said.take_group(group);
        match self.recover(&group.entries, &statements, now_ms) {
            Ok(receipt) => self.finish(receipt, &group.entries, 0, true, now_ms),
            Err(RecoverError::Store(error)) => Err(error),
            Err(error) => Ok(refused(players(group), &error.to_string())),
        }
    }

    fn receive_offer(&mut self, offer: &SignedEntry, now_ms: u64) -> Result<BlockReceipt, StoreError> {
        let known = self.has_invite(offer.id())?;
        match self.keep_invite(offer, now_ms) {
            Ok(invite) => Ok(BlockReceipt::Invite { invite, known }),
            Err(InviteError::Store(error)) => Err(error),
            Err(InviteError::JoinedBefore | InviteError::NotJoined(NotJoined::OwnOffer)) => {
                Ok(BlockReceipt::KnownOffer { offer: offer.id() })
            }
            Err(error) => Ok(refused("an offer".to_owned(), &error.to_string())),
        }
    }

    /// Statements about games of which the block has no entry.
    fn receive_rest(&mut self, said: &mut Said, now_ms: u64) -> Result<Vec<BlockReceipt>, StoreError> {
        let mut receipts = Vec::new();
        while let Some(first) = said.rest.first() {
            let entry = first.0;
            match self.game_with_entry(entry)? {
                Some(game) => {
                    let statements = said.about(self, game, &Group::default())?;
                    receipts.push(self.receive_log(game, &[], &statements, now_ms)?);
                }
                None => {
                    said.rest.retain(|(named, _)| *named != entry);
                    receipts.push(refused(
                        "a statement".to_owned(),
                        "the entry that it names is in no game here",
                    ));
                }
            }
        }
        Ok(receipts)
    }

    fn receive_notes(
        &mut self,
        block: &Block,
        now_ms: u64,
        receipts: &mut Vec<BlockReceipt>,
    ) -> Result<Vec<BlockReceipt>, StoreError> {
        let mut bad = Vec::new();
        for note in &block.notes {
            let (game, news) = match self.receive_note(note, now_ms) {
                Ok(NoteReceipt::New { game, muted }) => (game, usize::from(!muted)),
                Ok(NoteReceipt::Known { game }) => (game, 0),
                Err(NoteError::Store(error)) => return Err(error),
                Err(error) => {
                    bad.push(refused("a message".to_owned(), &error.to_string()));
                    continue;
                }
            };
            let of_game = receipts.iter_mut().find_map(|receipt| match receipt {
                BlockReceipt::Game(receipt) if receipt.game == game => Some(receipt),
                _ => None,
            });
            match of_game {
                Some(receipt) => receipt.notes += news,
                None => {
                    let BlockReceipt::Game(mut receipt) = self.receive_log(game, &[], &[], now_ms)? else {
                        continue;
                    };
                    receipt.notes = news;
                    receipts.push(BlockReceipt::Game(receipt));
                }
            }
        }
        Ok(bad)
    }

    /// What is left to do after a log was taken: acknowledgements, plans, and the words for it.
    fn finish(
        &mut self,
        receipt: Receipt,
        entries: &[SignedEntry],
        known: usize,
        begun: bool,
        now_ms: u64,
    ) -> Result<BlockReceipt, StoreError> {
        let game = receipt.game;
        self.infer_delivered(game)?;
        let plans = self.fire_plans(game, now_ms)?;
        self.acknowledge_end(game, now_ms)?;
        let mut placed = HashSet::new();
        for entry in entries {
            if self.seq_of(game, entry.id())?.is_some() {
                placed.insert(entry.id());
            }
        }
        let summary = self.game(game)?;
        let applied = placed.len().saturating_sub(known);
        let grown = usize::try_from(summary.length.saturating_sub(receipt.length_before)).unwrap_or(0);
        // A block that brings nothing was repeated because no answer came: the answer is repeated too.
        let repeated = applied == 0 && !receipt.changed;
        let owed = !summary.delivery.complete && (!summary.sent || repeated);
        let reply = match (owed, summary.is_my_turn()) {
            (false, _) => Reply::Nothing,
            (true, true) => Reply::WithNextAct,
            (true, false) => Reply::Now,
        };
        Ok(BlockReceipt::Game(GameReceipt {
            game,
            name: summary.name,
            length_before: receipt.length_before,
            length: summary.length,
            applied,
            known,
            unplaced: receipt.orphans.len(),
            other_news: receipt.changed && grown == 0,
            notes: 0,
            begun,
            refused: receipt.refused,
            hold: self.hold(game, now_ms)?,
            other_machine: receipt.other_machine,
            plans,
            reply,
        }))
    }

    fn acknowledge_end(&mut self, game: GameNo, now_ms: u64) -> Result<(), StoreError> {
        if !self.game(game)?.finished {
            return Ok(());
        }
        self.change_game(game, now_ms, |session, _| {
            Ok(Done { effects: session.acknowledge_end(), value: () })
        })
    }

    fn game_with_entry(&self, id: EntryId) -> Result<Option<GameNo>, StoreError> {
        let sql = "SELECT game FROM entries WHERE id = ?1 AND seq > 0 LIMIT 1";
        Ok(self.db.prepare_cached(sql)?.query_row([id.0], |row| row.get(0).map(GameNo)).optional()?)
    }
}

/// The statements of a block that found no game yet, by the entries that they name.
struct Said {
    rest: Vec<(EntryId, SignedStatement)>,
}

impl Said {
    /// Those that cannot be read say nothing.
    fn of(block: &Block) -> Self {
        let readable = block.statements.iter().filter_map(|signed| {
            let statement = signed.decode().ok()?;
            Some((statement.entry, signed.clone()))
        });
        Self { rest: readable.collect() }
    }

    /// Takes out those about a game that is here, or about the entries of a group.
    fn about(
        &mut self,
        store: &Store,
        game: GameNo,
        group: &Group,
    ) -> Result<Vec<SignedStatement>, StoreError> {
        let mut taken = self.take_group(group);
        let mut rest = Vec::new();
        for (entry, signed) in std::mem::take(&mut self.rest) {
            match store.seq_of(game, entry)? {
                Some(_) => taken.push(signed),
                None => rest.push((entry, signed)),
            }
        }
        self.rest = rest;
        Ok(taken)
    }

    fn take_group(&mut self, group: &Group) -> Vec<SignedStatement> {
        let ids: HashSet<EntryId> = group.entries.iter().map(SignedEntry::id).collect();
        let (taken, rest) = std::mem::take(&mut self.rest).into_iter().partition(|(id, _)| ids.contains(id));
        self.rest = rest;
        let taken: Vec<(EntryId, SignedStatement)> = taken;
        taken.into_iter().map(|(_, signed)| signed).collect()
    }
}

fn refused(what: String, reason: &str) -> BlockReceipt {
    BlockReceipt::Refused { what, reason: reason.to_owned() }
}

/// Whose game a log is, by its own words.
fn players(group: &Group) -> String {
    let read = || {
        let mut log = Log::open(group.offer()?).ok()?;
        log.place(group.accept()?.0).ok()?;
        Some(format!("a game between {} and {}", log.name(Party::Host), log.name(Party::Guest)))
    };
    read().unwrap_or_else(|| "a game".to_owned())
}
