//! What happened in a run, as a file: every input, request, search, address, decision and cost, in their order. Replaying
//! the inputs gives the same answer, without a network.

use crate::sentences;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nexi_core::{
    ids::{ThreadId, TurnId},
    model::{Message, Purpose},
    ports::SearchTool,
    protocol::{Ending, Event, Outgoing, ResearcherId, TurnState, Usage},
    run::{Effect, Input},
    tools,
};
use nexi_messages::say;
use nexi_store::history::Journaled;
use serde::{Deserialize, Serialize};

use super::{Engine, blocking, thread::whole_journal};
use crate::{EngineError, driver::fold, new_file::write_new};

/// The version of the format.
const FORMAT: u32 = 1;

/// One line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
enum Line {
    /// The first one.
    Run { nexi_audit: u32, nexi: String, thread: ThreadId, turn: TurnId, question: String, asked_ms: i64 },
    /// Something came in, so many milliseconds after the run began. All that follows, up to the next input, came of it.
    Input { seq: u64, elapsed_ms: u64, input: Box<Input> },
    /// A model was asked. What it was told is made anew from the inputs, by the version that wrote the file. The first
    /// `kept` messages were those of the request before.
    Request {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        researcher: Option<ResearcherId>,
        request: u32,
        purpose: Purpose,
        tools: Vec<String>,
        max_output_tokens: u32,
        kept: usize,
        messages: Vec<Message>,
    },
    Search {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        researcher: Option<ResearcherId>,
        tool: SearchTool,
        query: String,
        /// Nothing of it left this computer.
        local: bool,
    },
    Read {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        researcher: Option<ResearcherId>,
        url: String,
    },
    /// A call of a tool of the person's own.
    Call {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        researcher: Option<ResearcherId>,
        tool: String,
        arguments: serde_json::Value,
    },
    /// Pages that could be fetched before anybody asked for them.
    ReadAhead { urls: Vec<String> },
    /// The person was asked whether this may leave.
    Held {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        researcher: Option<ResearcherId>,
        what: Outgoing,
    },
    /// What was used until then.
    Used { usage: Usage },
    /// The last one.
    End { state: TurnState, reason: Option<String>, answer: String, usage: Usage },
}

/// What a replay came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replay {
    pub question: String,
    pub answer: String,
    pub state: TurnState,
    /// Inputs that were replayed.
    pub inputs: u64,
    /// Requests to models, searches and addresses.
    pub requests: u32,
    pub searches: u32,
    pub addresses: u32,
    pub usage: Usage,
    /// Whether answer and state are those of the file.
    pub same_answer: bool,
    /// Whether the run asked for the very same things in the same order.
    pub same_requests: bool,
}

impl Engine {
    /// What happened in a run that has ended, a JSON object a line.
    ///
    /// # Errors
    /// When there is no such turn, it is still being answered, or nothing is known of how it came about.
    pub async fn audit(&self, turn: &TurnId) -> Result<String, EngineError> {
        let found = self.turn(turn).await?;
        match found.ending.state {
            TurnState::Running => return Err(EngineError::Busy),
            TurnState::Interrupted => {
                return Err(EngineError::invalid("turn", say!("arguments-turn.interrupted")));
            }
            _ => {}
        }
        let thread = found.thread.clone();
        let journal = self.with_turn(turn, move |history, turn| whole_journal(history, &thread, turn)).await?;
        if journal.is_empty() {
            return Err(EngineError::invalid("turn", say!("arguments-turn.no_record")));
        }
        let head = Line::Run {
            nexi_audit: FORMAT,
            nexi: env!("CARGO_PKG_VERSION").into(),
            thread: found.thread,
            turn: found.id,
            question: found.question,
            asked_ms: found.asked_ms,
        };
        // The answer that was kept, so that a replay has something to be compared with.
        let Ending { state, reason, answer, usage, .. } = found.ending;
        blocking(move || {
            let told = leading_to(journal, &answer);
            let end = Line::End { state, reason: sentences::reason_told(&reason), answer, usage };
            let mut out = String::new();
            for line in std::iter::once(&head).chain(&told.lines).chain([&end]) {
                out.push_str(&serde_json::to_string(line).map_err(|error| unreadable(&error.to_string()))?);
                out.push('\n');
            }
            Ok(out)
        })
        .await?
    }

    /// Writes the same into a new file in `folder`; the file.
    ///
    /// # Errors
    /// As [`Engine::audit`], and when the folder cannot be written.
    pub async fn save_audit(&self, turn: &TurnId, folder: &Path) -> Result<PathBuf, EngineError> {
        let text = self.audit(turn).await?;
        let (folder, id) = (folder.to_path_buf(), turn.as_str().to_owned());
        blocking(move || write_new(&folder, &format!("nexi-run-{}.jsonl", &id[id.len().saturating_sub(8)..]), &text)).await?
    }
}

