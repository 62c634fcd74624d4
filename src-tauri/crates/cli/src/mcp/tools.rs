//! The tools: names, arguments, schemas.

use std::sync::Arc;

use nexi_engine::core::model::Thinking;
use nexi_engine::core::protocol::{Effort, Focus};
use nexi_engine::core::settings::AnswerCheck;
use nexi_engine::core::tools::{MAX_QUERIES, MAX_URLS};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::web::{Pages, Searches};

pub const RESEARCH: &str = "research";
pub const SEARCH: &str = "search";
pub const READ: &str = "read";
pub const LIBRARY: &str = "library";

/// The tool of a name, also of one that it had until version 0.1; those are no longer listed.
pub fn called(name: &str) -> &str {
    match name {
        "nexi_search" => RESEARCH,
        "nexi_web_search" => SEARCH,
        "nexi_web_read" => READ,
        "nexi_library_search" => LIBRARY,
        other => other,
    }
}

/// Arguments of a whole research.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Research {
    /// The question, in any language; as precise as possible.
    pub query: String,
    /// How thorough: s is quick (at most 8 steps), m is usual (16), l is thorough (32).
    #[serde(default)]
    pub effort: Option<Thorough>,
    /// The thread to go on with, as an earlier result names it; earlier questions and sources are then known.
    #[serde(default)]
    pub thread: Option<String>,
    /// Keep nothing: neither question nor answer is stored in the user's library. Not together with thread.
    #[serde(default, deserialize_with = "or_default")]
    pub private: bool,
    /// Research deeply: a plan, several researchers at the same time, an evaluation and a long report. Takes minutes.
    #[serde(default, deserialize_with = "or_default")]
    pub deep: bool,
    /// At most this many steps, in place of the effort's; not for deep research.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    pub max_iter: Option<u32>,
    /// After this many seconds the answer is asked for with what there is.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub time_target: Option<u32>,
    /// Cost limit in US dollars, in place of the settings'.
    #[serde(default)]
    pub max_cost: Option<f64>,
    /// Token limit, in place of the settings'.
    #[serde(default)]
    #[schemars(range(min = 1000))]
    pub max_tokens: Option<u32>,
    /// Who checks statements that their sources do not seem to support: this computer only, or the model again.
    #[serde(default)]
    pub check: Option<Check>,
    /// How much the model reasons before it answers.
    #[serde(default)]
    pub think: Option<Level>,
    /// Add an account of every search and page to the answer.
    #[serde(default, deserialize_with = "or_default")]
    pub verbose: bool,
    /// Where to look: on the web, in the user's documents, or in both.
    #[serde(default)]
    pub focus: Option<Place>,
}

/// Some clients send null for what is left out.
fn or_default<'de, D: serde::Deserializer<'de>, T: Default + Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Who checks an answer.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    Local,
    Model,
}

impl From<Check> for AnswerCheck {
    fn from(check: Check) -> Self {
        match check {
            Check::Local => Self::Local,
            Check::Model => Self::Model,
        }
    }
}

/// How thorough a research is.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Thorough {
    S,
    M,
    L,
}

impl From<Thorough> for Effort {
    fn from(effort: Thorough) -> Self {
        match effort {
            Thorough::S => Effort::S,
            Thorough::M => Effort::M,
            Thorough::L => Effort::L,
        }
    }
}

/// How much a model reasons.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Level {
    Auto,
    Off,
    Low,
    Medium,
    High,
}

impl From<Level> for Thinking {
    fn from(level: Level) -> Self {
        match level {
            Level::Auto => Thinking::Auto,
            Level::Off => Thinking::Off,
            Level::Low => Thinking::Low,
            Level::Medium => Thinking::Medium,
            Level::High => Thinking::High,
        }
    }
}

/// Where a research looks.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Place {
    Web,
    Documents,
    Both,
}

impl From<Place> for Focus {
    fn from(place: Place) -> Self {
        match place {
            Place::Web => Focus::Web,
            Place::Documents => Focus::Documents,
            Place::Both => Focus::Both,
        }
    }
}

