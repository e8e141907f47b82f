//! A game in one row: enough for a list, without replaying it.

use chakart_core::board::Color;
use chakart_core::protocol::codec::SignedStatement;
use chakart_core::protocol::entry::{EntryId, Party, TimeControl};
use chakart_core::protocol::judgement::Standing;
use chakart_core::protocol::keys::{KEY_BYTES, PublicKey};
use chakart_core::protocol::phase::{Phase, Step};
use chakart_core::protocol::session::Session;
use chakart_core::rules::{Action, Event, Variant, sentences};
use rusqlite::{Connection, OptionalExtension, Row, named_params};
use sha2::{Digest, Sha256};

use super::{GameNo, StoreError};

/// Longest text of a last event, in bytes.
const MAX_LAST_EVENT_BYTES: usize = 400;

/// What a list shows of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// Its number in this store.
    pub game: GameNo,
    /// Its short name, unique in this store: `alice-2`.
    pub name: String,
    /// Its name for everybody: the id of its accept.
    pub id: EntryId,
    /// The raw key of the other player; see [`GameSummary::opponent_key`].
    pub opponent: [u8; KEY_BYTES],
    /// What the other player calls itself; to be escaped where it is shown.
    pub opponent_name: String,
    /// The rules.
    pub variant: Variant,
    /// Which player this is.
    pub me: Party,
    /// This player's colour, once it is decided.
    pub color: Option<Color>,
    /// Entries in the log.
    pub length: u32,
    /// The last entry.
    pub head: EntryId,
    /// Short hash of the statements beside the log.
    pub statements: StatementsDigest,
    /// Short hash of those that are this player's own.
    pub own_statements: StatementsDigest,
    /// Turns that are complete.
    pub turns: u32,
    /// What is waited for.
    pub waiting: Waiting,
    /// Whether nobody owes anything any more.
    pub finished: bool,
    /// `1-0`, `0-1`, `1/2-1/2`, `aborted` or `*`.
    pub result: String,
    /// When the game was begun or fetched here, in milliseconds of Unix time.
    pub created_ms: u64,
    /// When something was last added here, in milliseconds of Unix time.
    pub updated_ms: u64,
    /// Whether a draw is offered with the next own act.
    pub draw_intent: bool,
    /// Whether nothing is signed before the person says that no later copy of the game exists.
    pub recovering: bool,
    /// Whether the log ever came from the other side after a restore.
    pub recovered: bool,
    /// What the opponent is known to have.
    pub delivery: Delivery,
    /// Whether everything that the opponent is not known to have was put into a block.
    pub sent: bool,
    /// What the last entry did, in words, from the public view.
    pub last_event: String,
    /// The time control.
    pub time: TimeControl,
    /// The longest charge with which the entry that is owed comes in time, in milliseconds, if there is a time control.
    pub allowance_ms: Option<u64>,
    /// The stamp of the last entry, in milliseconds of Unix time.
    pub head_ms: u64,
    /// Whether messages of the opponent in this game are not announced.
    pub muted: bool,
    /// Whether an own entry came from elsewhere that was not signed by this store: another machine has this key.
    pub other_machine: bool,
    /// The number of its latest change: grows with every change of any game.
    pub change: u64,
}

/// What is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// Nothing: the game is over.
    Nothing,
    /// The host's reveal that sets the board up.
    Setup(Party),
    /// A decision.
    Act(Party),
    /// The answer to an act with chance.
    Reveal(Party),
}

/// What the opponent is known to have on its disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Entries from the beginning that it acknowledged.
    pub length: u32,
    /// Short hash of the statements that it acknowledged.
    pub statements: StatementsDigest,
    /// Whether it has all entries and statements that are here.
    pub complete: bool,
    /// The entry that it refused, if it did; that one is not sent again.
    pub refused: Option<RefusedByPeer>,
}

