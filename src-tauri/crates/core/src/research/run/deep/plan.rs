//! Plans: read from what a model wrote, made without one, and tidied when a person has edited them.

use serde_json::Value;

use crate::run::json;
use crate::{
    protocol::{Effort, Plan, Task},
    rank::terms,
    text,
};

/// Tasks of a round at most, whoever made the plan.
const MAX_TASKS: usize = 24;
/// Tasks of a plan that no model made, and nobody has looked at.
const MAX_LOCAL: usize = 12;
/// Bytes of a title, a goal and a query.
const MAX_TITLE: usize = 120;
const MAX_GOAL: usize = 1500;
const MAX_QUERY: usize = 300;
/// Queries of one task.
const MAX_QUERIES: usize = 5;

/// Researchers of the first round, and rounds, by complexity from 1 to 3.
pub(super) fn scale(complexity: u8) -> u32 {
    match complexity {
        0 | 1 => 2,
        2 => 3,
        _ => 5,
    }
}

/// The most that an effort allows.
pub(super) fn complexity(effort: Effort) -> u8 {
    match effort {
        Effort::S => 1,
        Effort::M => 2,
        Effort::L => 3,
    }
}

/// Reads the plan that a model wrote. The effort is the most it may be; a model can ask for less.
///
/// # Errors
/// A sentence for the model that says what is wrong.
pub(super) fn read(reply: &str, question: &str, effort: Effort) -> Result<Plan, String> {
    let value = json::find(reply).ok_or("it holds no JSON object")?;
    let tasks = tasks(&value);
    if tasks.is_empty() {
        return Err("the object has no list `tasks` with `title` and `goal`".into());
    }
    let most = complexity(effort);
    let wanted = value.get("complexity").and_then(|number| number.as_u64().or_else(|| number.as_str()?.trim().parse().ok()));
    let complexity = wanted.map_or(most, |wanted| u8::try_from(wanted).unwrap_or(3).clamp(1, most));
    let mut tasks = tidy(tasks, question);
    tasks.truncate(scale(complexity) as usize);
    let title = field(&value, &["title", "name", "topic"]).unwrap_or_else(|| question.to_owned());
    Ok(Plan { title: short(&title, MAX_TITLE), complexity, target_rounds: scale(complexity), tasks, tools: Vec::new() })
}

/// The tasks that an object or a list names.
pub(super) fn tasks(value: &Value) -> Vec<Task> {
    let list = match value {
        Value::Array(list) => list,
        _ => match ["tasks", "agenda", "researchers", "items", "queries"].iter().find_map(|key| value.get(*key)?.as_array()) {
            Some(list) => list,
            None => return Vec::new(),
        },
    };
    list.iter()
        .filter_map(|item| match item {
            Value::String(text) => Some(Task { title: text.clone(), goal: text.clone(), queries: vec![text.clone()] }),
            Value::Object(_) => {
                let goal = field(item, &["goal", "description", "objective", "question", "task"]);
                let title = field(item, &["title", "name", "topic"]).or_else(|| goal.clone())?;
                let queries = match ["queries", "searches", "query"].iter().find_map(|key| item.get(*key)) {
                    Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                    Some(Value::String(text)) => vec![text.clone()],
                    _ => Vec::new(),
                };
                Some(Task { goal: goal.unwrap_or_else(|| title.clone()), title, queries })
            }
            _ => None,
        })
        .collect()
}

fn field(value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| value.get(*key)?.as_str()).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// Tasks without what is empty, doubled or too long; the question itself where nothing is left.
pub(super) fn tidy(tasks: Vec<Task>, question: &str) -> Vec<Task> {
    let mut out: Vec<Task> = Vec::new();
    for task in tasks {
        let goal = short(if task.goal.trim().is_empty() { &task.title } else { &task.goal }, MAX_GOAL);
        let title = short(if task.title.trim().is_empty() { &goal } else { &task.title }, MAX_TITLE);
        let queries =
            task.queries.iter().map(|query| short(query, MAX_QUERY)).filter(|query| !query.is_empty()).take(MAX_QUERIES).collect();
        let doubled = out.iter().any(|known| known.title.eq_ignore_ascii_case(&title) && known.goal == goal);
        if !title.is_empty() && !doubled && out.len() < MAX_TASKS {
            out.push(Task { title, goal, queries });
        }
    }
    if out.is_empty() {
        out.push(whole(question));
    }
    out
}

/// The question as the only task.
pub(super) fn single(question: &str) -> Plan {
    Plan { title: short(question, MAX_TITLE), complexity: 1, target_rounds: 1, tasks: vec![whole(question)], tools: Vec::new() }
}

fn whole(question: &str) -> Task {
    Task { title: short(question, MAX_TITLE), goal: text::truncate(question.trim(), MAX_GOAL), queries: Vec::new() }
}

