//! What models cost and how much they can hold: one generated table, which the settings can change.
//!
//! `data/generate-models.py` writes the table from published data. Models are found by their exact
//! id at their service; there is no guessing by the beginning of a name, because variants of a model
//! cost anything between a tenth and twelve times as much.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    problem::{Problem, Wrong},
    usage::Usage,
};

/// What a million tokens cost, in US dollars; which is the same as millionths of a dollar for one.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Price {
    pub input: f64,
    pub output: f64,
    /// For tokens that the service had cached; those of `input` where it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cached: Option<f64>,
    /// For tokens that the service puts into its cache; those of `input` where it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub written: Option<f64>,
    /// What counts for the whole request when its prompt is long.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub over: Option<Tier>,
}

/// The price of requests with a long prompt.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tier {
    /// It counts for prompts longer than this.
    pub tokens: u64,
    pub input: f64,
    pub output: f64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cached: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub written: Option<f64>,
}

impl Price {
    /// A price without a cache and without tiers.
    pub const fn new(input: f64, output: f64) -> Self {
        Self { input, output, cached: None, written: None, over: None }
    }

    /// What a request with this many tokens costs, in millionths of a dollar, rounded up; none of
    /// its prompt was cached.
    pub fn cost(self, prompt: u64, completion: u64) -> u64 {
        self.cost_of(Usage::tokens(prompt, completion))
    }

    /// What a request cost, in millionths of a dollar, rounded up.
    fn cost_of(self, usage: Usage) -> u64 {
        let price = self.at(usage.prompt);
        let cached = usage.cached.min(usage.prompt);
        let written = usage.cache_written.min(usage.prompt - cached);
        let fresh = usage.prompt - cached - written;
        let cost = fresh as f64 * price.input
            + cached as f64 * price.cached.unwrap_or(price.input)
            + written as f64 * price.written.unwrap_or(price.input)
            + usage.completion as f64 * price.output;
        cost.ceil() as u64
    }

    /// The price that counts for a prompt of this length.
    pub fn at(self, prompt: u64) -> Self {
        match self.over {
            Some(tier) if prompt > tier.tokens => {
                Self { input: tier.input, output: tier.output, cached: tier.cached, written: tier.written, over: None }
            }
            _ => Self { over: None, ..self },
        }
    }

    /// The most that a token of input and one of output can cost, whatever the length of the prompt:
    /// what a limit has to be held against.
    pub fn at_most(self) -> Self {
        let long = self.over.map_or(self, |tier| self.at(tier.tokens + 1));
        let input = [self.input, long.input, self.written.unwrap_or(0.0), long.written.unwrap_or(0.0)];
        Self::new(input.into_iter().fold(0.0, f64::max), self.output.max(long.output))
    }

    /// Tokens with their cost; a cost that the service itself named stays.
    pub fn priced(self, usage: Usage) -> Usage {
        if usage.cost > 0 { usage } else { Usage { cost: self.cost_of(usage), ..usage } }
    }

    /// Tokens that were counted here and not told by the provider, with their cost.
    pub fn estimated(self, prompt: u64, completion: u64) -> Usage {
        self.priced(Usage { estimated: true, ..Usage::tokens(prompt, completion) })
    }
}

/// Millionths of a US dollar as people read them: to the cent; amounts below a cent get four decimals, and the smallest ones six.
pub fn dollars(cost: u64) -> String {
    let digits = match cost {
        1..100 => 6,
        100..10_000 => 4,
        _ => 2,
    };
    format!("${:.digits$}", cost as f64 / 1e6)
}

/// An entry of the settings' own table.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, TS, JsonSchema)]
pub struct ModelFacts {
    /// The context window, in tokens.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub context: Option<u32>,
    /// US dollars for a million tokens read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<f64>,
    /// US dollars for a million tokens written.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output: Option<f64>,
    /// US dollars for a million tokens that the service had cached.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cached: Option<f64>,
}

impl ModelFacts {
    /// The price, where both halves are known.
    pub fn price(self) -> Option<Price> {
        Some(Price { cached: self.cached, ..Price::new(self.input?, self.output?) })
    }
}

/// What is known of a model.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct KnownModel {
    /// The longest prompt, in tokens.
    #[serde(default)]
    pub context: Option<u32>,
    /// The longest reply, in tokens.
    #[serde(default)]
    pub max_output: Option<u32>,
    #[serde(flatten)]
    pub price: Option<Price>,
    /// It is asked at `/v1/responses`.
    #[serde(default)]
    pub responses: bool,
    /// It thinks before it answers.
    #[serde(default)]
    pub reasons: bool,
    /// The least it can be told to think, where that is said.
    #[serde(default)]
    pub lowest: Option<LowestEffort>,
    /// It decides itself how much to think (Anthropic).
    #[serde(default)]
    pub adaptive: bool,
    /// It cannot be told not to think (Anthropic).
    #[serde(default)]
    pub always_thinks: bool,
    /// Whether it can call tools; none where that is not said.
    #[serde(default)]
    pub tools: Option<bool>,
}

