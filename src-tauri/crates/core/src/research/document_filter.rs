//! Which of the user's documents a search looks at: by kind, by path, by day.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A choice among the documents; all of them where nothing is set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DocumentFilter {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub kind: Option<DocumentKind>,
    /// Words that all stand in the path, whatever their case.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub path: Vec<String>,
    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`: from its first day on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<String>,
    /// In the same forms: up to its last day.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<String>,
    /// None takes the usual number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_results: Option<u32>,
    /// Whether documents are listed, the newest first, and not searched.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub list: bool,
}

/// Most results that a search of documents may ask for.
pub const MAX_RESULTS: u32 = 50;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    Text,
    Pdf,
    Word,
    Slides,
    Spreadsheet,
    Book,
    Mail,
    Notebook,
    Subtitles,
    Html,
    /// A picture whose text was recognised.
    Picture,
    /// Source code, and whatever is none of the others.
    Code,
}

impl DocumentKind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Text,
        Self::Pdf,
        Self::Word,
        Self::Slides,
        Self::Spreadsheet,
        Self::Book,
        Self::Mail,
        Self::Notebook,
        Self::Subtitles,
        Self::Html,
        Self::Picture,
        Self::Code,
    ];

    /// The name by which a model asks for it.
    pub fn as_str(self) -> &'static str {
        match self {
            DocumentKind::Text => "text",
            DocumentKind::Pdf => "pdf",
            DocumentKind::Word => "word",
            DocumentKind::Slides => "slides",
            DocumentKind::Spreadsheet => "spreadsheet",
            DocumentKind::Book => "book",
            DocumentKind::Mail => "mail",
            DocumentKind::Notebook => "notebook",
            DocumentKind::Subtitles => "subtitles",
            DocumentKind::Html => "html",
            DocumentKind::Picture => "picture",
            DocumentKind::Code => "code",
        }
    }

    /// The kind that a model means by a word: its name, or the ending of a file.
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim().trim_start_matches(['.', '*']).to_ascii_lowercase();
        Self::ALL.into_iter().find(|kind| kind.as_str() == word || kind.endings().contains(&word.as_str()))
    }

    /// The endings of its files, and whether a file has to have one of them (true) or none of them (false, for code).
    pub fn told_by(self) -> (Vec<&'static str>, bool) {
        match self {
            Self::Code => (Self::ALL.iter().flat_map(|kind| kind.endings()).copied().collect(), false),
            _ => (self.endings().to_vec(), true),
        }
    }

    /// The endings of its files; those of code are all others.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            DocumentKind::Text => &["md", "markdown", "mdx", "txt", "text", "org", "rst", "adoc", "asciidoc", "tex"],
            DocumentKind::Pdf => &["pdf"],
            DocumentKind::Word => &["docx", "docm", "odt", "rtf"],
            DocumentKind::Slides => &["pptx", "pptm", "odp"],
            DocumentKind::Spreadsheet => &["xlsx", "xlsm", "xlsb", "xls", "ods", "csv", "tsv"],
            DocumentKind::Book => &["epub"],
            DocumentKind::Mail => &["eml", "mbox"],
            DocumentKind::Notebook => &["ipynb"],
            DocumentKind::Subtitles => &["srt", "vtt"],
            DocumentKind::Html => &["html", "htm", "xhtml"],
            DocumentKind::Picture => &["png", "jpg", "jpeg", "tif", "tiff", "webp", "bmp"],
            DocumentKind::Code => &[],
        }
    }
}

impl DocumentFilter {
    /// Whether it lets every document through, however many are wanted.
    pub fn is_empty(&self) -> bool {
        *self == Self { max_results: self.max_results, ..Self::default() }
    }

    /// Whether every field has its default, so that it is left out of JSON.
    pub(crate) fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// A day, month or year in the form that is compared; none where it is something else.
    pub fn period(text: &str) -> Option<String> {
        let text = text.trim();
        let parts: Vec<&str> = text.split('-').collect();
        let digits = |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        let within = |part: &str, most: u32| part.parse().is_ok_and(|number: u32| (1..=most).contains(&number));
        let fits = match parts.as_slice() {
            [year] => digits(year, 4),
            [year, month] => digits(year, 4) && digits(month, 2) && within(month, 12),
            [year, month, day] => digits(year, 4) && digits(month, 2) && within(month, 12) && digits(day, 2) && within(day, 31),
            _ => false,
        };
        fits.then(|| text.to_owned())
    }
}

impl fmt::Display for DocumentFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.kind.map(|kind| format!("kind {}", kind.as_str())));
        if !self.path.is_empty() {
            parts.push(format!("path {}", self.path.join(" ")));
        }
        parts.extend(self.after.as_ref().map(|after| format!("after {after}")));
        parts.extend(self.before.as_ref().map(|before| format!("before {before}")));
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_periods_are_understood() {
        assert_eq!(DocumentKind::parse("PDF"), Some(DocumentKind::Pdf));
        assert_eq!(DocumentKind::parse("*.xlsx"), Some(DocumentKind::Spreadsheet));
        assert_eq!(DocumentKind::parse("video"), None);
        for kind in DocumentKind::ALL {
            assert_eq!(DocumentKind::parse(kind.as_str()), Some(kind));
        }
        for good in ["2024", "2024-06", "2024-06-30"] {
            assert_eq!(DocumentFilter::period(good).as_deref(), Some(good));
        }
        for bad in ["", "June 2024", "24-06", "2024-13", "2024-06-32", "2024-6-1", "2024-06-01-01"] {
            assert_eq!(DocumentFilter::period(bad), None, "{bad}");
        }
        let filter = DocumentFilter { kind: Some(DocumentKind::Mail), after: Some("2024".into()), ..DocumentFilter::default() };
        assert_eq!(filter.to_string(), "kind mail, after 2024");
        assert!(!filter.is_empty() && DocumentFilter { max_results: Some(3), ..DocumentFilter::default() }.is_empty());
    }
}
