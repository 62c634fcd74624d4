//! `nexi` without a command: one question after the other, on a terminal.

mod commands;
mod editor;

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::protocol::Effort;
use nexi_engine::{Attach, Engine, expand_home, export, sentences};
use nexi_messages::say;

use crate::args::{Common, EFFORTS, FOCUSES, How, SESSION_COMMANDS, Usage, one_of};
use crate::ask::{Wanted, follow, options};
use crate::line::{one_line, sanitized};
use crate::output::{TerminalStyle, address, columns, failure, hanging, note, print_words, source_lines};
use crate::start::Interrupts;
use crate::{attach, exit, history, memory, space, start};

use editor::{Editor, Typed, names};

/// One session.
struct Session {
    engine: Engine,
    common: Common,
    how: How,
    thread: Option<ThreadId>,
    last: Option<TurnId>,
    /// Given with the next question.
    attached: Vec<Attach>,
    /// What was asked last, with what was attached to it.
    asked: Option<(String, Vec<Attach>)>,
}

/// What a line led to.
enum Next {
    Go,
    Leave,
}

/// Asks for questions until the person leaves.
pub async fn run(common: Common) -> Result<u8> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(Usage(say!("nexi-session-needs-terminal")).into());
    }
    let engine = start::open_with_keys(&common).await?;
    let (delivering, telling) = (engine.clone(), engine.clone());
    tokio::spawn(async move { telling.run_outbox_sender().await });
    tokio::spawn(async move { delivering.keep_delivering(|_, _| {}).await });
    let models = nexi_engine::views::models(&engine.settings()).into_iter().map(|model| model.name).collect();
    let mut editor = Editor::new(&start::remembered(&engine), models, names(&engine))?;
    let welcome =
        say!("nexi-session-welcome", version = env!("CARGO_PKG_VERSION"), model = sanitized(&sentences::model_name(&engine.model_label())));
    print_words(&format!("{welcome}\n"))?;
    let mut session = Session { engine, common, how: How::default(), thread: None, last: None, attached: Vec::new(), asked: None };
    let mut interrupted = false;
    loop {
        let (back, typed) = editor.read().await?;
        editor = back;
        match typed {
            Typed::Line(line) if line.trim().is_empty() => {}
            Typed::Line(line) => {
                interrupted = false;
                // What is to be forgotten one day must not stay here.
                if !session.how.private && !line.starts_with("# ") {
                    editor.remember(&line);
                }
                // Whatever goes wrong, the session goes on.
                match session.take(line.trim()).await {
                    Ok(Next::Go) => {}
                    Ok(Next::Leave) => break,
                    Err(error) => note(&failure(&error)),
                }
            }
            Typed::Unreadable => note(&say!("nexi-session-not-text")),
            Typed::Interrupt if interrupted => break,
            Typed::Interrupt => {
                interrupted = true;
                print_words(&say!("nexi-session-once-more"))?;
            }
            Typed::End => break,
        }
    }
    editor.save();
    Ok(exit::ANSWERED)
}

impl Session {
    async fn take(&mut self, line: &str) -> Result<Next> {
        // What people type anywhere to leave, or for help, is no question.
        let is_command = ["exit", "quit", "help"].contains(&line.to_ascii_lowercase().as_str());
        if let Some(text) = line.strip_prefix("# ").filter(|text| !text.contains('\n')) {
            self.remember(text).await?;
            return Ok(Next::Go);
        }
        let Some(command) = line.strip_prefix('/').or_else(|| is_command.then_some(line)) else {
            self.ask(line.to_owned()).await?;
            return Ok(Next::Go);
        };
        let (name, value) = command.split_once(char::is_whitespace).map_or((command, ""), |(name, value)| (name, value.trim()));
        match name.to_ascii_lowercase().as_str() {
            "quit" | "exit" | "q" => return Ok(Next::Leave),
            "help" => {
                let width = SESSION_COMMANDS.iter().map(|name| name.len()).max().unwrap_or_default();
                let line = |name: &&str| {
                    let about = say!(&format!("nexi-session-commands.{}", name.trim_start_matches('/')));
                    hanging(format!("{name:width$}  {about}"), columns(), width + 2)
                };
                let lines: Vec<String> = SESSION_COMMANDS.iter().map(line).collect();
                print_words(&format!("{}\n{}", lines.join("\n"), say!("nexi-session-help-more")))?;
            }
            "deep" => {
                self.how.deep = match value {
                    "" => !self.how.deep,
                    "on" => true,
                    "off" => false,
                    other => return Err(Usage(say!("nexi-session-on-or-off", command = "deep", value = other)).into()),
                };
                print_words(&if self.how.deep { say!("nexi-session-deep-on") } else { say!("nexi-session-deep-off") })?;
            }
            "attach" if value == "off" => {
                self.attached.clear();
                print_words(&say!("nexi-session-nothing-attached"))?;
            }
            "attach" if value.is_empty() && self.attached.is_empty() => print_words(&say!("nexi-session-nothing-attached"))?,
            "attach" if value.is_empty() => print_words(&say!("nexi-session-attached", count = self.attached.len()))?,
            "attach" => {
                let attach = attach::one(&self.engine, value).await?;
                if let Attach::Path(path) = &attach
                    && !path.exists()
                {
                    return Err(Usage(say!("nexi-session-no-file", path = path.display().to_string())).into());
                }
                self.attached.push(attach);
                print_words(&say!("nexi-session-attached", count = self.attached.len()))?;
            }
            "new" => {
                (self.thread, self.last) = (None, None);
                self.attached.clear();
                print_words(&say!("nexi-session-new"))?;
            }
            "memory" => memory::list(&self.engine, false).await?,
            "summarise" => self.summarise().await?,
            "docs" => self.docs(value)?,
            "space" => self.space(value).await?,
            "private" => self.private(value)?,
            "retry" => self.retry(value).await?,
            "history" => self.history(value).await?,
            "continue" => self.continue_with(value).await?,
            "effort" => {
                let effort: Effort = if value.is_empty() { self.effort() } else { one_of(EFFORTS)(value).map_err(Usage)? };
                self.how.effort = Some(effort);
                print_words(&say!("nexi-session-effort", effort = effort.as_str(), steps = effort.max_steps()))?;
            }
            "focus" => {
                if !value.is_empty() {
                    self.how.focus = one_of(FOCUSES)(value).map_err(Usage)?;
                }
                print_words(&say!("nexi-session-focus", focus = self.how.focus.as_str()))?;
            }
            "model" => {
                if !value.is_empty() {
                    self.how.model = Some(start::model_named(&self.engine.settings(), value)?);
                }
                print_words(&sanitized(&self.how.model.clone().unwrap_or_else(|| sentences::model_name(&self.engine.model_label()))))?;
            }
            "sources" => {
                let turn = self.engine.turn(self.last()?).await?;
                let list = source_lines(&turn.ending, TerminalStyle::of(&self.common));
                print_words(&if list.is_empty() { say!("nexi-session-no-sources") } else { list })?;
            }
            "open" => self.open(value).await?,
            "save" => self.save(value).await?,
            other => self.ask_template(other, value).await?,
        }
        Ok(Next::Go)
    }

