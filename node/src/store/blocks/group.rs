//! The entries of a block, sorted into logs by their links.

use std::collections::{HashMap, HashSet};

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{Body, Entry, EntryId};

/// Entries of one log, in the order of the places that they say they have.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) entries: Vec<SignedEntry>,
    pub(super) decoded: Vec<Entry>,
}

impl Group {
    /// The offer with which it begins.
    pub(super) fn offer(&self) -> Option<&SignedEntry> {
        let first = self.decoded.first()?;
        matches!(first.body, Body::Offer(_)).then_some(self.entries.first()?)
    }

    /// The first accept in it.
    pub(super) fn accept(&self) -> Option<(&SignedEntry, &Entry)> {
        let index = self.decoded.iter().position(|entry| matches!(entry.body, Body::Accept(_)))?;
        Some((self.entries.get(index)?, self.decoded.get(index)?))
    }

    /// Ids by which a stored game may know this log: those of its entries after the offer, and their links.
    pub(super) fn names(&self) -> impl Iterator<Item = EntryId> {
        let ids = self.entries.iter().zip(&self.decoded).filter(|(_, entry)| entry.seq > 0);
        let links = self.decoded.iter().filter(|entry| entry.seq > 1).map(|entry| entry.prev);
        ids.map(|(signed, _)| signed.id()).chain(links)
    }
}

/// Sorts entries into logs; how many cannot be read at all.
pub(super) fn sort(entries: &[SignedEntry]) -> (Vec<Group>, usize) {
    let mut seen = HashSet::new();
    let mut readable: Vec<(EntryId, &SignedEntry, Entry)> = Vec::new();
    let mut unreadable = 0;
    for signed in entries {
        let id = signed.id();
        match signed.decode() {
            // The same bytes under two signatures are two chances for the right one.
            Ok(entry) if seen.insert((id, signed.signature)) => readable.push((id, signed, entry)),
            Ok(_) => {}
            Err(_) => unreadable += 1,
        }
    }
    readable.sort_by_key(|(_, _, entry)| entry.seq);
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: HashMap<EntryId, usize> = HashMap::new();
    for (id, signed, entry) in readable {
        let index = group_of.get(&id).or_else(|| group_of.get(&entry.prev)).copied().unwrap_or_else(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        group_of.insert(id, index);
        // Siblings with an unknown link belong together too.
        if entry.prev != EntryId::NONE {
            group_of.entry(entry.prev).or_insert(index);
        }
        if let Some(group) = groups.get_mut(index) {
            group.entries.push(signed.clone());
            group.decoded.push(entry);
        }
    }
    (groups, unreadable)
}
