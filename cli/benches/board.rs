//! One redraw of the terminal board, with a long game beside it. The aim: at most 5 ms.

use chakart::desk::seat::Seat;
use chakart::tui::draw::draw;
use chakart::tui::look::{Look, Skin};
use chakart::tui::model::{Message, Model};
use chakart_core::board::Color;
use chakart_core::chance::SeededChance;
use chakart_core::rules::{Game, Rules as _, Setup, Variant};
use chakart_core::transcript::replay::Ply;
use chakart_node::store::GameNo;
use divan::Bencher;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;

/// Acts of the game beside the board, if it goes on for so long.
const ACTS: usize = 200;

fn main() {
    divan::main();
}

/// A game in which each player takes the action in the middle of its list.
fn seat() -> Seat {
    let mut chance = SeededChance::new([7; 32]);
    let mut game = Game::start(Variant::Chakart, Setup::Asymmetric, &mut chance);
    let mut plies = Vec::new();
    while plies.len() < ACTS {
        let legal = game.legal_actions();
        let Some(action) = legal.get(legal.len() / 2).copied() else { break };
        let Ok(done) = game.play(&action, &mut chance) else { break };
        let ply = Ply::unlogged(game, action, done);
        game = ply.after.clone();
        plies.push(ply);
    }
    let view = game.view(Some(Color::White), None);
    Seat::new(GameNo(1), Some((game, view)), plies, Some(Color::White))
}

#[divan::bench(args = [(80, 24), (100, 30), (140, 45)])]
fn redraw(bencher: Bencher, (width, height): (u16, u16)) {
    let mut model = Model::new(Size::new(width, height), Look { skin: Skin::Glyphs, colour: true }, false);
    model.update(Message::Seat(Box::new(seat())));
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a backend in memory");
    bencher.bench_local(|| terminal.draw(|frame| draw(frame, &model)).map(|frame| frame.count));
}
