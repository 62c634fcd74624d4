//! Bringing the index up to date with the folders.

mod batch;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{
    Arc, Mutex, PoisonError,
    mpsc::{self, RecvTimeoutError, TrySendError},
};
use std::time::{Duration, UNIX_EPOCH};

use nexi_core::{
    document_filter::DocumentFilter,
    place::{PassagePlace, Place},
    rank, text,
};
use nexi_formats::Kind;
use nexi_store::{
    DocumentIndex, StoreError,
    documents::{NewDocument, NewPassage, PagesRead, Stamp},
};

use batch::Batch;

use super::{
    Bibliography, Rules, Scans, SkipReason, documents_below,
    file::{Opened, ReadFile, check_size, fingerprint, open},
};

/// About this many words make a passage of the index.
const PASSAGE_WORDS: usize = 120;
/// So long what was read waits for more to be written with it: a file that takes minutes keeps no other from being found.
const LINGER: Duration = Duration::from_millis(500);
/// Files that were read and wait to be written.
const QUEUE: usize = 2;
/// Files of more bytes than this are read one after the other.
const LARGE: i64 = 4 * 1024 * 1024;

/// What a synchronisation did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Synced {
    /// Files that are in the index now.
    pub files: usize,
    /// Files that were read and indexed.
    pub indexed: usize,
    /// Bytes of those files.
    pub bytes: u64,
    pub removed: usize,
}

