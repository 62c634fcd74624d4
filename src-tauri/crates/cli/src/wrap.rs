//! Words kept whole at the edge of a terminal, while they still arrive.

use unicode_width::UnicodeWidthChar;

/// Longer lines are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// Columns from one stop of a tab to the next: a terminal's own eight are too many for indented code.
const TAB: usize = 4;

/// Begins and ends a block of code.
const FENCE: &str = "```";

/// Breaks lines between words, however the text is cut into pieces. What follows in a list item is
/// indented like its text; code blocks and tables stay as they are. Escape sequences take no room.
#[derive(Debug)]
pub struct Wrap {
    width: usize,
    /// Columns of this line that are written.
    column: usize,
    /// Blanks that are written before the next word, unless it begins a line.
    blanks: usize,
    /// What a line that was broken begins with.
    indent: usize,
    /// The same for lines that have no blanks and no sign of their own.
    hang: usize,
    /// Written once it is whole.
    word: String,
    word_width: usize,
    escape: Escape,
    line: Line,
    /// What the line begins with, as far as it tells a fence.
    start: String,
    fenced: bool,
}

/// Where an escape sequence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    /// Behind ESC.
    Begun,
    /// `ESC [`, up to a letter.
    Control,
    /// `ESC ]`, up to ESC and a backslash.
    Command,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Nothing but blanks so far.
    Beginning,
    /// Its first word may be the sign of a list item.
    FirstWord,
    Text,
    /// Not to be broken.
    Verbatim,
}

impl Wrap {
    /// For a terminal of so many columns.
    pub fn new(columns: usize) -> Self {
        Self {
            width: columns.clamp(20, WIDEST),
            column: 0,
            blanks: 0,
            indent: 0,
            hang: 0,
            word: String::new(),
            word_width: 0,
            escape: Escape::None,
            line: Line::Beginning,
            start: String::new(),
            fenced: false,
        }
    }

    /// Columns of the longest line.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A whole text; lines that were broken go on this far from the left.
    pub fn hanging(text: &str, columns: usize, hang: usize) -> String {
        let mut wrap = Self { hang, indent: hang, ..Self::new(columns) };
        wrap.push(text) + &wrap.finish()
    }

    /// The next piece, as far as its words are whole.
    pub fn push(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 8);
        for c in text.chars() {
            self.take(c, &mut out);
        }
        out
    }

    /// The last word.
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        self.end_word(&mut out);
        *self = Self::new(self.width);
        out
    }

    fn take(&mut self, c: char, out: &mut String) {
        if self.escaped(c) {
            self.word.push(c);
            return;
        }
        match c {
            '\n' => self.end_line(out),
            ' ' | '\t' if self.line == Line::Beginning && self.word_width == 0 => {
                let columns = if c == '\t' { TAB - self.indent % TAB } else { 1 };
                self.indent += columns;
                self.blanks += columns;
            }
            ' ' | '\t' if self.line != Line::Verbatim => {
                self.end_word(out);
                self.blanks += 1;
            }
            _ => self.letter(c, out),
        }
    }

    /// Whether a character belongs to an escape sequence.
    fn escaped(&mut self, c: char) -> bool {
        let (is_part, next) = match (self.escape, c) {
            (Escape::None, '\x1b') => (true, Escape::Begun),
            (Escape::None, _) => (false, Escape::None),
            (Escape::Begun, '[') => (true, Escape::Control),
            (Escape::Begun, ']') => (true, Escape::Command),
            (Escape::Control, c) if !c.is_ascii_alphabetic() => (true, Escape::Control),
            (Escape::Command, '\x1b') => (true, Escape::Begun),
            (Escape::Command, _) => (true, Escape::Command),
            (Escape::Begun | Escape::Control, _) => (true, Escape::None),
        };
        self.escape = next;
        is_part
    }

    fn letter(&mut self, c: char, out: &mut String) {
        let width = c.width().unwrap_or_default();
        if self.start.len() < FENCE.len() {
            self.start.push(c);
        }
        if self.line == Line::Beginning {
            self.line = if self.fenced || c == '|' { Line::Verbatim } else { Line::FirstWord };
        }
        // Chinese and Japanese have no blanks between words; a line may end before any of their characters but marks.
        if width == 2 && c.is_alphanumeric() && self.line != Line::Verbatim {
            self.end_word(out);
        }
        self.word.push(c);
        self.word_width += width;
        if self.line == Line::Verbatim {
            out.push_str(&" ".repeat(std::mem::take(&mut self.blanks)));
            self.column += std::mem::take(&mut self.word_width);
            out.push_str(&std::mem::take(&mut self.word));
        }
    }

    fn end_word(&mut self, out: &mut String) {
        if self.word_width > 0 {
            if self.line == Line::FirstWord {
                if is_sign(&self.word) {
                    self.indent += self.word_width + 1;
                }
                self.line = Line::Text;
            }
            let begins = self.column == 0;
            if !begins && self.column + self.blanks + self.word_width > self.width {
                out.push('\n');
                let indent = self.indent.min(self.width / 2);
                out.push_str(&" ".repeat(indent));
                self.column = indent;
            } else {
                out.push_str(&" ".repeat(self.blanks));
                self.column += self.blanks;
            }
            self.blanks = 0;
        }
        self.column += std::mem::take(&mut self.word_width);
        out.push_str(&std::mem::take(&mut self.word));
    }

    fn end_line(&mut self, out: &mut String) {
        if self.start == FENCE {
            self.fenced = !self.fenced;
        }
        self.end_word(out);
        out.push('\n');
        self.start.clear();
        (self.column, self.blanks, self.indent, self.line) = (0, 0, self.hang, Line::Beginning);
    }
}

