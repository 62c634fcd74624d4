//! Markdown without its marks.

use super::{floor_char, fold_space};

/// Bytes in which a link has its target; looking further would make hostile text slow.
const NEAR: usize = 2000;
/// Bytes that code in a sentence has at most.
const LONGEST_CODE: usize = 500;
/// Marks that may still begin an emphasis; earlier ones are forgotten.
const MOST_OPEN: usize = 16;

/// Markdown as a person reads it aloud: no emphasis marks, no link targets, no list or heading marks; white space folded.
/// What only looks like a mark stays: code keeps every character, and so do `12*7` and `*.pdf`.
pub fn plain(markdown: &str) -> String {
    let folded = fold_space(markdown);
    let is_row = folded.starts_with('|');
    let rest = without_lead(&folded);
    let mut out = String::with_capacity(rest.len());
    // Marks that may begin an emphasis: where they stand in `out`, and how many there are.
    let mut open: Vec<(char, usize, usize)> = Vec::new();
    // Marks that did.
    let mut gone: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(c) = rest[at..].chars().next() {
        let here = &rest[at..];
        let next = here[c.len_utf8()..].chars().next();
        at += c.len_utf8();
        match c {
            '\\' if next.is_some_and(|next| next.is_ascii_punctuation()) => {
                out.extend(next);
                at += 1;
            }
            '`' => {
                let ticks = run(here, '`');
                let inner = &here[ticks..];
                at += ticks - 1;
                match closing_ticks(inner, ticks) {
                    Some(end) => {
                        out.push_str(inner[..end].trim());
                        at += end + ticks;
                    }
                    None => out.push_str(&here[..ticks]),
                }
            }
            '|' if is_row => {}
            '!' if next == Some('[') => {}
            '[' if opens_link(here) => {}
            ']' if next == Some('(') => {
                let window = &here[..floor_char(here, NEAR)];
                at += window.find(')').unwrap_or(0);
            }
            '*' | '_' => {
                let count = run(here, c);
                at += count - 1;
                let before = rest[..at - count].chars().next_back();
                emphasis(c, count, [before, rest[at..].chars().next()], &mut out, &mut open, &mut gone);
            }
            _ => out.push(c),
        }
    }
    gone.sort_by_key(|range| range.start);
    let mut kept = String::with_capacity(out.len());
    let mut from = 0;
    for range in gone {
        kept.push_str(&out[from..range.start]);
        from = range.end;
    }
    kept.push_str(&out[from..]);
    fold_space(&kept)
}

/// What ends a sentence; it stays outside when a sentence is struck out.
pub const SENTENCE_ENDS: [char; 4] = ['.', '!', '?', '。'];

/// Markdown without the sentences that are struck out in it.
pub fn without_struck(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some((before, struck)) = rest.split_once("~~") {
        out.push_str(before);
        // Only within a line: a mark that nothing closes strikes nothing out.
        match struck.split_once("~~").filter(|(inner, _)| !inner.is_empty() && !inner.contains('\n')) {
            Some((_, after)) => rest = after.trim_start_matches(SENTENCE_ENDS),
            None => {
                out.push_str("~~");
                rest = struck;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Puts a run of marks into the text, and notes which of them begin or end an emphasis. `beside` are the letters before
/// and behind it.
fn emphasis(
    mark: char,
    count: usize,
    beside: [Option<char>; 2],
    out: &mut String,
    open: &mut Vec<(char, usize, usize)>,
    gone: &mut Vec<std::ops::Range<usize>>,
) {
    let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let is_blank = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
    let start = out.len();
    out.extend(std::iter::repeat_n(mark, count));
    // "12*7*3" and "snake_case".
    if is_word(beside[0]) && is_word(beside[1]) {
        return;
    }
    let (may_end, may_begin) = (!is_blank(beside[0]), !is_blank(beside[1]));
    let (mut left, mut from) = (count, start);
    while may_end && left > 0 {
        let Some(index) = open.iter().rposition(|(other, _, _)| *other == mark) else { break };
        let (_, place, have) = open[index];
        let used = have.min(left);
        // "__FILE__" is a name.
        if mark == '_' && used == 2 && is_constant(&out[place + have..start]) {
            open.truncate(index);
            return;
        }
        gone.push(place + have - used..place + have);
        gone.push(from..from + used);
        (left, from) = (left - used, from + used);
        open.truncate(index);
        if have > used {
            open.push((mark, place, have - used));
        }
    }
    if may_begin && left > 0 {
        if open.len() == MOST_OPEN {
            open.remove(0);
        }
        open.push((mark, from, left));
    }
}

/// Whether this is a word of capitals alone, as constants are called.
fn is_constant(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

/// Without the marks of headings, quotations, rows and items.
fn without_lead(text: &str) -> &str {
    let mut rest = text;
    loop {
        let shorter = rest.trim_start_matches(['#', '>', '|']).trim_start();
        let shorter = ["- ", "* ", "+ ", "• "].iter().find_map(|mark| shorter.strip_prefix(mark)).unwrap_or(shorter);
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

/// How often a text begins with this character, which is one byte long.
fn run(text: &str, c: char) -> usize {
    text.chars().take_while(|next| *next == c).count()
}

/// Where as many ticks stand as opened the code.
fn closing_ticks(text: &str, ticks: usize) -> Option<usize> {
    let window = &text[..floor_char(text, LONGEST_CODE)];
    let mut at = 0;
    while let Some(found) = window[at..].find('`') {
        let count = run(&window[at + found..], '`');
        if count == ticks {
            return Some(at + found);
        }
        at += found + count;
    }
    None
}

/// Whether a `[` opens a link with a target.
fn opens_link(text: &str) -> bool {
    text[..floor_char(text, 300)].contains("](")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_marks() {
        assert_eq!(plain("- **Bold** and [a link](https://e.org/x_y) with `code_x` \\* [1]"), "Bold and a link with code_x * [1]");
        assert_eq!(plain("***Both*** and **bold *inner*** and _under_, __strong__."), "Both and bold inner and under, strong.");
        assert_eq!(plain("| **a** | b |"), "a b");
    }

    #[test]
    fn what_was_struck_out_is_not_said() {
        assert_eq!(without_struck("It opened in 1931 [1]. ~~It is yellow~~. It is long."), "It opened in 1931 [1].  It is long.");
        assert_eq!(without_struck("~~a~~.~~b~~. c"), " c");
        assert_eq!(without_struck("~~Really~~?! ~~桥是黄色的~~。桥很长。"), " 桥很长。");
        for text in ["about ~~ five", "~~~\ncode\n~~~", "~5 and ~6"] {
            assert_eq!(without_struck(text), text);
        }
    }

    #[test]
    fn what_only_looks_like_a_mark_stays() {
        for text in
            ["12*7*3 = 252", "*.tmp and *.log", "cache/** and a * b", "snake_case", "x | y", "__FILE__ and __LINE__", "a ` b", "5 * 3"]
        {
            assert_eq!(plain(text), text);
        }
        assert_eq!(plain("`*.pdf` and ``2*3*4`` and `drafts/**`"), "*.pdf and 2*3*4 and drafts/**");
    }
}
