//! The files of the pages, built into the program.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::show::svg::SYMBOLS;

/// A file of the pages.
struct File {
    path: &'static str,
    kind: &'static str,
    text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! files {
    ($($kind:ident $path:literal $file:literal),* $(,)?) => {
        [$(File { path: $path, kind: $kind, text: include_str!(concat!("../../assets/web/", $file)) }),*]
    };
}

/// Every file but the symbol sheet, which pictures use too.
const FILES: [File; 25] = files![
    HTML "/" "index.html",
    CSS "/style.css" "style.css",
    SVG "/symbols_letters.svg" "symbols_letters.svg",
    SCRIPT "/api.js" "api.js",
    SCRIPT "/asking.js" "asking.js",
    SCRIPT "/board.js" "board.js",
    SCRIPT "/chat.js" "chat.js",
    SCRIPT "/choosing.js" "choosing.js",
    SCRIPT "/deeds.js" "deeds.js",
    SCRIPT "/dom.js" "dom.js",
    SCRIPT "/drag.js" "drag.js",
    SCRIPT "/film.js" "film.js",
    SCRIPT "/history.js" "history.js",
    SCRIPT "/lobby.js" "lobby.js",
    SCRIPT "/luck.js" "luck.js",
    SCRIPT "/main.js" "main.js",
    SCRIPT "/men.js" "men.js",
    SCRIPT "/motion.js" "motion.js",
    SCRIPT "/odds.js" "odds.js",
    SCRIPT "/offer.js" "offer.js",
    SCRIPT "/settings.js" "settings.js",
    SCRIPT "/sheet.js" "sheet.js",
    SCRIPT "/table.js" "table.js",
    SCRIPT "/table_frame.js" "table_frame.js",
    SCRIPT "/turns.js" "turns.js",
];

const SYMBOL_SHEET: File = File { path: "/symbols.svg", kind: SVG, text: SYMBOLS };

/// A file by its path.
pub async fn page(uri: Uri) -> Response {
    match files().find(|file| file.path == uri.path()) {
        Some(file) => ([(header::CONTENT_TYPE, file.kind)], file.text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn files() -> impl Iterator<Item = &'static File> {
    const SHEET: &File = &SYMBOL_SHEET;
    FILES.iter().chain([SHEET])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pages together, in bytes: they come quickly on the slowest machine.
    const MAX_PAGE_BYTES: usize = 200 * 1024;

    #[test]
    fn the_pages_are_light() {
        let bytes: usize = files().map(|file| file.text.len()).sum();
        println!("the pages weigh {bytes} bytes");
        assert!(bytes <= MAX_PAGE_BYTES, "{bytes}");
    }

    #[test]
    fn no_page_names_another_server() {
        for file in files() {
            let rest = file.text.replace("http://www.w3.org/2000/svg", "");
            assert!(!rest.contains("http://") && !rest.contains("https://"), "{}", file.path);
            assert!(!rest.contains("innerHTML") && !rest.contains("eval("), "{}", file.path);
        }
    }

    #[test]
    fn every_module_that_is_imported_is_served() {
        for file in files().filter(|file| file.kind == SCRIPT) {
            let imports =
                file.text.lines().filter_map(|line| line.strip_prefix("import ")?.split('\'').nth(1));
            for module in imports {
                let path = module.trim_start_matches('.');
                assert!(files().any(|file| file.path == path), "{} imports {module}", file.path);
            }
        }
    }
}
