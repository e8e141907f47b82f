//! Stamps of entries as people read them.

use time::OffsetDateTime;
use time::macros::format_description;

/// A stamp in milliseconds of Unix time as `2026-03-01 17:05 UTC`.
#[must_use]
pub fn utc(at_ms: u64) -> String {
    let format = format_description!("[year]-[month]-[day] [hour]:[minute] UTC");
    i64::try_from(at_ms / 1_000)
        .ok()
        .and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok())
        .and_then(|moment| moment.format(&format).ok())
        .unwrap_or_else(|| format!("{at_ms} ms"))
}

/// From this difference on a stamp is doubted: an hour, in milliseconds.
const DOUBT_MS: u64 = 3_600_000;

/// Says so where a stamp and the arrival here are over an hour apart: a stamp is its author's word.
#[must_use]
pub fn doubtful(at_ms: u64, arrived_ms: u64) -> Option<String> {
    (at_ms.abs_diff(arrived_ms) > DOUBT_MS)
        .then(|| format!("  stamped {}, arrived {}", utc(at_ms), utc(arrived_ms)))
}

#[cfg(test)]
mod tests {
    use chakart_core::protocol::entry::MAX_AT_MS;

    use super::*;

    #[test]
    fn an_hour_is_no_doubt() {
        assert_eq!(doubtful(DOUBT_MS, 0), None);
        let line = "  stamped 1970-01-01 01:00 UTC, arrived 1970-01-01 00:00 UTC";
        assert_eq!(doubtful(DOUBT_MS + 1, 0).as_deref(), Some(line));
        assert!(doubtful(0, 2 * DOUBT_MS).is_some());
    }

    #[test]
    fn first_and_last_stamp_are_dates() {
        assert_eq!(utc(0), "1970-01-01 00:00 UTC");
        assert_eq!(utc(MAX_AT_MS), "9999-12-31 23:59 UTC");
    }
}
