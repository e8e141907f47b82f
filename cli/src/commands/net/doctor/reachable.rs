//! How friends on other networks can reach a machine.

use chakart_node::runtime::Standing;

/// How friends on other networks can reach this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reachable {
    /// Without anybody's help.
    Directly,
    /// By a relay, and from there on mostly without it.
    ByRelay,
    /// By a relay that mostly stays between: the router gives each connection a port of its own.
    OnlyByRelay,
    /// Not at all, as far as is known.
    Not,
}

impl Reachable {
    /// As a node tells that it stands.
    pub(super) fn of(standing: &Standing) -> Self {
        let (punched, in_vain) = standing.punched;
        let hard = ports_change(&standing.seen) || (punched == 0 && in_vain > 0);
        match (standing.external.is_empty(), standing.relays.is_empty()) {
            (false, _) => Self::Directly,
            (true, false) if hard => Self::OnlyByRelay,
            (true, false) => Self::ByRelay,
            (true, true) => Self::Not,
        }
    }

    /// For people.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Directly => "Friends on other networks reach this machine directly.",
            Self::ByRelay => {
                "Friends on other networks reach this machine through a relay, and then mostly find a direct way."
            }
            Self::OnlyByRelay => {
                "Friends on other networks reach this machine through a relay, and mostly stay there: its router gives each \
                 connection a port of its own."
            }
            Self::Not => "Friends on other networks cannot reach this machine, as far as is known.",
        }
    }
}

/// Whether a router shows different ports to different relays.
fn ports_change(seen: &[String]) -> bool {
    let seen: Vec<_> = seen.iter().filter_map(|address| endpoint(address)).collect();
    seen.iter().any(|(way, port)| seen.iter().any(|(other_way, other)| way == other_way && port != other))
}

/// The IP address and protocol, and the port, of `/ip4/IP/udp/PORT/…`.
fn endpoint(address: &str) -> Option<((&str, &str), &str)> {
    let mut parts = address.split('/').skip(2);
    Some(((parts.next()?, parts.next()?), parts.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(external: &[&str], seen: &[&str], relays: &[&str]) -> Standing {
        let [external, seen, relays] =
            [external, seen, relays].map(|list| list.iter().map(|&text| text.to_owned()).collect());
        Standing { external, seen, relays, ..Standing::default() }
    }

    #[test]
    fn a_router_that_changes_ports_is_told_by_two_relays() {
        let [one, other] = ["/ip4/192.0.2.7/udp/5000/quic-v1", "/ip4/192.0.2.7/udp/6000/quic-v1"];
        let tcp = "/ip4/192.0.2.7/tcp/7000";
        let of = |external: &[&str], seen: &[&str], relays: &[&str]| {
            Reachable::of(&standing(external, seen, relays))
        };
        assert_eq!(of(&[one], &[one, other], &["relay"]), Reachable::Directly);
        assert_eq!(of(&[], &[one, tcp], &["relay"]), Reachable::ByRelay);
        assert_eq!(of(&[], &[one, other], &["relay"]), Reachable::OnlyByRelay);
        assert_eq!(of(&[], &[one], &[]), Reachable::Not);
    }
}
