//! `nexi corpus`: documents that several people share, in PostgreSQL.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use nexi_engine::core::ports::{Cause, Hit};
use nexi_engine::corpus::{Corpus, CorpusStatus, Progress, Queued, Worked};
use nexi_engine::documents::SkipReason;
use nexi_engine::{Engine, EngineError, sentences};
use nexi_messages::say;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::args::{Common, CorpusArgs, CorpusCommand, CorpusPlace, Usage};
use crate::line::{one_line, sanitized};
use crate::output::{note, print_json, print_line, tell};
use crate::{exit, password, start};

/// Between two states of a moving line.
const BETWEEN: Duration = Duration::from_millis(250);
/// Bytes of a passage that are printed.
const MAX_PASSAGE: usize = 400;

/// Carries the command out.
pub async fn run(wanted: CorpusArgs, common: Common) -> Result<u8> {
    let engine = opened(wanted.command.place(), &common).await?;
    match wanted.command {
        CorpusCommand::Create { place, groups, vectors } => {
            let (_, is_new) = reached(&engine, place, async |corpus| engine.create_corpus(corpus, &groups, vectors).await).await?;
            print_line(&if is_new { say!("nexi-corpus-created") } else { say!("nexi-corpus-renewed") })?;
        }
        CorpusCommand::Remove { paths, place, group, yes } => {
            if !yes {
                if !std::io::stdin().is_terminal() {
                    return Err(Usage(say!("nexi-corpus-say-yes")).into());
                }
                let what = match (paths.as_slice(), &group) {
                    ([], Some(role)) => say!("nexi-corpus-remove-group", role = role),
                    (_, Some(role)) => say!("nexi-corpus-remove-from-group", role = role),
                    (_, None) => say!("nexi-corpus-remove", count = paths.len()),
                };
                if !start::agreed(&sanitized(&what)).await? {
                    return Ok(exit::CANCELLED);
                }
            }
            let (_, removed) = reached(&engine, place, async |corpus| corpus.remove(&paths, group.as_deref()).await).await?;
            print_line(&say!("nexi-corpus-removed", count = removed))?;
            if removed == 0 && !paths.is_empty() {
                return Ok(exit::FAILED);
            }
        }
        CorpusCommand::Index { paths, place, group, workers, only_queue, json } => {
            let (settings, group) = (engine.settings(), group.as_deref());
            let (corpus, queued) = reached(&engine, place, async |corpus| match paths.is_empty() {
                true => corpus.status(0).await.map(|_| Queued::default()),
                false => corpus.enqueue(&settings, &paths, group).await,
            })
            .await?;
            if only_queue {
                return told(Indexed { queued, done: Worked::default() }, json, false);
            }
            let workers = workers.map_or_else(|| std::thread::available_parallelism().map_or(2, usize::from), usize::from);
            let (done, stopped) = work(&engine, &corpus, workers).await?;
            told(Indexed { queued, done }, json, true)?;
            if stopped {
                return Ok(exit::CANCELLED);
            }
        }
        CorpusCommand::Status { place, failures, json } => {
            let (_, status) = reached(&engine, place, async |corpus| corpus.status(failures).await).await?;
            if json { print_json(&StatusReport::of(&status))? } else { print_line(&sanitized(&status_text(&status)))? }
        }
        CorpusCommand::Search { question, place, limit, json } => {
            if question.trim().is_empty() {
                return Err(EngineError::invalid("question", say!("arguments-question.empty")).into());
            }
            let (_, hits) = reached(&engine, place, async |corpus| corpus.search(&question, limit.into()).await).await?;
            if json {
                print_json(&hits)?;
            } else if hits.is_empty() {
                print_line(&say!("nexi-corpus-nothing"))?;
            } else {
                print_line(&sanitized(&hits_text(&hits)))?;
            }
            if hits.is_empty() {
                return Ok(exit::FAILED);
            }
        }
    }
    Ok(exit::ANSWERED)
}

/// The engine, with its keys where the corpus is one of the settings.
async fn opened(place: &CorpusPlace, common: &Common) -> Result<Engine> {
    if place.is_name() { start::open_with_keys(common).await } else { start::open(common).await }
}

/// Does this with a corpus of the settings, by its name, or with one at an address.
async fn reached<T>(engine: &Engine, place: CorpusPlace, work: impl AsyncFn(&Corpus) -> Result<T, EngineError>) -> Result<(Corpus, T)> {
    // A corpus of the settings has its own password, where one is kept.
    let corpus = match place.is_name() {
        true => engine.corpus(&place.address).await?,
        false => engine.corpus_at(&place.address, password::known().map(Into::into)).await?,
    };
    let (corpus, done, _) = password::reached(corpus, Corpus::with_password, work).await?;
    Ok((corpus, done))
}

/// Works until nothing waits, or until Ctrl+C.
async fn work(engine: &Engine, corpus: &Corpus, workers: usize) -> Result<(Worked, bool)> {
    let (progress, cancel) = (Arc::new(Progress::default()), CancellationToken::new());
    let mut interrupts = start::Interrupts::new()?;
    let working = engine.fill(corpus, workers, &progress, &cancel);
    tokio::pin!(working);
    let moves = std::io::stderr().is_terminal();
    let done = loop {
        tokio::select! {
            done = &mut working => break done,
            () = interrupts.next(), if !cancel.is_cancelled() => cancel.cancel(),
            () = tokio::time::sleep(BETWEEN), if moves => tell(&format!("\r{}\x1b[K", counts(progress.so_far()))),
        }
    };
    if moves {
        tell("\r\x1b[K");
    }
    Ok((done?, cancel.is_cancelled()))
}

