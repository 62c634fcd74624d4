//! From settings to working parts: the one place that knows which adapter stands behind a name.

mod embedder;
mod learned;
mod models;
mod service_keys;
mod unusable;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, atomic::AtomicBool};
use std::time::Duration;

use nexi_core::{
    model::Model,
    ports::{ApproximateTokens, Embedder, Failure, PageCache, Reader, SearchBackend, SearchTool, TokenCounter},
    settings::{DOCUMENTS, Provider, ProviderKind, Proxy, Route, Settings, SideTask},
};
use nexi_llm::envelope::Tag;
use nexi_llm::tokens::Encoding;
use nexi_messages::say;
use nexi_store::{CachedPages, DocumentIndex, paths::expand_home};
use nexi_web::{
    Guard, ReaderChain, SearchChain, Service,
    client::{ApiClient, PageClient},
    read::{BuiltinReader, ReaderApi, ReaderService},
    search::{Api, CachingBackend, WebSearch},
    security::{Feed, SecuritySearch},
};
use secrecy::SecretString;

use crate::{
    EngineError,
    corpus::{Corpus, SharedCorpus},
    database::{DatabaseKind, SharedDatabase},
    documents::{DocumentReader, DocumentSearch, Grep, Rules},
    earlier::PastResearch,
    searxng::{Container, ContainerSearch},
    toolbox::Toolbox,
};
pub(crate) use embedder::{building, corpus_meaning, local_embedder, model as embedder, model_folder};
use learned::LearnedFile;
use service_keys::{all_keys, key};
pub(crate) use service_keys::{check_key, check_password, variable};
use unusable::Unusable;

/// What outlives single runs.
pub(crate) struct SharedState {
    /// The data folder.
    data: PathBuf,
    /// At the models' services.
    pub models: Arc<nexi_llm::Registry>,
    /// At search and reader services.
    pub web: nexi_web::Registry,
    /// Pages that were read before; none where it cannot be opened.
    pages: OnceLock<Option<Arc<CachedPages>>>,
    /// The SearXNG that is started where the user wants that.
    container: OnceLock<Result<Arc<Container>, Failure>>,
    /// The embedding model that was used last, with its folder.
    embedder: Mutex<Option<(PathBuf, Arc<dyn Embedder>)>>,
}

impl SharedState {
    pub(crate) fn new(data: PathBuf) -> Self {
        let models = Arc::new(nexi_llm::Registry::default());
        models.keep_in(Box::new(LearnedFile::in_folder(&data)));
        Self { data, models, web: Default::default(), pages: OnceLock::new(), container: OnceLock::new(), embedder: Mutex::default() }
    }

    fn container(&self) -> Result<Arc<Container>, EngineError> {
        Ok(self.container.get_or_init(|| Container::new(&self.data)).clone()?)
    }

    /// The cache of pages, opened when it is first needed.
    pub(crate) fn pages(&self, settings: &Settings, path: &Path) -> Option<Arc<CachedPages>> {
        let open = || match CachedPages::open(path, settings.cache.max_mib) {
            Ok(pages) => Some(Arc::new(pages)),
            Err(error) => {
                tracing::warn!(%error, "pages are not kept");
                None
            }
        };
        if !settings.cache.enabled {
            return None;
        }
        let pages = self.pages.get_or_init(open).clone()?;
        pages.set_limit(settings.cache.max_mib);
        Some(pages)
    }
}

/// The model for side tasks.
#[derive(Clone)]
pub(crate) struct Side {
    pub model: Arc<dyn Model>,
    pub tasks: Vec<SideTask>,
    /// It has failed in this run; nobody waits for it again.
    pub failed: Arc<AtomicBool>,
}

/// What a run works with.
#[derive(Clone)]
pub(crate) struct RunDeps {
    pub model: Arc<dyn Model>,
    /// What the envelopes of text from outside are tagged with, once the run is known.
    pub tag: Tag,
    /// Who is asked for requests beside the conversation.
    pub side: Option<Side>,
    pub search: SearchChain,
    pub readers: ReaderChain,
    /// Tools of the person's own.
    pub toolbox: Toolbox,
    /// What researchers of deep runs may search with besides.
    pub tools: HashMap<SearchTool, Arc<dyn SearchBackend>>,
    pub counter: Arc<dyn TokenCounter>,
    /// Its name; empty for an approximation.
    pub encoding: String,
    /// Whether the first model that can be used is an AI.
    pub assisted: bool,
    /// The smaller of the settings' context window and its own, in tokens.
    pub context: u32,
}

