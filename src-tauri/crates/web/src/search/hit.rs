//! Results out of JSON replies.

use nexi_core::ports::{Cause, Failure, Hit};
use nexi_core::text::{fold_space, truncate};
use serde_json::Value;

use crate::client::ApiReply;
use crate::html::strip_tags;
use crate::page::dates;

/// Bytes of a snippet that are kept; some services send whole pages.
const MAX_SNIPPET: usize = 2000;

/// The names of a result's fields; of several the first that is there counts.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    pub title: &'static str,
    pub url: &'static str,
    pub snippet: &'static [&'static str],
    pub date: &'static [&'static str],
}

/// The results that stand at the first of these places.
pub(super) fn list(service: &str, reply: &ApiReply, places: &[&str], fields: Fields) -> Result<Vec<Hit>, Failure> {
    within(service, &reply.json(service)?, places, fields)
}

/// The results within a reply that has been read.
pub(super) fn within(service: &str, value: &Value, places: &[&str], fields: Fields) -> Result<Vec<Hit>, Failure> {
    let Some(items) = places.iter().find_map(|place| value.pointer(place)?.as_array()) else {
        // No result at all is often told by leaving the list out.
        return if value.is_object() { Ok(Vec::new()) } else { Err(Failure::because(Cause::NoResults { service: service.to_owned() })) };
    };
    Ok(items.iter().filter_map(|item| hit(item, fields)).collect())
}

/// A result out of an object; none without an http address.
pub(super) fn hit(item: &Value, fields: Fields) -> Option<Hit> {
    let text = |name: &str| match item.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" … ")),
        _ => None,
    };
    let first = |names: &[&str]| names.iter().find_map(|name| text(name).filter(|text| !text.trim().is_empty()));
    make(text(fields.title).unwrap_or_default(), &text(fields.url)?, first(fields.snippet).unwrap_or_default(), first(fields.date))
}

/// A result out of its parts, cleaned.
pub(super) fn make(title: String, url: &str, snippet: String, date: Option<String>) -> Option<Hit> {
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return None;
    }
    let title = strip_markup(&title);
    Some(Hit {
        title: if title.is_empty() { nexi_core::urls::site(url) } else { title },
        url: url.to_owned(),
        snippet: strip_markup(&truncate(&snippet, MAX_SNIPPET)),
        date: date.and_then(|date| dates::day(&date).or_else(|| days_ago(&date))),
        ..Hit::default()
    })
}

/// Text without the few tags that services mark words with. Others are words: a title may be about `<nav>`.
fn strip_markup(text: &str) -> String {
    const TAGS: [&str; 14] = ["b", "strong", "em", "i", "mark", "span", "p", "br", "code", "pre", "a", "div", "ul", "li"];
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let name: String =
            rest.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let is_markup = TAGS.contains(&name.as_str()) && rest.contains('>');
        plain.push_str(if is_markup { "<" } else { "&lt;" });
    }
    plain.push_str(rest);
    fold_space(&strip_tags(&plain))
}

/// The day of `3 days ago`.
fn days_ago(text: &str) -> Option<String> {
    let lower = text.trim().to_ascii_lowercase();
    let (number, unit) = lower.strip_suffix(" ago")?.split_once(' ')?;
    let number: i64 = if matches!(number, "a" | "an") { 1 } else { number.parse().ok()? };
    let hours = match unit.trim_end_matches('s') {
        "second" | "sec" | "minute" | "min" => 0,
        "hour" => 1,
        "day" => 24,
        "week" => 24 * 7,
        "month" => 24 * 30,
        "year" => 24 * 365,
        _ => return None,
    };
    let age = jiff::SignedDuration::from_hours(number.clamp(0, 100).saturating_mul(hours));
    Some(jiff::Timestamp::now().checked_sub(age).ok()?.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_angles_are_words() {
        assert_eq!(strip_markup("<b>The</b> &lt;nav&gt; and the <template> element, x<y"), "The <nav> and the <template> element, x<y");
    }

    #[test]
    fn ages_become_days() {
        assert!(days_ago("an hour ago").is_some());
        assert!(days_ago("3 days ago").unwrap() < days_ago("1 day ago").unwrap());
        assert!(days_ago("2 years ago").unwrap() < days_ago("5 months ago").unwrap());
        assert_eq!(days_ago("soon"), None);
    }
}
