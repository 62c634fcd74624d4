//! Documents of all kinds: found, quoted, cited at their place; and those that are there to do harm.

use std::path::{Path, PathBuf};
use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted};
use serde_json::{Value, json};

use crate::figure::figure;
use crate::support::{KEY, Place, index_alone, json as parsed, stderr, stdout};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/documents")
}

pub fn settings(folder: &Path) -> String {
    format!("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [{:?}]\n", folder.to_str().unwrap())
}

/// The place of a passage as people read it.
fn place_of(passage: &Value) -> String {
    match (&passage["place"], &passage["page"], &passage["start_line"]) {
        (Value::String(place), _, _) => place.clone(),
        (_, Value::Number(page), _) => format!("p. {page}"),
        (_, _, Value::Number(line)) => format!("line {line}"),
        _ => String::new(),
    }
}

/// The name of a file, by its path or address.
pub fn name_of(url: &Value) -> String {
    let text = url.as_str().unwrap_or_default();
    let path = text.strip_prefix("file://").and_then(|_| url::Url::parse(text).ok()?.to_file_path().ok());
    let name = path.as_deref().unwrap_or(Path::new(text)).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// How many questions found their document, quoted its answer, and cited it at its place.
#[derive(Default)]
struct Score {
    asked: usize,
    found: usize,
    quoted: usize,
    placed: usize,
    /// Questions whose place is known and whose answer was quoted.
    with_place: usize,
}

impl Score {
    /// Asks a question. Only what was `looked` at is told about, so that nobody mends what the rest is judged by.
    fn add(&mut self, place: &Place, item: &Value, looked: bool) {
        let (question, answer) = (item["question"].as_str().unwrap(), item["answer"].as_str().unwrap());
        let is_of = |url: &Value| item["files"].as_array().unwrap().iter().any(|file| *file == name_of(url));
        // Tables break no lines where print does.
        let holds = |text: &Value| text.as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ").contains(answer);
        let searched = parsed(&place.run(&["search", question, "--json"]));
        let hits = searched["searches"][0]["results"].as_array().unwrap();
        let is_found = hits.iter().any(|hit| is_of(&hit["url"]) && holds(&hit["description"]));
        let report = parsed(&place.run(&["ask", question, "--json"]));
        let sources = report["sources"].as_array().unwrap().iter().filter(|source| is_of(&source["url"]));
        let passages: Vec<Value> = sources.flat_map(|source| source["passages"].as_array().unwrap().clone()).collect();
        let holding: Vec<&Value> = passages.iter().filter(|passage| holds(&passage["quote"])).collect();
        let is_placed = item["place"].as_str().is_some_and(|wanted| holding.iter().any(|passage| place_of(passage) == wanted));
        self.asked += 1;
        self.found += usize::from(is_found);
        self.quoted += usize::from(!holding.is_empty());
        self.placed += usize::from(is_placed);
        self.with_place += usize::from(item["place"].is_string() && !holding.is_empty());
        let is_right = is_found && !holding.is_empty() && (is_placed || !item["place"].is_string());
        if looked && !is_right {
            println!("{question} {} found {is_found}, {:?}", item["files"], passages.iter().map(place_of).collect::<Vec<_>>());
        }
    }

    fn print(&self, name: &str) {
        let Self { asked, found, quoted, placed, with_place } = self;
        figure(&format!(
            "documents, {name}: {asked} questions, found at 10 {found}, quoted {quoted}, at the right place {placed} of {with_place}"
        ));
    }
}

/// Lines of JSON.
fn questions(name: &str) -> Vec<Value> {
    std::fs::read_to_string(folder().join(name)).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn documents_of_every_kind_are_found_and_cited_at_their_place() {
    let place = Place::new(&settings(&folder().join("files").canonicalize().unwrap()));
    let mut score = Score::default();
    questions("questions.jsonl").iter().for_each(|item| score.add(&place, item, true));
    score.print("29 files of a harbour");
    let Score { asked, found, quoted, placed, with_place } = score;
    assert!(found * 100 >= asked * 90, "found at 10: {found} of {asked}");
    assert!(quoted * 100 >= asked * 90, "quoted: {quoted} of {asked}");
    assert!(placed * 100 >= with_place * 95, "at the right place: {placed} of {with_place}");
}

/// The simplest thing there is: how many questions find a passage with their answer among the first ten that SQLite's index
/// lists for their words.
fn found_by_index_alone(place: &Place, items: &[&Value]) -> usize {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_found = |item: &&&Value| {
        index_alone(place, item["question"].as_str().unwrap(), 10).into_iter().any(|(path, body)| {
            let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy().into_owned();
            item["files"].as_array().unwrap().iter().any(|file| *file == name) && folded(&body).contains(item["answer"].as_str().unwrap())
        })
    };
    items.iter().filter(is_found).count()
}

/// Has the scans of a place read, where that can be done here.
fn reads_scans(place: &Place) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |program: &str| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    if !is_there("tesseract") || !is_there("pdftoppm") {
        println!("SKIPPED: questions about scans; Tesseract and Poppler are not installed");
        return false;
    }
    let read = place.run(&["docs", "ocr"]);
    assert!(read.status.success(), "{}", stderr(&read));
    true
}

#[test]
fn scans_are_read_anew_when_they_change_and_a_list_of_files_is_no_picture() {
    let place = Place::new("");
    let docs = place.path("docs");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::write(place.path("config.toml"), settings(&docs)).unwrap();
    // What Tesseract would take for a list of pictures to be read.
    let secret = place.path("secret.png");
    std::fs::copy(folder().join("museum/Screenshot 2024-05-13.png"), &secret).unwrap();
    std::fs::write(docs.join("harmless.png"), format!("{}\n", secret.display())).unwrap();
    std::fs::copy(folder().join("museum/scan-loxley-letters-1931.pdf"), docs.join("letters.pdf")).unwrap();
    if !reads_scans(&place) {
        return;
    }
    let found = |question: &str| parsed(&place.run(&["search", question, "--json"]))["searches"][0]["results"].to_string();
    assert!(found("nephew barometer").contains("letters.pdf"));
    assert!(!found("dehumidifier Abernathy").contains("harmless.png"));
    let status = crate::support::stdout(&place.run(&["docs", "status"]));
    assert!(status.contains("harmless.png: its text could not be recognized"), "{status}");
    // Moved, it is known; as another document, it is read again.
    std::fs::rename(docs.join("letters.pdf"), docs.join("moved.pdf")).unwrap();
    assert!(found("nephew barometer").contains("moved.pdf"));
    std::fs::copy(folder().join("files/manual.pdf"), docs.join("moved.pdf")).unwrap();
    assert!(!found("nephew barometer").contains("moved.pdf") && found("emergency stop brake").contains("moved.pdf"));
    // In another language what is known stays until it is read.
    std::fs::copy(folder().join("museum/scan-loxley-letters-1931.pdf"), docs.join("letters.pdf")).unwrap();
    assert!(place.run(&["docs", "ocr"]).status.success());
    let config = std::fs::read_to_string(place.path("config.toml")).unwrap();
    std::fs::write(place.path("config.toml"), config.replace("\"eng\"", "\"deu\"")).unwrap();
    assert!(found("nephew barometer").contains("letters.pdf"));
    // Turned off, nothing of it is found.
    assert!(place.run(&["config", "set", "ocr.enabled", "false"]).status.success());
    assert!(!found("nephew barometer").contains("letters.pdf"));
}

/// Endings of files whose text has to be recognised.
fn is_scanned(item: &Value) -> bool {
    let name = item["files"][0].as_str().unwrap();
    name.starts_with("scan-") || name.ends_with(".png") || name.ends_with(".jpg")
}

/// The files and questions of a museum were written by somebody who did not know the rules; the second half was not
/// looked at while mistakes of the first were mended.
#[test]
fn documents_and_questions_of_somebody_else_are_found_and_cited() {
    let place = Place::new(&settings(&folder().join("museum").canonicalize().unwrap()));
    let has_tesseract = reads_scans(&place);
    let all: Vec<Value> = questions("museum-questions.jsonl").into_iter().filter(|item| has_tesseract || !is_scanned(item)).collect();
    let mut halves = [Score::default(), Score::default()];
    for (index, item) in all.iter().enumerate() {
        halves[index % 2].add(&place, item, index % 2 == 0);
    }
    halves[0].print("48 files of a museum, looked at");
    halves[1].print("48 files of a museum, not looked at");
    let unseen: Vec<&Value> = all.iter().skip(1).step_by(2).collect();
    println!("  the index's own order of the same passages: found at 10 {} of {}", found_by_index_alone(&place, &unseen), unseen.len());
    let Score { asked, found, quoted, placed, with_place } = &halves[1];
    assert!(found * 100 >= asked * 90, "found at 10: {found} of {asked}");
    assert!(quoted * 100 >= asked * 80, "quoted: {quoted} of {asked}");
    assert!(placed * 100 >= with_place * 95, "at the right place: {placed} of {with_place}");
}

/// `NEXI_MINILM` is the folder of the weights of all-MiniLM-L6-v2; `tests/conformance/embedding.sh` sets it.
#[test]
fn with_vectors_documents_are_found_by_meaning_too() {
    let Some(model) = std::env::var_os("NEXI_MINILM") else {
        println!("SKIPPED: documents by meaning; NEXI_MINILM names no model");
        return;
    };
    for (name, files, all) in [("harbour", "files", "questions.jsonl"), ("museum", "museum", "museum-questions.jsonl")] {
        let place = Place::new(&format!(
            "{}[embeddings]\nmodel = \"local/{}\"\non_battery = true\n",
            settings(&folder().join(files).canonicalize().unwrap()),
            Path::new(&model).display()
        ));
        let has_tesseract = reads_scans(&place);
        let embedded = place.run(&["docs", "embed"]);
        assert!(embedded.status.success(), "{}", stderr(&embedded));
        let mut score = Score::default();
        questions(all).iter().filter(|item| has_tesseract || !is_scanned(item)).for_each(|item| score.add(&place, item, false));
        score.print(&format!("{name}, by words and meaning"));
        assert!(score.found * 100 >= score.asked * 95, "found at 10: {} of {}", score.found, score.asked);
    }
}

#[test]
fn a_single_file_can_be_asked_and_read() {
    let place = Place::new("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n");
    let (lease, fees) = (folder().join("files/lease.rtf"), folder().join("files/fees.docx"));
    let report = parsed(&place.run(&["ask", "How high is the annual rent?", "--docs", lease.to_str().unwrap(), "--json"]));
    assert!(report["answer"].as_str().unwrap().contains("18,400 euros"), "{report}");
    let other = parsed(&place.run(&["ask", "What does a visiting yacht pay a night?", "--docs", lease.to_str().unwrap(), "--json"]));
    assert!(!other["answer"].as_str().unwrap().contains("32 euros"), "what lies beside it is not searched: {other}");
    let text = crate::support::stdout(&place.run(&["read", fees.to_str().unwrap(), "--full"]));
    assert!(text.contains("| Inner basin | 910 euros |"), "{text}");
    // What others ask for by its address is read from the settings' folders alone.
    let url = format!("file://{}", lease.canonicalize().unwrap().display());
    let gone = place.run(&["read", &url, "--json"]);
    assert!(parsed(&gone)["pages"][0]["error"].as_str().unwrap().contains("folders"), "{}", parsed(&gone));
    let missing = place.run(&["ask", "x?", "--docs", "/no/such/file.pdf"]);
    assert!(stderr(&missing).contains("docs") && stderr(&missing).contains("not a folder or file"), "{}", stderr(&missing));
}

#[test]
fn a_search_names_the_places_of_all_passages_of_a_document() {
    let place = Place::new("");
    let docs = place.path("docs");
    std::fs::create_dir_all(&docs).unwrap();
    let filler = "The rest of the season was quiet, and nothing was noted about the weather or the boats. ".repeat(12);
    std::fs::write(docs.join("log.md"), format!("The crane was oiled in May.\n\n{filler}\n\n{filler}\n\nThe crane broke in June.\n"))
        .unwrap();
    std::fs::write(place.path("config.toml"), settings(&docs)).unwrap();
    let found = parsed(&place.run(&["search", "crane", "--json"]));
    let result = &found["searches"][0]["results"][0];
    let mut passages = vec![(result["place"].clone(), result["description"].clone())];
    passages.extend(result["more"].as_array().unwrap().iter().map(|more| (more["place"].clone(), more["description"].clone())));
    let place_of = |words: &str| passages.iter().find(|(_, text)| text.as_str().unwrap().contains(words)).map(|(place, _)| place.clone());
    assert_eq!((place_of("oiled"), place_of("broke")), (Some(json!("line 1")), Some(json!("line 7"))), "{found}");
    let shown = crate::support::stdout(&place.run(&["search", "crane"]));
    assert!(shown.contains("line 7: ") && shown.contains("line 1: "), "{shown}");
}

#[test]
fn what_a_bibliography_says_of_a_file_is_in_exports() {
    let place = Place::new("");
    let docs = place.path("docs");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::write(docs.join("scan-0041.txt"), "The Orvik lamp was lit with rapeseed oil until 1871.\n").unwrap();
    let entry = "@article{lee1998, title = {Lamps of the North}, author = {Lee, Ann and Sand, Bo}, year = 1998, doi = {10.5555/lamps.41}, file = {scan-0041.txt}}";
    std::fs::write(docs.join("library.bib"), entry).unwrap();
    std::fs::write(place.path("config.toml"), settings(&docs)).unwrap();
    let report = parsed(&place.run(&["ask", "With what was the Orvik lamp lit?", "--json"]));
    assert_eq!(report["sources"][0]["title"], "Lamps of the North", "{report}");
    let id = report["id"].as_str().unwrap();
    for (format, wanted) in [
        ("bibtex", ["title = {{Lamps of the North}}", "Lee, Ann", "10.5555/lamps.41"]),
        ("ris", ["TI  - Lamps of the North", "AU  - Lee, Ann", "DO  - 10.5555/lamps.41"]),
        ("csl-json", ["\"Lamps of the North\"", "\"Sand\"", "10.5555/lamps.41"]),
    ] {
        let shown = crate::support::stdout(&place.run(&["history", "export", id, "--format", format]));
        assert!(wanted.iter().all(|words| shown.contains(words)), "{format}: {shown}");
    }
}

#[test]
fn what_is_left_out_of_a_folder_is_counted_and_named() {
    let place = Place::new("");
    let docs = place.path("docs");
    std::fs::create_dir_all(docs.join(".cache")).unwrap();
    for (name, text) in
        [("a.md", "Harbour."), (".hidden.md", "x"), (".cache/b.md", "x"), ("c.txt", "x"), ("d.md", "x"), (".gitignore", "c.txt\n")]
    {
        std::fs::write(docs.join(name), text).unwrap();
    }
    let folder = docs.to_str().unwrap();
    std::fs::write(place.path("config.toml"), format!("{}[documents.exclude]\n{folder:?} = [\"D.*\"]\n", settings(&docs))).unwrap();
    let status = crate::support::stdout(&place.run(&["docs", "status"]));
    assert!(status.contains("1 file indexed") && status.contains("Left out: 3 hidden, 2 ignored by"), "{status}");
    let folders = parsed(&place.run(&["docs", "status", "--json"]));
    assert_eq!((&folders["folders"][0]["hidden"], &folders["folders"][0]["ignored"]), (&json!(3), &json!(2)));
}

#[test]
fn long_text_is_found_at_its_line_and_what_is_too_long_is_named() {
    let place = Place::new("");
    let docs = place.path("docs");
    std::fs::create_dir_all(&docs).unwrap();
    let half: String = (0..)
        .map(|round| format!("Round {round}: gauge {} read {} bar, valve {} closed.\n\n", round * 7 % 1000, round * 13 % 97, round % 4))
        .scan(0, |size, line| {
            *size += line.len();
            (*size < 10 * 1024 * 1024).then_some(line)
        })
        .collect();
    let lines = half.matches('\n').count();
    std::fs::write(docs.join("pump.log"), format!("{half}The spare impeller lies in locker 47.\n\n{half}")).unwrap();
    std::fs::write(place.path("config.toml"), settings(&docs)).unwrap();
    let report = parsed(&place.run(&["ask", "In which locker lies the spare impeller?", "--json"]));
    assert!(report["answer"].as_str().unwrap().contains("locker 47"), "{report}");
    let passages = report["sources"][0]["passages"].as_array().unwrap();
    let line = passages.iter().find(|passage| passage["quote"].as_str().unwrap().contains("locker 47")).unwrap();
    assert_eq!(line["start_line"], lines + 1, "{passages:?}");
    let status = crate::support::stdout(&place.run(&["docs", "status"]));
    assert!(
        status.contains("1 file read in part") && status.contains("pump.log: it is very long, and only its beginning was read"),
        "{status}"
    );
}

#[test]
fn the_day_of_a_file_is_not_the_day_of_what_it_says() {
    let place = Place::new("");
    let docs = place.path("docs");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::write(docs.join("gate.md"), "# Gate\n\nThe harbour gate is red.\n").unwrap();
    std::fs::copy(folder().join("files/fees.docx"), docs.join("fees.docx")).unwrap();
    std::fs::write(place.path("config.toml"), settings(&docs)).unwrap();
    let report = parsed(&place.run(&["ask", "What is the current colour of the harbour gate?", "--json"]));
    let source = &report["sources"][0];
    assert!(source["url"].as_str().unwrap().ends_with("gate.md") && source["date"].is_null(), "{source}");
    let shown = crate::support::stdout(&place.run(&["ask", "What is the current colour of the harbour gate?"]));
    assert!(shown.contains("red") && !shown.to_lowercase().contains("newest source"), "{shown}");
    // A document that tells the day it was written has that one.
    let report = parsed(&place.run(&["ask", "What does a visiting yacht pay a night?", "--json"]));
    assert_eq!(report["sources"][0]["date"], "2024-03-18", "{report}");
}

/// 15 June 2024, noon, in seconds.
const JUNE: u64 = 1_718_452_800;
const DAY: u64 = 86_400;

/// What the model is told about each of its searches.
async fn told(searches: serde_json::Value) -> String {
    let model = LlmServer::answering(KEY, Duration::ZERO, move |request| {
        let asked = request["messages"].to_string().contains("Query 1");
        match (request["tools"].as_array().map_or(0, Vec::len), asked) {
            (0, _) => Scripted::Text("There are notes."),
            (_, false) => Scripted::Calls(vec![("document_search", searches.clone())]),
            (_, true) => Scripted::Calls(vec![("final_answer", json!({"answer": "There are notes."}))]),
        }
    })
    .await;
    let place = Place::new(&format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [\"~/docs\"]\n\
         [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"test-model\"\napi_key_env = \"TEST_KEY\"\n",
        model.base_url
    ));
    std::fs::create_dir_all(place.path("docs/garden")).unwrap();
    for (name, text, day) in [
        ("garden/roses.md", "# Roses\n\nThe roses were cut.", JUNE),
        ("garden/tulips.md", "---\ndate: 1999-04-01\n---\n# Tulips\n\nThe tulips and roses came.", JUNE + 5 * DAY),
        ("budget.csv", "what,price\nroses,12\n", JUNE - 500 * DAY),
    ] {
        std::fs::write(place.path("docs").join(name), text).unwrap();
        let day = std::time::UNIX_EPOCH + Duration::from_secs(day);
        std::fs::File::options().write(true).open(place.path("docs").join(name)).unwrap().set_modified(day).unwrap();
    }
    place.run(&["ask", "Which notes are there about roses?", "--json"]);
    let requests = model.requests();
    let last = requests.last().unwrap()["messages"].as_array().unwrap().clone();
    let results: Vec<String> =
        last.iter().filter(|message| message["role"] == "tool").map(|message| message["content"].to_string()).collect();
    results.join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_chooses_documents_by_kind_path_and_day_and_lists_them() {
    let files = |text: &str| -> Vec<&'static str> {
        ["roses.md", "tulips.md", "budget.csv"].into_iter().filter(|name| text.contains(name)).collect()
    };
    let all = told(json!({"queries": ["roses"]})).await;
    assert_eq!(files(&all), ["roses.md", "tulips.md", "budget.csv"]);
    // It can go on to read what stands around them.
    for place in ["(lines 1-3) # Roses", "(lines 4-6) # Tulips", "(places 1-2, A1:B1)"] {
        assert!(all.contains(place), "{place} in {all}");
    }
    assert_eq!(files(&told(json!({"queries": ["roses"], "kind": "spreadsheet"})).await), ["budget.csv"]);
    assert_eq!(files(&told(json!({"queries": ["roses"], "path": "garden"})).await), ["roses.md", "tulips.md"]);
    // The day of the text counts before that of the file.
    assert_eq!(files(&told(json!({"queries": ["roses"], "after": "2024-06", "before": "2024-06"})).await), ["roses.md"]);
    assert_eq!(files(&told(json!({"queries": ["roses"], "max_results": 1})).await).len(), 1);
    let list = told(json!({"after": "2023"})).await;
    assert!(list.contains("all documents: after 2023") && list.contains("2024-06-15: "), "{list}");
    assert_eq!(files(&list), ["roses.md", "budget.csv"]);
    assert!(list.find("roses.md") < list.find("budget.csv"), "the newest first: {list}");
    let wrong = told(json!({"queries": ["roses"], "kind": "film"})).await;
    assert!(wrong.contains("The kinds are"), "{wrong}");
}

#[test]
fn an_index_that_is_newer_or_damaged_is_built_again() {
    let place = Place::new("search_backends = [\"documents\"]\n");
    let asks = || {
        let output = place.run(&["ask", "Where does Nexi keep my keys?", "--json", "--quiet"]);
        let report = parsed(&output);
        assert_eq!(report["state"], "answered", "{}", stderr(&output));
        assert!(report["answer"].as_str().unwrap().contains("keyring"), "{report}");
    };
    asks();
    let index = place.path("data/documents.db");
    let version = || rusqlite::Connection::open(&index).unwrap().query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0)).unwrap();
    let current = version();
    rusqlite::Connection::open(&index)
        .unwrap()
        .execute_batch("PRAGMA user_version = 999; DROP TABLE documents; CREATE TABLE documents (other)")
        .unwrap();
    asks();
    assert_eq!(version(), current);
    std::fs::write(&index, "no database at all, and long enough to be looked at as one").unwrap();
    asks();
    assert_eq!(version(), current);
    assert_eq!(parsed(&place.run(&["history", "--json"])).as_array().unwrap().len(), 3, "the library is another file");
}

#[test]
fn an_author_is_found_by_name_alone_and_a_given_file_that_cannot_be_read_is_named() {
    let place = Place::new("");
    let docs = place.path("docs");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::write(docs.join("lamps.txt"), "The lamps of the pier were lit in 1904.\n").unwrap();
    let bib = "@article{a, author = {Garc{\\'\\i}a M{\\'a}rquez, Jos{\\'e}}, title = {Lamps}, file = {lamps.txt}}\n";
    std::fs::write(docs.join("r.bib"), bib).unwrap();
    std::fs::write(docs.join("broken.docx"), "words").unwrap();
    std::fs::write(place.path("config.toml"), settings(&docs)).unwrap();
    for name in ["Garc\u{ed}a M\u{e1}rquez", "marquez"] {
        let found = stdout(&place.run(&["search", "-b", "documents", name]));
        assert!(found.contains("lamps.txt"), "{name}: {found}");
    }
    let output = place.run(&["ask", "What is in the file?", "--docs", docs.join("broken.docx").to_str().unwrap()]);
    assert!(stderr(&output).contains("broken.docx could not be read: it is damaged"), "{}", stderr(&output));
}
