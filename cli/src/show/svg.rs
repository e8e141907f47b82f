//! The board as a picture in SVG, made from a view alone, with the shapes of one symbol sheet.

use std::fmt::Write as _;

use chakart_core::board::{Color, File, Rank, Role, Square};
use chakart_core::rules::{Man, Object, Occupant};
use chakart_core::view::View;

use super::board::Drawing;

/// The shapes of men and objects; a man's fill and outline come from where it is used.
pub const SYMBOLS: &str = include_str!("../../assets/symbols.svg");

/// Width of a square, in pixels of the picture.
const SQUARE: usize = 48;
/// Width of the margin with the letters, in pixels.
const MARGIN: usize = 22;
/// Size of a file's letter or a rank's digit, in pixels: that of its symbol.
const LABEL_WIDTH: usize = 8;
const LABEL_HEIGHT: usize = 14;
const LIGHT: &str = "#ead9b7";
const DARK: &str = "#9b7b56";
const FRAME: &str = "#4a3826";

/// A whole picture: coordinates, squares, men, objects, and corners round the marked squares.
#[must_use]
pub fn picture(view: &View, drawing: Drawing) -> String {
    let size = 8 * SQUARE + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" width=\"{size}\" height=\"{size}\">\n\
         <title>{}</title>\n{}\n<rect width=\"{size}\" height=\"{size}\" fill=\"{FRAME}\"/>\n",
        title(view),
        symbols(),
    );
    for square in Square::all() {
        let (x, y) = place(square, drawing.bottom);
        let fill =
            if (square.file() as usize + square.rank() as usize).is_multiple_of(2) { DARK } else { LIGHT };
        let _ = writeln!(svg, r#"<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{fill}"/>"#);
        if drawing.marked.contains(square) {
            let _ = writeln!(svg, "{}", corners(x, y));
        }
        svg.push_str(&occupant(view, square, x, y));
    }
    svg.push_str(&letters(drawing.bottom));
    svg.push_str("</svg>\n");
    svg
}

fn title(view: &View) -> String {
    format!("{}, {} to decide", view.variant, view.turn)
}

/// The symbols without the element around them.
fn symbols() -> &'static str {
    let inside = SYMBOLS.split_once(">\n").map_or("", |(_, rest)| rest);
    inside.trim_end().trim_end_matches("</svg>").trim_end()
}

/// The upper left corner of a square.
fn place(square: Square, bottom: Color) -> (usize, usize) {
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    let (column, row) = match bottom {
        Color::White => (file, 7 - rank),
        Color::Black => (7 - file, rank),
    };
    (MARGIN + column * SQUARE, MARGIN + row * SQUARE)
}

fn occupant(view: &View, square: Square, x: usize, y: usize) -> String {
    match view.at(square) {
        Some(Occupant::Man(man)) => self::man(man, x, y),
        Some(Occupant::Object(object)) => used(object_name(object), "", x, y),
        None => match view.hidden {
            Some(queen) if queen.square == Some(square) => {
                let faint = format!("{} opacity=\"0.55\"", paint(queen.color));
                used("queen", &faint, x, y) + &used("hidden", &paint(queen.color), x, y)
            }
            Some(queen) if queen.origin == Some(square) => used("hidden", &paint(queen.color), x, y),
            _ => String::new(),
        },
    }
}

fn man(man: Man, x: usize, y: usize) -> String {
    let shape = used(role_name(man.role), &paint(man.color), x, y);
    if man.immobilised { shape + &used("immobilised", "", x, y) } else { shape }
}

fn used(symbol: &str, paint: &str, x: usize, y: usize) -> String {
    format!(
        "<use href=\"#{symbol}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" stroke-width=\"1.8\" \
         stroke-linejoin=\"round\" stroke-linecap=\"round\" {paint}/>\n"
    )
}

fn paint(color: Color) -> String {
    let (fill, line) = match color {
        Color::White => ("#fbf6ea", "#2a2018"),
        Color::Black => ("#2c2a33", "#f0e6d2"),
    };
    format!("fill=\"{fill}\" stroke=\"{line}\"")
}

