//! What is there: `games`, `show`, `delete`.

use super::story::Person::{Ada, Bob};
use super::story::Story;

#[test]
fn games_lists_offers_invites_and_games() {
    let mut story = Story::of_two();
    story.types_both(Ada, &["games"]);
    story.types(Ada, &["games", "--watch", "--json"]);
    story.done(Ada, &["new", "--no-wait", "--variant", "dynamo", "--time", "10d+1d", "--name", "Ada"]);
    story.types_both(Ada, &["games"]);
    let block = story.done(Ada, &["send", "offer-1"]);
    story.types_with(Bob, &["receive"], &block);
    story.types_both(Bob, &["games"]);
    story.done(Bob, &["friend", "add", "ada", Ada.key()]);
    story.types(Bob, &["games"]);
    story.done(Bob, &["join", "invite-1", "--no-wait", "--name", "Bob"]);
    story.types(Bob, &["games"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn games_puts_those_first_in_which_it_is_your_turn() {
    let mut story = Story::of_a_game("dynamo");
    story.done(Ada, &["move", "bob-1", "e2e4"]);
    story.begin("dynamo", "3d");
    story.begin("chakart", "none");
    story.done(Ada, &["resign", "bob-3", "--yes"]);
    story.types(Ada, &["games"]);
    story.types(Ada, &["show", "bob"]);
    story.types(Ada, &["show", "bob", "--json"]);
    story.types(Ada, &["show", "bob-2"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn show_tells_everything_of_a_game() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["show", "bob-1", "--json"]);
    story.types(Bob, &["show", "ada-1"]);
    story.types(Ada, &["show"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_deleted_game_is_remembered() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    let block = story.done(Bob, &["send", "ada-1", "--whole"]);
    story.types(Ada, &["delete", "bob-1"]);
    story.types(Ada, &["delete", "bob-1", "--json"]);
    story.types(Ada, &["delete", "carol-1"]);
    story.types(Bob, &["delete", "ada-1", "--yes", "--json"]);
    story.done(Ada, &["resign", "bob-1", "--yes"]);
    story.types(Ada, &["delete", "bob-1"]);
    story.types(Ada, &["delete", "bob-1", "--yes"]);
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["games"]);
    story.types_with(Ada, &["receive"], &block);
    insta::assert_snapshot!(story.record());
}
