//! Words made comparable: lower case, without endings, function words known as such.

use std::cell::RefCell;
use std::collections::HashMap;

use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed, options::WordBreakInvariantOptions};
use rust_stemmers::{Algorithm, Stemmer};

pub use super::function_words::is_stop;
use super::function_words::of_language;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Lower case, stemmed.
    pub stem: String,
    /// Byte offset in the text.
    pub start: usize,
    /// Byte offset just behind the word.
    pub end: usize,
}

thread_local! {
    static SEGMENTER: WordSegmenterBorrowed<'static> = WordSegmenter::new_lstm(WordBreakInvariantOptions::default());
    static STEMS: RefCell<(Stemmer, HashMap<String, String>)> =
        RefCell::new((Stemmer::create(Algorithm::English), HashMap::new()));
}

/// The words of a text, in order, function words included.
pub fn terms(text: &str) -> Vec<Term> {
    let mut out = Vec::new();
    let mut start = None;
    let mut unspaced_to = 0;
    for (at, c) in text.char_indices() {
        if is_ideograph(c) {
            close(text, &mut start, at, &mut out);
            let end = at + c.len_utf8();
            out.push(Term { stem: c.to_string(), start: at, end });
        } else if is_unspaced(c) {
            // Its words are found all at once, where the first letter stands.
            if at < unspaced_to {
                continue;
            }
            close(text, &mut start, at, &mut out);
            let run = &text[at..];
            let length = run.find(|c| !is_unspaced(c)).unwrap_or(run.len());
            unspaced_to = at + length;
            out.extend(segments(&run[..length]).map(|part| Term {
                stem: run[part.clone()].to_owned(),
                start: at + part.start,
                end: at + part.end,
            }));
        } else if c.is_alphanumeric() || is_mark(c) {
            start.get_or_insert(at);
        } else if matches!(c, '\'' | '’') && start.is_some() {
            // "America's" and "don't" stay one word until it is closed.
        } else {
            close(text, &mut start, at, &mut out);
        }
    }
    close(text, &mut start, text.len(), &mut out);
    out
}

fn close(text: &str, start: &mut Option<usize>, end: usize, out: &mut Vec<Term>) {
    let Some(start) = start.take() else { return };
    let word = text[start..end].trim_end_matches(['\'', '’']);
    let end = start + word.len();
    // Most words are written as they are looked up.
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        out.push(Term { stem: stem(word), start, end });
        return;
    }
    let lower: String = if word.is_ascii() {
        word.to_ascii_lowercase()
    } else {
        word.chars().filter(|c| !is_mark(*c)).flat_map(char::to_lowercase).map(fold_accent).collect()
    };
    out.push(Term { stem: stem(base(&lower)), start, end });
}

/// A lower-case word without what an apostrophe ties to it: the genitive of English, and articles and pronouns of French
/// and Italian.
pub fn base(word: &str) -> &str {
    /// What loses its vowel before another one.
    const ELIDED: [&str; 11] = ["l", "d", "j", "m", "t", "s", "n", "c", "qu", "dell", "nell"];
    if let Some((first, rest)) = word.split_once(['\'', '’'])
        && ELIDED.contains(&first)
        && rest.chars().count() > 2
    {
        return rest;
    }
    word.strip_suffix("'s").or(word.strip_suffix("’s")).unwrap_or(word)
}

/// The stem of a lower-case word.
pub fn stem(word: &str) -> String {
    if word.len() < 3 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word.to_owned();
    }
    STEMS.with_borrow_mut(|(stemmer, known)| {
        if let Some(found) = known.get(word) {
            return found.clone();
        }
        if known.len() > 50_000 {
            known.clear();
        }
        let stem = stemmer.stem(word).into_owned();
        known.insert(word.to_owned(), stem.clone());
        stem
    })
}

