//! What the user may set. Reading and writing the file is the store's business; what the values
//! mean and which are valid is decided here, for the file, the command line and the window alike.

mod check;
mod deep;
mod desktop;
mod embeddings;
mod hooks;
mod network;
mod ocr;
mod prices;
mod provider;
mod provider_kind;
pub mod schema;
mod search;
mod side;
pub mod tools;
pub mod vendors;
mod watched;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    model::Thinking,
    pricing::{self, ModelFacts},
    prompts::Prompts,
    protocol::Effort,
};

pub use super::{
    preferences::{AnswerLength, Preferences, Units},
    problem::{Problem, Wrong},
    redaction::{hide_keys, looks_like_key},
};
pub use check::AnswerCheck;
pub use deep::{Deep, PlanApproval};
pub use desktop::{Desktop, KeyPlace, Language, Theme, hotkey_problem};
pub use embeddings::{EmbedPrompts, EmbeddingModel, Embeddings};
pub use hooks::Hook;
pub use network::{Network, Proxy, Route};
pub use ocr::Ocr;
pub use provider::{ChatWire, KeyStrategy, Provider};
pub use provider_kind::ProviderKind;
pub use search::{JsonBackend, PageCacheSettings, SafeSearch, SearchOptions};
pub use side::SideTask;
pub use tools::{ToolCommand, ToolServer};
pub use vendors::{VENDORS, Vendor, service_title};
pub use watched::Watched;

/// The share of the context window at which a conversation is compacted, where nothing else is chosen.
pub const COMPACT_AT: f64 = 0.9;
/// The search backend of the person's own documents.
pub const DOCUMENTS: &str = "documents";
/// Steps that a question may be given.
pub const MAX_STEPS: u32 = 200;

