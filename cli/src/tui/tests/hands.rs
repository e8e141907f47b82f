//! What keys and clicks do.

use chakart_core::rules::{Action, Game, Rules as _};
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::*;
use crate::desk::deed::Deed;
use crate::machine::Level;
use crate::tour::Tour;
use crate::tui::areas::Areas;
use crate::tui::lobby::{Row, Typed, What};
use crate::tui::model::Shown;
use crate::tui::tour;

fn click(model: &mut Model, square: &str) -> Vec<Effect> {
    let table = model.table.as_ref().expect("a board");
    let area = Areas::new(model.size).rect_of(square.parse().expect("a square"), table.bottom);
    click_at(model, area.x + 1, area.y)
}

fn click_at(model: &mut Model, column: u16, row: u16) -> Vec<Effect> {
    let kind = MouseEventKind::Down(MouseButton::Left);
    let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    model.update(Message::Input(Event::Mouse(mouse)))
}

fn start() -> Model {
    at_board(seat(played(Variant::Chakart, &[]), Color::White))
}

fn acts(model: &Model, text: &str) -> Vec<Effect> {
    vec![Effect::Do(Deed::Act(rules(model).parse_action(text).expect("an action")))]
}

fn rules(model: &Model) -> &Game {
    model.table.as_ref().and_then(|table| table.seat.rules()).expect("a board")
}

fn answers(model: &Model) -> Vec<String> {
    let question = model.table.as_ref().and_then(|table| table.question.as_ref());
    question
        .map(|question| question.answers.iter().map(|answer| answer.label.clone()).collect())
        .unwrap_or_default()
}

#[test]
fn a_move_without_chance_is_signed_by_two_clicks_or_by_the_cursor_or_as_text() {
    let mut model = start();
    assert_eq!(click(&mut model, "e2"), []);
    assert_eq!(click(&mut model, "e4"), acts(&model, "e2e4"));

    let mut model = start();
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    press(&mut model, KeyCode::Up);
    press(&mut model, KeyCode::Up);
    assert_eq!(press(&mut model, KeyCode::Enter), acts(&model, "e2e4"));

    for typed in ["e2e4\n", ":e4\n", "Nf3\n", ":f2f4\n"] {
        let mut model = start();
        let meant = rules(&model).read_action(typed.trim_matches([':', '\n'])).expect("legal").to_string();
        assert_eq!(type_in(&mut model, typed), acts(&model, &meant), "{typed}");
    }
}

#[test]
fn the_board_of_black_is_turned() {
    let mut model = at_board(seat(played(Variant::Chakart, &["e2e4"]), Color::Black));
    press(&mut model, KeyCode::Enter);
    press(&mut model, KeyCode::Up);
    assert_eq!(press(&mut model, KeyCode::Enter), acts(&model, "e7e6"));
}

#[test]
fn escape_backs_out_and_signs_nothing() {
    let fen = r#"7k/8/8/8/4d3/3P4/8/4K3 w 20 {"flags":"0000"}"#;
    let mut model = at_board(seat_at(Variant::Chakart, fen));
    assert_eq!(click(&mut model, "d3"), []);
    assert_eq!(click(&mut model, "e4"), []);
    assert_eq!(answers(&model)[0], "a queen, as usual");
    assert_eq!(press(&mut model, KeyCode::Esc), []);
    assert_eq!(answers(&model), Vec::<String>::new());
    assert!(model.table.as_ref().is_some_and(|table| table.from.is_some()));
    press(&mut model, KeyCode::Esc);
    assert!(model.table.as_ref().is_some_and(|table| table.from.is_none()));
}

#[test]
fn a_standing_answer_is_asked_and_then_chance_confirmed() {
    let fen = r#"7k/8/8/8/4d3/3P4/8/4K3 w 20 {"flags":"0000"}"#;
    let mut model = at_board(seat_at(Variant::Chakart, fen));
    assert_eq!(type_in(&mut model, "d3e4\n"), []);
    assert_eq!(answers(&model), ["a queen, as usual", "a king", "a rook", "a bishop", "a knight"]);
    assert_eq!(type_in(&mut model, "5"), []);
    assert_eq!(answers(&model), ["play it", "not now"]);
    // Enter alone never plays what has chance in it.
    assert_eq!(press(&mut model, KeyCode::Enter), []);
    assert_eq!(type_in(&mut model, "d3e4\n5y"), acts(&model, "d3e4=n"));
}

