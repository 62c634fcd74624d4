//! `nexi eval`: a set of questions, asked of several models, searches and checks side by side.

use nexi_engine::sentences;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use nexi_engine::core::protocol::{Event, StatementCounts, TurnState};
use nexi_engine::core::rank::terms::terms;
use nexi_engine::core::settings::AnswerCheck;
use nexi_engine::core::text::{plain, truncate_chars};
use nexi_engine::{AskOptions, BUILT_IN, Engine};
use nexi_messages::{decimal, say};
use serde::{Deserialize, Serialize};

use crate::args::{Common, Eval, Usage};
use crate::exit;
use crate::line::{columns, sanitized};
use crate::output::{failure, note, print_json, print_line};
use crate::start::{self, Interrupts};

/// Words of an answer within which an accepted answer counts as said at once.
const AT_ONCE: usize = 120;
/// Bytes of a question that are shown beside its progress.
const SHOWN: usize = 60;

/// A line of the set.
#[derive(Debug, Clone, Deserialize)]
struct Line {
    question: String,
    /// Answers that count, where they are known.
    #[serde(default)]
    answers: Vec<String>,
}

/// One way to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Way {
    /// As it was named; none is the settings' order.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// None is the settings' order.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<String>,
    /// None is the settings'.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<AnswerCheck>,
}

impl Way {
    fn name(&self) -> String {
        let parts = [
            Some(self.model.clone().unwrap_or_else(|| say!("nexi-eval-settings"))),
            self.search.clone(),
            self.check.map(|check| say!("nexi-eval-check", how = check.as_str())),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// What came of one question.
#[derive(Debug, Clone, Serialize)]
struct Outcome {
    question: String,
    state: TurnState,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    answer: String,
    /// Whether the answer holds one that counts; none where none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    /// The same for its first 120 words.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted_at_once: Option<bool>,
    statements: StatementCounts,
    /// Statements that a second look changed.
    corrected: usize,
    sources: usize,
    tokens: u64,
    /// In US dollars; 0 where no price is known.
    cost: f64,
    seconds: f64,
}

/// One way with all its results.
#[derive(Debug, Clone, Serialize)]
struct Report {
    #[serde(flatten)]
    way: Way,
    summary: Summary,
    results: Vec<Outcome>,
}

/// Shares are of the questions that were asked, and of the statements that were made.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Summary {
    asked: usize,
    /// With an answer.
    answered: usize,
    /// Of so many questions the accepted answers are known.
    judged: usize,
    accepted: usize,
    accepted_at_once: usize,
    statements: u32,
    supported: u32,
    partly_supported: u32,
    not_supported: u32,
    contradicted: u32,
    uncited: u32,
    corrected: usize,
    tokens: u64,
    cost: f64,
    /// Of one question.
    median_seconds: f64,
}

/// Asks every question in every way, and prints what came of it.
pub async fn run(eval: Eval, common: Common) -> Result<u8> {
    let lines = read(&eval.file, eval.limit)?;
    let engine = start::open_with_keys(&common).await?;
    let ways = ways(&engine, &eval)?;
    let mut interrupts = Interrupts::new()?;
    let mut reports = Vec::with_capacity(ways.len());
    let mut stopped = false;
    'all: for way in ways {
        let mut results = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            if !eval.quiet {
                let question = truncate_chars(&sanitized(&line.question), SHOWN);
                note(&format!("{} {}/{}: {question}", way.name(), index + 1, lines.len()));
            }
            match one(&engine, &eval, &way, line, &mut interrupts).await? {
                Some(result) => results.push(result),
                None => {
                    stopped = true;
                    reports.push(Report { summary: summary(&results), way, results });
                    break 'all;
                }
            }
        }
        reports.push(Report { summary: summary(&results), way, results });
    }
    if eval.json {
        print_json(&reports)?;
    } else {
        table(&reports)?;
    }
    Ok(if stopped { exit::CANCELLED } else { exit::ANSWERED })
}

