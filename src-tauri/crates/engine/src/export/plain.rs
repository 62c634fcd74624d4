//! Markdown as text without marks.

use comrak::nodes::{AstNode, ListType, NodeValue};
use comrak::{Arena, Options, parse_document};

/// Text as somebody would write it into a mail: paragraphs, lists with signs, cells between tabs.
pub(super) fn text(markdown: &str) -> String {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &options);
    let mut out = String::new();
    blocks(root, 0, &mut out);
    out.trim().to_owned()
}

fn blocks<'a>(node: &'a AstNode<'a>, depth: usize, out: &mut String) {
    // What is nested deeper than this is no text for anybody.
    if depth > 60 {
        return;
    }
    for child in node.children() {
        match &child.data().value {
            NodeValue::Paragraph | NodeValue::Heading(_) => {
                inline(child, out);
                out.push_str("\n\n");
            }
            NodeValue::CodeBlock(block) => {
                out.push_str(block.literal.trim_end());
                out.push_str("\n\n");
            }
            NodeValue::List(list) => {
                for (index, item) in child.children().enumerate() {
                    let sign = match list.list_type {
                        ListType::Bullet => "- ".to_owned(),
                        ListType::Ordered => format!("{}. ", list.start + index),
                    };
                    let mut inner = String::new();
                    blocks(item, depth + 1, &mut inner);
                    let indent = format!("\n{}", " ".repeat(sign.len()));
                    out.push_str(&sign);
                    out.push_str(&inner.trim_end().replace("\n\n", "\n").replace('\n', &indent));
                    out.push('\n');
                }
                out.push('\n');
            }
            NodeValue::TableRow(_) => {
                let cells: Vec<String> = child
                    .children()
                    .map(|cell| {
                        let mut text = String::new();
                        inline(cell, &mut text);
                        text
                    })
                    .collect();
                out.push_str(&cells.join("\t"));
                out.push('\n');
            }
            NodeValue::Table(_) => {
                blocks(child, depth + 1, out);
                out.push('\n');
            }
            NodeValue::ThematicBreak => out.push('\n'),
            _ => blocks(child, depth + 1, out),
        }
    }
}

fn inline<'a>(node: &'a AstNode<'a>, out: &mut String) {
    for child in node.descendants().skip(1) {
        match &child.data().value {
            NodeValue::Text(text) => out.push_str(text),
            NodeValue::Code(code) => out.push_str(&code.literal),
            NodeValue::SoftBreak => out.push(' '),
            NodeValue::LineBreak => out.push('\n'),
            _ => {}
        }
    }
}
