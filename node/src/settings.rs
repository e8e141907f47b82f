//! The settings of a home: which helpers of others its node uses. Everything is optional; without a file a node uses its
//! local network and the addresses of friends, and nothing else.
//!
//! ```toml
//! network = "amino"          # or the name of a private network; absent: no discovery
//! bootstrap = ["/dns4/node.example/tcp/4001/p2p/12D3KooW…"]
//! relays = ["/dns4/relay.example/udp/4001/quic-v1/p2p/12D3KooW…"]
//! mailboxes = ["/dns4/relay.example/udp/4001/quic-v1/p2p/12D3KooW…"]
//! lan = true                 # look for friends on the local network
//! port_mapping = true        # ask the router for a port (UPnP)
//! metrics = 9464             # serve them on this port of the loopback
//! ```

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use libp2p::multiaddr::Protocol;
use libp2p::{Multiaddr, PeerId};
use serde::{Deserialize, Deserializer};

use crate::home::Home;

/// Largest settings file that is read, in bytes.
pub const MAX_SETTINGS_BYTES: u64 = 64 * 1024;
/// Addresses that one list of the settings has, at most.
pub const MAX_LISTED: usize = 32;
/// Longest name of a private network, in bytes.
pub const MAX_NETWORK_NAME_BYTES: usize = 32;

/// Nodes by which the public network is usually entered; `bootstrap` replaces them.
const AMINO_BOOTSTRAP: [&str; 6] = [
    "/dnsaddr/bootstrap.libp2p.io/p2p/QmNnooDu7bfjPFoTZYxMNLWUQJyrVwtbZg5gBMjTezGAJN",
    "/dnsaddr/bootstrap.libp2p.io/p2p/QmQCU2EcMqAqQPR2i9bChDtGNJchTbq5TbXJJ16u19uLTa",
    "/dnsaddr/bootstrap.libp2p.io/p2p/QmbLHAnMoJPWSCR5Zhtx6BHJX9KiKNN6tpvbUcqanj75Nb",
    "/dnsaddr/bootstrap.libp2p.io/p2p/QmcZf59bWwK5XFi76CZX8cbJ4BhTzzA3gU1ZjYZcYW3dwt",
    "/ip4/104.131.131.82/tcp/4001/p2p/QmaCpDMGvV2BGHeYERUEnRQAwe3N8SzbUtfsmvsqQLuvuJ",
    "/ip4/104.131.131.82/udp/4001/quic-v1/p2p/QmaCpDMGvV2BGHeYERUEnRQAwe3N8SzbUtfsmvsqQLuvuJ",
];

/// What the settings file says.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The network on which friends find each other.
    pub network: DiscoveryNetwork,
    /// Nodes by which that network is entered.
    #[serde(deserialize_with = "listed")]
    pub bootstrap: Vec<PeerAddress>,
    /// Relays to hold a reservation on.
    #[serde(deserialize_with = "listed")]
    pub relays: Vec<PeerAddress>,
    /// Mailboxes that keep letters for this player and its friends.
    #[serde(deserialize_with = "listed")]
    pub mailboxes: Vec<PeerAddress>,
    /// Whether friends are looked for on the local network.
    pub lan: bool,
    /// Whether the router is asked to map a port.
    pub port_mapping: bool,
    /// The port of the loopback on which metrics are served; absent: not at all.
    pub metrics: Option<u16>,
}

/// The network on which friends find each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum DiscoveryNetwork {
    /// None is used.
    #[default]
    None,
    /// The public Kademlia network of IPFS.
    Amino,
    /// A network of its own, by its name: 1 to [`MAX_NETWORK_NAME_BYTES`] of `a-z`, `0-9`, `-`.
    Private(String),
}

/// A peer by its key and one of its addresses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PeerAddress {
    pub(crate) peer: PeerId,
    /// Without the name of the peer.
    pub(crate) address: Multiaddr,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// What is in it is no settings.
    #[error("{}: {reason}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// Why, with the line; it quotes the file.
        reason: String,
    },
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            network: DiscoveryNetwork::None,
            bootstrap: Vec::new(),
            relays: Vec::new(),
            mailboxes: Vec::new(),
            lan: true,
            port_mapping: true,
            metrics: None,
        }
    }
}

impl Settings {
    /// The settings of a home; without a file the defaults.
    ///
    /// # Errors
    /// [`SettingsError`]
    pub fn of(home: &Home) -> Result<Self, SettingsError> {
        let path = home.settings_file();
        let size = match fs::metadata(&path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(SettingsError::Unreadable { path, error }),
        };
        if size > MAX_SETTINGS_BYTES {
            let reason = format!("{size} bytes; settings have at most {MAX_SETTINGS_BYTES}");
            return Err(SettingsError::Bad { path, reason });
        }
        match fs::read_to_string(&path) {
            Ok(text) => Self::read(&text).map_err(|reason| SettingsError::Bad { path, reason }),
            Err(error) => Err(SettingsError::Unreadable { path, error }),
        }
    }

