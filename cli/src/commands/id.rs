//! `id`: the key of this player.

use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use chakart_core::protocol::keys::SecretKey;
use chakart_node::identity;

use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::home;
use crate::show::{files, json, key};

/// Longest passphrase that is read from a file, in bytes.
const MAX_PASSPHRASE_BYTES: u64 = 1_024;

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
/// [`Failure`] of kind [`Kind::Identity`] or [`Kind::File`]
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
        Some(path) => read_passphrase(path).map(Some),
        None if file.passphrase => {
            let first = ask("Passphrase for the file: ")?;
            if ask("Once more: ")? != first {
                return Err(Problem::new(Kind::Identity, "the two passphrases differ").into());
            }
            Ok(Some(first))
        }
        None => Ok(None),
    }
}

fn passphrase_for_import(file: &KeyFile) -> Result<Option<String>, Failure> {
    match &file.passphrase_file {
        Some(path) => read_passphrase(path).map(Some),
        None if identity::is_encrypted(&file.file)? => ask("Passphrase of the file: ").map(Some),
        None => Ok(None),
    }
}

fn ask(prompt: &str) -> Result<String, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Problem::new(
            Kind::Identity,
            "a passphrase is needed, and there is no terminal to ask on",
        )
        .hint("give it with --passphrase-file")
        .into());
    }
    let typed = rpassword::prompt_password(prompt);
    typed.map_err(|error| {
        Problem::new(Kind::Identity, format!("the passphrase cannot be read: {error}")).into()
    })
}

fn read_passphrase(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_PASSPHRASE_BYTES).read_to_string(&mut text))
        .map_err(|error| files::failed(path, &error))?;
    match text.lines().next() {
        Some(first) if !first.is_empty() => Ok(first.to_owned()),
        _ => Err(Problem::new(Kind::File, format!("{}: its first line is empty", path.display())).into()),
    }
}
