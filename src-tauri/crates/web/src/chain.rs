//! Ordered chains: the next backend is asked when one fails or finds nothing.

use std::sync::Arc;
use std::time::Duration;

use nexi_core::ports::{
    CachedPage, Caching, Cause, Collection, Failure, Fault, Found, Hit, Page, PageCache, Query, ReadOutcome, ReadRequest, Reader,
    SearchBackend, Validators,
};
use nexi_core::protocol::Incident;
use nexi_core::rank::fuse::fuse;
use nexi_core::settings::{SearchOptions, service_title};
use nexi_core::urls::{host_is, page_key};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::freshness;
use crate::guard::{Guard, no_address};
use crate::read::wall::wall;

/// A copy of a page whose site cannot be reached is shown up to this age, in milliseconds.
const OLDEST: i64 = 30 * 24 * 3600 * 1000;

/// Search backends in order.
#[derive(Clone, Default)]
pub struct SearchChain {
    backends: Vec<Arc<dyn SearchBackend>>,
    options: SearchOptions,
}

impl SearchChain {
    /// A chain that asks these backends in this order.
    pub fn new(backends: Vec<Arc<dyn SearchBackend>>, options: SearchOptions) -> Self {
        Self { backends, options }
    }

    /// What the documents and corpora hold and what the web has, asked at the same time and merged. Of the web the
    /// first group that finds anything counts; see [`Self::groups`]. A query for new results that finds
    /// none is asked again for results of any age.
    ///
    /// # Errors
    /// When every backend failed; the message joins what they said.
    pub async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Found, Failure> {
        let may_be_asked = |name: &str| !query.withheld.iter().any(|withheld| withheld == name);
        let is_near = |backend: &&Arc<dyn SearchBackend>| backend.is_local() || (backend.is_shared() && may_be_asked(backend.name()));
        let local = vec![self.backends.iter().filter(is_near).collect()];
        let web = if query.documents_only { Vec::new() } else { self.groups() };
        // Where there is a web, what the documents hold is no answer to what is new, and none is looked for twice.
        let (mut asked, found) =
            futures::join!(self.ask_in_turn(&local, query, web.is_empty(), cancel), self.ask_in_turn(&web, query, true, cancel));
        asked.and(found);
        let Asked { lists, failures, anyone_answered, collection } = asked;
        let messages: Vec<String> = failures.iter().map(|(_, failure)| failure.message.clone()).collect();
        let incidents: Vec<Incident> = failures.iter().map(|(name, failure)| Incident::of_search(service_title(name), failure)).collect();
        if lists.is_empty() && !anyone_answered && !failures.is_empty() {
            let causes = failures.iter().map(|(_, failure)| failure.cause()).collect();
            return Err(Failure { incidents, fault: failures[0].1.fault, ..Failure::because(Cause::All { causes }) });
        }
        let names: Vec<&str> = lists.iter().map(|(name, _)| name.as_str()).collect();
        let hits: Vec<&[Hit]> = lists.iter().map(|(_, hits)| hits.as_slice()).collect();
        let mut hits: Vec<Hit> =
            fuse(&hits, &self.options.prefer_sites, &self.options.demote_sites).into_iter().map(|fused| fused.hit).collect();
        hits.truncate(query.most_hits(self.options.count) as usize);
        Ok(Found { hits, backend: names.join(", "), failures: messages, incidents, collection })
    }

    /// The web's backends in the groups that are asked at once: as many as the options say, or, where
    /// they say nothing, all that cost nothing and follow each other, and each of the others by itself.
    fn groups(&self) -> Vec<Vec<&Arc<dyn SearchBackend>>> {
        let web = self.backends.iter().filter(|backend| !backend.is_local() && !backend.is_shared());
        let mut groups: Vec<Vec<&Arc<dyn SearchBackend>>> = Vec::new();
        for backend in web {
            let joins = groups.last().is_some_and(|group| match self.options.at_once {
                0 => backend.is_free() && group.iter().all(|other| other.is_free()),
                most => group.len() < most as usize,
            });
            match groups.last_mut().filter(|_| joins) {
                Some(group) => group.push(backend),
                None => groups.push(vec![backend]),
            }
        }
        groups
    }

