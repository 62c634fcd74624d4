//! Every service in its own wire format; the stand-ins check each request they get.

use std::sync::Arc;
use std::time::{Duration, Instant};

use nexi_core::ports::{Failure, Fault, Hit, Query, ReadOutcome, ReadRequest, Reader, SearchBackend, TimeRange, Validators};
use nexi_core::settings::{JsonBackend, KeyStrategy, Provider, ProviderKind, Route, SafeSearch, SearchOptions};
use nexi_testkit::{Mood, Services, let_pass};
use nexi_web::client::ApiClient;
use nexi_web::read::{ReaderApi, ReaderService};
use nexi_web::search::{Api, WebSearch};
use nexi_web::{Guard, Registry, Service};
use tokio_util::sync::CancellationToken;

fn service(services: &Services, name: &str, keys: &[&str], registry: &Registry) -> Service {
    let client = ApiClient::new(Duration::from_secs(5), &Route::default()).unwrap();
    let mut service = Service::new(name.into(), &services.base(name), client, registry.of(name));
    service.keys = keys.iter().map(|key| (*key).to_owned().into()).collect();
    service.variable = format!("{}_API_KEY", name.to_uppercase());
    service
}

fn described(services: &Services) -> JsonBackend {
    JsonBackend {
        url: format!("{}/find?n={{count}}", services.base("json")),
        body: Some("{\"what\": \"{query}\"}".into()),
        headers: [("Authorization".to_owned(), "Bearer {key}".to_owned())].into(),
        results: "data.items".into(),
        title: "page.name".into(),
        link: "page.links.0".into(),
        snippet: "text".into(),
        date: Some("when".into()),
    }
}

/// All search services but those that have tests and stand-ins of their own.
fn apis(services: &Services) -> Vec<(&'static str, Api)> {
    let elsewhere = [ProviderKind::Searxng, ProviderKind::Wikipedia];
    let api = |kind: ProviderKind| {
        let provider = Provider { engine_id: Some("engine".into()), json: Some(described(services)), ..Provider::new(kind) };
        Some((kind.as_str(), Api::of(&provider)?))
    };
    ProviderKind::ALL.into_iter().filter(|kind| !elsewhere.contains(kind)).filter_map(api).collect()
}

const KEYLESS: [&str; 2] = ["duckduckgo", "stackexchange"];

