//! What this player decides. Each is signed and stored, or neither.

use chakart_core::protocol::session::{Hold, Session};
use chakart_core::rules::Action;
use rusqlite::Transaction;

use super::session::{Done, touch};
use super::{AbortError, GameNo, SignError, Store, StoreError, begin};

/// Turns after which both players have completed one.
const TURNS_OF_BOTH: u32 = 2;

impl Store {
    /// Acts. A draw is offered with it if `draw_offer` says so or a draw intent was set; either way the intent is gone.
    /// `now_ms` is Unix time in milliseconds, here and below.
    ///
    /// # Errors
    /// [`SignError`]
    pub fn act(
        &mut self,
        game: GameNo,
        action: Action,
        draw_offer: bool,
        now_ms: u64,
    ) -> Result<(), SignError> {
        self.change_game(game, now_ms, |session, tx| {
            let draw_offer = draw_offer || draw_intent(tx, game)?;
            let effects = session.act(action, draw_offer, now_ms)?;
            write_draw_intent(tx, game, false)?;
            Ok(Done { effects, value: () })
        })
    }

    /// Accepts the draw that the opponent's last act offers.
    ///
    /// # Errors
    /// [`SignError`]
    pub fn accept_draw(&mut self, game: GameNo, now_ms: u64) -> Result<(), SignError> {
        self.change_game(game, now_ms, |session, _| {
            Ok(Done { effects: session.accept_draw(now_ms)?, value: () })
        })
    }

    /// Resigns, in turn or out of turn.
    ///
    /// # Errors
    /// [`SignError`]
    pub fn resign(&mut self, game: GameNo, now_ms: u64) -> Result<(), SignError> {
        self.change_game(game, now_ms, |session, _| Ok(Done { effects: session.resign()?, value: () }))
    }

    /// Aborts: resigns while not both players have completed a turn. It reads 'aborted' then, whatever crosses it.
    ///
    /// # Errors
    /// [`AbortError`]
    pub fn abort(&mut self, game: GameNo, now_ms: u64) -> Result<(), AbortError> {
        let decide = |session: &mut Session, _: &Transaction<'_>| {
            if session.log().head().turns >= TURNS_OF_BOTH {
                return Ok(Done { effects: Vec::new(), value: false });
            }
            Ok::<_, SignError>(Done { effects: session.resign().map_err(SignError::from)?, value: true })
        };
        if self.change_game(game, now_ms, decide)? { Ok(()) } else { Err(AbortError::TooLate) }
    }

    /// Claims that the opponent is out of time. It ends nothing.
    ///
    /// # Errors
    /// [`SignError`]
    pub fn claim(&mut self, game: GameNo, now_ms: u64) -> Result<(), SignError> {
        self.change_game(game, now_ms, |session, _| Ok(Done { effects: session.claim(now_ms)?, value: () }))
    }

    /// What the person is to confirm before anything is signed in this game.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn hold(&mut self, game: GameNo, now_ms: u64) -> Result<Option<Hold>, StoreError> {
        Ok(self.session(game)?.hold(now_ms))
    }

    /// The person's word on [`Store::hold`]: all is right. Signs what was held.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn confirm(&mut self, game: GameNo, now_ms: u64) -> Result<(), StoreError> {
        self.change_game(game, now_ms, |session, _| Ok(Done { effects: session.confirm(now_ms), value: () }))
    }

    /// Signs what is owed without a decision, if something is; whether it was.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn answer(&mut self, game: GameNo, now_ms: u64) -> Result<bool, StoreError> {
        self.change_game(game, now_ms, |session: &mut Session, _| {
            let effects = session.answer(now_ms);
            let value = !effects.is_empty();
            Ok(Done { effects, value })
        })
    }

    /// Offers a draw with the next own act, or no longer does.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn set_draw_intent(&mut self, game: GameNo, intent: bool) -> Result<(), StoreError> {
        let tx = begin(&mut self.db)?;
        write_draw_intent(&tx, game, intent)?;
        touch(&tx, &mut self.sessions, game)?;
        Ok(tx.commit()?)
    }
}

fn draw_intent(tx: &Transaction<'_>, game: GameNo) -> Result<bool, StoreError> {
    let mut query = tx.prepare_cached("SELECT draw_intent FROM games WHERE game = ?1")?;
    Ok(query.query_row([game.0], |row| row.get(0))?)
}

fn write_draw_intent(tx: &Transaction<'_>, game: GameNo, intent: bool) -> Result<(), StoreError> {
    tx.prepare_cached("UPDATE games SET draw_intent = ?2 WHERE game = ?1")?.execute((game.0, intent))?;
    Ok(())
}
