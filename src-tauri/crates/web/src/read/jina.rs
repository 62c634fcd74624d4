//! Jina's reader service.

use async_trait::async_trait;
use nexi_core::ports::{Failure, Page, Reader};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{client::ApiClient, guard::Guard};

/// Reads pages through Jina, which learns their addresses.
pub struct JinaReader {
    name: String,
    base: String,
    key: Option<SecretString>,
    client: ApiClient,
    guard: Guard,
}

impl JinaReader {
    /// `base` is the service's address, `https://r.jina.ai` unless set otherwise.
    pub fn new(name: String, base: String, key: Option<SecretString>, client: ApiClient, guard: Guard) -> Self {
        Self { name, base, key, client, guard }
    }
}

#[async_trait]
impl Reader for JinaReader {
    fn name(&self) -> &str {
        &self.name
    }

    fn accepts(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https")
    }

    async fn read(&self, url: &Url, cancel: &CancellationToken) -> Result<Page, Failure> {
        // An address that we would not visit is not handed to somebody else, either.
        let url = self.guard.check(url.as_str())?;
        let mut request = self
            .client
            .get(&format!("{}/{url}", self.base.trim_end_matches('/')))
            .header("accept", "application/json")
            .header("x-retain-images", "none")
            .header("x-retain-links", "gpt-oss")
            .header("x-timeout", "40");
        if let Some(key) = &self.key {
            request = request.bearer_auth(key.expose_secret());
        }
        let reply = self.client.send(&self.name, request, cancel).await?;
        if !(200..300).contains(&reply.status) {
            return Err(reply.failure(&self.name));
        }
        parse(&reply.body, url.as_str()).ok_or_else(|| Failure::new(format!("{} sent no text for this page", self.name)))
    }
}

/// Understands both the JSON and the plain reply.
fn parse(body: &str, asked: &str) -> Option<Page> {
    let page = |url: &str, title: &str, date: Option<&str>, text: &str| Page {
        url: if url.is_empty() { asked.to_owned() } else { url.to_owned() },
        title: title.trim().to_owned(),
        byline: None,
        date: date.and_then(|date| date.get(..10)).filter(|date| date.as_bytes()[4] == b'-').map(str::to_owned),
        text: text.trim().to_owned(),
        lines: Vec::new(),
    };
    if let Ok(value) = serde_json::from_str::<Value>(body) {
        let data = value.get("data")?;
        let field = |name: &str| data.get(name).and_then(Value::as_str);
        return Some(page(field("url").unwrap_or_default(), field("title").unwrap_or_default(), field("publishedTime"), field("content")?));
    }
    let (head, text) = body.split_once("Markdown Content:")?;
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    Some(page(field("URL Source:").unwrap_or_default(), field("Title:").unwrap_or_default(), field("Published Time:"), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_understood() {
        let json = r#"{"code":200,"data":{"title":"T","url":"https://e.org/a","content":"Body","publishedTime":"2026-01-02T03:04:05Z"}}"#;
        let plain = "Title: T\n\nURL Source: https://e.org/a\n\nPublished Time: 2026-01-02T03:04:05Z\n\nMarkdown Content:\nBody\n";
        let wanted = Page {
            url: "https://e.org/a".into(),
            title: "T".into(),
            byline: None,
            date: Some("2026-01-02".into()),
            text: "Body".into(),
            lines: Vec::new(),
        };
        assert_eq!(parse(json, "https://e.org"), Some(wanted.clone()));
        assert_eq!(parse(plain, "https://e.org"), Some(wanted));
        assert_eq!(parse("{}", "https://e.org"), None);
    }
}