/// Everything that can be set, with defaults that work on a fresh machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// How much work goes into a question for which nothing else is chosen: up to 8, 16 or 32 steps.
    pub default_effort: Effort,
    /// Models to try, in order: names of providers, `provider/model` for another model of the same
    /// key, or `builtin`.
    pub llm_backends: Vec<String>,
    /// A cheaper model for requests beside the conversation, named like those of `llm_backends`.
    #[serde(deserialize_with = "super::preferences::filled")]
    pub side_model: Option<String>,
    /// What `side_model` is asked for.
    pub side_tasks: Vec<SideTask>,
    /// Who looks at statements that their sources do not seem to support.
    pub check: AnswerCheck,
    /// Whether models may search earlier questions and answers.
    pub past_research: bool,
    /// How much models reason before they answer.
    pub thinking: Thinking,
    /// Models that are offered first, as `provider/model`.
    pub favourite_models: Vec<String>,
    /// Search backends to try, in order: names of providers, or `documents`.
    pub search_backends: Vec<String>,
    /// Readers to try, in order: names of providers, or `builtin`.
    pub fetch_backends: Vec<String>,
    /// The model's context window, in tokens.
    #[schemars(range(min = 2000))]
    pub max_context: u32,
    /// Compaction begins when the conversation fills this share of the window.
    pub auto_compact_thresh: f64,
    /// Length of the summary that compaction asks for, in words.
    #[schemars(range(min = 50))]
    pub compact_target_words: u32,
    /// How many of the newest assistant messages survive compaction with their tool results.
    pub preserve_last_n_messages: u32,
    /// How long one reply of a model may be, in tokens; never more than half of `max_context`.
    #[schemars(range(min = 64))]
    pub max_output_tokens: u32,
    /// By which tokens are counted.
    #[schemars(extend("enum" = ["cl100k_base", "o200k_base"]))]
    pub tokenizer_encoding: String,
    /// Seconds that a search or reader service may take.
    #[schemars(range(min = 1))]
    pub provider_timeout: u32,
    /// Seconds that a model may go without sending anything of its reply.
    #[schemars(range(min = 1))]
    pub model_timeout: u32,
    /// Seconds that one reply of a model may take as a whole.
    #[schemars(range(min = 1))]
    pub model_total_timeout: u32,
    /// How often a model is asked again after a passing failure.
    #[schemars(range(min = 1))]
    pub llm_max_retries: u32,
    /// Seconds after which the answer is asked for.
    #[schemars(range(min = 1))]
    pub time_target: Option<u32>,
    /// Steps that one question may take at most, whatever its effort: requests to the model, each with the calls it makes.
    #[schemars(range(min = 1, max = MAX_STEPS))]
    pub max_steps: Option<u32>,
    /// Tokens that one question may use.
    #[schemars(range(min = 1000))]
    pub max_tokens: Option<u32>,
    /// US dollars that one question may cost. A run with a model whose price is not known does not
    /// start then.
    pub max_cost: Option<f64>,
    /// US dollars that all questions of a month may cost before the person is asked.
    pub max_cost_month: Option<f64>,
    /// The database of the team library, by its name in `providers`: threads can be shared there, and those of others found.
    #[serde(deserialize_with = "super::preferences::filled")]
    pub team_library: Option<String>,
    /// Pages that are fetched, for one question, before the model has asked for them; 0 turns it off.
    #[schemars(range(max = 100))]
    pub pages_ahead: u32,
    /// The language of windows, terminal and exports. It is taken on when Nexi starts.
    pub language: Language,
    /// How answers should be.
    pub preferences: Preferences,
    /// Deep research.
    pub deep: Deep,
    /// Your own files.
    pub documents: Documents,
    /// Searching documents by meaning.
    pub embeddings: Embeddings,
    /// Reading scanned pages and pictures.
    pub ocr: Ocr,
    /// Questions that are asked again by themselves.
    pub watched: Watched,
    /// The way to the network, and what of it may be visited.
    pub network: Network,
    /// Options of all search backends.
    pub search: SearchOptions,
    /// Pages that are kept.
    pub cache: PageCacheSettings,
    /// Services that answer, find or read, by name.
    pub providers: BTreeMap<String, Provider>,
    /// Context windows and prices by the model's name, before those that Nexi knows.
    pub models: BTreeMap<String, ModelFacts>,
    /// Prompts that replace ours.
    pub prompts: Prompts,
    /// Servers of tools, by name.
    pub tools: BTreeMap<String, ToolServer>,
    /// Commands that models may run, by name.
    pub commands: BTreeMap<String, ToolCommand>,
    /// Webhooks and programs that are called after research, by name.
    pub hooks: BTreeMap<String, Hook>,
    /// The desktop app.
    pub desktop: Desktop,
    /// Where keys are kept that were entered.
    pub keys: KeyPlace,
}

/// Which of the user's own files may be searched and read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Documents {
    /// Folders; a leading `~` is the home folder.
    pub folders: Vec<String>,
    /// Patterns of files by folder, such as `*.pdf`: where there are some, only what fits one of them is looked at.
    pub include: BTreeMap<String, Vec<String>>,
    /// Patterns of files and folders by folder, such as `drafts/**`, that are left out.
    pub exclude: BTreeMap<String, Vec<String>>,
    /// Whether the model is kept from addresses and searches that could carry text of documents away.
    pub keep_private: bool,
}

impl Default for Documents {
    fn default() -> Self {
        Self { folders: Vec::new(), include: BTreeMap::new(), exclude: BTreeMap::new(), keep_private: true }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            default_effort: Effort::M,
            llm_backends: vec!["builtin".into()],
            side_model: None,
            side_tasks: SideTask::DEFAULT.to_vec(),
            check: AnswerCheck::Model,
            past_research: true,
            thinking: Thinking::Auto,
            favourite_models: Vec::new(),
            search_backends: vec!["documents".into(), "wikipedia".into(), "duckduckgo".into()],
            fetch_backends: vec!["builtin".into()],
            max_context: 128_000,
            auto_compact_thresh: COMPACT_AT,
            compact_target_words: 5000,
            preserve_last_n_messages: 3,
            max_output_tokens: 32_000,
            tokenizer_encoding: "cl100k_base".into(),
            provider_timeout: 30,
            model_timeout: 300,
            model_total_timeout: 1800,
            llm_max_retries: 3,
            time_target: None,
            max_steps: None,
            max_tokens: None,
            max_cost: None,
            max_cost_month: None,
            team_library: None,
            pages_ahead: 12,
            language: Language::default(),
            preferences: Preferences::default(),
            deep: Deep::default(),
            documents: Documents::default(),
            embeddings: Embeddings::default(),
            ocr: Ocr::default(),
            watched: Watched::default(),
            network: Network::default(),
            search: SearchOptions::default(),
            cache: PageCacheSettings::default(),
            providers: BTreeMap::new(),
            models: BTreeMap::new(),
            prompts: Prompts::default(),
            tools: BTreeMap::new(),
            commands: BTreeMap::new(),
            hooks: BTreeMap::new(),
            desktop: Desktop::default(),
            keys: KeyPlace::default(),
        }
    }
}

