//! A deep run with everything it waits for, and a hand that answers.

use nexi_core::model::{FinishReason, Message, ModelError, ModelRequest, Reply, ToolCall, ToolSet};
use nexi_core::ports::{Found, Hit, Page};
use nexi_core::protocol::{Effort, Ending, Event, Mode, ResearcherId, Usage};
use nexi_core::run::{Asked, DeepOptions, DeepRun, Effect, Input, Limits, Purpose};

use crate::{common::check_conversation, fold::Fold};

pub const PLAN: &str = r#"{"title": "The bridge", "complexity": 2, "tasks": [
    {"title": "Opening", "goal": "When was it opened?", "queries": ["bridge opened"]},
    {"title": "Span", "goal": "How long is it?", "queries": ["bridge span"]},
    {"title": "Cost", "goal": "What did it cost?", "queries": ["bridge cost"]}]}"#;
pub const DELEGATE: &str = r#"{"action": "delegate", "tasks": [{"title": "Paint", "goal": "What colour is it?"}]}"#;

pub fn report() -> String {
    format!("# The bridge\n\n## Summary\n\n{}", "The Aldermoor bridge was opened in 1931 [1]. ".repeat(9))
}

pub fn asked(options: DeepOptions, assisted: bool) -> Input {
    let limits = Limits { max_context: 40_000, max_output_tokens: 1000, ..Limits::default() };
    Input::Asked {
        asked: Box::new(Asked {
            question: "What is known of the Aldermoor bridge?".into(),
            effort: Effort::M,
            limits,
            model: "test".into(),
            today: "2026-11-22".into(),
            assisted,
            mode: Mode::Deep,
            deep: Some(options),
            ..Asked::default()
        }),
    }
}

pub fn says(text: &str) -> Reply {
    Reply { text: text.into(), calls: Vec::new(), finish: FinishReason::Stop, usage: Some(Usage::tokens(10, 5)), ..Reply::default() }
}

pub fn calls(name: &str, arguments: &str) -> Reply {
    let call = ToolCall { id: String::new(), name: name.into(), arguments: arguments.into(), signature: None };
    Reply { calls: vec![call], finish: FinishReason::ToolCalls, ..says("") }
}

pub fn id(text: &str) -> ResearcherId {
    text.parse().unwrap()
}

/// Whose effect it is, and the effect itself.
pub fn parts(effect: &Effect) -> (Option<ResearcherId>, &Effect) {
    match effect {
        Effect::Of { researcher, effect } => (Some(*researcher), effect),
        effect => (None, effect),
    }
}

/// A run with what it still waits for.
pub struct World {
    pub run: Fold<DeepRun>,
    pub events: Vec<Event>,
    pub inputs: Vec<Input>,
    pub ending: Option<Ending>,
    /// What was asked for and is not done yet, in its order.
    pub open: Vec<Effect>,
}

impl World {
    pub fn new(options: DeepOptions) -> Self {
        let mut world = Self::idle();
        world.give(asked(options, true));
        world
    }

    pub fn idle() -> Self {
        let run = Fold::<DeepRun>::new();
        Self { run, events: Vec::new(), inputs: Vec::new(), ending: None, open: Vec::new() }
    }

    pub fn give(&mut self, input: Input) {
        self.inputs.push(input.clone());
        for effect in self.run.step(input) {
            match effect {
                Effect::Emit(event) => self.events.push(event),
                Effect::Finish { ending, .. } => {
                    // As the driver tells it.
                    self.events.push(Event::Ended { ending: ending.as_ref().clone() });
                    assert!(self.ending.replace(*ending).is_none(), "a run ends once");
                }
                Effect::Abandon => self.open.retain(|effect| matches!(effect, Effect::Of { .. })),
                Effect::Of { researcher, effect } if *effect == Effect::Abandon => {
                    self.open.retain(|open| !matches!(open, Effect::Of { researcher: of, .. } if *of == researcher));
                }
                Effect::Of { effect, .. } if matches!(*effect, Effect::Prefetch { .. }) => {}
                effect => {
                    if let (_, Effect::AskModel { body, .. }) = parts(&effect) {
                        check_conversation(&body.messages);
                    }
                    self.open.push(effect);
                }
            }
        }
        let sorted = |effects: &[Effect]| {
            let mut keys: Vec<String> = effects.iter().map(|effect| format!("{effect:?}")).collect();
            keys.sort();
            keys
        };
        if self.ending.is_none() {
            assert_eq!(sorted(&self.open), sorted(&self.run.outstanding()), "what is waited for is what would be asked for again");
        }
    }

