//! Two people who are never up at the same time: a third one's relay keeps their letters, from the invite to the end.

use std::fs;
use std::sync::mpsc::channel;

use chakart_core::transcript::report::Verdict;
use serde_json::Value;

use crate::program::{Person, Running, patient, report};

/// Actions of each player before the host resigns, if the game has not ended by then.
const ACTIONS: usize = 3;

#[test]
fn from_the_invite_to_the_end() {
    let (people, keeper) = ([Person::new(), Person::new()], Person::new());
    let (mut relay, mailbox) = keep_mailbox(&keeper, &people);
    fs::write(people[0].home().join("settings.toml"), format!("mailboxes = [\"{mailbox}\"]\n"))
        .expect("own home");
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
    relay.kill();
}

/// Starts a relay that keeps letters for both, and waits until it listens; its address with its key.
fn keep_mailbox(keeper: &Person, people: &[Person; 2]) -> (Running, String) {
    let keys =
        people.each_ref().map(|person| person.json(&["id"])["key"].as_str().expect("a key").to_owned());
    let (lines, heard) = channel();
    let command = ["relay", "--mailbox-for", &keys[0], "--mailbox-for", &keys[1]];
    let relay = keeper.start(&command, (), &lines);
    let listening = patient(&heard).find(|line| line.contains("listening on")).expect("a relay that listens");
    let address = listening.rsplit(' ').next().expect("an address").to_owned();
    (relay, address)
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
