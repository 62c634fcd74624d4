//! The built-in researcher: no AI. It searches with the question's own words, reads what ranks
//! best, and answers with real quotes, or says that it found nothing.

mod answer;
mod queries;

use std::collections::BTreeMap;

use async_trait::async_trait;
use nexi_core::{
    model::{Delta, DeltaSink, FinishReason, Message, Model, ModelError, ModelRequest, Reply, ToolCall, ToolSet},
    ports::Cause,
    protocol::Usage,
    quotes,
    run::{QueryResult, ReadPage, ToolResult, is_attached},
    urls::page_key,
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// Pages read at once.
const PAGES: usize = 8;

/// Pages that a researcher of a deep run reads at once, the last batch first.
const BATCHES: [usize; 3] = [3, 2, 3];

/// How the researcher is called everywhere.
pub const LABEL: &str = "Built-in researcher";

/// A model that quotes sources and uses no AI.
#[derive(Debug, Clone, Default)]
pub struct BuiltinResearcher {
    words: Words,
}

impl BuiltinResearcher {
    /// With its own sentences in another language.
    pub fn speaking(words: Words) -> Self {
        Self { words }
    }
}

/// What it says itself, around its quotations.
#[derive(Debug, Clone)]
pub struct Words {
    /// Above further quotations.
    pub also: String,
    /// Above a quotation that answers a part, and above one that is about something else.
    pub doubtful: String,
    pub other: String,
    /// That nothing was found; then why: no search worked, none had results, no page could be read, all are about other things.
    pub nothing: String,
    pub no_search: String,
    pub no_results: String,
    pub no_page: String,
    pub other_things: String,
    /// Above what searches that did not work said.
    pub failed: String,
    /// What can be done.
    pub advice: String,
    /// Why a search failed.
    pub cause: fn(&Cause) -> String,
}

impl Default for Words {
    fn default() -> Self {
        Self {
            also: quotes::ALSO.into(),
            doubtful: "No source answers the whole question. The closest passage:".into(),
            other: "I found nothing that answers this question. The closest passage is about something else:".into(),
            nothing: "I found nothing relevant to this question.".into(),
            no_search: "None of the searches could be carried out.".into(),
            no_results: "The searches had no results.".into(),
            no_page: "There were results, but none of the pages could be read.".into(),
            other_things: "The pages I read are about other things.".into(),
            failed: "Not every search worked:".into(),
            advice: "Add folders with documents, try other words, or connect a model in Settings.".into(),
            cause: ToString::to_string,
        }
    }
}

/// What the conversation holds for the question that is being answered.
#[derive(Default)]
struct Material<'a> {
    question: &'a str,
    /// The question before it, for follow-ups that say only "and then?".
    before: Option<&'a str>,
    searches: Vec<&'a QueryResult>,
    pages: Vec<&'a ReadPage>,
    /// How many of the pages were given along with the question.
    attached: usize,
    tried: Vec<String>,
    calls: usize,
    /// Pages of the batch that a researcher of a deep run may read now, where it was told.
    batches: Vec<usize>,
}

impl<'a> Material<'a> {
    fn new(request: &'a ModelRequest) -> Self {
        let mut material = Material::default();
        for message in &request.messages {
            match message {
                Message::User { text } if material.calls == 0 => {
                    material.before = Some(material.question).filter(|text| !text.is_empty());
                    material.question = text;
                }
                // What the person gave is no step.
                Message::Assistant { calls, .. } if calls.iter().any(|call| is_attached(&call.id)) => {}
                Message::Assistant { calls, .. } if !calls.is_empty() => material.calls += 1,
                Message::Tool { result: ToolResult::Searches { searches, .. }, .. } => material.searches.extend(searches),
                Message::Tool { result: ToolResult::Handshake { .. }, .. } => material.batches = BATCHES.to_vec(),
                Message::Tool { call_id, result: ToolResult::Pages { pages } } => {
                    if is_attached(call_id) {
                        material.attached = pages.iter().filter(|page| page.page.is_ok()).count();
                    } else {
                        material.batches.pop();
                    }
                    material.tried.extend(pages.iter().map(|page| page_key(&page.url)));
                    material.pages.extend(pages.iter().filter_map(|result| result.page.as_ref().ok()));
                }
                _ => {}
            }
        }
        material
    }

