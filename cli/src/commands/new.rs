//! `new`: offers a game, prints the invite, and waits for the guest.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use chakart_core::protocol::entry::{ColorChoice, Name, TimeControl};
use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::session::OfferSettings;
use chakart_core::rules::{Setup, Variant};
use chakart_core::transcript::invite::Invite;
use chakart_node::carrier::Carrier;
use chakart_node::home::Home;
use chakart_node::runtime::unix_ms;
use chakart_node::settings::Settings;
use chakart_node::store::{OfferState, OwnOffer, Salt};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::{daemon, play};
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::runtime;
use crate::show::{self, invite, json};

/// How long a named relay may take to hold a reservation.
const RESERVATION_PATIENCE: Duration = Duration::from_secs(10);
/// How often it is seen whether it does.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// After the first exchange two nodes tell each other where they listen: without that, neither finds the other again.
const INTRODUCTION: Duration = Duration::from_millis(500);

/// Arguments of `new`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "The offer stays open until somebody takes it, also when this command ends; 'play OFFER' waits for \
    the guest again, 'cancel OFFER' takes it back. An open invite goes to whoever uses it first: compare fingerprints, or \
    name the guest with --for."
)]
pub struct Args {
    /// The rules, one of those of 'variants'
    #[arg(long, value_name = "VARIANT", default_value = "chakart")]
    variant: Variant,
    /// The start: fixed (as in chess), symmetric, asymmetric [default: asymmetric, or what the rules allow]
    #[arg(long, value_name = "SETUP", value_parser = parse_setup)]
    setup: Option<Setup>,
    /// Your colour
    #[arg(long, value_enum, default_value = "random")]
    color: Color,
    /// What you call yourself, up to 40 bytes; kept for later games
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<Name>,
    /// Where to listen: /ip4/0.0.0.0/tcp/4001 or /ip4/0.0.0.0/udp/4001/quic-v1; may be given several times
    #[arg(long, value_name = "ADDR")]
    listen: Vec<String>,
    /// Leave this machine's addresses out of the invite: your friend finds it on the same network, through your relays or
    /// mailboxes, or where your settings say
    #[arg(long)]
    no_addresses: bool,
    /// Print the invite and end
    #[arg(long)]
    no_wait: bool,
    /// The only player who may join: the name of a friend, or a key
    #[arg(long = "for", value_name = "NAME|KEY")]
    guest: Option<String>,
    /// Time a move (3d, 12h), a bank with what each move earns (10d+1d), or none
    #[arg(long, value_name = "TIME", default_value = "none")]
    time: TimeControl,
    #[command(flatten)]
    json: Json,
}

/// Whose colour the host takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Color {
    White,
    Black,
    Random,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
            Color::Random => Self::Random,
        }
    }
}

/// Reads the name of a set-up.
pub(crate) fn parse_setup(text: &str) -> Result<Setup, String> {
    let known = Setup::ALL.map(Setup::name);
    Setup::ALL
        .into_iter()
        .find(|setup| setup.name() == text)
        .ok_or_else(|| format!("known set-ups are {}", known.join(", ")))
}

/// Reads the name of a player.
///
/// # Errors
/// What is wrong with it, in words.
pub fn parse_name(text: &str) -> Result<Name, String> {
    Name::new(text).map_err(|error| error.to_string())
}

/// Makes the offer; unless told otherwise, waits for the guest and goes on to the board.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let setup = setup(args)?;
    let mut player = Player::open_or_create(folder)?;
    let name = own_name(&mut player, args.name.as_ref())?;
    let settings = OfferSettings {
        variant: args.variant,
        setup,
        color: args.color.into(),
        time: args.time,
        name,
        guest: guest(&player, args.guest.as_deref())?,
    };
    runtime::run(async move {
        let config = runtime::node_config(&player.home, &args.listen)?;
        let with_relays = !config.settings.relays.is_empty();
        let carrier = Carrier::open(&player.home, player.key.clone(), config).await?;
        if with_relays {
            await_reservation(&carrier, &player.home).await?;
        }
        let mut whereabouts = whereabouts(&carrier, &player.home).await?;
        if args.no_addresses {
            whereabouts.addresses.clear();
        }
        if matches!(carrier, Carrier::Other(_)) && !args.listen.is_empty() {
            return Err(listens_already().into());
        }
        let offer = player.store.create_offer(&settings, fresh_salt()?, unix_ms())?;
        let invite = invite(whereabouts, &offer);
        tell_invite(args, &offer, &settings, &invite, out)?;
        if args.no_wait {
            carrier.close().await;
            return Ok(Exit::Done);
        }
        wait_and_play(player, carrier, offer, args.json, out).await
    })
}

