//! Decisions in advance: `plan`.

use super::story::Person::{Ada, Bob};
use super::story::Story;

#[test]
fn a_plan_is_kept_and_played() {
    let mut story = Story::of_a_game("dynamo");
    story.types(Ada, &["plan", "bob-1", "if e2e4 then e7e5"]);
    story.done(Ada, &["move", "bob-1", "e2e4"]);
    story.types_both(Ada, &["plan", "bob-1"]);
    story.types(Ada, &["plan", "bob-1", "if e7e5 then g1f3"]);
    story.types(Ada, &["plan", "bob-1", "if d7d5 then d2d4", "--json"]);
    story.types(Ada, &["plan", "bob-1", "--remove", "2"]);
    story.types(Ada, &["plan", "bob-1", "--remove", "2"]);
    story.types(Ada, &["plan", "bob-1", "--remove", "two"]);
    story.mail(Ada, "bob-1");
    story.done(Bob, &["move", "ada-1", "e7e5"]);
    let block = story.done(Bob, &["send", "ada-1"]);
    story.types_with(Ada, &["receive"], &block);
    story.types(Ada, &["plan", "bob-1"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn another_action_drops_a_plan() {
    let mut story = Story::of_a_game("dynamo");
    story.done(Ada, &["move", "bob-1", "e2e4"]);
    story.done(Ada, &["plan", "bob-1", "if e7e5 then g1f3"]);
    story.mail(Ada, "bob-1");
    story.done(Bob, &["move", "ada-1", "d7d5"]);
    let block = story.done(Bob, &["send", "ada-1"]);
    story.types_with(Ada, &["receive", "--json"], &block);
    story.types(Ada, &["plan", "bob-1"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn what_is_no_plan_is_said() {
    let mut story = Story::of_a_game("chakart");
    story.play(&["e2e4", "e7e5"]);
    story.done(Ada, &["move", "bob-1", "d2d4"]);
    for plan in [
        "e7e5 then g1f3",
        "if e9e5 then g1f3",
        "if e5e3 then g1f3",
        "if e5d4 then g1g4",
        "if f8c5 then g1f3",
        "if kingboo then a1~h8",
        "if mushroom then a1~h8",
        "",
    ] {
        story.types(Ada, &["plan", "bob-1", plan]);
    }
    story.types(Ada, &["plan", "bob-1", "if e9e5 then g1f3", "--json"]);
    story.types(Ada, &["plan", "bob-1", "if e5d4 then g1f3", "--remove", "1"]);
    story.done(Ada, &["resign", "bob-1", "--yes"]);
    story.types(Ada, &["plan", "bob-1", "if e5d4 then g1f3"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_plan_for_an_egg_is_played_when_it_is_opened() {
    let mut story = Story::of_a_signed_game("kingboo", &["b1c3", "e7e5", "c3b1"]);
    story.done(Ada, &["confirm", "bob-1", "--yes"]);
    story.types(Ada, &["plan", "bob-1", "if e7e5 then g1f3"]);
    story.types(Ada, &["plan", "bob-1", "if kingboo then a1~h8"]);
    story.done(Bob, &["confirm", "ada-1", "--yes"]);
    let block = story.done(Bob, &["send", "ada-1"]);
    story.types_with(Ada, &["receive"], &block);
    insta::assert_snapshot!(story.record());
}
