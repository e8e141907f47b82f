//! `join`: takes an invite.

use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::codec::SignedEntry;
use chakart_core::protocol::entry::Name;
use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::log::Log;
use chakart_core::transcript::invite::Invite;
use chakart_node::carrier::{Carrier, Delivered};
use chakart_node::runtime::unix_ms;
use chakart_node::settings::{DiscoveryNetwork, Settings};
use chakart_node::store::{FindError, GameNo, MAX_MAILBOXES_PER_PEER, Waiting};
use tokio::time::{Instant, timeout_at};

use super::deciding::DELIVERY_PATIENCE;
use super::new::{begun, fresh_salt, own_name, parse_name};
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::runtime;
use crate::show::escape::escaped;
use crate::show::{self, json, key, path};

/// Arguments of `join`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "If the host cannot be reached, your accept goes into a mailbox that the invite or your settings name; \
    without one it is kept, and 'sync', 'play' or the same 'join' sends it again."
)]
pub struct Args {
    /// The invite, as it was sent to you (line breaks in it do no harm), or the name of one that 'games' lists
    #[arg(value_name = "INVITE")]
    invite: String,
    /// What you call yourself, up to 40 bytes; kept for later games
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<Name>,
    /// Sign and keep the accept, and end; 'send GAME' prints it for a mail or a stick
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    json: Json,
}

/// Accepts the offer, tells its host, and goes on to the board.
///
/// # Errors
/// [`Failure`]; [`Kind::Unreachable`] if the host does not answer: the accept is kept then.
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    // Names of pending invites have no colon.
    let by_name = !args.invite.contains(':');
    let (player, game) =
        if by_name { join_pending(args, folder, out)? } else { join_text(args, folder, out)? };
    let opponent = player.store.game(game)?.opponent_key()?;
    player.home.wake();
    let config = runtime::node_config(&player.home, &[])?;
    // An offer that came by mail is answered by mail, unless its host is known.
    let nowhere = player.store.addresses(&opponent)?.is_empty()
        && (by_name || !can_search(&config.settings))
        && !uses_mailbox(&player, &config.settings, &opponent)?;
    if args.no_wait || nowhere {
        return tell_kept(&player, game, args.json, out);
    }
    runtime::run(async move {
        let mut carrier = Carrier::open(&player.home, player.key.clone(), config).await?;
        if await_setup(&mut carrier, &player, game).await? {
            return begun(player, carrier, game, args.json, out).await;
        }
        carrier.close().await;
        tell_in_mailbox(&player, game, args.json, out)
    })
}

