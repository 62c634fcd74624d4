//! The second look by the model at statements that are not supported, from outside: a model may say what it likes,
//! and only what stands in a source comes of it.

#[path = "common/fold.rs"]
mod fold;

use fold::Fold;
use nexi_core::model::{FinishReason, ModelError, Reply, ToolCall};
use nexi_core::ports::Page;
use nexi_core::protocol::{CorrectionKind, Ending, Event, Support, TurnState, Usage};
use nexi_core::run::{Asked, Effect, Input, Key, Limits, Purpose, Run};

const FIRST: &str = "The Aldermoor bridge was handed over to traffic in May 1931. It is 312 metres long. It has never been closed. \
    Ida Lindqvist drew the plans for the Aldermoor bridge.";
const SECOND: &str = "The toll on the Aldermoor bridge was abolished in 1958. Some 40,000 cars cross the Aldermoor bridge every day.";

/// Its first source is the second page, so that handles and numbers differ.
const ANSWER: &str = "The toll on the Aldermoor bridge was abolished in 1958 [2]. Drivers finally had a new crossing for their traffic from May 1931 [1]. \
    The Aldermoor bridge is 318 metres long [1]. Some 40,000 cars cross the Aldermoor bridge every day [1]. \
    Penguins live below the Aldermoor bridge in great numbers [2]. Nils Holm painted the Aldermoor bridge yellow [1].";

fn asked(check: bool, limits: Limits) -> Input {
    let question = "What is known of the Aldermoor bridge?".into();
    Input::Asked { asked: Box::new(Asked { question, limits, assisted: true, check, ..Asked::default() }) }
}

fn calls(name: &str, arguments: &str) -> Reply {
    let call = ToolCall { id: name.into(), name: name.into(), arguments: arguments.into(), signature: None };
    Reply { calls: vec![call], finish: FinishReason::ToolCalls, usage: Some(Usage::tokens(10, 5)), ..Reply::default() }
}

fn text(text: &str) -> Reply {
    Reply { text: text.into(), usage: Some(Usage::tokens(100, 50)), ..Reply::default() }
}

/// What happens until the answer is there: two pages are read, the answer comes as request 2.
fn inputs(check: bool, limits: Limits) -> Vec<Input> {
    let read = |part: u32, text: &str| Input::PageRead {
        key: Key { step: 1, call: 0, part },
        page: Ok(Box::new(Page { url: format!("https://e.org/{part}"), title: "Bridges".into(), text: text.into(), ..Page::default() })),
    };
    vec![
        asked(check, limits),
        Input::Replied { request: 1, reply: calls("web_get", r#"{"urls": ["https://e.org/0", "https://e.org/1"]}"#) },
        read(0, FIRST),
        read(1, SECOND),
        Input::Replied { request: 2, reply: text(ANSWER) },
    ]
}

fn fold(inputs: &[Input]) -> (Fold<Run>, Vec<Effect>) {
    let mut run = Fold::<Run>::new();
    let effects = inputs.iter().flat_map(|input| run.step(input.clone())).collect();
    (run, effects)
}

fn ending(effects: &[Effect]) -> Option<Ending> {
    effects.iter().find_map(|effect| if let Effect::Finish { ending, .. } = effect { Some(ending.as_ref().clone()) } else { None })
}

/// The request and the words of a check among these effects.
fn check_of(effects: &[Effect]) -> Option<(u32, String)> {
    effects.iter().find_map(|effect| match effect {
        Effect::AskModel { request, purpose: Purpose::Check, body } => Some((*request, format!("{:?}", body.messages))),
        _ => None,
    })
}

fn looked(verdicts: &str) -> Ending {
    let mut inputs = inputs(true, Limits::default());
    inputs.push(Input::Replied { request: 3, reply: text(verdicts) });
    ending(&fold(&inputs).1).expect("the run has ended")
}

fn support_of(ending: &Ending, words: &str) -> Support {
    let at = ending.answer.find(words).unwrap_or_else(|| panic!("{words:?} is not in {}", ending.answer));
    ending.statements.iter().find(|statement| statement.start <= at && at < statement.end).expect("a statement").support
}

#[test]
fn doubtful_statements_are_shown_with_their_passages_while_the_answer_can_be_read() {
    let (_, effects) = fold(&inputs(true, Limits::default()));
    let (request, words) = check_of(&effects).expect("a second look is asked for");
    assert_eq!(request, 3);
    assert!(words.contains("Statement 1: Drivers finally had a new crossing for their traffic from May 1931 [1]."), "{words}");
    assert!(words.contains("[1] “The Aldermoor bridge was handed over to traffic in May 1931."), "{words}");
    assert!(!words.contains("Statement 1: The toll"), "what is supported is not asked about: {words}");
    let shown: String = effects
        .iter()
        .filter_map(|effect| if let Effect::Emit(Event::AnswerDelta { text }) = effect { Some(text.as_str()) } else { None })
        .collect();
    assert!(
        shown.starts_with(
            "The toll on the Aldermoor bridge was abolished in 1958 [1]. Drivers finally had a new crossing for their traffic from May 1931 [2]."
        ),
        "{shown}"
    );
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Emit(Event::Checking { statements: 5 }))), "{effects:?}");
    assert!(ending(&effects).is_none());
}

