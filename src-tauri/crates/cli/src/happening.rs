//! What happens in a run, in a few words: for the moving line of a terminal and for MCP clients.

use nexi_engine::core::protocol::{DeepPhase, Event, Outgoing};
use nexi_engine::core::urls::site;
use nexi_engine::sentences;
use nexi_messages::say;

use crate::line::one_line;

/// What an event means to somebody who waits; `None` where there is nothing to say. Of a researcher of a deep run, his
/// name stands before it.
pub fn words(event: &Event) -> Option<String> {
    Some(match event {
        Event::Summarising { turns } => say!("nexi-progress-summarising", count = *turns),
        Event::Indexing { done, total } => say!("nexi-progress-indexing", done = *done, all = *total),
        Event::StepStarted { step: 0 } => say!("nexi-progress-attached"),
        Event::StepStarted { .. } | Event::Summarised { .. } => say!("nexi-progress-thinking"),
        Event::Researcher { researcher, event } => {
            say!("nexi-progress-of-researcher", researcher = researcher.to_string(), what = words(event)?)
        }
        Event::Phase { phase, round } => match phase {
            DeepPhase::Planning => say!("nexi-progress-phases.planning"),
            DeepPhase::Approving => say!("nexi-progress-phases.approving"),
            DeepPhase::Researching => say!("nexi-progress-phases.researching", round = *round),
            DeepPhase::Evaluating => say!("nexi-progress-phases.evaluating"),
            DeepPhase::Synthesizing => say!("nexi-progress-phases.synthesizing"),
        },
        Event::PlanMade { plan, .. } => {
            let titles: Vec<String> = plan.tasks.iter().map(|task| one_line(&task.title)).collect();
            say!("nexi-progress-plan", tasks = titles.join("; "))
        }
        Event::ResearcherStarted { researcher, task } => {
            say!("nexi-progress-begins", researcher = researcher.to_string(), task = one_line(&task.title))
        }
        Event::ResearcherEnded { researcher, .. } => say!("nexi-progress-ended", researcher = researcher.to_string()),
        Event::ReportInjected { from, to } => say!("nexi-progress-hears", to = to.to_string(), from = from.to_string()),
        Event::Decided { tasks, .. } if tasks.is_empty() => say!("nexi-progress-enough"),
        Event::Decided { tasks, .. } => say!("nexi-progress-another-round", count = tasks.len()),
        Event::Searching { queries, .. } => say!("nexi-progress-searching", queries = one_line(&queries.join(" | "))),
        Event::SearchDone { query, count, .. } => say!("nexi-progress-results", count = *count, query = one_line(query)),
        Event::Reading { url, .. } => say!("nexi-progress-reading", site = site(url)),
        Event::PageRead { title, .. } => say!("nexi-progress-read", title = one_line(title)),
        Event::PageFailed { url, reason, cause, .. } => {
            say!("nexi-progress-unread", site = site(url), why = one_line(&sentences::failed(cause.as_deref(), reason)))
        }
        Event::Calling { server, tool, .. } => say!("nexi-progress-using", tool = tool_of(tool, server)),
        Event::CallProgress { done, total, message, .. } => {
            let done = match total {
                Some(total) => say!("nexi-progress-done-of", done = done.to_string(), all = total.to_string()),
                None => done.to_string(),
            };
            message.as_ref().map_or(done.clone(), |message| format!("{done}: {}", one_line(message)))
        }
        Event::Called { error: Some(error), cause, .. } => {
            say!("nexi-progress-tool-failed", what = one_line(&sentences::failed(cause.as_deref(), error)))
        }
        Event::Called { error: None, .. } => say!("nexi-progress-tool-returned"),
        Event::FormAsked { form, .. } => say!("nexi-progress-form", server = one_line(&form.server)),
        Event::Held { what: Outgoing::Query { text }, waits: false, .. } => say!("nexi-progress-not-sent", query = one_line(text)),
        Event::Held { what: Outgoing::Call { server, tool, .. }, waits: true, .. } => {
            say!("nexi-progress-waiting", tool = tool_of(tool, server))
        }
        Event::Held { what, .. } => say!("nexi-progress-held-back-what", what = one_line(what.text())),
        Event::Released { allowed: true, .. } => say!("nexi-progress-let-through"),
        Event::Released { allowed: false, .. } => say!("nexi-progress-held-back"),
        Event::AnswerDelta { .. } => say!("nexi-progress-writing"),
        Event::Notice { notice } => one_line(&sentences::notice(notice)),
        Event::Incident { incident } => one_line(&sentences::incident(incident)),
        Event::ThreadFilling { percent } => say!("nexi-progress-filling", percent = *percent),
        Event::Compacted { .. } => say!("nexi-progress-compacting"),
        Event::Extracting { url, .. } => say!("nexi-progress-extracting", site = site(url)),
        Event::Checking { statements } => say!("nexi-progress-checking", count = *statements),
        Event::Reasoning { .. } => say!("nexi-progress-reasoning"),
        Event::Started { .. }
        | Event::Progress { .. }
        | Event::Usage { .. }
        | Event::FormClosed { .. }
        | Event::AnswerReset
        | Event::Sources { .. }
        | Event::Ended { .. } => return None,
    })
}

/// What a tool of somebody's server is called.
pub fn tool_of(tool: &str, server: &str) -> String {
    say!("nexi-progress-tool", tool = one_line(tool), server = one_line(server))
}
