//! JSON for programs, in ASCII: whatever a peer wrote cannot reach a terminal raw, and still reads back exactly.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Writes one value on one line.
///
/// # Errors
/// Those of the output.
pub fn write_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    // In one piece: a serializer writes a few bytes at a time.
    let mut line = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut line, Ascii)).map_err(io::Error::from)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Compact, with every character beyond ASCII as `\u….`.
struct Ascii;

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut plain_from = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| !c.is_ascii() || *c == '\u{7f}') {
            writer.write_all(&fragment.as_bytes()[plain_from..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            plain_from = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[plain_from..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_ascii_and_read_back() {
        for text in ["plain", "é", "\u{202e}x\u{1f600}y", "\u{1b}[2J\u{7f}\"\\"] {
            let mut line = Vec::new();
            write_line(&mut line, &text).expect("memory");
            assert!(line.iter().all(|byte| (b' '..0x7f).contains(byte) || *byte == b'\n'), "{line:?}");
            assert_eq!(serde_json::from_slice::<String>(&line).expect("JSON"), text);
        }
    }

    #[test]
    fn odds_of_any_length_are_exact() {
        let mut line = Vec::new();
        write_line(&mut line, &u128::MAX).expect("memory");
        assert_eq!(line, b"340282366920938463463374607431768211455\n");
    }
}
