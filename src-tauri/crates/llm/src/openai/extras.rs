//! What a message of chat completions holds besides its text and calls: reasoning in its many forms,
//! signatures, and fields that Nexi does not know. They are put together from the pieces of the
//! stream and sent back with the message to the service that sent them.

use nexi_core::model::ProviderState;
use serde_json::{Map, Value, json};

/// Fields of pieces that name or number something and are not continued by the next piece.
const WHOLE: [&str; 7] = ["id", "type", "format", "index", "name", "role", "signature"];
/// Fields that say something about the piece and not about the message.
const NOT_ECHOED: [&str; 6] = ["role", "refusal", "audio", "annotations", "logprobs", "channel"];

/// The extra fields of a message, and of each of its calls.
#[derive(Debug, Default)]
pub(super) struct Extras {
    message: Map<String, Value>,
    calls: Vec<Map<String, Value>>,
}

impl Extras {
    /// Takes the extra fields of a piece, and its content where that is a list of chunks; returns
    /// how many bytes these are.
    pub(super) fn message(&mut self, mut rest: Map<String, Value>, chunks: Option<Value>) -> usize {
        rest.retain(|name, value| !NOT_ECHOED.contains(&name.as_str()) && !value.is_null());
        rest.extend(chunks.map(|chunks| ("content".to_owned(), chunks)));
        let size = rest.values().map(|value| value.to_string().len()).sum();
        merge(&mut self.message, rest);
        size
    }

    /// The same for the call at this place.
    pub(super) fn call(&mut self, place: usize, mut rest: Map<String, Value>) -> usize {
        rest.retain(|name, value| name != "type" && !value.is_null());
        let size = rest.values().map(|value| value.to_string().len()).sum();
        while self.calls.len() <= place {
            self.calls.push(Map::new());
        }
        merge(&mut self.calls[place], rest);
        size
    }

    /// As one item, for the calls that were kept; none where there is nothing to send back.
    pub(super) fn finish(mut self, kept: &[bool]) -> Option<Box<ProviderState>> {
        self.calls.resize(kept.len(), Map::new());
        let calls: Vec<Value> = self.calls.into_iter().zip(kept).filter(|(_, kept)| **kept).map(|(call, _)| Value::Object(call)).collect();
        let is_empty = self.message.is_empty() && calls.iter().all(|call| call.as_object().is_none_or(Map::is_empty));
        let item = json!({"message": self.message, "calls": calls});
        (!is_empty).then(|| Box::new(ProviderState { origin: String::new(), items: vec![item] }))
    }
}

/// Continues what is there with the next piece: texts go on, lists grow, numbered entries of lists
/// are continued by those of the same number.
fn merge(into: &mut Map<String, Value>, piece: Map<String, Value>) {
    for (name, value) in piece {
        match (into.get_mut(&name), value) {
            (Some(Value::String(known)), Value::String(more)) if !WHOLE.contains(&name.as_str()) => known.push_str(&more),
            (Some(Value::Object(known)), Value::Object(more)) => merge(known, more),
            (Some(Value::Array(known)), Value::Array(more)) => more.into_iter().for_each(|item| merge_item(known, item)),
            (Some(known), Value::Null) if !known.is_null() => {}
            (_, Value::Array(items)) => {
                let mut list = Vec::new();
                items.into_iter().for_each(|item| merge_item(&mut list, item));
                into.insert(name, Value::Array(list));
            }
            (_, value) => {
                into.insert(name, value);
            }
        }
    }
}

fn merge_item(list: &mut Vec<Value>, item: Value) {
    let same = |known: &Value| {
        let field = |name: &str| (known.get(name), item.get(name));
        match field("index") {
            (Some(a), Some(b)) => a == b && known.get("type") == item.get("type"),
            _ if item.get("id").is_some_and(|id| known.get("id").is_some_and(|known| known != id)) => false,
            // Mistral continues a chunk with one of the same type.
            _ => matches!(field("type"), (Some(a), Some(b)) if a == b) && item.get("index").is_none(),
        }
    };
    let is_numbered = item.get("index").is_some();
    let known = if is_numbered { list.iter_mut().find(|known| same(known)) } else { list.last_mut().filter(|known| same(known)) };
    match (known, item) {
        (Some(Value::Object(known)), Value::Object(more)) => merge(known, more),
        (_, item) => list.push(item),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(pieces: &[Value]) -> Value {
        let mut extras = Extras::default();
        for piece in pieces {
            let mut rest = piece.as_object().unwrap().clone();
            let chunks = rest.remove("content");
            extras.message(rest, chunks);
        }
        extras.finish(&[]).map_or(Value::Null, |state| state.items[0]["message"].clone())
    }

    #[test]
    fn pieces_become_what_the_service_would_have_sent_whole() {
        assert_eq!(state(&[json!({"role": "assistant"}), json!({"reasoning_content": null})]), Value::Null);
        assert_eq!(
            state(&[json!({"reasoning_content": "So "}), json!({"reasoning_content": "it is."})]),
            json!({"reasoning_content": "So it is."})
        );
        let details = [
            json!({"reasoning_details": [{"type": "reasoning.text", "index": 0, "format": "x", "text": "One "}]}),
            json!({"reasoning_details": [{"type": "reasoning.text", "index": 0, "format": "x", "text": "two."}]}),
            json!({"reasoning_details": [{"type": "reasoning.text", "index": 0, "signature": "sig"}]}),
            json!({"reasoning_details": [{"type": "reasoning.encrypted", "index": 1, "data": "abc"}]}),
        ];
        let whole = json!({"reasoning_details": [
            {"type": "reasoning.text", "index": 0, "format": "x", "text": "One two.", "signature": "sig"},
            {"type": "reasoning.encrypted", "index": 1, "data": "abc"}
        ]});
        assert_eq!(state(&details), whole);
        let chunks = [
            json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}]}),
            json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": ", so."}]}]}),
            json!({"content": [{"type": "text", "text": "Yes."}]}),
        ];
        let whole =
            json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm, so."}]}, {"type": "text", "text": "Yes."}]});
        assert_eq!(state(&chunks), whole);
    }

    #[test]
    fn fields_of_calls_stay_with_their_call() {
        let mut extras = Extras::default();
        extras.call(1, json!({"type": "function", "extra_content": {"google": {"thought_signature": "s"}}}).as_object().unwrap().clone());
        let state = extras.finish(&[false, true]).unwrap();
        assert_eq!(state.items[0]["calls"], json!([{"extra_content": {"google": {"thought_signature": "s"}}}]));
    }
}