/// A plan without a model: one task for each question that the message asks.
pub(super) fn local(question: &str) -> Plan {
    let parts = sub_questions(question);
    if parts.len() < 2 {
        return single(question);
    }
    let tasks =
        parts.into_iter().take(MAX_LOCAL).map(|part| Task { title: short(&part, MAX_TITLE), goal: part, queries: Vec::new() }).collect();
    Plan { tasks: tidy(tasks, question), ..single(question) }
}

/// Words that a question begins with.
const ASKING: &[&str] = &["who", "what", "when", "where", "why", "how", "which", "whose", "whom"];

/// The questions that a message asks: those that end in a question mark or a line, and those that
/// follow an "and" within one.
fn sub_questions(question: &str) -> Vec<String> {
    let mark = question.chars().find(|c| matches!(c, '?' | '？' | '؟')).unwrap_or('?');
    let mut out: Vec<String> = Vec::new();
    for piece in question.split(['?', ';', '\n', '？', '؟']) {
        let mut from = 0;
        for (at, _) in piece.match_indices(" and ").chain(piece.match_indices(", ")) {
            let after = piece[at..].trim_start_matches([',', ' ']).trim_start_matches("and ").trim_start();
            let next = after.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
            if at >= from && ASKING.contains(&next.as_str()) && terms::content_words(&piece[from..at]).len() >= 2 {
                out.push(piece[from..at].to_owned());
                from = piece.len() - after.len();
            }
        }
        out.push(piece[from..].to_owned());
    }
    out.into_iter()
        .map(|part| text::fold_space(part.trim_start_matches("and ").trim_matches([' ', ',', '.'])))
        .filter(|part| !terms::content_words(part).is_empty())
        .map(|part| if part.split_whitespace().count() > 1 { format!("{part}{mark}") } else { part })
        .collect()
}

fn short(text: &str, most: usize) -> String {
    text::truncate(&text::fold_space(text), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: &str = "Why did the bridge fall?";

    #[test]
    fn plans_are_read_however_they_are_written() {
        let plan = r#"{"title": "Bridge", "complexity": 2, "tasks": [{"title": "Cause", "goal": "Find the cause.", "queries": ["bridge collapse"]}, {"title": "Law", "goal": "Find the law."}]}"#;
        for text in
            [plan.to_owned(), format!("Sure!\n```json\n{plan}\n```"), plan.replace("\"}]}", "\"},]"), plan.replace("tasks", "agenda")]
        {
            let read = read(&text, QUESTION, Effort::L).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((read.title.as_str(), read.complexity, read.target_rounds, read.tasks.len()), ("Bridge", 2, 3, 2), "{text}");
            assert_eq!((read.tasks[0].queries.len(), read.tasks[1].goal.as_str()), (1, "Find the law."));
        }
        // The effort is the most it may be, in rounds and in researchers.
        let many = format!("{{\"complexity\": 3, \"tasks\": [{}]}}", (0..9).map(|n| format!("\"task {n}\"")).collect::<Vec<_>>().join(","));
        for (effort, scale) in [(Effort::S, 2), (Effort::M, 3), (Effort::L, 5)] {
            let plan = read(&many, QUESTION, effort).unwrap();
            assert_eq!((plan.tasks.len() as u32, plan.target_rounds), (scale, scale));
        }
        for wrong in ["I would first search.", "{\"title\": \"x\"}", "{\"tasks\": []}", "{\"tasks\": [1]}"] {
            assert!(read(wrong, QUESTION, Effort::M).is_err(), "{wrong}");
        }
    }

    #[test]
    fn edited_plans_are_tidied() {
        let task = |title: &str, goal: &str| Task { title: title.into(), goal: goal.into(), queries: vec![" ".into(), "a".into()] };
        let tidied = tidy(vec![task("", ""), task("A\n b", ""), task("A b", "A b"), task("", "Only a goal.")], QUESTION);
        let shown: Vec<(&str, &str)> = tidied.iter().map(|task| (task.title.as_str(), task.goal.as_str())).collect();
        assert_eq!(shown, [("A b", "A b"), ("Only a goal.", "Only a goal.")]);
        assert_eq!(tidied[0].queries, ["a"]);
        assert_eq!(tidy(Vec::new(), QUESTION)[0].goal, QUESTION);
    }

    #[test]
    fn a_message_is_divided_into_its_questions() {
        for (message, wanted) in [
            ("When was the bridge opened?", vec!["When was the bridge opened?"]),
            ("Who built the wall? When did the mill burn?", vec!["Who built the wall?", "When did the mill burn?"]),
            ("Who built the harbour wall and when did the mill burn?", vec!["Who built the harbour wall?", "when did the mill burn?"]),
            ("Compare salt and pepper", vec!["Compare salt and pepper?"]),
            ("What is it and why", vec![]),
            ("ü? ?", vec!["ü"]),
        ] {
            assert_eq!(sub_questions(message), wanted, "{message}");
        }
        assert_eq!(local("Who built the wall? When did the mill burn?").tasks.len(), 2);
        assert_eq!(local("???").tasks[0].goal, "???");
    }
}
