//! Citations and lists of sources in the words of a published style (APA, MLA, Chicago).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use citationberg::{FontStyle, Locale, Style, json::Item};
use hayagriva::archive::{ArchivedStyle, locales};
use hayagriva::{BibliographyDriver, BibliographyRequest, CitationItem, CitationRequest, ElemChild, ElemChildren};
use nexi_store::history::ThreadFile;

use super::CitationStyle;
use super::bibliography::csl_item;
use super::markers::clusters;
use super::works::works;

/// All languages that styles know words of. Unpacked when a style is wanted first.
static LOCALES: LazyLock<Vec<Locale>> = LazyLock::new(locales);

/// A piece of text as a style wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub text: String,
    pub italic: bool,
}

/// The sources of a thread in one style.
pub(super) struct Styled {
    /// What stands in the text for these numbers, such as `(Miller & Li, 2024)`.
    in_text: BTreeMap<Vec<u32>, String>,
    /// In the order of the style, each with its number.
    list: Vec<(u32, Vec<Piece>)>,
}

impl Styled {
    /// None for styles of our own, and where nothing is cited.
    pub(super) fn new(file: &ThreadFile, style: CitationStyle) -> Option<Self> {
        let archived = match style {
            CitationStyle::Apa => ArchivedStyle::AmericanPsychologicalAssociation,
            CitationStyle::Mla => ArchivedStyle::ModernLanguageAssociation,
            CitationStyle::Chicago => ArchivedStyle::ChicagoAuthorDate,
            CitationStyle::Numbered | CitationStyle::Footnotes | CitationStyle::AuthorDate => return None,
        };
        let Style::Independent(style) = archived.get() else { return None };
        let works = works(file);
        let items: BTreeMap<u32, Item> =
            works.values().filter_map(|work| Some((work.number, serde_json::from_value(csl_item(work)).ok()?))).collect();
        // All that stands together somewhere, and every source alone.
        let mut wanted: BTreeSet<Vec<u32>> = items.keys().map(|number| vec![*number]).collect();
        for turn in &file.turns {
            wanted.extend(
                clusters(&turn.ending.answer).into_iter().filter(|numbers| numbers.iter().all(|number| items.contains_key(number))),
            );
        }
        let mut driver = BibliographyDriver::new();
        for numbers in &wanted {
            let cited = numbers.iter().filter_map(|number| items.get(number)).map(CitationItem::with_entry).collect();
            driver.citation(CitationRequest::from_items(cited, &style, &LOCALES));
        }
        let done = driver.finish(BibliographyRequest { style: &style, locale: None, locale_files: &LOCALES });
        // So are files without a title of their own.
        let names = works.values().flat_map(|work| [work.container.as_str(), work.title.as_str()]);
        let hosts: Vec<&str> = names.filter(|name| is_host(name)).collect();
        let in_text =
            wanted.into_iter().zip(&done.citations).map(|(numbers, cited)| (numbers, plain(&pieces(&cited.citation, &hosts)))).collect();
        let list = done.bibliography.map(|list| list.items).unwrap_or_default();
        let list =
            list.iter().filter_map(|item| Some((item.key.strip_prefix('s')?.parse().ok()?, pieces(&item.content, &hosts)))).collect();
        Some(Self { in_text, list })
    }

    pub(super) fn in_text(&self, numbers: &[u32]) -> Option<&str> {
        self.in_text.get(numbers).map(String::as_str)
    }

    /// Where a source stands in the list.
    pub(super) fn place(&self, number: u32) -> usize {
        self.list.iter().position(|(known, _)| *known == number).unwrap_or(usize::MAX)
    }

    pub(super) fn entry(&self, number: u32) -> Option<&[Piece]> {
        self.list.iter().find(|(known, _)| *known == number).map(|(_, pieces)| pieces.as_slice())
    }
}

/// A stretch of an entry: words, or an address that may be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Words(&'a str),
    Italic(&'a str),
    Address(&'a str),
}

/// An entry as stretches. Addresses are the source's own and that of its DOI; others are words.
pub(super) fn tokens<'a>(pieces: &'a [Piece], url: &str) -> Vec<Token<'a>> {
    let mut out = Vec::new();
    for piece in pieces {
        let words = |text: &'a str| if piece.italic { Token::Italic(text) } else { Token::Words(text) };
        let mut rest = piece.text.as_str();
        while let Some(at) = rest.find("http") {
            let behind = &rest[at..];
            let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
            let own = behind.starts_with(url) && !url.is_empty();
            let end = if own { url.len() } else { behind[..end].trim_end_matches(['.', ',']).len() };
            let address = &behind[..end];
            if own || address.starts_with("https://doi.org/") {
                out.extend((at > 0).then(|| words(&rest[..at])));
                out.push(Token::Address(address));
                rest = &behind[end..];
            } else {
                let end = at + end.max(4);
                out.push(words(&rest[..end]));
                rest = &rest[end..];
            }
        }
        out.extend((!rest.is_empty()).then(|| words(rest)));
    }
    out
}

/// The words of a piece of a list, without looks.
pub(super) fn plain(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

/// Whether a site is called by its host, which styles would begin with a capital letter.
fn is_host(name: &str) -> bool {
    name.contains('.') && !name.contains(char::is_whitespace) && name.starts_with(|c: char| c.is_ascii_lowercase())
}

fn pieces(children: &ElemChildren, hosts: &[&str]) -> Vec<Piece> {
    let mut out = Vec::new();
    collect(children, &mut out);
    for piece in &mut out {
        for host in hosts {
            let capital = host[..1].to_uppercase() + &host[1..];
            piece.text = piece.text.replace(&capital, host);
        }
        // What `hayagriva` leaves of a day where only the year is known.
        piece.text = piece.text.replace(",)", ")");
    }
    out
}

fn collect(children: &ElemChildren, out: &mut Vec<Piece>) {
    for child in &children.0 {
        match child {
            ElemChild::Text(text) | ElemChild::Link { text, .. } => push(out, &text.text, text.formatting.font_style == FontStyle::Italic),
            ElemChild::Markup(text) => push(out, text, false),
            ElemChild::Elem(elem) => collect(&elem.children, out),
            ElemChild::Transparent { .. } => {}
        }
    }
}

/// Pieces of the same look become one.
fn push(out: &mut Vec<Piece>, text: &str, italic: bool) {
    match out.last_mut() {
        Some(last) if last.italic == italic => last.text.push_str(text),
        _ => out.push(Piece { text: text.to_owned(), italic }),
    }
}
