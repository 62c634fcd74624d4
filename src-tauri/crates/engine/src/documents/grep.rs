//! Exact words and regular expressions in the user's documents, with the searcher of ripgrep.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use nexi_core::ports::{Failure, Hit, OwnCause, Query, SearchBackend, SearchTool};
use nexi_core::text;
use nexi_formats::Kind;
use nexi_store::DocumentIndex;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{Rules, is_entry, walk};

/// Files of one query.
const MAX_HITS: usize = 20;
/// Lines of one file.
const MAX_LINES: usize = 8;
/// Bytes of one line that are shown.
const MAX_LINE: usize = 240;
/// How long one query may take.
const QUERY_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes that a compiled expression may take; larger ones are taken word for word.
const MAX_EXPRESSION: usize = 1 << 18;

/// Finds lines in the documents below some folders, the same ones that are indexed.
pub struct Grep {
    index: Arc<DocumentIndex>,
    roots: Vec<PathBuf>,
    rules: Rules,
}

impl Grep {
    /// Searches below `roots`, which have been through [`super::resolve`].
    pub fn new(index: Arc<DocumentIndex>, roots: Vec<PathBuf>, rules: Rules) -> Self {
        Self { index, roots, rules }
    }
}

#[async_trait]
impl SearchBackend for Grep {
    fn name(&self) -> &str {
        SearchTool::Grep.call()
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let (roots, rules, pattern) = (self.roots.clone(), self.rules.clone(), query.text.clone());
        let index = self.index.clone();
        let stop = Arc::new(AtomicBool::new(false));
        let told = stop.clone();
        let mut work = tokio::task::spawn_blocking(move || find(&index, &roots, &rules, &pattern, &told));
        tokio::select! {
            found = &mut work => found.map_err(|_| Failure::because(OwnCause::DocumentsUnsearched))?,
            () = cancel.cancelled() => {
                stop.store(true, Ordering::Relaxed);
                Err(Failure::cancelled())
            }
        }
    }
}

/// A regular expression where it is one, else the words as they stand. Capital letters count only
/// where there are some.
fn matcher(pattern: &str) -> Result<RegexMatcher, Failure> {
    let build = |literal: bool| {
        RegexMatcherBuilder::new()
            .case_smart(true)
            .line_terminator(Some(b'\n'))
            .size_limit(MAX_EXPRESSION)
            .dfa_size_limit(4 * MAX_EXPRESSION)
            .fixed_strings(literal)
            .build(pattern)
    };
    build(false)
        .or_else(|_| build(true))
        .map_err(|error| Failure::because(OwnCause::BadPattern { pattern: format!("{pattern:?}"), message: error.to_string() }))
}

fn find(index: &DocumentIndex, roots: &[PathBuf], rules: &Rules, pattern: &str, stop: &AtomicBool) -> Result<Vec<Hit>, Failure> {
    let pattern = pattern.trim();
    if pattern.is_empty() {
        return Err(Failure::because(OwnCause::EmptyPattern));
    }
    let matcher = matcher(pattern)?;
    let begun = Instant::now();
    let mut searcher = SearcherBuilder::new().line_number(true).binary_detection(BinaryDetection::quit(0)).build();
    let mut found: Vec<(u64, Hit)> = Vec::new();
    for root in roots {
        for entry in walk(root, rules) {
            if stop.load(Ordering::Relaxed) || begun.elapsed() > QUERY_TIMEOUT {
                break;
            }
            if !is_entry(&entry, rules) {
                continue;
            }
            let mut lines = Lines { shown: Vec::new(), count: 0, stop };
            if Kind::of_path(entry.path()).is_some() {
                // Its bytes are no text; what was read of it stands in the index.
                let passages = entry.path().to_str().and_then(|path| index.passages_of(path).ok()).unwrap_or_default();
                passages.iter().for_each(|passage| lines.search(&matcher, &passage.body));
            } else {
                // A file that cannot be read is left out, as everywhere.
                let Ok(file) = std::fs::File::open(entry.path()) else { continue };
                if searcher.search_reader(&matcher, DeadlineFile { file, stop, begun }, &mut lines).is_err() {
                    continue;
                }
            }
            if lines.count > 0
                && let Some(hit) = hit(entry.path(), &lines)
            {
                found.push((lines.count, hit));
            }
        }
    }
    // Where it stands most often comes first; of the same, in the order of the folders.
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    Ok(found.into_iter().take(MAX_HITS).map(|(_, hit)| hit).collect())
}

