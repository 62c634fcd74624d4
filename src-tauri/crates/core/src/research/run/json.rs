//! JSON as models write it: with words around it, commas too many, brackets too few.

use serde_json::Value;

/// The first JSON object or list of a text, mended where it is plain what was meant.
pub(super) fn find(text: &str) -> Option<Value> {
    let start = text.find(['{', '['])?;
    // What is in front may hold brackets of its own, such as a citation.
    text[start..].match_indices(['{', '[']).take(20).find_map(|(at, _)| {
        let mended = mend(&text[start + at..]);
        serde_json::from_str(&mended).ok().filter(|value: &Value| {
            value.as_object().is_some_and(|map| !map.is_empty()) || value.as_array().is_some_and(|list| list.iter().any(Value::is_object))
        })
    })
}

/// The value that begins here, without commas in front of closing brackets, with line breaks in
/// strings escaped, and with what was left open closed.
fn mend(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut open: Vec<char> = Vec::new();
    let mut in_string = false;
    let mut escaped = false;
    for c in text.chars() {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                '\n' => {
                    out.push_str("\\n");
                    continue;
                }
                '\t' => {
                    out.push_str("\\t");
                    continue;
                }
                c if c.is_control() => continue,
                _ => {}
            }
            out.push(c);
            continue;
        }
        match c {
            '"' => in_string = true,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                drop_comma(&mut out);
                // A bracket of the other kind: the inner one was forgotten.
                while open.len() > 1 && open.last() != Some(&c) {
                    out.extend(open.pop());
                }
                if open.pop() != Some(c) {
                    break;
                }
                out.push(c);
                if open.is_empty() {
                    break;
                }
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    if in_string {
        if escaped {
            out.pop();
        }
        out.push('"');
    }
    if !open.is_empty() {
        drop_comma(&mut out);
        if out.trim_end().ends_with(':') {
            out.push_str("null");
        }
        out.extend(open.into_iter().rev());
    }
    out
}

fn drop_comma(out: &mut String) {
    let kept = out.trim_end();
    if kept.ends_with(',') {
        out.truncate(kept.len() - 1);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_are_found_and_mended() {
        let wanted = json!({"a": ["b", "c"]});
        for text in [
            r#"{"a": ["b", "c"]}"#,
            "Here it is [1]:\n```json\n{\"a\": [\"b\", \"c\",],}\n```\nDone {ok}.",
            r#"{"a": ["b", "c"]"#,
            r#"{"a": ["b", "c""#,
            r#"{"a": ["b", "c"}"#,
            r#"{"a": ["b", "c"]} {"z": 1}"#,
        ] {
            assert_eq!(find(text), Some(wanted.clone()), "{text}");
        }
        assert_eq!(find("{\"a\": \"two\nlines\"}"), Some(json!({"a": "two\nlines"})));
        assert_eq!(find("{\"a\": "), Some(json!({"a": null})));
        for none in ["", "no object", "[1] and [2]", "}{", "{x}"] {
            assert_eq!(find(none), None, "{none}");
        }
    }

    #[test]
    fn a_cut_reply_never_panics() {
        let text = "x [1] {\"ü\": [\"\\\"\", {\"b\": 1.5, \"c\": [null, \"\\n\"]}], \"d\": \"…\"}";
        for cut in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let _ = find(&text[..cut]);
        }
    }
}
