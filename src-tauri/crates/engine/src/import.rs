//! Importing what other installations and NEXI, the program before this one, have kept.

use nexi_core::protocol::Reasons;
use nexi_messages::say;
use std::io::{BufRead, Read};

use nexi_core::{
    citations,
    ids::{ThreadId, TurnId},
    ports::Page,
    protocol::{Effort, Ending, Source, Turn, TurnState},
    text, urls,
};
use nexi_store::{
    History,
    history::{LibraryItem, StoredSource, ThreadFile},
    settings_file::Change,
};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ts_rs::TS;

use crate::{Engine, EngineError};

/// Bytes of one object that is written over several lines.
const MAX_FILE: usize = 256 * 1024 * 1024;
/// Things besides threads.
const MAX_ITEMS: usize = 2000;
/// Threads that are written in one go.
const AT_ONCE: usize = 20;
/// The name that NEXI's model gets among the providers.
const NEXI: &str = "nexi";

/// What was taken in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
pub struct Imported {
    pub threads: u32,
    /// Threads that were there already.
    pub known: u32,
    /// What came besides threads: spaces, memories, templates, saved searches and watched questions.
    pub items: u32,
    /// Lines that could not be read and were left out.
    pub broken: u32,
}

/// What an import does when it meets a line that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnBroken {
    /// Import nothing from the file.
    Refuse,
    /// Leave the line out and import the others.
    Skip,
}

/// How an import ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ImportOutcome {
    Imported(Imported),
    /// Some lines could not be read, so nothing was imported.
    Refused(BrokenLines),
}

/// The lines that kept a file from being imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct BrokenLines {
    /// The first of them, from 1.
    pub line: u32,
    /// What is wrong with it.
    pub why: String,
    /// How many there are.
    pub broken: u32,
    /// Threads in the other lines.
    pub others: u32,
}

/// A line of NEXI's `history.jsonl`.
#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(default)]
    id: String,
    #[serde(default)]
    ts: String,
    query: String,
    answer: String,
    #[serde(default)]
    urls: Vec<String>,
    #[serde(default)]
    effort: String,
    #[serde(default)]
    iterations: u32,
    #[serde(default)]
    duration_s: f64,
    #[serde(default)]
    tokens: u64,
}

impl Engine {
    /// Takes a library in: a file of one thread, of a thread a line with what else a library holds, or NEXI's
    /// `history.jsonl`, which may be of any size and is read line by line. All of it comes in or none; what is there already is left as it is.
    ///
    /// # Errors
    /// When there is nothing in it that could be taken in, or it cannot be read to its end; nothing of it is taken in
    /// then.
    pub async fn import_threads(&self, reader: impl BufRead + Send + 'static, on_broken: OnBroken) -> Result<ImportOutcome, EngineError> {
        let history = self.history();
        crate::aside::blocking(move || ImportJob::new(&history).run(reader, on_broken)).await?
    }

    /// Takes settings in: NEXI's `config.json` or `config.toml`. Keys go where keys are kept.
    /// Returns the fields that were set.
    ///
    /// # Errors
    /// When the text is neither, or a value is not valid; nothing is changed then.
    pub async fn import_settings(&self, text: &str) -> Result<Vec<String>, EngineError> {
        let (changes, keys) = settings(text, &self.settings().llm_backends)?;
        let (_, problems) = self.preview_settings(&changes)?;
        if let Some(problem) = problems.into_iter().next() {
            return Err(EngineError::invalid(
                "file",
                say!("arguments-file.value", problem = nexi_store::settings_file::told::problem(&problem)),
            ));
        }
        let mut fields: Vec<String> = changes.iter().map(|change| change.path.join(".")).collect();
        // Keys first: a provider without its key would stand at the head of the chain and fail.
        for (provider, key) in keys {
            self.set_key(&provider, key).await?;
            fields.push(say!("arguments-file-key", provider = provider));
        }
        self.change_settings(&changes)?;
        Ok(fields)
    }
}

/// Threads that are being taken in.
struct ImportJob<'a> {
    history: &'a History,
    waiting: Vec<ThreadFile>,
    /// What stands besides threads; it comes in at the end.
    items: Vec<LibraryItem>,
    /// What this import has brought so far.
    added: Vec<ThreadId>,
    out: Imported,
    /// Lines read so far.
    line: u32,
    /// The first line that cannot be read, and what is wrong with it.
    first: Option<(u32, String)>,
}

impl<'a> ImportJob<'a> {
    fn new(history: &'a History) -> Self {
        Self { history, waiting: Vec::new(), items: Vec::new(), added: Vec::new(), out: Imported::default(), line: 0, first: None }
    }

