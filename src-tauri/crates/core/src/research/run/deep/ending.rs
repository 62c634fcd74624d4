//! How deep runs end, and the report that is put together where no model writes one.

use super::{DeepRun, Effect, Phase};
use crate::prompts::unfinished;
use crate::protocol::{EndReason, Reasons};
use crate::{
    markdown::{escape, without_images},
    protocol::{Ending, Method, ThreadTitle, TurnState, Unfinished, Usage},
    run::{
        finish::{self, Cited},
        spending::usage_of_abandoned,
        unread_attachments,
    },
    text,
};

/// Bytes of a report that are kept at most.
const MAX_REPORT: usize = 512 * 1024;
/// Bytes of a line of the summary that is put together here.
const MAX_LINE: usize = 400;

impl DeepRun {
    /// The report cannot be written: what the researchers handed in takes its place.
    pub(super) fn give_up(&mut self, why: Reasons, out: &mut Vec<Effect>) {
        let found = !self.put_together().is_empty() || !self.streaming.text().trim().is_empty();
        let what = match found {
            true => EndReason::FindingsInstead,
            false => EndReason::NoReportYet,
        };
        self.end(TurnState::Partial, why.and(what), None, out);
    }

    /// The end of a run without a model: the reports are the report.
    pub(super) fn end_with_findings(&mut self, out: &mut Vec<Effect>) {
        self.enter(Phase::Synthesizing, out);
        let text = self.put_together();
        let (state, reason) = match self.limit.take() {
            Some(why) => (TurnState::Partial, why.and(EndReason::ReportUsesWhatWasFound)),
            None => (TurnState::Answered, Reasons::default()),
        };
        self.end(state, reason, Some(text), out);
    }

    /// What is awaited is not awaited any more. Requests are paid for all the same, and for `written` tokens of their replies.
    pub(super) fn abandon_own(&mut self, written: u64, out: &mut Vec<Effect>) {
        if self.awaited.is_empty() {
            return;
        }
        if self.awaited.bodies().next().is_some() {
            let is_limited = self.token_budget().is_limited();
            self.usage += usage_of_abandoned(self.awaited.bodies(), written, is_limited, &self.asked, self.counter.as_ref());
        }
        self.awaited.clear();
        out.push(Effect::Abandon);
    }

    /// Tokens of what has arrived of the reply that is awaited.
    pub(super) fn arrived(&self) -> u64 {
        self.counter.count(self.streaming.text()) as u64
    }

