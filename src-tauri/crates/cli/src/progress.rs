//! What a run does, on standard error: a moving line on a terminal, a short account elsewhere.

use nexi_engine::sentences;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use nexi_engine::core::pricing::dollars;
use nexi_engine::core::text::count;
use nexi_engine::core::{
    protocol::{DeepPhase, Event, EventEnvelope, Mode, Outgoing, TurnState},
    text::truncate,
    urls::site,
};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::args::Common;
use crate::line::one_line;
use crate::output::{colours_wanted, error_columns, is_dumb, note, tell};

/// Columns of the moving line where the terminal does not say how wide it is, and at most.
const WIDEST: usize = 150;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One line that is written again and again.
    Line,
    /// `[step 1 2 3] [error: …]`, written once.
    Compact,
    None,
}

/// Where a deep run stands.
#[derive(Default)]
struct Deep {
    round: u32,
    percent: Option<u32>,
    exploring: bool,
    at_work: u32,
}

impl Deep {
    fn words(&self) -> String {
        let far = match (self.exploring, self.percent) {
            (true, _) => "exploring".to_owned(),
            (false, Some(percent)) => format!("{percent}%"),
            (false, None) => return "planning".into(),
        };
        format!("{far} · round {} · {}", self.round, count(self.at_work.into(), "researcher"))
    }
}

/// Shows what a run does.
pub struct Progress {
    kind: Kind,
    colour: bool,
    model: String,
    step: u32,
    max_steps: u32,
    /// Numbers of the pages that were read: what two researchers read is one page.
    pages: BTreeSet<u32>,
    tokens: String,
    now: String,
    /// Of a deep run: how far it is, in which round, and who is at work.
    deep: Option<Deep>,
    /// When a pause that a service asked for is over.
    waiting_until: Option<Instant>,
    /// How long the run had taken, and when that was told.
    elapsed: (u64, Instant),
    /// The moving line stands on the terminal.
    drawn: Cell<bool>,
    /// What each call of a tool is called, by its step and place in it.
    calls: BTreeMap<(u32, u32), String>,
    /// A bracket of the short account that is not closed yet.
    open: Cell<bool>,
}

impl Progress {
    /// Follows the terminal, `--quiet`, `--plain` and `NO_COLOR`.
    pub fn new(quiet: bool, common: &Common) -> Self {
        let terminal = std::io::stderr().is_terminal();
        // A terminal that cannot take a line away is given the short account.
        let moving = terminal && !common.plain && !is_dumb();
        let kind = match (quiet || common.verbose, moving) {
            // What --verbose tells is more than this.
            (true, _) => Kind::None,
            (false, true) => Kind::Line,
            (false, false) => Kind::Compact,
        };
        Self {
            kind,
            colour: kind == Kind::Line && colours_wanted(),
            model: String::new(),
            step: 0,
            max_steps: 0,
            pages: BTreeSet::new(),
            tokens: String::new(),
            now: String::new(),
            deep: None,
            waiting_until: None,
            elapsed: (0, Instant::now()),
            drawn: Cell::new(false),
            calls: BTreeMap::new(),
            open: Cell::new(false),
        }
    }

    /// Takes an event in.
    pub fn show(&mut self, envelope: &EventEnvelope) {
        if !matches!(envelope.event, Event::Incident { .. }) {
            self.waiting_until = None;
        }
        self.elapsed = (envelope.elapsed_ms, Instant::now());
        if self.take(&envelope.event) {
            self.draw(envelope.elapsed_ms);
        }
    }

    /// Time has passed: the clock and a countdown go on.
    pub fn tick(&self) {
        if self.drawn.get() {
            let (elapsed, at) = self.elapsed;
            self.draw(elapsed + u64::try_from(at.elapsed().as_millis()).unwrap_or_default());
        }
    }

