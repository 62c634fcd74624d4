//! Whether two questions ask the same.

use std::collections::HashSet;

use super::{Question, related, terms};

/// What a word counts that the other question does not have, where it has one that belongs to it.
const AKIN: f64 = 0.3;

/// Words that a question leans on in place of naming its subject.
const POINTERS: &[&str] = &["it", "its", "they", "them", "their", "he", "she", "his", "her", "there", "this", "that", "these", "those"];
/// Topics that a question must have before it is taken for one about something else.
const ENOUGH: usize = 3;

/// Whether a question is understood only by the one before it.
pub fn leans_on_another(question: &str) -> bool {
    let words = question.split(|c: char| !c.is_alphanumeric()).map(str::to_ascii_lowercase);
    words.into_iter().any(|word| POINTERS.contains(&word.as_str()))
}

/// Whether a question is about something else than the conversation that it is typed into: it names enough, and no word
/// of it, or one that belongs to it, was said there. `said` are the questions and answers of the conversation.
pub fn changes_topic<'a>(question: &str, said: impl IntoIterator<Item = &'a str>) -> bool {
    let topics = Question::new(question).topics;
    if topics.len() < ENOUGH || leans_on_another(question) {
        return false;
    }
    let known: HashSet<String> = said.into_iter().flat_map(terms::topics).collect();
    let belongs = |topic: &String| known.iter().any(|other| related::share_one(related::groups(topic), related::groups(other)));
    !known.is_empty() && !topics.iter().any(|topic| known.contains(topic) || belongs(topic))
}

/// How two questions compare.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likeness {
    /// From 0 to 1: the share of what each is about, by how rare its words are, that the other is about, too.
    pub share: f64,
    /// Words that both have; half for each that has one that belongs to it.
    pub common: f64,
}

/// Compares two questions. `rarity` knows the words of the first one; those that only the second has count as their mean.
pub fn alike(first: &Question, second: &Question, rarity: impl Fn(&str) -> f64) -> Likeness {
    let mut likeness = Likeness { share: 0.0, common: 0.0 };
    if first.topics.is_empty() || second.topics.is_empty() {
        return likeness;
    }
    let all: f64 = first.topics.iter().map(|topic| rarity(topic)).sum();
    let mean = all / first.topics.len() as f64;
    let only = |topic: &&String| !first.topics.contains(*topic);
    let others: f64 = second.topics.iter().map(|topic| if only(&topic) { mean } else { rarity(topic) }).sum();
    let mut shared = 0.0;
    for topic in &first.topics {
        let (weight, count) = if second.topics.contains(topic) {
            (1.0, 1.0)
        } else if second.topics.iter().filter(only).any(|other| related::share_one(related::groups(topic), related::groups(other))) {
            (AKIN, 0.5)
        } else {
            continue;
        };
        shared += weight * rarity(topic);
        likeness.common += count;
    }
    likeness.share = f64::midpoint(shared / all.max(f64::MIN_POSITIVE), shared / others.max(f64::MIN_POSITIVE));
    likeness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_topic_is_told_from_a_follow_up() {
        let said = ["When was the Aldermoor bridge built?", "The bridge was opened in May 1931; Ida Lindqvist designed it."];
        let changes = |question: &str| changes_topic(question, said);
        assert!(changes("How do I renew a Swedish passport abroad?"));
        for follow_up in [
            "Who was Lindqvist's teacher in Lund?",
            "How long is it between the towers?",
            "And the costs?",
            "Which other bridges stand nearby?",
        ] {
            assert!(!changes(follow_up), "{follow_up}");
        }
        assert!(!changes_topic("How do I renew a Swedish passport abroad?", []), "nothing was said yet");
    }

    #[test]
    fn the_same_in_other_words_is_more_alike_than_something_else_about_it() {
        let likeness = |a: &str, b: &str| alike(&Question::new(a), &Question::new(b), |_| 1.0);
        let again = likeness("When was the Aldermoor bridge built?", "construction of the Aldermoor bridge");
        let other = likeness("When was the Aldermoor bridge built?", "Who painted the Aldermoor bridge?");
        assert!(again.share > other.share && again.common > other.common, "{again:?} {other:?}");
        assert_eq!(likeness("When was the bridge built?", "Cheap flights"), Likeness { share: 0.0, common: 0.0 });
        assert!(likeness("when was the bridge built", "When was the bridge built?").share > 0.99);
    }
}
