//! The state machine of a run, from outside: what goes in, what comes out.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files and print figures")]

mod common;
#[path = "common/fold.rs"]
mod fold;

use std::path::Path;

use common::check_conversation;
use fold::Fold;
use nexi_core::model::{Delta, FinishReason, Message, Places, Reply, ToolCall, ToolSet};
use nexi_core::ports::{Failure, Found, Hit, Page};
use nexi_core::prompts::Prompts;
use nexi_core::protocol::{Effort, EndReason, Ending, Event, TurnState, Usage};
use nexi_core::run::{Asked, Attachment, Effect, Input, Key, Limits, Purpose, Run};
use nexi_core::{ids::TurnId, protocol::EventEnvelope};

fn asked(max_steps: u32, max_context: u32) -> Input {
    let limits =
        Limits { max_steps, max_context, compact_target_words: 200, preserve_last: 1, max_output_tokens: 500, ..Limits::default() };
    Input::Asked { asked: Box::new(question(limits)) }
}

fn question(limits: Limits) -> Asked {
    Asked {
        question: "When was the Aldermoor bridge opened?".into(),
        effort: Effort::S,
        limits,
        model: "test".into(),
        today: "2026-11-22".into(),
        encoding: String::new(),
        time_target: None,
        prompts: Prompts::default(),
        price: None,
        assisted: true,
        ahead: 0,
        provider: None,
        focus: Default::default(),
        demoted: Vec::new(),
        earlier: Vec::new(),
        known: Vec::new(),
        folders: Vec::new(),
        ..Asked::default()
    }
}

fn calls(list: &[(&str, &str, &str)]) -> Reply {
    let calls = list.iter().map(|(id, name, arguments)| ToolCall {
        id: (*id).into(),
        name: (*name).into(),
        arguments: (*arguments).into(),
        signature: None,
    });
    Reply {
        text: String::new(),
        calls: calls.collect(),
        finish: FinishReason::ToolCalls,
        usage: Some(Usage::tokens(10, 5)),
        ..Reply::default()
    }
}

fn hit(title: &str, url: &str) -> Hit {
    Hit { title: title.into(), url: url.into(), snippet: "A bridge".into(), date: None, ..Hit::default() }
}

fn page(url: &str, text: &str) -> Result<Box<Page>, Failure> {
    Ok(Box::new(Page { url: url.into(), title: "Bridge".into(), text: text.into(), ..Page::default() }))
}

fn ending(effects: &[Effect]) -> Option<&Ending> {
    effects.iter().find_map(|effect| if let Effect::Finish { ending, .. } = effect { Some(ending.as_ref()) } else { None })
}

