//! Legal actions beside shakmaty's legal moves of the same men, and what playing an action costs.

use chakart_core::chance::SeededChance;
use chakart_core::rules::{Action, Game, Rules as _, Setup, Variant};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use shakmaty::Position as _;

/// Men that both programs know, without objects: 20 to 40 moves.
const BOARDS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "r1bqk2r/ppp2ppp/2n2n2/2bpp3/4P3/2PP1N2/PP1NBPPP/R1BQK2R",
    "r4rk1/1bq1bppp/p1nppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1",
];

/// A middlegame with objects, eggs and powers.
const MIDDLEGAME: &str = r#"r1bqk2r/pmp2ppp/2n2n2/2bpe3/d3P3/2PP1N2/PPwNBPPP/R1BQK2R w 20 {"flags":"1111"}"#;

fn main() {
    divan::main();
}

fn game(board: &str, flags: &str) -> Game {
    let fen = format!("{board} w 20 {{\"flags\":\"{flags}\"}}");
    Game::from_fen(Variant::Chakart, &fen).expect("the FEN is valid")
}

#[divan::bench(args = 0..BOARDS.len())]
fn legal_actions(bencher: Bencher, board: usize) {
    let game = game(BOARDS[board], "0000");
    bencher
        .counter(ItemsCount::new(game.legal_actions().len()))
        .bench_local(|| black_box(&game).legal_actions());
}

#[divan::bench(args = 0..BOARDS.len())]
fn legal_actions_with_powers(bencher: Bencher, board: usize) {
    let game = game(BOARDS[board], "1111");
    bencher
        .counter(ItemsCount::new(game.legal_actions().len()))
        .bench_local(|| black_box(&game).legal_actions());
}

#[divan::bench(args = 0..BOARDS.len())]
fn shakmaty_legal_moves(bencher: Bencher, board: usize) {
    let fen: shakmaty::fen::Fen = format!("{} w - - 0 1", BOARDS[board]).parse().expect("the FEN is valid");
    let position: shakmaty::Chess =
        fen.into_position(shakmaty::CastlingMode::Standard).expect("the position is valid");
    bencher
        .counter(ItemsCount::new(position.legal_moves().len()))
        .bench_local(|| black_box(&position).legal_moves());
}

#[divan::bench]
fn legal_actions_of_a_middlegame(bencher: Bencher) {
    let game = Game::from_fen(Variant::Chakart, MIDDLEGAME).expect("the FEN is valid");
    bencher
        .counter(ItemsCount::new(game.legal_actions().len()))
        .bench_local(|| black_box(&game).legal_actions());
}

#[divan::bench]
fn check_an_action(bencher: Bencher) {
    let game = Game::from_fen(Variant::Chakart, MIDDLEGAME).expect("the FEN is valid");
    let action = Action::parse_chakart("d1c2").expect("an action");
    bencher.bench_local(|| black_box(&game).check(black_box(&action)));
}

/// A plain knight move, a queen on a bomb, a rook that places its banana, a knight on an egg.
#[divan::bench(args = ["f3d4", "d1c2", "h1g1", "f3e5"])]
fn play(bencher: Bencher, action: &str) {
    let game = Game::from_fen(Variant::Chakart, MIDDLEGAME).expect("the FEN is valid");
    let action = Action::parse_chakart(action).expect("an action");
    let mut chance = SeededChance::new([7; 32]);
    bencher.bench_local(|| black_box(&game).play(&action, &mut chance));
}

#[divan::bench]
fn fen_round_trip(bencher: Bencher) {
    bencher.bench(|| Game::from_fen(Variant::Chakart, black_box(MIDDLEGAME)).map(|game| game.fen()));
}

#[divan::bench]
fn start_asymmetric(bencher: Bencher) {
    let mut chance = SeededChance::new([7; 32]);
    bencher.bench_local(|| Game::start(Variant::Chakart, Setup::Asymmetric, &mut chance));
}
