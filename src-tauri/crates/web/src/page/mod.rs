//! A web page: its tree, what it says about itself, its main text, and that as Markdown.

mod content;
pub mod dates;
mod dom;
mod markdown;
mod metadata;
mod raw;
mod tag;
mod words;

use nexi_core::{ports::Link, text};
use url::Url;

use content::Content;
use dom::{Attribute, Dom};
pub use metadata::Metadata;
use tag::Tag;

/// Words of linked data from which on it is taken for the text, when the page shows far less.
const BODY_WORDS: usize = 80;

/// Bytes among which a page says who wrote it, and when.
const HEAD: usize = 64 * 1024;

/// With fewer words than this a page is looked at as a whole.
const FEW_WORDS: usize = 25;

/// Frames that are read in place of a page without text of its own.
const MAX_FRAMES: usize = 2;

/// A page, understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebPage {
    pub metadata: Metadata,
    /// Markdown.
    pub text: String,
    /// The links of the text, in its order.
    pub links: Vec<Link>,
    /// Addresses of frames, where the page has nothing else.
    pub frames: Vec<String>,
}

/// What a page says about itself, by its beginning.
pub fn metadata(html: &str) -> Metadata {
    Metadata::read(&Dom::parse(&html[..text::floor_char(html, HEAD)]), None)
}

/// Understands a page. Any text will do: nothing in it makes this slow, deep or large.
pub fn understand(html: &str, url: Option<&Url>) -> WebPage {
    let dom = Dom::parse(html);
    let metadata = Metadata::read(&dom, url);
    let base = base(&dom, url);
    let (mut text, mut links) = markdown::render(&dom, &Content::find(&dom), base.as_ref());
    if let Some(body) = metadata.article_body.as_deref().map(paragraphs)
        && text::word_count(&body) >= BODY_WORDS.max(2 * text::word_count(&text))
    {
        // The page is filled in by its scripts; what it tells machines is all there is.
        (text, links) = (body, Vec::new());
    }
    if text::word_count(&text) < BODY_WORDS
        && let Some(found) = unscripted(&dom, base.as_ref(), text::word_count(&text))
    {
        (text, links) = found;
    }
    if text::word_count(&text) < FEW_WORDS {
        // A page of links, or one where nothing stands out.
        let whole = markdown::render(&dom, &Content::whole(&dom), base.as_ref());
        if text.trim().is_empty() || text::word_count(&whole.0) >= 3 * text::word_count(&text) {
            (text, links) = whole;
        }
    }
    if let Some(target) = refresh(&dom, base.as_ref()).filter(|_| text::word_count(&text) < 2 * FEW_WORDS) {
        // The page only says where the page is.
        return WebPage { metadata, frames: vec![target], ..WebPage::default() };
    }
    let frames = if text.trim().is_empty() { frames(&dom, base.as_ref()) } else { Vec::new() };
    WebPage { metadata, text, links, frames }
}

/// The text that a page keeps for browsers without scripts, or fills itself with, where it shows far less.
fn unscripted(dom: &Dom, base: Option<&Url>, shown: usize) -> Option<(String, Vec<Link>)> {
    let longest = dom.raw.unscripted.iter().max_by_key(|html| html.len())?;
    let inner = Dom::parse(longest);
    let (text, links) = markdown::render(&inner, &Content::find(&inner), base);
    (text::word_count(&text) >= BODY_WORDS.max(2 * shown)).then_some((text, links))
}

/// Text that may hold markup, as paragraphs.
fn paragraphs(text: &str) -> String {
    if text.contains("</") || text.contains("&lt;/") {
        return crate::html::to_markdown(&text.replace("&lt;", "<").replace("&gt;", ">")).text;
    }
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// What links are relative to.
fn base(dom: &Dom, url: Option<&Url>) -> Option<Url> {
    let said = dom.elements().take(200).find(|(id, tag)| *tag == Tag::Base && dom.attribute(*id, Attribute::Href).is_some());
    let said = said.and_then(|(id, _)| dom.attribute(id, Attribute::Href));
    match (said, url) {
        (Some(said), Some(url)) => url.join(said).ok().or_else(|| Some(url.clone())),
        (_, url) => url.cloned(),
    }
}

/// Where a page sends browsers by itself, within a few seconds.
fn refresh(dom: &Dom, base: Option<&Url>) -> Option<String> {
    let (id, _) = dom.elements().find(|(id, tag)| {
        *tag == Tag::Meta && dom.attribute(*id, Attribute::HttpEquiv).is_some_and(|kind| kind.eq_ignore_ascii_case("refresh"))
    })?;
    let (delay, target) = dom.attribute(id, Attribute::Content)?.split_once([';', ','])?;
    let target = target.trim();
    let target =
        target.get(..4).filter(|start| start.eq_ignore_ascii_case("url=")).map_or(target, |_| &target[4..]).trim_matches(['"', '\'', ' ']);
    let soon = delay.trim().parse::<f32>().is_ok_and(|seconds| seconds <= 10.0);
    let url = base?.join(target).ok().filter(|url| soon && matches!(url.scheme(), "http" | "https"))?;
    Some(url.into())
}

fn frames(dom: &Dom, base: Option<&Url>) -> Vec<String> {
    dom.elements()
        .filter(|(_, tag)| matches!(tag, Tag::Frame | Tag::Iframe))
        .filter_map(|(id, _)| base?.join(dom.attribute(id, Attribute::Src)?).ok())
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .take(MAX_FRAMES)
        .map(Into::into)
        .collect()
}
