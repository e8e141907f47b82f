//! What `move`, `resign`, `draw` and `confirm` have in common: sign, store, try to deliver, say what came of it.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use chakart_core::protocol::judgement::Standing;
use chakart_core::protocol::session::{CannotSign, Session};
use chakart_core::rules::{Action, Game, ReadActionError, Rules as _};
use chakart_node::carrier::{Carrier, Delivered};
use chakart_node::runtime::{NodeConfig, unix_ms};
use chakart_node::store::{GameNo, GameSummary, Waiting};
use serde_json::json;

use super::position::request::unread;
use crate::args::Json;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::player::Player;
use crate::runtime;
use crate::show::{escape::escaped, game, json, path};

/// How long a command waits for the opponent to take what was signed.
pub const DELIVERY_PATIENCE: Duration = Duration::from_secs(10);
/// How long it waits for a reveal that the opponent's program owes.
const REVEAL_PATIENCE: Duration = Duration::from_secs(5);

/// Delivers what was signed in a game and tells how it stands.
///
/// # Errors
/// [`Failure`]; that the opponent is not reached is none: what is signed is stored.
pub fn deliver_and_tell(
    player: &mut Player,
    summary: &GameSummary,
    json: Json,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let game = summary.game;
    let carried = runtime::run(async { deliver(player, game).await })?;
    let summary = player.store.game(game)?;
    let session = player.store.session(game)?;
    if json.json {
        let mut object = game::object(&summary, &session, &player.store.arrivals(game)?);
        if let Some(members) = object.as_object_mut() {
            members.insert("unreached".to_owned(), json!(carried.unreached()));
        }
        json::write_line(out, &object)?;
    } else {
        tell(&summary, &session, &carried, out)?;
    }
    Ok(if opponent_broke(&session) { Exit::PeerBroke } else { Exit::Done })
}

fn tell(
    summary: &GameSummary,
    session: &Session,
    carried: &Carried,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // What was signed just now is no news of a late arrival.
    for line in game::last_turn(&game::plies(session)).iter().flat_map(|ply| game::told(ply, summary, &[])) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}", game::standing(session))?;
    writeln!(out, "{}", game::delivery(summary))?;
    match carried {
        Carried::Unreached(reason) if !summary.delivery.complete => {
            writeln!(out, "signed and stored; {}", escaped(reason))?;
            writeln!(out, "'chakart send {}' prints it for a mail or a stick", summary.name)?;
        }
        Carried::ToMailbox => writeln!(out, "{}", path::IN_MAILBOX)?,
        Carried::Unreached(_) | Carried::ToOpponent => {}
    }
    Ok(())
}

/// How far what was signed was carried.
enum Carried {
    ToOpponent,
    ToMailbox,
    /// Nowhere; why the opponent was not reached.
    Unreached(String),
}

impl Carried {
    fn unreached(&self) -> Option<&str> {
        match self {
            Self::Unreached(reason) => Some(reason),
            Self::ToOpponent | Self::ToMailbox => None,
        }
    }
}

/// Whether the opponent is proven to have broken the protocol.
#[must_use]
pub fn opponent_broke(session: &Session) -> bool {
    match session.judgement().standing {
        Standing::Convicted { loser } => loser != session.me(),
        Standing::BothConvicted => true,
        _ => false,
    }
}

async fn deliver(player: &mut Player, game: GameNo) -> Result<Carried, Failure> {
    let config = NodeConfig { redial: false, ..runtime::node_config(&player.home, &[])? };
    let mut carrier = Carrier::open(&player.home, player.key.clone(), config).await?;
    let delivered = carrier.deliver(&player.store, game, DELIVERY_PATIENCE).await?;
    if matches!(delivered, Delivered::Complete) {
        await_reveal(&mut carrier, player, game).await?;
    }
    carrier.close().await;
    if matches!(delivered, Delivered::InMailbox) {
        return Ok(Carried::ToMailbox);
    }
    Ok(path::undelivered(delivered).map_or(Carried::ToOpponent, Carried::Unreached))
}

/// Waits a little for the chance that the opponent's program reveals by itself.
async fn await_reveal(carrier: &mut Carrier, player: &mut Player, game: GameNo) -> Result<(), Failure> {
    let end = tokio::time::Instant::now() + REVEAL_PATIENCE;
    while game::waiting(&player.store.game(game)?) == "their reveal" {
        if !matches!(tokio::time::timeout_at(end, carrier.next_event()).await, Ok(Some(_))) {
            break;
        }
    }
    Ok(())
}

/// The position in which the next action is chosen, by whomever.
///
/// # Errors
/// [`Problem`]: there is none, because the game has not begun, is over, or waits for a reveal.
pub fn position<'a>(session: &'a Session, summary: &GameSummary) -> Result<&'a Game, Problem> {
    let game = session.game().ok_or(CannotSign::NotBegun)?;
    if summary.finished {
        return Err(CannotSign::Over.into());
    }
    match summary.waiting {
        Waiting::Reveal(owes) => Err(unrevealed(summary, owes == summary.me)),
        _ => Ok(game),
    }
}

fn unrevealed(summary: &GameSummary, by_me: bool) -> Problem {
    let name = &summary.name;
    if by_me {
        Problem::new(Kind::NotYourTurn, "your reveal for the opponent's action is held back")
            .hint(format!("'confirm {name}' lets it go"))
    } else {
        Problem::new(Kind::NotYourTurn, "your last action waits for a reveal by the opponent's program")
            .hint("'sync' fetches the reveal, or 'receive' takes it from a mail")
    }
}

/// Reads an action as a person types it.
///
/// # Errors
/// [`Problem`]: it is no legal action, or fits several.
pub fn read_action(game: &Game, summary: &GameSummary, text: &str) -> Result<Action, Problem> {
    game.read_action(text).map_err(|error| match &error {
        ReadActionError::Illegal(_) => {
            unread(&error).hint(format!("'moves {}' lists what is legal", summary.name))
        }
        _ => unread(&error),
    })
}

/// Asks before an action with chance in it is signed: there is no taking back.
///
/// # Errors
/// [`Failure`]: the person says no, or nobody can be asked.
pub fn confirm_chance(
    session: &Session,
    action: &Action,
    yes: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Some(game) = session.game().filter(|game| !yes && game.reaches_choice(action)) else { return Ok(()) };
    if !std::io::stdin().is_terminal() {
        return Err(Problem::new(
            Kind::Refused,
            format!("{action} has chance in it, and there is no terminal to ask on"),
        )
        .hint("'odds GAME ACTION' tells what may come of it; --yes plays it")
        .into());
    }
    write!(
        out,
        "{action} ({}) has chance in it and cannot be taken back. Play it? [y/n] ",
        game.notation(action)
    )?;
    out.flush()?;
    let mut typed = String::new();
    std::io::stdin().read_line(&mut typed)?;
    match typed.trim() {
        "y" | "yes" => Ok(()),
        _ => Err(Problem::new(Kind::Refused, "not played").into()),
    }
}

/// Signs an action.
///
/// # Errors
/// [`Failure`]
pub fn act(player: &mut Player, game: GameNo, action: Action) -> Result<(), Failure> {
    Ok(player.store.act(game, action, false, unix_ms())?)
}
