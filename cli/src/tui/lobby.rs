//! The list of games: those first in which it is this player's turn.

use chakart_core::board::Color;
use chakart_node::store::GameNo;
use ratatui::crossterm::event::KeyCode;

use crate::commands::games::{List, state, time_left};
use crate::show::stamp;

/// What a row of the list stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A game.
    Game(GameNo),
    /// An offer to this player that waits for its answer.
    Invite,
    /// An own offer that waits for a guest.
    Offer,
}

/// A row of the list. All texts are escaped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What it stands for.
    pub what: What,
    /// Its name.
    pub name: String,
    /// Whose turn it is.
    pub state: String,
    /// Against whom, by which rules, the time left.
    pub words: String,
    /// The last event and how far it has got.
    pub detail: String,
    /// Whether this player is to decide.
    pub mine: bool,
}

/// The list and the row at hand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lobby {
    pub(super) rows: Vec<Row>,
    pub(super) at: usize,
    /// The name of the invite that is about to be accepted.
    pub(super) accepting: Option<String>,
}

/// The rows of a list, as of `now_ms` of Unix time.
pub(crate) fn rows(list: &List, now_ms: u64) -> Vec<Row> {
    let games = list.games.iter().map(|game| Row {
        what: What::Game(game.game),
        name: game.name.clone(),
        state: state(game),
        words: format!(
            "{} against {}, {}, turn {}{}",
            game.color.map_or("no colour yet", |color| if color == Color::White { "White" } else { "Black" }),
            list.opponent(game),
            game.variant,
            game.turns / 2 + 1,
            time_left(game, now_ms),
        ),
        detail: list.second_line(game),
        mine: game.is_my_turn(),
    });
    let invites = list.invites.iter().map(|invite| Row {
        what: What::Invite,
        name: invite.name.clone(),
        state: "invited".to_owned(),
        words: list.invite_words(invite),
        detail: "Enter accepts it".to_owned(),
        mine: false,
    });
    let offers = list.offers.iter().map(|offer| Row {
        what: What::Offer,
        name: offer.name.clone(),
        state: "open offer".to_owned(),
        words: format!("offered {}", stamp::utc(offer.created_ms)),
        detail: format!("waits for a guest; 'chakart play {} --text' shows the invite again", offer.name),
        mine: false,
    });
    games.chain(invites).chain(offers).collect()
}

impl Lobby {
    /// A list with its first row at hand.
    #[must_use]
    pub const fn new(rows: Vec<Row>) -> Self {
        Self { rows, at: 0, accepting: None }
    }

    /// Takes the list as it is now; the row at hand stays the same one.
    pub(super) fn take(&mut self, rows: Vec<Row>) {
        let name = self.rows.get(self.at).map(|row| row.name.clone());
        self.at = rows.iter().position(|row| Some(&row.name) == name.as_ref()).unwrap_or_default();
        self.rows = rows;
    }

    pub(super) fn key(&mut self, key: KeyCode) {
        let last = self.rows.len().saturating_sub(1);
        self.at = match key {
            KeyCode::Up | KeyCode::Char('k') => self.at.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => (self.at + 1).min(last),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => self.at,
        };
    }
}
