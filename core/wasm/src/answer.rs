//! What is said of a file: the verdict as `verify` words it, and the game, as far as it holds.

use chakart_core::escape::escaped;
use chakart_core::transcript::report::{Report, Verdict};
use chakart_core::transcript::verify::{Checked, Defect, Expected, check};
use serde::Serialize;

use crate::film::Film;

/// The answer to a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Answer {
    /// What kind of verdict it is.
    pub verdict: Verdict,
    /// The verdict in one line, escaped: the first line of `text`.
    pub line: String,
    /// The whole report, as it is printed.
    pub text: String,
    /// Whether the answer is a clear no.
    pub no: bool,
    /// The game as far as it is valid; none before the board is set up.
    pub film: Option<Film>,
}

impl Answer {
    /// Judges a file; any bytes may stand in it.
    #[must_use]
    pub fn to(bytes: &[u8]) -> Self {
        Self::of(&check(bytes, Expected::default()))
    }

    /// The answer to a file that is too large to be read, of so many bytes.
    #[must_use]
    pub fn too_large(bytes: usize) -> Self {
        Self::of(&Checked::Unreadable(Defect::TooLarge(bytes)))
    }

    /// The answer as JSON text.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("texts, numbers and maps with texts as keys can be written")
    }

    fn of(checked: &Checked) -> Self {
        let report = Report::of(checked);
        let film = match checked {
            Checked::Transcript(transcript) => Film::of(transcript),
            Checked::Evidence(_) | Checked::Unreadable(_) => None,
        };
        Self {
            verdict: report.verdict,
            line: escaped(&report.line),
            text: report.to_string(),
            no: report.verdict.is_no(),
            film,
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests read published files")]
mod tests {
    use std::path::Path;

    use chakart_core::transcript::text::MAX_FILE_BYTES;
    use serde_json::Value;

    use super::*;

    /// The published files of one kind, by name, each with the line that is due.
    fn published(kind: &str) -> Vec<(String, Vec<u8>, String)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
        let list = std::fs::read(folder.join(kind).with_extension("json")).expect("the list is there");
        let list: Value = serde_json::from_slice(&list).expect("the list is JSON");
        let cases = list["cases"].as_array().expect("a list of cases").iter();
        let text = |case: &Value, name: &str| case[name].as_str().expect("a text").to_owned();
        cases
            .map(|case| {
                let file = text(case, "file");
                let bytes = std::fs::read(folder.join(&file)).expect("the file is there");
                (file, bytes, text(case, "line"))
            })
            .collect()
    }

    fn file(name: &str) -> Vec<u8> {
        let (_, bytes, _) = published("transcripts")
            .into_iter()
            .find(|(file, ..)| file.ends_with(name))
            .expect("it is published");
        bytes
    }

    fn json(bytes: &[u8]) -> Value {
        serde_json::from_str(&Answer::to(bytes).json()).expect("an answer is JSON")
    }

    #[test]
    fn every_published_file_is_answered_as_it_is_reported() {
        let files = [published("transcripts"), published("evidence")].concat();
        assert!(files.len() > 50, "{}", files.len());
        for (name, bytes, line) in files {
            let report = Report::of(&check(&bytes, Expected::default()));
            let answer = json(&bytes);
            assert_eq!(answer["line"], line.as_str(), "{name}");
            assert_eq!(answer["text"], report.to_string().as_str(), "{name}");
            assert_eq!(answer["text"].as_str().and_then(|text| text.lines().next()), Some(&*line), "{name}");
            assert_eq!(answer["no"], report.verdict.is_no(), "{name}");
            assert_eq!(answer["verdict"], serde_json::json!(report.verdict), "{name}");
        }
    }

    #[test]
    fn a_whole_game_is_a_film() {
        let film = json(&file("whole-game.chakart"))["film"].take();
        let acts = film["acts"].as_array().expect("acts");
        assert!(acts.len() > 50, "{}", acts.len());
        assert_eq!(film["variant"], "chakart");
        assert_eq!(film["title"], "rules chakart, set-up asymmetric");
        assert_eq!(film["players"][0]["color"], "white");
        assert_eq!(film["players"][1]["color"], "black");
        assert_eq!(film["start"]["board"].as_str().map(str::len), Some(64));
        assert_eq!(acts[0]["color"], "white");
        assert!(acts.iter().all(|act| act["board"].as_str().is_some_and(|board| board.len() == 64)));
    }

    #[test]
    fn an_invalid_game_is_a_film_as_far_as_it_is_valid() {
        let answer = json(&file("illegal-action.chakart"));
        assert_eq!((&answer["no"], &answer["verdict"]), (&Value::Bool(true), &Value::from("invalid")));
        assert!(answer["film"]["acts"].as_array().is_some_and(|acts| !acts.is_empty()));
    }

    #[test]
    fn a_game_that_is_only_set_up_has_a_start_alone() {
        let answer = json(&file("no-acts.chakart"));
        assert_eq!(answer["film"]["acts"], serde_json::json!([]));
        assert_eq!(answer["film"]["start"]["turn"], "white");
        for name in ["offer-only.chakart", "accept-only.chakart"] {
            assert_eq!(json(&file(name))["film"], Value::Null, "{name}");
        }
    }

    #[test]
    fn what_is_no_file_of_this_project_is_told_in_a_line() {
        let large = vec![b'x'; MAX_FILE_BYTES + 1];
        for (bytes, line) in [
            (
                &b""[..],
                "INVALID: line 1: not a chakart file: the first line is neither 'chakart transcript 1' nor \
                'chakart evidence 1'",
            ),
            (
                b"{\"json\": true}\n",
                "INVALID: line 1: not a chakart file: the first line is neither 'chakart \
                transcript 1' nor 'chakart evidence 1'",
            ),
            (b"chakart transcript 1\n\xff\n", "INVALID: the file is not text"),
            (&large, "INVALID: the file has 67108865 bytes, at most 67108864 are read"),
        ] {
            let answer = json(bytes);
            assert_eq!(answer["line"], line);
            assert_eq!((&answer["no"], &answer["film"]), (&Value::Bool(true), &Value::Null), "{line}");
        }
        assert_eq!(Answer::too_large(large.len()), Answer::to(&large));
    }
}
