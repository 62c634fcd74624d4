//! What a page says about itself: JSON-LD first, then OpenGraph and other `<meta>` elements, then
//! marked-up elements, then the address.

use nexi_core::text::fold_space;
use serde_json::Value;
use url::Url;

use super::dates;
use super::dom::{Attribute, Dom, Id};
use super::tag::Tag;

/// Longer names are no names.
const MAX_NAME: usize = 120;

/// What a page says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Empty when nothing says it.
    pub title: String,
    pub byline: Option<String>,
    /// The name of the publication.
    pub site: Option<String>,
    /// `YYYY-MM-DD`
    pub published: Option<String>,
    /// `YYYY-MM-DD`
    pub modified: Option<String>,
    /// Such as `en` or `pt-BR`.
    pub language: Option<String>,
    /// Absolute.
    pub canonical: Option<Url>,
    /// The text of the article, where linked data holds it.
    pub article_body: Option<String>,
}

impl Metadata {
    pub(super) fn read(dom: &Dom, url: Option<&Url>) -> Self {
        let mut out = Linked::read(dom);
        let mut metas = Metas::default();
        let (mut title, mut heading) = (String::new(), String::new());
        for (id, tag) in dom.elements() {
            match tag {
                Tag::Meta => metas.add(dom, id),
                Tag::Title if title.is_empty() => title = dom.inner_text(id, 1000),
                Tag::H1 if heading.is_empty() => heading = dom.inner_text(id, 1000),
                Tag::Link
                    if out.canonical.is_none()
                        && dom.attribute(id, Attribute::Rel).is_some_and(|rel| rel.eq_ignore_ascii_case("canonical")) =>
                {
                    out.canonical = dom.attribute(id, Attribute::Href).and_then(|href| absolute(href, url));
                }
                _ => {}
            }
        }
        let fill = |slot: &mut Option<String>, found: Option<String>| {
            if slot.is_none() {
                *slot = found;
            }
        };
        fill(&mut out.site, metas.first(&["og:site_name", "application-name", "citation_journal_title", "dc.publisher", "twitter:site"]));
        fill(
            &mut out.byline,
            metas.name(&[
                "author",
                "citation_author",
                "article:author",
                "parsely-author",
                "sailthru.author",
                "dc.creator",
                "dcterms.creator",
                "byl",
                "og:article:author",
            ]),
        );
        fill(&mut out.published, metas.day(PUBLISHED));
        fill(&mut out.modified, metas.day(MODIFIED));
        Marked::read(dom).complete(&mut out);
        fill(&mut out.published, url.and_then(|url| dates::in_path(url.path())));
        fill(&mut out.language, dom.attribute(0, Attribute::Lang).map(str::to_owned));
        fill(&mut out.language, metas.first(&["og:locale", "content-language", "dc.language", "language"]));
        out.language = out.language.filter(|code| is_language(code)).map(|code| code.replace('_', "-"));
        out.site = out.site.map(|site| site.trim_start_matches('@').to_owned());
        out.title = best_title(
            &[
                std::mem::take(&mut out.title),
                metas.first(&["og:title", "citation_title", "twitter:title", "dc.title"]).unwrap_or_default(),
            ],
            &title,
            &heading,
            out.site.as_deref(),
        );
        out
    }
}

const PUBLISHED: &[&str] = &[
    "article:published_time",
    "og:article:published_time",
    "article:published",
    "datepublished",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "parsely-pub-date",
    "sailthru.date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.created",
    "dc.date",
    "dcterms.date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publish_date",
    "date",
    "created",
];

const MODIFIED: &[&str] = &[
    "article:modified_time",
    "og:updated_time",
    "article:modified",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "lastmod",
    "modified",
    "revised",
];

fn absolute(href: &str, base: Option<&Url>) -> Option<Url> {
    let found = match base {
        Some(base) => base.join(href.trim()).ok()?,
        None => Url::parse(href.trim()).ok()?,
    };
    matches!(found.scheme(), "http" | "https").then_some(found)
}

