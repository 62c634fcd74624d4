//! Markdown as a terminal shows it while it is still being written.

use std::collections::BTreeMap;

/// Longest piece in brackets that can be a citation.
const LONGEST: usize = 16;

const BOLD: &str = "\x1b[1m";
const CODE: &str = "\x1b[33m";
const CITATION: &str = "\x1b[36m";
const NORMAL: &str = "\x1b[0m";

/// Turns Markdown into text with colours, however it is cut into pieces. Bold, code, headings and
/// citations are shown; everything else stays as it was written.
#[derive(Debug, Default)]
pub struct Markup {
    /// What cannot be told yet: a star, a backslash, the beginning of a citation or of a heading.
    pending: String,
    bold: bool,
    code: bool,
    /// Within a fenced block nothing has a meaning.
    fenced: bool,
    heading: bool,
    /// What stands on the line so far, as far as it decides what the line is.
    line: String,
    /// Where the numbers of sources lead; empty where the terminal knows no links.
    links: BTreeMap<u32, String>,
}

impl Markup {
    /// The next piece, ready to be shown.
    pub fn push(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 16);
        for c in text.chars() {
            self.take(c, &mut out);
        }
        out
    }

    /// What was held back, and the end of all colours.
    pub fn finish(&mut self) -> String {
        let mut out = std::mem::take(&mut self.pending);
        if self.bold || self.code || self.heading {
            out.push_str(NORMAL);
        }
        *self = Self { links: std::mem::take(&mut self.links), ..Self::default() };
        out
    }

    /// Makes citations lead to these addresses from now on.
    pub fn lead_to(&mut self, links: BTreeMap<u32, String>) {
        self.links = links;
    }

    fn take(&mut self, c: char, out: &mut String) {
        if c == '\n' {
            out.push_str(&std::mem::take(&mut self.pending));
            if self.line.trim_start().starts_with("```") {
                self.fenced = !self.fenced;
            }
            if self.heading {
                self.heading = false;
                out.push_str(NORMAL);
            }
            // A mark that was never closed ends with its paragraph.
            if self.line.trim().is_empty() && (self.bold || self.code) {
                (self.bold, self.code) = (false, false);
                out.push_str(NORMAL);
            }
            self.line.clear();
            out.push(c);
            return;
        }
        let (begins, indented) = (self.line.is_empty(), self.line.trim_start().is_empty());
        if self.line.len() < 8 {
            self.line.push(c);
        }
        if self.fenced || self.line.trim_start().starts_with("```") {
            out.push_str(&std::mem::take(&mut self.pending));
            out.push(c);
            return;
        }
        match self.pending.chars().next() {
            Some('#') => return self.in_heading(c, out),
            Some('[') => return self.in_brackets(c, out),
            Some('`') if c == '`' => return self.pending.push(c),
            Some('`') => {
                // Not a fence: one of them begins code, two are an empty piece of it.
                let held = std::mem::take(&mut self.pending).len();
                if held == 1 {
                    self.code = true;
                    self.colours(out);
                }
            }
            Some('*') => {
                self.pending.clear();
                if c == '*' {
                    self.bold = !self.bold;
                    self.colours(out);
                    return;
                }
                out.push('*');
            }
            Some('\\') => {
                self.pending.clear();
                if !c.is_ascii_punctuation() {
                    out.push('\\');
                }
                out.push(c);
                return;
            }
            _ => {}
        }
        match c {
            '#' if begins => self.pending.push(c),
            '`' if indented && !self.code => self.pending.push(c),
            '`' => {
                self.code = !self.code;
                self.colours(out);
            }
            '[' | '*' | '\\' if !self.code => self.pending.push(c),
            _ => out.push(c),
        }
    }

    fn in_heading(&mut self, c: char, out: &mut String) {
        if c == '#' && self.pending.len() < 6 {
            self.pending.push(c);
            return;
        }
        let marks = std::mem::take(&mut self.pending);
        if c == ' ' {
            self.heading = true;
            self.colours(out);
        } else {
            out.push_str(&marks);
            out.push(c);
        }
    }

    fn in_brackets(&mut self, c: char, out: &mut String) {
        self.pending.push(c);
        let inner = &self.pending[1..];
        if c == ']' && inner.len() > 1 {
            let number = inner.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>();
            let address = number.ok().and_then(|number| self.links.get(&number));
            out.push_str(CITATION);
            out.push_str(&linked(&self.pending, address.map(String::as_str)));
            self.pending.clear();
            self.colours(out);
        } else if !(c.is_ascii_digit() || matches!(c, ',' | '-' | ' ')) || inner.len() > LONGEST {
            let held = std::mem::take(&mut self.pending);
            // The last one may begin something itself.
            out.push_str(&held[..held.len() - c.len_utf8()]);
            self.take_again(c, out);
        }
    }

    /// A character that ended something else; it already counts for the line.
    fn take_again(&mut self, c: char, out: &mut String) {
        match c {
            '`' => {
                self.code = !self.code;
                self.colours(out);
            }
            '[' | '*' | '\\' => self.pending.push(c),
            _ => out.push(c),
        }
    }

    /// Sets the colours anew: terminals cannot end one of several.
    fn colours(&self, out: &mut String) {
        out.push_str(NORMAL);
        if self.bold || self.heading {
            out.push_str(BOLD);
        }
        if self.code {
            out.push_str(CODE);
        }
    }
}

