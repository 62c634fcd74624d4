//! From an answer's Markdown to HTML that can do no harm. Everything that a window shows as HTML
//! has been through [`answer`].

mod blocks;
mod cleaner;
mod code;
mod marks;
mod math;
mod sheet;

use std::borrow::Cow;

use comrak::arena_tree::NodeEdge;
use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, format_html};
use nexi_core::{
    citations::{self, Marker},
    open_marks::close_marks,
    protocol::{Ending, NewStatement, Turn, TurnState},
    text,
};

pub use sheet::tables;

pub(crate) use blocks::settled;

use cleaner::CLEANER;
use marks::{Marks, parse, put_marks};

/// Bytes of Markdown that are rendered at most.
const MAX_MARKDOWN: usize = 512 * 1024;
/// Bytes of HTML that are made at most; a small table can become a large page.
const MAX_HTML: usize = 4 * 1024 * 1024;
/// Quotes and lists nested deeper than this are shown as plain text.
const MAX_NESTING: usize = 64;

/// Renders Markdown whose citations have not been judged: an answer that is arriving, or a report of a researcher.
pub fn answer(markdown: &str) -> String {
    part(markdown, 0).0
}

/// Renders a part of such an answer, in front of which so many citations stand; and how many stand there with its own.
pub(crate) fn part(markdown: &str, before: u32) -> (String, u32) {
    let markdown = text::truncate_bytes(markdown, MAX_MARKDOWN);
    let mut ordinal = before;
    let found = citations::citations(markdown).into_iter().flat_map(|marker| {
        let Marker { range, numbers } = marker;
        numbers.into_iter().map(move |number| (range.clone(), number))
    });
    let numbered = found.map(|(range, number)| {
        ordinal += 1;
        (range, number, ordinal - 1)
    });
    let numbered = numbered.collect::<Vec<_>>();
    let count = u32::try_from(numbered.len()).unwrap_or(u32::MAX);
    (rendered(markdown, Marks::new(numbered, &[])), before.saturating_add(count))
}

/// Renders the text of a document or page: it has neither citations nor formulas.
pub fn document(markdown: &str) -> String {
    let mut options = nexi_core::markdown::options();
    options.extension.math_dollars = false;
    options.extension.math_latex = false;
    options.extension.footnotes = false;
    rendered_with(text::truncate_bytes(markdown, MAX_MARKDOWN), Marks::new(std::iter::empty(), &[]), &options)
}

/// A copied answer as HTML for programs that paste formatted text: without citations that could be pressed, code colours
/// or anything else of ours.
pub fn for_clipboard(markdown: &str) -> String {
    CLEANER.clean(&document(markdown)).to_string()
}

/// Renders an answer like [`ending`], and marks the statements that an earlier one did not make.
pub fn turn(turn: &Turn) -> String {
    marked(&turn.ending, turn.change.as_deref().map_or(&[][..], |change| &change.statements))
}

/// Renders an answer with its citations where the ending has them, and marks its doubtful statements.
pub fn ending(ending: &Ending) -> String {
    marked(ending, &[])
}

fn marked(ending: &Ending, new: &[NewStatement]) -> String {
    // What another program answered has never been judged.
    let corrections = ending.check.as_deref().map_or(&[][..], |check| &check.corrections);
    // An answer that was stopped may break off anywhere.
    let written = if ending.state == TurnState::Answered { Cow::Borrowed(ending.answer.as_str()) } else { close_marks(&ending.answer) };
    if ending.citations.is_empty() && ending.statements.is_empty() && corrections.is_empty() {
        return answer(&written);
    }
    let citations = ending.citations.iter().map(|citation| (citation.start..citation.end, citation.number, citation.ordinal));
    rendered(text::truncate_bytes(&written, MAX_MARKDOWN), Marks::new(citations, &ending.statements).with(corrections).with_new(new))
}

fn rendered(markdown: &str, marks: Marks) -> String {
    rendered_with(markdown, marks, &nexi_core::markdown::options())
}

