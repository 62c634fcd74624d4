//! Words that stand in every third passage of a gigabyte of text. `NEXI_BENCH_MB` is another size.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use nexi_core::{
    place::PassagePlace,
    ports::{Query, SearchBackend},
};
use nexi_engine::documents::{DocumentSearch, resolve};
use nexi_store::{
    DocumentIndex,
    documents::{NewDocument, NewPassage, Stamp},
};
use tokio_util::sync::CancellationToken;

/// Words of a passage, as many as passages of prose have.
const WORDS: usize = 100;
const PASSAGES: usize = 10;
/// Documents that are written at a time.
const BATCH: usize = 500;
/// Different words.
const VOCABULARY: usize = 200_000;
/// Milliseconds that a search may take.
const LIMIT: f64 = 150.0;

/// Numbers that are the same in every run, small ones as much more often than large ones as in a language.
struct Numbers {
    seed: u64,
    /// For each word, the share of all words up to it.
    up_to: Vec<f64>,
}

impl Numbers {
    fn new() -> Self {
        let mut sum = 0.0;
        let mut up_to: Vec<f64> = (0..VOCABULARY)
            .map(|place| {
                sum += 1.0 / (place as f64 + 2.7);
                sum
            })
            .collect();
        for share in &mut up_to {
            *share /= sum;
        }
        Self { seed: 5, up_to }
    }

    fn word(&mut self) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let share = (self.seed >> 11) as f64 / (1_u64 << 53) as f64;
        self.up_to.partition_point(|known| *known < share).min(VOCABULARY - 1)
    }

    fn passage(&mut self) -> NewPassage {
        let mut body = String::new();
        for at in 0..WORDS {
            let _ = write!(body, "w{}a{}", self.word(), if at % 12 == 11 { ". " } else { " " });
        }
        NewPassage { heading: String::new(), body, extra: String::new(), place: PassagePlace { from: 1, to: 1, place: None } }
    }
}

#[tokio::main]
async fn main() {
    let wanted = std::env::var("NEXI_BENCH_MB").ok().and_then(|size| size.parse::<usize>().ok()).unwrap_or(1000) * 1_000_000;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs).expect("a folder");
    let index = Arc::new(DocumentIndex::open(&folder.path().join("d.db")).expect("an index"));
    let mut numbers = Numbers::new();
    let (mut bytes, mut passages) = (0, 0);
    let stamp = Stamp { modified_ns: 0, size: 0, hash: 0, reference: 0, recognised: 0 };
    while bytes < wanted {
        let batch: Vec<NewDocument> = (0..BATCH)
            .map(|at| NewDocument {
                path: docs.join(format!("{}.md", passages + at)).display().to_string(),
                stamp,
                title: String::new(),
                date: None,
                passages: (0..PASSAGES).map(|_| numbers.passage()).collect(),
                scanned: Vec::new(),
                partly: None,
                skipped: None,
            })
            .collect();
        bytes += batch.iter().flat_map(|document| &document.passages).map(|passage| passage.body.len()).sum::<usize>();
        passages += BATCH * PASSAGES;
        index.put(&batch).expect("documents");
    }
    println!("words in {:.0} MB of text, {passages} passages:", bytes as f64 / 1e6);
    let search = DocumentSearch::new(index, &resolve(&[docs]));
    for (name, query) in [
        ("four common words", "w10a w20a w50a w100a"),
        ("four very common words", "w5a w8a w10a w12a"),
        ("one common word", "w20a"),
        ("three common words and a rare one", "w10a w20a w50a w20000a"),
    ] {
        let mut times = Vec::new();
        for _ in 0..11 {
            let begun = Instant::now();
            let found = search.search(&Query::new(query), &CancellationToken::new()).await.expect("passages");
            times.push(begun.elapsed().as_secs_f64() * 1000.0);
            assert!(!found.is_empty(), "{query}");
        }
        times.sort_by(f64::total_cmp);
        println!("  {name:<36} {:6.0} ms, {:.2} of {LIMIT} (goal 1.00)", times[5], times[5] / LIMIT);
    }
}
