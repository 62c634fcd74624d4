//! Manners: few connections, rules for robots, conditional requests, who we say we are.

use std::sync::Arc;
use std::time::Duration;

use nexi_core::ports::{Fault, ReadRequest, Validators};
use nexi_core::settings::{Proxy, Route};
use nexi_testkit::Site;
use nexi_web::Guard;
use nexi_web::client::{Got, PageClient, USER_AGENT};
use tokio_util::sync::CancellationToken;

fn client(site: &Site) -> PageClient {
    PageClient::new(Guard::new(std::slice::from_ref(&site.host)), &Route { proxy: Proxy::None, roots: Vec::new() }).unwrap()
}

fn request(site: &Site, path: &str, ahead: bool) -> ReadRequest {
    let ahead = ahead.then(CancellationToken::new);
    ReadRequest { url: site.url(path).parse().unwrap(), ahead, validators: Validators::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_has_to_bear_four_connections_at_most() {
    let pages: Vec<(String, String)> = (0..16).map(|number| (format!("/{number}"), format!("<p>Page {number}"))).collect();
    let list: Vec<(&str, &str)> = pages.iter().map(|(path, html)| (path.as_str(), html.as_str())).collect();
    let site = Site::start(&list).await;
    site.set_delay(Duration::from_millis(40));
    let client = Arc::new(client(&site));
    let reads = (0..16).map(|number| {
        let (client, request) = (client.clone(), request(&site, &format!("/{number}"), false));
        tokio::spawn(async move { client.get(&request, &CancellationToken::new()).await.is_ok() })
    });
    for read in reads.collect::<Vec<_>>() {
        assert!(read.await.unwrap());
    }
    assert_eq!(site.most_at_once(), 4);
    assert_eq!(site.agents(), [USER_AGENT], "one name for all");
    assert!(USER_AGENT.starts_with("Nexi/"));
}

#[tokio::test(flavor = "multi_thread")]
async fn robots_txt_counts_for_what_nobody_asked_for() {
    let site = Site::start(&[("/robots.txt", "User-agent: *\nDisallow: /private\n"), ("/private/a", "<p>x"), ("/open", "<p>y")]).await;
    let client = client(&site);
    let get = async |path: &str, ahead: bool| client.get(&request(&site, path, ahead), &CancellationToken::new()).await;
    let failure = get("/private/a", true).await.unwrap_err();
    assert!(failure.fault == Fault::Forbidden && failure.message.contains("robots"), "{failure}");
    assert_eq!(site.asked("/private/a"), 0);
    assert!(get("/open", true).await.is_ok());
    assert!(get("/private/a", false).await.is_ok(), "a person asked, as with a browser");
    assert_eq!(site.asked("/robots.txt"), 1, "the rules are asked for once");
    let begun = request(&site, "/private/a", true);
    begun.ahead.as_ref().unwrap().cancel();
    assert!(client.get(&begun, &CancellationToken::new()).await.is_ok(), "begun ahead, and asked for since");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_page_is_not_sent_again() {
    let site = Site::start(&[("/a", "<p>Text")]).await;
    let client = client(&site);
    let mut request = request(&site, "/a", false);
    let Ok(Got::Page(page)) = client.get(&request, &CancellationToken::new()).await else { panic!("no page") };
    assert!(page.caching.keep && page.caching.validators.etag.is_some());
    request.validators = page.caching.validators;
    assert!(matches!(client.get(&request, &CancellationToken::new()).await, Ok(Got::Unchanged(_))));
}