/// Builds everything a run needs. Blocks while keys are looked up.
pub(crate) fn build(
    settings: &Settings,
    index: &Arc<DocumentIndex>,
    roots: &[PathBuf],
    files: &[PathBuf],
    past: Option<PastResearch>,
    shared_state: &SharedState,
    pages: &Path,
) -> Result<RunDeps, EngineError> {
    let builder = DepsBuilder { past, ..DepsBuilder::new(settings, shared_state, None)? };
    let models = models::build(settings, builder.route()?, &shared_state.models)?;
    let encoding = if models.any_ai { settings.tokenizer_encoding.clone() } else { String::new() };
    Ok(RunDeps {
        model: models.chain,
        tag: models.tag,
        side: models.side.map(|model| Side { model, tasks: settings.side_tasks.clone(), failed: Arc::default() }),
        search: builder.search(index, roots)?,
        readers: builder.readers(index, roots, files, pages)?,
        toolbox: Toolbox::default(),
        tools: builder.tools(index, roots),
        counter: counter(&encoding),
        encoding,
        assisted: models.assisted,
        context: models.context,
    })
}

/// The search backends of the settings, in their order. Blocks while keys are looked up.
pub(crate) fn search(
    settings: &Settings,
    index: &Arc<DocumentIndex>,
    roots: &[PathBuf],
    shared_state: &SharedState,
) -> Result<SearchChain, EngineError> {
    DepsBuilder::new(settings, shared_state, None)?.search(index, roots)
}

/// The search of documents alone, passage by passage.
///
/// # Errors
/// When the network of the settings cannot be used.
pub(crate) fn documents(
    settings: &Settings,
    index: &Arc<DocumentIndex>,
    roots: &[PathBuf],
    shared_state: &SharedState,
) -> Result<DocumentSearch, EngineError> {
    Ok(DepsBuilder::new(settings, shared_state, None)?.documents(index, roots))
}

/// The readers of the settings behind the one of documents. Blocks while keys are looked up.
pub(crate) fn readers(
    settings: &Settings,
    index: &Arc<DocumentIndex>,
    roots: &[PathBuf],
    shared_state: &SharedState,
    pages: &Path,
) -> Result<ReaderChain, EngineError> {
    DepsBuilder::new(settings, shared_state, None)?.readers(index, roots, &[], pages)
}

/// The way out, with the certificates of the settings.
///
/// # Errors
/// When the settings of the network cannot be understood, or a certificate cannot be read.
pub(crate) fn route(settings: &Settings) -> Result<Route, EngineError> {
    if settings.network.is_unclear {
        return Err(unclear());
    }
    let mut roots = Vec::new();
    for (index, path) in settings.network.root_certificates.iter().enumerate() {
        let pem = std::fs::read(expand_home(path)).map_err(|error| {
            EngineError::invalid(
                format!("network.root_certificates[{index}]"),
                say!("arguments-unreadable", path = path, why = error.to_string()),
            )
        })?;
        roots.push(pem);
    }
    Ok(Route { proxy: Proxy::parse(&settings.network.proxy), roots })
}

fn unclear() -> EngineError {
    EngineError::invalid("network", say!("arguments-network-unclear"))
}

/// What backends and readers are made from.
struct DepsBuilder<'a> {
    settings: &'a Settings,
    shared_state: &'a SharedState,
    /// None where the settings of the network cannot be understood: what sends nothing works all the same.
    route: Option<Route>,
    /// A key to be tried in place of the one that is kept.
    draft: Option<SecretString>,
    /// Which documents are looked at.
    rules: Rules,
    /// Past research, where a run may see it.
    past: Option<PastResearch>,
    /// Corpora that were set up, so that searches and readers share a connection.
    corpora: RefCell<HashMap<String, Corpus>>,
}

