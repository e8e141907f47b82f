//! `daemon`: keeps the node of a home up and tells what happens, line by line.

mod card;
mod on_turn;

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use chakart_core::protocol::entry::EntryId;
use chakart_node::home::{Home, HomeError};
use chakart_node::identity;
use chakart_node::runtime::{HelperRole, Node, NodeConfig, NodeError, NodeEvent, Standing, unix_ms};
use chakart_node::store::{GameNo, GameSummary};
use chakart_node::sync::engine::SyncEvent;

use self::card::Card;
use super::new::Whereabouts;
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::runtime::{asked_to_stop, node_config, run_to_end};
use crate::show::escape::escaped;
use crate::show::{chat, game, path, plan, stamp};

/// Arguments of `daemon`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "All other commands work with and without a daemon. COMMAND is run by the shell with the game, the \
    opponent and the board on its standard input; nothing of the opponent is in its arguments or environment. SIGTERM and \
    Ctrl-C stop the daemon cleanly."
)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Run this when it becomes your turn, and at the start for each game in which it is
    #[arg(long, value_name = "COMMAND")]
    on_turn: Option<String>,
    /// Where to listen, as for 'new'; may be given several times [default: as last time]
    #[arg(long, value_name = "ADDR")]
    listen: Vec<String>,
}

#[derive(Clone, Copy, Debug, clap::Subcommand)]
enum Verb {
    /// Tell whether a daemon is running, since when, and whom it has reached; exit code 1 if none is
    Status {
        #[command(flatten)]
        json: Json,
    },
}

/// Keeps the node up until told to stop; or tells of the daemon that does.
///
/// # Errors
/// [`Failure`]
pub fn run(args: Args, folder: Option<PathBuf>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let player = Player::open(folder)?;
    match args.verb {
        Some(Verb::Status { json }) => card::status(&player.home, json, out),
        None => keep(player, Keep { listen: args.listen, on_turn: args.on_turn, helper: None }, out),
    }
}

/// How a node is kept up.
pub(super) struct Keep {
    pub(super) listen: Vec<String>,
    pub(super) on_turn: Option<String>,
    pub(super) helper: Option<HelperRole>,
}

/// Keeps the node of a home up until told to stop.
///
/// # Errors
/// [`Failure`]
pub(super) fn keep(player: Player, keep: Keep, out: &mut dyn Write) -> Result<Exit, Failure> {
    run_to_end(async { Daemon::start(player, keep).await?.stay(out).await })
}

/// How the daemon of a home stands in the network; `None` if no daemon has it.
pub(super) fn standing(home: &Home) -> Option<Standing> {
    card::standing(home)
}

/// How the daemon of a home that is in use can be reached; `None` if no daemon has it.
pub(crate) fn whereabouts(home: &Home) -> Option<Whereabouts> {
    card::whereabouts(home)
}

struct Daemon {
    player: Player,
    node: Node,
    card: Card,
    on_turn: Option<String>,
    /// Whether others name this node's addresses with its key.
    helps: bool,
    /// The last entry of each game of which it was told that it is this player's turn.
    told: HashMap<GameNo, EntryId>,
}

impl Daemon {
    async fn start(player: Player, keep: Keep) -> Result<Self, Failure> {
        let helps = keep.helper.is_some();
        let config = node_config(&player.home, &keep.listen)?;
        let config = NodeConfig { helper: keep.helper, metrics: config.settings.metrics, ..config };
        let node = match Node::start(&player.home, player.key.clone(), config).await {
            Err(NodeError::Home(HomeError::Running { .. })) => {
                return Err(Problem::new(Kind::Refused, "another chakart is running in this home")
                    .hint("'daemon status' tells whether it is a daemon")
                    .into());
            }
            started => started?,
        };
        let card = Card::new(&player.home);
        Ok(Self { player, node, card, on_turn: keep.on_turn, helps, told: HashMap::new() })
    }

    async fn stay(mut self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let mut events = self.node.handle().events();
        // Whoever hears where it listens may ask for its status.
        self.card.write(&self.node).await?;
        for address in self.node.handle().listen_addresses().await? {
            let key = if self.helps {
                format!("/p2p/{}", identity::network_name(&self.player.key.public()))
            } else {
                String::new()
            };
            tell(out, &format!("listening on {address}{key}"))?;
        }
        for summary in self.player.store.games()?.into_iter().filter(|game| game.is_my_turn()) {
            tell(out, &format!("{}: your turn", summary.name))?;
            self.told.insert(summary.game, summary.head);
            self.call_to_turn(&summary)?;
        }
        let mut stop = std::pin::pin!(asked_to_stop());
        loop {
            let event = tokio::select! {
                () = &mut stop => break,
                event = events.next() => event,
            };
            let Some(event) = event else { break };
            self.heard(&event, out)?;
            if changes_card(&event) {
                self.card.write(&self.node).await?;
            }
        }
        tell(out, "stopped")?;
        self.node.stop().await;
        self.card.remove();
        Ok(Exit::Done)
    }

