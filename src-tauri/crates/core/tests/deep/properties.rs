//! Three researchers in any order, with anything going wrong: a deep run ends once, labelled, with
//! one number for each page, every page fetched for one at a time, and no ceiling broken.

use std::collections::{BTreeMap, BTreeSet};

use crate::choices::Choices;
use crate::common::check_conversation;
use crate::fold::Fold;
use nexi_core::model::{Delta, FinishReason, ModelError, Reply, ToolCall, ToolSet};
use nexi_core::ports::{Failure, Found, Hit, Page};
use nexi_core::pricing::Price;
use nexi_core::protocol::{Effort, Ending, Event, Mode, ResearcherId, TurnState, Usage};
use nexi_core::run::{Asked, DeepOptions, DeepRun, Effect, Input, Limits, Purpose};
use proptest::prelude::*;

const PRICE: Price = Price::new(2.0, 8.0);

fn asked(limits: Limits, assisted: bool, parallel: u32, approve: bool) -> Input {
    Input::Asked {
        asked: Box::new(Asked {
            question: "Who built the Aldermoor bridge? When was it opened? What did it cost?".into(),
            effort: Effort::S,
            limits,
            model: "test".into(),
            today: "2026-11-22".into(),
            price: Some(PRICE),
            assisted,
            ahead: 3,
            mode: Mode::Deep,
            deep: Some(DeepOptions { parallel, approve, ..DeepOptions::default() }),
            ..Asked::default()
        }),
    }
}

