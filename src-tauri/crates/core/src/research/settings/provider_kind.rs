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
    Postgres,
    Nvd,
    Kev,
    GithubAdvisories,
    Osv,
}

/// What is known of a kind.
struct Facts {
    /// In the settings.
    word: &'static str,
    /// Its name as the service writes it.
    label: &'static str,
    own_host: Option<&'static str>,
    /// The variable of its key, and the page on which keys are made.
    key_env: Option<&'static str>,
    key_page: Option<&'static str>,
    answers: bool,
    reads: bool,
    /// The service has one well-known address, so that its name alone is enough.
    known: bool,
}

impl ProviderKind {
    /// Every kind.
    pub const ALL: [ProviderKind; 24] = [
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
        ProviderKind::Postgres,
        ProviderKind::Nvd,
        ProviderKind::Kev,
        ProviderKind::GithubAdvisories,
        ProviderKind::Osv,
    ];

    fn facts(self) -> Facts {
        let free =
            |word, label, known| Facts { word, label, own_host: None, key_env: None, key_page: None, answers: false, reads: false, known };
        let model = |word, label| Facts { answers: true, ..free(word, label, false) };
        let keyed = |word, label, own_host, key_env, key_page| Facts {
            own_host: Some(own_host),
            key_env: Some(key_env),
            key_page: Some(key_page),
            ..free(word, label, true)
        };
        match self {
            ProviderKind::OpenaiCompatible => Facts {
                own_host: Some("api.openai.com"),
                key_env: Some("OPENAI_API_KEY"),
                key_page: Some("https://platform.openai.com/api-keys"),
                ..model("openai_compatible", "OpenAI")
            },
            ProviderKind::Anthropic => Facts {
                own_host: Some("api.anthropic.com"),
                key_env: Some("ANTHROPIC_API_KEY"),
                key_page: Some("https://console.anthropic.com/settings/keys"),
                ..model("anthropic", "Anthropic")
            },
            ProviderKind::Gemini => Facts {
                own_host: Some("generativelanguage.googleapis.com"),
                key_env: Some("GEMINI_API_KEY"),
                key_page: Some("https://aistudio.google.com/apikey"),
                ..model("gemini", "Google Gemini")
            },
            ProviderKind::Ollama => model("ollama", "Ollama"),
            ProviderKind::Searxng => free("searxng", "SearXNG", false),
            ProviderKind::Jina => {
                let page = "https://jina.ai/api-dashboard/";
                Facts { reads: true, ..keyed("jina", "Jina", "jina.ai", "JINA_API_KEY", page) }
            }
            ProviderKind::Wikipedia => free("wikipedia", "Wikipedia", true),
            ProviderKind::Duckduckgo => free("duckduckgo", "DuckDuckGo", true),
            ProviderKind::Brave => {
                let page = "https://api-dashboard.search.brave.com/app/keys";
                keyed("brave", "Brave Search", "api.search.brave.com", "BRAVE_API_KEY", page)
            }
            ProviderKind::Tavily => {
                let page = "https://app.tavily.com/home";
                Facts { reads: true, ..keyed("tavily", "Tavily", "api.tavily.com", "TAVILY_API_KEY", page) }
            }
            ProviderKind::Serper => keyed("serper", "Serper", "google.serper.dev", "SERPER_API_KEY", "https://serper.dev/api-key"),
            ProviderKind::Serpapi => keyed("serpapi", "SerpAPI", "serpapi.com", "SERPAPI_API_KEY", "https://serpapi.com/manage-api-key"),
            ProviderKind::Exa => {
                let page = "https://dashboard.exa.ai/api-keys";
                Facts { reads: true, ..keyed("exa", "Exa", "api.exa.ai", "EXA_API_KEY", page) }
            }
            ProviderKind::Firecrawl => {
                let page = "https://www.firecrawl.dev/app/api-keys";
                Facts { reads: true, ..keyed("firecrawl", "Firecrawl", "api.firecrawl.dev", "FIRECRAWL_API_KEY", page) }
            }
            ProviderKind::Linkup => {
                Facts { reads: true, ..keyed("linkup", "Linkup", "api.linkup.so", "LINKUP_API_KEY", "https://app.linkup.so/") }
            }
            ProviderKind::Perplexity => {
                let page = "https://www.perplexity.ai/settings/api";
                keyed("perplexity", "Perplexity", "api.perplexity.ai", "PERPLEXITY_API_KEY", page)
            }
            ProviderKind::Google => {
                let page = "https://console.cloud.google.com/apis/credentials";
                let label = "Google Programmable Search";
                Facts { known: false, ..keyed("google", label, "www.googleapis.com", "GOOGLE_SEARCH_API_KEY", page) }
            }
            // A key raises the daily limit and is not needed.
            ProviderKind::Stackexchange => {
                let page = "https://stackapps.com/apps/oauth/register";
                keyed("stackexchange", "Stack Exchange", "api.stackexchange.com", "STACKEXCHANGE_API_KEY", page)
            }
            ProviderKind::Json => free("json", "JSON", false),
            ProviderKind::Postgres => free("postgres", "PostgreSQL", false),
            // A key raises the limit and is not needed.
            ProviderKind::Nvd => {
                keyed("nvd", "NVD", "services.nvd.nist.gov", "NVD_API_KEY", "https://nvd.nist.gov/developers/request-an-api-key")
            }
            ProviderKind::Kev => free("kev", "CISA KEV", true),
            ProviderKind::GithubAdvisories => {
                let page = "https://github.com/settings/tokens";
                Facts { key_page: Some(page), ..free("github_advisories", "GitHub advisories", true) }
            }
            ProviderKind::Osv => free("osv", "OSV", true),
        }
    }

    /// The word in the settings.
    pub fn as_str(self) -> &'static str {
        self.facts().word
    }

    /// Its name as the service writes it.
    pub fn label(self) -> &'static str {
        self.facts().label
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
        self.facts().key_page
    }

    /// The variable that holds a key when none is named.
    pub fn default_key_env(self) -> Option<&'static str> {
        self.facts().key_env
    }
}
