//! Games, invites and offers, as the page lists them.

use chakart_core::rules::{Setup, Variant};
use chakart_node::runtime::unix_ms;
use serde::Serialize;

use crate::commands::games::List;
use crate::commands::new::usual_setup;
use crate::failure::Failure;
use crate::player::Player;
use crate::show::escape::escaped;
use crate::show::key;
use crate::tui::lobby::{Row, What, rows};

/// What the first page shows. All texts are escaped.
#[derive(Clone, Debug, Serialize)]
pub struct Lobby {
    /// This player.
    pub me: Me,
    /// Games, those first in which it is this player's turn.
    pub games: Vec<Game>,
    /// Offers to this player.
    pub invites: Vec<Offered>,
    /// Own offers that wait for a guest.
    pub offers: Vec<Offered>,
    /// Names of friends.
    pub friends: Vec<String>,
    /// What can be played.
    pub variants: Vec<Rules>,
}

/// A player as it is shown to itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Me {
    /// What it calls itself.
    pub name: Option<String>,
    /// Six words to compare its key by.
    pub fingerprint: String,
}

/// A game in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Game {
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
    /// Whether it is over.
    pub finished: bool,
}

/// An invite or an offer in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Offered {
    /// Its name.
    pub name: String,
    /// Who offers what, or since when it is offered.
    pub words: String,
}

/// Rules that can be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Rules {
    /// As it is signed.
    pub name: &'static str,
    /// For people.
    pub title: String,
    /// Starts that they allow.
    pub setups: Vec<&'static str>,
    /// The usual one.
    pub setup: &'static str,
}

impl Lobby {
    /// Reads the lists from the store.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn read(player: &Player) -> Result<Self, Failure> {
        let list = List::read(player)?;
        let over: Vec<bool> = list.games.iter().map(|game| game.finished).collect();
        let rows = rows(&list, unix_ms());
        let offered = |what| rows.iter().filter(move |row| row.what == what).map(Offered::of).collect();
        let games = rows.iter().filter(|row| matches!(row.what, What::Game(_)));
        Ok(Self {
            me: Me {
                name: player.store.player_name()?.map(|name| escaped(&name)).filter(|name| !name.is_empty()),
                fingerprint: key::fingerprint(&player.key.public()),
            },
            games: games.zip(over).map(|(row, finished)| Game::of(row, finished)).collect(),
            invites: offered(What::Invite),
            offers: offered(What::Offer),
            friends: player.store.friends()?.iter().map(|friend| escaped(&friend.name)).collect(),
            variants: Variant::ALL.into_iter().map(Rules::of).collect(),
        })
    }
}

impl Game {
    fn of(row: &Row, finished: bool) -> Self {
        Self {
            name: row.name.clone(),
            state: row.state.clone(),
            words: row.words.clone(),
            detail: row.detail.clone(),
            mine: row.mine,
            finished,
        }
    }
}

impl Offered {
    fn of(row: &Row) -> Self {
        Self { name: row.name.clone(), words: row.words.clone() }
    }
}

impl Rules {
    fn of(variant: Variant) -> Self {
        let setups = Setup::ALL.into_iter().filter(|&setup| variant.allows(setup));
        Self {
            name: variant.info().name,
            title: variant.info().summary.to_owned(),
            setups: setups.map(Setup::name).collect(),
            setup: usual_setup(variant).name(),
        }
    }
}
