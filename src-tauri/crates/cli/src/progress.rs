//! The progress line on standard error.

use std::io::{IsTerminal, Write};

use nexi_engine::core::{
    protocol::{Event, EventEnvelope},
    text::truncate,
    urls::site,
};

use crate::args::Output;

/// Shows what a run does: one moving line on a terminal, nothing elsewhere.
pub struct Progress {
    active: bool,
    colour: bool,
    model: String,
    step: u32,
    max_steps: u32,
    pages: u32,
    tokens: String,
    now: String,
}

impl Progress {
    /// Follows the terminal, `--plain` and `NO_COLOR`.
    pub fn new(output: Output) -> Self {
        let active = std::io::stderr().is_terminal() && !output.plain;
        let colour = active && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { active, colour, model: String::new(), step: 0, max_steps: 0, pages: 0, tokens: String::new(), now: String::new() }
    }

    /// Takes an event in.
    pub fn show(&mut self, envelope: &EventEnvelope) {
        match &envelope.event {
            Event::Started { max_steps, model, .. } => {
                self.max_steps = *max_steps;
                self.model.clone_from(model);
            }
            Event::Indexing { done, total } => self.now = format!("indexing documents {done}/{total}"),
            Event::StepStarted { step } => {
                self.step = *step;
                self.now = "thinking".into();
            }
            Event::Searching { queries, .. } => self.now = format!("searching: {}", queries.join(" | ")),
            Event::SearchDone { query, count, .. } => self.now = format!("{count} results for {query}"),
            Event::Reading { url, .. } => self.now = format!("reading {}", site(url)),
            Event::PageRead { title, .. } => {
                self.pages += 1;
                self.now = format!("read {title}");
            }
            Event::PageFailed { url, reason, .. } => self.now = format!("could not read {}: {reason}", site(url)),
            Event::AnswerDelta { .. } => self.now = "writing".into(),
            Event::Notice { text } => self.now.clone_from(text),
            Event::Compacted { .. } => self.now = "summarising to make room".into(),
            Event::Extracting { url, .. } => self.now = format!("taking in {}", site(url)),
            Event::Reasoning { .. } => self.now = "reasoning".into(),
            Event::Usage { usage, context, max_context } => {
                self.tokens = tokens(usage.total());
                if usage.cost > 0 {
                    self.tokens.push_str(&format!(" · ${:.4}", usage.cost as f64 / 1e6));
                }
                if *context > 0 {
                    self.tokens.push_str(&format!(" · context {}/{}", tokens(u64::from(*context)), tokens(u64::from(*max_context))));
                }
            }
            Event::AnswerReset | Event::Sources { .. } | Event::Ended { .. } => return,
        }
        self.draw(envelope.elapsed_ms);
    }

    /// Says something that is not an event.
    pub fn note(&mut self, text: &str) {
        self.now = text.to_owned();
        self.draw(0);
    }

    fn draw(&self, elapsed_ms: u64) {
        if !self.active {
            return;
        }
        let seconds = elapsed_ms as f64 / 1000.0;
        let line = truncate(
            &format!(
                "{} · step {}/{} · {} pages{}{} · {seconds:.1} s · {}",
                self.model,
                self.step,
                self.max_steps,
                self.pages,
                if self.tokens.is_empty() { "" } else { " · " },
                self.tokens,
                clean(&self.now)
            ),
            150,
        );
        let (dim, normal) = if self.colour { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        let mut err = std::io::stderr().lock();
        let _ = write!(err, "\r\x1b[K{dim}{line}{normal}");
        let _ = err.flush();
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.active {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// `850`, `12k`.
fn tokens(count: u64) -> String {
    if count < 1000 { format!("{count} tokens") } else { format!("{}k", count.div_ceil(1000)) }
}

/// Titles come from anywhere and must not steer the terminal.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