    pub(super) fn end(&mut self, state: TurnState, reason: Reasons, answer: Option<String>, out: &mut Vec<Effect>) {
        self.abandon_own(self.arrived(), out);
        self.cancel_all(out);
        // What was being written is worth more than what can be put together, once there is some of it.
        let answer = answer.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| {
            let together = self.put_together();
            if self.streaming.text().len() > together.len() / 2 { self.streaming.text().to_owned() } else { together }
        });
        let cited = finish::cite(whole(&answer), &self.book, self.keeps_handles);
        self.streaming.show_rest(&cited, out);
        self.close(state, reason, cited, out);
    }

    pub(super) fn close(&mut self, state: TurnState, reason: Reasons, cited: Cited, out: &mut Vec<Effect>) {
        let reason = self.with_caveats(state, reason);
        let usage: Usage = self.spent();
        let ending = Ending {
            state,
            reason,
            answer: cited.answer,
            sources: cited.sources,
            citations: cited.citations,
            statements: cited.statements,
            steps: self.awaited.requests() + self.researchers.iter().map(|researcher| researcher.run.steps()).sum::<u32>(),
            usage,
            model: self.author.stand_in().map(str::to_owned),
            incident: self.author.take_incident().map(Box::new),
            follow_ups: Vec::new(),
            check: cited.check.map(Box::new),
            method: Some(Box::new(self.method())),
            summary: None,
            title: self.thread_title().map(Box::new),
        };
        self.phase = Phase::Ended;
        out.push(Effect::Finish { ending: Box::new(ending), numbers: cited.numbers });
    }

    /// What the thread is called after the plan that a model made.
    fn thread_title(&self) -> Option<ThreadTitle> {
        let asked = &self.asked;
        let is_own = asked.is_first() && asked.assisted && !asked.question.starts_with(self.plan.title.trim_end_matches('…'));
        ThreadTitle::new(&self.plan.title, "").filter(|_| is_own)
    }

    /// A reason with what has to be known of an answer besides: that it rests on nothing, or not on all that was given.
    fn with_caveats(&self, state: TurnState, reason: Reasons) -> Reasons {
        let is_answer = matches!(state, TurnState::Answered | TurnState::Partial);
        let unread = unread_attachments::unread(&self.unread_attachments).filter(|_| is_answer);
        let bare = (is_answer && self.book.is_empty() && self.asked.assisted).then_some(EndReason::OwnKnowledge);
        reason.into_iter().chain(unread).chain(bare).collect()
    }

    fn method(&self) -> Method {
        let mut pages: Vec<u32> = self.researchers.iter().flat_map(|researcher| researcher.pages.iter().copied()).collect();
        pages.sort_unstable();
        pages.dedup();
        Method {
            title: self.plan.title.clone(),
            rounds: self.round,
            researchers: self.researchers.len() as u32,
            searches: self.researchers.iter().map(|researcher| researcher.run.searches()).sum(),
            pages: pages.len() as u32,
            unread: self.researchers.iter().map(|researcher| researcher.unread).sum(),
            open: self.open(),
            unfinished: self.unfinished(),
        }
    }

    /// What was to be found out and was not, with the reason, as models read it.
    pub(super) fn open(&self) -> Vec<String> {
        self.unfinished().iter().map(|task| format!("{}: {}", task.title, unfinished(&task.reason))).collect()
    }

    /// What was to be found out and was not, with the reason.
    fn unfinished(&self) -> Vec<Unfinished> {
        let begun = self.researchers.iter().filter(|researcher| !researcher.has_reported());
        let mut out: Vec<Unfinished> =
            begun.map(|researcher| Unfinished { title: researcher.task.title.clone(), reason: researcher.reason() }).collect();
        out.extend(self.queue.iter().map(|task| Unfinished { title: task.title.clone(), reason: EndReason::NotStarted.into() }));
        out
    }

    /// The reports of the researchers as one text; empty where there is none.
    pub(super) fn put_together(&self) -> String {
        let parts: Vec<(String, String)> = self
            .researchers
            .iter()
            .filter_map(|researcher| {
                let report = researcher.report().trim();
                if !report.is_empty() {
                    return Some((researcher.task.title.clone(), report.to_owned()));
                }
                // What stands in the pages that an AI had read and not yet written about.
                let found = researcher.unwritten(&self.book);
                (!found.is_empty()).then(|| (researcher.task.title.clone(), quoted(&found)))
            })
            .collect();
        if let [(_, only)] = parts.as_slice() {
            return only.clone();
        }
        let mut out = String::new();
        if !parts.is_empty() {
            out.push_str(&format!("## {}\n", self.asked.own_words.key_findings));
            for (title, report) in &parts {
                out.push_str(&format!("\n- **{}** {}", escape(title), first_line(report)));
            }
        }
        for (title, report) in &parts {
            out.push_str(&format!("\n\n## {}\n\n{}", escape(title), demoted(report)));
        }
        let words = &self.asked.own_words;
        let open = match words.with_reasons {
            true => self.open(),
            false => self.unfinished().into_iter().map(|task| task.title).collect(),
        };
        if !parts.is_empty() && !open.is_empty() {
            out.push_str(&format!("\n\n## {}\n", words.not_established));
            for line in open {
                out.push_str(&format!("\n- {}", escape(&line)));
            }
        }
        out
    }
}

/// A report as it is kept: without what the model thought aloud, without pictures, and not endless.
pub(super) fn whole(report: &str) -> String {
    let report = text::without_thinking(report.trim());
    closed(&without_images(&report[..text::floor_char(report, MAX_REPORT)]))
}

/// Passages as quotations, so that nobody takes a page's words for ours.
fn quoted(text: &str) -> String {
    text.lines()
        .map(|line| if line.starts_with("From [") { format!("\n{line}\n") } else { format!("> {}", escape(line)) })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The first line of a report that is neither a heading nor empty.
fn first_line(report: &str) -> String {
    let mut lines = report.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '>', '|', '`']));
    let first = lines.find(|line| !line.starts_with(['-', '*'])).unwrap_or_default();
    // What ends with a colon says nothing without what comes after it.
    let more =
        if first.ends_with(':') { lines.next().map(|line| line.trim_start_matches(['-', '*', ' '])).unwrap_or_default() } else { "" };
    text::truncate(format!("{first} {more}").trim_end(), MAX_LINE)
}

/// A text whose last code is closed, so that what comes after it is no code.
pub(super) fn closed(text: &str) -> String {
    let fences = text.lines().filter(|line| line.trim_start().starts_with("```")).count();
    if fences % 2 == 0 { text.to_owned() } else { format!("{text}\n```") }
}

/// Headings below the one that the report stands under.
fn demoted(report: &str) -> String {
    let mut in_code = false;
    let mut out = Vec::new();
    for line in report.lines() {
        in_code ^= line.trim_start().starts_with("```");
        let is_heading = !in_code && line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        let level = line.len() - line.trim_start_matches('#').len();
        out.push(if is_heading { format!("{}{}", "#".repeat((level + 2).clamp(3, 6)), &line[level..]) } else { line.to_owned() });
    }
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_go_below_their_headings() {
        assert_eq!(demoted("# A\n\n```\n# no heading\n```\n###### deep"), "### A\n\n```\n# no heading\n```\n###### deep");
        assert_eq!(first_line("## Summary\n\nIt fell [1].\n\nMore."), "It fell [1].");
        assert_eq!(first_line("What comes closest:\n\n“It fell.” [1]"), "What comes closest: “It fell.” [1]");
        assert_eq!(closed("a\n```\nb"), "a\n```\nb\n```");
    }
}