    /// Asks one group after the other until one has found something; where nothing new is found and
    /// `any_age` allows it, once more for results of any age.
    async fn ask_in_turn(
        &self,
        groups: &[Vec<&Arc<dyn SearchBackend>>],
        query: &Query,
        any_age: bool,
        cancel: &CancellationToken,
    ) -> Asked {
        let older = query.range.filter(|_| any_age).map(|_| Query { range: None, ..query.clone() });
        let mut asked = Asked::default();
        for query in [Some(query), older.as_ref()].into_iter().flatten() {
            for group in groups {
                asked.and(self.ask(group, query, cancel).await);
                if !asked.lists.is_empty() || cancel.is_cancelled() {
                    return asked;
                }
            }
            if !asked.anyone_answered {
                return asked;
            }
            if older.is_some() && query.range.is_some() {
                tracing::info!(query = query.text, "nothing new was found; asking for results of any age");
            }
        }
        asked
    }

    /// Asks these at the same time.
    async fn ask(&self, backends: &[&Arc<dyn SearchBackend>], query: &Query, cancel: &CancellationToken) -> Asked {
        let asked = backends.iter().map(|backend| backend.search_collection(query, cancel));
        let mut out = Asked::default();
        for (backend, result) in backends.iter().zip(futures::future::join_all(asked).await) {
            match result.map(|(hits, collection)| (self.wanted(query, hits), collection)) {
                Ok((hits, collection)) if !hits.is_empty() => {
                    out.collection = collection.map(Box::new).or(out.collection);
                    out.lists.push((backend.name().to_owned(), hits));
                }
                Ok(_) => out.anyone_answered = true,
                Err(failure) => {
                    tracing::info!(backend = backend.name(), %failure, "search backend failed");
                    out.failures.push((backend.name().to_owned(), failure));
                }
            }
        }
        out
    }

    /// What the lists of sites let through, whether the backend knew of them or not, and no more
    /// than was wanted. Chosen before they are cut: the first ones may all be of other sites.
    /// Documents are on no site.
    fn wanted(&self, query: &Query, mut hits: Vec<Hit>) -> Vec<Hit> {
        let SearchOptions { include_sites, exclude_sites, .. } = &self.options;
        hits.retain(|Hit { url, .. }| {
            let is_of = |sites: &[String]| sites.iter().any(|site| host_is(url, site));
            !url.starts_with("http") || ((include_sites.is_empty() || is_of(include_sites)) && !is_of(exclude_sites))
        });
        hits.truncate(query.most_hits(self.options.count) as usize);
        hits
    }
}

/// What several backends came back with, by their names.
#[derive(Default)]
struct Asked {
    lists: Vec<(String, Vec<Hit>)>,
    failures: Vec<(String, Failure)>,
    /// One of them found nothing, and did not fail.
    anyone_answered: bool,
    collection: Option<Box<Collection>>,
}

impl Asked {
    fn and(&mut self, other: Self) {
        self.lists.extend(other.lists);
        self.failures.extend(other.failures);
        self.anyone_answered |= other.anyone_answered;
        self.collection = self.collection.take().or(other.collection);
    }
}

/// Readers in order, and what they brought before.
#[derive(Clone, Default)]
pub struct ReaderChain {
    readers: Vec<Arc<dyn Reader>>,
    cache: Option<Arc<dyn PageCache>>,
    guard: Option<Guard>,
}

impl ReaderChain {
    /// A chain that asks these readers in this order, and none of them for what lies fresh in the cache.
    pub fn new(readers: Vec<Arc<dyn Reader>>, cache: Option<Arc<dyn PageCache>>) -> Self {
        Self { readers, cache, guard: None }
    }

    /// With this guard also for what lies in the cache: a host that is no longer trusted is not
    /// read from there, either.
    pub fn guarded(self, guard: Guard) -> Self {
        Self { guard: Some(guard), ..self }
    }

    /// The page, from the cache or from the first reader that gets it. `ahead` is given where
    /// nobody has asked for it yet, and cancelled as soon as somebody does.
    ///
    /// # Errors
    /// When no reader accepts the address or all failed; the message is the first one's.
    pub async fn read(&self, url: &str, ahead: Option<&CancellationToken>, cancel: &CancellationToken) -> Result<Page, Failure> {
        self.attempt(url, ahead, cancel, &mut Vec::new()).await
    }

    /// Like [`Self::read`], and what readers said that failed although another one got the page.
    pub async fn read_and_tell(&self, url: &str, cancel: &CancellationToken) -> (Result<Page, Failure>, Vec<Cause>) {
        let mut failures = Vec::new();
        let page = self.attempt(url, None, cancel, &mut failures).await;
        (page, failures)
    }