    /// Nodes by which the network is entered: those that are named, or the usual ones of the public network.
    #[must_use]
    pub fn entries(&self) -> Vec<PeerAddress> {
        if self.network == DiscoveryNetwork::Amino && self.bootstrap.is_empty() {
            return AMINO_BOOTSTRAP.iter().filter_map(|text| text.parse().ok()).collect();
        }
        self.bootstrap.clone()
    }

    fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string().trim_end().replace('\n', "\n  "))
    }
}

impl DiscoveryNetwork {
    /// The name of its Kademlia protocol, if there is a network.
    #[must_use]
    pub fn protocol(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Amino => Some("/ipfs/kad/1.0.0".to_owned()),
            Self::Private(name) => Some(format!("/chakart/{name}/kad/1.0.0")),
        }
    }
}

impl fmt::Display for DiscoveryNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Amino => "amino",
            Self::Private(name) => name,
        })
    }
}

impl<'de> Deserialize<'de> for DiscoveryNetwork {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        match name.as_str() {
            "none" => Ok(Self::None),
            "amino" => Ok(Self::Amino),
            "" => Err(serde::de::Error::custom("a network has a name")),
            _ if name.len() <= MAX_NETWORK_NAME_BYTES && name.chars().all(plain) => Ok(Self::Private(name)),
            _ => Err(serde::de::Error::custom(format!(
                "the name of a network has at most {MAX_NETWORK_NAME_BYTES} letters a-z, digits and '-'"
            ))),
        }
    }
}

impl PeerAddress {
    /// The address of a circuit through this relay.
    #[must_use]
    pub(crate) fn circuit(&self) -> Multiaddr {
        self.address.clone().with(Protocol::P2p(self.peer)).with(Protocol::P2pCircuit)
    }
}

impl fmt::Display for PeerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/p2p/{}", self.address, self.peer)
    }
}

impl std::str::FromStr for PeerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("'{text}' is no address with a key; try /ip4/192.0.2.1/tcp/4001/p2p/12D3KooW…");
        let mut address: Multiaddr = text.parse().map_err(|_| bad())?;
        match address.pop() {
            Some(Protocol::P2p(peer)) if address.iter().next().is_some() => Ok(Self { peer, address }),
            _ => Err(bad()),
        }
    }
}

impl<'de> Deserialize<'de> for PeerAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

fn listed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PeerAddress>, D::Error> {
    let list = Vec::<PeerAddress>::deserialize(deserializer)?;
    if list.len() > MAX_LISTED {
        return Err(serde::de::Error::custom(format!("at most {MAX_LISTED} addresses")));
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELAY: &str = "/ip4/192.0.2.7/tcp/4001/p2p/12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo";

    #[test]
    fn an_empty_file_is_the_default() {
        assert_eq!(Settings::read("").expect("nothing is needed"), Settings::default());
        assert_eq!(Settings::default().network.protocol(), None);
    }

    #[test]
    fn every_setting_is_read() {
        let text = format!(
            "network = \"friends-2\"\nbootstrap = [\"{RELAY}\"]\nrelays = [\"{RELAY}\"]\nmailboxes = []\nlan = false\n\
             port_mapping = false\nmetrics = 9464\n"
        );
        let settings = Settings::read(&text).expect("all good");
        assert_eq!(settings.network.protocol().as_deref(), Some("/chakart/friends-2/kad/1.0.0"));
        assert_eq!(settings.relays[0].to_string(), RELAY);
        assert!(settings.relays[0].circuit().to_string().ends_with("/p2p-circuit"));
        assert_eq!(settings.entries(), settings.bootstrap);
        assert_eq!((settings.lan, settings.port_mapping, settings.metrics), (false, false, Some(9464)));
    }

    #[test]
    fn the_public_network_is_entered_by_its_usual_nodes_unless_others_are_named() {
        let settings = Settings::read("network = \"amino\"").expect("good");
        assert_eq!(settings.entries().len(), AMINO_BOOTSTRAP.len());
        let settings =
            Settings::read(&format!("network = \"amino\"\nbootstrap = [\"{RELAY}\"]")).expect("good");
        assert_eq!(settings.entries().len(), 1);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, named) in [
            ("netwerk = \"amino\"", "netwerk"),
            ("network = \"Big Net\"", "letters a-z"),
            ("relays = [\"/ip4/192.0.2.7/tcp/4001\"]", "no address with a key"),
            (
                "relays = [\"/p2p/12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo\"]",
                "no address with a key",
            ),
            ("metrics = 70000", "metrics"),
            ("lan = \"yes\"", "lan"),
        ] {
            let error = Settings::read(text).expect_err(text);
            assert!(error.contains(named), "{text}: {error}");
        }
    }
}
