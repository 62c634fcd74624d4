//! The text of a page as Markdown: headings, lists, tables, code, quotes. Words stay as they are,
//! without marks for weight or links, so that a sentence can be found again; links are kept
//! beside the text.

mod table;

use std::collections::HashSet;

use nexi_core::ports::Link;
use nexi_core::text;
use url::Url;

use super::content::Content;
use super::dom::{Attribute, Dom, Id};
use super::tag::Tag;
use super::words;

/// Most bytes of Markdown that one page may become.
const MAX_OUTPUT: usize = 4 * 1024 * 1024;
/// Links kept of one page.
const MAX_LINKS: usize = 400;
/// Lists and quotes nested deeper are shown at this depth.
const MAX_INDENT: usize = 6;
/// Blocks of at least this many bytes are shown once, however often the page repeats them.
const REPEATED: usize = 240;

/// Markdown and the links of its text.
pub(super) fn render(dom: &Dom, content: &Content, base: Option<&Url>) -> (String, Vec<Link>) {
    let mut writer = Writer::new(dom, content, base);
    for root in &content.roots {
        writer.inside_or_self(*root);
        writer.end_block();
    }
    (writer.out.trim_end().to_owned(), writer.links)
}

struct Writer<'a> {
    dom: &'a Dom,
    content: &'a Content,
    base: Option<&'a Url>,
    out: String,
    links: Vec<Link>,
    linked: HashSet<String>,
    /// The block being written, without its prefix.
    line: String,
    /// Whether a blank is owed before the next word.
    blank: bool,
    /// The mark of the block: `# `, `- `, `2. `.
    mark: String,
    quotes: usize,
    /// For each open list the number of the next item; none for bullets.
    lists: Vec<Option<u32>>,
    /// Whether the next block belongs directly below the last one, as list items do.
    tight: bool,
    seen: HashSet<u64>,
    /// Blocks that were ended so far.
    ended: usize,
}

impl<'a> Writer<'a> {
    fn new(dom: &'a Dom, content: &'a Content, base: Option<&'a Url>) -> Self {
        Self {
            dom,
            content,
            base,
            out: String::new(),
            links: Vec::new(),
            linked: HashSet::new(),
            line: String::new(),
            blank: false,
            mark: String::new(),
            quotes: 0,
            lists: Vec::new(),
            tight: false,
            seen: HashSet::new(),
            ended: 0,
        }
    }

    fn inside_or_self(&mut self, id: Id) {
        match self.dom.tag(id) {
            Some(Tag::Html | Tag::Body) => self.inside(id),
            _ => self.node(id),
        }
    }

    fn inside(&mut self, id: Id) {
        let dom = self.dom;
        for child in dom.children(id) {
            if !self.content.dropped[child] && self.out.len() < MAX_OUTPUT {
                self.node(child);
            }
        }
    }

    fn node(&mut self, id: Id) {
        let dom = self.dom;
        let Some(tag) = dom.tag(id) else {
            // What was escaped once too often, such as the picture of a script that loads it later.
            let in_code = dom.tag(dom.parent(id)).is_some_and(|tag| matches!(tag, Tag::Code | Tag::Samp | Tag::Pre));
            let text = dom.text(id).trim();
            let is_tag = !in_code && ["<img ", "<iframe "].iter().any(|start| text.starts_with(start)) && text.ends_with('>');
            if !is_tag {
                self.words(dom.text(id));
            }
            return;
        };
        match tag {
            Tag::Br => self.line_break(),
            Tag::Sup => self.raised(id),
            Tag::A => self.link(id),
            Tag::Hr => self.end_block(),
            Tag::Del => self.struck(id),
            Tag::Pre => self.code(id),
            Tag::Table => match self.data_rows(id) {
                Some(rows) => self.table(id, rows),
                None => self.block(id),
            },
            Tag::Ul | Tag::Ol => {
                self.end_block();
                self.tight = !self.lists.is_empty();
                let start = dom.attribute(id, Attribute::Start).and_then(|start| start.parse().ok()).unwrap_or(1);
                self.lists.push((tag == Tag::Ol).then_some(start));
                self.inside(id);
                self.end_block();
                self.lists.pop();
                self.tight = !self.lists.is_empty();
            }
            Tag::Li => self.item(id),
            Tag::Dd => {
                self.end_block();
                self.tight = true;
                self.mark = ": ".into();
                self.inside(id);
                self.end_block();
                self.mark.clear();
            }
            Tag::Blockquote => {
                self.end_block();
                self.quotes += 1;
                self.inside(id);
                self.end_block();
                self.quotes -= 1;
            }
            Tag::Td | Tag::Th => {
                self.inside(id);
                self.end_block();
            }
            _ => match tag.heading_level() {
                Some(level) => {
                    self.end_block();
                    let mark = format!("{} ", "#".repeat(level));
                    if self.lists.is_empty() {
                        self.mark = mark;
                    }
                    self.inside(id);
                    self.line = text::fold_space(&self.line);
                    self.end_block();
                    self.mark.clear();
                }
                None if tag.is_block() => self.block(id),
                None => self.inside(id),
            },
        }
    }

