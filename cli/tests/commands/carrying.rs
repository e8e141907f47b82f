//! How games travel: `new`, `join`, `send`, `receive`, `sync`, `daemon`, `relay`, `net`.

use super::story::Person::{Ada, Bob};
use super::story::{Story, other_character_in};

/// The key of somebody who is not there.
const CAROL: &str = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29";

#[test]
fn an_invite_is_made() {
    let mut story = Story::of_two();
    story.types_both(Ada, &["new", "--no-wait", "--variant", "dynamo", "--time", "3d", "--name", "Ada"]);
    story.types(Ada, &["new", "--no-wait", "--for", "carol"]);
    story.types(Ada, &["new", "--no-wait", "--for", Ada.key()]);
    story.types(Ada, &["new", "--no-wait", "--variant", "dynamo", "--setup", "symmetric"]);
    story.types(Ada, &["new", "--no-wait", "--variant", "checkers"]);
    story.types(Ada, &["new", "--no-wait", "--setup", "upside-down"]);
    story.types(Ada, &["new", "--no-wait", "--time", "soon"]);
    story.types(Ada, &["new", "--no-wait", "--time", "0d"]);
    story.types(Ada, &["new", "--no-wait", "--color", "red"]);
    story.types(Ada, &["new", "--no-wait", "--name", "A name of more bytes than anybody needs for it"]);
    story.types(Ada, &["new", "--no-wait", "--listen", "here"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn an_invite_is_taken_once() {
    let mut story = Story::of_two();
    let invite = story.invite(Ada, &["--variant", "dynamo", "--setup", "fixed", "--name", "Ada"]);
    story.types(Ada, &["join", &invite, "--no-wait"]);
    story.types(Bob, &["join", &invite, "--no-wait", "--name", "Bob"]);
    story.types_both(Bob, &["join", &invite, "--no-wait"]);
    story.types(Bob, &["show", "ada-1"]);
    story.types(Bob, &["moves", "ada-1"]);
    story.types(Bob, &["move", "ada-1", "e2e4"]);
    story.types(Bob, &["resign", "ada-1", "--yes"]);
    story.types(Bob, &["games"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn an_invite_that_is_no_good_is_refused() {
    let mut story = Story::of_two();
    let invite = story.invite(Ada, &["--variant", "dynamo", "--name", "Ada", "--for", CAROL]);
    story.types(Bob, &["join", &invite, "--no-wait"]);
    story.types(Bob, &["join", &other_character_in(&invite), "--no-wait"]);
    story.types(Bob, &["join", &invite[..80], "--no-wait"]);
    story.types(Bob, &["join", "chakart:", "--no-wait", "--json"]);
    story.types(Bob, &["join", "https://example.org/", "--no-wait"]);
    story.types(Bob, &["join", "invite-1", "--no-wait"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_game_is_sent_as_a_block() {
    let mut story = Story::of_a_game("dynamo");
    story.types(Bob, &["send", "ada-1"]);
    story.types(Bob, &["send", "ada-1", "--json"]);
    story.types_both(Bob, &["send", "ada-1", "--whole"]);
    story.types(Ada, &["send", "bob-1"]);
    story.types(Ada, &["send", "carol-1"]);
    story.types(Ada, &["send", "carol-1", "--json"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_block_is_taken_again_without_harm() {
    let mut story = Story::of_a_game("dynamo");
    story.done(Ada, &["move", "bob-1", "e2e4"]);
    let block = story.done(Ada, &["send", "bob-1"]);
    story.write_private("mail", &format!("Dear Bob,\n\n{block}\nYours, Ada\n"));
    let quoted: String = block.lines().map(|line| format!("> {line}\r\n")).collect();
    story.write_private("quoted", &quoted);
    story.types(Bob, &["receive", "mail"]);
    story.types(Bob, &["receive", "quoted"]);
    story.types(Bob, &["receive", "quoted", "--json"]);
    story.types_with(Ada, &["receive"], &block);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_block_that_cannot_be_read_is_refused() {
    let mut story = Story::of_a_game("dynamo");
    let block = story.done(Bob, &["send", "ada-1", "--whole"]);
    let end = block.find("-----END").expect("a whole block");
    story.write_private("cut", &block[..end]);
    story.write_private("damaged", &other_character_in(&block));
    story.write_private("letter", "Dear Ada, how are you?\n");
    story.types(Ada, &["receive", "cut"]);
    story.types(Ada, &["receive", "damaged"]);
    story.types(Ada, &["receive", "letter"]);
    story.types(Ada, &["receive", "letter", "--json"]);
    story.types(Ada, &["receive", "absent"]);
    story.types_with(Ada, &["receive"], "nothing\n");
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_block_of_other_people_is_not_taken() {
    let theirs = Story::of_a_game("dynamo");
    theirs.play(&["e2e4"]);
    let block = theirs.done(Ada, &["send", "bob-1", "--whole"]);
    let mut story = Story::without_homes();
    story.done(Ada, &["id", "create"]);
    story.write_private("theirs", &block);
    story.types_both(Ada, &["receive", "theirs"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_host_that_is_away_is_not_reached() {
    let mut story = Story::of_two();
    let invite = story.invite(Ada, &["--variant", "dynamo", "--setup", "fixed", "--name", "Ada"]);
    story.types(Bob, &["sync"]);
    story.types(Bob, &["sync", "--json"]);
    story.types(Bob, &["join", &invite]);
    story.types(Bob, &["sync"]);
    story.types(Bob, &["sync", "--json"]);
    story.types(Bob, &["games"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn no_daemon_runs() {
    let mut story = Story::of_two();
    story.types_both(Ada, &["daemon", "status"]);
    story.types(Ada, &["daemon", "stop"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn settings_are_told_and_checked() {
    let mut story = Story::of_two();
    story.types(Ada, &["net", "settings"]);
    story.write_private("ada/settings.toml", "relayz = 1\n");
    story.types(Ada, &["relay"]);
    story.types(Ada, &["net", "doctor"]);
    story.types(Ada, &["net"]);
    insta::assert_snapshot!(story.record());
}
