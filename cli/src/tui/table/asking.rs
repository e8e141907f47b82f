//! What is asked before something is signed.

use chakart_core::board::{Role, Square};
use chakart_core::rules::{Action, Occupant, Rules as _, Turn, action_words};
use chakart_core::view::View;
use ratatui::crossterm::event::KeyCode;

use super::{Table, Wish};
use crate::desk::deed::Deed;
use crate::desk::seat::Purpose;
use crate::tui::keys::begins_action;
use crate::tui::pointing;
use crate::tui::question::{Question, Then};

impl Table {
    /// Asks what the game waits for without a choice on the board.
    pub(super) fn ask_what_is_due(&mut self) {
        if let Some(hold) = self.seat.hold.as_ref().filter(|_| !self.hold_was_asked) {
            let words = vec![format!("Held back: {hold}."), "Is that all right?".to_owned()];
            self.question = Some(Question::sure(words, ("yes, go on", Then::Do(Deed::Confirm)), Then::Back));
            self.hold_was_asked = true;
        } else if self.seat.legal == [Action::Pass] {
            let words = vec!["No action is legal.".to_owned()];
            self.question =
                Some(Question::which(words, vec![("pass".to_owned(), Then::Choose(Action::Pass))]));
        }
    }

    /// Goes on with the actions that fit what was pointed at or typed.
    pub(super) fn narrow(&mut self, fits: Vec<Action>) -> Vec<Wish> {
        // Who points at one man may not know that another one goes with it.
        if let [action] = fits[..]
            && !matches!(action, Action::Turn(Turn { trail: Some(_), .. }))
        {
            return self.choose(action);
        }
        self.ask_which(&fits)
    }

    /// Asks in words which of some actions is meant.
    pub(super) fn ask_which(&mut self, fits: &[Action]) -> Vec<Wish> {
        let Some((_, view)) = &self.seat.state else { return Vec::new() };
        let answers = fits.iter().map(|action| (action_words(&view.board, action), Then::Choose(*action)));
        let words = if fits.len() == 1 { "Is it this?" } else { "Which of these?" };
        self.question = Some(Question::which(vec![words.to_owned()], answers.collect()));
        Vec::new()
    }

    /// An action is chosen: asks for its standing answer, if it may carry one.
    pub(super) fn choose(&mut self, action: Action) -> Vec<Wish> {
        let answered = self.seat.rules().map(|rules| rules.standing_answers(&action)).unwrap_or_default();
        if answered.is_empty() {
            return self.complete(action);
        }
        let mut answers = vec![("a queen, as usual".to_owned(), Then::Complete(action))];
        for action in answered {
            if let Some(role) = answer_of(&action).filter(|role| *role != Role::Queen) {
                answers.push((format!("a {role}"), Then::Complete(action)));
            }
        }
        let words = vec!["If the pawn is carried on to the last rank, it becomes".to_owned()];
        self.question = Some(Question::which(words, answers));
        Vec::new()
    }

    /// An action is chosen with its answer: asks for confirmation where chance comes in.
    fn complete(&mut self, action: Action) -> Vec<Wish> {
        let Some((rules, view)) = &self.seat.state else { return Vec::new() };
        if self.unasked || !rules.reaches_choice(&action) {
            return self.sign(Deed::Act(action));
        }
        let words = vec![
            format!("{} ({})", capitalised(&action_words(&view.board, &action)), rules.notation(&action)),
            "Chance decides a part of it, and it cannot be taken back.".to_owned(),
        ];
        self.question = Some(Question::sure(words, ("play it", Then::Do(Deed::Act(action))), Then::Back));
        Vec::new()
    }

    fn sign(&mut self, deed: Deed) -> Vec<Wish> {
        self.question = None;
        self.from = None;
        vec![Wish::Do(deed)]
    }

    /// Asks whether something that is no action is really wanted.
    pub(super) fn ask_sure(&mut self, words: &str, yes: &str, deed: Deed) {
        self.question = Some(Question::sure(vec![words.to_owned()], (yes, Then::Do(deed)), Then::Back));
    }

    /// Goes back to the list of games; what is not among them is left for good, and that is asked first.
    pub(super) fn leave(&mut self) -> Vec<Wish> {
        match self.seat.purpose {
            Purpose::Game => vec![Wish::Lobby],
            Purpose::Practice if !self.seat.finished => {
                let words = vec!["Leave this practice game? Nothing of it is kept.".to_owned()];
                self.question = Some(Question::sure(words, ("leave it", Then::Leave), Then::Back));
                Vec::new()
            }
            Purpose::Practice | Purpose::Lesson(_) => vec![Wish::Quit],
        }
    }

