//! DuckDuckGo's page for browsers without scripts; it needs no key.

use std::time::Duration;

use nexi_core::ports::{Failure, Hit};
use nexi_core::settings::SafeSearch;
use nexi_core::text::fold_space;
use url::Url;

use super::{Asked, Body, Wire, hit, keyed};
use crate::client::{ApiReply, limited};

/// It answers 202 when it has had enough of us; asking on makes it worse.
pub(super) const FIRST_PAUSE: Duration = Duration::from_secs(120);

pub(super) fn ask(asked: &Asked<'_>) -> Wire {
    let safe = match asked.options.safe_search {
        SafeSearch::Off => "-2",
        SafeSearch::Moderate => "-1",
        SafeSearch::Strict => "1",
    };
    let mut form = vec![("q", asked.text.clone()), ("kp", safe.to_owned())];
    form.extend(asked.query.range.map(|range| ("df", keyed::letter(range).to_owned())));
    if let (Some(country), Some(language)) = (&asked.options.country, &asked.options.language) {
        form.push(("kl", format!("{}-{}", country.to_ascii_lowercase(), language.to_ascii_lowercase())));
    }
    let mut wire = Wire::get("/html/", Vec::new());
    wire.body = Body::Form(form);
    wire
}

pub(super) fn understand(service: &str, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
    match reply.status {
        200 => {
            let hits = parse(&reply.body);
            let body = reply.body.to_ascii_lowercase();
            if hits.is_empty() && (body.contains("anomaly") || body.contains("captcha")) {
                return Err(limited(service, None));
            }
            if hits.is_empty() && !["no-result", "no results", "no  results", "not many results"].iter().any(|words| body.contains(words)) {
                return Err(Failure::new(format!("{service} sent a page that is not understood.")));
            }
            Ok(hits)
        }
        202 | 429 => Err(limited(service, reply.retry_after)),
        _ => Err(reply.failure(service)),
    }
}

/// The results of a page: links of class `result__a`, each followed by a `result__snippet`.
fn parse(page: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    for part in page.split("result__a").skip(1) {
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
