//! Men and objects drawn large, for squares of eleven by five cells: two dots in each cell, one above the other.

use chakart_core::board::Role;
use chakart_core::rules::Object;

/// Dots of a row.
const WIDTH: usize = 9;
/// Rows of dots: two for each row of cells.
const HEIGHT: usize = 10;

/// Rows of dots, the upper one first: `#` is drawn.
pub(super) type Sprite = [&'static str; HEIGHT];

/// The rows of cells of a sprite, the upper one first.
pub(super) fn rows(sprite: &Sprite) -> impl Iterator<Item = String> {
    sprite.chunks(2).map(|rows| {
        let dots = |row: usize| rows.get(row).copied().unwrap_or_default().bytes();
        dots(0).zip(dots(1)).take(WIDTH).map(|(upper, lower)| cell(upper == b'#', lower == b'#')).collect()
    })
}

const fn cell(upper: bool, lower: bool) -> char {
    match (upper, lower) {
        (false, false) => ' ',
        (true, false) => '▀',
        (false, true) => '▄',
        (true, true) => '█',
    }
}

/// A man.
pub(super) const fn man(role: Role) -> &'static Sprite {
    match role {
        Role::Pawn => &PAWN,
        Role::Knight => &KNIGHT,
        Role::Bishop => &BISHOP,
        Role::Rook => &ROOK,
        Role::Queen => &QUEEN,
        Role::King => &KING,
    }
}

/// An object.
pub(super) const fn object(object: Object) -> &'static Sprite {
    match object {
        Object::Bomb => &BOMB,
        Object::Banana => &BANANA,
        Object::Egg => &EGG,
        Object::Mushroom => &MUSHROOM,
    }
}

const PAWN: Sprite = [
    ".........",
    ".........",
    "...###...",
    "..#####..",
    "..#####..",
    "...###...",
    "..#####..",
    ".#######.",
    ".#######.",
    ".........",
];
const KNIGHT: Sprite = [
    ".........",
    "...#.#...",
    "..#####..",
    ".##.####.",
    "########.",
    "###.####.",
    "...#####.",
    "..#####..",
    ".#######.",
    ".........",
];
const BISHOP: Sprite = [
    "....#....",
    "...###...",
    "..###.#..",
    "..##.##..",
    "..#####..",
    "...###...",
    "...###...",
    "..#####..",
    ".#######.",
    ".........",
];
const ROOK: Sprite = [
    ".........",
    ".##.#.##.",
    ".#######.",
    "..#####..",
    "..#####..",
    "..#####..",
    "..#####..",
    ".#######.",
    ".#######.",
    ".........",
];
const QUEEN: Sprite = [
    "....#....",
    "#..###..#",
    "##..#..##",
    "##.###.##",
    ".#######.",
    ".#######.",
    "..#####..",
    ".#######.",
    ".#######.",
    ".........",
];
const KING: Sprite = [
    "....#....",
    "...###...",
    "....#....",
    ".##.#.##.",
    "####.####",
    "#########",
    ".#######.",
    "..#####..",
    ".#######.",
    ".........",
];
const BOMB: Sprite = [
    ".......#.",
    "......#..",
    ".....#...",
    "..#####..",
    ".##.####.",
    ".#.#####.",
    ".#######.",
    ".#######.",
    "..#####..",
    ".........",
];
const BANANA: Sprite = [
    ".........",
    ".......#.",
    ".......#.",
    "......##.",
    "......##.",
    "#....###.",
    "##.####..",
    ".#####...",
    "...#.....",
    ".........",
];
const EGG: Sprite = [
    ".........",
    "...###...",
    "..#####..",
    ".##.####.",
    ".#.#####.",
    ".#######.",
    ".#######.",
    ".#######.",
    "..#####..",
    ".........",
];
const MUSHROOM: Sprite = [
    ".........",
    "..#####..",
    ".#..#..#.",
    "##..#..##",
    "#########",
    "..#####..",
    "..#.#.#..",
    "..#####..",
    "...###...",
    ".........",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sprite_has_its_size_and_is_like_no_other() {
        let sprites: Vec<&Sprite> =
            Role::ALL.into_iter().map(man).chain(Object::ALL.into_iter().map(object)).collect();
        for (index, sprite) in sprites.iter().enumerate() {
            assert!(sprite.iter().all(|row| row.len() == WIDTH), "{sprite:?}");
            assert!(!sprites[..index].contains(sprite), "{sprite:?}");
            assert_eq!(rows(sprite).map(|row| row.chars().count()).collect::<Vec<_>>(), [WIDTH; HEIGHT / 2]);
        }
    }
}
