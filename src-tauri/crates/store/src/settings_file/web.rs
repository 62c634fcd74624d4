//! The tables about finding and reading: `network`, `search`, `cache`.

use nexi_core::settings::{Problem, SafeSearch, Settings};
use toml_edit::TableLike;

use super::Reading;

impl Reading {
    pub(super) fn web(&mut self, table: &dyn TableLike, out: &mut Settings) {
        if let Some(network) = self.table(table, "network") {
            self.unknown_keys("network.", network, &["allowed_private_hosts", "proxy", "root_certificates", "respect_robots"]);
            self.texts("network.", network, "allowed_private_hosts", &mut out.network.allowed_private_hosts);
            self.texts("network.", network, "root_certificates", &mut out.network.root_certificates);
            if let Some(proxy) = self.text("network.", network, "proxy") {
                out.network.proxy = proxy;
            }
            self.switch("network.", network, "respect_robots", &mut out.network.respect_robots);
        }
        if let Some(search) = self.table(table, "search") {
            let known = [
                "count",
                "language",
                "country",
                "safe_search",
                "include_sites",
                "exclude_sites",
                "demote_sites",
                "prefer_sites",
                "at_once",
            ];
            self.unknown_keys("search.", search, &known);
            for (key, field) in [("count", &mut out.search.count), ("at_once", &mut out.search.at_once)] {
                if let Some(value) = self.whole("search.", search, key) {
                    *field = value;
                }
            }
            out.search.language = self.text("search.", search, "language");
            out.search.country = self.text("search.", search, "country");
            if let Some(word) = self.text("search.", search, "safe_search") {
                match SafeSearch::parse(&word) {
                    Some(level) => out.search.safe_search = level,
                    None => {
                        self.problems.push(Problem::new("search.safe_search", format!("must be off, moderate or strict, not {word:?}")));
                    }
                }
            }
            self.texts("search.", search, "include_sites", &mut out.search.include_sites);
            self.texts("search.", search, "exclude_sites", &mut out.search.exclude_sites);
            self.texts("search.", search, "demote_sites", &mut out.search.demote_sites);
            self.texts("search.", search, "prefer_sites", &mut out.search.prefer_sites);
        }
        if let Some(cache) = self.table(table, "cache") {
            self.unknown_keys("cache.", cache, &["enabled", "max_mib"]);
            self.switch("cache.", cache, "enabled", &mut out.cache.enabled);
            if let Some(size) = self.whole("cache.", cache, "max_mib") {
                out.cache.max_mib = size;
            }
        }
    }

    pub(super) fn switch(&mut self, place: &str, table: &dyn TableLike, key: &str, field: &mut bool) {
        let Some(item) = table.get(key) else { return };
        match item.as_bool() {
            Some(value) => *field = value,
            None => self.wrong(&format!("{place}{key}"), "true or false", item),
        }
    }
}
