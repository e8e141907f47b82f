//! What other people call themselves and say is text on the pages, whatever it looks like.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::site::{Site, text};

/// Names that another player can sign: at most 40 bytes each.
const NAMES: [&str; 5] = [
    "<img src=x onerror=document.title='owned'>",
    "</script><script>alert(1)</script>",
    "javascript:alert(1)",
    "\u{202e}drow\u{2066}\u{200b}s",
    "&lt;b&gt;'\"`${1}",
];

const MESSAGES: [&str; 6] = [
    "<img src=x onerror=\"document.title='owned'\"><svg onload=alert(1)>",
    "</p></li></ol><script>document.title='owned'</script>",
    "<a href=\"javascript:document.title='owned'\">here</a> <iframe src=//friend.example>",
    "javascript:document.title='owned' data:text/html,<script>1</script>",
    "\u{202e}sdrawkcab\u{2069} \u{2066}\u{200b} \u{1f600} zalgo\u{300}\u{301}\u{302}",
    "first\n<b>second</b>\n${3}",
];

/// Elements that no text may bring, counted by their names; own pictures are those of the invite alone.
const ELEMENTS: &str =
    "const names = ['img', 'script', 'iframe', 'object', 'embed', 'form', 'style', 'b', 'base'];
    const count = (name) => [name, document.body.querySelectorAll(name).length];
    return Object.fromEntries(names.map(count));";

#[test]
fn names_and_messages_of_others_bring_no_element() {
    let (host, guest) = (Site::open(), Site::open());
    let browser = Browser::still();
    for name in NAMES {
        let name = &name[..name.floor_char_boundary(40)];
        let game = begin_with_guest_called(&host, &guest, name);
        browser.enter(&host);
        let row = browser
            .run("return document.querySelector(`a[data-game='${arguments[0]}']`).innerText", &[json!(game)]);
        assert!(row.as_str().is_some_and(|row| row.contains(&shown(name))), "{row} has not {name}");
        check(&browser, &json!({ "form": 1 }));
        browser.sit_down(&host, &game);
        let strips = browser.run(
            "return [...document.querySelectorAll('.strip .name')].map((name) => name.textContent)",
            &[],
        );
        assert!(
            strips.as_array().is_some_and(|names| names.contains(&json!(shown(name)))),
            "{strips} has not {name}"
        );
        check(&browser, &json!({ "form": 1 }));
    }
    browser.assert_no_errors();
}

#[test]
fn messages_of_others_stay_as_they_were_written() {
    let (host, guest) = (Site::open(), Site::open());
    let [game, theirs] = host.begin_with(&guest, "chakart", "white");
    let browser = Browser::still();
    browser.enter(&host);
    browser.sit_down(&host, &game);
    for message in MESSAGES {
        guest.deed(&theirs, &json!({ "deed": "say", "text": message }));
        let wanted = json!(message.split('\n').map(shown).collect::<Vec<_>>().join("\n"));
        browser.until(&format!(
            "[...document.querySelectorAll('.messages .theirs .said')].at(-1)?.textContent === {wanted}"
        ));
        check(&browser, &json!({ "form": 1 }));
    }
    // Own words too.
    browser.type_into("#say", MESSAGES[0]);
    browser.click("#send");
    browser.until("document.querySelectorAll('.messages .own .said').length === 1");
    check(&browser, &json!({ "form": 1 }));
    browser.assert_no_errors();
}

#[test]
fn an_offer_of_a_friend_with_a_hostile_name_stays_text() {
    let (host, guest) = (Site::open(), Site::open());
    let game = begin_with_guest_called(&host, &guest, NAMES[0].split_at(40).0);
    let theirs = guest.get("/api/lobby")["games"][0]["name"].clone();
    let key = host.person.json(&["id", "show"])["key"].clone();
    assert!(key.is_string() && theirs.is_string(), "{key} {theirs} {game}");
    let offer = json!({ "variant": "dynamo", "color": "black", "friend": key, "name": "<script>document.title=1</script>" });
    guest.post("/api/offers", &offer);
    let browser = Browser::still();
    browser.enter(&host);
    browser.until("document.querySelector('[data-invite]')");
    check(&browser, &json!({ "form": 1 }));
    assert!(
        browser
            .run("return document.body.innerText", &[])
            .as_str()
            .is_some_and(|text| text.contains("<script>"))
    );
    browser.assert_no_errors();
}

/// A game of a host with a guest of a hostile name; what the host calls it.
fn begin_with_guest_called(host: &Site, guest: &Site, name: &str) -> String {
    let offer = host.post("/api/offers", &json!({ "variant": "chakart", "color": "white" }));
    let [mine, _] = host.begin_by(text(&offer["invite"]), guest, Some(name));
    mine
}

/// The elements of the page are its own, and nothing has run.
fn check(browser: &Browser, own: &Value) {
    let counted = browser.run(ELEMENTS, &[]);
    for (name, count) in counted.as_object().expect("counts") {
        assert_eq!(count, own.get(name).unwrap_or(&json!(0)), "{name}: {counted}");
    }
    let title = browser.run("return document.title", &[]);
    assert!(title.as_str().is_some_and(|title| title.ends_with("Chakart")), "{title}");
}

/// A text as it is shown: what cannot be seen is spelled out.
fn shown(text: &str) -> String {
    chakart::show::escape::escaped(text)
}
