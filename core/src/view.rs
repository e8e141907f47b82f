//! What one player, or the public, may see of a game. Every display is made from views, never from a full state.

use crate::board::{Color, Role, Square};
use crate::rules::chakart::{Captured, Hidden, Pending, Position, Powers};
use crate::rules::dynamo::Dynamo;
use crate::rules::{Effect, Event, Game, Occupant, Outcome, Rules as _, Squares, Variant, pending_sentence};

/// What a viewer may see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The rules of the game.
    pub variant: Variant,
    /// What stands or lies on each square for everybody to see, by [`Square::index`].
    pub board: Squares,
    /// The player to decide.
    pub turn: Color,
    /// Whole turns played.
    pub ply: u32,
    /// How the game ended by its rules, if it did.
    pub outcome: Option<Outcome>,
    /// The decision that an egg has left to the player to decide, in words.
    pub pending: Option<String>,
    /// Powers that are still unused, in Chakart.
    pub powers: Option<Powers>,
    /// Captured men that Toadette can bring back, in the first edition of Chakart.
    pub captured: Option<Captured>,
    /// Passes in a row up to here; the third ends the game.
    pub passes: u8,
    /// The queen that is hidden, if one is.
    pub hidden: Option<HiddenQueen>,
}

/// What a viewer knows of a hidden queen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HiddenQueen {
    /// Whose queen.
    pub color: Color,
    /// The square that she left, if it is known.
    pub origin: Option<Square>,
    /// Where she is: known to her owner only.
    pub square: Option<Square>,
}

impl Game {
    /// What `viewer` may see; `None` is the public.
    ///
    /// `self` is the public state. `own_queen` is the square of the viewer's own hidden queen, if the viewer knows of
    /// one; it is left aside where the hidden queen is not the viewer's.
    #[must_use]
    pub fn view(&self, viewer: Option<Color>, own_queen: Option<Square>) -> View {
        match self {
            Self::Chakart(position) => of_chakart(position, viewer, own_queen),
            Self::Dynamo(game) => of_dynamo(game),
        }
    }
}

impl View {
    /// What everybody sees on a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Occupant> {
        self.board[square.index()]
    }

    /// Goes one event on, for animation: the board only.
    pub fn apply(&mut self, event: &Event) {
        crate::rules::apply(&mut self.board, event);
    }
}

fn of_chakart(position: &Position, viewer: Option<Color>, own_queen: Option<Square>) -> View {
    let mut board = [None; Square::COUNT];
    for square in Square::all() {
        board[square.index()] = position.occupant_at(square);
    }
    let counted = position.edition().toadette_returns_captured;
    View {
        variant: position.edition().variant,
        board,
        turn: position.turn(),
        ply: position.ply(),
        outcome: position.outcome(),
        pending: position.pending().map(|pending| pending_words(position.turn(), pending)),
        powers: Some(position.powers()),
        captured: counted.then(|| position.captured()),
        passes: position.passes(),
        hidden: hidden_queen(position, viewer, own_queen),
    }
}

/// Nothing is hidden: all viewers see the same.
fn of_dynamo(game: &Dynamo) -> View {
    let position = game.position();
    let mut board = [None; Square::COUNT];
    for square in Square::all() {
        board[square.index()] = position.board().man(square).map(Occupant::Man);
    }
    View {
        variant: Variant::Dynamo,
        board,
        turn: position.turn(),
        ply: position.halfmoves(),
        outcome: game.outcome(),
        pending: None,
        powers: None,
        captured: None,
        passes: 0,
        hidden: None,
    }
}

fn hidden_queen(
    position: &Position,
    viewer: Option<Color>,
    own_queen: Option<Square>,
) -> Option<HiddenQueen> {
    let color = !position.turn();
    let owner = viewer == Some(color);
    match position.hidden() {
        Hidden::None => None,
        Hidden::From(origin) => {
            Some(HiddenQueen { color, origin: Some(origin), square: own_queen.filter(|_| owner) })
        }
        Hidden::At(square) => Some(HiddenQueen { color, origin: None, square: owner.then_some(square) }),
    }
}

fn pending_words(color: Color, pending: Pending) -> String {
    let detail = |square: Option<Square>| square.map(|square| square.to_string());
    let (effect, detail) = match pending {
        Pending::KingBoo { piece } => (Effect::KingBoo, detail(piece)),
        Pending::Daisy { piece } => (Effect::Daisy, detail(piece)),
        Pending::Toadette { role } => (Effect::Toadette, role.as_ref().map(Role::to_string)),
    };
    pending_sentence(color, effect, detail.as_deref())
}
