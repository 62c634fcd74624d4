//! Jina's search service.

use async_trait::async_trait;
use nexi_core::ports::{Failure, Hit, Query, SearchBackend, TimeRange};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{MAX_HITS, hit};
use crate::client::ApiClient;

/// Jina search; it wants a key.
pub struct JinaSearch {
    name: String,
    base: String,
    key: Option<SecretString>,
    /// The variable a key would come from.
    variable: String,
    client: ApiClient,
}

impl JinaSearch {
    /// `base` is the service's address, `https://s.jina.ai` unless set otherwise.
    pub fn new(name: String, base: String, key: Option<SecretString>, variable: String, client: ApiClient) -> Self {
        Self { name, base, key, variable, client }
    }
}

#[async_trait]
impl SearchBackend for JinaSearch {
    fn name(&self) -> &str {
        &self.name
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let Some(key) = &self.key else {
            return Err(Failure::new(format!("{} needs a key: set {} or store one in the keyring.", self.name, self.variable)));
        };
        let request = self
            .client
            .post(&format!("{}/", self.base.trim_end_matches('/')))
            .bearer_auth(key.expose_secret())
            .header("accept", "application/json")
            .header("x-respond-with", "no-content")
            .json(&body(query));
        let reply = self.client.send(&self.name, request, cancel).await?;
        if is_empty_result(reply.status, &reply.body) {
            return Ok(Vec::new());
        }
        if !(200..300).contains(&reply.status) {
            return Err(reply.failure(&self.name));
        }
        parse(&reply.body).ok_or_else(|| Failure::new(format!("{} sent something else than results.", self.name)))
    }
}

/// The request; Jina hands the time filter on to the search engine behind it.
fn body(query: &Query) -> Value {
    let mut body = json!({"q": query.text, "num": MAX_HITS});
    if let Some(range) = query.range {
        let letter = match range {
            TimeRange::Day => "d",
            TimeRange::Week => "w",
            TimeRange::Month => "m",
            TimeRange::Year => "y",
        };
        body["tbs"] = json!(format!("qdr:{letter}"));
    }
    body
}

/// No results come as an error of this name.
fn is_empty_result(status: u16, body: &str) -> bool {
    status == 422
        && serde_json::from_str::<Value>(body).is_ok_and(|value| value.get("name").and_then(Value::as_str) == Some("AssertionFailureError"))
}

fn parse(body: &str) -> Option<Vec<Hit>> {
    if let Ok(value) = serde_json::from_str::<Value>(body) {
        let items = value.get("data")?.as_array()?;
        return Some(items.iter().filter_map(|item| hit(item, "title", "url", "description", "date")).take(MAX_HITS).collect());
    }
    let mut hits: Vec<Hit> = Vec::new();
    for line in body.lines() {
        let Some((number, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) else { continue };
        let (Ok(index), Some((field, value))) = (number.parse::<usize>(), rest.split_once(':')) else { continue };
        if index == 0 || index > MAX_HITS {
            continue;
        }
        while hits.len() < index {
            hits.push(Hit { title: String::new(), url: String::new(), snippet: String::new(), date: None });
        }
        let value = value.trim().to_owned();
        match field {
            "Title" => hits[index - 1].title = value,
            "URL Source" => hits[index - 1].url = value,
            "Description" => hits[index - 1].snippet = value,
            "Published Time" => hits[index - 1].date = value.get(..10).map(str::to_owned),
            _ => {}
        }
    }
    hits.retain(|hit| hit.url.starts_with("http"));
    (!hits.is_empty()).then_some(hits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_understood() {
        let json = r#"{"code":200,"data":[{"title":"T","url":"https://e.org","description":"<b>D</b>","date":"2026-01-02"}]}"#;
        let plain = "[1] Title: T\n[1] URL Source: https://e.org\n[1] Description: D\n[1] Published Time: 2026-01-02T00:00:00\n";
        let wanted = vec![Hit { title: "T".into(), url: "https://e.org".into(), snippet: "D".into(), date: Some("2026-01-02".into()) }];
        assert_eq!(parse(json), Some(wanted.clone()));
        assert_eq!(parse(plain), Some(wanted));
        assert!(is_empty_result(422, r#"{"name":"AssertionFailureError"}"#) && !is_empty_result(422, "{}"));
    }
}
