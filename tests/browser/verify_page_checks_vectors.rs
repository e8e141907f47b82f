//! The page that verifies by itself, opened from a file, says of every transcript what the program says.

use std::path::{Path, PathBuf};

use chakart_core::transcript::report::Report;
use serde_json::json;

use crate::browser::Browser;
use crate::page::keys;
use crate::pages_have_no_serious_fault::inspect;
use crate::program::report;

/// The page, as its script has built it.
fn page() -> PathBuf {
    let file = workspace().join("target/verify.html");
    assert!(file.is_file(), "{} is not there; run: core/wasm/build", file.display());
    file
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

fn vectors() -> Vec<PathBuf> {
    let folder = workspace().join("core/tests/vectors/transcripts");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the vectors")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "chakart"))
        .collect();
    files.sort();
    files
}

fn open_page(browser: &Browser) {
    browser.open(&format!("file://{}", page().canonicalize().expect("a path").display()));
    browser.until("document.querySelector('#check')");
    browser.asked_for();
}

#[test]
fn every_vector_gets_the_verdict_of_the_program() {
    let browser = Browser::still();
    open_page(&browser);
    let files = vectors();
    assert!(files.len() > 20, "{} vectors", files.len());
    for file in &files {
        give(&browser, file);
        let shown = browser.run("return [document.querySelector('#verdict').innerText, document.querySelector('#report').textContent]", &[]);
        let wanted = report(file);
        let told = shown[0].as_str().unwrap_or_default().to_lowercase();
        assert!(told.contains(&first_line(&wanted).to_lowercase()), "{}: {told}\n{wanted}", file.display());
        assert_eq!(
            shown[1].as_str().unwrap_or_default().trim_end(),
            wanted.to_string().trim_end(),
            "{}",
            file.display()
        );
    }
    println!("{} transcripts were verified in the page", files.len());
    let asked = browser.asked_for();
    assert!(asked.iter().all(|url| url.starts_with("blob:") || url.starts_with("data:")), "{asked:?}");
    browser.assert_no_errors();
}

fn first_line(report: &Report) -> String {
    report.to_string().lines().next().unwrap_or_default().to_owned()
}

/// Hands a file to the page, and waits for its verdict.
fn give(browser: &Browser, file: &Path) {
    browser.run("delete document.querySelector('#verdict').dataset.verdict; document.querySelector('#verdict').hidden = true", &[]);
    browser.type_into("#file", &file.display().to_string());
    browser.until(
        "document.querySelector('#verdict').dataset.verdict && !document.querySelector('#verdict').hidden",
    );
}

#[test]
fn a_game_is_played_back() {
    let browser = Browser::still();
    open_page(&browser);
    let games = vectors();
    let game =
        games.iter().find(|file| report(file).verdict == chakart_core::transcript::report::Verdict::Finished);
    let pasted =
        std::fs::read_to_string(game.expect("a finished game among the vectors")).expect("a transcript");
    browser.run("document.querySelector('#paste').value = arguments[0]", &[json!(pasted)]);
    browser.click("#check");
    browser.until("document.querySelectorAll('#moves > *').length > 1");
    let board = "return [...document.querySelectorAll('[data-square]')].map((square) => square.getAttribute('aria-label')).join(';')";
    let before = browser.run(board, &[]);
    browser.press(&[keys::TAB]);
    browser.run("document.activeElement.blur()", &[]);
    browser.press(&[keys::RIGHT, keys::RIGHT]);
    crate::poll::until("the board changes", || (browser.run(board, &[]) != before).then_some(()));
    let mut faults = Vec::new();
    inspect(&browser, "verify", &mut faults);
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn what_is_no_transcript_gets_a_clear_answer() {
    let browser = Browser::still();
    open_page(&browser);
    for given in ["", "nonsense", "<img src=x onerror=document.title='owned'>", "chakart 1\n\u{0}\u{202e}"] {
        browser.run("document.querySelector('#verdict').hidden = true; document.querySelector('#paste').value = arguments[0]", &[json!(given)]);
        browser.click("#check");
        browser.until("!document.querySelector('#verdict').hidden");
        let verdict = browser.run("return document.querySelector('#verdict').dataset.verdict", &[]);
        assert!(verdict.is_string() && verdict != "valid", "{given}: {verdict}");
        assert_eq!(browser.run("return document.querySelectorAll('img').length", &[]), 0, "{given}");
    }
    browser.assert_no_errors();
}
