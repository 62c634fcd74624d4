//! What a service itself tells of a model: its context window as it is really loaded, its price, and
//! whether it calls tools. Servers on one's own computer tell the window nowhere else.

use std::time::Duration;

use nexi_core::pricing::Price;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

/// How long one of these questions may take.
const LIMIT: Duration = Duration::from_secs(4);

/// What is known from the service; everything may be missing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Facts {
    /// In tokens.
    pub window: Option<u32>,
    /// In tokens.
    pub max_output: Option<u32>,
    pub price: Option<Price>,
    pub tools: Option<bool>,
}

impl Facts {
    /// What this one does not know, the other one may.
    fn or(self, other: Self) -> Self {
        Self {
            window: self.window.or(other.window),
            max_output: self.max_output.or(other.max_output),
            price: self.price.or(other.price),
            tools: self.tools.or(other.tools),
        }
    }
}

/// Asks an OpenAI-compatible service; none where it did not answer. Servers of one's own are asked at
/// their own addresses, too.
pub(crate) async fn ask(http: &reqwest::Client, base: &str, model: &str, key: Option<&SecretString>, is_local: bool) -> Option<Facts> {
    let base = base.trim_end_matches('/');
    let root = base.strip_suffix("/v1").unwrap_or(base);
    let get = async |url: String| -> Option<Value> {
        let mut request = http.get(url).timeout(LIMIT);
        if let Some(key) = key {
            request = request.bearer_auth(key.expose_secret().trim());
        }
        request.send().await.ok()?.error_for_status().ok()?.json().await.ok()
    };
    let mut facts = of_list(&get(format!("{base}/models")).await?, model);
    if is_local {
        // What was loaded counts, not what the model was made for: llama.cpp, then LM Studio.
        // LM Studio answers every path, this one with an error in the body.
        let props = get(format!("{root}/props")).await.map(|props| of_props(&props)).filter(|props| props.window.is_some());
        if let Some(props) = props {
            facts = props.or(facts);
        } else if let Some(list) = get(format!("{root}/api/v0/models")).await {
            facts = of_list(&list, model).or(facts);
        }
    }
    Some(facts)
}

/// llama.cpp's properties.
fn of_props(props: &Value) -> Facts {
    let window = props.pointer("/default_generation_settings/n_ctx").or_else(|| props.get("n_ctx"));
    Facts { window: window.and_then(tokens), ..Facts::default() }
}

/// The entry of a model in a list of models, in whichever of the known shapes.
fn of_list(list: &Value, model: &str) -> Facts {
    let items = ["data", "models"].iter().find_map(|key| list.get(*key)?.as_array()).or_else(|| list.as_array());
    let entries = items.map(Vec::as_slice).unwrap_or_default();
    let is_it = |entry: &&Value| ["id", "name", "model"].iter().any(|key| entry.get(*key).and_then(Value::as_str) == Some(model));
    // A server with one model answers to any name.
    let entry = entries.iter().find(is_it).or_else(|| entries.first().filter(|_| entries.len() == 1));
    entry.map(of_entry).unwrap_or_default()
}

fn of_entry(entry: &Value) -> Facts {
    let number = |places: &[&str]| places.iter().find_map(|place| entry.pointer(place).and_then(tokens));
    let window = number(&[
        "/loaded_context_length",
        "/meta/n_ctx",
        "/max_model_len",
        "/context_length",
        "/context_window",
        "/max_context_length",
        "/max_input_tokens",
    ]);
    let max_output = number(&["/top_provider/max_completion_tokens", "/max_completion_tokens", "/max_output_tokens"]);
    let parameters = entry.get("supported_parameters").and_then(Value::as_array);
    let tools = match parameters {
        Some(list) => Some(list.iter().any(|item| item == "tools")),
        None => entry.pointer("/capabilities/function_calling").and_then(Value::as_bool),
    };
    Facts { window, max_output, price: price(entry), tools }
}

/// OpenRouter's prices are dollars for one token, as texts.
fn price(entry: &Value) -> Option<Price> {
    let pricing = entry.get("pricing")?;
    let million = |name: &str| {
        let value = pricing.get(name)?;
        let dollars = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
        // A negative price stands for "depends".
        (dollars >= 0.0 && dollars.is_finite()).then(|| (dollars * 1e12).round() / 1e6)
    };
    Some(Price {
        cached: million("input_cache_read"),
        written: million("input_cache_write"),
        ..Price::new(million("prompt")?, million("completion")?)
    })
}

fn tokens(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|count| u32::try_from(count).ok()).filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn windows_and_prices_are_read_in_every_shape() {
        let window = |list: Value| of_list(&list, "m").window;
        assert_eq!(window(json!({"data": [{"id": "x", "max_model_len": 1}, {"id": "m", "max_model_len": 4096}]})), Some(4096), "vLLM");
        assert_eq!(window(json!({"data": [{"id": "m", "context_window": 131072}]})), Some(131_072), "Groq");
        assert_eq!(
            window(json!({"data": [{"id": "m", "max_context_length": 8192, "loaded_context_length": 4096}]})),
            Some(4096),
            "LM Studio"
        );
        assert_eq!(window(json!([{"id": "m", "context_length": 32768}])), Some(32_768), "Together");
        assert_eq!(window(json!({"data": [{"id": "file.gguf", "meta": {"n_ctx": 2048}}]})), Some(2048), "a server with one model");
        assert_eq!(window(json!({"data": [{"id": "a"}, {"id": "b"}]})), None);
        assert_eq!(of_props(&json!({"default_generation_settings": {"n_ctx": 8192}})).window, Some(8192));
        let facts = of_list(
            &json!({"data": [{"id": "m", "context_length": 200000, "top_provider": {"max_completion_tokens": 64000},
                "pricing": {"prompt": "0.000003", "completion": "0.000015", "input_cache_read": "0.0000003"}, "supported_parameters": ["tools"]}]}),
            "m",
        );
        assert_eq!(facts.price, Some(Price { cached: Some(0.3), ..Price::new(3.0, 15.0) }));
        assert_eq!((facts.window, facts.max_output, facts.tools), (Some(200_000), Some(64_000), Some(true)));
        assert_eq!(of_entry(&json!({"pricing": {"prompt": "-1", "completion": "-1"}})).price, None);
    }
}
