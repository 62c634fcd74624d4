//! Search backends on the web. The `documents` backend lives in `nexi-engine`, beside its index.

mod duckduckgo;
mod jina;
mod searxng;
mod wikipedia;

use nexi_core::ports::Hit;
use serde_json::Value;

pub use duckduckgo::DuckDuckGo;
pub use jina::JinaSearch;
pub use searxng::Searxng;
pub use wikipedia::Wikipedia;

/// Results taken of one query.
const MAX_HITS: usize = 10;

/// A hit out of a JSON object, by the names of its fields; none without an http address.
fn hit(item: &Value, title: &str, url: &str, snippet: &str, date: &str) -> Option<Hit> {
    let field = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let address = field(url);
    if !address.starts_with("http://") && !address.starts_with("https://") {
        return None;
    }
    Some(Hit {
        title: nexi_core::text::fold_space(&crate::html::strip_tags(field(title))),
        url: address.to_owned(),
        snippet: crate::html::strip_tags(field(snippet)),
        date: field(date).get(..10).filter(|date| date.as_bytes()[4] == b'-').map(str::to_owned),
    })
}
