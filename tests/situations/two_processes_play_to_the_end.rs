//! Two programs with homes of their own play whole games over loopback, are killed at random moments, and go on.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use chakart_core::protocol::entry::EntryId;
use chakart_core::rules::{Action, Rules};
use chakart_core::transcript::report::Verdict;

use crate::program::{PATIENCE, Person, Running, begin_game, report};

/// A program is killed up to so long after the last kill.
const MAX_LIFE_MS: u64 = 500;

#[test]
fn a_game_of_every_variant_ends_and_verifies() {
    let mut dice = Dice(11);
    for variant in chakart_core::rules::Variant::ALL {
        let people = [Person::new(), Person::new()];
        let mut play = Play::begin(&people, &["--variant", variant.info().name]);
        // Dynamo has no end by luck: after so many turns White gives up.
        play.finish(&mut dice, 0, 300);
        play.check_the_end();
    }
}

#[test]
fn programs_killed_at_random_moments_lose_nothing_and_sign_nothing_twice() {
    let wanted = if std::env::var_os("CHAKART_SOAK").is_some() { 1_000 } else { 200 };
    let mut dice = Dice(42);
    let people = [Person::new(), Person::new()];
    let mut kills = 0;
    while kills < wanted {
        let mut play = Play::begin(&people, &[]);
        kills += play.finish(&mut dice, wanted - kills, usize::MAX);
        play.check_the_end();
    }
}

/// SplitMix64: the same moves and moments from the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// One game between two running programs.
struct Play<'a> {
    people: &'a [Person; 2],
    names: [String; 2],
    programs: [Option<Running>; 2],
    lines: Sender<((usize, u32), Option<String>)>,
    heard: Receiver<((usize, u32), Option<String>)>,
    /// How often each program was started: lines of earlier lives are told apart.
    lives: [u32; 2],
    /// Every entry ever seen in a store, by the place that it takes.
    signed: HashMap<EntryId, EntryId>,
    /// The most entries that each store was ever seen to hold, or its opponent to have acknowledged.
    held: [u32; 2],
    acts: usize,
    /// The last lines of both programs, and what was typed, for a failed assertion.
    scroll: VecDeque<String>,
}

impl<'a> Play<'a> {
    fn begin(people: &'a [Person; 2], settings: &[&str]) -> Self {
        let names = begin_game(&people[0], &people[1], settings);
        let (lines, heard) = channel();
        let mut play = Self {
            people,
            names,
            programs: [None, None],
            lines,
            heard,
            lives: [0, 0],
            signed: HashMap::new(),
            held: [0, 0],
            acts: 0,
            scroll: VecDeque::new(),
        };
        play.start(0);
        play.start(1);
        play
    }

    fn start(&mut self, who: usize) {
        self.lives[who] += 1;
        let arguments = ["play", &self.names[who], "--yes"];
        self.programs[who] = Some(self.people[who].start(&arguments, (who, self.lives[who]), &self.lines));
    }

    /// Plays until both programs have ended by themselves, killing one up to `kills` times; how often it did.
    fn finish(&mut self, dice: &mut Dice, kills: usize, max_acts: usize) -> usize {
        let mut done = 0;
        let mut next_kill = Instant::now() + Duration::from_millis(dice.below(MAX_LIFE_MS));
        while self.programs.iter().any(Option::is_some) {
            let patience =
                if done < kills { next_kill.saturating_duration_since(Instant::now()) } else { PATIENCE };
            match self.heard.recv_timeout(patience) {
                Ok(((who, life), line)) if life == self.lives[who] => {
                    self.hear(who, line.as_deref(), dice, max_acts);
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if done < kills => {
                    let who = usize::try_from(dice.below(2)).expect("0 or 1");
                    done += usize::from(self.kill_and_restart(who));
                    next_kill = Instant::now() + Duration::from_millis(dice.below(MAX_LIFE_MS));
                }
                Err(error) => panic!("nothing happens any more: {error}; {:#?}", self.scroll),
            }
        }
        done
    }

    fn scroll(&mut self, line: String) {
        if self.scroll.len() == 60 {
            self.scroll.pop_front();
        }
        self.scroll.push_back(line);
    }

    fn hear(&mut self, who: usize, line: Option<&str>, dice: &mut Dice, max_acts: usize) {
        self.scroll(format!("{who}: {line:?}"));
        match line {
            Some("your turn") => {
                let typed = if self.acts >= max_acts { "resign".to_owned() } else { self.choose(who, dice) };
                self.acts += 1;
                self.scroll(format!("{who} types {typed}"));
                if let Some(program) = &mut self.programs[who] {
                    // A program that is gone is started again and asks again.
                    program.type_line(&typed);
                }
            }
            Some(question) if question.starts_with("Resign this game?") => {
                if let Some(program) = &mut self.programs[who] {
                    program.type_line("y");
                }
            }
            None => {
                let code = self.programs[who].take().and_then(|mut program| program.exit_code());
                assert_eq!(code, Some(0), "{} ended", self.names[who]);
            }
            Some(_) => {}
        }
    }

    /// A random legal action; the one that takes a king, if there is one, so that games end.
    fn choose(&self, who: usize, dice: &mut Dice) -> String {
        let mut store = self.people[who].store();
        let game = store.find_game(&self.names[who]).expect("the game").game;
        let session = store.session(game).expect("a stored session");
        let state = session.game().expect("a board");
        let legal = state.legal_actions();
        let wins = |action: &&Action| {
            state
                .play(action, &mut chakart_core::chance::NoChance)
                .is_ok_and(|played| played.next.outcome().is_some())
        };
        let index = usize::try_from(dice.below(legal.len().max(1) as u64)).expect("an index");
        // By the time this is typed the turn may be over; the program then says so.
        legal.iter().find(wins).or(legal.get(index)).map_or_else(|| "show".to_owned(), ToString::to_string)
    }

    /// Whether there was a program to kill: it may have ended by itself.
    fn kill_and_restart(&mut self, who: usize) -> bool {
        let Some(mut program) = self.programs[who].take() else { return false };
        self.look();
        program.kill();
        self.look();
        self.start(who);
        true
    }

    /// Looks into both stores: nothing that was acknowledged is gone, and no place has two entries.
    fn look(&mut self) {
        for who in [0, 1] {
            let mut store = self.people[who].store();
            let summary = store.find_game(&self.names[who]).expect("the game");
            let session = store.session(summary.game).expect("a stored session");
            let length = u32::try_from(session.entries().len()).expect("few entries");
            assert!(length >= self.held[who], "{} lost entries", self.names[who]);
            self.held[who] = length;
            let other = 1 - who;
            self.held[other] = self.held[other].max(summary.delivery.length);
            for (record, before) in session.log().records().iter().skip(1).zip(session.log().records()) {
                let first = *self.signed.entry(before.id).or_insert(record.id);
                assert_eq!(first, record.id, "two entries at one place");
            }
        }
    }

    fn check_the_end(&mut self) {
        self.look();
        let files = [0, 1].map(|who: usize| self.people[who].file("game.chakart"));
        for who in [0, 1] {
            let path = files[who].to_str().expect("a plain path");
            self.people[who].done(&["export", &self.names[who], "-o", path]);
            let report = report(&files[who]);
            assert_eq!(report.verdict, Verdict::Finished, "{report}");
        }
        // A loser's last statement may still be on its way: the logs are what must agree.
        let log = |file| {
            let text = std::fs::read_to_string(file).expect("a transcript");
            text.lines().filter(|line| line.starts_with("entry ")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(log(&files[0]), log(&files[1]));
    }
}
