//! What a service was found to refuse. A lesson is drawn from the service's own words, tried at once,
//! and kept only when the request then works; it is forgotten after some days, so that one ambiguous
//! error never takes a capability away for good.

use std::collections::{BTreeMap, BTreeSet};

use nexi_core::settings::vendors;
use serde::{Deserialize, Serialize};

/// A way in which a service wants to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quirk {
    /// `stream_options` is refused.
    NoStreamOptions,
    /// The limit is called `max_completion_tokens`.
    CompletionTokens,
    /// Tools are described in words.
    NoTools,
    /// Nothing can be said about how much to think.
    NoThinking,
    /// Reasoning is not taken back.
    NoEcho,
    /// Replies come whole.
    NoStreaming,
    /// The model is asked at `/responses`.
    Responses,
    /// The service has no `/responses`.
    NoResponses,
    /// No summary of the reasoning.
    NoSummary,
    /// No encrypted reasoning.
    NoEncrypted,
    /// No prompt caching.
    NoCache,
    /// Replies have at most this many tokens.
    MaxOutput(u32),
}

impl Quirk {
    /// Days after which it is tried again.
    pub(crate) fn days(self) -> i64 {
        match self {
            Self::NoTools | Self::NoStreaming => 1,
            _ => 14,
        }
    }

    /// What a refusal teaches: the way to ask, and whether that is worth keeping. What a single
    /// message of a conversation brought about is not.
    pub(crate) fn learn(status: u16, message: &str) -> Option<(Self, bool)> {
        let lower = message.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let refused = has(REFUSED);
        if has(&[
            "invalid_encrypted_content",
            "could not be verified",
            "in `thinking` block",
            "thinking.signature",
            "bound to a different conversation",
            "items are not persisted",
        ]) {
            return Some((Self::NoEcho, false));
        }
        if has(&["expected `thinking`", "expected thinking or redacted_thinking", "when thinking is disabled"]) {
            return Some((Self::NoThinking, false));
        }
        if status == 402 {
            let afford =
                lower.split_once("can only afford").and_then(|(_, rest)| rest.trim_start().split(|c: char| !c.is_ascii_digit()).next());
            return afford.and_then(|digits| digits.parse().ok()).map(|most| (Self::MaxOutput(most), false));
        }
        if !matches!(status, 400 | 403 | 404 | 405 | 422 | 500 | 501) {
            return None;
        }
        if has(&["v1/responses", "responses api"]) {
            return Some((Self::Responses, true));
        }
        if matches!(status, 400 | 422) {
            if lower.contains("stream_options") {
                return Some((Self::NoStreamOptions, true));
            }
            if lower.contains("max_completion_tokens") && lower.contains("max_tokens") {
                return Some((Self::CompletionTokens, true));
            }
            if let Some(most) = most_output(&lower) {
                return Some((Self::MaxOutput(most), true));
            }
            if lower.contains("reasoning.summary") || (lower.contains("summar") && lower.contains("verified")) {
                return Some((Self::NoSummary, true));
            }
            if lower.contains("encrypted content") || lower.contains("encrypted_content") {
                return Some((Self::NoEncrypted, true));
            }
            // A field of a message of its own: what came with it is not taken back.
            let of_message = has(&["'messages.", "messages.", "messages[", "body.messages", "role:assistant"]);
            if refused && of_message && has(&["property", "extra inputs", "extra_forbidden", "unknown field", "unexpected"]) {
                return Some((Self::NoEcho, true));
            }
            if has(&["reasoning_content", "reasoning_details", "'reasoning'", "`reasoning`", "extra_content", "provider_specific_fields"])
                && refused
                && has(&["messages", "message", "assistant", "property"])
            {
                return Some((Self::NoEcho, true));
            }
            if crate::json_tools::is_about_tools(status, message) {
                return Some((Self::NoTools, true));
            }
            // One level that is refused says nothing about the others.
            if has(&["thinking level", "thinking_level", "reasoning is mandatory"]) {
                return Some((Self::NoThinking, false));
            }
            if has(&[
                "reasoning_effort",
                "reasoningeffort",
                "reasoning.effort",
                "'reasoning'",
                "thinking",
                "enable_thinking",
                "chat_template_kwargs",
                "output_config",
                "does not support think",
            ]) && refused
            {
                return Some((Self::NoThinking, true));
            }
            if lower.contains("cache_control") && refused {
                return Some((Self::NoCache, true));
            }
            if has(&[
                "verified to stream",
                "stream is not supported",
                "streaming is not supported",
                "does not support streaming",
                "'stream' does not support",
            ]) {
                return Some((Self::NoStreaming, true));
            }
        }
        crate::json_tools::is_about_tools(status, message).then_some((Self::NoTools, true))
    }
}