/// The smallest reasoning effort that a model takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LowestEffort {
    None,
    Minimal,
    Medium,
}

impl LowestEffort {
    /// The word that services use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Medium => "medium",
        }
    }
}

/// The generated table: by service and id, as `openai/gpt-4.1-mini`.
struct Table {
    source: String,
    date: String,
    models: BTreeMap<String, KnownModel>,
    retires: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Head {
    source: String,
    date: String,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    /// The day it is switched off, as `YYYY-MM-DD`.
    #[serde(default)]
    retires: Option<String>,
    #[serde(flatten)]
    model: KnownModel,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut lines = include_str!("../../data/models.jsonl").lines();
    let head = lines.next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or(Head { source: String::new(), date: String::new() });
    let mut table = Table { source: head.source, date: head.date, models: BTreeMap::new(), retires: BTreeMap::new() };
    for row in lines.filter_map(|line| serde_json::from_str::<Row>(line).ok()) {
        let id = row.id.to_ascii_lowercase();
        table.retires.extend(row.retires.map(|day| (id.clone(), day)));
        table.models.insert(id, row.model);
    }
    table
});

/// Where the prices come from, and the day they were taken over, as `YYYY-MM-DD`.
pub fn source() -> (&'static str, &'static str) {
    (&TABLE.source, &TABLE.date)
}

/// The day on which a model is switched off, as `YYYY-MM-DD`; none where no such day is known.
pub fn retires(service: &str, model: &str) -> Option<&'static str> {
    TABLE.retires.get(&format!("{service}/{}", model.to_ascii_lowercase())).map(String::as_str)
}

/// The ids of the models that are known of a service of [`crate::settings::vendors`].
pub fn models_of(service: &str) -> impl Iterator<Item = &'static str> {
    let prefix = format!("{service}/");
    let from = TABLE.models.range(prefix.clone()..);
    from.map_while(move |(id, _)| id.strip_prefix(&prefix))
}

/// How OpenRouter calls the makers of models, and the services that sell the same ones themselves.
const MAKERS: [(&str, &str); 9] = [
    ("openai", "openai"),
    ("anthropic", "anthropic"),
    ("google", "gemini"),
    ("deepseek", "deepseek"),
    ("mistralai", "mistral"),
    ("x-ai", "xai"),
    ("moonshotai", "moonshot"),
    ("z-ai", "zai"),
    ("qwen", "qwen"),
];

/// What the table knows of a model of this service; the id is the service's own.
pub fn known(service: &str, model: &str) -> Option<KnownModel> {
    let model = model.to_ascii_lowercase();
    let model = model.strip_prefix("models/").unwrap_or(&model);
    if service == "openrouter" {
        return routed(model);
    }
    TABLE.models.get(&format!("{service}/{model}")).copied()
}

/// A model of OpenRouter's: `anthropic/claude-sonnet-4.5` is what Anthropic calls `claude-sonnet-4-5`.
/// Variants behind a colon are other offers; `:free` costs nothing, and of the others no price is known.
fn routed(model: &str) -> Option<KnownModel> {
    let (maker, name) = model.split_once('/')?;
    let (name, variant) = name.split_once(':').map_or((name, None), |(name, variant)| (name, Some(variant)));
    let service = MAKERS.iter().find(|(routed, _)| *routed == maker.trim_start_matches('~'))?.1;
    let plain = |text: &str| text.replace('.', "-");
    let wanted = plain(name);
    let prefix = format!("{service}/");
    let found = TABLE.models.get(&format!("{service}/{name}")).copied().or_else(|| {
        let mut same = TABLE.models.range(prefix.clone()..).take_while(|(id, _)| id.starts_with(&prefix));
        same.find(|(id, _)| plain(&id[prefix.len()..]) == wanted).map(|(_, model)| *model)
    })?;
    match variant {
        None => Some(found),
        Some("free") => Some(KnownModel { price: Some(Price::default()), ..found }),
        Some(_) => Some(KnownModel { price: None, ..found }),
    }
}

