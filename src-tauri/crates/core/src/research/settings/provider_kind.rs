//! The kinds of services that Nexi can speak to, and what is known of each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What kind of service a provider is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    OpenaiCompatible,
    Anthropic,
    Gemini,
    Ollama,
    Searxng,
    Jina,
    Wikipedia,
    Duckduckgo,
    Brave,
    Tavily,
    Serper,
    Serpapi,
    Exa,
    Firecrawl,
    Linkup,
    Perplexity,
    Google,
    Stackexchange,
    Json,
    Nvd,
    Kev,
    GithubAdvisories,
    Osv,
}

/// What is known of a kind: word, own host, variable of its key, and what it can do.
struct Facts {
    word: &'static str,
    own_host: Option<&'static str>,
    key_env: Option<&'static str>,
    answers: bool,
    reads: bool,
    /// The service has one well-known address, so that its name alone is enough.
    known: bool,
}

impl ProviderKind {
    /// Every kind.
    pub const ALL: [ProviderKind; 23] = [
        ProviderKind::OpenaiCompatible,
        ProviderKind::Anthropic,
        ProviderKind::Gemini,
        ProviderKind::Ollama,
        ProviderKind::Searxng,
        ProviderKind::Jina,
        ProviderKind::Wikipedia,
        ProviderKind::Duckduckgo,
        ProviderKind::Brave,
        ProviderKind::Tavily,
        ProviderKind::Serper,
        ProviderKind::Serpapi,
        ProviderKind::Exa,
        ProviderKind::Firecrawl,
        ProviderKind::Linkup,
        ProviderKind::Perplexity,
        ProviderKind::Google,
        ProviderKind::Stackexchange,
        ProviderKind::Json,
        ProviderKind::Nvd,
        ProviderKind::Kev,
        ProviderKind::GithubAdvisories,
        ProviderKind::Osv,
    ];

    fn facts(self) -> Facts {
        let model = |word, own_host, key_env| Facts { word, own_host, key_env, answers: true, reads: false, known: false };
        let keyed = |word, own_host, key_env| Facts {
            word,
            own_host: Some(own_host),
            key_env: Some(key_env),
            answers: false,
            reads: false,
            known: true,
        };
        let reader = |word, own_host, key_env| Facts { reads: true, ..keyed(word, own_host, key_env) };
        let free = |word, known| Facts { word, own_host: None, key_env: None, answers: false, reads: false, known };
        match self {
            ProviderKind::OpenaiCompatible => model("openai_compatible", Some("api.openai.com"), Some("OPENAI_API_KEY")),
            ProviderKind::Anthropic => model("anthropic", Some("api.anthropic.com"), Some("ANTHROPIC_API_KEY")),
            ProviderKind::Gemini => model("gemini", Some("generativelanguage.googleapis.com"), Some("GEMINI_API_KEY")),
            ProviderKind::Ollama => model("ollama", None, None),
            ProviderKind::Searxng => free("searxng", false),
            ProviderKind::Jina => reader("jina", "jina.ai", "JINA_API_KEY"),
            ProviderKind::Wikipedia => free("wikipedia", true),
            ProviderKind::Duckduckgo => free("duckduckgo", true),
            ProviderKind::Brave => keyed("brave", "api.search.brave.com", "BRAVE_API_KEY"),
            ProviderKind::Tavily => reader("tavily", "api.tavily.com", "TAVILY_API_KEY"),
            ProviderKind::Serper => keyed("serper", "google.serper.dev", "SERPER_API_KEY"),
            ProviderKind::Serpapi => keyed("serpapi", "serpapi.com", "SERPAPI_API_KEY"),
            ProviderKind::Exa => reader("exa", "api.exa.ai", "EXA_API_KEY"),
            ProviderKind::Firecrawl => reader("firecrawl", "api.firecrawl.dev", "FIRECRAWL_API_KEY"),
            ProviderKind::Linkup => reader("linkup", "api.linkup.so", "LINKUP_API_KEY"),
            ProviderKind::Perplexity => keyed("perplexity", "api.perplexity.ai", "PERPLEXITY_API_KEY"),
            ProviderKind::Google => Facts { known: false, ..keyed("google", "www.googleapis.com", "GOOGLE_SEARCH_API_KEY") },
            // A key raises the daily limit and is not needed.
            ProviderKind::Stackexchange => keyed("stackexchange", "api.stackexchange.com", "STACKEXCHANGE_API_KEY"),
            ProviderKind::Json => free("json", false),
            // A key raises the limit and is not needed.
            ProviderKind::Nvd => keyed("nvd", "services.nvd.nist.gov", "NVD_API_KEY"),
            ProviderKind::Kev => free("kev", true),
            ProviderKind::GithubAdvisories => free("github_advisories", true),
            ProviderKind::Osv => free("osv", true),
        }
    }

