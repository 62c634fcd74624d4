//! Keeping the conversation within the model's window.

use crate::{
    model::Message,
    ports::TokenCounter,
    prompts,
    run::{Limits, ToolResult},
    text,
};

/// Tokens that every message costs besides its text.
const PER_MESSAGE: usize = 3;

/// Tokens of a message as the provider will see it.
pub(super) fn tokens(message: &Message, counter: &dyn TokenCounter) -> usize {
    PER_MESSAGE
        + match message {
            Message::System { text } => counter.count("system") + counter.count(text),
            Message::User { text } => counter.count("user") + counter.count(text),
            Message::Assistant { text, calls } => {
                let calls: usize =
                    calls.iter().map(|call| counter.count(&call.id) + counter.count(&call.name) + counter.count(&call.arguments)).sum();
                counter.count("assistant") + counter.count(text) + calls
            }
            Message::Tool { call_id, result } => counter.count("tool") + counter.count(call_id) + counter.count(&result.render()),
        }
}

/// The largest number of tokens a conversation may have before it is compacted.
pub(super) fn threshold(limits: &Limits) -> usize {
    (f64::from(limits.max_context) * limits.compact_at) as usize
}

/// What the summary is made of: everything that tools returned and the model said.
pub(super) fn request(messages: &[Message], question: &str, limits: &Limits, counter: &dyn TokenCounter) -> Vec<Message> {
    let mut material = String::new();
    for message in messages {
        let part = match message {
            Message::Assistant { text, .. } => text.clone(),
            Message::Tool { result, .. } => result.render(),
            Message::System { .. } | Message::User { .. } => String::new(),
        };
        if !part.trim().is_empty() {
            material.push_str(&part);
            material.push_str("\n\n");
        }
    }
    // The request itself has to fit, with room for its answer.
    let room = threshold(limits).saturating_sub(limits.max_output_tokens as usize + 600).max(500);
    let count = counter.count(&material);
    if count > room {
        let keep = material.len() / count.max(1) * room;
        material.truncate(text::floor_char(&material, keep));
    }
    vec![Message::User { text: prompts::compaction(question, limits.compact_target_words, &material) }]
}

/// The conversation anew: everything up to and including the question, the summary, and the last
/// `preserve` assistant messages each with all results of its calls.
pub(super) fn rebuild(messages: &[Message], head: usize, summary: String, preserve: usize) -> Vec<Message> {
    let mut out: Vec<Message> = messages[..head].to_vec();
    out.push(Message::User { text: summary });
    let starts: Vec<usize> = messages
        .iter()
        .enumerate()
        .skip(head)
        .filter(|(_, message)| matches!(message, Message::Assistant { .. }))
        .map(|(index, _)| index)
        .collect();
    if preserve > 0
        && let Some(from) = starts.get(starts.len().saturating_sub(preserve))
    {
        out.extend(messages[*from..].iter().cloned());
    }
    out
}

/// Makes a conversation fit without a model: the oldest page texts are shortened first.
pub(super) fn shorten(messages: &mut [Message], limit: usize, counter: &dyn TokenCounter) {
    for keep in [2000, 600, 150] {
        for index in 0..messages.len() {
            if total(messages, counter) <= limit {
                return;
            }
            if let Message::Tool { result, .. } = &mut messages[index] {
                shorten_result(result, keep);
            }
        }
    }
}

fn shorten_result(result: &mut ToolResult, keep: usize) {
    match result {
        ToolResult::Pages { pages } => {
            for page in pages.iter_mut().filter_map(|result| result.page.as_mut().ok()) {
                if page.text.len() > keep {
                    page.text = text::truncate(&page.text, keep);
                    page.whole = false;
                }
            }
        }
        ToolResult::Searches { searches } => {
            for found in searches.iter_mut().filter_map(|search| search.found.as_mut().ok()) {
                for hit in &mut found.hits {
                    hit.snippet = text::truncate(&hit.snippet, keep / 10);
                }
            }
        }
        ToolResult::Error { .. } => {}
    }
}

/// Tokens of a conversation.
pub(super) fn total(messages: &[Message], counter: &dyn TokenCounter) -> usize {
    messages.iter().map(|message| tokens(message, counter)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ToolCall;

    #[test]
    fn no_call_is_orphaned() {
        let call = |id: &str| Message::Assistant {
            text: String::new(),
            calls: vec![ToolCall { id: id.into(), name: "web_search".into(), arguments: "{}".into() }],
        };
        let result = |id: &str| Message::Tool { call_id: id.into(), result: ToolResult::Error { message: "x".into() } };
        let messages = vec![
            Message::System { text: "s".into() },
            Message::User { text: "q".into() },
            call("a"),
            result("a"),
            call("b"),
            result("b"),
            call("c"),
            result("c"),
        ];
        for preserve in 0..5 {
            let rebuilt = rebuild(&messages, 2, "summary".into(), preserve);
            let calls: Vec<&str> = rebuilt
                .iter()
                .filter_map(|m| if let Message::Assistant { calls, .. } = m { Some(calls[0].id.as_str()) } else { None })
                .collect();
            let results: Vec<&str> =
                rebuilt.iter().filter_map(|m| if let Message::Tool { call_id, .. } = m { Some(call_id.as_str()) } else { None }).collect();
            assert_eq!(calls, results);
            assert_eq!(calls.len(), preserve.min(3));
        }
    }
}