/// How far what is here has got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeliveryState {
    /// Something is signed and on disk, and nothing is known of its way.
    Signed,
    /// All of it was put into a block for a mail or a stick, or is in a mailbox.
    Sent,
    /// The opponent has all of it.
    Acknowledged,
}

/// An entry that the opponent refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedByPeer {
    /// The place.
    pub seq: u32,
    /// The opponent's words; to be escaped where they are shown.
    pub reason: String,
}

/// First eight bytes of the SHA-256 of all statements beside a log.
pub type StatementsDigest = [u8; 8];

impl GameSummary {
    /// The other player's key, checked: too slow for a list of thousands.
    ///
    /// # Errors
    /// [`StoreError::Damaged`]
    pub fn opponent_key(&self) -> Result<PublicKey, StoreError> {
        PublicKey::from_bytes(&self.opponent).map_err(|_| StoreError::Damaged("key of an opponent"))
    }

    /// Whether a player is the other one of this game.
    #[must_use]
    pub fn is_with(&self, player: &PublicKey) -> bool {
        self.opponent == *player.as_bytes()
    }

    /// Whether this player owes a decision now.
    #[must_use]
    pub fn is_my_turn(&self) -> bool {
        self.waiting == Waiting::Act(self.me)
    }

    /// The player who owes the next entry, and its milliseconds left by the stamps at `now_ms` (Unix time); below zero
    /// it is late. `None` without a time control, before the game has begun and after its end.
    #[must_use]
    pub fn time_left_ms(&self, now_ms: u64) -> Option<(Party, i64)> {
        let owes = match self.waiting {
            Waiting::Act(owes) | Waiting::Reveal(owes) => owes,
            Waiting::Nothing | Waiting::Setup(_) => return None,
        };
        let used = now_ms.saturating_sub(self.head_ms);
        let left = i128::from(self.allowance_ms?) - i128::from(used);
        Some((owes, i64::try_from(left).unwrap_or(i64::MIN)))
    }

    /// How far what is here has got.
    #[must_use]
    pub const fn delivery_state(&self) -> DeliveryState {
        match (self.delivery.complete, self.sent) {
            (true, _) => DeliveryState::Acknowledged,
            (false, true) => DeliveryState::Sent,
            (false, false) => DeliveryState::Signed,
        }
    }
}

/// The digest of a session's statements.
pub(super) fn digest(session: &Session) -> StatementsDigest {
    digest_of(session.statements().iter().map(|(_, signed)| signed))
}

/// The digest of this player's own statements.
fn own_digest(session: &Session) -> StatementsDigest {
    let own = session.statements().iter().filter(|(placed, _)| placed.statement.author == session.me());
    digest_of(own.map(|(_, signed)| signed))
}

fn digest_of<'a>(statements: impl Iterator<Item = &'a SignedStatement>) -> StatementsDigest {
    let mut statements: Vec<&[u8]> = statements.map(|signed| signed.bytes.as_slice()).collect();
    statements.sort_unstable();
    let mut hash = Sha256::new();
    for bytes in statements {
        hash.update(bytes);
    }
    let hash: [u8; 32] = hash.finalize().into();
    *hash.first_chunk().expect("32 bytes have 8 first")
}

