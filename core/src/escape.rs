//! Text of other people, made harmless: nothing in it moves the cursor, hides, or reorders what stands around it.

use std::fmt::Write as _;

/// Characters that are invisible, or change the order or the look of their neighbours, beside control characters and
/// white space: formatting characters (Unicode category Cf), fillers, variation selectors, private use, tags.
const INVISIBLE: [(u32, u32); 27] = [
    (0xAD, 0xAD),
    (0x034F, 0x034F),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xE000, 0xF8FF),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x110BD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0x10_FFFF),
];

/// The text with everything that is not plainly visible written as `\u{…}`, and `\` as `\\`.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\\' {
            shown.push_str("\\\\");
        } else if is_visible(c) {
            shown.push(c);
        } else {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        }
    }
    shown
}

/// A name as it is shown: escaped and in quotes; a player without a name gets none.
#[must_use]
pub fn quoted(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { format!("'{}'", escaped(name)) }
}

fn is_visible(c: char) -> bool {
    let code = u32::from(c);
    c == ' '
        || !(c.is_control()
            || c.is_whitespace()
            || INVISIBLE.iter().any(|&(first, last)| (first..=last).contains(&code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_stay_as_they_are() {
        for name in ["Ada", "Žofie O'Neill", "桃子", "آدا", "a b"] {
            assert_eq!(escaped(name), name);
        }
    }

    #[test]
    fn nothing_reaches_the_terminal_unseen() {
        for (hostile, shown) in [
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("a\u{200d}b", "a\\u{200d}b"),
            ("a\u{9b}31m", "a\\u{9b}31m"),
            ("line\nline", "line\\u{a}line"),
            ("\u{a0}x\u{2028}", "\\u{a0}x\\u{2028}"),
            ("\u{e0041}", "\\u{e0041}"),
            ("\\u{1b}", "\\\\u{1b}"),
        ] {
            assert_eq!(escaped(hostile), shown);
        }
    }
}
