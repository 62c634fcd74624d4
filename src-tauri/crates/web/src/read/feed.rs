//! RSS and Atom: the entries, newest as the feed has them, as a list of headings with text.

use nexi_core::ports::{Link, Page};
use nexi_core::text;
use url::Url;

use crate::html::to_markdown;

/// Entries that are shown.
const MAX_ENTRIES: usize = 60;
/// Bytes of each entry's text.
const MAX_ENTRY: usize = 8 * 1024;

/// The feed as a page; none when it is no feed.
pub(super) fn page(url: &Url, body: &[u8]) -> Option<Page> {
    let feed = feed_rs::parser::Builder::new().base_uri(Some(url.as_str())).build().parse(body).ok()?;
    let plain = |text: &feed_rs::model::Text| text::fold_space(&to_markdown(&text.content).text);
    let mut out = feed.description.as_ref().map(plain).unwrap_or_default();
    let mut links = Vec::new();
    for entry in feed.entries.iter().take(MAX_ENTRIES) {
        let title = entry.title.as_ref().map(plain).unwrap_or_default();
        out.push_str(&format!("\n\n## {}", if title.is_empty() { "Without a title" } else { &title }));
        if let Some(time) = entry.published.or(entry.updated) {
            out.push_str(&format!("\n\n{}", time.format("%Y-%m-%d")));
        }
        let body =
            entry.content.as_ref().and_then(|content| content.body.as_deref()).or(entry.summary.as_ref().map(|text| text.content.as_str()));
        if let Some(body) = body.map(|body| to_markdown(body).text).filter(|body| !body.trim().is_empty()) {
            out.push_str(&format!("\n\n{}", text::truncate(body.trim(), MAX_ENTRY)));
        }
        if let Some(link) = entry.links.first().filter(|link| link.href.starts_with("http")) {
            links.push(Link { text: title, url: link.href.clone() });
        }
    }
    Some(Page {
        url: url.to_string(),
        title: feed.title.as_ref().map(plain).unwrap_or_default(),
        date: feed.updated.or(feed.published).map(|time| time.format("%Y-%m-%d").to_string()),
        language: feed.language,
        text: out.trim().to_owned(),
        links,
        ..Page::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_become_sections() {
        let rss = "<?xml version='1.0'?><rss version='2.0'><channel><title>News</title><link>https://e.org</link><description>All of it</description>\
            <item><title>One &amp; two</title><link>https://e.org/1</link><pubDate>Fri, 17 May 2024 10:00:00 GMT</pubDate>\
            <description>&lt;p&gt;Some &lt;b&gt;text&lt;/b&gt;.&lt;/p&gt;</description></item></channel></rss>";
        let page = page(&Url::parse("https://e.org/feed").unwrap(), rss.as_bytes()).unwrap();
        assert_eq!(page.title, "News");
        assert_eq!(page.text, "All of it\n\n## One & two\n\n2024-05-17\n\nSome text.");
        assert_eq!(page.links, [Link { text: "One & two".into(), url: "https://e.org/1".into() }]);
    }
}