/// A shape, not only a colour, so that the last move is seen by everybody.
fn corners(x: usize, y: usize) -> String {
    let (a, b, c, d) = (x + 2, x + SQUARE - 2, y + 2, y + SQUARE - 2);
    let path =
        format!("M{a} {}V{c}h10M{} {c}h10v10M{b} {}v10h-10M{} {d}H{a}v-10", c + 10, b - 10, d - 10, a + 10);
    format!("<path d=\"{path}\" fill=\"none\" stroke=\"#1f6fb2\" stroke-width=\"3.5\"/>")
}

/// Files and ranks on all four sides, as shapes: a picture needs no font.
fn letters(bottom: Color) -> String {
    let mut text = String::new();
    let edge = 8 * SQUARE + MARGIN;
    // Where the middle of a label is.
    let mut label = |x: usize, y: usize, letter: char| {
        let (left, top) = (x - LABEL_WIDTH / 2, y - LABEL_HEIGHT / 2);
        let _ = writeln!(
            text,
            "<use href=\"#label-{letter}\" x=\"{left}\" y=\"{top}\" width=\"{LABEL_WIDTH}\" height=\"{LABEL_HEIGHT}\" \
             stroke=\"#f0e6d2\" stroke-width=\"1.3\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
        );
    };
    for file in File::ALL {
        let (x, _) = place(Square::at(file, Rank::ALL[0]), bottom);
        label(x + SQUARE / 2, MARGIN / 2, file.letter());
        label(x + SQUARE / 2, edge + MARGIN / 2, file.letter());
    }
    for rank in Rank::ALL {
        let (_, y) = place(Square::at(File::ALL[0], rank), bottom);
        label(MARGIN / 2, y + SQUARE / 2, rank.digit());
        label(edge + MARGIN / 2, y + SQUARE / 2, rank.digit());
    }
    text
}

const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

const fn object_name(object: Object) -> &'static str {
    match object {
        Object::Bomb => "bomb",
        Object::Banana => "banana",
        Object::Egg => "egg",
        Object::Mushroom => "mushroom",
    }
}

#[cfg(test)]
mod tests {
    use chakart_core::board::Bitboard;
    use chakart_core::rules::{Game, Variant};

    use super::*;

    fn view(fen: &str) -> View {
        Game::from_fen(Variant::Chakart, fen).expect("a position").view(None, None)
    }

    #[test]
    fn every_shape_that_is_used_is_on_the_sheet() {
        let names = Role::ALL.map(role_name).into_iter().chain(Object::ALL.map(object_name));
        let labels = "abcdefgh12345678".chars().map(|letter| format!("label-{letter}"));
        for name in names.chain(["hidden", "immobilised"]).map(str::to_owned).chain(labels) {
            assert!(SYMBOLS.contains(&format!("<symbol id=\"{name}\"")), "{name}");
        }
    }

    #[test]
    fn black_at_the_bottom_turns_the_board_round() {
        let start = view("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w 0 {\"flags\":\"0000\"}");
        let marked = Bitboard::of(Square::at(File::ALL[0], Rank::ALL[0]));
        let white = picture(&start, Drawing { bottom: Color::White, marked });
        let black = picture(&start, Drawing { bottom: Color::Black, marked });
        assert!(
            white.contains(&corners(MARGIN, MARGIN + 7 * SQUARE))
                && black.contains(&corners(MARGIN + 7 * SQUARE, MARGIN))
        );
        assert_eq!(white.matches("<use ").count(), black.matches("<use ").count());
    }

    #[test]
    fn a_board_with_everything_is_drawn_as_before() {
        let view = view("rnbqkbnr/ppppoppp/8/3e4/2m1w3/5d2/PPPPPPPP/RNBTKBNR w 8 {\"flags\":\"0000\"}");
        insta::assert_snapshot!(picture(&view, Drawing::default()));
    }
}
