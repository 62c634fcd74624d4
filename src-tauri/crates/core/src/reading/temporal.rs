//! Whether a question is about how things stand now, and how fresh its sources should be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::text::spaced_words;

/// How new results should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeRange {
    Day,
    Week,
    Month,
    Year,
}

impl TimeRange {
    /// `day`, `week`, `month` or `year`.
    pub fn as_str(self) -> &'static str {
        match self {
            TimeRange::Day => "day",
            TimeRange::Week => "week",
            TimeRange::Month => "month",
            TimeRange::Year => "year",
        }
    }
}

/// What makes a question one about the present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It asks for what is new or current.
    Latest,
    /// It asks for a version or a release.
    Version,
    /// It asks for a price, a rate or a score.
    Price,
    /// It holds an error message, whose cure changes with versions.
    ErrorMessage,
    /// It names a year.
    Year(u16),
}

/// How fresh a question wants its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness {
    pub reason: Reason,
    /// The filter for search backends; none where a filter would hide what is wanted.
    pub range: Option<TimeRange>,
}

const TODAY: &[&str] = &["today", "tonight", "right now", "this morning", "heute", "aujourd hui", "hoy"];
const THIS_WEEK: &[&str] = &["this week", "yesterday", "last week", "past week", "diese woche", "cette semaine"];
const THIS_MONTH: &[&str] =
    &["this month", "last month", "past month", "latest news", "recent news", "nachrichten", "actualités", "noticias"];
const LATEST: &[&str] = &[
    "latest",
    "newest",
    "current",
    "currently",
    "recent",
    "recently",
    "nowadays",
    "these days",
    "this year",
    "as of",
    "up to date",
    "upcoming",
    "neueste",
    "aktuell",
    "aktuelle",
    "derzeit",
    "dernier",
    "dernière",
    "actuel",
    "actuellement",
    "último",
    "última",
];
const VERSION: &[&str] =
    &["version", "release", "releases", "released", "changelog", "release notes", "roadmap", "deprecated", "end of life", "lts"];
const PRICE: &[&str] = &[
    "price",
    "prices",
    "pricing",
    "how much does",
    "how much is",
    "cost of",
    "exchange rate",
    "stock",
    "share price",
    "interest rate",
    "standings",
    "weather",
    "preis",
    "prix",
    "precio",
];
const ERROR: &[&str] = &[
    "error:",
    "exception:",
    "traceback",
    "panicked at",
    "fatal:",
    "undefined reference",
    "segmentation fault",
    "cannot find module",
    "modulenotfounderror",
    "failed with exit code",
    "stack trace",
    "errno",
    "is not recognized as",
    "no such file or directory",
    "permission denied",
    "nullpointerexception",
];

/// What the question says about time; none for questions whose answer does not age.
/// `today` is `YYYY-MM-DD`.
pub fn freshness(question: &str, today: &str) -> Option<Freshness> {
    let lower = question.to_lowercase();
    let words = spaced_words(&lower);
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(&format!(" {phrase} ")));
    let some = |reason, range| Some(Freshness { reason, range });
    let this_year: u16 = today.get(..4).and_then(|year| year.parse().ok()).unwrap_or(0);
    let speaks_of_errors = has(&["error", "exception", "failed", "fails", "code", "bug", "crash", "fehler", "erreur"]);
    if ERROR.iter().any(|mark| lower.contains(mark)) || (speaks_of_errors && has_error_code(question)) {
        return some(Reason::ErrorMessage, None);
    }
    if has(TODAY) {
        return some(Reason::Latest, Some(TimeRange::Day));
    }
    if has(THIS_WEEK) {
        return some(Reason::Latest, Some(TimeRange::Week));
    }
    if has(THIS_MONTH) {
        return some(Reason::Latest, Some(TimeRange::Month));
    }
    let years: Vec<u16> = words.split(' ').filter_map(year).collect();
    if let Some(&latest) = years.iter().max() {
        // Filters count back from today, so they suit only a year that is not over.
        return some(Reason::Year(latest), (latest >= this_year && this_year > 0).then_some(TimeRange::Year));
    }
    if has(PRICE) {
        return some(Reason::Price, Some(TimeRange::Month));
    }
    if has(VERSION) {
        return some(Reason::Version, Some(TimeRange::Year));
    }
    if has(LATEST) {
        return some(Reason::Latest, Some(TimeRange::Year));
    }
    None
}

/// The sentence for the system prompt.
pub fn advice(freshness: Freshness) -> String {
    match freshness.reason {
        Reason::Latest => {
            "The question is about how things stand now: look for sources of this year, compare their dates, and say from when the newest is.".into()
        }
        Reason::Version => {
            "The question is about a version: versions change, so find the project's own page or release notes and give the date of what you cite.".into()
        }
        Reason::Price => {
            "The question is about a figure that changes: give the day it was taken from the source, and prefer the newest source.".into()
        }
        Reason::ErrorMessage => {
            "The question holds an error message: search for its fixed words, mind the versions involved, and prefer answers that fit them.".into()
        }
        Reason::Year(year) => format!("The question names {year}: check that what you cite is about {year}, and prefer sources from that time."),
    }
}

fn year(word: &str) -> Option<u16> {
    let digits = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten().filter(|year| (1900..=2099).contains(year))
}

/// `E0432`, `TS2322`, `ORA-00942`, `0x80070005`: a code that only an error has.
fn has_error_code(question: &str) -> bool {
    question.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',' | ':' | '?')).any(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let hex = word.strip_prefix("0x").is_some_and(|rest| rest.len() >= 6 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
        let rest = word[letters..].trim_start_matches('-');
        let code = (1..=4).contains(&letters) && (4..=6).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_digit());
        // `CVE`-like names and models of cars have shorter numbers or none in capitals.
        hex || code
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_the_present_are_recognised() {
        let range = |question: &str| freshness(question, "2026-11-22").map(|found| (found.reason, found.range));
        for (question, wanted) in [
            ("What is the latest version of SQLite?", Some((Reason::Version, Some(TimeRange::Year)))),
            ("Who is the current mayor of Oslo?", Some((Reason::Latest, Some(TimeRange::Year)))),
            ("What happened in Oslo today?", Some((Reason::Latest, Some(TimeRange::Day)))),
            ("How much is a barrel of oil?", Some((Reason::Price, Some(TimeRange::Month)))),
            ("Best laptops 2026", Some((Reason::Year(2026), Some(TimeRange::Year)))),
            ("Who won the election of 2019?", Some((Reason::Year(2019), None))),
            ("error[E0432]: unresolved import", Some((Reason::ErrorMessage, None))),
            ("thread 'main' panicked at src/main.rs", Some((Reason::ErrorMessage, None))),
            ("Was kostet es heute?", Some((Reason::Latest, Some(TimeRange::Day)))),
            ("Who designed the brass clock?", None),
            ("Why is the sky blue?", None),
            ("What is a nowcast?", None),
            ("Who created Breaking Bad?", None),
            ("Who founded Fox News?", None),
            ("What does ISO9001 ask for?", None),
            ("What does error TS2322 mean?", Some((Reason::ErrorMessage, None))),
        ] {
            assert_eq!(range(question), wanted, "{question}");
        }
    }
}
