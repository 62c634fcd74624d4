//! Search backends on the web. The `documents` backend lives in `nexi-engine`, beside its index.

mod custom;
mod duckduckgo;
mod free;
mod hit;
mod jina;
mod keyed;
mod locale;
mod remembering;

use std::borrow::Cow;
use std::time::Duration;

use async_trait::async_trait;
use nexi_core::ports::{Failure, Fault, Hit, Query, SearchBackend};
use nexi_core::settings::{JsonBackend, Provider, ProviderKind, SearchOptions};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::client::{ApiClient, ApiReply};
use crate::service::{Pacing, Service};
pub(crate) use jina::failure as jina_failure;
pub use remembering::CachingBackend;

/// Which service a backend speaks to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Api {
    Brave,
    DuckDuckGo,
    Exa,
    Firecrawl,
    /// With the id of the search engine.
    Google(String),
    Jina,
    /// Described in the settings.
    Json(JsonBackend),
    Linkup,
    Perplexity,
    Searxng,
    SerpApi,
    Serper,
    /// With the site, such as `stackoverflow`.
    StackExchange(String),
    Tavily,
    Wikipedia,
}

impl Api {
    /// The service of a provider; `None` where its kind finds no pages of the web.
    pub fn of(provider: &Provider) -> Option<Self> {
        Some(match provider.kind {
            ProviderKind::Brave => Api::Brave,
            ProviderKind::Duckduckgo => Api::DuckDuckGo,
            ProviderKind::Exa => Api::Exa,
            ProviderKind::Firecrawl => Api::Firecrawl,
            ProviderKind::Google => Api::Google(provider.engine_id.clone().unwrap_or_default()),
            ProviderKind::Jina => Api::Jina,
            ProviderKind::Json => Api::Json(provider.json.clone().unwrap_or_default()),
            ProviderKind::Linkup => Api::Linkup,
            ProviderKind::Perplexity => Api::Perplexity,
            ProviderKind::Searxng => Api::Searxng,
            ProviderKind::Serpapi => Api::SerpApi,
            ProviderKind::Serper => Api::Serper,
            ProviderKind::Stackexchange => Api::StackExchange(provider.site.clone().unwrap_or_else(|| "stackoverflow".into())),
            ProviderKind::Tavily => Api::Tavily,
            ProviderKind::Wikipedia => Api::Wikipedia,
            ProviderKind::OpenaiCompatible | ProviderKind::Anthropic | ProviderKind::Gemini | ProviderKind::Ollama => return None,
            ProviderKind::Nvd | ProviderKind::Kev | ProviderKind::GithubAdvisories | ProviderKind::Osv => return None,
            ProviderKind::Postgres => return None,
        })
    }

    /// The address of the service, where it has one of its own.
    pub fn address(&self, language: &str) -> String {
        match self {
            Api::Brave => "https://api.search.brave.com".into(),
            Api::DuckDuckGo => "https://html.duckduckgo.com".into(),
            Api::Exa => "https://api.exa.ai".into(),
            Api::Firecrawl => "https://api.firecrawl.dev".into(),
            Api::Google(_) => "https://www.googleapis.com".into(),
            Api::Jina => "https://s.jina.ai".into(),
            Api::Json(backend) => backend.url.clone(),
            Api::Linkup => "https://api.linkup.so".into(),
            Api::Perplexity => "https://api.perplexity.ai".into(),
            Api::Searxng => String::new(),
            Api::SerpApi => "https://serpapi.com".into(),
            Api::Serper => "https://google.serper.dev".into(),
            Api::StackExchange(_) => "https://api.stackexchange.com".into(),
            Api::Tavily => "https://api.tavily.com".into(),
            Api::Wikipedia => format!("https://{}.wikipedia.org", locale::wikipedia(language)),
        }
    }

    fn needs_key(&self) -> bool {
        if let Api::Json(backend) = self {
            let says = |text: &str| text.contains("{key}");
            return says(&backend.url) || backend.body.as_deref().is_some_and(says) || backend.headers.values().any(|value| says(value));
        }
        !matches!(self, Api::DuckDuckGo | Api::Searxng | Api::StackExchange(_) | Api::Wikipedia)
    }

    /// How much the service takes and gives at once.
    fn bounds(&self) -> Bounds {
        let plain = Bounds { chars: usize::MAX, words: usize::MAX, page: 100, pages: 1 };
        match self {
            Api::Brave => Bounds { chars: 400, words: 50, page: 20, pages: 3 },
            Api::DuckDuckGo => Bounds { chars: 499, page: 10, pages: 3, ..plain },
            Api::Google(_) => Bounds { page: 10, pages: 5, ..plain },
            Api::Jina => Bounds { page: 20, pages: 3, ..plain },
            Api::Perplexity => Bounds { page: 20, ..plain },
            Api::Searxng => Bounds { page: 10, pages: 5, ..plain },
            // Google itself gives ten, whatever is asked for.
            Api::SerpApi | Api::Serper => Bounds { page: 10, pages: 5, ..plain },
            Api::Tavily => Bounds { chars: 400, page: 20, ..plain },
            Api::Firecrawl => Bounds { chars: 500, ..plain },
            Api::Wikipedia => Bounds { chars: 300, ..plain },
            Api::Exa | Api::Json(_) | Api::Linkup | Api::StackExchange(_) => plain,
        }
    }