impl<'a> DepsBuilder<'a> {
    /// Reads the certificates of the settings.
    fn new(settings: &'a Settings, shared_state: &'a SharedState, draft: Option<SecretString>) -> Result<Self, EngineError> {
        let route = if settings.network.is_unclear { None } else { Some(route(settings)?) };
        Ok(Self { settings, shared_state, route, draft, rules: Rules::of(settings).0, past: None, corpora: RefCell::default() })
    }

    fn route(&self) -> Result<&Route, EngineError> {
        self.route.as_ref().ok_or_else(unclear)
    }

    fn search(&self, index: &Arc<DocumentIndex>, roots: &[PathBuf]) -> Result<SearchChain, EngineError> {
        let mut backends: Vec<Arc<dyn SearchBackend>> = Vec::new();
        for name in &self.settings.search_backends {
            backends.push(match name.as_str() {
                DOCUMENTS => Arc::new(self.documents(index, roots)),
                _ => match self.search_backend(name, roots) {
                    // Who keeps no pages keeps no results either: private threads, and checks, which look afresh.
                    // What a corpus holds changes, and asking it costs nothing.
                    Ok(backend) if !self.settings.cache.enabled || backend.is_shared() => backend,
                    Ok(backend) => self.remembering(name, backend),
                    Err(error) => Arc::new(Unusable::of(name, error)?),
                },
            });
        }
        Ok(SearchChain::new(backends, self.settings.search.clone()))
    }

    /// The same backend, which is not asked the same thing twice for a while.
    fn remembering(&self, name: &str, backend: Arc<dyn SearchBackend>) -> Arc<dyn SearchBackend> {
        // Asked in another language, or at another address, it finds something else.
        let scope = format!("{:?} {:?}", self.settings.search, self.settings.provider(name));
        Arc::new(CachingBackend::new(backend, self.shared_state.web.of(name), scope))
    }

    fn documents(&self, index: &Arc<DocumentIndex>, roots: &[PathBuf]) -> DocumentSearch {
        let search = DocumentSearch::new(index.clone(), roots).with_handbook(&self.shared_state.data.join("handbook"));
        search.with_meaning(embedder::meaning(self, roots))
    }

    fn readers(&self, index: &Arc<DocumentIndex>, roots: &[PathBuf], files: &[PathBuf], pages: &Path) -> Result<ReaderChain, EngineError> {
        let documents = DocumentReader::new(index.clone(), roots.to_vec()).with_files(files).with_rules(self.rules.clone());
        let mut readers: Vec<Arc<dyn Reader>> = vec![Arc::new(documents)];
        readers.extend(self.past.clone().map(|past| Arc::new(past) as Arc<dyn Reader>));
        for name in self.settings.search_backends.iter().filter(|name| self.settings.is_corpus(name)) {
            // Where it cannot be set up, the search has told so.
            readers.extend(self.corpus(name, roots).ok().map(|corpus| Arc::new(corpus) as Arc<dyn Reader>));
        }
        // Without a way out documents are read, and nothing else.
        for name in self.settings.fetch_backends.iter().filter(|_| self.route.is_some()) {
            readers.push(match self.reader(name) {
                Ok(reader) => reader,
                Err(error) => Arc::new(Unusable::of(name, error)?),
            });
        }
        let cache = self.shared_state.pages(self.settings, pages).map(|pages| pages as Arc<dyn PageCache>);
        Ok(ReaderChain::new(readers, cache).guarded(Guard::new(&self.settings.network.allowed_private_hosts)))
    }

