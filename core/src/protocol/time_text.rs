//! Time controls as people write them: `none`, `3d`, `10d+1d`.
//!
//! A time is one or more numbers with a unit each, the larger unit first: `d` days, `h` hours, `m` minutes, `s` seconds,
//! `ms` milliseconds. One time is time per move; two with `+` between them are a bank and its increment.

use std::fmt;
use std::str::FromStr;

use super::entry::TimeControl;

/// Units with their milliseconds, the larger first.
const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadTime {
    /// Nothing stands where a time should.
    #[error("a time is missing; write for example 3d, 12h, 10d+1d, or none")]
    Missing,
    /// A unit without a number.
    #[error("'{0}' has no number before its unit; write for example 3d, 12h or 10d+1d")]
    NoNumber(String),
    /// A number without a unit, or with another one.
    #[error("'{0}' has no unit that is known: d, h, m and s are")]
    Unit(String),
    /// Units twice or in another order.
    #[error("'{0}': write the larger unit first, each once, as in 1d12h")]
    Order(String),
    /// No time at all for a move or in the bank.
    #[error("a time of zero gives nobody time to move; 'none' is no time control")]
    Zero,
    /// Over [`TimeControl::MAX_MS`].
    #[error("a time is at most ten years")]
    TooLong,
}

/// As [`FromStr`] reads it back.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::None => f.write_str("none"),
            Self::PerMove { move_ms } => f.write_str(&exact(move_ms)),
            Self::Bank { bank_ms, increment_ms } => write!(f, "{}+{}", exact(bank_ms), exact(increment_ms)),
        }
    }
}

impl FromStr for TimeControl {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<Self, BadTime> {
        let text = text.trim();
        if text == "none" {
            return Ok(Self::None);
        }
        let control = match text.split_once('+') {
            None => Self::PerMove { move_ms: milliseconds(text)? },
            Some((bank, increment)) => {
                Self::Bank { bank_ms: milliseconds(bank)?, increment_ms: milliseconds(increment)? }
            }
        };
        match control {
            Self::PerMove { move_ms: 0 } | Self::Bank { bank_ms: 0, .. } => Err(BadTime::Zero),
            control if control.is_in_range() => Ok(control),
            _ => Err(BadTime::TooLong),
        }
    }
}

/// A time in all of its units: `1d12h`; zero is `0s`.
#[must_use]
pub fn exact(ms: u64) -> String {
    parts(ms, UNITS.len())
}

/// A time for a glance, rounded down: its largest unit and the next, from seconds on: `2d4h`, `59s`, `0s`.
#[must_use]
pub fn rough(ms: u64) -> String {
    let largest = UNITS.iter().position(|(_, unit)| ms >= *unit).unwrap_or(3);
    let smallest = UNITS.get(largest + 1).map_or(1_000, |(_, unit)| (*unit).max(1_000));
    parts(ms - ms % smallest, 2)
}

fn parts(ms: u64, most: usize) -> String {
    let mut rest = ms;
    let mut text = String::new();
    let mut written = 0;
    for (unit, length) in UNITS {
        let count = rest / length;
        if count > 0 && written < most {
            text.push_str(&format!("{count}{unit}"));
            rest %= length;
            written += 1;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

fn milliseconds(text: &str) -> Result<u64, BadTime> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(BadTime::Missing);
    }
    let (mut total, mut smallest) = (0_u64, u64::MAX);
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, after) = rest.split_at(digits);
        if number.is_empty() {
            return Err(BadTime::NoNumber(text.to_owned()));
        }
        let letters = after.len() - after.trim_start_matches(|c: char| !c.is_ascii_digit()).len();
        let (unit, after) = after.split_at(letters);
        let length = UNITS.iter().find(|(known, _)| *known == unit).map(|(_, length)| *length);
        let length = length.ok_or_else(|| BadTime::Unit(text.to_owned()))?;
        if length >= smallest {
            return Err(BadTime::Order(text.to_owned()));
        }
        smallest = length;
        let number: u64 = number.parse().map_err(|_| BadTime::TooLong)?;
        total = number.checked_mul(length).and_then(|ms| total.checked_add(ms)).ok_or(BadTime::TooLong)?;
        rest = after;
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000;

    #[test]
    fn what_is_written_reads_back() {
        for (text, control) in [
            ("none", TimeControl::None),
            ("3d", TimeControl::PerMove { move_ms: 3 * DAY }),
            ("12h", TimeControl::PerMove { move_ms: DAY / 2 }),
            ("30m", TimeControl::PerMove { move_ms: 1_800_000 }),
            ("1d12h", TimeControl::PerMove { move_ms: DAY + DAY / 2 }),
            ("1s500ms", TimeControl::PerMove { move_ms: 1_500 }),
            ("10d+1d", TimeControl::Bank { bank_ms: 10 * DAY, increment_ms: DAY }),
            ("5m+0s", TimeControl::Bank { bank_ms: 300_000, increment_ms: 0 }),
        ] {
            assert_eq!(text.parse(), Ok(control), "{text}");
            assert_eq!(control.to_string(), text);
        }
        assert_eq!(" 48h ".parse::<TimeControl>().map(|control| control.to_string()), Ok("2d".to_owned()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let bad = |text: &str| text.parse::<TimeControl>().expect_err("no time control");
        assert_eq!(bad(""), BadTime::Missing);
        assert_eq!(bad("3d+"), BadTime::Missing);
        assert_eq!(bad("d"), BadTime::NoNumber("d".to_owned()));
        assert_eq!(bad("3"), BadTime::Unit("3".to_owned()));
        assert_eq!(bad("3 d"), BadTime::Unit("3 d".to_owned()));
        assert_eq!(bad("3w"), BadTime::Unit("3w".to_owned()));
        assert_eq!(bad("-3d"), BadTime::NoNumber("-3d".to_owned()));
        assert_eq!(bad("12h1d"), BadTime::Order("12h1d".to_owned()));
        assert_eq!(bad("1d1d"), BadTime::Order("1d1d".to_owned()));
        assert_eq!(bad("0d"), BadTime::Zero);
        assert_eq!(bad("0s+1d"), BadTime::Zero);
        assert_eq!(bad("3651d"), BadTime::TooLong);
        assert_eq!(bad("99999999999999999999d"), BadTime::TooLong);
    }

    #[test]
    fn rough_times_have_two_units_at_most() {
        for (ms, text) in [
            (0, "0s"),
            (999, "0s"),
            (59_999, "59s"),
            (61_000, "1m1s"),
            (2 * DAY + 4 * 3_600_000 + 59_000, "2d4h"),
            (3 * DAY + 60_000, "3d"),
        ] {
            assert_eq!(rough(ms), text);
        }
    }
}
