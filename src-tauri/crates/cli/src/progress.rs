//! What a run does, on standard error: a moving line on a terminal, a short account elsewhere.

use nexi_engine::sentences;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use nexi_engine::core::pricing::dollars;
use nexi_engine::core::{
    protocol::{DeepPhase, Event, EventEnvelope, Incident, IncidentAction, Mode, Outgoing, TurnState},
    text::truncate,
    urls::site,
};
use nexi_messages::{decimal, say};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::args::Common;
use crate::happening::{tool_of, words};
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
            (true, _) => say!("nexi-progress-exploring"),
            (false, Some(percent)) => say!("nexi-progress-percent", percent = percent),
            (false, None) => return say!("nexi-progress-planning"),
        };
        say!("nexi-progress-deep", far = far, round = self.round, researchers = self.at_work)
    }
}

/// Until a service may be asked again.
struct Pause {
    until: Instant,
    incident: Incident,
    researcher: Option<String>,
}

impl Pause {
    /// What is waited for and how long still; `None` when the pause is over.
    fn words(&self) -> Option<String> {
        let left = self.until.checked_duration_since(Instant::now()).filter(|left| *left > Duration::ZERO)?;
        let action = IncidentAction::Retry { wait_ms: (left.as_secs() + 1) * 1000 };
        let said = sentences::incident(&Incident { action, ..self.incident.clone() });
        Some(match &self.researcher {
            Some(researcher) => say!("nexi-progress-of-researcher", researcher = researcher, what = said),
            None => said,
        })
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
    /// A pause that a service asked for.
    pause: Option<Pause>,
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
            pause: None,
            elapsed: (0, Instant::now()),
            drawn: Cell::new(false),
            calls: BTreeMap::new(),
            open: Cell::new(false),
        }
    }

    /// Takes an event in.
    pub fn show(&mut self, envelope: &EventEnvelope) {
        if !matches!(envelope.event, Event::Incident { .. }) {
            self.pause = None;
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
        let said = words(event);
        match event {
            Event::Started { max_steps, model, mode, .. } => {
                self.max_steps = *max_steps;
                self.deep = (*mode == Mode::Deep).then(Deep::default);
                self.model.clone_from(model);
            }
            Event::StepStarted { step } if *step > 0 && self.deep.is_none() => {
                self.step = *step;
                self.tell_step();
            }
            Event::Researcher { researcher, event } => {
                if matches!(**event, Event::Usage { .. }) || !self.take(event) {
                    return false;
                }
                self.now = say!("nexi-progress-of-researcher", researcher = researcher.to_string(), what = &self.now);
                if let Some(pause) = &mut self.pause {
                    pause.researcher = Some(researcher.to_string());
                }
                return true;
            }
            Event::Phase { phase, round } => {
                if let Some(deep) = &mut self.deep {
                    deep.round = *round;
                }
                if *phase == DeepPhase::Researching {
                    self.step = *round;
                    self.tell_step();
                }
            }
            Event::ResearcherStarted { .. } => {
                if let Some(deep) = &mut self.deep {
                    deep.at_work += 1;
                }
            }
            Event::ResearcherEnded { researcher, findings } => {
                if let Some(deep) = &mut self.deep {
                    deep.at_work = deep.at_work.saturating_sub(1);
                }
                if let (TurnState::Failed, Some(reason)) = (findings.state, sentences::reason_told(&findings.reason)) {
                    self.tell_error(&format!("{researcher}: {reason}"));
                }
            }
            Event::Progress { progress } => {
                if let Some(deep) = &mut self.deep {
                    (deep.percent, deep.exploring) = (progress.percent(), progress.exploring);
                }
            }
            Event::PageRead { number, .. } => drop(self.pages.insert(*number)),
            // What was given along is missed more than a page of the web.
            Event::PageFailed { step: 0, .. } => {
                said.iter().for_each(|said| self.tell_note(said));
                if self.kind == Kind::Line {
                    self.clear();
                    said.iter().for_each(|said| note(said));
                }
            }
            Event::PageFailed { url, reason, cause, .. } => {
                self.tell_error(&format!("{}: {}", site(url), sentences::failed(cause.as_deref(), reason)));
            }
            Event::Calling { step, call, server, tool, .. } => drop(self.calls.insert((*step, *call), tool_of(tool, server))),
            Event::Called { step, call, error: Some(error), cause, .. } => {
                let name = self.calls.get(&(*step, *call)).cloned().unwrap_or_else(|| say!("nexi-progress-some-tool"));
                let line = format!("{name}: {}", sentences::failed(cause.as_deref(), error));
                self.now = say!("nexi-progress-tool-failed", what = &line);
                self.tell_error(&line);
                // The moving line is gone with the next event.
                if self.kind == Kind::Line {
                    self.clear();
                    note(&line);
                }
                return true;
            }
            Event::Held { what: Outgoing::Query { .. }, waits: false, .. } => said.iter().for_each(|said| self.tell_note(said)),
            Event::Incident { incident } => {
                let pause = |wait| Pause { until: Instant::now() + wait, incident: incident.clone(), researcher: None };
                self.pause = incident.wait().map(pause);
                said.iter().for_each(|said| self.tell_note(said));
            }
            Event::ThreadFilling { .. } => {
                said.iter().for_each(|said| self.tell_note(said));
                return true;
            }
            Event::Usage { usage, context, max_context } => {
                self.tokens = say!("nexi-progress-tokens", count = thousands(usage.total()));
                if usage.cost > 0 {
                    self.tokens.push_str(&format!(" · {}", dollars(usage.cost)));
                }
                if *context > 0 {
                    let (used, most) = (thousands(u64::from(*context)), thousands(u64::from(*max_context)));
                    self.tokens.push_str(&format!(" · {}", say!("nexi-progress-context", used = used, most = most)));
                }
            }
            Event::AnswerReset | Event::Sources { .. } | Event::Ended { .. } | Event::FormClosed { .. } => return false,
            _ => {}
        }
        if let Some(said) = said {
            self.now = said;
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
        let step = self.deep.as_ref().map_or_else(|| say!("nexi-progress-step", step = self.step, most = self.max_steps), Deep::words);
        let (model, pages, time) = (
            one_line(&sentences::model_name(&self.model)),
            say!("nexi-progress-pages", count = self.pages.len()),
            say!("nexi-progress-seconds", seconds = decimal(seconds, 1)),
        );
        let now = one_line(&self.pause.as_ref().and_then(Pause::words).unwrap_or_else(|| self.now.clone()));
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
            tell(&if self.open.replace(true) {
                format!(" {}", self.step)
            } else if self.deep.is_some() {
                say!("nexi-progress-compact.round", number = self.step)
            } else {
                say!("nexi-progress-compact.step", number = self.step)
            });
        }
    }

    fn tell_error(&self, text: &str) {
        self.tell_note(&say!("nexi-progress-error", what = text));
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
            tell(&format!("{end} {}\n", say!("nexi-progress-pages-read", count = self.pages.len())));
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
