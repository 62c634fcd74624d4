//! From bytes to text: byte order mark, header, `<meta>`, then a guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// How far into a page its own declaration is looked for, in bytes.
const HEAD: usize = 8192;

/// Decodes a body; `content_type` is the header, lower case.
pub fn decode(body: &[u8], content_type: &str) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return encoding.decode(body).0.into_owned();
    }
    let head = String::from_utf8_lossy(&body[..body.len().min(HEAD)]).to_ascii_lowercase();
    let declared = label(content_type).or_else(|| meta(&head)).or_else(|| xml(&head));
    if let Some(encoding) = declared {
        let (text, _, broken) = encoding.decode(body);
        // A page that says one thing and is another is read as what it is.
        if !broken || text.matches('\u{fffd}').count() * 50 < text.chars().count() {
            return text.into_owned();
        }
    }
    match std::str::from_utf8(body) {
        Ok(text) => text.to_owned(),
        // A multi-byte character cut off at the end is still UTF-8.
        Err(error) if error.error_len().is_none() => UTF_8.decode(body).0.into_owned(),
        Err(_) => guess(body).decode(body).0.into_owned(),
    }
}

/// What a `<meta>` element says; scripts have charsets of their own.
fn meta(head: &str) -> Option<&'static Encoding> {
    head.split("<meta").skip(1).find_map(|rest| label(&rest[..rest.find('>').unwrap_or(rest.len())])).map(|encoding| {
        // A page whose declaration can be read byte by byte is not written in two of them.
        if encoding == encoding_rs::UTF_16LE || encoding == encoding_rs::UTF_16BE { UTF_8 } else { encoding }
    })
}

/// What an XML declaration says.
fn xml(head: &str) -> Option<&'static Encoding> {
    let rest = head.trim_start().strip_prefix("<?xml")?;
    let declaration = &rest[..rest.find("?>")?];
    let value = &declaration[declaration.find("encoding=")? + "encoding=".len()..];
    Encoding::for_label(value.trim_matches(['"', '\'', ' ']).split(['"', '\'', ' ']).next()?.as_bytes())
}

/// The encoding that the bytes look most like, by the detector that browsers use.
fn guess(body: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(body, true);
    detector.guess(None, Utf8Detection::Allow)
}

fn label(text: &str) -> Option<&'static Encoding> {
    let after = &text[text.find("charset=")? + "charset=".len()..];
    let name: String = after
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
        .collect();
    Encoding::for_label(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart() {
        assert_eq!(decode(b"caf\xe9", "text/html; charset=iso-8859-1"), "café");
        assert_eq!(decode(b"<meta charset=\"windows-1251\">\xcf\xf0", "text/html"), "<meta charset=\"windows-1251\">Пр");
        assert_eq!(decode(b"\xef\xbb\xbfa\xc3\xa9", "text/plain; charset=latin1"), "aé");
        assert_eq!(decode("aé".as_bytes(), ""), "aé");
        assert_eq!(decode(b"a\xe9b", ""), "aéb");
        assert_eq!(decode(b"\xff\xfea\0", ""), "a");
    }
}
