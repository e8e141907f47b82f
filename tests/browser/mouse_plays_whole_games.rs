//! Whole games of every variant by mouse, against a second program, to each kind of end.

use std::collections::VecDeque;
use std::path::Path;

use chakart_core::board::Color;
use chakart_core::rules::{Game, Setup, Variant};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::duel::{Dice, Duel, is_over, line_to_mate, may_choose};
use crate::poll::until;
use crate::site::{Site, text};

/// Own actions after which a game that has not ended by itself is given up.
const MAX_OWN_ACTIONS: usize = 150;
/// Every so many-th move is a drag.
const DRAG_EVERY: usize = 3;

#[test]
fn chakart_to_the_last_king() {
    let (mine, theirs) = (Site::open(), Site::open());
    let browser = Browser::still();
    let mut duel = begin(&browser, &mine, &theirs, "chakart", "white");
    let acts = play(&browser, &mut duel, MAX_OWN_ACTIONS);
    let table = browser.table();
    assert!(table["position"]["outcome"].is_string(), "after {acts} own actions: {}", table["standing"]);
    end(&browser, &duel, "mouse-king-taken");
}

#[test]
fn dynamo_to_mate() {
    let (mine, theirs) = (Site::open(), Site::open());
    let browser = Browser::still();
    let start =
        Game::start(Variant::Dynamo, Setup::Fixed, &mut chakart_core::chance::SeededChance::new([0; 32]));
    let mut duel = begin(&browser, &mine, &theirs, "dynamo", "white");
    duel.line = line_to_mate(&start, Color::White);
    println!("{:?}", duel.line);
    play(&browser, &mut duel, MAX_OWN_ACTIONS);
    assert_eq!(browser.table()["position"]["outcome"], "1-0");
    end(&browser, &duel, "mouse-mate");
}

#[test]
fn chakart_2nd_to_a_draw_agreed() {
    let (mine, theirs) = (Site::open(), Site::open());
    let browser = Browser::still();
    let mut duel = begin(&browser, &mine, &theirs, "chakart-2nd", "black");
    play(&browser, &mut duel, 6);
    if !is_over(&browser.table()) {
        browser.click("#draw");
        browser.until("window.chakart.table().draw_intent");
        play(&browser, &mut duel, 1);
        until("the offer arrives", || {
            let table = theirs.table(&duel.names[1]);
            (table["draw_offered"] == true).then_some(())
        });
        theirs.deed(&duel.names[1], &json!({ "deed": "accept-draw" }));
    }
    browser.until("window.chakart.table().finished");
    assert!(
        text(&browser.table()["standing"]).to_lowercase().contains("draw"),
        "{}",
        browser.table()["standing"]
    );
    end(&browser, &duel, "mouse-draw");
}

#[test]
fn chakart_1st_to_a_resignation_with_animations_seen() {
    let (mine, theirs) = (Site::open(), Site::open());
    let browser = Browser::start();
    let mut duel = begin(&browser, &mine, &theirs, "chakart-1st", "white");
    play(&browser, &mut duel, 8);
    if !is_over(&browser.table()) {
        browser.click("#resign");
        browser.click("#choice [data-answer=no]");
        browser.until("document.querySelector('#choice').hidden");
        browser.click("#resign");
        browser.click("#choice [data-answer=yes]");
    }
    browser.until("window.chakart.table().finished");
    end(&browser, &duel, "mouse-resigned");
}

/// From the list of games by way of an invite to a board.
pub fn begin<'a>(
    browser: &Browser,
    mine: &'a Site,
    theirs: &'a Site,
    variant: &str,
    color: &str,
) -> Duel<'a> {
    browser.enter(mine);
    browser.click("#new-game");
    browser.until("document.querySelector('#offer-form')");
    browser.choose("#offer-variant", variant);
    browser.choose("#offer-color", color);
    browser.type_into("#offer-name", "Ann");
    browser.click("#make-offer");
    browser.until("document.querySelector('#invite-text')?.value.startsWith('chakart:')");
    let invite = browser.run("return document.querySelector('#invite-text').value", &[]);
    let name = theirs.join(text(&invite));
    browser.until("window.chakart.table()?.position && window.chakart.table().me");
    browser.settle();
    let table = browser.table();
    assert_eq!((text(&table["variant"]), text(&table["me"])), (variant, color));
    let names = [text(&table["name"]).to_owned(), name];
    theirs.await_table(&names[1], "the other board is set up", |table| table["position"].is_object());
    Duel { mine, theirs, names, dice: Dice(7), line: VecDeque::new() }
}

