//! Databases of vulnerabilities, asked at the same time: NVD, CISA's catalog of exploited ones,
//! GitHub's advisories, OSV.

use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;
use nexi_core::ports::{Cause, Failure, Fault, Hit, Query, SearchBackend, SearchTool};
use nexi_core::text::{fold_space, truncate};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::client::{ApiReply, limited};
use crate::service::Service;

/// Results taken of one database.
const MAX_RESULTS: usize = 8;
/// Bytes of a description that are kept.
const MAX_TEXT: usize = 1200;
/// How long a catalog that is fetched whole stays good.
const CATALOG: Duration = Duration::from_secs(6 * 3600);
/// Requests a minute of somebody without a key: NVD wants to see at most five in any 30 seconds.
const NVD_A_MINUTE: u32 = 8;

/// One of the databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feed {
    Nvd,
    /// Known exploited vulnerabilities, as one file.
    Kev,
    GithubAdvisories,
    Osv,
}

impl Feed {
    /// Its own address.
    pub fn address(self) -> &'static str {
        match self {
            Feed::Nvd => "https://services.nvd.nist.gov",
            Feed::Kev => "https://www.cisa.gov",
            Feed::GithubAdvisories => "https://api.github.com",
            Feed::Osv => "https://api.osv.dev",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Feed::Nvd => "NVD",
            Feed::Kev => "CISA KEV",
            Feed::GithubAdvisories => "GitHub",
            Feed::Osv => "OSV",
        }
    }
}

/// Names of package registries as people write them, and as GitHub and OSV do.
const ECOSYSTEMS: &[(&str, &str, &str)] = &[
    ("npm", "npm", "npm"),
    ("node", "npm", "npm"),
    ("pypi", "pip", "PyPI"),
    ("pip", "pip", "PyPI"),
    ("python", "pip", "PyPI"),
    ("crates.io", "rust", "crates.io"),
    ("cargo", "rust", "crates.io"),
    ("rust", "rust", "crates.io"),
    ("go", "go", "Go"),
    ("golang", "go", "Go"),
    ("maven", "maven", "Maven"),
    ("java", "maven", "Maven"),
    ("nuget", "nuget", "NuGet"),
    ("rubygems", "rubygems", "RubyGems"),
    ("ruby", "rubygems", "RubyGems"),
    ("packagist", "composer", "Packagist"),
    ("composer", "composer", "Packagist"),
    ("php", "composer", "Packagist"),
    ("hex", "erlang", "Hex"),
    ("pub", "pub", "Pub"),
];

/// What a query is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    /// `CVE-…` or `GHSA-…`.
    Id(String),
    Package {
        /// Index into the list of registries.
        ecosystem: usize,
        name: String,
    },
    Words(String),
}

