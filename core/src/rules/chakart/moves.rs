//! Where men may go (section 5) and what else may be chosen (sections 9 and 14).
//!
//! Only visible men are on the board here, so that no answer depends on where a hidden queen is.

use super::{Hidden, Pending, Position};
use crate::board::{Bitboard, Color, Rank, Role, Square, attacks};
use crate::rules::{Action, Object};

/// What a pawn may become, in the order in which kinds are listed.
pub(super) const PROMOTIONS: [Role; 5] = [Role::Queen, Role::Rook, Role::Knight, Role::Bishop, Role::King];

/// Enough for nearly every position without growing.
const USUAL_ACTIONS: usize = 96;

/// The board as the side to move sees it.
#[derive(Clone, Copy)]
pub(super) struct Terrain {
    color: Color,
    own: Bitboard,
    men: Bitboard,
    objects: Bitboard,
    /// What stops sliders and shells.
    blockers: Bitboard,
    /// What stops a double step on its middle square.
    hurdles: Bitboard,
}

impl Terrain {
    /// The squares that a man of the side to move reaches from a square, stealth and shell apart.
    pub(super) fn reach(&self, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Pawn => self.pawn(from),
            Role::Knight => attacks::knight(from).minus(self.own),
            Role::Bishop => attacks::bishop(from, self.blockers).minus(self.own),
            Role::Rook => attacks::rook(from, self.blockers).minus(self.own),
            Role::Queen => attacks::queen(from, self.blockers).minus(self.own),
            Role::King => attacks::king(from).minus(self.own),
        }
    }

    /// What a king's shell hits: the first blocker of each direction that is not its own man.
    pub(super) fn shell(&self, from: Square) -> Bitboard {
        (attacks::queen(from, self.blockers) & self.blockers).minus(self.own)
    }

    /// The squares of a set on which nothing stands or lies, as far as everybody sees.
    pub(super) fn empty(&self, squares: Bitboard) -> Bitboard {
        squares.minus(self.men | self.objects)
    }

    fn pawn(&self, from: Square) -> Bitboard {
        let origin = Bitboard::of(from);
        let step = forward(self.color, origin);
        let double = if double_steps_from(self.color, from.rank()) {
            forward(self.color, step.minus(self.hurdles))
        } else {
            Bitboard::EMPTY
        };
        let takes = attacks::pawn(self.color, from) & (self.men | self.objects);
        (step | double).minus(self.men) | takes.minus(self.own)
    }
}

/// One rank on, for a side.
fn forward(color: Color, squares: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(squares.0 << 8),
        Color::Black => Bitboard(squares.0 >> 8),
    }
}

fn double_steps_from(color: Color, rank: Rank) -> bool {
    rank == color.first_rank() || rank == color.second_rank()
}

impl Position {
    pub(super) fn terrain(&self) -> Terrain {
        let men = self.board.men();
        let blockers = men | self.board.traps();
        let hurdles = if self.edition.double_step_over_traps { men } else { blockers };
        Terrain {
            color: self.turn,
            own: self.board.side(self.turn),
            men,
            objects: self.board.objects(),
            blockers,
            hurdles,
        }
    }

    /// The men that may be chosen for a move now.
    pub(super) fn movable(&self) -> Bitboard {
        let free = self.board.side(self.turn).minus(self.board.immobilised());
        match self.pending {
            None | Some(Pending::Daisy { piece: None }) => free,
            Some(Pending::Daisy { piece: Some(square) }) => free & Bitboard::of(square),
            Some(Pending::KingBoo { .. } | Pending::Toadette { .. }) => Bitboard::EMPTY,
        }
    }

    /// Whether a queen of the side to move could move unseen now, if she has an empty square to go to (R23).
    pub(super) fn stealth_available(&self) -> bool {
        self.powers.stealth[self.turn.index()] && self.hidden == Hidden::None
    }

    /// Whether a king of the side to move could throw its shell now, if it has something to hit.
    pub(super) fn shell_available(&self) -> bool {
        self.powers.shell[self.turn.index()]
    }

    /// Squares onto which Toadette's piece may be dropped.
    pub(super) fn drop_squares(&self, role: Role) -> Bitboard {
        let open = !self.board.men();
        if role == Role::Pawn { open.minus(Bitboard::rank(self.turn.last_rank())) } else { open }
    }

    /// Men that King Boo may swap.
    pub(super) fn swappable(&self) -> Bitboard {
        let men = self.board.men();
        if self.edition.immobilised_may_swap { men } else { men.minus(self.board.immobilised()) }
    }