/// Plays until the game is over or so many own actions are done; how many were.
pub fn play(browser: &Browser, duel: &mut Duel<'_>, limit: usize) -> usize {
    for done in 0..limit {
        let Some(table) = await_turn(browser, duel) else { return done };
        let choice = duel.choose_mine(&table);
        by_mouse(browser, &choice, done % DRAG_EVERY == DRAG_EVERY - 1);
        await_taken(browser, &table);
    }
    limit
}

/// Lets the other program play until the page may choose; `None` at the end of the game.
pub fn await_turn(browser: &Browser, duel: &mut Duel<'_>) -> Option<Value> {
    until("somebody's turn", || {
        duel.let_them_play();
        let table = browser.run("return window.chakart.busy() ? null : window.chakart.table()", &[]);
        (is_over(&table) || may_choose(&table)).then_some(table)
    });
    let table = browser.table();
    (!is_over(&table)).then_some(table)
}

/// Waits until the page shows what came of an action.
pub fn await_taken(browser: &Browser, before: &Value) {
    let (acts, position) = (before["acts"].as_array().map_or(0, Vec::len), before["position"].to_string());
    let grown = format!(
        "window.chakart.table().acts.length > {acts} || JSON.stringify(window.chakart.table().position) !== {}",
        json!(position)
    );
    browser.until(&format!("({grown} || window.chakart.table().finished) && !window.chakart.busy()"));
}

/// Plays a legal action with the pointer.
fn by_mouse(browser: &Browser, choice: &Value, drag: bool) {
    browser.settle();
    let way = &choice["ways"][0];
    match (way["from"].as_str(), way["to"].as_str()) {
        _ if choice["action"] == "pass" => browser.click("#pass"),
        (Some(from), None) => browser.click(&square(from)),
        (Some(from), Some("off")) if drag => browser.drag(&square(from), beside(browser)),
        (Some(from), Some("off")) => {
            browser.click(&square(from));
            browser.click("#off");
        }
        (Some(from), Some(to)) if drag => browser.drag(&square(from), browser.middle(&square(to))),
        (Some(from), Some(to)) => {
            browser.click(&square(from));
            browser.click(&square(to));
        }
        _ => panic!("no way leads to {choice}"),
    }
    answer(browser, choice);
}

/// Answers what is asked until nothing more is: with the action itself, and with yes where that is to be confirmed.
fn answer(browser: &Browser, choice: &Value) {
    let button = format!("#choice [data-action={}], #choice [data-answer=yes]", json!(choice["action"]));
    while browser.run("return document.querySelector('#choice')?.hidden === false", &[]) == true {
        browser.click(&button);
    }
}

pub fn square(name: &str) -> String {
    format!("[data-square={name}]")
}

/// A point outside the board.
fn beside(browser: &Browser) -> (i64, i64) {
    let script = "const { right, top } = document.querySelector('#board').getBoundingClientRect(); return [right + 8, top + 100].map(Math.round)";
    let place = browser.run(script, &[]);
    (place[0].as_i64().expect("a number"), place[1].as_i64().expect("a number"))
}

fn end(browser: &Browser, duel: &Duel<'_>, picture: &str) {
    duel.await_their_end();
    browser.settle();
    browser.picture(Path::new("target/screens"), picture);
    println!("{picture}: {} acts", browser.table()["acts"].as_array().map_or(0, Vec::len));
    duel.verify();
    browser.assert_no_errors();
}
