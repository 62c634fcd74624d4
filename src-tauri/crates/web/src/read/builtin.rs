//! The built-in reader: guarded fetch, main text, Markdown.

use async_trait::async_trait;
use nexi_core::ports::{Failure, Page, Reader};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{decode, extract};
use crate::client::PageClient;

/// Fetches pages itself; nobody else learns what is read.
pub struct BuiltinReader {
    client: PageClient,
}

impl BuiltinReader {
    /// A reader that fetches through this client.
    pub fn new(client: PageClient) -> Self {
        Self { client }
    }
}

#[async_trait]
impl Reader for BuiltinReader {
    fn name(&self) -> &str {
        "builtin"
    }

    fn accepts(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https")
    }

    async fn read(&self, url: &Url, cancel: &CancellationToken) -> Result<Page, Failure> {
        let fetched = self.client.get(url.as_str(), cancel).await?;
        let text = decode(&fetched.body, &fetched.content_type);
        let page =
            |title: String, text: String| Page { url: fetched.url.to_string(), title, byline: None, date: None, text, lines: Vec::new() };
        if !is_html(&fetched.content_type, &text) {
            let title = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default().trim().to_owned();
            return Ok(page(title, text));
        }
        let article = extract::article(text, fetched.url.clone()).await?;
        let mut page = page(article.title, article.text);
        page.byline = article.byline;
        page.date = article.date;
        Ok(page)
    }
}

fn is_html(content_type: &str, text: &str) -> bool {
    if content_type.starts_with("text/html") || content_type.starts_with("application/xhtml") {
        return true;
    }
    let start: String = text.trim_start().chars().take(15).collect::<String>().to_ascii_lowercase();
    content_type.is_empty() && (start.starts_with("<!doctype html") || start.starts_with("<html"))
}