    /// Whether the man on `from` may stand on `to` after a swap: a pawn never on its promotion rank (R7).
    pub(super) fn may_be_swapped_to(&self, from: Square, to: Square) -> bool {
        let pawns = self.board.role(Role::Pawn);
        !pawns.contains(from)
            || Color::ALL
                .into_iter()
                .any(|color| self.board.side(color).contains(from) && to.rank() != color.last_rank())
    }

    /// Whether a man moved by choice in this position must name a promotion.
    pub(super) fn must_promote(&self, role: Role, to: Square) -> bool {
        role == Role::Pawn && to.rank() == self.turn.last_rank()
    }

    /// Every legal action; standing answers only where they are compulsory.
    pub(super) fn list_actions(&self) -> Vec<Action> {
        let mut list = Vec::with_capacity(USUAL_ACTIONS);
        if self.result().is_some() {
            return list;
        }
        match self.pending {
            Some(Pending::KingBoo { piece }) => self.list_swaps(piece, &mut list),
            Some(Pending::Toadette { role }) => self.list_drops(role, &mut list),
            Some(Pending::Daisy { .. }) => self.list_moves(&mut list),
            None => {
                self.list_moves(&mut list);
                if list.is_empty() {
                    list.push(Action::Pass);
                }
            }
        }
        list
    }

    /// Whether a man may be moved now: nothing is listed, only looked for.
    pub(super) fn any_move(&self) -> bool {
        let terrain = self.terrain();
        self.movable().into_iter().any(|from| {
            let Some(role) = self.board.role_at(from) else { return false };
            !terrain.reach(role, from).is_empty()
                || role == Role::King && self.shell_available() && !terrain.shell(from).is_empty()
        })
    }

    fn list_moves(&self, list: &mut Vec<Action>) {
        let terrain = self.terrain();
        let movable = self.movable();
        for from in movable & self.board.role(Role::Pawn) {
            list_pawn_moves(from, terrain.reach(Role::Pawn, from), self.turn, list);
        }
        for role in [Role::Knight, Role::Bishop, Role::Rook] {
            for from in movable & self.board.role(role) {
                push_moves(from, terrain.reach(role, from), list);
            }
        }
        let stealth = self.stealth_available();
        for from in movable & self.board.role(Role::Queen) {
            let reach = terrain.reach(Role::Queen, from);
            push_moves(from, reach, list);
            if stealth {
                list.extend(terrain.empty(reach).into_iter().map(|to| Action::Stealth { from, to }));
            }
        }
        let shell = self.shell_available();
        for from in movable & self.board.role(Role::King) {
            push_moves(from, terrain.reach(Role::King, from), list);
            if shell {
                list.extend(terrain.shell(from).into_iter().map(|to| Action::Shell { from, to }));
            }
        }
    }

    fn list_swaps(&self, piece: Option<Square>, list: &mut Vec<Action>) {
        let swappable = self.swappable();
        for low in swappable {
            for high in swappable.into_iter().filter(|high| low < *high) {
                let bound = piece.is_none_or(|square| square == low || square == high);
                if bound && self.may_be_swapped_to(low, high) && self.may_be_swapped_to(high, low) {
                    list.push(Action::Swap { low, high });
                }
            }
        }
    }

    fn list_drops(&self, given: Option<Role>, list: &mut Vec<Action>) {
        for role in Role::ALL {
            if self.may_drop(given, role) {
                let squares = self.drop_squares(role).into_iter();
                list.extend(squares.map(|to| Action::Drop { role, to, promotion: None }));
            }
        }
    }

    /// Whether Toadette lets the side to move drop this kind: the one `given`, or any captured one.
    pub(super) fn may_drop(&self, given: Option<Role>, role: Role) -> bool {
        match given {
            Some(given) => given == role,
            None => self.captured.count(self.turn, role) > 0,
        }
    }
}

fn push_moves(from: Square, reach: Bitboard, list: &mut Vec<Action>) {
    list.extend(reach.into_iter().map(|to| Action::Move { from, to, promotion: None }));
}

fn list_pawn_moves(from: Square, reach: Bitboard, color: Color, list: &mut Vec<Action>) {
    let last_rank = Bitboard::rank(color.last_rank());
    push_moves(from, reach.minus(last_rank), list);
    for to in reach & last_rank {
        list.extend(PROMOTIONS.map(|role| Action::Move { from, to, promotion: Some(role) }));
    }
}

/// Whether a square on which a pawn lands may carry it on, so that a standing answer can matter (section 10).
pub(super) fn carries_on(object: Option<Object>) -> bool {
    matches!(object, Some(Object::Banana | Object::Bomb | Object::Mushroom))
}
