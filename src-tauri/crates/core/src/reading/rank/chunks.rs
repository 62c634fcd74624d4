//! A page cut into small chunks for choosing among them: headings respected, small paragraphs
//! joined, large ones split, and nothing lost.

use std::ops::Range;

use crate::text::{BlockKind, block_sentences, blocks};

/// Characters that a chunk aims for.
pub const TARGET: usize = 480;
/// Characters that no chunk exceeds.
pub const MAX_CHARS: usize = 720;

/// Cuts a text into chunks, as byte ranges in order. A heading begins a chunk; paragraphs are
/// joined until `target` characters are reached; what is longer than `most` is cut between
/// sentences, then between words, and only then within a word.
pub fn chunks(text: &str, target: usize, most: usize) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let length = |range: &Range<usize>| text[range.clone()].chars().count();
    for block in blocks(text) {
        if block.kind == BlockKind::Heading {
            out.extend(open.take());
        }
        let parts =
            if length(&block.range) > most { pieces(text, &block_sentences(text, &block), &block.range, most) } else { vec![block.range] };
        for part in parts {
            match &mut open {
                Some(range) if length(&(range.start..part.end)) <= most && length(range) < target => range.end = part.end,
                _ => {
                    out.extend(open.take());
                    open = Some(part);
                }
            }
            if open.as_ref().is_some_and(|range| length(range) >= target) {
                out.extend(open.take());
            }
        }
    }
    out.extend(open);
    out
}

/// The sentences of a long block, the too long ones cut further. Together they cover the block.
fn pieces(text: &str, sentences: &[Range<usize>], block: &Range<usize>, most: usize) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = block.start;
    for index in 0..sentences.len() {
        // What stands between two sentences belongs to the first.
        let end = sentences.get(index + 1).map_or(block.end, |next| next.start);
        out.extend(cut(text, at..end, most));
        at = end;
    }
    if sentences.is_empty() {
        out.extend(cut(text, block.clone(), most));
    }
    out
}

fn cut(text: &str, range: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let rest = &text[start..range.end];
        let Some((limit, _)) = rest.char_indices().nth(most) else {
            out.push(start..range.end);
            break;
        };
        let end = rest[..limit].rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(limit);
        out.push(start..start + end);
        start += end + rest[end..].len() - rest[end..].trim_start().len();
    }
    out.retain(|range| !text[range.clone()].trim().is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_open_chunks_and_small_paragraphs_are_joined() {
        let text = "# One\n\nShort.\n\nAlso short.\n\n## Two\n\nMore.";
        let parts: Vec<&str> = chunks(text, TARGET, MAX_CHARS).into_iter().map(|range| &text[range]).collect();
        assert_eq!(parts, ["# One\n\nShort.\n\nAlso short.", "## Two\n\nMore."]);
    }

    #[test]
    fn no_chunk_is_too_long_and_nothing_is_lost() {
        let texts = [
            "A sentence of some length stands here, and then another one follows it. ".repeat(60),
            "x".repeat(5000),
            "wörter ohne satzzeichen ".repeat(200),
            "一".repeat(3000),
            format!("# H\n\n{}\n\n```\n{}\n```\n", "a b c. ".repeat(300), "let x = 1;\n".repeat(200)),
        ];
        for text in &texts {
            let parts = chunks(text, TARGET, MAX_CHARS);
            assert!(parts.iter().all(|range| text[range.clone()].chars().count() <= MAX_CHARS));
            assert!(parts.windows(2).all(|pair| pair[0].end <= pair[1].start));
            let kept: String = parts.iter().flat_map(|range| text[range.clone()].chars()).filter(|c| !c.is_whitespace()).collect();
            let all: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            assert_eq!(kept, all);
        }
    }
}