    /// Notes what happened; whether there is something to be shown.
    fn take(&mut self, event: &Event) -> bool {
        match event {
            Event::Started { max_steps, model, mode, .. } => {
                self.max_steps = *max_steps;
                self.deep = (*mode == Mode::Deep).then(Deep::default);
                self.model.clone_from(model);
            }
            Event::Summarising { turns } => self.now = format!("summarising {}", count((*turns).into(), "earlier question")),
            Event::Indexing { done, total } => self.now = format!("indexing documents {done}/{total}"),
            Event::StepStarted { step: 0 } => self.now = "reading what is attached".into(),
            Event::StepStarted { step } => {
                self.now = "thinking".into();
                if self.deep.is_none() {
                    self.step = *step;
                    self.tell_step();
                }
            }
            Event::Researcher { researcher, event } => {
                // The tokens of all together are told besides.
                if matches!(**event, Event::Usage { .. }) || !self.take(event) {
                    return false;
                }
                self.now = format!("{researcher} {}", self.now);
            }
            Event::Phase { phase, round } => {
                if let Some(deep) = &mut self.deep {
                    deep.round = *round;
                }
                self.now = match phase {
                    DeepPhase::Planning => "making a plan".into(),
                    DeepPhase::Approving => "waiting for you".into(),
                    DeepPhase::Researching => format!("round {round}"),
                    DeepPhase::Evaluating => "is it enough?".into(),
                    DeepPhase::Synthesizing => "writing the report".into(),
                };
                if *phase == DeepPhase::Researching {
                    self.step = *round;
                    self.tell_step();
                }
            }
            Event::PlanMade { plan, .. } => self.now = count(plan.tasks.len() as u64, "task"),
            Event::ResearcherStarted { researcher, task } => {
                if let Some(deep) = &mut self.deep {
                    deep.at_work += 1;
                }
                self.now = format!("{researcher} begins: {}", task.title);
            }
            Event::ResearcherEnded { researcher, findings } => {
                if let Some(deep) = &mut self.deep {
                    deep.at_work = deep.at_work.saturating_sub(1);
                }
                self.now = format!("{researcher} has ended");
                if let (TurnState::Failed, Some(reason)) = (findings.state, sentences::reason_told(&findings.reason)) {
                    self.tell_error(&format!("{researcher}: {reason}"));
                }
            }
            Event::ReportInjected { from, to } => self.now = format!("{to} hears of {from}"),
            Event::Decided { tasks, .. } if tasks.is_empty() => self.now = "it is enough".into(),
            Event::Decided { tasks, .. } => self.now = format!("another round: {}", count(tasks.len() as u64, "task")),
            Event::Progress { progress } => {
                if let Some(deep) = &mut self.deep {
                    (deep.percent, deep.exploring) = (progress.percent(), progress.exploring);
                }
            }
            Event::Searching { queries, .. } => self.now = format!("searching: {}", queries.join(" | ")),
            Event::SearchDone { query, count, .. } => {
                self.now = format!("{} for {query}", nexi_engine::core::text::count(u64::from(*count), "result"));
            }
            Event::Reading { url, .. } => self.now = format!("reading {}", site(url)),
            Event::PageRead { title, number, .. } => {
                self.pages.insert(*number);
                self.now = format!("read {title}");
            }
            Event::PageFailed { url, reason, .. } => {
                self.now = format!("could not read {}: {reason}", site(url));
                self.tell_error(&format!("{}: {reason}", site(url)));
            }
            Event::Calling { step, call, server, tool, .. } => {
                let name = format!("{tool} from {server}");
                self.now = format!("using {name}");
                self.calls.insert((*step, *call), name);
            }
            Event::CallProgress { done, total, message, .. } => {
                let done = total.map_or_else(|| done.to_string(), |total| format!("{done} of {total}"));
                self.now = message.as_ref().map_or(done.clone(), |message| format!("{done}: {message}"));
            }
            Event::Called { step, call, error: Some(error), .. } => {
                let name = self.calls.get(&(*step, *call)).map_or("a tool", String::as_str);
                let line = format!("{name}: {error}");
                self.now = format!("a tool failed: {line}");
                self.tell_error(&line);
                if self.kind == Kind::Line {
                    // The moving line would be gone in a moment.
                    self.clear();
                    note(&line);
                }
            }
            Event::Called { error: None, .. } => self.now = "the tool has returned".into(),
            Event::FormAsked { form, .. } => self.now = format!("{} asks something", form.server),
            Event::FormClosed { .. } => return false,
            Event::Held { what: Outgoing::Query { text }, waits: false, .. } => {
                self.now = format!("not sent to the web because it contains words from your documents or earlier answers: {text}");
                self.tell_note(&self.now.clone());
            }
            Event::Held { what: Outgoing::Call { server, tool, .. }, waits: true, .. } => {
                self.now = format!("waiting for you: {tool} from {server}");
            }
            Event::Held { what, .. } => self.now = format!("held back: {}", what.text()),
            Event::Released { allowed, .. } => self.now = if *allowed { "let through" } else { "held back" }.into(),
            Event::AnswerDelta { .. } => self.now = "writing".into(),
            Event::Notice { notice } => self.now = sentences::notice(notice),
            Event::Incident { incident } => {
                self.waiting_until = incident.wait().map(|wait| Instant::now() + wait);
                self.now = sentences::incident(incident);
                self.tell_note(&sentences::incident(incident));
            }
            Event::Summarised { .. } => self.now = "thinking".into(),
            Event::ThreadFilling { percent } => {
                self.tell_note(&format!(
                    "Earlier questions and answers fill {percent} % of the room the model has for them. To make room: nexi history summarise"
                ));
            }
            Event::Compacted { .. } => self.now = "summarising to make room".into(),
            Event::Extracting { url, .. } => self.now = format!("taking in {}", site(url)),
            Event::Checking { statements } => self.now = format!("looking again at {}", count(u64::from(*statements), "statement")),
            Event::Reasoning { .. } => self.now = "reasoning".into(),
            Event::Usage { usage, context, max_context } => {
                self.tokens = format!("{} tokens", thousands(usage.total()));
                if usage.cost > 0 {
                    self.tokens.push_str(&format!(" · {}", dollars(usage.cost)));
                }
                if *context > 0 {
                    self.tokens.push_str(&format!(" · context {}/{}", thousands(u64::from(*context)), thousands(u64::from(*max_context))));
                }
            }
            Event::AnswerReset | Event::Sources { .. } | Event::Ended { .. } => return false,
        }
        true
    }

