//! Every screen at three sizes in both skins, as text; colours are in the style of each cell beside it.

use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::luck::{Group, Sort};
use crate::show::odds;
use crate::tour::Tour;
use crate::tui::draw;
use crate::tui::lobby::{Row, What};
use crate::tui::model::Shown;
use crate::tui::tour;

const SIZES: [Size; 3] = [Size::new(80, 24), Size::new(100, 30), Size::new(140, 45)];
const ACTS: [&str; 8] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1e2", "f6e4"];

/// A middlegame with chance, White to decide.
fn middlegame() -> Model {
    at_board(seat(played(Variant::Chakart, &ACTS), Color::White))
}

fn screen(model: &mut Model, size: Size, look: Look) -> String {
    model.update(Message::Input(Event::Resize(size.width, size.height)));
    model.look = look;
    let mut terminal = Terminal::new(TestBackend::new(size.width, size.height)).expect("a backend in memory");
    terminal.draw(|frame| draw::draw(frame, model)).expect("no output");
    terminal.backend().to_string()
}

fn check(name: &str, model: &Model) {
    for size in SIZES {
        for (skin, skin_name) in [(Skin::Glyphs, "glyphs"), (Skin::Ascii, "ascii")] {
            let picture = screen(&mut model.clone(), size, Look { skin, colour: true });
            assert!(skin == Skin::Glyphs || picture.is_ascii(), "{name}: {picture}");
            insta::assert_snapshot!(format!("{name}_{}x{}_{skin_name}", size.width, size.height), picture);
        }
    }
}

#[test]
fn the_lobby() {
    let row = |number: i64, name: &str, state: &str, words: &str, detail: &str| Row {
        what: What::Game(GameNo(number)),
        name: name.to_owned(),
        state: state.to_owned(),
        words: words.to_owned(),
        detail: detail.to_owned(),
        mine: state == "YOUR TURN",
    };
    let rows = vec![
        row(
            1,
            "bob-1",
            "YOUR TURN",
            "White against 'Bob', chakart, turn 5, 2 d left",
            "f6e4: Black's knight goes from f6 to e4 (acknowledged; connected directly)",
        ),
        row(
            2,
            "carol-2",
            "waits for their action",
            "Black against Carol, dynamo, turn 12",
            "d4b2: White's queen goes from d4 to b2 (signed; last heard of by mail 2026-03-01 17:05 UTC)",
        ),
        Row {
            what: What::Offer,
            ..row(
                3,
                "offer-3",
                "open offer",
                "offered 2026-03-01 17:05 UTC",
                "waits for a guest; Enter shows the invite again",
            )
        },
        row(
            4,
            "dan-1",
            "over, 1-0",
            "White against 'Dan', chakart-1st, turn 31",
            "the opponent resigned (acknowledged)",
        ),
    ];
    let mut model = Model::new(Size::new(80, 24), COLOURED, false);
    check("lobby_empty", &model);
    model.update(Message::Games(rows));
    press(&mut model, KeyCode::Down);
    check("lobby", &model);
}

#[test]
fn what_begins_in_the_lobby() {
    let mut model = Model::new(Size::new(80, 24), COLOURED, false);
    for (keys, name) in [
        ("p", "lobby_practice"),
        ("n", "lobby_offer"),
        ("ichakart:AA", "lobby_typing"),
        ("cAda", "lobby_name"),
    ] {
        let mut asked = model.clone();
        type_in(&mut asked, keys);
        check(name, &asked);
    }
    model.update(Message::Input(Event::Paste(invite())));
    press(&mut model, KeyCode::Enter);
    check("lobby_join", &model);
    let shown = Shown {
        name: "offer-1".to_owned(),
        words: "rules chakart, set-up asymmetric".to_owned(),
        invite: invite(),
    };
    model.update(Message::Offered(Box::new(shown)));
    check("invite", &model);
}

#[test]
fn an_invite_has_its_code_where_there_is_room() {
    let shown = Shown { name: "offer-1".to_owned(), words: String::new(), invite: invite() };
    let mut model = Model::new(Size::new(80, 24), COLOURED, false);
    model.update(Message::Offered(Box::new(shown)));
    insta::assert_snapshot!("invite_with_code", screen(&mut model, Size::new(100, 64), COLOURED));
    let ascii = screen(&mut model, Size::new(100, 64), Look { skin: Skin::Ascii, colour: true });
    assert!(ascii.is_ascii(), "{ascii}");
}

#[test]
fn the_luck() {
    let mut model = middlegame();
    type_in(&mut model, "L");
    check("luck_counted", &model);
    let sort = |name: &str, came, expected| Sort { name: name.to_owned(), came, expected };
    let group = Group {
        what: "what eggs gave".to_owned(),
        draws: 9,
        sorts: vec![sort("Chomp", 6, 3.0), sort("Daisy", 0, 3.0), sort("King Boo", 3, 3.0)],
        p_value: 0.0423,
        simulations: 9_999,
    };
    let sides = [("you", vec![group]), ("the opponents", Vec::new())];
    let mut lines = vec!["verified games: 1, random results: 9".to_owned()];
    lines.extend(crate::show::luck::lines(&sides));
    model.update(Message::Luck(Ok(lines)));
    check("luck", &model);
}

