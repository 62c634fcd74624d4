//! The conversation a model sees, counted once per message and kept within the window.

use crate::{
    model::{Message, ToolCall},
    ports::TokenCounter,
    run::{ReadPage, Shown, ToolResult, results},
    text,
};

/// Tokens that every message costs besides its text.
const PER_MESSAGE: usize = 3;

/// Bytes that are left of a page, a snippet and a call's arguments when room is needed.
const KEEP: [usize; 3] = [2000, 600, 150];
/// From which of these on nothing is kept of what a model thought.
const THOUGHTLESS: usize = 150;

/// Messages with their sizes. The first ones, up to and including the question, are never left out.
#[derive(Debug, Clone, Default)]
pub(super) struct Conversation {
    entries: Vec<Entry>,
    /// Messages up to and including the question.
    head: usize,
}

#[derive(Debug, Clone)]
struct Entry {
    message: Message,
    /// No tokenizer makes more tokens of it.
    bytes: usize,
    /// Counted when it is first needed.
    tokens: Option<usize>,
}

impl Conversation {
    pub(super) fn push(&mut self, message: Message) {
        self.entries.push(Entry::new(message));
    }

    /// What is there now stays for the whole run.
    pub(super) fn close_head(&mut self) {
        self.head = self.entries.len();
    }

    /// A copy for a request.
    pub(super) fn messages(&self) -> Vec<Message> {
        self.entries.iter().map(|entry| entry.message.clone()).collect()
    }

    /// The messages behind the question.
    pub(super) fn tail(&self) -> impl Iterator<Item = &Message> {
        self.entries[self.head..].iter().map(|entry| &entry.message)
    }

    /// The ids of all calls so far.
    pub(super) fn call_ids(&self) -> Vec<String> {
        let calls = self.entries.iter().filter_map(|entry| match &entry.message {
            Message::Assistant { calls, .. } => Some(calls),
            _ => None,
        });
        calls.flatten().map(|call| call.id.clone()).collect()
    }

    /// Tokens of the whole conversation. Each message is counted once.
    pub(super) fn tokens(&mut self, counter: &dyn TokenCounter) -> usize {
        self.entries.iter_mut().map(|entry| entry.count(counter)).sum()
    }

    /// Whether the conversation is longer than this. A token is at least a byte, so most
    /// conversations need no counting at all.
    pub(super) fn exceeds(&mut self, limit: usize, counter: &dyn TokenCounter) -> bool {
        self.entries.iter().map(|entry| entry.bytes).sum::<usize>() > limit && self.tokens(counter) > limit
    }

    /// The conversation anew: everything up to and including the question, the summary, and the
    /// last `preserve` assistant messages each with all results of its calls.
    pub(super) fn rebuild(&mut self, summary: String, preserve: usize) {
        let starts: Vec<usize> =
            (self.head..self.entries.len()).filter(|index| matches!(self.entries[*index].message, Message::Assistant { .. })).collect();
        let from = match preserve {
            0 => self.entries.len(),
            count => starts.get(starts.len().saturating_sub(count)).copied().unwrap_or(self.entries.len()),
        };
        let kept = self.entries.split_off(from);
        self.entries.truncate(self.head);
        self.push(Message::User { text: summary });
        self.entries.extend(kept);
    }

    /// Leaves out the oldest earlier turns of the thread, question and answer together, until the
    /// beginning takes up no more than half of the limit; how many.
    pub(super) fn forget_earlier(&mut self, limit: usize, counter: &dyn TokenCounter) -> u32 {
        let mut left_out = 0;
        // The system prompt stands before them, the question behind them.
        while self.head > 3 {
            let head: usize = self.entries[..self.head].iter_mut().map(|entry| entry.count(counter)).sum();
            if head <= limit / 2 {
                break;
            }
            self.entries.drain(1..3);
            self.head -= 2;
            left_out += 1;
        }
        left_out
    }

