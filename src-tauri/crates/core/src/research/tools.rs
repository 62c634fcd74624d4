//! The tools of a run: what the model is told about them, and what its calls mean.

mod specs;

use serde_json::{Map, Value};

use crate::{
    answer_stream::AnswerStream,
    document_filter::{DocumentFilter, DocumentKind, MAX_RESULTS},
    model::ToolCall,
    ports::SearchTool,
    protocol::ThreadTitle,
    user_tools::UserTool,
};

pub use specs::{ToolSpec, offered, specs};

/// What searching is called where only documents are searched.
pub const DOCUMENT_SEARCH: &str = "document_search";
/// What reading is called there.
pub const DOCUMENT_READ: &str = "document_read";
/// What reading an earlier answer is called.
pub const LIBRARY_READ: &str = "library_read";
/// Most queries in one `web_search`.
pub const MAX_QUERIES: usize = 5;
/// Most pages in one `web_get`.
pub const MAX_URLS: usize = 8;
/// Most questions that an answer proposes.
const MAX_FOLLOW_UPS: usize = 3;
/// Most bytes of one of them.
const MAX_FOLLOW_UP: usize = 300;
/// Most bytes of one query, address or instruction.
const MAX_TEXT: usize = 2000;
/// Most bytes of arguments that are looked at.
pub const MAX_ARGUMENTS: usize = 64 * 1024;

/// How much of a page the model wants to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PageMode {
    /// The best passages; the whole page when it is short.
    #[default]
    Passages,
    /// What the instructions ask for, in the model's own words.
    Extract,
    /// The best chunks of about 480 characters.
    Chunks,
    /// Everything.
    Full,
    /// A range, with its numbers.
    Range(LineRange),
}

/// Lines of a document, or its pages where it is printed, or its slides, rows or chapters; both ends are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineRange {
    /// From 1.
    pub from: u32,
    /// None means to the end.
    pub to: Option<u32>,
}

impl LineRange {
    /// Whether a number lies in it.
    pub fn holds(self, number: u32) -> bool {
        number >= self.from && self.to.is_none_or(|to| number <= to)
    }

    /// `40`, `40-80`, `40-`, or two numbers.
    fn parse(text: &str) -> Option<Self> {
        let (from, to) = match text.split_once(['-', '–', ':', ',']) {
            Some((from, to)) if to.trim().is_empty() => (from, None),
            Some((from, to)) => (from, Some(to.trim().parse().ok()?)),
            None => (text, Some(text.trim().parse().ok()?)),
        };
        let from: u32 = from.trim().parse().ok()?;
        let range = Self { from: from.max(1), to };
        range.to.is_none_or(|to| to >= range.from).then_some(range)
    }
}

/// What a call asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    Search {
        tool: SearchTool,
        queries: Vec<String>,
        /// Which site of Stack Exchange; none leaves it to the settings.
        site: Option<String>,
        /// Which of the documents.
        filter: Box<DocumentFilter>,
        /// Only the documents are meant.
        documents: bool,
    },
    Get {
        urls: Vec<String>,
        instructions: String,
        mode: PageMode,
    },
    /// A tool of the person's own, by the name it is offered under.
    Use {
        tool: String,
        arguments: Value,
    },
    Answer {
        answer: String,
        /// Questions that may come next.
        follow_ups: Vec<String>,
        /// What the thread could be called.
        title: Option<ThreadTitle>,
    },
}