fn reply(purpose: Purpose, most: u32, tools: ToolSet, choices: &mut Choices) -> Reply {
    let mut reply = Reply { text: String::new(), calls: Vec::new(), finish: FinishReason::Stop, usage: None, ..Reply::default() };
    let call = |name: &str, arguments: &str| ToolCall { id: "c".into(), name: name.into(), arguments: arguments.into(), signature: None };
    if choices.below(4) > 0 {
        reply.usage = Some(PRICE.priced(Usage::tokens(20, choices.below(most as usize + 1) as u64)));
    }
    let report = "# Bridge\n\nIt was opened in 1931 [1] and it cost a lot [7]. ".to_owned() + &"And so on and on. ".repeat(10);
    match (purpose, choices.below(7)) {
        (Purpose::Planning, 0) => reply.text = "No plan.".into(),
        (Purpose::Planning, _) => reply.text = r#"{"tasks": ["who", "when", "cost"], "complexity": 1}"#.into(),
        (Purpose::Evaluation, 0 | 1) => reply.text = r#"{"action": "delegate", "queries": ["colour", "law", "age"]}"#.into(),
        (Purpose::Evaluation, 2) => reply.text = "Hm.".into(),
        (Purpose::Evaluation, 3) => reply.text = r#"{"action": "synthesize"}"#.into(),
        (Purpose::Evaluation | Purpose::Synthesis, _) => {
            reply.text = report;
            reply.finish = [FinishReason::Stop, FinishReason::Stop, FinishReason::Length, FinishReason::ContentFilter][choices.below(4)];
        }
        (_, _) if tools == ToolSet::None => reply.text = "A summary [1].".into(),
        (_, 0) => reply.calls = vec![call("web_search", r#"{"queries": ["a", "b"]}"#)],
        (_, 1..=3) => {
            let page = choices.below(5);
            reply.calls = vec![
                call("web_get", &format!("{{\"urls\": [\"https://e.org/{page}\", \"https://e.org/{}\"]}}", page + 1)),
                call("web_get", "{\"urls\": [\"https://e.org/3\"]}"),
            ];
        }
        (_, 4) => {}
        _ => reply.calls = vec![call("final_answer", r#"{"answer": "It was opened in 1931 [1][9]."}"#)],
    }
    if !reply.calls.is_empty() {
        reply.finish = FinishReason::ToolCalls;
    }
    reply
}

fn result_for(effect: &Effect, choices: &mut Choices) -> Input {
    match effect {
        Effect::Of { researcher, effect } => Input::Of { researcher: *researcher, input: Box::new(result_for(effect, choices)) },
        Effect::AskModel { request, purpose, body } => match choices.below(12) {
            0 => Input::ModelFailed { request: *request, error: ModelError::Broken { provider: "p".into() } },
            1 => Input::Delta { request: *request, delta: Delta::Text("# Words\nof a report [1]. ".into()) },
            _ => Input::Replied { request: *request, reply: reply(*purpose, body.max_output_tokens, body.tools, choices) },
        },
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
        Effect::Read { key, .. } if choices.below(4) == 0 => Input::PageRead { key: *key, page: Err(Failure::new("no")) },
        Effect::Read { key, url } => {
            let text = "The bridge was opened in 1931, over and over. ".repeat([4, 400][choices.below(2)]);
            Input::PageRead { key: *key, page: Ok(Box::new(Page { url: url.clone(), title: "Bridge".into(), text, ..Page::default() })) }
        }
        other => panic!("not outstanding: {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_deep_run_ends_well(
        list in proptest::collection::vec(any::<u32>(), 5..120),
        max_tokens in proptest::option::of(0_u64..120_000),
        max_cost in proptest::option::of(0_u64..300_000),
        window in prop_oneof![Just(4000_u32), Just(60_000)],
        parallel in 1_u32..=4,
        approve in any::<bool>(),
        assisted in prop_oneof![5 => Just(true), 1 => Just(false)],
    ) {
        let mut choices = Choices::new(list);
        let limits = Limits { max_context: window, compact_target_words: 200, preserve_last: 1, max_output_tokens: 600, max_tokens, max_cost, ..Limits::default() };
        let mut run = Fold::<DeepRun>::new();
        let mut journal = vec![asked(limits, assisted, parallel, approve)];
        let mut effects = run.step(journal[0].clone());
        let mut endings: Vec<Ending> = Vec::new();
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let mut at_work: BTreeSet<ResearcherId> = BTreeSet::new();
        let mut rounds = 0;
        for turn in 0..1500 {
            for effect in &effects {
                match effect {
                    Effect::Finish { ending, .. } => endings.push(ending.as_ref().clone()),
                    Effect::Emit(Event::ResearcherStarted { researcher, .. }) => {
                        prop_assert!(at_work.insert(*researcher), "{researcher} begins twice");
                        prop_assert!(at_work.len() <= parallel as usize);
                        rounds = rounds.max(researcher.round);
                    }
                    Effect::Emit(Event::ResearcherEnded { researcher, .. }) => prop_assert!(at_work.remove(researcher)),
                    Effect::Emit(Event::Progress { progress }) => prop_assert!(progress.done <= progress.planned),
                    Effect::Emit(Event::Researcher { event, .. }) => {
                        if let Event::PageRead { url, number, .. } = event.as_ref() {
                            prop_assert_eq!(*numbers.entry(url.clone()).or_insert(*number), *number, "a number has changed");
                        }
                    }
                    Effect::AskModel { body, .. } => check_conversation(&body.messages),
                    Effect::Of { effect, .. } => {
                        if let Effect::AskModel { body, .. } = effect.as_ref() {
                            check_conversation(&body.messages);
                        }
                    }
                    _ => {}
                }
            }
            if run.is_over() {
                break;
            }
            let waiting = run.outstanding();
            let fetched: Vec<&String> = waiting.iter().filter_map(|effect| match effect {
                Effect::Of { effect, .. } => if let Effect::Read { url, .. } = effect.as_ref() { Some(url) } else { None },
                _ => None,
            }).collect();
            prop_assert_eq!(fetched.iter().collect::<BTreeSet<_>>().len(), fetched.len(), "a page is fetched twice at the same time");
            let proposed = run.proposed().cloned();
            prop_assert!(!waiting.is_empty() || proposed.is_some(), "nothing is waited for, and the run is not over");
            let someone = ResearcherId { round: rounds.max(1), number: 1 + choices.below(3) as u32 };
            let input = match choices.below(60) {
                _ if turn == 1498 => Input::Cancelled,
                0 if turn > 9 => Input::TimeUp { hard: false },
                1 if turn > 9 => Input::TimeUp { hard: true },
                2 if turn > 9 => Input::FinishNow,
                3 if turn > 9 => Input::Cancelled,
                4 | 5 => Input::StopResearcher { researcher: someone },
                6 => Input::Of { researcher: someone, input: Box::new(Input::Replied { request: 999, reply: reply(Purpose::Step, 9, ToolSet::None, &mut choices) }) },
                _ => match proposed {
                    Some(plan) => Input::PlanApproved { plan },
                    None => result_for(&waiting[choices.below(waiting.len())], &mut choices),
                },
            };
            if input.is_journaled() {
                journal.extend(run.wrote(&input).into_iter().filter(|_| input.depends_on_partial()));
                journal.push(input.clone());
            }
            effects = run.step(input);
        }
        prop_assert!(run.is_over());
        for effect in &effects {
            if let Effect::Finish { ending, .. } = effect && !endings.contains(ending) {
                endings.push(ending.as_ref().clone());
            }
        }
        prop_assert_eq!(endings.len(), 1);
        let ending = &endings[0];
        prop_assert!(at_work.is_empty(), "{at_work:?} are still at work");
        prop_assert!(!matches!(ending.state, TurnState::Running | TurnState::Interrupted));
        prop_assert!(ending.state == TurnState::Answered || !ending.reason.is_empty());
        prop_assert!(rounds <= 4, "two rounds are planned, and two may be added");
        prop_assert!(run.outstanding().is_empty() && run.step(Input::Cancelled).is_empty());
        if assisted {
            prop_assert!(max_tokens.is_none_or(|max| ending.usage.total() <= max), "{:?} of {:?}", ending.usage, max_tokens);
            prop_assert!(max_cost.is_none_or(|max| ending.usage.cost <= max), "{:?} of {:?}", ending.usage, max_cost);
        }
        for citation in &ending.citations {
            prop_assert_eq!(citation.known, ending.sources.iter().any(|source| source.number == citation.number));
        }
        // Nothing that was found is lost where there is no report of the model's own.
        if ending.answer.is_empty() {
            prop_assert!(ending.sources.is_empty() || ending.state != TurnState::Answered);
        }
        // The journal alone gives the same ending.
        let mut again = Fold::<DeepRun>::new();
        let mut replayed = None;
        for input in journal {
            for effect in again.step(input) {
                if let Effect::Finish { ending, .. } = effect {
                    replayed = Some(*ending);
                }
            }
        }
        prop_assert_eq!(replayed.as_ref(), Some(ending));
    }
}
