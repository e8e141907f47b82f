//! Offers that this player made, offers that it joins, and accepts of its own offers.

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{EntryId, Name, Party};
use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_core::protocol::log::Log;
use chakart_core::protocol::session::{
    Confirmation, NotTaken, OfferSettings, Session, make_accept, make_offer,
};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::find::free_name;
use super::friends::friend_name;
use super::receive::Receipt;
use super::session::{insert_entry, store_effects};
use super::{
    AcceptError, GameNo, JoinError, OfferError, Store, StoreError, begin, next_change, sign_place, signed_at,
    summary,
};

/// Own offers that may be open at once.
pub const MAX_OPEN_OFFERS: usize = 64;

/// Fresh randomness of an offer or accept. Never used twice: the secrets of a game depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Salt([u8; 32]);

/// An offer of this player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnOffer {
    /// Its id.
    pub id: EntryId,
    /// Its short name: `offer-3`.
    pub name: String,
    /// The offer itself.
    pub offer: SignedEntry,
    /// The secret that goes into its invite and into no log.
    pub secret: [u8; 16],
    /// What has become of it.
    pub state: OfferState,
    /// When it was made, in milliseconds of Unix time.
    pub created_ms: u64,
}

/// What has become of an own offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfferState {
    /// Anyone who may can accept it.
    Open,
    /// It has become the game with this id.
    Taken(EntryId),
    /// Its host took it back.
    Cancelled,
    /// A restore of the home closed it.
    Closed,
}

impl Salt {
    /// From the operating system.
    ///
    /// # Errors
    /// Of the operating system.
    pub fn fresh() -> Result<Self, getrandom::Error> {
        let mut salt = [0; 32];
        getrandom::fill(&mut salt)?;
        Ok(Self(salt))
    }

    /// For reproducible games of automatic players. A salt must never be used again by the same key.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl Store {
    /// Makes an offer and keeps it open.
    ///
    /// # Errors
    /// [`OfferError`]
    pub fn create_offer(
        &mut self,
        settings: &OfferSettings,
        salt: Salt,
        now_ms: u64,
    ) -> Result<OwnOffer, OfferError> {
        let offer = make_offer(&self.key, settings, salt.0, now_ms);
        let mut secret = [0; 16];
        getrandom::fill(&mut secret).map_err(|_| StoreError::NoRandomness)?;
        let tx = begin(&mut self.db)?;
        let open: usize =
            tx.query_row("SELECT count(*) FROM offers WHERE state = 0", [], |row| row.get(0))?;
        if open >= MAX_OPEN_OFFERS {
            return Err(OfferError::TooMany(open));
        }
        let name = free_name(&tx, "offer", "offer")?;
        let id = offer.id();
        tx.execute(
            "INSERT INTO offers (offer_id, name, bytes, signature, secret, state, created_ms, guest)
             VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7)",
            params![
                id.0,
                name,
                offer.bytes,
                offer.signature,
                secret,
                now_ms,
                settings.guest.map(<[u8; 32]>::from)
            ],
        )?;
        next_change(&tx)?;
        tx.commit()?;
        Ok(OwnOffer { id, name, offer, secret, state: OfferState::Open, created_ms: now_ms })
    }

    /// The open own offers, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn offers(&self) -> Result<Vec<OwnOffer>, StoreError> {
        let sql = format!("{SELECT_OFFER} WHERE state = 0 ORDER BY created_ms, name");
        let mut query = self.db.prepare_cached(&sql)?;
        let rows = query.query_map([], read_offer)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// An own offer in whatever state.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn offer(&self, id: EntryId) -> Result<Option<OwnOffer>, StoreError> {
        find_offer(&self.db, id)
    }

    /// Takes an offer back; whether it was open.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn cancel_offer(&mut self, id: EntryId) -> Result<bool, StoreError> {
        let tx = begin(&mut self.db)?;
        let cancelled =
            tx.execute("UPDATE offers SET state = 2 WHERE offer_id = ?1 AND state = 0", [id.0])? > 0;
        next_change(&tx)?;
        tx.commit()?;
        Ok(cancelled)
    }

    /// Accepts an offer and begins its game; or finds the game that this player made of it before, whose accept is then
    /// sent again.
    ///
    /// # Errors
    /// [`JoinError`]
    pub fn join(
        &mut self,
        offer: &SignedEntry,
        name: Name,
        salt: Salt,
        now_ms: u64,
    ) -> Result<GameNo, JoinError> {
        let log = Log::open(offer)?;
        let tx = begin(&mut self.db)?;
        if let Some(accept) = signed_at(&tx, offer.id())? {
            let known = summary::select_one(&tx, "WHERE accept_id = ?1", [accept.0])?;
            let Some(known) = known else {
                return Err(JoinError::Deleted { name: deleted_name(&tx, accept)? });
            };
            return Ok(known.game);
        }
        let accept = make_accept(&self.key, &log, name, salt.0, now_ms)?;
        let entries = vec![offer.clone(), accept.clone()];
        let session = open(&self.key, entries, "the accept")?;
        let game = insert_game(&tx, &session, now_ms)?;
        sign_place(&tx, offer.id(), accept.id())?;
        insert_entry(&tx, game, 0, offer, false, now_ms)?;
        insert_entry(&tx, game, 1, &accept, true, now_ms)?;
        let change = store_effects(&tx, game, &session, &[], now_ms)?;
        tx.commit()?;
        self.sessions.keep(game, change, session);
        Ok(game)
    }

    /// Takes a guest's accept of an own open offer: at most one for each offer. The reveal that sets the board up is
    /// signed in the same transaction.
    ///
    /// # Errors
    /// [`AcceptError`]
    pub fn receive_accept(
        &mut self,
        peer: &PublicKey,
        offer: EntryId,
        accept: &SignedEntry,
        now_ms: u64,
    ) -> Result<Receipt, AcceptError> {
        let tx = begin(&mut self.db)?;
        if let Some(known) = summary::select_one(&tx, "WHERE accept_id = ?1", [accept.id().0])? {
            let ours = known.is_with(peer);
            return if ours { Ok(Receipt::nothing_new(&known)) } else { Err(AcceptError::UnknownOffer) };
        }
        if is_deleted(&tx, accept.id())? {
            return Err(AcceptError::Deleted);
        }
        let own = find_offer(&tx, offer)?.ok_or(AcceptError::UnknownOffer)?;
        match own.state {
            OfferState::Open => {}
            OfferState::Taken(_) => return Err(AcceptError::Taken),
            OfferState::Cancelled | OfferState::Closed => return Err(AcceptError::Closed),
        }
        let mut session = open(&self.key, vec![own.offer.clone()], "an own offer")?;
        let effects = session.receive_entry(accept, now_ms).map_err(|rejection| match rejection.reason {
            NotTaken::Deferred { .. } => AcceptError::Later(rejection.to_string()),
            NotTaken::Refused(_) | NotTaken::AfterResignation { .. } | NotTaken::Stopped { .. } => {
                AcceptError::Refused(rejection.to_string())
            }
        })?;
        if session.log().key(Party::Guest) != Some(peer) {
            return Err(AcceptError::Refused("the accept is not the sender's".to_owned()));
        }
        let game = insert_game(&tx, &session, now_ms)?;
        insert_entry(&tx, game, 0, &own.offer, true, now_ms)?;
        let change = store_effects(&tx, game, &session, &effects, now_ms)?;
        tx.execute(
            "UPDATE offers SET state = 1, accept_id = ?2 WHERE offer_id = ?1",
            [offer.0, accept.id().0],
        )?;
        // The guest has what it accepted and its accept.
        tx.execute("UPDATE games SET acked_length = 2 WHERE game = ?1", [game.0])?;
        let summary = summary::select_one(&tx, "WHERE game = ?1", [game.0])?.ok_or(StoreError::NoSuchGame)?;
        tx.commit()?;
        self.sessions.keep(game, change, session);
        Ok(Receipt::begun(&summary))
    }
}

