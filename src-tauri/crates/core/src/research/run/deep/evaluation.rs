//! What the evaluator says: another round, or the report.

use super::{DeepRun, Effect, Phase, Purpose, plan};
use crate::run::json;
use crate::{
    citations,
    model::{FinishReason, Reply},
    protocol::{Decision, Event, Task},
    text,
};

/// Words that a text has at least to be a report.
const REPORT_WORDS: usize = 40;
/// Words that may stand in front of a decision that does not say that it is one.
const FEW_WORDS: usize = 12;
/// Bytes after which a text without any bracket is taken for a report while it arrives.
const CLEAR: usize = 160;

/// What an evaluation comes to.
#[derive(Debug, PartialEq)]
enum Verdict {
    Delegate(Vec<Task>),
    /// It is enough, but the report is still to be written.
    Enough,
    Report(String),
    /// Neither; the evaluator is asked again.
    Unclear,
}

/// Whether what has come so far can only be a report.
pub(super) fn begins_like_a_report(text: &str) -> bool {
    let text = text.trim_start();
    let is_heading = text.starts_with('#') && text.contains('\n');
    is_heading || (text.len() > CLEAR && !text.contains(['{', '`']))
}

/// A text without the fence that some models put around all they write.
pub(super) fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("```markdown").or_else(|| text.strip_prefix("```md")).map(|text| text.trim_end_matches("```").trim());
    inner.unwrap_or(text)
}

/// The report that a reply holds; empty where it is a decision, or the beginning of one.
pub(super) fn report_of(reply: &str) -> String {
    let text = unfenced(reply);
    match judge(text) {
        Verdict::Report(report) => report,
        Verdict::Delegate(_) | Verdict::Enough => String::new(),
        // A decision that was cut off cannot be read any more, and is no report, either.
        Verdict::Unclear if text.trim_start_matches("```json").trim_start().starts_with('{') && !is_report(text) => String::new(),
        Verdict::Unclear => text.to_owned(),
    }
}

fn judge(reply: &str) -> Verdict {
    let reply = unfenced(reply);
    // A report may show JSON; a decision begins with it, or has hardly anything around it.
    let object = json::find(reply).filter(|_| !reply.starts_with('#'));
    if let Some(value) = object {
        let action = value.get("action").and_then(|action| action.as_str()).unwrap_or_default().to_ascii_lowercase();
        let tasks = plan::tasks(&value);
        if action.starts_with("synth") {
            let report = ["report", "synthesis", "answer"].iter().find_map(|key| value.get(*key)?.as_str()).filter(|text| is_report(text));
            return report.map_or(Verdict::Enough, |report| Verdict::Report(report.to_owned()));
        }
        // Without a word about what it is, or with one of its own, it has to be all there is: a report may show JSON.
        let in_front = text::word_count(reply.split(['{', '[']).next().unwrap_or_default());
        if action != "delegate" && in_front > FEW_WORDS && is_report(reply) {
            return Verdict::Report(reply.to_owned());
        }
        if !tasks.is_empty() && (action == "delegate" || action.is_empty()) {
            return Verdict::Delegate(tasks);
        }
        if !action.is_empty() {
            return Verdict::Unclear;
        }
    }
    if is_report(reply) { Verdict::Report(reply.to_owned()) } else { Verdict::Unclear }
}

fn is_report(text: &str) -> bool {
    let has_heading = text.lines().any(|line| line.starts_with('#'));
    let cites = !citations::citations(text).is_empty();
    let words = text::word_count(text);
    // What has a heading and names its sources may be short.
    (has_heading && cites && words >= FEW_WORDS) || ((has_heading || cites) && words >= REPORT_WORDS)
}

impl DeepRun {
    /// Whether this was the first reply to the evaluation; what comes now is the second.
    fn is_asked_once(&mut self) -> bool {
        match &mut self.phase {
            Phase::Evaluating { attempts, .. } => {
                *attempts += 1;
                *attempts == 2
            }
            _ => false,
        }
    }

    pub(super) fn evaluated(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        let verdict = match reply.finish {
            FinishReason::ContentFilter => Verdict::Enough,
            _ => judge(&reply.text),
        };
        // Somebody has had enough while it was arriving.
        let hurry = self.hurry.take();
        if !matches!(verdict, Verdict::Report(_))
            && let Some(why) = hurry
        {
            self.limit = Some(why.into());
            self.synthesize(out);
            return;
        }
        let decided = |round, decision, tasks| Effect::Emit(Event::Decided { round, decision, tasks });
        match verdict {
            Verdict::Report(report) => {
                out.push(decided(self.round, Decision::Synthesize, Vec::new()));
                self.enter(Phase::Synthesizing, out);
                self.written(Reply { text: report, ..reply }, out);
            }
            Verdict::Enough => {
                out.push(decided(self.round, Decision::Synthesize, Vec::new()));
                self.synthesize(out);
            }
            Verdict::Delegate(tasks) => {
                self.streaming.reset(&self.book, out);
                let mut tasks = plan::tidy(tasks, &self.asked.question);
                tasks.truncate(plan::scale(self.plan.complexity) as usize);
                out.push(decided(self.round, Decision::Delegate, tasks.clone()));
                self.next_round(tasks, out);
            }
            Verdict::Unclear if self.is_asked_once() => {
                let messages = self.evaluation_request(Some(&reply.text));
                if !self.ask_model(Purpose::Evaluation, messages, out) {
                    self.report_at_the_ceiling(out);
                }
            }
            Verdict::Unclear => self.synthesize(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_understood() {
        let report = format!("# Bridge\n\n## Summary\n\n{}", "It fell in 1931 [1]. ".repeat(12));
        let task = |title: &str| Task { title: title.into(), goal: title.into(), queries: vec![title.into()] };
        for (text, wanted) in [
            (report.clone(), Verdict::Report(report.clone())),
            (format!("```markdown\n{report}\n```"), Verdict::Report(report.trim().to_owned())),
            (
                format!("{report}\n\n```json\n{{\"queries\": [\"x\"]}}\n```"),
                Verdict::Report(format!("{report}\n\n```json\n{{\"queries\": [\"x\"]}}\n```")),
            ),
            (
                r#"{"action": "delegate", "queries": ["the law", "the cost"]}"#.into(),
                Verdict::Delegate(vec![task("the law"), task("the cost")]),
            ),
            (
                "I think more is needed:\n{\"action\": \"delegate\", \"tasks\": [\"the law\",]".into(),
                Verdict::Delegate(vec![task("the law")]),
            ),
            (r#"{"action": "synthesize"}"#.into(), Verdict::Enough),
            (r#"{"action": "delegate", "queries": []}"#.into(), Verdict::Unclear),
            (r#"{"action": "dance"}"#.into(), Verdict::Unclear),
            ("I am not sure what to do here.".into(), Verdict::Unclear),
            (String::new(), Verdict::Unclear),
        ] {
            let verdict = judge(&text);
            let verdict = if let Verdict::Report(text) = verdict { Verdict::Report(text.trim().to_owned()) } else { verdict };
            let wanted = if let Verdict::Report(text) = wanted { Verdict::Report(text.trim().to_owned()) } else { wanted };
            assert_eq!(verdict, wanted, "{text}");
        }
    }

    #[test]
    fn only_reports_are_streamed() {
        assert!(begins_like_a_report("# Bridge\n") && begins_like_a_report(&"word ".repeat(60)));
        for text in ["#", "{\"action\"", "```json\n{", "Sure: {\"a\"", ""] {
            assert!(!begins_like_a_report(text), "{text}");
        }
    }
}
