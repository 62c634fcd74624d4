//! How well documents are found by words, by meaning and by both, on questions and pages that others published, and what
//! vectors cost. `NEXI_BENCH_EMBEDDER` is the folder of an embedding model; without it only words are measured, and the
//! scan over made-up vectors.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use nexi_core::{
    place::PassagePlace,
    ports::{EmbedPurpose, Embedder, Query, SearchBackend},
};
use nexi_embed::LocalEmbedder;
use nexi_engine::documents::{DocumentSearch, Meaning, resolve, sync};
use nexi_store::{
    DocumentIndex,
    documents::{NewDocument, NewPassage, Scope, Stamp},
};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

#[derive(Deserialize)]
struct Question {
    question: String,
    page: String,
}

/// At which place the right page stands, from 0; none where it is not among the results.
type Rank = Option<usize>;

/// Shares at 1, 5 and 10, and the mean reciprocal rank.
fn figures(name: &str, ranks: &[Rank]) {
    let share = |limit: usize| ranks.iter().flatten().filter(|rank| **rank < limit).count() as f64 / ranks.len() as f64 * 100.0;
    let mrr = ranks.iter().flatten().map(|rank| 1.0 / (*rank as f64 + 1.0)).sum::<f64>() / ranks.len() as f64;
    println!("  {name:<28} {:5.1} {:5.1} {:5.1}  MRR {mrr:.3}", share(1), share(5), share(10));
}

async fn ranks(search: &DocumentSearch, questions: &[&Question]) -> Vec<Rank> {
    let mut out = Vec::new();
    for item in questions {
        let hits = search.search(&Query::new(&item.question), &CancellationToken::new()).await.unwrap_or_default();
        let mut pages: Vec<&str> = Vec::new();
        for hit in &hits {
            let name = hit.url.rsplit('/').next().unwrap_or_default();
            if !pages.contains(&name) {
                pages.push(name);
            }
        }
        out.push(pages.iter().position(|name| *name == item.page));
    }
    out
}

/// Reads the whole set once before the clock starts, as every search but the first finds it.
fn scan() {
    const COUNT: usize = 100_000;
    const SIZE: usize = 384;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let index = DocumentIndex::open(&folder.path().join("d.db")).expect("an index");
    let mut seed = 1_u64;
    let mut vector = || -> Vec<f32> {
        (0..SIZE)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 40) as f32 / 16_777_216.0 - 0.5
            })
            .collect()
    };
    let passage = |index: usize| NewPassage {
        heading: String::new(),
        body: format!("passage {index}"),
        extra: String::new(),
        place: PassagePlace { from: 1, to: 1, place: None },
    };
    let stamp = Stamp { modified_ns: 0, size: 0, hash: 0, reference: 0, recognised: 0 };
    let document = |index: usize| NewDocument {
        path: format!("/docs/{index}.md"),
        stamp,
        title: String::new(),
        date: None,
        passages: (0..1000).map(passage).collect(),
        scanned: Vec::new(),
        partly: None,
        skipped: None,
    };
    for part in 0..COUNT / 1000 {
        index.put(&[document(part)]).expect("a document");
    }
    let roots = ["/docs".to_owned()];
    loop {
        let pending = index.pending("m", &roots, 2000).expect("passages");
        if pending.is_empty() {
            break;
        }
        let rows: Vec<(i64, Vec<f32>)> = pending.into_iter().map(|passage| (passage.id, vector())).collect();
        index.put_vectors("m", &rows).expect("vectors");
    }
    let query = vector();
    let begun = Instant::now();
    index.nearest("m", &Scope::all(&roots), &query, 50).expect("neighbours");
    let first = begun.elapsed();
    let mut times: Vec<f64> = (0..21)
        .map(|_| {
            let begun = Instant::now();
            assert_eq!(index.nearest("m", &Scope::all(&roots), &query, 50).expect("neighbours").len(), 50);
            begun.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "exact search of 100,000 vectors of 384 numbers: {:.1} ms ({:.2} of a 10 ms limit); the first one, which reads them: {} ms",
        times[times.len() / 2],
        times[times.len() / 2] / 10.0,
        first.as_millis()
    );
}

#[tokio::main]
async fn main() {
    scan();
    let corpus = Path::new("../shared/data/nq-dev");
    if !corpus.exists() {
        println!("SKIPPED: {} is not there", corpus.display());
        return;
    }
    let questions: Vec<Question> =
        serde_json::from_slice(&std::fs::read(corpus.join("questions.json")).expect("questions")).expect("questions as JSON");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let index = Arc::new(DocumentIndex::open(&folder.path().join("d.db")).expect("an index"));
    let roots = resolve(&[corpus.join("pages")]);
    sync(&index, &roots, &Default::default(), &|_, _| {}).expect("an index of the pages");
    // What was looked at while the rules were made, and what was not.
    let seen: Vec<&Question> = questions.iter().step_by(2).collect();
    let unseen: Vec<&Question> = questions.iter().skip(1).step_by(2).collect();
    let halves = [("questions the rules were made on", seen), ("questions they were not made on", unseen)];
    let words = DocumentSearch::new(index.clone(), &roots);
    let model = std::env::var_os("NEXI_BENCH_EMBEDDER").map(PathBuf::from);
    let meaning = match &model {
        None => {
            println!("SKIPPED: vectors; NEXI_BENCH_EMBEDDER names no folder of an embedding model");
            None
        }
        Some(model) => Some(built(model, &index, &roots).await),
    };
    if meaning.is_some() {
        let bare = Arc::new(DocumentIndex::open(&folder.path().join("bare.db")).expect("an index"));
        sync(&bare, &roots, &Default::default(), &|_, _| {}).expect("an index of the pages");
        beside_vectors(&words, &DocumentSearch::new(bare, &roots), &halves[1].1).await;
    }
    for (name, half) in &halves {
        println!("right page among the first 1, 5 and 10, in %, {} {name}:", half.len());
        figures("by words", &ranks(&words, half).await);
        if let Some(embedder) = &meaning {
            figures("by meaning alone", &by_meaning(embedder.as_ref(), &index, &roots, half).await);
            let both = DocumentSearch::new(index.clone(), &roots).with_meaning(Some(Meaning::new(embedder.clone(), &roots)));
            figures("by both", &ranks(&both, half).await);
        }
    }
    joined(corpus, &questions, model.as_deref()).await;
}

