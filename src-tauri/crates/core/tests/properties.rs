//! Whatever happens, in whatever order: a run ends once, labelled, within its budget, with every
//! call answered and every number where it was.

#[path = "common/choices.rs"]
mod choices;
mod common;
#[path = "common/fold.rs"]
mod fold;

use std::collections::BTreeMap;

use choices::Choices;
use common::check_conversation;
use fold::Fold;
use nexi_core::model::{Delta, FinishReason, Message, ModelError, ModelRequest, Reply, ToolCall};
use nexi_core::ports::{ApproximateTokens, Failure, Found, Hit, Page, TokenCounter};
use nexi_core::pricing::Price;
use nexi_core::prompts::Prompts;
use nexi_core::protocol::{Effort, Ending, Event, TurnState, Usage};
use nexi_core::run::{Asked, Effect, Input, KnownSource, Limits, Purpose, Run};
use proptest::prelude::*;

const PRICE: Price = Price::new(2.0, 8.0);

fn page(url: &str, words: usize) -> Page {
    let text = format!("# Bridge\n\n{}", "words and more words about the bridge of 1931, over and over. ".repeat(words / 11));
    Page { url: url.into(), title: "Bridge".into(), text, ..Page::default() }
}

fn asked(limits: Limits, assisted: bool, ahead: u32) -> Input {
    let known = KnownSource { number: 4, page: page("https://e.org/known", 1500), quotes: vec!["of 1931".into()] };
    Input::Asked {
        asked: Box::new(Asked {
            question: "When was the latest Aldermoor bridge opened?".into(),
            effort: Effort::S,
            limits,
            model: "test".into(),
            today: "2026-11-22".into(),
            encoding: String::new(),
            time_target: None,
            prompts: Prompts::default(),
            price: Some(PRICE),
            assisted,
            ahead,
            provider: None,
            focus: Default::default(),
            demoted: Vec::new(),
            earlier: Vec::new(),
            known: vec![known],
            folders: Vec::new(),
            ..Asked::default()
        }),
    }
}

/// What a provider would count for a request: at most what the run counts, with the tools.
fn prompt_tokens(body: &ModelRequest) -> u64 {
    let count = |text: &str| ApproximateTokens.count(text);
    let messages: usize = body
        .messages
        .iter()
        .map(|message| match message {
            Message::System { text } | Message::User { text } => count(text),
            Message::Assistant { text, calls, .. } => count(text) + calls.iter().map(|call| count(&call.arguments)).sum::<usize>(),
            Message::Tool { result, .. } => count(&result.render()),
        })
        .sum();
    messages as u64
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments: arguments.into(), signature: None }
}

