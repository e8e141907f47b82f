//! A small internet: public hosts, and homes behind routers that translate addresses.
//!
//! Everything is a network namespace, so that nothing here can reach the network of the machine. The internet is one
//! bridge with addresses of 198.18.0.0/15, the range for testing networks (RFC 2544); each home is a bridge of its own
//! with addresses of 192.168.X.0/24.

use std::io::Write;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use crate::namespace::{Namespace, output_of, remove_left_overs};

/// How a router treats UDP and TCP that pass it. RFC 4787 has the terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nat {
    /// One outer port for an inner one; who knows it can send to it ("full cone").
    FullCone,
    /// One outer port for an inner one; only an endpoint that was sent to can send back ("port-restricted cone").
    PortRestricted,
    /// The same with an outer port that is never the inner one; each protocol has one outer port, so one program at home is
    /// enough for it.
    OtherPort,
    /// An outer port for each endpoint that is sent to, chosen at random; only that endpoint can send back.
    Symmetric,
}

/// An internet without anybody.
pub struct Network {
    internet: Namespace,
    ports: u8,
}

/// A bridge on which hosts meet, with its router.
pub struct Home {
    router: Namespace,
    number: u8,
    /// Addresses given out so far; the router's is the first.
    given: u8,
}

/// A machine with one network card.
pub struct Host {
    namespace: Namespace,
    address: Ipv4Addr,
}

impl Network {
    /// Begins a network; `None` if this machine cannot have one, which is told loudly.
    ///
    /// # Panics
    /// If it cannot in a continuous integration (`CI=true`): there, nothing may be skipped.
    pub fn begin() -> Option<Self> {
        static POSSIBLE: OnceLock<Result<(), String>> = OnceLock::new();
        if let Err(lack) = POSSIBLE.get_or_init(check_tools) {
            skip(&format!("no network namespaces here: {lack}"));
            return None;
        }
        let internet = Namespace::new("internet").expect("a namespace, as a moment ago");
        internet.ip("link add bridge type bridge mcast_snooping 0\nlink set bridge up");
        Some(Self { internet, ports: 0 })
    }

    /// What the internet's namespace is called.
    pub fn name(&self) -> &str {
        self.internet.name()
    }

    /// A public host.
    pub fn server(&mut self, label: &str) -> Host {
        let host = Namespace::new(label).expect("a namespace");
        let address = Ipv4Addr::new(198, 18, 0, self.plug(&host, "eth0"));
        host.ip(&format!("addr add {address}/15 dev eth0\nlink set eth0 up"));
        Host { namespace: host, address }
    }

    /// A home whose router has a public address.
    pub fn home(&mut self, nat: Nat) -> Home {
        let router = Namespace::new("router").expect("a namespace");
        let number = self.plug(&router, "wan");
        router.ip(&format!(
            "addr add 198.18.0.{number}/15 dev wan\n\
             link set wan up\n\
             link add lan type bridge mcast_snooping 0\n\
             addr add 192.168.{number}.1/24 dev lan\n\
             link set lan up"
        ));
        router.must("sysctl", &["-qw", "net.ipv4.ip_forward=1"], "");
        router.must("nft", &["-f", "-"], &rules(nat));
        Home { router, number, given: 1 }
    }

    /// Lays a cable into the namespace; its number.
    fn plug(&mut self, namespace: &Namespace, card: &str) -> u8 {
        self.ports += 1;
        cable(&self.internet, "bridge", self.ports, namespace, card);
        self.ports
    }
}

impl Home {
    /// A host at home.
    pub fn host(&mut self, label: &str) -> Host {
        let namespace = Namespace::new(label).expect("a namespace");
        let mut host = Host { namespace, address: Ipv4Addr::UNSPECIFIED };
        self.take_in(&mut host);
        host
    }

    /// Brings a host here, from wherever it is: it loses its card and address, and gets others.
    pub fn take_in(&mut self, host: &mut Host) {
        self.given += 1;
        if !host.address.is_unspecified() {
            host.namespace.ip("link delete eth0");
        }
        cable(&self.router, "lan", self.given, &host.namespace, "eth0");
        host.address = Ipv4Addr::new(192, 168, self.number, self.given);
        host.namespace.ip(&format!(
            "addr add {}/24 dev eth0\nlink set eth0 up\nroute add default via 192.168.{}.1",
            host.address, self.number
        ));
    }

    /// The public address of the router.
    pub fn public_address(&self) -> Ipv4Addr {
        Ipv4Addr::new(198, 18, 0, self.number)
    }
}

impl Host {
    pub fn address(&self) -> Ipv4Addr {
        self.address
    }

    /// A program to be run on this host.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        self.namespace.command(program)
    }
}

/// Tells that a test does not run here, past the capture of the test runner.
///
/// # Panics
/// In a continuous integration (`CI=true`).
pub fn skip(reason: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "{test} must not be skipped here: {reason}"
    );
    // A closed standard error is the one place where nothing can be told.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {reason}");
}

fn check_tools() -> Result<(), String> {
    let run = |program: &str, argument: &str| {
        output_of(Command::new(program).arg(argument), "").map_err(|error| format!("{program}: {error}"))
    };
    run("ip", "-Version")?;
    run("nft", "--version")?;
    remove_left_overs();
    Namespace::new("trial").map(drop)
}

/// A pair of virtual cards: one on a bridge, the other inside a namespace.
fn cable(bridge_in: &Namespace, bridge: &str, port: u8, namespace: &Namespace, card: &str) {
    bridge_in.ip(&format!(
        "link add port{port} type veth peer name {card} netns {}\nlink set port{port} master {bridge} up",
        namespace.name()
    ));
}

/// The rules of a router. What comes unasked from outside is dropped, in silence as routers do: it then leaves no
/// state behind that would take the port of a later mapping.
fn rules(nat: Nat) -> String {
    let (source, opened, incoming) = match nat {
        Nat::PortRestricted => ("masquerade", "", ""),
        Nat::OtherPort => ("meta l4proto { tcp, udp } masquerade to :1024", "", ""),
        Nat::Symmetric => ("masquerade fully-random", "", ""),
        // A masquerade keeps the port where nobody else has it, so one machine at home is enough for the cone.
        Nat::FullCone => (
            "masquerade",
            "update @cone { meta l4proto . th sport : ip saddr }",
            "iifname wan dnat to meta l4proto . th dport map @cone",
        ),
    };
    format!(
        "table ip router {{
            map cone {{ type inet_proto . inet_service : ipv4_addr; flags dynamic,timeout; timeout 10m; size 1000; }}
            chain input {{
                type filter hook input priority filter; policy drop;
                iifname {{ lo, lan }} accept
                ct state established,related accept
            }}
            chain forward {{
                type filter hook forward priority filter; policy drop;
                iifname lan oifname wan meta l4proto {{ tcp, udp }} {opened} accept
                iifname lan accept
                ct state established,related accept
                ct status dnat accept
            }}
            chain incoming {{ type nat hook prerouting priority dstnat; {incoming}; }}
            chain outgoing {{ type nat hook postrouting priority srcnat; oifname wan {source}; }}
        }}
        "
    )
}
