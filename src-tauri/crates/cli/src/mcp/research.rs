//! What the tools do.

use nexi_engine::sentences;
use std::time::Duration;

use nexi_engine::core::markdown::{for_others, without_html, without_images};
use nexi_engine::core::pricing::dollars;
use nexi_engine::core::protocol::Progress as Far;
use nexi_engine::core::protocol::{Event, EventEnvelope, LibraryQuery, Mode, Outgoing, Source, Turn, TurnState};
use nexi_engine::core::text::count;
use nexi_engine::core::urls::site;
use nexi_engine::export;
use nexi_engine::report::{Report, newest_source, source_text, statements_line};
use nexi_engine::{AskOptions, Subscription};
use rmcp::RoleServer;
use rmcp::model::{JsonObject, ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::tools::{Found, FoundTurn, Library, Read, Research, Search, arguments};
use super::{Outcome, Server, plan, resources, result, sentence};
use crate::line::one_line;
use crate::output::cautions;
use crate::web::{Pages, Searches, pages_text, search_text, wanted};

/// How often a client hears something, at least: many give up after a minute of silence.
const HEARTBEAT: Duration = Duration::from_secs(8);
/// What progress is counted to.
const WHOLE: f64 = 100.0;
/// How far a run seems that has not ended.
const ALMOST: f64 = 99.0;

/// What a call is told that nobody waits for any more.
const CANCELLED: &str = "The research was cancelled.";

impl Server {
    /// A whole research: progress while it runs, the answer at its end.
    pub(super) async fn research(&self, given: JsonObject, context: RequestContext<RoleServer>) -> Outcome {
        let wanted: Research = arguments(given)?;
        let _turn_to_run = tokio::select! {
            biased;
            () = context.ct.cancelled() => return Err(CANCELLED.into()),
            permit = self.runs.acquire() => permit.map_err(|_| "The server is ending.".to_owned())?,
        };
        if wanted.deep && wanted.max_iter.is_some() {
            return Err("max_iter: is not for deep research, whose researchers have budgets of their own; leave it out.".into());
        }
        let thread = match &wanted.thread {
            Some(_) if wanted.private => return Err("private: a thread of the library is kept; leave one of the two out.".into()),
            Some(id) => Some(self.engine.find_thread(id).await.map_err(|error| format!("thread: {}", sentence(error)))?),
            None => None,
        };
        let options = AskOptions {
            question: wanted.query,
            thread,
            private: wanted.private,
            effort: wanted.effort.map(Into::into),
            max_steps: wanted.max_iter,
            time_target: wanted.time_target,
            max_cost: wanted.max_cost,
            max_tokens: wanted.max_tokens,
            check: wanted.check.map(Into::into),
            thinking: wanted.think.map(Into::into),
            focus: wanted.focus.map(Into::into).unwrap_or_default(),
            mode: if wanted.deep { Mode::Deep } else { Mode::Quick },
            // A client without forms cannot show a plan, so the run begins without asking.
            approve_plan: (!plan::can_ask(&context.peer)).then_some(false),
            for_others: true,
            ..AskOptions::default()
        };
        let run = self.engine.ask(options).await.map_err(sentence)?;
        let id = run.turn().clone();
        self.watch(run, &context).await;
        let turn = self.engine.turn(&id).await.map_err(sentence)?;
        match turn.ending.state {
            TurnState::Cancelled => return Err(CANCELLED.into()),
            TurnState::Failed | TurnState::Running | TurnState::Interrupted if turn.ending.answer.trim().is_empty() => {
                return Err(sentences::reason_told(&turn.ending.reason).unwrap_or_else(|| "The research failed.".into()));
            }
            _ => {}
        }
        result(&markdown(&turn, wanted.verbose), &Report::from(turn))
    }

    /// Follows a run to its end; stops it when the client does not want it any more.
    async fn watch(&self, mut run: Subscription, context: &RequestContext<RoleServer>) {
        let token = context.meta.get_progress_token();
        let (mut told, mut stopped, mut steps) = (0.0, false, (0, 0));
        let mut deep = None;
        let begun = Instant::now();
        let mut beat = tokio::time::interval_at(begun + HEARTBEAT, HEARTBEAT);
        let mut last = "thinking".to_owned();
        loop {
            tokio::select! {
                () = context.ct.cancelled(), if !stopped => {
                    stopped = true;
                    self.engine.cancel(run.turn());
                }
                _ = beat.tick(), if token.is_some() => {
                    told = further(told, deep, steps);
                    let message = format!("{last}, {} s", begun.elapsed().as_secs());
                    self.tell(context, token.as_ref(), told, message).await;
                }
                events = run.next() => {
                    let Some(events) = events else { return };
                    for envelope in events {
                        match &envelope.event {
                            Event::Ended { .. } => return,
                            Event::Started { max_steps, mode, .. } => {
                                steps.1 = *max_steps;
                                deep = (*mode == Mode::Deep).then_some(Far::default());
                            }
                            Event::Progress { progress } => deep = Some(*progress),
                            Event::PlanMade { plan, waits: true } => {
                                tokio::spawn(plan::ask(self.engine.clone(), context.peer.clone(), run.turn().clone(), plan.clone()));
                            }
                            Event::StepStarted { step } => steps.0 = *step,
                            _ => {}
                        }
                        let (Some(_), Some(what)) = (&token, account(&envelope)) else { continue };
                        told = further(told, deep, steps);
                        last = match deep {
                            None => format!("step {}/{}: {what}", steps.0, steps.1),
                            Some(far) if far.exploring => format!("exploring: {what}"),
                            Some(far) => format!("{}%: {what}", far.percent().unwrap_or_default()),
                        };
                        self.tell(context, token.as_ref(), told, last.clone()).await;
                        beat.reset();
                    }
                }
            }
        }
    }

    /// Tells a client how far a run is, if it wants to know.
    async fn tell(&self, context: &RequestContext<RoleServer>, token: Option<&ProgressToken>, told: f64, message: String) {
        let Some(token) = token else { return };
        let progress = ProgressNotificationParam::new(token.clone(), told).with_total(WHOLE).with_message(message);
        // A client that is gone needs no progress.
        let _ = context.peer.notify_progress(progress).await;
    }

    /// A search without a model.
    pub(super) async fn web_search(&self, given: JsonObject, context: RequestContext<RoleServer>) -> Outcome {
        let wanted: Search = arguments(given)?;
        let found: Searches = self.engine.search(&wanted.queries, None, &stopped_with(&context)).await.map_err(sentence)?.into();
        let failed = found.searches.iter().all(|query| query.error.is_some());
        // Titles and snippets are words of others.
        marked(result(&for_others(&search_text(&found)), &found), failed)
    }

    /// A reading without a model.
    pub(super) async fn web_read(&self, given: JsonObject, context: RequestContext<RoleServer>) -> Outcome {
        let Read { urls, instructions, get_full, use_chunks } = arguments(given)?;
        if use_chunks && !get_full && instructions.as_ref().is_none_or(|text| text.trim().is_empty()) {
            return Err("use_chunks: needs instructions, by which the pieces are chosen.".into());
        }
        let wanted = wanted(get_full, use_chunks, instructions);
        let pages: Pages = self.engine.read(&urls, &wanted, None, &[], &stopped_with(&context)).await.map_err(sentence)?.into();
        let failed = pages.pages.iter().all(|page| page.error.is_some());
        // Links of a page stay as they are: there are many, and a client's model may follow them.
        marked(result(&without_images(&without_html(&pages_text(&pages))), &pages), failed)
    }

    /// A search of the library.
    pub(super) async fn library_search(&self, given: JsonObject) -> Outcome {
        let wanted: Library = arguments(given)?;
        if wanted.text.trim().is_empty() {
            return Err("text: is empty; write a few words that occur in what is looked for.".into());
        }
        let limit = wanted.limit.unwrap_or(10);
        if !(1..=100).contains(&limit) {
            return Err("limit: must be between 1 and 100.".into());
        }
        let query = LibraryQuery { text: wanted.text, limit, ..LibraryQuery::default() };
        let page = {
            let _one_at_a_time = self.searching.lock().await;
            self.engine.library(query).await.map_err(sentence)?
        };
        let results: Vec<FoundTurn> = page
            .rows
            .into_iter()
            .filter_map(|row| {
                let hit = row.hit?;
                Some(FoundTurn {
                    uri: resources::address(&hit.turn),
                    turn: hit.turn.0,
                    thread: row.id.0,
                    title: row.title,
                    snippet: hit.pieces.iter().map(|piece| piece.text.as_str()).collect(),
                    sources: row.sources,
                    updated_ms: row.updated_ms,
                })
            })
            .collect();
        let lines: Vec<String> =
            results.iter().map(|found| format!("- {} ({})\n  {}", one_line(&found.title), found.uri, one_line(&found.snippet))).collect();
        let text = if lines.is_empty() { "Nothing was found.".into() } else { lines.join("\n") };
        result(&for_others(&text), &Found { results, more: page.more })
    }
}

/// How far a run is, of [`WHOLE`]: always further than before, and never at the end.
fn further(told: f64, deep: Option<Far>, steps: (u32, u32)) -> f64 {
    let seems = match deep {
        Some(far) => f64::from(far.percent().unwrap_or_default()),
        // Few runs use all their steps.
        None => WHOLE * f64::from(steps.0) / f64::from(steps.1.max(1) + 1),
    };
    // What is left shrinks and never runs out.
    (told + (ALMOST - told) / 200.0).max(seems.min(ALMOST - 1.0))
}

/// Ends with the request.
fn stopped_with(context: &RequestContext<RoleServer>) -> CancellationToken {
    context.ct.child_token()
}

/// A result that is a failure where nothing went well; it says the same in both forms.
fn marked(mut outcome: Outcome, failed: bool) -> Outcome {
    if let (Ok(result), true) = (&mut outcome, failed) {
        result.is_error = Some(true);
    }
    outcome
}

/// The answer with its sources and figures, and how it came about where that is wanted.
fn markdown(turn: &Turn, verbose: bool) -> String {
    let ending = &turn.ending;
    let mut parts = Vec::new();
    // A client that shows only the first line must still tell what kind of answer it is.
    if let (TurnState::Partial, Some(reason)) = (ending.state, sentences::reason_told(&ending.reason)) {
        parts.push(format!("**Partial answer.** {}", one_line(&reason)));
    }
    let (answer, legend) = export::labelled_answer(turn);
    parts.push(export::without_html(answer.trim()));
    // Titles are words of others.
    let titled = |source: &Source| Source { title: for_others(&source.title), ..source.clone() };
    let cited = ending.sources.iter().filter(|source| source.cited);
    let sources: Vec<String> = cited.map(|source| format!("- {}", source_text(ending, &titled(source)))).collect();
    if !sources.is_empty() {
        parts.push(format!("## Sources\n\n{}", sources.join("\n")));
    }
    parts.extend(statements_line(turn).into_iter().chain(legend).reduce(|line, legend| format!("{line}  \n{legend}")));
    parts.extend(newest_source(turn));
    parts.extend(export::method_lines(turn));
    parts.extend(cautions(turn).into_iter().map(|line| format!("Caution: {line}.")));
    if verbose {
        let lines: Vec<String> = turn.events.iter().filter_map(account).map(|line| format!("- {line}")).collect();
        parts.push(for_others(&format!("## How it was researched\n\n{}", lines.join("\n"))));
    }
    let reason = sentences::reason_told(&ending.reason)
        .filter(|_| ending.state != TurnState::Partial)
        .map(|reason| format!(" ({})", for_others(&one_line(&reason))))
        .unwrap_or_default();
    let cost = if ending.usage.cost > 0 { format!(", {}", dollars(ending.usage.cost)) } else { String::new() };
    parts.push(format!(
        "---\n{}{reason}; {}effort {}, {}, {:.1} s, {} tokens{cost}, model {}",
        ending.state.as_str(),
        if turn.mode == Mode::Deep { "deep, " } else { "" },
        turn.effort.as_str(),
        count(ending.steps.into(), "step"),
        turn.duration_ms as f64 / 1000.0,
        ending.usage.total(),
        one_line(&turn.model)
    ));
    parts.join("\n\n")
}

/// One event in words; none for what is of no interest in a list.
fn account(envelope: &EventEnvelope) -> Option<String> {
    Some(match &envelope.event {
        Event::StepStarted { .. } => "thinking".into(),
        Event::Searching { queries, .. } => format!("searching: {}", one_line(&queries.join(" | "))),
        Event::SearchDone { query, count, .. } => {
            format!("{} for {}", nexi_engine::core::text::count((*count).into(), "result"), one_line(query))
        }
        Event::Reading { url, .. } => format!("reading {}", site(url)),
        Event::PageRead { title, .. } => format!("read {}", one_line(title)),
        Event::PageFailed { url, reason, .. } => format!("could not read {}: {}", site(url), one_line(reason)),
        Event::Held { what: Outgoing::Query { text }, .. } => {
            format!("not sent to the web, because it holds words found only in private documents: {}", one_line(text))
        }
        Event::Extracting { url, .. } => format!("taking in {}", site(url)),
        Event::Checking { statements } => format!("looking again at {}", count(u64::from(*statements), "statement")),
        Event::Compacted { .. } => "summarising to make room".into(),
        Event::Notice { notice } => one_line(&sentences::notice(notice)),
        Event::Incident { incident } => one_line(&sentences::incident(incident)),
        Event::PlanMade { plan, .. } => {
            let titles: Vec<String> = plan.tasks.iter().map(|task| one_line(&task.title)).collect();
            format!("the plan: {}", titles.join("; "))
        }
        Event::ResearcherStarted { researcher, task } => format!("researcher {researcher} begins: {}", one_line(&task.title)),
        Event::ResearcherEnded { researcher, findings } => format!("researcher {researcher}: {}", findings.state.as_str()),
        Event::Decided { tasks, .. } if !tasks.is_empty() => format!("another round with {}", count(tasks.len() as u64, "task")),
        Event::Decided { .. } => "the report is written".into(),
        Event::Researcher { researcher, event } => {
            format!("{researcher} {}", account(&EventEnvelope { event: event.as_ref().clone(), ..envelope.clone() })?)
        }
        _ => return None,
    })
}