fn rendered_with(markdown: &str, marks: Marks, options: &comrak::Options<'_>) -> String {
    if nesting(markdown) > MAX_NESTING {
        return as_plain_text(markdown);
    }
    let arena = Arena::new();
    let mut marks = marks.fitting(markdown);
    let mut root = parse(&arena, markdown, &marks, options);
    // What ends up in code or a link is no mark, and what stands there is shown as it was written.
    let kept = citations::surviving(root);
    if kept.len() < marks.places.len() {
        let mut index = 0;
        marks.places.retain(|_| {
            index += 1;
            kept.binary_search(&(index - 1)).is_ok()
        });
        root = parse(&arena, markdown, &marks, options);
    }
    if is_too_deep(root) {
        return as_plain_text(markdown);
    }
    let formulas = prepare(&arena, root);
    put_marks(&arena, root, &marks);
    let mut html = Limited::default();
    if format_html(root, options, &mut html).is_err() {
        return as_plain_text(markdown);
    }
    math::put_in(&CLEANER.clean(&html.0).to_string(), &formulas)
}

/// Shows code in colours, tasks as signs, hosts behind links, and keeps places for formulas, which are returned.
fn prepare<'a>(arena: &'a Arena<'a>, root: &'a AstNode<'a>) -> Vec<math::Formula> {
    let mut formulas = Vec::new();
    let nodes: Vec<&AstNode<'_>> = root.descendants().collect();
    for node in nodes {
        let html = match &node.data().value {
            NodeValue::CodeBlock(block) => {
                let language = block.info.split([' ', ',', '{']).next().unwrap_or_default().to_owned();
                let inside = code::highlighted(&language, &block.literal);
                let lang = if language.is_empty() { String::new() } else { format!(" data-lang=\"{}\"", escape(&language)) };
                format!("<pre{lang}><code>{inside}</code></pre>")
            }
            NodeValue::Link(link) => {
                let words: String = node.descendants().filter_map(|node| node.data().value.text().map(str::to_owned)).collect();
                if let Some(host) = nexi_core::markdown::host_of_link(&link.url, &words) {
                    node.insert_after(arena.alloc(NodeValue::Raw(format!("<span class=\"host\"> ({})</span>", escape(&host))).into()));
                }
                continue;
            }
            NodeValue::Math(formula) => math::place(formula.literal.trim(), formula.display_math, &mut formulas),
            NodeValue::TaskItem(task) => {
                // The sign goes in front of the item's first words; the item stays what it is.
                let sign = if task.symbol.is_some() { "☑" } else { "☐" };
                if let Some(paragraph) = node.first_child() {
                    let sign = arena.alloc(NodeValue::Raw(format!("<span class=\"task\">{sign}</span> ")).into());
                    match paragraph.first_child() {
                        Some(words) => words.insert_before(sign),
                        None => paragraph.append(sign),
                    }
                }
                continue;
            }
            _ => continue,
        };
        node.data_mut().value = NodeValue::Raw(html);
    }
    // Items with signs are shown as plain items: a box that cannot be ticked only looks like a control.
    for node in root.descendants() {
        let mut data = node.data_mut();
        if matches!(data.value, NodeValue::TaskItem(_)) {
            data.value = NodeValue::Item(comrak::nodes::NodeList::default());
        }
    }
    formulas
}

/// The addresses of the links in rendered HTML, in order.
pub fn links(html: &str) -> Vec<String> {
    html.split("<a href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(|link| link.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
        .collect()
}

/// Whether the tree is deeper than pages are; later stages take time that grows with its depth.
fn is_too_deep<'a>(root: &'a AstNode<'a>) -> bool {
    let mut depth = 0_usize;
    for edge in root.traverse() {
        match edge {
            NodeEdge::Start(_) => depth += 1,
            NodeEdge::End(_) => depth -= 1,
        }
        if depth > 2 * MAX_NESTING {
            return true;
        }
    }
    false
}

/// How deeply the deepest line nests quotes and lists, by its leading marks.
fn nesting(markdown: &str) -> usize {
    markdown
        .lines()
        .map(|line| {
            let marks = line
                .bytes()
                .take_while(|byte| matches!(byte, b' ' | b'\t' | b'>' | b'-' | b'*' | b'+' | b'0'..=b'9' | b'.' | b')'))
                .collect::<Vec<u8>>();
            marks.iter().filter(|byte| matches!(byte, b'>' | b'-' | b'*' | b'+')).count()
        })
        // A thematic break is a long line of the same mark and nests nothing.
        .filter(|count| *count > 0)
        .max()
        .unwrap_or(0)
}