/// The words of a question that carry its topic, in order, each once.
pub fn content_words(question: &str) -> Vec<String> {
    let words: Vec<String> =
        terms(question).into_iter().map(|term| base(&question[term.start..term.end].to_lowercase()).to_owned()).collect();
    let function_words = of_language(words.iter().map(String::as_str));
    let mut out: Vec<String> = Vec::new();
    for word in words {
        if function_words.binary_search(&word.as_str()).is_err() && !out.contains(&word) {
            out.push(word);
        }
    }
    out
}

/// The words of a question that carry its topic, those of the same stem once.
pub fn topic_words(question: &str) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    let mut is_new = |word: &String| {
        let stem = stem(word);
        let is_new = !stems.contains(&stem);
        stems.push(stem);
        is_new
    };
    content_words(question).into_iter().filter(|word| is_new(word)).collect()
}

/// The stems of the words of a question that carry its topic, in order, each once.
pub fn topics(question: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in content_words(question) {
        for term in terms(&word) {
            if !out.contains(&term.stem) {
                out.push(term.stem);
            }
        }
    }
    out
}

/// Whether a letter is a word of its own, as those of Chinese and Japanese count here.
pub fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Whether a letter is of a script that writes its words without blanks between them: Thai, Lao, Burmese and Khmer.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// What stands in such scripts in a text.
pub fn unspaced_runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_unspaced(c)).filter(|run| !run.is_empty())
}

/// The words of such scripts in a text, in their order.
pub fn unspaced_words(text: &str) -> Vec<&str> {
    unspaced_runs(text).flat_map(|run| segments(run).map(move |part| &run[part])).collect()
}

/// Where the words of a run of such letters stand.
fn segments(run: &str) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
    let breaks: Vec<usize> = SEGMENTER.with(|segmenter| segmenter.segment_str(run).collect());
    breaks.windows(2).map(|pair| pair[0]..pair[1]).collect::<Vec<_>>().into_iter()
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// The base letter of the accented letters of Latin-1 and Latin Extended-A.
fn fold_accent(c: char) -> char {
    match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' => 'i',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ś' | 'ŝ' | 'ş' | 'š' => 's',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        'ł' => 'l',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_without_blanks_are_found() {
        // "The price of durians in the market", in Thai, and a name in Latin letters.
        let text = "ราคาทุเรียนในตลาด Orvik";
        let words = unspaced_words(text);
        assert!(words.contains(&"ราคา") && words.contains(&"ทุเรียน") && words.contains(&"ตลาด"), "{words:?}");
        let all: Vec<&str> = terms(text).iter().map(|term| &text[term.start..term.end]).collect();
        assert_eq!(all.last(), Some(&"Orvik"));
        assert_eq!(&all[..words.len()], words);
        assert!(unspaced_words("plain").is_empty());
    }

    #[test]
    fn words_are_folded() {
        let stems: Vec<String> = terms("America's Élections, re-elected 3.5").into_iter().map(|term| term.stem).collect();
        assert_eq!(stems, ["america", "elect", "re", "elect", "3", "5"]);
        assert_eq!(terms("日本の").len(), 3);
        let stems = |text: &str| terms(text).into_iter().map(|term| term.stem).collect::<Vec<_>>();
        assert_eq!(stems("l'ascenseur, d’Orvik"), stems("ascenseur Orvik"));
    }

    #[test]
    fn topics_are_kept_in_order() {
        assert_eq!(content_words("Who won the first season of America's Got Talent?"), ["won", "first", "season", "america", "talent"]);
        assert_eq!(content_words("Was kostet die Schubkarre?"), ["kostet", "schubkarre"]);
        assert_eq!(content_words("Qui révise l'ascenseur de la maison ?"), ["révise", "ascenseur", "maison"]);
        assert_eq!(content_words("¿Cuándo se construyó el puente de la ciudad?"), ["construyó", "puente", "ciudad"]);
        assert_eq!(content_words("Who made Die Hard?"), ["made", "die", "hard"]);
    }
}
