//! A position: what decides which turns are legal, and what they lead to.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::castling::{Castling, Rights, SIDES};
use super::expulsion::is_in_check;
use super::spelling;
use super::turns::{spelling_order, within_power, within_power_of};
use super::{Board, Refusal};
use crate::board::Color;
use crate::rules::{Action, CastlingSide, Turn};

/// A position with everything that FEN tells of it.
///
/// Each side has exactly one king, no pawn stands on its own last rank, rights have their men at home, and the side
/// not to move is not in check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) board: Board,
    pub(super) side: Color,
    pub(super) halfmoves: u32,
    pub(super) rights: Rights,
    pub(super) undo: Option<Undo>,
}

/// The turn that led to a position. It must not be undone at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Undo {
    pub(super) action: Action,
    /// The board before it: the one that the answer must not restore.
    pub(super) forbidden: Board,
}

/// What tells positions apart when repetitions are counted (rules section 10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Identity {
    board: Board,
    side: Color,
    rights: Rights,
    forbidden: Option<Board>,
}

/// What tells the turns of a position apart (rules section 11).
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reached {
    board: Board,
    rights: Rights,
}

type Spellings = HashMap<Reached, Turn, BuildHasherDefault<DigestHasher>>;

impl Position {
    /// The position in which every game starts.
    #[must_use]
    pub fn start() -> Self {
        Self { board: Board::start(), side: Color::White, halfmoves: 0, rights: Rights::ALL, undo: None }
    }

    /// The men.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.side
    }

    /// Complete turns played since the start.
    #[must_use]
    pub const fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// Castlings that are not lost for good.
    #[must_use]
    pub const fn rights(&self) -> Rights {
        self.rights
    }

    /// Whether the king of the side to move could be put off the board.
    #[must_use]
    pub fn is_in_check(&self) -> bool {
        is_in_check(&self.board, self.side)
    }

    /// Every legal turn once, in its canonical spelling, in the order of rules section 11; castlings last.
    #[must_use]
    pub fn legal_turns(&self) -> Vec<Action> {
        let mut turns: Vec<Turn> = self.spellings().into_values().collect();
        turns.sort_unstable_by_key(spelling_order);
        turns.into_iter().map(Action::Turn).chain(self.castlings()).collect()
    }

    /// Whether any turn is legal.
    #[must_use]
    pub fn has_legal_turn(&self) -> bool {
        let is_legal = |turn: &Turn| self.allows(&self.board.displaced(turn)).is_ok();
        let can_act = |actor| within_power_of(&self.board, self.side, actor).iter().any(is_legal);
        self.board.of(self.side).into_iter().any(can_act) || self.castlings().next().is_some()
    }

    /// The canonical spelling of the legal turn that `action` spells in any way.
    ///
    /// # Errors
    /// Why there is none.
    pub fn canonical(&self, action: &Action) -> Result<Action, Refusal> {
        match action {
            Action::Castle(side) => self.allows_castling(*side).map(|()| *action),
            Action::Turn(turn) => self.canonical_turn(turn).map(Action::Turn),
            _ => Err(Refusal::NotOfDynamo),
        }
    }

    /// The position after a legal turn in canonical spelling, which displaces these men.
    pub(super) fn after(&self, action: Action, displacements: &Turn) -> Self {
        self.next(action, self.reached(displacements))
    }

    /// The men that an action displaces, in an order in which they can go one by one. `None` for another game's.
    pub(super) fn displacements(&self, action: &Action) -> Option<Turn> {
        match action {
            Action::Turn(turn) => Some(*turn),
            Action::Castle(side) => Some(Castling::of(self.side, *side).turn()),
            _ => None,
        }
    }

    pub(super) fn identity(&self) -> Identity {
        Identity {
            board: self.board,
            side: self.side,
            rights: self.rights,
            forbidden: self.undo.as_ref().map(|undo| undo.forbidden),
        }
    }

    fn next(&self, action: Action, reached: Reached) -> Self {
        Self {
            board: reached.board,
            side: !self.side,
            halfmoves: self.halfmoves.saturating_add(1),
            rights: reached.rights,
            undo: Some(Undo { action, forbidden: self.board }),
        }
    }

    fn reached(&self, turn: &Turn) -> Reached {
        let rights = self.rights.after_leaving(turn.lead.from);
        Reached {
            board: self.board.displaced(turn),
            rights: turn.trail.map_or(rights, |trail| rights.after_leaving(trail.from)),
        }
    }

    /// Whether a complete turn may lead to this board (rules section 9).
    fn allows(&self, after: &Board) -> Result<(), Refusal> {
        if self.undo.as_ref().is_some_and(|undo| undo.forbidden == *after) {
            Err(Refusal::Undoes)
        } else if is_in_check(after, self.side) {
            Err(Refusal::LeavesInCheck)
        } else {
            Ok(())
        }
    }

    /// The canonical spelling of each legal turn but castling.
    fn spellings(&self) -> Spellings {
        let turns = within_power(&self.board, self.side);
        let mut spellings = Spellings::with_capacity_and_hasher(turns.len(), BuildHasherDefault::new());
        for turn in turns {
            let reached = self.reached(&turn);
            match spellings.entry(reached) {
                Entry::Occupied(mut known) if spelling_order(&turn) < spelling_order(known.get()) => {
                    known.insert(turn);
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(place) => {
                    if self.allows(&reached.board).is_ok() {
                        place.insert(turn);
                    }
                }
            }
        }
        spellings
    }

    fn canonical_turn(&self, turn: &Turn) -> Result<Turn, Refusal> {
        spelling::check(&self.board, turn)?;
        let wanted = self.reached(turn);
        let same =
            within_power(&self.board, self.side).into_iter().filter(|turn| self.reached(turn) == wanted);
        let canonical = same.min_by_key(spelling_order).ok_or(Refusal::BeyondPower)?;
        self.allows(&wanted.board).map(|()| canonical)
    }

    fn castlings(&self) -> impl Iterator<Item = Action> {
        SIDES.into_iter().filter(|&side| self.allows_castling(side).is_ok()).map(Action::Castle)
    }

    fn allows_castling(&self, side: CastlingSide) -> Result<(), Refusal> {
        if !self.rights.has(self.side, side) {
            return Err(Refusal::RightLost);
        }
        let castling = Castling::of(self.side, side);
        if !(castling.between & self.board.occupied()).is_empty() {
            return Err(Refusal::CastlingBlocked);
        }
        let crossing = self.board.displaced(&Turn { lead: castling.crossing(), trail: None });
        if self.is_in_check() || is_in_check(&crossing, self.side) {
            return Err(Refusal::CastlingThroughCheck);
        }
        self.allows(&self.board.displaced(&castling.turn()))
    }
}

/// Number of sequences of `depth` turns from a position, turns being told apart by rules section 11 at each step.
/// A game that ends earlier has no longer sequence; repetition ends none.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let spellings = position.spellings();
    if depth == 1 {
        return (spellings.len() + position.castlings().count()) as u64;
    }
    let turns = spellings.into_iter().map(|(reached, turn)| position.next(Action::Turn(turn), reached));
    let castled = position.castlings().filter_map(|castling| {
        let displacements = position.displacements(&castling)?;
        Some(position.after(castling, &displacements))
    });
    turns.chain(castled).map(|next| perft(&next, depth - 1)).sum()
}

impl Hash for Reached {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal boards with unequal rights are rare enough to share a bucket.
        state.write_u64(self.board.digest());
    }
}

/// Passes a digest through: it is mixed already. Nobody gains by collisions among the few hundred turns of a position.
#[derive(Default)]
struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }
}
