//! Screens under snapshot, and what keys and clicks do.

mod hands;
mod screens;

use chakart_core::board::Color;
use chakart_core::chance::SeededChance;
use chakart_core::protocol::entry::{ColorChoice, Name, TimeControl};
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::session::{OfferSettings, make_offer};
use chakart_core::rules::{Game, Rules as _, Setup, Variant};
use chakart_core::transcript::invite::Invite;
use chakart_core::transcript::replay::Ply;
use chakart_node::store::GameNo;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;

use super::look::{Look, Skin};
use super::model::{Effect, Message, Model};
use crate::desk::seat::{Purpose, Seat};

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
        let ply = Ply::unlogged(game, action, done);
        game = ply.after.clone();
        plies.push(ply);
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

/// An invite as it is sent.
fn invite() -> String {
    let player = SecretKey::from_seed(&[1; 32]);
    let settings = OfferSettings {
        variant: Variant::Chakart,
        setup: Setup::Asymmetric,
        color: ColorChoice::Random,
        time: TimeControl::None,
        name: Name::new("Alice").expect("short"),
        guest: None,
    };
    let offer = make_offer(&player, &settings, [2; 32], 1_772_384_700_000);
    let addresses = vec!["/ip4/203.0.113.7/tcp/4001".to_owned()];
    Invite { offer, addresses, relays: Vec::new(), mailboxes: Vec::new(), secret: [3; 16] }.to_string()
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
