//! What `net doctor` tells behind routers of all kinds.

use std::thread;

use crate::network::{Host, Nat, Network};
use crate::player::{Player, Relay, Transport};

/// What a person is told first where two relays are named.
const TOLD: [(Option<Nat>, &str); 5] = [
    (None, "reach this machine directly."),
    (Some(Nat::FullCone), "reach this machine directly."),
    (Some(Nat::PortRestricted), "through a relay, and then mostly find a direct way."),
    (Some(Nat::OtherPort), "through a relay, and then mostly find a direct way."),
    (Some(Nat::Symmetric), "its router gives each connection a port of its own."),
];

#[test]
fn it_tells_how_friends_reach_a_machine_behind_each_kind_of_router() {
    let Some(mut network) = Network::begin() else { return };
    let [mut one, mut other] =
        ["relay-1", "relay-2"].map(|label| Relay::start(network.server(label), "", &[]));
    let addresses = [&one, &other].map(|relay| relay.address(Transport::Quic));
    let settings = format!("relays = {addresses:?}\n");
    let mut homes = Vec::new();
    let hosts = TOLD.map(|(nat, told)| {
        let Some(nat) = nat else { return (network.server("public"), told) };
        let mut home = network.home(nat);
        let host = home.host("player");
        homes.push(home);
        (host, told)
    });
    thread::scope(|scope| {
        for (host, told) in hosts {
            let settings = &settings;
            scope.spawn(move || assert_tells(host, settings, 0, told));
        }
    });

    one.kill();
    other.kill();
    let mut home = network.home(Nat::PortRestricted);
    let [nowhere, alone] = ["nowhere", "alone"].map(|label| home.host(label));
    thread::scope(|scope| {
        scope.spawn(|| assert_tells(nowhere, &settings, 3, "No named relay holds a reservation"));
        scope.spawn(|| assert_tells(alone, "", 0, "Else name a relay"));
    });
}

fn assert_tells(host: Host, settings: &str, code: i32, told: &str) {
    let output = Player::new(host, settings).run(&["net", "doctor"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    println!("{text}");
    assert!(text.contains(told), "{told}: {text}");
    assert_eq!(output.status.code(), Some(code), "{text}");
}
