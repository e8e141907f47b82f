//! The undo record: the men of the last turn where they are now, and where they were before it.

use std::fmt;

use crate::board::{Color, Direction, Role, Square};
use crate::rules::dynamo::castling::{Castling, SIDES};
use crate::rules::dynamo::position::Undo;
use crate::rules::dynamo::turns::{PROMOTIONS, spelling_order, within_power};
use crate::rules::dynamo::{Board, Position};
use crate::rules::{Action, Displacement, FenFault, Man, Turn};

/// The men of a record, in the order in which it names them.
pub(super) struct Men {
    appeared: Vec<(Man, Square)>,
    vanished: Vec<(Man, Square)>,
}

/// Men on the left of the record are those that stand on the board; off men are on the right only.
pub(super) fn write(position: &Position, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let moved = position.undo.as_ref().and_then(|undo| {
        let turn = match &undo.action {
            Action::Castle(side) => Castling::of(!position.side, *side).turn(),
            Action::Turn(turn) => *turn,
            _ => return None,
        };
        Some((turn, &undo.forbidden))
    });
    let Some((turn, forbidden)) = moved else { return f.write_str("-") };
    let parts = || std::iter::once(turn.lead).chain(turn.trail);
    let appeared = parts().filter_map(|part| part.to);
    let vanished = parts().map(|part| part.from);
    write!(f, "{}/{}", list(&position.board, appeared), list(forbidden, vanished))
}

fn list(board: &Board, squares: impl Iterator<Item = Square>) -> String {
    let men: Vec<String> = squares
        .filter_map(|square| {
            let man = board.man(square)?;
            Some(format!("{}{}{square}", man.color.letter(), man.role.letter()))
        })
        .collect();
    if men.is_empty() { "-".to_owned() } else { men.join(".") }
}

/// The men of a record; `None` for `-`.
pub(super) fn read_men(text: &str) -> Result<Option<Men>, FenFault> {
    if text == "-" {
        return Ok(None);
    }
    let men = text.split_once('/').and_then(|(appeared, vanished)| {
        Some(Men { appeared: read_list(appeared)?, vanished: read_list(vanished)? })
    });
    men.map(Some).ok_or_else(|| FenFault::Undo(text.to_owned()))
}

fn read_list(text: &str) -> Option<Vec<(Man, Square)>> {
    if text == "-" { Some(Vec::new()) } else { text.split('.').map(read_man).collect() }
}

fn read_man(text: &str) -> Option<(Man, Square)> {
    let mut letters = text.chars();
    let color = match letters.next()? {
        'w' => Color::White,
        'b' => Color::Black,
        _ => return None,
    };
    let role = Role::from_letter(letters.next().filter(char::is_ascii_lowercase)?)?;
    Some((Man::new(color, role), letters.as_str().parse().ok()?))
}

/// The turn of which the record tells, in its usual spelling, with the board before it.
///
/// `side` is the side to move. Two men of a kind may be told in two ways: then one within the power of the other side
/// is preferred. None need be: the record only says which board is forbidden.
pub(super) fn find_turn(men: Option<Men>, board: &Board, side: Color) -> Result<Option<Undo>, FenFault> {
    let Some(men) = men else { return Ok(None) };
    let forbidden = board_before(&men, board).ok_or(FenFault::UndoOfNoTurn)?;
    let action = castling(&men, !side).or_else(|| displaced(&men, &forbidden, !side));
    Ok(Some(Undo { action: action.ok_or(FenFault::UndoOfNoTurn)?, forbidden }))
}

fn displaced(men: &Men, before: &Board, mover: Color) -> Option<Action> {
    let possible = within_power(before, mover);
    let turns = pairings(men).into_iter().filter(is_along_a_line);
    turns.min_by_key(|turn| (!possible.contains(turn), spelling_order(turn))).map(Action::Turn)
}

