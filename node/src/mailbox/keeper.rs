//! The mailbox's side of `/chakart/mailbox/1`: what it answers, and to whom how much.

use std::collections::HashMap;

use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};

use super::boxes::{BoxError, Boxes, Fill, PostError, ReceiptError};
use super::message::{Request, Response};
use crate::sync::engine::allowance::Allowance;

/// Bytes of a letter that cost 1 more; a request costs 1. Who is on the list may cause the cost of a player, anybody else
/// that of a stranger.
pub const BYTES_PER_COST: usize = 16 * 1024;
/// How often old letters are deleted, in milliseconds.
pub const EXPIRE_EVERY_MS: u64 = 3_600_000;

/// Peers whose latest requests are remembered; with so many, strangers wait.
const MAX_REMEMBERED: usize = 8_192;

/// A mailbox, and how much each peer has asked of it lately.
#[derive(Debug)]
pub struct Keeper {
    boxes: Boxes,
    allowances: HashMap<[u8; KEY_BYTES], Allowance>,
    expired_ms: Option<u64>,
}

impl Keeper {
    /// Serves these boxes.
    #[must_use]
    pub fn new(boxes: Boxes) -> Self {
        Self { boxes, allowances: HashMap::new(), expired_ms: None }
    }

    /// Answers a peer. What it may ask for is bounded, also over many connections.
    pub fn answer(&mut self, peer: &PublicKey, request: &Request, now_ms: u64) -> Response {
        let bytes = match request {
            Request::Put(posting) => posting.letter.len(),
            _ => 0,
        };
        if !self.may_ask(peer, bytes, now_ms) {
            return Response::Busy;
        }
        let answer = match request {
            Request::Put(posting) => self.boxes.put(peer, posting, now_ms).map(|()| Response::Kept),
            Request::Take => self.boxes.take(peer).map(Response::Letters),
            Request::Receipt(signed) => match self.boxes.receipt(peer, signed) {
                Ok(_) => Ok(Response::Deleted),
                Err(ReceiptError::Bad(_)) => Ok(Response::Unsupported),
                Err(ReceiptError::Boxes(error)) => Err(error.into()),
            },
            Request::Unknown { .. } => Ok(Response::Unsupported),
        };
        let answer = answer.unwrap_or_else(|error| match error {
            PostError::Refused(refusal) => Response::Refused(refusal),
            PostError::Boxes(error) => {
                tracing::error!(%error, "the mailbox failed");
                Response::Busy
            }
        });
        if let Response::Letters(page) = &answer {
            // Paid afterwards: the next request waits for it.
            self.may_ask(peer, page.letters.iter().map(Vec::len).sum(), now_ms);
        }
        answer
    }

    /// Whether letters are kept for a key.
    #[must_use]
    pub fn is_listed(&self, player: &PublicKey) -> bool {
        self.boxes.is_listed(player)
    }

    /// How full the mailbox is.
    ///
    /// # Errors
    /// [`BoxError`]
    pub fn fill(&self) -> Result<Fill, BoxError> {
        self.boxes.fill()
    }

    /// To be called every few seconds.
    ///
    /// # Errors
    /// [`BoxError`]
    pub fn tick(&mut self, now_ms: u64) -> Result<(), BoxError> {
        self.forget_rested(now_ms);
        if self.expired_ms.is_none_or(|at_ms| now_ms.saturating_sub(at_ms) >= EXPIRE_EVERY_MS) {
            self.expired_ms = Some(now_ms);
            self.boxes.expire(now_ms)?;
        }
        Ok(())
    }

    /// Whoever has asked for nothing lately may ask for as much as somebody new.
    fn forget_rested(&mut self, now_ms: u64) {
        let boxes = &self.boxes;
        self.allowances.retain(|peer, allowance| !allowance.is_rested(boxes.is_listed_key(peer), now_ms));
    }

    fn may_ask(&mut self, peer: &PublicKey, bytes: usize, now_ms: u64) -> bool {
        let listed = self.boxes.is_listed(peer);
        if !listed
            && self.allowances.len() >= MAX_REMEMBERED
            && !self.allowances.contains_key(peer.as_bytes())
        {
            self.forget_rested(now_ms);
            if self.allowances.len() >= MAX_REMEMBERED {
                return false;
            }
        }
        let allowance = self.allowances.entry(*peer.as_bytes()).or_insert_with(|| Allowance::new(now_ms));
        allowance.take(1 + (bytes / BYTES_PER_COST) as u64, listed, now_ms)
    }
}
