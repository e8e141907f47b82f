//! How turns and games end (sections 4, 12 and 14).

use super::path::Resolution;
use super::{Hidden, Position};
use crate::board::{Bitboard, Color, Role};
use crate::rules::{Event, Man, Outcome};

/// So many passes in a row end the game as a draw (R8).
const PASSES_THAT_DRAW: u8 = 3;

impl Position {
    /// How the game ended, if it did: a side without king has lost.
    pub(super) fn result(&self) -> Option<Outcome> {
        let kings = self.board.role(Role::King);
        let has_king = |color| !(self.board.side(color) & kings).is_empty();
        match (has_king(Color::White), has_king(Color::Black)) {
            (true, true) if self.passes < PASSES_THAT_DRAW => None,
            (true, true) | (false, false) => Some(Outcome::Draw),
            (true, false) => Some(Outcome::Win(Color::White)),
            (false, true) => Some(Outcome::Win(Color::Black)),
        }
    }
}

impl Resolution<'_> {
    /// The sub-move is over: the player decides again if an egg said so and anything can be decided; otherwise the
    /// turn ends.
    pub(super) fn finish_sub_move(&mut self) {
        if self.now.pending.is_some() && !self.now.list_actions().is_empty() {
            return;
        }
        self.end_turn();
    }

    /// The other side is next.
    pub(super) fn end_turn(&mut self) {
        if self.now.edition.freed_at_end_of_turn {
            let fresh = self.fresh.map_or(Bitboard::EMPTY, Bitboard::of);
            self.free_all_but(fresh);
        }
        self.hand_over();
        if let Some(outcome) = self.now.result() {
            self.events.push(Event::Ended { outcome });
        }
    }

    /// The last king of a side is gone: the game ends at once. Whether it is so.
    pub(super) fn end_if_decided(&mut self) -> bool {
        let Some(outcome) = self.now.result() else { return false };
        self.events.push(Event::Ended { outcome });
        self.hand_over();
        true
    }

    /// Frees the immobilised men of the side to move, those on `fresh` excepted.
    pub(super) fn free_all_but(&mut self, fresh: Bitboard) {
        let held = (self.now.board.immobilised() & self.now.board.side(self.now.turn)).minus(fresh);
        for square in held {
            if let Some(man) = self.now.board.take_man(square) {
                self.now.board.put_man(square, Man { immobilised: false, ..man });
                self.events.push(Event::Freed { square });
            }
        }
    }

    /// The hidden queen, if her square is known, becomes visible; in a public state she stays nowhere.
    pub(super) fn unveil(&mut self) {
        if let Hidden::At(square) = self.now.hidden {
            let color = !self.now.turn;
            self.now.board.put_man(square, Man::new(color, Role::Queen));
            self.events.push(Event::Revealed { color, square });
        }
        self.now.hidden = Hidden::None;
    }

    fn hand_over(&mut self) {
        self.now.pending = None;
        self.now.turn = !self.now.turn;
        self.now.ply = self.now.ply.saturating_add(1);
    }
}
