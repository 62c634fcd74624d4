//! The pseudo-locale: English that can be read, but is accented and about 40 % longer.

use std::borrow::Cow;

/// Accents the letters of a text and writes many of them twice.
pub fn accented(text: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(text.len() * 3);
    for letter in text.chars() {
        let (with_accent, twice) = match letter {
            'a' => ('á', true),
            'e' => ('é', true),
            'i' => ('í', true),
            'o' => ('ó', true),
            'u' => ('ú', true),
            'y' => ('ý', true),
            'c' => ('ç', false),
            'n' => ('ñ', true),
            's' => ('š', true),
            'z' => ('ž', false),
            'A' => ('Á', false),
            'E' => ('É', false),
            'I' => ('Í', false),
            'O' => ('Ó', false),
            'U' => ('Ú', false),
            'C' => ('Ç', false),
            'N' => ('Ñ', false),
            'S' => ('Š', false),
            other => (other, false),
        };
        out.push(with_accent);
        if twice {
            out.push(with_accent);
        }
    }
    Cow::Owned(out)
}
