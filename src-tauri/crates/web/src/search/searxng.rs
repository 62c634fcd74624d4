//! SearXNG: the user's own metasearch instance.

use async_trait::async_trait;
use nexi_core::ports::{Failure, Hit, Query, SearchBackend};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{MAX_HITS, hit};
use crate::client::ApiClient;

/// A SearXNG instance.
pub struct Searxng {
    name: String,
    base: String,
    language: Option<String>,
    client: ApiClient,
}

impl Searxng {
    /// `base` is the instance's address.
    pub fn new(name: String, base: String, language: Option<String>, client: ApiClient) -> Self {
        Self { name, base, language, client }
    }
}

#[async_trait]
impl SearchBackend for Searxng {
    fn name(&self) -> &str {
        &self.name
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let mut parameters = vec![("q", query.text.as_str()), ("format", "json"), ("safesearch", "0"), ("pageno", "1")];
        if let Some(range) = query.range {
            parameters.push(("time_range", range.as_str()));
        }
        if let Some(language) = &self.language {
            parameters.push(("language", language));
        }
        let request =
            self.client.get(&format!("{}/search", self.base.trim_end_matches('/'))).query(&parameters).header("accept", "application/json");
        let reply = self.client.send(&self.name, request, cancel).await?;
        if reply.status == 403 {
            return Err(Failure::new(format!("{} does not offer JSON. Add json to search.formats in its settings.yml.", self.name)));
        }
        let value = reply.json(&self.name)?;
        let results = value.get("results").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let hits: Vec<Hit> =
            results.iter().filter_map(|item| hit(item, "title", "url", "content", "publishedDate")).take(MAX_HITS).collect();
        let broken = value.get("unresponsive_engines").and_then(Value::as_array).map_or(0, Vec::len);
        if hits.is_empty() && broken > 0 {
            return Err(Failure::new(format!("{} had no results because {broken} of its engines did not answer.", self.name)));
        }
        Ok(hits)
    }
}
