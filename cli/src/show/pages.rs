//! Pages that explain the rules of a variant, with boards drawn from positions.
//!
//! A page is a text of paragraphs between empty lines. A paragraph may begin with `for: NAMES`: it is then only on the
//! pages of these variants. A line `picture: BOARD SIDE ACTION BOARD` is drawn as the board before and after an action;
//! a line `= WORDS` is a heading.

use std::fmt::Write as _;

use chakart_core::board::Bitboard;
use chakart_core::rules::{Game, Variant};

use super::board::{self, Drawing};

const CHAKART: &str = include_str!("pages/chakart.txt");
const DYNAMO: &str = include_str!("pages/dynamo.txt");

/// The page of a variant.
#[must_use]
pub fn page(variant: Variant) -> String {
    let mut page = String::new();
    for paragraph in paragraphs(variant) {
        let separator = if page.is_empty() { "" } else { "\n" };
        page.push_str(separator);
        for line in paragraph {
            match (line.strip_prefix("= "), Picture::read(variant, line)) {
                (Some(heading), _) => drop(writeln!(page, "{}", heading.to_uppercase())),
                (None, Some(picture)) => page.push_str(&picture.draw()),
                (None, None) => drop(writeln!(page, "{line}")),
            }
        }
    }
    page
}

const fn source(variant: Variant) -> &'static str {
    match variant {
        Variant::Chakart | Variant::Chakart2nd | Variant::Chakart1st => CHAKART,
        Variant::Dynamo => DYNAMO,
    }
}

/// The paragraphs that are on the page of this variant, by lines.
fn paragraphs(variant: Variant) -> impl Iterator<Item = Vec<&'static str>> {
    let name = variant.info().name;
    source(variant).split("\n\n").filter_map(move |paragraph| {
        let lines: Vec<&str> = paragraph.trim_matches('\n').split('\n').collect();
        match lines.first().and_then(|line| line.strip_prefix("for: ")) {
            Some(names) if names.split(' ').any(|listed| listed == name) => Some(lines[1..].to_vec()),
            Some(_) => None,
            None => Some(lines),
        }
    })
}

/// An action with the position before it and one that may come of it.
struct Picture {
    before: Game,
    action: &'static str,
    after: Game,
}

impl Picture {
    fn read(variant: Variant, line: &'static str) -> Option<Self> {
        let [board, side, action, next]: [&str; 4] =
            line.strip_prefix("picture: ")?.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let other = if side == "w" { "b" } else { "w" };
        let position =
            |board, side| Game::from_fen(variant, &format!("{board} {side} {}", tail(variant))).ok();
        Some(Self { before: position(board, side)?, action, after: position(next, other)? })
    }

    fn draw(&self) -> String {
        let views = [&self.before, &self.after].map(|game| game.view(None, None));
        let changed: Bitboard = chakart_core::board::Square::all()
            .filter(|&square| views[0].at(square) != views[1].at(square))
            .collect();
        let drawing = Drawing { marked: changed, ..Drawing::default() };
        let [before, after] = views.map(|view| board::board(&view, drawing));
        let mut text = String::new();
        for (row, (left, right)) in before.lines().zip(after.lines()).enumerate() {
            let arrow = if row == 5 { self.action } else { "" };
            let _ = writeln!(text, "{}", format!("{left:25}{arrow:^13}{right}").trim_end());
        }
        text
    }
}

/// What follows the side to move in a FEN in the middle of a game.
const fn tail(variant: Variant) -> &'static str {
    match variant {
        Variant::Chakart | Variant::Chakart2nd => r#"20 {"flags":"1111"}"#,
        Variant::Chakart1st => "20 1111 000000000000",
        Variant::Dynamo => "20 iiii -",
    }
}

#[cfg(test)]
mod tests {
    use chakart_core::rules::{Rules as _, outcomes};

    use super::*;

    #[test]
    fn every_picture_shows_a_possible_outcome() {
        for variant in Variant::ALL {
            let lines: Vec<&str> =
                paragraphs(variant).flatten().filter(|line| line.starts_with("picture:")).collect();
            assert!(!lines.is_empty(), "{variant}");
            for line in lines {
                let picture = Picture::read(variant, line).expect("two positions and an action");
                let action = picture.before.parse_action(picture.action).expect("canonical text");
                let wanted = picture.after.fen();
                let board = |fen: &str| fen.split(' ').next().map(str::to_owned);
                let possible = outcomes(&picture.before, &action).expect("legal");
                assert!(
                    possible
                        .iter()
                        .filter_map(|outcome| outcome.fen.as_deref())
                        .any(|fen| board(fen) == board(&wanted)),
                    "{variant}: {line}"
                );
            }
        }
    }

    #[test]
    fn pages_fit_a_terminal() {
        for variant in Variant::ALL {
            let page = page(variant);
            let long: Vec<&str> = page.lines().filter(|line| line.chars().count() > 79).collect();
            assert_eq!(long, Vec::<&str>::new(), "{variant}");
            insta::assert_snapshot!(variant.info().name, page);
        }
    }
}
