//! Events applied to a board, one after the other: for animation, and to check that events tell the whole story.

use super::{Event, Man, Object, Occupant};
use crate::board::{Role, Square};

/// What stands or lies on each square for everybody to see, by [`Square::index`].
pub type Squares = [Option<Occupant>; Square::COUNT];

/// Applies one event. The events of an action, applied in order to the visible board before it, give the visible
/// board after it.
pub fn apply(board: &mut Squares, event: &Event) {
    match *event {
        Event::Moved { man, from, to } => {
            clear(board, from);
            put_man(board, to, man);
        }
        Event::Dropped { man, to } => put_man(board, to, man),
        Event::Revealed { color, square } => {
            put_man(board, square, Man::new(color, Role::Queen));
        }
        Event::Hid { from, .. } | Event::WentOff { from, .. } => clear(board, from),
        Event::Captured { square, .. }
        | Event::Consumed { square, .. }
        | Event::Destroyed { square, .. }
        | Event::Withdrawn { square }
        | Event::Chomped { square, .. } => clear(board, square),
        Event::Placed { object, square } => put_object(board, square, object),
        Event::Swapped { low, high } => board.swap(low.index(), high.index()),
        Event::Returned { from, to } => {
            let man = board[from.index()].take();
            board[to.index()] = man;
        }
        Event::Promoted { square, role } => change(board, square, |man| Man { role, ..man }),
        Event::Freed { square } => change(board, square, |man| Man { immobilised: false, ..man }),
        Event::Immobilised { square } => change(board, square, |man| Man { immobilised: true, ..man }),
        Event::Turned { square, color } => change(board, square, |man| Man { color, ..man }),
        Event::ShellThrown { .. }
        | Event::Passed { .. }
        | Event::Chance { .. }
        | Event::Forced { .. }
        | Event::Hatched { .. }
        | Event::Ended { .. } => {}
    }
}

fn clear(board: &mut Squares, square: Square) {
    board[square.index()] = None;
}

fn put_man(board: &mut Squares, square: Square, man: Man) {
    board[square.index()] = Some(Occupant::Man(man));
}

fn put_object(board: &mut Squares, square: Square, object: Object) {
    board[square.index()] = Some(Occupant::Object(object));
}

fn change(board: &mut Squares, square: Square, change: impl FnOnce(Man) -> Man) {
    if let Some(Occupant::Man(man)) = &mut board[square.index()] {
        *man = change(*man);
    }
}
