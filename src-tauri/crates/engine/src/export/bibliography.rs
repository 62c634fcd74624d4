//! Sources for reference managers: CSL-JSON, BibTeX and RIS.

use std::collections::BTreeMap;

use nexi_store::history::ThreadFile;
use serde_json::{Map, Value, json};

use unicode_normalization::UnicodeNormalization;

use super::works::{Author, Kind, Work, works};

/// The cited sources as an array of CSL-JSON items, which Zotero, Pandoc and others read.
pub(super) fn csl_json(file: &ThreadFile) -> String {
    let items: Vec<Value> = works(file).values().map(csl_item).collect();
    serde_json::to_string_pretty(&items).unwrap_or_default()
}

/// A work as CSL knows it; its `id` is `s` and its number.
pub(super) fn csl_item(work: &Work) -> Value {
    let kind = match work.kind {
        Kind::WebPage => "webpage",
        Kind::Article => "article-journal",
        Kind::Document => "document",
    };
    let mut item = Map::new();
    item.insert("id".into(), json!(format!("s{}", work.number)));
    item.insert("type".into(), json!(kind));
    item.insert("title".into(), json!(work.title));
    if !work.authors.is_empty() {
        let name = |author: &Author| match author {
            Author::Person { family, given } => json!({"family": family, "given": given}),
            Author::Whole(name) => json!({"literal": name}),
        };
        item.insert("author".into(), work.authors.iter().map(name).collect());
    }
    if !work.container.is_empty() {
        item.insert("container-title".into(), json!(work.container));
    }
    for (name, date) in [("issued", &work.published), ("accessed", &work.read)] {
        // What does not change needs no day of access.
        if !date.is_empty() && (name == "issued" || work.kind == Kind::WebPage) {
            item.insert(name.into(), json!({"date-parts": [date]}));
        }
    }
    for (name, value) in [("URL", &work.url), ("DOI", &work.doi), ("language", &work.language), ("note", &work.file)] {
        if let Some(value) = value {
            item.insert(name.into(), json!(value));
        }
    }
    Value::Object(item)
}

/// The cited sources as BibTeX; BibLaTeX reads the addresses and days, too.
pub(super) fn bibtex(file: &ThreadFile) -> String {
    let works = works(file);
    let keys = keys(&works);
    let mut out = String::new();
    for work in works.values() {
        let kind = if work.kind == Kind::Article { "article" } else { "misc" };
        let mut fields: Vec<(&str, String)> = vec![("title", format!("{{{}}}", tex(&work.title)))];
        let names: Vec<String> = work
            .authors
            .iter()
            .map(|author| match author {
                Author::Person { family, given } => format!("{}, {}", tex(family), tex(given)),
                Author::Whole(name) => format!("{{{}}}", tex(name)),
            })
            .collect();
        fields.push(("author", names.join(" and ")));
        fields.push((if work.kind == Kind::Article { "journal" } else { "organization" }, tex(&work.container)));
        let mut date = work.published.iter();
        fields.push(("year", date.next().map(u16::to_string).unwrap_or_default()));
        fields.push(("month", date.next().map(u16::to_string).unwrap_or_default()));
        fields.push(("doi", work.doi.as_deref().map(address).unwrap_or_default()));
        fields.push(("url", work.url.as_deref().map(address).unwrap_or_default()));
        if work.kind == Kind::WebPage {
            fields.push(("urldate", iso(&work.read)));
        }
        fields.push(("note", work.file.as_deref().map(tex).unwrap_or_default()));
        fields.push(("langid", work.language.as_deref().map(tex).unwrap_or_default()));
        let key = keys.get(&work.number).map_or("source", String::as_str);
        out.push_str(&format!("@{kind}{{{key},\n"));
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            out.push_str(&format!("  {name} = {{{value}}},\n"));
        }
        out.push_str("}\n\n");
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The cited sources as RIS, which EndNote, Mendeley and Zotero read.
pub(super) fn ris(file: &ThreadFile) -> String {
    let mut out = String::new();
    for work in works(file).values() {
        let kind = match work.kind {
            Kind::WebPage => "ELEC",
            Kind::Article => "JOUR",
            Kind::Document => "GEN",
        };
        let mut line = |tag: &str, value: &str| {
            if !value.is_empty() {
                out.push_str(&format!("{tag}  - {value}\r\n"));
            }
        };
        line("TY", kind);
        line("TI", &work.title);
        for author in &work.authors {
            match author {
                Author::Person { family, given } => line("AU", &format!("{family}, {given}")),
                Author::Whole(name) => line("AU", name),
            }
        }
        line("T2", &work.container);
        line("PY", &work.published.first().map(u16::to_string).unwrap_or_default());
        line("DA", &slashed(&work.published));
        line("DO", work.doi.as_deref().unwrap_or_default());
        line("UR", work.url.as_deref().unwrap_or_default());
        if work.kind == Kind::WebPage {
            line("Y2", &slashed(&work.read));
        }
        line("N1", work.file.as_deref().unwrap_or_default());
        line("LA", work.language.as_deref().unwrap_or_default());
        // The one tag whose value is empty.
        out.push_str("ER  - \r\n\r\n");
    }
    out
}

/// A key for each work: family name and year in letters of ASCII, with a letter where two are the same.
fn keys(works: &BTreeMap<u32, Work>) -> BTreeMap<u32, String> {
    let base = |work: &Work| {
        let name = match work.authors.first() {
            Some(Author::Person { family, .. }) => family,
            Some(Author::Whole(name)) => name,
            None => work.file.as_ref().unwrap_or(&work.container),
        };
        let name: String = name.nfd().filter(char::is_ascii_alphanumeric).take(24).collect::<String>().to_lowercase();
        let name = if name.is_empty() { format!("source{}", work.number) } else { name };
        format!("{name}{}", work.published.first().map(u16::to_string).unwrap_or_default())
    };
    let mut out: BTreeMap<u32, String> = BTreeMap::new();
    for (number, work) in works {
        let wanted = base(work);
        let mut key = wanted.clone();
        for letter in 'b'..='z' {
            if !out.values().any(|taken| *taken == key) {
                break;
            }
            key = format!("{wanted}{letter}");
        }
        if out.values().any(|taken| *taken == key) {
            key = format!("{wanted}n{number}");
        }
        out.insert(*number, key);
    }
    out
}

/// Text in which nothing means anything to TeX.
fn tex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("{\\textbackslash}"),
            '~' => out.push_str("{\\textasciitilde}"),
            '^' => out.push_str("{\\textasciicircum}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => out.extend(['\\', c]),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// An address, in which braces would end the field and percent signs begin no comment.
fn address(url: &str) -> String {
    url.replace('{', "%7B").replace('}', "%7D").replace('\\', "%5C")
}

fn iso(date: &[u16]) -> String {
    let parts: Vec<String> = date.iter().map(|part| format!("{part:02}")).collect();
    parts.join("-")
}

fn slashed(date: &[u16]) -> String {
    iso(date).replace('-', "/")
}
