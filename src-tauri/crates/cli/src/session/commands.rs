//! Commands of a session that are about what is searched, kept and asked before.

use std::path::PathBuf;

use anyhow::Result;
use nexi_engine::core::text;
use nexi_engine::{OpinionLimits, expand_home};
use nexi_messages::say;

use super::Session;
use crate::args::{Find, Usage};
use crate::line::{one_line, sanitized};
use crate::output::{TerminalStyle, print_words};
use crate::{history, space, start, template};

/// Questions that are listed.
const LISTED: u32 = 10;

impl Session {
    /// Folders and files that are searched besides those of the settings.
    pub(super) fn docs(&mut self, value: &str) -> Result<()> {
        match value {
            "" => {}
            "off" => self.how.docs.clear(),
            path => {
                let path = expand_home(path);
                let path = path
                    .canonicalize()
                    .map_err(|error| Usage(say!("nexi-terminal-unreadable", what = path.display().to_string(), why = error.to_string())))?;
                if !self.how.docs.contains(&path) {
                    self.how.docs.push(path);
                }
            }
        }
        let settings = self.engine.settings();
        let folders: Vec<PathBuf> = settings.documents.folders.iter().map(|folder| expand_home(folder)).collect();
        let lines: Vec<String> = folders
            .iter()
            .map(|folder| format!("  {}", folder.display()))
            .chain(self.how.docs.iter().map(|path| format!("  {}", say!("nexi-session-here", path = path.display().to_string()))))
            .collect();
        if lines.is_empty() {
            return print_words(&say!("nexi-session-no-folders"));
        }
        print_words(&sanitized(&format!("{}\n{}", say!("nexi-session-searched"), lines.join("\n"))))
    }

    /// Asks the question of a template.
    pub(super) async fn ask_template(&mut self, name: &str, values: &str) -> Result<()> {
        let known = self.engine.templates().await?.into_iter().find(|known| known.name == name.to_lowercase());
        let Some(known) = known else { return Err(Usage(say!("nexi-session-unknown-command", name = name)).into()) };
        let mut given = Vec::new();
        if values.is_empty() {
            for field in &known.fields {
                given.push(format!("{field}={}", start::line(&format!("{}:", one_line(field))).await?));
            }
        } else {
            given = shlex::split(values).unwrap_or_else(|| vec![values.to_owned()]);
        }
        let question = template::filled(&self.engine, known, &given).await?;
        print_words(&one_line(&question))?;
        self.ask(question).await
    }

    /// Has everything before the last answer summarised.
    pub(super) async fn summarise(&self) -> Result<()> {
        let Some(thread) = &self.thread else { return Err(Usage(say!("nexi-history-nothing-yet")).into()) };
        let summary = self.engine.summarise(thread, OpinionLimits::default()).await?;
        let turns = say!("nexi-session-summarised", count = summary.turns);
        print_words(&format!("{}\n\n{turns}", sanitized(&summary.text)))
    }

    /// Asks in a space, or in none; either begins a new thread.
    pub(super) async fn space(&mut self, value: &str) -> Result<()> {
        match value {
            "" => {}
            "off" => self.how.space = None,
            _ if self.how.private => {
                return Err(Usage(say!("nexi-session-private-has-no-space")).into());
            }
            name => self.how.space = Some(space::named(&self.engine, name).await?.name),
        }
        if !value.is_empty() {
            (self.thread, self.last, self.asked) = (None, None, None);
        }
        print_words(&sanitized(&match &self.how.space {
            Some(name) => say!("nexi-session-in-space", space = name),
            None => say!("nexi-session-in-no-space"),
        }))
    }

    /// A thread that is kept nowhere, or one that is kept again. Either is a new one.
    pub(super) fn private(&mut self, value: &str) -> Result<()> {
        let wanted = match value {
            "" => {
                return print_words(&if self.how.private { say!("nexi-session-is-private") } else { say!("nexi-session-is-kept") });
            }
            "on" => true,
            "off" => false,
            other => return Err(Usage(say!("nexi-session-on-or-off", command = "private", value = other)).into()),
        };
        if wanted != self.how.private {
            self.how.private = wanted;
            (self.thread, self.last, self.asked) = (None, None, None);
        }
        print_words(&if wanted { say!("nexi-session-now-private") } else { say!("nexi-session-now-kept") })
    }

    /// The last question once more, with another model where one is named.
    pub(super) async fn retry(&mut self, model: &str) -> Result<()> {
        let Some((question, attached)) = self.asked.clone() else { return Err(Usage(say!("nexi-history-nothing-yet")).into()) };
        let named = if model.is_empty() { None } else { Some(start::model_named(&self.engine.settings(), model)?) };
        let before = std::mem::replace(&mut self.attached, attached);
        let usual = self.how.model.clone();
        if named.is_some() {
            self.how.model = named;
        }
        print_words(&say!("nexi-session-asking-again", question = one_line(&question)))?;
        let outcome = self.ask(question).await;
        self.how.model = usual;
        self.attached = before;
        outcome
    }

    /// What was asked before.
    pub(super) async fn history(&self, words: &str) -> Result<()> {
        if words.is_empty() {
            history::list(&self.engine.newest_turns(LISTED).await?, false)?;
        } else {
            let find = Find { text: vec![words.to_owned()], limit: LISTED, json: false };
            history::search(&self.engine, find, TerminalStyle::of(&self.common)).await?;
        }
        Ok(())
    }

    /// Questions that follow belong to this thread.
    pub(super) async fn continue_with(&mut self, id: &str) -> Result<()> {
        if id.is_empty() {
            return Err(Usage(say!("nexi-session-continue-what")).into());
        }
        if self.how.private {
            return Err(Usage(say!("nexi-session-private-goes-on-alone")).into());
        }
        let thread = self.engine.find_thread(id).await?;
        let file = self.engine.thread_file(&thread, None).await?;
        self.last = file.turns.last().map(|turn| turn.id.clone());
        self.asked = file.turns.last().map(|turn| (turn.question.clone(), Vec::new()));
        let title = self.engine.thread_facts(&thread).await?.title;
        self.thread = Some(thread);
        print_words(&say!("nexi-session-follows", title = text::truncate(&one_line(&title), 100)))
    }
}
