//! What a run holds back because it could carry private text away, put to the person at the terminal.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use nexi_engine::core::protocol::{Event, Form, HeldId, Outgoing};
use nexi_engine::core::settings::tools::COMMANDS;
use nexi_engine::core::user_tools::{GrantScope, ShownArgument};
use nexi_messages::say;
use serde_json::{Map, Value};
use tokio::sync::oneshot;

use crate::form;
use crate::line::{one_line, sanitized};
use crate::output::tell;
use crate::start::is_yes;
use crate::typed;

/// Characters of an address or a query that are shown.
const SHOWN: usize = 300;

/// Whether there is somebody at the terminal who can be asked.
pub fn can_be_asked() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// The questions that wait for the person, one at a time.
#[derive(Default)]
pub struct Permits {
    waiting: VecDeque<Question>,
    asked: Option<Asked>,
}

enum Question {
    Held(HeldId, Outgoing),
    Form(u32, Form),
}

/// Which question it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Id {
    Held(HeldId),
    Form(u32),
}

impl Question {
    fn id(&self) -> Id {
        match self {
            Question::Held(id, _) => Id::Held(*id),
            Question::Form(id, _) => Id::Form(*id),
        }
    }
}

/// What the person says.
#[derive(Debug, Clone, PartialEq)]
pub enum PermitReply {
    Permit {
        held: HeldId,
        allowed: bool,
        scope: GrantScope,
    },
    /// A form; none declines.
    Form {
        id: u32,
        values: Option<Map<String, Value>>,
    },
}

struct Asked {
    id: Id,
    said: oneshot::Receiver<PermitReply>,
    stop: Arc<AtomicBool>,
}

impl Permits {
    /// Notes what was held back, and what no longer waits.
    pub fn note(&mut self, event: &Event) {
        if let (Some((id, what)), Event::Held { waits: true, .. }) = (event.held(), event.own()) {
            self.waiting.push_back(Question::Held(id, what.clone()));
        } else if let Some((id, _)) = event.released() {
            self.no_longer(Id::Held(id));
        } else if let Event::FormAsked { id, form } = event.own() {
            self.waiting.push_back(Question::Form(*id, form.clone()));
        } else if let Event::FormClosed { id } = event.own() {
            self.no_longer(Id::Form(*id));
        } else if matches!(event, Event::Ended { .. }) {
            self.waiting.clear();
            self.cancel_question();
        }
    }

    fn no_longer(&mut self, id: Id) {
        self.waiting.retain(|question| question.id() != id);
        if self.asked.as_ref().is_some_and(|asked| asked.id == id) {
            self.cancel_question();
            tell(&format!("\n{}\n", say!("nexi-ask-no-answer")));
        }
    }

    /// Whether a question stands on the terminal, so that nothing else may be written there.
    pub fn is_asking(&self) -> bool {
        self.asked.is_some()
    }

