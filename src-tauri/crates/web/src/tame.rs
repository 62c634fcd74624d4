//! Tags with absurdly many attributes, without them: tokenizers compare each with all before it.

use std::borrow::Cow;

/// Attributes that a tag may have; honest ones have a dozen.
const MAX_ATTRIBUTES: usize = 128;
/// Elements whose inside is no markup.
const RAW: [&[u8]; 5] = [b"script", b"style", b"textarea", b"title", b"xmp"];

/// The page, with tags of more than 128 attributes bare. Costs one pass over the bytes.
pub(crate) fn tame(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut out: Option<String> = None;
    let (mut at, mut kept) = (0, 0);
    while let Some(start) = find(bytes, at, b"<") {
        at = start + 1;
        if bytes[at..].starts_with(b"!--") {
            at = find(bytes, at + 3, b"-->").map_or(bytes.len(), |end| end + 3);
            continue;
        }
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let name_end = bytes[at..]
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
            .map_or(bytes.len(), |end| at + end);
        let (end, attributes) = tag_end(bytes, name_end);
        if attributes > MAX_ATTRIBUTES {
            let out = out.get_or_insert_with(|| String::with_capacity(html.len()));
            out.push_str(&html[kept..name_end]);
            out.push('>');
            kept = (end + 1).min(bytes.len());
        }
        let name = &bytes[at..name_end];
        at = end;
        if let Some(raw) = RAW.iter().find(|raw| name.eq_ignore_ascii_case(raw)) {
            at = find_close(bytes, at, raw).unwrap_or(bytes.len());
        }
    }
    match out {
        Some(mut out) => {
            out.push_str(&html[kept..]);
            Cow::Owned(out)
        }
        None => Cow::Borrowed(html),
    }
}

/// Where a tag ends (at its `>`, or at the end of the page) and how many attributes it has.
fn tag_end(bytes: &[u8], mut at: usize) -> (usize, usize) {
    let (mut attributes, mut in_word) = (0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'>' => return (at, attributes),
            // A value in quotation marks follows an equals sign.
            quote @ (b'"' | b'\'') if bytes[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'=') => {
                at = bytes[at + 1..].iter().position(|byte| *byte == quote).map_or(bytes.len(), |end| at + 1 + end);
                in_word = false;
            }
            byte if byte.is_ascii_whitespace() || byte == b'/' => in_word = false,
            _ if !in_word => {
                in_word = true;
                attributes += 1;
            }
            _ => {}
        }
        at += 1;
    }
    (bytes.len(), attributes)
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(wanted.len()).position(|window| window == wanted).map(|at| at + from)
}

/// The beginning of `</name`.
fn find_close(bytes: &[u8], mut from: usize, name: &[u8]) -> Option<usize> {
    loop {
        let at = find(bytes, from, b"</")?;
        if bytes.get(at + 2..at + 2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name)) {
            return Some(at);
        }
        from = at + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absurd_tags_lose_their_attributes() {
        for honest in [
            "<p class=\"a b > c\" id='x'>text</p>",
            "<script>if (a<b) { x = '<p a a a'; }</script><p>y",
            "a < b",
            "<",
            "<p",
            "<!-- <p -->x",
        ] {
            assert!(matches!(tame(honest), Cow::Borrowed(_)), "{honest}");
        }
        let many = |tail: &str| format!("<i>a</i><p {}>text</p>{tail}", "x=1 ".repeat(200));
        assert_eq!(tame(&many("<b>c</b>")), "<i>a</i><p>text</p><b>c</b>");
        assert_eq!(tame(&format!("é<p {}", "y ".repeat(200))), "é<p>");
        let classes = format!("<p class=\"{}\">x", "a ".repeat(1000));
        assert_eq!(tame(&classes), classes, "one attribute, however long");
    }
}