fn reply(body: &ModelRequest, purpose: Purpose, choices: &mut Choices) -> Reply {
    let mut reply = Reply { text: String::new(), calls: Vec::new(), finish: FinishReason::ToolCalls, usage: None, ..Reply::default() };
    let output = choices.below(body.max_output_tokens as usize + 1) as u64;
    if choices.below(4) > 0 {
        reply.usage = Some(PRICE.priced(Usage::tokens(prompt_tokens(body), output)));
    }
    if matches!(purpose, Purpose::Compaction | Purpose::Extraction | Purpose::Selection) {
        reply.text = ["", "1, 2", "A summary with 1931 [4].", "0"][choices.below(4)].into();
        reply.finish = FinishReason::Stop;
        return reply;
    }
    match choices.below(12) {
        0 => reply.finish = FinishReason::Stop,
        1 => reply.calls = vec![call("x", "nonsense", "{"), call("x", "web_get", "{}")],
        2 => reply.calls = vec![call("y", "final_answer", r#"{"answer": "Done in 1931 [1][9][4]."}"#)],
        3 => reply.calls = vec![call("z", "web_search", r#"{"queries": ["a", "b"]}"#)],
        4 => {
            reply.finish = FinishReason::Length;
            reply.text = ["", "Half an ans"][choices.below(2)].into();
        }
        5 => reply.finish = FinishReason::ContentFilter,
        6 | 7 => {
            let arguments = r#"{"urls": ["https://e.org/1", "https://e.org/2"], "instructions": "the year"}"#;
            reply.calls =
                vec![call("e", "web_get", arguments), call("k", "web_get", r#"{"urls": ["https://e.org/known"], "use_chunks": true}"#)];
        }
        8 => {
            reply.calls = vec![
                call("s", "web_get", r#"{"urls": ["https://e.org/1"], "use_chunks": true}"#),
                call("s", "web_search", r#"{"q": "c"}"#),
            ];
        }
        _ => {
            reply.calls =
                vec![call("w", "web_get", r#"{"urls": ["https://e.org/1", "https://e.org/2", "https://e.org/1#x"], "get_full": true}"#)];
        }
    }
    reply
}

fn result_for(effect: &Effect, choices: &mut Choices) -> Input {
    match effect {
        Effect::AskModel { request, purpose, body } => match choices.below(9) {
            0 => Input::ModelFailed { request: *request, error: ModelError::Broken { provider: "p".into() } },
            1 => {
                let text = ["Some words ", "of an answer [4]. "][choices.below(2)].to_owned();
                let delta = if choices.below(5) == 0 { Delta::Restart } else { Delta::Text(text) };
                Input::Delta { request: *request, delta }
            }
            _ => Input::Replied { request: *request, reply: reply(body, *purpose, choices) },
        },
        Effect::Search { key, .. } if choices.below(3) == 0 => Input::Searched { key: *key, found: Err(Failure::new("no")) },
        Effect::Search { key, .. } => {
            let hit = Hit {
                title: "Bridge".into(),
                url: format!("https://e.org/{}", choices.below(4)),
                snippet: "A bridge".into(),
                date: None,
                ..Hit::default()
            };
            Input::Searched {
                key: *key,
                found: Ok(Found { hits: vec![hit], backend: "b".into(), failures: Vec::new(), ..Found::default() }),
            }
        }
        Effect::Read { key, .. } if choices.below(3) == 0 => Input::PageRead { key: *key, page: Err(Failure::new("no")) },
        Effect::Read { key, url } => {
            let words = [40, 900, 4000][choices.below(3)];
            Input::PageRead { key: *key, page: Ok(Box::new(page(url, words))) }
        }
        other => panic!("not outstanding: {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_run_ends_well(
        list in proptest::collection::vec(any::<u32>(), 3..80),
        max_tokens in proptest::option::of(0_u64..60_000),
        max_cost in proptest::option::of(0_u64..150_000),
        window in prop_oneof![Just(3000_u32), Just(9000), Just(100_000)],
        assisted in prop_oneof![4 => Just(true), 1 => Just(false)],
    ) {
        let mut choices = Choices::new(list);
        let limits = Limits {
            max_steps: 4, max_context: window, compact_target_words: 200, preserve_last: 1, max_output_tokens: 500, max_tokens, max_cost, ..Limits::default()
        };
        let mut run = Fold::<Run>::new();
        let mut open = run.step(asked(limits, assisted, 5));
        let mut endings: Vec<Ending> = Vec::new();
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let (mut steps, mut ahead) = (0, 0);
        for turn in 0..400 {
            for effect in &open {
                match effect {
                    Effect::Finish { ending, .. } => endings.push(ending.as_ref().clone()),
                    Effect::AskModel { body, purpose, .. } => {
                        steps += u32::from(*purpose == Purpose::Step);
                        check_conversation(&body.messages);
                    }
                    Effect::Emit(Event::PageRead { url, number, .. }) => {
                        prop_assert_eq!(*numbers.entry(url.clone()).or_insert(*number), *number, "a number has changed");
                        prop_assert!(*number > 4, "numbers of earlier turns are taken");
                    }
                    Effect::Prefetch { urls } => ahead += urls.len(),
                    _ => {}
                }
            }
            if run.is_over() {
                break;
            }
            let waiting = run.outstanding();
            prop_assert!(!waiting.is_empty(), "nothing is waited for, and the run is not over");
            let input = match choices.below(40) {
                0 if turn > 2 => Input::TimeUp { hard: false },
                1 if turn > 2 => Input::TimeUp { hard: true },
                2 if turn > 4 => Input::Cancelled,
                // A result that nobody waits for any more.
                3 => Input::Replied { request: 9999, reply: Reply { text: "late".into(), calls: Vec::new(), finish: FinishReason::Stop, usage: None, ..Reply::default() } },
                _ => result_for(&waiting[choices.below(waiting.len())], &mut choices),
            };
            open = run.step(input);
            if turn == 398 {
                open.extend(run.step(Input::Cancelled));
            }
        }
        for effect in &open {
            if let Effect::Finish { ending, .. } = effect && !endings.contains(ending) {
                endings.push(ending.as_ref().clone());
            }
        }
        prop_assert!(run.is_over());
        prop_assert_eq!(endings.len(), 1);
        let ending = &endings[0];
        prop_assert!(!matches!(ending.state, TurnState::Running | TurnState::Interrupted));
        prop_assert!(ending.state == TurnState::Answered || !ending.reason.is_empty());
        prop_assert!(steps <= 8, "four steps, each asked again at most once after an empty reply");
        prop_assert!(ahead <= 5);
        prop_assert!(run.step(Input::Cancelled).is_empty() && run.outstanding().is_empty());
        if assisted {
            prop_assert!(max_tokens.is_none_or(|max| ending.usage.total() <= max), "{:?} of {:?}", ending.usage, max_tokens);
            prop_assert!(max_cost.is_none_or(|max| ending.usage.cost <= max), "{:?} of {:?}", ending.usage, max_cost);
        }
        for citation in &ending.citations {
            prop_assert_eq!(citation.known, ending.sources.iter().any(|source| source.number == citation.number));
        }
    }
}
