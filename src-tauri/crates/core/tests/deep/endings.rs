//! How a deep run ends, whatever goes wrong, and what is kept of it.

use std::collections::BTreeMap;

use nexi_core::model::Delta;
use nexi_core::protocol::{DeepPhase, EndReason, Event, TurnState};
use nexi_core::run::{DeepOptions, Effect, Input, Purpose};

use crate::world::*;

#[test]
fn a_researcher_that_fails_is_named_and_the_others_go_on() {
    let mut world = researching();
    world.fail_at("1.2");
    world.hands_in("1.1", "Opened in 1931.");
    world.hands_in("1.3", "It was dear.");
    assert!(world.events.iter().any(|event| matches!(event, Event::ResearcherEnded { researcher, findings } if *researcher == id("1.2") && findings.state == TurnState::Failed)));
    world.reply(&report());
    assert_eq!(world.ending().state, TurnState::Answered);
    let open = &world.ending().method.as_ref().unwrap().open;
    assert!(open.len() == 1 && open[0].starts_with("Span: The connection"), "{open:?}");
}

#[test]
fn when_all_fail_the_run_stops_with_what_there_is() {
    let mut world = researching();
    for of in ["1.1", "1.2", "1.3"] {
        world.fail_at(of);
    }
    assert_eq!((world.ending().state, world.ending().answer.as_str()), (TurnState::Failed, ""));
    // With something from an earlier round it is a report, and says so.
    let mut world = evaluating();
    world.reply(DELEGATE);
    world.fail_at("2.1");
    assert_eq!(world.run.phase(), Some(DeepPhase::Synthesizing));
    world.reply(&report());
    assert_eq!(world.ending().state, TurnState::Partial);
    assert!(world.ending().reason.has(&EndReason::ResearchersFailed { round: 2 }));
}

#[test]
fn rounds_have_a_hard_limit() {
    let mut world = evaluating();
    for round in 2..=5 {
        world.reply(DELEGATE);
        world.hands_in(&format!("{round}.1"), "More.");
        let exploring = world
            .events
            .iter()
            .rev()
            .find_map(|event| if let Event::Progress { progress } = event { Some(progress.exploring) } else { None });
        assert_eq!(exploring, Some(round > 3), "round {round}");
    }
    assert_eq!(world.run.phase(), Some(DeepPhase::Synthesizing), "three rounds were planned, and two may be added");
    world.reply(&report());
    assert_eq!(world.ending().state, TurnState::Answered);
}

#[test]
fn an_unclear_evaluation_is_asked_for_once_more() {
    let mut world = evaluating();
    world.reply("Hm.");
    assert!(world.text_of(None).contains("neither the JSON object nor a report"));
    world.reply("Hm.");
    assert_eq!(world.request(None).map(|(_, purpose, _)| purpose), Some(Purpose::Synthesis));
    world.reply("A short report.");
    assert_eq!((world.ending().state, world.ending().answer.as_str()), (TurnState::Answered, "A short report."));
}

