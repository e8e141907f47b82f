//! Which actions a person means by pointing at squares.

use chakart_core::board::{Bitboard, Color, Square};
use chakart_core::rules::{Action, Displacement};

/// What is pointed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Point {
    /// A square.
    On(Square),
    /// Beside the board: a man leaves it.
    Off,
}

/// One way to point at an action: at a square, or at a square and then at something else.
type Way = (Square, Option<Point>);

/// The ways to point at an action of `color`; none for a pass.
fn ways(action: &Action, color: Color) -> Vec<Way> {
    let on = |from, to| (from, Some(Point::On(to)));
    let part = |part: &Displacement| (part.from, Some(part.to.map_or(Point::Off, Point::On)));
    match action {
        Action::Move { from, to, .. } | Action::Stealth { from, to } | Action::Shell { from, to } => {
            vec![on(*from, *to)]
        }
        Action::Drop { to, .. } => vec![(*to, None)],
        Action::Swap { low, high } => vec![on(*low, *high), on(*high, *low)],
        Action::Turn(turn) => std::iter::once(&turn.lead).chain(&turn.trail).map(part).collect(),
        Action::Castle(side) => {
            let (from, to) = side.king_squares(color);
            vec![on(from, to)]
        }
        Action::Pass | Action::Unseen { .. } => Vec::new(),
    }
}

/// The actions that one square means.
pub(super) fn at_once(legal: &[Action], color: Color, square: Square) -> Vec<Action> {
    fitting(legal, color, |way| *way == (square, None))
}

/// The actions that a square and then another point mean, those of one man first.
pub(super) fn between(legal: &[Action], color: Color, from: Square, to: Point) -> Vec<Action> {
    let mut fits = fitting(legal, color, |way| *way == (from, Some(to)));
    fits.sort_by_key(|action| matches!(action, Action::Turn(turn) if turn.trail.is_some()));
    fits
}

/// Whether some action begins at a square.
pub(super) fn begins(legal: &[Action], color: Color, square: Square) -> bool {
    legal.iter().any(|action| ways(action, color).iter().any(|(from, to)| *from == square && to.is_some()))
}

/// The squares to which the actions that begin at `from` go; without one, the squares that mean an action at once.
pub(super) fn targets(legal: &[Action], color: Color, from: Option<Square>) -> Bitboard {
    let ways = legal.iter().flat_map(|action| ways(action, color));
    ways.filter_map(|way| match (way, from) {
        ((start, Some(Point::On(to))), Some(from)) if start == from => Some(to),
        ((square, None), None) => Some(square),
        _ => None,
    })
    .collect()
}

/// Whether a man on `from` may leave the board.
pub(super) fn may_leave(legal: &[Action], color: Color, from: Square) -> bool {
    !between(legal, color, from, Point::Off).is_empty()
}

fn fitting(legal: &[Action], color: Color, fits: impl Fn(&Way) -> bool) -> Vec<Action> {
    legal.iter().copied().filter(|action| ways(action, color).iter().any(&fits)).collect()
}

#[cfg(test)]
mod tests {
    use chakart_core::rules::{Game, Rules as _, Variant};

    use super::*;

    /// Every legal action but a pass can be pointed at, whatever the variant and whatever an egg has left to decide.
    #[test]
    fn every_action_can_be_pointed_at() {
        let positions = [
            (Variant::Chakart, r#"r3k2r/1P6/8/4p3/4d3/3P4/4e3/3QK3 w 20 {"flags":"1111"}"#),
            (Variant::Chakart, r#"7k/8/8/8/8/8/8/R3K3 w 20 {"flags":"0000","pending":"toadette:n"}"#),
            (Variant::Chakart, r#"7k/8/8/8/8/8/8/R3K3 w 20 {"flags":"0000","pending":"kingboo"}"#),
            (Variant::Dynamo, "r3k2r/8/8/8/8/8/8/R3K2R w 20 aahh -"),
        ];
        for (variant, fen) in positions
            .iter()
            .filter_map(|(variant, fen)| Some((*variant, Game::from_fen(*variant, fen).ok()?)))
        {
            let legal = fen.legal_actions();
            assert!(!legal.is_empty(), "{variant}");
            for action in &legal {
                let found = ways(action, fen.turn()).into_iter().any(|(from, to)| {
                    let fits = match to {
                        None => at_once(&legal, fen.turn(), from),
                        Some(to) => between(&legal, fen.turn(), from, to),
                    };
                    fits.contains(action)
                });
                assert!(found, "{variant}: {action}");
            }
        }
    }
}
