//! A game between somebody at the page and a second program, and what both choose in it.

use std::collections::VecDeque;

use chakart_core::board::Color;
use chakart_core::chance::NoChance;
use chakart_core::rules::{Game, Outcome, Rules};
use chakart_core::transcript::report::{Report, Verdict};
use serde_json::{Value, json};

use crate::poll::until;
use crate::program::report;
use crate::site::{Site, text};

/// Random games that are tried in search of a short one that ends by mate.
const TRIES: u64 = 4_000;
/// Longest such game, in actions.
const MAX_LINE: usize = 30;

/// SplitMix64: the same choices from the same seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n.max(1) as u64).expect("an index")
    }
}

/// A game between the player of a page and another program.
pub struct Duel<'a> {
    pub mine: &'a Site,
    pub theirs: &'a Site,
    /// What each calls the game.
    pub names: [String; 2],
    pub dice: Dice,
    /// Actions that both play before they choose by themselves.
    pub line: VecDeque<String>,
}

impl Duel<'_> {
    /// One of the legal actions of the player at the page, as the page lists it.
    pub fn choose_mine(&mut self, table: &Value) -> Value {
        let game = self.names[0].clone();
        choose(self.mine, &game, table, &mut self.dice, &mut self.line)
    }

    /// Lets the other program play for as long as it is its turn; its table then.
    pub fn let_them_play(&mut self) -> Value {
        let game = self.names[1].clone();
        let mut table = self.theirs.table(&game);
        while !is_over(&table) && may_choose(&table) {
            let choice = choose(self.theirs, &game, &table, &mut self.dice, &mut self.line);
            table = self.theirs.deed(&game, &json!({ "deed": "act", "action": choice["action"] }))["table"]
                .take();
        }
        table
    }

    /// Waits until the other program knows that the game is over.
    pub fn await_their_end(&self) -> Value {
        self.theirs.await_table(&self.names[1], "the other program learns of the end", is_over)
    }

    /// The transcripts of both are those of a finished game; the report on it.
    pub fn verify(&self) -> Report {
        let reports = [(self.mine, &self.names[0]), (self.theirs, &self.names[1])].map(|(site, game)| {
            let transcript = site.send("GET", &format!("/api/games/{game}/transcript"), b"");
            assert_eq!(transcript.status, 200, "{}", transcript.text());
            let file = site.person.file("game.chakart");
            std::fs::write(&file, &transcript.body).expect("a file");
            let told = site.person.done(&["verify", file.to_str().expect("a plain path")]);
            println!("{}", told.lines().next().unwrap_or_default());
            report(&file)
        });
        let [mine, theirs] = reports;
        assert_eq!(
            (mine.verdict, theirs.verdict),
            (Verdict::Finished, Verdict::Finished),
            "{mine}\n{theirs}"
        );
        mine
    }
}

pub fn is_over(table: &Value) -> bool {
    table["finished"] == true || table["position"]["outcome"].is_string()
}

pub fn may_choose(table: &Value) -> bool {
    table["legal"].as_array().is_some_and(|legal| !legal.is_empty())
}

/// The next action of the line; else one that ends the game; else any.
fn choose(site: &Site, name: &str, table: &Value, dice: &mut Dice, line: &mut VecDeque<String>) -> Value {
    let legal = table["legal"].as_array().expect("legal actions");
    let of_action = |action: &str| legal.iter().find(|choice| choice["action"] == action);
    if let Some(action) = line.pop_front() {
        return of_action(&action).unwrap_or_else(|| panic!("{action} is not in {}", json!(legal))).clone();
    }
    let game = until("the store knows the position that the page shows", || {
        let mut store = site.person.store();
        let number = store.find_game(name).ok()?.game;
        store.session(number).ok()?.game().cloned()
    });
    let ending = legal.iter().find(|choice| ends(&game, text(&choice["action"])));
    ending.unwrap_or_else(|| &legal[dice.below(legal.len())]).clone()
}

/// Whether an action surely wins at once.
fn ends(game: &Game, action: &str) -> bool {
    let Ok(action) = game.parse_action(action) else { return false };
    game.play(&action, &mut NoChance)
        .is_ok_and(|played| matches!(played.next.outcome(), Some(Outcome::Win(_))))
}

/// A short game without chance that this colour wins, found among random ones.
pub fn line_to_mate(start: &Game, winner: Color) -> VecDeque<String> {
    let mut best: Option<VecDeque<String>> = None;
    for seed in 0..TRIES {
        let longest = best.as_ref().map_or(MAX_LINE, |line| line.len() - 1);
        if let Some(line) = random_line(start, winner, longest, &mut Dice(seed)) {
            best = Some(line);
        }
    }
    best.expect("some random game ends by mate")
}

fn random_line(start: &Game, winner: Color, longest: usize, dice: &mut Dice) -> Option<VecDeque<String>> {
    let mut game = start.clone();
    let mut line = VecDeque::new();
    while game.outcome().is_none() && line.len() < longest {
        let legal = game.legal_actions();
        let action = &legal[dice.below(legal.len())];
        line.push_back(action.to_string());
        game = game.play(action, &mut NoChance).ok()?.next;
    }
    (game.outcome() == Some(Outcome::Win(winner))).then_some(line)
}
