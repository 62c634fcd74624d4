//! What must not be shown: keys that were put where they do not belong.

/// Beginnings of the keys of well-known services.
const KEY_MARKS: &[&str] =
    &["sk-", "AIza", "jina_", "tvly-", "gsk_", "xai-", "hf_", "ghp_", "github_pat_", "fc-", "fw_", "csk-", "tgp_v1_", "pplx-", "BSA"];

/// Whether a word looks like a key and like nothing else.
pub fn looks_like_key(word: &str) -> bool {
    word.len() >= 16
        && KEY_MARKS.iter().any(|mark| word.starts_with(mark))
        && word.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// A text without what looks like a key.
pub fn hide_keys(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') {
            word.push(c);
            continue;
        }
        out.push_str(if looks_like_key(&word) { "[key]" } else { &word });
        word.clear();
        out.push(c);
    }
    out.pop();
    out
}
