//! How well and how fast a shared corpus is searched, beside the index of one computer: questions and pages that others
//! published, among passages that `corpus.sh` made up. `NEXI_BENCH_CORPUS` is the address of the corpus, `NEXI_BENCH_FILES`
//! the folders that it was filled from besides, with colons between them; without them there is no local index.
//! `NEXI_BENCH_EMBEDDER` is the folder of the embedding model that the corpus has vectors of, if any.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nexi_core::ports::{Query, SearchBackend};
use nexi_embed::LocalEmbedder;
use nexi_engine::corpus::{Corpus, SharedCorpus};
use nexi_engine::documents::{DocumentSearch, Meaning, resolve, sync};
use nexi_store::DocumentIndex;
use secrecy::SecretString;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

/// Milliseconds that a search of a million passages may take, in the middle and at worst.
const P50_LIMIT: f64 = 60.0;
const P99_LIMIT: f64 = 250.0;
/// Searches that are made before the clock starts, as a database that runs has made them.
const WARM: usize = 40;

#[derive(Deserialize)]
struct Question {
    question: String,
    page: String,
}

/// At which place the right page stands, from 0, and how long each search took.
async fn measured(search: &dyn SearchBackend, questions: &[Question]) -> (Vec<Option<usize>>, Vec<Duration>) {
    let (mut ranks, mut times) = (Vec::new(), Vec::new());
    for item in questions {
        let begun = Instant::now();
        let hits = search.search(&Query::new(&item.question), &CancellationToken::new()).await.expect("an answer");
        times.push(begun.elapsed());
        let mut pages: Vec<&str> = Vec::new();
        for hit in &hits {
            let name = hit.url.rsplit('/').next().unwrap_or_default();
            if !pages.contains(&name) {
                pages.push(name);
            }
        }
        ranks.push(pages.iter().position(|name| *name == item.page));
    }
    times.sort_unstable();
    (ranks, times)
}

fn figures(name: &str, ranks: &[Option<usize>], times: &[Duration]) {
    let count = ranks.len() as f64;
    let at_ten = ranks.iter().flatten().filter(|rank| **rank < 10).count() as f64 / count;
    let mrr = ranks.iter().flatten().map(|rank| 1.0 / (*rank as f64 + 1.0)).sum::<f64>() / count;
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    let (p50, p99) = (at(0.5), at(0.99));
    println!(
        "  {name:<28} recall@10 {at_ten:.3}  MRR {mrr:.3}  p50 {p50:.0} ms ({:.2} of {P50_LIMIT})  p99 {p99:.0} ms ({:.2} of {P99_LIMIT})",
        p50 / P50_LIMIT,
        p99 / P99_LIMIT
    );
}

#[tokio::main]
async fn main() {
    let data = Path::new("../shared/data/nq-dev");
    let (Ok(address), true) = (std::env::var("NEXI_BENCH_CORPUS"), data.is_dir()) else {
        println!("SKIPPED: a shared corpus; NEXI_BENCH_CORPUS or {} is missing", data.display());
        return;
    };
    let questions = std::fs::read_to_string(data.join("questions.json")).expect("questions");
    let questions: Vec<Question> = serde_json::from_str(&questions).expect("questions");

    let password = std::env::var("PGPASSWORD").ok().map(SecretString::from);
    let corpus = Corpus::at(&address, password, Vec::new()).expect("an address");
    let status = corpus.status(0).await.expect("a corpus");
    let shared = SharedCorpus::new("archive", corpus.clone());
    for item in questions.iter().take(WARM) {
        let _ = shared.search(&Query::new(&item.question), &CancellationToken::new()).await;
    }
    println!("{} questions, {} documents, {} passages:", questions.len(), status.documents, status.passages);
    if let Ok(others) = std::env::var("NEXI_BENCH_FILES") {
        local_index(&others, data, &questions).await;
    }
    let (ranks, times) = measured(&shared, &questions).await;
    figures("corpus, by words", &ranks, &times);
    let Ok(model) = std::env::var("NEXI_BENCH_EMBEDDER") else { return };
    let embedder = Arc::new(LocalEmbedder::open(Path::new(&model)).expect("a model"));
    let shared = SharedCorpus::new("archive", corpus.with_meaning(Some(Meaning::new(embedder, &[]))));
    for item in questions.iter().take(WARM) {
        let _ = shared.search(&Query::new(&item.question), &CancellationToken::new()).await;
    }
    let (ranks, times) = measured(&shared, &questions).await;
    figures("by words and meaning", &ranks, &times);
}

/// The same questions to an index of one computer that has the same files.
async fn local_index(others: &str, data: &Path, questions: &[Question]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let index = Arc::new(DocumentIndex::open(&folder.path().join("documents.db")).expect("an index"));
    let folders: Vec<PathBuf> =
        others.split(':').filter(|folder| !folder.is_empty()).map(PathBuf::from).chain([data.join("pages")]).collect();
    let roots = resolve(&folders);
    let begun = Instant::now();
    let (filled, folders) = (index.clone(), roots.clone());
    let fill = move || sync(&filled, &folders, &Default::default(), &|_, _| {});
    tokio::task::spawn_blocking(fill).await.expect("a task").expect("an index");
    println!("local index of the same files: {:.0} s", begun.elapsed().as_secs_f64());
    let local = DocumentSearch::new(index, &roots);
    for item in questions.iter().take(WARM) {
        let _ = local.search(&Query::new(&item.question), &CancellationToken::new()).await;
    }
    let (ranks, times) = measured(&local, questions).await;
    figures("local index", &ranks, &times);
}
