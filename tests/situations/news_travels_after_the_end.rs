//! A game is over and delivered; a message about it and the offer of another one still reach the opponent's daemon.

use std::sync::mpsc::channel;

use crate::program::{Person, begin_game, patient};

#[test]
fn a_message_and_a_rematch_go_with_sync() {
    let [host, guest] = [Person::new(), Person::new()];
    let [at_host, at_guest] = begin_game(&host, &guest, &["--setup", "fixed"]);
    let (lines, heard) = channel();
    let mut daemon = guest.start(&["daemon"], (), &lines);
    let mut heard = patient(&heard);
    heard.find(|line| line.contains("listening on")).expect("a daemon that listens");
    host.done(&["resign", &at_host, "--yes"]);

    host.done(&["chat", &at_host, "well played"]);
    host.done(&["sync"]);
    heard.find(|line| line.contains("well played")).expect("the message");

    host.done(&["rematch", &at_host]);
    host.done(&["sync"]);
    heard.find(|line| line.contains("an offer")).expect("the offer");
    let games = guest.done(&["games"]);
    assert!(games.contains(&at_guest) && games.contains("chakart join invite-1"), "{games}");
    daemon.kill();
}
