use std::collections::HashMap;
use std::sync::Mutex;

use async_trait::async_trait;

use super::*;

struct Fixed(&'static str, Result<Vec<&'static str>, &'static str>);

#[async_trait]
impl SearchBackend for Fixed {
    fn name(&self) -> &str {
        self.0
    }

    async fn search(&self, _: &Query, _: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let hit = |url: &&str| Hit { title: (*url).into(), url: (*url).into(), snippet: String::new(), date: None, ..Hit::default() };
        self.1.as_ref().map(|urls| urls.iter().map(hit).collect()).map_err(|message| Failure::new(*message))
    }
}

async fn ask(backends: Vec<Fixed>, options: SearchOptions) -> Result<Found, Failure> {
    let list = backends.into_iter().map(|backend| Arc::new(backend) as Arc<dyn SearchBackend>).collect();
    SearchChain::new(list, options).search(&Query::new("q"), &CancellationToken::new()).await
}

fn urls(found: &Found) -> Vec<&str> {
    found.hits.iter().map(|hit| hit.url.as_str()).collect()
}

#[tokio::test]
async fn the_chain_goes_on_after_failures_and_emptiness() {
    let chain = vec![
        Fixed("a", Err("a is down.")),
        Fixed("b", Ok(vec![])),
        Fixed("c", Ok(vec!["https://e.org/1", "https://www.e.org/1/", "https://e.org/2"])),
        Fixed("d", Ok(vec!["https://d.org"])),
    ];
    let found = ask(chain, SearchOptions::default()).await.unwrap();
    assert_eq!((found.backend.as_str(), found.failures.as_slice()), ("c", &["a is down.".to_owned()][..]));
    assert_eq!(urls(&found), ["https://e.org/1", "https://e.org/2"], "the same page once");
    let failed = ask(vec![Fixed("a", Err("a is down.")), Fixed("b", Err("b too."))], SearchOptions::default()).await;
    let failure = failed.unwrap_err();
    assert_eq!(failure.message, "a is down. b too.");
    let told: Vec<(&str, Option<&str>)> = failure.incidents.iter().map(|of| (of.service.as_str(), of.said.as_deref())).collect();
    assert_eq!(told, [("a", Some("a is down.")), ("b", Some("b too."))]);
    assert!(ask(vec![Fixed("a", Err("a is down.")), Fixed("b", Ok(vec![]))], SearchOptions::default()).await.unwrap().hits.is_empty());
}

#[tokio::test]
async fn several_backends_are_merged_and_sites_chosen() {
    let chain = || {
        vec![
            Fixed("a", Ok(vec!["https://a.org/1", "https://both.org/", "https://bad.org/x"])),
            Fixed("b", Ok(vec!["https://low.org/", "https://both.org/", "file:///home/notes.md"])),
            Fixed("c", Ok(vec!["https://c.org/"])),
        ]
    };
    let options = SearchOptions {
        at_once: 2,
        exclude_sites: vec!["bad.org".into()],
        demote_sites: vec!["low.org".into()],
        ..SearchOptions::default()
    };
    let found = ask(chain(), options).await.unwrap();
    assert_eq!(found.backend, "a, b");
    assert_eq!(urls(&found), ["https://both.org/", "https://a.org/1", "file:///home/notes.md", "https://low.org/"]);
    let options = SearchOptions { include_sites: vec!["c.org".into()], ..SearchOptions::default() };
    assert_eq!(urls(&ask(vec![chain().remove(2), chain().remove(0)], options).await.unwrap()), ["https://c.org/"]);
}

struct Shared(Fixed);

#[async_trait]
impl SearchBackend for Shared {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        self.0.search(query, cancel).await
    }
}

#[tokio::test]
async fn corpora_are_asked_beside_the_web_unless_they_are_withheld() {
    let chain = || {
        let all: Vec<Arc<dyn SearchBackend>> = vec![
            Arc::new(Shared(Fixed("gone", Err("The database is gone.")))),
            Arc::new(Shared(Fixed("archive", Ok(vec!["nexi://corpus/archive/1/a.md"])))),
            Arc::new(Fixed("a", Ok(vec!["https://a.org/"]))),
        ];
        SearchChain::new(all, SearchOptions::default())
    };
    let ask = async |query: Query| chain().search(&query, &CancellationToken::new()).await.unwrap();
    let found = ask(Query::new("q")).await;
    assert_eq!((found.backend.as_str(), found.failures.len()), ("archive, a", 1), "{found:?}");
    let found = ask(Query { documents_only: true, ..Query::new("q") }).await;
    assert_eq!((found.backend.as_str(), found.failures.len()), ("archive", 1));
    let withheld = vec!["archive".to_owned(), "gone".to_owned()];
    let found = ask(Query { withheld: withheld.clone(), ..Query::new("q") }).await;
    assert_eq!((found.backend.as_str(), found.failures.len()), ("a", 0));
    let found = ask(Query { withheld, documents_only: true, ..Query::new("q") }).await;
    assert_eq!((found.backend.as_str(), found.hits.len()), ("", 0));
}

