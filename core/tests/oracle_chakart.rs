//! Case files made by other programs: complete move lists, exhaustive outcomes with odds, games replayed.
//!
//! `tests/cases/chakart/FORMAT.md` describes the files.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its case files")]
#![expect(clippy::panic, reason = "a broken case file is a failed test")]

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use chakart_core::board::{Role, Square};
use chakart_core::rules::{
    Action, Candidate, Event, Game, Odds, Played, Rules as _, Variant, for_each_branch, outcomes,
};
use serde_json::Value;

#[test]
fn current_edition() {
    check_file(Variant::Chakart, "chakart.json.gz");
}

#[test]
fn second_edition() {
    check_file(Variant::Chakart2nd, "chakart-2nd.json.gz");
}

#[test]
fn first_edition() {
    check_file(Variant::Chakart1st, "chakart-1st.json.gz");
}

/// Outcomes by (FEN, result) with the sum of their odds.
type Spread = BTreeMap<(Option<String>, String), (u128, u128)>;

fn check_file(variant: Variant, name: &str) {
    let cases = read(name);
    let mut faults = Vec::new();
    for position in list(&cases, "positions") {
        check_position(variant, position, &mut faults);
    }
    for game in cases.get("games").and_then(Value::as_array).into_iter().flatten() {
        for step in list(game, "steps") {
            check_step(variant, step, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults[..faults.len().min(40)].join("\n"));
}

fn check_position(variant: Variant, case: &Value, faults: &mut Vec<String>) {
    let game = game_of(variant, text(case, "fen"), case.get("pending"));
    let mut listed: Vec<String> = game.legal_actions().iter().map(ToString::to_string).collect();
    let mut expected: Vec<String> = list(case, "moves").iter().map(|m| action_of(m).to_string()).collect();
    listed.sort();
    expected.sort();
    if listed != expected {
        let missing: Vec<_> = expected.iter().filter(|m| !listed.contains(m)).collect();
        let extra: Vec<_> = listed.iter().filter(|m| !expected.contains(m)).collect();
        faults.push(format!("{}: missing {missing:?}, extra {extra:?}", game.fen()));
    }
    for sample in list(case, "samples") {
        check_sample(&game, sample, faults);
    }
}

fn check_sample(game: &Game, sample: &Value, faults: &mut Vec<String>) {
    let action = action_of(&sample["move"]);
    let mut expected = Spread::new();
    for outcome in list(sample, "outcomes") {
        let fen = outcome["fen"].as_str().map(|fen| with_pending(fen, outcome.get("pending")));
        let den = u128::from(outcome["odds"].as_u64().expect("odds are a whole number"));
        add(&mut expected, fen, text(outcome, "result").to_owned(), Odds { num: 1, den });
    }
    let mut found = all_answers(game, &action);
    if !expected.keys().any(|(fen, _)| fen.as_deref().is_some_and(names_mover)) {
        found =
            found.into_iter().map(|((fen, result), odds)| ((fen.map(without_mover), result), odds)).collect();
    }
    if found != expected {
        let extra: Vec<_> = found.iter().filter(|o| expected.get(o.0) != Some(o.1)).take(3).collect();
        let missing: Vec<_> = expected.iter().filter(|o| found.get(o.0) != Some(o.1)).take(3).collect();
        faults.push(format!("{} {action}:\n  not in file {extra:?}\n  only in file {missing:?}", game.fen()));
    }
}

/// The outcomes of an action, those with a promotion on the way once for each standing answer.
fn all_answers(game: &Game, action: &Action) -> Spread {
    let mut spread = Spread::new();
    let promotes = |played: &Played<Game>| played.events.iter().any(|e| matches!(e, Event::Promoted { .. }));
    let answers = standing_answers(game, action);
    for (index, answer) in answers.iter().enumerate() {
        for_each_branch(game, answer, |played, odds| {
            if index == 0 || promotes(&played) {
                let outcome = played.next.outcome();
                let fen = outcome.is_none().then(|| played.next.fen());
                let result = outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
                add(&mut spread, fen, result, odds);
            }
            Ok(())
        })
        .expect("a listed action has outcomes");
    }
    if answers.len() == 1 {
        check_merged(game, action, &spread);
    }
    spread
}

fn check_merged(game: &Game, action: &Action, spread: &Spread) {
    let merged = outcomes(game, action).expect("a listed action has outcomes");
    assert_eq!(merged.len(), spread.len());
    for outcome in merged {
        let result = outcome.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
        assert_eq!(spread.get(&(outcome.fen, result)), Some(&(outcome.odds.num, outcome.odds.den)));
    }
}

fn standing_answers(game: &Game, action: &Action) -> Vec<Action> {
    let roles = [Role::Queen, Role::Rook, Role::Knight, Role::Bishop, Role::King];
    let with = |role| match *action {
        Action::Move { from, to, promotion: None } => Action::Move { from, to, promotion: Some(role) },
        Action::Drop { role: dropped, to, promotion: None } => {
            Action::Drop { role: dropped, to, promotion: Some(role) }
        }
        other => other,
    };
    let answers: Vec<Action> = roles.map(with).into_iter().filter(|a| a != action).collect();
    match answers.iter().all(|answer| game.check(answer).is_ok()) {
        true if !answers.is_empty() => answers,
        _ => vec![*action],
    }
}

fn add(spread: &mut Spread, fen: Option<String>, result: String, odds: Odds) {
    let sum = spread.entry((fen, result)).or_insert((0, 1));
    let before = Odds { num: sum.0, den: sum.1 };
    let after = before.plus(odds).expect("odds of case files are short");
    *sum = (after.num, after.den);
}

fn check_step(variant: Variant, step: &Value, faults: &mut Vec<String>) {
    let game = game_of(variant, text(step, "fen"), step.get("pending"));
    let draws: Vec<[&str; 2]> = list(step, "draws")
        .iter()
        .map(|draw| [0, 1].map(|part| draw[part].as_str().expect("a draw is a kind and what was drawn")))
        .collect();
    let action = with_drawn_promotion(action_of(&step["move"]), &draws);
    let drawn: Vec<String> =
        draws.iter().filter(|draw| draw[0] != "promote").map(|draw| draw[1].to_owned()).collect();
    let result = text(step, "result");
    let next = step["next"].as_str().map(|fen| game_of(variant, fen, step.get("next_pending")).fen());
    let mut matches = 0;
    for_each_branch(&game, &action, |played, _| {
        let outcome = played.next.outcome().map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
        // After the last king the programs go on drawing; here nothing is drawn any more.
        let chosen = chosen_names(&played.events);
        let same_draws = if outcome == "*" { chosen == drawn } else { drawn.starts_with(&chosen) };
        if same_draws && outcome == result && (result != "*" || Some(played.next.fen()) == next) {
            matches += 1;
        }
        Ok(())
    })
    .expect("the action of a step is legal");
    if matches != 1 {
        faults.push(format!("{} {action} {draws:?}: {matches} branches lead to\n  {next:?}", game.fen()));
    }
}

fn with_drawn_promotion(action: Action, draws: &[[&str; 2]]) -> Action {
    let answer = draws.iter().find(|draw| draw[0] == "promote").and_then(|draw| role_of(draw[1]));
    match action {
        Action::Move { from, to, promotion: None } => Action::Move { from, to, promotion: answer },
        other => other,
    }
}

fn chosen_names(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Chance { candidates, chosen, .. } => candidates.get(*chosen).map(name_of),
            Event::Forced { candidate, .. } => Some(name_of(candidate)),
            _ => None,
        })
        .collect()
}

