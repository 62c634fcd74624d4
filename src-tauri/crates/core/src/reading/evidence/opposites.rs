//! Words that turn a statement round.

use crate::text::spaced_words;

/// Words of which a text means one side or the other.
const SIDES: &[(&[&str], &[&str])] = &[
    (&["first", "earliest", "inaugural", "debut", "1st"], &["last", "final", "latest"]),
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
    (&["all", "every"], &["half"]),
    (&["once"], &["twice"]),
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

/// Words that put something above all others; one of a row says what another of it says.
const RANKS: &[&[&str]] = &[
    &["first", "earliest", "inaugural", "debut", "1st", "1", "one", "original", "began", "beginning", "oldest", "premiere", "new", "only"],
    &["last", "final", "latest", "end", "ended", "ending", "finally", "recent", "recently", "most"],
    &["largest", "biggest", "greatest", "main", "major", "most", "largest", "highest"],
    &["smallest", "least", "lowest"],
    &["oldest", "eldest", "earliest", "first"],
    &["youngest", "newest", "latest"],
    &["fastest", "quickest"],
    &["slowest"],
    &["only", "sole", "one", "single", "first"],
    &["longest"],
    &["shortest"],
    &["half", "50"],
];

/// Whether a claim puts something above all others where neither the stretch nor the title does.
pub(super) fn unranked(claim: &str, held: &str, title: &[String]) -> bool {
    let [claim, held] = [claim, held].map(|text| spaced_words(&text.to_lowercase()));
    let has = |text: &str, word: &str| text.contains(&format!(" {word} "));
    let said = |words: &[&str]| words.iter().any(|word| has(&held, word) || title.iter().any(|term| term == word));
    RANKS.iter().any(|words| has(&claim, words[0]) && !said(words))
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

    #[test]
    fn what_stands_above_all_others_has_to_be_said_to() {
        assert!(unranked("The first volcano erupted in Iceland", "A volcano erupted in Iceland", &[]));
        assert!(!unranked("The first volcano erupted in Iceland", "The earliest eruption in Iceland", &[]));
        assert!(!unranked("She won the first season", "She won", &["season".into(), "1".into()]));
        assert!(unranked("The largest bridge", "A large bridge", &[]));
    }
}
