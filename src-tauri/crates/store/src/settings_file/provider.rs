//! The tables of providers.

use nexi_core::settings::{ChatWire, JsonBackend, KeyStrategy, Problem, Provider, ProviderKind, Vendor};
use toml_edit::TableLike;

use super::{Reading, not_a_setting};

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
    "preset",
    "api",
    "thinking",
    "contact",
    "image",
    "memory_mib",
    "settings_file",
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
        // A table with the name of a preset needs no type and no address.
        let preset = Vendor::by_id(name);
        let word = self.text(&place, table, "type").or_else(|| {
            let preset = preset.filter(|_| !table.contains_key("type"))?;
            Some(preset.kind.as_str().to_owned())
        });
        let Some(kind) = word else {
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
        let api = match self.text(&place, table, "api") {
            None => ChatWire::default(),
            Some(word) => ChatWire::parse(&word).unwrap_or_else(|| {
                self.problems.push(Problem::new(format!("{place}api"), format!("must be auto, chat or responses, not {word:?}")));
                ChatWire::default()
            }),
        };
        let thinking = self.text(&place, table, "thinking").and_then(|word| {
            word.parse().map_err(|message: String| self.problems.push(Problem::new(format!("{place}thinking"), message))).ok()
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
            base_url: self.text(&place, table, "base_url").or_else(|| {
                let preset = preset.filter(|preset| preset.kind == kind && kind == ProviderKind::OpenaiCompatible)?;
                (!preset.base_url.is_empty() && !table.contains_key("base_url")).then(|| preset.base_url.to_owned())
            }),
            search_url: self.text(&place, table, "search_url"),
            reader_url: self.text(&place, table, "reader_url"),
            model: self.text(&place, table, "model"),
            api_key_env: self.text(&place, table, "api_key_env"),
            language: self.text(&place, table, "language"),
            engine_id: self.text(&place, table, "engine_id"),
            site: self.text(&place, table, "site"),
            json,
            managed,
            preset: self.text(&place, table, "preset"),
            api,
            thinking,
            contact: self.text(&place, table, "contact"),
            image: self.text(&place, table, "image"),
            memory_mib: self.whole(&place, table, "memory_mib"),
            settings_file: self.text(&place, table, "settings_file"),
        })
    }

    fn json_backend(&mut self, place: &str, table: &dyn TableLike) -> JsonBackend {
        // Headers are allowed here: they hold a placeholder for the key, which is checked.
        let unknown = table.iter().map(|(key, _)| key).filter(|key| !JSON.contains(key));
        self.unknown.extend(unknown.map(|key| not_a_setting(place, key, JSON)));
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
