//! Moments by the clock of this computer, as people read them.

use jiff::{Timestamp, Zoned, tz::TimeZone};

/// The day of a moment in Unix milliseconds, such as `2026-11-27`.
pub(crate) fn local_day(ms: i64) -> String {
    zoned(ms).strftime("%Y-%m-%d").to_string()
}

/// A moment in Unix milliseconds, such as `2026-11-27 08:00`.
pub fn local_time(ms: i64) -> String {
    zoned(ms).strftime("%Y-%m-%d %H:%M").to_string()
}

fn zoned(ms: i64) -> Zoned {
    Timestamp::from_millisecond(ms).unwrap_or_default().to_zoned(TimeZone::system())
}
