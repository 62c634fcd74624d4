//! Words that turn a statement round.

use crate::text::spaced_words;

/// Words of which a text means one side or the other.
const SIDES: &[(&[&str], &[&str])] = &[
    (&["first", "earliest"], &["last", "final", "latest"]),
    (&["oldest"], &["youngest", "newest"]),
    (&["largest", "biggest"], &["smallest"]),
    (&["highest", "tallest"], &["lowest", "shortest"]),
    (&["longest"], &["shortest"]),
    (&["most"], &["least", "fewest"]),
    (&["best"], &["worst"]),
    (&["north", "northern"], &["south", "southern"]),
    (&["east", "eastern"], &["west", "western"]),
    (&["northeast", "northeastern"], &["southwest", "southwestern"]),
    (&["northwest", "northwestern"], &["southeast", "southeastern"]),
    (&["left"], &["right"]),
    (&["above"], &["below", "beneath"]),
    (&["before"], &["after"]),
    (&["early"], &["late"]),
    (&["upper"], &["lower"]),
    (&["more"], &["less", "fewer"]),
    (
        &["increase", "increased", "increases", "rose", "rises", "grew", "risen"],
        &["decrease", "decreased", "decreases", "fell", "falls", "declined", "dropped", "shrank"],
    ),
    (&["won", "wins", "win", "defeated", "beat"], &["lost", "loses", "lose"]),
    (&["opened", "opens"], &["closed", "closes", "destroyed", "demolished"]),
    (&["built", "founded", "established", "created"], &["destroyed", "demolished", "dissolved", "abolished", "disbanded"]),
    (&["accepted", "accepts", "agreed"], &["refused", "rejected", "declined"]),
    (&["allowed", "allows", "permitted", "legal", "lawful"], &["banned", "forbidden", "prohibited", "illegal", "unlawful"]),
    (&["arrived", "entered", "joined"], &["departed", "left", "exited", "quit"]),
    (&["born"], &["died", "dead"]),
    (&["married", "wed"], &["divorced", "unmarried"]),
    (&["began", "begins", "started", "starts"], &["ended", "ends", "stopped", "finished"]),
    (&["succeeded", "successful", "success"], &["failed", "unsuccessful", "failure"]),
    (&["hot", "hotter", "warm", "warmer"], &["cold", "colder", "cool", "cooler"]),
    (
        &["male", "man", "men", "father", "son", "brother", "king", "husband"],
        &["female", "woman", "women", "mother", "daughter", "sister", "queen", "wife"],
    ),
    (&["public"], &["private"]),
    (&["always"], &["never", "seldom", "rarely"]),
    (&["guilty", "convicted"], &["innocent", "acquitted"]),
    (&["true"], &["false", "untrue"]),
    (&["positive"], &["negative"]),
    (&["buy", "bought", "buys", "purchased"], &["sell", "sold", "sells"]),
    (&["bigger", "larger", "greater"], &["smaller"]),
    (&["higher", "taller"], &["lower", "shorter"]),
    (&["older", "elder"], &["younger"]),
    (&["faster", "quicker"], &["slower"]),
    (&["major", "majority"], &["minor", "minority"]),
    (&["same"], &["different"]),
    (&["alive", "living", "survived"], &["dead", "killed"]),
    (&["safe"], &["dangerous", "unsafe"]),
    (&["present"], &["absent"]),
    (&["summer"], &["winter"]),
    (&["spring"], &["autumn"]),
    (&["morning"], &["evening"]),
    (&["maximum"], &["minimum"]),
    (&["rich", "wealthy"], &["poor"]),
    (&["strong", "stronger"], &["weak", "weaker"]),
    (&["supports", "supported", "support"], &["opposes", "opposed", "oppose"]),
];

/// Whether a claim is on one side of two opposites and what is held is only on the other.
pub(super) fn opposed(claim: &str, held: &str) -> bool {
    let [claim, held] = [claim, held].map(|text| spaced_words(&text.to_lowercase()));
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(&format!(" {word} ")));
    let pairs = SIDES.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
    pairs.into_iter().any(|(mine, theirs)| has(&claim, mine) && !has(&held, mine) && has(&held, theirs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_on_one_side() {
        assert!(opposed("She was the first queen", "She was the last queen of the north"));
        assert!(!opposed("It lies in the northern part", "It lies in the northern, not the southern part"));
        assert!(!opposed("She was the first queen", "She was queen"));
    }
}