    fn run(mut self, reader: impl BufRead, on_broken: OnBroken) -> Result<ImportOutcome, EngineError> {
        let done = self.all(reader).and_then(|()| match self.refusal(on_broken) {
            Some(refusal) => Ok(ImportOutcome::Refused(refusal)),
            None => {
                let items = self.history.import_is_whole(&self.added, &self.items, crate::driver::now_ms())?;
                Ok(ImportOutcome::Imported(Imported { items, ..self.out.clone() }))
            }
        });
        if !matches!(done, Ok(ImportOutcome::Imported(_))) {
            self.give_back();
        }
        done
    }

    fn refusal(&self, on_broken: OnBroken) -> Option<BrokenLines> {
        let (line, why) = self.first.clone().filter(|_| on_broken == OnBroken::Refuse)?;
        Some(BrokenLines { line, why, broken: self.out.broken, others: self.out.threads + self.out.known })
    }

    fn all(&mut self, mut reader: impl BufRead) -> Result<(), EngineError> {
        let mut line = String::new();
        while self.next(&mut reader, &mut line)? {
            let text = line.trim_start_matches('\u{feff}').trim();
            match serde_json::from_str::<Value>(text) {
                _ if text.is_empty() => {}
                Ok(value) => self.take(self.line, &value)?,
                // One object over several lines.
                Err(_) if self.line == 1 && text == "{" => {
                    let mut whole = line.clone();
                    while whole.len() <= MAX_FILE && self.next(&mut reader, &mut line)? {
                        whole.push_str(&line);
                    }
                    match serde_json::from_str::<Value>(whole.trim_start_matches('\u{feff}').trim()) {
                        Ok(value) => self.take(1, &value)?,
                        Err(error) => self.leave_out(1, say!("arguments-line.broken_object", why = error.to_string())),
                    }
                }
                Err(error) => self.leave_out(self.line, say!("arguments-line.not_json", why = error.to_string())),
            }
        }
        self.write()?;
        if self.out.threads + self.out.known > 0 || !self.items.is_empty() {
            return Ok(());
        }
        let message = match self.first.take() {
            Some((line, why)) => say!("arguments-file.unreadable_threads", line = line, why = why),
            None => say!("arguments-file.no_threads"),
        };
        Err(EngineError::invalid("file", message))
    }

    fn next(&mut self, reader: &mut impl BufRead, line: &mut String) -> Result<bool, EngineError> {
        line.clear();
        let read = Read::take(&mut *reader, MAX_FILE as u64 + 1).read_line(line);
        self.line += 1;
        if line.len() > MAX_FILE {
            return Err(EngineError::invalid("file", say!("arguments-file.long_line", mib = MAX_FILE >> 20, line = self.line)));
        }
        read.map(|bytes| bytes > 0).map_err(|error| {
            EngineError::invalid("file", say!("arguments-file.unreadable_line", line = self.line, why = error.to_string()))
        })
    }

    fn take(&mut self, line: u32, value: &Value) -> Result<(), EngineError> {
        if value.get("nexi_item").is_some() {
            match serde_json::from_value(value.clone()) {
                Ok(_) if self.items.len() >= MAX_ITEMS => {
                    self.leave_out(line, say!("arguments-line.too_many", most = MAX_ITEMS));
                }
                Ok(item) => self.items.push(item),
                Err(error) => self.leave_out(line, say!("arguments-line.unknown_item", why = error.to_string())),
            }
            return Ok(());
        }
        match thread(value).and_then(|file| file.check().map_err(|error| error.to_string()).map(|()| file)) {
            Ok(file) => self.waiting.push(file),
            Err(why) => self.leave_out(line, why),
        }
        if self.waiting.len() >= AT_ONCE { self.write() } else { Ok(()) }
    }

    fn leave_out(&mut self, line: u32, why: String) {
        self.out.broken += 1;
        self.first.get_or_insert((line, why));
    }

    /// Runs of others must be able to write in between.
    fn write(&mut self) -> Result<(), EngineError> {
        let files = std::mem::take(&mut self.waiting);
        for (file, new) in files.iter().zip(self.history.import_part(&files)?) {
            if new {
                self.added.push(file.id.clone());
                self.out.threads += 1;
            } else {
                self.out.known += 1;
            }
        }
        Ok(())
    }

    /// All or none.
    fn give_back(&self) {
        if let Err(error) = self.history.give_up_import(&self.added) {
            tracing::warn!(%error, "an import that failed could not be taken out again");
        }
    }
}

