//! What is asked before something is signed.

use chakart_core::rules::{Action, Game, Rules as _, Turn, action_words};
use ratatui::crossterm::event::KeyCode;

use super::{Table, Wish};
use crate::tui::deed::Deed;
use crate::tui::pointing;
use crate::tui::question::{Question, Then};

impl Table {
    /// Asks what the game waits for without a choice on the board.
    pub(super) fn ask_what_is_due(&mut self) {
        if let Some(hold) = self.seat.hold.as_ref().filter(|_| !self.hold_was_asked) {
            let words = vec![format!("Held back: {hold}."), "Is that all right?".to_owned()];
            self.question = Some(Question::sure(words, "yes, go on", Deed::Confirm));
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
        let Some((_, view)) = &self.seat.state else { return Vec::new() };
        let answers = fits.iter().map(|action| (action_words(&view.board, action), Then::Choose(*action)));
        let words = if fits.len() == 1 { "Two men go together:" } else { "Which of these?" };
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
            if let Some(role) = answer_of(&action).filter(|role| *role != chakart_core::board::Role::Queen) {
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
        self.question = Some(Question::sure(words, "play it", Deed::Act(action)));
        Vec::new()
    }

    fn sign(&mut self, deed: Deed) -> Vec<Wish> {
        self.question = None;
        self.from = None;
        vec![Wish::Do(deed)]
    }

    /// Asks whether something that is no action is really wanted.
    pub(super) fn ask_sure(&mut self, words: &str, yes: &str, deed: Deed) {
        self.question = Some(Question::sure(vec![words.to_owned()], yes, deed));
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
            KeyCode::Char('f') => self.bottom = !self.bottom,
            KeyCode::Char('s') => return vec![Wish::ChangeSkin],
            KeyCode::Char('R') => return vec![Wish::ShowRules],
            KeyCode::Char('?') => return vec![Wish::ShowHelp],
            KeyCode::Char(key) => {
                if let Some(at) = question.by_key(key) {
                    return self.answer(at);
                }
            }
            _ => {}
        }
        Vec::new()
    }

    /// Gives an answer.
    pub(in crate::tui) fn answer(&mut self, at: usize) -> Vec<Wish> {
        let Some(answer) = self.question.take().and_then(|question| question.answers.into_iter().nth(at))
        else {
            return Vec::new();
        };
        match answer.then {
            Then::Choose(action) => self.choose(action),
            Then::Complete(action) => self.complete(action),
            Then::Do(deed) => self.sign(deed),
            Then::Back => Vec::new(),
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

    /// What is to be decided, in words, while nothing else is asked.
    pub(in crate::tui) fn to_decide(&self) -> Option<String> {
        let (rules, view): (&Game, _) = self.seat.state.as_ref().map(|(rules, view)| (rules, view))?;
        if !self.chooses() {
            return None;
        }
        if let Some(from) = self.from {
            let man = action_words(&view.board, &Action::Unseen { from });
            let man = man.split(' ').next().unwrap_or_default().to_owned();
            let off = if self.may_leave() { ", or x: off the board" } else { "" };
            return Some(format!("Where does the {man} on {from} go? Marked squares{off}."));
        }
        view.pending.clone().or_else(|| Some(format!("You are {}: choose an action.", rules.turn())))
    }
}

fn answer_of(action: &Action) -> Option<chakart_core::board::Role> {
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
