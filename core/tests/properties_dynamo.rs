//! Dynamo: what holds in every game.

use std::collections::{BTreeMap, BTreeSet};

use chakart_core::board::{Color, Role, Square};
use chakart_core::chance::NoChance;
use chakart_core::rules::dynamo::{Dynamo, Position, perft};
use chakart_core::rules::{Action, Displacement, Event, Game, Man, Outcome, ReadActionError, Rules, Turn};
use proptest::prelude::*;
use proptest::sample::Index;

const TURNS: usize = 60;

/// Where a game starts, and the choices that decide it.
type Script = (Dynamo, Vec<Index>);

/// The states of a game; it may end early.
fn states((start, choices): &Script) -> Vec<Dynamo> {
    let mut states = vec![start.clone()];
    for choice in choices {
        let Some(game) = states.last() else { break };
        let actions = game.legal_actions();
        if actions.is_empty() {
            break;
        }
        let next = play(game, choice.get(&actions));
        states.push(next);
    }
    states
}

fn play(game: &Dynamo, action: &Action) -> Dynamo {
    game.play(action, &mut NoChance).expect("a legal turn").next
}

fn last(script: &Script) -> Dynamo {
    states(script).pop().unwrap_or_else(Dynamo::start)
}

fn games() -> impl Strategy<Value = Script> {
    let start = prop_oneof![Just(Dynamo::start()), endgames()];
    (start, proptest::collection::vec(any::<Index>(), 0..TURNS))
}

/// Few men anywhere: many exits, checks, promotions and like men.
fn endgames() -> impl Strategy<Value = Dynamo> {
    let squares = proptest::sample::subsequence((0..64).collect::<Vec<usize>>(), 2..12).prop_shuffle();
    let men = proptest::collection::vec(proptest::sample::select(b"PPNBRRQpprbnq".to_vec()), 10);
    (squares, men, any::<bool>()).prop_filter_map("no sound position", |(squares, men, white)| {
        let mut board = [b'1'; 64];
        for (square, man) in squares.into_iter().zip(b"Kk".iter().chain(&men)) {
            board[square] = *man;
        }
        let ranks: Vec<&str> = board.chunks(8).filter_map(|rank| std::str::from_utf8(rank).ok()).collect();
        let side = if white { 'w' } else { 'b' };
        Dynamo::from_fen(&format!("{} {side} 0 iiii -", ranks.join("/"))).ok()
    })
}

fn men(game: &Dynamo) -> BTreeMap<Square, Man> {
    Square::all().filter_map(|square| Some((square, game.position().board().man(square)?))).collect()
}

/// Applies events one by one, as a display does.
fn replay(mut men: BTreeMap<Square, Man>, events: &[Event]) -> BTreeMap<Square, Man> {
    for event in events {
        match event {
            Event::Moved { man, from, to } => {
                assert_eq!(men.remove(from), Some(*man));
                assert_eq!(men.insert(*to, *man), None);
            }
            Event::WentOff { man, from } => assert_eq!(men.remove(from), Some(*man)),
            Event::Promoted { square, role } => {
                let pawn = men.get_mut(square).expect("a pawn that has arrived");
                assert_eq!(pawn.role, Role::Pawn);
                pawn.role = *role;
            }
            Event::Ended { .. } => {}
            other => assert_eq!(format!("{other:?}"), "an event of Dynamo"),
        }
    }
    men
}

fn reversed(action: &Action) -> Option<Action> {
    match action {
        Action::Turn(Turn { lead, trail: Some(trail) }) => {
            Some(Action::Turn(Turn { lead: *trail, trail: Some(*lead) }))
        }
        _ => None,
    }
}

