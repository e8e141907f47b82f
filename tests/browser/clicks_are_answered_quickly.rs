//! How long the page takes from the click that decides to the board that shows it, and what the page weighs. Figures are
//! printed, never asserted: they depend on the machine, and this program is not optimised.

use std::time::Duration;

use crate::browser::Browser;
use crate::mouse_plays_whole_games::{begin, play};
use crate::site::Site;

/// Own actions that are measured.
const ACTIONS: usize = 25;
/// Games that they take at most: some end early, and nearly all have more than five.
const MAX_GAMES: usize = 8;

/// Notes the time from the last click or drag to the first frame after the list of moves has grown.
const WATCH: &str = "window.measured = [];
    let last = 0;
    addEventListener('pointerup', () => { last = performance.now(); }, true);
    const grown = () => requestAnimationFrame(() => {
        if (last) window.measured.push(performance.now() - last);
        last = 0;
    });
    new MutationObserver(grown).observe(document.querySelector('#moves'), { childList: true });";

/// Bytes of everything that the page has loaded, the document itself too.
const WEIGHT: &str = "const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const own = entries.filter(({ name }) => !name.includes('/api/'));
    return [own.length, own.reduce((sum, entry) => sum + entry.decodedBodySize, 0)];";

#[test]
fn from_the_last_click_to_the_board() {
    let (mine, theirs) = (Site::open(), Site::open());
    let browser = Browser::still();
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..MAX_GAMES {
        if times.len() >= ACTIONS {
            break;
        }
        let mut duel = begin(&browser, &mine, &theirs, "chakart", "white");
        browser.run(WATCH, &[]);
        play(&browser, &mut duel, ACTIONS);
        let measured = browser.run("return window.measured", &[]);
        let measured = measured.as_array().expect("times").iter().filter_map(serde_json::Value::as_f64);
        times.extend(measured);
    }
    assert!(times.len() >= ACTIONS, "the board has shown acts: {times:?}");
    times.sort_by(f64::total_cmp);
    let shown = |index: usize| Duration::from_secs_f64(times[index] / 1_000.0);
    println!(
        "from click to board, {} acts: median {:.1?}, worst {:.1?}",
        times.len(),
        shown(times.len() / 2),
        shown(times.len() - 1)
    );
    let weight = browser.run(WEIGHT, &[]);
    println!("the page is {} files and {} bytes", weight[0], weight[1]);
    assert!(weight[1].as_u64().is_some_and(|bytes| bytes > 1_000), "{weight}");
}
