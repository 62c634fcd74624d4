//! Reader services: they fetch a page for us, and so learn its address.

use std::time::Duration;

use async_trait::async_trait;
use nexi_core::ports::{Caching, Cause, Failure, Page, ReadOutcome, ReadRequest, Reader, Validators};
use nexi_core::settings::{Provider, ProviderKind, service_title};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::client::ApiReply;
use crate::guard::Guard;
use crate::page::dates;
use crate::search::jina_failure;
use crate::service::Service;

/// How long services may take for a page.
pub const PAGE_TIMEOUT: Duration = Duration::from_secs(45);

/// Which service a reader speaks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReaderApi {
    Exa,
    Firecrawl,
    Jina,
    Linkup,
    Tavily,
}

impl ReaderApi {
    /// The service of a provider; `None` where its kind reads no pages.
    pub fn of(provider: &Provider) -> Option<Self> {
        match provider.kind {
            ProviderKind::Exa => Some(ReaderApi::Exa),
            ProviderKind::Firecrawl => Some(ReaderApi::Firecrawl),
            ProviderKind::Jina => Some(ReaderApi::Jina),
            ProviderKind::Linkup => Some(ReaderApi::Linkup),
            ProviderKind::Tavily => Some(ReaderApi::Tavily),
            _ => None,
        }
    }

    /// The service's own address.
    pub fn address(self) -> &'static str {
        match self {
            ReaderApi::Exa => "https://api.exa.ai",
            ReaderApi::Firecrawl => "https://api.firecrawl.dev",
            ReaderApi::Jina => "https://r.jina.ai",
            ReaderApi::Linkup => "https://api.linkup.so",
            ReaderApi::Tavily => "https://api.tavily.com",
        }
    }
}

/// Reads pages through a service.
pub struct ReaderService {
    which: ReaderApi,
    service: Service,
    guard: Guard,
}

impl ReaderService {
    /// A reader that asks this service, for addresses that the guard lets through.
    pub fn new(which: ReaderApi, mut service: Service, guard: Guard) -> Self {
        service.client = service.client.with_timeout(PAGE_TIMEOUT);
        Self { which, service, guard }
    }

    fn request(&self, url: &Url, key: Option<&str>) -> reqwest::RequestBuilder {
        let post = |path: &str, body: Value| self.service.client.post(&format!("{}{path}", self.service.base)).json(&body);
        let bearer = |request: reqwest::RequestBuilder| match key {
            Some(key) => request.bearer_auth(key),
            None => request,
        };
        match self.which {
            ReaderApi::Jina => {
                let request = self.service.client.get(&format!("{}/{url}", self.service.base));
                bearer(request)
                    .header("accept", "application/json")
                    .header("x-retain-images", "none")
                    // The other forms leave marks of their own in the text.
                    .header("x-retain-links", "text")
                    // From twenty seconds on it waits until a page makes no more requests at all.
                    .header("x-timeout", "18")
            }
            ReaderApi::Tavily => bearer(post("/extract", json!({"urls": [url.as_str()], "format": "markdown"}))),
            ReaderApi::Exa => {
                let request = post("/contents", json!({"urls": [url.as_str()], "text": true}));
                match key {
                    Some(key) => request.header("x-api-key", key),
                    None => request,
                }
            }
            ReaderApi::Firecrawl => {
                bearer(post("/v2/scrape", json!({"url": url.as_str(), "formats": ["markdown"], "onlyMainContent": true})))
            }
            ReaderApi::Linkup => bearer(post("/v1/fetch", json!({"url": url.as_str()}))),
        }
    }