    async fn attempt(
        &self,
        url: &str,
        ahead: Option<&CancellationToken>,
        cancel: &CancellationToken,
        failures: &mut Vec<Cause>,
    ) -> Result<Page, Failure> {
        let parsed = Url::parse(url.trim()).map_err(|error| Failure::because(no_address(error)))?;
        let key = page_key(url);
        // Files are in no cache.
        let known = if parsed.scheme() == "file" { None } else { self.cached(&key).await };
        if let (Some(guard), Some(known)) = (&self.guard, &known) {
            guard.check(parsed.as_str())?;
            guard.check(&known.page.url)?;
        }
        let now = jiff::Timestamp::now().as_millisecond();
        if let Some(known) = known.as_ref().filter(|known| is_fresh(known, now)) {
            tracing::debug!(url, age_s = (now - known.fetched_ms) / 1000, "out of the cache");
            return Ok(as_cached(known.clone()));
        }
        let validators = known.as_ref().map(|known| known.validators.clone()).unwrap_or_default();
        let mut request = ReadRequest { url: parsed, ahead: ahead.cloned(), validators };
        let mut first: Option<Failure> = None;
        for reader in self.readers.iter().filter(|reader| reader.accepts(&request.url)) {
            let failure = match reader.read(&request, cancel).await {
                Ok(ReadOutcome::Unchanged(caching)) => match known {
                    Some(known) => return Ok(self.renew(key, known, caching).await),
                    None => Failure::because(Cause::Unchanged),
                },
                Ok(ReadOutcome::Page(page, caching)) => match wall(&page) {
                    Some(why) if !is_document(&page) || page.text.trim().is_empty() => Failure::because(why),
                    _ => {
                        self.keep(key, &page, caching).await;
                        return Ok(*page);
                    }
                },
                Err(failure) => failure,
            };
            tracing::info!(reader = reader.name(), url, %failure, "reader failed");
            failures.push(Cause::Unread { reader: reader.name().to_owned(), url: url.to_owned(), cause: Box::new(failure.cause()) });
            // Nobody pays a second service for a page that nobody has asked for.
            let over = ahead.is_some_and(|asked| !asked.is_cancelled())
                || matches!(failure.fault, Fault::Forbidden | Fault::Cancelled)
                || cancel.is_cancelled();
            first.get_or_insert(failure);
            if over {
                break;
            }
            // Only the reader that brought the copy knows its validators.
            request.validators = Validators::default();
        }
        let failure = first.unwrap_or_else(|| Failure::because(Cause::NoReader { scheme: request.url.scheme().to_owned() }));
        match known {
            // An old copy is better than none, and says how old it is.
            Some(known) if matches!(failure.fault, Fault::Transient | Fault::Limited { .. }) && now - known.fetched_ms < OLDEST => {
                Ok(as_cached(known))
            }
            _ => Err(failure),
        }
    }

    async fn cached(&self, key: &str) -> Option<CachedPage> {
        let (cache, key) = (self.cache.clone()?, key.to_owned());
        tokio::task::spawn_blocking(move || cache.get(&key)).await.ok()?
    }

    async fn keep(&self, key: String, page: &Page, caching: Caching) {
        if caching.keep && !is_document(page) {
            self.put(key, page.clone(), caching).await;
        }
    }

    async fn renew(&self, key: String, known: CachedPage, mut caching: Caching) -> Page {
        if caching.validators == Validators::default() {
            caching.validators = known.validators;
        }
        self.put(key, known.page.clone(), caching).await;
        known.page
    }

    /// Puts a page that is right as of now into the cache.
    async fn put(&self, key: String, page: Page, caching: Caching) {
        let Some(cache) = self.cache.clone() else { return };
        let now = jiff::Timestamp::now().as_millisecond();
        let fresh_until_ms = now + millis(freshness::of(&page, caching.max_age, now));
        let kept = CachedPage { page, fetched_ms: now, fresh_until_ms, validators: caching.validators };
        let _ = tokio::task::spawn_blocking(move || cache.put(&key, &kept)).await;
    }
}

/// Whether a copy may be used unasked. One from the future was kept while the clock was wrong.
fn is_fresh(known: &CachedPage, now: i64) -> bool {
    (known.fetched_ms..known.fresh_until_ms).contains(&now)
}

fn as_cached(known: CachedPage) -> Page {
    Page { cached_ms: Some(known.fetched_ms), ..known.page }
}

fn is_document(page: &Page) -> bool {
    page.url.starts_with("file:") || page.url.starts_with(nexi_core::urls::OWN)
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests;
