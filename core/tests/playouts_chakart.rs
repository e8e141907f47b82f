//! Claims about every position: random games and random boards in each edition.

use std::collections::BTreeSet;

use chakart_core::board::{Color, File, Rank, Role, Square};
use chakart_core::chance::{Chance, SeededChance};
use chakart_core::rules::{
    Action, Event, Game, Played, Rules as _, Setup, Squares, Variant, apply, sentences,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn random_games_keep_every_claim(variant in variants(), seed: [u8; 32], plies in 1..220usize) {
        play_out(variant, seed, plies);
    }

    #[test]
    fn random_boards_keep_every_claim((variant, fen) in boards(), seed: [u8; 32]) {
        let game = Game::from_fen(variant, &fen).expect("the FEN is valid");
        check_state(&game);
        let mut chance = Counted { chance: SeededChance::new(seed), asked: 0 };
        for action in game.legal_actions() {
            let played = game.play(&action, &mut chance).expect("a listed action is legal");
            check_events(&game, &played);
            check_state(&played.next);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(variant in variants(), text in ".{0,80}", action in "[a-hKQNRBn@~x=?1-8 -]{0,9}") {
        let _ = Game::from_fen(variant, &text);
        let game = Game::start(variant, Setup::Fixed, &mut SeededChance::new([0; 32]));
        let _ = game.read_action(&text);
        if let Ok(read) = game.read_action(&action) {
            prop_assert!(game.legal_actions().contains(&read));
        }
    }

    #[test]
    fn a_damaged_fen_is_read_or_refused((variant, fen) in boards(), at in 0..60usize, with: char) {
        let damaged: String =
            fen.chars().enumerate().map(|(place, letter)| if place == at { with } else { letter }).collect();
        if let Ok(game) = Game::from_fen(variant, &damaged) {
            check_state(&game);
        }
    }
}

fn variants() -> impl Strategy<Value = Variant> {
    prop::sample::select(vec![Variant::Chakart, Variant::Chakart2nd, Variant::Chakart1st])
}

/// Boards that no game reaches: many kings, any immobilised men, decisions pending out of the blue.
fn boards() -> impl Strategy<Value = (Variant, String)> {
    let letters = "1111111234prnbqkuoctlPRNBQKUOCTLwdem".chars().collect::<Vec<_>>();
    let rank = prop::collection::vec(prop::sample::select(letters), 8).prop_map(|letters| {
        let mut rank = String::new();
        let mut squares = 0;
        for letter in letters {
            let width = letter.to_digit(10).unwrap_or(1).min(8 - squares);
            if width > 0 {
                let width = char::from_digit(width, 10).unwrap_or('8');
                rank.push(if letter.is_ascii_digit() { width } else { letter });
            }
            squares += width;
        }
        rank
    });
    let pending = prop::sample::select(vec!["", "", "daisy", "kingboo", "toadette"]);
    let parts = (variants(), prop::collection::vec(rank, 8), any::<bool>(), "[01]{4}", pending);
    parts.prop_map(|(variant, ranks, white, flags, pending)| {
        let edges = [ranks[0].replace('P', "N"), ranks[7].replace('p', "n")];
        let board = [&edges[..1], &ranks[1..7], &edges[1..]].concat().join("/");
        let turn = if white { 'w' } else { 'b' };
        (variant, format!("{board} {turn} 7 {}", tail(variant, &flags, pending, &board, white)))
    })
}

fn tail(variant: Variant, flags: &str, pending: &str, board: &str, white: bool) -> String {
    let piece = first_man(board, white).map(|square| format!(":{square}")).unwrap_or_default();
    let first = variant == Variant::Chakart1st;
    let pending = match (pending, first) {
        ("daisy" | "kingboo", true) => format!("{pending}{piece}"),
        ("toadette", false) => "toadette:r".to_owned(),
        _ => pending.to_owned(),
    };
    match (first, pending.as_str()) {
        (true, "") => format!("{flags} 1a0000002001"),
        (true, _) => format!("{flags} 1a0000002001 {{\"pending\":\"{pending}\"}}"),
        (false, "") => format!("{{\"flags\":\"{flags}\"}}"),
        (false, _) => format!("{{\"flags\":\"{flags}\",\"pending\":\"{pending}\"}}"),
    }
}

fn first_man(board: &str, white: bool) -> Option<Square> {
    for (rank, letters) in Rank::ALL.into_iter().rev().zip(board.split('/')) {
        let mut file = 0;
        for letter in letters.chars() {
            match letter.to_digit(10) {
                Some(width) => file += width as usize,
                None if letter.is_uppercase() == white && !"wdem".contains(letter) => {
                    return File::ALL.get(file).map(|file| Square::at(*file, rank));
                }
                None => file += 1,
            }
        }
    }
    None
}

/// Chance that counts how often it is asked, and is never asked a forced choice.
struct Counted {
    chance: SeededChance,
    asked: u32,
}

impl Chance for Counted {
    fn choose(&mut self, candidates: u32) -> Option<u32> {
        assert!(candidates >= 2, "a forced choice asks nothing");
        self.asked += 1;
        self.chance.choose(candidates)
    }
}

/// Plays a random game as two players would: the public state, and beside it the secret square of a hidden queen.
fn play_out(variant: Variant, seed: [u8; 32], plies: usize) {
    let mut picks = SeededChance::new(seed);
    let mut public = Game::start(variant, Setup::Asymmetric, &mut picks);
    let mut secret: Option<Square> = None;
    let mut chance = Counted { chance: SeededChance::new(seed.map(|byte| !byte)), asked: 0 };
    for _ in 0..plies {
        let truth = secret.map_or_else(|| public.clone(), |square| public.opened(square));
        check_state(&public);
        check_state(&truth);
        check_secrecy(&public, &truth, secret);
        check_refusals(&public, &mut picks);
        if public.outcome().is_some() {
            return;
        }
        let actions = public.legal_actions();
        assert!(!actions.is_empty(), "something is always legal in a game: {}", public.fen());
        let action = prefer_stealth(&actions, &mut picks);
        let asked = chance.asked;
        let played = truth.play(&action, &mut chance).expect("a listed action is legal");
        if secret.is_none() {
            assert_eq!(public.reaches_choice(&action), chance.asked > asked, "{} {action}", public.fen());
        }
        check_events(&truth, &played);
        assert_eq!(sentences(&played.events).len(), played.events.len());
        (public, secret) = go_public(&truth, &action, played);
    }
}

/// Stealth moves are few among the legal actions, and worth more games than chance would give them.
fn prefer_stealth(actions: &[Action], picks: &mut SeededChance) -> Action {
    let unseen: Vec<&Action> = actions.iter().filter(|a| matches!(a, Action::Stealth { .. })).collect();
    if !unseen.is_empty() && picks.uniform(4) == 0 {
        return **pick(&unseen, picks);
    }
    *pick(actions, picks)
}

fn pick<'a, T>(list: &'a [T], picks: &mut SeededChance) -> &'a T {
    let count = u32::try_from(list.len()).expect("lists are short");
    &list[picks.uniform(count) as usize]
}

