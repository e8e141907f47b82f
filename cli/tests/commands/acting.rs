//! What can be played, what may come of it, and playing it: `moves`, `odds`, `move`.

use super::story::Person::{Ada, Bob};
use super::story::Story;

/// White's pawn stands before its last rank and may take a knight there; all without chance.
const BEFORE_PROMOTION: [&str; 8] = ["h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "a7a6", "h6h7", "a6a5"];
/// White's knight goes back to the egg that it has left, and Black has not revealed yet what it holds.
const ONTO_AN_EGG: [&str; 3] = ["b1c3", "e7e5", "c3b1"];

#[test]
fn legal_actions_are_listed() {
    let mut story = Story::of_a_game("chakart");
    story.types(Bob, &["moves", "ada-1"]);
    story.types(Ada, &["moves", "nobody-1"]);
    story.play(&["e2e4", "e7e5"]);
    story.types(Ada, &["moves", "bob-1"]);
    story.types(Ada, &["moves", "bob-1", "--json"]);
    story.done(Ada, &["resign", "bob-1", "--yes"]);
    story.types_both(Ada, &["moves", "bob-1"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn odds_are_told_before_anything_is_played() {
    let mut story = Story::of_a_game("chakart");
    story.types(Ada, &["odds", "bob-1", "b1c3"]);
    story.types(Ada, &["odds", "bob-1", "Nc3"]);
    story.types(Ada, &["odds", "bob-1", "f1c4"]);
    story.types(Ada, &["odds", "bob-1", "Nd5"]);
    story.types(Ada, &["odds", "bob-1", "z9z9"]);
    story.types(Ada, &["odds", "bob-1", "z9z9", "--json"]);
    story.play(&["e2e4", "e7e5"]);
    story.types_both(Ada, &["odds", "bob-1", "f1c4"]);
    story.types(Bob, &["odds", "ada-1", "Bc4"]);
    story.done(Ada, &["resign", "bob-1", "--yes"]);
    story.types(Ada, &["odds", "bob-1", "f1c4"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn an_action_is_played_once_and_in_turn() {
    let mut story = Story::of_a_game("chakart");
    story.types(Bob, &["move", "ada-1", "e7e5"]);
    story.types(Ada, &["move", "bob-1", "e2e5"]);
    story.types(Ada, &["move", "bob-1", "e2e5", "--json"]);
    story.types(Ada, &["move", "bob-1", "Nd2"]);
    story.types(Ada, &["move", "bob-1"]);
    story.types(Ada, &["move", "carol", "e2e4"]);
    story.types(Ada, &["move", "bob", "e2e4", "--json"]);
    story.types(Ada, &["move", "bob-1", "e2e4"]);
    story.types(Ada, &["move", "bob-1", "d2d4", "--json"]);
    story.mail(Ada, "bob-1");
    story.types(Bob, &["move", "ada-1", "e5"]);
    story.types(Bob, &["resign", "ada-1", "--yes"]);
    story.types(Bob, &["move", "ada-1", "d7d5"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn chance_is_confirmed_and_then_awaited() {
    let mut story = Story::of_a_game("chakart");
    story.play(&["e2e4", "e7e5"]);
    story.types(Ada, &["move", "bob-1", "f1c4"]);
    story.types_with(Ada, &["move", "bob-1", "f1c4"], "y\n");
    story.types(Ada, &["move", "bob-1", "f1c4", "--json"]);
    story.types(Ada, &["move", "bob-1", "f1c4", "--yes"]);
    story.types(Ada, &["move", "bob-1", "d2d4"]);
    story.types(Ada, &["moves", "bob-1"]);
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["games"]);
    story.types(Bob, &["move", "ada-1", "d7d5"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_promotion_names_its_kind() {
    let mut story = Story::of_a_game("chakart");
    story.play(&BEFORE_PROMOTION);
    story.types(Ada, &["move", "bob-1", "h7g8"]);
    story.types(Ada, &["move", "bob-1", "hxg8"]);
    story.types(Ada, &["move", "bob-1", "h7g8p"]);
    story.types(Ada, &["odds", "bob-1", "h7g8q"]);
    story.types(Ada, &["move", "bob-1", "h7g8k"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_queen_hides_and_is_opened() {
    let mut story = Story::of_a_game("chakart");
    story.play(&["d2d4", "d7d5"]);
    story.types(Ada, &["move", "bob-1", "d1??"]);
    story.types(Ada, &["move", "bob-1", "Qd1??"]);
    story.types(Ada, &["odds", "bob-1", "d1d2s"]);
    story.types(Ada, &["move", "bob-1", "d1d2s"]);
    story.types(Ada, &["show", "bob-1"]);
    story.mail(Ada, "bob-1");
    story.types(Bob, &["show", "ada-1"]);
    story.types(Bob, &["odds", "ada-1", "e7e6"]);
    story.types(Bob, &["move", "ada-1", "d8d6s"]);
    story.types(Bob, &["move", "ada-1", "e7e6"]);
    story.types(Bob, &["move", "ada-1", "e7e6", "--yes"]);
    story.mail(Bob, "ada-1");
    story.types(Bob, &["show", "ada-1"]);
    story.types(Ada, &["games"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn king_boo_leaves_a_decision() {
    let mut story = Story::of_a_signed_game("kingboo", &ONTO_AN_EGG);
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["move", "bob-1", "a1~h8"]);
    story.types(Bob, &["show", "ada-1"]);
    story.types(Bob, &["confirm", "ada-1", "--yes"]);
    story.mail(Bob, "ada-1");
    story.types(Ada, &["games"]);
    story.types(Ada, &["show", "bob-1"]);
    story.types(Ada, &["move", "bob-1", "e2e4"]);
    story.types(Ada, &["move", "bob-1", "a1~h8"]);
    story.done(Ada, &["confirm", "bob-1", "--yes"]);
    story.types(Ada, &["move", "bob-1", "e5~e8"]);
    story.types(Ada, &["odds", "bob-1", "h8~a1"]);
    story.types(Ada, &["move", "bob-1", "h8~a1"]);
    insta::assert_snapshot!(story.record());
}
