//! When a question is checked again.

use jiff::{SignedDuration, ToSpan, Zoned};
use nexi_core::protocol::{Schedule, WatchedQuestion};

/// After the first failure; each further one doubles it.
const RETRY: u32 = 60;

/// The next check after `now`, in Unix milliseconds. A time of day is one by the clock of this computer, whatever is done
/// to it in spring and autumn.
pub(super) fn next(schedule: Schedule, now: &Zoned) -> i64 {
    let later = || now.saturating_add(SignedDuration::from_mins(schedule.minutes.into()));
    let at_time = || {
        let (days, at) = (schedule.days()?, i8::try_from(schedule.at? / 60).ok()?);
        let minute = i8::try_from(schedule.at? % 60).ok()?;
        let day = now.date().checked_add(i64::from(days).days()).ok()?;
        day.at(at, minute, 0, 0).to_zoned(now.time_zone().clone()).ok()
    };
    at_time().unwrap_or_else(later).timestamp().as_millisecond()
}

/// The next check after one that gave no answer: soon at first, and never later than it would be anyway.
pub(super) fn next_after_failure(watched: &WatchedQuestion, now: &Zoned) -> i64 {
    let minutes = RETRY.saturating_mul(1 << watched.failures.min(16));
    let soon = now.saturating_add(SignedDuration::from_mins(minutes.into())).timestamp().as_millisecond();
    soon.min(next(watched.schedule, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_keeps_to_the_clock() {
        let now: Zoned = "2026-03-28T09:30:00+01:00[Europe/Berlin]".parse().unwrap();
        let at = |schedule: &str| {
            let next = next(schedule.parse().unwrap(), &now);
            jiff::Timestamp::from_millisecond(next).unwrap().to_zoned(now.time_zone().clone()).strftime("%m-%d %H:%M").to_string()
        };
        // The clock is put forward in the night between.
        assert_eq!(at("1d at 08:00"), "03-29 08:00");
        assert_eq!(at("24h"), "03-29 10:30");
        assert_eq!(at("1w at 18:05"), "04-04 18:05");
        assert_eq!(at("6h"), "03-28 15:30");
        // An hour that is left out.
        assert_eq!(at("1d at 02:30"), "03-29 03:30");
    }
}
