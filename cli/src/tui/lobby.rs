//! The list of games, those first in which it is this player's turn; and what begins here: an offer, a game by an invite, a
//! practice game, the tour.

use chakart_core::board::Color;
use chakart_core::protocol::entry::{MAX_NAME_BYTES, Name};
use chakart_core::protocol::log::Log;
use chakart_core::rules::Variant;
use chakart_core::transcript::invite::{Invite, MAX_INVITE_BYTES};
use chakart_node::store::GameNo;
use ratatui::crossterm::event::KeyCode;

use super::question::Question;
use crate::commands::games::{List, state, time_left};
use crate::machine::Level;
use crate::show::escape::escaped;
use crate::show::{key, offer, stamp};

/// Longest invite that can be typed, in bytes of text.
const MAX_TYPED_BYTES: usize = 2 * MAX_INVITE_BYTES;

/// What a row of the list stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A game.
    Game(GameNo),
    /// An offer to this player that waits for its answer.
    Invite,
    /// An own offer that waits for a guest.
    Offer,
}

/// A row of the list. All texts are escaped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What it stands for.
    pub what: What,
    /// Its name.
    pub name: String,
    /// Whose turn it is.
    pub state: String,
    /// Against whom, by which rules, the time left.
    pub words: String,
    /// The last event and how far it has got.
    pub detail: String,
    /// Whether this player is to decide.
    pub mine: bool,
}

/// The list and the row at hand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lobby {
    pub(super) rows: Vec<Row>,
    pub(super) at: usize,
    /// What is asked before something begins.
    pub(super) question: Option<Question<Start>>,
    /// What is being typed or pasted.
    pub(super) typed: Option<Typed>,
}

/// A line that is being typed in the lobby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    /// An invite: graphic ASCII alone.
    Invite(String),
    /// What the player wants to be called.
    Name(String),
}

impl Typed {
    /// Takes what fits of a text and may be a part of it.
    fn push(&mut self, added: &str) {
        let (text, most, fits): (_, _, fn(char) -> bool) = match self {
            Self::Invite(text) => (text, MAX_TYPED_BYTES, |letter| letter.is_ascii_graphic()),
            Self::Name(text) => (text, MAX_NAME_BYTES, |letter| !letter.is_control()),
        };
        for letter in added.chars().filter(|letter| fits(*letter)) {
            if text.len() + letter.len_utf8() <= most {
                text.push(letter);
            }
        }
    }

    fn pop(&mut self) -> Option<char> {
        match self {
            Self::Invite(text) | Self::Name(text) => text.pop(),
        }
    }
}

/// What begins with an answer in the lobby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Start {
    /// A game against the machine.
    Practice(Level),
    /// An offer, with the usual settings of these rules.
    Offer(Variant),
    /// The game of an invite that waits, by its name.
    Accept(String),
    /// The game of an invite that was typed.
    Join(Box<Invite>),
    /// Nothing.
    Nothing,
}

/// What the lobby asks of what is around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LobbyWish {
    /// A game is opened.
    Open(GameNo),
    /// The invite of an open offer is shown.
    ShowInvite(String),
    /// Something begins.
    Begin(Start),
    /// The player is to be called so from now on.
    CallMe(Name),
    /// The person is told something, escaped.
    Tell(String),
    TakeTour,
    ShowHelp,
    ShowRules,
    ShowLuck,
    ChangeSkin,
    Quit,
}

/// The rows of a list, as of `now_ms` of Unix time.
pub(crate) fn rows(list: &List, now_ms: u64) -> Vec<Row> {
    let games = list.games.iter().map(|game| Row {
        what: What::Game(game.game),
        name: game.name.clone(),
        state: state(game),
        words: format!(
            "{} against {}, {}, turn {}{}",
            game.color.map_or("no colour yet", |color| if color == Color::White { "White" } else { "Black" }),
            list.opponent(game),
            game.variant,
            game.turns / 2 + 1,
            time_left(game, now_ms),
        ),
        detail: list.second_line(game),
        mine: game.is_my_turn(),
    });
    let invites = list.invites.iter().map(|invite| Row {
        what: What::Invite,
        name: invite.name.clone(),
        state: "invited".to_owned(),
        words: list.invite_words(invite),
        detail: "Enter accepts it".to_owned(),
        mine: false,
    });
    let offers = list.offers.iter().map(|offer| Row {
        what: What::Offer,
        name: offer.name.clone(),
        state: "open offer".to_owned(),
        words: format!("offered {}", stamp::utc(offer.created_ms)),
        detail: "waits for a guest; Enter shows the invite again".to_owned(),
        mine: false,
    });
    games.chain(invites).chain(offers).collect()
}

impl Lobby {
    /// A list with its first row at hand.
    #[must_use]
    pub const fn new(rows: Vec<Row>) -> Self {
        Self { rows, at: 0, question: None, typed: None }
    }

    /// Takes the list as it is now; the row at hand stays the same one.
    pub(super) fn take(&mut self, rows: Vec<Row>) {
        let name = self.rows.get(self.at).map(|row| row.name.clone());
        self.at = rows.iter().position(|row| Some(&row.name) == name.as_ref()).unwrap_or_default();
        self.rows = rows;
    }

