//! Search backends on the web. The `documents` backend lives in `nexi-engine`, beside its index.

mod custom;
mod duckduckgo;
mod free;
mod hit;
mod jina;
mod keyed;
mod remembering;

use std::borrow::Cow;

use async_trait::async_trait;
use nexi_core::ports::{Failure, Hit, Query, SearchBackend};
use nexi_core::settings::{JsonBackend, SearchOptions};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::client::{ApiClient, ApiReply};
use crate::service::Service;
pub(crate) use jina::failure as jina_failure;
pub use remembering::Remembering;

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
            Api::Wikipedia => format!("https://{}.wikipedia.org", primary(language)),
        }
    }

    fn needs_key(&self) -> bool {
        if let Api::Json(backend) = self {
            let says = |text: &str| text.contains("{key}");
            return says(&backend.url) || backend.body.as_deref().is_some_and(says) || backend.headers.values().any(|value| says(value));
        }
        !matches!(self, Api::DuckDuckGo | Api::Searxng | Api::StackExchange(_) | Api::Wikipedia)
    }

    /// Whether sites are chosen in fields of the request; elsewhere the query says `site:`.
    fn has_site_fields(&self) -> bool {
        matches!(self, Api::Exa | Api::Linkup | Api::Perplexity | Api::Tavily)
    }

    fn knows_site_operator(&self) -> bool {
        !self.has_site_fields() && !matches!(self, Api::Wikipedia | Api::StackExchange(_) | Api::Json(_))
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
        if api == Api::DuckDuckGo {
            service.first_pause = duckduckgo::FIRST_PAUSE;
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

    fn understand(&self, reply: &ApiReply) -> Result<Vec<Hit>, Failure> {
        let name = &self.service.name;
        match &self.api {
            Api::Brave => hit::list(name, reply, &["/web/results"], keyed::BRAVE),
            Api::DuckDuckGo => duckduckgo::understand(name, reply),
            Api::Exa => hit::list(name, reply, &["/results"], keyed::EXA),
            Api::Firecrawl => hit::list(name, reply, &["/data/web", "/data"], keyed::FIRECRAWL),
            Api::Google(_) => hit::list(name, reply, &["/items"], keyed::GOOGLE),
            Api::Jina => jina::understand(name, reply),
            Api::Json(backend) => custom::understand(name, backend, reply),
            Api::Linkup => hit::list(name, reply, &["/results"], keyed::LINKUP),
            Api::Perplexity => hit::list(name, reply, &["/results"], keyed::PERPLEXITY),
            Api::Searxng => free::understand_searxng(name, reply),
            Api::SerpApi => hit::list(name, reply, &["/organic_results"], keyed::SERPAPI),
            Api::Serper => hit::list(name, reply, &["/organic"], keyed::SERPER),
            Api::StackExchange(_) => free::understand_stackexchange(&self.service, reply),
            Api::Tavily => hit::list(name, reply, &["/results"], keyed::TAVILY),
            Api::Wikipedia => free::understand_wikipedia(&self.service, reply),
        }
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
        text
    }
}

#[async_trait]
impl SearchBackend for WebSearch {
    fn name(&self) -> &str {
        &self.service.name
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let text = self.query_text(query);
        let request = |key: Option<&str>| {
            let asked = Asked { text: text.clone(), query, options: &self.options, key };
            // The address of a described service is the whole of it.
            let base = if matches!(self.api, Api::Json(_)) { "" } else { self.service.base.as_str() };
            Ok(self.wire(&asked)?.build(base, &self.service.client, key))
        };
        self.service.ask(self.api.needs_key(), cancel, request, |reply| self.understand(reply)).await
    }
}
