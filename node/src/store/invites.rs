//! Offers of others that wait for this player's answer, and offers that go to one known player: rematches.

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::{ColorChoice, EntryId, MAX_NAME_BYTES, Name};
use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::log::Log;
use chakart_core::protocol::session::{NotJoined, OfferSettings};
use rusqlite::{OptionalExtension, Row, params};

use super::find::{free_name, names_like, pick};
use super::friends::friend_name;
use super::offers::{SELECT_OFFER, read_offer};
use super::{
    FindError, GameNo, InviteError, JoinError, OwnOffer, RematchError, Salt, Store, StoreError, begin,
    next_change, signed_at,
};
use chakart_core::board::Color;

/// Offers of others that wait for an answer, at most.
pub const MAX_PENDING_INVITES: usize = 64;
/// Of these, offers of one host.
pub const MAX_PENDING_INVITES_PER_HOST: usize = 4;

/// An offer of somebody else that waits for this player's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingInvite {
    /// The id of the offer.
    pub id: EntryId,
    /// Its short name: `invite-3`, or after a friend.
    pub name: String,
    /// Who offers.
    pub host: PublicKey,
    /// The offer itself; [`Log::open`] reads it.
    pub offer: SignedEntry,
    /// When it came, in milliseconds of Unix time.
    pub arrived_ms: u64,
}

impl Store {
    /// Keeps an offer of somebody else until this player answers. The same again is found again.
    ///
    /// # Errors
    /// [`InviteError`]
    pub fn keep_invite(&mut self, offer: &SignedEntry, now_ms: u64) -> Result<PendingInvite, InviteError> {
        let log = Log::open(offer)?;
        let (host, guest) = (log.offer().host_key, log.offer().guest_key);
        if host == self.player() {
            return Err(NotJoined::OwnOffer.into());
        }
        if guest.is_some_and(|guest| guest != self.player()) {
            return Err(NotJoined::ForAnotherKey.into());
        }
        let tx = begin(&mut self.db)?;
        let id = offer.id();
        if signed_at(&tx, id)?.is_some() {
            return Err(InviteError::JoinedBefore);
        }
        let sql = format!("{SELECT} WHERE offer_id = ?1");
        if let Some(known) = tx.query_row(&sql, [id.0], |row| Ok(read(row))).optional()? {
            return Ok(known?);
        }
        let sql = "SELECT count(*), coalesce(sum(host = ?1), 0) FROM invites";
        let (all, of_host): (usize, usize) =
            tx.query_row(sql, [host.as_bytes()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if of_host >= MAX_PENDING_INVITES_PER_HOST {
            return Err(InviteError::TooManyOfHost(of_host));
        }
        if all >= MAX_PENDING_INVITES {
            return Err(InviteError::TooMany(all));
        }
        let friend = friend_name(&tx, &host)?;
        let wish = friend.map_or_else(|| "invite".to_owned(), |friend| format!("invite-{friend}"));
        let name = free_name(&tx, &wish, "invite")?;
        tx.execute(
            "INSERT INTO invites VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id.0, name, host.as_bytes(), offer.bytes, offer.signature, now_ms],
        )?;
        next_change(&tx)?;
        tx.commit()?;
        Ok(PendingInvite { id, name, host, offer: offer.clone(), arrived_ms: now_ms })
    }

    /// The offers that wait for this player's answer, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn invites(&self) -> Result<Vec<PendingInvite>, StoreError> {
        let mut query = self.db.prepare_cached(&format!("{SELECT} ORDER BY arrived_ms, name"))?;
        let mut rows = query.query([])?;
        let mut invites = Vec::new();
        while let Some(row) = rows.next()? {
            invites.push(read(row)?);
        }
        Ok(invites)
    }

    /// The invite whose short name is, or alone begins with, a text.
    ///
    /// # Errors
    /// [`FindError`]
    pub fn find_invite(&self, text: &str) -> Result<PendingInvite, FindError> {
        let name = pick(text, names_like(&self.db, "invites", text)?)?;
        let found = self.invites()?.into_iter().find(|invite| invite.name == name);
        found.ok_or(FindError::NotFound(name))
    }

    /// Accepts an offer that waits, as [`Store::join`] does; it waits no longer.
    ///
    /// # Errors
    /// [`JoinError`]
    pub fn join_invite(
        &mut self,
        invite: &PendingInvite,
        name: Name,
        salt: Salt,
        now_ms: u64,
    ) -> Result<GameNo, JoinError> {
        let game = self.join(&invite.offer, name, salt, now_ms)?;
        self.drop_invite(invite.id)?;
        Ok(game)
    }

    /// Declines an offer that waits: it is forgotten, and its host is told nothing. Whether there was one.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn decline_invite(&mut self, id: EntryId) -> Result<bool, StoreError> {
        self.drop_invite(id)
    }