    /// The word in the settings.
    pub fn as_str(self) -> &'static str {
        self.facts().word
    }

    /// Reads what [`ProviderKind::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Whether it is a model.
    pub fn answers(self) -> bool {
        self.facts().answers
    }

    /// Whether it finds pages.
    pub fn finds(self) -> bool {
        !self.answers() && !self.warns()
    }

    /// Whether it is still offered in setup: Google's Programmable Search takes no new customers.
    pub fn is_offered(self) -> bool {
        self != ProviderKind::Google
    }

    /// Whether it is a database of vulnerabilities, which only the tool `security_search` asks.
    pub fn warns(self) -> bool {
        matches!(self, ProviderKind::Nvd | ProviderKind::Kev | ProviderKind::GithubAdvisories | ProviderKind::Osv)
    }

    /// Whether it reads pages.
    pub fn reads(self) -> bool {
        self.facts().reads
    }

    /// Whether the name alone is enough, because the service has one well-known address.
    pub fn needs_no_table(self) -> bool {
        self.facts().known
    }

    /// The address of models that have one of their own.
    pub fn default_base_url(self) -> Option<&'static str> {
        match self {
            ProviderKind::Anthropic => Some("https://api.anthropic.com"),
            ProviderKind::Gemini => Some("https://generativelanguage.googleapis.com"),
            ProviderKind::Ollama => Some("http://localhost:11434"),
            _ => None,
        }
    }

    /// Whether the default variable's key belongs to this host: the service's own, and none below it
    /// but the two that Jina has for searching and reading.
    pub fn owns(self, host: &str) -> bool {
        match self {
            ProviderKind::Jina => matches!(host, "jina.ai" | "api.jina.ai" | "s.jina.ai" | "r.jina.ai"),
            _ => self.own_host().is_some_and(|own| own == host),
        }
    }

    /// The host that the default variable's key belongs to.
    pub fn own_host(self) -> Option<&'static str> {
        self.facts().own_host
    }

    /// The page on which its keys are made.
    pub fn key_page(self) -> Option<&'static str> {
        Some(match self {
            ProviderKind::OpenaiCompatible => "https://platform.openai.com/api-keys",
            ProviderKind::Anthropic => "https://console.anthropic.com/settings/keys",
            ProviderKind::Gemini => "https://aistudio.google.com/apikey",
            ProviderKind::Jina => "https://jina.ai/api-dashboard/",
            ProviderKind::Brave => "https://api-dashboard.search.brave.com/app/keys",
            ProviderKind::Tavily => "https://app.tavily.com/home",
            ProviderKind::Serper => "https://serper.dev/api-key",
            ProviderKind::Serpapi => "https://serpapi.com/manage-api-key",
            ProviderKind::Exa => "https://dashboard.exa.ai/api-keys",
            ProviderKind::Firecrawl => "https://www.firecrawl.dev/app/api-keys",
            ProviderKind::Linkup => "https://app.linkup.so/",
            ProviderKind::Perplexity => "https://www.perplexity.ai/settings/api",
            ProviderKind::Google => "https://console.cloud.google.com/apis/credentials",
            ProviderKind::Stackexchange => "https://stackapps.com/apps/oauth/register",
            ProviderKind::Nvd => "https://nvd.nist.gov/developers/request-an-api-key",
            ProviderKind::GithubAdvisories => "https://github.com/settings/tokens",
            ProviderKind::Ollama
            | ProviderKind::Searxng
            | ProviderKind::Wikipedia
            | ProviderKind::Duckduckgo
            | ProviderKind::Json
            | ProviderKind::Kev
            | ProviderKind::Osv => return None,
        })
    }

    /// The variable that holds a key when none is named.
    pub fn default_key_env(self) -> Option<&'static str> {
        self.facts().key_env
    }
}
