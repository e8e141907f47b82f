//! Everything that the terminal board shows, and what keys, clicks and news do to it.

use chakart_core::protocol::entry::Name;
use chakart_core::rules::{Action, Game, Variant, action_words};
use chakart_core::transcript::invite::Invite;
use chakart_node::store::GameNo;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui::layout::Size;

use super::areas::Areas;
use super::draw::{lobby, pages, panel};
use super::lobby::{Lobby, LobbyWish, Row, Start};
use super::look::{Look, Skin};
use super::table::{Table, Wish};
use crate::desk::deed::Deed;
use crate::desk::seat::Seat;
use crate::machine::Level;
use crate::show::odds::Bar;

/// Acts or lines that a turn of the mouse wheel goes on.
const WHEEL: usize = 1;
/// Lines that a page key goes on.
const PAGE: usize = 10;

/// Everything that is shown.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) size: Size,
    pub(super) look: Look,
    pub(super) lobby: Lobby,
    pub(super) table: Option<Table>,
    pub(super) page: Option<Page>,
    /// First line of the page that is shown.
    pub(super) scroll: usize,
    pub(super) notice: Option<String>,
    unasked: bool,
}

/// A page over the board or beside it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Page {
    Help,
    Rules,
    Messages,
    /// The odds of an action; `bars` come a moment later.
    Odds {
        action: Action,
        title: String,
        bars: Option<Result<Vec<Bar>, String>>,
    },
    /// How lucky both sides were; the lines come a moment later.
    Luck(Option<Result<Vec<String>, String>>),
    /// An open offer with what its guest is sent.
    Invite(Box<Shown>),
}

/// An open offer as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The name of the offer.
    pub name: String,
    /// What is offered, escaped.
    pub words: String,
    /// What its guest is sent.
    pub invite: String,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum Message {
    /// A key, a click, another size of the window.
    Input(Event),
    /// The list of games.
    Games(Vec<Row>),
    /// How the open game stands.
    Seat(Box<Seat>),
    /// Something to be told, escaped.
    Notice(String),
    /// The odds that were asked for.
    Odds(Action, Result<Vec<Bar>, String>),
    /// The luck that was asked for, as lines.
    Luck(Result<Vec<String>, String>),
    /// An open offer.
    Offered(Box<Shown>),
    /// An open offer, by its name, has become a game.
    Taken(String, GameNo),
}

/// What is to be done about it.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Sign or note something in the open game.
    Do(Deed),
    /// Count the outcomes of an action.
    Odds(Box<Game>, Action),
    /// Count how lucky both sides were: in the open game, or in all.
    Luck,
    /// Open a game.
    Open(GameNo),
    /// Accept the invite of this name and open its game.
    Accept(String),
    /// Take an invite and open its game.
    Join(Box<Invite>),
    /// Call the player so in games to come.
    CallMe(Name),
    /// Offer a game by these rules.
    Offer(Variant),
    /// Show an open offer, by its name.
    ShowOffer(String),
    /// Play against the machine.
    Practise(Level),
    /// Take the tour.
    TakeTour,
    /// Close it.
    Close,
    /// Leave the program.
    Quit,
}

impl Model {
    /// A lobby. `unasked`: actions with chance in them are played without being confirmed.
    #[must_use]
    pub fn new(size: Size, look: Look, unasked: bool) -> Self {
        Self {
            size,
            look,
            lobby: Lobby::default(),
            table: None,
            page: None,
            scroll: 0,
            notice: None,
            unasked,
        }
    }

    /// The same window with nothing in it.
    pub(super) fn emptied(self) -> Self {
        Self::new(self.size, self.look, self.unasked)
    }

    /// Takes in what happens.
    pub fn update(&mut self, message: Message) -> Vec<Effect> {
        match message {
            Message::Input(event) => return self.input(&event),
            Message::Games(rows) => self.lobby.take(rows),
            Message::Seat(seat) => match &mut self.table {
                Some(table) if table.seat.game == seat.game => table.take(*seat),
                _ => self.table = Some(Table::new(*seat, self.unasked)),
            },
            Message::Notice(words) => self.notice = Some(words),
            Message::Odds(counted, found) => {
                if let Some(Page::Odds { action, bars, .. }) = &mut self.page
                    && *action == counted
                {
                    *bars = Some(found);
                }
            }
            Message::Luck(found) => {
                if let Some(Page::Luck(lines)) = &mut self.page {
                    *lines = Some(found);
                }
            }
            Message::Offered(shown) => self.open_page(Page::Invite(shown)),
            Message::Taken(name, game) => return self.taken(name, game),
        }
        Vec::new()
    }

