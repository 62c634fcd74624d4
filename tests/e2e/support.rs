//! A place for one test: its own data folder, settings and home.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nexi_engine::core::ids::{ThreadId, TurnId};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use tempfile::TempDir;

pub struct Place {
    root: PathBuf,
    _folder: TempDir,
}

impl Place {
    /// With this text in the settings file.
    pub fn new(settings: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("config.toml"), checked_here(settings)).expect("settings are written");
        // Temporary folders are behind a link on some systems.
        let root = folder.path().canonicalize().expect("the folder is there");
        Self { root, _folder: folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// A server for other programs that has the library open: it has answered its first message.
    pub fn server(&self) -> Child {
        let mut server = self.nexi(&["mcp"]).stdin(Stdio::piped()).spawn().expect("nexi runs");
        greet(&mut server);
        server
    }

    /// The program with this place's files and nothing of the machine's own environment.
    pub fn nexi(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nexi"));
        command
            .args(args)
            .arg("--config")
            .arg(self.path("config.toml"))
            .arg("--data-dir")
            .arg(self.path("data"))
            .env_clear()
            .env("HOME", &self.root)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("TEST_KEY", KEY)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.nexi(args).output().expect("nexi runs")
    }

    /// The same where keys are in a file that a passphrase opens, with this on standard input.
    pub fn run_with_keys(&self, args: &[&str], input: &str) -> Output {
        let passphrase = self.path("passphrase");
        if !passphrase.exists() {
            std::fs::write(&passphrase, "correct horse battery").unwrap();
            #[cfg(unix)]
            std::fs::set_permissions(&passphrase, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        }
        let mut child = self.nexi(args).env("NEXI_KEYS_PASSPHRASE_FILE", passphrase).stdin(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), input.as_bytes()).unwrap();
        drop(child.stdin.take());
        child.wait_with_output().unwrap()
    }
}

/// A key that must never be seen again.
pub const KEY: &str = "canary-5f2c9e7b41";

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {} {}", stdout(output), stderr(output)))
}

/// Settings with a loopback model, a loopback SearXNG and a trusted loopback site.
pub fn web_settings(model: &str, searx: &str, host: &str, more: &str) -> String {
    format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"searx\"]\n{more}\n[network]\nallowed_private_hosts = [\"{host}\"]\n\
         [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{model}\"\nmodel = \"test-model\"\napi_key_env = \"TEST_KEY\"\n\
         [providers.searx]\ntype = \"searxng\"\nbase_url = \"{searx}\"\n"
    )
}

/// Every file below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { out.extend(files(&path)) } else { out.push(path) }
    }
    out
}

/// Settings with one model of this kind; `address` is its base URL.
pub fn model_settings(kind: &str, address: &str, searx: &str, host: &str, more: &str, provider: &str) -> String {
    format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"searx\"]\n{more}\n[network]\nallowed_private_hosts = [\"{host}\"]\n\
         [providers.work]\ntype = \"{kind}\"\nbase_url = \"{address}\"\nmodel = \"test-model\"\n{provider}\n\
         [providers.searx]\ntype = \"searxng\"\nbase_url = \"{searx}\"\n"
    )
}

/// A page of about this many paragraphs, all about the same, with one sentence in the middle.
pub fn long_page(title: &str, paragraphs: usize, fact: &str) -> String {
    let filler = "<p>The quiet harbour of Orvik has boats, nets and gulls, and in the evening the fishermen mend their nets \
                  and talk about the weather of the week, which was fair on most days and windy on some others.</p>";
    format!(
        "<!doctype html><html><head><title>{title}</title></head><body><article><h1>{title}</h1>{}<h2>The lighthouse</h2><p>{fact}</p>{}</article></body></html>",
        filler.repeat(paragraphs / 2),
        filler.repeat(paragraphs / 2)
    )
}

/// The first message to a server for other programs.
pub fn hello() -> Value {
    serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    }})
}

/// Sends a server for other programs its first message, and waits for the answer.
pub fn greet(server: &mut Child) {
    writeln!(server.stdin.as_mut().expect("it is open"), "{}", hello()).expect("it listens");
    let mut line = String::new();
    BufReader::new(server.stdout.as_mut().expect("its output")).read_line(&mut line).expect("an answer");
    assert!(line.contains("\"serverInfo\""), "{line}");
}

/// Waits until a condition holds; fails after 20 s.
pub fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(20), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How many inputs of this kind are in the journal.
pub fn journaled(place: &Place, kind: &str) -> usize {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let Ok(connection) = Connection::open_with_flags(place.path("data/nexi.db"), flags) else { return 0 };
    connection
        .query_row(
            "SELECT count(*) FROM journal WHERE ?1 IN (json_extract(input, '$.type'), json_extract(input, '$.input.type'))",
            [kind],
            |row| row.get::<_, i64>(0),
        )
        .map_or(0, |count| usize::try_from(count).unwrap_or(0))
}

/// Keeps the journal of the newest run as a golden file, when asked to by `NEXI_RECORD`.
pub fn record(place: &Place, name: &str) {
    if std::env::var_os("NEXI_RECORD").is_none() {
        return;
    }
    let database = Connection::open(place.path("data/nexi.db")).expect("the database opens");
    let (turn, thread): (String, String) = database
        .query_row("SELECT id, thread_id FROM turns ORDER BY asked_ms DESC, id DESC LIMIT 1", [], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("a turn");
    let history = nexi_store::History::open(&place.path("data/nexi.db")).expect("the library opens");
    let sources = history.sources(&ThreadId(thread)).expect("sources");
    let mut out = String::new();
    for entry in history.read_journal(&TurnId(turn)).expect("a journal") {
        let mut value = serde_json::to_value(&entry.input).expect("JSON");
        // The texts of earlier sources stand in the thread.
        for known in value.pointer_mut("/asked/known").and_then(Value::as_array_mut).into_iter().flatten() {
            let number = known["number"].as_u64().unwrap_or_default();
            let source = sources.iter().find(|source| u64::from(source.number) == number).expect("a source");
            known["page"]["text"] = source.page.text.clone().into();
        }
        out.push_str(&format!("{value}\n"));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden/journals");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(format!("{name}.jsonl")), out).expect("the journal is written");
}

/// Scripted models know nothing of a second look; tests of it say so in their settings.
fn checked_here(settings: &str) -> String {
    if settings.contains("check = ") || !settings.contains("llm_backends") {
        settings.to_owned()
    } else {
        format!("check = \"local\"\n{settings}")
    }
}

/// Paths and texts of the passages that the index of documents itself puts first, for all words of a question.
pub fn index_alone(place: &Place, question: &str, limit: u32) -> Vec<(String, String)> {
    let database = Connection::open(place.path("data/documents.db")).unwrap();
    let sql = "SELECT d.path, p.body FROM passages_fts JOIN passages p ON p.id = passages_fts.rowid
        JOIN documents d ON d.id = p.document_id WHERE passages_fts MATCH ? ORDER BY bm25(passages_fts, 1.0, 1.0, 1.0, 0.5) LIMIT ?";
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let query = words.map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR ");
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map((query, limit), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}