    /// Says something that is not an event.
    pub fn note(&mut self, text: &str) {
        self.now = text.to_owned();
        self.draw(0);
    }

    fn draw(&self, elapsed_ms: u64) {
        if self.kind != Kind::Line {
            return;
        }
        let seconds = elapsed_ms as f64 / 1000.0;
        let step = self.deep.as_ref().map_or_else(|| format!("step {}/{}", self.step, self.max_steps), Deep::words);
        let (model, pages, time) = (one_line(&self.model), count(self.pages.len() as u64, "page"), format!("{seconds:.1} s"));
        let left = self.waiting_until.map(|until| until.saturating_duration_since(Instant::now())).filter(|left| *left > Duration::ZERO);
        let now = match left {
            Some(left) => {
                let what = self.now.split(" Trying again").next().unwrap_or_default();
                format!("{} Trying again in {} s", one_line(what), left.as_secs() + 1)
            }
            None => one_line(&self.now),
        };
        // What matters most stands first: narrow terminals cut the end off.
        let parts = [&time, &step, &now, &pages, &self.tokens, &model];
        let parts: Vec<&str> = parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        let line = columns(
            &parts.join(" · "),
            // A line that wraps could not be taken away again.
            error_columns().map_or(WIDEST, |width| width.saturating_sub(1).min(WIDEST)),
        );
        let (dim, normal) = if self.colour { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        self.drawn.set(true);
        tell(&format!("\r\x1b[K{dim}{line}{normal}"));
    }

    fn tell_step(&self) {
        if self.kind == Kind::Compact {
            let before = if self.open.replace(true) {
                " "
            } else if self.deep.is_some() {
                "[round "
            } else {
                "[step "
            };
            tell(&format!("{before}{}", self.step));
        }
    }

    fn tell_error(&self, text: &str) {
        self.tell_note(&format!("error: {text}"));
    }

    fn tell_note(&self, text: &str) {
        if self.kind == Kind::Compact {
            let before = if self.open.replace(false) { "] " } else { "" };
            tell(&format!("{before}[{}] ", truncate(&one_line(text), WIDEST)));
        }
    }

    /// Takes the moving line away.
    pub fn clear(&self) {
        // Anything else that stands there is not ours to take away.
        if self.drawn.replace(false) {
            tell("\r\x1b[K");
        }
    }

    /// Nothing more will be shown.
    pub fn finish(&self) {
        self.clear();
        if self.kind == Kind::Compact && self.step > 0 {
            let end = if self.open.replace(false) { "]" } else { "" };
            tell(&format!("{end} {} read\n", count(self.pages.len() as u64, "page")));
        }
    }
}

/// As much of a text as fits into so many columns; wide characters take two.
fn columns(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let fits = |c: &char| {
        let width = c.width().unwrap_or_default();
        let room = width <= left;
        left = left.saturating_sub(width);
        room
    };
    format!("{}…", text.chars().take_while(fits).collect::<String>())
}

/// `850`, `12k`.
fn thousands(count: u64) -> String {
    if count < 1000 { count.to_string() } else { format!("{}k", count.div_ceil(1000)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_into_the_terminal() {
        assert_eq!((columns("abc", 3), columns("abcd", 3)), ("abc".into(), "ab…".into()));
        assert_eq!(columns("日本語の本", 6), "日本…", "wide characters take two columns");
        assert_eq!(columns("日本語", 6), "日本語");
    }
}
