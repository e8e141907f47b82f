//! The routers of the test network do what their names say: the other situations would prove little otherwise.

use std::net::SocketAddrV4;

use crate::network::{Host, Nat, Network};
use crate::running::Running;

/// The program of `probe.rs`.
pub const PROBE: &str = env!("CARGO_BIN_EXE_reach-probe");

/// Port of every probe at home.
const PORT: u16 = 4001;

/// All pairs of kinds, and whether datagrams can be made to pass between homes of these kinds without a relay.
pub const PAIRS: [(Nat, Nat, bool); 8] = [
    (Nat::FullCone, Nat::FullCone, true),
    (Nat::FullCone, Nat::PortRestricted, true),
    (Nat::FullCone, Nat::Symmetric, true),
    (Nat::PortRestricted, Nat::PortRestricted, true),
    (Nat::PortRestricted, Nat::OtherPort, true),
    (Nat::OtherPort, Nat::OtherPort, true),
    (Nat::PortRestricted, Nat::Symmetric, false),
    (Nat::Symmetric, Nat::Symmetric, false),
];

#[test]
fn each_kind_maps_and_filters_as_its_name_says() {
    for nat in [Nat::FullCone, Nat::PortRestricted, Nat::OtherPort, Nat::Symmetric] {
        let Some(mut network) = Network::begin() else { return };
        let [near, far] = [network.server("near"), network.server("far")];
        let mut home = network.home(nat);
        let host = home.host("host");
        let mut inside = Probe::start(&host, PORT);
        let [mut asked, mut other_port, mut stranger] =
            [(&near, 7001), (&near, 7002), (&far, 7001)].map(|(host, port)| Probe::start(host, port));

        asked.send(SocketAddrV4::new(home.public_address(), PORT), "unasked");
        inside.send(asked.endpoint, "question");
        let mapped = asked.hear("question");
        assert_eq!(*mapped.ip(), home.public_address());
        let keeps = [Nat::FullCone, Nat::PortRestricted].contains(&nat);
        assert_eq!(mapped.port() == PORT, keeps, "{nat:?}: {mapped}");

        stranger.send(mapped, "from-a-stranger");
        other_port.send(mapped, "from-another-port");
        asked.send(mapped, "answer");
        assert_eq!(inside.hear("answer"), asked.endpoint);
        let passes = nat == Nat::FullCone;
        assert_eq!(inside.has_heard("from-a-stranger"), passes, "{nat:?}");
        assert_eq!(inside.has_heard("from-another-port"), passes, "{nat:?}");
        assert!(!inside.has_heard("unasked"), "{nat:?}");

        inside.send(stranger.endpoint, "question");
        let mapped_again = stranger.hear("question");
        assert_eq!(mapped_again == mapped, nat != Nat::Symmetric, "{nat:?}: {mapped}, {mapped_again}");
    }
}

#[test]
fn holes_can_be_punched_where_the_kinds_allow_it() {
    for (a, b, possible) in PAIRS {
        let Some(mut network) = Network::begin() else { return };
        let meeting = network.server("meeting");
        let hosts = [a, b].map(|nat| {
            let mut home = network.home(nat);
            (home.host("host"), home)
        });
        let mut meeting = Probe::start(&meeting, 7001);
        let mut sides = [0, 1].map(|side: usize| Probe::start(&hosts[side].0, PORT));
        assert_eq!(punch(&mut sides, &mut meeting), possible, "{a:?}, {b:?}");
    }
}

#[test]
fn a_host_that_moves_has_another_address_and_still_reaches_the_world() {
    let Some(mut network) = Network::begin() else { return };
    let server = network.server("server");
    let [mut home, mut office] = [network.home(Nat::PortRestricted), network.home(Nat::PortRestricted)];
    let mut host = home.host("host");
    let mut server = Probe::start(&server, 7001);
    let mut probe = Probe::start(&host, PORT);
    probe.send(server.endpoint, "home");
    assert_eq!(*server.hear("home").ip(), home.public_address());

    let before = host.address();
    office.take_in(&mut host);
    assert_ne!(host.address(), before);
    probe.send(server.endpoint, "office");
    assert_eq!(*server.hear("office").ip(), office.public_address());
}

#[test]
fn what_is_dropped_leaves_nothing_behind() {
    let Some(network) = Network::begin() else { return };
    let name = network.name().to_owned();
    let there = |name: &str| std::path::Path::new("/run/netns").join(name).exists();
    assert!(there(&name));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
        let _network = network;
        std::panic::resume_unwind(Box::new("a test that fails"));
    }));
    assert!(panicked.is_err() && !there(&name));
}

/// Both sides learn of each other at the meeting point and send until each has heard the other, or hope is lost.
fn punch(sides: &mut [Probe; 2], meeting: &mut Probe) -> bool {
    let mut targets = [0, 1].map(|side: usize| {
        sides[side].send(meeting.endpoint, "here");
        meeting.hear("here")
    });
    let seen = targets;
    targets.swap(0, 1);
    for round in 0..3 {
        for side in [0, 1] {
            sides[side].send(targets[side], &format!("punch-{round}"));
        }
        for side in [0, 1] {
            // What was sent before has arrived or never will.
            let mark = format!("mark-{round}");
            meeting.send(seen[side], &mark);
            sides[side].hear(&mark);
            // Whoever gets through is answered at the endpoint that it comes from.
            if let Some(source) = sides[side].heard_from("punch") {
                targets[side] = source;
            }
        }
    }
    sides.iter().all(|side| side.heard_from("punch").is_some())
}

/// A UDP socket on a host.
struct Probe {
    running: Running,
    /// Where it is bound, as its host sees it.
    endpoint: SocketAddrV4,
    heard: Vec<(SocketAddrV4, String)>,
}

impl Probe {
    fn start(host: &Host, port: u16) -> Self {
        let mut running = Running::start(host.command(PROBE).arg("udp").arg(port.to_string()));
        running.line_with("bound");
        Self { running, endpoint: SocketAddrV4::new(host.address(), port), heard: Vec::new() }
    }

    /// Sends a datagram; it has left when this returns.
    fn send(&mut self, to: SocketAddrV4, word: &str) {
        self.running.type_line(&format!("to {to} {word}"));
        while self.read().is_some() {}
    }

    /// Waits for a datagram; where it came from.
    fn hear(&mut self, word: &str) -> SocketAddrV4 {
        loop {
            if let Some(at) = self.heard.iter().position(|(_, heard)| heard == word) {
                return self.heard.remove(at).0;
            }
            self.read();
        }
    }

    fn has_heard(&self, word: &str) -> bool {
        self.heard_from(word).is_some()
    }

    /// Where the last datagram came from that begins like this.
    fn heard_from(&self, beginning: &str) -> Option<SocketAddrV4> {
        self.heard.iter().rfind(|(_, word)| word.starts_with(beginning)).map(|(source, _)| *source)
    }

    /// Reads one line: a datagram, or `None` if one was sent.
    fn read(&mut self) -> Option<()> {
        let line = self.running.line_with("");
        let mut words = line.strip_prefix("from ")?.split(' ');
        let source = words.next().and_then(|text| text.parse().ok()).expect("an endpoint");
        self.heard.push((source, words.collect()));
        Some(())
    }
}