/// Replays a file of [`Engine::audit`], without a network and without a library.
///
/// # Errors
/// When it is no such file; the message names the line.
pub fn replay(text: &str) -> Result<Replay, EngineError> {
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: Line = serde_json::from_str(line).map_err(|_| unreadable(&say!("arguments-record.line", number = number + 1)))?;
        lines.push(line);
    }
    let Some(Line::Run { nexi_audit, question, .. }) = lines.first() else {
        return Err(unreadable(&say!("arguments-record.no_question")));
    };
    if *nexi_audit != FORMAT {
        return Err(unreadable(&say!("arguments-record.format", format = nexi_audit, known = FORMAT)));
    }
    let Some(Line::End { state, answer, .. }) = lines.last().cloned() else {
        return Err(unreadable(&say!("arguments-record.no_end")));
    };
    let question = question.clone();
    let journal: Vec<Journaled> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Input { elapsed_ms, input, .. } => Some(Journaled { elapsed_ms: *elapsed_ms, input: input.as_ref().clone() }),
            _ => None,
        })
        .collect();
    let told = leading_to(journal, &answer);
    let ending = told.ending.clone().unwrap_or_else(|| Ending::failed("the inputs lead to no end", ""));
    let count = |is: fn(&Line) -> bool| u32::try_from(told.lines.iter().filter(|line| is(line)).count()).unwrap_or(u32::MAX);
    Ok(Replay {
        question,
        inputs: count(|line| matches!(line, Line::Input { .. })).into(),
        requests: count(|line| matches!(line, Line::Request { .. })),
        searches: count(|line| matches!(line, Line::Search { .. })),
        addresses: count(|line| matches!(line, Line::Read { .. })),
        same_answer: ending.answer == answer && ending.state == state,
        same_requests: told.lines == lines[1..lines.len() - 1],
        answer: ending.answer,
        state: ending.state,
        usage: ending.usage,
    })
}

fn unreadable(why: &str) -> EngineError {
    EngineError::invalid("file", say!("arguments-record.none", why = why))
}

/// What a journal tells when it is replayed.
#[derive(Default)]
struct Told {
    /// No query leaves, whichever tool it is put to.
    searches_here: bool,
    corpora: Vec<String>,
    lines: Vec<Line>,
    ending: Option<Ending>,
    /// The messages of the last request of the same kind, by researcher and purpose.
    before: BTreeMap<(Option<ResearcherId>, String), Vec<Message>>,
}

/// What a journal tells in the way that leads to this answer: runs that were resumed after somebody asked on in their
/// thread keep their handles.
fn leading_to(journal: Vec<Journaled>, answer: &str) -> Told {
    let told = tell(journal.clone(), false);
    if told.answer() == answer {
        return told;
    }
    let other = tell(journal, true);
    if other.answer() == answer { other } else { told }
}

fn tell(journal: Vec<Journaled>, keeps_handles: bool) -> Told {
    let mut told = Told::default();
    let mut seq = 0;
    fold(journal, keeps_handles, |input, effects, elapsed_ms| {
        if let Input::Asked { asked } = input {
            told.searches_here = asked.searches_here;
            told.corpora.clone_from(&asked.corpora);
        }
        told.lines.push(Line::Input { seq, elapsed_ms, input: Box::new(input.clone()) });
        seq += 1;
        effects.into_iter().for_each(|effect| told.note(None, effect));
    });
    told
}

impl Told {
    fn answer(&self) -> &str {
        self.ending.as_ref().map_or("", |ending| &ending.answer)
    }

    fn note(&mut self, researcher: Option<ResearcherId>, effect: Effect) {
        let line = match effect {
            Effect::Of { researcher, effect } => return self.note(Some(researcher), *effect),
            Effect::AskModel { request, purpose, body } => {
                let before = self.before.entry((researcher, format!("{purpose:?}"))).or_default();
                let kept = before.iter().zip(&body.messages).take_while(|(before, now)| before == now).count();
                before.clone_from(&body.messages);
                Line::Request {
                    researcher,
                    request,
                    purpose,
                    tools: tools::offered(&body).into_iter().map(|tool| tool.name.into_owned()).collect(),
                    max_output_tokens: body.max_output_tokens,
                    kept,
                    messages: body.messages[kept..].to_vec(),
                }
            }
            Effect::Search { query, .. } => {
                let asks_corpora = query.tool.is_web() && self.corpora.iter().any(|name| !query.withheld.contains(name));
                let is_for_documents = query.documents_only || query.tool.is_local() || (query.tool.is_web() && self.searches_here);
                let local = is_for_documents && !asks_corpora;
                Line::Search { researcher, tool: query.tool, local, query: query.text }
            }
            Effect::Read { url, .. } => Line::Read { researcher, url },
            Effect::Call { tool, arguments, .. } => Line::Call { researcher, tool, arguments },
            Effect::Prefetch { urls } => Line::ReadAhead { urls },
            Effect::Permit { what, .. } => Line::Held { researcher, what },
            Effect::Emit(Event::Usage { usage, .. }) => Line::Used { usage },
            Effect::Finish { ending, .. } => {
                self.ending = Some(*ending);
                return;
            }
            Effect::Abandon | Effect::Emit(_) => return,
        };
        self.lines.push(line);
    }
}
