//! Words of a text as they are compared, whatever they are written with.

/// Words in small letters; each character of a script without blanks by itself.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    each_token(text, |token| out.push(token));
    out
}

/// The same one by one: those of a long document together take many times its room.
pub(super) fn each_token(text: &str, mut take: impl FnMut(String)) {
    let mut word = String::new();
    for c in text.chars().map(narrow).flat_map(char::to_lowercase) {
        let is_part = c.is_alphanumeric() && !unspaced(c);
        if is_part {
            word.push(c);
            continue;
        }
        // Nothing that cannot be seen divides a word.
        if !word.is_empty() && (c.is_alphanumeric() || !crate::visible::is_invisible(c)) {
            take(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            take(c.into());
        }
    }
    if !word.is_empty() {
        take(word);
    }
}

/// Wide forms of Latin letters and digits are those letters and digits.
fn narrow(c: char) -> char {
    match u32::from(c) {
        wide @ 0xFF01..=0xFF5E => char::from_u32(wide - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

/// Whether a token is a character of such a script.
pub(super) fn is_unspaced(token: &str) -> bool {
    token.chars().next().is_some_and(unspaced)
}

/// Chinese, Japanese, Thai, Lao, Khmer and Burmese write no blanks.
fn unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}
