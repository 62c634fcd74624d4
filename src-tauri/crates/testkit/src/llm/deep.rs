//! A model that does deep research: it plans, sends researchers out, delegates once, and writes the
//! report. It decides by what the requests hold, because researchers ask in any order.

use serde_json::{Value, json};

use super::Scripted;

/// What the model plans.
#[derive(Debug, Clone)]
pub struct DeepModel {
    /// Title, goal and first query of each task.
    pub tasks: Vec<(String, String, String)>,
    /// Tasks of the second round; none ends after the first.
    pub more: Vec<(String, String, String)>,
    /// What a goal holds of whose researcher the model fails.
    pub fails: Option<&'static str>,
}

/// A task of such a model: title, goal, first query.
pub fn task(title: &str, goal: &str, query: &str) -> (String, String, String) {
    (title.into(), goal.into(), query.into())
}

impl DeepModel {
    /// The reply to a request in OpenAI's format.
    pub fn reply(&self, request: &Value) -> Scripted {
        let messages = request["messages"].as_array().cloned().unwrap_or_default();
        let texts: Vec<String> = messages.iter().map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect();
        let whole = texts.join("\n");
        if whole.contains("You plan a piece of research") {
            let plan = json!({"title": "What is known", "complexity": 3, "tasks": tasks(&self.tasks)});
            return text(format!("```json\n{plan}\n```"));
        }
        if whole.contains("Researchers have reported on parts of a question") {
            let first = whole.contains("This was round 1 ");
            if first && !self.more.is_empty() {
                return text(json!({"action": "delegate", "tasks": tasks(&self.more)}).to_string());
            }
            return text(report(&whole));
        }
        if whole.contains("Write the report on a piece of research") {
            return text(report(&whole));
        }
        if self.fails.is_some_and(|part| texts.iter().any(|text| text.contains("Your task:") && text.contains(part))) {
            return Scripted::Status(400, vec![], "{\"error\": {\"message\": \"no\"}}");
        }
        self.research(&messages, &texts)
    }

    /// Searches, shakes hands, reads a batch, reports.
    fn research(&self, messages: &[Value], texts: &[String]) -> Scripted {
        let results: Vec<&String> =
            messages.iter().zip(texts).filter(|(message, _)| message["role"] == "tool").map(|(_, text)| text).collect();
        let urls: Vec<&str> =
            results.iter().flat_map(|text| text.lines()).filter_map(|line| line.trim().strip_prefix("URL: ")).take(3).collect();
        match results.len() {
            0 => {
                let opening = texts.iter().find(|text| text.contains("Your task:")).cloned().unwrap_or_default();
                let list = opening.split("Searches to begin with:\n").nth(1).unwrap_or_default();
                let mut queries: Vec<&str> = list.lines().map_while(|line| line.strip_prefix("- ")).collect();
                if queries.is_empty() {
                    queries.extend(opening.split("Your task: ").nth(1).and_then(|task| task.lines().next()));
                }
                Scripted::Calls(vec![("web_search", json!({"queries": queries}))])
            }
            1 | 2 if !urls.is_empty() => Scripted::Calls(vec![("web_get", json!({"urls": urls}))]),
            _ => Scripted::Calls(vec![("final_answer", json!({"answer": findings(&results)}))]),
        }
    }
}

fn tasks(list: &[(String, String, String)]) -> Vec<Value> {
    list.iter().map(|(title, goal, query)| json!({"title": title, "goal": goal, "queries": [query]})).collect()
}

/// The first sentence of every page that was read, with its number.
fn findings(results: &[&String]) -> String {
    let mut out = String::from("It was looked for, and this is what the pages say.\n");
    for result in results {
        for part in result
            .split("\n[")
            .filter_map(|part| part.split_once("] ("))
            .filter(|(number, _)| number.trim_start_matches('[').parse::<u32>().is_ok())
        {
            let number = part.0.trim_start_matches('[');
            let body = part
                .1
                .split_once("<untrusted")
                .and_then(|(_, rest)| rest.split_once(">\n"))
                .map_or("", |(_, body)| body)
                .split("</untrusted")
                .next()
                .unwrap_or_default();
            // Title, address, an empty line, the text.
            let text = body.lines().skip(3).find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or_default();
            let end = text.find(". ").map_or(text.len(), |at| at + 1);
            let sentence = text[..end].trim_end_matches('.');
            if !sentence.is_empty() {
                out.push_str(&format!("\n- {sentence} [{number}]."));
            }
        }
    }
    out
}

/// Everything that the researchers reported, in sections.
fn report(request: &str) -> String {
    let mut out = String::from(
        "# What is known\n\n## Key findings\n\nThe researchers found what the sections below say, and every one of the sentences there names its source.\n",
    );
    let findings = request.split("What was found:").nth(1).unwrap_or_default();
    for line in findings.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            out.push_str(&format!("\n## {}\n\n", title.split_once(' ').map_or(title, |(_, title)| title)));
        } else if line.starts_with("- ") && line.contains('[') {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.push_str("\n## What could not be established\n\nNothing else was looked for in this research, and nobody claims that there is no more to say about it.\n");
    out
}

fn text(text: String) -> Scripted {
    Scripted::Text(Box::leak(text.into_boxed_str()))
}
