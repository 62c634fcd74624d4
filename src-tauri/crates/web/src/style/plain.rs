//! CSS without what only hides what it says: comments and escapes.

use std::borrow::Cow;

/// Letters of an escape by number (`\\6e `), as CSS Syntax has it.
const HEX: usize = 6;

/// A sheet or a style with comments left out, escapes as the letters that they stand for, and nothing in strings and
/// addresses that looks like its structure.
pub(super) fn plain(css: &str) -> Cow<'_, str> {
    if !css.contains("/*") && !css.contains(['\\', '"', '\'']) {
        return Cow::Borrowed(css);
    }
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find(['/', '\\', '"', '\'', '(']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("/*") {
            // One that is not closed goes on to the end.
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        } else if let Some(escaped) = rest.strip_prefix('\\') {
            rest = unescape(escaped, &mut out);
        } else if rest.starts_with('(')
            && out.get(out.len().saturating_sub(3)..).is_some_and(|end| end.eq_ignore_ascii_case("url"))
            && !rest[1..].trim_start().starts_with(['"', '\''])
        {
            let end = rest.find(')').unwrap_or(rest.len());
            out.extend(rest[..end].chars().map(harmless));
            rest = &rest[end..];
        } else if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            rest = string(rest, quote, &mut out);
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Writes a string; returns what is behind it. One that is not closed ends with its line.
fn string<'a>(text: &'a str, quote: char, out: &mut String) -> &'a str {
    out.push(quote);
    let mut letters = text[1..].char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter == quote || letter == '\n' {
            out.push(letter);
            return &text[1 + at + letter.len_utf8()..];
        }
        if letter == '\\' {
            letters.next();
        } else {
            out.push(harmless(letter));
        }
    }
    ""
}

/// Writes the letter that an escape stands for; returns what is behind it.
fn unescape<'a>(escaped: &'a str, out: &mut String) -> &'a str {
    let digits = escaped.bytes().take(HEX).take_while(u8::is_ascii_hexdigit).count();
    if digits == 0 {
        // Any other letter stands for itself, and for nothing that divides a sheet.
        let Some(letter) = escaped.chars().next() else { return escaped };
        out.push(harmless(letter));
        return &escaped[letter.len_utf8()..];
    }
    let letter = u32::from_str_radix(&escaped[..digits], 16).ok().and_then(char::from_u32);
    out.push(harmless(letter.unwrap_or(char::REPLACEMENT_CHARACTER)));
    let rest = &escaped[digits..];
    rest.strip_prefix([' ', '\n', '\t']).unwrap_or(rest)
}

/// A letter that is written and not meant as a part of the sheet's structure.
fn harmless(letter: char) -> char {
    if matches!(letter, '{' | '}' | ';' | '"' | '\'' | '/' | '*' | '\\') { char::REPLACEMENT_CHARACTER } else { letter }
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
            // Nothing that is written divides a sheet.
            ("a\\/*b", "a\u{fffd}*b"),
            ("a{content:\"/*\"}b", "a{content:\"\u{fffd}\u{fffd}\"}b"),
            ("a{content:'\\7b'}b", "a{content:'b'}b"),
            ("a{content:\\7d }b", "a{content:\u{fffd}}b"),
            ("x{background:url(a/*b.png)}y", "x{background:url(a\u{fffd}\u{fffd}b.png)}y"),
            ("a{content:\"open\n}b", "a{content:\"open\n}b"),
            ("/", "/"),
            ("\\110000 x", "\u{fffd}x"),
        ];
        for (css, wanted) in all {
            assert_eq!(plain(css), wanted, "{css}");
        }
    }
}
