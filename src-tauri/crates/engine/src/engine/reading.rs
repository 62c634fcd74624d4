//! Looking at documents: searching them as one types, and showing their text or their pages.

use std::path::{Path, PathBuf};

use nexi_core::{
    ids::TurnId,
    place::PassagePlace,
    ports::{Page, Query, SearchBackend},
    text, urls,
};
use nexi_formats::Kind;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{Engine, EngineError, blocking};
use crate::{
    corpus::Original,
    documents::{PagePicture, can_draw, can_show, completed, draw},
    render, wiring,
};

/// Passages that are shown of a search.
const MAX_HITS: u32 = 50;
/// Bytes of Markdown that are shown as a page; what is longer is shown as text.
const MAX_RENDERED: usize = 400_000;

/// What a search of the documents came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct DocumentHits {
    #[ts(type = "number")]
    pub files: usize,
    /// Best first.
    pub hits: Vec<DocumentHit>,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct DocumentHit {
    pub url: String,
    pub title: String,
    /// The file as people write it.
    pub path: String,
    pub snippet: String,
    /// Where in the file it stands, where that is known.
    pub place: Option<PassagePlace>,
}

/// A document as it is read now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct DocumentText {
    pub url: String,
    pub title: String,
    /// Who wrote it, where that is known.
    pub byline: Option<String>,
    pub date: Option<String>,
    pub text: String,
    pub lines: Vec<u32>,
    pub html: Option<String>,
    pub pictures: bool,
    /// Whether `lines` counts pages.
    pub paged: bool,
}

impl Engine {
    /// Passages of the person's documents; the handbook is none of them.
    ///
    /// # Errors
    /// When the index cannot be searched.
    pub async fn search_documents(&self, typed: &str) -> Result<DocumentHits, EngineError> {
        let settings = self.settings();
        let roots = self.own_roots(&settings);
        let (index, shared_state) = (self.inner.index.clone(), self.inner.shared_state.clone());
        let typed = typed.trim().to_owned();
        let prepare =
            move || Ok::<_, EngineError>((wiring::documents(&settings, &index, &roots, &shared_state)?, completed(&index, &typed)?));
        let (search, text) = blocking(prepare).await??;
        let mut query = Query::new(text);
        query.filter.max_results = Some(MAX_HITS);
        // What is looked for here stays here.
        query.documents_only = true;
        // Each passage for itself: a run would see one of a document.
        let found = search.search(&query, &CancellationToken::new()).await?;
        let hits: Vec<DocumentHit> = found
            .into_iter()
            .map(|hit| DocumentHit {
                path: path_of(&hit.url),
                url: hit.url,
                title: hit.title,
                snippet: readable(&hit.snippet),
                place: hit.place,
            })
            .collect();
        let mut files: Vec<&str> = hits.iter().map(|hit| hit.url.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        Ok(DocumentHits { files: files.len(), hits })
    }

    /// A document of the settings' folders, as it is now.
    ///
    /// # Errors
    /// When it lies elsewhere, or cannot be read; the message says which.
    pub async fn document(&self, address: &str) -> Result<DocumentText, EngineError> {
        let settings = self.settings();
        let roots = self.roots(&settings, &[]);
        let (index, shared_state, pages) = (self.inner.index.clone(), self.inner.shared_state.clone(), self.inner.paths.pages());
        let mut local = settings;
        // Nothing but files is read here.
        local.fetch_backends.clear();
        let chain = blocking(move || wiring::readers(&local, &index, &roots, &shared_state, &pages)).await??;
        let page = chain.read(address, None, &CancellationToken::new()).await?;
        Ok(DocumentText {
            html: html(&page),
            pictures: has_pictures(&page.url),
            url: page.url,
            title: page.title,
            byline: page.byline,
            date: page.date,
            paged: page.paged,
            text: page.text,
            lines: page.lines,
        })
    }

    /// What a source of a turn was made from.
    ///
    /// # Errors
    /// When the turn has no such source, or the corpus that it is part of cannot be asked.
    pub async fn original(&self, turn: &TurnId, number: u32) -> Result<Original, EngineError> {
        // Without the text as HTML, which takes time.
        let url = self.stored_source(turn, number).await?.0.page.url;
        if let Some((corpus, document)) = urls::corpus_of(&url) {
            return self.corpus(&corpus).await?.original(document).await;
        }
        Ok(match urls::file_path(&url) {
            Some(path) if path.is_file() => Original::File(path),
            Some(_) => Original::Gone,
            None => Original::Page(url),
        })
    }

    /// A page of a source as a picture, with a passage marked; none where it cannot be drawn.
    ///
    /// # Errors
    /// When the turn has no such source.
    pub async fn source_picture(&self, turn: &TurnId, number: u32, page: u32, quote: &str) -> Result<Option<PagePicture>, EngineError> {
        let Original::File(file) = self.original(turn, number).await? else { return Ok(None) };
        self.drawn(file, page, quote).await
    }

    async fn drawn(&self, file: PathBuf, page: u32, quote: &str) -> Result<Option<PagePicture>, EngineError> {
        let (scans, quote) = (self.scans(), quote.to_owned());
        blocking(move || draw(&file, page, &quote, &scans.words(&file, page))).await
    }

    /// The same for a document of the settings' folders.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub async fn document_picture(&self, address: &str, page: u32, quote: &str) -> Result<Option<PagePicture>, EngineError> {
        let Some(file) = urls::file_path(address) else { return Ok(None) };
        if !self.has_document(&file).await? {
            return Ok(None);
        }
        self.drawn(file, page, quote).await
    }
}

