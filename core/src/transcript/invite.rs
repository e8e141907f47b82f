//! An invite: an offer with the addresses of its host, on one line to paste.
//!
//! `chakart:` and base64url without padding of: version byte 1; length of the offer (u16, little-endian) and its
//! bytes; its signature (64); a secret (16) that is in no log; parts, each a type byte, a length (u16, little-endian)
//! and as many bytes; CRC-32 (IEEE) of all before (u32, little-endian). Part types: 1 an address, 2 a relay, 3
//! a mailbox, all multiaddrs as text; unknown types are skipped. White space in a pasted invite is ignored.

use std::fmt;
use std::str::FromStr;

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::{DecodeError, Engine};

use crate::protocol::codec::SignedEntry;
use crate::protocol::keys::SIGNATURE_BYTES;

const PREFIX: &str = "chakart:";
const VERSION: u8 = 1;
const ADDRESS: u8 = 1;
const RELAY: u8 = 2;
const MAILBOX: u8 = 3;
const SECRET_BYTES: usize = 16;
const CHECKSUM_BYTES: usize = 4;
/// Longest invite, in bytes before base64.
pub const MAX_INVITE_BYTES: usize = 4_096;
/// Most addresses, relays and mailboxes that are read, each; further ones are skipped.
pub const MAX_INVITE_ADDRESSES: usize = 16;
/// Most mailboxes that are written; further ones are left out.
pub const MAX_MAILBOXES_WRITTEN: usize = 2;

/// An offer and how to reach its host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invite {
    /// The offer, not checked yet.
    pub offer: SignedEntry,
    /// Multiaddrs of the host, as text.
    pub addresses: Vec<String>,
    /// Multiaddrs of relays that know the host, as text.
    pub relays: Vec<String>,
    /// Mailboxes of the host: multiaddrs that end with the key of the mailbox (`/p2p/…`), as text.
    pub mailboxes: Vec<String>,
    /// Known to whoever has the invite and to nobody else.
    pub secret: [u8; SECRET_BYTES],
}

/// Why a text is no invite.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadInvite {
    /// It does not begin like one.
    #[error("not an invite: an invite begins with '{PREFIX}'")]
    Prefix,
    /// Not base64url.
    #[error("the invite is damaged: it has a character that no invite has; copy it whole")]
    Base64,
    /// Too long or too short.
    #[error("the invite is damaged: it is cut or too long; copy it whole")]
    Length,
    /// The checksum differs.
    #[error("the invite is damaged: its checksum differs; copy it whole")]
    Checksum,
    /// A version that this program does not know.
    #[error("the invite is of version {0}, which a newer program may know (known: {VERSION})")]
    Version(u8),
}

