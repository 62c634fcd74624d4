//! What a large folder costs: the first index beside reading and parsing alone, a second look that finds nothing new, and
//! memory. `NEXI_BENCH_FILES` is another number of files.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use nexi_core::rank;
use nexi_engine::documents::{Rules, read_file, resolve, sync};
use nexi_store::DocumentIndex;

const FILES: usize = 100_000;
/// Files of a folder.
const FOLDER: usize = 500;
/// Words of a passage, as the index has them.
const PASSAGE_WORDS: usize = 120;

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    /// A number below `end`; small ones are more frequent, as the common words of a language are.
    fn skewed(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let share = (self.0 >> 40) as f64 / 16_777_216.0;
        ((end as f64).powf(share) as usize).saturating_sub(1)
    }
}

/// A word that no other number has.
fn word(number: usize) -> String {
    const PARTS: [&str; 16] = ["ba", "ke", "li", "mo", "nu", "pra", "se", "ti", "vo", "ra", "do", "fi", "gu", "ha", "jo", "zen"];
    let (mut out, mut rest) = (String::new(), number + 16);
    while rest > 0 {
        out.push_str(PARTS[rest % 16]);
        rest /= 16;
    }
    out
}

fn write_files(root: &Path, files: usize) -> u64 {
    let mut numbers = Numbers(7);
    let mut bytes = 0;
    for file in 0..files {
        let folder = root.join(format!("{:03}", file / FOLDER));
        if file % FOLDER == 0 {
            std::fs::create_dir_all(&folder).expect("a folder");
        }
        let mut text = format!("# {} {}\n", word(numbers.skewed(30_000)), word(numbers.skewed(30_000)));
        for at in 0..150 {
            let separator = if at % 40 == 0 { "\n" } else { " " };
            let _ = write!(text, "{separator}{}{}", word(numbers.skewed(30_000)), if at % 12 == 11 { "." } else { "" });
        }
        bytes += text.len() as u64;
        std::fs::write(folder.join(format!("note-{file}.md")), text).expect("a file");
    }
    bytes
}

/// Reads and divides every file, with as many threads as the index has.
fn read_and_parse(paths: &[PathBuf]) -> usize {
    let (next, passages) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let workers = std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 4);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let file = read_file(path).expect("a document");
                    passages.fetch_add(rank::split(&file.text, PASSAGE_WORDS).len(), Ordering::Relaxed);
                }
            });
        }
    });
    passages.into_inner()
}

/// Seconds that a table of FTS5 takes for the same passages, with the same tokenizer and nothing around it: what is built on
/// one cannot be faster.
fn bare_table(paths: &[PathBuf], database: &Path) -> f64 {
    let mut connection = rusqlite::Connection::open(database).expect("a database");
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
             CREATE VIRTUAL TABLE words USING fts5 (body, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
             INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);",
        )
        .expect("a table");
    let mut seconds = 0.0;
    for some in paths.chunks(8000) {
        let passages: Vec<String> = some
            .iter()
            .flat_map(|path| {
                let text = read_file(path).expect("a document").text;
                rank::split(&text, PASSAGE_WORDS).into_iter().map(|span| text[span.range].to_owned()).collect::<Vec<_>>()
            })
            .collect();
        let begun = Instant::now();
        let transaction = connection.transaction().expect("a transaction");
        for body in &passages {
            transaction
                .prepare_cached("INSERT INTO words (body) VALUES (?1)")
                .and_then(|mut insert| insert.execute([body]))
                .expect("a row");
        }
        transaction.commit().expect("a batch");
        seconds += begun.elapsed().as_secs_f64();
    }
    seconds
}

/// The most memory since the last reset, in MB, as Linux counts it; 0 elsewhere.
fn peak_mb(reset: bool) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb: u64 = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default();
    if reset {
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }
    kb * 1024 / 1_000_000
}

