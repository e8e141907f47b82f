//! The state of a board at which a person sits.

use std::io::{self, Write};

use chakart_core::board::{Bitboard, Color};
use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::session::Session;
use chakart_core::rules::{Action, Rules as _};
use chakart_core::scene;
use chakart_core::transcript::replay::Ply;
use chakart_node::carrier::Carrier;
use chakart_node::runtime::{NodeEvent, unix_ms};
use chakart_node::store::{GameNo, GameSummary};
use chakart_node::sync::engine::SyncEvent;

use super::typed::{HELP, Typed};
use crate::commands::deciding::{DELIVERY_PATIENCE, opponent_broke};
use crate::commands::moves::listed;
use crate::commands::position::request::{not_listed, unread};
use crate::failure::{Exit, Failure, Problem};
use crate::player::Player;
use crate::show::board::{self, Drawing};
use crate::show::escape::{escaped, quoted};
use crate::show::{chat, game, odds, path, plan};

/// Whether the board goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    Stay,
    Leave,
}

/// What a yes or no is awaited for.
enum Question {
    Chance(Action),
    Hold,
    Resign,
}

/// A board at which a person sits.
pub(super) struct Table {
    player: Player,
    game: GameNo,
    opponent: PublicKey,
    summary: GameSummary,
    session: Session,
    bottom: Color,
    yes: bool,
    terminal: bool,
    question: Option<Question>,
    /// From a pipe: an action that waits for its turn.
    waiting: Option<String>,
    input_ended: bool,
    /// Acts that were told, and whether the last was told with its result.
    told: (usize, bool),
    told_over: bool,
}

impl Table {
    pub(super) fn open(mut player: Player, game: GameNo, yes: bool, terminal: bool) -> Result<Self, Failure> {
        let summary = player.store.game(game)?;
        let session = player.store.session(game)?;
        Ok(Self {
            opponent: summary.opponent_key()?,
            bottom: summary.color.unwrap_or(Color::White),
            player,
            game,
            summary,
            session,
            yes,
            terminal,
            question: None,
            waiting: None,
            input_ended: false,
            told: (0, true),
            told_over: false,
        })
    }

