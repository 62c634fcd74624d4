//! Services that want a key, each with the request it understands and the fields of its results.

use nexi_core::ports::{Cause, Failure, Hit, TimeRange};
use nexi_core::settings::SafeSearch;
use serde_json::{Value, json};

use super::hit::{self, Fields};
use super::{Asked, Wire, locale};
use crate::client::ApiReply;

pub(super) const BRAVE: Fields = Fields { title: "title", url: "url", snippet: &["description"], date: &["page_age", "age"] };
pub(super) const EXA: Fields = Fields { title: "title", url: "url", snippet: &["highlights", "summary", "text"], date: &["publishedDate"] };
pub(super) const FIRECRAWL: Fields = Fields { title: "title", url: "url", snippet: &["description", "snippet"], date: &["date"] };
pub(super) const GOOGLE: Fields = Fields { title: "title", url: "link", snippet: &["snippet"], date: &[] };
pub(super) const LINKUP: Fields = Fields { title: "name", url: "url", snippet: &["content", "snippet"], date: &["date"] };
pub(super) const PERPLEXITY: Fields = Fields { title: "title", url: "url", snippet: &["snippet"], date: &["date", "last_updated"] };
pub(super) const SERPAPI: Fields = Fields { title: "title", url: "link", snippet: &["snippet"], date: &["date"] };
pub(super) const SERPER: Fields = Fields { title: "title", url: "link", snippet: &["snippet"], date: &["date"] };
pub(super) const TAVILY: Fields = Fields { title: "title", url: "url", snippet: &["content"], date: &["published_date"] };

/// Google's letter for how new results should be, which others have taken over.
pub(super) fn letter(range: TimeRange) -> &'static str {
    match range {
        TimeRange::Day => "d",
        TimeRange::Week => "w",
        TimeRange::Month => "m",
        TimeRange::Year => "y",
    }
}

/// The first day that is new enough, `YYYY-MM-DD`.
fn since(range: TimeRange) -> String {
    let days = match range {
        TimeRange::Day => 1,
        TimeRange::Week => 7,
        TimeRange::Month => 31,
        TimeRange::Year => 366,
    };
    let day = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24 * days);
    day.strftime("%Y-%m-%d").to_string()
}

fn set(body: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        body[name] = value.into();
    }
}

fn set_list(body: &mut Value, name: &str, list: &[String]) {
    if !list.is_empty() {
        body[name] = json!(list);
    }
}

pub(super) fn brave(asked: &Asked<'_>) -> Wire {
    let options = asked.options;
    let safe = match options.safe_search {
        SafeSearch::Off => "off",
        SafeSearch::Moderate => "moderate",
        SafeSearch::Strict => "strict",
    };
    let mut query = vec![
        ("q", asked.text.clone()),
        ("count", asked.count.to_string()),
        ("safesearch", safe.into()),
        ("text_decorations", "false".into()),
    ];
    query.extend((asked.page > 1).then(|| ("offset", (asked.page - 1).to_string())));
    query.extend(asked.query.range.map(|range| ("freshness", format!("p{}", letter(range)))));
    query.extend(options.language.as_deref().and_then(locale::brave_language).map(|language| ("search_lang", language.to_owned())));
    query.extend(options.country.as_deref().and_then(locale::brave_country).map(|country| ("country", country.to_owned())));
    let mut wire = Wire::get("/res/v1/web/search", query);
    wire.headers.push(("accept".into(), "application/json".into()));
    wire.headers.extend(asked.key.map(|key| ("x-subscription-token".into(), key.to_owned())));
    wire
}

pub(super) fn tavily(asked: &Asked<'_>) -> Wire {
    let mut body = json!({"query": asked.text, "max_results": asked.count, "search_depth": "basic", "topic": "general"});
    set(&mut body, "time_range", asked.query.range.map(TimeRange::as_str));
    set_list(&mut body, "include_domains", &asked.options.include_sites);
    set_list(&mut body, "exclude_domains", &asked.options.exclude_sites);
    Wire::post("/search", body)
}

pub(super) fn serper(asked: &Asked<'_>) -> Wire {
    let mut body = json!({"q": asked.text, "num": asked.count});
    if asked.page > 1 {
        body["page"] = json!(asked.page);
    }
    set(&mut body, "hl", asked.options.language.as_deref().map(locale::google));
    set(&mut body, "gl", asked.options.country.as_ref().map(|country| country.to_ascii_lowercase()));
    set(&mut body, "tbs", asked.query.range.map(|range| format!("qdr:{}", letter(range))));
    let mut wire = Wire::post("/search", body);
    wire.bearer = false;
    wire.headers.extend(asked.key.map(|key| ("x-api-key".into(), key.to_owned())));
    wire
}

