//! Services that want no key: SearXNG, Wikipedia, Stack Exchange.

use nexi_core::ports::{Failure, Hit};
use nexi_core::settings::SafeSearch;
use serde_json::Value;
use url::Url;

use super::hit::{self, Fields};
use super::{Asked, Wire};
use crate::client::ApiReply;
use crate::service::Service;

const SEARXNG: Fields = Fields { title: "title", url: "url", snippet: &["content"], date: &["publishedDate"] };

pub(super) fn searxng(asked: &Asked<'_>) -> Wire {
    let safe = match asked.options.safe_search {
        SafeSearch::Off => "0",
        SafeSearch::Moderate => "1",
        SafeSearch::Strict => "2",
    };
    let mut query =
        vec![("q", asked.text.clone()), ("format", "json".to_owned()), ("safesearch", safe.to_owned()), ("pageno", "1".to_owned())];
    query.extend(asked.query.range.map(|range| ("time_range", range.as_str().to_owned())));
    query.extend(asked.options.language.clone().map(|language| ("language", language)));
    let mut wire = Wire::get("/search", query);
    wire.headers.push(("accept".into(), "application/json".into()));
    wire
}

pub(super) fn understand_searxng(service: &str, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
    if reply.status == 403 {
        return Err(Failure::new(format!("{service} does not offer JSON. Add json to search.formats in its settings.yml.")));
    }
    let value = reply.json(service)?;
    let hits = hit::within(service, &value, &["/results"], SEARXNG)?;
    let broken = value.get("unresponsive_engines").and_then(Value::as_array).map_or(0, Vec::len);
    if hits.is_empty() && broken > 0 {
        return Err(Failure::new(format!("{service} had no results because {broken} of its engines did not answer.")));
    }
    Ok(hits)
}

pub(super) fn wikipedia(asked: &Asked<'_>) -> Wire {
    let query = vec![
        ("action", "query".to_owned()),
        ("list", "search".to_owned()),
        ("format", "json".to_owned()),
        ("srlimit", asked.options.count.to_string()),
        ("srsearch", asked.text.clone()),
    ];
    Wire::get("/w/api.php", query)
}

pub(super) fn understand_wikipedia(service: &Service, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
    let value = reply.json(&service.name)?;
    if let Some(error) = value.pointer("/error/info").and_then(Value::as_str) {
        return Err(Failure::new(format!("{}: {}", service.name, nexi_core::text::truncate(error, 200))));
    }
    let items = value.pointer("/query/search").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    Ok(items
        .iter()
        .filter_map(|item| {
            let title = item.get("title")?.as_str()?;
            let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
            hit::make(title.to_owned(), &article(&service.base, title)?, text("snippet").unwrap_or_default(), text("timestamp"))
        })
        .collect())
}

fn article(base: &str, title: &str) -> Option<String> {
    let mut url = Url::parse(base).ok()?;
    url.path_segments_mut().ok()?.pop_if_empty().push("wiki").push(&title.replace(' ', "_"));
    Some(url.into())
}

pub(super) fn stackexchange(asked: &Asked<'_>, site: &str) -> Wire {
    let mut query = vec![
        ("q", asked.text.clone()),
        ("site", site.to_owned()),
        ("sort", "relevance".to_owned()),
        ("order", "desc".to_owned()),
        ("pagesize", asked.options.count.to_string()),
        ("filter", "withbody".to_owned()),
    ];
    query.extend(asked.key.map(|key| ("key", key.to_owned())));
    Wire::get("/2.3/search/advanced", query)
}

/// Errors come with a number of their own; a pause may be asked for with results, too.
pub(super) fn understand_stackexchange(service: &Service, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
    let value: Value = serde_json::from_str(&reply.body).unwrap_or_default();
    let backoff = value.get("backoff").and_then(Value::as_u64);
    if let Some(error) = value.get("error_id").and_then(Value::as_u64) {
        let said = value.get("error_message").and_then(Value::as_str).unwrap_or_default();
        // "too many requests from this IP, more requests available in 123 seconds"
        let seconds = said.split_whitespace().find_map(|word| word.parse().ok());
        return Err(match error {
            502 => crate::client::limited(&service.name, backoff.or(seconds)),
            _ => Failure::new(format!("{}: {}", service.name, nexi_core::text::truncate(said, 200))),
        });
    }
    if !reply.is_success() || value.is_null() {
        // Neither results nor an error of its own: the status, or that it is no JSON.
        reply.json(&service.name)?;
    }
    if let Some(seconds) = backoff {
        // Results, and a wish to be left alone for a while.
        service.shared.cool(Some(seconds), service.first_pause);
    }
    let items = value.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let hits = items.iter().filter_map(|item| {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let seconds = item.get("last_activity_date").or_else(|| item.get("creation_date")).and_then(Value::as_i64);
        let date = seconds.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok()).map(|time| time.strftime("%Y-%m-%d").to_string());
        hit::make(text("title"), &text("link"), text("body"), date)
    });
    Ok(hits.collect())
}
