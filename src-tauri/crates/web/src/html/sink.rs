//! From HTML tokens to Markdown.

use std::cell::RefCell;

use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};

use super::Markdown;
use crate::style;

/// Elements whose whole inside is no text of the page.
const SKIP: [&str; 21] = [
    "script", "style", "noscript", "template", "svg", "math", "nav", "footer", "aside", "button", "select", "iframe", "object", "canvas",
    "audio", "video", "dialog", "menu", "datalist", "head", "map",
];

/// Elements that begin and end a block.
const BLOCK: [&str; 25] = [
    "address",
    "article",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "main",
    "p",
    "section",
    "summary",
    "table",
    "tbody",
    "thead",
];

/// Lists nested deeper than this are shown as if they were not.
const MAX_INDENT: usize = 6;

/// Collects Markdown while the tokenizer runs.
pub(super) struct Sink(RefCell<State>);

impl Sink {
    /// For this page, whose style sheets are looked at first.
    pub(super) fn new(max_output: usize, html: &str) -> Self {
        let (hiding, grounds) = (style::hiding_names(html), style::PageColours::of(html));
        Self(RefCell::new(State { max_output, hiding, grounds, ..State::default() }))
    }

    /// The line of the file that the next tokens come from.
    pub(super) fn set_line(&self, line: u32) {
        self.0.borrow_mut().line = line;
    }

    /// What was collected.
    pub(super) fn finish(&self) -> Markdown {
        let mut state = self.0.borrow_mut();
        state.close_row();
        let text = state.out.trim_end().to_owned();
        let mut lines = std::mem::take(&mut state.lines);
        lines.truncate(text.lines().count());
        let title = nexi_core::text::fold_space(&state.title);
        let title = if title.is_empty() { nexi_core::text::fold_space(&state.first_heading) } else { title };
        Markdown { title, text, lines }
    }
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => state.tag(&tag),
            Token::CharacterTokens(text) => {
                state.text(&text);
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Space {
    #[default]
    None,
    Blank,
    Line,
}

#[derive(Default)]
struct State {
    /// Classes and ids that the style sheets of the page hide.
    hiding: Vec<String>,
    /// The colours that they set.
    grounds: style::PageColours,
    out: String,
    lines: Vec<u32>,
    /// Line breaks in `out`.
    breaks: usize,
    line: u32,
    title: String,
    first_heading: String,
    in_title: bool,
    /// The element being left out and how often it is open.
    skip: Option<(String, usize)>,
    heading: Option<usize>,
    pre: bool,
    /// Line breaks owed before the next text.
    pending_breaks: usize,
    space: Space,
    /// For each open list the number of the next item; none for bullets.
    lists: Vec<Option<usize>>,
    /// What stands before the next text: a list mark or heading mark.
    mark: String,
    row: Option<Row>,
    max_output: usize,
}

#[derive(Default)]
struct Row {
    cells: Vec<String>,
    is_header: bool,
    line: u32,
}

impl State {
    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name: &str = &tag.name;
        let start = tag.kind == TagKind::StartTag;
        if let Some((skipped, open)) = &mut self.skip {
            if name == skipped && !tag.self_closing {
                *open = if start { *open + 1 } else { *open - 1 };
            }
            if *open == 0 {
                self.skip = None;
            } else if skipped == "head" && matches!(name, "title" | "body") {
                // A head that was never closed ends where the body begins.
                if name == "body" {
                    self.skip = None;
                } else {
                    self.in_title = start && self.title.is_empty();
                }
            }
            return raw(name, start);
        }
        if start {
            self.open(name, tag);
        } else {
            self.close(name);
        }
        raw(name, start)
    }

    /// Whether a style sheet puts an element where nobody sees it, or it writes in white on a page that is all white.
    fn is_hidden_by_sheet<'a>(&self, name: &'a str, attribute: impl Fn(&str) -> Option<&'a str>) -> bool {
        let (classes, id) = (attribute("class").unwrap_or_default(), attribute("id").unwrap_or_default());
        let said = |name: &str| attribute(name).unwrap_or_default();
        let element = style::Element { tag: name, classes, id, style: said("style"), color: said("color"), bgcolor: said("bgcolor") };
        style::is_named(&self.hiding, classes, id) || (self.grounds.is_plain && self.grounds.hide(&element, std::iter::empty()))
    }

