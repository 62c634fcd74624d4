//! Tools of the person's own in a deep run: asked about once, with the plan.

use nexi_core::protocol::{Event, Plan, PlannedTool};
use nexi_core::run::{DeepOptions, Effect, Input};
use nexi_core::user_tools::{Called, UserTool};
use serde_json::json;

use crate::world::{PLAN, World, asked, calls, id, parts};

fn tool(name: &str, reads: bool, granted: bool) -> UserTool {
    UserTool {
        name: format!("desk__{name}"),
        server: "desk".into(),
        tool: name.into(),
        description: "Looks things up.".into(),
        parameters: json!({}),
        reads,
        granted,
        local: false,
        public: false,
        fleeting: false,
        launch: String::new(),
    }
}

fn planned(tools: Vec<UserTool>, may_ask: bool) -> World {
    let mut world = World::idle();
    let Input::Asked { mut asked } = asked(DeepOptions::default(), true) else { unreachable!() };
    asked.tools = tools;
    asked.may_ask = may_ask;
    world.give(Input::Asked { asked });
    world.reply(PLAN);
    world
}

fn offered(world: &World) -> Vec<String> {
    let (_, _, body) = world.request(Some(id("1.1"))).expect("a researcher is at work");
    body.user_tools.iter().map(|tool| tool.name.clone()).collect()
}

fn plan_of(world: &World) -> (Plan, bool) {
    let made = world.events.iter().rev().find_map(|event| match event {
        Event::PlanMade { plan, waits } => Some((plan.clone(), *waits)),
        _ => None,
    });
    made.expect("a plan")
}

#[test]
fn the_plan_names_the_tools_and_waits_for_the_person() {
    let mut world = planned(vec![tool("lookup", true, false), tool("write", false, false)], true);
    let (mut plan, waits) = plan_of(&world);
    assert!(waits && world.request(Some(id("1.1"))).is_none(), "nobody begins before it is approved");
    assert_eq!(plan.tools.iter().map(|tool| (tool.name.as_str(), tool.calls)).collect::<Vec<_>>(), [("desk__lookup", 12)]);
    // Nothing can be added to it.
    plan.tools.push(PlannedTool { name: "desk__write".into(), server: "desk".into(), tool: "write".into(), calls: 99 });
    world.give(Input::PlanApproved { plan });
    assert_eq!(offered(&world), ["desk__lookup"]);
    for number in 0..13 {
        world.reply_to("1.1", calls("desk__lookup", &format!("{{\"word\": {number}}}")));
        let call = world.open.iter().position(|effect| matches!(parts(effect), (_, Effect::Call { .. })));
        assert!(!world.open.iter().any(|effect| matches!(parts(effect), (_, Effect::Permit { .. }))), "nobody is asked again");
        if number == 12 {
            assert!(
                call.is_none() && world.text_of(Some(id("1.1"))).contains("All calls of desk__lookup that the plan allows have been made")
            );
            break;
        }
        let effect = world.open.remove(call.expect("it is called"));
        let (Some(researcher), Effect::Call { key, .. }) = parts(&effect) else { unreachable!() };
        let input = Box::new(Input::Called { key: *key, result: Ok(Box::new(Called::default())) });
        world.give(Input::Of { researcher, input });
    }
}

#[test]
fn without_anybody_to_ask_only_what_is_granted_is_used() {
    let world = planned(vec![tool("lookup", true, false), tool("list", true, true)], false);
    let (plan, waits) = plan_of(&world);
    assert!(!waits && plan.tools.len() == 1);
    assert_eq!(offered(&world), ["desk__list"]);
    // What the person leaves out is not offered.
    let mut world = planned(vec![tool("lookup", true, false)], true);
    let (plan, _) = plan_of(&world);
    world.give(Input::PlanApproved { plan: Plan { tools: Vec::new(), ..plan } });
    assert!(offered(&world).is_empty());
}