fn understand(query: &str) -> Wanted {
    let words: Vec<&str> = query.split_whitespace().map(|word| word.trim_matches([',', ';', '"', '\'', '(', ')', '?', '.'])).collect();
    let is_id = |word: &&&str| {
        let upper = word.to_ascii_uppercase();
        ["CVE-", "GHSA-", "RUSTSEC-", "PYSEC-", "GO-"].iter().any(|mark| upper.starts_with(mark))
            && word.bytes().any(|byte| byte.is_ascii_digit())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if let Some(id) = words.iter().find(is_id) {
        // GitHub's ids are lower case behind their mark.
        let id = match id.to_ascii_uppercase().strip_prefix("GHSA-") {
            Some(rest) => format!("GHSA-{}", rest.to_ascii_lowercase()),
            None => id.to_ascii_uppercase(),
        };
        return Wanted::Id(id);
    }
    let ecosystem = words.iter().find_map(|word| {
        let index = ECOSYSTEMS.iter().position(|(name, ..)| name.eq_ignore_ascii_case(word))?;
        Some((index, *word))
    });
    if let Some((index, mark)) = ecosystem {
        let rest: Vec<&str> = words.iter().copied().filter(|word| *word != mark && !is_filler(word)).collect();
        if let [name] = rest.as_slice() {
            return Wanted::Package { ecosystem: index, name: (*name).to_owned() };
        }
    }
    Wanted::Words(fold_space(&words.iter().copied().filter(|word| !is_filler(word)).collect::<Vec<_>>().join(" ")))
}

/// Words that say only that it is about security.
fn is_filler(word: &str) -> bool {
    [
        "vulnerability",
        "vulnerabilities",
        "cve",
        "cves",
        "security",
        "advisory",
        "advisories",
        "exploit",
        "exploits",
        "package",
        "in",
        "of",
        "the",
        "for",
    ]
    .iter()
    .any(|filler| filler.eq_ignore_ascii_case(word))
}

/// All databases as one backend.
pub struct SecuritySearch {
    feeds: Vec<(Feed, Service)>,
}

impl SecuritySearch {
    /// Asks these.
    pub fn new(mut feeds: Vec<(Feed, Service)>) -> Self {
        for (feed, service) in &mut feeds {
            if *feed == Feed::Nvd && service.keys.is_empty() {
                service.requests_per_minute = Some(service.requests_per_minute.map_or(NVD_A_MINUTE, |own| own.min(NVD_A_MINUTE)));
            }
        }
        Self { feeds }
    }
}

#[async_trait]
impl SearchBackend for SecuritySearch {
    fn name(&self) -> &str {
        SearchTool::Security.call()
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let wanted = understand(&query.text);
        let asked = self.feeds.iter().map(|(feed, service)| ask(*feed, service, &wanted, cancel));
        let (mut lists, mut failures) = (Vec::new(), Vec::new());
        for ((feed, _), found) in self.feeds.iter().zip(join_all(asked).await) {
            match found {
                Ok(Some(mut hits)) => {
                    hits.truncate(MAX_RESULTS);
                    lists.push(hits);
                }
                // The database cannot be asked such a thing.
                Ok(None) => {}
                Err(failure) => {
                    tracing::warn!(feed = feed.label(), %failure, "a security feed failed");
                    failures.push(failure);
                }
            }
        }
        // Nothing from those that answered says little while others did not.
        if lists.iter().all(Vec::is_empty) && (lists.is_empty() || !failures.is_empty()) {
            return Err(failures.pop().unwrap_or_else(|| Failure::because(Cause::NotAskable)));
        }
        // The first of each, then the second of each.
        let deepest = lists.iter().map(Vec::len).max().unwrap_or_default();
        let mut out = Vec::new();
        for place in 0..deepest {
            out.extend(lists.iter().filter_map(|list| list.get(place).cloned()));
        }
        Ok(out)
    }
}

async fn ask(feed: Feed, service: &Service, wanted: &Wanted, cancel: &CancellationToken) -> Result<Option<Vec<Hit>>, Failure> {
    let name = service.name.as_str();
    let key = format!("{feed:?} {wanted:?}");
    if let Some(known) = service.shared.remembered(&key) {
        return Ok(Some(known));
    }
    if feed == Feed::Kev {
        let catalog = match service.shared.remembered("catalog") {
            Some(catalog) => catalog,
            None => {
                let catalog = catalog(service, cancel).await?;
                service.shared.remember("catalog".into(), catalog.clone(), CATALOG);
                catalog
            }
        };
        return Ok(Some(matching(&catalog, wanted)));
    }
    let Some(request) = request(feed, wanted) else { return Ok(None) };
    let build = |key: Option<&str>, start: Option<u64>| {
        let url = format!("{}{}", service.base, request.path);
        let mut out = match &request.body {
            Some(body) => service.client.post(&url).json(body),
            None => service.client.get(&url).query(&request.query),
        };
        match (feed, key) {
            (Feed::Nvd, Some(key)) => out = out.header("apiKey", key),
            (Feed::GithubAdvisories, Some(key)) => out = out.bearer_auth(key),
            _ => {}
        }
        if let Some(start) = start {
            out = out.query(&[("startIndex", start)]);
        }
        if feed == Feed::GithubAdvisories {
            out = out.header("accept", "application/vnd.github+json").header("x-github-api-version", "2022-11-28");
        }
        Ok(out)
    };
    let read = |reply: &ApiReply| {
        match (feed, reply.status) {
            // NVD answers so to a key that it does not know.
            (Feed::Nvd, 404) if !service.keys.is_empty() && matches!(wanted, Wanted::Words(_)) => {
                return Err(Failure::because(Cause::KeyUnknown { service: name.to_owned() }));
            }
            // Its way to say "too often".
            (Feed::Nvd, 403 | 503) => return Err(limited(name, reply.retry_after.or(Some(30)))),
            // There is no such id.
            (_, 404) => return Ok((Vec::new(), 0)),
            _ => {}
        }
        let value = reply.json(name)?;
        let hits = match feed {
            Feed::Nvd => nvd(&value),
            Feed::GithubAdvisories => github(&value),
            Feed::Osv | Feed::Kev => osv(&value),
        };
        Ok((hits, value.get("totalResults").and_then(Value::as_u64).unwrap_or_default()))
    };
    let (mut hits, total) = service.ask(false, cancel, |key| build(key, None), read).await?;
    // NVD lists the oldest first; the newest stand at the end.
    let page = (MAX_RESULTS * 2) as u64;
    if feed == Feed::Nvd && total > page {
        match service.ask(false, cancel, |key| build(key, Some(total - page)), read).await {
            Ok((newest, _)) if !newest.is_empty() => hits = newest,
            Ok(_) => {}
            Err(failure) => tracing::info!(%failure, "the newest entries could not be had"),
        }
    }
    service.shared.remember(key, hits.clone(), crate::registry::REMEMBERED);
    Ok(Some(hits))
}

/// The places of the catalog of exploited vulnerabilities: CISA's own site, which refuses many
/// networks, and the public repository that holds the same file.
const CATALOGS: [&str; 3] = [
    "/sites/default/files/feeds/known_exploited_vulnerabilities.json",
    "https://raw.githubusercontent.com/cisagov/kev-data/develop/known_exploited_vulnerabilities.json",
    "https://raw.githubusercontent.com/cisagov/kev-data/main/known_exploited_vulnerabilities.json",
];

async fn catalog(service: &Service, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
    let mut first = None;
    // An address of the person's own is the only one that is asked.
    let places = if service.base == Feed::Kev.address() { &CATALOGS[..] } else { &CATALOGS[..1] };
    for place in places {
        let address = if place.starts_with('/') { format!("{}{place}", service.base) } else { (*place).to_owned() };
        let request = |_: Option<&str>| Ok(service.client.get(&address));
        match service.ask(false, cancel, request, |reply| Ok(kev(&reply.json(&service.name)?))).await {
            Ok(catalog) => return Ok(catalog),
            Err(failure) if failure.fault == Fault::Cancelled => return Err(failure),
            Err(failure) => drop(first.get_or_insert(failure)),
        }
    }
    Err(first.unwrap_or_else(|| Failure::because(Cause::NoCatalog)))
}

struct Request {
    path: String,
    query: Vec<(&'static str, String)>,
    body: Option<Value>,
}

/// What a database is asked; none where it has no such question.
fn request(feed: Feed, wanted: &Wanted) -> Option<Request> {
    let get = |path: &str, query: Vec<(&'static str, String)>| Some(Request { path: path.into(), query, body: None });
    match (feed, wanted) {
        (Feed::Nvd, Wanted::Id(id)) if id.starts_with("CVE-") => get("/rest/json/cves/2.0", vec![("cveId", id.clone())]),
        (Feed::Nvd, Wanted::Id(_)) => None,
        (Feed::Nvd, Wanted::Package { name: words, .. } | Wanted::Words(words)) => {
            get("/rest/json/cves/2.0", vec![("keywordSearch", words.clone()), ("resultsPerPage", (MAX_RESULTS * 2).to_string())])
        }
        (Feed::GithubAdvisories, Wanted::Id(id)) => {
            let field = if id.starts_with("GHSA-") { "ghsa_id" } else { "cve_id" };
            (id.starts_with("GHSA-") || id.starts_with("CVE-")).then(|| get("/advisories", vec![(field, id.clone())]))?
        }
        (Feed::GithubAdvisories, Wanted::Package { ecosystem, name }) => get(
            "/advisories",
            vec![("ecosystem", ECOSYSTEMS[*ecosystem].1.into()), ("affects", name.clone()), ("per_page", MAX_RESULTS.to_string())],
        ),
        // Only names of packages are understood there.
        (Feed::GithubAdvisories, Wanted::Words(words)) if !words.contains(' ') && !words.is_empty() => {
            get("/advisories", vec![("affects", words.clone()), ("per_page", MAX_RESULTS.to_string())])
        }
        (Feed::Osv, Wanted::Id(id)) => get(&format!("/v1/vulns/{id}"), Vec::new()),
        (Feed::Osv, Wanted::Package { ecosystem, name }) => Some(Request {
            path: "/v1/query".into(),
            query: Vec::new(),
            body: Some(json!({"package": {"name": name, "ecosystem": ECOSYSTEMS[*ecosystem].2}})),
        }),
        _ => None,
    }
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn hit(feed: Feed, title: &str, url: String, parts: &[String], date: &str) -> Hit {
    let snippet: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    Hit {
        title: format!("{} ({})", fold_space(title), feed.label()),
        url,
        snippet: truncate(&fold_space(&snippet.join(" · ")), MAX_TEXT),
        date: date.get(..10).filter(|day| day.as_bytes()[4] == b'-').map(str::to_owned),
        ..Hit::default()
    }
}

fn list<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn nvd(value: &Value) -> Vec<Hit> {
    let mut hits: Vec<Hit> = list(value, "/vulnerabilities")
        .filter_map(|item| {
            let cve = item.get("cve")?;
            let id = text(cve, "/id");
            let words =
                list(cve, "/descriptions").find(|one| text(one, "/lang") == "en").map(|one| text(one, "/value")).unwrap_or_default();
            let score = ["cvssMetricV40", "cvssMetricV31", "cvssMetricV30", "cvssMetricV2"].iter().find_map(|kind| {
                let data = cve.pointer(&format!("/metrics/{kind}/0/cvssData"))?;
                let severity = [text(data, "/baseSeverity"), text(cve, &format!("/metrics/{kind}/0/baseSeverity"))].concat();
                Some(format!("CVSS {} {severity}", data.get("baseScore")?))
            });
            let parts = [score.unwrap_or_default(), words.to_owned()];
            (!id.is_empty()).then(|| hit(Feed::Nvd, id, format!("https://nvd.nist.gov/vuln/detail/{id}"), &parts, text(cve, "/published")))
        })
        .collect();
    // They come oldest first.
    hits.sort_by(|a, b| b.date.cmp(&a.date));
    hits
}

fn kev(value: &Value) -> Vec<Hit> {
    list(value, "/vulnerabilities")
        .filter_map(|item| {
            let id = text(item, "/cveID");
            let title = format!("{id} {} {}: {}", text(item, "/vendorProject"), text(item, "/product"), text(item, "/vulnerabilityName"));
            let due =
                Some(text(item, "/dueDate")).filter(|due| !due.is_empty()).map(|due| format!("to be mended by {due}")).unwrap_or_default();
            let ransom = if text(item, "/knownRansomwareCampaignUse") == "Known" { "used in ransomware campaigns" } else { "" };
            let parts = [
                "exploited in the wild".into(),
                text(item, "/shortDescription").to_owned(),
                text(item, "/requiredAction").to_owned(),
                due,
                ransom.into(),
            ];
            let url = format!("https://www.cisa.gov/known-exploited-vulnerabilities-catalog?search_api_fulltext={id}");
            (!id.is_empty()).then(|| hit(Feed::Kev, &title, url, &parts, text(item, "/dateAdded")))
        })
        .collect()
}

/// The entries of the catalog that a query is about, newest first.
fn matching(catalog: &[Hit], wanted: &Wanted) -> Vec<Hit> {
    let words: Vec<String> = match wanted {
        Wanted::Id(id) => vec![id.to_lowercase()],
        Wanted::Package { name, .. } => vec![name.to_lowercase()],
        Wanted::Words(words) => words.split_whitespace().map(str::to_lowercase).collect(),
    };
    let mut out: Vec<Hit> = catalog
        .iter()
        .filter(|hit| {
            let text = format!("{} {}", hit.title, hit.snippet).to_lowercase();
            // Whole words: `go` is not in every `Google`.
            let has = |word: &String| text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '.')).any(|other| other == word);
            !words.is_empty() && words.iter().all(has)
        })
        .cloned()
        .collect();
    out.sort_by(|a, b| b.date.cmp(&a.date));
    out
}

fn github(value: &Value) -> Vec<Hit> {
    list(value, "")
        .filter_map(|item| {
            let id = text(item, "/ghsa_id");
            let title = [id, text(item, "/cve_id"), text(item, "/summary")]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ");
            let ranges: Vec<String> = list(item, "/vulnerabilities")
                .map(|one| {
                    let fixed = [text(one, "/first_patched_version"), text(one, "/first_patched_version/identifier")].concat();
                    let fixed = if fixed.is_empty() { String::new() } else { format!(", mended in {fixed}") };
                    format!("{} {}{fixed}", text(one, "/package/name"), text(one, "/vulnerable_version_range"))
                })
                .collect();
            let parts = [format!("severity {}", text(item, "/severity")), ranges.join("; "), text(item, "/description").to_owned()];
            let url = Some(text(item, "/html_url"))
                .filter(|url| url.starts_with("https://"))
                .map_or(format!("https://github.com/advisories/{id}"), str::to_owned);
            (!id.is_empty()).then(|| hit(Feed::GithubAdvisories, &title, url, &parts, text(item, "/published_at")))
        })
        .collect()
}

fn osv(value: &Value) -> Vec<Hit> {
    let single = value.get("id").is_some().then_some(value);
    let mut hits: Vec<Hit> = list(value, "/vulns")
        .chain(single)
        .filter_map(|item| {
            let id = text(item, "/id");
            let aliases: Vec<&str> = list(item, "/aliases").filter_map(Value::as_str).take(3).collect();
            let title =
                format!("{id} {}", if text(item, "/summary").is_empty() { aliases.join(" ") } else { text(item, "/summary").to_owned() });
            let parts = [aliases.join(", "), text(item, "/details").to_owned()];
            (!id.is_empty())
                .then(|| hit(Feed::Osv, &title, format!("https://osv.dev/vulnerability/{id}"), &parts, text(item, "/published")))
        })
        .collect();
    hits.sort_by(|a, b| b.date.cmp(&a.date));
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_understood() {
        let package = |name: &str, mark: &str| Wanted::Package {
            ecosystem: ECOSYSTEMS.iter().position(|(known, ..)| *known == mark).unwrap(),
            name: name.into(),
        };
        for (query, wanted) in [
            ("cve-2021-44228", Wanted::Id("CVE-2021-44228".into())),
            ("Is CVE-2021-44228 exploited?", Wanted::Id("CVE-2021-44228".into())),
            ("ghsa-JFH8-c2jp-5v3q", Wanted::Id("GHSA-jfh8-c2jp-5v3q".into())),
            ("npm lodash", package("lodash", "npm")),
            ("vulnerabilities in the crate serde of cargo", Wanted::Words("crate serde cargo".into())),
            ("security of pypi django", package("django", "pypi")),
            ("log4j", Wanted::Words("log4j".into())),
        ] {
            assert_eq!(understand(query), wanted, "{query}");
        }
    }

    #[test]
    fn catalogs_are_searched_by_whole_words() {
        let entry =
            |title: &str| Hit { title: title.into(), url: "https://e.org".into(), snippet: String::new(), date: None, ..Hit::default() };
        let catalog = [entry("CVE-1 Google Chrome: bug"), entry("CVE-2 Go toolchain: bug")];
        assert_eq!(matching(&catalog, &Wanted::Words("go".into())).len(), 1);
        assert_eq!(matching(&catalog, &Wanted::Id("CVE-1".into()))[0].title, catalog[0].title);
        assert!(matching(&catalog, &Wanted::Words(String::new())).is_empty());
    }
}