    /// Who waits beside the invite goes on to the game; anybody else is told.
    fn taken(&mut self, name: String, game: GameNo) -> Vec<Effect> {
        if matches!(&self.page, Some(Page::Invite(shown)) if shown.name == name) {
            self.page = None;
            return vec![Effect::Open(game)];
        }
        self.notice = Some(format!("{name} has found its guest: the game is in the list"));
        Vec::new()
    }

    fn input(&mut self, event: &Event) -> Vec<Effect> {
        match event {
            Event::Resize(width, height) => self.size = Size::new(*width, *height),
            Event::Key(key) if key.kind != KeyEventKind::Release => return self.key(*key),
            Event::Paste(text) => self.paste(text),
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => return self.click(mouse.column, mouse.row),
                MouseEventKind::ScrollUp => self.wheel(true),
                MouseEventKind::ScrollDown => self.wheel(false),
                _ => {}
            },
            _ => {}
        }
        Vec::new()
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c' | 'd') => vec![Effect::Quit],
                _ => Vec::new(),
            };
        }
        self.notice = None;
        self.plain_key(key.code)
    }

    fn plain_key(&mut self, key: KeyCode) -> Vec<Effect> {
        if self.page.is_some() && self.turn_page(key) {
            return Vec::new();
        }
        match &mut self.table {
            Some(table) => {
                let wishes = table.key(key);
                self.grant(wishes)
            }
            None => self.lobby_key(key),
        }
    }

    /// Text from the clipboard: what the keys would type, without its line ends.
    fn paste(&mut self, text: &str) {
        self.notice = None;
        self.page = None;
        match &mut self.table {
            Some(table) => table.paste(text),
            None => self.lobby.paste(text),
        }
    }

    /// Whether a plain key means the board, and not a page, a question or a line.
    pub(super) fn is_at_rest(&self) -> bool {
        let table = self.table.as_ref();
        self.page.is_none() && table.is_some_and(|table| table.question.is_none() && table.typed.is_none())
    }

    /// A key while a page is open; whether it was one for the page.
    fn turn_page(&mut self, key: KeyCode) -> bool {
        let beside = matches!(self.page, Some(Page::Odds { .. }));
        match key {
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.scroll += 1,
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(PAGE),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll += PAGE,
            KeyCode::Home => self.scroll = 0,
            KeyCode::Esc => self.page = None,
            // The odds lie beside the board: every other key is for what was asked there.
            _ if beside => {
                self.page = None;
                return !matches!(key, KeyCode::Char('y' | 'n' | '1'..='9'));
            }
            _ => self.page = None,
        }
        self.scroll = self.scroll.min(pages::last_scroll(self));
        true
    }

    fn lobby_key(&mut self, key: KeyCode) -> Vec<Effect> {
        let wish = self.lobby.key(key);
        self.granted_in_lobby(wish)
    }

    fn granted_in_lobby(&mut self, wish: Option<LobbyWish>) -> Vec<Effect> {
        match wish {
            Some(LobbyWish::Open(game)) => return vec![Effect::Open(game)],
            Some(LobbyWish::ShowInvite(name)) => return vec![Effect::ShowOffer(name)],
            Some(LobbyWish::Begin(start)) => return begun(start),
            Some(LobbyWish::CallMe(name)) => return vec![Effect::CallMe(name)],
            Some(LobbyWish::TakeTour) => return vec![Effect::TakeTour],
            Some(LobbyWish::Quit) => return vec![Effect::Quit],
            Some(LobbyWish::ShowLuck) => return self.ask_luck(),
            Some(LobbyWish::Tell(words)) => self.notice = Some(words),
            Some(LobbyWish::ShowHelp) => self.open_page(Page::Help),
            Some(LobbyWish::ShowRules) => self.open_page(Page::Rules),
            Some(LobbyWish::ChangeSkin) => self.change_skin(),
            None => {}
        }
        Vec::new()
    }

    fn open_page(&mut self, page: Page) {
        self.page = Some(page);
        // The latest messages are at the end.
        self.scroll = match self.page {
            Some(Page::Messages) => pages::last_scroll(self),
            _ => 0,
        };
    }

    fn ask_luck(&mut self) -> Vec<Effect> {
        self.open_page(Page::Luck(None));
        vec![Effect::Luck]
    }

    fn change_skin(&mut self) {
        self.look.skin = match self.look.skin {
            Skin::Glyphs => Skin::Ascii,
            Skin::Ascii => Skin::Glyphs,
        };
    }

    fn grant(&mut self, wishes: Vec<Wish>) -> Vec<Effect> {
        wishes.into_iter().flat_map(|wish| self.granted(wish)).collect()
    }

    fn granted(&mut self, wish: Wish) -> Vec<Effect> {
        match wish {
            Wish::Do(deed) => return vec![Effect::Do(deed)],
            Wish::Quit => return vec![Effect::Quit],
            Wish::Odds(action) => return self.ask_odds(action).into_iter().collect(),
            Wish::ShowLuck => return self.ask_luck(),
            Wish::Lobby => {
                self.table = None;
                return vec![Effect::Close];
            }
            Wish::Tell(words) => self.notice = Some(words),
            Wish::ShowHelp => self.open_page(Page::Help),
            Wish::ShowRules => self.open_page(Page::Rules),
            Wish::ShowMessages => self.open_page(Page::Messages),
            Wish::ChangeSkin => self.change_skin(),
        }
        Vec::new()
    }

    fn ask_odds(&mut self, action: Action) -> Option<Effect> {
        let (rules, view) = self.table.as_ref()?.seat.state.as_ref()?;
        let title = action_words(&view.board, &action);
        let effect = Effect::Odds(Box::new(rules.clone()), action);
        self.open_page(Page::Odds { action, title, bars: None });
        Some(effect)
    }

    fn click(&mut self, column: u16, row: u16) -> Vec<Effect> {
        self.notice = None;
        if self.page.take().is_some() {
            return Vec::new();
        }
        let areas = Areas::new(self.size);
        let Some(table) = &mut self.table else {
            return self.click_lobby(&areas, row);
        };
        let wishes = if let Some(point) = areas.point_at(column, row, table.bottom) {
            table.click(point)
        } else {
            match panel::hit(table, self.look, areas.panel, column, row) {
                Some(panel::Hit::Answer(at)) => table.answer(at),
                Some(panel::Hit::Act(acts)) => {
                    table.show(acts);
                    Vec::new()
                }
                None => Vec::new(),
            }
        };
        self.grant(wishes)
    }

    fn click_lobby(&mut self, areas: &Areas, row: u16) -> Vec<Effect> {
        let wish = if self.lobby.question.is_some() {
            lobby::answer_at(self, areas, row).and_then(|at| self.lobby.answer(at))
        } else {
            let Some(at) = lobby::row_at(&self.lobby, areas, row) else { return Vec::new() };
            let again = self.lobby.at == at;
            self.lobby.at = at;
            if again { self.lobby.open() } else { None }
        };
        self.granted_in_lobby(wish)
    }

    fn wheel(&mut self, up: bool) {
        if self.page.is_some() {
            self.scroll = if up { self.scroll.saturating_sub(WHEEL) } else { self.scroll + WHEEL };
            self.scroll = self.scroll.min(pages::last_scroll(self));
            return;
        }
        match &mut self.table {
            Some(table) if up => table.look_back(WHEEL),
            Some(table) => table.look_on(WHEEL),
            None => drop(self.lobby.key(if up { KeyCode::Up } else { KeyCode::Down })),
        }
    }
}

fn begun(start: Start) -> Vec<Effect> {
    vec![match start {
        Start::Practice(level) => Effect::Practise(level),
        Start::Offer(variant) => Effect::Offer(variant),
        Start::Accept(name) => Effect::Accept(name),
        Start::Join(invite) => Effect::Join(invite),
        Start::Nothing => return Vec::new(),
    }]
}
