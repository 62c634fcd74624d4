//! How long a page stays fresh.

use std::time::Duration;

use nexi_core::ports::Page;
use url::Url;

const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;
/// However short servers want it: a run may ask for a page twice.
const SHORTEST: u64 = 60;
/// However long servers allow it.
const LONGEST: u64 = 30 * DAY;

/// How long a page need not be asked for again: as long as the server says, else by its kind.
pub(crate) fn of(page: &Page, max_age: Option<u64>, now_ms: i64) -> Duration {
    let seconds = match max_age {
        Some(seconds) => seconds.clamp(SHORTEST, LONGEST),
        None => by_kind(page, now_ms),
    };
    Duration::from_secs(seconds)
}

fn by_kind(page: &Page, now_ms: i64) -> u64 {
    let path = Url::parse(&page.url).map(|url| url.path().to_ascii_lowercase()).unwrap_or_default();
    let has = |words: &[&str]| path.split(['/', '-', '_', '.']).any(|part| words.contains(&part));
    let newest = page.modified.as_deref().max(page.date.as_deref());
    let age_days = newest.and_then(|date| days_since(date, now_ms));
    match age_days {
        // What has stood for a year will stand for another month.
        Some(days) if days > 365 => LONGEST,
        Some(days) if days > 30 => 7 * DAY,
        Some(days) if days <= 2 => 3 * HOUR,
        _ if page.paged => 7 * DAY,
        _ if has(&[
            "news",
            "live",
            "liveblog",
            "ticker",
            "breaking",
            "latest",
            "weather",
            "scores",
            "feed",
            "rss",
            "aktuell",
            "nachrichten",
        ]) =>
        {
            3 * HOUR
        }
        _ if has(&["archive", "archives", "archiv", "rfc"]) => LONGEST,
        _ if has(&["docs", "doc", "documentation", "reference", "manual", "api", "wiki", "guide", "help"]) => DAY,
        // A home page is a list of news.
        _ if path.len() <= 1 => HOUR,
        _ => 12 * HOUR,
    }
}

fn days_since(date: &str, now_ms: i64) -> Option<i64> {
    let date: jiff::civil::Date = date.get(..10)?.parse().ok()?;
    let today = jiff::Timestamp::from_millisecond(now_ms).ok()?.to_zoned(jiff::tz::TimeZone::UTC).date();
    Some(i64::from(date.until(today).ok()?.get_days()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_age_in_hours_and_archives_in_weeks() {
        let now = "2026-03-14T12:00:00Z".parse::<jiff::Timestamp>().unwrap().as_millisecond();
        let hours = |url: &str, date: Option<&str>, max_age| {
            let page = Page { url: url.into(), date: date.map(str::to_owned), ..Page::default() };
            of(&page, max_age, now).as_secs() / HOUR
        };
        assert_eq!(hours("https://e.org/news/a", None, None), 3);
        assert_eq!(hours("https://e.org/a", Some("2026-03-13"), None), 3);
        assert_eq!(hours("https://docs.e.org/docs/a", None, None), 24);
        assert_eq!(hours("https://e.org/a", Some("2019-01-01"), None), 30 * 24);
        assert_eq!(hours("https://e.org/", None, None), 1);
        assert_eq!(hours("https://e.org/news/a", None, Some(7200)), 2, "the server knows best");
        assert_eq!(of(&Page::default(), Some(0), now).as_secs(), SHORTEST);
    }
}