/// A text that leads to an address, on a terminal that knows links.
pub fn linked(text: &str, address: Option<&str>) -> String {
    match address {
        // Anything else in an address could end the sequence.
        Some(address) if address.bytes().all(|byte| byte.is_ascii_graphic()) => format!("\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"),
        _ => text.to_owned(),
    }
}

/// Markdown where nothing can be shown in bold: without the stars of it, and without backslashes before punctuation. Code stays
/// as it is.
pub fn without_marks(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let (mut fenced, mut code) = (false, false);
    for line in markdown.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        if is_fence || fenced {
            fenced ^= is_fence;
            out.push_str(line);
            continue;
        }
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek()) {
                ('`', _) => {
                    code = !code;
                    out.push(c);
                }
                // In a table, it tells a bar of the text from one between cells.
                ('\\', Some('|')) if line.trim_start().starts_with('|') => out.push(c),
                ('\\', Some(next)) if !code && next.is_ascii_punctuation() => out.extend(chars.next()),
                ('*', Some('*')) if !code => {
                    chars.next();
                    let is_free = out.ends_with([' ', '\n']) && chars.peek().is_none_or(|next| next.is_whitespace());
                    if is_free {
                        out.push_str("**");
                    }
                }
                _ => out.push(c),
            }
        }
        // A mark that was never closed ends with its paragraph.
        code &= !line.trim().is_empty();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(markdown: &str) -> String {
        let mut markup = Markup::default();
        let mut whole = markup.push(markdown);
        whole.push_str(&markup.finish());
        // However it is cut, it comes out the same.
        let mut cut: String = markdown.chars().map(|c| markup.push(&c.to_string())).collect();
        cut.push_str(&markup.finish());
        assert_eq!(cut, whole, "{markdown}");
        whole.replace(NORMAL, "<0>").replace(BOLD, "<b>").replace(CODE, "<c>").replace(CITATION, "<n>")
    }

    #[test]
    fn where_nothing_is_bold_no_stars_are_shown() {
        assert_eq!(without_marks("2 ** 3 = 8\n| **a** | b \\| c |"), "2 ** 3 = 8\n| a | b \\| c |");
        assert_eq!(
            without_marks("“**It opened.** Yes\\*” [1] 2*3\n`a**b\\*`\n```\n**x**\n```\n**y"),
            "“It opened. Yes*” [1] 2*3\n`a**b\\*`\n```\n**x**\n```\ny"
        );
    }

    #[test]
    fn citations_lead_to_their_sources() {
        let mut markup = Markup::default();
        markup.lead_to(BTreeMap::from([(2, "https://e.org/a".to_owned()), (3, "https://e.org/\x1b]".to_owned())]));
        let link = "\x1b]8;;https://e.org/a\x1b\\[2, 3]\x1b]8;;\x1b\\";
        assert_eq!(markup.push("[1][2, 3][3]"), format!("{CITATION}[1]{NORMAL}{CITATION}{link}{NORMAL}{CITATION}[3]{NORMAL}"));
    }

    #[test]
    fn marks_become_colours() {
        assert_eq!(shown("It **was** so [1][2, 3]."), "It <0><b>was<0> so <n>[1]<0><n>[2, 3]<0>.");
        assert_eq!(shown("# A *b*\nc"), "<0><b>A *b*<0>\nc");
        assert_eq!(shown("`a*b [1]` 2*3*4 #5"), "<0><c>a*b [1]<0> 2*3*4 #5");
        assert_eq!(shown("[link](https://e.org) [1** x**"), "[link](https://e.org) [1<0><b> x<0>");
        assert_eq!(shown("a\\*b \\n"), "a*b \\n");
        assert_eq!(shown("```\n**x** [1]\n```\n**y**"), "```\n**x** [1]\n```\n<0><b>y<0>");
        assert_eq!(shown("  ```rust\n`x`\n  ```\n`y` ``z"), "  ```rust\n`x`\n  ```\n<0><c>y<0> <0><c><0>z");
        assert_eq!(shown("a `b [1]\n\nc **d\n\ne [1]"), "a <0><c>b [1]\n<0>\nc <0><b>d\n<0>\ne <n>[1]<0>");
        assert_eq!(shown("* one\n* two [x"), "* one\n* two [x");
        assert_eq!(shown("#hash\n[日本 [1]"), "#hash\n[日本 <n>[1]<0>");
    }
}