/// The inputs of a run with everything in it: two calls at once, a failing query and page, a
/// streamed answer with an unknown number.
fn script() -> Vec<Input> {
    let key = |step, call, part| Key { step, call, part };
    let two = calls(&[
        ("a", "web_search", r#"{"queries": ["bridge opened", "bridge span"]}"#),
        ("a", "web_get", r#"{"urls": ["https://e.org/1", "https://e.org/2"]}"#),
    ]);
    let answer = r#"{"answer": "It was opened in 1931 [1], says nobody [4]."}"#;
    vec![
        asked(8, 100_000),
        Input::Replied { request: 1, reply: two },
        Input::PageRead { key: key(1, 1, 1), page: Err(Failure::new("the page does not exist (404)")) },
        Input::Searched {
            key: key(1, 0, 0),
            found: Ok(Found {
                hits: vec![hit("Bridge", "https://e.org/1")],
                backend: "searx".into(),
                failures: Vec::new(),
                ..Found::default()
            }),
        },
        Input::PageRead { key: key(1, 1, 0), page: page("https://e.org/1", "The Aldermoor bridge was opened in 1931.") },
        Input::Searched { key: key(1, 0, 1), found: Err(Failure::new("searx is in trouble (500).")) },
        Input::Delta { request: 2, delta: Delta::Arguments { index: 0, name: "final_answer".into(), piece: answer[..30].into() } },
        Input::Delta { request: 2, delta: Delta::Arguments { index: 0, name: "final_answer".into(), piece: answer[30..].into() } },
        Input::Replied { request: 2, reply: calls(&[("b", "final_answer", answer)]) },
    ]
}

fn events(inputs: Vec<Input>) -> (Fold<Run>, Vec<EventEnvelope>) {
    let mut run = Fold::<Run>::new();
    let mut out = Vec::new();
    for (at, input) in inputs.into_iter().enumerate() {
        for effect in run.step(input) {
            // The driver tells of the end.
            let event = match effect {
                Effect::Emit(event) => Some(event),
                Effect::Finish { ending, .. } => Some(Event::Ended { ending: *ending }),
                _ => None,
            };
            if let Some(event) = event {
                out.push(EventEnvelope { turn: TurnId("turn".into()), seq: out.len() as u64, elapsed_ms: at as u64 * 100, event });
            }
        }
    }
    (run, out)
}

/// The same file is folded by the window's own tests; `NEXI_UPDATE=1` writes it.
#[test]
fn the_events_are_those_of_the_golden_file() {
    let (_, events) = events(script());
    let json = serde_json::to_string_pretty(&events).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden/quick-run.events.json");
    if std::env::var_os("NEXI_UPDATE").is_some() {
        std::fs::write(&path, &json).unwrap();
    }
    assert_eq!(json, std::fs::read_to_string(&path).unwrap_or_default());
}

#[test]
fn every_call_has_one_result_in_order_and_failed_pages_have_no_number() {
    let mut run = Fold::<Run>::new();
    let mut last = Vec::new();
    for input in script().into_iter().take(6) {
        last = run.step(input);
    }
    let Some(Effect::AskModel { body, .. }) = last.iter().find(|effect| matches!(effect, Effect::AskModel { .. })) else {
        panic!("{last:?}")
    };
    let ids: Vec<String> = body
        .messages
        .iter()
        .flat_map(|message| match message {
            Message::Assistant { calls, .. } => calls.iter().map(|call| format!("call {}", call.id)).collect(),
            Message::Tool { call_id, .. } => vec![format!("result {call_id}")],
            _ => Vec::new(),
        })
        .collect();
    assert_eq!(ids, ["call a", "call call1x1", "result a", "result call1x1"], "ids that were used twice are made unique");
    let Some(Message::Tool { result, .. }) = body.messages.last() else { panic!() };
    let text = result.render();
    assert!(text.contains("[1] (whole text)") && text.contains("Bridge") && text.contains("404") && !text.contains("[2]"), "{text}");
}

#[test]
fn wherever_a_run_stops_it_goes_on_with_what_is_missing() {
    let inputs: Vec<Input> = script().into_iter().filter(Input::is_journaled).collect();
    for cut in 1..inputs.len() {
        // As after a crash: the journal so far is folded, then the missing effects are issued again.
        let (mut run, _) = events(inputs[..cut].to_vec());
        let open = run.outstanding();
        assert!(!open.is_empty(), "{cut}");
        let mut done = None;
        for input in &inputs[cut..] {
            done = ending(&run.step(input.clone())).cloned().or(done);
        }
        let ending = done.unwrap_or_else(|| panic!("no end after a cut at {cut}"));
        assert_eq!((ending.state, ending.sources.len(), ending.steps), (TurnState::Answered, 1, 2), "cut at {cut}");
        assert!(run.outstanding().is_empty());
    }
}

#[test]
fn a_conversation_that_outgrows_the_window_is_summarised() {
    let mut run = Fold::<Run>::new();
    run.step(asked(8, 3000));
    run.step(Input::Replied { request: 1, reply: calls(&[("a", "web_get", r#"{"urls": ["https://e.org/1"], "get_full": true}"#)]) });
    let key = Key { step: 1, call: 0, part: 0 };
    let effects = run.step(Input::PageRead { key, page: page("https://e.org/1", &"The bridge was opened in 1931. ".repeat(500)) });
    let Some(Effect::AskModel { request, purpose, .. }) = effects.iter().find(|effect| matches!(effect, Effect::AskModel { .. })) else {
        panic!("{effects:?}")
    };
    assert_eq!(*purpose, Purpose::Compaction);
    let reply =
        Reply { text: "It was opened in 1931 [1].".into(), calls: Vec::new(), finish: FinishReason::Stop, usage: None, ..Reply::default() };
    let effects = run.step(Input::Replied { request: *request, reply });
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::Emit(Event::Compacted { before, after, .. }) if after < before)),
        "{effects:?}"
    );
    let Some(Effect::AskModel { body, purpose: Purpose::Step, .. }) =
        effects.iter().find(|effect| matches!(effect, Effect::AskModel { .. }))
    else {
        panic!("{effects:?}")
    };
    check_conversation(&body.messages);
    assert!(body.messages.iter().any(
        |message| matches!(message, Message::User { text } if text.contains("opened in 1931 [1]") && text.contains("https://e.org/1"))
    ));
}

fn request(effects: &[Effect]) -> (u32, Purpose, &nexi_core::model::ModelRequest) {
    effects
        .iter()
        .find_map(|effect| if let Effect::AskModel { request, purpose, body } = effect { Some((*request, *purpose, body)) } else { None })
        .unwrap_or_else(|| panic!("no request in {effects:?}"))
}

fn get(url: &str) -> Reply {
    calls(&[("a", "web_get", &format!(r#"{{"urls": ["{url}"], "get_full": true}}"#))])
}

fn summary(text: &str, request: u32) -> Input {
    Input::Replied {
        request,
        reply: Reply { text: text.into(), calls: Vec::new(), finish: FinishReason::Stop, usage: None, ..Reply::default() },
    }
}

#[test]
fn compaction_begins_at_the_threshold() {
    // The same page in windows of growing size: compaction as long as the conversation with it is
    // above nine tenths of the window, and not beyond.
    let key = Key { step: 1, call: 0, part: 0 };
    let mut last_full = 0;
    let mut sizes = Vec::new();
    for window in (4000..9000).step_by(100) {
        let mut run = Fold::<Run>::new();
        run.step(asked(8, window));
        run.step(Input::Replied { request: 1, reply: get("https://e.org/1") });
        let effects = run.step(Input::PageRead { key, page: page("https://e.org/1", &"The bridge was opened in 1931. ".repeat(700)) });
        match request(&effects).1 {
            Purpose::Compaction => last_full = window,
            _ => sizes.push(window),
        }
    }
    assert!(last_full > 5000 && sizes.iter().all(|window| *window > last_full), "{last_full} {sizes:?}");
    // 700 sentences of 31 bytes are 5,425 tokens, the prompt is some hundreds.
    // Below 11,000 the room for reply and tools counts, which is 1,100.
    let needed = f64::from(last_full - 1100);
    assert!((5425.0..6500.0).contains(&needed), "{needed}");
}

#[test]
fn search_results_alone_can_trigger_compaction() {
    let mut run = Fold::<Run>::new();
    run.step(asked(8, 2500));
    let many = calls(&[("a", "web_search", r#"{"queries": ["1", "2", "3", "4", "5"]}"#)]);
    run.step(Input::Replied { request: 1, reply: many });
    let mut effects = Vec::new();
    for part in 0..5 {
        let hits = (0..8).map(|index| Hit { snippet: "words ".repeat(100), ..hit("Bridge", &format!("https://e.org/{index}")) }).collect();
        let found = Ok(Found { hits, backend: "b".into(), failures: Vec::new(), ..Found::default() });
        effects = run.step(Input::Searched { key: Key { step: 1, call: 0, part }, found });
    }
    assert_eq!(request(&effects).1, Purpose::Compaction);
}

#[test]
fn without_a_summary_old_results_become_passages() {
    let mut run = Fold::<Run>::new();
    run.step(asked(8, 5000));
    run.step(Input::Replied { request: 1, reply: get("https://e.org/1") });
    let key = Key { step: 1, call: 0, part: 0 };
    let text =
        format!("{}\n\nThe Aldermoor bridge was opened in 1931.\n\n{}", "Grass grows here. ".repeat(600), "Ships pass by. ".repeat(600));
    let effects = run.step(Input::PageRead { key, page: page("https://e.org/1", &text) });
    let (id, purpose, _) = request(&effects);
    assert_eq!(purpose, Purpose::Compaction);
    let effects = run.step(Input::ModelFailed { request: id, error: nexi_core::model::ModelError::Broken { provider: "p".into() } });
    let (_, purpose, body) = request(&effects);
    assert_eq!(purpose, Purpose::Step, "the run goes on");
    let Some(Message::Tool { result, .. }) = body.messages.last() else { panic!() };
    let shown = result.render();
    assert!(shown.contains("opened in 1931") && shown.len() < 4000, "the best passage is what is left: {shown}");
}

#[test]
fn a_window_that_stays_full_leads_to_the_answer() {
    let mut run = Fold::<Run>::new();
    let mut effects = run.step(asked(200, 5000));
    let mut seen = Vec::new();
    for index in 0..400 {
        let (id, purpose, body) = request(&effects);
        check_conversation(&body.messages);
        seen.push(purpose);
        effects = match purpose {
            Purpose::Compaction => run.step(summary("Something [1].", id)),
            Purpose::FinalAnswer => {
                let done = run.step(summary("It was opened in 1931 [1].", id));
                let end = ending(&done).expect("an end");
                assert_eq!(end.state, TurnState::Partial);
                assert!(end.reason.has(&EndReason::ContextFull), "{:?}", end.reason);
                assert_eq!(end.answer, "It was opened in 1931 [1].");
                assert!(seen.iter().filter(|purpose| **purpose == Purpose::Compaction).count() > 1);
                return;
            }
            _ => {
                let url = format!("https://e.org/{index}");
                let read = run.step(Input::Replied { request: id, reply: get(&url) });
                let key =
                    read.iter().find_map(|effect| if let Effect::Read { key, .. } = effect { Some(*key) } else { None }).expect("a page");
                run.step(Input::PageRead { key, page: page(&url, &format!("{index} The bridge was opened in 1931. ").repeat(700)) })
            }
        };
    }
    panic!("it never ended: {seen:?}");
}

#[test]
fn titles_come_from_results_where_the_page_has_none() {
    let mut run = Fold::<Run>::new();
    run.step(asked(8, 100_000));
    run.step(Input::Replied { request: 1, reply: calls(&[("a", "web_search", r#"{"queries": ["bridge"]}"#)]) });
    let found = Ok(Found {
        hits: vec![hit("The title of the result", "https://e.org/1")],
        backend: "b".into(),
        failures: Vec::new(),
        ..Found::default()
    });
    run.step(Input::Searched { key: Key { step: 1, call: 0, part: 0 }, found });
    run.step(Input::Replied { request: 2, reply: get("https://e.org/1") });
    let mut untitled = page("https://e.org/1", "The bridge was opened in 1931.").unwrap();
    untitled.title = String::new();
    run.step(Input::PageRead { key: Key { step: 2, call: 0, part: 0 }, page: Ok(untitled) });
    let done = run.step(summary("In 1931 [1].", 3));
    assert_eq!(ending(&done).expect("an end").sources[0].title, "The title of the result");
}

#[test]
fn at_most_eight_pages_are_read_at_once() {
    let mut run = Fold::<Run>::new();
    run.step(asked(8, 100_000));
    let urls: Vec<String> = (0..12).map(|index| format!("\"https://e.org/{index}\"")).collect();
    let effects =
        run.step(Input::Replied { request: 1, reply: calls(&[("a", "web_get", &format!("{{\"urls\": [{}]}}", urls.join(",")))]) });
    assert_eq!(effects.iter().filter(|effect| matches!(effect, Effect::Read { .. })).count(), 8, "all of them before any has come back");
}

/// Attachments are read before the model is asked; who is resumed in the middle reads what had not come.
#[test]
fn attachments_are_read_first() {
    let text =
        Page { url: "nexi://text/1".into(), title: "Pasted".into(), text: "The ferry leaves from pier nine.".into(), ..Page::default() };
    let attached = vec![
        Attachment::Address { url: "file:///notes/wall.md".into() },
        Attachment::Text { page: Box::new(text) },
        Attachment::Address { url: "https://e.org/gone".into() },
    ];
    let asked = || Input::Asked { asked: Box::new(Asked { attached: attached.clone(), guarded: true, ..question(Limits::default()) }) };
    let key = |part| Key { step: 0, call: 0, part };
    let mut run = Fold::<Run>::new();
    let effects = run.step(asked());
    let reads: Vec<&str> =
        effects.iter().filter_map(|effect| if let Effect::Read { url, .. } = effect { Some(url.as_str()) } else { None }).collect();
    assert_eq!(reads, ["file:///notes/wall.md", "https://e.org/gone"], "the person chose the address, so it may be visited");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::AskModel { .. })));
    run.step(Input::PageRead { key: key(2), page: Err(Failure::new("the page does not exist (404)")) });
    assert_eq!(run.outstanding().len(), 1, "one is still waited for");
    let effects = run.step(Input::PageRead { key: key(0), page: page("file:///notes/wall.md", "The wall was built in 1877.") });
    let Some(Effect::AskModel { body, .. }) = effects.iter().find(|effect| matches!(effect, Effect::AskModel { .. })) else {
        panic!("{effects:?}")
    };
    check_conversation(&body.messages);
    let told = body
        .messages
        .last()
        .map(|message| if let Message::Tool { result, .. } = message { result.render() } else { String::new() })
        .unwrap();
    for words in ["pier nine", "built in 1877", "404", "Sources to cite: [2], [1]"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // What was attached is private text: an address of the model's own making is held back from now on.
    let effects =
        run.step(Input::Replied { request: 1, reply: calls(&[("a", "web_get", r#"{"urls": ["https://evil.example/?pier-nine"]}"#)]) });
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Read { .. })), "{effects:?}");
}

#[test]
fn a_range_of_a_document_is_read_with_its_numbers() {
    let text: String = (1..=900).map(|line| format!("Line {line} of the long account of the harbour works.\n")).collect();
    let mut run = Fold::<Run>::new();
    run.step(Input::Asked { asked: Box::new(Asked { documents: true, ..question(Limits::default()) }) });
    let read = r#"{"path": "/notes/long.md", "lines": "500-502"}"#;
    let effects = run.step(Input::Replied {
        request: 1,
        reply: calls(&[("a", "document_read", read), ("b", "grep", r#"{"queries": ["harbour works"]}"#)]),
    });
    let url = effects.iter().find_map(|effect| if let Effect::Read { url, .. } = effect { Some(url.clone()) } else { None });
    // This is no whole path everywhere.
    if cfg!(unix) {
        assert_eq!(url.as_deref(), Some("file:///notes/long.md"), "a path is meant as an address");
    }
    run.step(Input::Searched { key: Key { step: 1, call: 1, part: 0 }, found: Ok(Found::default()) });
    let effects = run.step(Input::PageRead { key: Key { step: 1, call: 0, part: 0 }, page: page("file:///notes/long.md", &text) });
    let Some(Effect::AskModel { body, .. }) = effects.iter().find(|effect| matches!(effect, Effect::AskModel { .. })) else {
        panic!("{effects:?}")
    };
    assert_eq!(body.tools, ToolSet::Research(Places { documents: true, ..Places::WEB }));
    let told: String = body
        .messages
        .iter()
        .map(|message| if let Message::Tool { result, .. } = message { result.render() } else { String::new() })
        .collect();
    assert!(told.contains("500: Line 500 of") && told.contains("502: Line 502 of") && !told.contains("Line 503 of"), "{told}");
    assert!(told.contains("the part you asked for"), "{told}");
}
