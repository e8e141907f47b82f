//! Every way in which the men of a side can displace men (rules sections 2 to 5), legal or not.

use super::Board;
use super::expulsion::opposite;
use crate::board::{Bitboard, Color, Direction, Role, Square, attacks};
use crate::rules::{Displacement, Turn};

/// What a pawn may become.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// All turns but castling that the men of `side` have the power for, the front man as lead. The same turn may come
/// several times, and in several spellings.
pub(super) fn within_power(board: &Board, side: Color) -> Vec<Turn> {
    let mut powers = Powers { board, side, occupied: board.occupied(), turns: Vec::with_capacity(256) };
    board.of(side).into_iter().for_each(|actor| powers.of(actor));
    powers.turns
}

/// Those of [`within_power`] that one man of `side` has.
pub(super) fn within_power_of(board: &Board, side: Color, actor: Square) -> Vec<Turn> {
    let mut powers = Powers { board, side, occupied: board.occupied(), turns: Vec::new() };
    powers.of(actor);
    powers.turns
}

/// The order in which the smallest of several spellings is chosen (rules section 11): fewest displacements, then
/// squares, off as 64.
pub(super) fn spelling_order(turn: &Turn) -> (bool, u8, u8, u8, u8, Option<Role>) {
    let squares = |part: &Displacement| (u8::from(part.from), part.to.map_or(64, u8::from));
    let (from, to) = squares(&turn.lead);
    let (trail_from, trail_to) = turn.trail.as_ref().map_or((0, 0), squares);
    let promotion = turn.lead.promotion.or(turn.trail.and_then(|trail| trail.promotion));
    (turn.trail.is_some(), from, to, trail_from, trail_to, promotion)
}

struct Powers<'a> {
    board: &'a Board,
    side: Color,
    occupied: Bitboard,
    turns: Vec<Turn>,
}

const fn go(from: Square, to: Square) -> Displacement {
    Displacement { from, to: Some(to), promotion: None }
}

const fn leave(from: Square) -> Displacement {
    Displacement { from, to: None, promotion: None }
}