/// Whether the first word of a line makes it an item of a list: `-`, `*`, `+`, `>`, `3.`, `3)`.
fn is_sign(word: &str) -> bool {
    let number = word.strip_suffix(['.', ')']).is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()));
    number || matches!(word, "-" | "*" | "+" | ">" | "•")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hang_where_that_is_wanted() {
        let text = "/save   FILE: export the thread, in the format of the file\n/quit   leaves";
        assert_eq!(Wrap::hanging(text, 34, 8), "/save   FILE: export the thread,\n        in the format of the file\n/quit   leaves");
    }

    fn wrapped(text: &str, columns: usize) -> String {
        let mut wrap = Wrap::new(columns);
        let whole = wrap.push(text) + &wrap.finish();
        // However it is cut, it comes out the same.
        let mut wrap = Wrap::new(columns);
        let cut: String = text.chars().map(|c| wrap.push(&c.to_string())).collect();
        assert_eq!(cut + &wrap.finish(), whole, "{text}");
        whole
    }

    #[test]
    fn lines_end_between_words() {
        assert_eq!(wrapped("The lighthouse was built in 1870.", 20), "The lighthouse was\nbuilt in 1870.");
        assert_eq!(wrapped("twenty letters wide. x", 20), "twenty letters wide.\nx");
        assert_eq!(wrapped("a\n\nb\n", 20), "a\n\nb\n");
        let long = "https://example.org/a/very/long/address";
        assert_eq!(wrapped(&format!("see {long} for more"), 20), format!("see\n{long}\nfor more"), "what has no blank is not cut");
    }

    #[test]
    fn items_stay_under_their_text() {
        assert_eq!(wrapped("- one two three four five", 20), "- one two three four\n  five");
        assert_eq!(wrapped("10. one two three four", 20), "10. one two three\n    four");
        assert_eq!(wrapped("  - one two three four", 20), "  - one two three\n    four");
    }

    #[test]
    fn code_and_tables_stay_as_they_are() {
        let code = "```sh\none two three four five six\n```\n";
        assert_eq!(wrapped(code, 20), code);
        assert_eq!(wrapped("```\nif x:\n\tif y:\n\t\tz\n```\n", 20), "```\nif x:\n    if y:\n        z\n```\n");
        let table = "| one | two | three | four |\n";
        assert_eq!(wrapped(table, 20), table);
        assert_eq!(wrapped(&format!("{code}one two three four five"), 20), format!("{code}one two three four\nfive"));
    }

    #[test]
    fn colours_and_links_take_no_room() {
        let link = "\x1b]8;;https://e.org/a\x1b\\[1]\x1b]8;;\x1b\\";
        assert_eq!(wrapped(&format!("It \x1b[1mwas\x1b[0m so, they say {link}"), 25), format!("It \x1b[1mwas\x1b[0m so, they say {link}"));
        assert_eq!(wrapped(&format!("It was so, they say {link}"), 20), format!("It was so, they say\n{link}"));
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(wrapped("日本語の文章はここで改行される。", 20), "日本語の文章はここで\n改行される。");
    }
}
