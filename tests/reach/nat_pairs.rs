//! Two hosts behind routers of every pair of kinds meet through a relay, and without it where a hole can be punched.

use std::thread;

use crate::nat_kinds::PAIRS;
use crate::network::{Nat, Network};
use crate::player::{Game, Player, Relay, SHORT, Transport};

#[test]
fn every_pair_plays_and_only_hard_pairs_stay_on_the_relay() {
    thread::scope(|scope| {
        for (a, b, possible) in PAIRS {
            scope.spawn(move || play(a, b, possible, &[Transport::Quic, Transport::Tcp]));
        }
    });
}

#[test]
fn holes_are_punched_over_tcp_too() {
    play(Nat::PortRestricted, Nat::PortRestricted, true, &[Transport::Tcp]);
}

fn play(a: Nat, b: Nat, possible: bool, transports: &[Transport]) {
    let Some(mut network) = Network::begin() else { return };
    let relay = Relay::start(network.server("relay"), "", &[]);
    let players = [a, b].map(|nat| {
        let mut home = network.home(nat);
        (Player::with_daemon(home.host("player"), &relay.named(transports)), home)
    });
    let [(ada, _at_ada), (bob, _at_bob)] = players;
    let mut game = Game::begin([ada, bob], &[]);
    game.play(&SHORT[..2]);
    if possible {
        game.await_path("punched");
    }
    game.play(&SHORT[2..]);
    if !possible {
        assert_eq!(game.paths(), ["relayed", "relayed"], "{a:?}, {b:?}");
    }
    game.finish();
}
