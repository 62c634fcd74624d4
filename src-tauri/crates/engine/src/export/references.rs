//! Sources as a reader names them.

use std::collections::BTreeMap;

use nexi_core::protocol::Source;
use nexi_store::history::{StoredSource, ThreadFile};

use super::CitationStyle;
use super::csl::{Piece, Styled};
use crate::sentences;

/// How each source of a thread is called in its text.
pub(super) struct References {
    /// `Miller 2024`, by number.
    short: BTreeMap<u32, String>,
    bylines: BTreeMap<u32, String>,
    dois: BTreeMap<u32, String>,
    /// What a page says that its site is called.
    sites: BTreeMap<u32, String>,
    /// Where a published style is wanted.
    styled: Option<Styled>,
}

impl References {
    pub(super) fn new(file: &ThreadFile, style: CitationStyle) -> Self {
        let mut short: BTreeMap<u32, String> = BTreeMap::new();
        let mut same: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let sources: BTreeMap<u32, &Source> =
            file.turns.iter().flat_map(|turn| &turn.ending.sources).map(|source| (source.number, source)).collect();
        let stored: BTreeMap<u32, &StoredSource> = file.sources.iter().map(|source| (source.number, source)).collect();
        let site = |number: &u32| {
            let site = stored.get(number)?.page.site.as_deref().map(nexi_core::text::fold_space)?;
            Some(site).filter(|site| !site.is_empty())
        };
        let sites: BTreeMap<u32, String> = sources.keys().filter_map(|number| Some((*number, site(number)?))).collect();
        let called = |number: &u32, source: &Source| sites.get(number).cloned().unwrap_or_else(|| sentences::site(source));
        let byline = |number: u32| {
            let stored = stored.get(&number)?;
            stored.page.byline.clone().filter(|byline| !byline.trim().is_empty() && byline.len() < 120)
        };
        for (number, source) in &sources {
            let who = byline(*number).map_or_else(|| called(number, source), |byline| family_name(&byline));
            let year = source.date.as_deref().and_then(|date| date.get(..4)).unwrap_or("n.d.");
            let name = format!("{who} {year}");
            same.entry(name.clone()).or_default().push(*number);
            short.insert(*number, name);
        }
        // Two works of the same author and year are told apart by letters.
        for numbers in same.values().filter(|numbers| numbers.len() > 1) {
            for (letter, number) in ('a'..='z').zip(numbers) {
                short.entry(*number).and_modify(|name| name.push(letter));
            }
        }
        let bylines = sources.keys().filter_map(|number| Some((*number, byline(*number)?))).collect();
        let dois = stored.iter().filter_map(|(number, source)| Some((*number, source.page.doi.clone()?))).collect();
        Self { short, bylines, dois, sites, styled: Styled::new(file, style) }
    }

    /// What stands in the text for these numbers; none where a number belongs to no source.
    pub(super) fn in_text(&self, numbers: &[u32]) -> Option<String> {
        if let Some(styled) = &self.styled {
            return styled.in_text(numbers).map(str::to_owned);
        }
        let names: Option<Vec<&str>> = numbers.iter().map(|number| self.short.get(number).map(String::as_str)).collect();
        names.map(|names| format!("({})", names.join("; ")))
    }

    pub(super) fn short(&self, number: u32) -> &str {
        self.short.get(&number).map_or("", String::as_str)
    }

    /// A source in the words of a published style, its address among them; none for styles of our own.
    pub(super) fn entry(&self, number: u32) -> Option<&[Piece]> {
        self.styled.as_ref()?.entry(number)
    }

    /// A source as one sentence, without its address.
    pub(super) fn long(&self, source: &Source) -> String {
        let mut parts = Vec::new();
        parts.extend(self.bylines.get(&source.number).cloned());
        parts.push(if source.title.is_empty() { source.url.clone() } else { source.title.clone() });
        let site = self.sites.get(&source.number).cloned().unwrap_or_else(|| sentences::site(source));
        // A file without a title is called by its name.
        if !site.is_empty() && parts.last() != Some(&site) {
            parts.push(site);
        }
        parts.extend(source.date.clone());
        parts.extend(self.dois.get(&source.number).map(|doi| format!("doi:{doi}")));
        parts.join(". ")
    }
}

/// The sources that an answer cites, in the order of the style's list.
pub(super) fn cited<'a>(sources: &'a [Source], style: CitationStyle, references: &References) -> Vec<&'a Source> {
    let mut cited: Vec<&Source> = sources.iter().filter(|source| source.cited).collect();
    if let Some(styled) = &references.styled {
        cited.sort_by_key(|source| styled.place(source.number));
    } else if style == CitationStyle::AuthorDate {
        cited.sort_by_key(|source| references.short(source.number).to_lowercase());
    }
    cited
}

/// `Miller` for `By Ann Miller`; `Miller, Ann` stays in front of its comma.
fn family_name(byline: &str) -> String {
    let first = byline.trim_start_matches("By ").split([';', '|']).next().unwrap_or_default();
    let first = first.split(" and ").next().unwrap_or_default().trim();
    match first.split_once(',') {
        Some((family, _)) => family.trim().to_owned(),
        None => first.split_whitespace().last().unwrap_or(first).to_owned(),
    }
}