    /// Makes it fit without a model: the oldest results are cut down to their best passages first,
    /// then further. Whether it fits now.
    pub(super) fn shorten(&mut self, limit: usize, question: &str, counter: &dyn TokenCounter) -> bool {
        for keep in KEEP {
            for index in self.head..self.entries.len() {
                if !self.exceeds(limit, counter) {
                    return true;
                }
                let is_old = index + 2 < self.entries.len();
                let entry = &mut self.entries[index];
                let changed = match &mut entry.message {
                    Message::Tool { result, .. } => shorten_result(result, question, keep),
                    Message::Assistant { text, calls, state } => {
                        // Thoughts of earlier steps are worth less than what was read; the newest ones stay longest.
                        let forgets = state.is_some() && (keep <= THOUGHTLESS || is_old);
                        if forgets {
                            *state = None;
                        }
                        shorten_said(text, calls, keep) || forgets
                    }
                    // A summary is worth more than what it summarises.
                    Message::User { text } if text.len() > keep * 8 => {
                        let open = text.contains("<untrusted>");
                        *text = text::truncate(text, keep * 8);
                        if open && !text.contains("</untrusted>") {
                            text.push_str("\n</untrusted>");
                        }
                        true
                    }
                    Message::User { .. } | Message::System { .. } => false,
                };
                if changed {
                    let message = std::mem::replace(&mut entry.message, Message::System { text: String::new() });
                    *entry = Entry::new(message);
                }
            }
        }
        !self.exceeds(limit, counter)
    }
}

impl Entry {
    fn new(message: Message) -> Self {
        Self { bytes: size(&message, &Bytes), message, tokens: None }
    }

    fn count(&mut self, counter: &dyn TokenCounter) -> usize {
        *self.tokens.get_or_insert_with(|| size(&self.message, counter))
    }
}

/// Tokens of a message as the provider will see it: role, content, calls and ids, and three more.
pub(super) fn size(message: &Message, counter: &dyn TokenCounter) -> usize {
    PER_MESSAGE
        + match message {
            Message::System { text } => counter.count("system") + counter.count(text),
            Message::User { text } => counter.count("user") + counter.count(text),
            Message::Assistant { text, calls, state } => {
                let state = state.as_ref().map_or(0, |state| state.tokens(counter));
                let calls: usize =
                    calls.iter().map(|call| counter.count(&call.id) + counter.count(&call.name) + counter.count(&call.arguments)).sum();
                counter.count("assistant") + counter.count(text) + calls + state
            }
            Message::Tool { call_id, result } => counter.count("tool") + counter.count(call_id) + counter.count(&result.render()),
        }
}

/// Tokens of all messages of a request.
pub(super) fn tokens_of(messages: &[Message], counter: &dyn TokenCounter) -> u64 {
    messages.iter().map(|message| size(message, counter) as u64).sum()
}

fn shorten_result(result: &mut ToolResult, question: &str, keep: usize) -> bool {
    let mut changed = false;
    match result {
        ToolResult::Pages { pages } => {
            for page in pages.iter_mut().filter_map(|result| result.page.as_mut().ok()) {
                changed |= shorten_page(page, question, keep);
            }
        }
        ToolResult::Called { pages, .. } => {
            for page in pages {
                changed |= shorten_page(page, question, keep);
            }
        }
        ToolResult::Searches { searches, .. } => {
            for found in searches.iter_mut().filter_map(|search| search.found.as_mut().ok()) {
                for hit in found.hits.iter_mut().filter(|hit| hit.snippet.len() > keep / 10 || !hit.more.is_empty()) {
                    hit.snippet = text::truncate(&hit.snippet, keep / 10);
                    hit.more.clear();
                    changed = true;
                }
                if keep == KEEP[2] && found.hits.len() > 3 {
                    found.hits.truncate(3);
                    changed = true;
                }
            }
        }
        ToolResult::Error { message } if message.len() > keep => {
            *message = text::truncate(message, keep);
            changed = true;
        }
        // A list of addresses is worth its room.
        ToolResult::Error { .. } | ToolResult::Handshake { .. } | ToolResult::Rendered { .. } => {}
    }
    changed
}