fn displacement() -> impl Strategy<Value = Displacement> {
    let square = || (0_u8..64).prop_filter_map("a square", Square::from_index);
    let role = prop_oneof![9 => Just(None), 1 => proptest::sample::select(&Role::ALL[..]).prop_map(Some)];
    (square(), proptest::option::weighted(0.8, square()), role)
        .prop_map(|(from, to, promotion)| Displacement { from, to, promotion })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_fen_reads_back(script in games()) {
        for game in states(&script) {
            let read = Position::from_fen(&game.fen());
            prop_assert_eq!(read.as_ref(), Ok(game.position()), "{}", game.fen());
        }
    }

    #[test]
    fn each_side_has_one_king_and_the_last_mover_is_not_in_check(script in games()) {
        use chakart_core::rules::dynamo::is_in_check;
        for game in states(&script) {
            let board = game.position().board();
            for color in Color::ALL {
                prop_assert_eq!((board.role(Role::King) & board.of(color)).len(), 1);
            }
            prop_assert!(!is_in_check(board, !game.turn()));
        }
    }

    #[test]
    fn events_of_every_legal_turn_give_the_next_board(script in games()) {
        let game = last(&script);
        for action in game.legal_actions() {
            let played = game.play(&action, &mut NoChance).expect("a legal turn");
            prop_assert_eq!(replay(men(&game), &played.events), men(&played.next), "{}", action);
            let mut view = Game::Dynamo(game.clone()).view(None, None);
            played.events.iter().for_each(|event| view.apply(event));
            prop_assert_eq!(view.board, Game::Dynamo(played.next.clone()).view(None, None).board);
            let ended = matches!(played.events.last(), Some(Event::Ended { .. }));
            prop_assert_eq!(ended, played.next.outcome().is_some());
        }
    }

    #[test]
    fn every_legal_turn_is_legal_in_its_listed_spelling_only(script in games()) {
        let game = last(&script);
        let mut reached = BTreeSet::new();
        for action in game.legal_actions() {
            prop_assert_eq!(game.check(&action), Ok(()));
            let text = game.notation(&action);
            prop_assert_eq!(Action::parse_dynamo(&text), Ok(action));
            prop_assert_eq!(game.read_action(&text), Ok(action));
            prop_assert_eq!(game.read_action(&text.to_uppercase()), Ok(action));
            if let Some(reversed) = reversed(&action) {
                prop_assert_eq!(game.read_action(&reversed.to_string()), Ok(action));
                prop_assert!(game.check(&reversed).is_err());
            }
            let fen = play(&game, &action).fen();
            let identity: Vec<&str> = fen.split(' ').collect();
            prop_assert!(reached.insert((identity[0].to_owned(), identity[3].to_owned())), "{} is a repetition", action);
        }
    }

    #[test]
    fn other_turns_are_refused(
        script in games(),
        turns in proptest::collection::vec((displacement(), proptest::option::of(displacement())), 200),
    ) {
        let game = last(&script);
        let legal = game.legal_actions();
        for (lead, trail) in turns {
            let action = Action::Turn(Turn { lead, trail });
            prop_assert_eq!(game.check(&action).is_ok(), legal.contains(&action), "{}", action);
            if let Ok(canonical) = game.read_action(&action.to_string()) {
                prop_assert!(legal.contains(&canonical));
            }
        }
    }

    #[test]
    fn a_turn_and_the_whole_list_agree_about_counts(script in games()) {
        let game = last(&script);
        let turns = game.position().legal_turns();
        prop_assert_eq!(perft(game.position(), 1), turns.len() as u64);
        prop_assert_eq!(game.position().has_legal_turn(), !turns.is_empty());
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,40}", script in games(), place in any::<Index>()) {
        let game = last(&script);
        let _ = game.read_action(&text);
        let _ = Dynamo::from_fen(&text);
        let fen = game.fen();
        let cut = place.index(fen.len());
        let spoilt = format!("{}{text}{}", &fen[..cut], &fen[cut + 1..]);
        if let Ok(read) = Dynamo::from_fen(&spoilt) {
            prop_assert_eq!(Dynamo::from_fen(&read.fen()).map(|again| again.fen()), Ok(read.fen()));
            read.legal_actions().iter().take(3).for_each(|action| drop(play(&read, action)));
        }
    }
}