    /// A key.
    pub(super) fn key(&mut self, key: KeyCode) -> Option<LobbyWish> {
        if self.typed.is_some() {
            return self.typing(key);
        }
        if self.question.is_some() {
            return self.answering(key);
        }
        match key {
            KeyCode::Enter | KeyCode::Char(' ') => return self.open(),
            KeyCode::Char('q') | KeyCode::Esc => return Some(LobbyWish::Quit),
            KeyCode::Char('?') => return Some(LobbyWish::ShowHelp),
            KeyCode::Char('R') => return Some(LobbyWish::ShowRules),
            KeyCode::Char('L') => return Some(LobbyWish::ShowLuck),
            KeyCode::Char('s') => return Some(LobbyWish::ChangeSkin),
            KeyCode::Char('t') => return Some(LobbyWish::TakeTour),
            KeyCode::Char('p') => self.question = Some(which_level()),
            KeyCode::Char('n') => self.question = Some(which_rules()),
            KeyCode::Char('i') => self.typed = Some(Typed::Invite(String::new())),
            KeyCode::Char('c') => self.typed = Some(Typed::Name(String::new())),
            _ => self.go(key),
        }
        None
    }

    fn go(&mut self, key: KeyCode) {
        let last = self.rows.len().saturating_sub(1);
        self.at = match key {
            KeyCode::Up | KeyCode::Char('k') => self.at.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => (self.at + 1).min(last),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => self.at,
        };
    }

    /// Text from the clipboard: an invite, unless a name is being typed.
    pub(super) fn paste(&mut self, text: &str) {
        self.question = None;
        self.typed.get_or_insert_with(|| Typed::Invite(String::new())).push(text);
    }

    fn typing(&mut self, key: KeyCode) -> Option<LobbyWish> {
        let typed = self.typed.as_mut()?;
        match key {
            KeyCode::Char(letter) => typed.push(letter.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace if typed.pop().is_none() => self.typed = None,
            KeyCode::Esc => self.typed = None,
            KeyCode::Enter => {
                return match self.typed.take()? {
                    Typed::Invite(text) => self.read_invite(&text),
                    Typed::Name(text) => Some(read_name(&text)),
                };
            }
            _ => {}
        }
        None
    }

    /// Asks whether the game of the typed invite is wanted.
    fn read_invite(&mut self, text: &str) -> Option<LobbyWish> {
        if text.is_empty() {
            return None;
        }
        let read = text.parse::<Invite>().map_err(|error| error.to_string());
        let offered = read.and_then(|invite| {
            Log::open(&invite.offer).map(|log| (invite, log)).map_err(|error| error.to_string())
        });
        match offered {
            Ok((invite, log)) => {
                let fingerprint = key::fingerprint(&log.offer().host_key);
                let words = vec![
                    offer::words(&log),
                    format!("The fingerprint of the host's key: {fingerprint}"),
                    "Is that who you think it is, and do you want to play?".to_owned(),
                ];
                let join = ("play", Start::Join(Box::new(invite)));
                self.question = Some(Question::sure(words, join, Start::Nothing));
                None
            }
            Err(problem) => {
                let words = format!("{}; an invite begins with 'chakart:'", escaped(&problem));
                Some(LobbyWish::Tell(words))
            }
        }
    }

    fn answering(&mut self, key: KeyCode) -> Option<LobbyWish> {
        let question = self.question.as_mut()?;
        match key {
            KeyCode::Up => question.step(-1),
            KeyCode::Down => question.step(1),
            KeyCode::Enter => {
                let at = question.at;
                return self.answer(at);
            }
            KeyCode::Esc => self.question = None,
            KeyCode::Char(key) => {
                let at = question.by_key(key)?;
                return self.answer(at);
            }
            _ => {}
        }
        None
    }

    /// Gives an answer.
    pub(super) fn answer(&mut self, at: usize) -> Option<LobbyWish> {
        match self.question.take()?.answered(at)? {
            Start::Nothing => None,
            start => Some(LobbyWish::Begin(start)),
        }
    }

    /// Opens the row at hand.
    pub(super) fn open(&mut self) -> Option<LobbyWish> {
        let row = self.rows.get(self.at)?;
        match row.what {
            What::Game(game) => Some(LobbyWish::Open(game)),
            What::Offer => Some(LobbyWish::ShowInvite(row.name.clone())),
            What::Invite => {
                let words = vec![format!("{}: {}", row.name, row.words), "Accept it?".to_owned()];
                let accept = ("accept it", Start::Accept(row.name.clone()));
                self.question = Some(Question::sure(words, accept, Start::Nothing));
                None
            }
        }
    }
}

fn read_name(text: &str) -> LobbyWish {
    match Name::new(text.trim()) {
        Ok(name) => LobbyWish::CallMe(name),
        Err(error) => LobbyWish::Tell(escaped(&error.to_string())),
    }
}

fn which_level() -> Question<Start> {
    let answers = [
        ("it plays anything", Level::Random),
        ("it counts men after its move", Level::Greedy),
        ("it also thinks of your best answer", Level::Expectimax),
    ];
    let answers = answers.map(|(words, level)| (words.to_owned(), Start::Practice(level)));
    Question::which(vec!["A practice game. How well shall the machine play?".to_owned()], answers.into())
}

fn which_rules() -> Question<Start> {
    let answers = Variant::ALL.map(|variant| {
        let info = variant.info();
        (format!("{}: {}", info.name, info.summary), Start::Offer(variant))
    });
    let words = vec![
        "An invite for a friend. Which rules?".to_owned(),
        "'chakart new --help' tells of colours, clocks and guests by name.".to_owned(),
    ];
    Question::which(words, answers.into())
}
