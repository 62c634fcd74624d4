//! The reducer's transitions: every kind of input in every stage.

use nexi_core::model::{Delta, ModelError};
use nexi_core::ports::Failure;
use nexi_core::protocol::{DeepPhase, Plan};
use nexi_core::run::{DeepOptions, DeepRun, Effect, Input, Key};

use crate::{fold::Fold, world::*};

/// Where a run can stand, made anew for every input.
fn stages() -> Vec<(&'static str, World)> {
    let mut synthesizing = evaluating();
    synthesizing.reply(r#"{"action": "synthesize"}"#);
    let mut ended = evaluating();
    ended.reply(&report());
    let mut approving = World::new(DeepOptions { approve: true, ..DeepOptions::default() });
    approving.reply(PLAN);
    vec![
        ("planning", World::new(DeepOptions::default())),
        ("approving", approving),
        ("researching", researching()),
        ("evaluating", evaluating()),
        ("synthesizing", synthesizing),
        ("ended", ended),
    ]
}

fn stage(run: &Fold<DeepRun>) -> &'static str {
    match run.phase() {
        None if run.is_over() => "ended",
        None => panic!("nowhere"),
        Some(DeepPhase::Planning) => "planning",
        Some(DeepPhase::Approving) => "approving",
        Some(DeepPhase::Researching) => "researching",
        Some(DeepPhase::Evaluating) => "evaluating",
        Some(DeepPhase::Synthesizing) => "synthesizing",
    }
}

#[test]
fn a_run_begins_with_a_plan_and_without_a_model_with_its_researchers() {
    for (assisted, to) in [(true, "planning"), (false, "researching")] {
        let mut world = World::idle();
        world.give(asked(DeepOptions::default(), assisted));
        assert_eq!(stage(&world.run), to);
    }
}

/// The whole table: every kind of input in every stage. What is not named leaves the stage as it is.
#[test]
fn every_input_leads_where_the_table_says() {
    type Row = (&'static str, fn(&World) -> Input, &'static [(&'static str, &'static str)]);
    let rows: Vec<Row> = vec![
        ("asked", |_| asked(DeepOptions::default(), true), &[]),
        ("asked, no model", |_| asked(DeepOptions::default(), false), &[]),
        ("a plan", |world| replied(world, PLAN), &[("planning", "researching"), ("evaluating", "researching"), ("synthesizing", "ended")]),
        ("no plan", |world| replied(world, "Well."), &[("synthesizing", "ended")]),
        ("nothing", |world| replied(world, ""), &[("planning", "researching"), ("synthesizing", "ended")]),
        ("a report", |world| replied(world, &report()), &[("evaluating", "ended"), ("synthesizing", "ended")]),
        (
            "delegate",
            |world| replied(world, DELEGATE),
            &[("planning", "researching"), ("evaluating", "researching"), ("synthesizing", "ended")],
        ),
        ("synthesize", |world| replied(world, r#"{"action": "synthesize"}"#), &[("evaluating", "synthesizing"), ("synthesizing", "ended")]),
        ("model failed", failed, &[("planning", "ended"), ("evaluating", "ended"), ("synthesizing", "ended")]),
        ("approved", |_| Input::PlanApproved { plan: Plan::default() }, &[("approving", "researching")]),
        ("delta", |world| Input::Delta { request: own_request(world), delta: Delta::Text("x".into()) }, &[]),
        ("wrote", |world| Input::PartialOutput { request: own_request(world), text: "x".into(), preamble: false }, &[]),
        (
            "researcher searched",
            |_| of_first(Input::Searched { key: Key { step: 1, call: 0, part: 0 }, found: Err(Failure::new("no")) }),
            &[],
        ),
        ("researcher stopped", |_| Input::StopResearcher { researcher: id("1.1") }, &[]),
        ("nobody stopped", |_| Input::StopResearcher { researcher: id("9.9") }, &[]),
        (
            "finish",
            |_| Input::FinishNow,
            &[("planning", "ended"), ("approving", "ended"), ("researching", "synthesizing"), ("evaluating", "synthesizing")],
        ),
        (
            "time is up",
            |_| Input::TimeUp { hard: false },
            &[("planning", "ended"), ("approving", "ended"), ("researching", "synthesizing"), ("evaluating", "synthesizing")],
        ),
        (
            "patience is over",
            |_| Input::TimeUp { hard: true },
            &[("planning", "ended"), ("approving", "ended"), ("researching", "ended"), ("evaluating", "ended"), ("synthesizing", "ended")],
        ),
        (
            "cancelled",
            |_| Input::Cancelled,
            &[("planning", "ended"), ("approving", "ended"), ("researching", "ended"), ("evaluating", "ended"), ("synthesizing", "ended")],
        ),
        ("late", |_| Input::Replied { request: 4711, reply: says("late") }, &[]),
    ];
    let mut seen = 0;
    for (name, input, leads) in rows {
        for (from, mut world) in stages() {
            let input = input(&world);
            // What answers a request is no longer waited for.
            let answered = match &input {
                Input::Replied { request, .. } | Input::ModelFailed { request, .. } => Some(*request),
                _ => None,
            };
            world.open.retain(|effect| !matches!(parts(effect), (None, Effect::AskModel { request, .. }) if Some(*request) == answered));
            world.give(input);
            let to = leads.iter().find(|(stage, _)| *stage == from).map_or(from, |(_, to)| *to);
            assert_eq!(stage(&world.run), to, "{name} while {from}");
            assert_eq!(world.run.is_over(), world.ending.is_some());
            seen += 1;
        }
    }
    assert_eq!(seen, 20 * 6);
}

fn replied(world: &World, text: &str) -> Input {
    Input::Replied { request: own_request(world), reply: says(text) }
}

fn failed(world: &World) -> Input {
    Input::ModelFailed { request: own_request(world), error: ModelError::Broken { provider: "p".into() } }
}

fn of_first(input: Input) -> Input {
    Input::Of { researcher: id("1.1"), input: Box::new(input) }
}
