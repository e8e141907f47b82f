//! The address of one player changes in the middle of a game: its machine is carried into another home.

use crate::network::{Nat, Network};
use crate::player::{Game, Player, Relay, SHORT, Transport};

#[test]
fn a_game_goes_on_from_another_home_over_quic() {
    play(&[Transport::Quic, Transport::Tcp]);
}

#[test]
fn a_game_goes_on_from_another_home_over_tcp() {
    play(&[Transport::Tcp]);
}

fn play(transports: &[Transport]) {
    let Some(mut network) = Network::begin() else { return };
    let relay = Relay::start(network.server("relay"), "", &[]);
    let [mut home, mut far, mut office] = [(); 3].map(|()| network.home(Nat::PortRestricted));
    let hosts = [home.host("ada"), far.host("bob")];
    let mut game = Game::begin(hosts.map(|host| Player::with_daemon(host, &relay.named(transports))), &[]);
    game.play(&SHORT[..2]);
    game.await_path("punched");

    office.take_in(&mut game.players[0].host);
    game.play(&SHORT[2..]);
    game.await_path("punched");
    game.finish();
}
