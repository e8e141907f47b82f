//! Every page in every theme, at the sizes of a desk and a telephone: axe-core finds nothing that keeps people out. Pictures go
//! to `target/screens`, for people to look at.

use std::path::Path;

use serde_json::{Value, json};

use crate::browser::{Browser, DESK, PHONE};
use crate::duel::{Dice, is_over, may_choose};
use crate::mouse_plays_whole_games::square;
use crate::poll::until;
use crate::site::{Site, text};

const THEMES: [&str; 3] = ["light", "dark", "contrast"];

/// Checks the page and passes on what is serious: the rule, its words, and the elements with what is wrong with each.
const LOOK: &str = "const done = arguments[arguments.length - 1];
    const grave = ({ impact }) => impact === 'serious' || impact === 'critical';
    const told = ({ id, help, nodes }) => [id, help, ...nodes.map(({ html, failureSummary }) => html.slice(0, 300) + failureSummary)];
    axe.run(document, { resultTypes: ['violations'] })
        .then(({ violations }) => done(violations.filter(grave).map(told)), (error) => done([String(error)]));";

/// Turns that are played at most in search of a choice and a chance.
const MAX_ACTIONS: usize = 60;

#[test]
fn lists_forms_and_the_invite() {
    let (host, guest) = (Site::open(), Site::open());
    let browser = Browser::still();
    let mut faults = Vec::new();
    browser.enter(&host);
    inspect(&browser, "lobby-empty", &mut faults);
    browser.click("#new-game");
    browser.until("document.querySelector('#offer-variant option')");
    inspect(&browser, "new-game", &mut faults);
    browser.click("#make-offer");
    browser.until("document.querySelector('#invite-text')?.value.startsWith('chakart:')");
    inspect(&browser, "invite", &mut faults);
    fill_lobby(&host, &guest);
    browser.open(&format!("{}/#/", host.origin()));
    browser.until(
        "document.querySelectorAll('a[data-game]').length === 3 && document.querySelector('[data-invite]')",
    );
    inspect(&browser, "lobby-full", &mut faults);
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_board_and_what_is_asked_beside_it() {
    let (host, guest) = (Site::open(), Site::open());
    let [game, theirs] = host.begin_with(&guest, "chakart", "white");
    guest.deed(&theirs, &json!({ "deed": "say", "text": "Good luck!\nAnd have fun." }));
    let browser = Browser::still();
    let mut faults = Vec::new();
    browser.enter(&host);
    browser.sit_down(&host, &game);
    inspect(&browser, "board-start", &mut faults);
    let (choice, chance) = play_to_a_choice(&host, &guest, [&game, &theirs]);
    browser.until(&format!(
        "JSON.stringify(window.chakart.table().legal).includes({})",
        json!(format!("\"{}\"", text(&chance["action"])))
    ));
    browser.settle();
    point(&browser, &choice, false);
    inspect(&browser, "board-selected", &mut faults);
    point(&browser, &choice, true);
    browser.until("!document.querySelector('#choice').hidden");
    inspect(&browser, "choice", &mut faults);
    browser.press(&[crate::page::keys::ESCAPE, crate::page::keys::ESCAPE]);
    browser.until("document.querySelector('#choice').hidden");
    inspect_odds(&browser, &chance, &mut faults);
    browser.click("#show-rules");
    browser.until("document.querySelector('dialog[open] pre')");
    inspect(&browser, "rules", &mut faults);
    browser.press(&[crate::page::keys::ESCAPE]);
    host.deed(&game, &json!({ "deed": "act", "action": chance["action"] }));
    until("chance has decided", || {
        (host.get(&format!("/api/games/{game}/luck"))["draws"] != 0).then_some(())
    });
    if !is_over(&host.table(&game)) {
        host.deed(&game, &json!({ "deed": "resign" }));
    }
    browser.until("window.chakart.table().finished");
    inspect(&browser, "board-end", &mut faults);
    browser.open(&format!("{}/#/luck", host.origin()));
    browser.until("document.querySelector('#page table')");
    inspect(&browser, "luck", &mut faults);
    browser.assert_no_errors();
    assert!(faults.is_empty(), "{faults:#?}");
}

fn inspect_odds(browser: &Browser, chance: &Value, faults: &mut Vec<String>) {
    point(browser, chance, false);
    point(browser, chance, true);
    let way = json!(chance["action"]);
    while browser.run("return Boolean(document.querySelector('#choice [data-answer=odds]'))", &[]) != true {
        browser.click(&format!("#choice [data-action={way}]"));
    }
    browser.click("#choice [data-answer=odds]");
    browser.until("document.querySelector('.odds table')");
    inspect(browser, "odds", faults);
    browser.click("#choice [data-answer=no]");
}

/// Clicks the first end of the way of an action, or the other.
fn point(browser: &Browser, choice: &Value, second: bool) {
    if let Some(at) = choice["ways"][0][if second { "to" } else { "from" }].as_str() {
        browser.click(&square(at));
    }
}

/// A game, an invite to this player, an open offer and a finished game.
fn fill_lobby(host: &Site, guest: &Site) {
    for variant in ["chakart", "dynamo"] {
        host.begin_with(guest, variant, "white");
    }
    let [over, _] = host.begin_with(guest, "chakart-1st", "black");
    host.deed(&over, &json!({ "deed": "resign" }));
    let key = host.person.json(&["id", "show"])["key"].take();
    guest.post(
        "/api/offers",
        &json!({ "variant": "chakart-2nd", "color": "random", "friend": key, "name": "Bob" }),
    );
}

/// Lets both play until the host can choose between two actions of one way, and take a chance; one of each.
fn play_to_a_choice(host: &Site, guest: &Site, [game, theirs]: [&str; 2]) -> (Value, Value) {
    let mut dice = Dice(3);
    for _ in 0..MAX_ACTIONS {
        let table = host.await_table(game, "the host's turn", may_choose);
        let legal = table["legal"].as_array().expect("a list");
        let same = |a: &&Value| {
            legal.iter().any(|b| b["action"] != a["action"] && two_ended(a) && b["ways"][0] == a["ways"][0])
        };
        let chance = |a: &&Value| {
            a["chance"] == true
                && two_ended(a)
                && legal.iter().filter(|b| b["ways"] == a["ways"]).count() == 1
        };
        if let (Some(choice), Some(chance)) = (legal.iter().find(same), legal.iter().find(chance)) {
            return (choice.clone(), chance.clone());
        }
        play_any(host, game, &mut dice);
        guest.await_table(theirs, "the guest's turn", may_choose);
        play_any(guest, theirs, &mut dice);
    }
    panic!("no position with both a choice and a chance came up");
}

fn two_ended(choice: &Value) -> bool {
    choice["ways"][0]["to"].is_string()
}

fn play_any(site: &Site, game: &str, dice: &mut Dice) {
    let mut table = site.table(game);
    while let Some(legal) = table["legal"].as_array().filter(|legal| !legal.is_empty()) {
        let action = legal[dice.below(legal.len())]["action"].clone();
        table = site.deed(game, &json!({ "deed": "act", "action": action }))["table"].take();
    }
}

/// Looks at a page in every theme; adds what axe-core finds.
pub fn inspect(browser: &Browser, name: &str, faults: &mut Vec<String>) {
    if browser.run("return typeof axe", &[]) == "undefined" {
        browser.run(&axe(), &[]);
    }
    let asked =
        browser.run("return document.activeElement?.closest('#choice, dialog') !== null", &[]) == true;
    for theme in THEMES {
        // While something is asked, the pointer would answer it.
        let set = "const theme = document.querySelector('#theme'); theme.value = arguments[0]; theme.dispatchEvent(new Event('change', { bubbles: true }))";
        if asked {
            browser.run(set, &[json!(theme)]);
        } else {
            browser.choose("#theme", theme);
        }
        browser.until(&format!("document.documentElement.dataset.theme === {}", json!(theme)));
        for (kind, size) in [("desk", DESK), ("phone", PHONE)] {
            browser.resize(size);
            browser.picture(Path::new("target/screens"), &format!("{name}-{theme}-{kind}"));
            let found = browser.run_to_call(LOOK, &[]);
            faults.extend(
                found
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(|fault| format!("{name}, {theme}, {kind}: {fault:#}")),
            );
            let wide = browser.run("return document.documentElement.scrollWidth - innerWidth", &[]);
            if wide.as_i64().is_none_or(|wide| wide > 0) {
                faults.push(format!("{name}, {theme}, {kind}: {wide} pixels too wide"));
            }
        }
        browser.resize(DESK);
    }
}

/// The source of axe-core, as `npm ci` has put it.
fn axe() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("browser/js/node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; run: npm ci --prefix tests/browser/js", file.display()))
}
