//! What cannot be played at the boards, and the demonstration: `play`, `demo`.

use super::story::Person::Ada;
use super::story::Story;

#[test]
fn only_a_known_game_has_a_board() {
    let mut story = Story::of_two();
    story.types(Ada, &["play", "carol-1"]);
    story.types(Ada, &["play"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn the_lobby_needs_a_terminal() {
    let mut story = Story::of_two();
    story.types(Ada, &[]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_demonstration_is_played() {
    let mut story = Story::without_homes();
    story.types(Ada, &["demo", "--seed", "5", "--plies", "2"]);
    story.types(Ada, &["demo", "--quiet", "--seed", "5", "--plies", "2", "--out", "other.chakart"]);
    story.write_private("letter", "Dear Bob,\n");
    story.types(Ada, &["demo", "--quiet", "--seed", "5", "--plies", "2", "--out", "letter"]);
    story.types(Ada, &["demo", "--variant", "checkers"]);
    story.types(Ada, &["demo", "--seed", "many"]);
    insta::assert_snapshot!(story.record());
}