/// The board minus what appeared plus what vanished, if the men fit.
fn board_before(men: &Men, board: &Board) -> Option<Board> {
    let mut before = *board;
    for &(man, square) in &men.appeared {
        (before.man(square)? == man).then(|| before.clear(square))?;
    }
    for &(man, square) in &men.vanished {
        let stuck = man.role == Role::Pawn && square.rank() == man.color.last_rank();
        (before.man(square).is_none() && !stuck).then(|| before.put(square, man.color, man.role))?;
    }
    Some(before)
}

fn castling(men: &Men, color: Color) -> Option<Action> {
    let of = |role| Man::new(color, role);
    let holds = |list: &[(Man, Square)], king, rook| {
        let pair = [(of(Role::King), king), (of(Role::Rook), rook)];
        list.len() == 2 && pair.iter().all(|man| list.contains(man))
    };
    let side = SIDES.into_iter().find(|&side| {
        let Castling { king, rook, .. } = Castling::of(color, side);
        let ends = king.to.zip(rook.to);
        holds(&men.vanished, king.from, rook.from)
            && ends.is_some_and(|(king, rook)| holds(&men.appeared, king, rook))
    });
    side.map(Action::Castle)
}

/// Every way to say which man went where, the front man being the lead or not.
fn pairings(men: &Men) -> Vec<Turn> {
    let gone = |man| displacement(man, None);
    let went = |from, to| displacement(from, Some(to));
    let alone = |lead: Option<Displacement>| lead.map(|lead| Turn { lead, trail: None });
    let both = |lead: Option<Displacement>, trail: Option<Displacement>| {
        lead.zip(trail).map(|(lead, trail)| Turn { lead, trail: Some(trail) })
    };
    let turns = match (men.vanished.as_slice(), men.appeared.as_slice()) {
        (&[a], &[]) => vec![alone(gone(a))],
        (&[a], &[x]) => vec![alone(went(a, x))],
        (&[a, b], &[]) => vec![both(gone(a), gone(b)), both(gone(b), gone(a))],
        (&[a, b], &[x]) => vec![both(gone(a), went(b, x)), both(gone(b), went(a, x))],
        (&[a, b], &[x, y]) => vec![
            both(went(a, x), went(b, y)),
            both(went(b, y), went(a, x)),
            both(went(a, y), went(b, x)),
            both(went(b, x), went(a, y)),
        ],
        _ => Vec::new(),
    };
    turns.into_iter().flatten().collect()
}

/// What happened to a man, if it is the same one or a pawn that promoted. Kings never leave.
fn displacement(was: (Man, Square), is: Option<(Man, Square)>) -> Option<Displacement> {
    let (man, from) = was;
    let Some((now, to)) = is else {
        return (man.role != Role::King).then_some(Displacement { from, to: None, promotion: None });
    };
    let arrived = man.role == Role::Pawn && to.rank() == man.color.last_rank();
    let promotion = arrived.then_some(now.role);
    let same = match promotion {
        Some(role) => PROMOTIONS.contains(&role),
        None => now.role == man.role,
    };
    (same && now.color == man.color && from != to).then_some(Displacement { from, to: Some(to), promotion })
}

/// Whether the lead is in front of the trail before and after, on one line along which both go.
fn is_along_a_line(turn: &Turn) -> bool {
    let lead = turn.lead;
    let Some(trail) = turn.trail else {
        return lead.to.is_none_or(|to| direction(lead.from, to).is_some());
    };
    let Some(course) = direction(trail.from, lead.from) else { return false };
    let follows = |start, end| direction(start, end) == Some(course);
    match (lead.to, trail.to) {
        (None, None) => true,
        (None, Some(end)) => follows(trail.from, end),
        (Some(_), None) => false,
        (Some(front), Some(end)) => {
            follows(lead.from, front) && follows(trail.from, end) && follows(end, front)
        }
    }
}

/// The unit step or the knight's jump from one square to another.
fn direction(from: Square, to: Square) -> Option<Direction> {
    let step = from.towards(to);
    let on_line = step.files == 0 || step.ranks == 0 || step.files.abs() == step.ranks.abs();
    if from == to {
        None
    } else if on_line {
        Some(step.unit())
    } else {
        Direction::KNIGHT.contains(&step).then_some(step)
    }
}
