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
    let mut out = Vec::new();
    if !is_lines(text, block) {
        push_sentences(text, block.range.clone(), &mut out);
        return out;
    }
    let mut offset = block.range.start;
    for line in body.split_inclusive('\n') {
        let range = offset..offset + line.len();
        offset = range.end;
        match block.kind {
            BlockKind::Code => push_trimmed(text, range, &mut out),
            _ => push_sentences(text, range, &mut out),
        }
    }
    out
}

/// Whether each line of a block stands for itself: code, settings, lists without signs, addresses. Lines of a paragraph
/// are as long as the page is wide, so that the next word would not have fitted; here it would have, and lines begin as
/// sentences or names of values do.
pub fn is_lines(text: &str, block: &Block) -> bool {
    /// Lines that a list has at least, where they are not values with their names.
    const FEWEST: usize = 3;
    match block.kind {
        BlockKind::Code => return true,
        BlockKind::Paragraph => {}
        BlockKind::Heading | BlockKind::ListItem | BlockKind::TableRow => return false,
    }
    let lines: Vec<&str> = text[block.range.clone()].lines().map(str::trim_end).collect();
    if lines.len() < 2 {
        return false;
    }
    if lines.iter().all(|line| names_value(line)) {
        return true;
    }
    let length = |line: &str| line.chars().count();
    let width = lines.iter().map(|line| length(line)).max().unwrap_or_default();
    let is_loose = |pair: &&[&str]| {
        let first_word = pair[1].split_whitespace().next().unwrap_or_default();
        length(pair[0]) + 1 + length(first_word) <= width
    };
    let begins_anew = |line: &&&str| names_value(line) || line.trim_start().chars().next().is_some_and(|letter| !letter.is_lowercase());
    let breaks = lines.len() - 1;
    let loose = lines.windows(2).filter(is_loose).count();
    let anew = lines[1..].iter().filter(begins_anew).count();
    // Rows of the same length look like lines that are full, but of a paragraph not all of many lines begin with a capital.
    let is_list = lines.len() > FEWEST && anew == breaks;
    is_list || (lines.len() >= FEWEST && loose * 10 >= breaks * 6 && anew * 10 >= breaks * 9)
}

/// Whether a line is a value with its name, as in `port = 8391`, `rack: R7` and `[server]`.
pub fn names_value(line: &str) -> bool {
    /// Letters of a name.
    const LONGEST: usize = 30;
    let line = line.trim_start();
    let line = line.strip_prefix("- ").unwrap_or(line);
    if line.starts_with('[') && line.ends_with(']') {
        return true;
    }
    let Some((name, value)) = line.split_once([':', '=']) else { return false };
    let is_name = !name.trim().is_empty() && name.chars().count() <= LONGEST && !name.contains(['.', ',', ';', '?', '!', '"', '“']);
    // "10:30" and an address name nothing.
    is_name && name.split_whitespace().count() <= 3 && (value.is_empty() || value.starts_with(' ') || line[name.len()..].starts_with('='))
}

/// The sentences of a stretch of running text.
fn push_sentences(text: &str, range: Range<usize>, out: &mut Vec<Range<usize>>) {
    let body = &text[range.clone()];
    let base = range.start;
    let mut start = title_line(body);
    push_trimmed(text, base..base + start, out);
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
            push_trimmed(text, base + start..base + end, out);
            start = end;
        }
    }
    push_trimmed(text, base + start..base + body.len(), out);
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
    fn lines_that_stand_for_themselves_are_told_from_wrapped_ones() {
        assert_eq!(texts("[server]\nport = 8391\nhost = 0.0.0.0"), ["[server]", "port = 8391", "host = 0.0.0.0"]);
        assert_eq!(texts("node1:\n  address: 10.0.0.1\n  rack: R3"), ["node1:", "address: 10.0.0.1", "rack: R3"]);
        assert_eq!(
            texts("Members of the club\nAda Moss, locker 100\nBen Quist, locker 101\nCai Reyes, locker 102")[1..],
            ["Ada Moss, locker 100", "Ben Quist, locker 101", "Cai Reyes, locker 102"]
        );
        for whole in [
            // As wide as its lines can be.
            "Die Brücke am Hafen ist alt. Otto\nMüller hat sie gebaut und lebte\nHafenjahre lang in ihrer Nähe.",
            // Broken where it pleased somebody.
            "The town lies at the river,\nand it is old,\nas everybody there can tell you who has seen it.",
        ] {
            assert!(!is_lines(whole, &blocks(whole)[0]), "{whole}");
        }
    }

    #[test]
    fn soft_line_breaks_do_not_end_a_sentence_but_blocks_do() {
        let text = "# Head\nOne\ntwo. Three\n\n- item one\n- item two\n\n```\nlet a = 1;\nlet b;\n```\n| a | b |\n";
        assert_eq!(texts(text), ["# Head", "One\ntwo.", "Three", "- item one", "- item two", "let a = 1;", "let b;", "| a | b |"]);
    }
}