/// Words with which services refuse a field.
const REFUSED: &[&str] = &[
    "not support",
    "unsupported",
    "unknown",
    "unrecognized",
    "not permitted",
    "not allowed",
    "extra_forbidden",
    "extra fields",
    "unexpected",
    "invalid value",
    "not a valid",
    "cannot be",
    "can't be",
    "not available",
    "must be one of",
    "expected one of",
    "invalid option",
];

/// The largest output that a refusal of the limit names.
fn most_output(lower: &str) -> Option<u32> {
    let about_limit = ["max_tokens", "max_completion_tokens", "max_output_tokens", "maxoutputtokens", "num_predict", "completion tokens"]
        .iter()
        .any(|word| lower.contains(word));
    let too_large = [
        "too large",
        "at most",
        "maximum",
        "less than or equal",
        "must be <=",
        "cannot exceed",
        "should be in",
        "valid range",
        "up to",
        "lower than",
    ]
    .iter()
    .any(|word| lower.contains(word));
    if !about_limit || !too_large {
        return None;
    }
    // Of the numbers it names the smallest that can be a limit: the other one is what was asked for.
    // Digits within a word, such as the date in a model's ID, are none of them.
    let words = lower.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ',')));
    let numbers = words.filter_map(|word| word.trim_matches(['.', ',', '-']).replace(',', "").parse::<u32>().ok());
    numbers.filter(|tokens| *tokens >= 256).min()
}

/// What was learned of one model at one address, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnedQuirk {
    pub address: String,
    pub model: String,
    pub quirk: Quirk,
    /// The service's own words.
    pub said: String,
    /// Unix time in seconds.
    pub learned: i64,
}

impl LearnedQuirk {
    pub(crate) fn holds(&self, now: i64) -> bool {
        now - self.learned < self.quirk.days() * 86_400
    }
}

/// Keeps lessons from one start of the program to the next.
pub trait QuirkStore: Send + Sync {
    /// Everything that was kept.
    fn load(&self) -> Vec<LearnedQuirk>;
    /// Keeps one more; a failure to do so is nobody's concern.
    fn save(&self, lesson: &LearnedQuirk);
}

/// What is known of one model at one address.
#[derive(Debug, Default)]
pub(crate) struct LearnedQuirks(BTreeMap<String, LearnedQuirk>);

impl LearnedQuirks {
    pub(crate) fn add(&mut self, lesson: LearnedQuirk) {
        self.0.insert(format!("{:?}", std::mem::discriminant(&lesson.quirk)), lesson);
    }

    pub(crate) fn ways(&self, now: i64) -> BTreeSet<Quirk> {
        self.0.values().filter(|lesson| lesson.holds(now)).map(|lesson| lesson.quirk).collect()
    }

    pub(crate) fn all(&self, now: i64) -> impl Iterator<Item = &LearnedQuirk> {
        self.0.values().filter(move |lesson| lesson.holds(now))
    }
}