fn is_language(code: &str) -> bool {
    (2..=12).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// A person's or publication's name; none for addresses and for whole sentences.
fn name(text: &str) -> Option<String> {
    let text = fold_space(text);
    let text =
        ["By ", "by ", "Von ", "von ", "Par ", "par ", "Por ", "por "].iter().find_map(|by| text.strip_prefix(by)).unwrap_or(&text).trim();
    (!text.is_empty() && text.chars().count() <= MAX_NAME && !text.starts_with("http") && !text.contains("://")).then(|| text.to_owned())
}

/// The title without the name of the site, which stands beside it anyway.
fn best_title(said: &[String], title: &str, heading: &str, site: Option<&str>) -> String {
    if let Some(said) = said.iter().map(|said| fold_space(said)).find(|said| !said.is_empty()) {
        return without_site(&said, site);
    }
    let (title, heading) = (fold_space(title), fold_space(heading));
    // A heading that the title begins with is the title without the site's name; one that it ends
    // with is most often that name.
    if title.is_empty() || (heading.chars().count() > 5 && title.starts_with(&heading)) {
        return heading;
    }
    without_site(&title, site.or(Some(&heading)))
}

fn without_site(title: &str, site: Option<&str>) -> String {
    for mark in [" | ", " - ", " – ", " — ", " :: ", " · "] {
        if let Some((left, right)) = title.rsplit_once(mark)
            && site.is_some_and(|site| right.trim().eq_ignore_ascii_case(site.trim()))
        {
            return left.trim().to_owned();
        }
    }
    title.to_owned()
}

/// `<meta>` elements by lower-case name.
#[derive(Default)]
struct Metas(Vec<(String, String)>);

impl Metas {
    fn add(&mut self, dom: &Dom, id: Id) {
        let Some(content) = dom.attribute(id, Attribute::Content).map(str::trim).filter(|content| !content.is_empty()) else { return };
        for kind in [Attribute::Property, Attribute::Name, Attribute::Itemprop] {
            if let Some(name) = dom.attribute(id, kind) {
                self.0.push((name.trim().to_ascii_lowercase(), content.to_owned()));
            }
        }
    }

    fn find<T>(&self, names: &[&str], mut take: impl FnMut(&str) -> Option<T>) -> Option<T> {
        names.iter().find_map(|wanted| self.0.iter().filter(|(name, _)| name == wanted).find_map(|(_, content)| take(content)))
    }

    fn first(&self, names: &[&str]) -> Option<String> {
        self.find(names, |content| Some(fold_space(content)).filter(|content| !content.is_empty()))
    }

    fn name(&self, names: &[&str]) -> Option<String> {
        self.find(names, name)
    }

    fn day(&self, names: &[&str]) -> Option<String> {
        self.find(names, dates::day)
    }
}

/// What elements of the body are marked as.
#[derive(Default)]
struct Marked {
    author: Option<String>,
    published: Option<String>,
    modified: Option<String>,
    time: Option<String>,
}

impl Marked {
    fn read(dom: &Dom) -> Self {
        let mut out = Self::default();
        for (id, tag) in dom.elements() {
            let attribute = |name| dom.attribute(id, name);
            let property = attribute(Attribute::Itemprop).unwrap_or_default();
            let stated = || {
                attribute(Attribute::Datetime)
                    .or(attribute(Attribute::Content))
                    .and_then(dates::day)
                    .or_else(|| dates::day(&dom.inner_text(id, 1000)))
            };
            match property {
                "datePublished" | "dateCreated" if out.published.is_none() => out.published = stated(),
                "dateModified" if out.modified.is_none() => out.modified = stated(),
                "author" | "creator" if out.author.is_none() => {
                    out.author = attribute(Attribute::Content).and_then(name).or_else(|| name(&dom.inner_text(id, 1000)));
                }
                _ => {}
            }
            let class = attribute(Attribute::Class).unwrap_or_default();
            if tag == Tag::Time {
                let updated = class.contains("updated") || class.contains("modified");
                if updated && out.modified.is_none() {
                    out.modified = stated();
                } else if !updated && out.time.is_none() {
                    out.time = stated();
                }
            }
            let says_author = attribute(Attribute::Rel) == Some("author")
                || class.split_whitespace().any(|class| {
                    matches!(class, "author" | "byline" | "author-name" | "byline__name" | "entry-author" | "post-author" | "p-author")
                });
            if says_author && out.author.is_none() && dom.end(id) - id < 40 {
                out.author = name(&dom.inner_text(id, 1000)).filter(|found| found.chars().count() > 2);
            }
        }
        out
    }

    fn complete(self, metadata: &mut Metadata) {
        metadata.byline = metadata.byline.take().or(self.author);
        metadata.published = metadata.published.take().or(self.published).or(self.time);
        metadata.modified = metadata.modified.take().or(self.modified);
    }
}

/// Linked data: what is said there is meant for machines and is most often right.
struct Linked;

impl Linked {
    fn read(dom: &Dom) -> Metadata {
        let mut out = Metadata::default();
        let mut best = 0;
        for script in dom.raw.linked_data.iter().filter(|script| script.len() <= 1 << 20) {
            let text = script.trim().trim_start_matches("<!--").trim_end_matches("-->").trim();
            let text = text.trim_start_matches("//<![CDATA[").trim_end_matches("//]]>").trim_end_matches(';');
            // Line breaks within strings are common and not allowed.
            let parsed = serde_json::from_str(text).or_else(|_| serde_json::from_str(&text.replace(['\n', '\r', '\t'], " ")));
            if let Ok(value) = parsed {
                Self::visit(&value, 0, &mut best, &mut out);
            }
        }
        out
    }

    fn visit(value: &Value, depth: usize, best: &mut u8, out: &mut Metadata) {
        if depth > 6 {
            return;
        }
        match value {
            Value::Array(items) => items.iter().take(50).for_each(|item| Self::visit(item, depth + 1, best, out)),
            Value::Object(object) => {
                let rank = rank(object.get("@type"));
                if rank > *best {
                    *best = rank;
                    *out = Self::article(value, std::mem::take(out));
                }
                for key in ["@graph", "mainEntity", "mainEntityOfPage"] {
                    if let Some(inner) = object.get(key) {
                        Self::visit(inner, depth + 1, best, out);
                    }
                }
            }
            _ => {}
        }
    }

    fn article(value: &Value, before: Metadata) -> Metadata {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(fold_space).filter(|text| !text.is_empty());
        Metadata {
            title: text("headline").or_else(|| text("name")).map(|title| html_decoded(&title)).unwrap_or_default(),
            byline: value.get("author").and_then(people),
            site: value.get("publisher").and_then(people),
            published: text("datePublished")
                .or_else(|| text("dateCreated"))
                .or_else(|| text("uploadDate"))
                .and_then(|date| dates::day(&date)),
            modified: text("dateModified").and_then(|date| dates::day(&date)),
            language: text("inLanguage"),
            article_body: value.get("articleBody").or_else(|| value.get("text")).and_then(Value::as_str).map(str::to_owned),
            ..before
        }
    }
}

fn html_decoded(text: &str) -> String {
    if text.contains('&') { crate::html::strip_tags(text) } else { text.to_owned() }
}

/// How much an object of this type says about the page: an article most.
fn rank(kind: Option<&Value>) -> u8 {
    let kinds: Vec<&str> = match kind {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return 0,
    };
    kinds
        .into_iter()
        .map(|kind| match kind.rsplit('/').next().unwrap_or(kind) {
            kind if kind.ends_with("Article") || kind.ends_with("Posting") || kind == "Report" => 3,
            "Recipe" | "Product" | "Event" | "Book" | "Dataset" | "SoftwareApplication" | "VideoObject" | "QAPage" => 2,
            "WebPage" => 1,
            _ => 0,
        })
        .max()
        .unwrap_or(0)
}

/// The names of one or several people or organisations.
fn people(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => name(text),
        Value::Object(object) => object.get("name").and_then(people),
        Value::Array(items) => {
            let names: Vec<String> = items.iter().take(6).filter_map(people).collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        _ => None,
    }
}