/// What `nexi corpus index --json` prints.
#[derive(Debug, Clone, Copy, Serialize)]
struct Indexed {
    #[serde(flatten)]
    queued: Queued,
    #[serde(flatten)]
    done: Worked,
}

fn told(indexed: Indexed, json: bool, worked: bool) -> Result<u8> {
    if json {
        print_json(&indexed)?;
    } else {
        let Queued { queued, forgotten, kept } = indexed.queued;
        if queued > 0 || !worked {
            note(&say!("nexi-corpus-queued", count = queued));
        }
        if forgotten > 0 {
            note(&say!("nexi-corpus-forgotten", count = forgotten));
        }
        if kept > 0 {
            note(&say!("nexi-corpus-kept", count = kept));
        }
        if worked {
            print_line(&counts(indexed.done))?;
            if indexed.done.absent > 0 {
                note(&say!("nexi-corpus-absent"));
            }
            if indexed.done.failed + indexed.done.unreadable > 0 {
                note(&say!("nexi-corpus-see-status"));
            }
        }
    }
    Ok(exit::ANSWERED)
}

fn counts(done: Worked) -> String {
    let parts = [
        ("read", done.read),
        ("unchanged", done.unchanged),
        ("unreadable", done.unreadable),
        ("failed", done.failed),
        ("absent", done.absent),
    ];
    let part =
        |(name, count): (&str, u64)| (count > 0 || name == "read").then(|| say!(&format!("nexi-corpus-counts.{name}"), count = count));
    parts.into_iter().filter_map(part).collect::<Vec<_>>().join(", ")
}

/// What `nexi corpus status --json` prints.
#[derive(Debug, Serialize)]
struct StatusReport {
    documents: i64,
    passages: i64,
    bytes: i64,
    waiting: i64,
    being_read: i64,
    done: i64,
    failed: i64,
    groups: Vec<GroupReport>,
    failures: Vec<FailureReport>,
}

#[derive(Debug, Serialize)]
struct GroupReport {
    /// Null is everybody who may read.
    group: Option<String>,
    documents: i64,
}

#[derive(Debug, Serialize)]
struct FailureReport {
    file: String,
    why: String,
}

impl StatusReport {
    fn of(status: &CorpusStatus) -> Self {
        let groups = status.groups.iter().map(|group| GroupReport { group: group.role.clone(), documents: group.documents });
        let failures = status.failures.iter().map(|failed| FailureReport { file: path(&failed.address), why: why(&failed.why) });
        Self {
            documents: status.documents,
            passages: status.passages,
            bytes: status.bytes,
            waiting: status.waiting,
            being_read: status.taken,
            done: status.done,
            failed: status.failed,
            groups: groups.collect(),
            failures: failures.collect(),
        }
    }
}

fn status_text(status: &CorpusStatus) -> String {
    let mut lines = vec![say!(
        "nexi-corpus-size",
        documents = status.documents,
        passages = status.passages,
        megabytes = (status.bytes + 500_000) / 1_000_000
    )];
    if status.groups.iter().any(|group| group.role.is_some()) {
        for group in &status.groups {
            lines.push(match &group.role {
                Some(role) => say!("nexi-corpus-group", role = role, count = group.documents),
                None => say!("nexi-corpus-everybody", count = group.documents),
            });
        }
    }
    if status.waiting + status.taken + status.done + status.failed > 0 {
        lines.push(say!("nexi-corpus-queue", waiting = status.waiting, taken = status.taken, failed = status.failed));
    }
    lines.extend(status.failures.iter().map(|failed| format!("  {}: {}", one_line(&path(&failed.address)), one_line(&why(&failed.why)))));
    lines.join("\n")
}

/// A file as people know it.
fn path(address: &str) -> String {
    let path = url::Url::parse(address).ok().and_then(|url| url.to_file_path().ok());
    path.map_or_else(|| address.to_owned(), |path| path.display().to_string())
}

/// Why a file could not be read.
fn why(why: &serde_json::Value) -> String {
    if let Ok(reason) = serde_json::from_value::<SkipReason>(why.clone()) {
        return reason.to_string();
    }
    match serde_json::from_value::<Cause>(why.clone()) {
        Ok(cause) => sentences::cause(&cause),
        Err(_) if why["code"] == "workers_died" => say!("nexi-corpus-workers-died"),
        Err(_) => say!("nexi-corpus-unknown-reason"),
    }
}

fn hits_text(hits: &[Hit]) -> String {
    let mut out = String::new();
    for (index, hit) in hits.iter().enumerate() {
        let place = hit.place.as_ref().map(|place| format!("{}: ", one_line(&sentences::passage_place(place)))).unwrap_or_default();
        let snippet = nexi_engine::core::text::truncate(&one_line(&hit.snippet), MAX_PASSAGE);
        out.push_str(&format!("{}. {}\n   {}\n   {place}{snippet}\n\n", index + 1, one_line(&hit.title), one_line(&path(&hit.url))));
    }
    out.trim_end().to_owned()
}
