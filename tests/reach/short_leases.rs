//! Circuits end and reservations run out in the middle of a game, and are made again.

use crate::network::{Nat, Network};
use crate::player::{Game, Player, Relay, SHORT, Transport};

/// Leases of a few seconds, and so few bytes in a circuit that a game does not fit into one.
const SHORT_LEASES: [&str; 6] =
    ["--circuit-seconds", "6", "--circuit-bytes", "12000", "--reservation-seconds", "4"];

#[test]
fn a_relayed_game_goes_on_over_many_circuits_and_leases() {
    let Some(mut network) = Network::begin() else { return };
    let relay = Relay::start(network.server("relay"), "", &SHORT_LEASES);
    let [mut home, mut far] = [(); 2].map(|()| network.home(Nat::Symmetric));
    let settings = relay.named(&[Transport::Quic, Transport::Tcp]);
    let hosts = [home.host("ada"), far.host("bob")];
    let mut game = Game::begin(hosts.map(|host| Player::with_daemon(host, &settings)), &[]);
    for actions in SHORT.chunks(2) {
        game.play(actions);
        // The circuit ends, and the next is there, which is renewed leases later.
        for _ in 0..2 {
            game.players[1].keeper().line_with("is not connected any more");
            game.players[1].keeper().line_with("is connected");
        }
    }
    game.await_path("relayed");
    game.finish();
}

#[test]
fn a_game_goes_on_when_a_machine_has_slept_longer_than_every_lease() {
    let Some(mut network) = Network::begin() else { return };
    let relay = Relay::start(network.server("relay"), "", &SHORT_LEASES);
    let [mut home, mut far] = [(); 2].map(|()| network.home(Nat::Symmetric));
    let settings = relay.named(&[Transport::Quic, Transport::Tcp]);
    let hosts = [home.host("ada"), far.host("bob")];
    let mut game = Game::begin(hosts.map(|host| Player::with_daemon(host, &settings)), &[]);
    game.play(&SHORT[..3]);

    game.players[0].keeper().signal("STOP");
    game.await_path_of(1, "none");
    game.sign(SHORT[3]);
    game.players[0].keeper().signal("CONT");
    game.await_arrival();
    game.play(&SHORT[4..]);
    game.finish();
}
