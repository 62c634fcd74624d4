//! Answers made of quotations: by the built-in researcher, and where the model of a run failed.

use crate::{markdown, text};

/// Words that all quotations together may have.
pub const MAX_WORDS: usize = 118;
/// Quotations at most; sentences that follow each other are one.
pub const MAX_QUOTES: usize = 5;

/// One quotation.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    pub text: &'a str,
    /// Of the page it comes from.
    pub url: &'a str,
    /// The source's number.
    pub number: u32,
}

/// Quotations as Markdown: the first one by itself, the others below it.
pub fn listed(lines: &[Line<'_>]) -> String {
    let line = |line: &Line<'_>| format!("“{}” [{}]", clean(line.text, is_markdown(line.url)), line.number);
    let mut out = lines.first().map(line).unwrap_or_default();
    if lines.len() > 1 {
        out.push_str("\n\nAlso in the sources:\n\n");
        for other in &lines[1..] {
            out.push_str("- ");
            out.push_str(&line(other));
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

/// Whether a page's text holds marks of Markdown: web pages and HTML were turned into it.
fn is_markdown(url: &str) -> bool {
    let end = url.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    !url.starts_with("file:") || matches!(end.as_str(), "md" | "markdown" | "mdx" | "html" | "htm" | "xhtml")
}

/// A quote that Markdown shows as it is: marks of the source's own markup are gone, and nothing in
/// it can be taken for a citation of ours.
pub fn clean(quote: &str, is_markdown: bool) -> String {
    let plain = if is_markdown { text::plain(quote) } else { text::fold_space(quote) };
    markdown::escape(&plain.replace(['“', '”'], "\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_of_plain_files_keep_every_character() {
        assert_eq!(clean("area = 6 * 7, x[i] <b> #tag", false), "area = 6 \\* 7, x[i] \\<b\\> \\#tag");
        assert_eq!(clean("**bold** [a](https://e.org) [2]", true), "bold a (2)");
    }
}
