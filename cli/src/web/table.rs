//! One game, as the page draws it: what its player may see, and nothing else.

use chakart_core::board::Color;
use chakart_core::scene::{Act, Choice, Position, choices};
use chakart_node::runtime::unix_ms;
use chakart_node::store::{GameSummary, StoredNote};
use serde::Serialize;

use crate::commands::ending::is_not_early;
use crate::desk::seat::Seat;
use crate::failure::Failure;
use crate::player::Player;
use crate::show::board::facts;
use crate::show::escape::{escaped, quoted};
use crate::show::{key, stamp};

/// Turns after which both players have completed one.
const BOTH_COMPLETED: u32 = 2;

/// A game. All texts are escaped.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Who plays whom by which rules.
    pub title: String,
    /// The name of its rules.
    pub variant: &'static str,
    /// What the opponent calls itself.
    pub opponent: String,
    /// Six words to compare the opponent's key by.
    pub fingerprint: String,
    /// This player's colour, once it is decided.
    pub me: Option<Color>,
    /// What this player sees, once the board is set up.
    pub position: Option<Position>,
    /// What its board does not show: passes in a row, unused powers, captured men; a line each.
    pub facts: Vec<String>,
    /// The same before the first act.
    pub start: Option<Position>,
    /// What was played.
    pub acts: Vec<Act>,
    /// What may be chosen; empty while it is not this player's turn.
    pub legal: Vec<Choice>,
    /// What is waited for, or how the game ended.
    pub standing: String,
    /// Whether nobody owes anything any more.
    pub finished: bool,
    /// Why nothing is signed before the person says so.
    pub hold: Option<String>,
    /// Whether the opponent offers a draw.
    pub draw_offered: bool,
    /// Whether the next own action offers one.
    pub draw_intent: bool,
    /// What else may be signed.
    pub can: Can,
    /// How the opponent is connected.
    pub path: String,
    /// Whether what is here has arrived there.
    pub delivery: String,
    /// The time left of whoever is to act; empty without a time control.
    pub time_left: String,
    /// What both have said, the first message first.
    pub messages: Vec<Message>,
}

/// What may be signed beside actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Can {
    /// Giving up.
    pub resign: bool,
    /// Giving up before both have completed a turn.
    pub abort: bool,
    /// Saying that the opponent is out of time.
    pub claim: bool,
    /// Offering another game.
    pub rematch: bool,
}

/// What one player said to the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Message {
    /// Whether it is this player's.
    pub own: bool,
    /// Who said it.
    pub name: String,
    /// What was said; lines are kept.
    pub text: String,
    /// When, by its author's clock.
    pub at: String,
    /// Whether the opponent's program has it.
    pub delivered: bool,
}

impl Table {
    /// Reads a game from the store.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn read(player: &mut Player, summary: &GameSummary, path: String) -> Result<Self, Failure> {
        let seat = Seat::read(player, summary.game, path)?;
        let notes = player.store.notes(summary.game)?;
        let messages = notes.iter().filter(|note| note.own || !summary.muted);
        let legal = match &seat.state {
            Some((game, view)) if !seat.legal.is_empty() => choices(game, &view.board),
            _ => Vec::new(),
        };
        let view = seat.state.as_ref().map(|(_, view)| view);
        Ok(Self {
            variant: summary.variant.info().name,
            position: view.map(Position::of),
            facts: view.map(facts).unwrap_or_default(),
            start: seat.start.as_ref().map(Position::of),
            acts: seat.plies.iter().map(|ply| Act::of(ply, seat.me)).collect(),
            legal,
            me: seat.me,
            name: seat.name,
            title: seat.title,
            opponent: seat.opponent,
            fingerprint: key::fingerprint(&summary.opponent_key()?),
            standing: seat.standing,
            finished: seat.finished,
            hold: seat.hold,
            draw_offered: seat.draw_offered,
            draw_intent: seat.draw_intent,
            path: seat.path,
            delivery: seat.delivery,
            time_left: seat.time_left.trim_start_matches(", ").to_owned(),
            can: can(summary),
            messages: messages.map(|note| message(note, summary)).collect(),
        })
    }
}

fn can(summary: &GameSummary) -> Can {
    let open = !summary.finished;
    Can {
        resign: open,
        abort: open && summary.turns < BOTH_COMPLETED,
        claim: open && is_not_early(summary, unix_ms()).is_ok(),
        rematch: summary.finished,
    }
}

fn message(note: &StoredNote, summary: &GameSummary) -> Message {
    let lines: Vec<String> = note.note.text.as_str().split('\n').map(escaped).collect();
    Message {
        own: note.own,
        name: if note.own { "you".to_owned() } else { quoted(&summary.opponent_name) },
        text: lines.join("\n"),
        at: stamp::utc(note.note.at_ms),
        delivered: note.delivered,
    }
}
