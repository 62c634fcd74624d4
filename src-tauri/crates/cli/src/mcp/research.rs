//! What the tools do.

use std::time::Duration;

use nexi_engine::core::markdown::{for_others, without_html, without_images};
use nexi_engine::core::pricing::dollars;
use nexi_engine::core::protocol::Progress as Far;
use nexi_engine::core::protocol::{Event, EventEnvelope, LibraryQuery, Mode, Source, TeamSearch, Turn, TurnState};
use nexi_engine::export;
use nexi_engine::report::{Report, newest_source, source_text, statements_line};
use nexi_engine::{AskOptions, Subscription, sentences};
use nexi_messages::{decimal, say};
use rmcp::RoleServer;
use rmcp::model::{JsonObject, ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::tools::{Found, FoundShared, FoundTurn, Library, Read, Research, Search, arguments};
use super::{Outcome, Server, plan, resources, result, sentence};
use crate::happening::words;
use crate::history::in_words;
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
        let mut last = say!("nexi-progress-thinking");
        loop {
            tokio::select! {
                () = context.ct.cancelled(), if !stopped => {
                    stopped = true;
                    self.engine.cancel(run.turn());
                }
                _ = beat.tick(), if token.is_some() => {
                    told = further(told, deep, steps);
                    let message = say!("nexi-mcp-after", what = &last, seconds = begun.elapsed().as_secs());
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
                        let far = match deep {
                            None => say!("nexi-progress-step", step = steps.0, most = steps.1),
                            Some(far) if far.exploring => say!("nexi-progress-exploring"),
                            Some(far) => say!("nexi-progress-percent", percent = far.percent().unwrap_or_default()),
                        };
                        last = say!("nexi-mcp-far", far = far, what = what);
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
        let query = LibraryQuery { text: wanted.text.clone(), limit, ..LibraryQuery::default() };
        let page = {
            let _one_at_a_time = self.searching.lock().await;
            self.engine.library(query).await.map_err(sentence)?
        };
        let mut results: Vec<FoundTurn> = Vec::new();
        for row in page.rows {
            let Some(hit) = row.hit else { continue };
            results.push(FoundTurn {
                question: self.engine.turn(&hit.turn).await.map_or_else(|_| row.title.clone(), |turn| turn.question),
                uri: resources::address(&hit.turn),
                turn: hit.turn.0,
                thread: row.id.0,
                title: row.title,
                snippet: hit.pieces.iter().map(|piece| piece.text.as_str()).collect(),
                sources: row.sources,
                updated_ms: row.updated_ms,
            });
        }
        let (team, team_error) = match wanted.team.unwrap_or(true) && self.engine.has_team() {
            true => match tokio::time::timeout(TEAM, self.team_search(wanted.text, limit)).await {
                Ok(Ok(found)) => (found, None),
                Ok(Err(error)) => (Vec::new(), Some(error)),
                Err(_) => (Vec::new(), Some("it did not answer in time".into())),
            },
            false => (Vec::new(), None),
        };
        let mut lines: Vec<String> = results
            .iter()
            .map(|found| format!("- {} ({})\n  {}", one_line(&found.question), found.uri, one_line(&found.snippet)))
            .collect();
        lines.extend(team.iter().map(|found| {
            format!("- {}, by {} ({})\n  {}", one_line(&found.title), one_line(&found.author), found.uri, one_line(&found.snippet))
        }));
        if lines.is_empty() {
            lines.push("Nothing was found.".into());
        }
        lines.extend(team_error.as_ref().map(|error| format!("The team library could not be searched: {}", one_line(error))));
        result(&for_others(&lines.join("\n")), &Found { results, more: page.more, team, team_error })
    }

    /// Threads that others share. One's own are in the library already.
    async fn team_search(&self, text: String, limit: u32) -> Result<Vec<FoundShared>, String> {
        let page = self.engine.team_threads(&TeamSearch { text, limit, ..TeamSearch::default() }).await.map_err(sentence)?;
        let others = page.rows.into_iter().filter(|row| !row.own);
        Ok(others
            .map(|row| FoundShared {
                uri: resources::shared_address(&row.id),
                title: row.title,
                author: row.author,
                snippet: row.pieces.iter().map(|piece| piece.text.as_str()).collect(),
                turns: row.turns,
                updated_ms: row.updated_ms,
            })
            .collect())
    }
}

/// How long the team library may take.
const TEAM: Duration = Duration::from_secs(4);

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
        parts.push(format!("**{}** {}", say!("nexi-mcp-partial"), one_line(&reason)));
    }
    let (answer, legend) = export::labelled_answer(turn);
    parts.push(export::without_html(answer.trim()));
    // Titles are words of others.
    let titled = |source: &Source| Source { title: for_others(&source.title), ..source.clone() };
    let cited = ending.sources.iter().filter(|source| source.cited);
    let sources: Vec<String> = cited.map(|source| format!("- {}", source_text(ending, &titled(source)))).collect();
    if !sources.is_empty() {
        parts.push(format!("## {}\n\n{}", say!("answers-sources"), sources.join("\n")));
    }
    parts.extend(statements_line(turn).into_iter().chain(legend).reduce(|line, legend| format!("{line}  \n{legend}")));
    parts.extend(newest_source(turn));
    parts.extend(export::method_lines(turn));
    parts.extend(cautions(turn).into_iter().map(|line| say!("nexi-mcp-caution", what = line)));
    if verbose {
        let mut lines: Vec<String> = turn.events.iter().filter_map(account).map(|line| format!("- {line}")).collect();
        lines.dedup();
        parts.push(for_others(&format!("## {}\n\n{}", say!("nexi-mcp-account"), lines.join("\n"))));
    }
    let reason = sentences::reason_told(&ending.reason)
        .filter(|_| ending.state != TurnState::Partial)
        .map(|reason| format!(" ({})", for_others(&one_line(&reason))))
        .unwrap_or_default();
    let mut facts = vec![
        say!("answers-effort", effort = turn.effort.as_str()),
        say!("nexi-history-steps", count = ending.steps),
        say!("answers-seconds", count = decimal(turn.duration_ms as f64 / 1000.0, 1)),
        say!("answers-tokens", count = ending.usage.total()),
    ];
    if turn.mode == Mode::Deep {
        facts.insert(0, say!("answers-deep"));
    }
    if ending.usage.cost > 0 {
        facts.push(dollars(ending.usage.cost));
    }
    facts.push(say!("nexi-mcp-model", model = one_line(&turn.model)));
    parts.push(format!("---\n{}{reason}; {}", in_words(ending.state), facts.join(", ")));
    parts.join("\n\n")
}

/// One event in words; none for what is of no interest in a list.
fn account(envelope: &EventEnvelope) -> Option<String> {
    // What comes many times a second is no news.
    let is_news = !matches!(envelope.event.own(), Event::AnswerDelta { .. } | Event::Reasoning { .. });
    words(&envelope.event).filter(|_| is_news)
}