/// A thread of either program, or what is wrong with it.
fn thread(value: &Value) -> Result<ThreadFile, String> {
    if value.get("nexi_thread").is_some() {
        return serde_json::from_value(value.clone()).map_err(|error| say!("arguments-line.unreadable_thread", why = error.to_string()));
    }
    if value.get("query").and(value.get("answer")).is_none() {
        return Err(say!("arguments-line.foreign"));
    }
    serde_json::from_value::<Entry>(value.clone())
        .map(of_entry)
        .map_err(|error| say!("arguments-line.unreadable_entry", why = error.to_string()))
}

fn of_entry(entry: Entry) -> ThreadFile {
    let asked_ms = moment(&entry.ts);
    let seed = format!("{}\n{}\n{}", entry.id, entry.ts, entry.query);
    let thread = ThreadId(id(asked_ms, &format!("thread\n{seed}")));
    let numbers: Vec<u32> = citations::citations(&entry.answer).iter().flat_map(|marker| marker.numbers.clone()).collect();
    let mut sources = Vec::new();
    let mut pages = Vec::new();
    let web = |url: &&String| url.starts_with("http://") || url.starts_with("https://");
    for (number, url) in (1_u32..).zip(entry.urls.iter().filter(web)) {
        let (site, cited) = (urls::site(url), numbers.contains(&number));
        sources.push(Source {
            number,
            url: url.clone(),
            title: url.clone(),
            site,
            date: None,
            cached_ms: None,
            cited,
            passages: Vec::new(),
        });
        pages.push(StoredSource { number, page: Page { url: url.clone(), title: url.clone(), ..Page::default() }, read_ms: asked_ms });
    }
    let usage = nexi_core::protocol::Usage { prompt: entry.tokens, ..Default::default() };
    // NEXI kept no texts, so its citations cannot be judged.
    let ending = Ending {
        state: TurnState::Answered,
        reason: Reasons::default(),
        sources,
        steps: entry.iterations,
        usage,
        ..Ending::failed("", entry.answer)
    };
    let turn = Turn {
        id: TurnId(id(asked_ms, &format!("turn\n{seed}"))),
        thread,
        effort: entry.effort.parse().unwrap_or(Effort::M),
        mode: Default::default(),
        model: "NEXI".into(),
        asked_ms,
        duration_ms: (entry.duration_s.clamp(0.0, 1e7) * 1000.0) as u64,
        ending,
        second: None,
        change: None,
        events: Vec::new(),
        question: entry.query,
    };
    ThreadFile::of_turn(&text::fold_space(&turn.question), turn, pages)
}

/// A time as NEXI wrote it, in Unix milliseconds; 0 where it cannot be read.
fn moment(ts: &str) -> i64 {
    if let Ok(stamp) = ts.parse::<jiff::Timestamp>() {
        return stamp.as_millisecond();
    }
    // Without a zone it was written in the zone of the computer.
    let local = ts.parse::<jiff::civil::DateTime>().ok().and_then(|time| time.to_zoned(jiff::tz::TimeZone::system()).ok());
    local.map_or(0, |time| time.timestamp().as_millisecond())
}

/// An id that sorts by time and is the same whenever the same entry is read.
fn id(ms: i64, seed: &str) -> String {
    // FNV-1a, 128 bits.
    let hash = seed.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    });
    format!("{:012x}{:020x}", ms.max(0) & 0xffff_ffff_ffff, hash & 0xff_ffff_ffff_ffff_ffff_u128)
}

type Keys = Vec<(String, SecretString)>;

