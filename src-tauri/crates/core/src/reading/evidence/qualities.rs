//! What is said of a number besides its value: units, signs, bounds.

use super::facts::{canonical, tokens, with_plain_digits};

/// What is said of a number besides its value: the unit, the sign, whether it is a bound. Two texts
/// contradict each other where one of these kinds differs.
pub(super) fn qualities(text: &str) -> Vec<(String, &'static str, &'static str)> {
    let plain = with_plain_digits(text);
    let tokens = tokens(&plain);
    let mut out = Vec::new();
    for (index, (token, _)) in tokens.iter().enumerate() {
        let Some(number) = canonical(token) else { continue };
        let start = token.as_ptr() as usize - plain.as_ptr() as usize;
        let before = plain[..start].trim_end();
        if let Some((_, value)) =
            [('$', "dollar"), ('£', "pound"), ('€', "euro"), ('¥', "yen")].iter().find(|(sign, _)| before.ends_with(*sign))
        {
            out.push((number.clone(), "money", *value));
        }
        let sign = plain[..start].chars().next_back().filter(|c| matches!(c, '−' | '-'));
        let minus = sign.is_some_and(|c| plain[..start - c.len_utf8()].ends_with([' ', '(']));
        out.push((number.clone(), "sign", if minus { "minus" } else { "plus" }));
        // The unit stands behind the number or is grown together with it.
        let grown: String = token.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')).to_lowercase();
        let next = tokens.get(index + 1).map(|(next, _)| next.to_lowercase()).unwrap_or_default();
        for word in [grown, next] {
            if let Some((kind, value, _)) = UNITS.iter().find(|(_, _, words)| words.contains(&word.as_str())) {
                out.push((number.clone(), kind, value));
                break;
            }
        }
        let words: Vec<String> = tokens[index.saturating_sub(2)..index].iter().map(|(word, _)| word.to_lowercase()).collect();
        let near = words.join(" ");
        let more = ["more than", "over", "at least", "above", "exceeding"].iter().any(|phrase| near.ends_with(phrase));
        let less = ["less than", "fewer than", "under", "at most", "below", "up to"].iter().any(|phrase| near.ends_with(phrase));
        if more || less {
            out.push((number, "bound", if more { "more" } else { "less" }));
        }
    }
    out
}

/// Kind, name, and the words for it.
const UNITS: &[(&str, &str, &[&str])] = &[
    ("money", "dollar", &["dollars", "dollar", "usd"]),
    ("money", "euro", &["euros", "euro", "eur"]),
    ("money", "pound", &["pounds", "gbp", "quid"]),
    ("money", "yen", &["yen", "jpy"]),
    ("length", "metre", &["m", "metres", "meters", "metre", "meter"]),
    ("length", "foot", &["ft", "feet", "foot"]),
    ("length", "kilometre", &["km", "kilometres", "kilometers"]),
    ("length", "mile", &["miles", "mile", "mi"]),
    ("length", "centimetre", &["cm", "centimetres", "centimeters"]),
    ("length", "inch", &["inches", "inch"]),
    ("time", "second", &["seconds", "second", "s"]),
    ("time", "minute", &["minutes", "minute", "min"]),
    ("time", "hour", &["hours", "hour", "h"]),
    ("time", "day", &["days", "day"]),
    ("time", "week", &["weeks", "week"]),
    ("time", "month", &["months", "month"]),
    ("time", "year", &["years", "year"]),
    ("clock", "am", &["am"]),
    ("clock", "pm", &["pm"]),
    ("weight", "kilogram", &["kg", "kilograms", "kilos"]),
    ("weight", "tonne", &["t", "tonnes", "tons"]),
    ("weight", "pound", &["lb", "lbs"]),
    ("degrees", "celsius", &["celsius", "°c"]),
    ("degrees", "fahrenheit", &["fahrenheit", "°f"]),
];

/// Whether two lists of [`qualities`] contradict each other: the same number, the same kind, and no
/// value in common.
pub(super) fn contradict(claimed: &[(String, &'static str, &'static str)], held: &[(String, &'static str, &'static str)]) -> bool {
    claimed.iter().any(|(number, kind, value)| {
        let same: Vec<&str> = held.iter().filter(|(other, its, _)| other == number && its == kind).map(|(_, _, value)| *value).collect();
        // Units and bounds may be left out.
        !same.is_empty() && !same.contains(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_signs_and_bounds_can_contradict() {
        let differ = |a: &str, b: &str| contradict(&qualities(a), &qualities(b));
        assert!(differ("It cost $3,200", "It cost £3,200") && differ("10 minutes", "10 hours") && differ("2,917 ft high", "2,917 m high"));
        assert!(differ("fewer than 20 people", "more than 20 people") && differ("at 5 am", "at 5 pm"));
        assert!(differ("It was −5 degrees", "It was 5 degrees") && differ("It was 5 degrees cold", "It was −5 degrees cold"));
        assert!(!differ("312 metres", "312m") && !differ("about 20 people", "more than 20 people") && !differ("1931", "12 May 1931"));
    }
}
