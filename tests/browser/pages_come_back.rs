//! The server dies and comes back; other tabs show what one of them did.

use serde_json::json;

use crate::browser::Browser;
use crate::site::Site;

#[test]
fn a_page_says_that_the_server_is_gone_and_what_to_do() {
    let (host, guest) = (Site::open(), Site::open());
    let [game, _] = host.begin_with(&guest, "chakart", "white");
    let browser = Browser::still();
    browser.enter(&host);
    browser.sit_down(&host, &game);
    let old = host.url().to_owned();
    let host = host.restart();
    assert_ne!(old, host.url());
    browser.until("!document.querySelector('#offline').hidden");
    let said = browser.run("return document.querySelector('#offline').innerText", &[]);
    assert!(said.as_str().is_some_and(|said| said.contains("'chakart web'")), "{said}");
    // The old page has no way in any more.
    browser.run("location.reload()", &[]);
    browser.until("document.querySelector('#page').innerText.includes('Open the address that')");
    // The address in the same tab differs behind '#' alone.
    browser.open(host.url());
    browser.until(&format!("document.querySelector('a[data-game={}]')", json!(game)));
    browser.until("document.querySelector('#offline').hidden");
    assert_eq!(browser.run("return location.hash.includes(arguments[0])", &[json!(host.token())]), false);
    browser.click(&format!("a[data-game={}]", json!(game)));
    browser.until("window.chakart.table()?.legal.length");
}

#[test]
fn a_second_tab_shows_what_is_played_in_the_first() {
    let (host, guest) = (Site::open(), Site::open());
    let [game, _] = host.begin_with(&guest, "dynamo", "white");
    let browser = Browser::still();
    browser.enter(&host);
    browser.sit_down(&host, &game);
    let first = browser.call("GET", "/window", &json!(null));
    let second = browser.call("POST", "/window/new", &json!({ "type": "tab" }))["handle"].take();
    browser.call("POST", "/window", &json!({ "handle": second }));
    browser.sit_down(&host, &game);
    browser.call("POST", "/window", &json!({ "handle": first }));
    browser.click("[data-square=e2]");
    browser.click("[data-square=e4]");
    browser.until("window.chakart.table().acts.length === 1");
    browser.call("POST", "/window", &json!({ "handle": second }));
    browser.until("window.chakart.table().acts.length === 1 && document.querySelector('#moves').innerText.includes('e4')");
    browser.assert_no_errors();
}

#[test]
fn a_list_of_games_that_is_open_shows_what_has_come() {
    let (host, guest) = (Site::open(), Site::open());
    let browser = Browser::still();
    browser.enter(&host);
    let [game, theirs] = host.begin_with(&guest, "dynamo", "black");
    browser.until(&format!("document.querySelector('a[data-game={}]')", json!(game)));
    guest.deed(&theirs, &json!({ "deed": "act", "action": "e2e4" }));
    browser.until("document.title.startsWith('(1)') && document.querySelector('a[data-game] .badge.mine')");
}
