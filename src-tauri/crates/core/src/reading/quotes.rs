//! Answers made of quotations: by the built-in researcher, and where the model of a run failed.

use std::ops::Range;

use crate::{
    markdown,
    rank::{
        Candidate, Quote,
        select::{LINES_BEFORE, LINES_BEHIND},
    },
    text,
};

/// Words that all quotations together may have.
pub const MAX_WORDS: usize = 118;
/// Quotations at most: the one that answers, and two that add something. Sentences that follow each other are one.
pub const MAX_QUOTES: usize = 3;

/// One quotation.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// What stands before the sentence that answers, in the same paragraph.
    pub before: &'a str,
    /// The sentence that answers.
    pub text: &'a str,
    /// What stands behind it.
    pub after: &'a str,
    /// Of the page it comes from.
    pub url: &'a str,
    /// The source's number.
    pub number: u32,
    /// Whether its lines stand for themselves, as those of a list do.
    pub in_lines: bool,
}

impl<'a> Line<'a> {
    /// A quotation of `around`, in which `sentence` answers; both are bytes of the page's text.
    pub fn new(page: &'a str, around: &Range<usize>, sentence: &Range<usize>, url: &'a str, number: u32) -> Self {
        Self {
            before: &page[around.start..sentence.start],
            text: &page[sentence.clone()],
            after: &page[sentence.end..around.end],
            url,
            number,
            in_lines: text::block_around(page, sentence.start).is_some_and(|block| text::is_lines(page, &block)),
        }
    }
}

