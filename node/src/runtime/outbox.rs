//! Requests to each peer: a few under way, the others in line.
//!
//! The line is as short as the engine's own bounds on what it asks of one peer.

use std::collections::{HashMap, VecDeque};

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};

use crate::sync::message::Request;

/// Requests to one peer that are under way. Streams are counted both ways together, so this leaves as many for the
/// peer's own requests, and some to spare.
pub(super) const MAX_REQUESTS_UNDER_WAY: usize = 12;

#[derive(Debug, Default)]
pub(super) struct Outbox {
    lines: HashMap<[u8; KEY_BYTES], Line>,
}

#[derive(Debug, Default)]
struct Line {
    under_way: usize,
    waiting: VecDeque<Request>,
}

impl Outbox {
    /// Puts a request in line; what may be sent now.
    pub(super) fn put(&mut self, peer: &PublicKey, request: Request) -> Option<Request> {
        let line = self.lines.entry(*peer.as_bytes()).or_default();
        line.waiting.push_back(request);
        line.next()
    }

    /// A request has ended; what may be sent now.
    pub(super) fn ended(&mut self, peer: &PublicKey) -> Option<Request> {
        let line = self.lines.get_mut(peer.as_bytes())?;
        line.under_way = line.under_way.saturating_sub(1);
        line.next()
    }

    /// A peer is gone, and its line with it.
    pub(super) fn forget(&mut self, peer: &PublicKey) {
        self.lines.remove(peer.as_bytes());
    }
}

impl Line {
    fn next(&mut self) -> Option<Request> {
        if self.under_way >= MAX_REQUESTS_UNDER_WAY {
            return None;
        }
        let request = self.waiting.pop_front()?;
        self.under_way += 1;
        Some(request)
    }
}

#[cfg(test)]
mod tests {
    use chakart_core::protocol::keys::SecretKey;

    use super::*;

    #[test]
    fn requests_wait_in_line() {
        let peer = SecretKey::from_seed(&[1; 32]).public();
        let request = |kind| Request::Unknown { kind };
        let mut outbox = Outbox::default();
        for kind in 0..20 {
            let sent = outbox.put(&peer, request(kind));
            assert_eq!(sent.is_some(), usize::from(kind) < MAX_REQUESTS_UNDER_WAY);
        }
        assert_eq!(outbox.ended(&peer), Some(request(12)));
        outbox.forget(&peer);
        assert_eq!(outbox.ended(&peer), None);
        assert_eq!(outbox.put(&peer, request(99)), Some(request(99)));
    }
}
