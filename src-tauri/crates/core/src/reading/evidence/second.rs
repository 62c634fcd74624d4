//! What a second look at a sentence needs: the passage that comes nearest, and whether words that somebody points to
//! really bear it out.

use std::ops::Range;

use super::{Evidence, any_within, facts, letters, opposites, qualities, verdict::Measured};

/// Content words that a sentence shares with the words that bear it out.
const SHARED: usize = 2;
/// Share of its weight that these words have.
const SHARED_WEIGHT: f64 = 0.25;

impl Evidence<'_> {
    /// The stretch that comes nearest to a sentence, however far that is, and how much of the sentence it covers.
    pub fn closest(&self, sentence: &str) -> Option<(f64, Range<usize>)> {
        match self.measure(sentence)? {
            Measured::Certain(finding) => Some((1.0, finding.range)),
            Measured::Compared { measures, .. } => Some((measures.coverage, measures.range)),
        }
    }

    /// Where a quotation stands that is said to support a sentence. None where the source does not have these words,
    /// where the sentence's numbers and names do not stand there, or where they say the opposite: a model's word
    /// alone is no evidence.
    pub fn bears_out(&self, sentence: &str, quotation: &str) -> Option<Range<usize>> {
        let range = letters::close_range(self.text, self.letters.find(quotation)?);
        let held = &self.text[range.clone()];
        let agrees = self.around(&range, sentence)
            && facts::has_negation(sentence) == facts::has_negation(held)
            && !qualities::contradict(&qualities::qualities(sentence), &qualities::qualities(held))
            && !opposites::opposed(sentence, held)
            && !opposites::unranked(sentence, held, &self.title);
        if !agrees {
            return None;
        }
        let first = self.sentences.partition_point(|known| known.end <= range.start);
        let last = self.sentences.partition_point(|known| known.start < range.end);
        let wanted = self.wanted(sentence);
        let shared: Vec<f64> =
            wanted.iter().filter(|word| word.in_title || any_within(&word.places, &(first..last))).map(|word| word.weight).collect();
        let total: f64 = wanted.iter().map(|word| word.weight).sum();
        let is_about_it = shared.len() >= SHARED.min(wanted.len()) && shared.iter().sum::<f64>() >= SHARED_WEIGHT * total;
        is_about_it.then_some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_stand_there_and_agree_bear_a_sentence_out() {
        let text = "The bridge was handed over to traffic in May 1931. It was never closed. Ida Lindqvist drew the plans.";
        let evidence = Evidence::new("The Aldermoor Bridge", text);
        let of = |sentence: &str, quotation: &str| evidence.bears_out(sentence, quotation).map(|range| &text[range]);
        let opened = "The bridge was handed over to traffic in May 1931.";
        assert_eq!(of("Cars could use the Aldermoor bridge from May 1931", "handed over to traffic in May 1931"), Some(&opened[15..]));
        assert_eq!(of("Cars could use the Aldermoor bridge from May 1932", "handed over to traffic in May 1931"), None);
        assert_eq!(of("Nils Holm made the bridge's drawings", "Ida Lindqvist drew the plans"), None);
        assert_eq!(of("The bridge was closed for years", "It was never closed"), None);
        assert_eq!(of("Cars could use the bridge from May 1931", "cars were let onto it in May 1931"), None);
        assert_eq!(of("Penguins eat krill", "handed over to traffic"), None);
        assert!(evidence.closest("Cars and traffic came later").is_some_and(|(share, _)| share < 0.6));
    }
}