    /// How the service wants to be asked.
    fn pacing(&self) -> Pacing {
        match self {
            Api::Brave => Pacing::Told,
            Api::DuckDuckGo => Pacing::InTurn(DUCKDUCKGO_PAUSE),
            Api::Wikipedia => Pacing::InTurn(Duration::ZERO),
            _ => Pacing::Free,
        }
    }

    /// Whether sites are chosen in fields of the request; elsewhere the query says `site:`.
    fn has_site_fields(&self) -> bool {
        matches!(self, Api::Exa | Api::Linkup | Api::Perplexity | Api::Tavily)
    }

    fn knows_site_operator(&self) -> bool {
        !self.has_site_fields() && !matches!(self, Api::Wikipedia | Api::StackExchange(_) | Api::Json(_))
    }
}

/// Between two requests to DuckDuckGo.
const DUCKDUCKGO_PAUSE: Duration = Duration::from_millis(800);

/// How much a service takes and gives at once.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// Characters and words of a query.
    chars: usize,
    words: usize,
    /// Results of one page.
    page: u32,
    /// Pages that are asked for.
    pages: u32,
}

/// As much of a query as a service takes, cut between words.
fn cut(text: &str, bounds: Bounds) -> String {
    let mut out = String::new();
    for word in text.split_whitespace().take(bounds.words) {
        let more = usize::from(!out.is_empty()) + word.chars().count();
        if out.chars().count() + more > bounds.chars {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    // One endless word.
    if out.is_empty() { text.chars().take(bounds.chars).collect() } else { out }
}

/// What one page of results holds.
#[derive(Debug, Default)]
struct Batch {
    hits: Vec<Hit>,
    /// What the service wants to have back for its next page.
    cursor: Option<String>,
}

impl From<Vec<Hit>> for Batch {
    fn from(hits: Vec<Hit>) -> Self {
        Self { hits, cursor: None }
    }
}

/// The language of `pt-BR` without its country.
fn primary(language: &str) -> String {
    language.split('-').next().unwrap_or(language).to_ascii_lowercase()
}

/// A search backend: a service, and how it is spoken to.
pub struct WebSearch {
    api: Api,
    service: Service,
    options: SearchOptions,
}

/// What a service is asked.
struct Asked<'a> {
    /// The query, with `site:` where the service chooses sites so.
    text: String,
    query: &'a Query,
    options: &'a SearchOptions,
    key: Option<&'a str>,
    /// From 1.
    page: u32,
    /// Results wanted of this page.
    count: u32,
    /// What the page before gave along.
    cursor: Option<&'a str>,
}

/// A request in the service's own form.
struct Wire {
    path: String,
    query: Vec<(&'static str, String)>,
    headers: Vec<(Cow<'static, str>, String)>,
    bearer: bool,
    body: Body,
}

enum Body {
    /// A GET request.
    None,
    Json(Value),
    Form(Vec<(&'static str, String)>),
}

impl Wire {
    fn get(path: &str, query: Vec<(&'static str, String)>) -> Self {
        Self { path: path.into(), query, headers: Vec::new(), bearer: false, body: Body::None }
    }

    fn post(path: &str, body: Value) -> Self {
        Self { path: path.into(), query: Vec::new(), headers: Vec::new(), bearer: true, body: Body::Json(body) }
    }

    fn build(self, base: &str, client: &ApiClient, key: Option<&str>) -> reqwest::RequestBuilder {
        let url = format!("{base}{}", self.path);
        let mut request = match self.body {
            Body::None => client.get(&url),
            Body::Json(body) => client.post(&url).json(&body),
            Body::Form(form) => client.post(&url).form(&form),
        };
        if !self.query.is_empty() {
            request = request.query(&self.query);
        }
        for (name, value) in self.headers {
            request = request.header(&*name, value);
        }
        match key.filter(|_| self.bearer) {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }
}

impl WebSearch {
    /// A backend that asks this service.
    pub fn new(api: Api, mut service: Service, options: SearchOptions) -> Self {
        service.pacing = api.pacing();
        if api == Api::DuckDuckGo {
            service.first_pause = duckduckgo::FIRST_PAUSE;
            service.user_agent = Some(duckduckgo::USER_AGENT.into());
        }
        Self { api, service, options }
    }

    fn wire(&self, asked: &Asked<'_>) -> Result<Wire, Failure> {
        Ok(match &self.api {
            Api::Brave => keyed::brave(asked),
            Api::DuckDuckGo => duckduckgo::ask(asked),
            Api::Exa => keyed::exa(asked),
            Api::Firecrawl => keyed::firecrawl(asked),
            Api::Google(engine) => keyed::google(asked, engine),
            Api::Jina => jina::ask(asked),
            Api::Json(backend) => return custom::ask(backend, asked),
            Api::Linkup => keyed::linkup(asked),
            Api::Perplexity => keyed::perplexity(asked),
            Api::Searxng => free::searxng(asked),
            Api::SerpApi => keyed::serpapi(asked),
            Api::Serper => keyed::serper(asked),
            Api::StackExchange(site) => free::stackexchange(asked, site),
            Api::Tavily => keyed::tavily(asked),
            Api::Wikipedia => free::wikipedia(asked),
        })
    }

    fn understand(&self, reply: &ApiReply, asked: &Query) -> Result<Batch, Failure> {
        let name = &self.service.name;
        let hits = match &self.api {
            Api::Brave => hit::list(name, reply, &["/web/results"], keyed::BRAVE),
            Api::DuckDuckGo => return duckduckgo::understand(name, reply),
            Api::Exa => hit::list(name, reply, &["/results"], keyed::EXA),
            Api::Firecrawl => hit::list(name, reply, &["/data/web", "/data"], keyed::FIRECRAWL),
            Api::Google(_) => hit::list(name, reply, &["/items"], keyed::GOOGLE),
            Api::Jina => jina::understand(name, reply),
            Api::Json(backend) => custom::understand(name, backend, reply),
            Api::Linkup => keyed::understand_linkup(name, reply),
            Api::Perplexity => hit::list(name, reply, &["/results"], keyed::PERPLEXITY),
            Api::Searxng => free::understand_searxng(name, reply, asked),
            Api::SerpApi => keyed::understand_serpapi(name, reply),
            Api::Serper => hit::list(name, reply, &["/organic"], keyed::SERPER),
            Api::StackExchange(_) => free::understand_stackexchange(&self.service, reply),
            Api::Tavily => hit::list(name, reply, &["/results"], keyed::TAVILY),
            Api::Wikipedia => free::understand_wikipedia(&self.service, reply),
        };
        hits.map(Batch::from)
    }

    fn query_text(&self, query: &Query) -> String {
        let mut text = query.text.clone();
        if self.api.knows_site_operator() {
            let include: Vec<String> = self.options.include_sites.iter().take(8).map(|site| format!("site:{site}")).collect();
            if !include.is_empty() {
                text.push_str(&format!(" ({})", include.join(" OR ")));
            }
            // Services take a limited number of words; the chain leaves out the rest.
            for site in self.options.exclude_sites.iter().take(8) {
                text.push_str(&format!(" -site:{site}"));
            }
        }
        cut(&text, self.api.bounds())
    }
}

#[async_trait]
impl SearchBackend for WebSearch {
    fn name(&self) -> &str {
        &self.service.name
    }

    fn is_free(&self) -> bool {
        !self.api.needs_key()
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let text = self.query_text(query);
        let bounds = self.api.bounds();
        let wanted = self.options.count;
        let mut hits: Vec<Hit> = Vec::new();
        let mut cursor: Option<String> = None;
        for page in 1..=bounds.pages {
            let request = |key: Option<&str>| {
                let asked = Asked {
                    text: text.clone(),
                    query,
                    options: &self.options,
                    key,
                    page,
                    count: wanted.min(bounds.page),
                    cursor: cursor.as_deref(),
                };
                // The address of a described service is the whole of it.
                let base = if matches!(self.api, Api::Json(_)) { "" } else { self.service.base.as_str() };
                Ok(self.wire(&asked)?.build(base, &self.service.client, key))
            };
            let batch = self.service.ask(self.api.needs_key(), cancel, request, |reply| self.understand(reply, query)).await;
            let batch = match batch {
                Ok(batch) => batch,
                // What the first page brought is worth having.
                Err(failure) if !hits.is_empty() && failure.fault != Fault::Cancelled => {
                    tracing::info!(service = self.service.name, page, %failure, "no further page");
                    break;
                }
                Err(failure) => return Err(failure),
            };
            let before = hits.len();
            // A page that is not even half full is the last one.
            let is_short = (batch.hits.len() as u32) < wanted.min(bounds.page).div_ceil(2);
            for hit in batch.hits {
                if !hits.iter().any(|known| known.url == hit.url) {
                    hits.push(hit);
                }
            }
            // Nine of ten are a whole page; the tenth is not worth a second request.
            let is_enough = wanted <= bounds.page && hits.len() as u32 * 2 >= wanted;
            let is_last = is_enough || (self.api == Api::DuckDuckGo && batch.cursor.is_none());
            cursor = batch.cursor;
            if hits.len() as u32 >= wanted || hits.len() == before || is_short || is_last || cancel.is_cancelled() {
                break;
            }
        }
        Ok(hits)
    }
}
