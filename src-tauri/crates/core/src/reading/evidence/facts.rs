//! What in a sentence cannot be said in other words: its numbers and its names.

use crate::{
    rank::terms::{self, Term},
    text::{is_capitalised, spaced_words},
};

/// A name: capitalised words that follow each other, as stems.
pub(super) type Name = Vec<String>;

/// The numbers of a text, each in one form: `40,000`, `40 000` and `40 thousand` are `40000`, `3rd`
/// is `3`, `twelve` is `12`, `1990s` is `1990`.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let plain = with_plain_digits(text);
    let mut out: Vec<String> = Vec::new();
    let tokens = tokens(&plain);
    dates(&tokens, &mut out);
    let mut at = 0;
    while at < tokens.len() {
        let (token, _) = tokens[at];
        let digits = canonical(token);
        let spelt = || {
            // Numbers as words have three to eleven letters.
            if !(3..=11).contains(&token.len()) {
                return None;
            }
            SPELT.iter().find(|(word, _)| word.eq_ignore_ascii_case(token)).map(|(_, value)| (*value).to_owned())
        };
        if let Some(mut number) = digits.or_else(spelt) {
            // A blank as the separator of thousands.
            while number.bytes().all(|byte| byte.is_ascii_digit())
                && number.len() <= 9
                && let Some((next, gap)) = tokens.get(at + 1)
                && *gap == Gap::Blank
                && next.len() == 3
                && next.bytes().all(|byte| byte.is_ascii_digit())
                && token.len() <= 3
            {
                number.push_str(next);
                at += 1;
            }
            if let Some((next, _)) = tokens.get(at + 1)
                && let Some((_, zeros)) = SCALES.iter().find(|(word, _)| word.eq_ignore_ascii_case(next))
            {
                number = scaled(&number, *zeros);
                at += 1;
            }
            out.push(number);
        }
        at += 1;
    }
    out
}

/// Months beside a number, as `m5`, and Roman numerals behind a name, as `r2`.
fn dates(tokens: &[(&str, Gap)], out: &mut Vec<String>) {
    let is_number = |index: Option<usize>| {
        index.and_then(|index| tokens.get(index)).is_some_and(|(token, _)| token.starts_with(|c: char| c.is_ascii_digit()))
    };
    for (index, (token, _)) in tokens.iter().enumerate() {
        let before = index.checked_sub(1);
        let beside = is_number(before) || is_number(Some(index + 1));
        let of = || before.is_some_and(|before| PREPOSITIONS.iter().any(|word| word.eq_ignore_ascii_case(tokens[before].0)));
        // Names of months are looked up last: most words have no number beside them.
        if (beside || (is_capitalised(token) && of()))
            && let Some(month) = month(token)
        {
            out.push(format!("m{month}"));
        }
        // 1931-05-12
        if let (4, Some((month, _)), Some((day, _))) = (token.len(), tokens.get(index + 1), tokens.get(index + 2))
            && token.bytes().all(|byte| byte.is_ascii_digit())
            && month.len() == 2
            && day.len() == 2
            && day.bytes().all(|byte| byte.is_ascii_digit())
            && let Ok(month @ 1..=12) = month.parse::<u8>()
        {
            out.push(format!("m{month}"));
        }
        let behind_name = index.checked_sub(1).is_some_and(|before| is_capitalised(tokens[before].0));
        if behind_name && let Some(value) = ROMAN.iter().position(|roman| roman == token) {
            out.push(format!("r{}", value + 1));
        }
    }
}

const ROMAN: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
const PREPOSITIONS: &[&str] =
    &["in", "on", "of", "since", "by", "until", "from", "early", "late", "mid", "during", "before", "after", "im", "en"];

/// The number of a month by its name or the usual short form, in five languages.
fn month(token: &str) -> Option<usize> {
    const NAMES: [&[&str]; 12] = [
        &["january", "jan", "januar", "janvier", "enero", "gennaio"],
        &["february", "feb", "februar", "février", "febrero", "febbraio"],
        &["march", "mar", "märz", "mars", "marzo"],
        &["april", "apr", "avril", "abril", "aprile"],
        &["may", "mai", "mayo", "maggio"],
        &["june", "jun", "juni", "juin", "junio", "giugno"],
        &["july", "jul", "juli", "juillet", "julio", "luglio"],
        &["august", "aug", "août", "agosto"],
        &["september", "sep", "sept", "septembre", "septiembre", "settembre"],
        &["october", "oct", "oktober", "octobre", "octubre", "ottobre"],
        &["november", "nov", "novembre", "noviembre"],
        &["december", "dec", "dezember", "décembre", "diciembre", "dicembre"],
    ];
    if !(3..=11).contains(&token.len()) {
        return None;
    }
    let lower = token.to_lowercase();
    NAMES.iter().position(|names| names.contains(&lower.as_str())).map(|index| index + 1)
}

