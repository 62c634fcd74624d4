//! Real documents and real questions, where they are there.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Place, json as parsed};

/// Words that all quotes together may have.
const MAX_WORDS: usize = 120;

pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is not there", path.display());
    None
}

/// The questions of a corpus, with their accepted answers and the page that holds them.
pub fn questions_of(corpus: &Path) -> Vec<Value> {
    serde_json::from_str(&std::fs::read_to_string(corpus.join("questions.json")).unwrap()).unwrap()
}

fn quotes(report: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    list(&report["sources"])
        .iter()
        .flat_map(|source| list(&source["passages"]))
        .filter_map(|passage| passage["quote"].as_str().map(str::to_owned))
        .collect()
}

/// Lower case, letters and digits only, without articles.
fn normal(text: &str) -> String {
    let plain: String = text.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the")).collect();
    format!(" {} ", words.join(" "))
}

#[test]
fn real_questions_are_answered_inside_a_quoted_passage() {
    let Some(folder) = shared("nq-dev") else { return };
    let questions = questions_of(&folder);
    let place = Place::new("search_backends = [\"documents\"]");
    let docs = folder.join("pages");
    let mut answered = 0;
    let mut words = 0;
    for item in &questions {
        let output = place.run(&["ask", item["question"].as_str().unwrap(), "--docs", docs.to_str().unwrap(), "--json"]);
        let quotes = quotes(&parsed(&output));
        let quoted: usize = quotes.iter().map(|quote| quote.split_whitespace().count()).sum();
        assert!(quoted <= MAX_WORDS, "{quoted} words quoted for {item}");
        words += quoted;
        let texts: Vec<String> = quotes.iter().map(|quote| normal(quote)).collect();
        let accepted = item["answers"].as_array().unwrap().iter().filter_map(Value::as_str).map(normal);
        answered += usize::from(accepted.into_iter().any(|answer| texts.iter().any(|text| text.contains(&answer))));
    }
    let share = answered as f64 / questions.len() as f64;
    println!(
        "answered inside a quoted passage: {answered} of {} ({:.1}%), {} words quoted on average",
        questions.len(),
        share * 100.0,
        words / questions.len()
    );
    assert!(share >= 0.8, "only {:.1}% were answered", share * 100.0);
}

/// Whether a report says that it holds no answer, or only doubts one.
fn is_doubtful(report: &Value) -> bool {
    let answer = report["answer"].as_str().unwrap();
    report["state"] == "nothing_found" || answer.starts_with("No source answers the whole question")
}

/// Passages that are joined into one page.
const JOINED: usize = 10;

/// The pages of a corpus joined by tens, each in a folder of its own below `into`; for each of the corpus's files the
/// folder that holds it.
fn joined_pages(pages: &Path, into: &Path) -> std::collections::BTreeMap<String, PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(pages).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut out = std::collections::BTreeMap::new();
    for (index, group) in files.chunks(JOINED).enumerate() {
        let folder = into.join(format!("{index:04}"));
        std::fs::create_dir_all(&folder).unwrap();
        let title = std::fs::read_to_string(&group[0]).unwrap().split("<h1>").nth(1).unwrap().split("</h1>").next().unwrap().to_owned();
        let mut page = format!("<!doctype html><html lang=en><head><title>{title}</title></head><body><main>\n");
        for file in group {
            let html = std::fs::read_to_string(file).unwrap();
            let main = html.split("<main>").nth(1).unwrap().split("</main>").next().unwrap();
            page.push_str(&main.replace("<h1>", "<h2>").replace("</h1>", "</h2>"));
            out.insert(file.file_name().unwrap().to_string_lossy().into_owned(), folder.clone());
        }
        page.push_str("</main></body></html>\n");
        std::fs::write(folder.join("page.html"), page).unwrap();
    }
    out
}

#[test]
fn pages_of_ten_passages_are_answered_first_and_missing_answers_are_said_to_be_missing() {
    let Some(corpus) = shared("nq-dev") else { return };
    let questions = questions_of(&corpus);
    let place = Place::new("search_backends = [\"documents\"]");
    let scratch = tempfile::tempdir().unwrap();
    let folders = joined_pages(&corpus.join("pages"), scratch.path());
    let (mut first, mut any, mut hedged, mut said_missing) = (0, 0, 0, 0);
    // Every third one: each is asked twice, in a process of its own.
    let asked: Vec<&Value> = questions.iter().step_by(3).collect();
    for item in &asked {
        let question = item["question"].as_str().unwrap();
        let report = parsed(&place.run(&["ask", question, "--docs", scratch.path().to_str().unwrap(), "--json"]));
        let answers: Vec<String> = item["answers"].as_array().unwrap().iter().filter_map(Value::as_str).map(normal).collect();
        let holds = |text: &str| answers.iter().any(|answer| normal(text).contains(answer));
        let answer = report["answer"].as_str().unwrap();
        assert!(answer.split_whitespace().count() <= MAX_WORDS + 20, "{answer}");
        first += usize::from(holds(answer.split("Also in the sources:").next().unwrap()));
        any += usize::from(holds(answer));
        hedged += usize::from(is_doubtful(&report));
        // The same without the page that holds the answer.
        let gone = &folders[item["page"].as_str().unwrap()];
        let page = std::fs::read(gone.join("page.html")).unwrap();
        std::fs::remove_file(gone.join("page.html")).unwrap();
        let report = parsed(&place.run(&["ask", question, "--docs", scratch.path().to_str().unwrap(), "--json"]));
        said_missing += usize::from(is_doubtful(&report));
        std::fs::write(gone.join("page.html"), page).unwrap();
    }
    let share = |count: usize| 100.0 * count as f64 / asked.len() as f64;
    println!(
        "ten passages to a page: answered in the first quotation {:.1} %, in any {:.1} %, hedged {:.1} %; without the page, said to be missing {:.1} %",
        share(first),
        share(any),
        share(hedged),
        share(said_missing)
    );
    assert!(share(first) >= 78.0 && share(any) >= 82.0 && share(hedged) <= 20.0 && share(said_missing) >= 72.0);
}

