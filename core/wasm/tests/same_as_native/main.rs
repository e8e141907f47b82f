//! The verifier inside pages answers like this one, on all published files and on damaged ones.
//!
//! It takes `node` and what `core/wasm/build` leaves. Without them the test says SKIPPED and passes, except in continuous
//! integration.

#![expect(clippy::disallowed_methods, reason = "tests read published files")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chakart_wasm::answer::Answer;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");
/// Damaged copies of each published file.
const DAMAGED_COPIES: usize = 8;

#[test]
fn pages_answer_as_the_program_does() {
    let verifier = Path::new(FOLDER).join("../../target/wasm/wasm32-unknown-unknown/wasm/chakart_wasm.wasm");
    if !verifier.exists() || Command::new("node").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "this must not be skipped here: core/wasm/build, node");
        let _ =
            writeln!(std::io::stderr(), "SKIPPED pages_answer_as_the_program_does: no node, or not built");
        return;
    }
    let published = published();
    assert!(published.len() > 50, "{}", published.len());
    let mut dice = 1;
    let files: Vec<Vec<u8>> = published
        .iter()
        .flat_map(|file| std::iter::repeat_n(file, 1 + DAMAGED_COPIES).enumerate())
        .map(|(copy, file)| if copy == 0 { file.clone() } else { damaged(file, &mut dice) })
        .collect();
    let answers = answers(&verifier, &files);
    assert_eq!(answers.len(), files.len());
    for (file, answer) in files.iter().zip(answers) {
        let due = Answer::to(file).json();
        assert_eq!(answer, due, "'core/wasm/build' has to come first; {:?}", String::from_utf8_lossy(file));
    }
}

/// All published transcripts and evidence, by name.
fn published() -> Vec<Vec<u8>> {
    let folder = |kind| Path::new(FOLDER).join("../tests/vectors").join(kind);
    let mut paths: Vec<PathBuf> = ["transcripts", "evidence"]
        .into_iter()
        .flat_map(|kind| fs::read_dir(folder(kind)).expect("the folder is there"))
        .map(|file| file.expect("it is listed").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("it is read")).collect()
}

/// The file with a byte changed, with a piece taken out, or cut.
fn damaged(file: &[u8], dice: &mut u64) -> Vec<u8> {
    let mut roll = |sides: usize| {
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((*dice >> 33) % (sides.max(1) as u64)).expect("fewer than its sides")
    };
    let mut bytes = file.to_vec();
    let at = roll(bytes.len());
    match roll(3) {
        0 if !bytes.is_empty() => bytes[at] = u8::try_from(roll(256)).expect("a byte"),
        1 => drop(bytes.drain(at..(at + roll(200)).min(file.len()))),
        _ => bytes.truncate(at),
    }
    bytes
}

fn answers(verifier: &Path, files: &[Vec<u8>]) -> Vec<String> {
    let mut node = Command::new("node")
        .arg(Path::new(FOLDER).join("tests/same_as_native/answers.js"))
        .arg(verifier)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let lines: String = files.iter().map(|file| STANDARD.encode(file) + "\n").collect();
    // It reads everything before it writes anything.
    node.stdin.take().expect("piped").write_all(lines.as_bytes()).expect("it reads");
    let output = node.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the verifier has stopped at a file");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}
