//! From bytes to text: byte order mark, header, `<meta>`, then a guess.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Decodes a body; `content_type` is the header, lower case.
pub fn decode(body: &[u8], content_type: &str) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return encoding.decode(body).0.into_owned();
    }
    let declared = label(content_type).or_else(|| {
        let head = String::from_utf8_lossy(&body[..body.len().min(2048)]).to_ascii_lowercase();
        label(&head)
    });
    match declared {
        Some(encoding) => encoding.decode(body).0.into_owned(),
        None => match std::str::from_utf8(body) {
            Ok(text) => text.to_owned(),
            // A multi-byte character cut off at the end is still UTF-8.
            Err(error) if error.error_len().is_none() => UTF_8.decode(body).0.into_owned(),
            Err(_) => WINDOWS_1252.decode(body).0.into_owned(),
        },
    }
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
