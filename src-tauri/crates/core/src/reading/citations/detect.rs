//! Which sources an answer uses although it cites none: it names their addresses or quotes them.

use crate::{
    evidence::Letters,
    reading::Detection,
    text::{self, BlockKind},
    urls::site,
};

/// Letters that a quotation needs to be recognised.
const QUOTE_LETTERS: usize = 25;
/// Letters that a part of a path needs.
const PATH_LETTERS: usize = 4;
/// Names that occur in sentences without meaning the site.
const COMMON: &[&str] = &[
    "amazon",
    "apple",
    "bbc",
    "blog",
    "docs",
    "facebook",
    "github",
    "gitlab",
    "google",
    "medium",
    "microsoft",
    "news",
    "reddit",
    "stackoverflow",
    "twitter",
    "wikipedia",
    "www",
    "youtube",
];

/// A source that may have been used.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    pub number: u32,
    pub url: &'a str,
    pub text: &'a str,
}

/// A sign of a source in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Byte of the answer behind which the number belongs.
    pub at: usize,
    pub number: u32,
    pub by: Detection,
}

/// The mentions, in the order of the answer: by full address, by host and part of the path, by a
/// host that is no common name and that only one source has, and by words quoted from the source.
pub fn detect(answer: &str, sources: &[Candidate<'_>]) -> Vec<Mention> {
    let mut out: Vec<Mention> = Vec::new();
    let prepared: Vec<Prepared<'_>> = sources.iter().map(|source| Prepared::new(source, sources)).collect();
    for block in text::blocks(answer) {
        if matches!(block.kind, BlockKind::Code | BlockKind::Heading) {
            continue;
        }
        for range in text::block_sentences(answer, &block) {
            let sentence = &answer[range.clone()];
            let lower = sentence.to_lowercase();
            let quotes = quotations(sentence);
            for source in &prepared {
                if let Some(by) = source.sign(&lower, &quotes) {
                    out.push(Mention { at: end_of(answer, range.end, block.kind), number: source.number, by });
                }
            }
        }
    }
    out
}

/// In a table the number belongs into the last cell.
fn end_of(answer: &str, end: usize, kind: BlockKind) -> usize {
    let row = kind == BlockKind::TableRow && answer[..end].ends_with('|');
    if row { answer[..end - 1].trim_end().len() } else { end }
}

struct Prepared<'a> {
    number: u32,
    /// Lower case, without scheme, `www.` and slash at the end.
    address: String,
    host: String,
    /// Whether the host alone says which source is meant.
    host_is_telling: bool,
    paths: Vec<String>,
    letters: std::cell::OnceCell<Letters>,
    text: &'a str,
}

impl<'a> Prepared<'a> {
    fn new(source: &Candidate<'a>, all: &[Candidate<'_>]) -> Self {
        let lower = source.url.to_lowercase();
        let address = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
        let address = address.split('#').next().unwrap_or_default().trim_end_matches('/');
        let address = address.strip_prefix("www.").unwrap_or(address).to_owned();
        let is_web = lower.starts_with("http");
        let host = if is_web { site(&lower) } else { String::new() };
        let name = host.rsplit('.').nth(1).unwrap_or_default();
        let alone = all.iter().filter(|other| site(&other.url.to_lowercase()) == host).count() == 1;
        let is_number = host.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ':'));
        let host_is_telling = is_web && !is_number && host.contains('.') && alone && !COMMON.contains(&name);
        let paths = address
            .split(['/', '?'])
            .skip(1)
            .filter(|part| part.chars().filter(|c| c.is_alphabetic()).count() >= PATH_LETTERS)
            .map(str::to_owned)
            .collect();
        Self { number: source.number, address, host, host_is_telling, paths, letters: std::cell::OnceCell::new(), text: source.text }
    }

    fn sign(&self, lower: &str, quotes: &[&str]) -> Option<Detection> {
        if self.address.contains('/') && contains_whole(lower, &self.address, true) {
            return Some(Detection::Url);
        }
        // Another page of the same site is not this one.
        let names_host = !self.host.is_empty() && contains_whole(lower, &self.host, true);
        if names_host && self.paths.iter().any(|path| contains_whole(lower, path, false)) {
            return Some(Detection::Path);
        }
        if names_host && self.host_is_telling {
            return Some(Detection::Host);
        }
        // What is denied or was only searched for is not said by the source.
        if [" not ", "n't ", " searched ", " nothing "].iter().any(|word| lower.contains(word)) {
            return None;
        }
        let letters = || self.letters.get_or_init(|| Letters::new(self.text));
        let quoted = quotes.iter().any(|quote| letters().find(quote).is_some());
        quoted.then_some(Detection::Quote)
    }
}