    /// Puts the next question; true where there is one to be put.
    pub fn ask_next(&mut self, clear: impl FnOnce()) {
        if self.asked.is_some() {
            return;
        }
        let Some(question) = self.waiting.pop_front() else { return };
        clear();
        forget_typed();
        let (answer, said) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, id) = (stop.clone(), question.id());
        std::thread::spawn(move || {
            let said = match question {
                Question::Held(held, what) => {
                    tell(&asked_of(&what));
                    typed::next(&stopped).ok().flatten().map(|line| {
                        let (allowed, scope) = understood(&what, &line);
                        PermitReply::Permit { held, allowed, scope }
                    })
                }
                Question::Form(id, form) => filled(&form, &stopped).map(|values| PermitReply::Form { id, values }),
            };
            if let Some(said) = said {
                let _ = answer.send(said);
            }
        });
        self.asked = Some(Asked { id, said, stop });
    }

    /// What the person says; pending while nothing is asked.
    pub async fn said(&mut self) -> PermitReply {
        let Some(asked) = &mut self.asked else { return std::future::pending().await };
        let said = (&mut asked.said).await.unwrap_or(match asked.id {
            Id::Held(held) => PermitReply::Permit { held, allowed: false, scope: GrantScope::Once },
            Id::Form(id) => PermitReply::Form { id, values: None },
        });
        self.asked = None;
        said
    }

    fn cancel_question(&mut self) {
        if let Some(asked) = self.asked.take() {
            asked.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Permits {
    fn drop(&mut self) {
        self.cancel_question();
    }
}

/// What a line says to a question, and how far it reaches.
fn understood(what: &Outgoing, line: &str) -> (bool, GrantScope) {
    let is_readable = matches!(what, Outgoing::Call { reads: true, private: false, .. });
    let may_last = matches!(what, Outgoing::Call { lasting: true, .. });
    match line.trim().to_lowercase().as_str() {
        said if is_yes(said) => (true, GrantScope::Once),
        "r" | "research" if is_readable => (true, GrantScope::Research),
        "a" | "always" if may_last => (true, GrantScope::Always),
        _ => (false, GrantScope::Once),
    }
}

/// Asks for each field of a form; `Some(None)` declines, none means that it is no longer wanted.
fn filled(form: &Form, stopped: &AtomicBool) -> Option<Option<Map<String, Value>>> {
    let asked = say!("nexi-ask-form", server = &form.server, question = one_line(&form.message));
    tell(&sanitized(&format!("\n{asked}\n")));
    let mut values = Map::new();
    for field in &form.fields {
        loop {
            tell(&sanitized(&form::prompt(field)));
            let line = typed::next(stopped).ok().flatten()?;
            let line = line.trim();
            if line == ":q" {
                return Some(None);
            }
            match form::value(field, line) {
                Ok(Some(value)) => {
                    values.insert(field.name.clone(), value);
                    break;
                }
                Ok(None) => break,
                Err(wrong) => tell(&format!("  {wrong}\n")),
            }
        }
    }
    Some(Some(values))
}

fn asked_of(what: &Outgoing) -> String {
    let text = nexi_engine::core::text::truncate(&one_line(what.text()), SHOWN);
    let asked = match what {
        Outgoing::Address { .. } => agree(say!("nexi-ask-open-address", address = text)),
        Outgoing::Query { .. } => agree(say!("nexi-ask-send-search", words = text)),
        Outgoing::Call { server, tool, arguments, reads, lasting, private, about: _ } => {
            // All of it: what is cut off may be what matters.
            let line = |argument: &ShownArgument| format!("  {}: {}\n", one_line(&argument.name), argument.value.replace('\n', "\n    "));
            let lines: String = arguments.iter().map(line).collect();
            let (tool, server) = (one_line(tool), one_line(server));
            let (wants, leak) = match server == COMMANDS {
                true => (say!("nexi-ask-run-command", tool = tool), say!("nexi-ask-leaks-to-command")),
                false => (say!("nexi-ask-use-tool", tool = tool, server = &server), say!("nexi-ask-leaks-to-server", server = &server)),
            };
            let leaks = if *private { format!("{leak}\n") } else { String::new() };
            let changes = if *reads { String::new() } else { format!("{}\n", say!("nexi-ask-may-change")) };
            let allow = say!("nexi-ask-allow-call");
            let allow = match (*reads && !private, *lasting) {
                (true, true) => format!("{allow} {}", say!("nexi-ask-ways.always")),
                (true, false) => format!("{allow} {}", say!("nexi-ask-ways.research")),
                (false, _) => agree(allow),
            };
            format!("{wants}\n{lines}{leaks}{changes}{allow}")
        }
    };
    sanitized(&format!("\n{asked} "))
}

fn agree(question: String) -> String {
    say!("nexi-terminal-agree", question = question)
}

/// What was typed before a question is no answer to it.
fn forget_typed() {
    #[cfg(unix)]
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
}
