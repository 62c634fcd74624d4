//! The sources of a run. While it goes on, every page has a handle, which the model cites it by; at the end it gets
//! the number that people read, for good.

use std::collections::BTreeMap;

use crate::{
    ports::Page,
    prompts::KnownSource,
    protocol::Source,
    urls::{page_key, site},
};

/// All sources of the thread that this run knows.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceBook {
    entries: Vec<Entry>,
    /// The highest number that a source of an earlier turn has.
    base: u32,
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
        let base = known.iter().map(|known| known.number).max().unwrap_or(0);
        let mut entries: Vec<Entry> = Vec::with_capacity(known.len());
        for known in known {
            let keys = vec![page_key(&known.page.url)];
            // A page that was read anew later is found as it was then.
            entries.iter_mut().filter(|entry| entry.keys == keys).for_each(|entry| entry.keys.clear());
            entries.push(Entry { keys, known, fresh: false });
        }
        Self { entries, base }
    }

    /// The first number that is given is above this one, too.
    pub(super) fn above(mut self, number: u32) -> Self {
        self.base = self.base.max(number);
        self
    }

    /// Adds a page that was asked for as `asked` and returns its handle; the same page again keeps it.
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
        let number = self.entries.iter().map(|entry| entry.known.number).max().unwrap_or(0).max(self.base) + 1;
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

    /// The same, without counting as read in this run.
    pub(super) fn at(&self, url: &str) -> Option<&KnownSource> {
        let key = page_key(url);
        self.entries.iter().find(|entry| entry.keys.contains(&key)).map(|entry| &entry.known)
    }

    pub(super) fn get(&self, number: u32) -> Option<&KnownSource> {
        self.entries.iter().map(|entry| &entry.known).find(|known| known.number == number)
    }

    /// The numbers of all sources by their handles, where an answer cites these first, in this order. Sources of
    /// earlier turns keep theirs. Those that are not cited come last, in the order of their addresses: the order in
    /// which they arrived is another one each time.
    pub(super) fn numbers(&self, order: &[u32]) -> BTreeMap<u32, u32> {
        let mut fresh: Vec<&KnownSource> = self.all().filter(|known| known.number > self.base).collect();
        let places: BTreeMap<u32, usize> = order.iter().copied().zip(0..).collect();
        let place = |handle: u32| places.get(&handle).copied().unwrap_or(usize::MAX);
        fresh.sort_by(|a, b| place(a.number).cmp(&place(b.number)).then_with(|| a.page.url.cmp(&b.page.url)));
        let earlier = self.all().map(|known| known.number).filter(|number| *number <= self.base).map(|number| (number, number));
        earlier.chain(fresh.into_iter().map(|known| known.number).zip(self.base + 1..)).collect()
    }

    /// The number of a handle in an answer that is arriving, which has cited `order` so far and now cites this.
    pub(super) fn number_now(&self, handle: u32, order: &mut Vec<u32>) -> Option<u32> {
        self.get(handle)?;
        if handle <= self.base {
            return Some(handle);
        }
        let place = order.iter().position(|cited| *cited == handle).unwrap_or_else(|| {
            order.push(handle);
            order.len() - 1
        });
        u32::try_from(place).ok().map(|place| self.base + 1 + place)
    }

    /// The sources read in this run and those that `also` names by their handles, with their numbers and in order
    /// of them.
    pub(super) fn list(&self, also: &[u32], numbers: &BTreeMap<u32, u32>) -> Vec<Source> {
        let mut out: Vec<Source> = self
            .entries
            .iter()
            .filter(|entry| entry.fresh || also.contains(&entry.known.number))
            .map(|entry| {
                let KnownSource { number, page, .. } = &entry.known;
                Source {
                    number: numbers.get(number).copied().unwrap_or(*number),
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