/// What is known of a service without having asked it.
pub(crate) fn known(quirks: vendors::Quirks) -> BTreeSet<Quirk> {
    let mut out = BTreeSet::new();
    if quirks.no_stream_options {
        out.insert(Quirk::NoStreamOptions);
    }
    if quirks.completion_tokens {
        out.insert(Quirk::CompletionTokens);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_teach_one_thing_each() {
        for (status, message, wanted) in [
            (422, "body.stream_options: Extra inputs are not permitted", Some(Quirk::NoStreamOptions)),
            (
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                Some(Quirk::CompletionTokens),
            ),
            (
                400,
                "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-x",
                Some(Quirk::MaxOutput(8192)),
            ),
            (400, "max_tokens is too large: 32000. This model supports at most 16384 completion tokens", Some(Quirk::MaxOutput(16384))),
            (
                400,
                "Function tools with reasoning_effort are not supported for gpt-x in /v1/chat/completions. Please use /v1/responses instead.",
                Some(Quirk::Responses),
            ),
            (400, "gpt-x-2024-05-13: max_tokens is too large: 32000. It supports at most 4,096.", Some(Quirk::MaxOutput(4096))),
            (402, "You requested up to 32000 tokens, but can only afford 6383.", Some(Quirk::MaxOutput(6383))),
            (
                400,
                "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'channel' is unsupported)]",
                Some(Quirk::NoEcho),
            ),
            (400, "Model grok-x does not support parameter reasoningEffort.", Some(Quirk::NoThinking)),
            (400, "`reasoning_effort` must be one of `none` or `default`", Some(Quirk::NoThinking)),
            (400, "Reasoning is mandatory for this endpoint and cannot be disabled.", Some(Quirk::NoThinking)),
            (400, "qwen3-4b-thinking-2507 does not support tools", Some(Quirk::NoTools)),
            (404, "This model is only supported in v1/responses and not in v1/chat/completions.", Some(Quirk::Responses)),
            (400, "Your organization must be verified to stream this model.", Some(Quirk::NoStreaming)),
            (400, "Your organization must be verified to generate reasoning summaries.", Some(Quirk::NoSummary)),
            (400, "Unsupported value: 'reasoning_effort' does not support 'none' with this model.", Some(Quirk::NoThinking)),
            (400, "\"qwen2.5:7b\" does not support thinking", Some(Quirk::NoThinking)),
            (400, "messages.2: property 'reasoning' is unsupported for 'assistant'", Some(Quirk::NoEcho)),
            (400, "registry.ollama.ai/library/gemma:2b does not support tools", Some(Quirk::NoTools)),
            (404, "No endpoints found that support tool use.", Some(Quirk::NoTools)),
            (500, "tools param requires --jinja flag", Some(Quirk::NoTools)),
            // Mistral's order of messages and Groq's failed call say nothing of what a model can do.
            (400, "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant", None),
            (400, "Unexpected role 'user' after role 'tool'", None),
            (400, "Failed to call a function. Please adjust your prompt.", None),
            (400, "Invalid schema for function 'web_search'", None),
            (429, "tools are not supported", None),
        ] {
            assert_eq!(Quirk::learn(status, message).map(|(quirk, _)| quirk), wanted, "{message}");
        }
    }

    #[test]
    fn lessons_are_forgotten() {
        let mut lessons = LearnedQuirks::default();
        let lesson = |quirk| LearnedQuirk { address: "a".into(), model: "m".into(), quirk, said: String::new(), learned: 1000 };
        lessons.add(lesson(Quirk::NoTools));
        lessons.add(lesson(Quirk::MaxOutput(500)));
        lessons.add(lesson(Quirk::MaxOutput(400)));
        assert_eq!(lessons.ways(2000), BTreeSet::from([Quirk::NoTools, Quirk::MaxOutput(400)]));
        assert_eq!(lessons.ways(1000 + 2 * 86_400), BTreeSet::from([Quirk::MaxOutput(400)]));
        assert!(lessons.ways(1000 + 20 * 86_400).is_empty());
    }
}
