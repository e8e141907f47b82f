//! What happens where a path ends: eggs, and the objects of rooks and bishops (sections 6 and 9).

use super::path::{Declined, Resolution, Traveller};
use super::{Pending, Position};
use crate::board::{Bitboard, Color, Role, Square, attacks};
use crate::rules::{Candidate, ChanceKind, Effect, Event, Man, Object};

/// The kinds that Toadette gives, in the order in which candidates are listed.
const TOADETTE_KINDS: [Role; 5] = [Role::Queen, Role::Rook, Role::Knight, Role::Bishop, Role::King];

/// A man whose path has ended.
pub(super) struct Settling {
    pub(super) traveller: Traveller,
    /// Its last segment ended on an egg.
    pub(super) on_egg: bool,
}

impl Resolution<'_> {
    /// The egg is drawn with its target, the object is placed, and the effect is carried out, in this order.
    pub(super) fn settle(&mut self, settling: &Settling) -> Result<(), Declined> {
        let traveller = &settling.traveller;
        let effect = if settling.on_egg { self.hatch(traveller)? } else { None };
        let target = self.pick_target(effect)?;
        if !matches!(effect, Some(Effect::Koopa | Effect::Chomp)) {
            self.leave_object(traveller)?;
        }
        if let Some(effect) = effect {
            self.take_effect(effect, traveller, target)?;
        }
        if !self.end_if_decided() {
            self.finish_sub_move();
        }
        Ok(())
    }

    fn hatch(&mut self, traveller: &Traveller) -> Result<Option<Effect>, Declined> {
        if self.later_sub_turn && !self.now.edition.eggs_hatch_in_later_sub_turns {
            return Ok(None);
        }
        let all = !self.now.edition.eggs_give_only_applicable;
        let given = Effect::ALL.into_iter().filter(|effect| all || self.now.applies(*effect, traveller));
        let candidates = given.map(Candidate::Effect).collect();
        Ok(match self.pick(ChanceKind::Egg, candidates)? {
            Some(Candidate::Effect(effect)) => {
                self.events.push(Event::Hatched { effect });
                Some(effect)
            }
            _ => None,
        })
    }

    fn pick_target(&mut self, effect: Option<Effect>) -> Result<Option<Square>, Declined> {
        match effect {
            Some(Effect::Luigi) => self.pick_square(ChanceKind::Luigi, self.now.may_turn(!self.now.turn)),
            Some(Effect::Waluigi) => self.pick_square(ChanceKind::Waluigi, self.now.may_turn(self.now.turn)),
            _ => Ok(None),
        }
    }

    /// The banana of a rook, the bomb of a bishop.
    fn leave_object(&mut self, traveller: &Traveller) -> Result<(), Declined> {
        if traveller.origin.is_none() && !self.now.edition.drops_leave_objects {
            return Ok(());
        }
        let (object, neighbours) = match traveller.man.role {
            Role::Rook => (Object::Banana, attacks::diagonal_neighbours(traveller.at)),
            Role::Bishop => (Object::Bomb, attacks::orthogonal_neighbours(traveller.at)),
            _ => return Ok(()),
        };
        let open = neighbours.minus(self.now.board.men());
        if let Some(square) = self.pick_square(ChanceKind::Placement, open)? {
            self.now.board.put_object(square, object);
            self.events.push(Event::Placed { object, square });
        }
        Ok(())
    }

    fn take_effect(
        &mut self,
        effect: Effect,
        traveller: &Traveller,
        target: Option<Square>,
    ) -> Result<(), Declined> {
        let bound = self.now.edition.bound_to_mover.then_some(traveller.at);
        match effect {
            Effect::KingBoo => self.now.pending = Some(Pending::KingBoo { piece: bound }),
            Effect::Daisy => self.now.pending = Some(Pending::Daisy { piece: bound }),
            Effect::Toadette => self.give_piece()?,
            Effect::Koopa => self.send_back(traveller),
            Effect::Chomp => self.eat(traveller.at),
            Effect::Bowser => self.immobilise(traveller.at),
            Effect::Luigi => {
                self.turn_man(target, self.now.turn);
                self.fresh = target;
            }
            Effect::Waluigi => self.turn_man(target, !self.now.turn),
        }
        Ok(())
    }

    fn give_piece(&mut self) -> Result<(), Declined> {
        let role = if self.now.edition.toadette_returns_captured {
            None
        } else {
            match self.pick(ChanceKind::Toadette, TOADETTE_KINDS.map(Candidate::Role).to_vec())? {
                Some(Candidate::Role(role)) => Some(role),
                _ => None,
            }
        };
        self.now.pending = Some(Pending::Toadette { role });
        Ok(())
    }

    fn send_back(&mut self, traveller: &Traveller) {
        let from = traveller.at;
        let Some(man) = self.now.board.take_man(from) else { return };
        match traveller.origin {
            Some(to) => {
                self.now.board.put_man(to, man);
                self.events.push(Event::Returned { from, to });
            }
            None => self.events.push(Event::Withdrawn { square: from }),
        }
    }

    fn eat(&mut self, square: Square) {
        if let Some(man) = self.now.board.take_man(square) {
            self.count_captured(man);
            self.events.push(Event::Chomped { man, square });
        }
    }

    fn immobilise(&mut self, square: Square) {
        if let Some(man) = self.now.board.take_man(square) {
            self.now.board.put_man(square, Man { immobilised: true, ..man });
            self.events.push(Event::Immobilised { square });
            self.fresh = Some(square);
        }
    }

    fn turn_man(&mut self, target: Option<Square>, color: Color) {
        let Some(square) = target else { return };
        if let Some(man) = self.now.board.take_man(square) {
            self.now.board.put_man(square, Man { color, ..man });
            self.events.push(Event::Turned { square, color });
        }
    }
}

impl Position {
    /// Men of a side that Luigi or Waluigi may turn: no king, and no pawn on its first rank, which would be its last
    /// one afterwards.
    fn may_turn(&self, color: Color) -> Bitboard {
        let stuck = self.board.role(Role::Pawn) & Bitboard::rank(color.first_rank());
        self.board.side(color).minus(self.board.role(Role::King) | stuck)
    }

    /// Whether an egg under this man can give this effect (first edition).
    fn applies(&self, effect: Effect, traveller: &Traveller) -> bool {
        match effect {
            Effect::KingBoo | Effect::Koopa | Effect::Chomp | Effect::Bowser => true,
            Effect::Toadette => self.captured.any(self.turn),
            Effect::Daisy => {
                let pending = Some(Pending::Daisy { piece: Some(traveller.at) });
                Self { pending, ..*self }.any_move()
            }
            Effect::Luigi => !self.may_turn(!self.turn).is_empty(),
            Effect::Waluigi => !self.may_turn(self.turn).is_empty(),
        }
    }
}
