//! Arguments that say in which form something is printed or written.

use clap::{Args, ValueEnum};
use nexi_engine::export;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ExportFormat {
    /// The answers and their sources
    Text,
    /// Markdown with the questions, the answers and their sources
    #[default]
    Markdown,
    /// Everything; can be imported again
    Json,
    /// A self-contained HTML page
    Html,
    /// A Word document
    Docx,
    /// The cited sources, for LaTeX
    Bibtex,
    /// The cited sources, for EndNote, Mendeley and Zotero
    Ris,
    /// The cited sources, for Zotero and Pandoc
    CslJson,
    /// Known, so that it can be said where PDF files come from
    #[value(hide = true)]
    Pdf,
}

impl ExportFormat {
    /// The format of a file; none for text, which is for the terminal.
    pub fn as_file(self) -> Option<export::Format> {
        Some(match self {
            Self::Text | Self::Pdf => return None,
            Self::Markdown => export::Format::Markdown,
            Self::Json => export::Format::Json,
            Self::Html => export::Format::Html,
            Self::Docx => export::Format::Docx,
            Self::Bibtex => export::Format::Bibtex,
            Self::Ris => export::Format::Ris,
            Self::CslJson => export::Format::CslJson,
        })
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