#[test]
fn answers_whose_page_is_taken_away_are_said_to_be_missing() {
    let Some(corpus) = shared("nq-dev") else { return };
    let questions = questions_of(&corpus);
    let place = Place::new("search_backends = [\"documents\"]");
    let scratch = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(corpus.join("pages")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, scratch.path().join(path.file_name().unwrap())).unwrap();
    }
    let asked: Vec<&Value> = questions.iter().step_by(3).collect();
    let ask = |item: &Value| {
        let question = item["question"].as_str().unwrap();
        is_doubtful(&parsed(&place.run(&["ask", question, "--docs", scratch.path().to_str().unwrap(), "--json"])))
    };
    let (mut hedged, mut said_missing) = (0, 0);
    for item in &asked {
        hedged += usize::from(ask(item));
        let page = scratch.path().join(item["page"].as_str().unwrap());
        let aside = scratch.path().join(".aside");
        std::fs::rename(&page, &aside).unwrap();
        said_missing += usize::from(ask(item));
        std::fs::rename(&aside, &page).unwrap();
    }
    let share = |count: usize| 100.0 * count as f64 / asked.len() as f64;
    println!("one passage to a page: hedged {:.1} %; without the page, said to be missing {:.1} %", share(hedged), share(said_missing));
    assert!(share(hedged) <= 20.0 && share(said_missing) >= 70.0);
}

/// The folder, after installing the package that holds it where it is missing.
fn installed(package: &str, folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(folder);
    if !path.exists() {
        for args in [
            &["install", "-y", "--no-install-recommends", package][..],
            &["update"][..],
            &["install", "-y", "--no-install-recommends", package][..],
        ] {
            let _ = Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").output();
            if path.exists() {
                break;
            }
        }
    }
    if !path.exists() {
        eprintln!("SKIPPED: the package {package} is not installed and cannot be");
    }
    path.exists().then_some(path)
}

/// Asks, and checks that the lines of quotes are lines of the file; how many questions have a quote that holds the wanted
/// words.
fn ask_manuals(folder: &Path, questions: &[(&str, &str)]) -> usize {
    let place = Place::new("search_backends = [\"documents\"]");
    let mut answered = 0;
    for (question, wanted) in questions {
        let report = parsed(&place.run(&["ask", question, "--docs", folder.to_str().unwrap(), "--json"]));
        let quotes = quotes(&report);
        let is_answered = quotes.iter().any(|quote| quote.contains(wanted));
        answered += usize::from(is_answered);
        if !is_answered {
            println!("{question}: {quotes:#?}");
        }
        for source in report["sources"].as_array().unwrap().iter().filter(|source| source["cited"] == true) {
            let path = source["url"].as_str().unwrap().strip_prefix("file://").unwrap();
            let lines = std::fs::read_to_string(path).unwrap().lines().count() as u64;
            for passage in source["passages"].as_array().unwrap() {
                let (start, end) = (passage["start_line"].as_u64().unwrap(), passage["end_line"].as_u64().unwrap());
                assert!(1 <= start && start <= end && end <= lines, "{path}: {passage}");
            }
        }
    }
    println!("{}: {answered} of {} questions answered in a quote", folder.display(), questions.len());
    answered
}

#[test]
fn the_policy_of_debian_can_be_asked() {
    let Some(folder) = installed("debian-policy", "/usr/share/doc/debian-policy/policy.html") else { return };
    let answered = ask_manuals(
        &folder,
        &[
            ("Which directory must not contain files of Debian packages, because it belongs to the local administrator?", "/usr/local"),
            ("What does the postinst script get called with after a package is configured?", "configure"),
            ("Which field says that a package cannot be installed together with another one?", "Conflicts"),
            ("In which file must the copyright information of a package be?", "copyright"),
            ("What must a watch file be called?", "watch"),
        ],
    );
    assert!(answered >= 4);
}

#[test]
fn five_hundred_pages_of_python_can_be_asked() {
    let Some(folder) = installed("python3-doc", "/usr/share/doc/python3.11/html") else { return };
    let answered = ask_manuals(
        &folder,
        &[
            ("What exception is raised when a dictionary key is not found?", "dictionary) key is not found"),
            ("Which function returns the absolute value of a number?", "absolute value of a number"),
            ("How do I sort a list by a key function?", "key"),
            ("Which module parses command line arguments?", "argparse"),
        ],
    );
    assert_eq!(answered, 4);
}