impl Settings {
    /// The provider of this name. Services that everybody reaches at the same address need no table,
    /// and `provider/model` is a provider with another model than its own.
    pub fn provider(&self, name: &str) -> Option<Provider> {
        if let Some(provider) = self.providers.get(name) {
            return Some(provider.clone());
        }
        if let Some((provider, model)) = name.split_once('/').filter(|(_, model)| !model.trim().is_empty()) {
            let provider = self.provider(provider).filter(|provider| provider.kind.answers())?;
            return Some(Provider { model: Some(model.to_owned()), ..provider });
        }
        let preset = || Vendor::by_id(name).filter(|vendor| !vendor.base_url.is_empty()).map(Vendor::provider);
        ProviderKind::parse(name).filter(|kind| kind.needs_no_table()).map(Provider::new).or_else(preset)
    }

    /// The name under which the key of a provider is kept: that of `provider/model` is `provider`.
    pub fn key_name<'a>(&self, name: &'a str) -> &'a str {
        if self.providers.contains_key(name) { name } else { name.split_once('/').map_or(name, |(provider, _)| provider) }
    }

    /// Whether this search backend is a corpus.
    pub fn is_corpus(&self, name: &str) -> bool {
        self.provider(name).is_some_and(|provider| provider.kind == ProviderKind::Postgres)
    }

    /// Whether this search backend looks through documents, the person's own or a corpus's, and not through the web.
    pub fn is_for_documents(&self, name: &str) -> bool {
        name == DOCUMENTS || self.is_corpus(name)
    }

    /// Everything wrong with the values.
    pub fn problems(&self) -> Vec<Problem> {
        let values = serde_json::to_value(self).unwrap_or_default();
        let mut out = schema::unfit(&values);
        self.check_numbers(&mut out);
        self.check_chain("llm_backends", &self.llm_backends, "builtin", ProviderKind::answers, &mut out);
        self.check_chain("search_backends", &self.search_backends, DOCUMENTS, ProviderKind::finds, &mut out);
        self.check_chain("fetch_backends", &self.fetch_backends, "builtin", ProviderKind::reads, &mut out);
        for (name, provider) in &self.providers {
            provider.check(name, &mut out);
        }
        if let Some(side) = &self.side_model
            && self.provider(side).is_none_or(|provider| !provider.kind.answers())
        {
            out.push(Problem::new("side_model", Wrong::NoSideModel { name: side.clone() }));
        }
        if let Some(team) = &self.team_library
            && self.provider(team).is_none_or(|provider| provider.kind != ProviderKind::Postgres)
        {
            out.push(Problem::new("team_library", Wrong::NoTeamLibrary { name: team.clone() }));
        }
        out.extend(pricing::problems(&self.models));
        out.extend(self.prompts.problems());
        for (index, folder) in self.documents.folders.iter().enumerate() {
            if folder.trim().is_empty() {
                out.push(Problem::new(format!("documents.folders[{index}]"), Wrong::EmptyFolder));
            }
        }
        self.check_embeddings(&mut out);
        self.preferences.check(&mut out);
        self.ocr.check(&mut out);
        self.watched.check(&mut out);
        self.deep.check(&mut out);
        self.network.check(&mut out);
        self.search.check(&mut out);
        tools::check(&self.tools, &self.commands, &mut out);
        hooks::check(&self.hooks, &mut out);
        self.desktop.check(&mut out);
        let known: Vec<String> = out.iter().map(|problem| problem.field.clone()).collect();
        out.extend(schema::with_keys(&values).into_iter().filter(|problem| !known.contains(&problem.field)));
        out
    }

    fn check_numbers(&self, out: &mut Vec<Problem>) {
        for (field, value, example) in [("max_cost", self.max_cost, "0.25"), ("max_cost_month", self.max_cost_month, "10")] {
            if let Some(dollars) = value.filter(|dollars| !(*dollars > 0.0 && *dollars <= 10_000.0)) {
                out.push(Problem::new(field, Wrong::Dollars { example: example.to_owned(), found: dollars.to_string() }));
            }
        }
        if !(self.auto_compact_thresh > 0.0 && self.auto_compact_thresh <= 1.0) {
            out.push(Problem::new("auto_compact_thresh", Wrong::Share { found: self.auto_compact_thresh.to_string() }));
        }
    }

    fn check_chain(&self, field: &str, chain: &[String], own: &str, fits: fn(ProviderKind) -> bool, out: &mut Vec<Problem>) {
        if chain.is_empty() {
            out.push(Problem::new(field, Wrong::EmptyChain { own: own.to_owned() }));
        }
        for (index, name) in chain.iter().enumerate() {
            let place = format!("{field}[{index}]");
            if name == own {
                continue;
            }
            match self.provider(name) {
                None => {
                    let vendors = VENDORS.iter().filter(|vendor| !vendor.base_url.is_empty()).map(|vendor| (vendor.kind, vendor.id));
                    let kinds = ProviderKind::ALL.into_iter().filter(|kind| kind.needs_no_table()).map(|kind| (kind, kind.as_str()));
                    let fitting = kinds.chain(vendors).filter(|(kind, _)| fits(*kind)).map(|(_, known)| known);
                    let service = name.split('/').next().unwrap_or(name);
                    let wrong = match nearest(service, self.providers.keys().map(String::as_str).chain(fitting).chain([own])) {
                        Some(known) => Wrong::MisspeltBackend { name: name.clone(), meant: known.to_owned() },
                        None => Wrong::UnknownBackend { name: name.clone(), service: service.to_owned(), own: own.to_owned() },
                    };
                    out.push(Problem::new(place, wrong));
                }
                Some(provider) if !fits(provider.kind) => {
                    let wrong = Wrong::UnfitBackend { name: name.clone(), kind: provider.kind.as_str().to_owned() };
                    out.push(Problem::new(place, wrong));
                }
                Some(_) => {}
            }
        }
    }
}

