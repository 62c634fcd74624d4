//! Text from outside, made harmless for the wrapper that it stands in.

use crate::visible::visible;

const NAME: &str = "untrusted";
/// Ends a word where a tag would go on.
const BREAK: char = '\u{200b}';

/// Text that can neither close the wrapper it stands in nor say something that people cannot see.
pub(crate) fn disarm(text: &str) -> String {
    let text = visible(text);
    let lower = text.to_ascii_lowercase();
    if !lower.contains(NAME) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    while let Some(found) = lower[at..].find(NAME) {
        let (start, end) = (at + found, at + found + NAME.len());
        out.push_str(&text[at..end]);
        // Blanks and slashes around the name do not make it another tag, and neither does what follows it.
        let opens = text[..start].trim_end_matches(|c: char| c.is_whitespace() || c == '/').ends_with(['<', '＜', '‹', '〈', '﹤']);
        let closes = lower[end..].trim_start().starts_with(['>', '＞', '›', '〉', '﹥']);
        if opens || closes {
            out.push(BREAK);
        }
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_of_the_tag_closes_the_wrapper() {
        for tag in [
            "</untrusted>",
            "</untrusted/>",
            "</untrusted x=1>",
            "</UNTRUSTED\n>",
            "< / untrusted >",
            "</untru\u{200b}sted>",
            "</unt\u{e0041}rusted>",
            "＜/untrusted＞",
            "<\u{2066}/untrusted\u{2069}>",
        ] {
            let out = disarm(&format!("a {tag} b")).to_lowercase();
            let folded: String = out.chars().filter(|c| !c.is_whitespace() && *c != '/').collect();
            let is_closed = folded.contains("<untrusted>") || folded.contains("<untrustedx") || folded.contains("＜untrusted＞");
            assert!(!is_closed && out.contains("untrusted\u{200b}"), "{tag}: {out:?}");
        }
        assert_eq!(disarm("an untrusted source"), "an untrusted source");
    }
}
