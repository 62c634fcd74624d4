//! A second opinion: another model answers from the sources of an answer, and the two are compared statement by
//! statement.

use super::{
    KnownSource, Limits,
    budget::TokenBudget,
    change::{lacks_facts, plain},
    conversation::tokens_of,
    finish,
    results::excerpt,
    sources::SourceBook,
};
use crate::{
    evidence::Evidence,
    model::{Message, ModelRequest},
    ports::TokenCounter,
    pricing::Price,
    prompts::{Prompts, disarm},
    protocol::{Agreement, Compared, Ending, SecondOpinion, Statement, Support, Usage},
    text,
    tools::PageMode,
};

/// Sources that are shown, those that the answer cites first.
const MOST_SOURCES: usize = 24;
/// Bytes of one source that are shown at least, however many there are.
const LEAST: usize = 1200;
/// The most bytes of one source.
const MAX_SOURCE_BYTES: usize = 24_000;

/// What another model is asked. None where the cost limit leaves no room for it.
pub fn request(
    question: &str,
    ending: &Ending,
    known: &[KnownSource],
    prompts: &Prompts,
    limits: &Limits,
    price: Option<Price>,
    counter: &dyn TokenCounter,
) -> Option<ModelRequest> {
    let cited = |known: &&KnownSource| ending.sources.iter().any(|source| source.number == known.number && source.cited);
    let others = |known: &&KnownSource| ending.sources.iter().any(|source| source.number == known.number && !source.cited);
    let shown: Vec<&KnownSource> = known.iter().filter(cited).chain(known.iter().filter(others)).take(MOST_SOURCES).collect();
    let mut room = limits.compaction_threshold().saturating_sub(limits.max_output_tokens as usize).max(2000) * 3;
    let budget = TokenBudget::new(limits, price, Usage::default());
    loop {
        let each = (room / shown.len().max(1)).clamp(LEAST, MAX_SOURCE_BYTES);
        let messages = vec![Message::User { text: prompts.second(question, &material(&shown, question, each)) }];
        let prompt = tokens_of(&messages, counter);
        let max_output_tokens = if budget.is_limited() { budget.answer(prompt) } else { Some(limits.max_output_tokens) };
        let fits = prompt <= limits.compaction_threshold() as u64;
        match max_output_tokens.filter(|_| fits) {
            Some(max_output_tokens) => {
                return Some(ModelRequest::for_text(messages, max_output_tokens));
            }
            None if each <= LEAST => return None,
            None => room = room / 3 * 2,
        }
    }
}

fn material(shown: &[&KnownSource], question: &str, each: usize) -> String {
    let parts: Vec<String> = shown
        .iter()
        .map(|known| {
            let whole = known.page.text.len() <= each;
            let text = if whole { known.page.text.clone() } else { excerpt(&known.page, question, PageMode::Passages).0 };
            format!("[{}] {}\n\n{}", known.number, known.page.title, text::truncate_bytes(&text, each))
        })
        .collect();
    disarm(&parts.join("\n\n---\n\n"))
}

/// Judges another model's answer against the same sources and lays it beside the first.
pub fn compare(first: &Ending, answer: &str, known: Vec<KnownSource>, model: String, usage: Usage) -> SecondOpinion {
    let book = SourceBook::new(known);
    let second = finish::cite(text::without_thinking(answer.trim()).to_owned(), &book, true);
    let ours = said(&first.answer, &first.statements);
    let theirs = said(&second.answer, &second.statements);
    let mut compared: Vec<Compared> = Vec::with_capacity(ours.len());
    let (their_text, their_places) = joined(&theirs);
    let evidence = Evidence::new("", &their_text);
    for first in &ours {
        let found = evidence.judge(first);
        let counterpart = found.as_ref().and_then(|found| theirs.get(their_places.partition_point(|end| *end <= found.range.start)));
        let agreement = match &found {
            Some(found) if found.support == Support::Supported => Agreement::Agrees,
            Some(found) if found.support == Support::Contradicted || lacks_facts(&found.missing) => Agreement::Differs,
            Some(_) => Agreement::Similar,
            None => Agreement::OnlyFirst,
        };
        let missing = found.map(|found| found.missing).unwrap_or_default();
        compared.push(Compared { agreement, first: Some(first.clone()), second: counterpart.cloned(), missing });
    }
    let (our_text, _) = joined(&ours);
    let evidence = Evidence::new("", &our_text);
    for second in theirs {
        let is_placed = compared.iter().any(|known| known.second.as_ref() == Some(&second));
        if !is_placed && evidence.judge(&second).is_none_or(|found| found.support != Support::Supported) {
            compared.push(Compared { agreement: Agreement::OnlySecond, first: None, second: Some(second), missing: Vec::new() });
        }
    }
    SecondOpinion { model, answer: second.answer, citations: second.citations, statements: second.statements, compared, usage }
}

