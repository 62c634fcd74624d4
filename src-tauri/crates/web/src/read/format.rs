//! From bytes to a page, by what the bytes are.

use nexi_core::ports::{Cause, Failure, Page};
use url::Url;

use super::{decode, feed, pdf};
use crate::page;

/// Bytes of JSON that are laid out for reading; longer ones stay as they are.
const MAX_JSON: usize = 512 * 1024;

/// What a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Html,
    Feed,
    Json,
    Pdf,
    Text,
}

/// The page, and the addresses of its frames where it has nothing else.
///
/// # Errors
/// When it is broken, or protected by a password.
pub(super) fn page(url: &Url, content_type: &str, body: Vec<u8>) -> Result<(Page, Vec<String>), Failure> {
    const BINARY: [&[u8]; 6] = [b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"RIFF"];
    if BINARY.iter().any(|start| body.starts_with(start)) {
        return Err(Failure::because(Cause::NotText));
    }
    match format(content_type, &body) {
        Format::Html => Ok(html(url, &decode(&body, content_type))),
        Format::Feed => Ok((feed::page(url, &body).unwrap_or_else(|| plain(url, &body, content_type)), Vec::new())),
        Format::Json => Ok((json(url, &body, content_type), Vec::new())),
        Format::Pdf => Ok((pdf::page(url, body)?, Vec::new())),
        Format::Text
            if content_type.contains("octet-stream")
                || body.contains(&0) && !body.starts_with(b"\xff\xfe") && !body.starts_with(b"\xfe\xff") =>
        {
            Err(Failure::because(Cause::NotText))
        }
        Format::Text => Ok((plain(url, &body, content_type), Vec::new())),
    }
}

fn format(content_type: &str, body: &[u8]) -> Format {
    let start = String::from_utf8_lossy(&body[..body.len().min(512)]).to_ascii_lowercase();
    let start = start.trim_start_matches(['\u{feff}', '\0']).trim_start();
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    let looks_like_html =
        || start.starts_with("<!doctype html") || start.starts_with("<html") || start.starts_with("<head") || start.starts_with("<body");
    let looks_like_feed = || ["<rss", "<feed", "<rdf:rdf"].iter().any(|tag| start.contains(tag));
    match kind {
        _ if body.starts_with(b"%PDF-") => Format::Pdf,
        "application/pdf" => Format::Pdf,
        "application/rss+xml" | "application/atom+xml" => Format::Feed,
        "text/html" | "text/plain" if start.starts_with("<?xml") && looks_like_feed() => Format::Feed,
        "text/html" | "application/xhtml+xml" => Format::Html,
        "application/xml" | "text/xml" if looks_like_feed() => Format::Feed,
        "application/xml" | "text/xml" if start.contains("<html") || looks_like_html() => Format::Html,
        "application/json" => Format::Json,
        kind if kind.ends_with("+json") => Format::Json,
        "application/rdf+xml" if looks_like_feed() => Format::Feed,
        kind if kind.ends_with("+xml") && looks_like_feed() => Format::Feed,
        "" if looks_like_html() => Format::Html,
        "" if looks_like_feed() => Format::Feed,
        "" if start.contains("<p>") || start.contains("<div") => Format::Html,
        // Servers that know no better call everything plain text.
        "text/plain" if looks_like_html() => Format::Html,
        _ => Format::Text,
    }
}

fn html(url: &Url, text: &str) -> (Page, Vec<String>) {
    let found = page::understand(text, Some(url));
    let metadata = found.metadata;
    let page = Page {
        url: url.to_string(),
        title: metadata.title,
        byline: metadata.byline,
        date: metadata.published.or_else(|| metadata.modified.clone()),
        modified: metadata.modified,
        site: metadata.site,
        language: metadata.language,
        text: found.text,
        links: found.links,
        ..Page::default()
    };
    (page, found.frames)
}

fn json(url: &Url, body: &[u8], content_type: &str) -> Page {
    let mut page = plain(url, body, content_type);
    if body.len() <= MAX_JSON
        && let Ok(value) = serde_json::from_str::<serde_json::Value>(&page.text)
        && let Ok(laid_out) = serde_json::to_string_pretty(&value)
    {
        page.text = format!("```json\n{laid_out}\n```");
    }
    page
}

/// Text that is no HTML, its first heading taken for the title.
fn plain(url: &Url, body: &[u8], content_type: &str) -> Page {
    let text = decode(body, content_type);
    let title = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default().trim().to_owned();
    Page { url: url.to_string(), title, text, ..Page::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_what_they_are() {
        for (kind, body, wanted) in [
            ("text/html; charset=utf-8", "<p>x", Format::Html),
            ("", "  <!DOCTYPE html><p>x", Format::Html),
            ("text/plain", "<html><p>x", Format::Html),
            ("text/plain", "a <p> b", Format::Text),
            ("text/markdown", "# x", Format::Text),
            ("application/xml", "<?xml version=\"1.0\"?><rss version=\"2.0\">", Format::Feed),
            ("application/xml", "<?xml version=\"1.0\"?><data>", Format::Text),
            ("application/json", "{}", Format::Json),
            ("application/octet-stream", "%PDF-1.7", Format::Pdf),
        ] {
            assert_eq!(format(kind, body.as_bytes()), wanted, "{kind} {body}");
        }
        let url = Url::parse("https://e.org/a.json").unwrap();
        assert_eq!(page(&url, "application/json", b"{\"a\":[1]}".to_vec()).unwrap().0.text, "```json\n{\n  \"a\": [\n    1\n  ]\n}\n```");
    }
}