pub(super) fn serpapi(asked: &Asked<'_>) -> Wire {
    let options = asked.options;
    let safe = if options.safe_search == SafeSearch::Off { "off" } else { "active" };
    let mut query =
        vec![("engine", "google".to_owned()), ("q", asked.text.clone()), ("num", asked.count.to_string()), ("safe", safe.into())];
    query.extend((asked.page > 1).then(|| ("start", ((asked.page - 1) * 10).to_string())));
    query.extend(options.language.as_deref().map(|language| ("hl", locale::google(language))));
    query.extend(options.country.clone().map(|country| ("gl", country.to_ascii_lowercase())));
    query.extend(asked.query.range.map(|range| ("tbs", format!("qdr:{}", letter(range)))));
    query.extend(asked.key.map(|key| ("api_key", key.to_owned())));
    Wire::get("/search.json", query)
}

pub(super) fn exa(asked: &Asked<'_>) -> Wire {
    let mut body = json!({"query": asked.text, "numResults": asked.count, "contents": {"highlights": true}});
    set(&mut body, "startPublishedDate", asked.query.range.map(|range| format!("{}T00:00:00.000Z", since(range))));
    set(&mut body, "userLocation", asked.options.country.as_ref().map(|country| country.to_ascii_uppercase()));
    set_list(&mut body, "includeDomains", &asked.options.include_sites);
    set_list(&mut body, "excludeDomains", &asked.options.exclude_sites);
    let mut wire = Wire::post("/search", body);
    wire.bearer = false;
    wire.headers.extend(asked.key.map(|key| ("x-api-key".into(), key.to_owned())));
    wire
}

pub(super) fn firecrawl(asked: &Asked<'_>) -> Wire {
    let mut body = json!({"query": asked.text, "limit": asked.count, "sources": ["web"]});
    set(&mut body, "tbs", asked.query.range.map(|range| format!("qdr:{}", letter(range))));
    set(&mut body, "country", asked.options.country.as_ref().map(|country| country.to_ascii_uppercase()));
    Wire::post("/v2/search", body)
}

pub(super) fn linkup(asked: &Asked<'_>) -> Wire {
    let mut body =
        json!({"q": asked.text, "depth": "standard", "outputType": "searchResults", "includeImages": false, "maxResults": asked.count});
    set(&mut body, "fromDate", asked.query.range.map(since));
    set_list(&mut body, "includeDomains", &asked.options.include_sites);
    set_list(&mut body, "excludeDomains", &asked.options.exclude_sites);
    Wire::post("/v1/search", body)
}

pub(super) fn perplexity(asked: &Asked<'_>) -> Wire {
    let mut body = json!({"query": asked.text, "max_results": asked.count});
    set(&mut body, "search_recency_filter", asked.query.range.map(TimeRange::as_str));
    set(&mut body, "country", asked.options.country.as_ref().map(|country| country.to_ascii_uppercase()));
    set(&mut body, "search_language_filter", asked.options.language.as_ref().map(|language| json!([super::primary(language)])));
    // A list either allows or, with a minus, denies.
    let denied: Vec<String> = asked.options.exclude_sites.iter().map(|site| format!("-{site}")).collect();
    set_list(
        &mut body,
        "search_domain_filter",
        if asked.options.include_sites.is_empty() { &denied } else { &asked.options.include_sites },
    );
    Wire::post("/search", body)
}

pub(super) fn google(asked: &Asked<'_>, engine: &str) -> Wire {
    let options = asked.options;
    let safe = if options.safe_search == SafeSearch::Off { "off" } else { "active" };
    let mut query = vec![("cx", engine.to_owned()), ("q", asked.text.clone()), ("num", asked.count.to_string()), ("safe", safe.into())];
    query.extend((asked.page > 1).then(|| ("start", ((asked.page - 1) * 10 + 1).to_string())));
    query.extend(options.language.as_deref().map(|language| ("hl", locale::google(language))));
    query.extend(options.country.clone().map(|country| ("gl", country.to_ascii_lowercase())));
    query.extend(asked.query.range.map(|range| ("dateRestrict", format!("{}1", letter(range)))));
    query.extend(asked.key.map(|key| ("key", key.to_owned())));
    Wire::get("/customsearch/v1", query)
}

/// It says in a success what went wrong, and that nothing was found.
pub(super) fn understand_serpapi(service: &str, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
    let value = reply.json(service)?;
    if let Some(said) = value.get("error").and_then(Value::as_str) {
        if said.contains("hasn't returned any results") {
            return Ok(Vec::new());
        }
        return Err(Failure::because(
            Cause::NotCarriedOut { service: service.to_owned() }.saying(Some(&nexi_core::text::truncate(said, 200))),
        ));
    }
    hit::within(service, &value, &["/organic_results"], SERPAPI)
}

/// That there is nothing is an error there.
pub(super) fn understand_linkup(service: &str, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
    if reply.status == 400 && reply.body.contains("SEARCH_QUERY_NO_RESULT") {
        return Ok(Vec::new());
    }
    hit::list(service, reply, &["/results"], LINKUP)
}
