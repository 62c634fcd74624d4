//! The line that is typed into: history, several lines, completion.

use std::path::{Path, PathBuf};

use anyhow::Result;
use nexi_engine::{Engine, expand_home};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Helper};

use crate::args::{EFFORTS, FOCUSES, SESSION_COMMANDS};
use crate::line::sanitized;
use crate::{attach, typed};

/// Lines that are remembered.
const REMEMBERED: usize = 1000;

/// Files and folders that are offered at once.
const MOST_PATHS: usize = 200;

/// What a person typed.
pub enum Typed {
    Line(String),
    /// Bytes that are no text.
    Unreadable,
    /// Ctrl+C.
    Interrupt,
    /// Ctrl+D.
    End,
}

/// Reads lines and remembers them.
pub struct Editor {
    inner: rustyline::Editor<Help, DefaultHistory>,
    file: PathBuf,
}

impl Editor {
    /// With the lines of earlier sessions, which are kept in `file`.
    pub fn new(file: &Path, models: Vec<String>, names: Names) -> Result<Self> {
        let config = Config::builder().completion_type(CompletionType::List).max_history_size(REMEMBERED)?.auto_add_history(false).build();
        let mut inner = rustyline::Editor::with_config(config)?;
        inner.set_helper(Some(Help { models, names }));
        // There is none at first.
        let _ = inner.load_history(file);
        Ok(Self { inner, file: file.to_owned() })
    }

    /// The next line. Waiting for it must not hold up a run, so it is waited for elsewhere.
    pub async fn read(mut self) -> Result<(Self, Typed)> {
        match typed::ahead() {
            Ok(None) => {}
            Ok(Some(line)) => {
                // As if it had been typed now.
                crate::output::print_line(&format!("> {}", sanitized(&line)))?;
                return Ok((self, Typed::Line(line.replace("\\\n", "\n"))));
            }
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => return Ok((self, Typed::Unreadable)),
            Err(error) => return Err(error.into()),
        }
        tokio::task::spawn_blocking(move || {
            let typed = match self.inner.readline("> ") {
                Ok(line) => Typed::Line(line.replace("\\\n", "\n")),
                Err(ReadlineError::Interrupted) => Typed::Interrupt,
                Err(ReadlineError::Eof) => Typed::End,
                Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => Typed::Unreadable,
                Err(error) => return Err(error.into()),
            };
            Ok((self, typed))
        })
        .await?
    }

    /// A line that can be called up again. What is asked in private is none.
    pub fn remember(&mut self, line: &str) {
        if let Err(error) = self.inner.add_history_entry(line) {
            tracing::info!(%error, "a line of this session is not remembered");
        }
    }

    /// Keeps the lines for the next session; only their owner can read them.
    pub fn save(&mut self) {
        if let Err(error) = self.inner.append_history(&self.file) {
            tracing::info!(%error, "the lines of this session are not kept");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let _ = std::fs::set_permissions(&self.file, std::fs::Permissions::from_mode(0o600));
        }
    }
}

/// What can stand behind an `@`, by what was typed of it: the words of a list, and what is written then.
type Names = Box<dyn Fn(&str) -> Vec<Pair> + Send>;

/// Completes commands and their values, and what is attached by its name.
struct Help {
    models: Vec<String>,
    names: Names,
}

/// The names of an engine's documents, threads and sites, and of files by their paths.
pub fn names(engine: &Engine) -> Names {
    let (engine, runtime) = (engine.clone(), tokio::runtime::Handle::current());
    Box::new(move |typed| {
        let known = runtime.block_on(engine.suggest(typed)).unwrap_or_default();
        let known = known.into_iter().filter_map(|found| {
            let note = if found.note.is_empty() { String::new() } else { format!("  {}", found.note) };
            Some(Pair { display: format!("{}{note}", found.label), replacement: attach::name_of(&found.attach)? })
        });
        known.chain(paths(typed)).collect()
    })
}

/// Files and folders whose path begins like this, the next step of it, as shells complete them.
fn paths(typed: &str) -> Vec<Pair> {
    let Some(end) = typed.rfind(std::path::is_separator).map(|at| at + 1).or((typed == ".").then_some(0)) else { return Vec::new() };
    let (folder, name) = typed.split_at(end);
    let Ok(entries) = std::fs::read_dir(expand_home(if folder.is_empty() { "." } else { folder })) else { return Vec::new() };
    let mut out: Vec<Pair> = entries
        .flatten()
        .filter_map(|entry| {
            let found = entry.file_name().into_string().ok().filter(|found| found.starts_with(name))?;
            let slash = if entry.path().is_dir() { "/" } else { "" };
            Some(Pair { display: format!("{found}{slash}"), replacement: format!("{folder}{found}{slash}") })
        })
        .take(MOST_PATHS)
        .collect();
    out.sort_by(|a, b| a.replacement.cmp(&b.replacement));
    out
}