/// The digits of other scripts as the ones of ASCII.
pub(super) fn with_plain_digits(text: &str) -> std::borrow::Cow<'_, str> {
    let digit = |c: char| {
        [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10].iter().find_map(|zero| (c as u32).checked_sub(*zero).filter(|value| *value < 10))
    };
    if text.is_ascii() || !text.chars().any(|c| digit(c).is_some()) {
        return text.into();
    }
    text.chars().map(|c| digit(c).and_then(|value| char::from_digit(value, 10)).unwrap_or(c)).collect::<String>().into()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    Blank,
    Other,
}

/// Words and numbers; a point or comma between digits belongs to the number. With each stands what
/// separates it from the one before.
pub(super) fn tokens(text: &str) -> Vec<(&str, Gap)> {
    let mut out = Vec::new();
    let mut start: Option<usize> = None;
    let mut gap_from = 0;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let digit = |index: usize| chars.get(index).is_some_and(|(_, c)| c.is_ascii_digit());
    let mut push = |start: usize, end: usize, gap_from: usize| {
        let between = &text[gap_from..start];
        let gap = if !between.is_empty() && between.chars().all(char::is_whitespace) { Gap::Blank } else { Gap::Other };
        out.push((&text[start..end], gap));
    };
    for (index, (at, c)) in chars.iter().enumerate() {
        let inside =
            c.is_alphanumeric() || (matches!(c, '.' | ',') && start.is_some() && index > 0 && digit(index - 1) && digit(index + 1));
        // 1958年: the number ends where another script begins.
        let turns = index > 0 && inside && start.is_some() && {
            let before = chars[index - 1].1;
            (before.is_ascii_digit() && !c.is_ascii() && c.is_alphabetic())
                || (c.is_ascii_digit() && !before.is_ascii() && before.is_alphabetic())
        };
        if let (true, Some(from)) = (turns, start) {
            push(from, *at, gap_from);
            gap_from = *at;
            start = Some(*at);
            continue;
        }
        match (inside, start) {
            (true, None) => start = Some(*at),
            (false, Some(from)) => {
                push(from, *at, gap_from);
                gap_from = *at;
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        push(from, text.len(), gap_from);
    }
    out
}

/// Digits with separators and endings as one plain number; none for anything else.
pub(super) fn canonical(token: &str) -> Option<String> {
    if !token.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits_end = token.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (body, ending) = token.split_at(digits_end);
    // `3rd`, `1990s`, `312m`, `5kg`, but not `4x4` or a hash.
    if ending.len() > 3 || body.chars().any(char::is_alphabetic) {
        return Some(token.to_lowercase());
    }
    let groups: Vec<&str> = body.split(',').collect();
    let grouped =
        groups.len() > 1 && groups[0].len() <= 3 && groups[1..].iter().all(|group| group.split('.').next().is_some_and(|g| g.len() == 3));
    let mut plain = if grouped { groups.concat() } else { body.replace(',', ".") };
    // Points as separators of thousands, as much of Europe writes them.
    let points: Vec<&str> = plain.split('.').collect();
    if points.len() > 2 && points[1..].iter().all(|group| group.len() == 3) {
        plain = points.concat();
    }
    if plain.contains('.') {
        plain = plain.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let short = plain.trim_start_matches('0');
    Some(if short.is_empty() || short.starts_with('.') { format!("0{short}") } else { short.to_owned() })
}

/// Whether a text says another number where a claim has one of `missing`: of the same kind (years, months, or
/// other numbers), and not one that the claim has elsewhere.
pub(super) fn clash(missing: &[&String], claimed: &[String], held: &[String]) -> bool {
    let kind = |number: &str| match number.as_bytes().first() {
        Some(b'm' | b'r') => number.as_bytes().first().copied(),
        _ if number.len() == 4 && number.parse::<u32>().is_ok_and(|year| (1000..2200).contains(&year)) => Some(b'y'),
        _ if number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => Some(b'n'),
        _ => None,
    };
    let free: Vec<&String> = held.iter().filter(|number| !claimed.contains(number)).collect();
    // One for one: with several other numbers it is unclear which one is meant.
    missing.iter().any(|number| kind(number).is_some() && free.iter().filter(|other| kind(other) == kind(number)).count() == 1)
}

fn scaled(number: &str, zeros: usize) -> String {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut out = format!("{whole}{fraction}");
    if fraction.len() > zeros {
        return number.to_owned();
    }
    out.extend(std::iter::repeat_n('0', zeros - fraction.len()));
    let short = out.trim_start_matches('0');
    if short.is_empty() { "0".into() } else { short.to_owned() }
}

/// The names of a sentence: capitalised words that follow each other. The first word of the
/// sentence counts only when the next one is capitalised, too, or it is written in capitals.
pub(super) fn names(text: &str, terms: &[Term]) -> Vec<Name> {
    let mut out: Vec<Name> = Vec::new();
    let mut open: Name = Vec::new();
    let mut end_of_last = 0;
    for (index, term) in terms.iter().enumerate() {
        let word = &text[term.start..term.end];
        let adjacent = text[end_of_last..term.start].chars().all(|c| matches!(c, ' ' | '-' | '.' | '\u{a0}' | '\'' | '’'));
        let first = index == 0 || begins_sentence(text, term.start);
        let stop = terms::is_stop(&word.to_lowercase());
        let capital = is_capitalised(word);
        let shouted =
            word.chars().count() >= 2 && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit()) && word.contains(char::is_alphabetic);
        let next_is_name = terms
            .get(index + 1)
            .is_some_and(|next| is_capitalised(&text[next.start..next.end]) && text[term.end..next.start].trim().is_empty());
        let counts = capital && !stop && (!first || shouted || next_is_name);
        if counts {
            if !adjacent {
                close(&mut open, &mut out);
            }
            open.push(term.stem.clone());
        } else {
            close(&mut open, &mut out);
        }
        end_of_last = term.end;
    }
    close(&mut open, &mut out);
    out
}

/// Endings of common words, which names seldom have.
const COMMON_ENDINGS: &[&str] = &[
    "s", "ing", "ly", "ed", "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ism", "ist", "al", "ic", "ous", "ive", "able", "ible",
    "age", "ure", "er", "ship", "hood",
];
/// Words that open sentences.
const OPENERS: &[&str] = &[
    "although",
    "another",
    "around",
    "because",
    "besides",
    "despite",
    "early",
    "even",
    "finally",
    "here",
    "however",
    "instead",
    "later",
    "many",
    "meanwhile",
    "much",
    "nearly",
    "next",
    "none",
    "nothing",
    "often",
    "one",
    "people",
    "perhaps",
    "since",
    "someone",
    "sometimes",
    "soon",
    "still",
    "then",
    "though",
    "today",
    "together",
    "unlike",
    "until",
    "upon",
    "whether",
    "within",
    "without",
    "yes",
    "yet",
];

/// The stem of the first word, where it is capitalised, alone, and not formed like a common word.
pub(super) fn lone_first(text: &str, terms: &[Term]) -> Option<String> {
    let first = terms.first()?;
    let word = &text[first.start..first.end];
    let lower = word.to_lowercase();
    let next_is_name = terms.get(1).is_some_and(|next| is_capitalised(&text[next.start..next.end]));
    let common = terms::is_stop(&lower) || OPENERS.contains(&lower.as_str()) || COMMON_ENDINGS.iter().any(|ending| lower.ends_with(ending));
    (is_capitalised(word) && !next_is_name && !common && lower.len() > 2).then(|| first.stem.clone())
}

fn close(open: &mut Name, out: &mut Vec<Name>) {
    if !open.is_empty() && !out.contains(open) {
        out.push(std::mem::take(open));
    }
    open.clear();
}

/// Whether what stands before this byte ends a sentence or opens a quotation.
fn begins_sentence(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end();
    before.ends_with(['.', '!', '?', ':', '“', '"', '„', '«', '…']) && !before.ends_with("..")
}

/// Words that turn a sentence around.
const NEGATIONS: &[&str] =
    &["not", "never", "no", "none", "neither", "nor", "cannot", "without", "false", "untrue", "denied", "denies", "nobody", "nothing"];

/// Whether a text denies something.
pub(super) fn has_negation(text: &str) -> bool {
    spoken(text).any(|word| {
        let lower = word.to_lowercase();
        NEGATIONS.contains(&lower.as_str()) || lower.ends_with("n't") || lower.ends_with("n’t")
    })
}

/// The words of a text, without those that are part of a title: "I Don't Feel at Home" denies nothing.
fn spoken(text: &str) -> impl Iterator<Item = &str> {
    let words: Vec<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’'))).filter(|word| !word.is_empty()).collect();
    let capital = |word: Option<&&str>| word.is_some_and(|word| is_capitalised(word));
    let keep: Vec<bool> =
        words.iter().enumerate().map(|(at, word)| !is_capitalised(word) || (at == 0 && !capital(words.get(at + 1)))).collect();
    words.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(word, _)| word)
}

/// Whether a single sentence denies its own verb; "without" and "no" mostly deny something beside it.
pub(super) fn negates_verb(text: &str) -> bool {
    let lower = spoken(text).collect::<Vec<_>>().join(" ").to_lowercase() + " ";
    let words = spaced_words(&lower);
    let has = |phrase: &str| words.contains(&format!(" {phrase} "));
    lower.contains("n't ")
        || lower.contains("n’t ")
        || has("never")
        || has("no evidence")
        || has("denied")
        || (has("not") && !has("not until") && !has("not only"))
}

const SCALES: &[(&str, usize)] =
    &[("hundred", 2), ("thousand", 3), ("million", 6), ("millions", 6), ("billion", 9), ("billions", 9), ("trillion", 12)];

/// Numbers as words. `one`, `first` and `second` mean too many other things.
const SPELT: &[(&str, &str)] = &[
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("thirteen", "13"),
    ("fourteen", "14"),
    ("fifteen", "15"),
    ("sixteen", "16"),
    ("seventeen", "17"),
    ("eighteen", "18"),
    ("nineteen", "19"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("sixty", "60"),
    ("seventy", "70"),
    ("eighty", "80"),
    ("ninety", "90"),
    ("third", "3"),
    ("fourth", "4"),
    ("fifth", "5"),
    ("sixth", "6"),
    ("seventh", "7"),
    ("eighth", "8"),
    ("ninth", "9"),
    ("tenth", "10"),
    ("eleventh", "11"),
    ("twelfth", "12"),
    ("sixteenth", "16"),
    ("seventeenth", "17"),
    ("eighteenth", "18"),
    ("nineteenth", "19"),
    ("twentieth", "20"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_form() {
        let same = |text: &str, wanted: &[&str]| assert_eq!(numbers(text), wanted, "{text}");
        same("40,000 and 40 000 and 40 thousand and 40.000.000", &["40000", "40000", "40000", "40000000"]);
        same("3.50 or 3,5 in May 12th, 1931 (the 1990s)", &["m5", "3.5", "3.5", "12", "1931", "1990"]);
        same("東京タワーは1958年に完成した。高さは３３３メートル", &["1958", "333"]);
        same("عام ٩٦٩", &["969"]);
        same("on 2010-03-05, it may rain; the twentieth of World War II", &["m3", "r2", "2010", "3", "5", "20"]);
        same("twelve men, the third of 1.5 million; 007", &["12", "3", "1500000", "7"]);
        same("312m long, 0.5 wide, 100%", &["312", "0.5", "100"]);
        same("no number, one of them, first", &[]);
        same("a 4x4 of 12 345 parts", &["4x4", "12345"]);
    }

    #[test]
    fn names_are_runs_of_capitals() {
        let of = |text: &str| names(text, &terms::terms(text));
        assert_eq!(of("The bridge was designed by Ida Lindqvist in Orvik."), [vec!["ida", "lindqvist"], vec!["orvik"]]);
        assert_eq!(of("Construction began. Workers of NASA came."), [vec!["nasa"]]);
        assert_eq!(of("Bianca Ryan won; Bianca Ryan sang."), [vec!["bianca", "ryan"]]);
        assert_eq!(of("In Oslo, Norway, it rains."), [vec!["oslo"], vec!["norway"]]);
    }
}
