//! `join`: takes an invite.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::entry::Name;
use chakart_core::protocol::log::Log;
use chakart_core::transcript::invite::Invite;
use chakart_node::carrier::{Carrier, Delivered};
use chakart_node::runtime::unix_ms;
use chakart_node::store::{GameNo, Waiting};
use tokio::time::{Instant, timeout_at};

use super::deciding::DELIVERY_PATIENCE;
use super::new::{begun, fresh_salt, own_name, parse_name};
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::runtime;
use crate::show::escape::{escaped, quoted};
use crate::show::{board, key, path};

/// Arguments of `join`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "If the host cannot be reached, your accept is kept; 'sync', 'play' or the same 'join' sends it \
    again."
)]
pub struct Args {
    /// The invite, as it was sent to you; line breaks in it do no harm
    #[arg(value_name = "INVITE")]
    invite: String,
    /// What you call yourself, up to 40 bytes; kept for later games
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<Name>,
    #[command(flatten)]
    json: Json,
}

/// Accepts the offer, tells its host, and goes on to the board.
///
/// # Errors
/// [`Failure`]; [`Kind::Unreachable`] if the host does not answer: the accept is kept then.
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let invite: Invite = args.invite.parse()?;
    let mut player = Player::open_or_create(folder)?;
    let name = own_name(&mut player, args.name.as_ref())?;
    if !args.json.json {
        tell_offer(&invite, out)?;
    }
    let game = player.store.join(&invite.offer, name, fresh_salt()?, unix_ms())?;
    let opponent = player.store.game(game)?.opponent_key()?;
    for address in &invite.addresses {
        player.store.keep_address(&opponent, address, unix_ms())?;
    }
    runtime::run(async move {
        let mut carrier = Carrier::open(&player.home, player.key.clone(), runtime::node_config(&[])).await?;
        await_setup(&mut carrier, &player, game).await?;
        begun(player, carrier, game, args.json, out).await
    })
}

fn tell_offer(invite: &Invite, out: &mut dyn Write) -> Result<(), Failure> {
    let log = Log::open(&invite.offer).map_err(|error| Problem::new(Kind::BadInvite, error.to_string()))?;
    let terms = log.terms();
    let offer = log.offer();
    writeln!(
        out,
        "{} offers a game: {}, set-up {}",
        quoted(offer.host_name.as_str()),
        board::rules_line(terms.variant),
        terms.setup
    )?;
    writeln!(out, "its key's fingerprint: {}", key::fingerprint(&offer.host_key))?;
    Ok(out.flush()?)
}

/// Delivers the accept and waits until the host has set the board up.
async fn await_setup(carrier: &mut Carrier, player: &Player, game: GameNo) -> Result<(), Failure> {
    let end = Instant::now() + DELIVERY_PATIENCE;
    let delivered = carrier.deliver(&player.store, game, DELIVERY_PATIENCE).await?;
    loop {
        let summary = player.store.game(game)?;
        if let Some(refused) = &summary.delivery.refused {
            let reason = escaped(&refused.reason);
            return Err(Problem::new(Kind::BadInvite, format!("the host refused: {reason}")).into());
        }
        if !matches!(summary.waiting, Waiting::Setup(_)) {
            return Ok(());
        }
        if !matches!(timeout_at(end, carrier.next_event()).await, Ok(Some(_))) {
            return Err(unreached(&summary.name, delivered).into());
        }
    }
}

fn unreached(name: &str, delivered: Delivered) -> Problem {
    let reason = match delivered {
        Delivered::NotYet { unreached: Some(error) } => path::unreached(error),
        _ => path::NO_ANSWER.to_owned(),
    };
    Problem::new(Kind::Unreachable, format!("the host of {name} was {reason}"))
        .hint(format!("your accept is kept; 'chakart play {name}' keeps trying"))
}
