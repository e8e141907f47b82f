//! Screens under snapshot, and what keys and clicks do.

mod hands;
mod screens;

use chakart_core::board::Color;
use chakart_core::chance::SeededChance;
use chakart_core::protocol::entry::Party;
use chakart_core::rules::{Game, Rules as _, Setup, Variant};
use chakart_core::transcript::replay::Ply;
use chakart_node::store::GameNo;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;

use super::look::{Look, Skin};
use super::model::{Effect, Message, Model};
use crate::desk::seat::Seat;

const COLOURED: Look = Look { skin: Skin::Glyphs, colour: true };

/// The acts of a game from its fixed start, with chance from a seed.
fn played(variant: Variant, texts: &[&str]) -> (Game, Vec<Ply>) {
    let mut chance = SeededChance::new([7; 32]);
    let game = Game::start(variant, Setup::Fixed, &mut chance);
    played_from(game, texts)
}

fn played_from(mut game: Game, texts: &[&str]) -> (Game, Vec<Ply>) {
    let mut chance = SeededChance::new([3; 32]);
    let mut plies = Vec::new();
    for text in texts {
        let action = game.read_action(text).expect(text);
        let done = game.play(&action, &mut chance).expect("legal, with chance");
        plies.push(Ply {
            seq: 0,
            reveal_seq: None,
            author: Party::Host,
            color: game.turn(),
            turn: game.ply() + 1,
            at_ms: 0,
            draw_offer: false,
            action,
            notation: game.notation(&action),
            opened: None,
            events: Some(done.events),
            before: game,
            after: done.next.clone(),
        });
        game = done.next;
    }
    (game, plies)
}

/// A seat at a game, with the words that surround it.
fn seat((game, plies): (Game, Vec<Ply>), me: Color) -> Seat {
    let view = game.view(Some(me), None);
    let mine = game.turn() == me;
    let variant = game.variant();
    let mut seat = Seat::new(GameNo(1), Some((game, view)), plies, Some(me));
    if !mine {
        seat.legal.clear();
    }
    Seat {
        name: "bob-1".to_owned(),
        title: format!("bob-1: you ({me}) against 'Bob', rules {variant}, set-up fixed"),
        opponent: "'Bob'".to_owned(),
        standing: if mine { "your turn" } else { "the opponent's turn" }.to_owned(),
        path: "connected directly".to_owned(),
        delivery: "delivered".to_owned(),
        ..seat
    }
}

fn seat_at(variant: Variant, fen: &str) -> Seat {
    let game = Game::from_fen(variant, fen).expect("the FEN is valid");
    let me = game.turn();
    seat((game, Vec::new()), me)
}

fn at_board(seat: Seat) -> Model {
    let mut model = Model::new(Size::new(80, 24), COLOURED, false);
    model.update(Message::Seat(Box::new(seat)));
    model
}

fn press(model: &mut Model, key: KeyCode) -> Vec<Effect> {
    model.update(Message::Input(Event::Key(KeyEvent::new(key, KeyModifiers::NONE))))
}

/// Presses keys, one for each letter; `\n` is Enter.
fn type_in(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.chars()
        .flat_map(|key| press(model, if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) }))
        .collect()
}
