//! Whether two questions ask the same.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::{Question, related, terms};

/// What a word counts that the other question does not have, where it has one that belongs to it.
const AKIN: f64 = 0.3;
/// What an everyday word counts: it may stand in questions about anything.
const EVERYDAY: f64 = 0.5;

/// Words of all kinds of questions, besides those that stand among the ones that belong together.
const COMMONPLACE: &str = "man men woman women girl boy kid guy person adult friend love hate like life home house room door \
    world earth land place space area side top bottom front middle inside outside back north south east west left right hand head eye \
    face foot heart mind hair baby dog cat animal bird fish tree flower plant garden fire air light dark sun star moon sky rain snow \
    day night morning evening week hour minute second summer winter spring autumn monday tuesday wednesday thursday friday saturday \
    sunday january february march april june july august september october november december today tomorrow yesterday thing stuff \
    way idea fact case example story letter line point question answer problem group list item set order rule step level group half \
    piece pair box bag table chair bed wall floor window street road bridge park shop store market office company business bank \
    white black red blue green yellow brown good better best bad worse worst nice great new young real true false different same \
    similar special general main major full empty open easy hard simple clean cold hot warm cool free cheap busy ready sure \
    certain possible important popular famous original official average normal usual proper whole single double modern recent \
    current present past future early late near close far wide deep strong weak heavy soft loud quiet quick slow rich poor \
    go goes went gone give gave given take took taken put bring brought carry turn move walk run sit stand stay wait watch hear listen \
    feel felt look read learn know knew known think thought believe remember talk tell told ask hope wish try tried hold held catch \
    caught throw cut pull push break broke fix repair wear wash sleep wake play dance game sport ball party holiday travel trip visit \
    percent dollar euro pound water money time people name number";

static COMMONPLACES: LazyLock<HashSet<String>> = LazyLock::new(|| terms::terms(COMMONPLACE).into_iter().map(|term| term.stem).collect());

/// Words that a question leans on in place of naming its subject.
const POINTERS: &[&str] = &["it", "its", "they", "them", "their", "he", "she", "his", "her", "there", "this", "that", "these", "those"];
/// Topics that a question must have before it is taken for one about something else.
const ENOUGH: usize = 3;

/// Whether a question is understood only by the one before it.
pub fn is_context_dependent(question: &str) -> bool {
    let words = question.split(|c: char| !c.is_alphanumeric()).map(str::to_ascii_lowercase);
    words.into_iter().any(|word| POINTERS.contains(&word.as_str()))
}

/// Whether a question is about something else than the conversation that it is typed into: it names enough, and no word
/// of it, or one that belongs to it, was said there. `said` are the questions and answers of the conversation.
pub fn changes_topic<'a>(question: &str, said: impl IntoIterator<Item = &'a str>) -> bool {
    let topics = Question::new(question).topics;
    if topics.len() < ENOUGH || is_context_dependent(question) {
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
    /// Words that both have and that are not everyday ones: those tell what a question is about.
    pub specific: usize,
}

/// Compares two questions. `rarity` knows the words of the first one; those that only the second has count as their mean.
pub fn alike(first: &Question, second: &Question, rarity: impl Fn(&str) -> f64) -> Likeness {
    let mut likeness = Likeness { share: 0.0, specific: 0 };
    if first.topics.is_empty() || second.topics.is_empty() {
        return likeness;
    }
    let mean = first.topics.iter().map(|topic| rarity(topic)).sum::<f64>() / first.topics.len() as f64;
    let only = |topic: &&String| !first.topics.contains(*topic);
    let is_everyday = |topic: &str| !related::groups(topic).is_empty() || COMMONPLACES.contains(topic);
    let weight = |topic: &String| {
        let rarity = if only(&topic) { mean } else { rarity(topic) };
        if is_everyday(topic) { EVERYDAY * rarity } else { rarity }
    };
    let all: f64 = first.topics.iter().map(weight).sum();
    let others: f64 = second.topics.iter().map(weight).sum();
    let mut shared = 0.0;
    for topic in &first.topics {
        if second.topics.contains(topic) {
            shared += weight(topic);
            likeness.specific += usize::from(!is_everyday(topic));
        } else if second.topics.iter().filter(only).any(|other| related::share_one(related::groups(topic), related::groups(other))) {
            shared += AKIN * weight(topic);
        }
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
        assert!(again.share > other.share && again.specific == 1, "{again:?} {other:?}");
        assert_eq!(likeness("When was the bridge built?", "Cheap flights"), Likeness { share: 0.0, specific: 0 });
        assert!(likeness("when was the bridge built", "When was the bridge built?").share > 0.99);
    }
}
