//! Two players whose machines are never up at the same time: a mailbox on a public host carries their game.

use crate::network::{Nat, Network};
use crate::player::{Game, Player, Relay, SHORT, Transport};
use crate::running::await_until;

#[test]
fn a_game_between_machines_that_are_never_up_together() {
    let Some(mut network) = Network::begin() else { return };
    let [mut home, mut far] = [(); 2].map(|()| network.home(Nat::Symmetric));
    let players = [home.host("ada"), far.host("bob")].map(|host| Player::new(host, ""));
    let keys = players.each_ref().map(Player::key);
    let relay =
        Relay::start(network.server("relay"), "", &["--mailbox-for", &keys[0], "--mailbox-for", &keys[1]]);
    let mailbox = relay.address(Transport::Quic);
    for player in &players {
        player.set(&format!("mailboxes = [{mailbox:?}]\n"));
    }

    // Each command runs the node of its home for its own length, and nobody else's runs meanwhile.
    let offer = players[0].json(&["new", "--setup", "fixed", "--color", "white", "--no-wait"]);
    let joined = players[1].json(&["join", offer["invite"].as_str().expect("an invite")]);
    players[0].done(&["sync"]);
    let begun = players[0].json(&["games"])["games"][0]["name"].take();
    let names = [begun, joined["name"].clone()].map(|name| name.as_str().expect("a name").to_owned());
    let mut game = Game::begun(players, names);

    // And daemons: one is up until what it owes lies in the mailbox.
    for (turn, action) in SHORT.iter().enumerate() {
        up(&mut game, turn % 2, |game| {
            game.sign(action);
            await_until("the letter", || (game.of(turn % 2, "delivery") == "sent").then_some(()));
        });
    }
    up(&mut game, SHORT.len() % 2, |game| {
        game.resign();
        await_until("the last letter", || (game.of(SHORT.len() % 2, "delivery") == "sent").then_some(()));
    });
    for who in [0, 1] {
        up(&mut game, who, |game| {
            await_until("the end", || {
                (game.of(who, "finished") == true && game.of(who, "delivery") != "signed").then_some(())
            });
            assert_eq!(game.of(who, "path")["kind"], "mailbox");
        });
    }
    // The last statement of one may still be on its way to the other.
    let [host, guest] = game.verify().map(|text| {
        text.lines().filter(|line| line.starts_with("entry ")).map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(host, guest);
}

/// Does something while the daemon of one player is up.
fn up(game: &mut Game, who: usize, work: impl FnOnce(&mut Game)) {
    game.players[who].keep(&["daemon"]);
    work(game);
    game.players[who].stop();
}
