//! Games as files, checked and shown by anybody: `export`, `import`, `verify`, `replay`, `rules`.

use chakart_core::rules::Variant;

use super::story::Person::{Ada, Bob};
use super::story::{Story, other_character_in};

#[test]
fn a_transcript_is_written() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.types(Ada, &["export", "bob-1"]);
    story.types(Ada, &["export", "bob-1", "--json"]);
    story.types(Ada, &["export", "bob-1", "-o", "game.chakart"]);
    story.write_private("letter", "Dear Bob,\n");
    story.types(Ada, &["export", "bob-1", "-o", "letter"]);
    story.types(Ada, &["export", "bob-1", "-o", "nowhere/game.chakart"]);
    story.types(Ada, &["export", "bob-1", "-o", "nowhere/game.chakart", "--json"]);
    story.types(Ada, &["export", "carol-1"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_transcript_is_checked() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.done(Ada, &["export", "bob-1", "-o", "open.chakart"]);
    story.types_both(Ada, &["verify", "open.chakart"]);
    story.types(Ada, &["verify", "open.chakart", "--host", Ada.key(), "--guest", Bob.key()]);
    story.types(Ada, &["verify", "open.chakart", "--guest", Ada.key()]);
    story.done(Ada, &["resign", "bob-1", "--yes"]);
    story.done(Ada, &["export", "bob-1", "-o", "resigned.chakart"]);
    story.types(Ada, &["verify", "resigned.chakart"]);
    let text = story.read("open.chakart");
    story.write_private("cut.chakart", &text[..text.len() / 2]);
    story.write_private("endless.chakart", text.strip_suffix("end\n").expect("the last line"));
    story.write_private("forged.chakart", &forged(&text));
    story.types(Ada, &["verify", "cut.chakart"]);
    story.types(Ada, &["verify", "endless.chakart"]);
    story.types(Ada, &["verify", "forged.chakart"]);
    story.types(Ada, &["verify", "forged.chakart", "--json"]);
    story.write_private("letter", "Dear Bob,\n");
    story.types(Ada, &["verify", "letter"]);
    story.types(Ada, &["verify", "absent"]);
    story.types(Ada, &["verify", "absent", "open.chakart"]);
    story.types(Ada, &["verify"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_transcript_is_shown_act_by_act() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.done(Ada, &["export", "bob-1", "-o", "game.chakart"]);
    story.types(Ada, &["replay", "game.chakart", "--flip"]);
    story.types(Ada, &["replay", "game.chakart", "--json"]);
    story.write_private("letter", "Dear Bob,\n");
    story.types(Ada, &["replay", "letter"]);
    story.types(Ada, &["replay", "letter", "--json"]);
    story.types(Ada, &["replay", "absent"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_board_and_a_replay_are_drawn() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.done(Ada, &["export", "bob-1", "-o", "game.chakart"]);
    story.types(Ada, &["replay", "game.chakart", "--svg", "pictures"]);
    story.types(Ada, &["replay", "game.chakart", "--svg", "game.chakart"]);
    assert_eq!(story.read("pictures/002.svg"), story.done(Ada, &["show", "bob-1", "--svg"]));
    assert_ne!(story.read("pictures/002.svg"), story.done(Bob, &["show", "ada-1", "--svg"]), "turned round");
    insta::assert_snapshot!(story.record());
}

#[cfg(feature = "png")]
#[test]
fn a_board_and_a_replay_are_rendered() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.done(Ada, &["export", "bob-1", "-o", "game.chakart"]);
    story.types(Ada, &["replay", "game.chakart", "--png", "pictures"]);
    story.types(Ada, &["show", "bob-1", "--png", "board.png"]);
    story.types(Ada, &["show", "bob-1", "--png", "pictures"]);
    let [last, shown] =
        ["pictures/002.png", "board.png"].map(|name| std::fs::read(story.path(name)).expect("a picture"));
    assert!(last.starts_with(b"\x89PNG") && last == shown);
    insta::assert_snapshot!(story.record());
}

#[test]
fn luck_is_counted() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.done(Ada, &["export", "bob-1", "-o", "game.chakart"]);
    story.write_private("letter", "Dear Bob,\n");
    story.types_both(Ada, &["luck"]);
    story.types(Ada, &["luck", "carol-1"]);
    story.types(Ada, &["luck", "--file", "game.chakart"]);
    story.types(Ada, &["luck", "--file", "game.chakart", "--file", "letter"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_transcript_is_taken_as_a_game() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.done(Bob, &["export", "ada-1", "-o", "short.chakart"]);
    story.done(Ada, &["move", "bob-1", "d2d4"]);
    story.done(Ada, &["export", "bob-1", "-o", "long.chakart"]);
    story.types(Bob, &["import", "short.chakart"]);
    story.types(Bob, &["import", "long.chakart"]);
    story.types(Bob, &["import", "short.chakart", "--json"]);
    story.done(Bob, &["delete", "ada-1", "--yes"]);
    story.types(Bob, &["import", "long.chakart"]);
    story.types(Bob, &["import", "long.chakart", "--json"]);
    let text = story.read("short.chakart");
    story.write_private("cut.chakart", &text[..text.len() / 2]);
    story.write_private("forged.chakart", &forged(&text));
    story.types(Ada, &["import", "cut.chakart"]);
    story.types(Ada, &["import", "forged.chakart"]);
    story.types(Ada, &["import", "absent.chakart"]);
    let mut stranger = Story::without_homes();
    stranger.done(Ada, &["id", "create"]);
    stranger.write_private("short.chakart", &text);
    stranger.types(Ada, &["import", "short.chakart"]);
    insta::assert_snapshot!(story.record() + &stranger.record());
}

#[test]
fn a_game_is_recovered_from_its_transcript() {
    let story = Story::of_a_game("dynamo");
    story.play(&["e2e4", "e7e5"]);
    story.done(Ada, &["export", "bob-1", "-o", "game.chakart"]);
    let mut fresh = Story::of_two();
    fresh.write_private("game.chakart", &story.read("game.chakart"));
    fresh.types(Ada, &["import", "game.chakart"]);
    fresh.types(Bob, &["import", "game.chakart", "--json"]);
    fresh.types(Ada, &["games"]);
    fresh.types(Ada, &["move", "bob-1", "d2d4"]);
    fresh.types(Ada, &["confirm", "bob-1", "--yes"]);
    insta::assert_snapshot!(fresh.record());
}

#[test]
fn rules_are_printed() {
    let mut story = Story::without_homes();
    for variant in Variant::ALL {
        let printed = story.done(Ada, &["rules", variant.info().name]);
        assert_eq!(printed, chakart::show::pages::page(variant));
    }
    assert_eq!(story.done(Ada, &["rules"]), chakart::show::pages::page(Variant::Chakart));
    let object: serde_json::Value =
        serde_json::from_str(&story.done(Ada, &["rules", "dynamo", "--json"])).expect("a JSON object");
    assert_eq!(object["page"], chakart::show::pages::page(Variant::Dynamo));
    story.types(Ada, &["rules", "chess"]);
    story.types(Ada, &["rules", "chess", "--json"]);
    story.types_both(Ada, &["variants"]);
    insta::assert_snapshot!(story.record());
}

/// A transcript with another character in its last entry.
fn forged(transcript: &str) -> String {
    let (before, last) = transcript.rsplit_once("\nentry ").expect("a line for each entry");
    let (line, after) = last.split_once('\n').expect("more lines");
    format!("{before}\nentry {}\n{after}", other_character_in(line))
}