/// What the settings' own table says of a model. The longest entry counts that is the id itself,
/// but for a date or a tag: who writes `gpt-4.1` into their settings means its dated snapshots, too,
/// and not `gpt-4.1-mini`. A path such as `openai/gpt-4.1` is looked up as a whole and by its last part.
pub fn own(model: &str, own: &BTreeMap<String, ModelFacts>) -> ModelFacts {
    let lower = model.to_ascii_lowercase();
    let short = lower.rsplit('/').next().unwrap_or(&lower);
    let fits = |name: &str| {
        let name = name.to_ascii_lowercase();
        lower == name || short.strip_prefix(&name).is_some_and(is_snapshot)
    };
    own.iter().filter(|(name, _)| fits(name)).max_by_key(|(name, _)| name.len()).map(|(_, facts)| *facts).unwrap_or_default()
}

/// Whether this is what stands behind a model's ID for one state of it, and not another model's name:
/// `-2025-04-14`, `-20250414`, `-0613`, `-latest`, `:free`, `@date`.
fn is_snapshot(rest: &str) -> bool {
    match rest.strip_prefix('-') {
        Some(date) => date == "latest" || (date.len() >= 3 && date.chars().all(|c| c.is_ascii_digit() || c == '-')),
        None => rest.is_empty() || rest.starts_with([':', '@']),
    }
}