fn go_public(truth: &Game, action: &Action, played: Played<Game>) -> (Game, Option<Square>) {
    let Action::Stealth { from, to } = *action else { return (played.next, None) };
    assert!(truth.stealth_destinations(from).contains(to));
    let mut none = Counted { chance: SeededChance::new([0; 32]), asked: 0 };
    let seen = truth.play(&Action::Unseen { from }, &mut none).expect("seen by everybody, it is as legal");
    assert_eq!(none.asked, 0);
    assert_eq!(seen.events, played.events, "events do not tell where she is");
    assert_eq!(seen.next.hidden_origin(), Some(from));
    assert_eq!(seen.next.opened(to), played.next);
    (seen.next, Some(to))
}

fn check_state(game: &Game) {
    let fen = game.fen();
    let passed_out = game.outcome().is_some() && fen.contains("\"passes\":3");
    if !passed_out {
        assert_eq!(Game::from_fen(game.variant(), &fen).as_ref(), Ok(game), "{fen}");
    }
    let actions = game.legal_actions();
    assert!(game.outcome().is_none() || actions.is_empty());
    let mut texts = BTreeSet::new();
    let mut notations = BTreeSet::new();
    for action in &actions {
        assert_eq!(game.check(action), Ok(()), "{fen} {action}");
        assert_eq!(game.parse_action(&action.to_string()).as_ref(), Ok(action));
        assert_eq!(game.read_action(&action.to_string()).as_ref(), Ok(action), "{fen}");
        assert!(texts.insert(action.to_string()), "{fen} {action} is listed twice");
        let notation = game.notation(action);
        assert_eq!(game.read_action(&notation).as_ref(), Ok(action), "{fen} {notation}");
        assert!(notations.insert(notation), "{fen} {action} shares its notation");
    }
}

