//! What a position knows beside its board: unused powers, the pending decision, the hidden queen, captured men.

use crate::board::{Color, Role, Square};

/// Powers that a side may still use, each once a game (section 2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Powers {
    /// Throwing a shell, by [`Color::index`].
    pub shell: [bool; 2],
    /// Moving a queen unseen, by [`Color::index`].
    pub stealth: [bool; 2],
}

/// A decision that an egg has left to the player who moved (section 9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pending {
    /// Swap two pieces; in the first edition one of them is `piece`.
    KingBoo {
        /// The square of the piece that moved, where it matters.
        piece: Option<Square>,
    },
    /// Move again; in the first edition with `piece`.
    Daisy {
        /// The square of the piece that moved, where it matters.
        piece: Option<Square>,
    },
    /// Drop a piece of this kind; in the first edition any captured one.
    Toadette {
        /// The kind that chance gave.
        role: Option<Role>,
    },
}

/// Where the hidden queen is, as far as this state knows. She belongs to the side not to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hidden {
    /// No queen is hidden.
    None,
    /// A true state: she stands here.
    At(Square),
    /// A public state: she has left this square.
    From(Square),
}

/// How many men of each side and role have left the board (section 13, first edition; zero elsewhere).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Captured([[u8; 6]; 2]);

impl Powers {
    /// All four powers.
    pub const ALL: Self = Self { shell: [true; 2], stealth: [true; 2] };
}

impl Captured {
    /// The largest count that a FEN can tell. No game from a starting array comes near it.
    pub const MAX: u8 = 35;

    /// How many men of this side and role are off the board.
    #[must_use]
    pub const fn count(&self, color: Color, role: Role) -> u8 {
        self.0[color.index()][role.index()]
    }

    /// Whether a side has lost any man.
    #[must_use]
    pub fn any(&self, color: Color) -> bool {
        self.0[color.index()].iter().any(|count| *count > 0)
    }

    /// Sets a count, at most [`Captured::MAX`].
    pub(super) fn set(&mut self, color: Color, role: Role, count: u8) {
        self.0[color.index()][role.index()] = count.min(Self::MAX);
    }

    /// One more man has left the board.
    pub(super) fn add(&mut self, color: Color, role: Role) {
        self.set(color, role, self.count(color, role) + 1);
    }

    /// One man has come back.
    pub(super) fn take(&mut self, color: Color, role: Role) {
        self.set(color, role, self.count(color, role).saturating_sub(1));
    }
}