    fn heard(&mut self, event: &NodeEvent, out: &mut dyn Write) -> Result<(), Failure> {
        match event {
            NodeEvent::Game(event) => self.heard_of_game(event, out),
            NodeEvent::PeerConnected { peer, address } => {
                tell(out, &format!("{} is connected ({})", self.player.called(peer)?, path::kind(address)))
            }
            NodeEvent::PathChanged { peer, path } => {
                tell(out, &format!("{} is connected {}", self.player.called(peer)?, path::by(*path)))
            }
            NodeEvent::PeerDisconnected { peer } => {
                tell(out, &format!("{} is not connected any more", self.player.called(peer)?))
            }
            NodeEvent::AddressesChanged | NodeEvent::MailboxesChanged => Ok(()),
            NodeEvent::SecondNode { address } => {
                tell(out, &format!("another machine has your key ({}): use one only", path::kind(address)))
            }
            NodeEvent::StoreFailed { reason } => tell(out, &format!("the store failed: {}", escaped(reason))),
            NodeEvent::Missed => {
                let games: Vec<GameNo> = self.player.store.games()?.iter().map(|game| game.game).collect();
                games.into_iter().try_for_each(|game| self.changed(game, out))
            }
        }
    }

    fn heard_of_game(&mut self, event: &SyncEvent, out: &mut dyn Write) -> Result<(), Failure> {
        let (game, line) = match event {
            SyncEvent::GameChanged { game, .. } => return self.changed(*game, out),
            SyncEvent::Invite { name, .. } => {
                return tell(out, &format!("{name}: an offer; 'chakart join {name}' accepts it"));
            }
            SyncEvent::Delivered { game, .. } => (game, "delivered".to_owned()),
            SyncEvent::Refused { game, seq, reason } => {
                (game, format!("entry {seq} of the opponent was refused: {}", escaped(reason)))
            }
            SyncEvent::PeerBroke { game, seq, reason } => {
                (game, format!("the opponent broke the protocol at entry {seq}: {}", escaped(reason)))
            }
            SyncEvent::RefusedByPeer { game, seq, reason } => {
                (game, format!("the opponent refused entry {seq}: '{}'", escaped(reason)))
            }
            SyncEvent::OtherMachine { game, seq } => (game, game::other_machine(*seq)),
            SyncEvent::Plan(report) => (&report.game, plan::told(report)),
            SyncEvent::Note { game } => (game, self.message(*game)?),
        };
        tell(out, &format!("{}: {line}", self.player.store.game(*game)?.name))
    }

    /// Tells what came of a change, and once for each entry that it is this player's turn.
    fn changed(&mut self, game: GameNo, out: &mut dyn Write) -> Result<(), Failure> {
        let Ok(summary) = self.player.store.game(game) else { return Ok(()) };
        if self.told.insert(game, summary.head) == Some(summary.head) {
            return Ok(());
        }
        let session = self.player.store.session(game)?;
        let line = format!("{}; {}", escaped(&summary.last_event), game::standing(&session));
        tell(out, &format!("{}: {line}", summary.name))?;
        if let Some(hold) = session.hold(unix_ms()).filter(|_| !summary.finished) {
            tell(out, &format!("{0}: held back: {hold}; 'chakart confirm {0}' lets it go on", summary.name))?;
        }
        if summary.is_my_turn() && session.log().head().author != session.me() {
            if std::io::stdout().is_terminal() {
                write!(out, "\x07")?;
                out.flush()?;
            }
            self.call_to_turn(&summary)?;
        }
        Ok(())
    }

    fn call_to_turn(&mut self, summary: &GameSummary) -> Result<(), Failure> {
        if let Some(command) = &self.on_turn {
            // Replayed only for whoever reads it: at the start there may be thousands.
            let session = self.player.store.session(summary.game)?;
            on_turn::start(command, on_turn::text(&self.player, summary, &session)?);
        }
        Ok(())
    }

    fn message(&self, game: GameNo) -> Result<String, Failure> {
        let summary = self.player.store.game(game)?;
        let notes = self.player.store.notes(game)?;
        let latest = notes.iter().rfind(|note| !note.own);
        Ok(latest.map_or_else(String::new, |note| chat::lines(note, &summary).join(" ")))
    }
}

const fn changes_card(event: &NodeEvent) -> bool {
    use NodeEvent::{AddressesChanged, MailboxesChanged, PathChanged, PeerConnected, PeerDisconnected};
    matches!(
        event,
        PeerConnected { .. }
            | PeerDisconnected { .. }
            | PathChanged { .. }
            | AddressesChanged
            | MailboxesChanged
    )
}

fn tell(out: &mut dyn Write, line: &str) -> Result<(), Failure> {
    writeln!(out, "{}  {line}", stamp::utc(unix_ms()))?;
    Ok(out.flush()?)
}
