//! Providers: services that answer, find or read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{JsonBackend, Problem, ProviderKind, Vendor, Wrong, search::is_code};
use crate::model::Thinking;

/// A service that answers, finds or reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Provider {
    /// What kind of service it is.
    #[serde(rename = "type")]
    pub kind: ProviderKind,
    /// Its address; for models, the one that most often ends in `/v1`.
    pub base_url: Option<String>,
    /// Jina's search address.
    pub search_url: Option<String>,
    /// Jina's reader address.
    pub reader_url: Option<String>,
    /// The ID of the model.
    pub model: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// Variables that hold further keys of the same service.
    #[serde(default)]
    pub more_key_envs: Vec<String>,
    /// In which order several keys are used.
    #[serde(default)]
    pub key_strategy: KeyStrategy,
    /// Requests a minute that are made at most.
    #[schemars(range(min = 1))]
    pub requests_per_minute: Option<u32>,
    /// False for models that have no tool calling: they are driven by JSON in their text.
    pub tools: Option<bool>,
    /// The language of results, such as `en`.
    pub language: Option<String>,
    /// Google's id of the search engine (`cx`).
    pub engine_id: Option<String>,
    /// Stack Exchange's site, such as `stackoverflow`.
    pub site: Option<String>,
    /// The description of a `json` backend.
    pub json: Option<JsonBackend>,
    /// Whether SearXNG is run by Nexi itself, in a container.
    #[serde(default)]
    pub managed: bool,
    /// The service that it is treated as, where its address does not tell: most often because a gateway stands in front
    /// of it. It says nothing of whose key is sent.
    pub preset: Option<String>,
    /// Which of the two OpenAI wire formats is spoken.
    #[serde(default)]
    pub api: ChatWire,
    /// How much the model reasons, in place of the setting for all.
    pub thinking: Option<Thinking>,
    /// Whom Wikipedia may contact about our requests: an address of mail or of a page.
    pub contact: Option<String>,
    /// The container image of a managed SearXNG.
    pub image: Option<String>,
    /// Memory that a managed SearXNG may use, in MiB.
    #[schemars(range(min = 128))]
    pub memory_mib: Option<u32>,
    /// A file of SearXNG's own settings, laid over ours.
    pub settings_file: Option<String>,
}

/// Which of OpenAI's wire formats a service is spoken to in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChatWire {
    /// Whichever the model wants.
    #[default]
    Auto,
    /// `/chat/completions`.
    Chat,
    /// `/responses`.
    Responses,
}

/// In which order several keys of one provider are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyStrategy {
    /// The first, until it is refused or limited.
    #[default]
    Fallback,
    /// Each request begins with the next one.
    RoundRobin,
}

impl KeyStrategy {
    /// The order in which a request tries `count` keys, if `turn` requests were made before.
    pub fn order(self, count: usize, turn: usize) -> Vec<usize> {
        let first = match self {
            KeyStrategy::Fallback => 0,
            KeyStrategy::RoundRobin => turn % count.max(1),
        };
        (0..count).map(|place| (first + place) % count).collect()
    }
}

impl Vendor {
    /// A provider with this preset.
    pub fn provider(&self) -> Provider {
        let mut provider = Provider::new(self.kind);
        let own = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        provider.base_url = own(self.base_url);
        provider.model = own(self.model);
        provider
    }
}

impl Provider {
    /// A provider of this kind with nothing else set.
    pub fn new(kind: ProviderKind) -> Self {
        Self {
            kind,
            base_url: None,
            search_url: None,
            reader_url: None,
            model: None,
            api_key_env: None,
            more_key_envs: Vec::new(),
            key_strategy: KeyStrategy::default(),
            requests_per_minute: None,
            tools: None,
            language: None,
            engine_id: None,
            site: None,
            json: None,
            managed: false,
            preset: None,
            api: ChatWire::Auto,
            thinking: None,
            contact: None,
            image: None,
            memory_mib: None,
            settings_file: None,
        }
    }