/// Every way that the options name.
fn ways(engine: &Engine, eval: &Eval) -> Result<Vec<Way>> {
    let settings = engine.settings();
    let mut models: Vec<Option<String>> = Vec::new();
    for name in &eval.model {
        models.push(Some(start::model_named(&settings, name)?));
    }
    let mut searches: Vec<Option<String>> = eval.search.iter().cloned().map(Some).collect();
    let mut checks: Vec<Option<AnswerCheck>> = eval.check.iter().copied().map(Some).collect();
    if models.is_empty() {
        models.push(None);
    }
    if searches.is_empty() {
        searches.push(None);
    }
    if checks.is_empty() {
        checks.push(None);
    }
    let mut out = Vec::new();
    for model in &models {
        for search in &searches {
            for check in &checks {
                out.push(Way { model: model.clone(), search: search.clone(), check: *check });
            }
        }
    }
    Ok(out)
}

/// The questions of a file, one JSON object a line.
fn read(file: &Path, limit: Option<usize>) -> Result<Vec<Line>> {
    let name = sanitized(&file.display().to_string());
    let text = match file.as_os_str() == "-" {
        true => std::io::read_to_string(std::io::stdin()),
        false => std::fs::read_to_string(file),
    };
    let text = text.with_context(|| say!("nexi-eval-unreadable", file = &name))?;
    let mut out = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: Line = serde_json::from_str(line).map_err(|error| {
            let wanted = r#"{"question": "…", "answers": ["…"]}"#;
            Usage(say!("nexi-eval-bad-line", file = &name, line = index + 1, why = error.to_string(), example = wanted))
        })?;
        if line.question.trim().is_empty() {
            return Err(Usage(say!("nexi-eval-empty-question", file = name, line = index + 1)).into());
        }
        out.push(line);
    }
    if out.is_empty() {
        return Err(Usage(say!("nexi-eval-empty", file = name)).into());
    }
    out.truncate(limit.unwrap_or(usize::MAX));
    Ok(out)
}

/// Asks one question; none when the person stopped.
async fn one(engine: &Engine, eval: &Eval, way: &Way, line: &Line, interrupts: &mut Interrupts) -> Result<Option<Outcome>> {
    let options = AskOptions {
        question: line.question.clone(),
        effort: eval.effort,
        max_cost: eval.max_cost,
        any_cost: eval.any_cost,
        check: way.check,
        folders: eval.docs.clone(),
        provider: way.model.clone(),
        search: way.search.iter().cloned().collect(),
        focus: eval.focus,
        // A measurement leaves nothing behind and takes nothing from what others left.
        private: true,
        ..AskOptions::default()
    };
    let mut run = match engine.ask(options).await {
        Ok(run) => run,
        // What is wrong with a way is wrong with every question of it.
        Err(error) if error.is_usage() => return Err(error.into()),
        Err(error) => return Ok(Some(failed(line, failure(&error.into())))),
    };
    let turn = run.turn().clone();
    loop {
        tokio::select! {
            () = interrupts.next() => {
                engine.cancel(&turn);
                return Ok(None);
            }
            events = run.next() => match events {
                Some(events) if events.iter().any(|envelope| matches!(envelope.event, Event::Ended { .. })) => break,
                Some(_) => {}
                None => break,
            },
        }
    }
    let turn = engine.turn(&turn).await?;
    let ending = &turn.ending;
    let judged = |text: &str| (!line.answers.is_empty()).then(|| holds(text, &line.answers));
    let first: String = ending.answer.split_inclusive(char::is_whitespace).take(AT_ONCE).collect();
    let has_answer = !ending.answer.trim().is_empty() && ending.state != TurnState::NothingFound;
    Ok(Some(Outcome {
        question: line.question.clone(),
        state: ending.state,
        reason: sentences::reason_told(&ending.reason),
        accepted: judged(if has_answer { &ending.answer } else { "" }),
        accepted_at_once: judged(if has_answer { &first } else { "" }),
        statements: ending.counts(),
        corrected: ending.check.as_ref().map_or(0, |check| check.corrections.len()),
        sources: ending.sources.iter().filter(|source| source.cited).count(),
        tokens: ending.usage.total(),
        cost: ending.usage.cost as f64 / 1e6,
        seconds: Duration::from_millis(turn.duration_ms).as_secs_f64(),
        answer: turn.ending.answer,
    }))
}

fn failed(line: &Line, reason: String) -> Outcome {
    let judged = (!line.answers.is_empty()).then_some(false);
    Outcome {
        question: line.question.clone(),
        state: TurnState::Failed,
        reason: Some(reason),
        answer: String::new(),
        accepted: judged,
        accepted_at_once: judged,
        statements: StatementCounts::default(),
        corrected: 0,
        sources: 0,
        tokens: 0,
        cost: 0.0,
        seconds: 0.0,
    }
}