fn as_plain_text(markdown: &str) -> String {
    format!("<pre>{}</pre>", escape(markdown))
}

/// A text that HTML shows as it is.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

/// Output that refuses to grow without end.
#[derive(Default)]
struct Limited(String);

impl std::fmt::Write for Limited {
    fn write_str(&mut self, piece: &str) -> std::fmt::Result {
        if self.0.len() + piece.len() > MAX_HTML {
            return Err(std::fmt::Error);
        }
        self.0.write_str(piece)
    }
}

#[cfg(test)]
mod tests {
    use nexi_core::protocol::{Statement, Support};

    use super::*;

    #[test]
    fn citations_become_numbered_marks() {
        assert_eq!(
            answer("A **b** [1][3]. C [2, 4]."),
            "<p>A <strong>b</strong> <sup class=\"cite\" data-number=\"1\" data-ordinal=\"0\">1</sup><sup class=\"cite\" data-number=\"3\" data-ordinal=\"1\">3</sup>. \
             C <sup class=\"cite\" data-number=\"2\" data-ordinal=\"2\">2</sup><sup class=\"cite\" data-number=\"4\" data-ordinal=\"3\">4</sup>.</p>\n"
        );
        assert!(!answer("`a[1]` and\n\n    b[2]\n").contains("cite"));
    }

    /// The numbers and ordinals that HTML shows.
    fn shown(html: &str) -> Vec<(u32, u32)> {
        let value = |text: &str, name: &str| text.split(name).nth(1)?.split('"').next()?.parse().ok();
        let marks = html.split("<sup class=\"cite\"").skip(1);
        marks.filter_map(|mark| Some((value(mark, "data-number=\"")?, value(mark, "data-ordinal=\"")?))).collect()
    }

    proptest::proptest! {
        #[test]
        fn the_core_and_the_window_see_the_same_citations(pieces in proptest::collection::vec(0..24_usize, 0..40)) {
            const PIECES: [&str; 24] = [
                "word ", "[1]", "[2, 3]", "[4](https://e.org)", "**", "*", "`", "``", "\n\n", "\n", "    ", "- ", "> ", "| a |", "\n|---|\n",
                "$", "[x ", "](u)", "[5]:", "<b>", "https://e.org", "![", "```\n", "\\",
            ];
            let markdown: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
            let numbers: Vec<u32> = citations::citations(&markdown).into_iter().flat_map(|marker| marker.numbers).collect();
            let wanted: Vec<(u32, u32)> = numbers.into_iter().zip(0..).collect();
            proptest::prop_assert_eq!(shown(&answer(&markdown)), wanted, "{}", markdown);
        }
    }

    #[test]
    fn doubtful_statements_are_marked_where_they_stand() {
        let text = "- **It opened in 1931.** It is green. [1]\n\n`It is code.`";
        let statement = |part: &str, support| {
            let start = text.find(part).unwrap();
            Statement { start, end: start + part.len(), support }
        };
        let statements = vec![
            statement("**It opened in 1931.**", Support::Uncited),
            statement("It is green. [1]", Support::Supported),
            statement("It is code.", Support::Contradicted),
        ];
        let html = super::ending(&Ending { statements, ..Ending::failed("", text) });
        assert!(html.contains("<span class=\"said\" data-statement=\"0\"></span><strong>It opened in 1931.</strong><span class=\"said-end\" data-statement=\"0\" data-support=\"uncited\"></span>"), "{html}");
        assert_eq!(html.matches("said-end").count(), 1, "{html}");
        assert!(html.contains("<code>It is code.</code>"), "{html}");
    }

