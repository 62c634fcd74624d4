//! Arguments that say in which form something is printed or written.

use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use nexi_engine::export;
use nexi_messages::say;

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// The answer and its sources
    #[default]
    Text,
    /// Markdown with the question, the answer and its sources
    Markdown,
    /// One JSON object with all data
    Json,
    /// Everything that happens as one JSON object a line, the result last; `nexi schema` describes them
    Jsonl,
    /// A self-contained HTML page
    Html,
}

/// What a thread is exported as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// The answers and their sources, for the terminal.
    Text,
    File(export::Format),
}

impl Default for ExportFormat {
    fn default() -> Self {
        Self::File(export::Format::Markdown)
    }
}

impl ValueEnum for ExportFormat {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<ExportFormat>> =
            LazyLock::new(|| std::iter::once(ExportFormat::Text).chain(export::Format::ALL.map(ExportFormat::File)).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Text => PossibleValue::new("text").help(say!("exporting-text")),
            // Known, so that it can be said where PDF files come from.
            Self::File(export::Format::Pdf) => PossibleValue::new("pdf").hide(true),
            Self::File(format) => PossibleValue::new(format.word()).help(format.about()),
        })
    }
}

impl ExportFormat {
    /// The format of a file; none for text, which is for the terminal.
    pub fn as_file(self) -> Option<export::Format> {
        match self {
            Self::Text | Self::File(export::Format::Pdf) => None,
            Self::File(format) => Some(format),
        }
    }
}

/// How sources are named in Markdown, HTML and Word documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Style {
    /// [1], and a numbered list
    #[default]
    Numbered,
    /// Notes at the end of each answer
    Footnotes,
    /// (Miller 2024), and an alphabetical list
    AuthorDate,
    /// APA, seventh edition
    Apa,
    /// MLA, ninth edition
    Mla,
    /// Chicago, author and date
    Chicago,
}

impl From<Style> for export::CitationStyle {
    fn from(style: Style) -> Self {
        match style {
            Style::Numbered => Self::Numbered,
            Style::Footnotes => Self::Footnotes,
            Style::AuthorDate => Self::AuthorDate,
            Style::Apa => Self::Apa,
            Style::Mla => Self::Mla,
            Style::Chicago => Self::Chicago,
        }
    }
}

/// How to print.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Output {
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Same as --format jsonl
    #[arg(long, conflicts_with_all = ["format", "json"])]
    pub jsonl: bool,
    /// Hide progress
    #[arg(short, long)]
    pub quiet: bool,
}

impl Output {
    /// What was asked for by either option.
    pub fn format(self) -> Format {
        match (self.json, self.jsonl) {
            (true, _) => Format::Json,
            (_, true) => Format::Jsonl,
            _ => self.format,
        }
    }
}
