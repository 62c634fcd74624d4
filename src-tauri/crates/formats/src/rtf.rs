//! `.rtf`: paragraphs and tables, without what only describes how they look.

use std::collections::BTreeMap;

use encoding_rs::Encoding;

use crate::{Extracted, FormatError, text::Writer};

/// Groups within one another.
const MAX_DEPTH: usize = 512;
/// Groups that hold no text of the document.
const SKIPPED: &[&str] = &[
    "annotation",
    "atnauthor",
    "atnid",
    "bkmkend",
    "bkmkstart",
    "colortbl",
    "datastore",
    "fldinst",
    "fonttbl",
    "footer",
    "footerf",
    "footerl",
    "footerr",
    "generator",
    "header",
    "headerf",
    "headerl",
    "headerr",
    "latentstyles",
    "listoverridetable",
    "listtable",
    "listtext",
    "mmathPr",
    "nonshppict",
    "object",
    "pgdsctbl",
    "pict",
    "pntext",
    "revtbl",
    "rsidtbl",
    "themedata",
    "xmlnstbl",
];

/// What holds within a group.
#[derive(Clone, Copy)]
struct Group {
    is_skipped: bool,
    /// Letters that stand for one written as `\u`, for programs that do not know it.
    stand_ins: usize,
    /// What this group's words are for.
    field: Field,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Text,
    Title,
    Author,
    /// The names of styles.
    Style,
}

pub(crate) fn extract(bytes: &[u8]) -> Result<Extracted, FormatError> {
    if !bytes.starts_with(b"{\\rtf") {
        return Err(FormatError::Broken);
    }
    let mut reader = Parser {
        groups: vec![Group { is_skipped: false, stand_ins: 1, field: Field::Text }],
        encoding: encoding_rs::WINDOWS_1252,
        pending: Vec::new(),
        paragraph: String::new(),
        level: None,
        is_item: false,
        styles: BTreeMap::new(),
        style: None,
        style_name: String::new(),
        skip: 0,
        high: None,
        writer: Writer::default(),
        title: String::new(),
        author: String::new(),
        table: Table::None,
    };
    reader.read(bytes)?;
    let mut out = Extracted {
        title: reader.title.trim().to_owned(),
        authors: Some(reader.author.trim().to_owned()).filter(|name| !name.is_empty()).into_iter().collect(),
        ..Extracted::default()
    };
    out.parts = reader.writer.parts();
    Ok(out)
}

struct Parser {
    groups: Vec<Group>,
    encoding: &'static Encoding,
    /// Bytes in the document's encoding, which may take more than one for a letter.
    pending: Vec<u8>,
    paragraph: String,
    level: Option<usize>,
    is_item: bool,
    /// Which styles are headings, by their number.
    styles: BTreeMap<i64, usize>,
    style: Option<i64>,
    style_name: String,
    /// Stand-ins that are still to come.
    skip: usize,
    /// The first half of a letter that takes two.
    high: Option<u16>,
    writer: Writer,
    title: String,
    author: String,
    table: Table,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    None,
    InRow,
    /// Another row may follow.
    AfterRow,
}

