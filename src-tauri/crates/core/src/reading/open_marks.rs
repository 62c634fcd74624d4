//! Markdown that is still being written: marks that have no end yet are given one, so that a reader never sees them.

use std::borrow::Cow;

/// A text whose last paragraph may break off anywhere, with its open marks closed. Only its end is another one: every
/// byte before that stays where it is.
pub fn close_marks(text: &str) -> Cow<'_, str> {
    // A fence ends with the text by itself, and nothing in it is a mark.
    if is_in_fence(text) {
        return Cow::Borrowed(text);
    }
    let begins = text.rfind("\n\n").map_or(0, |at| at + 2);
    // First what is cut off, so that no mark in it counts as open.
    let mut end = half_link(&text[begins..]).map_or(text.len(), |at| begins + at);
    let mut open = open(&text[begins..end]);
    // A mark that nothing follows yet opens nothing.
    while let Some((mark, at)) = open.last().copied() {
        if text[begins + at + mark.len()..end].trim().is_empty() {
            end = begins + at;
            open.pop();
        } else {
            break;
        }
    }
    // Half of a mark of two letters.
    if text[begins..end].ends_with('~') && !text[begins..end].ends_with("~~") {
        end -= 1;
    }
    let marks: String = open.iter().rev().map(|(mark, _)| *mark).collect();
    let kept = if marks.is_empty() { &text[..end] } else { text[..end].trim_end() };
    if marks.is_empty() && kept.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(format!("{kept}{marks}")) }
}

fn is_in_fence(text: &str) -> bool {
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let line = line.trim_start_matches([' ', '>']);
        match fence {
            Some(sign) if line.starts_with(sign) => fence = None,
            Some(_) => {}
            None => fence = ["```", "~~~"].into_iter().find(|sign| line.starts_with(sign)),
        }
    }
    fence.is_some()
}

/// The marks of a paragraph that have no end, with their places, outermost first.
fn open(paragraph: &str) -> Vec<(&'static str, usize)> {
    let mut open: Vec<(&'static str, usize)> = Vec::new();
    let bytes = paragraph.as_bytes();
    let is_blank = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(u8::is_ascii_whitespace);
    let mut at = 0;
    while at < bytes.len() {
        if open.last().is_some_and(|(mark, _)| *mark == "`") {
            // In code only its end counts.
            if bytes[at] == b'`' {
                open.pop();
            }
            at += 1;
            continue;
        }
        let mark = match &bytes[at..] {
            [b'\\', ..] => {
                at += 2;
                continue;
            }
            [b'*', b'*', ..] => "**",
            [b'*', ..] => "*",
            [b'~', b'~', ..] => "~~",
            [b'`', ..] => "`",
            _ => {
                at += 1;
                continue;
            }
        };
        let closes = !is_blank(at.checked_sub(1)) && open.iter().any(|(known, _)| *known == mark);
        if closes {
            let place = open.iter().rposition(|(known, _)| *known == mark).unwrap_or_default();
            open.truncate(place);
        } else if at + mark.len() == bytes.len() || !is_blank(Some(at + mark.len())) {
            open.push((mark, at));
        }
        at += mark.len();
    }
    open
}

/// Where a link begins whose address is not all there yet.
fn half_link(paragraph: &str) -> Option<usize> {
    let middle = paragraph.rfind("](")?;
    let is_half = !paragraph[middle..].contains([')', '\n', ' ']);
    is_half.then(|| paragraph[..middle].rfind('[')).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_marks_are_closed_and_others_stay() {
        for (text, wanted) in [
            ("It is **very", "It is **very**"),
            ("It is **very** ol", "It is **very** ol"),
            ("It is **", "It is "),
            ("It is **very *o", "It is **very *o***"),
            ("a `cod", "a `cod`"),
            ("a `*b` *c", "a `*b` *c*"),
            ("~~gone", "~~gone~~"),
            ("~~gone~", "~~gone~~"),
            ("**gone*", "**gone**"),
            ("- one\n* two", "- one\n* two"),
            ("2 * 3 is 6", "2 * 3 is 6"),
            ("\\*no", "\\*no"),
            ("**whole**\n\nand **ha", "**whole**\n\nand **ha**"),
            ("**lost\n\nand", "**lost\n\nand"),
            ("```\na **b", "```\na **b"),
            ("```\na\n```\n**b", "```\na\n```\n**b**"),
            ("see [the docs](https://exa", "see "),
            ("see [**the docs](https://exa", "see "),
            ("see **[the docs](https://exa", "see "),
            ("**see [the docs](https://exa", "**see**"),
            ("see [the docs](https://e.org/) and", "see [the docs](https://e.org/) and"),
            ("It was 1931 [1", "It was 1931 [1"),
            ("**a ", "**a**"),
            ("", ""),
        ] {
            assert_eq!(close_marks(text), wanted, "{text}");
        }
    }

    #[test]
    fn no_beginning_of_an_answer_shows_its_marks() {
        let answer = "The **bridge** was *opened* in `1931` [1], and ~~never~~ **often *re*painted**.\n\n- **Toll.** It was\n- *Colour:* `green`\n\n> **Old** news";
        for (end, _) in answer.char_indices() {
            let closed = close_marks(&answer[..end]);
            let html = comrak::markdown_to_html(&closed, &crate::reading::markdown::options());
            assert!(!html.contains("**") && !html.contains('`') && !html.contains("~~"), "{:?}: {html}", &answer[..end]);
        }
    }
}
