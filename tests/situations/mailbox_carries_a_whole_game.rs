//! Two people who are never up at the same time: a third one's relay keeps their letters, from the invite to the end.

use std::fs;
use std::sync::mpsc::channel;
use std::time::Instant;

use chakart_core::transcript::report::Verdict;
use chakart_node::identity;
use serde_json::Value;

use crate::program::{PATIENCE, Person, Running, both, patient, report};

/// Actions of each player before the host resigns, if the game has not ended by then.
const ACTIONS: usize = 3;

#[test]
fn from_the_invite_to_the_end() {
    let (people, keeper) = ([Person::new(), Person::new()], Person::new());
    let keys = people.each_ref().map(key);
    let (mut relay, mailbox) =
        keep_up(&keeper, &["relay", "--mailbox-for", &keys[0], "--mailbox-for", &keys[1]]);
    name_mailboxes(&people[0], &[&mailbox]);
    // The guest has no settings: what the invite names is enough.
    let offer = people[0].json(&["new", "--no-wait", "--setup", "fixed"]);
    let joined = people[1].json(&["join", offer["invite"].as_str().expect("an invite")]);
    people[0].done(&["sync"]);
    let begun = people[0].json(&["games"]);
    let games = [&begun["games"][0], &joined].map(|game| game["name"].as_str().expect("a name").to_owned());

    people[0].done(&["chat", &games[0], "good luck"]);
    let mut acts = 0;
    for _ in 0..8 * ACTIONS {
        let Some(who) = (0..2).find(|&who| summary(&people[who], &games[who])["my_turn"] == true) else {
            people.iter().for_each(|person| drop(person.done(&["sync"])));
            continue;
        };
        if acts == 2 * ACTIONS {
            break;
        }
        let action = action(&people[who], &games[who], acts);
        let moved = people[who].json(&["move", &games[who], &action, "--yes"]);
        assert_eq!(
            (&moved["unreached"], &moved["delivery"]),
            (&Value::Null, &Value::from("sent")),
            "{moved}"
        );
        acts += 1;
    }
    assert_eq!(acts, 2 * ACTIONS, "the letters of every act have arrived");
    let heard = people[1].done(&["chat", &games[1]]);
    assert!(heard.contains("good luck"), "{heard}");
    people[0].done(&["resign", &games[0], "--yes"]);
    for who in [1, 0, 1] {
        people[who].done(&["sync"]);
    }
    for (person, game) in people.iter().zip(&games) {
        let summary = summary(person, game);
        assert_eq!(
            (&summary["finished"], &summary["path"]["kind"]),
            (&true.into(), &"mailbox".into()),
            "{summary}"
        );
        let file = person.file("game.chakart");
        person.done(&["export", game, "--output", file.to_str().expect("a path")]);
        let report = report(&file);
        assert_eq!(report.verdict, Verdict::Finished, "{report}");
    }
    let status = status_of_daemon(&people[0], &mailbox);
    assert!(status.contains("connected; 0 letters put, 0 taken"), "{status}");
    relay.kill();
}

/// What `daemon status` says of a mailbox once a daemon has reached it.
fn status_of_daemon(person: &Person, mailbox: &str) -> String {
    let (lines, heard) = channel();
    let _daemon = person.start(&["daemon"], (), &lines);
    patient(&heard).find(|line| line.contains("listening on")).expect("a daemon that listens");
    let end = Instant::now() + PATIENCE;
    loop {
        let status = person.done(&["daemon", "status"]);
        let line = status.lines().find(|line| line.starts_with(&format!("mailbox {mailbox}: connected")));
        match line {
            Some(line) => return line.to_owned(),
            None => assert!(Instant::now() < end, "{status}"),
        }
    }
}

#[test]
fn mailboxes_that_refuse_or_are_none_cost_only_delay() {
    let ([host, guest], keeper, bystander) = ([Person::new(), Person::new()], Person::new(), Person::new());
    let (_relay, refusing) = keep_up(&keeper, &["relay", "--mailbox-for", &key(&host)]);
    let (_daemon, none) = keep_up(&bystander, &["daemon"]);
    let none = format!("{none}/p2p/{}", network_name(&bystander));
    name_mailboxes(&host, &[&none, &refusing]);
    let offer = host.json(&["new", "--no-wait", "--setup", "fixed", "--color", "white"]);
    let joined = guest.json(&["join", offer["invite"].as_str().expect("an invite")]);
    let at_guest = joined["name"].as_str().expect("a name");
    let synced = host.run(&["sync", "--json"]);
    assert_eq!(synced.status.code(), Some(3), "nobody keeps the answer: {}", both(&synced));
    let at_host = host.json(&["games"])["games"][0]["name"].as_str().expect("a name").to_owned();

    let (mut daemon, _) = keep_up(&host, &["daemon"]);
    guest.done(&["sync"]);
    let [there, here] = [summary(&guest, at_guest), summary(&host, &at_host)];
    assert_eq!((&there["entries"], &there["waiting_for"]), (&here["entries"], &"their action".into()));
    daemon.kill();
    let action = action(&host, &at_host, 3);
    let moved = host.json(&["move", &at_host, &action, "--yes"]);
    assert_eq!(moved["delivery"], "signed", "no mailbox keeps it: {moved}");
    assert!(moved["unreached"].is_string(), "{moved}");
}

/// Starts a program that stays, and waits until it listens; its address, of a relay with its key.
fn keep_up(person: &Person, command: &[&str]) -> (Running, String) {
    let (lines, heard) = channel();
    let running = person.start(command, (), &lines);
    let listening = patient(&heard).find(|line| line.contains("listening on")).expect("it listens");
    (running, listening.rsplit(' ').next().expect("an address").to_owned())
}

fn name_mailboxes(person: &Person, mailboxes: &[&str]) {
    let settings = format!("mailboxes = {mailboxes:?}\n");
    fs::write(person.home().join("settings.toml"), settings).expect("own home");
}

fn key(person: &Person) -> String {
    person.json(&["id"])["key"].as_str().expect("a key").to_owned()
}

fn network_name(person: &Person) -> String {
    identity::network_name(&person.store().player()).to_string()
}

fn action(person: &Person, game: &str, step: usize) -> String {
    let listed = person.json(&["moves", game]);
    let actions = listed["actions"].as_array().expect("actions");
    let typed: Vec<&str> = actions.iter().filter_map(|row| row["action"].as_str()).collect();
    // A stealth move needs its square too; the node's own tests play them.
    let plain: Vec<&&str> = typed.iter().filter(|action| !action.contains('?')).collect();
    plain[step * 7 % plain.len()].to_string()
}

/// What `games` says of one.
fn summary(person: &Person, game: &str) -> Value {
    let games = person.json(&["games"]);
    let mut games = games["games"].as_array().expect("a list").iter();
    games.find(|row| row["name"] == game).expect("the game").clone()
}
