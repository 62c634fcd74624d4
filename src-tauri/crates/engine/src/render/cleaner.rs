//! What HTML may hold that a window shows.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};

use super::code;

pub(super) static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(HashSet::from([
            "a",
            "blockquote",
            "br",
            "code",
            "del",
            "em",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "hr",
            "li",
            "ol",
            "p",
            "pre",
            "section",
            "span",
            "strong",
            "sup",
            "table",
            "tbody",
            "td",
            "th",
            "thead",
            "tr",
            "ul",
        ]))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .generic_attributes(HashSet::new())
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href"])),
            ("ol", HashSet::from(["start"])),
            ("sup", HashSet::from(["data-number", "data-ordinal"])),
            ("pre", HashSet::from(["data-lang"])),
            ("code", HashSet::from(["data-math"])),
            ("span", HashSet::from(["data-statement", "data-support", "data-correction", "data-new"])),
        ]))
        .allowed_classes(HashMap::from([
            ("sup", HashSet::from(["cite", "footnote-ref"])),
            ("section", HashSet::from(["footnotes"])),
            (
                "span",
                HashSet::from_iter(code::CLASSES.iter().copied().chain([
                    "task",
                    "said",
                    "said-end",
                    "second-look",
                    "said-new",
                    "said-new-end",
                    "host",
                    "said-only",
                ])),
            ),
        ]))
        .url_schemes(HashSet::from(["http", "https"]))
        .url_relative(UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer nofollow"));
    builder
});
