//! Where sentences end.

use std::ops::Range;

use super::{Block, BlockKind, blocks};

/// Words of a heading without a mark.
const LONGEST_TITLE: usize = 6;

/// The sentences of a text, in order. Headings, rows and list items are never joined with their
/// neighbours; code is cut into lines.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    blocks(text).iter().flat_map(|block| block_sentences(text, block)).collect()
}

/// The sentences of one block.
pub fn block_sentences(text: &str, block: &Block) -> Vec<Range<usize>> {
    let body = &text[block.range.clone()];
    let base = block.range.start;
    let mut out = Vec::new();
    if block.kind == BlockKind::Code {
        let mut offset = base;
        for line in body.split_inclusive('\n') {
            push_trimmed(text, offset..offset + line.len(), &mut out);
            offset += line.len();
        }
        return out;
    }
    let mut start = title_line(body);
    push_trimmed(text, base..base + start, &mut out);
    let mut chars = body.char_indices().peekable();
    while chars.next_if(|(at, _)| *at < start).is_some() {}
    while let Some((at, c)) = chars.next() {
        let full_width = matches!(c, '。' | '！' | '？');
        if !full_width && !matches!(c, '.' | '!' | '?' | '…') {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((next_at, next)) = chars.peek().copied() {
            if matches!(next, '.' | '!' | '?' | '"' | '\'' | '”' | '’' | '“' | '‘' | ')' | ']' | '»' | '*' | '_') {
                end = next_at + next.len_utf8();
                chars.next();
            } else {
                break;
            }
        }
        let rest = &body[end..];
        let ends_here = full_width || rest.is_empty() || (rest.starts_with(char::is_whitespace) && starts_sentence(rest));
        if ends_here && !(c == '.' && (is_abbreviation(&body[start..at]) || is_ordinal(&body[start..at], rest))) {
            push_trimmed(text, base + start..base + end, &mut out);
            start = end;
        }
    }
    push_trimmed(text, base + start..base + body.len(), &mut out);
    out
}

/// The bytes of a first line that is a heading without a mark, as texts of PDFs have them; 0 where there is none.
fn title_line(body: &str) -> usize {
    let Some((first, rest)) = body.split_once('\n') else { return 0 };
    let next = rest.lines().next().unwrap_or_default();
    let (title, sentence) = (first.trim(), next.trim());
    let begins = |line: &str| line.chars().next().is_some_and(char::is_uppercase);
    let words: Vec<&str> = title.split_whitespace().collect();
    // In German, any noun begins with a capital: what stands at the end of a line must, and the rest of a longer one as well.
    let are_names = words.iter().all(|word| begins(word) || word.chars().count() <= 3);
    let is_title = begins(title)
        && begins(sentence)
        && title.ends_with(char::is_alphanumeric)
        && words.last().is_some_and(|last| begins(last))
        && (words.len() <= 3 || are_names)
        && words.len() <= LONGEST_TITLE
        // Lines of a paragraph are about as long as each other.
        && title.chars().count() * 2 < sentence.chars().count();
    if is_title { first.len() + 1 } else { 0 }
}

fn starts_sentence(rest: &str) -> bool {
    let next = rest.trim_start().chars().find(|c| !matches!(c, '"' | '\'' | '“' | '‘' | '(' | '[' | '«' | '*' | '_'));
    next.is_none_or(|c| !c.is_lowercase())
}

fn is_abbreviation(before: &str) -> bool {
    const KNOWN: &[&str] = &[
        "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "etc", "eg", "ie", "cf", "no", "vol", "fig", "inc", "ltd", "co", "corp",
        "gen", "col", "lt", "sgt", "capt", "rev", "hon", "gov", "sen", "rep", "approx", "ca", "jan", "feb", "mar", "apr", "jun", "jul",
        "aug", "sep", "sept", "oct", "nov", "dec", "pp", "ed", "eds", "nr", "bzw", "bspw", "ggf", "evtl", "inkl", "vgl", "jhd", "str",
    ];
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let letters: String = word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    // "U.S", and not the end of "version 3.1".
    let dotted = word.contains('.') && word.split('.').all(|part| part.chars().count() <= 2 && part.chars().all(char::is_alphabetic));
    initial || dotted || KNOWN.contains(&letters.as_str())
}

/// Whether a number and its full stop are an ordinal of what follows, as in "12. März" and "im 19. Jahrhundert".
fn is_ordinal(before: &str, rest: &str) -> bool {
    const COUNTED: &[&str] = &[
        "januar",
        "jänner",
        "februar",
        "feber",
        "märz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
        "jan",
        "feb",
        "mär",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "okt",
        "nov",
        "dez",
        "jahrhundert",
        "jahrhunderts",
        "jahrhunderte",
        "jh",
        "jahrtausend",
        "auflage",
        "kapitel",
        "geburtstag",
        "jahrestag",
        "lebensjahr",
        "stock",
        "klasse",
    ];
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let stands_alone =
        before[..before.len() - digits].chars().next_back().is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '–' | '-'));
    let next: String = rest.trim_start().chars().take_while(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    (1..=2).contains(&digits) && stands_alone && COUNTED.contains(&next.as_str())
}

fn push_trimmed(text: &str, range: Range<usize>, out: &mut Vec<Range<usize>>) {
    let piece = &text[range.clone()];
    let trimmed = piece.trim();
    if trimmed.chars().any(char::is_alphanumeric) {
        let start = range.start + (piece.len() - piece.trim_start().len());
        out.push(start..start + trimmed.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(
            texts("Dr. J. Smith paid $3.5 in the U.S. market. He left! \"Did he?\" Yes."),
            ["Dr. J. Smith paid $3.5 in the U.S. market.", "He left!", "\"Did he?\"", "Yes."]
        );
        assert_eq!(texts("一つ目。二つ目！"), ["一つ目。", "二つ目！"]);
        assert_eq!(
            texts(
                "Die Pumpe wurde am 12. März 2021 eingebaut. Der Baum ist ein „Boskoop.“ Er trägt seit dem 19. Jahrhundert. Es waren 12. Dann 13."
            ),
            [
                "Die Pumpe wurde am 12. März 2021 eingebaut.",
                "Der Baum ist ein „Boskoop.“",
                "Er trägt seit dem 19. Jahrhundert.",
                "Es waren 12.",
                "Dann 13.",
            ]
        );
    }

    #[test]
    fn headings_without_marks_are_no_part_of_a_sentence() {
        for whole in [
            "Seit 1932 verbindet die neue\nBrücke am Hafen die beiden Ufer der Stadt miteinander.",
            "Die neue\nBrücke am Hafen verbindet die beiden Ufer der Stadt miteinander.",
            "It was designed by Otto\nMüller, who came from the south and stayed for forty years.",
        ] {
            assert_eq!(texts(whole), [whole]);
        }
        assert_eq!(
            texts("Limits\nThe crane lifts at most 12.5 tonnes at a radius of\nnine metres."),
            ["Limits", "The crane lifts at most 12.5 tonnes at a radius of\nnine metres."]
        );
        assert_eq!(
            texts("The town of\nOstholm lies at the mouth of the river, and is old."),
            ["The town of\nOstholm lies at the mouth of the river, and is old."]
        );
    }

    #[test]
    fn soft_line_breaks_do_not_end_a_sentence_but_blocks_do() {
        let text = "# Head\nOne\ntwo. Three\n\n- item one\n- item two\n\n```\nlet a = 1;\nlet b;\n```\n| a | b |\n";
        assert_eq!(texts(text), ["# Head", "One\ntwo.", "Three", "- item one", "- item two", "let a = 1;", "let b;", "| a | b |"]);
    }
}
