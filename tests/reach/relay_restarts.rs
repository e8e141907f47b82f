//! The relay between two players is killed and comes back in the middle of their game.

use crate::network::{Nat, Network};
use crate::player::{Game, Player, Relay, SHORT, Transport};

#[test]
fn a_game_goes_on_when_its_relay_is_back() {
    let Some(mut network) = Network::begin() else { return };
    let mut relay = Relay::start(network.server("relay"), "", &[]);
    let [mut home, mut far] = [(); 2].map(|()| network.home(Nat::Symmetric));
    let settings = relay.named(&[Transport::Quic, Transport::Tcp]);
    let hosts = [home.host("ada"), far.host("bob")];
    let mut game = Game::begin(hosts.map(|host| Player::with_daemon(host, &settings)), &[]);
    game.play(&SHORT[..2]);
    game.await_path("relayed");

    relay.kill();
    game.await_path("none");
    game.sign(SHORT[2]);
    relay.start_again();
    game.await_arrival();
    game.play(&SHORT[3..]);
    game.await_path("relayed");
    game.finish();
}