    fn block(&mut self, id: Id) {
        self.end_block();
        self.inside(id);
        self.end_block();
    }

    fn item(&mut self, id: Id) {
        self.end_block();
        self.mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number = number.saturating_add(1);
                format!("{}. ", *number - 1)
            }
            _ => "- ".to_owned(),
        };
        self.inside(id);
        self.end_block();
        self.mark.clear();
        self.tight = true;
    }

    fn words(&mut self, words: &str) {
        if words.starts_with(char::is_whitespace) {
            self.blank = true;
        }
        for word in words.split_whitespace() {
            if self.blank && !self.line.is_empty() && !self.line.ends_with('\n') {
                self.line.push(' ');
            }
            // Marks of where a word may be broken are no part of it.
            self.line.extend(word.chars().filter(|c| !matches!(c, '\u{ad}' | '\u{200b}' | '\u{feff}' | '\u{2060}')));
            self.blank = true;
        }
        if !words.trim().is_empty() {
            self.blank = words.ends_with(char::is_whitespace);
        }
    }

    fn line_break(&mut self) {
        // Two in a row end a paragraph.
        if self.line.ends_with('\n') {
            self.end_block();
        } else if !self.line.is_empty() {
            self.line.push('\n');
            self.blank = false;
        }
    }

    /// Powers are told apart from numbers beside them; marks of footnotes are left out, because
    /// they would be taken for citations.
    fn raised(&mut self, id: Id) {
        let inner = self.dom.inner_text(id, 300);
        let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        let has_link = (id..self.dom.end(id)).any(|inside| self.dom.is(inside, Tag::A));
        let bare = inner.trim_matches(['[', ']', '(', ')', '*']);
        if has_link && (is_number(bare) || bare.chars().count() <= 2) {
            return;
        }
        if is_power(&inner) && !self.blank && self.line.ends_with(|c: char| c.is_alphanumeric() || c == ')') {
            self.line.push('^');
        }
        self.inside(id);
    }

    /// What was crossed out is no longer so, and has to say that.
    fn struck(&mut self, id: Id) {
        let (blank, before) = (self.blank, self.line.len());
        if blank && before > 0 {
            self.line.push(' ');
        }
        self.blank = false;
        // Whole blocks that were crossed out stay as they are.
        let Some(start) = self.inline(id) else { return };
        let inner = self.line[start..].trim().to_owned();
        if inner.is_empty() {
            self.line.truncate(before);
            self.blank = blank;
        } else {
            self.line.truncate(start);
            self.line.push_str(&format!("~~{inner}~~"));
            self.blank = true;
        }
    }

    /// Writes what is inside; where it begins in the line, unless a block ended within it.
    fn inline(&mut self, id: Id) -> Option<usize> {
        let (start, ended) = (self.line.len(), self.ended);
        self.inside(id);
        (self.ended == ended).then_some(start)
    }

    fn link(&mut self, id: Id) {
        let start = self.inline(id);
        // The mark beside a heading that links to the heading itself.
        let is_mark = |text: &str| matches!(text.trim(), "¶" | "§" | "#" | "🔗" | "∞" | "⚓︎");
        let to_itself = self.dom.attribute(id, Attribute::Href).is_some_and(|href| href.starts_with('#'));
        if let Some(start) = start.filter(|start| to_itself && is_mark(&self.line[*start..])) {
            self.line.truncate(start);
            return;
        }
        // A link around whole blocks has been written already.
        let label = start.map_or_else(|| self.dom.inner_text(id, 200), |start| text::fold_space(&self.line[start..]));
        if label.is_empty() {
            return;
        }
        if self.links.len() >= MAX_LINKS {
            return;
        }
        let Some(href) = self.dom.attribute(id, Attribute::Href).map(str::trim).filter(|href| !href.is_empty() && !href.starts_with('#'))
        else {
            return;
        };
        let resolved = match self.base {
            Some(base) => base.join(href).ok(),
            None => Url::parse(href).ok(),
        };
        if let Some(url) = resolved.filter(|url| matches!(url.scheme(), "http" | "https"))
            && self.linked.insert(url.to_string())
        {
            self.links.push(Link { text: text::truncate(&label, 200), url: url.into() });
        }
    }

    /// The space before a line of the current block.
    fn prefix(&self, first: bool) -> String {
        let mut out = "> ".repeat(self.quotes.min(MAX_INDENT));
        let depth = self.lists.len().min(MAX_INDENT);
        if depth > 0 {
            let own = if first && !self.mark.is_empty() { depth - 1 } else { depth };
            out.push_str(&"  ".repeat(own));
        }
        out
    }

    fn end_block(&mut self) {
        self.blank = false;
        self.ended += 1;
        let line = std::mem::take(&mut self.line);
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        if line.len() >= REPEATED && !self.seen.insert(hash(line)) {
            return;
        }
        self.separate();
        let first = self.prefix(true);
        let mark = std::mem::take(&mut self.mark);
        let rest = if mark.starts_with('#') { self.prefix(true) } else { self.prefix(false) };
        for (index, part) in line.split('\n').map(str::trim).filter(|part| !part.is_empty()).enumerate() {
            if index == 0 {
                self.out.push_str(&first);
                self.out.push_str(&mark);
            } else {
                self.out.push_str(&rest);
            }
            self.out.push_str(part);
            self.out.push('\n');
            if self.out.len() > MAX_OUTPUT {
                break;
            }
        }
        self.tight = false;
    }

    fn separate(&mut self) {
        if self.out.is_empty() || self.tight {
            return;
        }
        let quote = "> ".repeat(self.quotes.min(MAX_INDENT));
        let continues = self.quotes > 0 && self.out.lines().next_back().is_some_and(|line| line.starts_with('>'));
        self.out.push_str(if continues { quote.trim_end() } else { "" });
        self.out.push('\n');
    }

    fn code(&mut self, id: Id) {
        self.end_block();
        let mut code = String::new();
        self.raw(id, &mut code);
        let code = code.trim_matches('\n').trim_end();
        if code.trim().is_empty() {
            return;
        }
        let fence = if code.contains("```") { "````" } else { "```" };
        self.separate();
        // A fence stands on a line of its own, behind the mark of its item.
        let first = self.prefix(true);
        let mark = std::mem::take(&mut self.mark);
        let rest = self.prefix(false);
        if !mark.is_empty() {
            self.out.push_str(&format!("{first}{}\n", mark.trim_end()));
        }
        self.out.push_str(&format!("{rest}{fence}{}\n", self.language(id)));
        for line in code.lines() {
            self.out.push_str(&rest);
            self.out.push_str(line.trim_end());
            self.out.push('\n');
            if self.out.len() > MAX_OUTPUT {
                break;
            }
        }
        self.out.push_str(&format!("{rest}{fence}\n"));
        self.tight = false;
    }

    fn raw(&self, id: Id, out: &mut String) {
        for child in self.dom.children(id) {
            let is_gutter = || self.dom.attribute(child, Attribute::Class).is_some_and(words::names_line_numbers);
            match self.dom.tag(child) {
                None => out.push_str(self.dom.text(child)),
                Some(Tag::Button) => {}
                Some(_) if is_gutter() => {}
                Some(Tag::Br) => out.push('\n'),
                Some(tag) => {
                    if tag.is_block() && !out.is_empty() && !out.ends_with('\n') {
                        out.push('\n');
                    }
                    self.raw(child, out);
                    if tag.is_block() && !out.ends_with('\n') {
                        out.push('\n');
                    }
                }
            }
        }
    }

    /// The language of code, from the class of its element, of what is inside or around it.
    fn language(&self, id: Id) -> String {
        let around = [self.dom.parent(self.dom.parent(id)), self.dom.parent(id), id];
        let inside = self.dom.children(id).filter(|child| self.dom.is(*child, Tag::Code));
        inside.chain(around.into_iter().rev()).find_map(|id| language(self.dom.attribute(id, Attribute::Class)?)).unwrap_or_default()
    }
}

/// Whether what is raised is an exponent and not the end of an ordinal or an abbreviation.
fn is_power(inner: &str) -> bool {
    let letters = inner.chars().filter(|c| c.is_alphabetic()).count();
    let signs = inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '+' | '-' | '\u{2212}' | '\u{2013}' | '/' | '.' | ','));
    signs && inner.chars().count() <= 8 && (letters == 0 || letters == 1) && inner.chars().any(char::is_alphanumeric)
}

fn hash(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn language(class: &str) -> Option<String> {
    let mut after_brush = false;
    for name in class.split_whitespace() {
        let found = ["language-", "lang-", "highlight-source-", "sourceCode-", "brush:"].iter().find_map(|start| name.strip_prefix(start));
        let found = if after_brush { Some(name) } else { found };
        after_brush = name == "brush:";
        if let Some(language) = found.map(|language| language.trim_end_matches(';')).filter(|language| {
            !language.is_empty()
                && language.len() <= 20
                && language.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'#'))
        }) {
            return Some(language.to_ascii_lowercase());
        }
    }
    None
}
