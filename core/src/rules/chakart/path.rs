//! What an action does, segment by segment (sections 4 to 8).

use super::egg::Settling;
use super::moves::PROMOTIONS;
use super::{Hidden, KnightTrail, Position};
use crate::board::{Bitboard, Direction, Role, Square, attacks};
use crate::chance::Chance;
use crate::rules::{Action, Candidate, ChanceKind, Event, Man, Object, Played};

/// The chance declined to choose.
pub(super) struct Declined;

/// An action being carried out.
pub(super) struct Resolution<'a> {
    pub(super) now: Position,
    pub(super) events: Vec<Event>,
    /// An egg has given a decision earlier in this turn.
    pub(super) later_sub_turn: bool,
    /// A man immobilised, or won immobilised, by this action.
    pub(super) fresh: Option<Square>,
    chance: &'a mut dyn Chance,
}

/// A man on its way.
#[derive(Clone, Copy)]
pub(super) struct Traveller {
    pub(super) man: Man,
    /// Where it stands.
    pub(super) at: Square,
    /// Where it stood before this sub-move; a dropped man stood nowhere.
    pub(super) origin: Option<Square>,
    /// What it becomes if it is a pawn on its last rank.
    promotion: Role,
    /// The step of its last segment; a drop has none.
    step: Option<Direction>,
}

/// What a man met where a segment ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Met {
    Nothing,
    Man,
    Object(Object),
}

/// Carries out a legal action.
pub(super) fn resolve(
    position: Position,
    action: &Action,
    chance: &mut dyn Chance,
) -> Result<Played<Position>, Declined> {
    let mut resolution = Resolution {
        now: position,
        events: Vec::with_capacity(8),
        later_sub_turn: position.pending.is_some(),
        fresh: None,
        chance,
    };
    resolution.now.pending = None;
    resolution.now.passes = if *action == Action::Pass { position.passes.saturating_add(1) } else { 0 };
    resolution.carry_out(action)?;
    Ok(Played { next: resolution.now, events: resolution.events })
}