/// Writes the summary of a session into the row of its game.
pub(super) fn write(
    db: &Connection,
    game: GameNo,
    session: &Session,
    change: u64,
    now_ms: u64,
) -> Result<(), StoreError> {
    let log = session.log();
    let judgement = session.judgement();
    let confirmation = session.confirmation();
    let waiting = if judgement.is_finished() { Waiting::Nothing } else { waiting_for(log.phase()) };
    db.prepare_cached(
        "UPDATE games SET opponent_name = :opponent_name, variant = :variant, host = :host, white = :white,
             length = :length, head = :head, statements = :statements, own_statements = :own_statements, turns = :turns, waiting = :waiting,
             finished = :finished, result = :result, updated_ms = :now, change = :change, recovered = :recovered,
             confirmed_head = :confirmed_head, no_later_copy = :no_later_copy, last_event = :last_event,
             time = :time, allowance_ms = :allowance_ms, head_ms = :head_ms
         WHERE game = :game",
    )?
    .execute(named_params! {
        ":game": game.0,
        ":opponent_name": log.name(session.me().other()),
        ":variant": log.terms().variant.number(),
        ":host": session.me() == Party::Host,
        ":white": session.color().map(|color| color == Color::White),
        ":length": log.records().len(),
        ":head": log.head().id.0,
        ":statements": digest(session),
        ":own_statements": own_digest(session),
        ":turns": log.head().turns,
        ":waiting": waiting_number(waiting),
        ":finished": judgement.is_finished(),
        ":result": judgement.code(log),
        ":now": now_ms,
        ":change": change,
        ":recovered": confirmation.recovered,
        ":confirmed_head": confirmation.head.map(|head| head.0),
        ":no_later_copy": confirmation.no_later_copy,
        ":last_event": last_event(session, judgement.standing),
        ":time": log.terms().time.to_string(),
        ":allowance_ms": log.phase().owes().and_then(|owes| log.head().clocks.allowance_ms(owes)),
        ":head_ms": log.head().at_ms,
    })?;
    Ok(())
}

/// What the last entry did, in words.
fn last_event(session: &Session, standing: Standing) -> String {
    let who = |party| if party == session.me() { "you" } else { "the opponent" };
    match standing {
        Standing::Resigned { loser, aborted: false } => format!("{} resigned", who(loser)),
        Standing::Resigned { loser, aborted: true } => format!("{} aborted the game", who(loser)),
        Standing::Convicted { loser } => format!("{} broke the protocol", who(loser)),
        Standing::BothConvicted => "both players broke the protocol".to_owned(),
        Standing::Over { .. } | Standing::Unfinished { .. } => last_step(session),
    }
}

fn last_step(session: &Session) -> String {
    let told = |action: &Action, events: &[Event]| format!("{action}: {}", sentences(events).join("; "));
    let mut words = match session.steps().last() {
        None | Some(Step::Accepted) => "the board is not set up yet".to_owned(),
        Some(Step::Began { .. }) => "the board was set up".to_owned(),
        Some(Step::Acted { action, events: None, .. }) => format!("{action}: chance decides"),
        Some(Step::Acted { action, events: Some(events), .. } | Step::Resolved { action, events, .. }) => {
            told(action, events)
        }
        Some(Step::Agreed) => "a draw was agreed".to_owned(),
    };
    words.truncate(words.floor_char_boundary(MAX_LAST_EVENT_BYTES));
    words
}

fn waiting_for(phase: &Phase) -> Waiting {
    match (phase, phase.owes()) {
        (_, None) => Waiting::Nothing,
        (Phase::ExpectReveal(_), Some(owes)) => Waiting::Reveal(owes),
        (Phase::ExpectAct(_), Some(owes)) => Waiting::Act(owes),
        (_, Some(owes)) => Waiting::Setup(owes),
    }
}

const fn waiting_number(waiting: Waiting) -> u8 {
    match waiting {
        Waiting::Nothing => 0,
        Waiting::Setup(Party::Host) => 1,
        Waiting::Setup(Party::Guest) => 2,
        Waiting::Act(Party::Host) => 3,
        Waiting::Act(Party::Guest) => 4,
        Waiting::Reveal(Party::Host) => 5,
        Waiting::Reveal(Party::Guest) => 6,
    }
}

const fn waiting_from(number: u8) -> Option<Waiting> {
    Some(match number {
        0 => Waiting::Nothing,
        1 => Waiting::Setup(Party::Host),
        2 => Waiting::Setup(Party::Guest),
        3 => Waiting::Act(Party::Host),
        4 => Waiting::Act(Party::Guest),
        5 => Waiting::Reveal(Party::Host),
        6 => Waiting::Reveal(Party::Guest),
        _ => return None,
    })
}

