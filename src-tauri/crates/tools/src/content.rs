//! From what a tool returns to texts that can be read.

use nexi_core::{ports::Page, text, user_tools::Called, visible::visible};
use rmcp::model::{CallToolResult, ContentBlock, Resource, ResourceContents};

/// Bytes of one text.
const MAX_TEXT: usize = 400_000;
/// Bytes of all texts of a result.
const MAX_ALL: usize = 1_500_000;
/// Things that are left out and named, and the bytes of each name.
const MAX_LEFT_OUT: usize = 20;
const MAX_NAME: usize = 200;
/// Links of a result that are followed.
const MAX_LINKS: usize = 8;

/// A result, and the documents that it links to.
pub(crate) fn read(result: CallToolResult) -> (Called, Vec<Resource>) {
    let mut out = Called { failed: result.is_error == Some(true), ..Called::default() };
    let (mut texts, mut documents, mut links) = (Vec::new(), Vec::new(), Vec::new());
    for block in result.content {
        match block {
            ContentBlock::Text(found) => texts.push(found.text),
            ContentBlock::Image(found) => out.left_out.push(format!("an image ({})", found.mime_type)),
            ContentBlock::Audio(found) => out.left_out.push(format!("audio ({})", found.mime_type)),
            ContentBlock::Resource(found) => document(found.resource, None, &mut documents, &mut out.left_out),
            ContentBlock::ResourceLink(link) if links.len() < MAX_LINKS => links.push(link),
            ContentBlock::ResourceLink(link) => out.left_out.push(format!("the document {} (too many links)", name(&link))),
            _ => out.left_out.push("unsupported content".to_owned()),
        }
    }
    let mut whole = texts.join("\n\n");
    if whole.trim().is_empty()
        && let Some(value) = &result.structured_content
        && !value.is_null()
    {
        whole = serde_json::to_string_pretty(value).unwrap_or_default();
    }
    if !whole.trim().is_empty() {
        out.pages.push(Page { text: text::truncate(&whole, MAX_TEXT), ..Page::default() });
    }
    out.pages.extend(documents);
    limit(&mut out);
    (out, links)
}

/// Adds a document that a result contains or links to.
pub(crate) fn document(contents: ResourceContents, title: Option<&str>, pages: &mut Vec<Page>, left_out: &mut Vec<String>) {
    match contents {
        ResourceContents::TextResourceContents { uri, text, .. } => {
            let title = title.map_or_else(|| uri.clone(), |title| format!("{title} ({uri})"));
            if !text.trim().is_empty() {
                pages.push(Page { title, text: text::truncate(&text, MAX_TEXT), ..Page::default() });
            }
        }
        ResourceContents::BlobResourceContents { uri, mime_type, .. } => {
            left_out.push(format!("{uri} ({})", mime_type.as_deref().unwrap_or("binary data")));
        }
        _ => left_out.push("an unsupported document".to_owned()),
    }
}

/// What a link is called.
pub(crate) fn name(link: &Resource) -> &str {
    link.title.as_deref().unwrap_or(&link.name)
}

/// Leaves out what would be more than a research can use.
pub(crate) fn limit(called: &mut Called) {
    let mut room = MAX_ALL;
    let before = called.pages.len();
    called.pages.retain(|page| {
        let fits = page.text.len() <= room;
        if fits {
            room -= page.text.len();
        }
        fits
    });
    if called.pages.len() < before {
        called.left_out.push(format!("{} (the result is too large)", text::count((before - called.pages.len()) as u64, "document")));
    }
    called.left_out.truncate(MAX_LEFT_OUT);
    for name in &mut called.left_out {
        *name = text::truncate(&text::fold_space(&visible(name)), MAX_NAME);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_json(value: serde_json::Value) -> (Called, Vec<Resource>) {
        read(serde_json::from_value(value).unwrap())
    }

    #[test]
    fn everything_that_is_text_is_read_and_the_rest_is_named() {
        let (called, links) = read_json(json!({"content": [
            {"type": "text", "text": "One."},
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "text", "text": "Two."},
            {"type": "resource", "resource": {"uri": "demo://a", "text": "A document."}},
            {"type": "resource", "resource": {"uri": "demo://b", "mimeType": "application/zip", "blob": "AAAA"}},
            {"type": "resource_link", "uri": "demo://c", "name": "c"}
        ]}));
        let texts: Vec<(&str, &str)> = called.pages.iter().map(|page| (page.title.as_str(), page.text.as_str())).collect();
        assert_eq!(texts, [("", "One.\n\nTwo."), ("demo://a", "A document.")]);
        assert_eq!(called.left_out, ["an image (image/png)", "demo://b (application/zip)"]);
        assert_eq!(name(&links[0]), "c");
        // Data without words is shown as it is.
        let (called, _) = read_json(json!({"content": [], "structuredContent": {"temperature": 21}}));
        assert!(called.pages[0].text.contains("\"temperature\": 21"));
        assert!(read_json(json!({"content": [{"type": "text", "text": "no"}], "isError": true})).0.failed);
        let huge = "x".repeat(900_000);
        let (called, _) = read_json(json!({"content": [{"type": "text", "text": huge}]}));
        assert!(called.pages[0].text.len() <= MAX_TEXT + 3);
    }
}