/// Quotes with as much of their paragraphs around them as the words that are left allow, the first one first. Returns
/// for each the bytes of its candidate.
pub fn with_context(quotes: &[Quote], candidates: &[Candidate<'_>]) -> Vec<Range<usize>> {
    let words = |candidate: usize, range: &Range<usize>| text::word_count(&candidates[candidate].text[range.clone()]);
    let mut out: Vec<Range<usize>> = quotes.iter().map(|quote| quote.range.clone()).collect();
    for (index, quote) in quotes.iter().enumerate() {
        let total: usize = out.iter().zip(quotes).map(|(range, quote)| words(quote.candidate, range)).sum();
        let most = words(quote.candidate, &out[index]) + MAX_WORDS.saturating_sub(total);
        let grown = grown(candidates[quote.candidate].text, &out[index], most);
        let overlaps = |(other, range): (usize, &Range<usize>)| {
            other != index && quotes[other].candidate == quote.candidate && range.start < grown.end && grown.start < range.end
        };
        if !out.iter().enumerate().any(overlaps) {
            out[index] = grown;
        }
    }
    out
}

/// A stretch with sentences of its paragraph before and behind it, of at most so many words.
fn grown(text: &str, range: &Range<usize>, most: usize) -> Range<usize> {
    let blocks = text::blocks(text);
    let Some(block) = blocks.iter().find(|block| block.range.contains(&range.start)) else { return range.clone() };
    let mut sentences = text::block_sentences(text, block);
    if text::is_lines(text, block) {
        // Of a list only what stands beside it, such as the name above a value.
        let at = sentences.iter().position(|sentence| sentence.end > range.start).unwrap_or_default();
        let end = sentences.iter().rposition(|sentence| sentence.start < range.end).unwrap_or(at);
        sentences = sentences[at.saturating_sub(LINES_BEFORE)..(end + 1 + LINES_BEHIND).min(sentences.len())].to_vec();
    }
    let mut out = range.clone();
    loop {
        let before = sentences.iter().rfind(|sentence| sentence.end <= out.start).map(|sentence| sentence.start..out.end);
        let fits = |wider: &Range<usize>| text::word_count(&text[wider.clone()]) <= most;
        let first = before.filter(fits);
        out = first.clone().unwrap_or(out);
        let behind = sentences.iter().find(|sentence| sentence.start >= out.end).map(|sentence| out.start..sentence.end);
        let second = behind.filter(fits);
        out = second.clone().unwrap_or(out);
        if first.is_none() && second.is_none() {
            return out;
        }
    }
}

/// What stands above further quotations.
pub const ALSO: &str = "Also in the sources:";

/// Quotations as Markdown: the first one by itself with the answering sentence in bold, the others below it, with `also`
/// above them.
pub fn listed(lines: &[Line<'_>], also: &str) -> String {
    let mut out = lines.first().map(|line| quoted(line, true)).unwrap_or_default();
    if lines.len() > 1 {
        out.push_str(&format!("\n\n{also}\n\n"));
        for other in &lines[1..] {
            out.push_str("- ");
            out.push_str(&quoted(other, false));
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

fn quoted(line: &Line<'_>, is_bold: bool) -> String {
    let is_markdown = is_markdown(line.url);
    let joint = if line.in_lines { " · " } else { " " };
    let [before, sentence, after] = [line.before, line.text, line.after].map(|part| {
        let pieces = if line.in_lines { part.lines().collect() } else { vec![part] };
        let pieces: Vec<String> = pieces.into_iter().map(|piece| clean(piece, is_markdown)).filter(|piece| !piece.is_empty()).collect();
        pieces.join(joint)
    });
    // Where nothing stands around it, all of it would be bold.
    let is_bold = is_bold && !(before.is_empty() && after.is_empty()) && !sentence.is_empty();
    let sentence = if is_bold { format!("**{sentence}**") } else { sentence };
    let parts: Vec<String> = [before, sentence, after].into_iter().filter(|part| !part.is_empty()).collect();
    format!("“{}” [{}]", parts.join(joint), line.number)
}

/// Whether a page's text holds marks of Markdown: web pages and HTML were turned into it.
fn is_markdown(url: &str) -> bool {
    let end = url.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    !crate::urls::is_document(url) || matches!(end.as_str(), "md" | "markdown" | "mdx" | "html" | "htm" | "xhtml")
}

/// A quote that Markdown shows as it is: marks of the source's own markup are gone, and nothing in
/// it can be taken for a citation of ours.
pub fn clean(quote: &str, is_markdown: bool) -> String {
    let plain = match row(quote) {
        Some(cells) => {
            cells.iter().map(|cell| if is_markdown { text::plain(cell) } else { text::fold_space(cell) }).collect::<Vec<_>>().join(" · ")
        }
        None if is_markdown => text::plain(quote),
        None => without_sign(&text::fold_space(quote)).to_owned(),
    };
    markdown::escape(&plain.replace(['“', '”', '„'], "\""))
}

/// The cells of a row of a table that are not empty.
fn row(quote: &str) -> Option<Vec<&str>> {
    let inner = quote.trim().strip_prefix("| ")?.strip_suffix('|')?;
    let cells: Vec<&str> = inner.split(" |").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    (cells.len() > 1).then_some(cells)
}

/// Without the sign of a list item: office files and mail become text in which it stands.
fn without_sign(text: &str) -> &str {
    ["- ", "• ", "– ", "* "].iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_of_plain_files_keep_every_character() {
        assert_eq!(clean("area = 6 * 7, x[i] <b> #tag", false), "area = 6 \\* 7, x[i] \\<b\\> \\#tag");
        assert_eq!(clean("Sie heißt „Alte Brücke“.", false), "Sie heißt \"Alte Brücke\".");
        assert_eq!(clean("**bold** [a](https://e.org) [2]", true), "bold a (2)");
        assert_eq!(clean("| Outer pier | 640 * 2 | |", false), "Outer pier · 640 \\* 2");
        assert_eq!(clean("| **Outer** pier | 640 |", true), "Outer pier · 640");
        assert_eq!((clean("- Fresh water", false), clean("|a| + |b|", false)), ("Fresh water".into(), "\\|a\\| + \\|b\\|".into()));
    }

    #[test]
    fn the_answering_sentence_stands_out_of_its_context() {
        let text = "A bridge of steel. It opened in 1931. Ships pass below.\n\nAnother paragraph.";
        let start = text.find("It opened").unwrap();
        let quote = Quote { candidate: 0, range: start..start + 18, score: 1.0, coverage: 1.0, is_relevant: true };
        let candidates = [Candidate { title: "Bridge", text, rank: 0, hot: Vec::new() }];
        let range = with_context(std::slice::from_ref(&quote), &candidates).remove(0);
        assert_eq!(&text[range.clone()], "A bridge of steel. It opened in 1931. Ships pass below.");
        let line = Line {
            before: &text[range.start..quote.range.start],
            text: &text[quote.range.clone()],
            after: &text[quote.range.end..range.end],
            url: "https://e.org/",
            number: 4,
            in_lines: false,
        };
        assert_eq!(
            listed(&[line, line], ALSO),
            "“A bridge of steel. **It opened in 1931.** Ships pass below.” [4]\n\nAlso in the sources:\n\n- “A bridge of steel. It opened in 1931. Ships pass below.” [4]"
        );
    }
}
