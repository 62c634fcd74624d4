//! The sources of a thread as a bibliography knows them.

use std::collections::BTreeMap;

use crate::clock::local_day;
use nexi_core::text;
use nexi_store::history::ThreadFile;

/// What a source is to a reference manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    WebPage,
    /// What has a DOI.
    Article,
    /// A file of the person's.
    Document,
}

/// Somebody who wrote a work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Author {
    Person {
        family: String,
        given: String,
    },
    /// An institution, or a name of one word.
    Whole(String),
}

/// A source that is cited somewhere in its thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Work {
    /// In its thread.
    pub number: u32,
    pub kind: Kind,
    pub title: String,
    pub authors: Vec<Author>,
    /// Where it was published: a host or a publication; empty for files.
    pub container: String,
    /// What a file is called that has nothing else to be known by.
    pub file: Option<String>,
    /// Year, and month and day where they are known.
    pub published: Vec<u16>,
    /// When it was read, as year, month and day.
    pub read: Vec<u16>,
    /// None for files.
    pub url: Option<String>,
    pub doi: Option<String>,
    pub language: Option<String>,
}

/// The cited sources of a thread, each once, by number.
pub(super) fn works(file: &ThreadFile) -> BTreeMap<u32, Work> {
    let stored: BTreeMap<u32, _> = file.sources.iter().map(|source| (source.number, source)).collect();
    let cited = file.turns.iter().flat_map(|turn| &turn.ending.sources).filter(|source| source.cited);
    let work = |source: &nexi_core::protocol::Source| {
        let stored = stored.get(&source.number);
        let page = stored.map(|stored| &stored.page);
        let doi = page.and_then(|page| page.doi.clone());
        let is_file = !source.url.starts_with("http://") && !source.url.starts_with("https://");
        let place = text::fold_space(page.and_then(|page| page.site.as_deref()).unwrap_or(&source.site));
        let title = if source.title.trim().is_empty() { &source.url } else { &source.title };
        Work {
            number: source.number,
            kind: if doi.is_some() {
                Kind::Article
            } else if is_file {
                Kind::Document
            } else {
                Kind::WebPage
            },
            title: text::fold_space(title),
            authors: page.and_then(|page| page.byline.as_deref()).map(authors).unwrap_or_default(),
            file: (is_file && doi.is_none()).then(|| place.clone()),
            container: if is_file { String::new() } else { place },
            published: source.date.as_deref().map(day).unwrap_or_default(),
            read: stored.filter(|stored| stored.read_ms > 0).map(|stored| day(&local_day(stored.read_ms))).unwrap_or_default(),
            url: (!is_file).then(|| source.url.clone()),
            doi,
            language: page.and_then(|page| page.language.clone()),
        }
    };
    cited.map(|source| (source.number, work(source))).collect()
}

/// `2024-03-02` as numbers; as many as there are.
fn day(date: &str) -> Vec<u16> {
    date.split('-').map_while(|part| part.parse().ok()).filter(|part| *part > 0).take(3).collect()
}

/// Most letters of a line that names authors and not a whole paragraph.
const MAX_BYLINE: usize = 300;

/// The people of a line such as `By Ann Miller and Bo Li`.
pub(super) fn authors(byline: &str) -> Vec<Author> {
    let byline = text::fold_space(byline);
    let byline = byline.trim_start_matches("By ").trim_start_matches("by ").trim();
    if byline.is_empty() || byline.len() > MAX_BYLINE {
        return Vec::new();
    }
    let mut out = Vec::new();
    for part in byline.split([';', '|']).flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" & ")) {
        let part = part.trim().trim_matches(',').trim();
        match part.split(',').map(str::trim).collect::<Vec<_>>().as_slice() {
            [] | [""] => {}
            [family, given] if !family.contains(' ') || given.split(' ').all(|name| name.ends_with('.')) => {
                out.push(Author::Person { family: (*family).to_owned(), given: (*given).to_owned() });
            }
            names => out.extend(names.iter().filter(|name| !name.is_empty()).map(|name| author(name))),
        }
    }
    out
}

/// Small words of a family name: `Ludwig van Beethoven` is a van Beethoven.
const PARTICLES: [&str; 13] = ["van", "von", "de", "der", "den", "del", "della", "di", "da", "du", "la", "le", "ter"];
/// Words that people are not called.
const INSTITUTIONS: [&str; 16] = [
    "university",
    "institute",
    "council",
    "committee",
    "ministry",
    "department",
    "agency",
    "office",
    "association",
    "foundation",
    "team",
    "staff",
    "editors",
    "group",
    "organization",
    "press",
];

/// A name in its usual order.
fn author(name: &str) -> Author {
    let words: Vec<&str> = name.split(' ').collect();
    let institution = words.iter().any(|word| INSTITUTIONS.contains(&word.to_lowercase().as_str()));
    if words.len() < 2 || words.len() > 5 || institution || words[0].eq_ignore_ascii_case("the") {
        return Author::Whole(name.to_owned());
    }
    let first = words.iter().position(|word| PARTICLES.contains(word)).unwrap_or(words.len() - 1).max(1);
    Author::Person { family: words[first..].join(" "), given: words[..first].join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_institutions_are_told_apart() {
        let person = |family: &str, given: &str| Author::Person { family: family.into(), given: given.into() };
        let whole = |name: &str| Author::Whole(name.into());
        for (line, expected) in [
            ("By Ann Miller and Bo Li", vec![person("Miller", "Ann"), person("Li", "Bo")]),
            ("Miller, Ann; Li, B. C.", vec![person("Miller", "Ann"), person("Li", "B. C.")]),
            ("Ann Miller, Bo Li & Eve Stone", vec![person("Miller", "Ann"), person("Li", "Bo"), person("Stone", "Eve")]),
            ("Ludwig van Beethoven", vec![person("van Beethoven", "Ludwig")]),
            ("University of Aldermoor", vec![whole("University of Aldermoor")]),
            ("Reuters", vec![whole("Reuters")]),
            ("The Aldermoor Times", vec![whole("The Aldermoor Times")]),
            ("  ", vec![]),
        ] {
            assert_eq!(authors(line), expected, "{line}");
        }
    }
}
