//! Databases of vulnerabilities: NVD, CISA's catalog, GitHub's advisories, OSV. All know one hole in
//! a made-up library.

use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::Check;

const ID: &str = "CVE-2024-12345";
const GHSA: &str = "GHSA-abcd-efgh-2345";

impl Check<'_> {
    pub(super) fn feed(&mut self, path: String, empty: bool) -> Response {
        let query = self.asked.query.clone();
        let has = |name: &str| query.get(name).is_some_and(|text| !text.is_empty());
        let list = |item: Value| if empty { json!([]) } else { json!([item]) };
        let value = match self.service {
            "nvd" => {
                self.is(Method::GET, "/rest/json/cves/2.0");
                self.must(has("cveId") != has("keywordSearch"), "wants cveId or keywordSearch");
                let metrics = json!({"cvssMetricV31": [{"cvssData": {"baseScore": 9.8, "baseSeverity": "CRITICAL"}}]});
                json!({"resultsPerPage": 1, "totalResults": 1, "format": "NVD_CVE", "vulnerabilities": list(json!({"cve": {
                    "id": ID, "published": "2024-05-17T10:15:08.327", "lastModified": "2024-06-01T00:00:00.000",
                    "descriptions": [{"lang": "es", "value": "no"}, {"lang": "en", "value": "orvik-parser before 2.1 runs what it reads."}],
                    "metrics": metrics
                }}))})
            }
            "kev" => {
                self.is(Method::GET, "/sites/default/files/feeds/known_exploited_vulnerabilities.json");
                json!({"title": "CISA Catalog of Known Exploited Vulnerabilities", "count": 1, "vulnerabilities": list(json!({
                    "cveID": ID, "vendorProject": "Orvik", "product": "orvik-parser", "vulnerabilityName": "Orvik Parser Code Injection",
                    "dateAdded": "2024-05-20", "shortDescription": "It runs what it reads.", "requiredAction": "Apply updates.",
                    "dueDate": "2024-06-10", "knownRansomwareCampaignUse": "Known"
                }))})
            }
            "github_advisories" => {
                self.is(Method::GET, "/advisories");
                self.must(has("cve_id") || has("ghsa_id") || has("affects"), "wants cve_id, ghsa_id or affects");
                self.must(self.asked.headers.get("accept").is_some_and(|accept| accept == "application/vnd.github+json"), "wants accept");
                self.must(self.asked.headers.contains_key("user-agent"), "wants a user agent");
                list(json!({
                    "ghsa_id": GHSA, "cve_id": ID, "html_url": format!("https://github.com/advisories/{GHSA}"), "summary": "Code injection",
                    "description": "Update.", "severity": "critical", "published_at": "2024-05-18T00:00:00Z",
                    "vulnerabilities": [{"package": {"ecosystem": "npm", "name": "orvik-parser"}, "vulnerable_version_range": "< 2.1", "first_patched_version": "2.1"}]
                }))
            }
            _ => {
                let entry = json!({"id": GHSA, "summary": "Code injection in orvik-parser", "details": "It runs what it reads.",
                    "aliases": [ID], "published": "2024-05-18T00:00:00Z", "modified": "2024-05-19T00:00:00Z"});
                if let Some(id) = path.strip_prefix("/v1/vulns/") {
                    self.must(*self.method == Method::GET, "wants GET");
                    if empty || !(id == ID || id == GHSA) {
                        return (StatusCode::NOT_FOUND, axum::Json(json!({"code": 5, "message": "Bug not found."}))).into_response();
                    }
                    entry
                } else {
                    self.is(Method::POST, "/v1/query");
                    let package = &self.asked.body["package"];
                    self.must(package["name"].is_string() && package["ecosystem"].is_string(), "wants package.name and package.ecosystem");
                    if empty { json!({}) } else { json!({"vulns": [entry]}) }
                }
            }
        };
        axum::Json(value).into_response()
    }
}
