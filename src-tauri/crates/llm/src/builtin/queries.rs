//! From a question to one to four queries.

use nexi_core::{
    rank::{Kind, Question, terms},
    text,
};

/// Words that a follow-up leans on instead of naming its subject.
const POINTERS: &[&str] =
    &["it", "its", "they", "them", "their", "he", "she", "his", "her", "this", "that", "these", "those", "there", "one"];

/// Words of a question that is asked as it stands.
const PLAIN: usize = 24;

/// One to four different queries: the question itself, where it is one question and says what it is about; else the topic
/// words of all of it and of each part.
pub(super) fn derive(question: &str, before: Option<&str>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut add = |query: String| {
        if !query.is_empty() && out.len() < 4 && !out.iter().any(|known| known.eq_ignore_ascii_case(&query)) {
            out.push(query);
        }
    };
    let whole = topic(question);
    let context = before.filter(|_| is_context_dependent(question)).map(topic).unwrap_or_default();
    if context.is_empty() && !whole.is_empty() && parts(question).is_empty() && text::word_count(question) <= PLAIN {
        // Its function words may be part of a name.
        add(plain(question));
        return out;
    }
    add(asking(question, join(&context, &whole)));
    for part in parts(question) {
        add(asking(part, join(&context, &topic(part))));
    }
    if whole.is_empty() {
        add(text::truncate(&text::fold_space(question), 200));
    }
    out
}

/// A question without what services take for operators: quotation marks, minus signs before words, fields with a colon.
fn plain(question: &str) -> String {
    let word = |word: &str| {
        let word = word.trim_start_matches(['-', '+', '"', '(']).trim_end_matches(['?', '.', '!', '"', ')', ',']);
        word.replace(['"', ':'], " ")
    };
    text::fold_space(&question.split_whitespace().map(word).collect::<Vec<_>>().join(" "))
}

fn topic(question: &str) -> String {
    let words = terms::content_words(question);
    words.iter().take(24).map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// The topic behind the word that says what kind of answer is wanted: an index on this computer orders by it, and
/// services on the web understand it.
fn asking(question: &str, topic: String) -> String {
    let word = match Question::new(question).kind {
        Kind::When => "when",
        Kind::Who => "who",
        Kind::Where => "where",
        Kind::Quantity => "how much",
        Kind::Why => "why",
        Kind::How => "how",
        Kind::What => "",
    };
    if topic.is_empty() { topic } else { format!("{word} {topic}").trim_start().to_owned() }
}

fn join(context: &str, topic: &str) -> String {
    format!("{context} {topic}").trim().to_owned()
}

fn is_context_dependent(question: &str) -> bool {
    let words: Vec<String> =
        question.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()).collect();
    terms::content_words(question).len() <= 2 || words.iter().any(|word| POINTERS.contains(&word.as_str()))
}

/// The questions that one message asks, where it asks several.
fn parts(question: &str) -> Vec<&str> {
    let pieces: Vec<&str> = question.split(['?', ';', '\n']).map(str::trim).filter(|part| terms::content_words(part).len() >= 2).collect();
    if pieces.len() > 1 { pieces } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_become_queries() {
        assert_eq!(derive("When was the Aldermoor bridge opened?", None), ["When was the Aldermoor bridge opened"]);
        assert_eq!(
            derive("Who built the harbour wall? When did the old mill burn?", None),
            ["when built harbour wall old mill burn", "who built harbour wall", "when old mill burn"]
        );
        assert_eq!(derive("And when was it painted?", Some("Who built the Aldermoor bridge?")), ["when built aldermoor bridge painted"]);
        assert_eq!(derive("What is it?", None), ["What is it?"]);
        assert_eq!(derive("What says -x about \"steel\" site:e.org?", None), ["What says x about steel site e.org"]);
        assert!(derive(&"many different words? ".repeat(50), None).len() <= 4);
    }
}
