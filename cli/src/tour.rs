//! The tour: small positions, each with something to try and what there is to know about it.
//!
//! Lessons are data, in `assets/tour.json`. A lesson is over once its turn is, or the game: then only going on, going
//! back and trying again are left.

use chakart_core::board::Color;
use chakart_core::chance::{Chance, SeededChance};
use chakart_core::rules::{Action, Game, PlayError, Rules as _, Variant};
use chakart_core::transcript::replay::Ply;
use chakart_node::store::GameNo;
use serde::Deserialize;

use crate::desk::seat::{Purpose, Seat};

const LESSONS: &str = include_str!("../assets/tour.json");

/// Whose turn every lesson is.
const LEARNER: Color = Color::White;

/// A position with something to try. Its variant is the current edition.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// What it is about.
    pub title: String,
    fen: String,
    /// What the first choices of chance are, each below the number of its candidates; the others are random.
    #[serde(default)]
    draws: Vec<u32>,
    /// What is proposed, sub-move by sub-move.
    suggested: Vec<String>,
    /// What is told before anything is played, a paragraph each.
    before: Vec<String>,
    /// What is told once the turn is over.
    after: Vec<String>,
}

/// All lessons, in their order.
#[must_use]
pub fn lessons() -> Vec<Lesson> {
    serde_json::from_str(LESSONS).expect("the lessons in the program are read by its tests")
}

/// Somebody on the tour.
#[derive(Clone, Debug)]
pub struct Tour {
    lessons: Vec<Lesson>,
    at: usize,
    /// Where chance comes from; another number for each try.
    seed: [u8; 32],
    tries: u32,
    stage: Stage,
}

/// A lesson that is being tried.
#[derive(Clone, Debug)]
struct Stage {
    game: Game,
    plies: Vec<Ply>,
    chance: Staged,
}

/// Choices that are set, and random ones after them.
#[derive(Clone, Debug)]
struct Staged {
    set: std::vec::IntoIter<u32>,
    random: SeededChance,
}

impl Chance for Staged {
    fn choose(&mut self, candidates: u32) -> Option<u32> {
        let set = self.set.next().filter(|choice| *choice < candidates);
        Some(set.unwrap_or_else(|| self.random.uniform(candidates)))
    }
}

impl Stage {
    fn new(lesson: &Lesson, seed: [u8; 32]) -> Self {
        let game = Game::from_fen(Variant::Chakart, &lesson.fen).expect("lessons have valid positions");
        let chance = Staged { set: lesson.draws.clone().into_iter(), random: SeededChance::new(seed) };
        Self { game, plies: Vec::new(), chance }
    }
}

impl Tour {
    /// The first lesson, with chance from a seed.
    #[must_use]
    pub fn new(seed: [u8; 32]) -> Self {
        let lessons = lessons();
        let stage = Stage::new(&lessons[0], seed);
        Self { lessons, at: 0, seed, tries: 0, stage }
    }

    /// The lesson at hand.
    #[must_use]
    pub fn lesson(&self) -> &Lesson {
        &self.lessons[self.at]
    }

    /// Which lesson of how many this is, and its title.
    #[must_use]
    pub fn title(&self) -> String {
        format!("Tour, {} of {}: {}", self.at + 1, self.lessons.len(), self.lesson().title)
    }

    /// The public state.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.stage.game
    }

    /// What has been played in this lesson.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.stage.plies
    }

    /// Whether the turn, or the game, is over.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.game().turn() != LEARNER || self.game().outcome().is_some()
    }

    /// Whether no lesson follows.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.at + 1 == self.lessons.len()
    }

    /// What is to be told now, a paragraph each.
    #[must_use]
    pub fn words(&self) -> &[String] {
        if self.is_done() { &self.lesson().after } else { &self.lesson().before }
    }

    /// What may be tried now, as the lesson proposes, if that is legal.
    #[must_use]
    pub fn suggestion(&self) -> Option<Action> {
        let text = self.lesson().suggested.get(self.stage.plies.len())?;
        self.game().read_action(text).ok().filter(|_| !self.is_done())
    }

    /// The board as a board shows it.
    #[must_use]
    pub fn seat(&self) -> Seat {
        let view = self.game().view(Some(LEARNER), None);
        let state = Some((self.game().clone(), view));
        let mut seat = Seat::new(GameNo(0), state, self.stage.plies.clone(), Some(LEARNER));
        if self.is_done() {
            seat.legal.clear();
        }
        Seat {
            title: self.title(),
            standing: if self.is_done() { "n goes on to the next lesson" } else { "try it" }.to_owned(),
            purpose: Purpose::Lesson(self.words().to_vec()),
            ..seat
        }
    }

    /// Plays an action.
    ///
    /// # Errors
    /// [`PlayError`]: it is not legal.
    pub fn play(&mut self, action: &Action) -> Result<(), PlayError> {
        let Stage { game, plies, chance } = &mut self.stage;
        let played = game.play(action, chance)?;
        let ply = Ply::unlogged(game.clone(), *action, played);
        *game = ply.after.clone();
        plies.push(ply);
        Ok(())
    }

    /// Goes on to the next lesson; whether there was one.
    pub fn go_on(&mut self) -> bool {
        let goes = !self.is_last();
        if goes {
            self.go_to(self.at + 1);
        }
        goes
    }

    /// Goes back to the lesson before; the first one begins again.
    pub fn back(&mut self) {
        self.go_to(self.at.saturating_sub(1));
    }

    /// Begins the lesson again, with other chance.
    pub fn again(&mut self) {
        self.go_to(self.at);
    }

    fn go_to(&mut self, at: usize) {
        self.at = at;
        self.tries += 1;
        let mut seed = self.seed;
        for (byte, try_byte) in seed.iter_mut().zip(self.tries.to_le_bytes()) {
            *byte ^= try_byte;
        }
        self.stage = Stage::new(self.lesson(), seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every lesson proposes can be played, and takes the lesson to its end.
    #[test]
    fn every_lesson_can_be_done_as_it_proposes() {
        for seed in 0..40 {
            let mut tour = Tour::new([seed; 32]);
            loop {
                assert!(tour.suggestion().is_some() && !tour.is_done(), "{}", tour.title());
                while let Some(action) = tour.suggestion() {
                    tour.play(&action).expect("legal");
                }
                // What an egg at random asks for cannot be known before.
                let open_ended = tour.lesson().title.starts_with("eggs");
                assert!(tour.is_done() || open_ended, "{}", tour.title());
                if !tour.go_on() {
                    break;
                }
            }
        }
    }

    #[test]
    fn set_draws_come_and_others_differ_from_try_to_try() {
        let mut tour = Tour::new([1; 32]);
        while !tour.lesson().title.starts_with("eggs") {
            assert!(tour.go_on());
        }
        let mut trails = std::collections::HashSet::new();
        for _ in 0..40 {
            let action = tour.suggestion().expect("the egg can be opened");
            tour.play(&action).expect("legal");
            trails.insert(tour.plies()[0].notation_played());
            tour.again();
            assert!(tour.plies().is_empty() && !tour.is_done());
        }
        assert!(trails.len() >= 6, "{trails:?}");
    }

    #[test]
    fn the_tour_ends_with_its_last_lesson_and_begins_with_its_first() {
        let mut tour = Tour::new([0; 32]);
        tour.back();
        assert!(tour.title().starts_with("Tour, 1 of "));
        let count = (0..100).take_while(|_| tour.go_on()).count();
        assert_eq!(count + 1, lessons().len());
        assert!(tour.is_last() && !tour.go_on());
    }
}
