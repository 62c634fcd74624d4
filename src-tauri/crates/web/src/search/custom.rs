//! A service that is described wholly in the settings.

use nexi_core::ports::{Cause, Failure, Hit};
use nexi_core::settings::{JsonBackend, SafeSearch};
use serde_json::Value;
use url::form_urlencoded::byte_serialize;

use super::hit;
use super::{Asked, Body, Wire};
use crate::client::{ApiReply, sentence};

pub(super) fn ask(backend: &JsonBackend, asked: &Asked<'_>) -> Result<Wire, Failure> {
    let body = match &backend.body {
        None => Body::None,
        Some(template) => {
            let filled = fill(template, asked, |text| {
                let quoted = Value::from(text).to_string();
                // The placeholder stands between quotation marks of its own.
                quoted[1..quoted.len() - 1].to_owned()
            });
            Body::Json(serde_json::from_str(&filled).map_err(|_| Failure::because(Cause::BadBody))?)
        }
    };
    let headers = backend.headers.iter().map(|(name, value)| (name.clone().into(), fill(value, asked, str::to_owned)));
    Ok(Wire {
        path: fill(&backend.url, asked, |text| byte_serialize(text.as_bytes()).collect()),
        query: Vec::new(),
        headers: headers.collect(),
        bearer: false,
        body,
    })
}

fn fill(template: &str, asked: &Asked<'_>, escape: impl Fn(&str) -> String) -> String {
    let options = asked.options;
    let safe = match options.safe_search {
        SafeSearch::Off => "off",
        SafeSearch::Moderate => "moderate",
        SafeSearch::Strict => "strict",
    };
    let values = [
        ("query", asked.text.as_str()),
        ("count", &options.count.to_string()),
        ("language", options.language.as_deref().unwrap_or("en")),
        ("country", options.country.as_deref().unwrap_or_default()),
        ("range", asked.query.range.map(nexi_core::ports::TimeRange::as_str).unwrap_or_default()),
        ("safe_search", safe),
        ("key", asked.key.unwrap_or_default()),
    ];
    // In one pass: a query that says {key} gets no key.
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let found = values.iter().find(|(name, _)| rest[1..].strip_prefix(name).is_some_and(|after| after.starts_with('}')));
        match found {
            Some((name, value)) => {
                out.push_str(&escape(value));
                rest = &rest[name.len() + 2..];
            }
            None => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

pub(super) fn understand(service: &str, backend: &JsonBackend, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
    let value = reply.json(service)?;
    let Some(items) = at(&value, &backend.results).and_then(Value::as_array) else {
        // Some refuse with a status that says all is well.
        if let Some(words) = value.get("error").and_then(|_| sentence(&value)) {
            let cause = Cause::RefusedBare { service: service.to_owned() }.saying(Some(&words));
            return Err(Failure { said: Some(words), ..Failure::because(cause) });
        }
        return Err(Failure::because(Cause::NoList { service: service.to_owned(), place: backend.results.clone() }));
    };
    let text = |item: &Value, path: &str| match at(item, path) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let hits: Vec<Hit> = items
        .iter()
        .filter_map(|item| {
            let date = backend.date.as_deref().and_then(|path| text(item, path));
            let snippet = if backend.snippet.is_empty() { None } else { text(item, &backend.snippet) };
            hit::make(text(item, &backend.title).unwrap_or_default(), &text(item, &backend.link)?, snippet.unwrap_or_default(), date)
        })
        .collect();
    if hits.is_empty() && !items.is_empty() {
        return Err(Failure::because(Cause::NoLinks { service: service.to_owned(), count: items.len(), place: backend.link.clone() }));
    }
    Ok(hits)
}

/// What stands at a path such as `data.items` or `pages.0.url`; the value itself for an empty path.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').filter(|part| !part.is_empty()).try_fold(value, |value, part| match value {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        value => value.get(part),
    })
}

#[cfg(test)]
mod tests {
    use nexi_core::ports::Query;
    use nexi_core::settings::SearchOptions;

    use super::*;

    #[test]
    fn placeholders_are_filled_and_escaped_once() {
        let query = Query::new("x");
        let options = SearchOptions::default();
        let asked = Asked {
            text: "a \"b\" & {key}".into(),
            query: &query,
            options: &options,
            key: Some("secret"),
            page: 1,
            count: 10,
            cursor: None,
        };
        let backend = JsonBackend {
            url: "https://e.org/api?q={query}&n={count}&x={unknown}".into(),
            body: Some("{\"q\": \"{query}\", \"n\": {count}}".into()),
            headers: [("X-Token".to_owned(), "Bearer {key}".to_owned())].into(),
            ..JsonBackend::default()
        };
        let wire = ask(&backend, &asked).unwrap();
        assert_eq!(wire.path, "https://e.org/api?q=a+%22b%22+%26+%7Bkey%7D&n=10&x={unknown}");
        assert_eq!(wire.headers[0].1, "Bearer secret");
        let Body::Json(body) = wire.body else { panic!("no body") };
        assert_eq!(body, serde_json::json!({"q": "a \"b\" & {key}", "n": 10}));
    }
}