impl Powers<'_> {
    fn of(&mut self, actor: Square) {
        match self.board.man(actor).map(|man| man.role) {
            None => {}
            Some(Role::Pawn) => self.pawn(actor),
            Some(Role::Knight) => {
                Direction::KNIGHT.into_iter().for_each(|step| self.stepper(actor, step, true))
            }
            Some(Role::King) => {
                Direction::COMPASS.into_iter().for_each(|step| self.stepper(actor, step, false))
            }
            Some(Role::Bishop) => attacks::DIAGONAL.into_iter().for_each(|way| self.slider(actor, way)),
            Some(Role::Rook) => attacks::ORTHOGONAL.into_iter().for_each(|way| self.slider(actor, way)),
            Some(Role::Queen) => (0..8).for_each(|way| self.slider(actor, way)),
        }
    }

    fn slider(&mut self, actor: Square, direction: usize) {
        let behind = attacks::first_on_ray(opposite(direction), actor, self.occupied);
        for to in attacks::slide(direction, actor, self.occupied).minus(self.occupied) {
            self.alone(go(actor, to));
            if let Some(behind) = behind {
                self.with_trail(go(actor, to), behind, before(direction, behind, to));
            }
        }
        match attacks::first_on_ray(direction, actor, self.occupied) {
            Some(patient) => self.slider_pushes(actor, direction, patient),
            None => self.leave_with(actor, behind, direction),
        }
    }

    fn slider_pushes(&mut self, actor: Square, direction: usize, patient: Square) {
        for to in attacks::slide(direction, patient, self.occupied).minus(self.occupied) {
            self.alone(go(patient, to));
            self.with_trail(go(patient, to), actor, before(direction, actor, to));
        }
        let open = (attacks::ray(direction, patient) & self.occupied).is_empty();
        if open && !self.is_king(patient) {
            self.leave_with(patient, Some(actor), direction);
        }
    }

    /// `front` goes off; alone, or with the man behind it on its heels as far as off the board.
    fn leave_with(&mut self, front: Square, behind: Option<Square>, direction: usize) {
        self.alone(leave(front));
        let Some(behind) = behind else { return };
        self.with_trail(leave(front), behind, attacks::ray(direction, behind));
        if !self.is_king(behind) {
            let (first, second) = if front < behind { (front, behind) } else { (behind, front) };
            self.turns.push(Turn { lead: leave(first), trail: Some(leave(second)) });
        }
    }

    /// Knights (which may leave the board) and kings.
    fn stepper(&mut self, actor: Square, step: Direction, exits: bool) {
        let behind = actor.step(step.reversed()).filter(|&square| self.occupied.contains(square));
        let lead = match actor.step(step) {
            Some(patient) if self.occupied.contains(patient) => {
                return self.step_pushes(actor, patient, step);
            }
            Some(to) => go(actor, to),
            None if exits => leave(actor),
            None => return,
        };
        self.alone(lead);
        if let Some(behind) = behind {
            self.with_trail(lead, behind, Bitboard::of(actor));
        }
    }

    /// Pushes by one step: of knights, kings, and pawns diagonally.
    fn step_pushes(&mut self, actor: Square, patient: Square, step: Direction) {
        let lead = match patient.step(step) {
            Some(to) if self.occupied.contains(to) => return,
            Some(to) => go(patient, to),
            None if self.is_king(patient) => return,
            None => leave(patient),
        };
        self.alone(lead);
        self.with_trail(lead, actor, Bitboard::of(patient));
    }

    fn pawn(&mut self, actor: Square) {
        for patient in attacks::pawn(self.side, actor) & self.board.of(!self.side) {
            self.step_pushes(actor, patient, actor.towards(patient));
        }
        let forward = Direction::new(0, self.side.forward());
        let Some(next) = actor.step(forward) else { return };
        if self.occupied.contains(next) {
            return self.pawn_pushes_own(actor, next, forward);
        }
        self.alone(go(actor, next));
        if let Some(second) = next.step(forward) {
            self.pawn_second_step(actor, second, forward);
        }
    }

    /// What a pawn does two squares ahead, the first being empty. A double step is allowed from the own first rank
    /// too, to which a pawn can only have been brought; a push that far is not.
    fn pawn_second_step(&mut self, actor: Square, second: Square, forward: Direction) {
        let from_second_rank = actor.rank() == self.side.second_rank();
        if self.occupied.contains(second) {
            if from_second_rank {
                self.pawn_pushes_own(actor, second, forward);
            }
        } else if from_second_rank || actor.rank() == self.side.first_rank() {
            self.alone(go(actor, second));
        }
    }

    /// An own man straight ahead, within reach, is pushed to at most one square beyond the pawn's reach.
    fn pawn_pushes_own(&mut self, actor: Square, patient: Square, forward: Direction) {
        if !self.board.of(self.side).contains(patient) {
            return;
        }
        if actor.rank() != self.side.second_rank() {
            return self.step_pushes(actor, patient, forward);
        }
        let reach: Bitboard = squares_ahead(actor, forward).take(2).collect();
        let farthest = squares_ahead(actor, forward).nth(2);
        for to in squares_ahead(patient, forward) {
            if self.occupied.contains(to) {
                break;
            }
            self.alone(go(patient, to));
            self.with_trail(go(patient, to), actor, reach.without(to));
            if Some(to) == farthest {
                break;
            }
        }
    }

    fn is_king(&self, square: Square) -> bool {
        self.board.role(Role::King).contains(square)
    }

    /// One displacement; once for each choice if it promotes.
    fn alone(&mut self, lead: Displacement) {
        if !self.promotes(lead) {
            return self.turns.push(Turn { lead, trail: None });
        }
        for role in PROMOTIONS {
            self.turns.push(Turn { lead: Displacement { promotion: Some(role), ..lead }, trail: None });
        }
    }

    /// Two displacements, the rear man to each of the squares in turn. At most one of them promotes: pawns of both
    /// sides never go the same way, and a pawn in front of its own never stands before the edge.
    fn with_trail(&mut self, lead: Displacement, rear: Square, ends: Bitboard) {
        if self.promotes(lead) {
            for role in PROMOTIONS {
                let lead = Displacement { promotion: Some(role), ..lead };
                self.turns.extend(ends.into_iter().map(|end| Turn { lead, trail: Some(go(rear, end)) }));
            }
            return;
        }
        let last_rank = self.board.promotion_squares(rear);
        self.turns
            .extend(ends.minus(last_rank).into_iter().map(|end| Turn { lead, trail: Some(go(rear, end)) }));
        for end in ends & last_rank {
            for role in PROMOTIONS {
                let trail = Displacement { promotion: Some(role), ..go(rear, end) };
                self.turns.push(Turn { lead, trail: Some(trail) });
            }
        }
    }

    fn promotes(&self, displacement: Displacement) -> bool {
        displacement.to.is_some_and(|to| self.board.promotion_squares(displacement.from).contains(to))
    }
}

/// The squares strictly between `start` and `end`, which lies beyond it along `direction`.
fn before(direction: usize, start: Square, end: Square) -> Bitboard {
    attacks::ray(direction, start).minus(attacks::ray(direction, end)).without(end)
}

/// The squares from `start` to the edge, one step at a time.
fn squares_ahead(start: Square, step: Direction) -> impl Iterator<Item = Square> {
    std::iter::successors(start.step(step), move |square| square.step(step))
}