/// The statements of an answer as plain text without citations.
fn said(answer: &str, statements: &[Statement]) -> Vec<String> {
    statements.iter().filter_map(|statement| plain(answer, statement)).collect()
}

/// Statements as one text with a paragraph for each, and where each of them ends.
fn joined(statements: &[String]) -> (String, Vec<usize>) {
    let mut out = String::new();
    let mut ends = Vec::with_capacity(statements.len());
    for statement in statements {
        out.push_str(statement);
        out.push_str("\n\n");
        ends.push(out.len());
    }
    (out, ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::{ApproximateTokens, Page};

    const PAGE: &str =
        "The Aldermoor bridge was opened in May 1931. It is 312 metres long. Ida Lindqvist designed it. The toll was abolished in 1958.";

    fn known() -> Vec<KnownSource> {
        let page = Page { url: "https://e.org/1".into(), title: "Bridges".into(), text: PAGE.into(), ..Page::default() };
        vec![KnownSource { number: 3, page, quotes: Vec::new() }]
    }

    fn ending(answer: &str) -> Ending {
        let cited = finish::cite(answer.into(), &SourceBook::new(known()), true);
        Ending {
            answer: cited.answer,
            sources: cited.sources,
            citations: cited.citations,
            statements: cited.statements,
            ..Ending::failed("", "")
        }
    }

    #[test]
    fn statements_are_laid_side_by_side() {
        let first = ending(
            "The Aldermoor bridge was opened in May 1931 [3]. The bridge is 312 metres long [3]. Its architect was Ida Lindqvist [3].",
        );
        let answer =
            "The bridge of Aldermoor was opened in May 1931 [3]. The bridge is 318 metres long [3]. The toll was abolished in 1958 [3].";
        let opinion = compare(&first, answer, known(), "other".into(), Usage::default());
        let found: Vec<(Agreement, bool, bool)> =
            opinion.compared.iter().map(|one| (one.agreement, one.first.is_some(), one.second.is_some())).collect();
        assert_eq!(
            found,
            [
                (Agreement::Agrees, true, true),
                (Agreement::Differs, true, true),
                (Agreement::OnlyFirst, true, false),
                (Agreement::OnlySecond, false, true),
            ],
            "{:?}",
            opinion.compared
        );
        assert_eq!(opinion.compared[1].second.as_deref(), Some("The bridge is 318 metres long."));
        assert_eq!(opinion.statements.iter().filter(|statement| statement.support == Support::Supported).count(), 2);
    }

    #[test]
    fn the_request_holds_the_sources_and_keeps_to_window_and_limit() {
        let first = ending("The Aldermoor bridge was opened in May 1931 [3].");
        let ask = |limits: Limits| request("When?", &first, &known(), &Prompts::default(), &limits, None, &ApproximateTokens);
        let body = ask(Limits::default()).expect("a request");
        let Message::User { text } = &body.messages[0] else { panic!("{body:?}") };
        assert!(text.contains("[3] Bridges\n\nThe Aldermoor bridge was opened") && text.contains("<untrusted>"), "{text}");
        assert!(ask(Limits { max_tokens: Some(60), ..Limits::default() }).is_none());
    }
}