/// What is wrong with the settings' table.
pub fn problems(own: &BTreeMap<String, ModelFacts>) -> Vec<Problem> {
    let mut out = Vec::new();
    for (name, facts) in own {
        for (key, value) in [("input", facts.input), ("output", facts.output), ("cached", facts.cached)] {
            if value.is_some_and(|value| !(0.0..=100_000.0).contains(&value)) {
                out.push(Problem::new(format!("models.{name}.{key}"), Wrong::Price));
            }
        }
        if facts.context.is_some_and(|tokens| tokens < 2000) {
            out.push(Problem::new(format!("models.{name}.context"), Wrong::Window));
        }
        if facts.input.is_some() != facts.output.is_some() {
            let missing = if facts.input.is_some() { "output" } else { "input" };
            out.push(Problem::new(format!("models.{name}.{missing}"), Wrong::HalfPrice));
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a test reads the published table")]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_as_many_digits_as_they_need() {
        let read = [0, 7, 99, 100, 700, 9_999, 10_000, 36_000, 12_345_678].map(dollars);
        assert_eq!(read, ["$0.00", "$0.000007", "$0.000099", "$0.0001", "$0.0007", "$0.0100", "$0.01", "$0.04", "$12.35"]);
    }

    #[test]
    fn every_line_of_the_table_is_understood() {
        let lines: Vec<&str> = include_str!("../../data/models.jsonl").lines().skip(1).collect();
        assert_eq!(TABLE.models.len(), lines.len());
        for line in lines {
            let value: serde_json::Value = serde_json::from_str(line).expect("a row of JSON");
            let id = value["id"].as_str().expect("an id");
            let model = TABLE.models[&id.to_ascii_lowercase()];
            assert_eq!(model.price.map(|price| price.input), value["input"].as_f64().filter(|_| value["output"].is_number()), "{id}");
            assert_eq!(model.context.map(u64::from), value["context"].as_u64(), "{id}");
        }
        let (source, date) = source();
        assert!(source.starts_with("litellm ") && date.len() == 10, "{source} {date}");
    }

    #[test]
    fn models_are_found_by_their_exact_id_at_their_service() {
        let input = |service: &str, model: &str| known(service, model).and_then(|known| known.price).map(|price| price.input);
        assert_eq!(input("openai", "gpt-4.1-mini"), Some(0.40));
        assert_eq!(input("openai", "gpt-4.1-mini-2025-04-14"), Some(0.40));
        assert_eq!(input("openai", "gpt-5-pro"), Some(15.0));
        assert_eq!(input("openai", "gpt-4.1-mini-of-somebody"), None, "no guess by the beginning of a name");
        assert_eq!(input("anthropic", "gpt-4.1-mini"), None);
        assert_eq!(input("gemini", "models/gemini-2.5-flash"), input("gemini", "gemini-2.5-flash"));
        assert_eq!(input("openrouter", "openai/gpt-4.1-mini"), Some(0.40));
        assert_eq!(input("openrouter", "anthropic/claude-sonnet-4.5"), input("anthropic", "claude-sonnet-4-5"));
        assert_eq!(input("openrouter", "anthropic/claude-sonnet-4.5:free"), Some(0.0));
        assert_eq!(input("openrouter", "anthropic/claude-sonnet-4.5:nitro"), None);
        assert!(known("openai", "o3-deep-research").is_some_and(|model| model.responses));
    }

    /// Against the published table, where `NEXI_PRICES` names its file: the chat models of eight
    /// families that are not retired, as the services themselves and as OpenRouter write them.
    #[test]
    fn live_models_find_the_published_price() {
        const FAMILIES: [(&str, &str); 8] = [
            ("openai", "openai"),
            ("anthropic", "anthropic"),
            ("gemini", "google"),
            ("mistral", "mistralai"),
            ("deepseek", "deepseek"),
            ("xai", "x-ai"),
            ("moonshot", "moonshotai"),
            ("zai", "z-ai"),
        ];
        let Some(file) = std::env::var_os("NEXI_PRICES") else {
            return eprintln!("SKIPPED: NEXI_PRICES names no published price table");
        };
        let text = std::fs::read_to_string(file).expect("the file that NEXI_PRICES names");
        let table: BTreeMap<String, serde_json::Value> = serde_json::from_str(&text).expect("JSON");
        let (_, today) = source();
        let (mut all, mut right, mut wrong) = (0, 0, Vec::new());
        for (family, router) in FAMILIES {
            let (mut of_family, mut right_of_family) = (0, 0);
            for (name, entry) in &table {
                let is_live = entry["deprecation_date"].as_str().is_none_or(|date| date > today);
                let is_chat = matches!(entry["mode"].as_str(), Some("chat" | "responses"));
                let (Some(input), Some(output)) = (entry["input_cost_per_token"].as_f64(), entry["output_cost_per_token"].as_f64()) else {
                    continue;
                };
                if entry["litellm_provider"] != family || !is_live || !is_chat || name.starts_with("ft:") {
                    continue;
                }
                let id = name.strip_prefix(&format!("{family}/")).unwrap_or(name);
                // OpenRouter writes versions with a dot and leaves dates out.
                let routed = format!("{router}/{}", dotted(id));
                for (service, id) in [(family, id), ("openrouter", routed.as_str())] {
                    let published = [input, output].map(|dollars| (dollars * 1e12).round() / 1e6);
                    of_family += 1;
                    match known(service, id).and_then(|known| known.price) {
                        Some(price) if [price.input, price.output] == published => right_of_family += 1,
                        found => {
                            wrong.push(format!("{service} {id}: {:?} is {published:?}", found.map(|price| (price.input, price.output))));
                        }
                    }
                }
            }
            println!("{family}: {right_of_family} of {of_family}");
            all += of_family;
            right += right_of_family;
        }
        println!("prices: {right} of {all} ids; wrong or unknown: {wrong:#?}");
        assert!(all > 200 && right * 100 >= all * 95, "{right} of {all}");
    }

    /// `claude-sonnet-4-5` as `claude-sonnet-4.5`.
    fn dotted(id: &str) -> String {
        let short = |part: &str| part.len() <= 2 && part.chars().all(|c| c.is_ascii_digit());
        let parts: Vec<&str> = id.split('-').collect();
        let mut out = parts[0].to_owned();
        for pair in parts.windows(2) {
            out.push(if id.starts_with("claude") && short(pair[0]) && short(pair[1]) { '.' } else { '-' });
            out.push_str(pair[1]);
        }
        out
    }

    #[test]
    fn the_settings_own_table_counts_for_snapshots_too() {
        let table = BTreeMap::from([("gpt-4o".to_owned(), ModelFacts { input: Some(9.0), output: Some(9.0), ..ModelFacts::default() })]);
        assert_eq!(own("gpt-4o-2024-11-20", &table).input, Some(9.0));
        assert_eq!(own("openai/gpt-4o", &table).input, Some(9.0));
        assert_eq!(own("gpt-4ox", &table), ModelFacts::default());
    }

    #[test]
    fn costs_are_rounded_up_and_know_caches_and_tiers() {
        let price = Price::new(0.15, 0.60);
        assert_eq!((price.cost(1, 0), price.cost(1_000_000, 1_000_000)), (1, 750_000));
        let price = Price {
            cached: Some(0.1),
            written: Some(1.25),
            over: Some(Tier { tokens: 1000, input: 2.0, output: 8.0, cached: Some(0.2), written: None }),
            ..Price::new(1.0, 4.0)
        };
        let usage = |prompt, cached, cache_written| Usage { cached, cache_written, ..Usage::tokens(prompt, 10) };
        assert_eq!(price.priced(usage(1000, 500, 100)).cost, 400 + 50 + 125 + 40);
        assert_eq!(price.priced(usage(2000, 1000, 0)).cost, 2000 + 200 + 80);
        assert_eq!(price.at_most(), Price::new(2.0, 8.0));
        assert_eq!(price.priced(Usage { cost: 7, ..usage(1000, 0, 0) }).cost, 7, "the service's own word counts");
    }
}
