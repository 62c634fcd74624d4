//! Reading pages: quality and speed beside the best extractor of Python on the same pages, memory,
//! ranking, the cache. Printed as ratios.

use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use nexi_core::ports::{CachedPage, Hit, Page, PageCache, Validators};
use nexi_core::rank::fuse::fuse;
use nexi_core::text::fold_space;
use nexi_store::CachedPages;
use nexi_web::page::understand;
use nexi_web::read::decode;
use serde::Deserialize;
use url::Url;

#[derive(Deserialize)]
struct Truth {
    html: String,
    url: String,
    with: Vec<String>,
    without: Vec<String>,
}

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "../shared/data/pages-dev".into());
    let folder = Path::new(&folder);
    match std::fs::read_to_string(folder.join("truth.json")) {
        Ok(truth) => corpus(folder, &serde_json::from_str::<Vec<Truth>>(&truth).expect("the corpus is valid")),
        Err(_) => println!("SKIPPED: {} is not there", folder.display()),
    }
    ranking();
    cache();
}

fn plain(text: &str) -> String {
    fold_space(&text.replace(['*', '_', '`', '#', '>', '|', '\\', '[', ']'], ""))
}

fn corpus(folder: &Path, truth: &[Truth]) {
    let pages: Vec<(Url, Vec<u8>)> = truth
        .iter()
        .map(|page| {
            let mut bytes = Vec::new();
            let file = std::fs::File::open(folder.join("html").join(&page.html)).expect("a page");
            flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).expect("an unpacked page");
            (page.url.parse().expect("an address"), bytes)
        })
        .collect();
    let megabytes = pages.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() as f64 / 1e6;
    let read = |(url, bytes): &(Url, Vec<u8>)| understand(&decode(bytes, ""), Some(url)).text;
    let mut best = Duration::MAX;
    let mut texts = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        texts = pages.iter().map(read).collect();
        best = best.min(began.elapsed());
    }
    let speed = pages.len() as f64 / best.as_secs_f64();
    let (mut found, mut missed, mut leaked, mut kept) = (0.0, 0.0, 0.0, 0.0);
    for (page, text) in truth.iter().zip(&texts) {
        let text = plain(text);
        for sentence in &page.with {
            *(if text.contains(&plain(sentence)) { &mut found } else { &mut missed }) += 1.0;
        }
        for sentence in &page.without {
            *(if text.contains(&plain(sentence)) { &mut leaked } else { &mut kept }) += 1.0;
        }
    }
    let (recall, precision) = (found / (found + missed), found / (found + leaked));
    let f1 = 2.0 * precision * recall / (precision + recall);
    println!(
        "{} pages: {speed:.0} pages/s, {:.0} MB/s on one core; recall {recall:.3}, leak {:.3}, F1 {f1:.4}",
        pages.len(),
        megabytes / best.as_secs_f64(),
        leaked / (leaked + kept)
    );
    match peer(folder) {
        Some([peer_speed, peer_recall, peer_leak, peer_f1]) => println!(
            "beside Python trafilatura ({peer_speed:.0} pages/s, recall {peer_recall:.3}, leak {peer_leak:.3}, F1 {peer_f1:.4}): {:.1} times the speed (wanted: 4), F1 {:+.4} (wanted: 0)",
            speed / peer_speed,
            f1 - peer_f1
        ),
        None => println!("SKIPPED: the peer; NEXI_BENCH_PYTHON names no Python with trafilatura"),
    }
    let before = peak();
    let mut largest: Vec<&(Url, Vec<u8>)> = pages.iter().collect();
    largest.sort_by_key(|(_, bytes)| std::cmp::Reverse(bytes.len()));
    std::thread::scope(|scope| {
        for page in largest.iter().take(8) {
            scope.spawn(move || read(page).len());
        }
    });
    let bytes: usize = largest.iter().take(8).map(|(_, bytes)| bytes.len()).sum();
    println!("the 8 largest pages ({:.1} MB) in parallel: {} MB more (limit: 150 MB)", bytes as f64 / 1e6, (peak() - before) / 1024);
}

/// Pages a second, recall, leak and F1 of the peer.
fn peer(folder: &Path) -> Option<[f64; 4]> {
    let python = std::env::var("NEXI_BENCH_PYTHON").ok().filter(|python| !python.is_empty())?;
    let output = Command::new(python).arg("tests/bench/peer.py").arg(folder).output().ok()?;
    let numbers: Vec<f64> = String::from_utf8_lossy(&output.stdout).split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().ok()
}

/// The most memory this process has had, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
}

/// Ten lists of twenty results, a third of which are the same pages.
fn ranking() {
    let lists: Vec<Vec<Hit>> = (0..10)
        .map(|list| {
            (0..20)
                .map(|rank| {
                    let page = if rank % 3 == 0 { rank } else { list * 20 + rank };
                    Hit {
                        title: format!("Lighthouses of the northern coast, part {page}"),
                        url: format!("https://www.site{}.example/lighthouses/{page}?utm_source=x", page % 17),
                        snippet: format!("The lighthouse number {page} was lit in {} and stands on a rock of the northern coast, in sight of the harbour.", 1800 + page),
                        date: None,
                        ..Hit::default()
                    }
                })
                .collect()
        })
        .collect();
    let slices: Vec<&[Hit]> = lists.iter().map(Vec::as_slice).collect();
    let began = Instant::now();
    let rounds: u32 = 50;
    let merged = (0..rounds).map(|_| fuse(&slices, &[], &["site3.example".into()]).len()).sum::<usize>() / rounds as usize;
    let each = began.elapsed() / rounds;
    println!(
        "merging 200 results into {merged}: {:.2} ms ({:.2} of a 10 ms limit)",
        each.as_secs_f64() * 1e3,
        each.as_secs_f64() * 1e3 / 10.0
    );
}

fn cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = CachedPages::open(&folder.path().join("pages.db"), 200).expect("a cache");
    let text = "The harbour is quiet in the evening, and the boats that went out in the morning are home again. ".repeat(400);
    let page = Page { url: "https://e.org/".into(), title: "T".into(), text, ..Page::default() };
    let kept = CachedPage { page, fetched_ms: 1, fresh_until_ms: 2, validators: Validators::default() };
    for number in 0..200 {
        pages.put(&number.to_string(), &kept);
    }
    let began = Instant::now();
    let hits = (0..200).filter(|number| pages.get(&number.to_string()).is_some()).count();
    let each = began.elapsed().as_secs_f64() * 1e3 / hits as f64;
    println!("a page of 40 kB out of the cache: {each:.2} ms ({:.2} of a 5 ms limit)", each / 5.0);
}