#[test]
fn open_or_unseen_and_taking_or_shell_are_told_apart_in_words() {
    let fen = r#"3r3k/8/8/8/8/8/3p4/3QK3 w 20 {"flags":"1111"}"#;
    let mut model = at_board(seat_at(Variant::Chakart, fen));
    click(&mut model, "d1");
    click(&mut model, "b3");
    assert_eq!(answers(&model), ["queen d1 to b3", "queen d1 to b3, unseen"]);
    assert_eq!(type_in(&mut model, "2"), acts(&model, "d1b3s"));

    let mut model = at_board(seat_at(Variant::Chakart, fen));
    click(&mut model, "e1");
    click(&mut model, "d2");
    assert_eq!(
        answers(&model),
        ["king e1 takes Black's pawn on d2", "king e1 throws its shell at Black's pawn on d2"]
    );
    assert_eq!(type_in(&mut model, "2"), acts(&model, "e1d2t"));
}

#[test]
fn who_types_an_action_while_something_is_asked_answers_nothing() {
    let fen = r#"3r3k/8/8/8/8/8/5P2/3QK3 w 20 {"flags":"1111"}"#;
    for typed in ["e1e2", "f2f4", ":f2f4"] {
        let mut model = at_board(seat_at(Variant::Chakart, fen));
        type_in(&mut model, ":moves d1b3\n");
        assert_eq!(answers(&model).len(), 2);
        assert_eq!(type_in(&mut model, typed), [], "{typed}");
        assert_eq!(press(&mut model, KeyCode::Enter), acts(&model, typed.trim_start_matches(':')), "{typed}");
    }
}

