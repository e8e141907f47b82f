//! Turns of Dynamo: counting sequences of turns, listing and judging the turns of one position.

use chakart_core::chance::NoChance;
use chakart_core::rules::dynamo::{Dynamo, Position, perft};
use chakart_core::rules::{Action, Rules};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

/// A middle game with an undo record, 138 legal turns.
const MIDDLE: &str = "rnbqk1nr/pppppp1p/6p1/8/3b4/1P6/PBPPPPPP/RN1QKBNR w 6 ahah wbb2.bbd4/wbd4.bbg7";

fn main() {
    divan::main();
}

#[divan::bench(args = [(1, 168_u64), (2, 26_942), (3, 3_940_562)], sample_count = 10)]
fn perft_from_the_start(bencher: Bencher<'_, '_>, (depth, turns): (u32, u64)) {
    let start = Position::start();
    bencher.counter(ItemsCount::new(turns)).bench(|| {
        assert_eq!(perft(black_box(&start), depth), turns);
    });
}

#[divan::bench]
fn legal_turns(bencher: Bencher<'_, '_>) {
    let position = Position::from_fen(MIDDLE).expect("the FEN is sound");
    bencher.counter(ItemsCount::new(138_u64)).bench(|| black_box(&position).legal_turns());
}

/// What a verifier does for each entry.
#[divan::bench]
fn play_one_turn(bencher: Bencher<'_, '_>) {
    let game = Dynamo::from_fen(MIDDLE).expect("the FEN is sound");
    let action = Action::parse_dynamo("d4g7,b2c3").expect("the turn is well formed");
    bencher.bench(|| black_box(&game).play(&action, &mut NoChance).expect("the turn is legal"));
}