    fn understand(&self, reply: &ApiReply, asked: &Url) -> Result<Page, Failure> {
        let name = &self.service.name;
        let nothing = || Failure::because(Cause::NoTextSent { service: name.clone() });
        if self.which == ReaderApi::Jina {
            let value: Option<Value> = serde_json::from_str(&reply.body).ok();
            if let Some(failure) = jina_failure(name, reply, value.as_ref()) {
                return Err(failure);
            }
            let warning = value.as_ref().and_then(|value| value.pointer("/data/warning")).and_then(Value::as_str).unwrap_or(&reply.body);
            if let Some((_, status)) = warning.split_once("Target URL returned error ") {
                let digits: String = status.chars().take_while(char::is_ascii_digit).collect();
                return Err(digits.parse().map_or_else(|_| nothing(), |status| Failure::because(Cause::SiteStatus { status })));
            }
            return jina(value.as_ref(), &reply.body, asked.as_str()).ok_or_else(nothing);
        }
        let value = reply.json(name)?;
        if value.get("success") == Some(&Value::Bool(false)) {
            let said = value.get("error").and_then(Value::as_str).filter(|said| !said.trim().is_empty());
            return Err(Failure::because(
                Cause::CouldNotRead { service: name.clone() }.saying(said.map(|said| nexi_core::text::truncate(said, 200)).as_deref()),
            ));
        }
        let status = value.pointer("/data/metadata/statusCode").and_then(Value::as_u64).and_then(|status| u16::try_from(status).ok());
        if let Some(status) = status.filter(|status| *status >= 400) {
            return Err(Failure::because(Cause::SiteStatus { status }));
        }
        let at = |place: &str| value.pointer(place).and_then(Value::as_str).unwrap_or_default();
        let found = match self.which {
            ReaderApi::Tavily => Found { url: at("/results/0/url"), text: at("/results/0/raw_content"), ..Found::default() },
            ReaderApi::Exa => Found {
                url: at("/results/0/url"),
                title: at("/results/0/title"),
                text: at("/results/0/text"),
                date: at("/results/0/publishedDate"),
                byline: at("/results/0/author"),
            },
            ReaderApi::Firecrawl => Found {
                url: at("/data/metadata/url"),
                title: at("/data/metadata/title"),
                text: at("/data/markdown"),
                date: at("/data/metadata/publishedTime"),
                byline: "",
            },
            _ => Found { text: at("/markdown"), ..Found::default() },
        };
        found.page(asked.as_str()).ok_or_else(|| match self.which {
            ReaderApi::Tavily if !at("/failed_results/0/error").is_empty() => {
                Failure::new(nexi_core::text::truncate(at("/failed_results/0/error"), 200)).of_service(service_title(name))
            }
            // Exa has no sentence for it, but a tag and the site's status.
            ReaderApi::Exa if at("/statuses/0/status") == "error" => {
                let tag = at("/statuses/0/error/tag").to_ascii_lowercase().replace('_', " ");
                let status = value.pointer("/statuses/0/error/httpStatusCode").and_then(Value::as_u64);
                Failure::because(Cause::CouldNotReadWhy {
                    service: name.clone(),
                    why: format!("{tag}{}", status.map(|status| format!(" ({status})")).unwrap_or_default()),
                })
            }
            _ => nothing(),
        })
    }
}

#[async_trait]
impl Reader for ReaderService {
    fn name(&self) -> &str {
        &self.service.name
    }

    fn accepts(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https")
    }

    async fn read(&self, request: &ReadRequest, cancel: &CancellationToken) -> Result<ReadOutcome, Failure> {
        // An address that we would not visit is not handed to somebody else, either, nor is one of the local network.
        let url = self.guard.check_for_others(request.url.as_str()).await?;
        let needs_key = self.which != ReaderApi::Jina;
        let page = self.service.ask(needs_key, cancel, |key| Ok(self.request(&url, key)), |reply| self.understand(reply, &url)).await?;
        let caching = Caching { keep: true, max_age: None, validators: Validators::default() };
        Ok(ReadOutcome::Page(Box::new(page), caching))
    }
}

/// What a service said of a page; empty where it said nothing.
#[derive(Default)]
struct Found<'a> {
    url: &'a str,
    title: &'a str,
    text: &'a str,
    date: &'a str,
    byline: &'a str,
}

impl Found<'_> {
    fn page(self, asked: &str) -> Option<Page> {
        let text = self.text.trim();
        let first_heading = || text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
        let title = if self.title.trim().is_empty() { first_heading() } else { self.title };
        (!text.is_empty()).then(|| Page {
            url: if self.url.starts_with("http") { self.url.to_owned() } else { asked.to_owned() },
            title: nexi_core::text::fold_space(title),
            byline: Some(self.byline.trim().to_owned()).filter(|byline| !byline.is_empty()),
            date: dates::day(self.date),
            text: text.to_owned(),
            ..Page::default()
        })
    }
}

/// Jina's reply in both of its forms.
fn jina(value: Option<&Value>, body: &str, asked: &str) -> Option<Page> {
    if let Some(value) = value {
        let data = value.get("data")?;
        let field = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default();
        return Found { url: field("url"), title: field("title"), text: field("content"), date: field("publishedTime"), byline: "" }
            .page(asked);
    }
    let (head, text) = body.split_once("Markdown Content:")?;
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).unwrap_or_default();
    Found { url: field("URL Source:"), title: field("Title:"), text, date: field("Published Time:"), byline: "" }.page(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_jina_are_understood() {
        let json = r#"{"code":200,"data":{"title":"T","url":"https://e.org/a","content":"Body","publishedTime":"2026-01-02T03:04:05Z"}}"#;
        let plain = "Title: T\n\nURL Source: https://e.org/a\n\nPublished Time: 2026-01-02T03:04:05Z\n\nMarkdown Content:\nBody\n";
        let wanted = Page {
            url: "https://e.org/a".into(),
            title: "T".into(),
            date: Some("2026-01-02".into()),
            text: "Body".into(),
            ..Page::default()
        };
        let parse = |body: &str| jina(serde_json::from_str(body).ok().as_ref(), body, "https://e.org");
        assert_eq!((parse(json), parse(plain), parse("{}")), (Some(wanted.clone()), Some(wanted), None));
    }
}
