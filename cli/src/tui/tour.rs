//! The loop at lessons: the same board, over positions that are in no game.

use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind};

use super::look::Look;
use super::model::{Effect, Message, Model};
use super::run::Ended;
use super::screen::Console;
use crate::commands::position::request::not_listed;
use crate::desk::deed::Deed;
use crate::failure::Failure;
use crate::runtime::asked_to_stop;
use crate::show::escape::escaped;
use crate::show::odds;
use crate::tour::Tour;

const ONLY_IN_GAMES: &str = "there is nobody to hear that on the tour; it works in games";

/// Takes somebody on the tour, until the person leaves or its end.
///
/// # Errors
/// [`Failure`]: the terminal is gone.
pub(crate) async fn run(console: &mut Console, mut tour: Tour) -> Result<Ended, Failure> {
    let mut model = Model::new(console.size()?, Look::of_environment(), false);
    model.update(seat(&tour));
    let mut stop = std::pin::pin!(asked_to_stop());
    loop {
        console.draw(&model)?;
        let event = tokio::select! {
            event = console.event() => event,
            () = &mut stop => None,
        };
        let Some(event) = event else { return Ok(Ended::FromOutside) };
        if let Some(step) = step(&event, &model, &tour) {
            if !walk(&mut tour, step) {
                return Ok(Ended::ByPerson);
            }
            model = at_lesson(model, &tour);
            continue;
        }
        for effect in model.update(Message::Input(event)) {
            if effect == Effect::Quit {
                return Ok(Ended::ByPerson);
            }
            for message in carried_out(&mut tour, effect) {
                model.update(message);
            }
        }
    }
}

/// From one lesson to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Next,
    Back,
    Again,
}

/// What a key means between lessons; none: it is one for the board.
pub(super) fn step(event: &Event, model: &Model, tour: &Tour) -> Option<Step> {
    let Event::Key(key) = event else { return None };
    if key.kind == KeyEventKind::Release || !model.is_at_rest() {
        return None;
    }
    match key.code {
        KeyCode::Char('n') => Some(Step::Next),
        KeyCode::Char('p') => Some(Step::Back),
        KeyCode::Char('r') => Some(Step::Again),
        KeyCode::Enter if tour.is_done() => Some(Step::Next),
        _ => None,
    }
}

/// Goes there; whether the tour goes on.
pub(super) fn walk(tour: &mut Tour, step: Step) -> bool {
    match step {
        Step::Next => return tour.go_on(),
        Step::Back => tour.back(),
        Step::Again => tour.again(),
    }
    true
}

/// The board of the lesson at hand; window and look stay.
pub(super) fn at_lesson(model: Model, tour: &Tour) -> Model {
    let mut fresh = model.emptied();
    fresh.update(seat(tour));
    fresh
}

pub(super) fn seat(tour: &Tour) -> Message {
    Message::Seat(Box::new(tour.seat()))
}

/// What comes of what the board asks for.
pub(super) fn carried_out(tour: &mut Tour, effect: Effect) -> Vec<Message> {
    match effect {
        Effect::Do(Deed::Act(action)) => match tour.play(&action) {
            Ok(()) => vec![seat(tour)],
            Err(error) => vec![Message::Notice(escaped(&error.to_string()))],
        },
        // Lessons have few outcomes: they are counted at once.
        Effect::Odds(rules, action) => {
            let bars = odds::chart(&rules, &action).map_err(|error| escaped(&not_listed(&error).message));
            vec![Message::Odds(action, bars)]
        }
        Effect::Luck => vec![Message::Luck(Ok(vec!["Lessons are not counted.".to_owned()]))],
        _ => vec![Message::Notice(ONLY_IN_GAMES.to_owned())],
    }
}