#[test]
fn a_researcher_can_be_stopped_and_what_others_wait_for_is_fetched_for_them() {
    let mut world = researching();
    for of in ["1.1", "1.2"] {
        world.reply_to(of, calls("web_get", r#"{"urls": ["https://e.org/a"]}"#));
        world.reply_to(of, calls("web_get", r#"{"urls": ["https://e.org/a"]}"#));
    }
    world.give(Input::StopResearcher { researcher: id("1.1") });
    assert_eq!(world.reads(), [("1.2".to_owned(), "https://e.org/a".to_owned())]);
    world.deliver("1.2");
    world.hands_in("1.2", "It stands [1].");
    world.hands_in("1.3", "It was dear.");
    world.reply(&report());
    assert!(world.ending().method.as_ref().unwrap().open[0].starts_with("Opening: you stopped it"));
}

#[test]
fn what_there_is_becomes_the_report() {
    // Finish now: one report, one who had read a page, one with nothing.
    let begin = || {
        let mut world = researching();
        world.hands_in("1.1", "Opened in 1931.");
        world.reply_to("1.2", calls("web_get", r#"{"urls": ["https://e.org/a"]}"#));
        world.reply_to("1.2", calls("web_get", r#"{"urls": ["https://e.org/a"]}"#));
        world.deliver("1.2");
        world
    };
    let mut world = begin();
    world.give(Input::FinishNow);
    let told = world.text_of(None);
    assert!(
        told.contains("Opened in 1931.") && told.contains("From [1] Page") && told.contains("Cost: stopped before it finished"),
        "{told}"
    );
    world.reply(&report());
    assert_eq!(world.ending().state, TurnState::Partial);
    assert!(world.ending().reason.has(&EndReason::ReportWanted));
    // The model is gone, too: the reports are put together here.
    let mut world = begin();
    world.give(Input::TimeUp { hard: false });
    world.fail();
    let answer = &world.ending().answer;
    assert!(answer.contains("## Opening\n\nOpened in 1931.") && answer.contains("## What could not be established"), "{answer}");
    // Stopped by hand: nothing is lost, either.
    let mut world = begin();
    world.give(Input::Cancelled);
    assert_eq!(world.ending().state, TurnState::Cancelled);
    assert!(world.ending().answer.contains("Opened in 1931.") && world.ending().sources.len() == 1);
}

#[test]
fn a_report_is_streamed_and_a_decision_is_not() {
    let mut world = evaluating();
    let request = own_request(&world);
    let delta = |text: &str| Input::Delta { request, delta: Delta::Text(text.into()) };
    let count = |world: &World| world.events.iter().filter(|event| matches!(event, Event::AnswerDelta { .. })).count();
    world.give(delta("{\"action\": "));
    world.give(delta("\"delegate\""));
    assert_eq!(count(&world), 0);
    world.give(Input::Delta { request, delta: Delta::Restart });
    world.give(delta("# The br"));
    world.give(delta("idge\n"));
    world.give(delta("It was "));
    assert_eq!((count(&world), world.run.partial_answer()), (2, "# The bridge\nIt was "));
    assert_eq!(
        world.run.wrote(&Input::Cancelled),
        [Input::PartialOutput { request, text: "# The bridge\nIt was ".into(), preamble: false }]
    );
}

/// A run that was asked this, and has no model.
fn without_a_model(question: &str) -> World {
    let mut world = World::idle();
    let Input::Asked { mut asked } = asked(DeepOptions::default(), false) else { unreachable!() };
    asked.question = question.into();
    world.give(Input::Asked { asked });
    world
}

#[test]
fn without_a_model_every_question_has_its_researcher() {
    let mut world = without_a_model("Who built the bridge? When was it opened?");
    assert_eq!(world.run.phase(), Some(DeepPhase::Researching));
    world.hands_in("1.1", "“Aldermoor built it.” [1]");
    world.hands_in("1.2", "“In 1931.” [1]");
    let ending = world.ending();
    assert_eq!(ending.state, TurnState::Answered);
    assert!(
        ending.answer.contains("- **Who built the bridge?** “Aldermoor built it.”") && ending.answer.contains("## When was it opened?"),
        "{}",
        ending.answer
    );
}

#[test]
fn a_run_can_be_cut_anywhere() {
    let mut world = researching();
    for of in ["1.1", "1.2", "1.3"] {
        world.reply_to(of, calls("web_get", r#"{"urls": ["https://e.org/a"]}"#));
        world.reply_to(of, calls("web_get", &format!("{{\"urls\": [\"https://e.org/a\", \"https://e.org/{of}\"]}}")));
    }
    for of in ["1.1", "1.3", "1.2"] {
        world.deliver(of);
    }
    for of in ["1.3", "1.1", "1.2"] {
        world.hands_in(of, "Opened in 1931 [1].");
    }
    world.reply(DELEGATE);
    world.hands_in("2.1", "Green [2].");
    world.reply(&report());
    let whole = world.ending().clone();
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for event in &world.events {
        if let Event::Researcher { event, .. } = event
            && let Event::PageRead { url, number, .. } = event.as_ref()
        {
            assert_eq!(numbers.entry(url.clone()).or_insert(*number), number, "a number has changed");
        }
    }
    assert_eq!(numbers.len(), 4);
    for cut in 1..world.inputs.len() {
        let mut again = World::idle();
        replay(&mut again, &world.inputs[..cut]);
        assert!(again.ending.is_none() && !again.run.outstanding().is_empty(), "cut at {cut}");
        replay(&mut again, &world.inputs[cut..]);
        assert_eq!(again.ending(), &whole, "cut at {cut}");
    }
}

fn replay(world: &mut World, inputs: &[Input]) {
    for input in inputs {
        // What was open is answered by the journal.
        if !matches!(input, Input::Asked { .. }) {
            world.open = world.run.outstanding();
        }
        forget(&mut world.open, input);
        world.give(input.clone());
    }
}

/// Takes out of what is open what this input answers.
fn forget(open: &mut Vec<Effect>, input: &Input) {
    let (of, input) = match input {
        Input::Of { researcher, input } => (Some(*researcher), input.as_ref()),
        input => (None, input),
    };
    open.retain(|effect| {
        let (whose, effect) = parts(effect);
        whose != of
            || !match (effect, input) {
                (Effect::AskModel { request, .. }, Input::Replied { request: answered, .. }) => request == answered,
                (Effect::Read { key, .. }, Input::PageRead { key: answered, .. }) => key == answered,
                (Effect::Search { key, .. }, Input::Searched { key: answered, .. }) => key == answered,
                _ => false,
            }
    });
}

#[test]
fn enough_is_enough_while_an_evaluation_arrives() {
    let mut world = evaluating();
    let request = own_request(&world);
    // The evaluator thinks aloud, which looks like a report for a while.
    world.give(Input::Delta { request, delta: Delta::Text("Let me see what there is. ".repeat(10)) });
    world.give(Input::PartialOutput { request, text: "Let me see what there is. ".repeat(10), preamble: false });
    world.give(Input::FinishNow);
    assert_eq!(world.run.phase(), Some(DeepPhase::Evaluating), "a report that is being written may be finished");
    world.reply(DELEGATE);
    assert_eq!(world.run.phase(), Some(DeepPhase::Synthesizing), "but there is no other round");
    world.reply(&report());
    assert!(world.ending().reason.has(&EndReason::ReportWanted));
}

#[test]
fn tasks_that_nobody_began_are_named_and_talk_is_no_report() {
    let mut world = World::new(DeepOptions { parallel: 1, ..DeepOptions::default() });
    world.reply(PLAN);
    let request = world.request(Some(id("1.1"))).unwrap().0;
    world.give_to("1.1", Input::Delta { request, delta: Delta::Text("Let me look for the day.".into()) });
    let wrote = world.run.wrote(&Input::Cancelled);
    assert!(matches!(&wrote[..], [Input::Of { input, .. }] if matches!(**input, Input::PartialOutput { preamble: true, .. })), "{wrote:?}");
    world.give(Input::Cancelled);
    let open = &world.ending().method.as_ref().unwrap().open;
    assert_eq!(open.len(), 3, "{open:?}");
    assert!(open[1].starts_with("Span: not started") && world.ending().answer.is_empty(), "{open:?}");
}

#[test]
fn when_every_researcher_is_stopped_so_is_the_run() {
    let mut world = researching();
    for of in ["1.1", "1.2", "1.3"] {
        world.give(Input::StopResearcher { researcher: id(of) });
    }
    assert_eq!(world.ending().state, TurnState::Cancelled);
    assert!(world.ending().reason.has(&EndReason::AllResearchersStopped));
}

#[test]
fn what_is_no_report_does_not_take_the_place_of_the_findings() {
    let begin = || {
        let mut world = researching();
        world.reply_to("1.1", calls("web_get", r#"{"urls": ["https://e.org/a"]}"#));
        world.reply_to("1.1", calls("web_get", r#"{"urls": ["https://e.org/a"]}"#));
        world.deliver("1.1");
        for of in ["1.1", "1.2", "1.3"] {
            world.hands_in(of, "The Aldermoor bridge was opened in 1931 [1].");
        }
        world.reply(r#"{"action": "synthesize"}"#);
        world
    };
    // A decision, whole or cut off: the findings are put together here.
    for decision in [DELEGATE, "{\"action\": \"delegate\", \"tasks\": [{\"title\":", "```json\n{\"action\": \"delegate\"}\n```"] {
        let mut world = begin();
        world.reply(decision);
        let ending = world.ending();
        assert_eq!(ending.state, TurnState::Partial, "{decision}");
        assert!(ending.answer.contains("## Opening") && !ending.answer.contains("action"), "{}", ending.answer);
    }
    // Prose without a source stands above them.
    let mut world = begin();
    world.reply("I think it is fine.");
    let ending = world.ending();
    assert_eq!(ending.state, TurnState::Partial);
    assert!(ending.answer.starts_with("I think it is fine.") && ending.answer.contains("1931 [1]"), "{}", ending.answer);
    assert!(ending.reason.has(&EndReason::ReportWithoutSources));
    // A fence around the whole is taken off, and one that was left open is closed.
    let mut world = begin();
    world.reply("```markdown\n# The bridge\n\nIt was opened in 1931 [1].\n```");
    assert_eq!((world.ending().state, world.ending().citations.len()), (TurnState::Answered, 1));
    let mut world = begin();
    world.reply("# The bridge\n\nIt was opened in 1931 [1].\n\n```\ncode");
    assert!(world.ending().answer.ends_with("code\n```"));
}

#[test]
fn questions_that_stand_alone_are_researched_alone() {
    let world = without_a_model("Who built the harbour wall? How tall is the lighthouse? Who repaired it?");
    assert!(!world.text_of(Some(id("1.2"))).contains("harbour wall"), "it names its own subject");
    assert!(world.text_of(Some(id("1.3"))).contains("harbour wall"), "it leans on the first one");
}
