//! What stands in one line of a terminal: text that cannot steer it, ids, ages.

use nexi_messages::say;

/// Characters of an id that are shown: enough to tell turns apart, and to type.
const SHORT: usize = 8;

/// The end of an id: its beginning is the time, and the same for all turns of a minute.
pub fn short(id: &str) -> &str {
    &id[id.len().saturating_sub(SHORT)..]
}

/// Answers hold text from anywhere; none of it may steer the terminal.
pub fn sanitized(text: &str) -> String {
    text.chars().filter(|c| is_printable(*c)).collect()
}

/// Not a control, and not a mark that turns the direction of what follows.
pub fn is_printable(c: char) -> bool {
    matches!(c, '\n' | '\t') || !(c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// The same as one line.
pub fn one_line(text: &str) -> String {
    sanitized(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Rows below each other: the first column to the left, the others to the right.
pub fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.chars().count())).max().unwrap_or_default();
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let padded = cells.map(|(column, (cell, width))| if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// How long ago something was, as people say it.
pub fn age(then_ms: i64, now_ms: i64) -> String {
    let minutes = now_ms.saturating_sub(then_ms).max(0) / 60_000;
    match minutes {
        0 => say!("nexi-terminal-ago.now"),
        1..60 => say!("nexi-terminal-ago.minutes", count = minutes),
        60..1440 => say!("nexi-terminal-ago.hours", count = minutes / 60),
        1440..43_200 => say!("nexi-terminal-ago.days", count = minutes / 1440),
        43_200..525_600 => say!("nexi-terminal-ago.months", count = minutes / 43_200),
        _ => say!("nexi-terminal-ago.years", count = minutes / 525_600),
    }
}

/// Things one behind the other, as in "one, two and three".
pub fn listed(words: &[impl AsRef<str>]) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            say!("nexi-terminal-and", first = first.join(", "), last = last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_said_as_people_say_them() {
        let minute = 60_000;
        for (minutes, wanted) in [
            (0, "just now"),
            (1, "1 minute ago"),
            (59, "59 minutes ago"),
            (60, "1 hour ago"),
            (2900, "2 days ago"),
            (100_000, "2 months ago"),
            (1_100_000, "2 years ago"),
        ] {
            assert_eq!(age(1_000, 1_000 + minutes * minute), wanted);
        }
        assert_eq!(age(5_000, 1_000), "just now", "clocks are set back");
        assert!(age(i64::MIN, i64::MAX).ends_with("years ago"));
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(sanitized("a\x1b[2Jb\u{202e}c\r\n\td\u{9b}31m"), "a[2Jbc\n\td31m");
        assert_eq!(one_line(" a\n b\x07 "), "a b");
    }
}
