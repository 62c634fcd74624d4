//! Tags with absurdly many attributes, without them: tokenizers compare each with all before it.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TokenSink, Tokenizer};

/// Attributes that a tag may have; honest ones have a dozen.
const MAX_ATTRIBUTES: usize = 128;
/// Elements whose inside is no markup.
const RAW: [&[u8]; 9] = [b"script", b"style", b"textarea", b"title", b"xmp", b"noscript", b"iframe", b"noembed", b"noframes"];

/// How long a page may take to be cut into tokens; honest ones take milliseconds.
const LONGEST: Duration = Duration::from_secs(3);
/// Bytes given to a tokenizer at a time.
const PIECE: usize = 16 * 1024;

/// Runs out for pages that find a way to be slow all the same.
pub(crate) struct Deadline(Instant);

impl Deadline {
    pub(crate) fn new() -> Self {
        Self(Instant::now() + LONGEST)
    }
}

/// Gives a tokenizer text, piece by piece, until the time is up.
pub(crate) fn feed<S: TokenSink>(tokenizer: &Tokenizer<S>, text: &str, deadline: &Deadline) {
    let input = BufferQueue::default();
    let mut rest = text;
    while !rest.is_empty() && Instant::now() < deadline.0 {
        let (piece, after) =
            rest.split_at(nexi_core::text::floor_char(rest, PIECE.min(rest.len())).max(rest.chars().next().map_or(1, char::len_utf8)));
        rest = after;
        input.push_back(StrTendril::from(piece));
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    }
}

/// The page, with tags of more than 128 attributes bare. Costs one pass over the bytes.
pub(crate) fn strip_excess_attributes(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut out: Option<String> = None;
    let (mut at, mut kept) = (0, 0);
    while let Some(start) = find(bytes, at, b"<") {
        at = start + 1;
        if bytes[at..].starts_with(b"!--") {
            at = comment_end(bytes, at + 3);
            continue;
        }
        let is_end = bytes.get(at) == Some(&b'/');
        let name_at = at + usize::from(is_end);
        if !bytes.get(name_at).is_some_and(u8::is_ascii_alphabetic) {
            // What is neither a tag nor a comment ends at the next `>`, if it is markup at all.
            if matches!(bytes.get(at), Some(b'!' | b'?' | b'/')) {
                at = find(bytes, at, b">").unwrap_or(bytes.len());
            }
            continue;
        }
        let name_end = bytes[name_at..]
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
            .map_or(bytes.len(), |end| name_at + end);
        let (end, attributes) = tag_end(bytes, name_end);
        if attributes > MAX_ATTRIBUTES {
            let out = out.get_or_insert_with(|| String::with_capacity(html.len()));
            out.push_str(&html[kept..name_end]);
            out.push('>');
            kept = (end + 1).min(bytes.len());
        }
        let name = &bytes[name_at..name_end];
        at = end;
        // In a picture such an element may end in itself; everywhere else it is looked at in vain, which does no harm.
        let ends_itself =
            bytes.get(end.wrapping_sub(1)) == Some(&b'/') && [&b"title"[..], b"style"].iter().any(|raw| name.eq_ignore_ascii_case(raw));
        if !is_end
            && !ends_itself
            && let Some(raw) = RAW.iter().find(|raw| name.eq_ignore_ascii_case(raw))
        {
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

/// Behind a comment that began before `at`; `<!-->`, `<!--->` and `--!>` end one, too.
fn comment_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    if rest.starts_with(b">") {
        return at + 1;
    }
    if rest.starts_with(b"->") {
        return at + 2;
    }
    let mut from = at;
    while let Some(found) = find(bytes, from, b"--") {
        match &bytes[found + 2..] {
            [b'>', ..] => return found + 3,
            [b'!', b'>', ..] => return found + 4,
            _ => from = found + 1,
        }
    }
    bytes.len()
}

/// Where a tag ends (at its `>`, or at the end of the page) and how many attributes it has, by the
/// states of the specification.
fn tag_end(bytes: &[u8], mut at: usize) -> (usize, usize) {
    #[derive(PartialEq)]
    enum State {
        BeforeName,
        Name,
        AfterName,
        BeforeValue,
        Unquoted,
    }
    let (mut attributes, mut state) = (0, State::BeforeName);
    while at < bytes.len() {
        let byte = bytes[at];
        let blank = byte.is_ascii_whitespace();
        match state {
            _ if byte == b'>' => return (at, attributes),
            State::BeforeValue if matches!(byte, b'"' | b'\'') => {
                at = bytes[at + 1..].iter().position(|other| *other == byte).map_or(bytes.len(), |end| at + 1 + end);
                state = State::BeforeName;
            }
            State::BeforeValue if !blank => state = State::Unquoted,
            State::Unquoted if blank => state = State::BeforeName,
            State::Name | State::AfterName if byte == b'=' => state = State::BeforeValue,
            State::Name if blank => state = State::AfterName,
            State::Name if byte == b'/' => state = State::BeforeName,
            State::AfterName if byte == b'/' => state = State::BeforeName,
            State::BeforeName | State::AfterName if !blank && byte != b'/' => {
                attributes += 1;
                state = State::Name;
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
            assert!(matches!(strip_excess_attributes(honest), Cow::Borrowed(_)), "{honest}");
        }
        let unique = "x=1 ".repeat(200);
        for (sneaky, bare) in [
            (format!("</p {unique}>"), "</p>"),
            (format!("<!--><p {unique}>"), "<!--><p>"),
            (format!("<!-- x --!><p {unique}>"), "<!-- x --!><p>"),
            (format!("<p a=b=\"><p {unique}>"), "<p a=b=\"><p>"),
            (format!("<p =\"><p {unique}>"), "<p =\"><p>"),
        ] {
            assert_eq!(strip_excess_attributes(&sneaky), bare);
        }
        let many = |tail: &str| format!("<i>a</i><p {}>text</p>{tail}", "x=1 ".repeat(200));
        assert_eq!(strip_excess_attributes(&many("<b>c</b>")), "<i>a</i><p>text</p><b>c</b>");
        assert_eq!(strip_excess_attributes(&format!("é<p {}", "y ".repeat(200))), "é<p>");
        let classes = format!("<p class=\"{}\">x", "a ".repeat(1000));
        assert_eq!(strip_excess_attributes(&classes), classes, "one attribute, however long");
    }
}