impl fmt::Display for Invite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = vec![VERSION];
        put(&mut bytes, &self.offer.bytes);
        bytes.extend(self.offer.signature);
        bytes.extend(self.secret);
        let addresses = self.addresses.iter().map(|address| (ADDRESS, address));
        let relays = self.relays.iter().map(|relay| (RELAY, relay));
        let mailboxes = self.mailboxes.iter().take(MAX_MAILBOXES_WRITTEN).map(|mailbox| (MAILBOX, mailbox));
        for (kind, text) in addresses.chain(relays).chain(mailboxes) {
            bytes.push(kind);
            put(&mut bytes, text.as_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        write!(f, "{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl FromStr for Invite {
    type Err = BadInvite;

    fn from_str(text: &str) -> Result<Self, BadInvite> {
        // Base64 has four characters for three bytes; a paste may have as many line breaks again.
        if text.len() > 4 * MAX_INVITE_BYTES {
            return Err(BadInvite::Length);
        }
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let base64 = text.strip_prefix(PREFIX).ok_or(BadInvite::Prefix)?;
        let bytes = URL_SAFE_NO_PAD.decode(base64).map_err(|error| match error {
            DecodeError::InvalidByte(..) => BadInvite::Base64,
            _ => BadInvite::Length,
        })?;
        if bytes.len() > MAX_INVITE_BYTES {
            return Err(BadInvite::Length);
        }
        let (body, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(BadInvite::Length)?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(BadInvite::Checksum);
        }
        match body.split_first() {
            Some((&VERSION, rest)) => read(rest).ok_or(BadInvite::Length),
            Some((&version, _)) => Err(BadInvite::Version(version)),
            None => Err(BadInvite::Length),
        }
    }
}

fn put(bytes: &mut Vec<u8>, part: &[u8]) {
    let length = u16::try_from(part.len()).expect("offers and addresses are far below 64 KiB");
    bytes.extend(length.to_le_bytes());
    bytes.extend(part);
}

fn take<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<2>()?;
    let (part, after) = after.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    *rest = after;
    Some(part)
}

fn read(mut rest: &[u8]) -> Option<Invite> {
    let bytes = take(&mut rest)?.to_vec();
    let (signature, after) = rest.split_first_chunk::<SIGNATURE_BYTES>()?;
    let (secret, mut rest) = after.split_first_chunk::<SECRET_BYTES>()?;
    let offer = SignedEntry { bytes, signature: *signature };
    let (addresses, relays, mailboxes) = (Vec::new(), Vec::new(), Vec::new());
    let mut invite = Invite { offer, addresses, relays, mailboxes, secret: *secret };
    while let Some((&kind, after)) = rest.split_first() {
        rest = after;
        let part = take(&mut rest)?;
        let list = match kind {
            ADDRESS => &mut invite.addresses,
            RELAY => &mut invite.relays,
            MAILBOX => &mut invite.mailboxes,
            _ => continue,
        };
        match std::str::from_utf8(part) {
            Ok(text) if list.len() < MAX_INVITE_ADDRESSES => list.push(text.to_owned()),
            _ => {}
        }
    }
    Some(invite)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invite() -> Invite {
        Invite {
            offer: SignedEntry { bytes: vec![3; 250], signature: [4; 64] },
            addresses: vec!["/ip4/127.0.0.1/tcp/4001".into(), "/ip6/::1/udp/4001/quic-v1".into()],
            relays: vec!["/dns4/relay.example/tcp/4001".into()],
            mailboxes: vec![
                "/dns4/box.example/tcp/4001/p2p/12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo".into(),
            ],
            secret: [5; 16],
        }
    }

    #[test]
    fn reads_back_with_line_breaks() {
        let text = invite().to_string();
        let broken: String = text.chars().flat_map(|c| [c, '\n']).collect();
        assert_eq!(text.parse(), Ok(invite()));
        assert_eq!(broken.parse(), Ok(invite()));
    }

    #[test]
    fn damage_is_named() {
        let text = invite().to_string();
        assert_eq!("hello".parse::<Invite>(), Err(BadInvite::Prefix));
        assert_eq!(format!("{text}!").parse::<Invite>(), Err(BadInvite::Base64));
        assert_eq!(text.replacen('A', "B", 1).parse::<Invite>(), Err(BadInvite::Checksum));
        assert_eq!(text[..text.len() - 4].parse::<Invite>(), Err(BadInvite::Length));
        assert_eq!(format!("{PREFIX}AA").parse::<Invite>(), Err(BadInvite::Length));
        assert_eq!("chakart:".repeat(4_096).parse::<Invite>(), Err(BadInvite::Length));
    }

    #[test]
    fn two_mailboxes_are_written_and_sixteen_read() {
        let mailboxes = (0..9).map(|number| format!("/dns4/box-{number}.example/tcp/4001")).collect();
        let read: Invite = Invite { mailboxes, ..invite() }.to_string().parse().expect("an invite");
        assert_eq!(read.mailboxes.len(), MAX_MAILBOXES_WRITTEN);
        let mut bytes = URL_SAFE_NO_PAD.decode(&invite().to_string()[PREFIX.len()..]).expect("own base64");
        bytes.truncate(bytes.len() - CHECKSUM_BYTES);
        for _ in 0..2 * MAX_INVITE_ADDRESSES {
            bytes.extend([MAILBOX, 1, 0, b'/']);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let read: Invite = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)).parse().expect("an invite");
        assert_eq!(read.mailboxes.len(), MAX_INVITE_ADDRESSES);
    }

    #[test]
    fn unknown_parts_are_skipped() {
        let mut bytes = URL_SAFE_NO_PAD.decode(&invite().to_string()[PREFIX.len()..]).expect("own base64");
        bytes.truncate(bytes.len() - CHECKSUM_BYTES);
        bytes.extend([77, 2, 0, 1, 2]);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        assert_eq!(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)).parse(), Ok(invite()));
    }
}