/// Arguments of a search.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// One to five different queries, each a few words.
    #[schemars(length(min = 1, max = MAX_QUERIES))]
    pub queries: Vec<String>,
}

/// Arguments of a reading.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// One to eight URLs of pages or documents.
    #[schemars(length(min = 1, max = MAX_URLS))]
    pub urls: Vec<String>,
    /// What to look for; only the best passages are returned.
    #[serde(default)]
    pub instructions: Option<String>,
    /// The full text, however long.
    #[serde(default, deserialize_with = "or_default")]
    pub get_full: bool,
    /// With instructions: only the few best short pieces, word for word.
    #[serde(default, deserialize_with = "or_default")]
    pub use_chunks: bool,
}

/// Arguments of a search of the library.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// Words that occur in the question, the answer or the sources.
    pub text: String,
    /// Maximum results; 10 if it is left out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<u32>,
    /// Whether threads that the user's team shares are searched, too, where there is a team library; true if it is left out.
    #[serde(default)]
    pub team: Option<bool>,
}

/// What a search of the library came to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Found {
    pub results: Vec<FoundTurn>,
    /// There are more results than were asked for.
    pub more: bool,
    /// Threads of others in the team library.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub team: Vec<FoundShared>,
    /// Why the team library could not be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_error: Option<String>,
}

/// A thread of somebody else that was found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FoundShared {
    /// Its address among the resources: nexi://team/ID.
    pub uri: String,
    pub title: String,
    /// Who shares it: a user of the database.
    pub author: String,
    /// Where the words stand.
    pub snippet: String,
    pub turns: u32,
    /// Unix time in milliseconds.
    pub updated_ms: i64,
}

/// One turn that was found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FoundTurn {
    /// The address of the answer among the resources: nexi://turn/ID.
    pub uri: String,
    pub turn: String,
    pub thread: String,
    /// What was asked in this turn.
    pub question: String,
    /// The title of the thread.
    pub title: String,
    /// Where the words stand.
    pub snippet: String,
    pub sources: u32,
    /// Unix time in milliseconds.
    pub updated_ms: i64,
}

/// Reads the arguments of a call.
///
/// # Errors
/// A sentence for the model that names the field.
pub fn arguments<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| format!("The arguments cannot be used: {error}. See the tool's schema."))
}

/// Every tool.
pub fn all() -> Vec<Tool> {
    let reads = |title: &str| ToolAnnotations::with_title(title).read_only(true).open_world(true);
    vec![
        Tool::new(
            RESEARCH,
            "Research a question: plan, search the web and the user's documents, read pages, and write an answer in Markdown whose \
             claims carry the numbers of their sources. Takes from a few seconds to several minutes and reports progress. The answer is \
             kept in the user's library.",
            schema::<Research>(),
        )
        .with_title("Research a question")
        .with_raw_output_schema(object(report_schema()))
        // It adds a turn to the library, so it changes something, and destroys nothing.
        .with_annotations(
            ToolAnnotations::with_title("Research a question").read_only(false).destructive(false).idempotent(false).open_world(true),
        ),
        Tool::new(
            SEARCH,
            "Search the web and the user's documents with the search backends the user has set up. Returns titles, addresses and \
             descriptions; no page is read and no model is asked.",
            schema::<Search>(),
        )
        .with_title("Search")
        .with_raw_output_schema(schema::<Searches>())
        .with_annotations(reads("Search")),
        Tool::new(
            READ,
            "Read pages or documents as clean Markdown. With instructions only the passages that match them best are returned, without \
             any model; long texts are cut unless get_full is set.",
            schema::<Read>(),
        )
        .with_title("Read pages")
        .with_raw_output_schema(schema::<Pages>())
        .with_annotations(reads("Read pages")),
        Tool::new(
            LIBRARY,
            "Find past research of the user, and of the team that shares a library with them, by words in questions, answers and \
             sources. The answers can be read as resources.",
            schema::<Library>(),
        )
        .with_title("Search past research")
        .with_raw_output_schema(schema::<Found>())
        .with_annotations(ToolAnnotations::with_title("Search past research").read_only(true).open_world(false)),
    ]
}