    fn open(&mut self, name: &str, tag: &Tag) {
        let attribute =
            |wanted: &str| tag.attrs.iter().find(|attribute| &*attribute.name.local == wanted).map(|attribute| &*attribute.value);
        let is_void = matches!(
            name,
            "br" | "hr" | "img" | "input" | "meta" | "link" | "wbr" | "col" | "source" | "area" | "base" | "embed" | "param" | "track"
        );
        let role = attribute("role").unwrap_or_default();
        let hidden = attribute("hidden").is_some()
            || attribute("aria-hidden") == Some("true")
            || attribute("style").is_some_and(style::hides)
            || self.is_hidden_by_sheet(name, attribute)
            || matches!(role, "navigation" | "search" | "banner" | "contentinfo" | "menu" | "dialog")
            || (name == "a"
                && attribute("class")
                    .is_some_and(|class| class.split_whitespace().any(|class| class == "headerlink" || class == "anchor")));
        if !is_void && !tag.self_closing && (SKIP.contains(&name) || (hidden && name != "body" && name != "html")) {
            if BLOCK.contains(&name) || SKIP.contains(&name) {
                self.request_breaks(if self.row.is_some() { 0 } else { 2 });
            }
            self.skip = Some((name.to_owned(), 1));
            return;
        }
        match name {
            "title" => self.in_title = self.title.is_empty(),
            "br" if self.row.is_some() => self.space = Space::Blank,
            "br" => self.space = Space::Line,
            "pre" => {
                self.request_breaks(2);
                let class = attribute("class").unwrap_or_default().to_owned();
                self.push_line(&format!("```{}", language(&class)));
                self.request_breaks(1);
                self.pre = true;
            }
            "code" if self.pre => self.name_language(&language(attribute("class").unwrap_or_default())),
            "ul" | "ol" => {
                self.request_breaks(if self.lists.is_empty() { 2 } else { 1 });
                self.lists.push((name == "ol").then(|| attribute("start").and_then(|start| start.parse().ok()).unwrap_or(1)));
            }
            "li" => self.item(),
            "tr" => {
                self.close_row();
                self.row = Some(Row { line: self.line, ..Row::default() });
            }
            "td" | "th" => {
                let line = self.line;
                let row = self.row.get_or_insert_with(|| Row { line, ..Row::default() });
                row.is_header |= name == "th";
                row.cells.push(String::new());
                self.space = Space::None;
            }
            _ if heading_level(name).is_some() => {
                self.request_breaks(2);
                self.heading = heading_level(name);
                self.mark = format!("{} ", "#".repeat(self.heading.unwrap_or(1)));
            }
            _ if BLOCK.contains(&name) => self.block(),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "title" => self.in_title = false,
            "pre" if self.pre => {
                self.pre = false;
                self.pending_breaks = 1;
                self.push_line("```");
                self.request_breaks(2);
            }
            "ul" | "ol" => {
                self.lists.pop();
                self.request_breaks(if self.lists.is_empty() { 2 } else { 1 });
            }
            "li" => self.request_breaks(1),
            "tr" => self.close_row(),
            "table" => {
                self.close_row();
                self.request_breaks(2);
            }
            _ if heading_level(name).is_some() => {
                self.heading = None;
                self.mark.clear();
                self.request_breaks(2);
            }
            _ if BLOCK.contains(&name) => self.block(),
            _ => {}
        }
    }

    fn block(&mut self) {
        if self.row.is_some() {
            self.space = Space::Blank;
        } else if self.mark.is_empty() {
            self.request_breaks(if self.lists.is_empty() { 2 } else { 1 });
        }
    }