/// Understands a call, mending what is plainly meant.
///
/// # Errors
/// A sentence for the model that says what is wrong and what would be right.
pub fn understand(call: &ToolCall, own: &[UserTool]) -> Result<Request, String> {
    if call.arguments.len() > MAX_ARGUMENTS {
        return Err(format!("The arguments of {} are larger than {MAX_ARGUMENTS} bytes. Send less.", call.name));
    }
    if let Some(tool) = own.iter().find(|tool| tool.name == call.name) {
        return Ok(Request::Use { tool: tool.name.clone(), arguments: tool.arguments(strip_fence(call.arguments.trim()))? });
    }
    let documents = call.name == DOCUMENT_SEARCH;
    let name = match call.name.as_str() {
        DOCUMENT_SEARCH => SearchTool::Web.call(),
        DOCUMENT_READ | LIBRARY_READ => "web_get",
        name => name,
    };
    if let Some(tool) = SearchTool::ALL.into_iter().find(|tool| tool.call() == name) {
        let arguments = object(call)?;
        let queries = strings(&arguments, &["queries", "query", "q", "text", "search", "pattern", "patterns"]);
        let filter = if tool.is_web() { filter(&arguments)? } else { DocumentFilter::default() };
        if queries.is_empty() && filter.is_empty() {
            return Err(format!("{} needs `queries`: a list of one to five strings.", call.name));
        }
        let (queries, filter) = match queries.is_empty() {
            false => (queries, filter),
            // What is looked for nothing in is listed.
            true => (vec![format!("all documents: {filter}")], DocumentFilter { list: true, ..filter }),
        };
        let site = strings(&arguments, &["site"]).into_iter().next().filter(|_| tool == SearchTool::Stackexchange);
        // A name such as `superuser`, or a host such as `superuser.com`.
        let site = site.map(|site| site.trim().trim_end_matches(".com").trim_end_matches(".stackexchange").to_ascii_lowercase());
        let site =
            site.filter(|site| !site.is_empty() && site.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')));
        return Ok(Request::Search {
            tool,
            queries: queries.into_iter().take(MAX_QUERIES).collect(),
            site,
            filter: Box::new(filter),
            documents,
        });
    }
    match name {
        "web_get" => {
            let arguments = object(call)?;
            let urls = strings(&arguments, &["urls", "url", "links", "link", "path", "paths", "file", "pages"]);
            if urls.is_empty() {
                return Err(format!("{} needs `urls`: a list of one to eight addresses.", call.name));
            }
            let address = if call.name == LIBRARY_READ { thread_address } else { as_address };
            let urls: Vec<String> = urls.into_iter().map(address).collect();
            let range = range(&arguments)?;
            let instructions = strings(&arguments, &["instructions", "instruction", "query"]).join(" ");
            let mode = if let Some(range) = range {
                PageMode::Range(range)
            } else if flag(&arguments, "get_full") {
                PageMode::Full
            } else if flag(&arguments, "use_chunks") {
                PageMode::Chunks
            } else if !instructions.trim().is_empty() {
                PageMode::Extract
            } else {
                PageMode::Passages
            };
            Ok(Request::Get { urls: urls.into_iter().take(MAX_URLS).collect(), instructions, mode })
        }
        "final_answer" => answer(call),
        other => Err(format!("There is no tool {other:?}. Use one of those that were offered.")),
    }
}

fn answer(call: &ToolCall) -> Result<Request, String> {
    let mut follow_ups = Vec::new();
    let mut title = None;
    let found = match object(call) {
        Ok(arguments) => {
            follow_ups = strings(&arguments, &["follow_ups"]);
            let one = |key: &str| arguments.get(key).and_then(Value::as_str).unwrap_or_default();
            title = ThreadTitle::new(one("title"), one("description"));
            answer_text(&Value::Object(arguments), 0)
        }
        // Models write raw line breaks into JSON strings; the incremental reader takes them.
        Err(error) => {
            let mut stream = AnswerStream::default();
            let text = stream.push(&call.arguments);
            if !stream.is_complete() {
                return Err(error);
            }
            Some(text)
        }
    };
    match found.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()) {
        Some(answer) => {
            follow_ups.retain(|question| question.len() <= MAX_FOLLOW_UP);
            follow_ups.truncate(MAX_FOLLOW_UPS);
            Ok(Request::Answer { answer, follow_ups, title })
        }
        None => Err("final_answer needs `answer`: the whole answer as one string.".into()),
    }
}

fn answer_text(value: &Value, depth: u32) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(map) if depth < 3 => ["answer", "final_answer", "text", "content", "arguments", "parameters"]
            .iter()
            .find_map(|key| map.get(*key))
            .and_then(|inner| answer_text(inner, depth + 1)),
        _ => None,
    }
}

fn object(call: &ToolCall) -> Result<Map<String, Value>, String> {
    let text = strip_fence(call.arguments.trim());
    let mut value: Value = serde_json::from_str(text)
        .map_err(|error| format!("The arguments of {} are not valid JSON ({error}). Send one JSON object.", call.name))?;
    // A JSON object inside a JSON string, as some servers send it.
    if let Value::String(inner) = &value
        && let Ok(parsed) = serde_json::from_str::<Value>(inner)
    {
        value = parsed;
    }
    match value {
        Value::Object(mut map) => {
            for wrapper in ["arguments", "parameters", "input"] {
                if map.len() == 1
                    && let Some(Value::Object(inner)) = map.get(wrapper)
                {
                    map = inner.clone();
                }
            }
            Ok(map)
        }
        Value::String(text) => Ok(Map::from_iter([(plain_key(&call.name).to_owned(), Value::String(text))])),
        list @ Value::Array(_) => Ok(Map::from_iter([(plain_key(&call.name).to_owned(), list)])),
        _ => Err(format!("The arguments of {} must be one JSON object.", call.name)),
    }
}

