//! An invite as people hand it on: one line, the command for the friend, a QR code where there is room.

use std::io::{self, IsTerminal};

use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// Lines under a QR code that should stay in sight with it.
const LINES_BESIDE: u16 = 6;

/// The invite, the command that joins it, and a QR code if standard output is a terminal with room for it.
#[must_use]
pub fn text(invite: &str) -> String {
    let beside = |(columns, lines): (u16, u16)| {
        (usize::from(columns), usize::from(lines.saturating_sub(LINES_BESIDE)))
    };
    let code = terminal_size().and_then(|size| qr_code(invite, beside(size)));
    let code = code.map(|code| format!("{code}\n\n")).unwrap_or_default();
    format!("{code}Send this to your friend, who then types:\n\n  chakart join '{invite}'\n\n")
}

/// Columns and lines of the terminal on standard output.
fn terminal_size() -> Option<(u16, u16)> {
    if !io::stdout().is_terminal() {
        return None;
    }
    terminal_size::terminal_size().map(|(width, height)| (width.0, height.0))
}

/// A text as a QR code in half blocks, if so many columns and lines have room for it.
pub(crate) fn qr_code(text: &str, (columns, lines): (usize, usize)) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let drawn = code.render::<Dense1x2>().quiet_zone(true).build();
    let width = drawn.lines().map(|line| line.chars().count()).max()?;
    (width <= columns && drawn.lines().count() <= lines).then_some(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_drawn_only_where_it_fits() {
        let invite = format!("chakart:{}", "A".repeat(600));
        assert!(qr_code(&invite, (80, 24)).is_none());
        let drawn = qr_code(&invite, (200, 100)).expect("room enough");
        assert!(drawn.lines().count() > 30);
    }
}