    /// The service whose ways and prices it has: the one that is named, or that of its address.
    pub fn vendor(&self) -> Option<&'static Vendor> {
        self.preset.as_deref().and_then(Vendor::by_id).or_else(|| self.service())
    }

    /// The service at its very address.
    fn service(&self) -> Option<&'static Vendor> {
        if self.kind.answers() { Vendor::by_address(self.address()) } else { None }
    }

    /// Whether what is sent to it, its key included, can be read on the way: it is on another computer, and the address
    /// is not encrypted.
    pub fn is_open(&self) -> bool {
        let described = self.json.as_ref().map(|json| json.url.as_str());
        let addresses = [Some(self.address()), self.search_url.as_deref(), self.base_url.as_deref(), self.reader_url.as_deref(), described];
        addresses
            .into_iter()
            .flatten()
            .filter_map(|address| url::Url::parse(address).ok())
            .any(|url| url.scheme() == "http" && !url.host_str().is_some_and(super::vendors::is_loopback))
    }

    /// Whether it runs on this computer.
    pub fn is_local(&self) -> bool {
        url::Url::parse(self.address()).is_ok_and(|url| url.host_str().is_some_and(super::vendors::is_loopback))
    }

    /// The variable that its key comes from when none is named. It is read only for the very host
    /// that the key belongs to.
    pub fn own_key_env(&self) -> Option<&'static str> {
        if self.kind.answers() {
            return self.service().map(|vendor| vendor.key_env).filter(|name| !name.is_empty());
        }
        let addresses = [&self.search_url, &self.base_url, &self.reader_url];
        let is_own = |address: &str| {
            url::Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned)).is_some_and(|host| self.kind.owns(&host))
        };
        self.kind.default_key_env().filter(|_| addresses.into_iter().flatten().all(|address| is_own(address)))
    }

    /// The address to use: the one that is set, or the service's own.
    pub fn address(&self) -> &str {
        self.base_url.as_deref().or(self.kind.default_base_url()).unwrap_or_default()
    }

    /// Adds everything that is wrong with it, under its name in the settings.
    pub(super) fn check(&self, name: &str, out: &mut Vec<Problem>) {
        let place = |field: &str| format!("providers.{name}.{field}");
        // A database has an address of another kind.
        let base_url = self.base_url.clone().filter(|_| self.kind != ProviderKind::Postgres);
        for (field, value) in [("base_url", &base_url), ("search_url", &self.search_url), ("reader_url", &self.reader_url)] {
            if let Some(value) = value
                && let Err(wrong) = check_url(value)
            {
                out.push(Problem::new(place(field), wrong));
            }
        }
        match self.kind {
            ProviderKind::OpenaiCompatible => {
                if self.base_url.is_none() {
                    out.push(Problem::new(place("base_url"), Wrong::NoServiceAddress));
                }
                self.check_model(name, "gpt-6-luna", out);
            }
            ProviderKind::Anthropic => self.check_model(name, "claude-haiku-5-5", out),
            ProviderKind::Gemini => self.check_model(name, "gemini-3.8-flash", out),
            ProviderKind::Ollama => self.check_model(name, "qwen3:8b", out),
            ProviderKind::Searxng if self.base_url.is_none() && !self.managed => {
                out.push(Problem::new(place("base_url"), Wrong::NoInstance));
            }
            ProviderKind::Google if self.engine_id.as_deref().is_none_or(|id| id.trim().is_empty()) => {
                out.push(Problem::new(place("engine_id"), Wrong::NoEngineId));
            }
            ProviderKind::Postgres => {
                if let Err(wrong) = check_database(self.address()) {
                    out.push(Problem::new(place("base_url"), wrong));
                }
            }
            ProviderKind::Json => match &self.json {
                Some(json) => json.check(&place("json"), out),
                None => out.push(Problem::new(place("json"), Wrong::NoDescribedBackend)),
            },
            _ => {}
        }
        if self.managed && self.kind != ProviderKind::Searxng {
            out.push(Problem::new(place("managed"), Wrong::SearxngOnly));
        }
        let variables = self
            .api_key_env
            .iter()
            .map(|variable| ("api_key_env".to_owned(), variable))
            .chain(self.more_key_envs.iter().enumerate().map(|(index, variable)| (format!("more_key_envs[{index}]"), variable)));
        for (field, variable) in variables {
            if variable.is_empty()
                || super::looks_like_key(variable)
                || !variable.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            {
                out.push(Problem::new(place(&field), Wrong::VariableOrKey));
            }
        }
        for (field, value) in
            [("image", self.image.is_some()), ("memory_mib", self.memory_mib.is_some()), ("settings_file", self.settings_file.is_some())]
        {
            if value && !self.managed {
                out.push(Problem::new(place(field), Wrong::ManagedOnly));
            }
        }
        if self.image.as_deref().is_some_and(|image| !is_image(image.trim())) {
            out.push(Problem::new(place("image"), Wrong::Image));
        }
        if let Some(preset) = self.preset.as_deref().filter(|id| Vendor::by_id(id).is_none_or(|vendor| vendor.kind != self.kind)) {
            let known: Vec<&str> = super::VENDORS.iter().filter(|vendor| vendor.kind == self.kind).map(|vendor| vendor.id).collect();
            out.push(Problem::new(place("preset"), Wrong::Preset { name: preset.to_owned(), known: known.join(", ") }));
        }
        // A described service gets the value as it is, in whatever form it expects.
        if let Some(language) = &self.language
            && self.kind != ProviderKind::Json
            && !is_code(language)
        {
            out.push(Problem::new(place("language"), Wrong::LanguageCode));
        }
    }
}

impl Provider {
    fn check_model(&self, name: &str, example: &str, out: &mut Vec<Problem>) {
        if self.model.as_deref().is_none_or(|model| model.trim().is_empty()) {
            out.push(Problem::new(format!("providers.{name}.model"), Wrong::NoModel { example: example.to_owned() }));
        }
    }
}

fn check_url(value: &str) -> Result<(), Wrong> {
    let url = url::Url::parse(value).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => Wrong::NoAddress { value: value.to_owned() },
        error => Wrong::BrokenAddress { message: error.to_string() },
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Wrong::Scheme { scheme: url.scheme().to_owned() });
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Wrong::PasswordInServiceAddress);
    }
    if url.query().is_some() {
        return Err(Wrong::QueryInServiceAddress);
    }
    Ok(())
}

fn check_database(value: &str) -> Result<(), Wrong> {
    let url = url::Url::parse(value).map_err(|_| Wrong::DatabaseAddress)?;
    if url.password().is_some() {
        return Err(Wrong::PasswordInDatabaseAddress);
    }
    let is_complete = url.host_str().is_some_and(|host| !host.is_empty()) && !url.username().is_empty() && url.path().len() > 1;
    if matches!(url.scheme(), "postgres" | "postgresql") && is_complete { Ok(()) } else { Err(Wrong::DatabaseAddress) }
}

/// Nothing that Docker and Podman would take for an option or for several arguments.
fn is_image(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'/' | b':' | b'@'))
}