    /// The request of a researcher, or of the run itself, that has no reply.
    pub fn request(&self, of: Option<ResearcherId>) -> Option<(u32, Purpose, &ModelRequest)> {
        self.open.iter().find_map(|effect| match parts(effect) {
            (whose, Effect::AskModel { request, purpose, body }) if whose == of => Some((*request, *purpose, body)),
            _ => None,
        })
    }

    pub fn text_of(&self, of: Option<ResearcherId>) -> String {
        let (_, _, body) = self.request(of).expect("there is a request");
        let said = |message: &Message| match message {
            Message::System { text } | Message::User { text } | Message::Assistant { text, .. } => text.clone(),
            Message::Tool { result, .. } => result.render(),
        };
        body.messages.iter().map(said).collect::<Vec<_>>().join("\n\n")
    }

    pub fn tools_of(&self, of: &str) -> ToolSet {
        self.request(Some(id(of))).expect("there is a request").2.tools
    }

    /// Replies to the run's own request.
    pub fn reply(&mut self, text: &str) {
        let (request, ..) = self.request(None).expect("the run asks");
        self.open.retain(|effect| !matches!(parts(effect), (None, Effect::AskModel { .. })));
        self.give(Input::Replied { request, reply: says(text) });
    }

    pub fn fail(&mut self) {
        let (request, ..) = self.request(None).expect("the run asks");
        self.open.retain(|effect| !matches!(parts(effect), (None, Effect::AskModel { .. })));
        self.give(Input::ModelFailed { request, error: ModelError::Broken { provider: "p".into() } });
    }

    pub fn give_to(&mut self, of: &str, input: Input) {
        self.give(Input::Of { researcher: id(of), input: Box::new(input) });
    }

    /// Replies to a researcher.
    pub fn reply_to(&mut self, of: &str, reply: Reply) {
        let (request, ..) = self.request(Some(id(of))).expect("the researcher asks");
        self.open.retain(
            |effect| !matches!(parts(effect), (Some(whose), Effect::AskModel { request: own, .. }) if whose == id(of) && *own == request),
        );
        self.give_to(of, Input::Replied { request, reply });
    }

    /// Fails a researcher's model.
    pub fn fail_at(&mut self, of: &str) {
        let (request, ..) = self.request(Some(id(of))).expect("the researcher asks");
        self.open.retain(|effect| !matches!(parts(effect), (Some(whose), Effect::AskModel { .. }) if whose == id(of)));
        self.give_to(of, Input::ModelFailed { request, error: ModelError::Broken { provider: "p".into() } });
    }

    pub fn hands_in(&mut self, of: &str, report: &str) {
        let arguments = serde_json::json!({"answer": report}).to_string();
        self.reply_to(of, calls("final_answer", &arguments));
    }

    /// Searches and reads of a researcher succeed.
    pub fn deliver(&mut self, of: &str) {
        loop {
            let whose = |effect: &Effect| matches!(parts(effect), (Some(researcher), Effect::Search { .. } | Effect::Read { .. }) if researcher == id(of));
            let Some(at) = self.open.iter().position(whose) else { return };
            let effect = self.open.remove(at);
            let input = match parts(&effect).1 {
                Effect::Search { key, query } => Input::Searched { key: *key, found: Ok(found(&query.text)) },
                Effect::Read { key, url } => Input::PageRead { key: *key, page: Ok(Box::new(page(url))) },
                _ => unreachable!(),
            };
            self.give_to(of, input);
        }
    }

    pub fn reads(&self) -> Vec<(String, String)> {
        let read = |effect: &Effect| match parts(effect) {
            (Some(researcher), Effect::Read { url, .. }) => Some((researcher.to_string(), url.clone())),
            _ => None,
        };
        self.open.iter().filter_map(read).collect()
    }

    pub fn ending(&self) -> &Ending {
        self.ending.as_ref().expect("the run is over")
    }
}

pub fn found(query: &str) -> Found {
    let hit = Hit {
        title: query.into(),
        url: format!("https://e.org/{}", query.replace(' ', "-")),
        snippet: "A bridge".into(),
        date: None,
        ..Hit::default()
    };
    Found { hits: vec![hit], backend: "searx".into(), failures: Vec::new(), ..Found::default() }
}

pub fn page(url: &str) -> Page {
    Page {
        url: url.into(),
        title: format!("Page {url}"),
        text: format!("The Aldermoor bridge was opened in 1931. {url}"),
        ..Page::default()
    }
}

pub fn researching() -> World {
    let mut world = World::new(DeepOptions::default());
    world.reply(PLAN);
    world
}

pub fn evaluating() -> World {
    let mut world = researching();
    for of in ["1.1", "1.2", "1.3"] {
        world.hands_in(of, &format!("Report of {of}: it was opened in 1931."));
    }
    world
}

pub fn own_request(world: &World) -> u32 {
    world.request(None).map_or(77, |(request, ..)| request)
}
