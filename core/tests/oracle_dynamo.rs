//! Dynamo against cases made with another program: checks, results, every reachable board, spellings, counts.
//!
//! `cases/dynamo/dynamo.json.gz` holds positions with the boards after all legal turns, taken from vchess and
//! corrected where vchess departs from the published rules.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its case files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use chakart_core::chance::NoChance;
use chakart_core::rules::dynamo::{Dynamo, Position, perft};
use chakart_core::rules::{Action, Rules};
use flate2::read::GzDecoder;
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    positions: Vec<Case>,
    perft: Vec<Counts>,
    start_depth3_sum: u64,
}

#[derive(Deserialize)]
struct Case {
    fen: String,
    in_check: bool,
    result: String,
    boards: Vec<String>,
    #[serde(default)]
    turns: Vec<String>,
}

#[derive(Deserialize)]
struct Counts {
    fen: String,
    depth1_boards: usize,
    depth2_sum_of_boards: usize,
    depth2_distinct_boards: usize,
}

fn cases() -> Cases {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/dynamo/dynamo.json.gz");
    let file = File::open(path).expect("the cases are in the repository");
    serde_json::from_reader(GzDecoder::new(file)).expect("the cases are well formed")
}

fn game(fen: &str) -> Dynamo {
    Dynamo::from_fen(fen).expect(fen)
}

/// Of two men that left together, vchess names either first. Here the one from the lower square comes first.
fn with_off_men_in_order(fen: &str) -> String {
    let Some((rest, off)) = fen.split_once(" -/") else { return fen.to_owned() };
    let mut off: Vec<&str> = off.split('.').collect();
    off.sort_by_key(|man| man.bytes().rev().take(2).collect::<Vec<_>>());
    format!("{rest} -/{}", off.join("."))
}

/// The legal turns by the board that they lead to.
fn turns_by_board(game: &Dynamo) -> BTreeMap<String, Vec<Action>> {
    let mut boards = BTreeMap::<_, Vec<_>>::new();
    for action in game.position().legal_turns() {
        boards.entry(board_after(game, &action)).or_default().push(action);
    }
    boards
}

fn board_after(game: &Dynamo, action: &Action) -> String {
    next(game, action).position().board().to_string()
}

fn next(game: &Dynamo, action: &Action) -> Dynamo {
    game.play(action, &mut NoChance).expect("a legal turn").next
}

#[test]
fn positions_have_their_checks_results_and_boards() {
    for case in cases().positions {
        let game = game(&case.fen);
        assert_eq!(game.fen(), with_off_men_in_order(&case.fen));
        assert_eq!(game.position().is_in_check(), case.in_check, "{}", case.fen);
        let result = game.outcome().map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
        assert_eq!(result, case.result, "{}", case.fen);
        let found: BTreeSet<String> = turns_by_board(&game).into_keys().collect();
        assert_eq!(found, case.boards.into_iter().collect(), "{}", case.fen);
    }
}

#[test]
fn turns_have_their_canonical_spellings() {
    for case in cases().positions {
        let game = game(&case.fen);
        let boards = turns_by_board(&game);
        for (turn, board) in case.turns.iter().zip(&case.boards) {
            let spellings: Vec<String> =
                boards.get(board).into_iter().flatten().map(ToString::to_string).collect();
            assert!(spellings.contains(turn), "{}: {turn} is not in {spellings:?}", case.fen);
        }
    }
}

#[test]
fn two_turns_lead_to_as_many_boards_as_elsewhere() {
    for counts in cases().perft {
        let game = game(&counts.fen);
        let firsts = turns_by_board(&game);
        assert_eq!(firsts.len(), counts.depth1_boards, "{}", counts.fen);
        let mut sum = 0;
        let mut distinct = BTreeSet::new();
        for turns in firsts.values() {
            let seconds: BTreeSet<String> =
                turns.iter().flat_map(|turn| turns_by_board(&next(&game, turn)).into_keys()).collect();
            sum += seconds.len();
            distinct.extend(seconds);
        }
        assert_eq!(sum, counts.depth2_sum_of_boards, "{}", counts.fen);
        assert_eq!(distinct.len(), counts.depth2_distinct_boards, "{}", counts.fen);
    }
}

#[test]
fn three_turns_from_the_start() {
    assert_eq!(perft(&Position::start(), 3), cases().start_depth3_sum);
}