    /// A key while something is asked.
    pub(super) fn answering(&mut self, key: KeyCode) -> Vec<Wish> {
        let Some(question) = &mut self.question else { return Vec::new() };
        match key {
            KeyCode::Up => question.step(-1),
            KeyCode::Down => question.step(1),
            KeyCode::Enter => {
                let at = question.at;
                return self.answer(at);
            }
            KeyCode::Esc => self.question = None,
            KeyCode::Char('o') => return vec![self.odds_in_mind()],
            KeyCode::Char('s') => return vec![Wish::ChangeSkin],
            KeyCode::Char('R') => return vec![Wish::ShowRules],
            KeyCode::Char('?') => return vec![Wish::ShowHelp],
            KeyCode::Char(key) => {
                if let Some(at) = question.by_key(key) {
                    return self.answer(at);
                }
                self.type_instead(key);
            }
            _ => {}
        }
        Vec::new()
    }

    /// Who begins to type an action or a command has another one in mind: its digits must answer nothing.
    fn type_instead(&mut self, key: char) {
        if key == ':' || key == 'f' || begins_action(key) {
            self.question = None;
            self.typed = Some(if key == ':' { String::new() } else { key.to_string() });
        }
    }

    /// Gives an answer.
    pub(in crate::tui) fn answer(&mut self, at: usize) -> Vec<Wish> {
        match self.question.take().and_then(|question| question.answered(at)) {
            Some(Then::Choose(action)) => self.choose(action),
            Some(Then::Complete(action)) => self.complete(action),
            Some(Then::Do(deed)) => self.sign(deed),
            Some(Then::Leave) => vec![Wish::Quit],
            Some(Then::Back) | None => Vec::new(),
        }
    }

    /// The odds of the action that the person has in mind.
    pub(super) fn odds_in_mind(&self) -> Wish {
        let pointed = || {
            let color = self.seat.rules()?.turn();
            let point = pointing::Point::On(self.cursor);
            match self.from {
                Some(from) => pointing::between(&self.seat.legal, color, from, point).first().copied(),
                None => pointing::at_once(&self.seat.legal, color, self.cursor).first().copied(),
            }
        };
        match self.question.as_ref().and_then(Question::action).or_else(pointed) {
            Some(action) => Wish::Odds(action),
            None => Wish::Tell(
                "take a man and go to a marked square, then press o; or type ':odds ACTION'".to_owned(),
            ),
        }
    }

    /// What is to be decided, in words, while nothing else is asked; a paragraph each.
    pub(in crate::tui) fn to_decide(&self) -> Vec<String> {
        let Some((rules, view)) = self.seat.state.as_ref().filter(|_| self.chooses()) else {
            return self.after_the_end();
        };
        let choice = match self.from {
            Some(from) => {
                let man = man_words(view, from);
                let off = if self.may_leave() { ", or x: off the board" } else { "" };
                format!("Where does {man} on {from} go? To a marked square{off}.")
            }
            None => {
                view.pending.clone().unwrap_or_else(|| format!("You are {}: choose an action.", rules.turn()))
            }
        };
        let draw = self.seat.draw_offered.then(|| "A draw is offered: ':draw' accepts it.".to_owned());
        // A lesson says itself what to do.
        let lesson = if self.from.is_none() { self.seat.purpose.lesson() } else { &[] };
        let choice = (lesson.is_empty() || self.is_in_turn()).then_some(choice);
        choice.into_iter().chain(lesson.iter().cloned()).chain(draw).chain(self.intended()).collect()
    }

    fn intended(&self) -> Option<String> {
        self.seat
            .draw_intent
            .then(|| "Your next action offers a draw; ':draw off' takes that back.".to_owned())
    }

    /// Whether something has been played in this turn, so that an egg asks for more.
    fn is_in_turn(&self) -> bool {
        self.view().is_some_and(|view| view.pending.is_some())
    }

    fn after_the_end(&self) -> Vec<String> {
        let name = &self.seat.name;
        match &self.seat.purpose {
            Purpose::Lesson(words) => words.clone(),
            _ if !self.seat.finished => self.intended().into_iter().collect(),
            Purpose::Practice => vec![
                "The game is over, and q leaves it. 'chakart practice --output FILE' keeps a transcript of the next one."
                    .to_owned(),
            ],
            Purpose::Game => vec![format!(
                "The game is over. ':rematch' offers another one; 'chakart export {name}' writes a transcript that anybody \
                 can verify."
            )],
        }
    }
}

/// What stands on a square, as everybody sees it.
fn man_words(view: &View, square: Square) -> String {
    match view.at(square) {
        Some(Occupant::Man(man)) => format!("the {}", man.role),
        _ => "the piece".to_owned(),
    }
}

fn answer_of(action: &Action) -> Option<Role> {
    match action {
        Action::Move { promotion, .. } | Action::Drop { promotion, .. } => *promotion,
        _ => None,
    }
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}