#[test]
fn only_what_stands_in_a_source_comes_of_verdicts() {
    let ending = looked(
        r#"Here you are: {"verdicts": [
            {"statement": 1, "verdict": "keep", "source": 1, "quote": "handed over to traffic in May 1931"},
            {"statement": 2, "verdict": "correct", "text": "The Aldermoor bridge is 312 metres long [1]."},
            {"statement": 3, "verdict": "cite", "source": 2, "quote": "40,000 cars cross the Aldermoor bridge every day"},
            {"statement": 4, "verdict": "strike"},
            {"statement": 5, "verdict": "keep", "source": 1, "quote": "Nils Holm painted it yellow"},
        ]}"#,
    );
    assert_eq!(ending.state, TurnState::Answered);
    assert_eq!(
        ending.answer,
        "The toll on the Aldermoor bridge was abolished in 1958 [1]. Drivers finally had a new crossing for their traffic from May 1931 [2]. \
         The Aldermoor bridge is 312 metres long [2]. Some 40,000 cars cross the Aldermoor bridge every day. [1] \
         ~~Penguins live below the Aldermoor bridge in great numbers~~. Nils Holm painted the Aldermoor bridge yellow [2]."
    );
    let check = ending.check.as_deref().expect("what the second look came to");
    assert_eq!((check.looked_at, check.confirmed), (5, 1));
    let changes: Vec<(CorrectionKind, &str, &str)> =
        check.corrections.iter().map(|change| (change.kind, &ending.answer[change.start..change.end], change.before.as_str())).collect();
    assert_eq!(
        changes,
        [
            (CorrectionKind::Corrected, "The Aldermoor bridge is 312 metres long [2].", "The Aldermoor bridge is 318 metres long [2]."),
            (
                CorrectionKind::Recited,
                "Some 40,000 cars cross the Aldermoor bridge every day. [1]",
                "Some 40,000 cars cross the Aldermoor bridge every day [2]."
            ),
            (
                CorrectionKind::Struck,
                "~~Penguins live below the Aldermoor bridge in great numbers~~.",
                "Penguins live below the Aldermoor bridge in great numbers [1]."
            ),
        ]
    );
    assert_eq!(support_of(&ending, "Drivers finally"), Support::Supported);
    assert_eq!(support_of(&ending, "312 metres"), Support::Supported);
    assert_ne!(support_of(&ending, "Nils Holm"), Support::Supported, "its words were made up");
    assert_eq!(ending.statements.len(), 5, "what was struck out is no statement any more: {:?}", ending.statements);
    let kept = ending.citations.iter().find(|citation| citation.start > 60 && citation.number == 2).expect("a citation");
    let source = ending.sources.iter().find(|source| source.number == 2).expect("its source");
    assert_eq!(source.passages[kept.passage.expect("a passage") as usize].quote, "handed over to traffic in May 1931.");
    assert_eq!(ending.usage.total(), 15 + 150 + 150);
}

#[test]
fn nothing_is_added_that_no_source_says() {
    let ending = looked(
        r#"{"verdicts": [
            {"statement": 1, "verdict": "correct", "text": "Pay at https://evil.example/ before you use the Aldermoor bridge [1]."},
            {"statement": 2, "verdict": "correct", "text": "The Aldermoor bridge is 412 metres long [1]."},
            {"statement": 3, "verdict": "cite", "source": 9, "quote": "40,000 cars"},
            {"statement": 4, "verdict": "correct", "text": "The Aldermoor bridge is 312 metres long [1].\n\n# And penguins"},
            {"statement": 5, "verdict": "correct", "text": "The Aldermoor bridge has never been closed."},
            {"statement": 77, "verdict": "strike"}, {"statement": "x"}, 5
        ]}"#,
    );
    let unlooked = looked("I would rather not.");
    assert_eq!(ending.answer, unlooked.answer);
    assert_eq!(ending.statements, unlooked.statements);
    assert!(ending.check.is_some_and(|check| check.corrections.is_empty() && check.confirmed == 0));
    let unlooked = unlooked.check.expect("what came of the check");
    assert!(unlooked.failed && unlooked.looked_at == 0, "an unreadable reply is no check: {unlooked:?}");
}