/// Knights go out and come back: the position after the first turn, which may not be answered by restoring the start,
/// occurs at plies 1, 5 and 9. At the start nothing is forbidden, so that it does not occur again.
#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let mut game = Dynamo::start();
    for text in ["b1c3", "b8c6", "c3b1", "c6b8", "b1c3", "b8c6", "c3b1", "c6b8"] {
        game = play(&game, &game.read_action(text).expect("legal"));
        assert_eq!(game.outcome(), None);
    }
    let action = game.read_action("b1c3").expect("legal");
    let played = game.play(&action, &mut NoChance).expect("legal");
    assert_eq!(played.events.last(), Some(&Event::Ended { outcome: Outcome::Draw }));
    assert_eq!(played.next.legal_actions(), []);
    assert!(played.next.position().has_legal_turn());
    let refused = played.next.read_action("b8c6");
    assert!(
        matches!(refused, Err(ReadActionError::Illegal(illegal)) if illegal.reason == "the game is over")
    );
}

#[test]
fn long_random_games_end_and_stay_ended() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..20 {
        let mut game = Dynamo::start();
        for _ in 0..2000 {
            let actions = game.legal_actions();
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let Some(action) = actions.get((seed >> 33) as usize % actions.len().max(1)) else { break };
            game = play(&game, action);
        }
        assert_eq!(game.outcome().is_some(), game.legal_actions().is_empty());
    }
}

#[test]
fn people_may_write_turns_in_other_ways() {
    let game = Dynamo::from_fen("1n2k3/P7/8/8/8/8/8/R3K2R w 0 ahii -").expect("a sound FEN");
    for (text, canonical) in [
        ("0-0", "O-O"),
        ("o-o-o", "O-O-O"),
        ("E1-D1", "e1d1"),
        ("a7b8=q, b8x", "b8x,a7b8=q"),
        ("b8-x a7-b8N", "b8x,a7b8=n"),
        ("  h1h7 ", "h1h7"),
    ] {
        assert_eq!(
            game.read_action(text).map(|action| action.to_string()),
            Ok(canonical.to_owned()),
            "{text}"
        );
    }
    let fits = ["a7a8=b", "a7a8=n", "a7a8=q", "a7a8=r"];
    let several = game.read_action("a7a8").expect_err("four promotions");
    assert_eq!(several.to_string(), format!("'a7a8' fits several actions: {}", fits.join(", ")));
    for text in ["", ",", "e1", "e1e2e3", "a1a2,b1b2,c1c2", "x", "é", "e1e1", "O-O-O-O"] {
        assert!(game.read_action(text).is_err(), "{text}");
    }
}

/// Two ways to displace rooks that give one board: one of them counts.
#[test]
fn of_two_spellings_one_is_canonical() {
    let game = Dynamo::from_fen("4k3/8/R6R/8/8/8/8/4K3 w 0 iiii -").expect("a sound FEN");
    let read = |text: &str| game.read_action(text).map(|action| action.to_string());
    assert_eq!(read("h6x,a6g6"), Ok("a6x,h6g6".to_owned()));
    let other = Action::parse_dynamo("h6x,a6g6").expect("well formed");
    let refused = game.check(&other).expect_err("another spelling");
    assert!(refused.reason.contains("another spelling"));
}

#[test]
fn events_are_told_man_by_man() {
    use chakart_core::rules::sentences;
    let tell = |fen: &str, text: &str| {
        let game = Dynamo::from_fen(fen).expect("a sound FEN");
        let action = game.read_action(text).expect("legal");
        sentences(&game.play(&action, &mut NoChance).expect("legal").events)
    };
    assert_eq!(
        tell("1n2k3/P7/8/8/8/8/8/K7 w 0 iiii -", "b8x,a7b8=q"),
        [
            "Black's knight leaves the board from b8",
            "White's pawn goes from a7 to b8",
            "White's pawn becomes a queen on b8",
        ]
    );
    assert_eq!(
        tell("4k3/8/8/8/8/8/8/4K2R w 0 ihii -", "O-O"),
        ["White's king goes from e1 to g1", "White's rook goes from h1 to f1"]
    );
}