    /// Title, path, board and standing.
    pub(super) async fn greet(&mut self, carrier: &Carrier, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}", game::title(&self.summary, &self.session))?;
        let store = &self.player.store;
        writeln!(out, "{}", path::of(carrier, store, &self.opponent).await?)?;
        if self.terminal {
            writeln!(out, "'help' tells what can be typed.")?;
        }
        let plies = game::plies(&self.session);
        let arrivals = self.player.store.arrivals(self.game)?;
        for line in game::last_turn(&plies).iter().flat_map(|ply| game::told(ply, &self.summary, &arrivals)) {
            writeln!(out, "{line}")?;
        }
        self.told = told_of(&plies);
        self.draw_board(out)?;
        self.settle(out)?;
        self.prompt(out)
    }

    /// From a pipe nothing is read while an action waits for its turn.
    pub(super) const fn wants_input(&self) -> bool {
        !self.input_ended && self.waiting.is_none()
    }

    pub(super) const fn input_ended(&mut self) -> Next {
        self.input_ended = true;
        if self.waiting.is_some() { Next::Stay } else { Next::Leave }
    }

    /// Does what was typed. What goes wrong is told, and the board stays.
    pub(super) fn typed(
        &mut self,
        line: &str,
        carrier: &Carrier,
        out: &mut dyn Write,
    ) -> Result<Next, Failure> {
        let done = match self.question.take() {
            Some(question) => self.answered(question, line, carrier, out),
            None => self.obey(Typed::read(line), carrier, out),
        };
        let next = self.tell_problem(done, out)?;
        if next == Next::Stay {
            self.prompt(out)?;
        }
        Ok(self.or_leave_when_over(next))
    }

    fn tell_problem(&mut self, done: Result<Next, Failure>, out: &mut dyn Write) -> Result<Next, Failure> {
        match done {
            Err(Failure::Problem(problem)) if problem.kind.exit() == Exit::No => {
                write!(out, "{problem}")?;
                Ok(Next::Stay)
            }
            other => other,
        }
    }

    fn obey(&mut self, typed: Typed, carrier: &Carrier, out: &mut dyn Write) -> Result<Next, Failure> {
        match typed {
            Typed::Nothing => {}
            Typed::Help => writeln!(out, "{HELP}")?,
            Typed::Quit => return Ok(Next::Leave),
            Typed::Show => self.draw_board(out)?,
            Typed::Flip => {
                self.bottom = !self.bottom;
                self.draw_board(out)?;
            }
            Typed::Moves(start) => self.list_moves(&start, out)?,
            Typed::Odds(text) => self.tell_odds(&text, out)?,
            Typed::Draw if self.session.is_draw_offered() => {
                self.player.store.accept_draw(self.game, unix_ms())?;
                self.signed(carrier, out)?;
            }
            Typed::Draw => self.intend_draw(true, out)?,
            Typed::DrawOff => self.intend_draw(false, out)?,
            Typed::Chat(text) => self.say(&text, carrier, out)?,
            Typed::Claim => self.claim(carrier, out)?,
            Typed::Resign => self.ask(Question::Resign, "Resign this game?", out)?,
            Typed::Action(text) if !self.terminal && self.must_wait() => self.waiting = Some(text),
            Typed::Action(text) => self.try_action(&text, carrier, out)?,
        }
        Ok(Next::Stay)
    }

    fn must_wait(&self) -> bool {
        !self.summary.finished && !self.session.is_my_turn()
    }

    fn list_moves(&self, start: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let Some(game) = self.session.game() else { return Ok(()) };
        let mut actions = if self.summary.finished { Vec::new() } else { game.legal_actions() };
        actions.retain(|action| action.to_string().starts_with(start));
        if actions.is_empty() {
            writeln!(out, "no legal action begins so")?;
        }
        Ok(write!(out, "{}", listed(game, &actions))?)
    }

    fn tell_odds(&self, text: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let Some(game) = self.session.game() else { return Ok(()) };
        let action = game.read_action(text).map_err(|error| unread(&error))?;
        match odds::lines(game, &action) {
            Ok(lines) => lines.iter().try_for_each(|line| writeln!(out, "{line}"))?,
            Err(error) => writeln!(out, "{}", not_listed(&error).message)?,
        }
        Ok(())
    }

    fn intend_draw(&mut self, intent: bool, out: &mut dyn Write) -> Result<(), Failure> {
        self.player.store.set_draw_intent(self.game, intent)?;
        self.reload()?;
        let words = if intent { "a draw" } else { "no draw" };
        Ok(writeln!(out, "Your next action offers {words}.")?)
    }

    fn try_action(&mut self, text: &str, carrier: &Carrier, out: &mut dyn Write) -> Result<(), Failure> {
        use chakart_core::protocol::session::CannotSign;
        let Some(game) = self.session.game() else { return Err(Problem::from(CannotSign::NotBegun).into()) };
        if !self.session.is_my_turn() {
            let refusal = if self.summary.finished { CannotSign::Over } else { CannotSign::NotYourTurn };
            return Err(Problem::from(refusal).into());
        }
        let action = game.read_action(text).map_err(|error| unread(&error))?;
        if !self.yes && game.reaches_choice(&action) {
            let question = format!(
                "{action} ({}) has chance in it and cannot be taken back. Play it?",
                game.notation(&action)
            );
            return self.ask(Question::Chance(action), &question, out);
        }
        self.act(action, carrier, out)
    }

    fn act(&mut self, action: Action, carrier: &Carrier, out: &mut dyn Write) -> Result<(), Failure> {
        self.player.store.act(self.game, action, false, unix_ms())?;
        self.signed(carrier, out)
    }

    fn ask(&mut self, question: Question, words: &str, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{words} [y/n]")?;
        self.question = Some(question);
        Ok(())
    }

    fn answered(
        &mut self,
        question: Question,
        line: &str,
        carrier: &Carrier,
        out: &mut dyn Write,
    ) -> Result<Next, Failure> {
        let yes = matches!(line.to_ascii_lowercase().as_str(), "y" | "yes");
        match (question, yes) {
            (_, false) => writeln!(out, "Not done.")?,
            (Question::Chance(action), true) => self.act(action, carrier, out)?,
            (Question::Hold, true) => {
                self.player.store.confirm(self.game, unix_ms())?;
                self.signed(carrier, out)?;
            }
            (Question::Resign, true) => {
                self.player.store.resign(self.game, unix_ms())?;
                self.signed(carrier, out)?;
            }
        }
        Ok(Next::Stay)
    }

    /// Something was signed and stored: let it be carried, and tell what is new.
    fn signed(&mut self, carrier: &Carrier, out: &mut dyn Write) -> Result<(), Failure> {
        carrier.wake();
        self.reload()?;
        self.tell_news(out)
    }

    /// Takes in what the node tells.
    pub(super) fn heard(
        &mut self,
        event: &NodeEvent,
        carrier: &Carrier,
        out: &mut dyn Write,
    ) -> Result<Next, Failure> {
        match event {
            NodeEvent::Game(SyncEvent::GameChanged { game, .. } | SyncEvent::Delivered { game, .. })
                if *game == self.game =>
            {
                self.refresh(carrier, out)?;
            }
            NodeEvent::Missed => self.refresh(carrier, out)?,
            NodeEvent::Game(
                SyncEvent::PeerBroke { game, reason, .. } | SyncEvent::Refused { game, reason, .. },
            ) if *game == self.game => {
                self.aside(&format!("an entry of the opponent was refused: {}", escaped(reason)), out)?;
                self.refresh(carrier, out)?;
            }
            NodeEvent::Game(SyncEvent::RefusedByPeer { game, reason, .. }) if *game == self.game => {
                self.aside(&format!("the opponent refused an entry: '{}'", escaped(reason)), out)?;
            }
            NodeEvent::Game(SyncEvent::Plan(report)) if report.game == self.game => {
                self.aside(&plan::told(report), out)?;
                self.refresh(carrier, out)?;
            }
            NodeEvent::Game(SyncEvent::Note { game }) if *game == self.game => self.tell_message(out)?,
            NodeEvent::Game(SyncEvent::OtherMachine { game, seq }) if *game == self.game => {
                self.aside(&game::other_machine(*seq), out)?;
            }
            NodeEvent::PeerConnected { peer, address } if *peer == self.opponent => {
                self.aside(&format!("{} is connected ({})", self.opponent_name(), path::kind(address)), out)?;
            }
            NodeEvent::PathChanged { peer, path } if *peer == self.opponent => {
                self.aside(&format!("{} is connected {}", self.opponent_name(), path::by(*path)), out)?;
            }
            NodeEvent::PeerDisconnected { peer } if *peer == self.opponent => {
                self.aside(&format!("{} is not connected any more", self.opponent_name()), out)?;
            }
            NodeEvent::StoreFailed { reason } => {
                self.aside(&format!("the store failed: {}", escaped(reason)), out)?
            }
            _ => {}
        }
        Ok(self.or_leave_when_over(Next::Stay))
    }

    /// The opponent's latest message.
    fn tell_message(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let notes = self.player.store.notes(self.game)?;
        match notes.iter().rfind(|note| !note.own) {
            Some(note) => self.aside(&chat::lines(note, &self.summary).join("\n"), out),
            None => Ok(()),
        }
    }

    fn say(&mut self, text: &str, carrier: &Carrier, out: &mut dyn Write) -> Result<(), Failure> {
        match chat::parse(text) {
            Ok(text) => drop(self.player.store.write_note(self.game, text, unix_ms())?),
            Err(problem) => write!(out, "{problem}")?,
        }
        carrier.wake();
        Ok(())
    }

    fn claim(&mut self, carrier: &Carrier, out: &mut dyn Write) -> Result<(), Failure> {
        self.player.store.claim(self.game, unix_ms())?;
        writeln!(out, "You claim that the opponent is out of time; the game goes on.")?;
        self.signed(carrier, out)
    }

    fn opponent_name(&self) -> String {
        quoted(&self.summary.opponent_name)
    }

    /// A line between whatever the person is typing.
    fn aside(&self, line: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let start = if self.terminal { "\n" } else { "" };
        writeln!(out, "{start}{line}")?;
        self.prompt(out)
    }

    fn refresh(&mut self, carrier: &Carrier, out: &mut dyn Write) -> Result<(), Failure> {
        let delivered_before = self.summary.delivery.complete;
        let told_before = self.told;
        self.reload()?;
        let plies = game::plies(&self.session);
        let news = told_before != told_of(&plies);
        let over = self.summary.finished && !self.told_over;
        if news || over {
            if self.terminal {
                writeln!(out)?;
            }
            self.tell_news(out)?;
        } else if self.summary.delivery.complete && !delivered_before {
            return self.aside("(delivered)", out);
        } else {
            return self.play_waiting(carrier, out);
        }
        self.prompt(out)?;
        self.play_waiting(carrier, out)
    }

    /// From a pipe: plays the action that has waited for its turn.
    fn play_waiting(&mut self, carrier: &Carrier, out: &mut dyn Write) -> Result<(), Failure> {
        if self.must_wait() || self.question.is_some() {
            return Ok(());
        }
        let Some(text) = self.waiting.take() else { return Ok(()) };
        let done = self.try_action(&text, carrier, out).map(|()| Next::Stay);
        self.tell_problem(done, out)?;
        Ok(())
    }

    fn reload(&mut self) -> Result<(), Failure> {
        self.summary = self.player.store.game(self.game)?;
        self.session = self.player.store.session(self.game)?;
        if self.told.0 == 0 {
            self.bottom = self.summary.color.unwrap_or(self.bottom);
        }
        Ok(())
    }

    /// Tells the acts that were not told yet, and draws the board if somebody is to decide on it.
    fn tell_news(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let plies = game::plies(&self.session);
        let (count, complete) = self.told;
        let first = if complete { count } else { count.saturating_sub(1) };
        let arrivals = self.player.store.arrivals(self.game)?;
        for line in plies.iter().skip(first).flat_map(|ply| game::told(ply, &self.summary, &arrivals)) {
            writeln!(out, "{line}")?;
        }
        self.told = told_of(&plies);
        // While a reveal is awaited, and after an end off the board, the board is as it was.
        if self.told.1 && self.told != (count, complete) {
            self.draw_board(out)?;
        }
        self.settle(out)
    }

    /// How the game stands; asks for the person's word where something is held back.
    fn settle(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}", game::standing(&self.session))?;
        if let Some(line) = game::unproven(&self.session) {
            writeln!(out, "{line}")?;
        }
        self.told_over = self.summary.finished;
        match self.session.hold(unix_ms()) {
            Some(hold) if !self.summary.finished => {
                self.ask(Question::Hold, &format!("Held back: {hold}. Is that all right?"), out)
            }
            _ => Ok(()),
        }
    }

    fn draw_board(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Some(view) = self.session.view() else { return Ok(()) };
        let plies = game::plies(&self.session);
        let marked = plies.last().map_or(Bitboard::EMPTY, scene::marked);
        write!(out, "{}", board::picture(&view, Drawing { bottom: self.bottom, marked }))?;
        Ok(())
    }

    fn prompt(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.terminal && !self.summary.finished {
            let turn = if self.session.is_my_turn() { "your turn" } else { "waiting" };
            let asked = if self.question.is_some() { " y/n" } else { "" };
            write!(out, "{} ({turn}){asked}> ", self.summary.name)?;
        }
        Ok(out.flush()?)
    }

    /// Whether the game is over and its player, who is not at a terminal, has been told.
    pub(super) const fn is_over(&self) -> bool {
        self.summary.finished && self.told_over && !self.terminal
    }

    fn or_leave_when_over(&self, next: Next) -> Next {
        let over = self.summary.finished && self.told_over && self.summary.delivery.complete;
        let ended = self.input_ended && self.waiting.is_none();
        if over || ended { Next::Leave } else { next }
    }

    /// Waits until the opponent has what was signed here, as long as that may take.
    pub(super) async fn leave(mut self, mut carrier: Carrier, out: &mut dyn Write) -> Result<Exit, Failure> {
        carrier.deliver(&self.player.store, self.game, DELIVERY_PATIENCE).await?;
        let told_over = self.told_over;
        self.reload()?;
        if self.summary.finished && !told_over {
            self.tell_news(out)?;
        }
        writeln!(out, "{}", game::delivery(&self.summary))?;
        if self.summary.finished {
            writeln!(
                out,
                "'chakart export {}' writes a transcript that anybody can verify.",
                self.summary.name
            )?;
        }
        carrier.close().await;
        io::Write::flush(out)?;
        Ok(if opponent_broke(&self.session) { Exit::PeerBroke } else { Exit::Done })
    }
}

/// How many acts there are, and whether the last has its result.
fn told_of(plies: &[Ply]) -> (usize, bool) {
    (plies.len(), plies.last().is_none_or(|ply| ply.events.is_some()))
}
