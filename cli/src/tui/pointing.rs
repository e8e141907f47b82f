//! Which actions a person means by pointing at squares.

use chakart_core::board::{Bitboard, Color, Square};
use chakart_core::rules::Action;
pub(super) use chakart_core::scene::Point;
use chakart_core::scene::{Way, ways};

/// The actions that one square means.
pub(super) fn at_once(legal: &[Action], color: Color, square: Square) -> Vec<Action> {
    fitting(legal, color, |way| *way == Way { from: square, to: None })
}

/// The actions that a square and then another point mean, those of one man first.
pub(super) fn between(legal: &[Action], color: Color, from: Square, to: Point) -> Vec<Action> {
    let mut fits = fitting(legal, color, |way| *way == Way { from, to: Some(to) });
    fits.sort_by_key(|action| matches!(action, Action::Turn(turn) if turn.trail.is_some()));
    fits
}

/// Whether some action begins at a square.
pub(super) fn begins(legal: &[Action], color: Color, square: Square) -> bool {
    legal.iter().any(|action| ways(action, color).iter().any(|way| way.from == square && way.to.is_some()))
}

/// The squares to which the actions that begin at `from` go; without one, the squares that mean an action at once.
pub(super) fn targets(legal: &[Action], color: Color, from: Option<Square>) -> Bitboard {
    let ways = legal.iter().flat_map(|action| ways(action, color));
    ways.filter_map(|way| match (way, from) {
        (Way { from: start, to: Some(Point::On(to)) }, Some(from)) if start == from => Some(to),
        (Way { from: square, to: None }, None) => Some(square),
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
            (Variant::Dynamo, "r3k2r/8/8/8/8/8/8/R3K2R w 20 iiii -"),
        ];
        for (variant, fen) in positions {
            let game = Game::from_fen(variant, fen).expect("a position");
            let legal = game.legal_actions();
            assert!(!legal.is_empty(), "{variant}");
            for action in &legal {
                let found = ways(action, game.turn()).into_iter().any(|Way { from, to }| {
                    let fits = match to {
                        None => at_once(&legal, game.turn(), from),
                        Some(to) => between(&legal, game.turn(), from, to),
                    };
                    fits.contains(action)
                });
                assert!(found, "{variant}: {action}");
            }
        }
    }
}
