//! Two hosts on one local network find each other with no address given.

use crate::network::{Nat, Network};
use crate::player::{Game, Player, SHORT};

#[test]
fn friends_on_one_local_network_meet_without_an_address() {
    let Some(mut network) = Network::begin() else { return };
    let mut home = network.home(Nat::PortRestricted);
    let players = ["ada", "bob"].map(|label| Player::with_daemon(home.host(label), ""));
    let mut game = Game::begin(players, &["--no-addresses"]);
    game.play(&SHORT);
    game.await_path("lan");
    game.finish();
}
