//! The board as text, made from a view alone: what the viewer may not see cannot be drawn.
//!
//! ```text
//!      a b c d e f g h
//!    +-----------------+
//!  8 | r n b q k b n r | 8
//!  7 | p p p . p p p p | 7
//! ```

use chakart_core::board::{Bitboard, Color, File, Rank, Square};
use chakart_core::rules::{Man, Object, Occupant, Variant};
use chakart_core::view::View;

const FILES_MARGIN: &str = "    ";

/// How a board is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// Whose first rank is at the bottom.
    pub bottom: Color,
    /// Squares between brackets, such as those of the last move.
    pub marked: Bitboard,
}

impl Default for Drawing {
    fn default() -> Self {
        Self { bottom: Color::White, marked: Bitboard::EMPTY }
    }
}

/// The lines of the board, without a line end after the last.
#[must_use]
pub fn board(view: &View, drawing: Drawing) -> String {
    let mut ranks = Rank::ALL;
    let mut files = File::ALL;
    match drawing.bottom {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let letters: String = files.iter().map(|file| format!(" {}", file.letter())).collect();
    let edge = format!("   +{}+", "-".repeat(2 * files.len() + 1));
    let mut lines = vec![format!("{FILES_MARGIN}{letters}"), edge.clone()];
    lines.extend(ranks.iter().map(|&rank| {
        let label = rank.digit();
        let squares = files.map(|file| Square::at(file, rank));
        format!(" {label} |{}| {label}", row(view, &squares, drawing.marked))
    }));
    lines.push(edge);
    lines.push(format!("{FILES_MARGIN}{letters}"));
    lines.join("\n")
}

/// One rank: a letter each square, with a blank or a bracket on either side.
fn row(view: &View, squares: &[Square], marked: Bitboard) -> String {
    let is_marked = |index: Option<usize>| {
        index.and_then(|index| squares.get(index)).is_some_and(|&square| marked.contains(square))
    };
    let mut text = String::new();
    for index in 0..=squares.len() {
        text.push(match (is_marked(index.checked_sub(1)), is_marked(Some(index))) {
            (false, false) => ' ',
            (false, true) => '[',
            (true, false) => ']',
            (true, true) => '|',
        });
        if let Some(&square) = squares.get(index) {
            text.push(letter(view, square));
        }
    }
    text
}

/// What is drawn on a square.
#[must_use]
pub fn letter(view: &View, square: Square) -> char {
    match view.at(square) {
        Some(Occupant::Man(man)) => man.letter(),
        Some(Occupant::Object(object)) => object.letter(),
        None => match view.hidden {
            Some(queen) if queen.square == Some(square) => hidden_letter(queen.color),
            Some(queen) if queen.origin == Some(square) => '?',
            _ => '.',
        },
    }
}

const fn hidden_letter(color: Color) -> char {
    match color {
        Color::White => 'I',
        Color::Black => 'i',
    }
}

/// What the letters on this board mean, a line for each group that is on it.
#[must_use]
pub fn legend(view: &View) -> Vec<String> {
    [objects(view), immobilised(view), hidden(view)].into_iter().flatten().collect()
}

fn objects(view: &View) -> Option<String> {
    let here: Vec<String> = Object::ALL
        .into_iter()
        .filter(|&object| view.board.contains(&Some(Occupant::Object(object))))
        .map(|object| format!("{} {object}", object.letter()))
        .collect();
    (!here.is_empty()).then(|| format!("objects: {}", here.join(", ")))
}

fn immobilised(view: &View) -> Option<String> {
    let mut here: Vec<Man> = view
        .board
        .iter()
        .filter_map(|occupant| match occupant {
            Some(Occupant::Man(man)) if man.immobilised => Some(*man),
            _ => None,
        })
        .collect();
    here.sort_by_key(|man| man.letter());
    here.dedup();
    let words: Vec<String> =
        here.iter().map(|man| format!("{} {} {}", man.letter(), man.color, man.role)).collect();
    (!here.is_empty()).then(|| format!("immobilised by Bowser: {}", words.join(", ")))
}

/// What the viewer knows of a hidden queen.
#[must_use]
pub fn hidden(view: &View) -> Option<String> {
    let queen = view.hidden?;
    let origin = queen.origin.map_or_else(String::new, |origin| format!(" (? on {origin}, where she was)"));
    Some(match queen.square {
        Some(square) => format!(
            "hidden: {} {}'s queen on {square}, seen by {} alone{origin}",
            hidden_letter(queen.color),
            queen.color,
            queen.color
        ),
        None => format!("hidden: {}'s queen, somewhere{origin}", queen.color),
    })
}

/// How the game stands, a line each: rules and turn, decisions left by an egg, unused powers, captured men.
#[must_use]
pub fn status(view: &View) -> Vec<String> {
    let turn = match view.outcome {
        Some(outcome) => format!("{}: over, {outcome}", rules_line(view.variant)),
        None => format!("{}: turn {}, {} to decide", rules_line(view.variant), view.ply / 2 + 1, view.turn),
    };
    [Some(turn), view.pending.clone()].into_iter().flatten().chain(facts(view)).collect()
}

/// What the board does not show: passes in a row, unused powers, captured men; a line each.
#[must_use]
pub fn facts(view: &View) -> Vec<String> {
    [passes(view), powers(view), captured(view)].into_iter().flatten().collect()
}

/// Which rules a game is played by.
#[must_use]
pub fn rules_line(variant: Variant) -> String {
    format!("rules {variant}")
}

fn passes(view: &View) -> Option<String> {
    (view.passes > 0).then(|| format!("passes in a row: {} (the third ends the game as a draw)", view.passes))
}

fn powers(view: &View) -> Option<String> {
    let powers = view.powers?;
    let left = |color: Color| {
        let shell = powers.shell[color.index()].then_some("shell");
        let stealth = powers.stealth[color.index()].then_some("stealth move");
        let words: Vec<&str> = shell.into_iter().chain(stealth).collect();
        if words.is_empty() { "none".to_owned() } else { words.join(" and ") }
    };
    Some(format!("unused: White {}; Black {}", left(Color::White), left(Color::Black)))
}

fn captured(view: &View) -> Option<String> {
    let captured = view.captured?;
    let lost = |color: Color| -> String {
        chakart_core::board::Role::ALL
            .into_iter()
            .flat_map(|role| {
                let letter = Man::new(color, role).letter();
                std::iter::repeat_n(letter, usize::from(captured.count(color, role)))
            })
            .collect()
    };
    let (white, black) = (lost(Color::White), lost(Color::Black));
    let or_none = |men: String| if men.is_empty() { "none".to_owned() } else { men };
    (captured.any(Color::White) || captured.any(Color::Black))
        .then(|| format!("off the board: White {}; Black {}", or_none(white), or_none(black)))
}

/// Board, legend and status together, each line with its end.
#[must_use]
pub fn picture(view: &View, drawing: Drawing) -> String {
    let mut text = board(view, drawing);
    text.push('\n');
    for line in status(view).into_iter().chain(legend(view)) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use chakart_core::rules::{Game, Variant};

    use super::*;

    fn game(variant: Variant, fen: &str) -> Game {
        Game::from_fen(variant, fen).expect("a valid FEN")
    }

    #[test]
    fn objects_and_immobilised_men_are_explained() {
        let fen = r#"qbbrrn1k/pppppppp/5u2/4e3/1BwP4/3m4/PPP1PPPP/QBNN1KdO b 9 {"flags":"1010"}"#;
        let view = game(Variant::Chakart, fen).view(None, None);
        insta::assert_snapshot!(picture(&view, Drawing::default()));
    }

    #[test]
    fn the_board_turns_and_marks_squares() {
        let fen =
            "erk2rq1/1m2e1m1/mppmne1m/p1BpppPp/mm1P1QbP/1Nmnw1dm/e1mP2d1/1BwR1RKN b 30 1111 200000100000";
        let view = game(Variant::Chakart1st, fen).view(None, None);
        let marked = ["f8", "f6", "e6"].map(|square| square.parse().expect("a square")).into_iter().collect();
        insta::assert_snapshot!(picture(&view, Drawing { bottom: Color::Black, marked }));
    }

    #[test]
    fn only_its_owner_sees_a_hidden_queen() {
        let public = game(Variant::Chakart, r#"3k4/8/8/8/8/8/8/4K3 b 9 {"flags":"1011","hidden":"d1"}"#);
        let square = "h5".parse().ok();
        insta::assert_snapshot!(
            "hidden_queen_of_white",
            picture(&public.view(Some(Color::White), square), Drawing::default())
        );
        for viewer in [None, Some(Color::Black)] {
            let seen = picture(&public.view(viewer, square), Drawing::default());
            assert!(!seen.contains("h5") && !seen.contains('I'), "{seen}");
        }
        insta::assert_snapshot!(
            "hidden_queen_for_others",
            picture(&public.view(Some(Color::Black), square), Drawing::default())
        );
    }
}
