//! How a deep run goes: plan, rounds, budgets, and what researchers tell each other.

use std::path::Path;

use nexi_core::ids::TurnId;
use nexi_core::model::ToolSet;
use nexi_core::ports::SearchTool;
use nexi_core::protocol::{Decision, DeepPhase, Event, EventEnvelope, Notice, Plan, Task, TurnState};
use nexi_core::run::{DeepOptions, Input, Purpose};

use crate::world::*;

#[test]
fn a_run_of_two_rounds_from_plan_to_report() {
    let mut world = researching();
    assert!(world.events.contains(&Event::PlanMade { plan: plan(), waits: false }));
    assert!(world.text_of(Some(id("1.2"))).contains("How long is it?") && world.text_of(Some(id("1.2"))).contains("- bridge span"));
    for of in ["1.1", "1.2", "1.3"] {
        world.reply_to(of, calls("web_search", r#"{"queries": ["bridge"]}"#));
        world.deliver(of);
        world.reply_to(of, calls("web_get", r#"{"urls": ["https://e.org/bridge"]}"#));
        world.reply_to(of, calls("web_get", r#"{"urls": ["https://e.org/bridge"]}"#));
    }
    // All three want the same page: it is fetched once, and has one number.
    assert_eq!(world.reads(), [("1.1".to_owned(), "https://e.org/bridge".to_owned())]);
    world.deliver("1.1");
    for of in ["1.1", "1.2", "1.3"] {
        assert!(world.text_of(Some(id(of))).contains("Sources to cite: [1]"), "{of}");
        world.hands_in(of, &format!("Report of {of}: opened in 1931 [1]."));
    }
    let (_, purpose, body) = world.request(None).expect("the evaluator is asked");
    assert_eq!((purpose, body.tools), (Purpose::Evaluation, ToolSet::None));
    assert!(world.text_of(None).contains("Report of 1.3"));
    world.reply(DELEGATE);
    assert!(
        world
            .events
            .iter()
            .any(|event| matches!(event, Event::Decided { round: 1, decision: Decision::Delegate, tasks } if tasks.len() == 1))
    );
    assert!(world.text_of(Some(id("2.1"))).contains("Report of 1.1"), "who starts later is told what was found");
    world.hands_in("2.1", "It is green.");
    world.reply(&report());
    let ending = world.ending();
    assert_eq!((ending.state, ending.sources.len(), ending.citations.len()), (TurnState::Answered, 1, 9));
    let method = ending.method.as_ref().unwrap();
    assert_eq!((method.rounds, method.researchers, method.searches, method.pages, method.title.as_str()), (2, 4, 3, 1, "The bridge"));
    assert_eq!(ending.usage.total(), 15 * (3 + 4 * 3 + 1));
    golden(&world.events);
}

/// The same file is folded by the window's own tests; `NEXI_UPDATE=1` writes it.
fn golden(events: &[Event]) {
    let envelopes: Vec<EventEnvelope> = events
        .iter()
        .enumerate()
        .map(|(at, event)| EventEnvelope { turn: TurnId("turn".into()), seq: at as u64, elapsed_ms: at as u64 * 100, event: event.clone() })
        .collect();
    let json = serde_json::to_string_pretty(&envelopes).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden/deep-run.events.json");
    if std::env::var_os("NEXI_UPDATE").is_some() {
        std::fs::write(&path, &json).unwrap();
    }
    assert_eq!(json, std::fs::read_to_string(&path).unwrap_or_default());
}

#[test]
fn plans_are_asked_for_three_times() {
    let mut world = World::new(DeepOptions::default());
    world.reply("I would begin with a search.");
    assert!(world.text_of(None).contains("could not be read: it holds no JSON object"));
    world.reply("{\"title\": \"x\"}");
    world.reply("Still no plan.");
    assert_eq!(world.run.phase(), Some(DeepPhase::Researching));
    assert!(world.events.iter().any(|event| matches!(event, Event::Notice { notice: Notice::PlanUnreadable })));
    assert!(world.text_of(Some(id("1.1"))).contains("What is known of the Aldermoor bridge?"));
    assert!(world.request(Some(id("1.2"))).is_none());
}

#[test]
fn a_plan_waits_for_the_person_and_is_carried_out_as_edited() {
    let mut world = World::new(DeepOptions { approve: true, ..DeepOptions::default() });
    world.reply(PLAN);
    assert_eq!(world.run.proposed(), Some(&plan()));
    assert!(world.run.outstanding().is_empty());
    let mut edited = plan();
    edited.tasks.truncate(1);
    edited.tasks[0].goal = "Was it ever closed?".into();
    world.give(Input::PlanApproved { plan: edited });
    assert!(world.text_of(Some(id("1.1"))).contains("Was it ever closed?") && world.run.proposed().is_none());
    assert!(world.request(Some(id("1.2"))).is_none());
}

#[test]
fn only_so_many_work_at_once() {
    let mut world = World::new(DeepOptions { parallel: 2, ..DeepOptions::default() });
    world.reply(PLAN);
    assert!(world.request(Some(id("1.2"))).is_some() && world.request(Some(id("1.3"))).is_none());
    world.hands_in("1.2", "Long.");
    assert!(world.text_of(Some(id("1.3"))).contains("Long."), "who starts later is told");
}

#[test]
fn budgets_end_and_tools_with_them() {
    let tools = vec![SearchTool::Web, SearchTool::Grep];
    let mut world = World::new(DeepOptions { tools, ..DeepOptions::default() });
    world.reply(PLAN);
    assert!(matches!(world.tools_of("1.1"), ToolSet::Researcher(offer) if offer.web && offer.grep && offer.read && !offer.security));
    world.reply_to("1.1", calls("security_search", r#"{"queries": ["x"]}"#));
    assert!(world.text_of(Some(id("1.1"))).contains("security_search cannot be used here"));
    for round in 0..4 {
        let tool = if round == 2 { "grep" } else { "web_search" };
        world.reply_to("1.1", calls(tool, &format!("{{\"queries\": [\"a {round}\"]}}")));
        world.deliver("1.1");
    }
    assert!(matches!(world.tools_of("1.1"), ToolSet::Researcher(offer) if !offer.web && !offer.grep && offer.read));
    world.reply_to("1.1", calls("web_search", r#"{"queries": ["more"]}"#));
    assert!(world.text_of(Some(id("1.1"))).contains("4 searches are used up"));
    let urls =
        |round: usize| serde_json::json!({"urls": (0..5).map(|n| format!("https://e.org/{round}/{n}")).collect::<Vec<_>>()}).to_string();
    world.reply_to("1.1", calls("web_get", &urls(0)));
    assert!(
        world.reads().is_empty() && world.text_of(Some(id("1.1"))).contains("Nothing has been read by others yet"),
        "the handshake fetches nothing"
    );
    for (round, most) in [3, 2, 3].into_iter().enumerate() {
        world.reply_to("1.1", calls("web_get", &urls(round)));
        assert_eq!(world.reads().len(), most, "batch {round}");
        world.deliver("1.1");
    }
    assert!(matches!(world.tools_of("1.1"), ToolSet::Researcher(offer) if !offer.read && !offer.web));
    // The handshake of the next one names what has been read.
    world.reply_to("1.2", calls("web_get", &urls(0)));
    let told = world.text_of(Some(id("1.2")));
    assert!(told.contains("[1] Page https://e.org/0/0") && told.contains("with the 3 pages"), "{told}");
}

#[test]
fn a_full_window_ends_the_reading() {
    let mut world = researching();
    world.reply_to("1.1", calls("web_get", r#"{"urls": ["https://e.org/1"]}"#));
    // 100,000 bytes count as 25,000 tokens, more than 55% of 40,000.
    for of in ["1.2", "1.3"] {
        world.hands_in(of, &"Words of a long report. ".repeat(2050));
    }
    world.reply_to("1.1", calls("web_search", r#"{"queries": ["x"]}"#));
    world.deliver("1.1");
    world.reply_to("1.1", calls("web_get", r#"{"urls": ["https://e.org/1"]}"#));
    assert!(world.reads().is_empty(), "the batch is left out");
    assert!(world.text_of(Some(id("1.1"))).contains("more than 55% full"));
}

#[test]
fn findings_reach_those_who_are_at_work() {
    let mut world = researching();
    world.hands_in("1.2", &format!("It is 300 m long. {}", "x".repeat(60_000)));
    assert!(!world.text_of(Some(id("1.1"))).contains("300 m"), "a request that was made is not changed");
    assert!(world.events.contains(&Event::ReportInjected { from: id("1.2"), to: id("1.3") }));
    world.reply_to("1.1", calls("web_search", r#"{"queries": ["x"]}"#));
    world.deliver("1.1");
    let told = world.text_of(Some(id("1.1")));
    assert!(told.contains("Another researcher has reported on “Span”") && told.contains("300 m"));
    assert!(told.matches('x').count() < 51_000, "a report is cut at 50,000 bytes");
}

fn plan() -> Plan {
    let task = |title: &str, goal: &str, query: &str| Task { title: title.into(), goal: goal.into(), queries: vec![query.into()] };
    Plan {
        title: "The bridge".into(),
        complexity: 2,
        target_rounds: 3,
        tasks: vec![
            task("Opening", "When was it opened?", "bridge opened"),
            task("Span", "How long is it?", "bridge span"),
            task("Cost", "What did it cost?", "bridge cost"),
        ],
        tools: Vec::new(),
    }
}
