//! Decisions in advance: kept with the last entry when they were made, played or dropped by what comes next.

use chakart_core::plan::{Dropped, Plan, Progress};
use chakart_core::protocol::entry::EntryId;
use chakart_core::protocol::session::{CannotSign, Session};
use rusqlite::{Connection, Row};

use super::session::{Done, touch};
use super::{GameNo, PlanError, Store, StoreError, begin};

/// Plans that are kept of one game, at most.
pub const MAX_PLANS_PER_GAME: usize = 32;

/// The number of a plan in this store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlanNo(pub i64);

/// A plan that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPlan {
    /// Its number.
    pub plan: PlanNo,
    /// Its text: `if e7e5 then g1f3`.
    pub text: String,
    /// The last entry when it was made.
    pub made_at: EntryId,
}

/// What became of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanReport {
    /// The game.
    pub game: GameNo,
    /// The plan.
    pub text: String,
    /// What became of it.
    pub outcome: PlanOutcome,
}

/// What became of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanOutcome {
    /// It was played.
    Played,
    /// It is given up, and why, in words.
    Dropped(String),
}

impl Store {
    /// Keeps a plan for the game as it stands: `if e7e5 then g1f3`, `if kingboo then a1~h8`. Of several plans the one
    /// whose event comes is played; the others are dropped with it.
    ///
    /// # Errors
    /// [`PlanError`]
    pub fn add_plan(&mut self, game: GameNo, text: &str, now_ms: u64) -> Result<StoredPlan, PlanError> {
        let session = self.session(game)?;
        let plan = Plan::read(text, &session)?;
        let (made_at, text) = (session.log().head().id, plan.to_string());
        let tx = begin(&mut self.db)?;
        let plans = of_game(&tx, game)?;
        if let Some(same) = plans.iter().find(|kept| kept.text == text && kept.made_at == made_at) {
            return Ok(same.clone());
        }
        if plans.len() >= MAX_PLANS_PER_GAME {
            return Err(PlanError::TooMany(MAX_PLANS_PER_GAME));
        }
        tx.execute(
            "INSERT INTO plans (game, head, text, made_ms) VALUES (?1, ?2, ?3, ?4)",
            (game.0, made_at.0, &text, now_ms),
        )?;
        let plan = PlanNo(tx.last_insert_rowid());
        // A node that took the awaited entry in between looks again.
        touch(&tx, &mut self.sessions, game)?;
        tx.commit()?;
        Ok(StoredPlan { plan, text, made_at })
    }

    /// The plans of a game, in the order in which they were made.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn plans(&self, game: GameNo) -> Result<Vec<StoredPlan>, StoreError> {
        of_game(&self.db, game)
    }

    /// Removes a plan; whether there was one.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn remove_plan(&mut self, game: GameNo, plan: PlanNo) -> Result<bool, StoreError> {
        Ok(self.db.execute("DELETE FROM plans WHERE game = ?1 AND plan = ?2", (game.0, plan.0))? > 0)
    }

    /// Games whose logs have grown since a plan was made for them.
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn games_with_due_plans(&self) -> Result<Vec<GameNo>, StoreError> {
        let sql = "SELECT DISTINCT game FROM plans JOIN games USING (game)
                   WHERE games.head <> plans.head OR games.finished = 1";
        let mut query = self.db.prepare_cached(sql)?;
        Ok(query.query_map([], |row| row.get(0).map(GameNo))?.collect::<Result<_, _>>()?)
    }

    /// Plays the plan of a game whose event has come, and drops those whose event cannot come any more; in one
    /// transaction. What is played is signed as by [`Store::act`].
    ///
    /// # Errors
    /// [`StoreError`]
    pub fn fire_plans(&mut self, game: GameNo, now_ms: u64) -> Result<Vec<PlanReport>, StoreError> {
        if of_game(&self.db, game)?.is_empty() {
            return Ok(Vec::new());
        }
        self.change_game(game, now_ms, |session, tx| {
            let (mut effects, mut value) = (Vec::new(), Vec::new());
            for plan in of_game(tx, game)? {
                let outcome = match fire(&plan, session, now_ms) {
                    Outcome::Waits => continue,
                    Outcome::Dropped(why) => PlanOutcome::Dropped(why),
                    Outcome::Played(signed) => {
                        effects.extend(signed);
                        PlanOutcome::Played
                    }
                };
                tx.execute("DELETE FROM plans WHERE plan = ?1", [plan.plan.0])?;
                value.push(PlanReport { game, text: plan.text, outcome });
            }
            Ok(Done { effects, value })
        })
    }
}

enum Outcome {
    Waits,
    Dropped(String),
    Played(Vec<chakart_core::protocol::session::Effect>),
}

fn fire(stored: &StoredPlan, session: &mut Session, now_ms: u64) -> Outcome {
    let Some(game) = session.game() else { return Outcome::Dropped(Dropped::PositionGone.to_string()) };
    let Ok(plan) = Plan::parse(&stored.text, game) else {
        return Outcome::Dropped("it cannot be read any more".to_owned());
    };
    match plan.progress(stored.made_at, session) {
        Progress::Waits => Outcome::Waits,
        Progress::Dropped(why) => Outcome::Dropped(why.to_string()),
        Progress::Fires => match session.act(plan.then, false, now_ms) {
            Ok(effects) => Outcome::Played(effects),
            // The person is asked first; the plan may still be played then.
            Err(CannotSign::Held(_)) => Outcome::Waits,
            Err(refused) => Outcome::Dropped(refused.to_string()),
        },
    }
}

fn of_game(db: &Connection, game: GameNo) -> Result<Vec<StoredPlan>, StoreError> {
    let read = |row: &Row<'_>| {
        Ok(StoredPlan { plan: PlanNo(row.get(0)?), text: row.get(1)?, made_at: EntryId(row.get(2)?) })
    };
    let sql = "SELECT plan, text, head FROM plans WHERE game = ?1 ORDER BY plan";
    Ok(db.prepare_cached(sql)?.query_map([game.0], read)?.collect::<Result<_, _>>()?)
}