    fn search_backend(&self, name: &str, roots: &[PathBuf]) -> Result<Arc<dyn SearchBackend>, EngineError> {
        let provider = provider(name, self.settings, "search_backends")?;
        if provider.kind == ProviderKind::Postgres {
            return Ok(Arc::new(self.corpus(name, roots)?));
        }
        if provider.managed {
            let shared = self.shared_state.web.of(name);
            return Ok(Arc::new(ContainerSearch::new(name, provider, self.shared_state.container()?, self.settings, shared)));
        }
        let Some(api) = Api::of(&provider) else {
            let message = match provider.kind.answers() {
                true => say!("arguments-backend.answers", name = name),
                false => say!("arguments-backend.vulnerabilities", name = name),
            };
            return Err(EngineError::invalid("search_backends", message));
        };
        let mut options = self.settings.search.clone();
        options.language = provider.language.clone().or(options.language);
        let standard = api.address(options.language.as_deref().unwrap_or("en"));
        let base = provider.search_url.clone().or(provider.base_url.clone()).unwrap_or(standard);
        let mut service = self.service(name, &provider, &base)?;
        if api == Api::Wikipedia {
            // Its operators want to know whom to write to.
            let contact = provider.contact.as_deref().map(|contact| format!("; contact: {contact}")).unwrap_or_default();
            service.user_agent = Some(format!("Nexi/{} (desktop research app{contact})", env!("CARGO_PKG_VERSION")));
        }
        Ok(Arc::new(WebSearch::new(api, service, options)))
    }

    fn corpus(&self, name: &str, roots: &[PathBuf]) -> Result<SharedCorpus, EngineError> {
        let known = self.corpora.borrow().get(name).cloned();
        let corpus = match known {
            Some(known) => known,
            None => Corpus::new(database(self.settings, "to", name, self.draft.clone(), DatabaseKind::Corpus)?)
                .with_meaning(embedder::meaning(self, roots)),
        };
        self.corpora.borrow_mut().insert(name.to_owned(), corpus.clone());
        Ok(SharedCorpus::new(name, corpus))
    }

    /// What researchers of deep runs may search with besides. A tool that cannot be set up is left
    /// out; who asks for it is told so.
    fn tools(&self, index: &Arc<DocumentIndex>, roots: &[PathBuf]) -> HashMap<SearchTool, Arc<dyn SearchBackend>> {
        let mut out: HashMap<SearchTool, Arc<dyn SearchBackend>> = HashMap::new();
        let set_up = |tool: SearchTool, error: EngineError| tracing::warn!(tool = tool.call(), %error, "a tool cannot be used");
        let documents = self.settings.search_backends.iter().any(|name| name == DOCUMENTS).then_some(SearchTool::Grep);
        for tool in self.settings.deep.search_tools().into_iter().chain(documents) {
            match tool {
                SearchTool::Web | SearchTool::Library => {}
                SearchTool::Grep => drop(out.insert(tool, Arc::new(Grep::new(index.clone(), roots.to_vec(), self.rules.clone())))),
                SearchTool::Stackexchange => match self.search_backend(tool.call(), roots) {
                    Ok(backend) => drop(out.insert(tool, self.remembering(tool.call(), backend))),
                    Err(error) => set_up(tool, error),
                },
                SearchTool::Security => match self.feeds() {
                    Ok(feeds) => drop(out.insert(tool, Arc::new(SecuritySearch::new(feeds)))),
                    Err(error) => set_up(tool, error),
                },
            }
        }
        if let Some(past) = &self.past {
            out.insert(SearchTool::Library, Arc::new(past.clone()));
        }
        out
    }

    fn feeds(&self) -> Result<Vec<(Feed, Service)>, EngineError> {
        let all = [
            (Feed::Nvd, ProviderKind::Nvd),
            (Feed::Kev, ProviderKind::Kev),
            (Feed::GithubAdvisories, ProviderKind::GithubAdvisories),
            (Feed::Osv, ProviderKind::Osv),
        ];
        all.into_iter()
            .map(|(feed, kind)| {
                let provider = provider(kind.as_str(), self.settings, "deep.tools")?;
                let base = provider.base_url.clone().unwrap_or_else(|| feed.address().into());
                Ok((feed, self.service(kind.as_str(), &provider, &base)?))
            })
            .collect()
    }

    fn reader(&self, name: &str) -> Result<Arc<dyn Reader>, EngineError> {
        let guard = Guard::new(&self.settings.network.allowed_private_hosts);
        if name == "builtin" {
            let client = PageClient::new(guard, self.route()?)?;
            return Ok(Arc::new(BuiltinReader::new(client, self.settings.network.respect_robots)));
        }
        let provider = provider(name, self.settings, "fetch_backends")?;
        let Some(api) = ReaderApi::of(&provider) else {
            return Err(EngineError::invalid("fetch_backends", say!("arguments-backend.no_reader", name = name)));
        };
        let base = provider.reader_url.clone().or(provider.base_url.clone()).unwrap_or_else(|| api.address().into());
        let service = self.service(name, &provider, &base)?;
        Ok(Arc::new(ReaderService::new(api, service, guard)))
    }