    async fn ask(&mut self, question: String) -> Result<()> {
        // From here on Ctrl+C stops the run, even if it has not begun yet.
        let mut interrupts = Interrupts::new()?;
        let (question, named) = attach::named(&question);
        let attached: Vec<Attach> = self.attached.iter().cloned().chain(named).collect();
        let mut options = options(&self.engine, question.clone(), self.thread.clone(), &self.how).await?;
        options.attachments.extend(attached.iter().cloned());
        let mut asking = std::pin::pin!(self.engine.ask(options));
        let mut stops = 0;
        let run = loop {
            tokio::select! {
                run = &mut asking => break run?,
                () = interrupts.next() => {
                    stops += 1;
                    if stops > 1 {
                        return print_words(&say!("nexi-session-stopped"));
                    }
                    note(&say!("nexi-terminal-stopping"));
                }
            }
        };
        if stops > 0 {
            self.engine.cancel(run.turn());
        }
        (self.thread, self.last) = (Some(run.thread().clone()), Some(run.turn().clone()));
        self.attached.clear();
        self.asked = Some((question, attached));
        follow(&self.engine, run, interrupts, Wanted::default(), &self.common).await?;
        print_words("")
    }

    /// Keeps a memory, unless nothing is to be kept here.
    async fn remember(&self, text: &str) -> Result<()> {
        if self.how.private {
            return Err(Usage(say!("nexi-session-private-keeps-nothing")).into());
        }
        // What is remembered in a space holds there.
        let space = match (&self.thread, &self.how.space) {
            (Some(thread), _) => self.engine.thread_facts(thread).await?.space,
            (None, chosen) => chosen.clone(),
        };
        let id = match &space {
            Some(name) => Some(space::named(&self.engine, name).await?.id),
            None => None,
        };
        let (kept, _) = memory::remember(&self.engine, text, id).await?;
        let text = one_line(&kept.text);
        print_words(&match space {
            Some(name) => say!("nexi-session-remembered-in", space = one_line(&name), text = text),
            None => say!("nexi-session-remembered", text = text),
        })
    }

    fn effort(&self) -> Effort {
        self.how.effort.unwrap_or_else(|| self.engine.settings().default_effort)
    }

    fn last(&self) -> Result<&TurnId> {
        self.last.as_ref().ok_or_else(|| Usage(say!("nexi-history-nothing-yet")).into())
    }

    async fn open(&self, value: &str) -> Result<()> {
        let number: u32 = value.trim_matches(['[', ']']).parse().map_err(|_| Usage(say!("nexi-session-open-number")))?;
        let source = self.engine.source(self.last()?, number).await?;
        let url = address(&source.url, &source.passages);
        // Whatever was read, nothing but pages and documents is opened.
        if !["http://", "https://", "file://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(Usage(say!("nexi-session-not-openable", address = url)).into());
        }
        open::that_detached(&url).map_err(|_| Usage(say!("nexi-session-no-browser", address = sanitized(&url))))?;
        print_words(&sanitized(&url))
    }

    async fn save(&self, value: &str) -> Result<()> {
        let Some(thread) = &self.thread else { return Err(Usage(say!("nexi-history-nothing-yet")).into()) };
        let path = expand_home(if value.is_empty() { "nexi.md" } else { value });
        let format =
            history::format_of(Some(&path)).map_err(|_| Usage(say!("nexi-session-unknown-ending", path = path.display().to_string())))?;
        let file = self.engine.thread_file(thread, None).await?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(std::path::Path::new("."));
        if !folder.is_dir() {
            return Err(Usage(say!("nexi-session-no-folder", path = folder.display().to_string())).into());
        }
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .ok_or_else(|| Usage(say!("nexi-session-no-file-name", path = path.display().to_string())))?;
        let failed =
            |error: std::io::Error| Usage(say!("nexi-session-not-written", path = path.display().to_string(), why = error.to_string()));
        // Nothing is written over: a name that is taken gets a number.
        let (written, mut out) = nexi_engine::new_file(folder, name).map_err(failed)?;
        let bytes = history::written(&file, format, export::CitationStyle::default());
        std::io::Write::write_all(&mut out, &bytes).map_err(failed)?;
        print_words(&say!("nexi-session-written", path = written.display().to_string()))
    }
}