/// What is legal and what others see does not depend on where she is.
fn check_secrecy(public: &Game, truth: &Game, secret: Option<Square>) {
    assert_eq!(public.legal_actions(), truth.legal_actions());
    let owner = !public.turn();
    assert_eq!(public.hidden_origin().is_some(), secret.is_some());
    for viewer in [None, Some(Color::White), Some(Color::Black)] {
        let view = public.view(viewer, secret);
        assert_eq!(view.board, public.view(None, None).board);
        assert_eq!(view.board, truth.view(None, None).board);
        let shown = view.hidden.and_then(|hidden| hidden.square);
        assert_eq!(shown, secret.filter(|_| viewer == Some(owner)));
    }
}

/// Random actions are legal if and only if they are listed, standing answers and unseen moves apart.
fn check_refusals(game: &Game, picks: &mut SeededChance) {
    let listed = game.legal_actions();
    for _ in 0..40 {
        let action = any_action(picks);
        let plain = match action {
            Action::Move { from, to, promotion: Some(_) } => Action::Move { from, to, promotion: None },
            Action::Drop { role, to, .. } => Action::Drop { role, to, promotion: None },
            other => other,
        };
        if game.check(&action).is_ok() {
            assert!(listed.contains(&action) || listed.contains(&plain), "{} {action}", game.fen());
        } else {
            assert!(!listed.contains(&action), "{} {action}", game.fen());
        }
    }
}

fn any_action(picks: &mut SeededChance) -> Action {
    let squares: Vec<Square> = Square::all().collect();
    let (from, to) = (*pick(&squares, picks), *pick(&squares, picks));
    let role = *pick(&Role::ALL, picks);
    let promotion = (picks.uniform(4) == 0).then_some(role);
    match picks.uniform(6) {
        0 => Action::Stealth { from, to },
        1 => Action::Shell { from, to },
        2 => Action::Swap { low: from, high: to },
        3 => Action::Drop { role, to, promotion: None },
        4 => Action::Pass,
        _ => Action::Move { from, to, promotion },
    }
}

/// The events, applied to the visible board before, give the visible board after.
fn check_events(before: &Game, played: &Played<Game>) {
    let mut board: Squares = before.view(None, None).board;
    for event in &played.events {
        if let Event::Chance { candidates, chosen, .. } = event {
            assert!(candidates.len() >= 2 && *chosen < candidates.len());
        }
        apply(&mut board, event);
    }
    assert_eq!(board, played.next.view(None, None).board, "{} {:?}", before.fen(), played.events);
    let ended = played.events.iter().any(|event| matches!(event, Event::Ended { .. }));
    assert_eq!(ended, played.next.outcome().is_some());
}