/// Whether a text has the words of one of these answers one after the other, however they are written.
fn holds(text: &str, answers: &[String]) -> bool {
    let folded = |text: &str| -> String { terms(&plain(text)).into_iter().fold(" ".into(), |all, term| all + &term.stem + " ") };
    let text = folded(text);
    answers.iter().map(|answer| folded(answer)).any(|answer| answer.trim() != "" && text.contains(&answer))
}

fn summary(results: &[Outcome]) -> Summary {
    let mut out = Summary { asked: results.len(), ..Summary::default() };
    for result in results {
        out.answered += usize::from(matches!(result.state, TurnState::Answered | TurnState::Partial) && !result.answer.trim().is_empty());
        out.judged += usize::from(result.accepted.is_some());
        out.accepted += usize::from(result.accepted == Some(true));
        out.accepted_at_once += usize::from(result.accepted_at_once == Some(true));
        out.statements += result.statements.all;
        out.supported += result.statements.supported;
        out.partly_supported += result.statements.partly_supported;
        out.not_supported += result.statements.not_supported;
        out.contradicted += result.statements.contradicted;
        out.uncited += result.statements.uncited;
        out.corrected += result.corrected;
        out.tokens += result.tokens;
        out.cost += result.cost;
    }
    let mut seconds: Vec<f64> = results.iter().map(|result| result.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    out.median_seconds = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
    out
}

fn table(reports: &[Report]) -> Result<()> {
    let columns_of = ["answered", "accepted", "at_once", "statements", "supported", "uncited", "corrected", "tokens", "cost", "time"];
    let head = columns_of.map(|column| say!(&format!("nexi-eval-columns.{column}")));
    let mut rows: Vec<Vec<String>> = vec![std::iter::once(String::new()).chain(head).collect()];
    for Report { way, summary, .. } in reports {
        let share = |part: usize, of: usize| {
            if of == 0 { "-".to_owned() } else { say!("nexi-eval-share", share = decimal(100.0 * part as f64 / of as f64, 1)) }
        };
        let of_statements = |part: u32| share(part as usize, summary.statements as usize);
        rows.push(vec![
            way.name(),
            share(summary.answered, summary.asked),
            share(summary.accepted, summary.judged),
            share(summary.accepted_at_once, summary.judged),
            summary.statements.to_string(),
            of_statements(summary.supported),
            of_statements(summary.uncited),
            summary.corrected.to_string(),
            summary.tokens.to_string(),
            if summary.cost > 0.0 { format!("${:.4}", summary.cost) } else { "-".into() },
            say!("nexi-eval-seconds", seconds = decimal(summary.median_seconds, 1)),
        ]);
    }
    print_line(&columns(&rows).join("\n"))?;
    let asked = reports.first().map_or(0, |report| report.summary.asked);
    let judged = reports.first().map_or(0, |report| report.summary.judged);
    print_line(&format!("\n{}", say!("nexi-eval-legend", count = asked, judged = judged, words = AT_ONCE)))?;
    if reports.iter().any(|report| report.way.model.as_deref().is_none_or(|model| model == "builtin")) {
        print_line(&say!("nexi-eval-built-in", name = BUILT_IN))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_however_they_are_written() {
        let holds = |text: &str, answer: &str| holds(text, &[answer.to_owned()]);
        assert!(holds("It was opened **in May 1931** [1].", "May 1931"));
        assert!(holds("the Bridges of Orvik", "bridge of Orvik"));
        assert!(!holds("in 19310", "1931") && !holds("anything", "") && !holds("", "a"));
    }

    #[test]
    fn a_summary_counts() {
        let line = Line { question: "q".into(), answers: vec!["a".into()] };
        let good = Outcome {
            state: TurnState::Answered,
            answer: "a".into(),
            accepted: Some(true),
            statements: StatementCounts { all: 3, supported: 2, uncited: 1, ..StatementCounts::default() },
            seconds: 3.0,
            ..failed(&line, String::new())
        };
        let found = summary(&[good.clone(), failed(&line, "no".into()), Outcome { accepted: None, ..good }]);
        assert_eq!((found.asked, found.answered, found.judged, found.accepted), (3, 2, 2, 1));
        assert_eq!((found.statements, found.supported, found.uncited, found.median_seconds), (6, 4, 2, 3.0));
    }
}
