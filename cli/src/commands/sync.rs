//! `sync`: connects to the opponents of open games, exchanges what is new, and leaves.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use chakart_core::protocol::keys::KEY_BYTES;
use chakart_node::carrier::Carrier;
use chakart_node::runtime::NodeConfig;
use chakart_node::store::{GameNo, GameSummary};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

use super::deciding::{DELIVERY_PATIENCE, opponent_broke};
use crate::args::Json;
use crate::failure::{Exit, Failure};
use crate::player::Player;
use crate::runtime;
use crate::show::escape::{escaped, quoted};
use crate::show::{game, json, path};

/// After so long without news the exchange is over.
const QUIET: Duration = Duration::from_millis(700);

/// Arguments of `sync`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    after_help = "Mailboxes that your settings or invites name are given letters for opponents who are away, and give yours. \
    Exit codes: 0 every opponent was reached, or a mailbox in its place (or there is nothing to exchange), 3 somebody was \
    not, 5 an opponent broke the protocol."
)]
pub struct Args {
    #[command(flatten)]
    json: Json,
}

/// Raw keys of opponents that were not reached, and why.
type Unreached = HashMap<[u8; KEY_BYTES], String>;

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
    let open = to_exchange(player)?;
    let config = NodeConfig { redial: false, ..runtime::node_config(&player.home, &[])? };
    let has_mailbox =
        !config.settings.mailboxes.is_empty() || !player.store.mailboxes_of_others()?.is_empty();
    if open.is_empty() && player.store.offers()?.is_empty() && !has_mailbox {
        return Ok(Vec::new());
    }
    let known: HashSet<GameNo> = player.store.games()?.iter().map(|game| game.game).collect();
    let mut carrier = Carrier::open(&player.home, player.key.clone(), config).await?;
    let mut unreached = reach(&carrier, &open).await?;
    for game in &open {
        if !unreached.contains_key(&game.opponent) {
            carrier.deliver(&player.store, game.game, DELIVERY_PATIENCE).await?;
        }
    }
    if carrier.settle_mailboxes(DELIVERY_PATIENCE).await {
        let lacking = lacking(player)?;
        unreached.retain(|opponent, _| lacking.iter().any(|game| game.opponent == *opponent));
        for game in lacking.iter().filter(|game| !known.contains(&game.game)) {
            let delivered = carrier.deliver(&player.store, game.game, DELIVERY_PATIENCE).await?;
            unreached.extend(path::undelivered(delivered).map(|reason| (game.opponent, reason)));
        }
    }
    listen_until_quiet(&mut carrier).await;
    carrier.close().await;
    let begun = player.store.games()?.into_iter().filter(|game| !known.contains(&game.game));
    let begun = begun.map(|game| GameSummary { length: 0, ..game });
    open.into_iter().chain(begun).map(|before| outcome(player, before, &unreached)).collect()
}

/// Games whose opponent lacks something that no mailbox keeps for it.
fn lacking(player: &Player) -> Result<Vec<GameSummary>, Failure> {
    let mut lacking = Vec::new();
    for game in player.store.games()?.into_iter().filter(|game| !game.delivery.complete) {
        if !player.store.is_in_mailbox(game.game)? {
            lacking.push(game);
        }
    }
    Ok(lacking)
}

/// Games that are not finished or not delivered; and, of an opponent for whom only a message or an offer waits, one game.
fn to_exchange(player: &Player) -> Result<Vec<GameSummary>, Failure> {
    let games = player.store.games()?;
    let wanted: HashSet<[u8; 32]> = player.store.wanted_peers()?.into_iter().collect();
    let (mut open, over): (Vec<_>, Vec<_>) =
        games.into_iter().partition(|game| !game.finished || !game.delivery.complete);
    let mut covered: HashSet<[u8; 32]> = open.iter().map(|game| game.opponent).collect();
    open.extend(
        over.into_iter().filter(|game| wanted.contains(&game.opponent) && covered.insert(game.opponent)),
    );
    Ok(open)
}

/// Connects to all of them at once; those that were not reached, and why. A node of another process dials by itself.
async fn reach(carrier: &Carrier, games: &[GameSummary]) -> Result<Unreached, Failure> {
    let Carrier::Own { node, .. } = carrier else { return Ok(Unreached::new()) };
    let mut dials = JoinSet::new();
    let mut dialled = HashSet::new();
    for game in games.iter().filter(|game| dialled.insert(game.opponent)) {
        let (handle, opponent) = (node.handle().clone(), game.opponent_key()?);
        dials.spawn(async move {
            let reached = timeout(DELIVERY_PATIENCE, handle.connect(opponent, Vec::new())).await;
            let reason = reached
                .map_or_else(|_| Some(path::NO_ANSWER.to_owned()), |dial| dial.err().map(path::unreached));
            (*opponent.as_bytes(), reason)
        });
    }
    let mut unreached = Unreached::new();
    while let Some(dial) = dials.join_next().await {
        if let Ok((opponent, Some(reason))) = dial {
            unreached.insert(opponent, reason);
        }
    }
    Ok(unreached)
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

fn outcome(player: &mut Player, before: GameSummary, unreached: &Unreached) -> Result<Outcome, Failure> {
    let after = player.store.game(before.game)?;
    let broke = opponent_broke(&player.store.session(before.game)?);
    let unreached = unreached.get(&before.opponent).cloned();
    Ok(Outcome { before, after, unreached, broke })
}

fn line(outcome: &Outcome) -> String {
    let Outcome { before, after, unreached, .. } = outcome;
    let sent = after.delivery.complete && !before.delivery.complete;
    let news = match (after.length.saturating_sub(before.length), sent) {
        (0, false) => "nothing new".to_owned(),
        (0, true) => "sent what was not delivered".to_owned(),
        (1, _) => "1 new entry".to_owned(),
        (more, _) => format!("{more} new entries"),
    };
    let name = format!("{} against {}", after.name, quoted(&after.opponent_name));
    match unreached {
        Some(reason) => format!("{name}: {}", escaped(reason)),
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
