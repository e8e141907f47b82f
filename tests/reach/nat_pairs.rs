//! Two hosts behind routers of every pair of kinds meet through a relay, and without it where a hole can be punched.

use std::thread;
use std::time::Instant;

use crate::nat_kinds::PAIRS;
use crate::network::{Nat, Network};
use crate::player::{Game, Player, Relay, SHORT, Transport};

#[test]
fn every_pair_plays_over_quic_and_only_hard_pairs_stay_on_the_relay() {
    play_all(&[Transport::Quic, Transport::Tcp]);
}

#[test]
fn every_pair_plays_over_tcp_and_only_hard_pairs_stay_on_the_relay() {
    play_all(&[Transport::Tcp]);
}

fn play_all(transports: &[Transport]) {
    thread::scope(|scope| {
        for (a, b, possible) in PAIRS {
            scope.spawn(move || play(a, b, possible, transports));
        }
    });
}

/// A game of two who know one relay by its addresses of these transports.
fn play(a: Nat, b: Nat, possible: bool, transports: &[Transport]) {
    let Some(mut network) = Network::begin() else { return };
    let relay = Relay::start(network.server("relay"), "", &[]);
    let players = [a, b].map(|nat| {
        let mut home = network.home(nat);
        (Player::with_daemon(home.host("player"), &relay.named(transports)), home)
    });
    let [(ada, _at_ada), (bob, _at_bob)] = players;
    let begun = Instant::now();
    let mut game = Game::begin([ada, bob], &[]);
    let found = begun.elapsed();
    game.play(&SHORT[..2]);
    let path = if possible { "punched" } else { "relayed" };
    game.await_path(path);
    let settled = begun.elapsed();
    game.play(&SHORT[2..]);
    // A way that was found stays.
    assert_eq!(game.paths(), [path, path], "{a:?}, {b:?}");
    game.finish();
    println!("{a:?}, {b:?} by {transports:?}: begun after {found:?}, {path} after {settled:?}");
}
