//! The demo, as a person runs it: two nodes over loopback, and a transcript that the program itself finds valid.

use std::path::Path;
use std::process::{Command, Output};

fn chakart(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chakart"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program was built for this test")
}

#[test]
fn every_variant_is_played_to_a_verified_end() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for variant in chakart_core::rules::Variant::ALL {
        let name = variant.info().name;
        let played =
            chakart(folder.path(), &["demo", "--quiet", "--seed", "5", "--plies", "30", "--variant", name]);
        let said = String::from_utf8_lossy(&played.stdout);
        assert!(played.status.success(), "{name}: {played:?}");
        assert!(said.starts_with("valid, finished") && said.ends_with("demo-5.chakart\n"), "{name}: {said}");
        let verified = chakart(folder.path(), &["verify", "demo-5.chakart"]);
        assert!(verified.status.success(), "{name}: {verified:?}");
    }
}

#[test]
fn a_seed_gives_one_game() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for file in ["one.chakart", "two.chakart"] {
        let played = chakart(folder.path(), &["demo", "-q", "--seed", "8", "--plies", "12", "--out", file]);
        assert!(played.status.success(), "{played:?}");
    }
    let [one, two] = ["one.chakart", "two.chakart"].map(|file| std::fs::read(folder.path().join(file)).ok());
    assert!(one.is_some() && one == two);
}