#[test]
fn a_promotion_is_asked() {
    let mut model = at_board(seat_at(Variant::Chakart, r#"7k/1P6/8/8/8/8/8/4K3 w 20 {"flags":"0000"}"#));
    click(&mut model, "b7");
    click(&mut model, "b8");
    assert_eq!(answers(&model).len(), 5);
    assert_eq!(answers(&model)[4], "pawn b7 to b8, becomes a king");
    assert_eq!(type_in(&mut model, "5"), acts(&model, "b7b8k"));
}

#[test]
fn what_an_egg_leaves_to_decide_is_pointed_at() {
    let pending = |egg| format!(r#"7k/8/8/8/8/8/8/R3K3 w 20 {{"flags":"0000","pending":"{egg}"}}"#);
    let mut model = at_board(seat_at(Variant::Chakart, &pending("kingboo")));
    click(&mut model, "h8");
    assert_eq!(click(&mut model, "a1"), acts(&model, "a1~h8"));
    let mut model = at_board(seat_at(Variant::Chakart, &pending("toadette:q")));
    assert_eq!(click(&mut model, "d4"), acts(&model, "q@d4"));
    let mut model = at_board(seat_at(Variant::Chakart, &pending("daisy")));
    click(&mut model, "e1");
    assert_eq!(click(&mut model, "e2"), acts(&model, "e1e2"));
}

#[test]
fn a_player_without_a_move_passes() {
    let mut model = at_board(seat_at(Variant::Chakart, r#"7k/8/8/8/8/8/8/4L3 w 20 {"flags":"0000"}"#));
    assert_eq!(answers(&model), ["pass"]);
    assert_eq!(type_in(&mut model, "1"), vec![Effect::Do(Deed::Act(Action::Pass))]);
}

#[test]
fn two_men_of_dynamo_are_chosen_by_their_squares_and_in_words() {
    let mut model = at_board(seat(played(Variant::Dynamo, &[]), Color::White));
    click(&mut model, "a2");
    assert_eq!(type_in(&mut model, "x"), []);
    assert_eq!(answers(&model), ["White's rook a1 off the board, White's pawn a2 off the board"]);
    press(&mut model, KeyCode::Esc);
    press(&mut model, KeyCode::Esc);
    // The queen may follow a pawn that she pushes: the turns of one man come first.
    click(&mut model, "d2");
    assert_eq!(click(&mut model, "d4"), []);
    let offered = answers(&model);
    assert_eq!(offered.first().map(String::as_str), Some("White's pawn d2 to d4"), "{offered:?}");
    assert!(offered.len() > 1);
    assert_eq!(type_in(&mut model, "1"), acts(&model, "d2d4"));
}

#[test]
fn arrows_go_through_the_acts_and_the_board_comes_back() {
    let acts = ["e2e4", "e7e5", "g1f3", "b8c6"];
    let mut model = at_board(seat(played(Variant::Chakart, &acts), Color::White));
    let shown = |model: &Model| model.table.as_ref().and_then(|table| table.shown);
    press(&mut model, KeyCode::Tab);
    for (key, after) in [
        (KeyCode::Left, Some(3)),
        (KeyCode::Up, Some(2)),
        (KeyCode::Down, Some(3)),
        (KeyCode::Home, Some(0)),
        (KeyCode::Left, Some(0)),
        (KeyCode::Right, Some(1)),
        (KeyCode::End, None),
        (KeyCode::Right, None),
        (KeyCode::Char('['), Some(3)),
        (KeyCode::Char(']'), None),
    ] {
        press(&mut model, key);
        assert_eq!(shown(&model), after, "{key:?}");
    }
    press(&mut model, KeyCode::Home);
    let start = Variant::Chakart;
    let first = played(start, &[]).0.view(Some(Color::White), None);
    assert_eq!(model.table.as_ref().and_then(|table| table.view()).map(|view| view.board), Some(first.board));
    // Nothing is chosen on a board of the past.
    click(&mut model, "d2");
    assert_eq!(shown(&model), None);
    assert!(model.table.as_ref().is_some_and(|table| table.from.is_none()));
}

#[test]
fn a_click_on_an_act_shows_the_board_after_it_and_one_on_an_answer_gives_it() {
    let mut model = at_board(seat(played(Variant::Chakart, &["e2e4", "e7e5"]), Color::White));
    let panel = Areas::new(model.size).panel;
    let rows = (panel.top()..panel.bottom()).filter(|row| {
        let mut copy = model.clone();
        click_at(&mut copy, panel.x + 1, *row);
        copy.table.as_ref().and_then(|table| table.shown) == Some(1)
    });
    assert!(rows.count() >= 2);

    type_in(&mut model, ":resign\n");
    let given = (panel.top()..panel.bottom()).filter_map(|row| {
        let effects = click_at(&mut model.clone(), panel.x + 1, row);
        (!effects.is_empty()).then_some(effects)
    });
    assert_eq!(given.collect::<Vec<_>>(), vec![vec![Effect::Do(Deed::Resign)]]);
}

#[test]
fn what_ends_a_game_is_asked_first() {
    for (line, deed) in
        [("resign", Deed::Resign), ("abort", Deed::Abort), ("claim", Deed::Claim), ("rematch", Deed::Rematch)]
    {
        let mut model = start();
        assert_eq!(type_in(&mut model, &format!(":{line}\n")), [], "{line}");
        assert_eq!(type_in(&mut model.clone(), "n"), [], "{line}");
        assert_eq!(type_in(&mut model, "y"), vec![Effect::Do(deed)], "{line}");
    }
    let mut offered = seat(played(Variant::Chakart, &[]), Color::White);
    assert_eq!(type_in(&mut at_board(offered.clone()), ":draw\n"), vec![Effect::Do(Deed::IntendDraw(true))]);
    offered.draw_offered = true;
    let mut model = at_board(offered);
    assert_eq!(type_in(&mut model, ":draw\ny"), vec![Effect::Do(Deed::AcceptDraw)]);
}

#[test]
fn what_is_held_back_is_asked_once() {
    let mut held = seat(played(Variant::Chakart, &[]), Color::White);
    held.hold = Some("the act to be answered is late by its stamp".to_owned());
    let mut model = at_board(held.clone());
    assert_eq!(answers(&model), ["yes, go on", "not now"]);
    type_in(&mut model, "n");
    model.update(Message::Seat(Box::new(held)));
    assert_eq!(answers(&model), Vec::<String>::new());
    assert_eq!(type_in(&mut model, ":confirm\ny"), vec![Effect::Do(Deed::Confirm)]);
}

#[test]
fn odds_are_asked_for_the_action_in_mind() {
    let fen = r#"7k/8/8/8/8/5e2/8/4K1N1 w 10 {"flags":"0000"}"#;
    let mut model = at_board(seat_at(Variant::Chakart, fen));
    click(&mut model, "g1");
    click(&mut model, "f3");
    let action = rules(&model).parse_action("g1f3").expect("an action");
    let wanted = vec![Effect::Odds(Box::new(rules(&model).clone()), action)];
    assert_eq!(type_in(&mut model, "o"), wanted);
    // The question is still there: its answer closes the chart.
    assert_eq!(type_in(&mut model, "y"), acts(&model, "g1f3"));
    let mut model = start();
    assert_eq!(type_in(&mut model, "o"), []);
    assert!(model.notice.is_some());
}

#[test]
fn news_of_the_opponent_takes_back_what_was_half_chosen() {
    let mut model = start();
    click(&mut model, "e2");
    let (game, plies) = played(Variant::Chakart, &["d2d4", "d7d5"]);
    model.update(Message::Seat(Box::new(seat((game, plies), Color::White))));
    assert!(model.table.as_ref().is_some_and(|table| table.from.is_none() && table.seat.acts.len() == 2));
}

#[test]
fn what_is_typed_wrongly_is_told() {
    let mut model = start();
    assert_eq!(type_in(&mut model, "e2e5\n"), []);
    assert!(model.notice.as_ref().is_some_and(|words| words.contains("e2e5")), "{:?}", model.notice);
    assert_eq!(type_in(&mut model, ":x\u{1b}[2J\n"), []);
    assert!(!model.notice.as_ref().is_some_and(|words| words.contains('\u{1b}')), "{:?}", model.notice);
}

#[test]
fn nothing_is_chosen_while_the_opponent_is_to_decide() {
    let mut model = at_board(seat(played(Variant::Chakart, &["e2e4"]), Color::White));
    assert_eq!(click(&mut model, "d2"), []);
    assert_eq!(model.notice.as_deref(), Some("the opponent's turn"));
    assert_eq!(type_in(&mut model, ":d2d4\n"), []);
}

#[test]
fn the_lobby_opens_games_and_accepts_invites() {
    let row = |what, name: &str| Row {
        what,
        name: name.to_owned(),
        state: String::new(),
        words: String::new(),
        detail: String::new(),
        mine: false,
    };
    let rows =
        vec![row(What::Game(GameNo(7)), "bob-1"), row(What::Invite, "invite-1"), row(What::Offer, "offer-1")];
    let mut model = Model::new(Size::new(80, 24), COLOURED, false);
    model.update(Message::Games(rows));
    assert_eq!(press(&mut model, KeyCode::Enter), vec![Effect::Open(GameNo(7))]);
    press(&mut model, KeyCode::Down);
    assert_eq!(type_in(&mut model, "\nn"), []);
    assert_eq!(type_in(&mut model, "\n\n"), [], "Enter alone accepts nothing");
    assert_eq!(type_in(&mut model, "\ny"), vec![Effect::Accept("invite-1".to_owned())]);
    press(&mut model, KeyCode::End);
    assert_eq!(press(&mut model, KeyCode::Enter), vec![Effect::ShowOffer("offer-1".to_owned())]);
    // A second click on a row opens it.
    let areas = Areas::new(model.size);
    assert_eq!(click_at(&mut model, 3, areas.body.y + 1), []);
    assert_eq!(click_at(&mut model, 3, areas.body.y + 1), vec![Effect::Open(GameNo(7))]);
    assert_eq!(type_in(&mut model, "q"), vec![Effect::Quit]);
}

#[test]
fn a_newcomer_begins_with_two_keys() {
    let mut lobby = Model::new(Size::new(80, 24), COLOURED, false);
    assert_eq!(type_in(&mut lobby, "t"), vec![Effect::TakeTour]);
    assert_eq!(type_in(&mut lobby, "p2"), vec![Effect::Practise(Level::Greedy)]);
    assert_eq!(type_in(&mut lobby, "n1"), vec![Effect::Offer(Variant::Chakart)]);
    assert_eq!(type_in(&mut lobby, "n4"), vec![Effect::Offer(Variant::Dynamo)]);
    assert_eq!(type_in(&mut lobby, "L"), vec![Effect::Luck]);
    press(&mut lobby, KeyCode::Esc);
    type_in(&mut lobby, "p");
    press(&mut lobby, KeyCode::Esc);
    assert_eq!(type_in(&mut lobby, "2"), [], "Esc takes the question back");
    type_in(&mut lobby, "p");
    let body = Areas::new(lobby.size).body;
    let clicked = (body.top()..body.bottom()).flat_map(|row| click_at(&mut lobby.clone(), 5, row));
    let levels = [Level::Random, Level::Greedy, Level::Expectimax];
    assert_eq!(clicked.collect::<Vec<_>>(), levels.map(Effect::Practise));
}

#[test]
fn an_invite_is_pasted_looked_at_and_taken() {
    let invite = invite();
    let mut lobby = Model::new(Size::new(80, 24), COLOURED, false);
    // A mail breaks lines; where it is pasted does not matter.
    let (head, tail) = invite.split_at(70);
    assert_eq!(lobby.update(Message::Input(Event::Paste(format!("{head}\r\n  {tail}\n")))), []);
    assert_eq!(type_in(&mut lobby.clone(), "\nn"), []);
    let taken = vec![Effect::Join(Box::new(invite.parse().expect("an invite")))];
    assert_eq!(type_in(&mut lobby, "\ny"), taken);
    type_in(&mut lobby, "i");
    assert_eq!(type_in(&mut lobby, &format!("{invite}\ny")), taken, "it can be typed, too");
    type_in(&mut lobby, "ihello\n");
    assert!(lobby.notice.as_ref().is_some_and(|words| words.contains("chakart:")), "{:?}", lobby.notice);
    type_in(&mut lobby, "i");
    lobby.update(Message::Input(Event::Paste("x".repeat(100_000))));
    assert!(matches!(&lobby.lobby.typed, Some(Typed::Invite(text)) if text.len() < 10_000));
}

#[test]
fn a_player_says_what_to_be_called() {
    let mut lobby = Model::new(Size::new(80, 24), COLOURED, false);
    let called = vec![Effect::CallMe(Name::new("Zoë Q").expect("short"))];
    assert_eq!(type_in(&mut lobby, "cZoë Q\n"), called);
    type_in(&mut lobby, "c");
    lobby.update(Message::Input(Event::Paste("Zoë\n Q".to_owned())));
    assert_eq!(type_in(&mut lobby, "\n"), called, "line ends are left out");
    let long = type_in(&mut lobby, &format!("c{}\n", "ë".repeat(60)));
    assert_eq!(long, vec![Effect::CallMe(Name::new("ë".repeat(20)).expect("short"))]);
    type_in(&mut lobby, "cA");
    press(&mut lobby, KeyCode::Esc);
    assert_eq!(type_in(&mut lobby, "t"), vec![Effect::TakeTour], "Esc takes it back");
}

#[test]
fn who_waits_beside_an_invite_goes_on_to_its_game() {
    let shown = Shown { name: "offer-1".to_owned(), words: String::new(), invite: invite() };
    let mut lobby = Model::new(Size::new(80, 24), COLOURED, false);
    lobby.update(Message::Offered(Box::new(shown.clone())));
    assert_eq!(lobby.update(Message::Taken("offer-2".to_owned(), GameNo(2))), []);
    let begun = vec![Effect::Open(GameNo(3))];
    assert_eq!(lobby.update(Message::Taken("offer-1".to_owned(), GameNo(3))), begun);
    lobby.update(Message::Offered(Box::new(shown)));
    press(&mut lobby, KeyCode::Esc);
    assert_eq!(lobby.update(Message::Taken("offer-1".to_owned(), GameNo(3))), [], "only told");
    assert!(lobby.notice.is_some());
}

#[test]
fn a_practice_game_is_left_with_a_word_while_it_goes_on() {
    let mut practice = seat(played(Variant::Chakart, &["e2e4", "e7e5"]), Color::White);
    practice.purpose = Purpose::Practice;
    let mut model = at_board(practice.clone());
    assert_eq!(type_in(&mut model, "qn"), []);
    assert_eq!(type_in(&mut model, "qy"), vec![Effect::Quit]);
    practice.finished = true;
    practice.legal.clear();
    assert_eq!(type_in(&mut at_board(practice), "q"), vec![Effect::Quit]);
    assert_eq!(type_in(&mut start(), "q"), vec![Effect::Close]);
}

/// What the loop of the tour does with a key.
fn on_tour(tour: &mut Tour, model: Model, key: KeyCode) -> Model {
    let event = Event::Key(KeyEvent::new(key, KeyModifiers::NONE));
    if let Some(step) = tour::step(&event, &model, tour) {
        tour::walk(tour, step);
        return tour::at_lesson(model, tour);
    }
    let mut model = model;
    for effect in model.update(Message::Input(event)) {
        for message in tour::carried_out(tour, effect) {
            model.update(message);
        }
    }
    model
}

#[test]
fn the_tour_is_walked_with_keys() {
    let mut tour = Tour::new([5; 32]);
    let mut model = Model::new(Size::new(80, 24), COLOURED, false);
    model.update(tour::seat(&tour));
    let type_on = |tour: &mut Tour, model: Model, text: &str| {
        text.chars().fold(model, |model, key| {
            on_tour(tour, model, if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) })
        })
    };
    model = type_on(&mut tour, model, "e2e4\n");
    assert!(tour.is_done() && tour.title().starts_with("Tour, 1 of"));
    model = type_on(&mut tour, model, "\n");
    assert!(tour.title().starts_with("Tour, 2 of") && !tour.is_done());
    model = type_on(&mut tour, model, "np");
    assert!(tour.title().starts_with("Tour, 2 of"));
    model = type_on(&mut tour, model, "b1c3\nr");
    assert!(!tour.is_done() && tour.plies().is_empty());
    // What is typed is no step, and what needs an opponent is told to be for games.
    model = type_on(&mut tour, model, ":chat never\n");
    assert!(tour.title().starts_with("Tour, 2 of") && model.notice.is_some());
    model = type_on(&mut tour, model, "na1a5\ny");
    assert!(tour.is_done(), "a rook has left a banana: {:?}", model.notice);
}
