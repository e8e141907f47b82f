//! `sync`: connects to the opponents of open games, exchanges what is new, and leaves.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use chakart_core::protocol::keys::PublicKey;
use chakart_node::carrier::{Carrier, Delivered};
use chakart_node::runtime::NodeConfig;
use chakart_node::store::GameSummary;
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use super::deciding::{DELIVERY_PATIENCE, opponent_broke};
use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::runtime;
use crate::show::escape::{escaped, quoted};
use crate::show::{game, json};

/// After so long without news the exchange is over.
const QUIET: Duration = Duration::from_millis(700);

/// Arguments of `sync`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 every opponent was reached (or there is nothing to exchange), 3 somebody was not, \
    5 an opponent broke the protocol."
)]
pub struct Args {
    #[command(flatten)]
    json: Json,
}

/// What came of the exchange of one game.
struct Outcome {
    before: GameSummary,
    after: GameSummary,
    unreached: Option<String>,
    broke: bool,
}

/// Exchanges all games that are not finished or not delivered.
///
/// # Errors
/// [`Failure`]
pub fn run(args: Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut player = Player::open(folder)?;
    let outcomes = runtime::run(exchange(&mut player))?;
    if args.json.json {
        let rows: Vec<_> = outcomes.iter().map(object).collect();
        json::write_line(out, &json!({ "games": rows }))?;
    } else if outcomes.is_empty() {
        writeln!(out, "Nothing to exchange.")?;
    } else {
        for outcome in &outcomes {
            writeln!(out, "{}", line(outcome))?;
        }
    }
    Ok(exit(&outcomes))
}

fn exit(outcomes: &[Outcome]) -> Exit {
    if outcomes.iter().any(|outcome| outcome.broke) {
        Exit::PeerBroke
    } else if outcomes.iter().any(|outcome| outcome.unreached.is_some()) {
        Exit::Unreachable
    } else {
        Exit::Done
    }
}

async fn exchange(player: &mut Player) -> Result<Vec<Outcome>, Failure> {
    let mut open = player.store.games()?;
    open.retain(|game| !game.finished || !game.delivery.complete);
    if open.is_empty() && player.store.offers()?.is_empty() {
        return Ok(Vec::new());
    }
    let config = NodeConfig { redial: false, ..NodeConfig::default() };
    let mut carrier = Carrier::open(&player.home, player.key.clone(), config).await?;
    let mut unreached: Vec<(PublicKey, Option<String>)> = Vec::new();
    for game in &open {
        let opponent = game.opponent_key()?;
        if unreached.iter().any(|(known, reason)| *known == opponent && reason.is_some()) {
            continue;
        }
        let delivered = carrier.deliver(&player.store, game.game, DELIVERY_PATIENCE).await?;
        let reason = match delivered {
            Delivered::NotYet { unreached } => Some(
                unreached.map_or_else(|| "it has not answered in time".to_owned(), |error| error.to_string()),
            ),
            Delivered::Complete | Delivered::Refused(_) => None,
        };
        unreached.push((opponent, reason));
    }
    listen_until_quiet(&mut carrier).await;
    carrier.close().await;
    open.into_iter().map(|before| outcome(player, before, &unreached)).collect()
}

/// What the opponents have for us comes after the greeting.
async fn listen_until_quiet(carrier: &mut Carrier) {
    let end = Instant::now() + DELIVERY_PATIENCE;
    loop {
        let quiet = (Instant::now() + QUIET).min(end);
        if !matches!(timeout_at(quiet, carrier.next_event()).await, Ok(Some(_))) {
            return;
        }
    }
}

fn outcome(
    player: &mut Player,
    before: GameSummary,
    unreached: &[(PublicKey, Option<String>)],
) -> Result<Outcome, Failure> {
    let after = player.store.game(before.game)?;
    let broke = opponent_broke(&player.store.session(before.game)?);
    let opponent = before.opponent_key()?;
    let unreached =
        unreached.iter().find(|(known, _)| *known == opponent).and_then(|(_, reason)| reason.clone());
    Ok(Outcome { before, after, unreached, broke })
}

fn line(outcome: &Outcome) -> String {
    let Outcome { before, after, unreached, .. } = outcome;
    let news = match after.length - before.length.min(after.length) {
        0 => "nothing new".to_owned(),
        1 => "1 new entry".to_owned(),
        more => format!("{more} new entries"),
    };
    let name = format!("{} against {}", after.name, quoted(&after.opponent_name));
    match unreached {
        Some(reason) => format!("{name}: not reached: {}", escaped(reason)),
        None => format!("{name}: {news}; {}", game::delivery(after)),
    }
}

fn object(outcome: &Outcome) -> serde_json::Value {
    let mut object = game::summary_object(&outcome.after);
    if let Some(members) = object.as_object_mut() {
        members.insert(
            "new_entries".to_owned(),
            outcome.after.length.saturating_sub(outcome.before.length).into(),
        );
        members.insert("unreached".to_owned(), json!(outcome.unreached));
    }
    object
}
