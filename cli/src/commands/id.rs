//! `id`: the key of this player.

use std::io::{self, Write};
use std::path::PathBuf;

use chakart_core::protocol::keys::SecretKey;
use chakart_node::identity;

use super::passphrase;
use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::home;
use crate::show::{json, key};

/// Arguments of `id`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Whoever has the key is you. Keep an exported copy where nobody else comes; on one machine at a \
    time, because two machines with one key would sign different entries at one place."
)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    json: Json,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Verb {
    /// Make a key for a home that has none
    Create(JsonOnly),
    /// Show the public key and its fingerprint words [the default]
    Show(JsonOnly),
    /// Write the key, and nothing else, into a file of its own
    Export(KeyFile),
    /// Take a key from such a file into a home that has none
    Import(KeyFile),
}

#[derive(Clone, Copy, Debug, clap::Args)]
struct JsonOnly {
    #[command(flatten)]
    json: Json,
}

#[derive(Clone, Debug, clap::Args)]
struct KeyFile {
    /// The key file; only its owner may read it (mode 0600)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Ask for a passphrase on the terminal (import asks by itself where one is needed)
    #[arg(long, conflicts_with = "passphrase_file")]
    passphrase: bool,
    /// Take the passphrase from the first line of a file
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// Carries out `id`.
///
/// # Errors
/// [`Failure`] of kind [`Identity`](crate::failure::Kind::Identity) or [`File`](crate::failure::Kind::File)
pub fn run(args: Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let home = home(folder)?;
    let json = args.json.json;
    let (key, json) = match args.verb {
        None => (identity::load(&home)?, json),
        Some(Verb::Show(only)) => (identity::load(&home)?, json || only.json.json),
        Some(Verb::Create(only)) => (identity::create(&home)?, json || only.json.json),
        Some(Verb::Export(file)) => {
            let key = identity::load(&home)?;
            identity::export(&key, &file.file, passphrase_for_export(&file)?.as_deref())?;
            (key, json || file.json.json)
        }
        Some(Verb::Import(file)) => {
            let passphrase = passphrase_for_import(&file)?;
            (identity::import(&home, &file.file, passphrase.as_deref())?, json || file.json.json)
        }
    };
    show(&key, json, out)?;
    Ok(Exit::Done)
}

fn show(key: &SecretKey, json: bool, out: &mut dyn Write) -> io::Result<()> {
    let public = key.public();
    let fingerprint = key::fingerprint(&public);
    if json {
        let peer_id = identity::peer_id(&public).to_string();
        let object =
            serde_json::json!({ "key": public.to_string(), "fingerprint": fingerprint, "peer_id": peer_id });
        return json::write_line(out, &object);
    }
    writeln!(out, "key:         {public}")?;
    writeln!(out, "fingerprint: {fingerprint}")
}

fn passphrase_for_export(file: &KeyFile) -> Result<Option<String>, Failure> {
    match &file.passphrase_file {
        None if !file.passphrase => Ok(None),
        path => passphrase::fresh(path.as_deref()).map(Some),
    }
}

fn passphrase_for_import(file: &KeyFile) -> Result<Option<String>, Failure> {
    match &file.passphrase_file {
        None if !identity::is_encrypted(&file.file)? => Ok(None),
        path => passphrase::known(path.as_deref()).map(Some),
    }
}
