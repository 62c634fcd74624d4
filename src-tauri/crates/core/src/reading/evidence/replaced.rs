//! Two sentences that say different things about the same: another number, another name, or the opposite.

use std::collections::BTreeSet;

use super::{Evidence, facts};
use crate::{rank::terms, reading::Support};

/// The share of their other words that two sentences must have in common before they speak of the same thing.
const ALIKE: f64 = 0.6;
/// The same where one says the opposite: the opposites themselves are no common words.
const ALIKE_OPPOSED: f64 = 0.4;
/// Words of names, or letters of Chinese and Japanese, that may have been put in the place of others.
const MOST_REPLACED: usize = 6;

/// What a sentence speaks of, and what it says of it.
#[derive(Debug)]
pub struct Claim<'a> {
    pub text: &'a str,
    /// Stems of its words that are neither stop words nor numbers.
    words: BTreeSet<String>,
    /// Those of them that are part of a name, or could be one in a script without capitals.
    names: BTreeSet<String>,
    /// In one form, with their signs.
    numbers: BTreeSet<String>,
}

impl<'a> Claim<'a> {
    /// Takes a sentence apart, once for all that it is compared with.
    pub fn new(sentence: &'a str) -> Self {
        let all = terms::terms(sentence);
        let mut names: BTreeSet<String> = facts::names(sentence, &all).into_iter().flatten().collect();
        let mut words = BTreeSet::new();
        for term in &all {
            let word = &sentence[term.start..term.end];
            if terms::is_stop(&word.to_lowercase()) || word.chars().any(char::is_numeric) {
                continue;
            }
            if word.chars().next().is_some_and(terms::is_ideograph) || !terms::unspaced_words(word).is_empty() {
                names.insert(term.stem.clone());
            }
            words.insert(term.stem.clone());
        }
        let mut numbers: BTreeSet<String> = facts::numbers(sentence).into_iter().collect();
        numbers.extend(below_zero(sentence));
        Self { text: sentence, words, names, numbers }
    }

    /// How much a new sentence has in common with this one besides the facts in which they differ; none where they do not
    /// differ, or speak of different things.
    pub fn replaced_by(&self, new: &Claim<'_>) -> Option<f64> {
        let numbers = is_replaced(&self.numbers, &new.numbers);
        let gone: BTreeSet<_> = self.words.difference(&new.words).collect();
        let come: BTreeSet<_> = new.words.difference(&self.words).collect();
        let names_among = |words: &BTreeSet<&String>, names: &BTreeSet<String>| words.iter().filter(|word| names.contains(**word)).count();
        let (gone_names, come_names) = (names_among(&gone, &self.names), names_among(&come, &new.names));
        let names = (1..=MOST_REPLACED).contains(&gone_names) && (1..=MOST_REPLACED).contains(&come_names);
        let shared = self.words.intersection(&new.words).count();
        let others = gone.len() + come.len() - if names { gone_names + come_names } else { 0 };
        let alike = shared as f64 / (shared + others).max(1) as f64;
        let enough = shared >= 2 || (shared == 1 && others == 0);
        if (numbers || names) && enough && alike >= ALIKE {
            return Some(alike);
        }
        let is_opposed = || Evidence::new("", self.text).judge(new.text).is_some_and(|found| found.support == Support::Contradicted);
        (enough && alike >= ALIKE_OPPOSED && is_opposed()).then_some(alike)
    }

    /// Whether a new sentence says the same in nearly the same words.
    pub fn is_repeated_by(&self, new: &Claim<'_>) -> bool {
        let shared = self.words.intersection(&new.words).count();
        let all = self.words.union(&new.words).count();
        self.numbers == new.numbers && shared * 5 >= all * 4
    }
}

/// One has something that the other has not, and the other way round.
fn is_replaced(before: &BTreeSet<String>, after: &BTreeSet<String>) -> bool {
    before.difference(after).next().is_some() && after.difference(before).next().is_some()
}

/// Numbers with a minus in front of them.
fn below_zero(sentence: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, sign) in sentence.char_indices().filter(|(_, c)| matches!(c, '-' | '−' | '–')) {
        let is_sign = sentence[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
        let digits: String = sentence[at + sign.len_utf8()..].chars().take_while(char::is_ascii_digit).collect();
        if is_sign && !digits.is_empty() {
            out.push(format!("-{digits}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(old: &str, new: &str) -> Option<f64> {
        Claim::new(old).replaced_by(&Claim::new(new))
    }

    fn repeats(old: &str, new: &str) -> bool {
        Claim::new(old).is_repeated_by(&Claim::new(new))
    }

    #[test]
    fn another_number_name_or_the_opposite_is_found() {
        for (old, new) in [
            ("The latest version of Quillbase is 4.1.", "The latest version of Quillbase is 4.2."),
            ("The CEO of Brimstone is Alice Moor.", "The CEO of Brimstone is Bob Tarn."),
            ("An adult ticket costs 9 euros.", "An adult ticket costs 7 euros."),
            ("Dogs are allowed on the Orm ferry.", "Dogs are banned on the Orm ferry."),
            ("Widget A costs 10 euros.", "Widget A costs 20 euros."),
            ("桜町の町長は田中一郎です。", "桜町の町長は鈴木花子です。"),
            ("蓝山矿由北方公司拥有。", "蓝山矿由南海公司拥有。"),
        ] {
            assert!(replaced(old, new).is_some(), "{old} {new}");
            assert!(!repeats(old, new), "{old} {new}");
        }
        let fern = |degrees: &str| format!("The temperature in Fernhill is {degrees} degrees.");
        assert!(!repeats(&fern("5"), &fern("-5")) && !repeats(&fern("5"), &fern("−5")));
    }

    #[test]
    fn other_words_and_other_things_are_no_replacement() {
        for (old, new) in [
            ("The latest version of Kestrel is 3.1.", "The Wrenfield foundation released it in March 2026."),
            ("The latest version of Kestrel is 3.1.", "Kestrel 3.1 is the latest version."),
            ("It rose by 4 percent.", "It rose by 4.0 %."),
            ("The ferry leaves at 9:00.", "The ferry leaves at 09:00."),
            ("The bridge is 1,250 metres long.", "The bridge is 1250 m long."),
            ("It was opened on 3 May 2026.", "It was opened on May 3, 2026."),
        ] {
            assert_eq!(replaced(old, new), None, "{old} {new}");
        }
    }
}