/// The schema of a type, as plain as every client understands it: what is optional may be left out
/// instead of being null, and nothing is defined elsewhere.
fn schema<T: JsonSchema>() -> Arc<JsonObject> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    make_plain(&mut schema);
    object(schema)
}

fn make_plain(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if let Some(Value::Array(types)) = map.get("type") {
                let real = types.iter().find(|name| *name != "null").cloned();
                map.extend(real.map(|name| ("type".to_owned(), name)));
            }
            if let Some(Value::Array(values)) = map.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            if map.get("default").is_some_and(Value::is_null) {
                map.remove("default");
            }
            // How we keep a number is no matter of the client's.
            if map.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint") || format.starts_with("int")) {
                map.remove("format");
            }
            map.values_mut().for_each(make_plain);
        }
        Value::Array(list) => list.iter_mut().for_each(make_plain),
        _ => {}
    }
}

fn object(value: Value) -> Arc<JsonObject> {
    Arc::new(value.as_object().cloned().unwrap_or_default())
}

/// The schema of `nexi ask --json`, as far as it is promised.
fn report_schema() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer", "minimum": 0});
    let support = json!({"enum": ["supported", "partly_supported", "uncited", "not_supported", "contradicted"]});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "The turn; its answer is the resource nexi://turn/ID."},
            "thread": text, "question": text, "model": text,
            "answer": {"type": "string", "description": "Markdown with [n] behind every claim."},
            "state": {"enum": ["answered", "partial", "nothing_found", "cancelled", "failed", "interrupted"]},
            "reason": {"type": "string", "description": "Why, unless the state is answered; there, too, when something about the answer has to be known."},
            "incident": {"type": "object", "description": "What went wrong and decided who answered: kind, service, action."},
            "incidents": {"type": "array", "items": {"type": "object"}, "description": "Everything that went wrong on the way, in order."},
            "unread": {"type": "array", "items": {"type": "object", "properties": {"url": text, "reason": text}, "required": ["url", "reason"]}},
            "sources": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "number": number, "url": text, "title": text, "date": text, "fetched": text,
                    "cited": {"type": "boolean"},
                    "passages": {"type": "array", "items": {
                        "type": "object",
                        "properties": {"quote": text, "start_line": number, "end_line": number, "page": number, "place": text},
                        "required": ["quote"]
                    }}
                },
                "required": ["number", "url", "title", "cited", "passages"]
            }},
            "citations": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "number": number, "ordinal": number, "start": number, "end": number, "passage": number,
                    "known": {"type": "boolean", "description": "False when no source has this number."},
                    "support": support,
                    "missing": {"type": "array", "items": text, "description": "Numbers, names and words of the sentence that the passage lacks."},
                    "detected": text
                },
                "required": ["number", "ordinal", "start", "end", "known", "support"]
            }},
            "statements": {"type": "array", "description": "Every statement of the answer: bytes of the answer, and how well it is supported.", "items": {
                "type": "object",
                "properties": {"start": number, "end": number, "support": support},
                "required": ["start", "end", "support"]
            }},
            "check": {"type": "object", "description": "What a second look by the model came to.", "properties": {
                "looked_at": {"type": "integer"},
                "failed": {"type": "boolean", "description": "True if it was requested but failed."},
                "confirmed": {"type": "integer", "description": "Statements of which it showed the words that support them."},
                "corrections": {"type": "array", "items": {"type": "object", "properties": {
                    "kind": {"enum": ["corrected", "recited", "struck"]},
                    "start": {"type": "integer"}, "end": {"type": "integer"},
                    "before": {"type": "string", "description": "As the model had written it first."}
                }}}
            }},
            "counts": {"type": "object", "description": "How many statements there are, by their support.", "properties": {
                "all": number, "supported": number, "partly_supported": number, "not_supported": number, "contradicted": number, "uncited": number
            }},
            "newest_source": text,
            "steps": number,
            "effort": {"enum": ["s", "m", "l"]},
            "mode": {"enum": ["quick", "deep"]},
            "method": {"type": "object", "description": "How a deep research came to its report: rounds, researchers, searches, pages, and what stayed open."},
            "duration_s": {"type": "number"},
            "tokens": {"type": "object"},
            "cost": {"type": "number", "description": "In US dollars, where a price is known."}
        },
        "required": ["id", "thread", "question", "answer", "state", "sources", "citations", "statements", "counts", "steps", "effort", "mode", "duration_s", "tokens", "model"]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_and_mistakes_name_the_field() {
        let object = |value: Value| value.as_object().cloned().unwrap();
        let read: Research = arguments(object(json!({"query": "x", "effort": "l", "focus": "documents"}))).unwrap();
        assert!(matches!((read.effort, read.focus, read.verbose), (Some(Thorough::L), Some(Place::Documents), false)));
        for (given, wanted) in [
            (json!({}), "query"),
            (json!({"query": "x", "effort": "xl"}), "xl"),
            (json!({"query": "x", "efort": "l"}), "efort"),
            (json!({"query": 5}), "integer"),
        ] {
            let message = arguments::<Research>(object(given)).unwrap_err();
            assert!(message.contains(wanted), "{message}");
        }
    }

    /// Whether everything that the schema calls required is there.
    fn keeps_promise(schema: &Value, value: &Value) -> bool {
        let required = schema["required"].as_array().into_iter().flatten().all(|name| value.get(name.as_str().unwrap()).is_some());
        let parts = schema["properties"].as_object().into_iter().flatten();
        let fields = parts.clone().all(|(name, inner)| value.get(name).is_none_or(|value| keeps_promise(inner, value)));
        let known = schema["additionalProperties"] != json!(false)
            || value.as_object().into_iter().flatten().all(|(name, _)| parts.clone().any(|(known, _)| known == name));
        let items = value.as_array().into_iter().flatten().all(|item| keeps_promise(&schema["items"], item));
        required && fields && known && items
    }

    #[test]
    fn results_keep_what_the_schemas_promise() {
        use crate::web::{PageText, QueryResults, SearchResult};
        let (url, title) = (String::from("https://e.org/"), String::from("T"));
        let page =
            PageText { url: url.clone(), title: title.clone(), content: "x".into(), published_time: None, partial: false, error: None };
        let result = SearchResult { title, url, description: "x".into(), published_time: None, place: None, more: Vec::new() };
        let failed = QueryResults { query: "q".into(), results: Vec::new(), error: Some("x".into()) };
        let pages = json!(Pages { pages: vec![page], provider_failures: Vec::new() });
        let searches = json!(Searches {
            searches: vec![QueryResults { query: "q".into(), results: vec![result], error: None }, failed],
            provider_failures: vec!["x".into()],
        });
        assert!(keeps_promise(&Value::Object((*schema::<Pages>()).clone()), &pages));
        assert!(keeps_promise(&Value::Object((*schema::<Searches>()).clone()), &searches));
        assert!(!keeps_promise(&Value::Object((*schema::<Pages>()).clone()), &json!({"pages": [{}], "provider_failures": []})));
    }

    #[test]
    fn every_tool_has_schemas_and_annotations() {
        for tool in all() {
            assert_eq!(tool.input_schema["type"], json!("object"), "{}", tool.name);
            assert_eq!(tool.input_schema["additionalProperties"], json!(false), "{}", tool.name);
            let text = json!([tool.input_schema, tool.output_schema]).to_string();
            for unusual in ["\"null\"", "null", "$ref", "$defs", "uint32"] {
                assert!(!text.contains(unusual), "{}: not every client understands {unusual}: {text}", tool.name);
            }
            assert_eq!(tool.output_schema.as_ref().unwrap()["type"], json!("object"), "{}", tool.name);
            assert!(tool.annotations.as_ref().unwrap().title.is_some() && tool.description.unwrap().len() > 40);
        }
    }
}
