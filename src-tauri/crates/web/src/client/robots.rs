//! What sites do not want to be fetched by robots. It counts for pages that are fetched before
//! anybody has asked for them; a page that was asked for is read as a browser would read it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nexi_core::ports::{Failure, Fault};
use texting_robots::Robot;
use url::Url;

/// The name that rules for us would stand under.
const NAME: &str = "Nexi";
/// How long rules are remembered.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// Bytes of a file of rules that are read, as the specification has it.
const MAX_RULES: usize = 500 * 1024;
/// Sites whose rules are remembered.
const MAX_SITES: usize = 1000;

/// The rules of sites, by origin.
#[derive(Default)]
pub(super) struct Robots(Mutex<HashMap<String, (Instant, Rules)>>);

#[derive(Clone)]
enum Rules {
    /// The file itself; parsed anew, which takes microseconds, because parsed rules cannot be shared.
    Text(std::sync::Arc<[u8]>),
    All,
    Nothing,
}

impl Robots {
    /// Whether robots may fetch this address; `fetch` gets the file of rules.
    pub(super) async fn allow(&self, url: &Url, fetch: impl AsyncFnOnce(String) -> Result<Vec<u8>, Failure>) -> bool {
        let origin = url.origin().ascii_serialization();
        let known = {
            let sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            sites.get(&origin).filter(|(at, _)| at.elapsed() < KEPT).map(|(_, rules)| rules.clone())
        };
        let rules = match known {
            Some(rules) => rules,
            None => {
                let rules = match fetch(format!("{origin}/robots.txt")).await {
                    Ok(mut text) => {
                        text.truncate(MAX_RULES);
                        Rules::Text(text.into())
                    }
                    // A site in trouble is left alone; one without a file has no rules.
                    Err(failure) if matches!(failure.fault, Fault::Passing | Fault::Limited { .. } | Fault::Forbidden) => Rules::Nothing,
                    Err(_) => Rules::All,
                };
                let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                if sites.len() >= MAX_SITES {
                    sites.clear();
                }
                sites.insert(origin, (Instant::now(), rules.clone()));
                rules
            }
        };
        match rules {
            Rules::All => true,
            Rules::Nothing => false,
            Rules::Text(text) => Robot::new(NAME, &text).map(|robot| robot.allowed(url.as_str())).unwrap_or(true),
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
        assert!(!robots.allow(&other, async |_| Err(Failure::of(Fault::Passing, "down"))).await);
        let bare = Url::parse("https://bare.org/x").unwrap();
        assert!(robots.allow(&bare, async |_| Err(Failure::new("the page does not exist (404)"))).await);
    }
}