fn plain_key(tool: &str) -> &'static str {
    match tool {
        "web_get" | DOCUMENT_READ | LIBRARY_READ => "urls",
        "final_answer" => "answer",
        _ => "queries",
    }
}

fn strip_fence(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```") else { return text };
    let inner = inner.strip_prefix("json").unwrap_or(inner);
    inner.strip_suffix("```").unwrap_or(inner).trim()
}

fn strings(arguments: &Map<String, Value>, keys: &[&str]) -> Vec<String> {
    let Some(value) = keys.iter().find_map(|key| arguments.get(*key)) else {
        return Vec::new();
    };
    let mut out: Vec<String> = Vec::new();
    let list = match value {
        Value::String(text) => match serde_json::from_str::<Vec<Value>>(text) {
            Ok(inner) => inner,
            Err(_) => vec![value.clone()],
        },
        Value::Array(items) => items.clone(),
        other => vec![other.clone()],
    };
    for item in list {
        let text = match item {
            Value::String(text) => text,
            Value::Object(map) => match keys.iter().chain(&["query", "url", "link"]).find_map(|key| map.get(*key)?.as_str()) {
                Some(text) => text.to_owned(),
                None => continue,
            },
            _ => continue,
        };
        let text = text.trim();
        let text = text[..crate::text::floor_char(text, MAX_TEXT)].to_owned();
        if !text.is_empty() && !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

/// Which documents a search of documents looks at.
fn filter(arguments: &Map<String, Value>) -> Result<DocumentFilter, String> {
    let text = |key: &str| strings(arguments, &[key]).into_iter().next();
    let kind = match text("kind") {
        None => None,
        Some(word) => Some(DocumentKind::parse(&word).ok_or_else(|| {
            format!(
                "There are no documents of the kind {word:?}. The kinds are {}.",
                DocumentKind::ALL.map(DocumentKind::as_str).join(", ")
            )
        })?),
    };
    let period = |key: &str| match text(key) {
        None => Ok(None),
        Some(word) => {
            let form = || format!("`{key}` must be a day, a month or a year: YYYY-MM-DD, YYYY-MM or YYYY, not {word:?}.");
            DocumentFilter::period(&word).map(Some).ok_or_else(form)
        }
    };
    let path = strings(arguments, &["path"]).join(" ").to_lowercase();
    let most = arguments.get("max_results").and_then(|value| value.as_u64().or_else(|| value.as_str()?.trim().parse().ok()));
    Ok(DocumentFilter {
        kind,
        path: path.split_whitespace().map(str::to_owned).collect(),
        after: period("after")?,
        before: period("before")?,
        max_results: most.map(|most| u32::try_from(most).unwrap_or(MAX_RESULTS).clamp(1, MAX_RESULTS)),
        list: false,
    })
}

/// A path is meant as the address of the file.
fn as_address(text: String) -> String {
    if text.starts_with('/') || text.get(1..3) == Some(":\\") {
        return url::Url::from_file_path(&text).map_or(text, String::from);
    }
    text
}

/// A thread by its id alone. What a model finds in the library counts as private.
fn thread_address(text: String) -> String {
    if text.contains("://") { text } else { crate::urls::thread_address(&text, true) }
}

/// Which lines or pages of a document are wanted.
fn range(arguments: &Map<String, Value>) -> Result<Option<LineRange>, String> {
    let Some((key, value)) = ["lines", "pages"].into_iter().find_map(|key| Some((key, arguments.get(key)?))) else { return Ok(None) };
    let text = match value {
        Value::Null => return Ok(None),
        // A list of addresses, as some models write it.
        Value::Array(items) if items.iter().any(Value::is_string) && key == "pages" => return Ok(None),
        Value::Array(items) => items.iter().map(Value::to_string).collect::<Vec<_>>().join("-"),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.contains("://") => return Ok(None),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let wrong = || format!("`{key}` must be a number or a range such as 40-80, not {text:?}.");
    LineRange::parse(&text).map(Some).ok_or_else(wrong)
}

fn flag(arguments: &Map<String, Value>, key: &str) -> bool {
    match arguments.get(key) {
        Some(Value::Bool(value)) => *value,
        Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &str) -> Result<Request, String> {
        understand(&ToolCall { id: "1".into(), name: name.into(), arguments: arguments.into(), signature: None }, &[])
    }

    fn queries(list: &[&str]) -> Result<Request, String> {
        let queries = list.iter().map(|text| (*text).to_owned()).collect();
        Ok(Request::Search { tool: SearchTool::Web, site: None, queries, filter: Box::default(), documents: false })
    }

    #[test]
    fn searches_are_healed() {
        for arguments in [
            r#"{"queries": ["a"]}"#,
            r#"{"query": "a"}"#,
            r#"{"q": ["a", "a", " "]}"#,
            r#"{"text": "a"}"#,
            r#""a""#,
            r#"["a"]"#,
            r#"{"queries": "[\"a\"]"}"#,
            r#"{"queries": [{"query": "a"}]}"#,
            r#"{"arguments": {"queries": ["a"]}}"#,
            r#""{\"queries\": [\"a\"]}""#,
            "```json\n{\"queries\": [\"a\"]}\n```",
        ] {
            assert_eq!(call("web_search", arguments), queries(&["a"]), "{arguments}");
        }
        assert_eq!(call("web_search", r#"{"queries": ["1","2","3","4","5","6"]}"#), queries(&["1", "2", "3", "4", "5"]));
    }

    #[test]
    fn documents_are_chosen_by_kind_path_and_day() {
        let call = |arguments: &str| match call("document_search", arguments) {
            Ok(Request::Search { queries, filter, .. }) => Ok((queries, *filter)),
            Ok(other) => panic!("{other:?}"),
            Err(message) => Err(message),
        };
        let june = DocumentFilter {
            kind: Some(DocumentKind::Text),
            path: vec!["notes".into(), "garden".into()],
            after: Some("2024-06".into()),
            before: Some("2024-06".into()),
            max_results: Some(50),
            list: false,
        };
        let arguments = r#""kind": "md", "path": "Notes garden", "after": "2024-06", "before": "2024-06", "max_results": 500"#;
        assert_eq!(call(&format!(r#"{{"queries": ["roses"], {arguments}}}"#)), Ok((vec!["roses".into()], june.clone())));
        let (queries, filter) = call(&format!("{{{arguments}}}")).unwrap();
        assert_eq!(queries, ["all documents: kind text, path notes garden, after 2024-06, before 2024-06"]);
        assert_eq!(filter, DocumentFilter { list: true, ..june });
        assert!(call(r#"{"queries": ["a"], "kind": "film"}"#).unwrap_err().contains("pdf"));
        assert!(call(r#"{"queries": ["a"], "after": "June"}"#).unwrap_err().contains("YYYY-MM"));
        assert!(call(r#"{"max_results": 5}"#).unwrap_err().contains("needs `queries`"));
    }

    #[test]
    fn what_cannot_be_healed_is_explained() {
        for (name, arguments, wanted) in [
            ("web_search", "{}", "needs `queries`"),
            ("web_search", r#"{"queries": ["#, "not valid JSON"),
            ("web_get", r#"{"urls": []}"#, "needs `urls`"),
            ("final_answer", r#"{"answer": ""}"#, "needs `answer`"),
            ("final_answer", r#"{"answer": "cut"#, "not valid JSON"),
            ("shell", "{}", "There is no tool"),
        ] {
            let error = call(name, arguments).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
        assert!(call("web_search", &"x".repeat(MAX_ARGUMENTS + 1)).unwrap_err().contains("larger"));
    }

    #[test]
    fn answers_are_healed() {
        for arguments in [
            r#"{"answer": "Yes [1]."}"#,
            r#"{"answer": {"answer": "Yes [1]."}}"#,
            r#"{"final_answer": {"text": "Yes [1]."}}"#,
            r#""Yes [1].""#,
            "{\"answer\": \"Yes [1].\n\"}",
        ] {
            assert_eq!(
                call("final_answer", arguments),
                Ok(Request::Answer { answer: "Yes [1].".into(), follow_ups: Vec::new(), title: None }),
                "{arguments}"
            );
        }
        let call = call("final_answer", r#"{"answer": "Yes [1].", "follow_ups": ["Why?", "", "When?", "Where?", "Who?"]}"#);
        let follow_ups = ["Why?", "When?", "Where?"].map(str::to_owned).to_vec();
        assert_eq!(call, Ok(Request::Answer { answer: "Yes [1].".into(), follow_ups, title: None }));
    }

    #[test]
    fn modes_are_read() {
        let get = call("web_get", r#"{"url": "https://e.org", "use_chunks": "true", "instructions": "dates"}"#);
        assert_eq!(get, Ok(Request::Get { urls: vec!["https://e.org".into()], instructions: "dates".into(), mode: PageMode::Chunks }));
    }
}