    #[test]
    fn escaped_text_comes_back_as_it_was() {
        let shown = |text: &str| {
            let html = answer(&nexi_core::markdown::escape(text));
            let mut out = String::new();
            let mut inside = false;
            for c in html.trim_end().chars() {
                match c {
                    '<' => inside = true,
                    '>' => inside = false,
                    _ if !inside => out.push(c),
                    _ => {}
                }
            }
            out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
        };
        // Numbers and notes in brackets are shown below.
        let marks: Vec<char> = ('!'..='~').filter(|c| !c.is_ascii_digit() && *c != '^').collect();
        for one in &marks {
            for other in &marks {
                for text in
                    [format!("a{one}{other}b c{one}{other}"), format!("{one}{other} x{other}{one}y {one}"), format!("{one} {other}z{one}")]
                {
                    assert_eq!(shown(&text), text.trim(), "{}", nexi_core::markdown::escape(&text));
                }
            }
        }
        for text in [
            "\\[x\\] and \\(y\\)",
            "[a](b) and \\(c\\)",
            "[a \\] b",
            "x [y](z\\)",
            "$a$ and $$b$$",
            "[x] [a](b) [c]: d",
            "12) twelve",
            "&amp; &#91;",
            "https://e.org/a_b_c",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn tables_lists_and_links_work() {
        let html = answer("| a | b |\n|---|---|\n| 1 | 2 |\n\n3. x\n\n[site](https://e.org/?a=1&b=2) ~~no~~\n");
        for wanted in [
            "<table>",
            "<td>2</td>",
            "<ol start=\"3\">",
            "<a href=\"https://e.org/?a=1&amp;b=2\" rel=\"noopener noreferrer nofollow\">site</a>",
            "<del>no</del>",
        ] {
            assert!(html.contains(wanted), "{html}");
        }
        assert_eq!(links(&html), ["https://e.org/?a=1&b=2"]);
    }

    #[test]
    fn code_tasks_notes_and_formulas_are_dressed() {
        let html = answer(
            "```rust\nlet a = \"<b>\"; // x\n```\n\n- [x] done\n- [ ] open [1]\n\nA note.[^n] Energy $E = mc^2$, and $5 or $6.\n\n[^n]: Small print.\n",
        );
        for wanted in [
            "<pre data-lang=\"rust\"><code><span class=\"hl-k\">let</span>",
            "<span class=\"hl-s\">\"&lt;b&gt;\"</span>",
            "<span class=\"hl-c\">// x",
            "<span class=\"task\">☑</span> done",
            "<span class=\"task\">☐</span> open <sup class=\"cite\"",
            "<sup class=\"footnote-ref\">",
            "<section class=\"footnotes\">",
            "Small print.",
            "<math display=\"inline\"><mi>E</mi>",
            "$5 or $6",
        ] {
            assert!(html.contains(wanted), "{wanted}\n{html}");
        }
        let broken = answer("$$\\frac{a$$ and ```\n<script>");
        assert!(broken.contains("\\frac{a") && !broken.contains("<math") && !broken.contains("<script"), "{broken}");
    }

    #[test]
    fn nothing_active_survives() {
        for markdown in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[a](javascript:alert(1))",
            "[a](data:text/html,x)",
            "![a](https://e.org/x.png)",
            "<a href=https://e.org onclick=x>y</a>",
            "<svg onload=alert(1)>",
            "<iframe src=https://e.org>",
            "<style>*{}</style>",
            "[a](/relative)",
            "<sup class=\"cite\" data-number=\"1\">1</sup>",
            "<form action=https://e.org><input>",
            "[a](vbscript:x)",
            "<math><mi xlink:href=\"javascript:x\">",
            "[a](<java\nscript:alert(1)>)",
            "<details open ontoggle=alert(1)>",
            "a\n<base href=https://e.org>",
        ] {
            let html = answer(markdown).to_lowercase();
            for bad in [
                "<script",
                "<img",
                "onerror",
                "onclick",
                "onload",
                "ontoggle",
                "javascript:",
                "vbscript:",
                "data:",
                "<svg",
                "<iframe",
                "<style",
                "<form",
                "<input",
                "<math",
                "<base",
                "href=\"/",
                "cite",
            ] {
                assert!(!html.contains(bad), "{markdown} -> {html}");
            }
        }
    }

    #[test]
    fn bombs_are_defused() {
        let started = std::time::Instant::now();
        for markdown in [
            ">".repeat(20_000),
            "- ".repeat(20_000),
            "[".repeat(50_000),
            format!("{}\n{}\n{}", "|a".repeat(900), "|-".repeat(900), "|\n".repeat(900)),
            "*a _b ".repeat(20_000),
        ] {
            assert!(answer(&markdown).len() <= MAX_HTML + MAX_MARKDOWN * 5);
        }
        assert!(started.elapsed().as_secs() < 20, "rendering must not take for ever: {:?}", started.elapsed());
    }
}
