//! Two people without any network: offers, moves, answers and the end travel as text from one program to the other.

use std::collections::VecDeque;

use chakart_core::transcript::report::Verdict;
use serde_json::Value;

use crate::program::{Person, report};

/// Actions of each player before the host resigns, if the game has not ended by then.
const ACTIONS: usize = 12;

#[test]
fn a_game_of_every_variant_is_begun_played_and_ended_by_text() {
    for variant in ["chakart", "chakart-2nd", "chakart-1st", "dynamo"] {
        let people = [Person::new(), Person::new()];
        let offer = people[0].json(&["new", "--no-wait", "--variant", variant, "--setup", "fixed"]);
        let offered = people[0].done(&["send", offer["offer"].as_str().expect("a name")]);
        people[1].give(&["receive"], &offered);
        let joined = people[1].json(&["join", "invite-1", "--no-wait"]);
        let in_guest = joined["name"].as_str().expect("a name").to_owned();
        let accept = people[1].done(&["send", &in_guest]);
        post(&people, 0, &accept);
        let in_host = people[0].json(&["games"])["games"][0]["name"].as_str().expect("a name").to_owned();
        let games = [in_host, in_guest];

        let mut messages = 0;
        for step in 0..2 * ACTIONS {
            let Some(who) = (0..2).find(|&who| is_my_turn(&people[who], &games[who])) else { break };
            let listed = people[who].json(&["moves", &games[who]]);
            let actions = listed["actions"].as_array().expect("actions");
            let typed = actions.iter().filter_map(|row| row["action"].as_str());
            // A stealth move needs its square too; the node's own tests play them.
            let typed: Vec<&str> = typed.filter(|action| !action.contains('?')).collect();
            let action = typed[step * 7 % typed.len()];
            people[who].done(&["move", &games[who], action, "--yes"]);
            messages += post(&people, 1 - who, &people[who].done(&["send", &games[who]]));
        }
        // One message an action, and an answer where chance decides.
        assert!(messages <= 4 * ACTIONS, "{variant}: {messages} messages");
        let resigns = summary(&people[0], &games[0])["finished"] == false;
        if resigns {
            people[0].done(&["resign", &games[0], "--yes"]);
            post(&people, 1, &people[0].done(&["send", &games[0]]));
        }
        if resigns {
            let nothing = people[0].done(&["send", &games[0]]);
            assert!(nothing.starts_with("Nothing is owed"), "{variant}: {nothing}");
        }
        for (person, game) in people.iter().zip(&games) {
            let file = person.file("game.chakart");
            person.done(&["export", game, "--output", file.to_str().expect("a path")]);
            let report = report(&file);
            assert_eq!(report.verdict, Verdict::Finished, "{variant}: {report:?}");
        }
    }
}

/// Gives a block to one of them, and the answers that it makes due to the other, until none is; how many blocks went.
fn post(people: &[Person; 2], to: usize, block: &str) -> usize {
    let mut waiting = VecDeque::from([(to, block.to_owned())]);
    let mut posted = 0;
    while let Some((to, block)) = waiting.pop_front() {
        let said = people[to].give(&["receive"], &block);
        posted += 1;
        if let Some((_, reply)) = said.split_once("Send this back:") {
            waiting.push_back((1 - to, reply.to_owned()));
        }
    }
    posted
}

fn is_my_turn(person: &Person, game: &str) -> bool {
    summary(person, game)["my_turn"] == true
}

/// What `games` says of one.
fn summary(person: &Person, game: &str) -> Value {
    let games = person.json(&["games"]);
    let mut games = games["games"].as_array().expect("a list").iter();
    games.find(|row| row["name"] == game).expect("the game").clone()
}