/// Whether `part` stands in `text` and is not the middle of a longer name; nor, if `to_end`, the
/// beginning of a longer address.
fn contains_whole(text: &str, part: &str, to_end: bool) -> bool {
    text.match_indices(part).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + part.len()..].chars();
        let next = after.next();
        let continues = match next {
            Some('.') => after.next().is_some_and(char::is_alphanumeric),
            Some('/') if to_end => after.next().is_some_and(|c| c.is_alphanumeric() || matches!(c, '?' | '%' | '_' | '-')),
            Some(c) => c.is_alphanumeric() || matches!(c, '-' | '_') || (to_end && matches!(c, '?' | '&' | '=' | '%' | ':')),
            None => false,
        };
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '.')) && !continues
    })
}

/// What a sentence quotes at a length that tells whose words they are.
fn quotations(sentence: &str) -> Vec<&str> {
    let long = |quote: &&str| quote.chars().filter(|c| c.is_alphanumeric()).count() >= QUOTE_LETTERS;
    text::quoted(sentence, &[('“', '”'), ('"', '"'), ('«', '»'), ('„', '“')]).into_iter().filter(long).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCES: &[Candidate<'static>] = &[
        Candidate {
            number: 1,
            url: "https://www.aldermoor.example/bridge/history",
            text: "The bridge was opened on 12 May 1931 by the mayor of the town.",
        },
        Candidate { number: 2, url: "https://github.com/orvik/lighthouse", text: "A lighthouse kit." },
        Candidate { number: 3, url: "https://docs.orvik.example/", text: "The lamp burns oil." },
    ];

    fn found(answer: &str) -> Vec<(u32, Detection)> {
        detect(answer, SOURCES).into_iter().map(|mention| (mention.number, mention.by)).collect()
    }

    #[test]
    fn every_sign_is_recognised() {
        assert_eq!(found("See https://aldermoor.example/bridge/history for more."), [(1, Detection::Url)]);
        assert_eq!(found("The history page of aldermoor.example says 1931."), [(1, Detection::Path)]);
        assert_eq!(found("According to docs.orvik.example, it burns oil."), [(3, Detection::Host)]);
        assert_eq!(found("It “was opened on 12 May 1931 by the mayor”, they say."), [(1, Detection::Quote)]);
    }

    #[test]
    fn common_hosts_and_similar_names_are_no_signs() {
        assert_eq!(found("I found it on github.com somewhere."), []);
        assert_eq!(found("The page notdocs.orvik.example.org is another one."), []);
        assert_eq!(found("It was opened by the mayor."), []);
        assert_eq!(found("See https://aldermoor.example/bridge/history/2 or docs.orvik.example/other."), []);
        assert_eq!(found("It is not true that it “was opened on 12 May 1931 by the mayor”."), []);
        assert_eq!(found("```\ncurl https://aldermoor.example/bridge/history\n```"), []);
        assert_eq!(found("The lighthouse on github.com is a kit."), [(2, Detection::Path)]);
    }

    #[test]
    fn numbers_in_tables_stay_in_the_table() {
        let answer = "| a | docs.orvik.example |";
        let at = detect(answer, SOURCES)[0].at;
        assert_eq!(&answer[at..], " |");
    }
}
