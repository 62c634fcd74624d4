//! Wikipedia's own search; it needs no key.

use async_trait::async_trait;
use nexi_core::ports::{Failure, Hit, Query, SearchBackend};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::MAX_HITS;
use crate::{client::ApiClient, html::strip_tags};

/// One language's Wikipedia.
pub struct Wikipedia {
    name: String,
    base: String,
    client: ApiClient,
}

impl Wikipedia {
    /// `base` is the address of a wiki, such as `https://en.wikipedia.org`.
    pub fn new(name: String, base: String, client: ApiClient) -> Self {
        Self { name, base: base.trim_end_matches('/').to_owned(), client }
    }

    fn article(&self, title: &str) -> Option<String> {
        let mut url = Url::parse(&self.base).ok()?;
        url.path_segments_mut().ok()?.pop_if_empty().push("wiki").push(&title.replace(' ', "_"));
        Some(url.into())
    }
}

#[async_trait]
impl SearchBackend for Wikipedia {
    fn name(&self) -> &str {
        &self.name
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let limit = MAX_HITS.to_string();
        let parameters =
            [("action", "query"), ("list", "search"), ("format", "json"), ("srlimit", &limit), ("srsearch", query.text.as_str())];
        let request = self.client.get(&format!("{}/w/api.php", self.base)).query(&parameters);
        let value = self.client.send(&self.name, request, cancel).await?.json(&self.name)?;
        if let Some(error) = value.get("error").and_then(|error| error.get("info")).and_then(Value::as_str) {
            return Err(Failure::new(format!("{}: {}", self.name, nexi_core::text::truncate(error, 200))));
        }
        let items = value.pointer("/query/search").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Ok(items
            .iter()
            .filter_map(|item| {
                let title = item.get("title")?.as_str()?;
                let snippet = item.get("snippet").and_then(Value::as_str).unwrap_or_default();
                let date = item.get("timestamp").and_then(Value::as_str).and_then(|time| time.get(..10)).map(str::to_owned);
                Some(Hit { title: title.to_owned(), url: self.article(title)?, snippet: strip_tags(snippet), date })
            })
            .collect())
    }
}
