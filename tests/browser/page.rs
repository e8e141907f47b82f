//! What a person does on the pages: with the pointer or the keys, never by calling their functions.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::poll::until;
use crate::site::{Site, text};

/// Keys without a letter, as WebDriver writes them.
pub mod keys {
    pub const TAB: &str = "\u{e004}";
    pub const ENTER: &str = "\u{e007}";
    pub const ESCAPE: &str = "\u{e00c}";
    pub const LEFT: &str = "\u{e012}";
    pub const UP: &str = "\u{e013}";
    pub const RIGHT: &str = "\u{e014}";
    pub const DOWN: &str = "\u{e015}";
}

/// Whether nothing is waited for.
const IDLE: &str = "window.chakart && !window.chakart.busy()";

impl Browser {
    /// Opens the address that a server printed, and waits for the list of games.
    pub fn enter(&self, site: &Site) {
        self.open(site.url());
        self.until("document.querySelector('#join-form')");
        self.until(IDLE);
    }

    /// Goes to a game and waits for its board.
    pub fn sit_down(&self, site: &Site, game: &str) {
        self.open(&format!("{}/#/game/{game}", site.origin()));
        self.until("window.chakart?.table()?.position && document.querySelector('[data-square=e2]')");
        self.until(IDLE);
    }

    /// The game that the page shows.
    pub fn table(&self) -> Value {
        self.run("return window.chakart.table()", &[])
    }

    /// Waits until no answer and no animation is waited for.
    pub fn settle(&self) {
        self.until(IDLE);
    }

    /// The middle of the first element of a selector that can be seen, scrolled into the window.
    pub fn middle(&self, selector: &str) -> (i64, i64) {
        let script = "const found = document.querySelector(arguments[0]);
            if (!found || !found.getClientRects().length) return null;
            found.scrollIntoView({ block: 'nearest', behavior: 'instant' });
            const { left, top, width, height } = found.getBoundingClientRect();
            return [left + width / 2, top + height / 2].map(Math.round);";
        until(&format!("{selector} is shown"), || {
            let place = self.run(script, &[json!(selector)]);
            Some((place[0].as_i64()?, place[1].as_i64()?))
        })
    }

    /// Clicks the first element of a selector.
    pub fn click(&self, selector: &str) {
        let at = self.middle(selector);
        self.act(&pointer(&[to(at), down(), up()]));
    }

    /// Puts the pointer down on one element and lifts it on another place.
    pub fn drag(&self, selector: &str, end: (i64, i64)) {
        let start = self.middle(selector);
        let half = (i64::midpoint(start.0, end.0), i64::midpoint(start.1, end.1));
        self.act(&pointer(&[to(start), down(), to(half), to(end), up()]));
    }

    /// Presses keys one after the other, wherever the focus is.
    pub fn press(&self, pressed: &[&str]) {
        let strokes = pressed
            .iter()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key })));
        let strokes: Vec<Value> = strokes.collect();
        self.act(&json!({ "type": "key", "id": "keys", "actions": strokes }));
    }

    /// Chooses an option of a list.
    pub fn choose(&self, selector: &str, value: &str) {
        self.click_element(&format!("{selector} option[value={}]", json!(value)));
    }

    /// Clicks an element that is drawn by the browser itself, as options of a list are.
    fn click_element(&self, selector: &str) {
        let element = self.find(selector);
        let id = element.as_object().and_then(|object| object.values().next()).map(text).expect("an element");
        self.call("POST", &format!("/element/{id}/click"), &json!({}));
    }

    /// What went wrong by the console's account.
    pub fn assert_no_errors(&self) {
        let errors: Vec<_> = self
            .messages()
            .into_iter()
            .filter(|(level, _)| level == "SEVERE" || level == "WARNING")
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

fn pointer(actions: &[Value]) -> Value {
    json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions })
}

fn to((x, y): (i64, i64)) -> Value {
    json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y, "origin": "viewport" })
}

fn down() -> Value {
    json!({ "type": "pointerDown", "button": 0 })
}

fn up() -> Value {
    json!({ "type": "pointerUp", "button": 0 })
}
