//! Command lines that need no network, with their output and exit codes.

#[test]
fn command_lines_say_what_they_said() {
    trycmd::TestCases::new().case("tests/cmd/*.toml").case("tests/cmd/*.trycmd");
}
