//! Filling a corpus: files of the queue are read here and their passages written there.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nexi_postgres::{Database, DatabaseProblem, Job, NewDocument, NewPassage, Outcome, WorkerId};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::Corpus;
use crate::{
    EngineError,
    documents::{self, SkipReason},
};

/// Files that one worker takes at a time.
const BATCH: i64 = 4;
/// How often a process says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// How long a worker waits at most before it looks whether something is due.
const LOOK: Duration = Duration::from_secs(5);
/// How often, and with which pause at first, a database that went away is tried again.
const RECONNECTS: u32 = 6;
const PAUSE: Duration = Duration::from_secs(1);
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
}

/// The same while it goes on.
#[derive(Debug, Default)]
pub struct Progress {
    read: AtomicU64,
    unchanged: AtomicU64,
    unreadable: AtomicU64,
    failed: AtomicU64,
}

impl Progress {
    /// What has been done so far.
    pub fn so_far(&self) -> Worked {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Worked { read: load(&self.read), unchanged: load(&self.unchanged), unreadable: load(&self.unreadable), failed: load(&self.failed) }
    }

    fn count(&self, outcome: &Outcome) {
        let count = match outcome {
            Outcome::Read(_) => &self.read,
            Outcome::Unchanged => &self.unchanged,
            Outcome::Unreadable { .. } => &self.unreadable,
            Outcome::Failed { .. } => &self.failed,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

impl Corpus {
    /// Reads files of the queue with so many workers until none waits, or until `cancel`: what is not read then is given back.
    ///
    /// # Errors
    /// When the database refuses, or stays away.
    pub async fn work(&self, workers: usize, progress: &Arc<Progress>, cancel: &CancellationToken) -> Result<Worked, EngineError> {
        // Told at once, and not by a worker that tries again and again.
        let lifeline = self.open().await?;
        let ids: Vec<WorkerId> = (0..workers.max(1)).map(|_| WorkerId::new()).collect();
        let over = CancellationToken::new();
        let heart = tokio::spawn(beat(self.clone(), lifeline, ids.clone(), over.clone()));
        let mut all = JoinSet::new();
        for id in ids.clone() {
            let (corpus, progress, cancel) = (self.clone(), progress.clone(), cancel.clone());
            all.spawn(async move { corpus.work_alone(id, &progress, &cancel).await });
        }
        let mut problem = None;
        while let Some(done) = all.join_next().await {
            problem = problem.or(done.map_err(|_| EngineError::Gone)?.err());
        }
        over.cancel();
        let _ = heart.await;
        if let Ok(database) = self.open().await {
            if cancel.is_cancelled() || problem.is_some() {
                let _ = database.give_back(&ids).await;
            }
            if progress.so_far().read > 0
                && let Err(counting) = database.count_words().await
            {
                tracing::warn!(problem = %counting, "words could not be counted");
            }
        }
        problem.map_or_else(|| Ok(progress.so_far()), |problem| Err(problem.into()))
    }

    /// One worker, which connects again after a while where the database goes away.
    async fn work_alone(&self, worker: WorkerId, progress: &Progress, cancel: &CancellationToken) -> Result<(), DatabaseProblem> {
        let mut attempts = 0;
        loop {
            match self.work_connected(worker, progress, cancel, &mut attempts).await {
                Err(problem) if problem.is_transient() && attempts < RECONNECTS => {
                    tracing::warn!(%problem, "the database went away");
                    tokio::select! {
                        () = tokio::time::sleep(PAUSE * 2_u32.pow(attempts)) => {}
                        () = cancel.cancelled() => return Err(problem),
                    }
                    attempts += 1;
                }
                done => return done,
            }
        }
    }

    /// The same as long as the database stays; `attempts` is 0 once it is reached.
    async fn work_connected(
        &self,
        worker: WorkerId,
        progress: &Progress,
        cancel: &CancellationToken,
        attempts: &mut u32,
    ) -> Result<(), DatabaseProblem> {
        let mut database = self.open().await?;
        *attempts = 0;
        // What it had before the database went away would stay its own as long as this process lives.
        database.give_back(&[worker]).await?;
        while !cancel.is_cancelled() {
            let jobs = database.take(worker, BATCH).await?;
            if jobs.is_empty() {
                // What others are reading may come back.
                let Some(due) = database.next_due().await? else { return Ok(()) };
                tokio::select! {
                    () = tokio::time::sleep(due.clamp(Duration::from_millis(50), LOOK)) => {}
                    () = cancel.cancelled() => {}
                }
            }
            for job in jobs {
                if cancel.is_cancelled() {
                    break;
                }
                let asked = job.clone();
                let outcome = tokio::task::spawn_blocking(move || read(&asked)).await;
                let outcome = outcome.unwrap_or_else(|_| unreadable(&SkipReason::TooComplex));
                progress.count(&outcome);
                if !database.finish(worker, &job, outcome).await? {
                    tracing::info!(address = job.address, "somebody else has read a file meanwhile");
                }
            }
        }
        Ok(())
    }
}

/// Says that a process is alive, as long as it works.
async fn beat(corpus: Corpus, mut database: Database, workers: Vec<WorkerId>, over: CancellationToken) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(HEARTBEAT) => {}
            () = over.cancelled() => return,
        }
        if !database.is_open() {
            match corpus.open().await {
                Ok(again) => database = again,
                Err(_) => continue,
            }
        }
        if let Err(problem) = database.renew(&workers).await {
            tracing::warn!(%problem, "a lease could not be renewed");
        }
    }
}

/// Reads a file. Blocks.
fn read(job: &Job) -> Outcome {
    let Some(path) = Url::parse(&job.address).ok().and_then(|url| url.to_file_path().ok()) else { return unreadable(&SkipReason::BadName) };
    // A pipe would keep whoever opens it waiting.
    if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        return unreadable(&SkipReason::NoFile);
    }
    let hash = match hash(&path) {
        Ok(hash) => hash,
        // On another machine it may be there.
        Err(error) => return failed(&error.into()),
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
    let passages = documents::passages(&file).into_iter().map(|passage| NewPassage {
        extra: extra.clone(),
        place: serde_json::to_value(&passage.place).unwrap_or_default(),
        heading: passage.heading,
        body: passage.body,
    });
    Outcome::Read(Box::new(NewDocument {
        hash,
        passages: passages.collect(),
        title: nexi_core::text::truncate(&file.title, 300),
        authors: file.authors,
        date: file.date,
        doi: file.doi,
        text: file.text,
    }))
}

fn failed(reason: &SkipReason) -> Outcome {
    Outcome::Failed { why: serde_json::to_value(reason).unwrap_or_default() }
}

fn unreadable(reason: &SkipReason) -> Outcome {
    Outcome::Unreadable { why: serde_json::to_value(reason).unwrap_or_default() }
}

fn hash(path: &PathBuf) -> std::io::Result<Vec<u8>> {
    let mut file = std::fs::File::open(path)?;
    let (mut hasher, mut chunk) = (Sha256::new(), vec![0; CHUNK]);
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hasher.finalize().to_vec()),
            length => hasher.update(&chunk[..length]),
        }
    }
}