/// Where the name begins that somebody is typing behind an `@`; none where they are typing something else.
fn name_at(typed: &str) -> Option<usize> {
    let at = typed.rfind('@')?;
    let begins_word = typed[..at].chars().next_back().is_none_or(char::is_whitespace);
    let name = &typed[at + 1..];
    (begins_word && (!name.contains(char::is_whitespace) || name.starts_with('"'))).then_some(at + 1)
}

impl Help {
    fn values(&self, command: &str) -> Vec<&str> {
        match command {
            "/effort" => EFFORTS.to_vec(),
            "/deep" | "/private" => vec!["on", "off"],
            "/focus" => FOCUSES.to_vec(),
            "/model" | "/retry" => self.models.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

impl Completer for Help {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..at];
        if let Some(start) = name_at(typed) {
            let (name, quoted) = typed[start..].strip_prefix('"').map_or((&typed[start..], false), |name| (name, true));
            // A folder goes on, so that its quote stays open.
            let written = |pair: Pair| {
                let quoted = quoted || pair.replacement.contains(char::is_whitespace);
                let end = if pair.replacement.ends_with('/') { "" } else { "\"" };
                let replacement = if quoted { format!("\"{}{end}", pair.replacement) } else { pair.replacement };
                Pair { replacement, ..pair }
            };
            return Ok((start, (self.names)(name).into_iter().map(written).collect()));
        }
        if !typed.starts_with('/') {
            return Ok((at, Vec::new()));
        }
        let pair = |word: &str| Pair { display: word.to_owned(), replacement: word.to_owned() };
        let fitting = |all: Vec<&str>, start: &str| all.into_iter().filter(|word| word.starts_with(start)).map(pair).collect();
        Ok(match typed.split_once(' ') {
            None => (0, fitting(SESSION_COMMANDS.to_vec(), typed)),
            Some(("/attach" | "/docs" | "/save", value)) => (at - value.len(), paths(value)),
            Some((command, value)) => (at - value.len(), fitting(self.values(command), value)),
        })
    }
}

impl Validator for Help {
    /// A line that ends with a backslash goes on.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if context.input().ends_with('\\') { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Hinter for Help {
    type Hint = String;
}

impl Highlighter for Help {}
impl Helper for Help {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_their_values_are_completed() {
        let names: Names = Box::new(|typed| vec![Pair { display: "Fees".into(), replacement: format!("/docs/{typed}es.md") }]);
        let help = Help { models: vec!["work".into(), "builtin".into()], names };
        let history = DefaultHistory::new();
        let complete = |line: &str| {
            let (at, found) = help.complete(line, line.len(), &Context::new(&history)).unwrap();
            (at, found.into_iter().map(|pair| pair.replacement).collect::<Vec<_>>())
        };
        assert_eq!(complete("What does @fe"), (11, vec!["/docs/fees.md".to_owned()]));
        assert_eq!(complete("/attach @\"fe").0, 9);
        assert_eq!(complete("@\"fe").1, ["\"/docs/fees.md\""]);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("offer of May.pdf"), "x").unwrap();
        let found = paths(&format!("{}/of", folder.path().display()));
        assert!(found.len() == 1 && found[0].replacement.ends_with("/offer of May.pdf"), "{}", found[0].replacement);
        assert!(paths("of").is_empty() && paths("/no/such/folder/").is_empty());
        for command in ["/attach", "/docs", "/save"] {
            let (at, found) = complete(&format!("{command} {}/of", folder.path().display()));
            assert!(at == command.len() + 1 && found[0].ends_with("/offer of May.pdf"), "{found:?}");
        }
        assert_eq!((complete("mail me@fe").1.len(), complete("@fees and then").1.len()), (0, 0));
        assert_eq!(complete("/e"), (0, vec!["/effort".to_owned()]));
        assert_eq!(complete("/effort "), (8, ["s", "m", "l"].map(str::to_owned).to_vec()));
        assert_eq!(complete("/model w"), (7, vec!["work".to_owned()]));
        assert_eq!(complete("who "), (4, Vec::new()));
    }
}
