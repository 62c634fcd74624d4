//! What providers are told about the tools.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::{DOCUMENT_READ, DOCUMENT_SEARCH, LIBRARY_READ, MAX_FOLLOW_UPS, MAX_QUERIES, MAX_URLS};
use crate::{
    document_filter::{DocumentKind, MAX_RESULTS},
    model::{ModelRequest, Offer, ToolSet},
    ports::SearchTool,
    text,
    user_tools::UserTool,
};

/// Bytes of a description that a server wrote which are told at most.
const MAX_DESCRIPTION: usize = 4096;

/// A tool as a provider wants to hear of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    pub name: Cow<'static, str>,
    pub description: Cow<'static, str>,
    /// A call as a model without tool calling writes it.
    pub example: Cow<'static, str>,
    /// JSON Schema of the arguments.
    pub parameters: Value,
}

impl ToolSpec {
    fn new(name: &'static str, example: &'static str, description: &'static str, parameters: Value) -> Self {
        Self { name: name.into(), description: description.into(), example: example.into(), parameters }
    }

    /// A tool of the person's own, in the words of its server.
    pub fn of_user(tool: &UserTool) -> Self {
        let description = text::truncate(&tool.description, MAX_DESCRIPTION);
        let mut parameters = tool.parameters.clone();
        if let Some(schema) = parameters.as_object_mut() {
            schema.remove("$schema");
            // Services want to be told that a tool without arguments has none.
            schema.entry("type").or_insert_with(|| json!("object"));
            schema.entry("properties").or_insert_with(|| json!({}));
        }
        let names = parameters["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone());
        let mut example: Map<String, Value> = names.map(|name| (name, Value::String("…".to_owned()))).collect();
        example.insert("tool".to_owned(), Value::String(tool.name.clone()));
        Self {
            name: tool.name.clone().into(),
            description: description.into(),
            example: Value::Object(example).to_string().into(),
            parameters,
        }
    }
}

/// All tools that a request offers.
pub fn offered(request: &ModelRequest) -> Vec<ToolSpec> {
    let mut out = specs(request.tools);
    out.extend(request.user_tools.iter().map(ToolSpec::of_user));
    out
}

/// Nexi's own tools of a request.
pub fn specs(set: ToolSet) -> Vec<ToolSpec> {
    let answer = ToolSpec::new(
        "final_answer",
        r#"{"tool": "final_answer", "answer": "The wall was built in 1877 [1]."}"#,
        "Give the finished answer in Markdown and end the research. Put the number of the source in square brackets after every claim, like [1] or [2][3].",
        json!({
            "type": "object",
            "properties": {
                "answer": {"type": "string", "description": "The whole answer, in Markdown, with [n] after every claim."},
                "follow_ups": {
                    "type": "array", "items": {"type": "string"}, "maxItems": MAX_FOLLOW_UPS,
                    "description": "Up to three short questions the person may want to ask next, in their language."
                },
                "title": {"type": "string", "description": "Only for the first answer of a conversation: what it is about, in three to six words."},
                "description": {"type": "string", "description": "Only beside a title: the same in one line."}
            },
            "required": ["answer"],
            "additionalProperties": false
        }),
    );
    match set {
        ToolSet::None => Vec::new(),
        ToolSet::AnswerOnly => vec![answer],
        ToolSet::Researcher(offer) => {
            let mut tools: Vec<ToolSpec> = SearchTool::ALL.into_iter().filter(|tool| offer.has(*tool)).map(gathering).collect();
            if offer.read {
                tools.push(batch());
            }
            tools.push(report());
            if offer.documents {
                tools = tools.into_iter().map(of_documents).collect();
            }
            tools
        }
        ToolSet::Research(places) => {
            let mut tools = Vec::new();
            if places.web {
                tools.extend([gathering(SearchTool::Web), reading()]);
            }
            if places.documents {
                tools.extend([gathering(SearchTool::Web), reading()].map(of_documents));
                tools.push(gathering(SearchTool::Grep));
            }
            if places.library {
                tools.extend([gathering(SearchTool::Library), of_library(reading())]);
            }
            tools.push(answer);
            tools
        }
    }
}

/// Reading pages.
fn reading() -> ToolSpec {
    ToolSpec::new(
        "web_get",
        r#"{"tool": "web_get", "urls": ["https://example.org/wall"], "instructions": "who built it"}"#,
        "Read pages or documents. Each page that can be read becomes a source with a number to cite. Without options it returns the passages that matter for the question.",
        json!({
            "type": "object",
            "properties": {
                "urls": {
                    "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MAX_URLS,
                    "description": "One to eight addresses from the search results."
                },
                "instructions": {"type": "string", "description": "What to look for on these pages. With it, a summary of each page made for that is returned."},
                "get_full": {"type": "boolean", "description": "Return the whole text. Use it rarely: it fills the context window."},
                "use_chunks": {"type": "boolean", "description": "Return only the few best short chunks, word for word."}
            },
            "required": ["urls"],
            "additionalProperties": false
        }),
    )
}

/// The same tool where nothing but documents is searched and read.
fn of_documents(tool: ToolSpec) -> ToolSpec {
    match tool.name.as_ref() {
        "web_search" => ToolSpec::new(
            DOCUMENT_SEARCH,
            r#"{"tool": "document_search", "queries": ["harbour wall built", "harbour wall architect"]}"#,
            "Search the user's documents. All queries run at once. Returns titles, addresses and passages with their lines, pages or places, which `document_read` takes. Without queries, it lists the documents that fit kind, path, after and before, the newest first.",
            chosen(tool.parameters),
        ),
        "web_get" => ToolSpec::new(
            DOCUMENT_READ,
            r#"{"tool": "document_read", "urls": ["file:///notes/wall.md"]}"#,
            "Read documents by the addresses or paths that a search returned. Each one that can be read becomes a source with a number to cite. With `lines` or `pages` it returns that part, at most 200 lines, with their numbers. Addresses of the web cannot be read.",
            ranged(tool.parameters),
        ),
        _ => tool,
    }
}

/// The same tool for earlier answers.
fn of_library(tool: ToolSpec) -> ToolSpec {
    ToolSpec {
        name: LIBRARY_READ.into(),
        example: r#"{"tool": "library_read", "urls": ["nexi://private-thread/0198a2"]}"#.into(),
        description: "Read past research by the addresses that library_search returned. Each thread becomes a source with a number to cite, and names the sources of its answers with their addresses. It says what was known on its date: read those sources again where that may have changed.".into(),
        ..tool
    }
}

/// The arguments of a search that can choose among documents.
fn chosen(mut parameters: Value) -> Value {
    let day = |which: &str| json!({"type": "string", "description": format!("Only documents {which} this day, month or year: YYYY-MM-DD, YYYY-MM or YYYY.")});
    parameters["properties"]["kind"] = json!({"type": "string", "enum": DocumentKind::ALL.map(DocumentKind::as_str)});
    parameters["properties"]["path"] =
        json!({"type": "string", "description": "Only documents with these words in their path, such as the name of a folder."});
    parameters["properties"]["after"] = day("from the beginning of");
    parameters["properties"]["before"] = day("up to the end of");
    parameters["properties"]["max_results"] = json!({"type": "integer", "minimum": 1, "maximum": MAX_RESULTS});
    if let Some(properties) = parameters.as_object_mut() {
        properties.remove("required");
    }
    parameters
}

/// The arguments of reading a document, which can be read in part.
fn ranged(mut parameters: Value) -> Value {
    let part = |what: &str| json!({"type": "string", "description": format!("Only these {what}: a number, or a range such as 40-80.")});
    parameters["properties"]["lines"] = part("lines or places");
    parameters["properties"]["pages"] = part("pages of a PDF, slides, or rows of a table");
    parameters
}

/// A tool that finds things.
fn gathering(tool: SearchTool) -> ToolSpec {
    let (example, description, queries) = match tool {
        SearchTool::Web => (
            r#"{"tool": "web_search", "queries": ["harbour wall built", "harbour wall architect"]}"#,
            "Search the web and the user's documents. All queries run at once. Returns titles, addresses and snippets.",
            "One to five different queries, each a few words.",
        ),
        SearchTool::Stackexchange => (
            r#"{"tool": "stackexchange", "queries": ["rust borrow checker closure"], "site": "stackoverflow"}"#,
            "Search questions and answers of one site of the Stack Exchange network, Stack Overflow unless you name another.",
            "One to five different queries, each a few words.",
        ),
        SearchTool::Security => (
            r#"{"tool": "security_search", "queries": ["CVE-2021-44228", "npm lodash"]}"#,
            "Search databases of vulnerabilities: NVD, CISA's list of exploited ones, GitHub's advisories, OSV.",
            "One to five ids (CVE-…, GHSA-…), names of products, or an ecosystem with a package such as: npm lodash.",
        ),
        SearchTool::Grep => (
            r#"{"tool": "grep", "queries": ["max_retries\\s*="]}"#,
            "Find exact words or a regular expression in the user's documents. Returns lines with their numbers.",
            "One to five words, phrases or regular expressions.",
        ),
        SearchTool::Library => (
            r#"{"tool": "library_search", "queries": ["harbour wall"]}"#,
            "Search what this person asked before and what was answered. Use it when the question may build on past research. Returns questions, their days, addresses and the passages that fit; read one by its address before you cite it.",
            "One to five different queries, each a few words.",
        ),
    };
    let mut parameters = json!({
        "type": "object",
        "properties": {"queries": {
            "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MAX_QUERIES,
            "description": queries
        }},
        "required": ["queries"],
        "additionalProperties": false
    });
    if tool == SearchTool::Stackexchange {
        parameters["properties"]["site"] = json!({
            "type": "string",
            "description": "Which site to search, such as stackoverflow, superuser, serverfault, askubuntu, unix, math or cooking."
        });
    }
    ToolSpec::new(tool.call(), example, description, parameters)
}

/// Reading as a researcher of a deep run does it.
fn batch() -> ToolSpec {
    ToolSpec::new(
        "web_get",
        r#"{"tool": "web_get", "urls": ["https://example.org/wall"]}"#,
        "Read pages or documents, in batches. The first call fetches nothing: it tells which pages other researchers have read already. Then there are batches of three, two and three pages. Each page that can be read becomes a source with a number to cite.",
        json!({
            "type": "object",
            "properties": {
                "urls": {
                    "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MAX_URLS,
                    "description": "Addresses from the search results, the most promising first."
                },
                "instructions": {"type": "string", "description": "What to look for on these pages. With it, a summary of each page made for that is returned."}
            },
            "required": ["urls"],
            "additionalProperties": false
        }),
    )
}

/// The end of a researcher's work.
fn report() -> ToolSpec {
    ToolSpec::new(
        "final_answer",
        r#"{"tool": "final_answer", "answer": "The wall was built in 1877 [1].\n\n- It is of granite [2]."}"#,
        "Hand in your report in Markdown and end your part: a summary, the findings, what stays open. Put the number of the source in square brackets after every claim, like [1] or [2][3].",
        json!({
            "type": "object",
            "properties": {"answer": {"type": "string", "description": "The whole report, in Markdown, with [n] after every claim."}},
            "required": ["answer"],
            "additionalProperties": false
        }),
    )
}

impl Offer {
    /// Whether this tool is offered.
    pub fn has(self, tool: SearchTool) -> bool {
        match tool {
            SearchTool::Web => self.web,
            SearchTool::Stackexchange => self.stackexchange,
            SearchTool::Security => self.security,
            SearchTool::Grep => self.grep,
            SearchTool::Library => self.library,
        }
    }

    /// These tools, and reading.
    pub fn of(tools: &[SearchTool], read: bool) -> Self {
        let has = |tool| tools.contains(&tool);
        Self {
            web: has(SearchTool::Web),
            stackexchange: has(SearchTool::Stackexchange),
            security: has(SearchTool::Security),
            grep: has(SearchTool::Grep),
            library: has(SearchTool::Library),
            read,
            documents: false,
        }
    }
}
