//! `practice`: a game against the machine, by the same protocol and at the same board as with a friend.

mod opponent;

use std::io::Write;
use std::path::PathBuf;

use chakart_core::protocol::entry::{ColorChoice, Name, TimeControl};
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::session::OfferSettings;
use chakart_core::rules::Variant;
use chakart_core::transcript::export::Source;
use chakart_node::carrier::Carrier;
use chakart_node::home::Home;
use chakart_node::identity;
use chakart_node::runtime::{NodeConfig, unix_ms};
use chakart_node::store::{GameNo, OfferState, Store};
use tempfile::TempDir;
use tokio::time::timeout;

use self::opponent::Opponent;
use super::demo::STEP_PATIENCE;
use super::new::{fresh_salt, usual_setup};
use super::play::{self, is_screen};
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::machine::Level;
use crate::player::Player;
use crate::runtime;
use crate::show::files;
use crate::tui::run::{self, Desk, Ended, Place};
use crate::tui::screen::Console;

/// For this machine only.
const LISTEN: &str = "/ip4/127.0.0.1/tcp/0";

/// Arguments of `practice`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Two homes in a temporary folder, yours and the machine's, which are gone afterwards: nothing of it is \
    among your games. Level 1 plays anything, level 2 counts men after its action, level 3 also after your best answer. \
    The machine sees no more than a friend would, and makes chance together with you."
)]
pub struct Args {
    /// How well the machine plays
    #[arg(long, value_name = "1-3", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    level: u8,
    /// The rules, one of those of 'variants'
    #[arg(long, value_name = "VARIANT", default_value = "chakart")]
    variant: Variant,
    /// Your colour
    #[arg(long, value_enum, default_value = "random")]
    color: super::new::Color,
    /// Write the transcript here when you leave
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Do not ask before actions with chance in them
    #[arg(short, long)]
    yes: bool,
}

/// Plays against the machine.
///
/// # Errors
/// [`Failure`]
pub fn run(args: &Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    runtime::run(practise(args, out))
}

/// The same at a terminal that was taken before, with the usual rules and any colour.
///
/// # Errors
/// [`Failure`]
pub(crate) async fn within(level: Level, console: &mut Console) -> Result<Ended, Failure> {
    let mut practice = Practice::begin(Variant::Chakart, ColorChoice::Random, level).await?;
    let (desk, ended) = practice.sit(console, false).await?;
    desk.close().await;
    Ok(ended)
}

async fn practise(args: &Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut practice = Practice::begin(args.variant, args.color.into(), level(args.level)).await?;
    let exit = if is_screen() {
        let mut console = Console::open()?;
        let sat = practice.sit(&mut console, args.yes).await;
        drop(console);
        sat?.0.leave(out).await
    } else {
        let (player, carrier) = practice.seat()?;
        play::at_lines(player, carrier, practice.game, args.yes, out).await
    };
    if let Some(path) = &args.output {
        std::fs::write(path, practice.transcript()?).map_err(|error| files::failed(path, &error))?;
        writeln!(out, "{}", path.display())?;
    }
    exit
}

/// A game against the machine, which plays until this is dropped.
struct Practice {
    /// Both homes.
    _folder: TempDir,
    home: Home,
    key: SecretKey,
    game: GameNo,
    /// The player's side, until somebody sits down there.
    seat: Option<(Player, Carrier)>,
    machine: tokio::task::JoinHandle<Result<(), Failure>>,
}

impl Drop for Practice {
    fn drop(&mut self) {
        self.machine.abort();
    }
}

impl Practice {
    async fn begin(variant: Variant, color: ColorChoice, level: Level) -> Result<Self, Failure> {
        let folder = temporary_folder()?;
        let home = Home::open(folder.path().join("you"))?;
        let key = identity::create(&home)?;
        let mut player = Player::with(home.clone(), key.clone())?;
        let mut carrier = Carrier::open(&home, key.clone(), config()).await?;
        let machine = Home::open(folder.path().join("machine"))?;
        let opponent = Opponent::start(machine, level).await?;
        let game = begin(variant, color, &mut player, &mut carrier, &opponent).await?;
        let machine = tokio::spawn(opponent.play());
        Ok(Self { _folder: folder, home, key, game, seat: Some((player, carrier)), machine })
    }

    async fn sit(&mut self, console: &mut Console, unasked: bool) -> Result<(Desk, Ended), Failure> {
        let (player, carrier) = self.seat()?;
        run::sit(console, player, carrier, Place::Practice(self.game), unasked).await
    }

    fn seat(&mut self) -> Result<(Player, Carrier), Failure> {
        let taken = || Problem::new(Kind::Storage, "somebody sits at this practice game already");
        Ok(self.seat.take().ok_or_else(taken)?)
    }

    fn transcript(&self) -> Result<String, Failure> {
        let mut store = Store::open(&self.home.store_file(), self.key.clone())?;
        Ok(Source::of(&store.session(self.game)?).transcript())
    }
}

/// Removed when it is dropped.
fn temporary_folder() -> Result<TempDir, Failure> {
    let made = tempfile::Builder::new().prefix("chakart-practice-").tempdir();
    Ok(made.map_err(|error| Problem::new(Kind::Storage, format!("no temporary folder: {error}")))?)
}

fn config() -> NodeConfig {
    NodeConfig { listen: vec![LISTEN.to_owned()], ..NodeConfig::default() }
}

const fn level(number: u8) -> Level {
    match number {
        1 => Level::Random,
        2 => Level::Greedy,
        _ => Level::Expectimax,
    }
}

/// The player offers, the machine joins.
async fn begin(
    variant: Variant,
    color: ColorChoice,
    player: &mut Player,
    carrier: &mut Carrier,
    opponent: &Opponent,
) -> Result<GameNo, Failure> {
    let settings = OfferSettings {
        variant,
        setup: usual_setup(variant),
        color,
        time: TimeControl::None,
        name: Name::new("you").map_err(|error| Failure::usage(error.to_string()))?,
        guest: Some(opponent.player()),
    };
    let offer = player.store.create_offer(&settings, fresh_salt()?, unix_ms())?;
    let addresses = match carrier {
        Carrier::Own { node, .. } => node.handle().listen_addresses().await?,
        Carrier::Other(_) => Vec::new(),
    };
    opponent.join(&offer.offer, addresses).await?;
    let wait = async {
        loop {
            if let Some(OfferState::Taken(accept)) = player.store.offer(offer.id)?.map(|offer| offer.state)
                && let Some(game) = player.store.game_of(accept)?
            {
                return Ok(game.game);
            }
            if carrier.next_event().await.is_none() {
                return Err(Problem::new(Kind::Storage, "the node has stopped").into());
            }
        }
    };
    let too_slow = |_| Problem::new(Kind::Unreachable, "the machine does not come to terms in time");
    timeout(STEP_PATIENCE, wait).await.map_err(too_slow)?
}
