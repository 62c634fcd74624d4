//! Jina's search service.

use nexi_core::ports::{Cause, Failure, Hit};
use serde_json::{Value, json};

use super::hit::{self, Fields};
use super::{Asked, Wire, locale};
use crate::client::{ApiReply, limited};

const FIELDS: Fields = Fields { title: "title", url: "url", snippet: &["description", "content"], date: &["date", "publishedTime"] };
/// Results that Jina gives at most.
const MAX_RESULTS: u32 = 20;

pub(super) fn ask(asked: &Asked<'_>) -> Wire {
    let mut body = json!({"q": asked.text, "num": asked.count});
    if asked.page > 1 {
        body["page"] = json!(asked.page);
    }
    if let Some(language) = &asked.options.language {
        body["hl"] = json!(locale::google(language));
    }
    if let Some(country) = &asked.options.country {
        body["gl"] = json!(country.to_ascii_lowercase());
    }
    // It has no field for how new results should be.
    let mut wire = Wire::post("/", body);
    wire.headers.push(("accept".into(), "application/json".into()));
    wire.headers.push(("x-respond-with".into(), "no-content".into()));
    wire
}

pub(super) fn understand(service: &str, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
    let value: Option<Value> = serde_json::from_str(&reply.body).ok();
    if reply.status == 422 && said(value.as_ref(), "name") == Some("AssertionFailureError") {
        return Ok(Vec::new());
    }
    if let Some(failure) = failure(service, reply, value.as_ref()) {
        return Err(failure);
    }
    match value {
        Some(value) => hit::within(service, &value, &["/data"], FIELDS),
        None => plain(&reply.body).ok_or_else(|| Failure::because(Cause::NoResults { service: service.to_owned() })),
    }
}

fn said<'a>(value: Option<&'a Value>, name: &str) -> Option<&'a str> {
    value?.get(name)?.as_str()
}

/// Jina's own numbers say more than the status of HTTP.
pub(crate) fn failure(service: &str, reply: &ApiReply, value: Option<&Value>) -> Option<Failure> {
    if reply.is_success() {
        return None;
    }
    let number = value.and_then(|value| value.get("status")).and_then(Value::as_u64).unwrap_or_default();
    Some(match number {
        42903 => {
            let after = value.and_then(|value| value.get("retryAfter")).and_then(Value::as_f64).map(|seconds| seconds.max(0.0) as u64);
            limited(service, after.or(reply.retry_after))
        }
        45101..=45105 => Failure::because(Cause::ContentRefused { service: service.to_owned() }),
        _ => reply.failure(service),
    })
}

/// The reply in plain text.
fn plain(body: &str) -> Option<Vec<Hit>> {
    let mut found: Vec<[String; 4]> = Vec::new();
    for line in body.lines() {
        let Some((number, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) else { continue };
        let (Ok(index), Some((field, value))) = (number.parse::<usize>(), rest.split_once(':')) else { continue };
        if index == 0 || index > MAX_RESULTS as usize {
            continue;
        }
        if found.len() < index {
            found.resize(index, Default::default());
        }
        let place = match field {
            "Title" => 0,
            "URL Source" => 1,
            "Description" => 2,
            "Published Time" | "Date" => 3,
            _ => continue,
        };
        found[index - 1][place] = value.trim().to_owned();
    }
    let hits: Vec<Hit> = found.into_iter().filter_map(|[title, url, snippet, date]| hit::make(title, &url, snippet, Some(date))).collect();
    (!hits.is_empty()).then_some(hits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, body: &str) -> ApiReply {
        ApiReply { status, retry_after: None, body: body.into(), keyed: true, rate: Default::default() }
    }

    #[test]
    fn both_forms_are_understood() {
        let json = r#"{"code":200,"data":[{"title":"T","url":"https://e.org","description":"<b>D</b>","date":"2026-01-02"}]}"#;
        let plain = "[1] Title: T\n[1] URL Source: https://e.org\n[1] Description: D\n[1] Published Time: 2026-01-02T00:00:00\n";
        let wanted = vec![Hit {
            title: "T".into(),
            url: "https://e.org".into(),
            snippet: "D".into(),
            date: Some("2026-01-02".into()),
            ..Hit::default()
        }];
        assert_eq!(understand("jina", &reply(200, json)), Ok(wanted.clone()));
        assert_eq!(understand("jina", &reply(200, plain)), Ok(wanted));
        assert_eq!(understand("jina", &reply(422, r#"{"name":"AssertionFailureError"}"#)), Ok(Vec::new()));
        let limited = understand("jina", &reply(429, r#"{"status":42903,"retryAfter":12}"#)).unwrap_err();
        assert_eq!(limited.fault, nexi_core::ports::Fault::Limited { seconds: Some(12) });
    }
}