/// Indexes what is new or changed below `roots` and forgets what is gone. `roots` have been
/// through [`super::resolve`]. `progress` is told files done and files to do. Blocks.
///
/// # Errors
/// When the index cannot be written; files that cannot be read are left out.
pub fn sync(
    index: &Arc<DocumentIndex>,
    roots: &[PathBuf],
    rules: &Rules,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Synced, StoreError> {
    bring_up_to_date(index, roots, rules, progress).map_err(|error| index.understood(error))
}

fn bring_up_to_date(
    index: &Arc<DocumentIndex>,
    roots: &[PathBuf],
    rules: &Rules,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Synced, StoreError> {
    let mut out = Synced::default();
    let (mut changed, mut abouts) = (Vec::new(), Vec::new());
    for root in roots {
        let root_text = root.to_string_lossy();
        // The disk is looked at while the index is read.
        let (known, found) = std::thread::scope(|scope| {
            let walk = scope.spawn(|| found_below(root, rules));
            let known = index.stamps(&root_text);
            (known, walk.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let mut known = known?;
        let about = About::of(index, root, rules)?;
        for file in found {
            let stamp = known.remove(&file.path);
            let is_same = |stamp: Stamp| {
                let marks = (stamp.reference, stamp.recognised) == (about.reference(&file.path), about.recognised(&file.path));
                // Permissions change no time.
                let opens_now = stamp.hash == 0 && check_size(Path::new(&file.path)).is_ok() && std::fs::File::open(&file.path).is_ok();
                marks && !opens_now && stamp.modified_ns == file.modified_ns && stamp.size == file.size
            };
            if !stamp.is_some_and(is_same) {
                changed.push(ChangedFile { file, stamp, folder: abouts.len() });
            }
            out.files += 1;
        }
        // A file that was named itself is kept, although the folder it lies in does not show it.
        let is_named = |path: &String| roots.iter().any(|other| other != root && other.as_os_str() == path.as_str());
        let gone: Vec<String> = known.into_keys().filter(|path| !is_named(path)).collect();
        out.removed += gone.len();
        if !gone.is_empty() {
            index.remove(&gone)?;
        }
        abouts.push(about);
    }
    // All folders at once: a document that takes long keeps no other folder waiting.
    if !changed.is_empty() {
        // Those that are read fast come first.
        changed.sort_by_key(|changed| {
            let kind = Path::new(&changed.file.path).extension().and_then(|end| end.to_str()).and_then(Kind::of_ending);
            (kind == Some(Kind::Pdf), kind.is_some(), changed.file.size > LARGE)
        });
        read_all(index, &changed, &abouts, progress, &mut out)?;
    }
    // While text recognition is off, pictures are no documents, and what is known of them is not lost.
    if out.removed > 0 && rules.languages().is_some() {
        index.forget_lost_scans()?;
    }
    Ok(out)
}

/// Indexes single files of a folder anew.
pub struct Refresh {
    index: Arc<DocumentIndex>,
    about: About,
}

impl Refresh {
    /// Of files below `root`, which has been through [`super::resolve`].
    pub fn new(index: &Arc<DocumentIndex>, root: &Path, rules: &Rules) -> Self {
        Self { index: index.clone(), about: About::new(index, root, rules, HashMap::new()) }
    }

    /// Indexes a file anew; one that is not in the index any more stays out of it. Blocks.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn file(&self, path: &Path) -> Result<(), StoreError> {
        let Some((name, metadata)) = path.to_str().zip(std::fs::symlink_metadata(path).ok()) else { return Ok(()) };
        if !metadata.is_file() || !self.index.stamps(name)?.contains_key(name) {
            return Ok(());
        }
        match prepare(&FoundFile::new(name, &metadata), None, &self.about) {
            Prepared::Changed(document) => self.index.put(&[document]),
            Prepared::Same(..) => Ok(()),
        }
    }
}

/// A document in a folder.
struct FoundFile {
    path: String,
    modified_ns: i64,
    size: i64,
}

impl FoundFile {
    fn new(path: &str, metadata: &std::fs::Metadata) -> Self {
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let modified_ns = i64::try_from(modified.as_nanos()).unwrap_or(i64::MAX);
        Self { path: path.to_owned(), modified_ns, size: i64::try_from(metadata.len()).unwrap_or(i64::MAX) }
    }
}

/// A document to be read.
struct ChangedFile {
    file: FoundFile,
    /// What was indexed of it.
    stamp: Option<Stamp>,
    /// Which of the folders it lies in.
    folder: usize,
}

/// What is known of the files of a folder besides what they say themselves.
struct About {
    root: PathBuf,
    bibliography: Arc<Bibliography>,
    scans: Scans,
    /// As Tesseract takes them; none where scanned pages are not read.
    languages: Option<String>,
    /// How many pages of a file were read, by path.
    pages_read: HashMap<String, PagesRead>,
}

impl About {
    fn of(index: &Arc<DocumentIndex>, root: &Path, rules: &Rules) -> Result<Self, StoreError> {
        let pages_read = match rules.languages() {
            Some(languages) => index.recognised_counts(&root.to_string_lossy(), languages)?,
            None => HashMap::new(),
        };
        Ok(Self::new(index, root, rules, pages_read))
    }

    fn new(index: &Arc<DocumentIndex>, root: &Path, rules: &Rules, pages_read: HashMap<String, PagesRead>) -> Self {
        Self {
            root: root.to_owned(),
            bibliography: Bibliography::of(root, rules),
            scans: Scans::new(index.clone(), rules),
            languages: rules.languages().map(str::to_owned),
            pages_read,
        }
    }

    fn reference(&self, path: &str) -> i64 {
        self.bibliography.mark(Path::new(path))
    }

    fn recognised(&self, path: &str) -> i64 {
        self.mark(self.pages_read.get(path).copied().unwrap_or_default())
    }

    /// So many recognised pages, as a number that is another one in other languages.
    fn mark(&self, pages: PagesRead) -> i64 {
        if pages.all == 0 {
            return 0;
        }
        let mut hasher = DefaultHasher::new();
        (&self.languages, pages).hash(&mut hasher);
        hasher.finish().cast_signed()
    }
}

fn found_below(root: &Path, rules: &Rules) -> Vec<FoundFile> {
    documents_below(root, rules).filter_map(|entry| Some(FoundFile::new(entry.path().to_str()?, &entry.metadata().ok()?))).collect()
}

enum Prepared {
    Changed(NewDocument),
    Same(String, i64),
}

fn read_all(
    index: &DocumentIndex,
    changed: &[ChangedFile],
    abouts: &[About],
    progress: &(dyn Fn(usize, usize) + Sync),
    out: &mut Synced,
) -> Result<(), StoreError> {
    let total = changed.len();
    progress(0, total);
    let next = AtomicUsize::new(0);
    let large = Mutex::new(());
    let workers = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 4);
    std::thread::scope(|scope| {
        // Bounded, so that fast readers do not pile up files that the slower writer has yet to take.
        let (send, receive) = mpsc::sync_channel(QUEUE);
        for _ in 0..workers {
            let send = send.clone();
            let (next, large) = (&next, &large);
            scope.spawn(move || {
                while let Some(ChangedFile { file, stamp, folder }) = changed.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // One of them takes as much memory as many others.
                    let _alone = (file.size > LARGE).then(|| large.lock().unwrap_or_else(PoisonError::into_inner));
                    if send.send(prepare(file, *stamp, &abouts[*folder])).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        // One batch is gathered while the one before it is written; no third one waits.
        let (to_writer, batches) = mpsc::sync_channel::<Batch>(0);
        let writer = scope.spawn(move || batches.iter().try_for_each(|batch| batch.write(index)));
        let mut batch = Batch::default();
        let mut done = 0;
        loop {
            match receive.recv_timeout(LINGER) {
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    // Nothing comes: what there is does not wait for it, unless the writer is busy anyway.
                    match to_writer.try_send(std::mem::take(&mut batch)) {
                        Ok(()) => {}
                        Err(TrySendError::Full(kept)) => batch = kept,
                        Err(TrySendError::Disconnected(_)) => break,
                    }
                    continue;
                }
                Ok(Prepared::Changed(document)) => {
                    out.indexed += usize::from(document.skipped.is_none());
                    out.bytes += u64::try_from(document.stamp.size).unwrap_or_default();
                    batch.add(document);
                }
                Ok(Prepared::Same(path, modified_ns)) => batch.touch(path, modified_ns),
            }
            done += 1;
            if batch.is_full() && to_writer.send(std::mem::take(&mut batch)).is_err() {
                // The writer failed, and says why.
                break;
            }
            progress(done, total);
        }
        let _ = to_writer.send(batch);
        // Readers that are still at work find nobody to take what they read.
        drop((to_writer, receive));
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        progress(total, total);
        Ok(())
    })
}

fn prepare(file: &FoundFile, known: Option<Stamp>, about: &About) -> Prepared {
    let path = Path::new(&file.path);
    // What is too large is not even compared.
    let hash = if check_size(path).is_ok() { fingerprint(path).unwrap_or_default() } else { 0 };
    let reference = about.reference(&file.path);
    let mut stamp = Stamp { modified_ns: file.modified_ns, size: file.size, hash, reference, recognised: about.recognised(&file.path) };
    if known == Some(Stamp { modified_ns: known.map_or(0, |known| known.modified_ns), ..stamp }) {
        return Prepared::Same(file.path.clone(), file.modified_ns);
    }
    let mut pages_read = PagesRead::default();
    let opened = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        open(path, |_| {
            let (pages, count) = about.scans.of(stamp.content());
            pages_read = count;
            pages
        })
    }));
    // One file never keeps the others from being indexed.
    let Opened { scanned, read } = opened.unwrap_or_else(|_| Opened { scanned: Vec::new(), read: Err(SkipReason::TooComplex) });
    stamp.recognised = about.mark(pages_read);
    let path = file.path.as_str();
    let file = match read {
        Ok(file) => file.with(about.bibliography.get(Path::new(path))),
        Err(reason) => {
            tracing::info!(path, %reason, "a document was left out");
            let skipped = serde_json::to_string(&reason).unwrap_or_default();
            return Prepared::Changed(NewDocument {
                path: path.to_owned(),
                stamp,
                title: String::new(),
                date: None,
                passages: Vec::new(),
                scanned,
                partly: None,
                skipped: Some(skipped),
            });
        }
    };
    let date = file.date.clone().filter(|day| DocumentFilter::period(day).is_some());
    let name = format!("{} {} {}", name_words(path), folder_words(path, &about.root), file.authors.join(" "));
    let passages = passages(&file)
        .into_iter()
        .map(|passage| NewPassage {
            extra: extra(&name, &file.title, &passage.heading, &passage.body),
            place: passage.place,
            body: passage.body,
            heading: passage.heading,
        })
        .collect();
    Prepared::Changed(NewDocument {
        path: path.to_owned(),
        stamp,
        title: text::truncate(&file.title, 300),
        date,
        passages,
        scanned,
        partly: file.partly().and_then(|reason| serde_json::to_string(&reason).ok()),
        skipped: None,
    })
}

/// A part of a document that is found as one.
pub(crate) struct Passage {
    pub heading: String,
    pub body: String,
    pub place: PassagePlace,
}

/// A file cut into passages.
pub(crate) fn passages(file: &ReadFile) -> Vec<Passage> {
    let mut lines = LineCounter::new(&file.text, &file.lines);
    let spans = rank::split(&file.text, PASSAGE_WORDS).into_iter();
    let passage = |span: rank::PassageSpan| Passage {
        place: lines.place(&span.range, file),
        body: file.text[span.range].trim().to_owned(),
        heading: span.heading,
    };
    spans.map(passage).collect()
}

/// The words of the folders in which a file lies, below the one that was chosen.
pub(crate) fn folder_words(path: &str, root: &Path) -> String {
    let below = Path::new(path).parent().and_then(|folder| folder.strip_prefix(root).ok()).unwrap_or(Path::new(""));
    text::spaced_words(&below.to_string_lossy().replace(std::path::MAIN_SEPARATOR, " "))
}

/// The words of a file's name.
pub(crate) fn name_words(path: &str) -> String {
    let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    text::spaced_words(&stem)
}

/// What a passage is found by besides its words. The index takes a sentence without blanks for one word, so letters that
/// are words of their own stand here once more, apart.
fn extra(name: &str, title: &str, heading: &str, body: &str) -> String {
    let mut out = name.to_owned();
    if [title, heading, body].iter().all(|text| text.is_ascii()) {
        return out;
    }
    for letter in [title, heading, body].into_iter().flat_map(str::chars).filter(|letter| rank::terms::is_ideograph(*letter)) {
        out.push(' ');
        out.push(letter);
    }
    for text in [title, heading, body] {
        for word in rank::terms::unspaced_words(text) {
            out.push(' ');
            out.push_str(word);
        }
    }
    out
}

/// Lines of ascending offsets, without counting from the beginning each time.
struct LineCounter<'a> {
    text: &'a str,
    lines: &'a [u32],
    at: usize,
    index: usize,
}

impl<'a> LineCounter<'a> {
    fn new(text: &'a str, lines: &'a [u32]) -> Self {
        Self { text, lines, at: 0, index: 0 }
    }

    /// The part of a file that a passage fills.
    fn place(&mut self, passage: &std::ops::Range<usize>, file: &ReadFile) -> PassagePlace {
        let mut from = self.at(passage.start);
        let first = self.index;
        let to = self.at(passage.end.saturating_sub(1)).max(from);
        if from == 0 {
            // A heading above the first row has no place of its own.
            from = self.lines.iter().take(self.index + 1).skip(first).copied().find(|number| *number > 0).unwrap_or_default();
        }
        let place = match file.paged {
            true => Some(Place::Page { number: from }),
            // What stands before the first place has the number 0.
            false => from.checked_sub(1).and_then(|index| file.places.get(index as usize)).cloned(),
        };
        PassagePlace { from, to, place }
    }

    fn at(&mut self, offset: usize) -> u32 {
        if offset < self.at {
            (self.at, self.index) = (0, 0);
        }
        self.index += self.text.as_bytes()[self.at..offset].iter().filter(|byte| **byte == b'\n').count();
        self.at = offset;
        let plain = u32::try_from(self.index).unwrap_or(u32::MAX - 1) + 1;
        self.lines.get(self.index).or(self.lines.last()).copied().unwrap_or(plain)
    }
}

#[cfg(test)]
mod tests {
    use nexi_store::documents::Scope;

    use super::*;

    #[test]
    fn the_index_follows_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("docs").clone();
        std::fs::create_dir_all(root.join("deep/.hidden")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
        write("a.md", "# Bridges\n\nThe first bridge is made of stone.\n");
        write("deep/b.html", "<title>B</title><p>A second\nbridge.</p>");
        write("deep/.hidden/c.md", "hidden bridge");
        write("skip.txt", "ignored bridge");
        write(".gitignore", "skip.txt\n");
        write("image.png", "bridge");
        write("binary.txt", "bridge\0");
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc", root.join("link")).unwrap();
        let index = Arc::new(DocumentIndex::open(&folder.path().join("d.db")).unwrap());
        let roots = super::super::resolve(&[root.clone(), root.join("deep"), folder.path().join("none")]);
        assert_eq!(roots.len(), 1);
        let run = || sync(&index, &roots, &Rules::default(), &|_, _| {}).unwrap();
        let first = run();
        assert_eq!((first.indexed, first.removed), (2, 0));
        let found = |word: &str| {
            let roots: Vec<String> = roots.iter().map(|root| root.to_string_lossy().into_owned()).collect();
            index.search(&Scope::all(&roots), &[word.to_owned()], &[], 10).unwrap()
        };
        assert_eq!(found("bridge").len(), 2);
        assert_eq!(found("second")[0].place.from, 1);
        assert_eq!(found("stone")[0].place.to, 3);
        assert_eq!(run().indexed, 0);
        write("a.md", "# Ferries\n\nThe bridge is gone.\n");
        std::fs::remove_file(root.join("deep/b.html")).unwrap();
        let third = run();
        assert_eq!((third.indexed, third.removed), (1, 1));
        assert_eq!((found("stone").len(), found("ferries").len(), found("second").len()), (0, 1, 0));
    }
}
