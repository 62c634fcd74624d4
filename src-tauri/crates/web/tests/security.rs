//! Databases of vulnerabilities in their own wire formats, asked at the same time.

use std::time::Duration;

use nexi_core::ports::{Fault, Hit, Query, SearchBackend};
use nexi_core::settings::Route;
use nexi_testkit::{Mood, Services};
use nexi_web::client::ApiClient;
use nexi_web::security::{Feed, SecuritySearch};
use nexi_web::{Registry, Service};
use tokio_util::sync::CancellationToken;

const FEEDS: [(&str, Feed); 4] =
    [("nvd", Feed::Nvd), ("kev", Feed::Kev), ("github_advisories", Feed::GithubAdvisories), ("osv", Feed::Osv)];

fn search(services: &Services, registry: &Registry) -> SecuritySearch {
    let feeds = FEEDS.into_iter().map(|(name, feed)| {
        let client = ApiClient::new(Duration::from_secs(5), &Route::default()).unwrap();
        (feed, Service::new(name.into(), &services.base(name), client, registry.of(name)))
    });
    SecuritySearch::new(feeds.collect())
}

async fn find(backend: &SecuritySearch, query: &str) -> Result<Vec<Hit>, nexi_core::ports::Failure> {
    backend.search(&Query::new(query), &CancellationToken::new()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn all_databases_are_asked_what_they_understand() {
    let services = Services::start().await;
    let registry = Registry::default();
    let backend = search(&services, &registry);
    for (query, from) in [
        ("CVE-2024-12345", vec!["NVD", "CISA KEV", "GitHub", "OSV"]),
        ("npm orvik-parser", vec!["NVD", "CISA KEV", "GitHub", "OSV"]),
        ("orvik-parser", vec!["NVD", "CISA KEV", "GitHub"]),
        ("GHSA-abcd-efgh-2345", vec!["GitHub", "OSV"]),
        ("Orvik Parser Code Injection", vec!["NVD", "CISA KEV"]),
    ] {
        let hits = find(&backend, query).await.unwrap_or_else(|failure| panic!("{query}: {failure}"));
        let labels: Vec<&str> = hits.iter().filter_map(|hit| hit.title.rsplit_once('(')?.1.strip_suffix(')')).collect();
        assert_eq!(labels, from, "{query}");
        assert!(
            hits.iter().all(|hit| hit.url.starts_with("https://") && hit.date.as_deref().is_some_and(|day| day.starts_with("2024-05-"))),
            "{hits:?}"
        );
    }
    let hits = find(&backend, "CVE-2024-12345").await.unwrap();
    assert!(hits[0].snippet.contains("CVSS 9.8 CRITICAL") && hits[0].snippet.contains("orvik-parser before 2.1"), "{hits:?}");
    assert!(hits[1].snippet.contains("exploited in the wild") && hits[1].snippet.contains("ransomware"), "{hits:?}");
    assert!(hits[2].snippet.contains("< 2.1, mended in 2.1"), "{hits:?}");
    // The catalog is fetched once, and what was asked is not asked again.
    assert_eq!((services.asked("kev").len(), services.asked("osv").len()), (1, 3));
    assert_eq!(services.problems(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_fails_does_not_stand_in_the_way() {
    let services = Services::start().await;
    let registry = Registry::default();
    services.set("nvd", Mood::Status(503, vec![("retry-after", "120")], "busy", 99));
    services.set("github_advisories", Mood::Status(403, vec![("retry-after", "60")], "{\"message\": \"API rate limit exceeded\"}", 99));
    services.set("osv", Mood::Empty);
    let backend = search(&services, &registry);
    let hits = find(&backend, "CVE-2024-12345").await.unwrap();
    assert_eq!(hits.len(), 1, "{hits:?}");
    // They asked to be left alone, and are.
    let asked = (services.asked("nvd").len(), services.asked("github_advisories").len());
    find(&backend, "npm orvik-parser").await.unwrap();
    assert_eq!((services.asked("nvd").len(), services.asked("github_advisories").len()), asked);
    services.set("kev", Mood::Status(500, vec![], "", 99));
    let failure = find(&search(&services, &Registry::default()), "CVE-2024-99999").await;
    assert!(failure.is_err(), "the one that answers knows of nothing, and the others may: {failure:?}");
    services.set("osv", Mood::Status(500, vec![], "", 99));
    let failure = find(&search(&services, &Registry::default()), "GHSA-aaaa-bbbb-2222").await.unwrap_err();
    assert!(matches!(failure.fault, Fault::Transient | Fault::Limited { .. }), "{failure:?}");
}
