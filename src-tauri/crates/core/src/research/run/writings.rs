//! A text in other writings, and back: what a model may do to private text so that it does not look like it.

use std::sync::LazyLock;

use data_encoding::{BASE32_NOPAD, BASE64_NOPAD, BASE64URL_NOPAD, Encoding, HEXLOWER_PERMISSIVE};

/// Letters of the shortest piece that is tried.
const SHORTEST: usize = 6;

/// What a piece of a query may be written in. Bits left over at the end are no reason not to read it.
static WRITINGS: LazyLock<Vec<Encoding>> = LazyLock::new(|| {
    let lenient = |encoding: &Encoding| {
        let mut rules = encoding.specification();
        rules.check_trailing_bits = false;
        rules.encoding().unwrap_or_else(|_| encoding.clone())
    };
    [&BASE64_NOPAD, &BASE64URL_NOPAD, &BASE32_NOPAD].map(lenient).into_iter().chain([HEXLOWER_PERMISSIVE]).collect()
});

/// What a query says when it is read otherwise: pieces of it decoded, and all of it with letters turned by thirteen.
pub(super) fn readings(query: &str) -> Vec<String> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_');
    let mut out = vec![turned(query)];
    for piece in query.split(|c| !is_letter(c)).filter(|piece| piece.len() >= SHORTEST) {
        for writing in WRITINGS.iter() {
            // Base32 knows large letters only.
            for piece in [piece.to_owned(), piece.to_uppercase()] {
                let whole = (0..3).find_map(|less| writing.decode(piece.get(..piece.len() - less)?.as_bytes()).ok());
                let text = whole.and_then(|bytes| String::from_utf8(bytes).ok());
                out.extend(text.filter(|text| !text.chars().any(char::is_control)));
            }
        }
    }
    out
}

/// Letters turned by thirteen places.
fn turned(text: &str) -> String {
    let turn = |c: char| match c {
        'a'..='m' | 'A'..='M' => char::from(c as u8 + 13),
        'n'..='z' | 'N'..='Z' => char::from(c as u8 - 13),
        other => other,
    };
    text.chars().map(turn).collect()
}

/// A query with its `%41` read as letters; what is no such thing stays.
pub(super) fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_from_every_writing() {
        let text = "QX3321630713Z";
        for written in
            ["UVgzMzIxNjMwNzEzWg", "UVgzMzIxNjMwNzEzWg==", "5158333332313633303731335A", "KFMDGMZSGE3DGMBXGEZVU", "kfmdgmzsge3dgmbxgezvu"]
        {
            assert!(readings(&format!("site:e.org {written} vault")).iter().any(|read| read == text), "{written}: {:?}", readings(written));
        }
        assert!(readings("frira nzore ynagreaf").contains(&"seven amber lanterns".to_owned()));
        assert_eq!(readings("where is the harbour of Orvik").len(), 1, "words are words");
    }
}
