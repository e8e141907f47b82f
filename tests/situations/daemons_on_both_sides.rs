//! Both players keep a daemon; every command beside it, from the offer on, just works.

use std::sync::mpsc::channel;

use crate::program::{Person, patient};

#[test]
fn a_game_is_offered_joined_and_played_beside_daemons() {
    let [host, guest] = [Person::new(), Person::new()];
    let (to_host, at_host) = channel();
    let (to_guest, at_guest) = channel();
    let mut daemons = [host.start(&["daemon"], (), &to_host), guest.start(&["daemon"], (), &to_guest)];
    let (mut at_host, mut at_guest) = (patient(&at_host), patient(&at_guest));
    at_host.find(|line| line.contains("listening on")).expect("a daemon that listens");
    at_guest.find(|line| line.contains("listening on")).expect("a daemon that listens");
    assert!(keeps_daemon(&host));

    let offer = host.json(&["new", "--setup", "fixed", "--color", "white", "--no-wait"]);
    let joined = guest.json(&["join", offer["invite"].as_str().expect("an invite")]);
    let games = host.json(&["games"]);
    let at = games["games"][0]["name"].as_str().expect("a name").to_owned();
    host.done(&["move", &at, "e2e4", "--yes"]);
    let in_guest = joined["name"].as_str().expect("a name");
    at_guest.find(|line| line.contains(in_guest) && line.contains("e2e4")).expect("the move arrives");

    daemons[0].kill();
    assert!(!keeps_daemon(&host));
    let (lines, heard) = channel();
    let mut board = host.start(&["play", &at], (), &lines);
    patient(&heard).next().expect("a board");
    assert!(!keeps_daemon(&host));
    board.kill();
}

fn keeps_daemon(person: &Person) -> bool {
    person.run(&["daemon", "status"]).status.success()
}
