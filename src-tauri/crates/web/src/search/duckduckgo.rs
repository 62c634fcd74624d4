//! DuckDuckGo's page for browsers without scripts; it needs no key.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use nexi_core::ports::{Failure, Hit, Query, SearchBackend};
use nexi_core::text::fold_space;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::MAX_HITS;
use crate::client::ApiClient;
use crate::html::strip_tags;

const FIRST_PAUSE: Duration = Duration::from_secs(120);
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);

/// DuckDuckGo.
pub struct DuckDuckGo {
    name: String,
    base: String,
    client: ApiClient,
    cooling: Mutex<Cooling>,
}

/// It answers 202 when it has had enough of us; asking on makes it worse.
#[derive(Default)]
struct Cooling {
    until: Option<Instant>,
    pause: Duration,
}

impl DuckDuckGo {
    /// `base` is the service's address, `https://html.duckduckgo.com` unless set otherwise.
    pub fn new(name: String, base: String, client: ApiClient) -> Self {
        Self { name, base, client, cooling: Mutex::default() }
    }

    fn cooling(&self) -> std::sync::MutexGuard<'_, Cooling> {
        self.cooling.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn limited(&self, left: Duration) -> Failure {
        Failure::new(format!("{} limits how often it may be asked; it is left alone for {} min.", self.name, left.as_secs().div_ceil(60)))
    }
}

#[async_trait]
impl SearchBackend for DuckDuckGo {
    fn name(&self) -> &str {
        &self.name
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let left = self.cooling().until.map(|until| until.saturating_duration_since(Instant::now())).unwrap_or_default();
        if !left.is_zero() {
            return Err(self.limited(left));
        }
        let mut form = vec![("q", query.text.as_str())];
        if let Some(range) = query.range {
            form.push(("df", &range.as_str()[..1]));
        }
        let request = self.client.post(&format!("{}/html/", self.base.trim_end_matches('/'))).form(&form);
        let reply = self.client.send(&self.name, request, cancel).await?;
        match reply.status {
            200 => {
                *self.cooling() = Cooling::default();
                Ok(parse(&reply.body))
            }
            202 | 429 => {
                let mut cooling = self.cooling();
                cooling.pause = (cooling.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
                cooling.until = Some(Instant::now() + cooling.pause);
                Err(self.limited(cooling.pause))
            }
            _ => Err(reply.failure(&self.name)),
        }
    }
}

/// The results of a page: links of class `result__a`, each followed by a `result__snippet`.
fn parse(page: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    for part in page.split("result__a").skip(1) {
        let (Some(href), Some(title)) = (attribute(part, "href"), inside(part)) else { continue };
        let Some(url) = target(&href) else { continue };
        let snippet = part.split_once("result__snippet").and_then(|(_, rest)| inside(rest)).unwrap_or_default();
        hits.push(Hit { title: strip_tags(&title), url, snippet: strip_tags(&snippet), date: None });
        if hits.len() == MAX_HITS {
            break;
        }
    }
    hits
}

/// The attribute of the tag whose inside `part` begins in.
fn attribute(part: &str, name: &str) -> Option<String> {
    let tag = &part[..part.find('>')?];
    let value = &tag[tag.find(&format!("{name}=\""))? + name.len() + 2..];
    Some(value[..value.find('"')?].replace("&amp;", "&"))
}

/// What stands between the tag that `part` begins in and the next `</a>`.
fn inside(part: &str) -> Option<String> {
    let rest = &part[part.find('>')? + 1..];
    Some(fold_space(&rest[..rest.find("</a>")?]))
}

/// The address behind DuckDuckGo's own redirect; none for advertisements.
fn target(href: &str) -> Option<String> {
    let base = Url::parse("https://duckduckgo.com/").ok()?;
    let url = base.join(href).ok()?;
    if url.host_str().is_some_and(|host| host.ends_with("duckduckgo.com")) {
        let target = url.query_pairs().find(|(name, _)| name == "uddg")?.1.into_owned();
        return target.starts_with("http").then_some(target);
    }
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_pages_are_understood() {
        let page = r#"<div class="result"><h2><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fe.org%2Fa%3Fb%3D1&amp;rut=x">A <b>title</b></a></h2>
            <a class="result__snippet" href="x">Some &amp; <b>text</b></a></div>
            <div><a class="result__a" href="https://duckduckgo.com/y.js?ad=1">Ad</a></div>
            <div><a class="result__a" href="https://f.org/">Plain</a></div>"#;
        assert_eq!(
            parse(page),
            [
                Hit { title: "A title".into(), url: "https://e.org/a?b=1".into(), snippet: "Some & text".into(), date: None },
                Hit { title: "Plain".into(), url: "https://f.org/".into(), snippet: String::new(), date: None },
            ]
        );
    }
}
