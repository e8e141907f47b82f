//! What cannot be played at the boards, the tour line by line, and the demonstration: `play`, `web`, `tour`, `demo`.

use std::net::TcpListener;

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
fn a_port_that_is_taken_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port().to_string();
    let mut story = Story::of_two();
    story.types(Ada, &["web", "--port", &port]);
    story.types(Ada, &["web", "--port", "http"]);
    insta::assert_snapshot!(story.record().replace(&port, "[PORT]"));
}

#[test]
fn the_tour_is_taken_line_by_line() {
    let mut story = Story::without_homes();
    story.types_with(Ada, &["tour"], "\n\ne2e5\nagain\nb1c3\nd2d3\nback\nquit\n");
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
