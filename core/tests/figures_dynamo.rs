//! Dynamo against `cases/dynamo/figures.txt`: the figures of the published rules and small positions.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its case files")]

use std::collections::BTreeSet;

use chakart_core::chance::NoChance;
use chakart_core::rules::dynamo::{Dynamo, perft};
use chakart_core::rules::{Action, Rules, Turn};

const FIGURES: &str = include_str!("cases/dynamo/figures.txt");

#[test]
fn what_the_figures_state_holds() {
    let lines = FIGURES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut game = Dynamo::start();
    for line in lines {
        let (word, values) = line.split_once(' ').expect("a word and its values");
        if word == "fen" {
            game = Dynamo::from_fen(values).expect(values);
        }
        let found = find(&game, word, values);
        assert_eq!(found, values, "{line}\nof {}", game.fen());
    }
}

/// The values that the position has for a word, written like those that are expected.
fn find(game: &Dynamo, word: &str, values: &str) -> String {
    let position = game.position();
    let turns = position.legal_turns();
    let (first, _) = values.split_once(' ').unwrap_or((values, ""));
    match word {
        "fen" => game.fen(),
        "check" => if position.is_in_check() { "yes" } else { "no" }.to_owned(),
        "turns" => turns.len().to_string(),
        "boards" => {
            turns.iter().map(|turn| board_after(game, turn)).collect::<BTreeSet<_>>().len().to_string()
        }
        "displacing" => {
            let two = turns.iter().filter(|turn| !is_alone(turn)).count();
            format!("{} {two}", turns.len() - two)
        }
        "only" => in_order_of(values, turns.iter().map(ToString::to_string)),
        "legal" => those(values, |text| turns.iter().any(|turn| turn.to_string() == text)),
        "illegal" => those(values, |text| game.read_action(text).is_err()),
        "with" => {
            let trails = displacements(&turns).filter(|turn| turn.lead.to_string() == first);
            let trails =
                trails.map(|turn| turn.trail.map_or_else(|| "-".to_owned(), |trail| trail.to_string()));
            in_order_of(values, std::iter::once(first.to_owned()).chain(trails))
        }
        "leads" => {
            let leads = displacements(&turns).map(|turn| turn.lead.to_string());
            let ends = leads.filter_map(|lead| lead.strip_prefix(first).map(str::to_owned));
            let ends: BTreeSet<String> = ends.collect();
            in_order_of(values, std::iter::once(first.to_owned()).chain(ends))
        }
        "leads-to" => {
            let action = game.read_action(first).expect(first);
            format!("{action} {}", board_after(game, &action))
        }
        "perft" => format!("{first} {}", perft(position, first.parse().expect("a depth"))),
        "result" => game.outcome().map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
        _ => "a word of the figures".to_owned(),
    }
}

fn displacements(turns: &[Action]) -> impl Iterator<Item = Turn> {
    turns.iter().filter_map(|action| match action {
        Action::Turn(turn) => Some(*turn),
        _ => None,
    })
}

fn is_alone(action: &Action) -> bool {
    matches!(action, Action::Turn(Turn { trail: None, .. }))
}

fn board_after(game: &Dynamo, action: &Action) -> String {
    let played = game.play(action, &mut NoChance).expect("a legal turn");
    played.next.position().board().to_string()
}

/// Those of the values that pass, in their order.
fn those(values: &str, passes: impl Fn(&str) -> bool) -> String {
    values.split(' ').filter(|text| passes(text)).collect::<Vec<_>>().join(" ")
}

/// What was found, in the order in which it is expected; the unexpected comes last.
fn in_order_of(values: &str, found: impl Iterator<Item = String>) -> String {
    let place = |text: &String| values.split(' ').position(|value| value == text).unwrap_or(usize::MAX);
    let mut found: Vec<String> = found.collect();
    found.sort_by_key(place);
    found.join(" ")
}
