//! `friend`: names for keys.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::keys::PublicKey;
use chakart_node::runtime::unix_ms;
use chakart_node::store::Friend;
use serde_json::json;

use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::show::{json, key};

/// Arguments of `friend`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Compare the fingerprint words by telephone: whoever has the key is your friend, whatever it calls \
    itself. Later games with the key are called after the name, and 'new --for NAME' offers it a game."
)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Verb {
    /// Give a key a name
    Add {
        /// Lower-case letters, digits and hyphens, at most 20
        #[arg(value_name = "NAME")]
        name: String,
        /// The key, as your friend's 'id' prints it
        #[arg(value_name = "KEY", value_parser = key::parse)]
        key: PublicKey,
        #[command(flatten)]
        json: Json,
    },
    /// List names, keys and fingerprint words
    List {
        #[command(flatten)]
        json: Json,
    },
    /// Forget a name; games keep theirs
    Remove {
        /// The name
        #[arg(value_name = "NAME")]
        name: String,
        #[command(flatten)]
        json: Json,
    },
}

/// Carries out `friend`.
///
/// # Errors
/// [`Failure`]
pub fn run(args: Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open_or_create(folder)?;
    match args.verb {
        Verb::Add { name, key, json } => add(&mut player, &name, &key, json, out),
        Verb::List { json } => list(&player, json, out),
        Verb::Remove { name, json } => remove(&mut player, &name, json, out),
    }
}

fn add(
    player: &mut Player,
    name: &str,
    key: &PublicKey,
    json: Json,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    player.store.add_friend(name, key, unix_ms())?;
    if json.json {
        let friend = Friend { name: name.to_owned(), key: *key, muted: false };
        json::write_line(out, &object(&friend))?;
    } else {
        writeln!(out, "{name}: {}", key::fingerprint(key))?;
    }
    Ok(Exit::Done)
}

fn list(player: &Player, json: Json, out: &mut dyn Write) -> Result<Exit, Failure> {
    let friends = player.store.friends()?;
    if json.json {
        let rows: Vec<_> = friends.iter().map(object).collect();
        json::write_line(out, &json!({ "friends": rows }))?;
    } else if friends.is_empty() {
        writeln!(out, "No friends yet. 'friend add NAME KEY' gives a key a name.")?;
    }
    if !json.json {
        for friend in &friends {
            let muted = if friend.muted { ", muted" } else { "" };
            writeln!(out, "{}{muted}\n  key:         {}", friend.name, friend.key)?;
            writeln!(out, "  fingerprint: {}", key::fingerprint(&friend.key))?;
        }
    }
    Ok(Exit::Done)
}

fn remove(player: &mut Player, name: &str, json: Json, out: &mut dyn Write) -> Result<Exit, Failure> {
    if !player.store.remove_friend(name)? {
        return Err(Problem::new(Kind::Refused, format!("nobody is called '{name}' here"))
            .hint("'friend list' tells the names")
            .into());
    }
    if json.json {
        json::write_line(out, &json!({ "removed": name }))?;
    } else {
        writeln!(out, "{name} is forgotten.")?;
    }
    Ok(Exit::Done)
}

fn object(friend: &Friend) -> serde_json::Value {
    json!({
        "name": friend.name,
        "key": friend.key.to_string(),
        "fingerprint": key::fingerprint(&friend.key),
        "muted": friend.muted,
    })
}