/// Only the node that listens knows the addresses that belong into an invite.
fn elsewhere() -> Problem {
    Problem::new(Kind::Refused, "another chakart is running in this home, and an invite needs its addresses")
        .hint("leave it, or keep a 'chakart daemon', which tells its addresses; then make the invite")
}

fn listens_already() -> Problem {
    Problem::new(Kind::Usage, "the daemon of this home listens already, so --listen has no effect")
        .hint("leave --listen out, or give it to 'chakart daemon'")
}

fn setup(args: &Args) -> Result<Setup, Failure> {
    let setup = args.setup.unwrap_or_else(|| usual_setup(args.variant));
    if args.variant.allows(setup) {
        return Ok(setup);
    }
    Err(Failure::usage(format!("{} does not know the set-up {setup}", args.variant)))
}

/// The set-up of games for which nobody names one: asymmetric, or what the rules allow.
pub(crate) fn usual_setup(variant: Variant) -> Setup {
    Setup::ALL.into_iter().rev().find(|&setup| variant.allows(setup)).unwrap_or_default()
}

/// Who alone may join: a friend by name, or a key.
///
/// # Errors
/// [`Failure`]: nobody is called so, or it is this player.
pub(crate) fn guest(player: &Player, named: Option<&str>) -> Result<Option<PublicKey>, Failure> {
    let guest = named.map(|named| player.named(named)).transpose()?;
    if guest == Some(player.key.public()) {
        return Err(Failure::usage("this is your own key: name the guest's"));
    }
    Ok(guest)
}

/// What this player calls itself; a given name is kept for later.
///
/// # Errors
/// [`Failure`]
pub fn own_name(player: &mut Player, given: Option<&Name>) -> Result<Name, Failure> {
    if let Some(name) = given {
        player.store.set_player_name(name.as_str())?;
        return Ok(name.clone());
    }
    let kept = player.store.player_name()?.unwrap_or_default();
    Name::new(kept).map_err(|error| Problem::new(Kind::Storage, error.to_string()).into())
}

/// Randomness for one offer or accept.
///
/// # Errors
/// [`Kind::Identity`] if the system gives none.
pub fn fresh_salt() -> Result<Salt, Failure> {
    Salt::fresh().map_err(|error| Problem::new(Kind::Identity, format!("no randomness: {error}")).into())
}

/// How the node of a home can be reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Whereabouts {
    /// Multiaddrs at which it listens or was seen, without its name.
    pub addresses: Vec<String>,
    /// Relays that hold a reservation for it.
    pub relays: Vec<String>,
    /// Mailboxes that its settings name, with their keys.
    pub mailboxes: Vec<String>,
}

/// How the node of this home can be reached: the one of this process, or the daemon's.
///
/// # Errors
/// [`Kind::Refused`] if another command of this home runs the node: it tells its addresses to nobody.
pub async fn whereabouts(carrier: &Carrier, home: &Home) -> Result<Whereabouts, Failure> {
    match carrier {
        Carrier::Own { node, .. } => {
            let addresses = node.handle().listen_addresses().await?;
            let relays = node.handle().standing().await?.relays;
            Ok(Whereabouts { addresses, relays, mailboxes: mailboxes(home)? })
        }
        Carrier::Other(_) => {
            let known = daemon::whereabouts(home).ok_or_else(elsewhere)?;
            Ok(Whereabouts { mailboxes: mailboxes(home)?, ..known })
        }
    }
}

fn mailboxes(home: &Home) -> Result<Vec<String>, Failure> {
    Ok(Settings::of(home)?.mailboxes.iter().map(ToString::to_string).collect())
}

