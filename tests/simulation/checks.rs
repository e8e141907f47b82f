//! What must hold of honest players, whatever happens to them.

use std::collections::{HashMap, HashSet};

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{EntryId, Party};
use chakart_core::protocol::judgement::{Judgement, ProofOfHiddenMove};
use chakart_core::protocol::session::Session;
use chakart_core::transcript::export::Source;
use chakart_core::transcript::verify::{Checked, Expected, check};
use chakart_node::store::{GameHead, GameSummary, Store};
use chakart_node::sync::message::{Request, Response};

/// What does not hold.
pub(crate) type Fault = String;

/// Everything that players have let others see.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    /// The guests' and hosts' nodes by game.
    seats: HashMap<EntryId, [usize; 2]>,
    /// What each node signed after what.
    signed: HashMap<(usize, EntryId), EntryId>,
    /// The longest log of a game that a node has said to have on disk.
    promised: HashMap<(usize, EntryId), GameHead>,
}

impl Checks {
    /// A request leaves a node for another one.
    pub(crate) fn asked(&mut self, from: usize, to: usize, request: &Request) -> Result<(), Fault> {
        match request {
            Request::Heads(heads) => heads.iter().for_each(|head| self.promise(from, head)),
            Request::Push { game, entries, .. } => self.left(*game, entries)?,
            Request::DeliverAccept { accept, .. } => {
                self.seats.insert(accept.id(), [to, from]);
                self.left(accept.id(), std::slice::from_ref(accept))?;
            }
            Request::GetEntries { .. } | Request::Offer { .. } | Request::Unknown { .. } => {}
        }
        Ok(())
    }

    /// A response leaves a node.
    pub(crate) fn answered(&mut self, from: usize, response: &Response) -> Result<(), Fault> {
        match response {
            Response::Heads(heads) => {
                heads.iter().filter(|head| head.length > 0).for_each(|head| self.promise(from, head));
            }
            Response::Ack { head, .. } => self.promise(from, head),
            Response::Entries { game, entries, .. } => self.left(*game, entries)?,
            _ => {}
        }
        Ok(())
    }

    /// A store that was just opened still has all that its node ever said to have.
    pub(crate) fn keeps_promises(&self, node: usize, store: &Store) -> Result<(), Fault> {
        for ((promiser, game), head) in &self.promised {
            if *promiser == node && !has(store, head)? {
                return Err(format!("node {node} said that it has {head:?} of game {game}, and has not"));
            }
        }
        Ok(())
    }

    /// Every entry that a player signed and sent is in its own log at the end.
    pub(crate) fn keeps_entries(&self, node: usize, kept: &HashSet<EntryId>) -> Result<(), Fault> {
        let signed = self.signed.iter().filter(|((signer, _), _)| *signer == node);
        for (_, id) in signed {
            if !kept.contains(id) {
                return Err(format!("node {node} signed and sent {id}, and has it no more"));
            }
        }
        Ok(())
    }

    fn promise(&mut self, node: usize, head: &GameHead) {
        let longest = self.promised.entry((node, head.game)).or_insert(*head);
        if longest.length <= head.length {
            *longest = *head;
        }
    }

    fn left(&mut self, game: EntryId, entries: &[SignedEntry]) -> Result<(), Fault> {
        let seats = *self.seats.get(&game).ok_or("entries of a game left before its accept")?;
        for signed in entries {
            let entry = signed.decode().map_err(|error| format!("an undecodable entry was sent: {error}"))?;
            if entry.seq == 0 {
                continue;
            }
            let (author, id) = (seats[entry.author.index()], signed.id());
            let first = *self.signed.entry((author, entry.prev)).or_insert(id);
            if first != id {
                return Err(format!("node {author} signed {first} and {id} after {}", entry.prev));
            }
        }
        Ok(())
    }
}

fn has(store: &Store, head: &GameHead) -> Result<bool, Fault> {
    let Some(game) = store.game_of(head.game).map_err(|error| error.to_string())? else { return Ok(false) };
    let place = store.seq_of(game.game, head.head).map_err(|error| error.to_string())?;
    Ok(place == head.length.checked_sub(1))
}

/// Of two copies of a game one extends the other.
pub(crate) fn one_extends_the_other(
    (mine, my_game): (&Store, &GameSummary),
    theirs: &Store,
) -> Result<(), Fault> {
    let Some(their_game) = theirs.game_of(my_game.id).map_err(|error| error.to_string())? else {
        return Ok(());
    };
    let (longer, shorter) = match my_game.length >= their_game.length {
        true => (mine, &their_game),
        false => (theirs, my_game),
    };
    match has(longer, &GameHead::of(shorter))? {
        true => Ok(()),
        false => Err(format!("the copies of game {} have forked", my_game.id)),
    }
}

/// A finished game that both players hold: settled alike, nobody blamed, all hidden moves opened, and provable.
pub(crate) fn is_sound(sessions: [&Session; 2]) -> Result<(), Fault> {
    let [a, b] = sessions;
    let judgements = sessions.map(Session::judgement);
    if judgements[0].standing != judgements[1].standing || judgements[0].proof != judgements[1].proof {
        return Err(format!("the copies are judged differently: {:?}", judgements));
    }
    let common = a.entries().iter().zip(b.entries()).all(|(a, b)| a == b);
    if !common {
        return Err("the copies have forked".to_owned());
    }
    for (session, judgement) in sessions.into_iter().zip(&judgements) {
        if !session.proofs().is_empty() {
            return Err(format!("an honest player is blamed: {:?}", session.proofs()));
        }
        if !judgement.is_finished() {
            return Err("the game has not ended".to_owned());
        }
        // Nobody wins an aborted game, and its hidden queen is sealed all the same.
        if judgement.proof != ProofOfHiddenMove::Complete {
            return Err(format!("a hidden move is not opened: {:?}", judgement.proof));
        }
        verifies(session, judgement)?;
    }
    Ok(())
}

/// The exported transcript proves the same to anybody.
fn verifies(session: &Session, judgement: &Judgement) -> Result<(), Fault> {
    let log = session.log();
    let expected = Expected { host: log.key(Party::Host).copied(), guest: log.key(Party::Guest).copied() };
    let text = Source::of(session).transcript();
    let Checked::Transcript(checked) = check(text.as_bytes(), expected) else {
        return Err(format!("the export is no transcript:\n{text}"));
    };
    if let Some(defect) = &checked.defect {
        return Err(format!("the export has a defect: {defect:?}\n{text}"));
    }
    if checked.judgement().standing != judgement.standing {
        return Err(format!("the export is judged {:?}\n{text}", checked.judgement()));
    }
    Ok(())
}
