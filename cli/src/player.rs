//! The player of this machine: its folder, key and games.

use std::io::{self, Write};
use std::path::PathBuf;

use chakart_core::protocol::keys::{PublicKey, SecretKey};
use chakart_node::home::Home;
use chakart_node::identity::{self, IdentityError};
use chakart_node::store::{GameSummary, Store};

use crate::failure::{Failure, Kind, Problem};
use crate::show::escape::quoted;
use crate::show::key;

/// A player with its games.
#[derive(Debug)]
pub struct Player {
    /// The folder.
    pub home: Home,
    /// The key.
    pub key: SecretKey,
    /// The games.
    pub store: Store,
}

/// The folder of the player: as given, or the data folder of the system.
///
/// # Errors
/// [`Failure`]: there is no such folder and none can be made.
pub fn home(folder: Option<PathBuf>) -> Result<Home, Failure> {
    let standard =
        || directories::ProjectDirs::from("", "", "chakart").map(|dirs| dirs.data_dir().to_owned());
    let root = folder.or_else(standard).ok_or_else(|| {
        Problem::new(Kind::Storage, "this system names no folder for data").hint("name one with --home")
    })?;
    Ok(Home::open(root)?)
}

impl Player {
    /// The player who has a key already.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn open(folder: Option<PathBuf>) -> Result<Self, Failure> {
        let home = home(folder)?;
        let key = identity::load(&home)?;
        Self::with(home, key)
    }

    /// The player; one without a key gets a fresh one, and is told so.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn open_or_create(folder: Option<PathBuf>) -> Result<Self, Failure> {
        let home = home(folder)?;
        let key = match identity::load(&home) {
            Err(IdentityError::Missing { .. }) => {
                let key = identity::create(&home)?;
                let fingerprint = key::fingerprint(&key.public());
                writeln!(io::stderr(), "A key was made for you; its fingerprint: {fingerprint}")?;
                key
            }
            loaded => loaded?,
        };
        Self::with(home, key)
    }

    /// The player of a key.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn with(home: Home, key: SecretKey) -> Result<Self, Failure> {
        let store = Store::open(&home.store_file(), key.clone())?;
        Ok(Self { home, key, store })
    }

    /// What a player is called here: as a friend, else as it calls itself.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn called(&self, peer: &PublicKey) -> Result<String, Failure> {
        if let Some(friend) = self.store.friend_name(peer)? {
            return Ok(friend);
        }
        let known = self.store.games_with(peer, None, 1)?;
        Ok(known.first().map_or_else(|| format!("a stranger ({peer})"), |game| quoted(&game.opponent_name)))
    }

    /// The player whom a person names: a friend by name, or a key.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn named(&self, named: &str) -> Result<PublicKey, Failure> {
        if let Some(friend) = self.store.friend(named)? {
            return Ok(friend.key);
        }
        key::parse(named).map_err(|_| {
            let message = format!("'{named}' is neither a friend nor a key of 64 hexadecimal digits");
            Problem::new(Kind::Usage, message)
                .hint("'friend list' tells the names, 'friend add NAME KEY' gives one")
                .into()
        })
    }

    /// The game that a person names.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn game(&self, name: &str) -> Result<GameSummary, Failure> {
        Ok(self.store.find_game(name)?)
    }
}