    fn item(&mut self) {
        self.request_breaks(1);
        let depth = self.lists.len().clamp(1, MAX_INDENT);
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            _ => "- ".to_owned(),
        };
        self.mark = format!("{}{mark}", "  ".repeat(depth - 1));
    }

    fn request_breaks(&mut self, breaks: usize) {
        self.pending_breaks = self.pending_breaks.max(breaks);
        self.space = Space::None;
    }

    fn text(&mut self, text: &str) {
        if self.in_title {
            self.title.push_str(text);
            return;
        }
        if self.skip.is_some() || self.out.len() > self.max_output {
            return;
        }
        if self.pre {
            self.pre_text(text);
            return;
        }
        for piece in text.split_inclusive(char::is_whitespace) {
            let word = piece.trim_end();
            if !word.is_empty() {
                self.word(word);
            }
            if let Some(blank) = piece[word.len()..].chars().next_back() {
                let now = if matches!(blank, '\n' | '\r') { Space::Line } else { Space::Blank };
                if self.space != Space::Line {
                    self.space = now;
                }
            }
        }
    }

    fn word(&mut self, word: &str) {
        if let Some(row) = &mut self.row {
            // Text between cells belongs to no cell.
            if let Some(cell) = row.cells.last_mut() {
                if self.space != Space::None && !cell.is_empty() {
                    cell.push(' ');
                }
                cell.push_str(&word.replace('|', "\\|"));
            }
            self.space = Space::None;
            return;
        }
        if self.heading.is_some() && self.first_heading.len() < 300 {
            self.first_heading.push(' ');
            self.first_heading.push_str(word);
        }
        self.begin();
        match std::mem::take(&mut self.space) {
            Space::None => {}
            Space::Line if self.heading.is_none() && !looks_like_mark(word) => self.break_line(),
            _ => {
                if !self.out.is_empty() && !self.out.ends_with(['\n', ' ']) {
                    self.out.push(' ');
                }
            }
        }
        self.push(word);
    }

    fn pre_text(&mut self, text: &str) {
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                if self.pending_breaks > 0 {
                    // The line break right behind the opening tag is not part of the text.
                    continue;
                }
                self.break_line();
            }
            if !line.is_empty() {
                self.begin();
                self.push(line.trim_end_matches('\r'));
            }
        }
    }

    /// Pays the owed line breaks and puts the mark of the block.
    fn begin(&mut self) {
        if self.pending_breaks > 0 {
            if !self.out.is_empty() {
                let have = self.out.len() - self.out.trim_end_matches('\n').len();
                for _ in have..self.pending_breaks {
                    self.break_line();
                }
            }
            self.pending_breaks = 0;
            self.space = Space::None;
        }
        if !self.mark.is_empty() {
            let mark = std::mem::take(&mut self.mark);
            self.push(&mark);
            self.space = Space::None;
        }
    }

    fn push(&mut self, text: &str) {
        if self.out.is_empty() || self.out.ends_with('\n') {
            self.note_line();
        }
        self.out.push_str(text);
    }

    /// Notes the source line of the output line that begins here, and of blank ones before it.
    fn note_line(&mut self) {
        self.lines.resize((self.breaks + 1).max(self.lines.len()), self.line);
    }

    fn break_line(&mut self) {
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push('\n');
        self.breaks += 1;
    }

    fn push_line(&mut self, line: &str) {
        self.begin();
        self.push(line);
    }

    /// Puts the language on the fence that was just opened.
    fn name_language(&mut self, language: &str) {
        if !language.is_empty() && self.out.ends_with("```") {
            self.out.push_str(language);
        }
    }

    fn close_row(&mut self) {
        let Some(row) = self.row.take() else { return };
        if row.cells.iter().all(|cell| cell.trim().is_empty()) {
            return;
        }
        let continues = self.out.lines().next_back().is_some_and(|line| line.starts_with('|')) && self.pending_breaks < 2;
        self.request_breaks(if continues { 1 } else { 2 });
        let line = std::mem::replace(&mut self.line, row.line);
        let cells: Vec<&str> = row.cells.iter().map(|cell| cell.trim()).collect();
        self.push_line(&format!("| {} |", cells.join(" | ")));
        if row.is_header && !continues {
            self.request_breaks(1);
            self.push_line(&format!("|{}", " --- |".repeat(cells.len())));
        }
        self.line = line;
        self.request_breaks(1);
    }
}

/// Without a tree builder the sink has to say which elements hold raw text.
fn raw(name: &str, start: bool) -> TokenSinkResult<()> {
    if !start {
        return TokenSinkResult::Continue;
    }
    match name {
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => TokenSinkResult::RawData(RawKind::Rawtext),
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        _ => TokenSinkResult::Continue,
    }
}

fn heading_level(name: &str) -> Option<usize> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(usize::from(digit - b'0')),
        _ => None,
    }
}

fn language(class: &str) -> String {
    class
        .split_whitespace()
        .find_map(|class| class.strip_prefix("language-").or(class.strip_prefix("lang-")))
        .filter(|language| language.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'#')))
        .unwrap_or_default()
        .to_owned()
}

/// A word that at the beginning of a line would be taken for a mark of Markdown.
fn looks_like_mark(word: &str) -> bool {
    matches!(word, "-" | "*" | "+" | "•")
        || word.starts_with(['#', '|', '>'])
        || word.starts_with("```")
        || word.starts_with("~~~")
        || word.trim_end_matches(['.', ')']).bytes().all(|byte| byte.is_ascii_digit())
}
