//! Threads and turns as files and as text for the clipboard.

mod bibliography;
mod change;
mod csl;
mod html;
mod markdown;
mod markers;
mod method;
mod opinion;
mod pdf;
mod plain;
mod references;
mod saved_report;
mod signs;
mod word;
mod works;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use nexi_core::{
    ids::{ThreadId, TurnId},
    markdown::for_others,
    protocol::Turn,
};
use nexi_messages::say;
use nexi_store::history::ThreadFile;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use method::method_lines;
pub use nexi_core::markdown::without_html;
pub use pdf::finish_pdf;
pub use saved_report::{report_folder, report_text};

use crate::{Engine, EngineError, aside::blocking, new_file, report};

/// Most letters of a file's name.
const MAX_NAME: usize = 60;

/// What a file is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    Markdown,
    Html,
    /// Printed by the window from the HTML.
    Pdf,
    /// For word processors.
    Docx,
    /// Everything; can be imported again.
    Json,
    /// The cited sources alone.
    Bibtex,
    /// The cited sources alone.
    Ris,
    /// The cited sources alone.
    CslJson,
}

/// What is known of a format.
struct Facts {
    /// As the protocol writes it, and as people type it.
    name: &'static str,
    word: &'static str,
    /// How its files' names end; the first is what Nexi writes.
    endings: &'static [&'static str],
    /// Whether sources can be named in several styles.
    styled: bool,
}

impl Format {
    /// Every format, in the order in which they are offered.
    pub const ALL: [Self; 8] = [Self::Markdown, Self::Html, Self::Pdf, Self::Docx, Self::Json, Self::Bibtex, Self::Ris, Self::CslJson];

    const fn facts(self) -> Facts {
        let (name, word, endings, styled): (_, _, &[&str], _) = match self {
            Self::Markdown => ("markdown", "markdown", &["md", "markdown"], true),
            Self::Html => ("html", "html", &["html", "htm"], true),
            Self::Pdf => ("pdf", "pdf", &["pdf"], true),
            Self::Docx => ("docx", "docx", &["docx"], true),
            Self::Json => ("json", "json", &["json"], false),
            Self::Bibtex => ("bibtex", "bibtex", &["bib"], false),
            Self::Ris => ("ris", "ris", &["ris"], false),
            Self::CslJson => ("csl_json", "csl-json", &["csl.json"], false),
        };
        Facts { name, word, endings, styled }
    }

    /// As people type it.
    pub const fn word(self) -> &'static str {
        self.facts().word
    }

    /// How its files' names end.
    pub const fn ending(self) -> &'static str {
        self.facts().endings[0]
    }

    /// Whether sources can be named in several styles.
    pub const fn is_styled(self) -> bool {
        self.facts().styled
    }

    /// What a file of it is for, as a sentence.
    pub fn about(self) -> String {
        say!(&format!("exporting-help.{}", self.facts().name))
    }

    /// The format of a file with this name, in any case; the longest ending counts. `None` where no format has its ending.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let fits = |format: Self| {
            let ending = |ending: &&&str| name.strip_suffix(**ending).is_some_and(|stem| stem.ends_with('.'));
            format.facts().endings.iter().filter(ending).map(|ending| (ending.len(), format)).max_by_key(|(length, _)| *length)
        };
        Self::ALL.into_iter().filter_map(fits).max_by_key(|(length, _)| *length).map(|(_, format)| format)
    }
}

/// How sources are named in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CitationStyle {
    /// `[1]`, and a numbered list.
    #[default]
    Numbered,
    /// Notes at the end of each answer.
    Footnotes,
    /// `(Miller 2024)`, and a list in order of the alphabet.
    AuthorDate,
    /// The seventh edition of the American Psychological Association.
    Apa,
    /// The ninth edition of the Modern Language Association.
    Mla,
    /// The eighteenth edition of the Chicago Manual, author and date.
    Chicago,
}

/// What is copied of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CopyForm {
    Markdown,
    /// Without any marks.
    Plain,
    /// Markdown, with the signs of support and the list of sources.
    WithSources,
}

/// An answer with a sign behind every citation and every statement without one, and what the signs mean.
pub fn labelled_answer(turn: &Turn) -> (String, Option<String>) {
    (signs::labelled(&turn.ending, signs::Signs::Doubts), signs::legend(&turn.ending, signs::Signs::Doubts))
}

/// An answer as text for the clipboard.
pub fn answer_text(turn: &Turn, form: CopyForm) -> String {
    let answer = &turn.ending.answer;
    match form {
        CopyForm::Markdown => for_others(answer),
        CopyForm::Plain => plain::text(answer),
        CopyForm::WithSources => {
            let sources = report::sources_text(&turn.ending);
            let sources = if sources.is_empty() { sources } else { format!("{}\n{sources}", say!("answers-sources-below")) };
            let checked: Vec<String> =
                report::statements_line(turn).into_iter().chain(signs::legend(&turn.ending, signs::Signs::Doubts)).collect();
            let parts = [signs::labelled(&turn.ending, signs::Signs::Doubts), sources, checked.join("\n")];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
        }
    }
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Text(String),
    /// A Word document.
    Bytes(Vec<u8>),
}