impl Parser {
    fn read(&mut self, bytes: &[u8]) -> Result<(), FormatError> {
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'{' => {
                    self.flush();
                    if self.groups.len() > MAX_DEPTH {
                        return Err(FormatError::TooComplex);
                    }
                    self.groups.push(self.group());
                    self.skip = 0;
                    at += 1;
                }
                b'}' => {
                    self.flush();
                    self.skip = 0;
                    if self.groups.len() > 1 {
                        self.groups.pop();
                    }
                    at += 1;
                }
                b'\\' => at = self.control(bytes, at + 1),
                b'\r' | b'\n' => at += 1,
                byte => {
                    self.byte(byte);
                    at += 1;
                }
            }
        }
        self.flush();
        self.end_paragraph();
        self.end_table();
        Ok(())
    }

    fn group(&self) -> Group {
        self.groups.last().copied().unwrap_or(Group { is_skipped: false, stand_ins: 1, field: Field::Text })
    }

    fn change(&mut self, change: impl FnOnce(&mut Group)) {
        if let Some(group) = self.groups.last_mut() {
            change(group);
        }
    }

    /// A control word or symbol that begins behind its backslash. Returns where it ends.
    fn control(&mut self, bytes: &[u8], at: usize) -> usize {
        let Some(first) = bytes.get(at) else { return at };
        if !first.is_ascii_alphabetic() {
            match first {
                b'\'' => {
                    let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
                    if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                        self.byte(byte);
                    }
                    return (at + 3).min(bytes.len());
                }
                b'*' => self.change(|group| group.is_skipped = true),
                b'~' => self.push(" "),
                b'_' => self.push("-"),
                b'{' | b'}' | b'\\' => self.byte(*first),
                b'\n' | b'\r' => self.end_paragraph(),
                _ => {}
            }
            return at + 1;
        }
        let end = bytes[at..].iter().position(|byte| !byte.is_ascii_alphabetic()).map_or(bytes.len(), |length| at + length);
        let word = String::from_utf8_lossy(&bytes[at..end]).into_owned();
        let mut behind = end;
        if bytes.get(behind) == Some(&b'-') {
            behind += 1;
        }
        while bytes.get(behind).is_some_and(u8::is_ascii_digit) {
            behind += 1;
        }
        let number: Option<i64> = std::str::from_utf8(&bytes[end..behind]).ok().and_then(|digits| digits.parse().ok());
        if bytes.get(behind) == Some(&b' ') {
            behind += 1;
        }
        if word == "bin" {
            return (behind + usize::try_from(number.unwrap_or(0)).unwrap_or(0)).min(bytes.len());
        }
        self.word(&word, number);
        behind
    }

    fn word(&mut self, word: &str, number: Option<i64>) {
        match word {
            "u" => {
                self.flush();
                self.unicode(number.unwrap_or(0));
                self.skip = self.group().stand_ins;
            }
            "uc" => self.change(|group| group.stand_ins = usize::try_from(number.unwrap_or(1)).unwrap_or(1)),
            "ansicpg" => {
                let page = number.and_then(|number| u16::try_from(number).ok()).unwrap_or(1252);
                self.encoding = Encoding::for_label(format!("windows-{page}").as_bytes())
                    .or_else(|| Encoding::for_label(code_page(page).as_bytes()))
                    .unwrap_or(encoding_rs::WINDOWS_1252);
            }
            "title" => self.change(|group| (group.field, group.is_skipped) = (Field::Title, false)),
            "author" => self.change(|group| (group.field, group.is_skipped) = (Field::Author, false)),
            "info" => self.change(|group| group.is_skipped = true),
            "par" | "sect" | "page" => {
                self.flush();
                self.end_paragraph();
            }
            "line" | "tab" | "emspace" | "enspace" => self.push(" "),
            "emdash" => self.push("—"),
            "endash" => self.push("–"),
            "lquote" => self.push("‘"),
            "rquote" => self.push("’"),
            "ldblquote" => self.push("“"),
            "rdblquote" => self.push("”"),
            "bullet" => self.push("•"),
            "pard" if self.group().field != Field::Style && !self.group().is_skipped => (self.level, self.is_item) = (None, false),
            "stylesheet" => self.change(|group| group.field = Field::Style),
            "s" if self.group().field == Field::Style => self.style = number,
            "s" => self.level = number.and_then(|style| self.styles.get(&style)).copied().or(self.level),
            "outlinelevel" if self.group().field == Field::Text => {
                self.level = number.and_then(|level| usize::try_from(level).ok()).filter(|level| *level < 6).map(|level| level + 1);
            }
            "trowd" if self.table != Table::InRow => {
                self.flush();
                if self.table == Table::None {
                    self.end_paragraph();
                    self.writer.open_table();
                }
                self.writer.open_row();
                self.writer.open_cell();
                self.table = Table::InRow;
            }
            "cell" if self.table == Table::InRow => {
                self.flush();
                self.end_paragraph();
                self.writer.close_cell();
                self.writer.open_cell();
            }
            "row" if self.table == Table::InRow => {
                self.flush();
                self.writer.close_row();
                self.table = Table::AfterRow;
            }
            "listtext" | "pntext" => {
                self.is_item = true;
                self.change(|group| group.is_skipped = true);
            }
            word if SKIPPED.contains(&word) => self.change(|group| group.is_skipped = true),
            _ => {}
        }
    }

    fn unicode(&mut self, number: i64) {
        let unit = (number & 0xffff) as u16;
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
            return;
        }
        let units = [self.high.take(), Some(unit)];
        let text: String =
            char::decode_utf16(units.into_iter().flatten()).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        self.push(&text);
    }

    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        self.pending.push(byte);
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            let bytes = std::mem::take(&mut self.pending);
            let text = self.encoding.decode_without_bom_handling(&bytes).0.into_owned();
            self.put(&text);
        }
    }

    fn push(&mut self, text: &str) {
        self.flush();
        self.put(text);
    }

    fn put(&mut self, text: &str) {
        let group = self.group();
        match group.field {
            Field::Title => self.title.push_str(text),
            Field::Author => self.author.push_str(text),
            Field::Style => self.style_named(text),
            Field::Text if group.is_skipped => {}
            Field::Text => {
                if self.table == Table::AfterRow && !text.trim().is_empty() {
                    self.end_table();
                }
                self.paragraph.push_str(text);
            }
        }
    }

    /// A piece of the name of a style, which ends with a semicolon.
    fn style_named(&mut self, text: &str) {
        self.style_name.push_str(text);
        if let Some(name) = self.style_name.trim().strip_suffix(';') {
            let name = name.to_lowercase();
            let level = if name == "title" { Some(1) } else { name.strip_prefix("heading ").and_then(|level| level.trim().parse().ok()) };
            if let (Some(style), Some(level)) = (self.style.take(), level) {
                self.styles.insert(style, level);
            }
            self.style_name.clear();
        }
    }

    fn end_table(&mut self) {
        if self.table != Table::None {
            self.table = Table::None;
            self.writer.close_table();
        }
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        match self.level {
            Some(level) if self.table == Table::None => self.writer.heading(level, &text),
            _ if self.is_item => self.writer.item(&text),
            _ => self.writer.paragraph(&text),
        }
    }
}

/// Encodings whose label is not `windows-` and their number.
fn code_page(page: u16) -> &'static str {
    match page {
        932 => "shift_jis",
        936 => "gbk",
        949 => "euc-kr",
        950 => "big5",
        65001 => "utf-8",
        10000 => "macintosh",
        _ => "windows-1252",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_among_the_controls() {
        let rtf = br"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title Bridges}{\author Ann}{\company X}}\pard\outlinelevel0 Fees\par\pard Caf\'e9 \u8364?5 \{net\}\par{\*\generator Some}\trowd\cellx1 A\cell B\cell\row\pard End\par}";
        let found = extract(rtf).unwrap();
        assert_eq!((found.title.as_str(), found.authors.as_slice()), ("Bridges", ["Ann".to_owned()].as_slice()));
        let text: Vec<&str> = found.parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(text.join("\n"), "# Fees\n\nCafé €5 {net}\n\n| A | B |\n| --- | --- |\n\nEnd");
        assert_eq!(extract(b"words"), Err(FormatError::Broken));
        assert!(SKIPPED.is_sorted());
    }
}