/// An invite names the relays that hold a reservation: a named one is waited for, also beside a daemon that has just
/// started.
async fn await_reservation(carrier: &Carrier, home: &Home) -> Result<(), Failure> {
    let end = Instant::now() + RESERVATION_PATIENCE;
    while whereabouts(carrier, home).await?.relays.is_empty() {
        if Instant::now() >= end {
            writeln!(
                std::io::stderr(),
                "No relay has answered: the invite names none. 'chakart net doctor' tells more."
            )?;
            break;
        }
        sleep(LOOK_EVERY).await;
    }
    Ok(())
}

/// The invite of an open offer, with the whereabouts of the node of this home.
#[must_use]
pub fn invite(whereabouts: Whereabouts, offer: &OwnOffer) -> String {
    let Whereabouts { mut addresses, relays, mailboxes } = whereabouts;
    // Link-local addresses need an interface that no address names.
    addresses.retain(|address| !address.starts_with("/ip6/fe80:"));
    // Addresses that work from elsewhere first: an invite has room for some only.
    addresses.sort_by_key(|address| {
        (address.contains("/127.0.0.1/") || address.contains("/ip6/::1/"), address.clone())
    });
    Invite { offer: offer.offer.clone(), addresses, relays, mailboxes, secret: offer.secret }.to_string()
}

fn tell_invite(
    args: &Args,
    offer: &OwnOffer,
    settings: &OfferSettings,
    invite: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if args.json.json {
        let object = json!({
            "offer": offer.name,
            "variant": settings.variant.info().name,
            "setup": settings.setup.name(),
            "time": settings.time.to_string(),
            "invite": invite,
        });
        json::write_line(out, &object)?;
    } else {
        let Args { variant, .. } = args;
        let time = show::offer::time(settings.time);
        writeln!(out, "{}: rules {variant}, set-up {}{time}\n", offer.name, settings.setup)?;
        write!(out, "{}", invite::text(invite))?;
        if args.no_wait {
            writeln!(out, "'chakart send {}' prints the offer for a mail or a stick.", offer.name)?;
        } else {
            writeln!(
                out,
                "Waiting for your friend. Ctrl-C leaves the offer open; 'cancel {}' closes it.",
                offer.name
            )?;
        }
    }
    Ok(out.flush()?)
}

/// Waits until the offer has become a game; then, in a terminal, goes on to its board.
///
/// # Errors
/// [`Failure`]
pub async fn wait_and_play(
    player: Player,
    mut carrier: Carrier,
    offer: OwnOffer,
    json: Json,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let accept = loop {
        match player.store.offer(offer.id)?.map(|offer| offer.state) {
            Some(OfferState::Taken(accept)) => break accept,
            Some(OfferState::Open) => {}
            _ => return Err(Problem::new(Kind::Refused, format!("{} is closed", offer.name)).into()),
        }
        if carrier.next_event().await.is_none() {
            return Err(Problem::new(Kind::Storage, "the node has stopped").into());
        }
    };
    let summary = player.store.game_of(accept)?.ok_or(chakart_node::store::StoreError::NoSuchGame)?;
    begun(player, carrier, summary.game, json, out).await
}

/// Tells of a game that has begun; in a terminal, goes on to its board.
///
/// # Errors
/// [`Failure`]
pub async fn begun(
    player: Player,
    mut carrier: Carrier,
    game: chakart_node::store::GameNo,
    json: Json,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let summary = player.store.game(game)?;
    if json.json {
        json::write_line(out, &crate::show::game::summary_object(&summary))?;
    } else {
        writeln!(out, "The game is called {}. Play it with: chakart play {}", summary.name, summary.name)?;
    }
    out.flush()?;
    if !json.json && std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return play::at_board(player, carrier, game, false, out).await;
    }
    // The guest must have the set-up before this node leaves.
    carrier.deliver(&player.store, game, super::deciding::DELIVERY_PATIENCE).await?;
    sleep(INTRODUCTION).await;
    carrier.close().await;
    Ok(Exit::Done)
}
