//! The line that is typed into: history, several lines, completion.

use std::path::{Path, PathBuf};

use anyhow::Result;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Helper};

use super::COMMANDS;

/// Lines that are remembered.
const REMEMBERED: usize = 1000;

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
    pub fn new(file: &Path, models: Vec<String>) -> Result<Self> {
        let config = Config::builder().completion_type(CompletionType::List).max_history_size(REMEMBERED)?.auto_add_history(false).build();
        let mut inner = rustyline::Editor::with_config(config)?;
        inner.set_helper(Some(Help { models }));
        // There is none at first.
        let _ = inner.load_history(file);
        Ok(Self { inner, file: file.to_owned() })
    }

    /// The next line. Waiting for it must not hold up a run, so it is waited for elsewhere.
    pub async fn read(mut self) -> Result<(Self, Typed)> {
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

/// Completes commands and their values.
struct Help {
    models: Vec<String>,
}

impl Help {
    fn values(&self, command: &str) -> Vec<&str> {
        match command {
            "/effort" => vec!["s", "m", "l"],
            "/deep" | "/private" => vec!["on", "off"],
            "/focus" => vec!["web", "documents", "both"],
            "/model" | "/retry" => self.models.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

impl Completer for Help {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..at];
        if !typed.starts_with('/') {
            return Ok((at, Vec::new()));
        }
        let fitting = |all: Vec<&str>, start: &str| all.into_iter().filter(|word| word.starts_with(start)).map(str::to_owned).collect();
        Ok(match typed.split_once(' ') {
            None => (0, fitting(COMMANDS.iter().map(|(name, _)| *name).collect(), typed)),
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
        let help = Help { models: vec!["work".into(), "builtin".into()] };
        let history = DefaultHistory::new();
        let complete = |line: &str| help.complete(line, line.len(), &Context::new(&history)).unwrap();
        assert_eq!(complete("/e"), (0, vec!["/effort".to_owned()]));
        assert_eq!(complete("/effort "), (8, ["s", "m", "l"].map(str::to_owned).to_vec()));
        assert_eq!(complete("/model w"), (7, vec!["work".to_owned()]));
        assert_eq!(complete("who "), (4, Vec::new()));
    }
}