/// What a configuration of NEXI means here.
fn settings(text: &str, models: &[String]) -> Result<(Vec<Change>, Keys), EngineError> {
    let wrong = |message: String| EngineError::invalid("file", message);
    let text = text.trim_start_matches('\u{feff}');
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) => nexi_store::settings_file::to_json(text).ok_or_else(|| wrong(say!("arguments-file.no_format")))?,
    };
    let Some(map) = value.as_object() else { return Err(wrong(say!("arguments-file.no_settings"))) };
    let word = |name: &str| map.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let mut changes = Vec::new();
    let mut set = |path: &[&str], value: Value| changes.push(Change { path: path.iter().map(|name| (*name).to_owned()).collect(), value });
    let mut keys = Keys::new();
    if let (Some(base_url), Some(model)) = (word("base_url"), word("model")) {
        set(&["providers", NEXI], json!({"type": "openai_compatible", "base_url": base_url, "model": model}));
        let order: Vec<&str> = std::iter::once(NEXI).chain(models.iter().map(String::as_str).filter(|name| *name != NEXI)).collect();
        set(&["llm_backends"], json!(order));
        keys.extend(word("api_key").map(|key| (NEXI.to_owned(), key.to_owned().into())));
    }
    for (theirs, ours) in [
        ("default_effort", "default_effort"),
        ("max_output_tokens", "max_output_tokens"),
        ("time_target", "time_target"),
        ("max_context", "max_context"),
        ("auto_compact_thresh", "auto_compact_thresh"),
        ("compact_target_words", "compact_target_words"),
        ("preserve_last_n_messages", "preserve_last_n_messages"),
        ("tokenizer_encoding", "tokenizer_encoding"),
        ("jina_timeout", "provider_timeout"),
        ("llm_max_retries", "llm_max_retries"),
    ] {
        if let Some(value) = map.get(theirs).filter(|value| !value.is_null()) {
            set(&[ours], value.clone());
        }
    }
    if let Some(backend) = word("search_backend") {
        set(&["search_backends"], json!(["documents", backend]));
    }
    if let Some(reader) = word("content_fetcher") {
        let reader = if reader == "builtin" || reader == "direct" { "builtin" } else { reader };
        set(&["fetch_backends"], if reader == "builtin" { json!(["builtin"]) } else { json!([reader, "builtin"]) });
    }
    keys.extend(word("jina_key").map(|key| ("jina".to_owned(), key.to_owned().into())));
    for (name, key) in map.get("api_keys").and_then(Value::as_object).into_iter().flatten() {
        keys.extend(key.as_str().filter(|key| !key.trim().is_empty()).map(|key| (name.clone(), key.to_owned().into())));
    }
    if changes.is_empty() && keys.is_empty() {
        return Err(wrong(say!("arguments-file.no_settings_of_nexi")));
    }
    Ok((changes, keys))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_nexi_become_threads_once() {
        let text = "{\"id\": \"a1b2c3\", \"ts\": \"2025-03-02T10:00:00Z\", \"query\": \"When?\", \"answer\": \"In 1931 [1].\", \"urls\": [\"https://e.org/a\", \"javascript:x\"], \"effort\": \"l\", \"iterations\": 3, \"duration_s\": 2.5, \"tokens\": 90}\n{broken\n\n[1]\n";
        let threads =
            |text: &str| -> Vec<ThreadFile> { text.lines().filter_map(|line| thread(&serde_json::from_str(line).ok()?).ok()).collect() };
        let files = threads(text);
        assert_eq!(files.len(), 1);
        let turn = &files[0].turns[0];
        assert_eq!((turn.question.as_str(), turn.effort, turn.duration_ms, turn.asked_ms), ("When?", Effort::L, 2500, 1_740_909_600_000));
        assert_eq!((turn.ending.sources.len(), turn.ending.sources[0].cited, turn.ending.steps), (1, true, 3));
        assert_eq!(threads(text)[0].id, files[0].id);
        assert_eq!(files[0].id.as_str().len(), 32);
        assert!(threads("{\"a\": 1}").is_empty() && threads("nothing").is_empty());
    }

    #[test]
    fn settings_of_nexi_are_understood_in_both_notations() {
        let json = r#"{"base_url": "https://api.e.org/v1", "api_key": "sk-canary-0123456789", "model": "m1", "jina_key": "", "default_effort": "l",
            "max_output_tokens": 4096, "time_target": null, "search_backend": "jina", "content_fetcher": "jina", "api_keys": {"brave": "BSA-1"}}"#;
        let toml = "base_url = \"https://api.e.org/v1\"\napi_key = \"sk-canary-0123456789\"\nmodel = \"m1\"\njina_key = \"\"\ndefault_effort = \"l\"\n\
            max_output_tokens = 4096\nsearch_backend = \"jina\"\ncontent_fetcher = \"jina\"\n[api_keys]\nbrave = \"BSA-1\"\n";
        let (changes, keys) = settings(json, &["builtin".into()]).unwrap();
        assert_eq!(settings(toml, &["builtin".into()]).unwrap().0, changes);
        let names: Vec<String> = changes.iter().map(|change| change.path.join(".")).collect();
        assert_eq!(names, ["providers.nexi", "llm_backends", "default_effort", "max_output_tokens", "search_backends", "fetch_backends"]);
        assert_eq!(changes[1].value, json!(["nexi", "builtin"]));
        assert_eq!(keys.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["nexi", "brave"]);
        assert!(!format!("{changes:?}").contains("canary"), "keys go into no setting");
        assert!(settings("[1]", &[]).is_err() && settings("= =", &[]).is_err() && settings("{}", &[]).is_err());
    }
}