impl Resolution<'_> {
    fn carry_out(&mut self, action: &Action) -> Result<(), Declined> {
        match *action {
            Action::Move { from, to, promotion } => self.travel(from, to, promotion)?,
            Action::Drop { role, to, promotion } => self.drop_man(role, to, promotion)?,
            Action::Stealth { from, to } => self.hide(from, Hidden::At(to)),
            Action::Unseen { from } => self.hide(from, Hidden::From(from)),
            Action::Shell { from, to } => self.throw_shell(from, to),
            Action::Swap { low, high } => self.swap(low, high),
            Action::Pass => self.pass(),
            Action::Turn(_) | Action::Castle(_) => {}
        }
        Ok(())
    }

    fn travel(&mut self, from: Square, to: Square, promotion: Option<Role>) -> Result<(), Declined> {
        let Some(man) = self.now.board.man_at(from) else { return Ok(()) };
        let promotion = promotion.unwrap_or(Role::Queen);
        let traveller = Traveller { man, at: from, origin: Some(from), promotion, step: None };
        let veiled = self.now.hidden;
        let (traveller, met) = self.land(traveller, to);
        self.leave_trail(man, from, to);
        self.end_first_segment();
        self.go_on(traveller, met, veiled)
    }

    fn drop_man(&mut self, role: Role, to: Square, promotion: Option<Role>) -> Result<(), Declined> {
        let man = Man::new(self.now.turn, role);
        if self.now.edition.toadette_returns_captured {
            self.now.captured.take(man.color, role);
        }
        let promotion = promotion.unwrap_or(Role::Queen);
        let met = self.clear(to);
        self.now.board.put_man(to, man);
        self.events.push(Event::Dropped { man, to });
        self.end_first_segment();
        self.go_on(Traveller { man, at: to, origin: None, promotion, step: None }, met, Hidden::None)
    }

    fn hide(&mut self, from: Square, hidden: Hidden) {
        let color = self.now.turn;
        self.now.board.take_man(from);
        self.now.powers.stealth[color.index()] = false;
        self.events.push(Event::Hid { color, from });
        self.end_first_segment();
        self.now.hidden = hidden;
        self.end_turn();
    }

    fn throw_shell(&mut self, from: Square, to: Square) {
        self.now.powers.shell[self.now.turn.index()] = false;
        self.events.push(Event::ShellThrown { from, to });
        match self.now.board.take_object(to) {
            Some(object) => self.events.push(Event::Destroyed { object, square: to }),
            None => self.capture(to),
        }
        self.end_first_segment();
        if !self.end_if_decided() {
            self.end_turn();
        }
    }

    fn swap(&mut self, low: Square, high: Square) {
        let men = (self.now.board.take_man(low), self.now.board.take_man(high));
        if let (Some(from_low), Some(from_high)) = men {
            self.now.board.put_man(high, from_low);
            self.now.board.put_man(low, from_high);
            self.events.push(Event::Swapped { low, high });
        }
        self.end_first_segment();
        self.end_turn();
    }

    fn pass(&mut self) {
        self.events.push(Event::Passed { color: self.now.turn });
        self.end_first_segment();
        self.end_turn();
    }

    /// Segments until one ends the path, then what happens at its end.
    fn go_on(&mut self, mut traveller: Traveller, mut met: Met, mut veiled: Hidden) -> Result<(), Declined> {
        loop {
            if self.end_if_decided() {
                return Ok(());
            }
            let Some(next) = self.follow_up(&traveller, met, veiled)? else { break };
            (traveller, met) = self.land(traveller, next);
            veiled = Hidden::None;
        }
        let on_egg = met == Met::Object(Object::Egg);
        self.settle(&Settling { traveller, on_egg })
    }

    /// Applies one segment: what is on its end goes, the man comes, and a pawn on its last rank is promoted.
    fn land(&mut self, traveller: Traveller, to: Square) -> (Traveller, Met) {
        let Traveller { man, at, .. } = traveller;
        self.now.board.take_man(at);
        let met = self.clear(to);
        self.now.board.put_man(to, man);
        self.events.push(Event::Moved { man, from: at, to });
        let man = self.promote(traveller, to);
        (Traveller { man, at: to, step: Some(at.towards(to)), ..traveller }, met)
    }

    fn clear(&mut self, square: Square) -> Met {
        if self.now.hidden == Hidden::At(square) {
            self.unveil();
        }
        if let Some(object) = self.now.board.take_object(square) {
            self.events.push(Event::Consumed { object, square });
            return Met::Object(object);
        }
        if self.now.board.men().contains(square) {
            self.capture(square);
            return Met::Man;
        }
        Met::Nothing
    }

    fn capture(&mut self, square: Square) {
        if let Some(man) = self.now.board.take_man(square) {
            self.count_captured(man);
            self.events.push(Event::Captured { man, square });
        }
    }

    /// Counts a man that has left the board, where the edition counts (section 13).
    pub(super) fn count_captured(&mut self, man: Man) {
        if self.now.edition.toadette_returns_captured {
            self.now.captured.add(man.color, man.role);
        }
    }

    fn promote(&mut self, traveller: Traveller, square: Square) -> Man {
        let man = traveller.man;
        if !self.now.must_promote(man.role, square) {
            return man;
        }
        let role = if PROMOTIONS.contains(&traveller.promotion) { traveller.promotion } else { Role::Queen };
        let promoted = Man { role, ..man };
        self.now.board.take_man(square);
        self.now.board.put_man(square, promoted);
        self.events.push(Event::Promoted { square, role });
        promoted
    }

    /// Mushrooms of pawns and eggs of knights (section 6).
    fn leave_trail(&mut self, man: Man, from: Square, to: Square) {
        let trail = match man.role {
            Role::Pawn => (Object::Mushroom, middle(from, to).unwrap_or(from)),
            Role::Knight => (Object::Egg, self.knight_trail(from, to)),
            _ => return,
        };
        let (object, square) = trail;
        if self.now.hidden == Hidden::At(square) {
            self.unveil();
            self.capture(square);
        }
        self.now.board.put_object(square, object);
        self.events.push(Event::Placed { object, square });
    }

    fn knight_trail(&self, from: Square, to: Square) -> Square {
        let leg = match self.now.edition.knight_trail {
            KnightTrail::Origin => None,
            KnightTrail::LongLeg => long_leg(from, to),
        };
        leg.filter(|square| !self.holds_piece(*square)).unwrap_or(from)
    }

    /// Whether a man, visible or hidden, stands on a square.
    fn holds_piece(&self, square: Square) -> bool {
        self.now.board.men().contains(square) || self.now.hidden == Hidden::At(square)
    }

    /// The first segment of a sub-move shows a hidden queen and frees what is to be freed (sections 11 and 12).
    fn end_first_segment(&mut self) {
        self.unveil();
        if !self.now.edition.freed_at_end_of_turn {
            self.free_all_but(Bitboard::EMPTY);
        }
    }

    /// The end of the next segment, if what was met sends the man on. `veiled`: the queen who was hidden until this
    /// segment.
    fn follow_up(
        &mut self,
        traveller: &Traveller,
        met: Met,
        veiled: Hidden,
    ) -> Result<Option<Square>, Declined> {
        match met {
            Met::Object(Object::Banana) => self.redirect(attacks::orthogonal_neighbours(traveller.at)),
            Met::Object(Object::Bomb) => self.redirect(attacks::diagonal_neighbours(traveller.at)),
            Met::Object(Object::Mushroom) => Ok(self.accelerate(traveller, veiled)),
            Met::Nothing | Met::Man | Met::Object(Object::Egg) => Ok(None),
        }
    }

    fn redirect(&mut self, neighbours: Bitboard) -> Result<Option<Square>, Declined> {
        let spared = if self.now.edition.redirect_spares_own {
            self.now.board.side(self.now.turn)
        } else {
            Bitboard::EMPTY
        };
        self.pick_square(ChanceKind::Redirect, neighbours.minus(spared))
    }

    /// Where a mushroom carries the man on (section 8).
    fn accelerate(&self, traveller: &Traveller, veiled: Hidden) -> Option<Square> {
        let step = traveller.step?;
        match traveller.man.role {
            Role::Bishop | Role::Rook | Role::Queen => {
                self.now.edition.sliders_jump.then(|| self.jump(traveller, step.unit(), veiled)).flatten()
            }
            Role::Pawn if !self.now.edition.double_step_repeats_whole => self.repeat(traveller, step.unit()),
            Role::Pawn | Role::Knight | Role::King => self.repeat(traveller, step),
        }
    }

    fn repeat(&self, traveller: &Traveller, step: Direction) -> Option<Square> {
        traveller.at.step(step).filter(|next| !self.now.board.men().contains(*next))
    }

    fn jump(&self, traveller: &Traveller, unit: Direction, veiled: Hidden) -> Option<Square> {
        let over = traveller.at.step(unit)?;
        let next = over.step(unit)?;
        let visible = self.now.board.men().contains(over) && veiled != Hidden::At(over);
        let open = !self.now.board.side(traveller.man.color).contains(next);
        (visible && open).then_some(next)
    }

    /// A uniform choice among squares in ascending order; none if there are none.
    pub(super) fn pick_square(
        &mut self,
        kind: ChanceKind,
        squares: Bitboard,
    ) -> Result<Option<Square>, Declined> {
        let candidates: Vec<Candidate> = squares.into_iter().map(Candidate::Square).collect();
        Ok(match self.pick(kind, candidates)? {
            Some(Candidate::Square(square)) => Some(square),
            _ => None,
        })
    }

    /// A uniform choice among candidates; one is forced, none is skipped (section 15).
    pub(super) fn pick(
        &mut self,
        kind: ChanceKind,
        candidates: Vec<Candidate>,
    ) -> Result<Option<Candidate>, Declined> {
        if let &[candidate] = candidates.as_slice() {
            self.events.push(Event::Forced { kind, candidate });
            return Ok(Some(candidate));
        }
        let Ok(count @ 1..) = u32::try_from(candidates.len()) else { return Ok(None) };
        let chosen = self.chance.choose(count).ok_or(Declined)? as usize;
        // A source that answers out of range has declined.
        let candidate = *candidates.get(chosen).ok_or(Declined)?;
        self.events.push(Event::Chance { kind, candidates, chosen });
        Ok(Some(candidate))
    }
}

/// The square between the ends of a double step.
fn middle(from: Square, to: Square) -> Option<Square> {
    let step = from.towards(to);
    (step.ranks.abs() == 2).then(|| from.step(step.unit())).flatten()
}

/// One square along the two-square leg of a knight's jump.
fn long_leg(from: Square, to: Square) -> Option<Square> {
    let Direction { files, ranks } = from.towards(to);
    from.step(Direction::new(files / 2, ranks / 2))
}