fn name_of(candidate: &Candidate) -> String {
    match candidate {
        Candidate::Square(square) => square.to_string(),
        Candidate::Role(role) => role.letter().to_string(),
        Candidate::Effect(effect) => effect.to_string().to_lowercase().replace(' ', ""),
    }
}

/// Whether the pending decision of a FEN says which piece moved.
fn names_mover(fen: &str) -> bool {
    fen.contains("\"daisy:") || fen.contains("\"kingboo:")
}

/// The program of the first edition does not say which piece moved.
fn without_mover(fen: String) -> String {
    match fen.rsplit_once(':') {
        Some((head, _)) if names_mover(&fen) => format!("{head}\"}}"),
        _ => fen,
    }
}

fn game_of(variant: Variant, fen: &str, pending: Option<&Value>) -> Game {
    let fen = with_pending(fen, pending);
    let game = Game::from_fen(variant, &fen).unwrap_or_else(|faults| panic!("{fen}: {faults}"));
    assert_eq!(game.fen(), fen, "the FEN of a case file is canonical");
    game
}

fn with_pending(fen: &str, pending: Option<&Value>) -> String {
    match pending.and_then(Value::as_str) {
        None => fen.to_owned(),
        Some(pending) => match fen.strip_suffix('}') {
            Some(head) => format!("{head},\"pending\":\"{pending}\"}}"),
            None => format!("{fen} {{\"pending\":\"{pending}\"}}"),
        },
    }
}

fn action_of(case: &Value) -> Action {
    let square = |key: &str| -> Square { text(case, key).parse().expect("a square") };
    let promotion = case.get("promo").and_then(Value::as_str).and_then(role_of);
    match text(case, "kind") {
        "normal" => Action::Move { from: square("from"), to: square("to"), promotion },
        "stealth" => Action::Stealth { from: square("from"), to: square("to") },
        "shell" => Action::Shell { from: square("from"), to: square("to") },
        "drop" => {
            let role = role_of(text(case, "piece")).expect("a dropped piece has a kind");
            Action::Drop { role, to: square("to"), promotion }
        }
        "swap" => {
            let (a, b) = (square("a"), square("b"));
            Action::Swap { low: a.min(b), high: a.max(b) }
        }
        other => panic!("unknown kind of move {other}"),
    }
}

fn role_of(letter: &str) -> Option<Role> {
    letter.chars().next().and_then(Role::from_letter)
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("{key} is a text"))
}

fn list<'a>(case: &'a Value, key: &str) -> &'a [Value] {
    case.get(key).and_then(Value::as_array).unwrap_or_else(|| panic!("{key} is a list"))
}

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/chakart").join(name);
    let file = std::fs::File::open(&path).expect("the case file is part of the repository");
    let mut json = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut json).expect("the case file is gzip");
    serde_json::from_str(&json).expect("the case file is JSON")
}
