//! What stands in a claim where the source has something else: the two are laid side by side, and the gaps compared.

use super::words::base;
use crate::{
    rank::terms::{self, Term},
    text::is_capitalised,
};

/// Words that are compared at most.
const MAX_WORDS: usize = 160;
/// Words of a gap that can be the counterpart of a name.
const GAP: usize = 7;

/// What stands in the place of something else.
#[derive(Debug, Default, Clone)]
pub(super) struct Slots {
    /// Names of the claim that stand where the sentence has another one, as the claim writes them.
    pub exchanged: Vec<String>,
    /// Share of the claim's words that the sentence has in the same order.
    pub aligned: f64,
}

/// Compares a claim with one sentence.
pub(super) fn slots(claim: &str, held: &str) -> Slots {
    let (ours, theirs) = (terms::terms(claim), terms::terms(held));
    let (ours, theirs) = (&ours[..ours.len().min(MAX_WORDS)], &theirs[..theirs.len().min(MAX_WORDS)]);
    let pairs = align(ours, theirs);
    let mut out = Slots { aligned: pairs.len() as f64 / ours.len().max(1) as f64, ..Slots::default() };
    let mut from = (0, 0);
    for (here, there) in pairs.into_iter().chain([(ours.len(), theirs.len())]) {
        let (run, gap) = (&ours[from.0..here], &theirs[from.1..there]);
        from = (here + 1, there + 1);
        if gap.len() > GAP {
            continue;
        }
        let (mine, its) = (named(claim, run), named(held, gap));
        let shared = mine.iter().any(|term| its.iter().any(|other| base(&term.stem) == base(&other.stem)));
        if let (Some(first), Some(last), false, false) = (mine.first(), mine.last(), its.is_empty(), shared) {
            out.exchanged.push(claim[first.start..last.end].to_owned());
        }
    }
    out
}

/// The capitalised words among these.
fn named<'a>(text: &str, terms: &'a [Term]) -> Vec<&'a Term> {
    let word = |term: &Term| &text[term.start..term.end];
    terms.iter().filter(|term| is_capitalised(word(term)) && !terms::is_stop(&word(term).to_lowercase())).collect()
}

/// The longest common subsequence, as pairs of indices.
fn align(ours: &[Term], theirs: &[Term]) -> Vec<(usize, usize)> {
    let ours: Vec<String> = ours.iter().map(|term| base(&term.stem)).collect();
    let theirs: Vec<String> = theirs.iter().map(|term| base(&term.stem)).collect();
    let width = theirs.len() + 1;
    let mut table = vec![0_u16; (ours.len() + 1) * width];
    for here in (0..ours.len()).rev() {
        for there in (0..theirs.len()).rev() {
            table[here * width + there] = if ours[here] == theirs[there] {
                table[(here + 1) * width + there + 1] + 1
            } else {
                table[(here + 1) * width + there].max(table[here * width + there + 1])
            };
        }
    }
    let (mut here, mut there) = (0, 0);
    let mut out = Vec::new();
    while here < ours.len() && there < theirs.len() {
        if ours[here] == theirs[there] {
            out.push((here, there));
            here += 1;
            there += 1;
        } else if table[(here + 1) * width + there] >= table[here * width + there + 1] {
            here += 1;
        } else {
            there += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_name_in_the_same_place_is_noticed() {
        let held = "The boys in his class, led by Paul Baumer, joined the army in Canada.";
        let exchanged = |claim: &str| slots(claim, held).exchanged;
        assert_eq!(exchanged("The boys in his class, led by Ida Lind, joined the army."), ["Ida Lind"]);
        assert_eq!(exchanged("The boys in his class, led by Baumer, joined the army."), Vec::<String>::new());
        assert_eq!(exchanged("The boys, led by Paul Baumer, joined it in Norway"), ["Norway"]);
        assert!(slots("The boys in his class joined", held).aligned > 0.9);
    }
}
