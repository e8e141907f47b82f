//! The visible men and the objects, as sets of squares.

use crate::board::{Bitboard, Color, Role, Square};
use crate::rules::{Man, Object, Occupant};

/// Which man or object is on which square. Hidden queens are not on it. A square has at most one occupant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Board {
    sides: [Bitboard; 2],
    roles: [Bitboard; 6],
    immobilised: Bitboard,
    objects: [Bitboard; 4],
}

impl Board {
    /// All men of a side.
    pub(super) const fn side(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    /// All men.
    pub(super) fn men(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// All men of a role.
    pub(super) const fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// All men hit by Bowser.
    pub(super) const fn immobilised(&self) -> Bitboard {
        self.immobilised
    }

    /// All objects of a kind.
    pub(super) const fn object(&self, object: Object) -> Bitboard {
        self.objects[object.index()]
    }

    /// Bananas and bombs: what stops a slider and sends a piece on.
    pub(super) fn traps(&self) -> Bitboard {
        self.object(Object::Banana) | self.object(Object::Bomb)
    }

    /// All objects.
    pub(super) fn objects(&self) -> Bitboard {
        self.traps() | self.object(Object::Egg) | self.object(Object::Mushroom)
    }

    /// The role of the man on a square.
    pub(super) fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|role| self.role(*role).contains(square))
    }

    /// The man on a square.
    pub(super) fn man_at(&self, square: Square) -> Option<Man> {
        let color = Color::ALL.into_iter().find(|color| self.side(*color).contains(square))?;
        let role = self.role_at(square)?;
        Some(Man { color, role, immobilised: self.immobilised.contains(square) })
    }

    /// The object on a square.
    pub(super) fn object_at(&self, square: Square) -> Option<Object> {
        Object::ALL.into_iter().find(|object| self.object(*object).contains(square))
    }

    /// What is on a square.
    pub(super) fn occupant_at(&self, square: Square) -> Option<Occupant> {
        self.man_at(square).map(Occupant::Man).or_else(|| self.object_at(square).map(Occupant::Object))
    }

    /// Puts a man on a square that holds no other man; an object there is gone.
    pub(super) fn put_man(&mut self, square: Square, man: Man) {
        self.take_object(square);
        self.sides[man.color.index()].insert(square);
        self.roles[man.role.index()].insert(square);
        if man.immobilised {
            self.immobilised.insert(square);
        }
    }

    /// Takes the man off a square.
    pub(super) fn take_man(&mut self, square: Square) -> Option<Man> {
        let man = self.man_at(square)?;
        self.sides[man.color.index()].remove(square);
        self.roles[man.role.index()].remove(square);
        self.immobilised.remove(square);
        Some(man)
    }

    /// Puts an object on a square that holds no man; it replaces an object.
    pub(super) fn put_object(&mut self, square: Square, object: Object) {
        self.take_object(square);
        self.objects[object.index()].insert(square);
    }

    /// Takes the object off a square.
    pub(super) fn take_object(&mut self, square: Square) -> Option<Object> {
        let object = self.object_at(square)?;
        self.objects[object.index()].remove(square);
        Some(object)
    }
}