impl Content {
    /// As it is written.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Content::Text(text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }
}

/// What a file of this format holds; for [`Format::Pdf`] the page that is printed.
pub fn content(file: &ThreadFile, format: Format, style: CitationStyle) -> Content {
    Content::Text(match format {
        Format::Markdown => markdown::text(file, style),
        Format::Html | Format::Pdf => html::page(file, style),
        Format::Docx => return Content::Bytes(word::document(file, style)),
        Format::Json => serde_json::to_string_pretty(file).unwrap_or_default(),
        Format::Bibtex => bibliography::bibtex(file),
        Format::Ris => bibliography::ris(file),
        Format::CslJson => bibliography::csl_json(file),
    })
}

/// A thread as text without marks: questions, answers with the signs of doubt, and sources.
pub fn plain_text(file: &ThreadFile) -> String {
    let one = |turn: &Turn| {
        let (labelled, legend) = labelled_answer(turn);
        let sources = report::sources_text(&turn.ending);
        let checked: Vec<String> = report::statements_line(turn).into_iter().chain(legend).collect();
        let sources = if sources.is_empty() { sources } else { format!("{}\n{sources}", say!("answers-sources-below")) };
        let parts = [nexi_core::text::fold_space(&turn.question), plain::text(&labelled), sources, checked.join("\n")];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    };
    file.turns.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

/// A thread as Markdown, with numbered sources.
pub fn markdown(file: &ThreadFile) -> String {
    markdown::text(file, CitationStyle::default())
}

/// A thread as one HTML page, with numbered sources.
pub fn html(file: &ThreadFile) -> String {
    html::page(file, CitationStyle::default())
}

/// A name for a file about this, without folder.
pub fn name(title: &str, ending: &str) -> String {
    let title = title.to_lowercase().replace(['\'', '’'], "");
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // A sentence without blanks is a word, too.
    let mut slug: String = words.next().unwrap_or("nexi").chars().take(MAX_NAME).collect();
    let mut length = slug.chars().count();
    for word in words {
        length += 1 + word.chars().count();
        if length > MAX_NAME {
            break;
        }
        slug.push('-');
        slug.push_str(word);
    }
    format!("{slug}.{ending}")
}

/// A file that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    pub path: PathBuf,
    /// The page that is still to be printed into it; for [`Format::Pdf`] alone.
    pub page: Option<String>,
}

impl Engine {
    /// Writes a thread, or one turn of it, into a new file in `folder`. For [`Format::Pdf`] the
    /// file is left empty, to be printed into.
    ///
    /// # Errors
    /// When there is no such thread, or the folder cannot be written.
    pub async fn export(
        &self,
        thread: &ThreadId,
        turn: Option<&TurnId>,
        format: Format,
        style: CitationStyle,
        folder: &Path,
    ) -> Result<Exported, EngineError> {
        let file = self.thread_file(thread, turn).await?;
        let title = match turn {
            Some(_) => file.turns.first().map_or(file.title.clone(), |turn| turn.question.clone()),
            None => file.title.clone(),
        };
        let folder = folder.to_path_buf();
        blocking(move || {
            let failed = |source| EngineError::File { path: folder.clone(), source };
            let content = content(&file, format, style);
            let (path, mut out) = new_file(&folder, &name(&title, format.ending())).map_err(failed)?;
            match content {
                Content::Text(page) if format == Format::Pdf => return Ok(Exported { path, page: Some(page) }),
                content => out.write_all(content.as_bytes()).map_err(failed)?,
            }
            Ok(Exported { path, page: None })
        })
        .await?
    }

    /// Writes the whole library into a new file in `folder`, a thread a line, and behind them what else it holds. Returns the file and
    /// the number of threads.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub async fn back_up(&self, folder: &Path) -> Result<(PathBuf, u32), EngineError> {
        let failed = |source| EngineError::File { path: folder.to_path_buf(), source };
        let day = jiff::Zoned::now().strftime("%Y-%m-%d");
        let (path, out) = new_file(folder, &format!("nexi-library-{day}.jsonl")).map_err(failed)?;
        let written = self.write_threads(BufWriter::new(out)).await;
        match written {
            Ok(Ok(count)) => Ok((path, count)),
            Ok(Err(source)) => Err(failed(source)),
            Err(error) => Err(error),
        }
    }
}

/// Words of others on one line, in which nothing is live.
fn line(text: &str) -> String {
    for_others(&nexi_core::markdown::escape(&nexi_core::text::fold_space(text)))
}

#[cfg(test)]
mod tests;
