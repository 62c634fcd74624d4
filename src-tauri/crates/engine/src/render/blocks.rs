//! How much of a Markdown text that still arrives is settled: blocks that nothing which comes later can change.

/// Bytes at the beginning of `markdown` that are settled; zero where nothing is. The text begins with a block.
///
/// A block is over when an empty line stands behind it and the next line begins another one at the very left. Lists may
/// go on there, so that what looks like an item settles nothing. Definitions of links work on what stands
/// before them, notes belong together wherever they stand, and HTML may go on across empty lines: from the first of
/// those on, everything waits for the end.
pub(crate) fn settled(markdown: &str) -> usize {
    let (mut settled, mut at) = (0, 0);
    let mut fence: Option<(char, usize)> = None;
    let mut is_after_empty = false;
    for line in markdown.split_inclusive('\n') {
        let begins = at;
        at += line.len();
        let text = line.trim_end();
        let marks = fence_of(text);
        if let Some((mark, length)) = fence {
            // A fence is closed by one at least as long, with nothing behind it.
            if marks.is_some_and(|(other, count, rest)| other == mark && count >= length && rest.is_empty()) {
                fence = None;
            }
            continue;
        }
        if text.is_empty() {
            is_after_empty = true;
            continue;
        }
        if is_definition(text) {
            return settled;
        }
        if is_after_empty && begins > 0 && begins_a_block(text) {
            settled = begins;
        }
        if text.contains("[^") || text.trim_start().starts_with('<') {
            return settled;
        }
        is_after_empty = false;
        fence = marks.map(|(mark, count, _)| (mark, count));
    }
    settled
}

/// Whether a line behind an empty one can only begin another block.
fn begins_a_block(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_whitespace() || c.is_ascii_digit() || matches!(c, '-' | '*' | '+'))
}

/// The mark of a fence, how often it stands there, and what stands behind it.
fn fence_of(text: &str) -> Option<(char, usize, &str)> {
    let inner = text.trim_start();
    let mark = inner.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = inner.trim_start_matches(mark);
    let count = inner.len() - rest.len();
    (text.len() - inner.len() < 4 && count >= 3).then_some((mark, count, rest.trim()))
}

/// Whether a line says where the links of a name lead to.
fn is_definition(text: &str) -> bool {
    text.trim_start().starts_with('[') && text.contains("]:")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blocks_are_settled_when_the_next_one_begins() {
        for (markdown, wanted) in [
            ("One.\n\nTwo", "One.\n\n"),
            ("One.\n\n", ""),
            ("One.\nTwo.\n", ""),
            ("# One\n\nTwo\n\n> Three", "# One\n\nTwo\n\n"),
            ("- one\n\n- two", ""),
            ("- one\n\n  more\n\nTwo", "- one\n\n  more\n\n"),
            ("1. one\n\n2. two\n\n**Two**", ""),
            ("One.\n\n**Two**\n\nThree", "One.\n\n**Two**\n\n"),
            ("```\na\n\nb\n\nc", ""),
            ("```\na\n\nb\n```\n\nTwo", "```\na\n\nb\n```\n\n"),
            ("~~~~\na\n\n~~~\n\nb\n\nTwo", ""),
            ("One.[^1]\n\nTwo\n\nThree", ""),
            ("One.\n\nTwo [^1]\n\nThree", "One.\n\n"),
            ("One.\n\n[a]: https://e.org\n\nThree", ""),
            ("<div>\n\nTwo\n\nThree", ""),
        ] {
            // Where a line that settles nothing begins a block, it is settled with the next one that does.
            assert_eq!(&markdown[..settled(markdown)], wanted, "{markdown:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

        /// Rendered in two pieces it is the same page.
        #[test]
        fn what_is_settled_can_be_rendered_by_itself(pieces in proptest::collection::vec(0..PIECES.len(), 1..14)) {
            let markdown: String = pieces.into_iter().map(|index| PIECES[index]).collect();
            let at = settled(&markdown);
            let whole = crate::render::answer(&markdown);
            let (first, count) = crate::render::part(&markdown[..at], 0);
            let (rest, _) = crate::render::part(&markdown[at..], count);
            prop_assert_eq!(format!("{first}{rest}").replace('\n', ""), whole.replace('\n', ""), "{:?}", markdown);
        }
    }

    const PIECES: [&str; 20] = [
        "One [1]. ",
        "Two *three*",
        "\n",
        "\n\n",
        "\n\n",
        "- item [2]\n",
        "2. item\n",
        "  indented\n",
        "    code\n",
        "# Title\n",
        "```\n",
        "```rust\nlet a = 1;\n```\n",
        "> quote\n",
        "| a | b |\n|---|---|\n| 1 | 2 [3] |\n",
        "$x^2$ ",
        "---\n",
        "[link](https://e.org) ",
        "* star\n",
        "`code` [1]",
        "Title\n===\n",
    ];
}
