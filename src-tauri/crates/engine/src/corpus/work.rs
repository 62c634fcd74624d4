//! Filling a corpus: files and pages of the queue are read here and their passages written there.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nexi_core::{
    ports::{Cause, DatabaseCause, Embedder},
    text, urls,
};
use nexi_postgres::{CorpusEmbedder, Database, Job, NewDocument, NewPassage, Outcome, WorkerId};
use nexi_web::ReaderChain;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::Corpus;
use crate::{
    EngineError,
    aside::aside,
    documents::{self, ReadFile, SkipReason},
};

/// Files that one worker takes at a time.
const BATCH: i64 = 4;
/// How often a process says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// How long a worker that has nothing to do waits before it looks again: at first, twice as long each time, and at most.
const FIRST_LOOK: Duration = Duration::from_millis(100);
const LONGEST_LOOK: Duration = Duration::from_secs(5);
/// How often, and with which pause at first, a database that went away is tried again.
const RECONNECTS: u32 = 6;
const PAUSE: Duration = Duration::from_secs(1);
/// Half of the files after which a process has words counted for the first time while it works.
const COUNTED_FROM: u64 = 100;
/// A connection that lasted as long did.
const LASTING: Duration = Duration::from_secs(60);
/// Bytes read at a time.
const CHUNK: usize = 256 * 1024;

/// What workers have done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Worked {
    pub read: u64,
    pub unchanged: u64,
    /// Files that can never be read, such as pictures without text.
    pub unreadable: u64,
    /// Tries that failed for now; the files wait for another one, or are given up.
    pub failed: u64,
    /// Files that are not on this computer; they wait for one that has them.
    pub absent: u64,
}

/// The same while it goes on.
#[derive(Debug, Default)]
pub struct Progress {
    read: AtomicU64,
    unchanged: AtomicU64,
    unreadable: AtomicU64,
    failed: AtomicU64,
    absent: AtomicU64,
}

impl Progress {
    /// What has been done so far.
    pub fn so_far(&self) -> Worked {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Worked {
            read: load(&self.read),
            unchanged: load(&self.unchanged),
            unreadable: load(&self.unreadable),
            failed: load(&self.failed),
            absent: load(&self.absent),
        }
    }