/// Documents of all kinds, so many copies of the ones that are tested.
fn all_kinds(copies: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().join("docs");
    let mut paths = Vec::new();
    for copy in 0..copies {
        let below = root.join(copy.to_string());
        std::fs::create_dir_all(&below).expect("a folder");
        for source in ["tests/documents/files", "tests/documents/museum"] {
            for entry in std::fs::read_dir(source).expect("the documents that are tested").flatten() {
                let to = below.join(entry.file_name());
                std::fs::copy(entry.path(), &to).expect("a copy");
                paths.push(to);
            }
        }
    }
    let read = |paths: &[PathBuf]| {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(2, usize::from).clamp(1, 4) {
                scope.spawn(|| {
                    while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let _ = read_file(path).map(|file| rank::split(&file.text, PASSAGE_WORDS).len());
                    }
                });
            }
        });
    };
    read(&paths[..paths.len() / copies]);
    let begun = Instant::now();
    read(&paths);
    let reading = begun.elapsed().as_secs_f64();
    let index = Arc::new(DocumentIndex::open(&folder.path().join("d.db")).expect("an index"));
    let begun = Instant::now();
    sync(&index, &resolve(&[root]), &Rules::default(), &|_, _| {}).expect("an index");
    let indexing = begun.elapsed().as_secs_f64();
    println!(
        "{} documents of all kinds: read and parsed in {reading:.1} s, first index {indexing:.1} s: {:.2} of that (limit 1.3)",
        paths.len(),
        indexing / reading
    );
}

fn main() {
    // It is also the process that reads documents.
    nexi_engine::serve();
    all_kinds(10);
    let files = std::env::var("NEXI_BENCH_FILES").ok().and_then(|files| files.parse().ok()).unwrap_or(FILES);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().join("docs");
    let bytes = write_files(&root, files);
    let named =
        || -> Vec<PathBuf> { (0..files).map(|file| root.join(format!("{:03}", file / FOLDER)).join(format!("note-{file}.md"))).collect() };
    let paths = named();
    // Once without a clock, so that all of them find the files in the system's cache.
    let passages = read_and_parse(&paths);
    let begun = Instant::now();
    read_and_parse(&paths);
    let reading = begun.elapsed().as_secs_f64();
    println!("{files} files, {passages} passages, {} MB: read and parsed in {reading:.1} s", bytes / 1_000_000);
    drop(paths);
    let begun = Instant::now();
    match Command::new("rg").args(["--count-matches", "--no-ignore", "zenzenzen"]).arg(&root).output() {
        Ok(_) => println!("  ripgrep reads the same tree in {:.1} s", begun.elapsed().as_secs_f64()),
        Err(_) => println!("  SKIPPED: ripgrep is not installed"),
    }
    let database = folder.path().join("d.db");
    let index = Arc::new(DocumentIndex::open(&database).expect("an index"));
    let roots = resolve(std::slice::from_ref(&root));
    let before = peak_mb(true);
    let begun = Instant::now();
    sync(&index, &roots, &Rules::default(), &|_, _| {}).expect("an index");
    let indexing = begun.elapsed().as_secs_f64();
    let size = std::fs::metadata(&database).map_or(0, |metadata| metadata.len());
    println!(
        "  first index {indexing:.1} s: {:.2} of reading and parsing (limit 1.3); {} MB, {:.2} of the text; {} MB of memory at most (limit 100, {before} before)",
        indexing / reading,
        size / 1_000_000,
        size as f64 / bytes as f64,
        peak_mb(true),
    );
    let begun = Instant::now();
    let again = sync(&index, &roots, &Rules::default(), &|_, _| {}).expect("an index");
    let looking = begun.elapsed().as_secs_f64();
    let peak = peak_mb(true);
    assert_eq!((again.indexed, again.removed), (0, 0));
    let bare = bare_table(&named(), &folder.path().join("bare.db"));
    println!(
        "  a bare table of FTS5 for the same passages {bare:.1} s: {:.2} of reading and parsing; ours takes {:.2} of it",
        bare / reading,
        indexing / bare
    );
    println!("  a second look with nothing new {looking:.2} s ({:.2} of a 0.5 s limit), {} MB of memory at most", looking / 0.5, peak);
}
