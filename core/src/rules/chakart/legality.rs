//! Whether one action may be chosen, without listing the others.

use super::moves::{PROMOTIONS, carries_on};
use super::{Pending, Position};
use crate::board::{Bitboard, Role, Square};
use crate::rules::{Action, IllegalAction, Object};

type Verdict = Result<(), &'static str>;

const OVER: &str = "the game is over";
const NOT_NOW: &str = "another decision is due first";
const NO_MAN: &str = "no piece there may be moved now";
const NO_REACH: &str = "the piece does not go there";

impl Position {
    /// Whether `action` may be chosen now, judged by what everybody sees.
    ///
    /// # Errors
    /// [`IllegalAction`] with the reason in words.
    pub(super) fn check_action(&self, action: &Action) -> Result<(), IllegalAction> {
        self.verdict(action).map_err(|reason| IllegalAction { action: *action, reason })
    }

    fn verdict(&self, action: &Action) -> Verdict {
        if self.result().is_some() {
            return Err(OVER);
        }
        match *action {
            Action::Move { from, to, promotion } => self.check_move(from, to, promotion),
            Action::Stealth { from, to } => {
                require(self.stealth_squares(from).contains(to), "no queen can go there unseen now")
            }
            Action::Unseen { from } => {
                require(!self.stealth_squares(from).is_empty(), "no queen there can move unseen now")
            }
            Action::Shell { from, to } => self.check_shell(from, to),
            Action::Drop { role, to, promotion } => self.check_drop(role, to, promotion),
            Action::Swap { low, high } => self.check_swap(low, high),
            Action::Pass => self.check_pass(),
            Action::Turn(_) | Action::Castle(_) => Err("it is no action of Chakart"),
        }
    }

    fn check_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Verdict {
        let role = self.movable_role(from)?;
        require(self.terrain().reach(role, from).contains(to), NO_REACH)?;
        if self.must_promote(role, to) {
            let named = promotion.is_some_and(|role| PROMOTIONS.contains(&role));
            return require(named, "a pawn on its last rank becomes a queen, rook, knight, bishop or king");
        }
        let may_answer = role == Role::Pawn && carries_on(self.board.object_at(to));
        check_standing_answer(may_answer, promotion)
    }

    fn check_shell(&self, from: Square, to: Square) -> Verdict {
        require(self.movable_role(from)? == Role::King, "only a king throws a shell")?;
        require(self.shell_available(), "the shell has been thrown")?;
        require(self.terrain().shell(from).contains(to), "the shell cannot hit that")
    }

    fn check_drop(&self, role: Role, to: Square, promotion: Option<Role>) -> Verdict {
        let Some(Pending::Toadette { role: given }) = self.pending else {
            return Err("nothing is to be dropped now");
        };
        require(self.may_drop(given, role), "Toadette does not give that piece")?;
        require(self.drop_squares(role).contains(to), "the piece cannot be dropped there")?;
        let trap = matches!(self.board.object_at(to), Some(Object::Banana | Object::Bomb));
        check_standing_answer(role == Role::Pawn && trap, promotion)
    }

    fn check_swap(&self, low: Square, high: Square) -> Verdict {
        let Some(Pending::KingBoo { piece }) = self.pending else {
            return Err("nothing is to be swapped now");
        };
        require(low < high, "a swap names the lower square first")?;
        let swappable = self.swappable();
        require(swappable.contains(low) && swappable.contains(high), "no piece there may be swapped")?;
        require(
            piece.is_none_or(|square| square == low || square == high),
            "the piece that moved is swapped",
        )?;
        let fits = self.may_be_swapped_to(low, high) && self.may_be_swapped_to(high, low);
        require(fits, "a pawn is not swapped onto its last rank")
    }

    fn check_pass(&self) -> Verdict {
        require(self.pending.is_none(), NOT_NOW)?;
        require(!self.any_move(), "something else is legal")
    }

    /// The role of the man on a square, if it may be moved now.
    fn movable_role(&self, from: Square) -> Result<Role, &'static str> {
        require(!matches!(self.pending, Some(Pending::KingBoo { .. } | Pending::Toadette { .. })), NOT_NOW)?;
        require(self.movable().contains(from), NO_MAN)?;
        self.board.role_at(from).ok_or(NO_MAN)
    }

    /// Squares to which the queen on `from` may move unseen now (section 11).
    pub(super) fn stealth_squares(&self, from: Square) -> Bitboard {
        let ready = self.result().is_none() && self.stealth_available();
        if ready && (self.movable() & self.board.role(Role::Queen)).contains(from) {
            let terrain = self.terrain();
            terrain.empty(terrain.reach(Role::Queen, from))
        } else {
            Bitboard::EMPTY
        }
    }
}

fn check_standing_answer(allowed: bool, promotion: Option<Role>) -> Verdict {
    match promotion {
        None => Ok(()),
        Some(_) if !allowed => Err("no promotion is to be named here"),
        Some(role) => {
            require(PROMOTIONS.contains(&role), "a pawn becomes a queen, rook, knight, bishop or king")
        }
    }
}

fn require(holds: bool, otherwise: &'static str) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise) }
}
