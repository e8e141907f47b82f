//! How long the machine thinks about one action of a practice game; a person should wait for at most a second.

use chakart::machine::{Level, choose};
use chakart_core::chance::SeededChance;
use chakart_core::rules::{Game, Rules as _, Setup, Variant};

fn main() {
    divan::main();
}

#[divan::bench(args = [Variant::Chakart, Variant::Dynamo])]
fn greedy(bencher: divan::Bencher<'_, '_>, variant: Variant) {
    let game = middle_game(variant);
    bencher.bench(|| choose(&game, Level::Greedy, [1; 32]));
}

#[divan::bench(args = [Variant::Chakart, Variant::Dynamo])]
fn expectimax(bencher: divan::Bencher<'_, '_>, variant: Variant) {
    let game = middle_game(variant);
    bencher.bench(|| choose(&game, Level::Expectimax, [1; 32]));
}

/// A board with men in play and objects on it.
fn middle_game(variant: Variant) -> Game {
    let mut chance = SeededChance::new([5; 32]);
    let setup = if variant.allows(Setup::Asymmetric) { Setup::Asymmetric } else { Setup::Fixed };
    let mut game = Game::start(variant, setup, &mut chance);
    for turn in 0..30 {
        let Some(action) = choose(&game, Level::Greedy, [turn; 32]) else { break };
        match game.play(&action, &mut chance) {
            Ok(played) if played.next.outcome().is_none() => game = played.next,
            _ => break,
        }
    }
    game
}
