//! A whole game, from the list of games to its end, without a pointer.

use std::collections::VecDeque;
use std::path::Path;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::duel::{Dice, Duel, is_over};
use crate::mouse_plays_whole_games::{await_taken, await_turn};
use crate::page::keys::{DOWN, ENTER, ESCAPE, LEFT, RIGHT, TAB, UP};
use crate::site::{Site, text};

/// Own actions after which the game is given up.
const MAX_OWN_ACTIONS: usize = 40;
/// More stops than a page has.
const MAX_STOPS: usize = 150;

#[test]
fn from_the_list_of_games_to_the_end() {
    let (mine, theirs) = (Site::open(), Site::open());
    let browser = Browser::still();
    browser.enter(&mine);
    let invite = offer(&browser);
    let name = theirs.join(&invite);
    browser.until("window.chakart.table()?.position && window.chakart.table().me");
    browser.settle();
    let names = [text(&browser.table()["name"]).to_owned(), name];
    let mut duel = Duel { mine: &mine, theirs: &theirs, names, dice: Dice(5), line: VecDeque::new() };
    for done in 0..MAX_OWN_ACTIONS {
        let Some(table) = await_turn(&browser, &mut duel) else { break };
        let choice = duel.choose_mine(&table);
        if done == 0 {
            change_ones_mind(&browser, &choice);
        }
        by_keys(&browser, &choice);
        await_taken(&browser, &table);
    }
    if !is_over(&browser.table()) {
        resign(&browser);
    }
    browser.until("window.chakart.table().finished || window.chakart.table().position.outcome");
    duel.await_their_end();
    browser.picture(Path::new("target/screens"), "keyboard-end");
    println!("by keys: {} acts", browser.table()["acts"].as_array().map_or(0, Vec::len));
    duel.verify();
    browser.assert_no_errors();
}

/// Makes an offer; its invite.
fn offer(browser: &Browser) -> String {
    tab_to(browser, "#new-game");
    browser.press(&[ENTER]);
    browser.until("document.querySelector('#offer-form')");
    tab_to(browser, "#offer-color");
    browser.press(&["W"]);
    assert_eq!(browser.run("return document.querySelector('#offer-color').value", &[]), "white");
    tab_to(browser, "#offer-name");
    browser.press(&["B", "o", "b"]);
    tab_to(browser, "#make-offer");
    browser.press(&[ENTER]);
    browser.until("document.querySelector('#invite-text')?.value.startsWith('chakart:')");
    text(&browser.run("return document.querySelector('#invite-text').value", &[])).to_owned()
}

/// Takes a man up and puts him back.
fn change_ones_mind(browser: &Browser, choice: &Value) {
    let before = browser.table();
    go_to(browser, text(&choice["ways"][0]["from"]));
    browser.press(&[ENTER, ESCAPE]);
    assert_eq!(browser.run("return document.querySelectorAll('.selected-tile').length", &[]), 0);
    assert_eq!(browser.table(), before);
}

fn by_keys(browser: &Browser, choice: &Value) {
    browser.settle();
    let way = &choice["ways"][0];
    if choice["action"] == "pass" {
        tab_to(browser, "#pass");
        browser.press(&[ENTER]);
    } else {
        for end in ["from", "to"] {
            if let Some(square) = way[end].as_str() {
                go_to(browser, square);
                browser.press(&[ENTER]);
            }
        }
    }
    answer(browser, text(&choice["action"]));
}

/// Answers what is asked: by a digit, or beyond nine by going down the list.
fn answer(browser: &Browser, action: &str) {
    let place = "const answers = [...document.querySelectorAll('#choice:not([hidden]) .answer')];
        return answers.length ? answers.findIndex(({ dataset }) =>
            dataset.action === arguments[0] || dataset.answer === 'yes') : null;";
    while let Some(index) = browser.run(place, &[json!(action)]).as_i64() {
        assert!(index >= 0, "{action} is not among the answers");
        if index < 9 {
            browser.press(&[&(index + 1).to_string()]);
        } else {
            let downs: Vec<&str> = (0..index).map(|_| DOWN).collect();
            browser.press(&downs);
            browser.press(&[ENTER]);
        }
    }
}

/// Walks over the board to a square.
fn go_to(browser: &Browser, square: &str) {
    if browser.run("return Boolean(document.activeElement?.dataset?.square)", &[]) != true {
        tab_to(browser, "[data-square]");
    }
    let bottom = browser.run("return document.querySelector('#board [data-square]').dataset.square", &[]);
    let white_below = bottom == "a8";
    let at = text(&browser.run("return document.activeElement.dataset.square", &[])).to_owned();
    let steps = |index: usize, up: &'static str, down: &'static str| {
        let (from, to) = (at.as_bytes()[index], square.as_bytes()[index]);
        let key = if (to > from) == white_below { up } else { down };
        vec![key; usize::from(from.abs_diff(to))]
    };
    browser.press(&[steps(0, RIGHT, LEFT), steps(1, UP, DOWN)].concat());
    assert_eq!(browser.run("return document.activeElement.dataset.square", &[]), square);
}

fn resign(browser: &Browser) {
    tab_to(browser, "#resign");
    browser.press(&[ENTER]);
    browser.until("!document.querySelector('#choice').hidden");
    browser.press(&["1"]);
}

/// Goes on with Tab until an element of the selector has the focus, and the focus can be seen.
fn tab_to(browser: &Browser, selector: &str) {
    for _ in 0..MAX_STOPS {
        if browser.run("return Boolean(document.activeElement?.matches(arguments[0]))", &[json!(selector)])
            == true
        {
            let outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle", &[]);
            assert_ne!(outline, "none", "the focus on {selector} cannot be seen");
            return;
        }
        browser.press(&[TAB]);
    }
    panic!("no Tab leads to {selector}");
}