#[test]
fn the_tour() {
    let mut tour = Tour::new([9; 32]);
    let mut model = Model::new(Size::new(80, 24), COLOURED, false);
    model.update(tour::seat(&tour));
    check("tour", &model);
    let action = tour.suggestion().expect("something to try");
    tour.play(&action).expect("legal");
    model.update(tour::seat(&tour));
    check("tour_done", &model);
    while !tour.title().contains("eggs") {
        assert!(tour.go_on());
    }
    model = tour::at_lesson(model, &tour);
    check("tour_egg", &model);
    while !tour.title().contains("King Boo") {
        assert!(tour.go_on());
    }
    let action = tour.suggestion().expect("something to try");
    tour.play(&action).expect("legal");
    check("tour_asks", &tour::at_lesson(model, &tour));
}

#[test]
fn a_practice_game_that_is_over() {
    let mut over = seat(played(Variant::Chakart, &ACTS), Color::White);
    over.legal.clear();
    over.finished = true;
    over.standing = "over, 1-0: Black has lost the last king".to_owned();
    over.purpose = Purpose::Practice;
    check("practice_over", &at_board(over));
}

#[test]
fn the_board() {
    check("board", &middlegame());
    let mut choosing = middlegame();
    type_in(&mut choosing, "c4");
    check("board_typing", &choosing);
}

#[test]
fn a_choice() {
    let fen = r#"r2u3k/pp3ppp/2n5/3d4/2B1e3/3P1w2/PPm2PPP/R2QK1NR w 20 {"flags":"1111"}"#;
    let mut model = at_board(seat_at(Variant::Chakart, fen));
    type_in(&mut model, ":moves d1b3\n");
    check("choice", &model);
    type_in(&mut model, ":c4d5\n");
    check("confirm", &model);
}

#[test]
fn the_odds() {
    let fen = r#"7k/pp3ppp/8/8/8/5e2/PP3PPP/4K1N1 w 10 {"flags":"0000"}"#;
    let mut model = at_board(seat_at(Variant::Chakart, fen));
    type_in(&mut model, "g1f3\no");
    let (rules, action) = {
        let rules = model.table.as_ref().and_then(|table| table.seat.rules()).expect("a board").clone();
        let action = rules.parse_action("g1f3").expect("an action");
        (rules, action)
    };
    model.update(Message::Odds(action, odds::chart(&rules, &action).map_err(|error| error.to_string())));
    check("odds", &model);
}

#[test]
fn the_history() {
    let mut model = middlegame();
    press(&mut model, KeyCode::Tab);
    for _ in 0..3 {
        press(&mut model, KeyCode::Left);
    }
    check("history", &model);
}

#[test]
fn the_help_and_the_rules() {
    let mut model = middlegame();
    type_in(&mut model, "?");
    check("help", &model);
    press(&mut model, KeyCode::Esc);
    type_in(&mut model, "R");
    check("rules", &model);
}

#[test]
fn a_game_that_is_over() {
    let mut over = seat(played(Variant::Chakart, &ACTS), Color::White);
    over.legal.clear();
    over.finished = true;
    over.standing = "over, 1-0: the opponent resigned".to_owned();
    check("over", &at_board(over));
}

#[test]
fn a_hidden_queen_and_a_board_without_colours() {
    let game =
        Game::from_fen(Variant::Chakart, r#"3k4/8/8/8/8/8/2o5/4K3 b 9 {"flags":"1011","hidden":"d1"}"#);
    let game = game.expect("the FEN is valid");
    let view = game.view(Some(Color::White), "h5".parse().ok());
    let mut seat = seat((game.clone(), Vec::new()), Color::White);
    seat.state = Some((game, view));
    for (skin, name) in [(Skin::Glyphs, "glyphs"), (Skin::Ascii, "ascii")] {
        let picture = screen(&mut at_board(seat.clone()), SIZES[0], Look { skin, colour: false });
        insta::assert_snapshot!(format!("hidden_queen_without_colours_{name}"), picture);
    }
}

#[test]
fn a_small_window() {
    for (width, height) in [(56, 13), (55, 13), (20, 4), (1, 1)] {
        let picture = screen(&mut middlegame(), Size::new(width, height), COLOURED);
        insta::assert_snapshot!(format!("small_{width}x{height}"), picture);
    }
}

#[test]
fn delivery_is_told_whole_and_path_and_standing_as_far_as_they_fit() {
    let mut far = seat(played(Variant::Chakart, &["e2e4"]), Color::White);
    far.standing = "waiting for the opponent's program to reveal the chance".to_owned();
    far.path = "not connected yet; last heard of on the local network 2026-03-01 17:05 UTC".to_owned();
    far.delivery = "signed, not delivered yet".to_owned();
    let picture = screen(&mut at_board(far), SIZES[0], COLOURED);
    assert!(
        picture.contains("waiting for the opponent · not connected yet; last h · signed, not delivered yet"),
        "{picture}"
    );
}