/// A file that ends when nobody wants to wait any longer.
struct DeadlineFile<'a> {
    file: std::fs::File,
    stop: &'a AtomicBool,
    begun: Instant,
}

impl std::io::Read for DeadlineFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) || self.begun.elapsed() > QUERY_TIMEOUT {
            return Err(std::io::Error::other("it took too long"));
        }
        self.file.read(buffer)
    }
}

fn hit(path: &Path, lines: &Lines<'_>) -> Option<Hit> {
    let url = Url::from_file_path(path).ok()?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    let matches = if lines.count == 1 { "1 line".to_owned() } else { format!("{} lines", lines.count) };
    Some(Hit { title: format!("{name} ({matches})"), url: url.into(), snippet: lines.shown.join(" ⏎ "), date: None, ..Hit::default() })
}

/// The lines of one file.
struct Lines<'a> {
    shown: Vec<String>,
    count: u64,
    stop: &'a AtomicBool,
}

impl Lines<'_> {
    /// The lines of a passage, which have no numbers: those of the document are its pages or other places.
    fn search(&mut self, matcher: &RegexMatcher, passage: &str) {
        for line in passage.lines() {
            if matcher.is_match(line.as_bytes()).unwrap_or(false) {
                self.add("", line);
            }
        }
    }

    fn add(&mut self, number: &str, line: &str) {
        self.count += 1;
        if self.shown.len() < MAX_LINES {
            self.shown.push(format!("{number}{}", text::truncate(&text::fold_space(line), MAX_LINE)));
        }
    }
}

impl Sink for Lines<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        let number = found.line_number().map(|number| format!("{number}: ")).unwrap_or_default();
        self.add(&number, &String::from_utf8_lossy(found.bytes()));
        Ok(self.count < 10_000 && !self.stop.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_documents_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("a.md", "one\nMax_Retries = 3\nmax_retries = 4\n");
        write("b.rs", "let x = max_retries;\n");
        write("c.png", "max_retries");
        write("binary.txt", "max_retries\0");
        write(".hidden.md", "max_retries");
        write("ignored.md", "max_retries");
        write(".gitignore", "ignored.md");
        let roots = super::super::resolve(&[folder.path().to_path_buf()]);
        let index = Arc::new(DocumentIndex::open(&folder.path().join("d.db")).unwrap());
        write("stock.csv", "item,place\nmooring rope,shelf 4\n");
        super::super::sync(&index, &roots, &Rules::default(), &|_, _| {}).unwrap();
        let grep = |pattern: &str| find(&index, &roots, &Rules::default(), pattern, &AtomicBool::new(false)).unwrap();
        let rows = grep("(?i)ROPE.*shelf");
        assert!(rows.len() == 1 && rows[0].url.ends_with("stock.csv") && rows[0].snippet.contains("shelf 4"), "{rows:?}");
        let hits = grep(r"max_retries\s*=");
        assert_eq!(hits.len(), 1);
        assert!(hits[0].url.ends_with("/a.md") && hits[0].title == "a.md (2 lines)", "{hits:?}");
        assert_eq!(hits[0].snippet, "2: Max_Retries = 3 ⏎ 3: max_retries = 4");
        assert_eq!(grep("Max_Retries").len(), 1, "capitals count where there are some");
        assert_eq!(grep("x = max").len(), 1);
        assert_eq!(grep("max_retries").len(), 2, "neither pictures nor binary, hidden or ignored files");
        write("odd.md", "f(a[0]\n");
        assert_eq!(grep("f(a[0]").len(), 1, "what is no expression is taken word for word");
        assert!(find(&index, &roots, &Rules::default(), " ", &AtomicBool::new(false)).is_err());
        // Expressions that would need a lot of memory are no expressions.
        assert!(grep(r"(\w{1000}){1000}").is_empty());
    }
}