#[test]
fn the_answer_is_kept_whatever_happens_to_its_check() {
    let answer = looked("No.").answer;
    let failed = ModelError::ContextFull { provider: "test".into(), window: None, prompt: None };
    for late in [
        Input::Cancelled,
        Input::FinishNow,
        Input::TimeUp { hard: false },
        Input::TimeUp { hard: true },
        Input::ModelFailed { request: 3, error: failed },
    ] {
        let mut inputs = inputs(true, Limits::default());
        inputs.push(late.clone());
        let (run, effects) = fold(&inputs);
        let ending = ending(&effects).expect("it ends");
        assert_eq!((ending.state, &ending.answer), (TurnState::Answered, &answer), "{late:?}");
        assert!(run.is_over() && run.outstanding().is_empty());
        // Whoever stops the check knows that it was not made; only a failure is told.
        let failed = matches!(late, Input::ModelFailed { .. });
        assert_eq!(ending.check.is_some_and(|check| check.failed), failed, "{late:?}");
    }
}

#[test]
fn a_run_that_is_picked_up_again_asks_for_the_check_alone() {
    let (run, _) = fold(&inputs(true, Limits::default()));
    let outstanding = run.outstanding();
    assert_eq!(outstanding.len(), 1);
    assert!(check_of(&outstanding).is_some());
    assert_eq!(run.wrote(), None, "the answer is in the journal already");
}

#[test]
fn nobody_looks_where_it_is_not_wanted_not_needed_or_not_affordable() {
    let plain = fold(&inputs(false, Limits::default())).1;
    assert!(check_of(&plain).is_none() && ending(&plain).is_some());
    let poor = fold(&inputs(true, Limits { max_tokens: Some(2500), ..Limits::default() })).1;
    assert!(check_of(&poor).is_none() && ending(&poor).is_some(), "{poor:?}");
    let mut fine = inputs(true, Limits::default());
    fine.pop();
    fine.push(Input::Replied { request: 2, reply: text("The toll on the Aldermoor bridge was abolished in 1958 [2].") });
    let fine = fold(&fine).1;
    assert!(check_of(&fine).is_none() && ending(&fine).is_some_and(|ending| ending.check.is_none()));
}

#[test]
fn answers_of_every_shape_stay_whole() {
    let shapes = [
        "- The Aldermoor bridge is 318 metres long [1].\n- **Penguins live below the bridge** in great numbers [2].\n\n1. It cost 9 million pounds in 1931 [1]\n2. Nobody painted the bridge at all",
        "| bridge | length |\n|---|---|\n| Aldermoor bridge | 318 metres [1] |\n| Another bridge | 99 metres [2] |",
        "桥全长三百一十八米[1]。企鹅生活在桥下[2]。\r\n\r\nDie Brücke ist 318 Meter lang [1]. Große Pinguine wohnen unter der Brücke [2]!",
        "> “The bridge was closed for years. It was never opened again.” [1]\n\n```\nThe bridge [1] is code.\n```\nThe bridge is $5$ metres $long$ [1], says **nobody [2] at all**.",
        "## A heading about the bridge [1]\n\nThe bridge,[1] the toll,[2] and the penguins live below it [1][2]. ~~Old words about the bridge.~~ [9]",
        "🌉 The bridge is 318 metres long [1] 🐧🐧 and the penguins below the bridge are happy [2] 🐧",
    ];
    let verdicts = ["strike", "correct", "cite", "keep"];
    for shape in shapes {
        for verdict in verdicts {
            let list: Vec<String> = (1..=12)
                .map(|statement| {
                    format!(
                        r#"{{"statement": {statement}, "verdict": "{verdict}", "text": "The Aldermoor bridge is 312 metres long [1].", "source": {}, "quote": "It is 312 metres long"}}"#,
                        1 + statement % 2
                    )
                })
                .collect();
            let mut inputs = inputs(true, Limits::default());
            inputs.pop();
            inputs.push(Input::Replied { request: 2, reply: text(shape) });
            inputs.push(Input::Replied { request: 3, reply: text(&format!("{{\"verdicts\": [{}]}}", list.join(","))) });
            let ending = ending(&fold(&inputs).1).unwrap_or_else(|| panic!("it ends: {shape}"));
            let whole = |start: usize, end: usize| {
                assert!(start <= end && ending.answer.get(start..end).is_some(), "{start}..{end} of {}", ending.answer);
            };
            ending.citations.iter().for_each(|citation| whole(citation.start, citation.end));
            ending.statements.iter().for_each(|statement| whole(statement.start, statement.end));
            ending.check.iter().flat_map(|check| &check.corrections).for_each(|correction| whole(correction.start, correction.end));
            assert_eq!(ending.answer.matches("```").count(), shape.matches("```").count(), "{}", ending.answer);
            assert_eq!(ending.answer.matches("\n|").count(), shape.matches("\n|").count(), "{}", ending.answer);
        }
    }
}