async fn find(api: Api, service: Service, options: SearchOptions, query: &Query) -> Result<Vec<Hit>, Failure> {
    WebSearch::new(api, service, options).search(query, &CancellationToken::new()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_backend_finds_in_its_own_wire_format() {
    let services = Services::start().await;
    let registry = Registry::default();
    for (name, api) in apis(&services) {
        let ask = async |query: Query| {
            let service = service(&services, name, &["key"], &registry);
            find(api.clone(), service, SearchOptions::default(), &query).await
        };
        let hits = ask(Query::new("when did the \"bridge\" open & why?")).await.unwrap_or_else(|failure| panic!("{name}: {failure}"));
        assert_eq!(hits.len(), 1, "{name}");
        let hit = &hits[0];
        assert_eq!(hit.url, "https://e.org/a", "{name}");
        assert!(matches!(hit.title.as_str(), "The Bridge" | "The \"Bridge\""), "{name}: {hit:?}");
        assert!(hit.snippet.starts_with("It opened") && hit.snippet.ends_with("1931.") && !hit.snippet.contains('<'), "{name}: {hit:?}");
        if !matches!(name, "duckduckgo" | "firecrawl" | "google" | "linkup") {
            assert_eq!(hit.date.as_deref(), Some("2024-05-17"), "{name}");
        }
        services.set(name, Mood::Empty);
        assert_eq!(
            ask(Query { text: "x".into(), range: Some(TimeRange::Month), ..Query::new("") }).await,
            Ok(Vec::new()),
            "{name}: nothing is no failure"
        );
    }
    assert_eq!(services.problems(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn options_are_told_each_service_in_its_own_words() {
    let services = Services::start().await;
    let registry = Registry::default();
    let options = SearchOptions {
        count: 5,
        language: Some("de".into()),
        country: Some("at".into()),
        safe_search: SafeSearch::Strict,
        exclude_sites: vec!["bad.org".into()],
        ..SearchOptions::default()
    };
    let query = Query { text: "q".into(), range: Some(TimeRange::Week), ..Query::new("") };
    for (name, api) in apis(&services) {
        if name != "json" {
            find(api, service(&services, name, &["key"], &registry), options.clone(), &query)
                .await
                .unwrap_or_else(|failure| panic!("{name}: {failure}"));
        }
    }
    assert_eq!(services.problems(), Vec::<String>::new());
    let asked = |name: &str| services.asked(name).pop().unwrap();
    let parameter = |name: &str, parameter: &str| asked(name).query.get(parameter).cloned().unwrap_or_default();
    assert_eq!(
        [
            parameter("brave", "q"),
            parameter("brave", "count"),
            parameter("brave", "freshness"),
            parameter("brave", "safesearch"),
            parameter("brave", "search_lang"),
            parameter("brave", "country")
        ],
        ["q -site:bad.org", "5", "pw", "strict", "de", "AT"]
    );
    assert_eq!(
        [
            parameter("google", "num"),
            parameter("google", "dateRestrict"),
            parameter("google", "safe"),
            parameter("google", "hl"),
            parameter("google", "gl")
        ],
        ["5", "w1", "active", "de", "at"]
    );
    assert_eq!([parameter("serpapi", "tbs"), parameter("serpapi", "num")], ["qdr:w", "5"]);
    let body = |name: &str| asked(name).body;
    assert_eq!(body("tavily")["exclude_domains"][0], "bad.org");
    assert_eq!(body("tavily")["time_range"], "week");
    assert_eq!(body("tavily")["query"], "q", "where there are fields the query stays as it is");
    assert_eq!(body("exa")["excludeDomains"][0], "bad.org");
    assert!(body("exa")["startPublishedDate"].as_str().unwrap().starts_with("20"));
    assert_eq!(body("perplexity")["search_domain_filter"][0], "-bad.org");
    assert_eq!((&body("serper")["tbs"], &body("serper")["gl"], &body("jina")["gl"]), (&"qdr:w".into(), &"at".into(), &"at".into()));
    assert_eq!(
        (&body("duckduckgo")["df"], &body("duckduckgo")["b"], &body("duckduckgo")["kl"]),
        (&"w".into(), &"".into(), &"at-de".into())
    );
    let header = |name: &str| asked("duckduckgo").headers.get(name).cloned().unwrap_or_default();
    assert_eq!((header("accept-language"), header("sec-fetch-mode")), ("de;q=0.9,en;q=0.5".into(), "navigate".into()));
    assert!(header("user-agent").contains("Nexi/") && header("cookie").contains("p=1") && header("referer").contains("duckduckgo"));
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_say_what_happened_and_never_show_the_key() {
    let services = Services::start().await;
    for (name, api) in apis(&services) {
        let ask = async |keys: &[&str], mood: Mood| {
            services.set(name, mood);
            // Each time as if the service had never been asked.
            let registry = Registry::default();
            let failure =
                find(api.clone(), service(&services, name, keys, &registry), SearchOptions::default(), &Query::new("x")).await.unwrap_err();
            assert!(failure.message.contains(name) && !failure.message.contains("canary"), "{failure}");
            assert!(!failure.message.contains('<') && !failure.message.contains('{'), "{failure}");
            failure.fault
        };
        let status = |status, body| Mood::Status(status, vec![], body, 99);
        if !KEYLESS.contains(&name) {
            if name != "json" {
                assert_eq!(ask(&[], Mood::Fine).await, Fault::Key, "{name} has no key");
            }
            assert_eq!(ask(&["canary-wrong"], Mood::Fine).await, Fault::Key, "{name} refuses the key");
            assert_eq!(ask(&["canary"], status(402, "{}")).await, Fault::Balance, "{name}");
        }
        assert_eq!(
            ask(&["canary"], Mood::Status(429, vec![("retry-after", "7")], "{}", 99)).await,
            Fault::Limited { seconds: Some(7) },
            "{name}"
        );
        assert_eq!(ask(&["canary"], status(503, "<html>down</html>")).await, Fault::Transient, "{name}");
        assert_eq!(ask(&["canary"], status(418, "<html>what</html>")).await, Fault::Other, "{name}");
        if name != "duckduckgo" {
            assert_eq!(ask(&["canary"], status(200, "<html>a page</html>")).await, Fault::Other, "{name}: a page in place of JSON");
        }
    }
    let registry = Registry::default();
    let mut nowhere = service(&services, "serpapi", &["canary"], &registry);
    nowhere.base = "http://127.0.0.1:1".into();
    let failure = find(Api::SerpApi, nowhere, SearchOptions::default(), &Query::new("x")).await.unwrap_err();
    assert!(failure.fault == Fault::Transient && !failure.message.contains("canary"), "the key is in this address: {failure}");
}

#[tokio::test(flavor = "multi_thread")]
async fn passing_failures_are_tried_again_and_limits_respected() {
    let services = Services::start().await;
    let registry = Registry::default();
    services.set("brave", Mood::Status(503, vec![], "", 2));
    let ask = async |name: &'static str, api: Api, keys: &[&str]| {
        find(api, service(&services, name, keys, &registry), SearchOptions::default(), &Query::new("x")).await
    };
    assert_eq!(ask("brave", Api::Brave, &["key"]).await.unwrap().len(), 1);
    assert_eq!(services.asked("brave").len(), 3);
    // Limited: left alone, without a request, until the time is up.
    services.set("serper", Mood::Status(429, vec![("retry-after", "1")], "", 1));
    assert!(matches!(ask("serper", Api::Serper, &["key"]).await.unwrap_err().fault, Fault::Limited { .. }));
    assert!(ask("serper", Api::Serper, &["key"]).await.unwrap_err().message.contains("asked again in 1 s"));
    assert_eq!(services.asked("serper").len(), 1);
    let_pass(Duration::from_millis(1100)).await;
    assert_eq!(ask("serper", Api::Serper, &["key"]).await.unwrap().len(), 1);
    // DuckDuckGo says it with 202, and is touchy.
    services.set("duckduckgo", Mood::Status(202, vec![], "", 1));
    assert!(ask("duckduckgo", Api::DuckDuckGo, &[]).await.unwrap_err().message.contains("2 min"));
    // Results and a wish to be left alone.
    let body = "{\"items\": [{\"title\": \"T\", \"link\": \"https://e.org/a\"}], \"backoff\": 9}";
    services.set("stackexchange", Mood::Status(200, vec![], body, 1));
    let api = || Api::StackExchange("stackoverflow".into());
    assert_eq!(ask("stackexchange", api(), &[]).await.unwrap().len(), 1);
    assert!(ask("stackexchange", api(), &[]).await.unwrap_err().message.contains("asked again in"));
}

/// Results of one page in the form of each service that has pages.
fn page_of(name: &str, from: usize, count: usize) -> String {
    let items: Vec<serde_json::Value> = (from..from + count)
        .map(|n| {
            let url = format!("https://e.org/{n}");
            serde_json::json!({"title": format!("T{n}"), "url": url, "link": url})
        })
        .collect();
    let value = match name {
        "brave" => serde_json::json!({"web": {"results": items}}),
        "searxng" => serde_json::json!({"results": items}),
        "serper" => serde_json::json!({"organic": items}),
        "serpapi" => serde_json::json!({"organic_results": items}),
        "google" => serde_json::json!({"items": items}),
        _ => serde_json::json!({"data": items}),
    };
    value.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn further_pages_are_asked_for_where_more_is_wanted() {
    let services = Services::start().await;
    let options = || SearchOptions { count: 30, ..SearchOptions::default() };
    for (name, api, size, second) in [
        ("brave", Api::Brave, 20, ("offset", "1")),
        ("searxng", Api::Searxng, 10, ("pageno", "2")),
        ("serper", Api::Serper, 10, ("page", "2")),
        ("serpapi", Api::SerpApi, 10, ("start", "10")),
        ("google", Api::Google("cx".into()), 10, ("start", "11")),
        ("jina", Api::Jina, 20, ("page", "2")),
    ] {
        let registry = Registry::default();
        let page: &'static str = page_of(name, 0, size).leak();
        services.set(name, Mood::Status(200, vec![], page, 1));
        let before = services.asked(name).len();
        let hits = find(api.clone(), service(&services, name, &["key"], &registry), options(), &Query::new("x")).await.unwrap();
        let asked = services.asked(name);
        assert!(asked.len() >= before + 2, "{name}: the second page is asked for");
        let (field, value) = second;
        let said = asked[before + 1].query.get(field).cloned().unwrap_or_else(|| asked[before + 1].body[field].to_string());
        assert_eq!(said, value, "{name}");
        // Whatever becomes of the second page, nothing of the first is lost.
        assert!(hits.len() >= size && hits.len() <= 30, "{name}: {}", hits.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn services_are_asked_as_fast_as_they_like() {
    let services = Services::start().await;
    let registry = Registry::default();
    let wikipedia =
        std::sync::Arc::new(WebSearch::new(Api::Wikipedia, service(&services, "wikipedia", &[], &registry), SearchOptions::default()));
    let stop = CancellationToken::new();
    let queries: Vec<Query> = (0..4).map(|n| Query::new(format!("q{n}"))).collect();
    let _ = futures::future::join_all(queries.iter().map(|query| wikipedia.search(query, &stop))).await;
    assert_eq!(services.most_at_once("wikipedia"), 1, "one after the other");
    let long = "word ".repeat(400);
    let brave = WebSearch::new(Api::Brave, service(&services, "brave", &["key"], &registry), SearchOptions::default());
    brave.search(&Query::new(long), &stop).await.unwrap();
    let text = services.asked("brave").last().unwrap().query["q"].clone();
    assert!(text.chars().count() <= 400 && text.split_whitespace().count() <= 50, "{}", text.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn several_keys_take_turns() {
    let services = Services::start().await;
    let registry = Registry::default();
    services.set("tavily", Mood::OnlyKey("second"));
    let ask = async |strategy| {
        let mut service = service(&services, "tavily", &["first", "second"], &registry);
        service.strategy = strategy;
        find(Api::Tavily, service, SearchOptions::default(), &Query::new("x")).await.unwrap();
        services
            .asked("tavily")
            .iter()
            .map(|asked| asked.headers["authorization"].trim_start_matches("Bearer ").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ask(KeyStrategy::Fallback).await, ["first", "second"]);
    assert_eq!(ask(KeyStrategy::RoundRobin).await, ["first", "second", "second"], "it was the second one's turn");
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_a_search_takes_no_time() {
    let services = Services::start().await;
    services.set("brave", Mood::Status(503, vec![], "", 99));
    let cancel = CancellationToken::new();
    let backend = WebSearch::new(Api::Brave, service(&services, "brave", &["key"], &Registry::default()), SearchOptions::default());
    let stop = cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        stop.cancel();
    });
    let began = Instant::now();
    assert_eq!(backend.search(&Query::new("x"), &cancel).await.unwrap_err().fault, Fault::Cancelled);
    assert!(began.elapsed() < Duration::from_millis(500));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_reader_reads_in_its_own_wire_format() {
    let services = Services::start().await;
    let registry = Arc::new(Registry::default());
    let request = ReadRequest { url: "https://e.org/a?b=1".parse().unwrap(), ahead: None, validators: Validators::default() };
    for (name, which) in [
        ("exa", ReaderApi::Exa),
        ("firecrawl", ReaderApi::Firecrawl),
        ("jina", ReaderApi::Jina),
        ("linkup", ReaderApi::Linkup),
        ("tavily", ReaderApi::Tavily),
    ] {
        let read = async |keys: &[&str]| {
            ReaderService::new(which, service(&services, name, keys, &registry), Guard::new(&[]))
                .read(&request, &CancellationToken::new())
                .await
        };
        let Ok(ReadOutcome::Page(page, caching)) = read(&["key"]).await else { panic!("{name}") };
        assert!(page.text.ends_with("It opened in 1931.") && caching.keep, "{name}: {page:?}");
        assert_eq!((page.url.as_str(), page.title.as_str()), ("https://e.org/a?b=1", "The bridge"), "{name}");
        services.set(name, Mood::Empty);
        assert!(read(&["key"]).await.unwrap_err().message.to_lowercase().contains(name), "{name}: no text is a failure");
        services.set(name, Mood::Fine);
        assert_eq!(read(&["wrong"]).await.unwrap_err().fault, Fault::Key, "{name}");
        // What we would not visit is not handed to anybody else, either.
        let local = ReadRequest { url: "http://192.168.1.1/".parse().unwrap(), ..request.clone() };
        let before = services.asked(name).len();
        let reader = ReaderService::new(which, service(&services, name, &["key"], &registry), Guard::new(&[]));
        assert_eq!(reader.read(&local, &CancellationToken::new()).await.unwrap_err().fault, Fault::Forbidden, "{name}");
        assert_eq!(services.asked(name).len(), before, "{name}");
    }
    assert_eq!(services.problems(), Vec::<String>::new());
}
