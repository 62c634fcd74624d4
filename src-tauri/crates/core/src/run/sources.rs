//! The sources of a run: numbered once, never renumbered.

use serde::{Deserialize, Serialize};

use crate::{
    ports::Page,
    protocol::Source,
    urls::{page_key, site},
};

/// A source with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownSource {
    pub number: u32,
    pub page: Page,
    /// What earlier answers rest on.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub quotes: Vec<String>,
}

/// All sources of the thread that this run knows.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceBook {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    known: KnownSource,
    /// Every address under which it was asked for.
    keys: Vec<String>,
    /// Read, or read again, in this run.
    fresh: bool,
}

impl SourceBook {
    pub(super) fn new(known: Vec<KnownSource>) -> Self {
        let entries = known.into_iter().map(|known| Entry { keys: vec![page_key(&known.page.url)], known, fresh: false }).collect();
        Self { entries }
    }

    /// Adds a page that was asked for as `asked`; the same page again keeps its number.
    pub(super) fn add(&mut self, asked: &str, page: Page) -> u32 {
        let keys = [page_key(asked), page_key(&page.url)];
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.keys.iter().any(|key| keys.contains(key))) {
            for key in keys {
                if !entry.keys.contains(&key) {
                    entry.keys.push(key);
                }
            }
            entry.fresh = true;
            return entry.known.number;
        }
        let number = self.entries.iter().map(|entry| entry.known.number).max().unwrap_or(0) + 1;
        self.entries.push(Entry { known: KnownSource { number, page, quotes: Vec::new() }, keys: keys.to_vec(), fresh: true });
        number
    }

    /// Whether no page was read, in this run or before it.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All sources, those that were read in this run first.
    pub(super) fn fresh_first(&self) -> impl Iterator<Item = &KnownSource> {
        let of = |fresh: bool| self.entries.iter().filter(move |entry| entry.fresh == fresh).map(|entry| &entry.known);
        of(true).chain(of(false))
    }

    /// The source that was read under this address, if any.
    pub(super) fn find(&mut self, url: &str) -> Option<&KnownSource> {
        let key = page_key(url);
        let entry = self.entries.iter_mut().find(|entry| entry.keys.contains(&key))?;
        entry.fresh = true;
        Some(&entry.known)
    }

    pub(super) fn get(&self, number: u32) -> Option<&KnownSource> {
        self.entries.iter().map(|entry| &entry.known).find(|known| known.number == number)
    }

    /// The sources read in this run and the ones that `also` names, in order of their numbers.
    pub(super) fn list(&self, also: &[u32]) -> Vec<Source> {
        let mut out: Vec<Source> = self
            .entries
            .iter()
            .filter(|entry| entry.fresh || also.contains(&entry.known.number))
            .map(|entry| {
                let KnownSource { number, page, .. } = &entry.known;
                Source {
                    number: *number,
                    url: page.url.clone(),
                    title: if page.title.is_empty() { site(&page.url) } else { page.title.clone() },
                    site: site(&page.url),
                    date: page.date.clone(),
                    cached_ms: page.cached_ms,
                    cited: false,
                    passages: Vec::new(),
                }
            })
            .collect();
        out.sort_by_key(|source| source.number);
        out
    }

    /// Every source that is known, in order of their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = &KnownSource> {
        self.entries.iter().map(|entry| &entry.known)
    }

    /// Whether a page was read under this address.
    pub(super) fn has(&self, url: &str) -> bool {
        let key = page_key(url);
        self.entries.iter().any(|entry| entry.keys.contains(&key))
    }

    /// Addresses and numbers of what was read in this run.
    pub(super) fn links(&self) -> Vec<(u32, &str)> {
        self.entries.iter().filter(|entry| entry.fresh).map(|entry| (entry.known.number, entry.known.page.url.as_str())).collect()
    }
}