    fn count(&self, outcome: &Outcome) {
        let count = match outcome {
            Outcome::Read(_) => &self.read,
            Outcome::Unchanged => &self.unchanged,
            Outcome::Unreadable { .. } => &self.unreadable,
            Outcome::Failed { .. } => &self.failed,
            Outcome::Absent { .. } => &self.absent,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

impl Corpus {
    /// Reads files and pages of the queue with so many workers until none waits, or until `cancel`: what is not read then is given back.
    ///
    /// # Errors
    /// When the database refuses, or stays away.
    pub(crate) async fn work(
        &self,
        workers: usize,
        tools: WorkTools,
        progress: &Arc<Progress>,
        cancel: &CancellationToken,
    ) -> Result<Worked, EngineError> {
        // Told at once, and not by a worker that tries again and again.
        let lifeline = self.database.open().await?;
        // Whoever begins anew expects that what failed is tried anew.
        lifeline.try_again().await?;
        let ids = WorkerId::of_process(workers.max(1));
        let over = CancellationToken::new();
        let heart = tokio::spawn(beat(self.clone(), lifeline, ids.clone(), progress.clone(), over.clone()));
        let mut all = JoinSet::new();
        for id in ids.clone() {
            let worker = Worker { id, corpus: self.clone(), tools: tools.clone(), progress: progress.clone(), cancel: cancel.clone() };
            all.spawn(async move { worker.work().await });
        }
        let mut problem = None;
        while let Some(done) = all.join_next().await {
            problem = problem.or(done.map_err(|_| EngineError::Gone)?.err());
        }
        over.cancel();
        let _ = heart.await;
        if let Ok(database) = self.database.open().await {
            if cancel.is_cancelled() || problem.is_some() {
                let _ = database.give_back(&ids).await;
            }
            // Also what processes wrote that ended before they had counted.
            let counting = async { if database.is_uncounted().await? { database.count_words().await } else { Ok(()) } };
            if let Err(problem) = counting.await {
                tracing::warn!(%problem, "words could not be counted");
            }
        }
        problem.map_or_else(|| Ok(progress.so_far()), |problem| Err(problem.into()))
    }
}

/// What workers read with.
#[derive(Clone)]
pub(crate) struct WorkTools {
    /// What fetches pages of the web.
    pub pages: ReaderChain,
    /// The embedding model of the settings.
    pub embedder: Option<Arc<dyn Embedder>>,
}

/// What a corpus has vectors of.
struct Vectors {
    by: Arc<dyn Embedder>,
    /// The length of each.
    dimensions: usize,
}

/// One of those that read the queue.
struct Worker {
    id: WorkerId,
    corpus: Corpus,
    tools: WorkTools,
    progress: Arc<Progress>,
    cancel: CancellationToken,
}

impl Worker {
    /// Connects again after a while where the database goes away.
    async fn work(&self) -> Result<(), DatabaseCause> {
        let mut attempts = 0;
        loop {
            let began = Instant::now();
            let done = self.work_connected(&mut attempts).await;
            // A connection that lasted is no sign of a database that stays away.
            if began.elapsed() >= LASTING {
                attempts = 0;
            }
            match done {
                Err(cause) if cause.is_transient() && attempts < RECONNECTS => {
                    tracing::warn!(%cause, "the database went away");
                    tokio::select! {
                        () = tokio::time::sleep(PAUSE * 2_u32.pow(attempts)) => {}
                        () = self.cancel.cancelled() => return Err(cause),
                    }
                    attempts += 1;
                }
                done => return done,
            }
        }
    }

    /// The same as long as the database stays; `attempts` is 0 once something was written.
    async fn work_connected(&self, attempts: &mut u32) -> Result<(), DatabaseCause> {
        let mut database = self.corpus.database.open().await?;
        let known = database.embedder().await?;
        let embedder = self.embedder(known.as_ref())?;
        // What it had before the database went away would stay its own as long as this process lives.
        database.give_back(&[self.id]).await?;
        let mut look = FIRST_LOOK;
        while !self.cancel.is_cancelled() {
            let jobs = database.take(self.id, BATCH).await?;
            if jobs.is_empty() {
                // What others are reading may come back.
                let Some(due) = database.next_due(self.id).await? else { return Ok(()) };
                tokio::select! {
                    () = tokio::time::sleep(due.clamp(FIRST_LOOK, look)) => {}
                    () = self.cancel.cancelled() => {}
                }
                look = (look * 2).min(LONGEST_LOOK);
                continue;
            }
            look = FIRST_LOOK;
            for job in jobs {
                if self.cancel.is_cancelled() {
                    break;
                }
                let outcome = self.embedded(self.read(&job).await, embedder.as_ref()).await;
                if self.cancel.is_cancelled() && matches!(outcome, Outcome::Failed { .. }) {
                    break;
                }
                let counted = self.progress.clone();
                let (outcome, written) = match database.finish(self.id, &job, &outcome).await {
                    // One that cannot be written keeps no other from being read.
                    Err(why @ DatabaseCause::Unstorable { .. }) => {
                        let outcome = unreadable(&Cause::from(why));
                        let written = database.finish(self.id, &job, &outcome).await?;
                        (outcome, written)
                    }
                    written => (outcome, written?),
                };
                *attempts = 0;
                counted.count(&outcome);
                if !written {
                    tracing::info!(address = job.address, "somebody else has read it meanwhile");
                }
            }
        }
        Ok(())
    }

    /// The model that the corpus has vectors of, where it has any.
    fn embedder(&self, known: Option<&CorpusEmbedder>) -> Result<Option<Vectors>, DatabaseCause> {
        let Some(CorpusEmbedder { id, dimensions }) = known else { return Ok(None) };
        match &self.tools.embedder {
            Some(own) if own.id() == id => {
                Ok(Some(Vectors { by: own.clone(), dimensions: usize::try_from(*dimensions).unwrap_or_default() }))
            }
            Some(own) => Err(DatabaseCause::OtherEmbedder { corpus: id.clone(), own: own.id().to_owned() }),
            None => Err(DatabaseCause::NoEmbedder { corpus: id.clone() }),
        }
    }

    /// The same with vectors; without them it is tried again later.
    async fn embedded(&self, outcome: Outcome, embedder: Option<&Vectors>) -> Outcome {
        let Some(Vectors { by: embedder, dimensions }) = embedder else { return outcome };
        let Outcome::Read(mut document) = outcome else { return outcome };
        let title = document.title.clone();
        for passages in document.passages.chunks_mut(documents::EMBEDDED_AT_ONCE) {
            let texts: Vec<String> = passages.iter().map(|passage| passage.text(&title)).collect();
            match documents::embedded(&**embedder, &texts, &self.cancel).await {
                // The service may have another model by that name now: what the corpus has stays.
                Ok(vectors) if vectors.iter().any(|vector| vector.len() != *dimensions) => {
                    return failed(&Cause::from(DatabaseCause::OtherLength { dimensions: dimensions.to_string() }));
                }
                Ok(vectors) => passages.iter_mut().zip(vectors).for_each(|(passage, vector)| passage.set_vector(vector)),
                Err(failure) => return failed(&failure.cause()),
            }
        }
        Outcome::Read(document)
    }

    async fn read(&self, job: &Job) -> Outcome {
        if !job.address.starts_with("file:") {
            return read_page(&self.tools.pages, job, &self.cancel).await;
        }
        let asked = job.clone();
        let outcome = tokio::task::spawn_blocking(move || read_file(&asked)).await;
        outcome.unwrap_or_else(|_| unreadable(&SkipReason::TooComplex))
    }
}

/// Says that a process is alive, as long as it works, and has words counted each time it has read twice as much: searches go
/// by them.
async fn beat(corpus: Corpus, mut database: Database, workers: Vec<WorkerId>, progress: Arc<Progress>, over: CancellationToken) {
    let mut counted = COUNTED_FROM;
    loop {
        tokio::select! {
            () = tokio::time::sleep(HEARTBEAT) => {}
            () = over.cancelled() => return,
        }
        if !database.is_open() {
            match corpus.database.open().await {
                Ok(again) => database = again,
                Err(_) => continue,
            }
        }
        if let Err(problem) = database.renew(&workers).await {
            tracing::warn!(%problem, "a lease could not be renewed");
        }
        let read = progress.so_far().read;
        if read >= 2 * counted {
            counted = read;
            // Over a connection of its own: in a large corpus it takes longer than a lease.
            tokio::spawn(count(corpus.clone()));
        }
    }
}

/// Has words counted.
async fn count(corpus: Corpus) {
    let counting = async { corpus.database.open().await?.count_words().await };
    if let Err(problem) = counting.await {
        tracing::warn!(%problem, "words could not be counted");
    }
}

/// Fetches a page of the web.
async fn read_page(pages: &ReaderChain, job: &Job, cancel: &CancellationToken) -> Outcome {
    if !job.address.starts_with("http") {
        return unreadable(&SkipReason::BadName);
    }
    let page = match pages.read(&job.address, None, cancel).await {
        Ok(page) => page,
        Err(failure) => {
            // What another worker may read, or the same one later, is not taken out of the corpus.
            let cause = failure.cause();
            let is_certain = matches!(
                cause,
                Cause::NoPage { .. }
                    | Cause::NotText
                    | Cause::NotTextBut { .. }
                    | Cause::TooLarge
                    | Cause::NoText
                    | Cause::Pdf { .. }
                    | Cause::PdfProtected
                    | Cause::PdfNoText
                    | Cause::PdfDamaged
                    | Cause::PdfTooComplex
                    | Cause::PdfTooSlow
            );
            return if is_certain { unreadable(&cause) } else { failed(&cause) };
        }
    };
    let hash = Sha256::new().chain_update(&page.title).chain_update([0]).chain_update(&page.text).finalize().to_vec();
    if job.known_hash.as_ref() == Some(&hash) {
        return Outcome::Unchanged;
    }
    let file = ReadFile {
        title: page.title,
        authors: page.byline.into_iter().collect(),
        date: page.date,
        doi: page.doi,
        text: page.text,
        lines: page.lines,
        paged: page.paged,
        places: page.places,
        cut: false,
        unread: Vec::new(),
    };
    let extra = format!("{} {}", urls::site(&job.address), documents::name_words(&job.address));
    aside(|| document(file, hash, &extra, page.modified, job.address.clone()))
}

/// Reads a file. Blocks.
fn read_file(job: &Job) -> Outcome {
    let Some(path) = Url::parse(&job.address).ok().and_then(|url| url.to_file_path().ok()) else { return unreadable(&SkipReason::BadName) };
    let found = std::fs::metadata(&path);
    // A pipe would keep whoever opens it waiting.
    if found.as_ref().is_ok_and(|found| !found.is_file()) {
        return unreadable(&SkipReason::NoFile);
    }
    let changed = found.and_then(|found| found.modified()).ok().and_then(|time| jiff::Timestamp::try_from(time).ok());
    let hash = match hash(&path) {
        Ok(hash) => hash,
        // On another machine it may be there.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return absent(&SkipReason::from(error)),
        Err(error) => return failed(&SkipReason::from(error)),
    };
    if job.known_hash.as_ref() == Some(&hash) {
        return Outcome::Unchanged;
    }
    let file = match documents::read_file(&path) {
        Ok(file) => file,
        Err(reason @ SkipReason::Unreadable { .. }) => return failed(&reason),
        Err(reason) => return unreadable(&reason),
    };
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let extra = format!("{} {folder} {}", documents::name_words(&path.to_string_lossy()), file.authors.join(" "));
    let changed = changed.map(|time| time.strftime("%Y-%m-%d").to_string());
    document(file, hash, &extra, changed, path.to_string_lossy().into_owned())
}

/// What was read, cut into passages that are found by these words besides.
fn document(file: ReadFile, hash: Vec<u8>, extra: &str, modified: Option<String>, path: String) -> Outcome {
    let title = text::truncate(&file.title, 300);
    let passages = documents::passages(&file).into_iter().map(|passage| {
        let place = serde_json::to_value(&passage.place).unwrap_or_default();
        NewPassage::new(&title, &passage.heading, &passage.body, extra, &place)
    });
    Outcome::Read(Box::new(NewDocument {
        hash,
        passages: passages.collect(),
        title,
        authors: file.authors,
        date: file.date,
        modified,
        doi: file.doi,
        path,
        text: file.text,
        lines: file.lines,
        paged: file.paged,
        places: serde_json::to_value(&file.places).unwrap_or_default(),
    }))
}

/// `why` is a [`SkipReason`] of a file, or the [`Cause`](nexi_core::ports::Cause) of a page.
fn failed(why: &impl Serialize) -> Outcome {
    Outcome::Failed { why: serde_json::to_value(why).unwrap_or_default() }
}

fn absent(why: &impl Serialize) -> Outcome {
    Outcome::Absent { why: serde_json::to_value(why).unwrap_or_default() }
}

fn unreadable(why: &impl Serialize) -> Outcome {
    Outcome::Unreadable { why: serde_json::to_value(why).unwrap_or_default() }
}

/// SHA-256 of a file. Blocks.
pub(super) fn hash(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = std::fs::File::open(path)?;
    let (mut hasher, mut chunk) = (Sha256::new(), vec![0; CHUNK]);
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hasher.finalize().to_vec()),
            length => hasher.update(&chunk[..length]),
        }
    }
}
