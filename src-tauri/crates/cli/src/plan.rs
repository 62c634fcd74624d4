//! The plan of a deep run, shown on a terminal before it is carried out.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::protocol::{Plan, Task};
use nexi_messages::say;

use crate::line::{one_line, sanitized};
use crate::output::tell;
use crate::start::{is_no, is_yes};
use crate::typed;

/// Whether there is somebody to be shown a plan.
pub fn can_be_shown() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Shows a plan and takes in what the person says to it; none where they do not want it. Where
/// nobody can be asked it is as good as approved.
///
/// # Errors
/// When the terminal cannot be read.
pub async fn ask(mut plan: Plan) -> Result<Option<Plan>> {
    if !can_be_shown() {
        return Ok(Some(plan));
    }
    loop {
        tell(&shown(&plan));
        let ways = if plan.tools.is_empty() { say!("nexi-ask-plan-ways") } else { say!("nexi-ask-plan-ways-tools") };
        tell(&format!("{ways} "));
        let line = typed::line().await?.unwrap_or_else(|| "q".to_owned());
        match understood(&mut plan, &line) {
            PlanReply::Begin => return Ok(Some(plan)),
            PlanReply::Stop => return Ok(None),
            PlanReply::Changed => {}
            PlanReply::Wrong(message) => tell(&format!("{message}\n")),
        }
    }
}

/// What a line says to a plan.
#[derive(Debug, PartialEq)]
pub enum PlanReply {
    Begin,
    Stop,
    Changed,
    Wrong(String),
}

/// Carries out a line: nothing, numbers of tasks to drop, or `+` and a task to add.
pub fn understood(plan: &mut Plan, line: &str) -> PlanReply {
    let line = line.trim();
    match line.to_ascii_lowercase().as_str() {
        said if said.is_empty() || is_yes(said) => return PlanReply::Begin,
        said if is_no(said) || matches!(said, "q" | "quit") => return PlanReply::Stop,
        "t" if !plan.tools.is_empty() => {
            plan.tools.clear();
            return PlanReply::Changed;
        }
        _ => {}
    }
    if let Some(goal) = line.strip_prefix('+').map(one_line).filter(|goal| !goal.is_empty()) {
        plan.tasks.push(Task { title: String::new(), goal, queries: Vec::new() });
        return PlanReply::Changed;
    }
    let numbers: Option<Vec<usize>> = line.split([' ', ',']).filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect();
    match numbers {
        Some(numbers) if numbers.iter().all(|number| (1..=plan.tasks.len()).contains(number)) => {
            let left: Vec<Task> =
                plan.tasks.iter().enumerate().filter(|(at, _)| !numbers.contains(&(at + 1))).map(|(_, task)| task.clone()).collect();
            if left.is_empty() {
                return PlanReply::Wrong(say!("nexi-ask-plan-empty"));
            }
            plan.tasks = left;
            PlanReply::Changed
        }
        _ => PlanReply::Wrong(say!("nexi-ask-plan-unclear")),
    }
}

/// A plan as numbered lines.
pub fn shown(plan: &Plan) -> String {
    let mut out = format!("\n{}\n", say!("nexi-ask-plan", title = one_line(&plan.title)));
    for (at, task) in plan.tasks.iter().enumerate() {
        let title = if task.title.is_empty() || task.title == task.goal { String::new() } else { format!("{}: ", one_line(&task.title)) };
        out.push_str(&format!("  {}. {title}{}\n", at + 1, one_line(&task.goal)));
    }
    if !plan.tools.is_empty() {
        let tools: Vec<String> = plan
            .tools
            .iter()
            .map(|tool| say!("nexi-ask-plan-tool", tool = one_line(&tool.tool), server = one_line(&tool.server), calls = tool.calls))
            .collect();
        out.push_str(&format!("  {}\n", say!("nexi-ask-plan-tools", tools = tools.join(", "))));
    }
    sanitized(&out)
}

#[cfg(test)]
mod tests {
    use nexi_engine::core::protocol::PlannedTool;

    use super::*;

    #[test]
    fn plans_are_edited_by_a_line() {
        let task = |goal: &str| Task { goal: goal.into(), ..Task::default() };
        let mut plan = Plan { tasks: vec![task("a"), task("b"), task("c")], ..Plan::default() };
        assert_eq!(understood(&mut plan, "2, 3"), PlanReply::Changed);
        assert_eq!(understood(&mut plan, "+ another \x1b[2Jone"), PlanReply::Changed);
        assert_eq!(plan.tasks.iter().map(|task| task.goal.as_str()).collect::<Vec<_>>(), ["a", "another [2Jone"]);
        for (line, wanted) in [("", PlanReply::Begin), ("Y", PlanReply::Begin), ("q", PlanReply::Stop)] {
            assert_eq!(understood(&mut plan, line), wanted);
        }
        for line in ["9", "0", "1 2", "what", "+"] {
            assert!(matches!(understood(&mut plan, line), PlanReply::Wrong(_)), "{line}");
        }
        plan.tools = vec![PlannedTool { name: "a__b".into(), server: "a".into(), tool: "b".into(), calls: 12 }];
        assert!(shown(&plan).contains("Tools: b from a (up to 12 calls)"));
        assert!(understood(&mut plan, "t") == PlanReply::Changed && plan.tools.is_empty());
        assert!(shown(&plan).contains("1. a\n") && shown(&plan).contains("2. another"));
    }
}