/// Columns in the order of [`read`].
const COLUMNS: &str = "game, name, accept_id, opponent, opponent_name, variant, host, white, length, head, statements,
    turns, waiting, finished, result, created_ms, updated_ms, draw_intent, recovered, no_later_copy, acked_length,
    acked_statements, refused_seq, refused_reason, change, sent_length, sent_statements, last_event, time, allowance_ms,
    head_ms, muted, other_machine, own_statements";

/// The rows that fit a condition, as summaries.
pub(super) fn select(
    db: &Connection,
    condition: &str,
    params: impl rusqlite::Params,
) -> Result<Vec<GameSummary>, StoreError> {
    let mut query = db.prepare_cached(&format!("SELECT {COLUMNS} FROM games {condition}"))?;
    let mut rows = query.query(params)?;
    let mut summaries = Vec::new();
    while let Some(row) = rows.next()? {
        summaries.push(read(row)?);
    }
    Ok(summaries)
}

/// The one row that fits a condition.
pub(super) fn select_one(
    db: &Connection,
    condition: &str,
    params: impl rusqlite::Params,
) -> Result<Option<GameSummary>, StoreError> {
    let mut query = db.prepare_cached(&format!("SELECT {COLUMNS} FROM games {condition}"))?;
    query.query_row(params, |row| Ok(read(row))).optional()?.transpose()
}

fn read(row: &Row<'_>) -> Result<GameSummary, StoreError> {
    let me = if row.get(6)? { Party::Host } else { Party::Guest };
    let white: Option<bool> = row.get(7)?;
    let (length, statements): (u32, StatementsDigest) = (row.get(8)?, row.get(10)?);
    let (recovered, no_later_copy): (bool, bool) = (row.get(18)?, row.get(19)?);
    let (acked_length, acked_statements): (u32, StatementsDigest) = (row.get(20)?, row.get(21)?);
    let (refused_seq, refused_reason): (Option<u32>, Option<String>) = (row.get(22)?, row.get(23)?);
    let (sent_length, sent_statements): (u32, StatementsDigest) = (row.get(25)?, row.get(26)?);
    let own_statements: StatementsDigest = row.get(33)?;
    let time: String = row.get(28)?;
    Ok(GameSummary {
        game: GameNo(row.get(0)?),
        name: row.get(1)?,
        id: EntryId(row.get(2)?),
        opponent: row.get(3)?,
        opponent_name: row.get(4)?,
        variant: Variant::from_number(row.get(5)?).ok_or(StoreError::Damaged("number of a variant"))?,
        me,
        color: white.map(|white| if white { Color::White } else { Color::Black }),
        length,
        head: EntryId(row.get(9)?),
        statements,
        turns: row.get(11)?,
        waiting: waiting_from(row.get(12)?).ok_or(StoreError::Damaged("what is waited for"))?,
        finished: row.get(13)?,
        result: row.get(14)?,
        created_ms: row.get(15)?,
        updated_ms: row.get(16)?,
        draw_intent: row.get(17)?,
        recovering: recovered && !no_later_copy,
        recovered,
        delivery: Delivery {
            length: acked_length,
            statements: acked_statements,
            complete: acked_length == length && acked_statements == statements,
            refused: refused_seq.map(|seq| RefusedByPeer { seq, reason: refused_reason.unwrap_or_default() }),
        },
        change: row.get(24)?,
        own_statements,
        sent: sent_length == length && sent_statements == own_statements,
        last_event: row.get(27)?,
        time: time.parse().map_err(|_| StoreError::Damaged("time control"))?,
        allowance_ms: row.get(29)?,
        head_ms: row.get(30)?,
        muted: row.get(31)?,
        other_machine: row.get(32)?,
    })
}