    /// Addresses in the order of promise: the first results of all queries, then the second ones.
    fn ranking(&self) -> Vec<(String, usize)> {
        let mut best: BTreeMap<String, (usize, String)> = BTreeMap::new();
        let deepest = self.hits().map(|(place, _)| place).max().unwrap_or(0);
        let mut order = 0;
        for place in 0..=deepest {
            for (_, hit) in self.hits().filter(|(at, _)| *at == place) {
                best.entry(page_key(&hit.url)).or_insert_with(|| {
                    order += 1;
                    (order - 1, hit.url.clone())
                });
            }
        }
        let mut list: Vec<(String, usize)> = best.into_values().map(|(rank, url)| (url, rank)).collect();
        list.sort_by_key(|(_, rank)| *rank);
        list
    }

    fn hits(&self) -> impl Iterator<Item = (usize, &'a nexi_core::ports::Hit)> {
        self.searches.iter().filter_map(|search| search.found.as_ref().ok()).flat_map(|found| found.hits.iter().enumerate())
    }
}

#[async_trait]
impl Model for BuiltinResearcher {
    fn label(&self) -> String {
        LABEL.into()
    }

    async fn reply(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError> {
        if cancel.is_cancelled() {
            return Err(ModelError::Cancelled);
        }
        if request.tools == ToolSet::None {
            // Summaries are beyond it; whoever asked has another way.
            return Ok(Reply {
                text: String::new(),
                calls: Vec::new(),
                finish: FinishReason::Stop,
                usage: Some(Usage::default()),
                ..Reply::default()
            });
        }
        // Ranking many pages takes a core for a while.
        let (request, words) = (request.clone(), self.words.clone());
        let chosen = tokio::task::spawn_blocking(move || {
            let material = Material::new(&request);
            let (name, arguments, nothing_found) = next(&material, &words, request.tools);
            (name, arguments.to_string(), nothing_found, material.calls)
        });
        let (name, arguments, nothing_found, calls) = chosen.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        // In pieces, as every other model does it: the answer appears line by line.
        for piece in arguments.split_inclusive("\\n") {
            deltas(Delta::Arguments { index: 0, name: name.into(), piece: piece.to_owned() });
        }
        let call = ToolCall { id: format!("builtin{calls}"), name: name.into(), arguments, signature: None };
        let usage = Some(Usage::default());
        Ok(Reply { calls: vec![call], finish: FinishReason::ToolCalls, usage, nothing_found, ..Reply::default() })
    }
}

/// The next call, its arguments, and whether it says that nothing was found.
fn next(material: &Material<'_>, words: &Words, tools: ToolSet) -> (&'static str, serde_json::Value, bool) {
    let (may_search, may_read) = match tools {
        ToolSet::Research(_) => (true, material.pages.len() == material.attached && material.tried.len() < 2 * PAGES),
        // A batch at a time, as long as there are any.
        ToolSet::Researcher(offer) => (offer.web, offer.read && material.pages.len() < PAGES),
        ToolSet::AnswerOnly | ToolSet::None => (false, false),
    };
    // What the person gave along is looked at first; it may hold the answer.
    if material.attached > 0 && material.searches.is_empty() {
        let (answer, nothing_found) = answer::compose(material, words);
        if !nothing_found {
            return ("final_answer", json!({"answer": answer}), false);
        }
    }
    if may_search && material.searches.is_empty() {
        return ("web_search", json!({"queries": queries::derive(material.question, material.before)}), false);
    }
    if may_read {
        let most = material.batches.last().copied().unwrap_or(PAGES);
        let open = |(url, _): (String, usize)| (!material.tried.contains(&page_key(&url))).then_some(url);
        let urls: Vec<String> = material.ranking().into_iter().filter_map(open).take(most).collect();
        if !urls.is_empty() {
            return ("web_get", json!({"urls": urls, "get_full": true}), false);
        }
    }
    let (answer, nothing_found) = answer::compose(material, words);
    ("final_answer", json!({"answer": answer}), nothing_found)
}
