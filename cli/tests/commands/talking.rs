//! Words to the opponent and to oneself: `chat`, `note`.

use super::story::Person::{Ada, Bob};
use super::story::Story;

#[test]
fn messages_travel_with_the_game() {
    let mut story = Story::of_a_game("dynamo");
    story.types_both(Ada, &["chat", "bob-1"]);
    story.types(Ada, &["chat", "bob-1", "Good luck!\nAnd have fun."]);
    story.types(Ada, &["chat", "bob-1", "\u{202e}hidden\\", "--json"]);
    let block = story.done(Ada, &["send", "bob-1"]);
    story.types_with(Bob, &["receive"], &block);
    story.types_both(Bob, &["chat", "ada-1"]);
    story.types(Bob, &["show", "ada-1"]);
    story.types(Ada, &["chat", "bob-1"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_message_has_bounds() {
    let mut story = Story::of_a_game("dynamo");
    story.types(Ada, &["chat", "bob-1", ""]);
    story.types(Ada, &["chat", "bob-1", "\u{7}"]);
    story.types(Ada, &["chat", "bob-1", "\u{7}", "--json"]);
    story.types(Ada, &["chat", "bob-1", &"x".repeat(501)]);
    story.types(Ada, &["chat", "carol-1", "Hello?"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn muted_messages_are_kept_and_not_announced() {
    let mut story = Story::of_a_game("dynamo");
    story.types(Bob, &["chat", "ada-1", "--mute"]);
    story.done(Ada, &["chat", "bob-1", "Are you there?"]);
    let block = story.done(Ada, &["send", "bob-1"]);
    story.types_with(Bob, &["receive"], &block);
    story.types(Bob, &["show", "ada-1"]);
    story.types_both(Bob, &["chat", "ada-1"]);
    story.types(Bob, &["chat", "ada-1", "--unmute"]);
    story.types(Bob, &["chat", "ada-1", "--mute", "--unmute"]);
    story.types(Bob, &["chat", "ada-1", "Yes", "--mute"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn notes_stay_here() {
    let mut story = Story::of_a_game("dynamo");
    story.types_both(Ada, &["note", "bob-1"]);
    story.types(Ada, &["note", "bob-1", "watch d4"]);
    story.types(Ada, &["note", "bob-1", "and\u{1b}[2J e5", "--append"]);
    story.types_both(Ada, &["note", "bob-1"]);
    story.types(Ada, &["note", "bob-1", ""]);
    story.types(Ada, &["note", "bob-1", "--append"]);
    story.types(Ada, &["note", "carol-1"]);
    insta::assert_snapshot!(story.record());
}
