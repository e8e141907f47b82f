//! Keys, friends and backups: `id`, `friend`, `backup`, `restore`.

use super::story::Person::{Ada, Bob};
use super::story::Story;

#[test]
fn without_a_key_every_command_says_how_to_get_one() {
    let mut story = Story::without_homes();
    for command in [
        &["id"][..],
        &["id", "export", "copy.key"],
        &["games"],
        &["show", "bob-1"],
        &["join", "invite-1"],
        &["sync"],
        &["daemon"],
        &["daemon", "status"],
    ] {
        story.types(Ada, command);
    }
    story.types(Ada, &["id", "--json"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_key_is_made_shown_exported_and_imported() {
    let mut story = Story::of_two();
    story.types_both(Ada, &["id"]);
    story.types(Ada, &["id", "show"]);
    story.types(Ada, &["id", "create"]);
    story.types(Ada, &["id", "create", "--json"]);
    story.types(Ada, &["id", "export", "plain.key"]);
    story.types(Ada, &["id", "export", "plain.key"]);
    story.types(Ada, &["id", "export", "nowhere/plain.key"]);
    story.types(Bob, &["id", "import", "plain.key"]);
    story.write_private("pass", "correct horse\n");
    story.write_private("wrong", "wrong horse\n");
    story.write_private("empty", "\n");
    story.types(Ada, &["id", "export", "sealed.key", "--passphrase-file", "empty"]);
    story.types(Ada, &["id", "export", "sealed.key", "--passphrase-file", "absent"]);
    story.types(Ada, &["id", "export", "sealed.key", "--passphrase"]);
    story.types(Ada, &["id", "export", "sealed.key", "--passphrase-file", "pass"]);
    std::fs::remove_dir_all(story.path("bob")).expect("Bob's home");
    story.types(Bob, &["id", "import", "sealed.key"]);
    story.types(Bob, &["id", "import", "sealed.key", "--passphrase-file", "wrong"]);
    story.types(Bob, &["id", "import", "pass"]);
    story.types(Bob, &["id", "import", "absent.key"]);
    story.types(Bob, &["id", "import", "sealed.key", "--passphrase-file", "pass"]);
    insta::assert_snapshot!(story.record());
}

#[cfg(unix)]
#[test]
fn a_key_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut story = Story::of_two();
    let open = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(story.path("ada/identity.key"), open).expect("Ada's home");
    story.types(Ada, &["games"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn friends_are_names_of_keys() {
    let mut story = Story::of_two();
    story.types_both(Ada, &["friend", "list"]);
    story.types(Ada, &["friend", "add", "bob", Bob.key()]);
    story.types_both(Ada, &["friend", "list"]);
    story.types(Ada, &["friend", "add", "robert", Bob.key()]);
    story.types(Ada, &["friend", "add", "Bob!", Bob.key()]);
    story.types(Ada, &["friend", "add", "me", Ada.key()]);
    story.types(Ada, &["friend", "add", "eve", "1234"]);
    story.types(Ada, &["friend", "add", "eve", &"0".repeat(64)]);
    story.types(Ada, &["friend", "remove", "eve"]);
    story.types(Ada, &["friend", "remove", "bob"]);
    story.types(Ada, &["friend"]);
    insta::assert_snapshot!(story.record());
}

#[test]
fn a_backup_is_restored_into_an_empty_home() {
    let mut story = Story::of_a_game("dynamo");
    story.play(&["e2e4"]);
    story.write_private("pass", "correct horse\n");
    story.write_private("wrong", "wrong horse\n");
    story.types(Bob, &["backup", "bob.backup"]);
    story.types_both(Bob, &["backup", "bob.backup", "--passphrase-file", "pass"]);
    story.types(Bob, &["restore", "bob.backup", "--passphrase-file", "pass"]);
    std::fs::remove_dir_all(story.path("bob")).expect("Bob's home");
    story.types(Bob, &["restore", "bob.backup", "--passphrase-file", "wrong"]);
    story.types(Bob, &["restore", "pass", "--passphrase-file", "pass"]);
    story.types(Bob, &["restore", "absent", "--passphrase-file", "pass"]);
    story.types(Bob, &["restore", "bob.backup", "--passphrase-file", "pass"]);
    story.types(Bob, &["games"]);
    story.types(Bob, &["show", "ada-1"]);
    story.types(Bob, &["move", "ada-1", "e7e5"]);
    story.types(Bob, &["confirm", "ada-1"]);
    story.types(Bob, &["confirm", "ada-1", "--yes"]);
    story.types(Bob, &["confirm", "ada-1", "--yes"]);
    story.types(Bob, &["move", "ada-1", "e7e5"]);
    insta::assert_snapshot!(story.record());
}
