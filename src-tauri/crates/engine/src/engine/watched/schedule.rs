//! When a question is checked again.

use jiff::{SignedDuration, Timestamp, ToSpan, Zoned, civil::Date};
use nexi_core::protocol::{Schedule, WatchedQuestion};

/// After the first failure; each further one doubles it.
const RETRY: u32 = 60;

/// The next check after `now`, in Unix milliseconds. A time of day is one by the clock of this computer, whatever is done
/// to it in spring and autumn, and counted from the day for which the last check was planned, if there was one.
pub(super) fn next(schedule: Schedule, planned_ms: Option<i64>, now: &Zoned) -> i64 {
    let later = || now.saturating_add(SignedDuration::from_mins(schedule.minutes.into()));
    let at_time = || {
        let (days, at) = (schedule.days()?, i8::try_from(schedule.at? / 60).ok()?);
        let minute = i8::try_from(schedule.at? % 60).ok()?;
        let moment = |day: Date| day.at(at, minute, 0, 0).to_zoned(now.time_zone().clone()).ok().filter(|moment| moment > now);
        let planned = planned_ms.and_then(|ms| Timestamp::from_millisecond(ms).ok());
        let planned = planned.map(|moment| moment.to_zoned(now.time_zone().clone()).date()).filter(|day| *day <= now.date());
        let Some(planned) = planned else {
            // The first time is today, if that is still ahead and a day is all there is to wait.
            return Some(now.date())
                .filter(|_| days == 1)
                .and_then(moment)
                .or_else(|| moment(now.date().checked_add(i64::from(days).days()).ok()?));
        };
        let passed = i64::from(now.date().since(planned).ok()?.get_days()) / i64::from(days);
        (passed..=passed + 2)
            .filter(|times| *times > 0)
            .find_map(|times| moment(planned.checked_add((times * i64::from(days)).days()).ok()?))
    };
    at_time().unwrap_or_else(later).timestamp().as_millisecond()
}

/// The next check after one that gave no answer: soon at first, and never later than it would be anyway.
pub(super) fn next_after_failure(watched: &WatchedQuestion, now: &Zoned) -> i64 {
    let minutes = RETRY.saturating_mul(1 << watched.failures.min(16));
    let soon = now.saturating_add(SignedDuration::from_mins(minutes.into())).timestamp().as_millisecond();
    soon.min(next(watched.schedule, Some(watched.next_ms), now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_keeps_to_the_clock() {
        let when = |text: &str| format!("{text}[Europe/Berlin]").parse::<Zoned>().unwrap();
        let after = |schedule: &str, planned: Option<&str>, now: &Zoned| {
            let planned = planned.map(|planned| when(planned).timestamp().as_millisecond());
            let next = next(schedule.parse().unwrap(), planned, now);
            Timestamp::from_millisecond(next).unwrap().to_zoned(now.time_zone().clone()).strftime("%m-%d %H:%M").to_string()
        };
        let now = when("2026-03-28T09:30:00");
        let at = |schedule: &str| after(schedule, None, &now);
        // The clock is put forward in the night between.
        assert_eq!(at("1d at 08:00"), "03-29 08:00");
        assert_eq!(at("24h"), "03-29 10:30");
        assert_eq!(at("1w at 18:05"), "04-04 18:05");
        assert_eq!(at("6h"), "03-28 15:30");
        assert_eq!(at("1d at 10:00"), "03-28 10:00");
        // Planned before midnight and made after it; a laptop that slept for a week.
        assert_eq!(after("1d at 23:59", Some("2026-05-04T23:59:00"), &when("2026-05-05T00:02:00")), "05-05 23:59");
        assert_eq!(after("1w at 08:00", Some("2026-05-04T08:00:00"), &when("2026-05-13T09:00:00")), "05-18 08:00");
        assert_eq!(after("1d at 08:00", Some("2026-05-04T08:00:00"), &when("2026-05-09T09:00:00")), "05-10 08:00");
        // An hour that is left out.
        assert_eq!(at("1d at 02:30"), "03-29 03:30");
    }
}
