//! The loop at games: waits for keys, news and counted odds, lets the model take them in, carries out what it asks for, draws.

mod desk;

use std::collections::VecDeque;
use std::io::Write;
use std::time::Duration;

use chakart_node::carrier::Carrier;
use chakart_node::store::GameNo;
use ratatui::crossterm::event::Event;
use tokio::sync::mpsc;

pub(crate) use self::desk::Desk;
use self::desk::told_of;
use super::look::Look;
use super::model::{Effect, Message, Model};
use super::screen::Console;
use super::tour;
use crate::commands::practice;
use crate::commands::tour::fresh_seed;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::machine::Level;
use crate::player::Player;
use crate::runtime;
use crate::tour::Tour;

/// How often times left are read again.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// Counts of odds that may be waiting.
const MAX_COUNTS: usize = 4;

/// Where somebody sits down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In the list of games.
    Lobby,
    /// At a game; the list of games is behind it.
    Game(GameNo),
    /// At a game against the machine, which is alone in its home.
    Practice(GameNo),
}

/// Why a board in a terminal was left for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// The person left it.
    ByPerson,
    /// The program is asked to stop, or the terminal is gone.
    FromOutside,
}

/// Why a board is left.
enum Left {
    ForGood(Ended),
    /// For a while: for a practice game.
    ToPractise(Level),
    /// For a while: for the tour.
    ToTour,
}

/// Sits at the terminal board until the person leaves. `unasked`: actions with chance in them are played without being
/// confirmed.
///
/// # Errors
/// [`Failure`]
pub async fn run(
    player: Player,
    carrier: Carrier,
    place: Place,
    unasked: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut console = Console::open()?;
    let sat = sit(&mut console, player, carrier, place, unasked).await;
    drop(console);
    sat?.0.leave(out).await
}

/// The same in a terminal that was taken before; what is left is the desk, to be closed.
///
/// # Errors
/// [`Failure`]
pub(crate) async fn sit(
    console: &mut Console,
    player: Player,
    carrier: Carrier,
    place: Place,
    unasked: bool,
) -> Result<(Desk, Ended), Failure> {
    let (counted, mut counts) = mpsc::channel(MAX_COUNTS);
    let mut desk = Desk::new(player, carrier, matches!(place, Place::Practice(_)), counted);
    let mut model = Model::new(console.size()?, Look::of_environment(), unasked);
    model.update(desk.games()?);
    if let Place::Game(game) | Place::Practice(game) = place {
        model.update(desk.open(game).await?);
    }
    loop {
        let ended = match attend(&mut desk, &mut model, console, &mut counts).await? {
            Left::ForGood(ended) => return Ok((desk, ended)),
            // Both sit at boards of their own, in this terminal.
            Left::ToTour => tour::run(console, Tour::new(fresh_seed()?)).await,
            Left::ToPractise(level) => Box::pin(practice::within(level, console)).await,
        };
        match ended {
            Ok(Ended::ByPerson) => {}
            Ok(Ended::FromOutside) => return Ok((desk, Ended::FromOutside)),
            Err(failure) => drop(model.update(Message::Notice(told_of(failure)?))),
        }
        // The window may have changed meanwhile.
        let size = console.size()?;
        model.update(Message::Input(Event::Resize(size.width, size.height)));
        for message in desk.look().await? {
            model.update(message);
        }
    }
}

async fn attend(
    desk: &mut Desk,
    model: &mut Model,
    console: &mut Console,
    counts: &mut mpsc::Receiver<Message>,
) -> Result<Left, Failure> {
    let mut clock = tokio::time::interval(LOOK_EVERY);
    let mut stop = std::pin::pin!(runtime::asked_to_stop());
    loop {
        console.draw(model)?;
        let messages = tokio::select! {
            event = console.event() => match event {
                Some(event) => read_ahead(event, console),
                None => return Ok(Left::ForGood(Ended::FromOutside)),
            },
            event = desk.next_event() => match event {
                Some(event) => desk.heard(&event).await?,
                None => return Err(Problem::new(Kind::Storage, "the node has stopped").into()),
            },
            Some(count) = counts.recv() => vec![count],
            _ = clock.tick() => desk.look().await?,
            () = &mut stop => return Ok(Left::ForGood(Ended::FromOutside)),
        };
        let mut waiting = VecDeque::from(messages);
        while let Some(message) = waiting.pop_front() {
            for effect in model.update(message) {
                match effect {
                    Effect::Quit => return Ok(Left::ForGood(Ended::ByPerson)),
                    Effect::Practise(level) => return Ok(Left::ToPractise(level)),
                    Effect::TakeTour => return Ok(Left::ToTour),
                    effect => waiting.extend(desk.carry_out(effect).await?),
                }
            }
        }
    }
}

/// An event with those that wait behind it: a held key is drawn once.
fn read_ahead(event: Event, console: &mut Console) -> Vec<Message> {
    let mut messages = vec![Message::Input(event)];
    messages.extend(std::iter::from_fn(|| console.event_at_once()).map(Message::Input));
    messages
}