    fn service(&self, name: &str, provider: &Provider, base: &str) -> Result<Service, EngineError> {
        let api = ApiClient::new(Duration::from_secs(self.settings.provider_timeout.into()), &self.route()?.to(base))?;
        let mut service = Service::new(name.to_owned(), base, api, self.shared_state.web.of(name));
        service.keys = match &self.draft {
            Some(key) => vec![key.clone()],
            None => all_keys(name, &at(provider, base))?,
        };
        service.strategy = provider.key_strategy;
        service.requests_per_minute = provider.requests_per_minute;
        service.variable = provider.api_key_env.clone().or_else(|| provider.kind.default_key_env().map(str::to_owned)).unwrap_or_default();
        Ok(service)
    }
}

/// The database of this provider, with its password, or with one that is not kept; `field` is what names it. Blocks while the
/// password is looked up.
pub(crate) fn database(
    settings: &Settings,
    field: &str,
    name: &str,
    draft: Option<SecretString>,
    kind: DatabaseKind,
) -> Result<SharedDatabase, EngineError> {
    let provider = settings.provider(name).filter(|provider| provider.kind == ProviderKind::Postgres);
    let provider = provider.ok_or_else(|| EngineError::invalid(field, say!("arguments-backend.no_corpus", name = name)))?;
    let password = match draft {
        Some(password) => Some(password),
        None => key(name, &provider)?,
    };
    database_at(settings, provider.address(), password, kind)
}

/// The database at an address; certificates of the settings are trusted.
pub(crate) fn database_at(
    settings: &Settings,
    address: &str,
    password: Option<SecretString>,
    kind: DatabaseKind,
) -> Result<SharedDatabase, EngineError> {
    Ok(SharedDatabase::at(address, password, route(settings)?.roots, kind)?)
}

/// The counter of this name.
pub(crate) fn counter(encoding: &str) -> Arc<dyn TokenCounter> {
    match Encoding::parse(encoding) {
        Some(encoding) => Arc::new(encoding),
        None => Arc::new(ApproximateTokens),
    }
}

/// The name of the model that would answer, without looking up any key.
pub(crate) fn model_label(settings: &Settings) -> String {
    match settings.llm_backends.first().map(String::as_str) {
        None | Some("builtin") => nexi_llm::builtin::LABEL.into(),
        Some(name) => {
            let model = settings.provider(name).and_then(|provider| provider.model).unwrap_or_default();
            format!("{model} · {}", name.strip_suffix(&format!("/{model}")).unwrap_or(name))
        }
    }
}

fn provider(name: &str, settings: &Settings, field: &str) -> Result<Provider, EngineError> {
    settings.provider(name).ok_or_else(|| EngineError::invalid(field, say!("arguments-backend.unknown", name = name)))
}

/// A provider as it is reached at this address.
fn at(provider: &Provider, base: &str) -> Provider {
    Provider { base_url: Some(base.to_owned()), search_url: None, reader_url: None, ..provider.clone() }
}

/// One model with a key that is not kept.
pub(crate) fn draft_model(
    settings: &Settings,
    shared_state: &SharedState,
    name: &str,
    key: Option<SecretString>,
) -> Result<nexi_llm::Endpoint, EngineError> {
    models::draft(name, settings, &route(settings)?, &shared_state.models, key)
}

/// One search backend with a key that is not kept.
pub(crate) fn draft_search(
    settings: &Settings,
    shared_state: &SharedState,
    name: &str,
    key: Option<SecretString>,
) -> Result<Arc<dyn SearchBackend>, EngineError> {
    // What an earlier failure taught is forgotten: the person has mended something since.
    shared_state.web.forget(name);
    DepsBuilder::new(settings, shared_state, key)?.search_backend(name, &[])
}
