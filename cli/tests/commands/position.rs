//! The beginning of a game, seen through several commands.

use super::story::Person::{Ada, Bob};
use super::story::Story;

#[test]
fn a_game_begins() {
    let mut story = Story::of_a_game("dynamo");
    story.types_both(Ada, &["games"]);
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["show", "bob-1", "--flip"]);
    story.types(Ada, &["show", "nobody-1"]);
    story.types(Ada, &["show", "nobody-1", "--json"]);
    story.types(Ada, &["odds", "bob-1", "e2e4"]);
    story.types(Ada, &["odds", "bob-1", "e2e1"]);
    story.types(Ada, &["odds", "bob-1", "nonsense"]);
    story.types(Ada, &["move", "bob-1", "e2e1"]);
    story.types(Ada, &["move", "bob-1", "nonsense"]);
    story.types(Ada, &["move", "bob-1", "nonsense", "--json"]);
    story.types(Bob, &["move", "ada-1", "e7e5"]);
    story.types(Bob, &["moves", "ada-1"]);
    story.types(Ada, &["move", "bob-1", "e2e4"]);
    story.types(Ada, &["move", "bob-1", "d2d4"]);
    story.types(Ada, &["games"]);
    insta::assert_snapshot!(story.record());
}
