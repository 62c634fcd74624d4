//! What sites do not want to be fetched by robots. It counts for pages that are fetched before
//! anybody has asked for them; a page that was asked for is read as a browser would read it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nexi_core::ports::{Failure, Fault};
use texting_robots::Robot;
use url::Url;

/// The name that rules for us would stand under.
const NAME: &str = "Nexi";
/// How long rules are remembered.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// How long a site that could not be asked is not asked again.
const SOON: Duration = Duration::from_secs(120);
/// Bytes of a file of rules that are read; honest ones have a few thousand.
const MAX_RULES: usize = 100 * 1024;
/// Sites whose rules are remembered.
const MAX_SITES: usize = 1000;

/// The rules of sites, by origin. A site's rules are asked for once, however many want them.
#[derive(Default)]
pub(super) struct Robots(Mutex<HashMap<String, Arc<Site>>>);

/// What is known of a site, and since when.
type Site = tokio::sync::Mutex<Option<(Instant, Rules)>>;

#[derive(Clone)]
enum Rules {
    /// The file itself; parsed anew, which takes microseconds, because parsed rules cannot be shared.
    Text(Arc<[u8]>),
    All,
    /// The site could not be asked; it is asked again soon.
    NothingYet,
}

impl Robots {
    /// Whether robots may fetch this address; `fetch` gets the file of rules.
    pub(super) async fn allow(&self, url: &Url, fetch: impl AsyncFnOnce(String) -> Result<Vec<u8>, Failure>) -> bool {
        let origin = url.origin().ascii_serialization();
        let site = {
            let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if sites.len() >= MAX_SITES && !sites.contains_key(&origin) {
                sites.clear();
            }
            sites.entry(origin.clone()).or_default().clone()
        };
        let mut known = site.lock().await;
        let fresh = |(at, rules): &&(Instant, Rules)| at.elapsed() < if matches!(rules, Rules::NothingYet) { SOON } else { KEPT };
        let rules = match known.as_ref().filter(fresh) {
            Some((_, rules)) => rules.clone(),
            None => {
                let rules = match fetch(format!("{origin}/robots.txt")).await {
                    Ok(mut text) => {
                        text.truncate(MAX_RULES);
                        Rules::Text(text.into())
                    }
                    // A site in trouble is left alone; one without a file has no rules.
                    Err(failure) if matches!(failure.fault, Fault::Transient | Fault::Limited { .. } | Fault::Forbidden) => {
                        Rules::NothingYet
                    }
                    Err(_) => Rules::All,
                };
                *known = Some((Instant::now(), rules.clone()));
                rules
            }
        };
        drop(known);
        match rules {
            Rules::All => true,
            Rules::NothingYet => false,
            // Rules that cannot be understood forbid.
            Rules::Text(text) => Robot::new(NAME, &text).is_ok_and(|robot| robot.allowed(url.as_str())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn rules_are_kept_and_asked_for_once() {
        let robots = Robots::default();
        let asked = std::cell::Cell::new(0);
        let allow = async |path: &str| {
            let url = Url::parse("https://e.org").unwrap().join(path).unwrap();
            robots
                .allow(&url, async |_| {
                    asked.set(asked.get() + 1);
                    Ok(b"User-agent: *\nDisallow: /private\nUser-agent: nexi\nDisallow: /not-nexi\n".to_vec())
                })
                .await
        };
        assert!(allow("/private/x").await, "our own rules come before those for all");
        assert!(!allow("/not-nexi").await);
        assert!(allow("/fine").await);
        assert_eq!(asked.get(), 1);
        let other = Url::parse("https://down.org/x").unwrap();
        assert!(!robots.allow(&other, async |_| Err(Failure::of(Fault::Transient, "down"))).await);
        let bare = Url::parse("https://bare.org/x").unwrap();
        assert!(robots.allow(&bare, async |_| Err(Failure::new("the page does not exist (404)"))).await);
    }
}