    /// Offers the opponent of a finished game another one: colours swapped, all else alike. The offer is for the
    /// opponent only and goes to it when it is connected, or with the next block. The same again finds the open offer.
    ///
    /// # Errors
    /// [`RematchError`]
    pub fn rematch(&mut self, game: GameNo, salt: Salt, now_ms: u64) -> Result<OwnOffer, RematchError> {
        let summary = self.game(game)?;
        if !summary.finished {
            return Err(RematchError::NotOver);
        }
        let sql = format!("{SELECT_OFFER} WHERE state = 0 AND rematch_of = ?1");
        if let Some(open) = self.db.query_row(&sql, [game.0], read_offer).optional()? {
            return Ok(open);
        }
        let session = self.session(game)?;
        let terms = *session.log().terms();
        let called = match self.player_name()? {
            Some(name) => name,
            None => session.log().name(session.me()).to_owned(),
        };
        let settings = OfferSettings {
            variant: terms.variant,
            setup: terms.setup,
            color: swapped(session.color()),
            time: terms.time,
            name: Name::new(cut(&called)).unwrap_or_default(),
            guest: Some(summary.opponent_key()?),
        };
        let offer = self.create_offer(&settings, salt, now_ms)?;
        self.db.execute("UPDATE offers SET rematch_of = ?2 WHERE offer_id = ?1", (offer.id.0, game.0))?;
        Ok(offer)
    }

    /// Open own offers for one player that it is not known to have.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn undelivered_offers(&self, guest: &PublicKey) -> Result<Vec<OwnOffer>, StoreError> {
        let sql =
            format!("{SELECT_OFFER} WHERE state = 0 AND delivered = 0 AND guest = ?1 ORDER BY created_ms");
        let mut query = self.db.prepare_cached(&sql)?;
        Ok(query.query_map([guest.as_bytes()], read_offer)?.collect::<Result<_, _>>()?)
    }

    /// The players for whom there are such offers, each once.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn offer_guests(&self) -> Result<Vec<PublicKey>, StoreError> {
        let sql = "SELECT DISTINCT guest FROM offers WHERE state = 0 AND delivered = 0 AND guest IS NOT NULL";
        let keys: Vec<[u8; 32]> =
            self.db.prepare_cached(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(keys.iter().filter_map(|key| PublicKey::from_bytes(key).ok()).collect())
    }

    /// Whether an offer waits for this player's answer.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn has_invite(&self, offer: EntryId) -> Result<bool, StoreError> {
        Ok(self.db.prepare_cached("SELECT 1 FROM invites WHERE offer_id = ?1")?.exists([offer.0])?)
    }

    /// Notes that an offer is on the disk of the player whom it is for, or (not `kept`) was refused there: either way it
    /// is not sent again.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn mark_offer_delivered(&mut self, offer: EntryId, kept: bool) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        let delivered = if kept { 1 } else { 2 };
        tx.execute("UPDATE offers SET delivered = ?2 WHERE offer_id = ?1", (offer.0, delivered))?;
        next_change(&tx)?;
        Ok(tx.commit()?)
    }

    /// Whether this player knows another: by a common game or as a friend.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn knows(&self, player: &PublicKey) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM games WHERE opponent = ?1 UNION SELECT 1 FROM friends WHERE key = ?1";
        Ok(self.db.prepare_cached(sql)?.exists([player.as_bytes()])?)
    }

    fn drop_invite(&mut self, id: EntryId) -> Result<bool, StoreError> {
        let tx = begin(&mut self.db)?;
        let dropped = tx.execute("DELETE FROM invites WHERE offer_id = ?1", [id.0])? > 0;
        next_change(&tx)?;
        tx.commit()?;
        Ok(dropped)
    }
}

const fn swapped(color: Option<Color>) -> ColorChoice {
    match color {
        Some(Color::White) => ColorChoice::Black,
        Some(Color::Black) => ColorChoice::White,
        None => ColorChoice::Random,
    }
}

fn cut(name: &str) -> &str {
    name.get(..name.floor_char_boundary(MAX_NAME_BYTES)).unwrap_or_default()
}

const SELECT: &str = "SELECT offer_id, name, host, bytes, signature, arrived_ms FROM invites";

fn read(row: &Row<'_>) -> Result<PendingInvite, StoreError> {
    let host = PublicKey::from_bytes(&row.get(2)?).map_err(|_| StoreError::Damaged("key of a host"))?;
    Ok(PendingInvite {
        id: EntryId(row.get(0)?),
        name: row.get(1)?,
        host,
        offer: SignedEntry { bytes: row.get(3)?, signature: row.get(4)? },
        arrived_ms: row.get(5)?,
    })
}
