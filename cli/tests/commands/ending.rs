//! How a game ends, is held back or follows another: `draw`, `resign`, `abort`, `claim`, `confirm`, `rematch`, `cancel`.

use super::story::Person::{Ada, Bob};
use super::story::Story;

#[test]
fn a_draw_is_offered_with_an_action_and_accepted() {
    let mut story = Story::of_a_game("dynamo");
    story.types_both(Ada, &["draw", "bob-1"]);
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["draw", "bob-1", "--withdraw"]);
    story.types(Ada, &["draw", "bob-1"]);
    story.types(Ada, &["move", "bob-1", "e2e4"]);
    story.types(Ada, &["draw", "bob-1"]);
    story.types(Ada, &["draw", "bob-1", "--withdraw"]);
    story.mail(Ada, "bob-1");
    story.types(Bob, &["games"]);
    story.types(Bob, &["show", "ada-1"]);
    story.types(Bob, &["draw", "ada-1"]);
    story.types(Bob, &["draw", "ada-1"]);
    story.types(Bob, &["draw", "ada-1", "--withdraw"]);
    story.mail(Bob, "ada-1");
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["games"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_game_is_resigned_once() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.types(Bob, &["resign", "ada-1"]);
    story.types_with(Bob, &["resign", "ada-1"], "y\n");
    story.types(Bob, &["resign", "ada-1", "--json"]);
    story.types(Bob, &["resign", "ada-1", "--yes"]);
    story.types(Bob, &["resign", "ada-1", "--yes"]);
    story.mail(Bob, "ada-1");
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["resign", "bob-1", "--yes"]);
    story.types(Ada, &["resign", "carol-1", "--yes"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_game_is_aborted_early_only() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4"]);
    story.types(Bob, &["abort", "ada-1"]);
    story.types(Bob, &["abort", "ada-1", "--yes"]);
    story.types(Bob, &["abort", "ada-1", "--yes"]);
    story.mail(Bob, "ada-1");
    story.types(Ada, &["games"]);
    story.types(Ada, &["show", "bob-1"]);
    let mut late = Story::of_a_game("dynamo");
    late.play(&["e2e4", "e7e5"]);
    late.types(Bob, &["abort", "ada-1", "--yes"]);
    late.types(Bob, &["abort", "ada-1", "--yes", "--json"]);
    insta::assert_snapshot!(story.record() + &late.record());
}

#[test]
fn a_claim_needs_an_opponent_who_is_late() {
    let mut untimed = Story::of_a_game("dynamo");
    untimed.types(Bob, &["claim", "ada-1", "--yes"]);
    let mut early = Story::of_a_game_with("dynamo", "3d");
    early.types(Bob, &["claim", "ada-1"]);
    early.types(Bob, &["claim", "ada-1", "--yes"]);
    early.types(Ada, &["claim", "bob-1", "--yes"]);
    early.types(Ada, &["games"]);
    let mut late = Story::of_a_game_with("dynamo", "1ms");
    late.types(Bob, &["games"]);
    late.types(Bob, &["claim", "ada-1"]);
    late.types(Bob, &["claim", "ada-1", "--yes"]);
    late.types(Bob, &["claim", "ada-1", "--yes", "--json"]);
    let block = late.done(Bob, &["send", "ada-1"]);
    late.types_with(Ada, &["receive"], &block);
    late.types(Ada, &["games"]);
    late.types(Ada, &["show", "bob-1"]);
    insta::assert_snapshot!(untimed.record() + &early.record() + &late.record());
}

#[test]
fn a_recovered_game_goes_on_when_its_player_says_so() {
    let mut story = Story::of_a_signed_game("kingboo", &["b1c3", "e7e5", "c3b1"]);
    story.types(Bob, &["games"]);
    story.types(Bob, &["resign", "ada-1", "--yes"]);
    story.types(Bob, &["confirm", "ada-1"]);
    story.types(Bob, &["confirm", "ada-1", "--json"]);
    story.types(Bob, &["confirm", "ada-1", "--yes"]);
    story.types(Bob, &["confirm", "ada-1", "--yes", "--json"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn an_act_that_came_late_is_answered_when_its_opponent_says_so() {
    let mut story = Story::of_a_game_with("chakart", "1ms");
    story.done(Ada, &["move", "bob-1", "e2e4"]);
    story.mail(Ada, "bob-1");
    story.done(Bob, &["move", "ada-1", "e7e5"]);
    story.mail(Bob, "ada-1");
    story.done(Ada, &["move", "bob-1", "f1c4", "--yes"]);
    let block = story.done(Ada, &["send", "bob-1"]);
    story.types_with(Bob, &["receive"], &block);
    story.types(Bob, &["games"]);
    story.types(Bob, &["confirm", "ada-1"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn another_game_follows_one_that_is_over() {
    let mut story = Story::of_a_game("dynamo");
    story.types(Ada, &["rematch", "bob-1"]);
    story.done(Ada, &["resign", "bob-1", "--yes"]);
    story.types_both(Ada, &["rematch", "bob-1"]);
    story.types(Ada, &["games"]);
    story.types(Ada, &["send", "offer-2"]);
    let block = story.done(Ada, &["send", "offer-2"]);
    story.types_with(Bob, &["receive"], &block);
    story.types(Bob, &["games"]);
    story.types(Bob, &["join", "invite-1", "--no-wait"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn an_open_offer_is_taken_back() {
    let mut story = Story::of_two();
    story.done(Ada, &["new", "--no-wait", "--variant", "dynamo", "--name", "Ada"]);
    let block = story.done(Ada, &["send", "offer-1"]);
    story.types(Ada, &["games"]);
    story.types(Ada, &["cancel", "offer-2"]);
    story.types(Ada, &["cancel", "offer-1"]);
    story.types(Ada, &["cancel", "offer-1"]);
    story.types(Ada, &["games"]);
    story.done(Ada, &["new", "--no-wait", "--variant", "dynamo"]);
    story.types(Ada, &["cancel", "offer-2", "--json"]);
    story.types_with(Bob, &["receive"], &block);
    story.types(Bob, &["join", "invite-1", "--no-wait"]);
    let accept = story.done(Bob, &["send", "ada-1"]);
    story.types_with(Ada, &["receive"], &accept);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_game_is_no_offer() {
    let mut story = Story::of_a_game("dynamo");
    story.types(Ada, &["cancel", "bob-1"]);
    story.types(Ada, &["cancel", "bob-1", "--json"]);
    story.types(Ada, &["cancel", "offer-1"]);
    story.done(Ada, &["resign", "bob-1", "--yes"]);
    story.types(Ada, &["cancel", "bob-1"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_broken_protocol_is_proven() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4"]);
    story.copy_home(Bob, "twin");
    story.done(Bob, &["move", "ada-1", "e7e5"]);
    let one = story.done(Bob, &["send", "ada-1"]);
    story.move_home("twin", Bob);
    story.done(Bob, &["move", "ada-1", "d7d5"]);
    let other = story.done(Bob, &["send", "ada-1"]);
    story.done_with(Ada, &["receive"], &one);
    story.breaks_the_protocol(Ada, &["receive"], &other);
    story.types(Ada, &["games"]);
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["move", "bob-1", "d2d4"]);
    story.types(Ada, &["moves", "bob-1"]);
    story.types(Ada, &["draw", "bob-1"]);
    story.types(Ada, &["export", "bob-1"]);
    story.types(Ada, &["verify", "bob-1.evidence-1.chakart"]);
    story.types(Ada, &["verify", "bob-1.chakart", "bob-1.evidence-1.chakart"]);
    story.types(Ada, &["import", "bob-1.evidence-1.chakart"]);
    story.types(Ada, &["replay", "bob-1.evidence-1.chakart"]);
    story.types(Ada, &["sync"]);
    insta::assert_snapshot!(story.record());
}
