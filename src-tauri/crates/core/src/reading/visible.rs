//! Characters that people do not see and models do.

/// A text without characters that are invisible to people and not to a model: tags, marks of direction, and blanks of no width
/// between letters of ASCII. Between other letters they have a meaning.
pub fn visible(text: &str) -> String {
    if text.is_ascii() || !text.chars().any(is_invisible) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().filter(|c| !is_hidden(*c)).peekable();
    while let Some(c) = chars.next() {
        // One of them chooses how a sign is drawn; several in a row, or behind a letter of ASCII, carry something.
        if is_selector(c) && !out.ends_with(|before: char| (!before.is_ascii() || before.is_ascii_digit()) && !is_selector(before)) {
            continue;
        }
        if is_thin(c) {
            // Several in a row are one.
            while chars.next_if(|next| is_thin(*next)).is_some() {}
            let between = out.ends_with(|before: char| before.is_ascii()) && chars.peek().is_none_or(char::is_ascii);
            if between {
                continue;
            }
        }
        out.push(c);
    }
    out
}

/// Tags, marks of direction, invisible operators and fillers.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
        || matches!(c, '\u{2061}'..='\u{2064}' | '\u{180e}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

/// Variation selectors.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Blanks of no width, and what only matters at the end of a line.
fn is_thin(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// Whether people see nothing of this character.
pub(crate) fn is_invisible(c: char) -> bool {
    is_hidden(c) || is_thin(c) || is_selector(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_left_out() {
        let hidden: String = "obey".chars().filter_map(|c| char::from_u32(0xe0000 + c as u32)).collect();
        assert_eq!(visible(&format!("Good{hidden} day\u{202e}.")), "Good day.");
        assert_eq!(visible("pass\u{200b}\u{200d}word\u{ad}s"), "passwords");
        assert_eq!(visible("می\u{200c}خواهم 👩\u{200d}🚀"), "می\u{200c}خواهم 👩\u{200d}🚀", "there they mean something");
        let smuggled: String = "obey".bytes().filter_map(|byte| char::from_u32(0xe0100 + u32::from(byte))).collect();
        assert_eq!(visible(&format!("Good{smuggled} day\u{2063}\u{3164}.")), "Good day.");
        assert_eq!(visible(&format!("a ❤\u{fe0f}{smuggled} and 1\u{fe0f}\u{20e3}")), "a ❤\u{fe0f} and 1\u{fe0f}\u{20e3}");
    }
}
