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

#[cfg(test)]
mod tests {
    use chakart_core::protocol::entry::MAX_AT_MS;

    use super::*;

    #[test]
    fn first_and_last_stamp_are_dates() {
        assert_eq!(utc(0), "1970-01-01 00:00 UTC");
        assert_eq!(utc(MAX_AT_MS), "9999-12-31 23:59 UTC");
    }
}
