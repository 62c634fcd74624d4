//! DuckDuckGo's page for browsers without scripts; it needs no key.

use std::time::Duration;

use nexi_core::ports::{Cause, Failure, Hit};
use nexi_core::settings::SafeSearch;
use nexi_core::text::fold_space;
use url::Url;

use super::{Asked, Batch, Body, Wire, hit, keyed, locale};
use crate::client::{ApiReply, limited};

/// It answers 202 when it has had enough of us; asking on makes it worse.
pub(super) const FIRST_PAUSE: Duration = Duration::from_secs(120);

/// As other programs that say who they are; ones that begin with a library's name are sent away.
pub(super) const USER_AGENT: &str = concat!("Mozilla/5.0 (compatible; Nexi/", env!("CARGO_PKG_VERSION"), "; desktop research app)");

pub(super) fn ask(asked: &Asked<'_>) -> Wire {
    let region = locale::duckduckgo(asked.options);
    let mut form = vec![("q", quoted(&asked.text))];
    match asked.cursor {
        None => form.push(("b", String::new())),
        Some(vqd) => {
            let start = 10 + (asked.page.saturating_sub(2)) * 15;
            form.extend([
                ("nextParams", String::new()),
                ("api", "d.js".to_owned()),
                ("o", "json".to_owned()),
                ("v", "l".to_owned()),
                ("s", start.to_string()),
                ("dc", (start + 1).to_string()),
                ("vqd", vqd.to_owned()),
            ]);
        }
    }
    form.push(("kl", region.to_owned()));
    form.extend(asked.query.range.map(|range| ("df", keyed::letter(range).to_owned())));
    let mut wire = Wire::get("/html/", Vec::new());
    wire.body = Body::Form(form);
    for (name, value) in [
        ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
        ("referer", "https://html.duckduckgo.com/html/"),
        ("sec-fetch-dest", "document"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-site", "same-origin"),
        ("sec-fetch-user", "?1"),
        ("upgrade-insecure-requests", "1"),
    ] {
        wire.headers.push((name.into(), value.into()));
    }
    wire.headers.push(("accept-language".into(), locale::accepted(asked.options.language.as_deref())));
    // Safe search and region are remembered in cookies there.
    let safe = match asked.options.safe_search {
        SafeSearch::Off => "-2",
        SafeSearch::Moderate => "-1",
        SafeSearch::Strict => "1",
    };
    wire.headers.push(("cookie".into(), format!("kl={region}; p={safe}")));
    wire
}

/// Words that begin with an exclamation mark would send us to another site.
fn quoted(text: &str) -> String {
    text.split(' ').map(|word| if word.starts_with('!') { format!("'{word}'") } else { word.to_owned() }).collect::<Vec<_>>().join(" ")
}

pub(super) fn understand(service: &str, reply: &ApiReply) -> Result<Batch, Failure> {
    // What it shows to programs that it takes for robots, with whatever status.
    let is_challenge = ["anomaly-modal", "challenge-form", "bots use DuckDuckGo"].iter().any(|mark| reply.body.contains(mark));
    match reply.status {
        _ if is_challenge => Err(limited(service, reply.retry_after)),
        200 => {
            let hits = parse(&reply.body);
            let body = reply.body.to_ascii_lowercase();
            if hits.is_empty() && !["no-result", "no results", "no  results", "not many results"].iter().any(|words| body.contains(words)) {
                return Err(Failure::because(Cause::OddPage { service: service.to_owned() }));
            }
            Ok(Batch { hits, cursor: vqd(&reply.body) })
        }
        // Where it would lead is no page of results.
        303 => Ok(Batch::default()),
        202 | 429 => Err(limited(service, reply.retry_after)),
        _ => Err(reply.failure(service)),
    }
}

/// What the next page has to be asked with.
fn vqd(page: &str) -> Option<String> {
    let part = page.split("<input").find(|part| part.split('>').next().is_some_and(|tag| tag.contains("name=\"vqd\"")))?;
    attribute(part, "value").filter(|value| !value.is_empty())
}

/// The results of a page: links of class `result__a`, each followed by a `result__snippet`.
fn parse(page: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    // A result begins with its box, which tells advertisements.
    let mut is_ad = false;
    let mut parts = page.split("result__a");
    let mut before = parts.next().unwrap_or_default();
    for part in parts {
        let the_box = before.rsplit("<div class=\"result ").next().filter(|_| before.contains("<div class=\"result "));
        if let Some(class) = the_box.and_then(|the_box| the_box.split('"').next()) {
            is_ad = class.contains("result--ad");
        }
        before = part;
        if is_ad {
            continue;
        }
        let (Some(href), Some(title)) = (attribute(part, "href"), inside(part)) else { continue };
        let Some(url) = target(&href) else { continue };
        let snippet = part.split_once("result__snippet").and_then(|(_, rest)| inside(rest)).unwrap_or_default();
        hits.extend(hit::make(title, &url, snippet, None));
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
            <div class="result results_links result--ad "><a class="result__a" href="https://shop.example/">Bought</a></div>
            <div class="result results_links web-result "><a class="result__a" href="https://f.org/">Plain</a></div>
            <form><input type="hidden" name="vqd" value="4-123" /></form>"#;
        assert_eq!(vqd(page).as_deref(), Some("4-123"));
        assert_eq!(
            parse(page),
            [
                Hit {
                    title: "A title".into(),
                    url: "https://e.org/a?b=1".into(),
                    snippet: "Some & text".into(),
                    date: None,
                    ..Hit::default()
                },
                Hit { title: "Plain".into(), url: "https://f.org/".into(), snippet: String::new(), date: None, ..Hit::default() },
            ]
        );
    }
}