/// Ten pages in one file, as people keep long documents: whether the right file is found.
async fn joined(corpus: &Path, questions: &[Question], model: Option<&Path>) {
    let mut names: Vec<PathBuf> = std::fs::read_dir(corpus.join("pages")).expect("pages").flatten().map(|entry| entry.path()).collect();
    names.sort();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (docs, data) = (folder.path().join("docs"), folder.path().join("d.db"));
    std::fs::create_dir(&docs).expect("a folder");
    let mut of_page: HashMap<String, String> = HashMap::new();
    for (number, pages) in names.chunks(10).enumerate() {
        let name = format!("pages-{number}.html");
        let text: String = pages.iter().map(|page| std::fs::read_to_string(page).expect("a page")).collect::<Vec<_>>().join("\n");
        std::fs::write(docs.join(&name), text).expect("a file");
        of_page.extend(pages.iter().map(|page| (page.file_name().unwrap_or_default().to_string_lossy().into_owned(), name.clone())));
    }
    let index = Arc::new(DocumentIndex::open(&data).expect("an index"));
    let roots = resolve(&[docs]);
    sync(&index, &roots, &Default::default(), &|_, _| {}).expect("an index of the pages");
    let renamed: Vec<Question> = questions
        .iter()
        .filter_map(|item| Some(Question { question: item.question.clone(), page: of_page.get(&item.page)?.clone() }))
        .collect();
    let unseen: Vec<&Question> = renamed.iter().skip(1).step_by(2).collect();
    println!("right file of ten joined pages among the first 1, 5 and 10, in %, {} questions the rules were not made on:", unseen.len());
    figures("by words", &ranks(&DocumentSearch::new(index.clone(), &roots), &unseen).await);
    if let Some(model) = model {
        let embedder = built(model, &index, &roots).await;
        let both = DocumentSearch::new(index.clone(), &roots).with_meaning(Some(Meaning::new(embedder, &roots)));
        figures("by both", &ranks(&both, &unseen).await);
    }
}

/// Who has vectors and turns them off pays nothing for them: both indexes in turns, and the same pages.
async fn beside_vectors(with: &DocumentSearch, without: &DocumentSearch, questions: &[&Question]) {
    assert!(ranks(with, questions).await == ranks(without, questions).await, "the same pages are found");
    let mut seconds = [0.0; 2];
    for _ in 0..3 {
        for (sum, search) in seconds.iter_mut().zip([with, without]) {
            let begun = Instant::now();
            ranks(search, questions).await;
            *sum += begun.elapsed().as_secs_f64();
        }
    }
    println!("searching by words with vectors in the index: {:.2} of the time without them", seconds[0] / seconds[1]);
}

async fn built(model: &Path, index: &Arc<DocumentIndex>, roots: &[PathBuf]) -> Arc<LocalEmbedder> {
    let embedder = Arc::new(LocalEmbedder::open(model).expect("an embedding model"));
    let begun = Instant::now();
    let built = Meaning::new(embedder.clone(), roots).build(index, &|_, _| {}, &|| true, &CancellationToken::new()).await.expect("vectors");
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "vectors by {}: {} passages in {seconds:.0} s, {:.0} a second",
        embedder.id(),
        built.passages,
        built.passages as f64 / seconds
    );
    embedder
}

async fn by_meaning(embedder: &LocalEmbedder, index: &DocumentIndex, roots: &[PathBuf], questions: &[&Question]) -> Vec<Rank> {
    let roots: Vec<String> = roots.iter().map(|root| root.to_string_lossy().into_owned()).collect();
    let mut out = Vec::new();
    for item in questions {
        let vectors =
            embedder.embed(std::slice::from_ref(&item.question), EmbedPurpose::Query, &CancellationToken::new()).await.expect("a vector");
        let near = index.nearest(embedder.id(), &Scope::all(&roots), &vectors[0], 40).expect("neighbours");
        let mut pages: Vec<&str> = Vec::new();
        for near in &near {
            let name = near.passage.path.rsplit('/').next().unwrap_or_default();
            if !pages.contains(&name) {
                pages.push(name);
            }
        }
        out.push(pages.iter().take(10).position(|name| *name == item.page));
    }
    out
}