/// A passage without the marks of Markdown and the rules of tables.
fn readable(snippet: &str) -> String {
    let is_rule = |word: &&str| word.chars().all(|c| matches!(c, '|' | '-' | ':' | '#' | '>'));
    let words: Vec<&str> = snippet.split_whitespace().filter(|word| !is_rule(word)).collect();
    text::plain(&words.join(" "))
}

fn path_of(url: &str) -> String {
    urls::file_path(url).map_or_else(|| url.to_owned(), |path| path.display().to_string())
}

/// Whether pages of it can be shown as pictures.
pub(super) fn has_pictures(url: &str) -> bool {
    let Some(path) = urls::file_path(url) else { return false };
    match Kind::of_path(&path) {
        Some(Kind::Pdf) => can_draw(),
        Some(Kind::Picture) => can_show(&path),
        _ => false,
    }
}

/// The text of a page as cleaned HTML, where it is Markdown.
pub(super) fn html(page: &Page) -> Option<String> {
    if page.text.len() > MAX_RENDERED || !is_markdown(page) {
        return None;
    }
    Some(render::tables(page).unwrap_or_else(|| render::document(&page.text)))
}

/// Whether the text of a page is Markdown: pages of the web, threads, notes in Markdown, and what documents are turned
/// into. Plain text, code and what stands on the pages of a PDF or in a picture is shown as it is.
fn is_markdown(page: &Page) -> bool {
    if !urls::is_document(&page.url) {
        return page.url.starts_with("http") || urls::thread_of(&page.url).is_some();
    }
    let name = urls::site(&page.url);
    let end = Path::new(&name).extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let is_converted = Kind::of_ending(&end).is_some_and(|kind| !matches!(kind, Kind::Pdf | Kind::Picture));
    is_converted || matches!(end.as_str(), "md" | "markdown" | "mdx" | "html" | "htm" | "xhtml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_shown_as_what_they_are() {
        let page = |url: &str| Page { url: url.into(), text: "# Title\n\n**bold** costs $5 and $6, <img src=x>".into(), ..Page::default() };
        for (url, rendered) in [
            ("file:///a/notes.md", true),
            ("file:///a/report.DOCX", true),
            ("file:///a/page.html", true),
            ("https://example.org/", true),
            ("nexi://thread/1", true),
            ("file:///a/main.rs", false),
            ("file:///a/paper.pdf", false),
            ("file:///a/notes.txt", false),
            ("nexi://text/1", false),
        ] {
            assert_eq!(html(&page(url)).is_some(), rendered, "{url}");
        }
        let html = html(&page("file:///a/notes.md")).unwrap();
        assert!(html.contains("<strong>bold</strong> costs $5 and $6") && !html.contains("<img"), "{html}");
    }
}