struct Reading(&'static str, Mutex<Vec<Result<ReadOutcome, Failure>>>, Mutex<Vec<Validators>>);

#[async_trait]
impl Reader for Reading {
    fn name(&self) -> &str {
        self.0
    }

    fn accepts(&self, _: &Url) -> bool {
        true
    }

    async fn read(&self, request: &ReadRequest, _: &CancellationToken) -> Result<ReadOutcome, Failure> {
        self.2.lock().unwrap().push(request.validators.clone());
        self.1.lock().unwrap().remove(0)
    }
}

fn reading(name: &'static str, deliveries: Vec<Result<ReadOutcome, Failure>>) -> Arc<Reading> {
    Arc::new(Reading(name, Mutex::new(deliveries), Mutex::default()))
}

fn page(text: &str, max_age: u64) -> Result<ReadOutcome, Failure> {
    let page = Page { url: "https://e.org/a".into(), title: "T".into(), text: text.into(), ..Page::default() };
    let validators = Validators { etag: Some("\"1\"".into()), last_modified: None };
    Ok(ReadOutcome::Page(Box::new(page), Caching { keep: true, max_age: Some(max_age), validators }))
}

#[derive(Default)]
struct Kept(Mutex<HashMap<String, CachedPage>>);

impl PageCache for Kept {
    fn get(&self, key: &str) -> Option<CachedPage> {
        self.0.lock().unwrap().get(key).cloned()
    }

    fn put(&self, key: &str, page: &CachedPage) {
        self.0.lock().unwrap().insert(key.to_owned(), page.clone());
    }
}

async fn read(chain: &ReaderChain) -> Result<Page, Failure> {
    chain.read("https://e.org/a?utm_source=x", None, &CancellationToken::new()).await
}

#[tokio::test]
async fn walls_and_failures_go_to_the_next_reader() {
    let wall = || page("Please verify you are human.", 0);
    let chain = ReaderChain::new(
        vec![reading("a", vec![wall()]), reading("b", vec![Err(Failure::new("down"))]), reading("c", vec![page("Text.", 0)])],
        None,
    );
    assert_eq!(read(&chain).await.unwrap().text, "Text.");
    let chain = ReaderChain::new(vec![reading("a", vec![wall()])], None);
    assert!(read(&chain).await.unwrap_err().message.contains("robot"));
    // What we will not visit nobody visits for us.
    let never = reading("b", vec![]);
    let chain = ReaderChain::new(vec![reading("a", vec![Err(Failure::of(Fault::Forbidden, "private"))]), never], None);
    assert_eq!(read(&chain).await.unwrap_err().message, "private");
}

#[tokio::test]
async fn pages_are_kept_renewed_and_outlive_their_site() {
    let kept = Arc::new(Kept::default());
    let reader = reading("a", vec![page("First.", 3600), page("Second.", 0)]);
    let chain = ReaderChain::new(vec![reader.clone()], Some(kept.clone()));
    assert_eq!(read(&chain).await.unwrap().cached_ms, None);
    let again = read(&chain).await.unwrap();
    assert!(again.text == "First." && again.cached_ms.is_some(), "no reader was asked");
    // Old now: the server is asked whether it has changed.
    for page in kept.0.lock().unwrap().values_mut() {
        page.fresh_until_ms = 0;
    }
    reader.1.lock().unwrap()[0] = Ok(ReadOutcome::Unchanged(Caching { keep: true, ..Caching::default() }));
    let renewed = read(&chain).await.unwrap();
    assert_eq!((renewed.text.as_str(), renewed.cached_ms), ("First.", None));
    assert_eq!(reader.2.lock().unwrap()[1].etag.as_deref(), Some("\"1\""));
    for page in kept.0.lock().unwrap().values_mut() {
        page.fresh_until_ms = 0;
    }
    // Kept while the clock was ahead: fresh until then is not fresh now.
    for page in kept.0.lock().unwrap().values_mut() {
        (page.fetched_ms, page.fresh_until_ms) = (i64::MAX / 4, i64::MAX / 2);
    }
    reader.1.lock().unwrap().push(Ok(ReadOutcome::Unchanged(Caching { keep: true, ..Caching::default() })));
    assert_eq!(read(&chain).await.unwrap().cached_ms, None, "it was asked for again");
    for page in kept.0.lock().unwrap().values_mut() {
        page.fresh_until_ms = 0;
    }
    reader.1.lock().unwrap().push(Err(Failure::of(Fault::Transient, "down")));
    assert!(read(&chain).await.unwrap().cached_ms.is_some(), "an old copy is better than none");
    reader.1.lock().unwrap().push(Err(Failure::new("the page does not exist (404)")));
    for page in kept.0.lock().unwrap().values_mut() {
        page.fresh_until_ms = 0;
    }
    assert!(read(&chain).await.is_err(), "a page that was taken down is gone");
}
