//! Markdown: how answers are parsed, and words of others that it shows as they are.

use comrak::{Arena, nodes::NodeValue, parse_document};

/// How the Markdown of an answer is parsed, wherever that is done.
pub fn options() -> comrak::Options<'static> {
    let mut options = comrak::Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.math_dollars = true;
    options.extension.math_latex = true;
    // Off is the default; it is said here because everything rests on it.
    options.render.r#unsafe = false;
    options
}

/// The same text with links in place of images, so that showing it fetches nothing that a model or a page has chosen.
/// Code stays as it is.
pub fn without_images(text: &str) -> String {
    if !text.contains("![") {
        return text.to_owned();
    }
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let arena = Arena::new();
    let images = parse_document(&arena, text, &options()).descendants().filter_map(|node| {
        let data = node.data();
        matches!(data.value, NodeValue::Image(_)).then(|| data.sourcepos.start)
    });
    let at = |line: usize, column: usize| starts.get(line.checked_sub(1)?).map(|start| start + column.saturating_sub(1));
    let mut places: Vec<usize> = images.filter_map(|start| at(start.line, start.column)).collect();
    places.retain(|at| text.get(*at..).is_some_and(|rest| rest.starts_with("![")));
    places.sort_unstable();
    places.dedup();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for place in places {
        out.push_str(&text[from..place]);
        from = place + 1;
    }
    out.push_str(&text[from..]);
    // Within tables and lists the parser is not always sure of a place.
    if has_images(&out) { out.replace("![", "[") } else { out }
}

fn has_images(text: &str) -> bool {
    let arena = Arena::new();
    parse_document(&arena, text, &options()).descendants().any(|node| matches!(node.data().value, NodeValue::Image(_)))
}

/// A line of text that Markdown shows as it is: no markup, no formula, and nothing that could be
/// taken for a citation: a number in brackets gets parentheses.
///
/// Other brackets stay as they are where nothing can be made of them: behind a backslash they would begin a formula.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let chars: Vec<char> = text.chars().collect();
    let number = chars.iter().take_while(|c| c.is_ascii_digit()).count();
    let has_backslash = text.contains('\\');
    let mut is_number = false;
    let mut escaped_next = false;
    for (at, c) in chars.iter().copied().enumerate() {
        let before = at.checked_sub(1).map_or(' ', |at| chars[at]);
        let after = chars.get(at + 1).copied().unwrap_or(' ');
        let is_first = at == 0;
        match c {
            // Within a word an underscore is only an underscore.
            '_' if before.is_alphanumeric() && after.is_alphanumeric() => out.push(c),
            '[' if after.is_ascii_digit() || after == '^' => {
                is_number = true;
                out.push('(');
            }
            ']' if std::mem::take(&mut is_number) => out.push(')'),
            // A line may begin with a task or a definition. What closes a formula is written nowhere else,
            // unless the text has it.
            '[' if is_first => out.push_str(if has_backslash { "&#91;" } else { "\\[" }),
            ']' if after == '(' => {
                out.push(c);
                escaped_next = true;
            }
            '(' if std::mem::take(&mut escaped_next) => out.push_str(if has_backslash { "&#40;" } else { "\\(" }),
            '\\' | '`' | '*' | '_' | '<' | '>' | '#' | '~' | '|' | '&' | '$' => {
                out.push('\\');
                out.push(c);
            }
            // What would begin a list or a line.
            '-' | '+' | '=' if is_first => {
                out.push('\\');
                out.push(c);
            }
            '.' | ')' if number > 0 && at == number => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_become_links_and_code_stays() {
        for (text, wanted) in [
            ("See ![a](https://e.org/x.png?said=secret).", "See [a](https://e.org/x.png?said=secret)."),
            ("[![a](https://e.org/x.png)](https://e.org)", "[[a](https://e.org/x.png)](https://e.org)"),
            ("![a][ref]\n\n[ref]: https://e.org/x.png", "[a][ref]\n\n[ref]: https://e.org/x.png"),
            (
                "| ![a](https://e.org/x) | b |\n|---|---|\n| c | ![](https://e.org/y) |",
                "| [a](https://e.org/x) | b |\n|---|---|\n| c | [](https://e.org/y) |",
            ),
            ("`vec![1]` and ![a](b)", "`vec![1]` and [a](b)"),
            ("```\nvec![1]\n```", "```\nvec![1]\n```"),
            ("Really?![1] Yes! ![a](b)", "Really?![1] Yes! [a](b)"),
            ("- ![a](b)\n  - so![2]\n\n> ![c](d) end", "- [a](b)\n  - so![2]\n\n> [c](d) end"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(without_images(text), wanted);
            assert_eq!(without_images(wanted), wanted, "once is enough");
        }
    }

    #[test]
    fn brackets_are_no_formulas_and_no_citations() {
        assert_eq!(escape("x[i] <b> #tag"), "x[i] \\<b\\> \\#tag");
        assert_eq!(escape("[1] *x*, a [link](x), 2[3]"), "(1) \\*x\\*, a [link]\\(x), 2(3)");
        assert_eq!(escape("1. FC, snake_case, $5"), "1\\. FC, snake_case, \\$5");
    }
}
