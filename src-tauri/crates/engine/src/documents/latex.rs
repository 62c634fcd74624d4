//! Letters that LaTeX writes as commands.

use unicode_normalization::UnicodeNormalization;

/// Commands that put a mark on the letter behind them, and the mark.
const ACCENTS: &[(char, char)] = &[
    ('`', '\u{300}'),
    ('\'', '\u{301}'),
    ('^', '\u{302}'),
    ('~', '\u{303}'),
    ('=', '\u{304}'),
    ('.', '\u{307}'),
    ('"', '\u{308}'),
    ('u', '\u{306}'),
    ('r', '\u{30a}'),
    ('H', '\u{30b}'),
    ('v', '\u{30c}'),
    ('c', '\u{327}'),
    ('k', '\u{328}'),
];
/// Commands that are letters.
const LETTERS: &[(&str, &str)] = &[
    ("ss", "ß"),
    ("ae", "æ"),
    ("AE", "Æ"),
    ("oe", "œ"),
    ("OE", "Œ"),
    ("aa", "å"),
    ("AA", "Å"),
    ("o", "ø"),
    ("O", "Ø"),
    ("l", "ł"),
    ("L", "Ł"),
];

/// The text with letters in place of commands such as `\"u`, `\'{e}` and `{\ss}`; its lines stay the same.
pub(super) fn with_letters(text: &str) -> String {
    replaced(text, letter)
}

/// The same for commands that are signs, such as `\'e`: those that are letters may be folders of a path.
pub(super) fn with_accents(text: &str) -> String {
    replaced(text, |command| letter(command).filter(|_| !command.starts_with(|c: char| c.is_ascii_alphabetic())))
}

fn replaced(text: &str, letter: impl Fn(&str) -> Option<(String, &str)>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        // A brace around a single letter goes with its command.
        let (before, from) = (&rest[..at], &rest[at + 1..]);
        match letter(from) {
            Some((letter, after)) => {
                let closed = before.strip_suffix('{').zip(after.strip_prefix('}'));
                let (before, after) = closed.unwrap_or((before, after));
                out.push_str(before);
                out.push_str(&letter);
                rest = after;
            }
            None => {
                // What follows a backslash is no command of its own.
                let next = from.chars().next().map_or(0, char::len_utf8);
                out.push_str(&rest[..at + 1 + next]);
                rest = &from[next..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The letter that a command stands for, and what comes behind it.
fn letter(command: &str) -> Option<(String, &str)> {
    let name_end = command.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(command.len());
    let (name, after) = command.split_at(name_end);
    if let Some((_, letter)) = LETTERS.iter().find(|(known, _)| *known == name) {
        // Blanks end the name of a command, and an empty group does.
        let after = after.strip_prefix("{}").unwrap_or(after.strip_prefix(' ').unwrap_or(after));
        return Some(((*letter).to_owned(), after));
    }
    let sign = command.chars().next()?;
    let (_, mark) = ACCENTS.iter().find(|(known, _)| *known == sign)?;
    let after = &command[1..];
    let grouped = after.strip_prefix('{').and_then(|inner| inner.split_once('}'));
    // A command with a name ends at a blank: `\v C`. One that is longer, such as `\verb`, is another one.
    let named = sign.is_ascii_alphabetic();
    let spaced = after.strip_prefix(' ').filter(|_| named);
    let (base, after) = match grouped {
        Some(group) => group,
        None if named && spaced.is_none() => return None,
        None if named => {
            let after = spaced?;
            after.split_at(after.chars().next()?.len_utf8())
        }
        // A letter without its dot takes two characters.
        None if after.starts_with("\\i") || after.starts_with("\\j") => {
            let (base, after) = after.split_at(2);
            (base, after.strip_prefix(' ').unwrap_or(after))
        }
        None => after.split_at(after.chars().next()?.len_utf8()),
    };
    let base = match base {
        "\\i" => "i",
        "\\j" => "j",
        base => base,
    };
    let mut letters = base.chars();
    let base = letters.next().filter(|base| base.is_alphabetic() && letters.next().is_none())?;
    Some(([base, *mark].into_iter().nfc().collect(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_letters_are_read() {
        for (written, wanted) in [
            (r#"M\"uller, M\"{u}ller and M{\"u}ller"#, "Müller, Müller and Müller"),
            (r#"Poincar\'e, \v{C}apek, Gar\c{c}on, na{\"\i}f"#, "Poincaré, Čapek, Garçon, naïf"),
            (r"Stra{\ss}e, Stra\ss e, \O{}re, \'{\i}", "Straße, Straße, Øre, í"),
            (r"Dvo\v r\'ak, M\'\i r, \u g", "Dvořák, Mír, ğ"),
            (r"\\newline \section{A} \'' 5\% \verb|x|", r"\\newline \section{A} \'' 5\% \verb|x|"),
            (r"a\\'e \", r"a\\'e \"),
        ] {
            assert_eq!(with_letters(written), wanted, "{written}");
        }
    }
}
