//! The tables of providers.

use nexi_core::settings::{JsonBackend, KeyStrategy, Problem, Provider, ProviderKind};
use toml_edit::TableLike;

use super::Reading;

const PROVIDER: &[&str] = &[
    "type",
    "base_url",
    "search_url",
    "reader_url",
    "model",
    "api_key_env",
    "more_key_envs",
    "key_strategy",
    "requests_per_minute",
    "tools",
    "language",
    "engine_id",
    "site",
    "json",
    "managed",
];

impl Reading {
    pub(super) fn provider(&mut self, name: &str, table: &dyn TableLike) -> Option<Provider> {
        let place = format!("providers.{name}.");
        for secret in ["api_key", "key", "token", "password"] {
            if table.contains_key(secret) {
                let message = "keys do not belong in this file. Put the key into an environment variable and name it with api_key_env, or store it in the keyring, and remove this line";
                self.problems.push(Problem::new(format!("{place}{secret}"), message));
            }
        }
        let known: Vec<&str> = PROVIDER.iter().chain(&["api_key", "key", "token", "password"]).copied().collect();
        self.unknown_keys(&place, table, &known);
        let kinds = || ProviderKind::ALL.map(ProviderKind::as_str).join(", ");
        let Some(kind) = self.text(&place, table, "type") else {
            if !table.contains_key("type") {
                self.problems.push(Problem::new(format!("{place}type"), format!("is missing; write one of {}", kinds())));
            }
            return None;
        };
        let Some(kind) = ProviderKind::parse(&kind) else {
            self.problems.push(Problem::new(format!("{place}type"), format!("{kind:?} is not known; write one of {}", kinds())));
            return None;
        };
        let key_strategy = match self.text(&place, table, "key_strategy") {
            None => KeyStrategy::default(),
            Some(word) => KeyStrategy::parse(&word).unwrap_or_else(|| {
                self.problems.push(Problem::new(format!("{place}key_strategy"), format!("must be fallback or round_robin, not {word:?}")));
                KeyStrategy::default()
            }),
        };
        let mut more_key_envs = Vec::new();
        self.texts(&place, table, "more_key_envs", &mut more_key_envs);
        let tools = table.get("tools").and_then(|item| {
            if item.as_bool().is_none() {
                self.wrong(&format!("{place}tools"), "true or false", item);
            }
            item.as_bool()
        });
        let mut managed = false;
        self.switch(&place, table, "managed", &mut managed);
        let json = self.table(table, "json").map(|json| self.json_backend(&format!("{place}json."), json));
        Some(Provider {
            kind,
            more_key_envs,
            key_strategy,
            requests_per_minute: self.whole(&place, table, "requests_per_minute"),
            tools,
            base_url: self.text(&place, table, "base_url"),
            search_url: self.text(&place, table, "search_url"),
            reader_url: self.text(&place, table, "reader_url"),
            model: self.text(&place, table, "model"),
            api_key_env: self.text(&place, table, "api_key_env"),
            language: self.text(&place, table, "language"),
            engine_id: self.text(&place, table, "engine_id"),
            site: self.text(&place, table, "site"),
            json,
            managed,
        })
    }

    fn json_backend(&mut self, place: &str, table: &dyn TableLike) -> JsonBackend {
        // Headers are allowed here: they hold a placeholder for the key, which is checked.
        for (key, _) in table.iter().filter(|(key, _)| !JSON.contains(key)) {
            self.unknown.push(Problem::new(format!("{place}{key}"), "is not a setting and has no effect"));
        }
        let mut out = JsonBackend {
            url: self.text(place, table, "url").unwrap_or_default(),
            body: self.text(place, table, "body"),
            results: self.text(place, table, "results").unwrap_or_default(),
            title: self.text(place, table, "title").unwrap_or_default(),
            link: self.text(place, table, "link").unwrap_or_default(),
            snippet: self.text(place, table, "snippet").unwrap_or_default(),
            date: self.text(place, table, "date"),
            ..JsonBackend::default()
        };
        if let Some(headers) = self.table(table, "headers") {
            for (name, _) in headers.iter() {
                if let Some(value) = self.text(&format!("{place}headers."), headers, name) {
                    out.headers.insert(name.to_owned(), value);
                }
            }
        }
        out
    }
}

const JSON: &[&str] = &["url", "body", "headers", "results", "title", "link", "snippet", "date"];
