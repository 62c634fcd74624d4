//! Text whose letters take two or four bytes each.

/// Bytes at the beginning of a file that tell how it is written.
const HEAD: usize = 1024;

/// The text of a file in UTF-16 or UTF-32, with or without a byte order mark; none where it is in neither.
pub fn decode(bytes: &[u8]) -> Option<String> {
    // The mark of UTF-32 begins with that of UTF-16.
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe\0\0") {
        return Some(four(rest, u32::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(b"\0\0\xfe\xff") {
        return Some(four(rest, u32::from_be_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return Some(two(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return Some(two(rest, u16::from_be_bytes));
    }
    // Without a mark: Latin letters have a zero in one half of every pair, and other texts have none at all.
    let head = &bytes[..bytes.len().min(HEAD) & !1];
    let zeros = |half: usize| head.iter().skip(half).step_by(2).filter(|byte| **byte == 0).count();
    let (first, second, pairs) = (zeros(0), zeros(1), head.len() / 2);
    if pairs < 4 {
        None
    } else if first == 0 && second * 2 > pairs {
        Some(two(bytes, u16::from_le_bytes))
    } else if second == 0 && first * 2 > pairs {
        Some(two(bytes, u16::from_be_bytes))
    } else {
        None
    }
}

fn two(bytes: &[u8], number: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    char::decode_utf16(pairs.iter().map(|pair| number(*pair))).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn four(bytes: &[u8], number: fn([u8; 4]) -> u32) -> String {
    let (fours, _) = bytes.as_chunks::<4>();
    fours.iter().map(|four| char::from_u32(number(*four)).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_text_is_read_with_and_without_a_mark() {
        const TEXT: &str = "Hafengebühren 12 €";
        let little: Vec<u8> = TEXT.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = TEXT.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let four: Vec<u8> = TEXT.chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect();
        for (mark, bytes) in [(&b""[..], &little), (b"\xff\xfe", &little), (b"", &big), (b"\xfe\xff", &big), (b"\xff\xfe\0\0", &four)] {
            assert_eq!(decode(&[mark, bytes].concat()).as_deref(), Some(TEXT));
        }
        assert_eq!(decode(TEXT.as_bytes()), None);
        assert_eq!(decode(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0"), None);
        assert_eq!(decode(b""), None);
    }
}
