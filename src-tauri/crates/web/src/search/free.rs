//! Services that want no key: SearXNG, Wikipedia, Stack Exchange.

use nexi_core::ports::{Cause, Failure, Hit, Query};
use nexi_core::settings::{SafeSearch, service_title};
use serde_json::Value;
use url::Url;

use super::hit::{self, Fields};
use super::{Asked, Wire, locale};
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
        vec![("q", asked.text.clone()), ("format", "json".to_owned()), ("safesearch", safe.to_owned()), ("pageno", asked.page.to_string())];
    query.extend(asked.query.range.map(|range| ("time_range", range.as_str().to_owned())));
    query.extend(asked.options.language.as_deref().and_then(locale::searxng).map(|language| ("language", language)));
    let mut wire = Wire::get("/search", query);
    // An instance with its limiter on sends away whoever does not accept pages in some language.
    wire.headers.push(("accept".into(), "application/json, text/html;q=0.9, */*;q=0.8".into()));
    wire.headers.push(("accept-language".into(), locale::accepted(asked.options.language.as_deref())));
    wire
}

pub(super) fn understand_searxng(service: &str, reply: &ApiReply, asked: &Query) -> Result<Vec<Hit>, Failure> {
    if reply.status == 429 {
        let seconds = reply.retry_after;
        return Err(Failure::because(Cause::LimiterOn { service: service.to_owned(), seconds }));
    }
    if reply.status == 403 {
        return Err(Failure::because(Cause::JsonOff { service: service.to_owned() }));
    }
    let value = reply.json(service)?;
    let hits = hit::within(service, &value, &["/results"], SEARXNG)?;
    let broken = value.get("unresponsive_engines").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // Of a search for new results the one for all results says more.
    if hits.is_empty() && !broken.is_empty() && asked.range.is_none() {
        let names: Vec<String> = broken
            .iter()
            .filter_map(|pair| Some(format!("{} ({})", pair.get(0)?.as_str()?, pair.get(1).and_then(Value::as_str).unwrap_or("no answer"))))
            .take(6)
            .collect();
        return Err(Failure::because(Cause::EnginesSilent { service: service.to_owned(), engines: names.join(", ") }));
    }
    Ok(hits)
}

pub(super) fn wikipedia(asked: &Asked<'_>) -> Wire {
    let query = vec![
        ("action", "query".to_owned()),
        ("list", "search".to_owned()),
        ("format", "json".to_owned()),
        ("srlimit", asked.count.to_string()),
        ("srsearch", asked.text.clone()),
    ];
    Wire::get("/w/api.php", query)
}

pub(super) fn understand_wikipedia(service: &Service, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
    let value = reply.json(&service.name)?;
    if let Some(code @ ("maxlag" | "ratelimited")) = value.pointer("/error/code").and_then(Value::as_str) {
        tracing::info!(code, "Wikipedia asks for a pause");
        return Err(crate::client::limited(&service.name, reply.retry_after));
    }
    if let Some(error) = value.pointer("/error/info").and_then(Value::as_str) {
        return Err(said(&service.name, error));
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
    let site = asked.query.site.as_deref().unwrap_or(site);
    let mut query = vec![
        ("q", asked.text.clone()),
        ("site", site.to_owned()),
        ("sort", "relevance".to_owned()),
        ("order", "desc".to_owned()),
        ("pagesize", asked.count.to_string()),
        ("filter", "withbody".to_owned()),
    ];
    query.extend(asked.key.map(|key| ("key", key.to_owned())));
    Wire::get("/2.3/search/advanced", query)
}

/// What a service says of an error, in its own words alone.
fn said(service: &str, words: &str) -> Failure {
    Failure::new(nexi_core::text::truncate(words, 200)).of_service(service_title(service))
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
            _ if said.contains("key") => Failure::because(Cause::KeyRefusedBare { service: service.name.clone() }.saying(Some(said))),
            _ => self::said(&service.name, said),
        });
    }
    if !reply.is_success() || value.is_null() {
        // Neither results nor an error of its own: the status, or that it is no JSON.
        reply.json(&service.name)?;
    }
    if let Some(seconds) = backoff {
        // Results, and a wish to be left alone for a while.
        service.shared.back_off(Some(seconds), service.first_pause);
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
