//! A key restored into an empty home, with the log from the opponent, goes on mid-game with its own hidden queen.

use std::sync::mpsc::{Receiver, channel};

use crate::program::{Person, begin_game, both, patient, report};
use chakart_core::transcript::report::Verdict;

type Lines = Receiver<((), Option<String>)>;

/// Reads until a line that is wanted.
fn wait_for(lines: &Lines, wanted: impl Fn(&str) -> bool) {
    patient(lines).find(|line| wanted(line)).expect("the program goes on");
}

#[test]
fn the_hidden_queen_is_found_again_from_the_key_alone() {
    let [host, guest] = [Person::new(), Person::new()];
    let [at_host, at_guest] = begin_game(&host, &guest, &["--setup", "fixed", "--color", "white"]);
    let (to_guest, lines) = channel();
    let mut friend = guest.start(&["play", &at_guest, "--yes"], (), &to_guest);
    wait_for(&lines, |line| line == "the opponent's turn");

    host.done(&["move", &at_host, "e2e4"]);
    wait_for(&lines, |line| line == "your turn");
    friend.type_line("a7a6");
    wait_for(&lines, |line| line == "(delivered)" || line == "the opponent's turn");
    host.done(&["sync"]);
    host.done(&["move", &at_host, "d1h5s"]);
    wait_for(&lines, |line| line == "your turn");

    let [key, log] = ["ada.key", "fetched.chakart"].map(|name| host.file(name));
    let [key, log] = [&key, &log].map(|path| path.to_str().expect("a plain path"));
    host.done(&["id", "export", key]);
    guest.done(&["export", &at_guest, "-o", log]);
    let restored = host.moved_elsewhere();
    restored.done(&["id", "import", key]);
    let imported = restored.json(&["import", log]);
    let name = imported["name"].as_str().expect("a name");

    let refused = restored.run(&["resign", name, "--yes"]);
    assert!(!refused.status.success(), "nothing is signed before it is confirmed: {}", both(&refused));
    restored.done(&["confirm", name, "--yes"]);
    let board = restored.done(&["show", name]);
    assert!(board.contains("White's queen on h5"), "{board}");

    // The guest's act is answered, and the queen opened, by the key's new home.
    let (to_host, news) = channel();
    let mut board = restored.start(&["play", name, "--yes"], (), &to_host);
    friend.type_line("b7b6");
    wait_for(&news, |line| line == "your turn");
    board.type_line("resign");
    wait_for(&news, |line| line.starts_with("Resign this game?"));
    board.type_line("y");
    wait_for(&lines, |line| line.starts_with("over"));
    assert_eq!(friend.exit_code(), Some(0));
    board.exit_code();
    guest.done(&["export", &at_guest, "-o", log]);
    let report = report(log.as_ref());
    assert_eq!((report.verdict, report.result), (Verdict::Finished, Some("0-1")), "{report}");
}