/// Writes the row of a game that begins here, without summary and entries.
pub(super) fn insert_game(
    tx: &Transaction<'_>,
    session: &Session,
    now_ms: u64,
) -> Result<GameNo, StoreError> {
    let log = session.log();
    let opponent = session.me().other();
    let key = log.key(opponent).ok_or(StoreError::Damaged("a game without a guest"))?;
    let id = log.game_id().ok_or(StoreError::Damaged("a game without an accept"))?;
    let offer_id = log.records().first().ok_or(StoreError::Damaged("a game without an offer"))?.id;
    let key_start: String = key.to_string().chars().take(6).collect();
    let friend = friend_name(tx, key)?;
    let name = free_name(tx, friend.as_deref().unwrap_or(log.name(opponent)), &key_start)?;
    tx.execute(
        "INSERT INTO games (name, accept_id, offer_id, opponent, created_ms, change) VALUES (?1, ?2, ?3, ?4, ?5, 0)",
        params![name, id.0, offer_id.0, key.as_bytes(), now_ms],
    )?;
    Ok(GameNo(tx.last_insert_rowid()))
}

pub(super) fn is_deleted(db: &Connection, accept: EntryId) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM deleted_games WHERE accept_id = ?1";
    Ok(db.prepare_cached(sql)?.exists([accept.0])?)
}

pub(super) fn deleted_name(db: &Connection, accept: EntryId) -> Result<String, StoreError> {
    let sql = "SELECT name FROM deleted_games WHERE accept_id = ?1";
    Ok(db.query_row(sql, [accept.0], |row| row.get(0)).optional()?.unwrap_or_default())
}

/// A session of entries that were just made or read from the own store.
fn open(key: &SecretKey, entries: Vec<SignedEntry>, what: &str) -> Result<Session, StoreError> {
    Session::restore(key.clone(), entries, Vec::new(), Vec::new(), Confirmation::default())
        .map_err(|error| StoreError::DamagedGame { name: what.to_owned(), error })
}

pub(super) const SELECT_OFFER: &str =
    "SELECT offer_id, name, bytes, signature, secret, state, accept_id, created_ms FROM offers";

pub(super) fn find_offer(db: &Connection, id: EntryId) -> Result<Option<OwnOffer>, StoreError> {
    let sql = format!("{SELECT_OFFER} WHERE offer_id = ?1");
    Ok(db.prepare_cached(&sql)?.query_row([id.0], read_offer).optional()?)
}

pub(super) fn read_offer(row: &Row<'_>) -> rusqlite::Result<OwnOffer> {
    let accept: Option<[u8; 32]> = row.get(6)?;
    let state = match (row.get::<_, u8>(5)?, accept) {
        (0, _) => OfferState::Open,
        (1, Some(accept)) => OfferState::Taken(EntryId(accept)),
        (2, _) => OfferState::Cancelled,
        _ => OfferState::Closed,
    };
    Ok(OwnOffer {
        id: EntryId(row.get(0)?),
        name: row.get(1)?,
        offer: SignedEntry { bytes: row.get(2)?, signature: row.get(3)? },
        secret: row.get(4)?,
        state,
        created_ms: row.get(7)?,
    })
}