/// The known word that a misspelt one was probably meant to be, or the shortest that has it for one of its parts.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let known: Vec<&str> = known.collect();
    let has_part = |known: &&str| known.split(['_', '-', '.']).any(|part| part.eq_ignore_ascii_case(word));
    let alike = |known: &str| strsim::normalized_damerau_levenshtein(&word.to_lowercase(), &known.to_lowercase());
    let misspelt = known
        .iter()
        .map(|known| (alike(known), *known))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, known)| known);
    misspelt.or_else(|| known.iter().copied().filter(has_part).min_by_key(|known| known.len()))
}

/// How like a word another must be to be offered in its place; 1 is the same.
const ALIKE: f64 = 0.65;

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(change: impl FnOnce(&mut Settings)) -> Vec<String> {
        let mut settings = Settings::default();
        change(&mut settings);
        settings.problems().into_iter().map(|problem| problem.field).collect()
    }

    #[test]
    fn a_misspelt_name_is_understood() {
        let mut settings = Settings { search_backends: vec!["wikipdia".into()], ..Settings::default() };
        let wrong = Wrong::MisspeltBackend { name: "wikipdia".into(), meant: "wikipedia".into() };
        assert_eq!(settings.problems(), [Problem::new("search_backends[0]", wrong)]);
        assert_eq!(nearest("effort", ["side.effort_level", "default_effort", "max_cost"].into_iter()), Some("default_effort"));
        settings.search_backends = vec!["elsewhere".into()];
        assert!(matches!(&settings.problems()[0].wrong, Wrong::UnknownBackend { service, .. } if service == "elsewhere"));
    }

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(Settings::default().problems(), []);
    }

    #[test]
    fn keys_in_the_wrong_place_are_not_shown() {
        assert_eq!(hide_keys("\"AIzaSyTESTKEY1aaaaaaaaaaa\" is not known"), "\"[key]\" is not known");
        assert_eq!(hide_keys("claude-sonnet-4-5-20250929, sk-short"), "claude-sonnet-4-5-20250929, sk-short");
        assert_eq!(
            fields(|s| {
                let mut work = Provider::new(ProviderKind::Gemini);
                work.model = Some("m".into());
                work.api_key_env = Some("AIzaSyTESTKEY1aaaaaaaaaaa".into());
                work.base_url = Some("https://e.org/?key=abc".into());
                s.providers.insert("work".into(), work);
            }),
            ["providers.work.base_url", "providers.work.api_key_env"]
        );
    }

    #[test]
    fn every_problem_names_its_field() {
        assert_eq!(fields(|s| s.max_context = 0), ["max_context"]);
        assert_eq!(fields(|s| s.auto_compact_thresh = f64::NAN), ["auto_compact_thresh"]);
        assert_eq!(fields(|s| s.auto_compact_thresh = 0.0), ["auto_compact_thresh"]);
        assert_eq!(fields(|s| s.time_target = Some(0)), ["time_target"]);
        assert_eq!(fields(|s| s.max_output_tokens = 0), ["max_output_tokens"]);
        assert_eq!(fields(|s| s.compact_target_words = 0), ["compact_target_words"]);
        assert_eq!(fields(|s| s.provider_timeout = 0), ["provider_timeout"]);
        assert_eq!(fields(|s| s.llm_max_retries = 0), ["llm_max_retries"]);
        assert_eq!(fields(|s| s.max_tokens = Some(10)), ["max_tokens"]);
        assert_eq!(fields(|s| s.max_steps = Some(MAX_STEPS + 1)), ["max_steps"]);
        assert_eq!(fields(|s| s.max_cost = Some(0.0)), ["max_cost"]);
        assert_eq!(fields(|s| s.max_cost_month = Some(-1.0)), ["max_cost_month"]);
        assert_eq!(fields(|s| s.pages_ahead = 1000), ["pages_ahead"]);
        assert_eq!(fields(|s| s.deep.parallel = 6), ["deep.parallel"]);
        assert_eq!(fields(|s| s.deep.tools = vec!["web_search".into()]), ["deep.tools[0]"]);
        assert_eq!(fields(|s| s.tokenizer_encoding = "x".into()), ["tokenizer_encoding"]);
        assert_eq!(fields(|s| s.llm_backends = vec!["work".into()]), ["llm_backends[0]"]);
        assert_eq!(fields(|s| s.search_backends.clear()), ["search_backends"]);
        assert_eq!(fields(|s| s.fetch_backends = vec!["wikipedia".into()]), ["fetch_backends[0]"]);
        assert_eq!(fields(|s| s.network.allowed_private_hosts = vec!["http://a/".into()]), ["network.allowed_private_hosts[0]"]);
        assert_eq!(
            fields(|s| {
                let mut work = Provider::new(ProviderKind::OpenaiCompatible);
                work.api_key_env = Some("sk-123".into());
                s.providers.insert("work".into(), work);
            }),
            ["providers.work.base_url", "providers.work.model", "providers.work.api_key_env"]
        );
        assert_eq!(
            fields(|s| {
                let mut searx = Provider::new(ProviderKind::Searxng);
                searx.base_url = Some("localhost:8888".into());
                s.providers.insert("searx".into(), searx);
            }),
            ["providers.searx.base_url"]
        );
    }
}