fn shorten_page(page: &mut ReadPage, question: &str, keep: usize) -> bool {
    let is_long = page.text.len() > keep;
    if is_long {
        page.text = text::truncate(&results::best_passages(&page.text, question, "", 60, keep / 6, usize::MAX), keep);
        page.shown = Shown::Passages;
    }
    is_long
}

/// What the model itself said; arguments stay JSON.
fn shorten_said(said: &mut String, calls: &mut [ToolCall], keep: usize) -> bool {
    let mut changed = false;
    if said.len() > keep {
        *said = text::truncate(said, keep);
        changed = true;
    }
    for call in calls.iter_mut().filter(|call| call.arguments.len() > keep.max(400)) {
        call.arguments = r#"{"left_out": "to save room"}"#.into();
        changed = true;
    }
    changed
}

/// An upper bound of every tokenizer: one token a byte.
struct Bytes;

impl TokenCounter for Bytes {
    fn count(&self, text: &str) -> usize {
        text.len()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn call(id: &str) -> Message {
        let call = ToolCall { id: id.into(), name: "web_search".into(), arguments: "{}".into(), signature: None };
        Message::said("", vec![call])
    }

    fn result(id: &str) -> Message {
        Message::Tool { call_id: id.into(), result: ToolResult::Error { message: "x".into() } }
    }

    #[test]
    fn no_call_is_orphaned() {
        for preserve in 0..5 {
            let mut conversation = Conversation::default();
            conversation.push(Message::System { text: "s".into() });
            conversation.push(Message::User { text: "q".into() });
            conversation.close_head();
            for id in ["a", "b", "c"] {
                conversation.push(call(id));
                conversation.push(result(id));
            }
            conversation.rebuild("summary".into(), preserve);
            let messages = conversation.messages();
            let calls: Vec<&str> = messages
                .iter()
                .filter_map(|m| if let Message::Assistant { calls, .. } = m { Some(calls[0].id.as_str()) } else { None })
                .collect();
            let results: Vec<&str> =
                messages.iter().filter_map(|m| if let Message::Tool { call_id, .. } = m { Some(call_id.as_str()) } else { None }).collect();
            assert_eq!(calls, results);
            assert_eq!(calls.len(), preserve.min(3));
        }
    }

    struct Counting(AtomicUsize);

    impl TokenCounter for Counting {
        fn count(&self, text: &str) -> usize {
            self.0.fetch_add(text.len(), Ordering::Relaxed);
            text.len().div_ceil(4)
        }
    }

    #[test]
    fn a_message_is_counted_once_and_by_all_its_parts() {
        let counter = Counting(AtomicUsize::new(0));
        let mut conversation = Conversation::default();
        conversation.push(Message::User { text: "four words are here".into() });
        conversation.push(call("id12"));
        // Role, content, calls with id, name and arguments, and three for each message.
        let wanted = (3 + 1 + 5) + (3 + 3 + 1 + 3 + 1);
        assert_eq!(conversation.tokens(&counter), wanted);
        let counted = counter.0.load(Ordering::Relaxed);
        assert_eq!(conversation.tokens(&counter), wanted);
        assert_eq!(counter.0.load(Ordering::Relaxed), counted, "nothing was counted again");
    }

    #[test]
    fn arguments_of_any_size_can_be_shortened() {
        let mut conversation = Conversation::default();
        conversation.push(Message::User { text: "q".into() });
        conversation.close_head();
        for index in 0..8 {
            let id = format!("c{index}");
            let big = ToolCall {
                id: id.clone(),
                name: "web_get".into(),
                arguments: format!("{{\"x\":\"{}\"}}", "y".repeat(60_000)),
                signature: None,
            };
            conversation.push(Message::said("", vec![big]));
            conversation.push(result(&id));
        }
        assert!(conversation.shorten(2000, "q", &crate::ports::ApproximateTokens));
        for message in conversation.messages() {
            if let Message::Assistant { calls, .. } = message {
                assert!(serde_json::from_str::<serde_json::Value>(&calls[0].arguments).is_ok());
            }
        }
    }
}
