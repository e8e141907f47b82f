//! What becomes of a letter that came out of a mailbox.

use std::collections::HashSet;

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{Body, EntryId};
use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_core::transcript::armour::Block;

use super::seal;
use crate::store::{BlockReceipt, GameNo, GameReceipt, Store, StoreError};
use crate::sync::engine::{SyncEvent, tell_of};

/// What a letter brought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// A block that could be read.
    Block {
        /// What is told of it; old news tells nothing.
        told: Vec<SyncEvent>,
        /// The opponent by whom something new was in it.
        from: Option<PublicKey>,
    },
    /// Nothing that can be read.
    Junk,
}

/// Opens a letter and takes its block as if a peer had sent it. `now_ms` is Unix time in milliseconds.
///
/// # Errors
/// [`StoreError`]; the same letter may come again.
pub fn take(store: &mut Store, key: &SecretKey, letter: &[u8], now_ms: u64) -> Result<Taken, StoreError> {
    let Ok(block) = seal::open(letter, key) else { return Ok(Taken::Junk) };
    let block = without_strange_offers(store, block)?;
    let receipts = store.receive_block(&block, now_ms)?;
    let news = receipts.iter().find_map(game_with_news);
    let from = news.map(|game| store.game(game)?.opponent_key()).transpose()?;
    Ok(Taken::Block { told: receipts.into_iter().flat_map(told).collect(), from })
}

/// Anybody may write a letter, and no person has looked at this one: as from a connected peer, an offer is taken only from
/// a known player and for this one alone. An offer with its accept is the beginning of a log.
fn without_strange_offers(store: &Store, mut block: Block) -> Result<Block, StoreError> {
    let accepted: HashSet<EntryId> = block.entries.iter().filter_map(accepted_by).collect();
    let mut kept = Vec::with_capacity(block.entries.len());
    for signed in block.entries {
        let Ok(Body::Offer(offer)) = signed.decode().map(|entry| entry.body) else {
            kept.push(signed);
            continue;
        };
        let ours = offer.guest_key == Some(store.player()) && store.knows(&offer.host_key)?;
        if ours || accepted.contains(&signed.id()) {
            kept.push(signed);
        }
    }
    block.entries = kept;
    Ok(block)
}

fn accepted_by(signed: &SignedEntry) -> Option<EntryId> {
    let entry = signed.decode().ok()?;
    matches!(entry.body, Body::Accept(_)).then_some(entry.prev)
}

fn game_with_news(receipt: &BlockReceipt) -> Option<GameNo> {
    let BlockReceipt::Game(receipt) = receipt else { return None };
    let news = receipt.applied > 0 || receipt.notes > 0 || receipt.other_news || receipt.begun;
    news.then_some(receipt.game)
}

/// That a game has changed, the sync engine tells.
fn told(receipt: BlockReceipt) -> Vec<SyncEvent> {
    match receipt {
        BlockReceipt::Game(GameReceipt { game, notes, refused, other_machine, plans, .. }) => {
            let notes = (notes > 0).then_some(SyncEvent::Note { game });
            let told = tell_of(game, refused.as_ref(), other_machine).chain(notes);
            told.chain(plans.into_iter().map(SyncEvent::Plan)).collect()
        }
        BlockReceipt::Invite { invite, known: false } => {
            vec![SyncEvent::Invite { offer: invite.id, name: invite.name }]
        }
        BlockReceipt::Invite { .. } | BlockReceipt::KnownOffer { .. } | BlockReceipt::Refused { .. } => {
            Vec::new()
        }
    }
}
