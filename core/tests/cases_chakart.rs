//! This project's own case files for Chakart: `tests/cases/chakart/*.json`, described in `FORMAT.md` beside them.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its case files")]
#![expect(clippy::panic, reason = "a broken case file is a failed test")]

use std::path::{Path, PathBuf};

use chakart_core::board::{Color, Square};
use chakart_core::chance::SeededChance;
use chakart_core::rules::chakart::setup;
use chakart_core::rules::{
    Action, Candidate, Event, Game, Played, ReadActionError, Rules as _, Setup, Variant, for_each_branch,
    sentences,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    variant: String,
    fen: String,
    /// All legal actions.
    legal: Option<Vec<String>>,
    #[serde(default)]
    allows: Vec<String>,
    #[serde(default)]
    refuses: Vec<String>,
    #[serde(default)]
    steps: Vec<Step>,
    #[serde(default)]
    never: Vec<Step>,
    #[serde(default)]
    views: Vec<ViewCase>,
    #[serde(default)]
    readings: Vec<Reading>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    action: String,
    /// Where the hidden queen turns out to be.
    open: Option<String>,
    #[serde(default)]
    drawn: Vec<String>,
    next: Option<String>,
    #[serde(default = "unfinished")]
    result: String,
    notation: Option<String>,
    words: Option<Vec<String>>,
    /// Whether the action comes to a choice on the public board.
    choice: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ViewCase {
    viewer: Option<String>,
    own_queen: Option<String>,
    color: Option<String>,
    origin: Option<String>,
    square: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reading {
    text: String,
    action: Option<String>,
    fits: Option<Vec<String>>,
    refused: Option<bool>,
}

fn unfinished() -> String {
    "*".to_owned()
}

#[test]
fn every_case_holds() {
    let mut count = 0;
    let mut broken = Vec::new();
    for name in ["figures", "passes", "hidden_queens", "first_edition", "promotions", "effects", "notation"] {
        let cases: Vec<Case> = read(&format!("{name}.json"));
        count += cases.len();
        for case in &cases {
            if std::panic::catch_unwind(|| check_case(case)).is_err() {
                broken.push(case.name.as_str().to_owned());
            }
        }
    }
    assert!(broken.is_empty(), "these do not hold, see above: {broken:#?}");
    assert!(count > 40, "only {count} cases");
}

fn check_case(case: &Case) {
    let variant: Variant = case.variant.parse().expect("a variant");
    let game = Game::from_fen(variant, &case.fen).unwrap_or_else(|faults| panic!("{}: {faults}", case.name));
    assert_eq!(game.fen(), case.fen, "{}", case.name);
    if let Some(legal) = &case.legal {
        let mut listed: Vec<String> = game.legal_actions().iter().map(ToString::to_string).collect();
        listed.sort();
        assert_eq!(&listed, legal, "{}", case.name);
    }
    for text in &case.allows {
        assert_eq!(game.check(&parse(&game, text)), Ok(()), "{}: {text}", case.name);
    }
    for text in &case.refuses {
        assert!(game.check(&parse(&game, text)).is_err(), "{}: {text}", case.name);
    }
    for step in &case.never {
        assert_eq!(branches(&game, step).len(), 0, "{}: {}", case.name, step.action);
    }
    for view in &case.views {
        check_view(case, &game, view);
    }
    for reading in &case.readings {
        check_reading(case, &game, reading);
    }
    case.steps.iter().fold(game, |game, step| check_step(case, &game, step));
}

fn check_step(case: &Case, game: &Game, step: &Step) -> Game {
    let action = parse(game, &step.action);
    if let Some(choice) = step.choice {
        assert_eq!(game.reaches_choice(&action), choice, "{}: {}", case.name, step.action);
    }
    let mut found = branches(game, step);
    assert_eq!(found.len(), 1, "{}: {}: one branch draws {:?}", case.name, step.action, step.drawn);
    let played = found.remove(0);
    let outcome = played.next.outcome().map_or_else(unfinished, |outcome| outcome.to_string());
    assert_eq!(outcome, step.result, "{}: {}", case.name, step.action);
    if step.next.is_some() {
        assert_eq!(Some(played.next.fen()), step.next, "{}: {}", case.name, step.action);
    }
    if let Some(notation) = &step.notation {
        assert_eq!(&game.notation_played(&action, &played.events, true), notation, "{}", case.name);
    }
    if let Some(words) = &step.words {
        assert_eq!(&sentences(&played.events), words, "{}", case.name);
    }
    played.next
}

/// The branches in which exactly the listed things are drawn, and which end in the listed position, if one is.
fn branches(game: &Game, step: &Step) -> Vec<Played<Game>> {
    let game = match &step.open {
        Some(square) => game.opened(square.parse().expect("a square")),
        None => game.clone(),
    };
    let mut found = Vec::new();
    for_each_branch(&game, &parse(&game, &step.action), |played, _| {
        if drawn(&played.events) == step.drawn {
            found.push(played);
        }
        Ok(())
    })
    .unwrap_or_else(|error| panic!("{}: {error}", step.action));
    found
}

fn drawn(events: &[Event]) -> Vec<String> {
    let chosen = events.iter().filter_map(|event| match event {
        Event::Chance { candidates, chosen, .. } => candidates.get(*chosen),
        Event::Forced { candidate, .. } => Some(candidate),
        _ => None,
    });
    chosen
        .map(|candidate| match candidate {
            Candidate::Square(square) => square.to_string(),
            Candidate::Role(role) => role.letter().to_string(),
            Candidate::Effect(effect) => effect.to_string().to_lowercase().replace(' ', ""),
        })
        .collect()
}

fn check_view(case: &Case, game: &Game, expected: &ViewCase) {
    let square = |text: &Option<String>| text.as_ref().map(|t| t.parse::<Square>().expect("a square"));
    let viewer = expected.viewer.as_deref().map(color);
    let view = game.view(viewer, square(&expected.own_queen));
    let hidden = view.hidden;
    assert_eq!(hidden.map(|h| h.color), expected.color.as_deref().map(color), "{}", case.name);
    assert_eq!(hidden.and_then(|h| h.origin), square(&expected.origin), "{}", case.name);
    assert_eq!(hidden.and_then(|h| h.square), square(&expected.square), "{}", case.name);
    let queen = square(&expected.own_queen);
    assert!(
        queen.is_none_or(|square| view.at(square).is_none()),
        "{}: she is on no visible board",
        case.name
    );
}

fn color(text: &str) -> Color {
    Color::ALL.into_iter().find(|color| color.to_string().to_lowercase() == text).expect("white or black")
}

fn check_reading(case: &Case, game: &Game, reading: &Reading) {
    let read = game.read_action(&reading.text);
    let context = format!("{}: '{}' is {read:?}", case.name, reading.text);
    match (&reading.action, &reading.fits, read) {
        (Some(action), _, Ok(found)) => assert_eq!(&found.to_string(), action, "{context}"),
        (_, Some(fits), Err(ReadActionError::Ambiguous { fits: found, .. })) => {
            assert_eq!(&found.iter().map(Action::to_string).collect::<Vec<_>>(), fits, "{context}");
        }
        (None, None, Err(ReadActionError::Illegal(_))) => {
            assert_eq!(reading.refused, Some(true), "{context}")
        }
        (None, None, Err(ReadActionError::NotUnderstood(_))) => {
            assert_eq!(reading.refused, None, "{context}")
        }
        _ => panic!("{context}"),
    }
}

fn parse(game: &Game, text: &str) -> Action {
    game.parse_action(text).unwrap_or_else(|_| panic!("'{text}' is no canonical action"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArrayCase {
    index: u32,
    array: String,
}

#[test]
fn arrays_have_their_indices() {
    let cases: Vec<ArrayCase> = read("arrays.json");
    for case in cases {
        let array = setup::array(case.index).expect("an index below 2880");
        let letters: String = array.iter().map(|role| role.letter().to_ascii_uppercase()).collect();
        assert_eq!(letters, case.array, "array {}", case.index);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartCase {
    seed: String,
    variant: String,
    setup: String,
    fen: String,
}

#[test]
fn seeds_give_starting_positions() {
    let cases: Vec<StartCase> = read("starts.json");
    for case in cases {
        let variant = case.variant.parse().expect("a variant");
        let setup = Setup::ALL.into_iter().find(|s| s.name() == case.setup).expect("a set-up");
        assert_eq!(Game::start(variant, setup, &mut chance(&case.seed)).fen(), case.fen);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeedCase {
    seed: String,
    variant: String,
    fen: String,
    action: String,
    drawn: Vec<String>,
    next: String,
}

#[test]
fn seeds_give_outcomes() {
    let cases: Vec<SeedCase> = read("seeds.json");
    for case in cases {
        let variant = case.variant.parse().expect("a variant");
        let game = Game::from_fen(variant, &case.fen).expect("a FEN");
        let played = game.play(&parse(&game, &case.action), &mut chance(&case.seed)).expect("a legal action");
        assert_eq!(drawn(&played.events), case.drawn, "{} {}", case.fen, case.action);
        assert_eq!(played.next.fen(), case.next, "{} {}", case.fen, case.action);
    }
}

fn chance(seed: &str) -> SeededChance {
    let byte = |at: usize| u8::from_str_radix(&seed[2 * at..2 * at + 2], 16).expect("hexadecimal");
    SeededChance::new(std::array::from_fn(byte))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultCase {
    variant: String,
    fen: String,
    /// Parts of the message, one for each fault, in order.
    faults: Vec<String>,
}

#[test]
fn faults_of_fens_are_all_named() {
    let cases: Vec<FaultCase> = read("faults.json");
    for case in cases {
        let variant = case.variant.parse().expect("a variant");
        let faults = Game::from_fen(variant, &case.fen).expect_err(&case.fen).0;
        let named: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(named, case.faults, "{}", case.fen);
    }
}

fn read<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/chakart");
    let text = std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}
