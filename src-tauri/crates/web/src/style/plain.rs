//! CSS without what only hides what it says: comments and escapes.

use std::borrow::Cow;

/// Letters of an escape by number (`\\6e `), as CSS Syntax has it.
const HEX: usize = 6;

/// A sheet or a style with comments left out and escapes as the letters that they stand for.
pub(super) fn plain(css: &str) -> Cow<'_, str> {
    if !css.contains("/*") && !css.contains('\\') {
        return Cow::Borrowed(css);
    }
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find(['/', '\\']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("/*") {
            // One that is not closed goes on to the end.
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        } else if let Some(escaped) = rest.strip_prefix('\\') {
            rest = unescape(escaped, &mut out);
        } else {
            out.push('/');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Writes the letter that an escape stands for; returns what is behind it.
fn unescape<'a>(escaped: &'a str, out: &mut String) -> &'a str {
    let digits = escaped.bytes().take(HEX).take_while(u8::is_ascii_hexdigit).count();
    if digits == 0 {
        // Any other letter stands for itself.
        return escaped;
    }
    let letter = u32::from_str_radix(&escaped[..digits], 16).ok().and_then(char::from_u32);
    out.push(letter.unwrap_or(char::REPLACEMENT_CHARACTER));
    let rest = &escaped[digits..];
    rest.strip_prefix([' ', '\n', '\t']).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_escapes_hide_nothing() {
        let all = [
            ("a/b", "a/b"),
            ("/* x */a", "a"),
            ("a/**/b/*", "ab"),
            ("fo\\6e t", "font"),
            ("\\00006Eo", "no"),
            ("\\.a", ".a"),
            ("x\\", "x"),
            ("/", "/"),
            ("\\110000 x", "\u{fffd}x"),
        ];
        for (css, wanted) in all {
            assert_eq!(plain(css), wanted, "{css}");
        }
    }
}
