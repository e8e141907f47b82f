//! What the board knows of the game at which its player sits: a value, read from the store by the loop.

use chakart_core::board::{Bitboard, Color};
use chakart_core::rules::{Action, Game, Rules as _};
use chakart_core::scene;
use chakart_core::transcript::replay::Ply;
use chakart_core::view::View;
use chakart_node::runtime::unix_ms;
use chakart_node::store::GameNo;

use crate::commands::games::time_left;
use crate::failure::Failure;
use crate::player::Player;
use crate::show::escape::quoted;
use crate::show::{chat, game};

/// What the board knows of one game. All texts are escaped.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The game.
    pub game: GameNo,
    /// Its name.
    pub name: String,
    /// Who plays whom by which rules.
    pub title: String,
    /// What the opponent calls itself.
    pub opponent: String,
    /// This player's colour, once it is decided.
    pub me: Option<Color>,
    /// The public state and what this player sees of it, once the board is set up.
    pub state: Option<(Game, View)>,
    /// The acts, the first one first.
    pub acts: Vec<Act>,
    /// The same as they are in the log.
    pub plies: Vec<Ply>,
    /// The board before the first act.
    pub start: Option<View>,
    /// What may be chosen now; empty while it is not this player's turn.
    pub legal: Vec<Action>,
    /// Whether nobody owes anything any more.
    pub finished: bool,
    /// What is waited for, or how the game ended.
    pub standing: String,
    /// Why nothing is signed before the person says so.
    pub hold: Option<String>,
    /// Whether the opponent offers a draw.
    pub draw_offered: bool,
    /// Whether the next own action offers one.
    pub draw_intent: bool,
    /// How the opponent is connected.
    pub path: String,
    /// Whether what is here has arrived there.
    pub delivery: String,
    /// The time left of whoever is to act; empty without a time control.
    pub time_left: String,
    /// The messages of both players, as lines.
    pub messages: Vec<String>,
    /// What the board is for.
    pub purpose: Purpose,
}

/// What a board is for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Purpose {
    /// A game with somebody, which is kept.
    #[default]
    Game,
    /// A game against the machine, which is not.
    Practice,
    /// Something to learn, told in a paragraph each; nothing is kept.
    Lesson(Vec<String>),
}

impl Purpose {
    /// What is told, if this is a lesson.
    pub(crate) fn lesson(&self) -> &[String] {
        match self {
            Self::Lesson(words) => words,
            Self::Game | Self::Practice => &[],
        }
    }
}

/// One act as the board shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// Number and notation.
    pub headline: String,
    /// Every hop and every random result, a sentence each.
    pub steps: Vec<String>,
    /// Squares that it names or changes.
    pub marked: Bitboard,
    /// The turn, from 1; sub-moves share it.
    pub turn: u32,
    /// Who acted.
    pub color: Color,
    /// The board afterwards.
    pub after: View,
}

impl Seat {
    /// Reads a game from the store.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn read(player: &mut Player, number: GameNo, path: String) -> Result<Self, Failure> {
        let summary = player.store.game(number)?;
        let session = player.store.session(number)?;
        let state = session.game().cloned().zip(session.view());
        let mut seat = Self::new(number, state, game::plies(&session), summary.color);
        if !session.is_my_turn() {
            seat.legal.clear();
        }
        let notes = player.store.notes(number)?;
        let hold = if summary.finished { None } else { session.hold(unix_ms()) };
        let unproven = game::unproven(&session).map_or_else(String::new, |why| format!("; {why}"));
        Ok(Self {
            title: game::title(&summary, &session),
            opponent: quoted(&summary.opponent_name),
            finished: summary.finished,
            standing: game::standing(&session) + &unproven,
            hold: hold.map(|hold| hold.to_string()),
            draw_offered: session.is_draw_offered(),
            draw_intent: summary.draw_intent,
            path,
            delivery: game::delivery_short(&summary),
            time_left: time_left(&summary, unix_ms()),
            messages: notes.iter().flat_map(|note| chat::lines(note, &summary)).collect(),
            name: summary.name,
            ..seat
        })
    }

    /// A seat at a position, at the turn of whoever is to decide in it, without words around the board. `state` is the
    /// public state and what this player sees of it.
    #[must_use]
    pub fn new(number: GameNo, state: Option<(Game, View)>, plies: Vec<Ply>, me: Option<Color>) -> Self {
        Self {
            game: number,
            legal: state.as_ref().map(|(game, _)| game.legal_actions()).unwrap_or_default(),
            acts: plies.iter().map(|ply| act(ply, me)).collect(),
            start: plies
                .first()
                .map(|ply| ply.before.view(me, None))
                .or_else(|| Some(state.as_ref()?.1.clone())),
            plies,
            state,
            me,
            name: String::new(),
            title: String::new(),
            opponent: String::new(),
            finished: false,
            standing: String::new(),
            hold: None,
            draw_offered: false,
            draw_intent: false,
            path: String::new(),
            delivery: String::new(),
            time_left: String::new(),
            messages: Vec::new(),
            purpose: Purpose::Game,
        }
    }

    /// The public state, once the board is set up.
    #[must_use]
    pub fn rules(&self) -> Option<&Game> {
        self.state.as_ref().map(|(game, _)| game)
    }

    /// What this player sees after this many acts.
    #[must_use]
    pub fn view_after(&self, acts: usize) -> Option<&View> {
        match acts.checked_sub(1) {
            _ if acts >= self.acts.len() => self.state.as_ref().map(|(_, view)| view),
            Some(last) => self.acts.get(last).map(|act| &act.after),
            None => self.start.as_ref(),
        }
    }
}

fn act(ply: &Ply, me: Option<Color>) -> Act {
    let opened = ply.opened.map(|square| format!("the hidden queen was on {square}"));
    Act {
        headline: scene::headline(ply),
        steps: opened.into_iter().chain(scene::steps(ply)).collect(),
        marked: scene::marked(ply),
        turn: ply.turn,
        color: ply.color,
        after: ply.after.view(me, None),
    }
}