fn join_text(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<(Player, GameNo), Failure> {
    let invite: Invite = args.invite.parse()?;
    let mut player = Player::open_or_create(folder)?;
    let name = own_name(&mut player, args.name.as_ref())?;
    if !args.json.json {
        tell_offer(&invite.offer, out)?;
    }
    let game = accept(&mut player, &invite, name)?;
    Ok((player, game))
}

/// Signs the accept of an invite and keeps how its host can be reached; whoever calls wakes the node.
///
/// # Errors
/// [`Failure`]: the offer is not for this player, or the store failed.
pub(crate) fn accept(player: &mut Player, invite: &Invite, name: Name) -> Result<GameNo, Failure> {
    let game = player.store.join(&invite.offer, name, fresh_salt()?, unix_ms())?;
    let opponent = player.store.game(game)?.opponent_key()?;
    for address in &invite.addresses {
        player.store.keep_address(&opponent, address, unix_ms())?;
    }
    for relay in &invite.relays {
        player.store.keep_address(&opponent, &format!("{relay}/p2p-circuit"), unix_ms())?;
    }
    for mailbox in invite.mailboxes.iter().take(MAX_MAILBOXES_PER_PEER) {
        player.store.keep_mailbox(&opponent, mailbox, unix_ms())?;
    }
    player.store.keep_invite_secret(&opponent, &invite.secret, unix_ms())?;
    Ok(game)
}

/// Whether a letter for the host can go into a mailbox.
fn uses_mailbox(player: &Player, settings: &Settings, host: &PublicKey) -> Result<bool, Failure> {
    let of_others = player.store.mailboxes_of_others()?;
    Ok(!settings.mailboxes.is_empty() || of_others.iter().any(|(peer, _)| peer == host.as_bytes()))
}

/// Whether a host may be found whose address nobody knows.
fn can_search(settings: &Settings) -> bool {
    settings.lan || settings.network != DiscoveryNetwork::None
}

fn join_pending(
    args: &Args,
    folder: Option<PathBuf>,
    out: &mut dyn Write,
) -> Result<(Player, GameNo), Failure> {
    let mut player = Player::open(folder)?;
    let invite = player.store.find_invite(&args.invite).map_err(|error| match error {
        FindError::Store(error) => Failure::from(error),
        error @ FindError::Ambiguous { .. } => error.into(),
        FindError::NotFound(name) => {
            let message = format!("'{name}' is neither an invite nor the name of one that waits");
            Problem::new(Kind::BadInvite, message)
                .hint("an invite begins with 'chakart:'; 'games' lists those that wait")
                .into()
        }
    })?;
    let name = own_name(&mut player, args.name.as_ref())?;
    if !args.json.json {
        tell_offer(&invite.offer, out)?;
    }
    let game = player.store.join_invite(&invite, name, fresh_salt()?, unix_ms())?;
    Ok((player, game))
}

/// Accepts an invite that waits, by its name; whoever calls wakes the node.
///
/// # Errors
/// [`Failure`]
pub(crate) fn accept_pending(player: &mut Player, name: &str) -> Result<GameNo, Failure> {
    let invite = player.store.find_invite(name)?;
    let own_name = own_name(player, None)?;
    Ok(player.store.join_invite(&invite, own_name, fresh_salt()?, unix_ms())?)
}

/// The accept is signed and kept, and travels by another way.
fn tell_kept(player: &Player, game: GameNo, json: Json, out: &mut dyn Write) -> Result<Exit, Failure> {
    let summary = player.store.game(game)?;
    if json.json {
        json::write_line(out, &show::game::summary_object(&summary))?;
    } else {
        let name = &summary.name;
        writeln!(out, "The game is called {name}. Your accept is signed and kept.")?;
        writeln!(out, "'chakart send {name}' prints it for a mail or a stick.")?;
    }
    Ok(Exit::Done)
}

/// The accept is in a mailbox of the host, which sets the board up when it takes it.
fn tell_in_mailbox(player: &Player, game: GameNo, json: Json, out: &mut dyn Write) -> Result<Exit, Failure> {
    let summary = player.store.game(game)?;
    if json.json {
        json::write_line(out, &show::game::summary_object(&summary))?;
    } else {
        let name = &summary.name;
        writeln!(out, "The game is called {name}. Your accept is signed; {}.", path::IN_MAILBOX)?;
        writeln!(out, "'chakart sync' or a daemon takes the answer; then: chakart play {name}")?;
    }
    Ok(Exit::Done)
}

fn tell_offer(offer: &SignedEntry, out: &mut dyn Write) -> Result<(), Failure> {
    let log = Log::open(offer).map_err(|error| Problem::new(Kind::BadInvite, error.to_string()))?;
    writeln!(out, "{}", show::offer::words(&log))?;
    writeln!(out, "its key's fingerprint: {}", key::fingerprint(&log.offer().host_key))?;
    Ok(out.flush()?)
}

/// Delivers the accept and waits until the host has set the board up; whether it has, or else the accept is in a mailbox.
async fn await_setup(carrier: &mut Carrier, player: &Player, game: GameNo) -> Result<bool, Failure> {
    let end = Instant::now() + DELIVERY_PATIENCE;
    let delivered = carrier.deliver(&player.store, game, DELIVERY_PATIENCE).await?;
    loop {
        let summary = player.store.game(game)?;
        if let Some(refused) = &summary.delivery.refused {
            let reason = escaped(&refused.reason);
            return Err(Problem::new(Kind::BadInvite, format!("the host refused: {reason}")).into());
        }
        if !matches!(summary.waiting, Waiting::Setup(_)) {
            return Ok(true);
        }
        if matches!(delivered, Delivered::InMailbox) {
            return Ok(false);
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
