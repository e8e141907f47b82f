//! Headless Chromium, driven by WebDriver: JSON over HTTP to a chromedriver of its own.
//!
//! No client library: those for Rust bring old versions of a dozen crates, and the endpoints that matter here (console
//! messages, the size of a phone) are not theirs.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use base64::Engine;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http::request;
use crate::poll::until;

/// How an element is written in JSON, as the standard has it.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Where the screen of a test stands.
pub const DESK: (u32, u32) = (1280, 800);
/// A telephone.
pub const PHONE: (u32, u32) = (390, 844);

/// A browser with one window. Dropped, it is gone with everything that it has stored.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

impl Browser {
    /// A browser that shows animations.
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// A browser whose user wants no motion.
    pub fn still() -> Self {
        Self::with(&["--force-prefers-reduced-motion"])
    }

    fn with(more: &[&str]) -> Self {
        let profile = TempDir::new().expect("a folder for a profile");
        let (driver, port) = start_driver();
        let mut browser = Self { driver, port, session: String::new(), _profile: profile };
        let folder = format!("--user-data-dir={}", browser._profile.path().display());
        let size = format!("--window-size={},{}", DESK.0, DESK.1);
        // Over a pipe, the browser ends with its driver. No sandbox: tests may run as root, and open own pages only.
        let mut arguments =
            vec!["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"];
        arguments.extend(["--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"]);
        arguments.extend([folder.as_str(), size.as_str()]);
        arguments.extend(more);
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": { "binary": program("chromium"), "args": arguments },
        }}});
        let made = browser
            .ask("POST", "/session", &capabilities)
            .unwrap_or_else(|error| panic!("no browser: {error}"));
        browser.session = made["sessionId"].as_str().expect("a session").to_owned();
        browser.resize(DESK);
        browser
    }

    /// A command of this session; what the driver says against it fails the test.
    pub fn call(&self, method: &str, command: &str, body: &Value) -> Value {
        let path = format!("/session/{}{command}", self.session);
        self.ask(method, &path, body).unwrap_or_else(|error| panic!("{method} {command} {body}: {error}"))
    }

    /// Opens an address.
    pub fn open(&self, url: &str) {
        self.call("POST", "/url", &json!({ "url": url }));
    }

    /// Runs a function body in the page; what it returns.
    pub fn run(&self, script: &str, arguments: &[Value]) -> Value {
        self.call("POST", "/execute/sync", &json!({ "script": script, "args": arguments }))
    }

    /// Runs a function body in the page that calls its last argument with its result.
    pub fn run_to_call(&self, script: &str, arguments: &[Value]) -> Value {
        self.call("POST", "/execute/async", &json!({ "script": script, "args": arguments }))
    }

    /// Waits until an expression of the page is true.
    pub fn until(&self, expression: &str) {
        let script = format!("return Boolean({expression})");
        let state = "return document.body ? document.body.innerText.slice(0, 3000) : ''";
        let seen = std::panic::AssertUnwindSafe(|| {
            until(expression, || (self.run(&script, &[]) == true).then_some(()));
        });
        if let Err(panic) = std::panic::catch_unwind(seen) {
            println!("the page shows: {}\nits messages: {:#?}", self.run(state, &[]), self.messages());
            self.picture(Path::new("target/screens"), "waited-in-vain");
            std::panic::resume_unwind(panic);
        }
    }

    /// The only element of a selector, as WebDriver names it; waits until it is there.
    pub fn find(&self, selector: &str) -> Value {
        self.until(&format!("document.querySelector({})", json!(selector)));
        self.call("POST", "/element", &json!({ "using": "css selector", "value": selector }))
    }

    /// Types into the element of a selector; special keys are those of [`keys`].
    pub fn type_into(&self, selector: &str, text: &str) {
        let element = self.find(selector);
        let id = element[ELEMENT].as_str().expect("an element");
        self.call("POST", &format!("/element/{id}/value"), &json!({ "text": text }));
    }

    /// Lets the pointer or the keys do something.
    pub fn act(&self, source: &Value) {
        self.call("POST", "/actions", &json!({ "actions": [source] }));
    }

    /// The size of the page's part of the window.
    pub fn resize(&self, (width, height): (u32, u32)) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let command = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": metrics });
        self.call("POST", "/goog/cdp/execute", &command);
    }

    /// Messages of the console since the last call, among them violations of a page's policy: level and text.
    pub fn messages(&self) -> Vec<(String, String)> {
        self.log("browser")
            .iter()
            .map(|entry| (text_of(&entry["level"]), text_of(&entry["message"])))
            .collect()
    }

    /// Addresses that were asked for since the last call.
    pub fn asked_for(&self) -> Vec<String> {
        let events = self.log("performance");
        let events =
            events.iter().filter_map(|entry| serde_json::from_str::<Value>(entry["message"].as_str()?).ok());
        events
            .map(|event| event["message"].clone())
            .filter(|message| message["method"] == "Network.requestWillBeSent")
            .map(|message| text_of(&message["params"]["request"]["url"]))
            .collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        let log = self.call("POST", "/se/log", &json!({ "type": kind }));
        log.as_array().cloned().unwrap_or_default()
    }

    /// Stores a picture of the window as `NAME.png` in a folder of the workspace.
    pub fn picture(&self, folder: &Path, name: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        let coded = text_of(&self.call("GET", "/screenshot", &Value::Null));
        let bytes = base64::engine::general_purpose::STANDARD.decode(coded).expect("a picture");
        std::fs::write(folder.join(format!("{name}.png")), bytes).expect("the picture can be written");
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let answer =
            request(self.port, method, path, &[("Content-Type", "application/json")], body.as_bytes());
        let value = answer.json()["value"].take();
        if answer.status == 200 { Ok(value) } else { Err(text_of(&value["message"])) }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Either may have ended by itself.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Starts a chromedriver on a port of its choice.
fn start_driver() -> (Child, u16) {
    let mut child = Command::new(program("chromedriver"))
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let said = line.strip_prefix("ChromeDriver was started successfully on port ")?;
        said.trim_end_matches('.').parse().ok()
    });
    // It may go on printing.
    std::thread::spawn(move || lines.for_each(drop));
    (child, port.expect("chromedriver tells its port"))
}

/// The path of a program that must be there: a skipped test would look like one that held.
fn program(name: &str) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    let found = found.unwrap_or_else(|| {
        panic!("these tests need '{name}': apt-get install chromium chromium-driver (Debian's packages)")
    });
    found.to_string_lossy().into_owned()
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
