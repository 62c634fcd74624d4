//! A thread as a Word document: what the Markdown says, in Word's own headings, lists, tables, links and footnotes.

use std::collections::HashMap;

use comrak::nodes::{AstNode, ListType, NodeList, NodeValue};
use comrak::{Arena, parse_document};
use docx_rs::{
    AbstractNumbering, BreakType, Docx, Footer, Footnote, Hyperlink, HyperlinkType, IndentLevel, Level, LevelJc, LevelOverride, LevelText,
    LineSpacing, LineSpacingType, NumberFormat, Numbering, NumberingId, PageMargin, PageNum, Paragraph, Run, RunFonts, Shading,
    SpecialIndentType, Start, Style, StyleType, Table, TableCell, TableRow, VertAlignType, WidthType,
};
use nexi_core::markdown::options;
use nexi_messages::say;
use nexi_store::history::ThreadFile;

use super::{CitationStyle, markdown};
use crate::render::escape;
use crate::report::moment;

/// Ids of the two kinds of lists; a list of the document is an instance of one of them. The crate has taken the first.
const BULLETS: usize = 10;
const NUMBERS: usize = 11;
/// Levels that Word knows.
const LEVELS: usize = 9;
/// Twentieths of a point: how far a level of a list or a quotation is set in.
const INDENT: i32 = 400;
/// The width of an A4 page and of the margins beside its text, in twentieths of a point.
const PAGE_WIDTH: usize = 11906;
const MARGIN: i32 = 1440;
/// The width of the text.
const TEXT_WIDTH: usize = PAGE_WIDTH - 2 * MARGIN as usize;
/// How far the lines of a source are set in behind its first one.
const HANGING: i32 = 480;

/// The bytes of a document.
pub(super) fn document(file: &ThreadFile, style: CitationStyle) -> Vec<u8> {
    let text = markdown::text(file, style);
    let arena = Arena::new();
    let root = parse_document(&arena, &text, &options());
    let mut writer = Writer { docx: styled(), lists: NUMBERS, notes: HashMap::new(), names_sources: false };
    for node in root.children() {
        if let NodeValue::FootnoteDefinition(note) = &node.data.borrow().value {
            writer.notes.insert(note.name.clone(), node.children().collect());
        }
    }
    writer.blocks(root, Place::default());
    let mut bytes = std::io::Cursor::new(Vec::new());
    // Writing to memory does not fail.
    let mut built = writer.docx.created_at(&moment(file.created_ms)).updated_at(&moment(file.updated_ms)).build();
    built.doc_props.core = properties(&built.doc_props.core, &file.title);
    if let Err(error) = built.pack(&mut bytes) {
        tracing::error!(%error, "a Word document could not be packed");
    }
    bytes.into_inner()
}

/// The properties of a document with its title and its program, for which the crate has no setters.
fn properties(core: &[u8], title: &str) -> Vec<u8> {
    let title: String = title.chars().filter(|c| !c.is_control()).collect();
    let end = "</cp:coreProperties>";
    let text = String::from_utf8_lossy(core).replace(">unknown<", ">Nexi<");
    text.replace(end, &format!("<dc:title>{}</dc:title>{end}", escape(&title))).into_bytes()
}

/// An empty document with the styles that are used.
fn styled() -> Docx {
    let heading = |level: usize, size: usize| {
        Style::new(format!("Heading{level}"), StyleType::Paragraph)
            .name(format!("heading {level}"))
            .based_on("Normal")
            .next("Normal")
            .q_format(true)
            .outline_lvl(level - 1)
            .size(size)
            .bold()
            .line_spacing(LineSpacing::new().before(280).after(100))
    };
    let mut note = Style::new("FootnoteReference", StyleType::Character).name("footnote reference");
    note.run_property = note.run_property.vert_align(VertAlignType::SuperScript);
    let link = Style::new("Hyperlink", StyleType::Character).name("Hyperlink").color("1F5FAF").underline("single");
    let quote = Style::new("Quote", StyleType::Paragraph).name("Quote").based_on("Normal").q_format(true).italic().color("555555");
    let code = Style::new("Code", StyleType::Paragraph).name("Code").based_on("Normal").fonts(mono()).size(19);
    let levels = |id: usize, of: &dyn Fn(usize) -> (NumberFormat, LevelText)| {
        (0..LEVELS).fold(AbstractNumbering::new(id), |list, level| {
            let (format, text) = of(level);
            let left = INDENT * (level as i32 + 1);
            let level = Level::new(level, Start::new(1), format, text, LevelJc::new("left"));
            list.add_level(level.indent(Some(left), Some(SpecialIndentType::Hanging(INDENT - 60)), None, None))
        })
    };
    let bullets = levels(BULLETS, &|_| (NumberFormat::new("bullet"), LevelText::new("•")));
    let numbers = levels(NUMBERS, &|level| (NumberFormat::new("decimal"), LevelText::new(format!("%{}.", level + 1))));
    let fonts = RunFonts::new().ascii("Calibri").hi_ansi("Calibri").cs("Calibri");
    let margins = PageMargin::new().left(MARGIN).right(MARGIN).top(MARGIN).bottom(MARGIN);
    let mut docx = Docx::new()
        .page_margin(margins)
        .default_fonts(fonts)
        .default_size(22)
        .default_line_spacing(LineSpacing::new().after(120).line(264).line_rule(LineSpacingType::Auto))
        .footer(Footer::new().add_paragraph(Paragraph::new().align(docx_rs::AlignmentType::Center).add_page_num(PageNum::new())))
        .add_abstract_numbering(bullets)
        .add_abstract_numbering(numbers)
        .add_numbering(Numbering::new(BULLETS, BULLETS));
    for (level, size) in (1..).zip([34, 28, 25, 23, 22, 22]) {
        docx = docx.add_style(heading(level, size));
    }
    [note, link, quote, code].into_iter().fold(docx, Docx::add_style)
}

fn mono() -> RunFonts {
    RunFonts::new().ascii("Consolas").hi_ansi("Consolas").cs("Consolas")
}

/// Where a block stands.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The list and its level.
    list: Option<(usize, usize)>,
    /// Whether the number or bullet of the item has been set.
    numbered: bool,
    quoted: usize,
}

/// How letters look.
#[derive(Debug, Clone, Copy, Default)]
struct Look {
    bold: bool,
    italic: bool,
    strike: bool,
    code: bool,
    link: bool,
}

impl Look {
    fn run(self, text: &str) -> Run {
        let mut run = if self.link { Run::new().style("Hyperlink") } else { Run::new() };
        run = run.add_text(text);
        if self.bold {
            run = run.bold();
        }
        if self.italic {
            run = run.italic();
        }
        if self.strike {
            run = run.strike();
        }
        if self.code { run.fonts(mono()) } else { run }
    }
}

struct Writer<'a> {
    docx: Docx,
    /// The id of the last list.
    lists: usize,
    /// Notes by their names.
    notes: HashMap<String, Vec<&'a AstNode<'a>>>,
    /// Whether the next list is one of sources.
    names_sources: bool,
}

impl<'a> Writer<'a> {
    fn blocks(&mut self, parent: &'a AstNode<'a>, mut place: Place) {
        for node in parent.children() {
            self.block(node, place);
            place.numbered = true;
        }
    }

    fn block(&mut self, node: &'a AstNode<'a>, place: Place) {
        let value = node.data.borrow().value.clone();
        match value {
            NodeValue::Heading(heading) => {
                let style = format!("Heading{}", heading.level.clamp(1, 6));
                let paragraph = self.inlines(node, Paragraph::new().style(&style).keep_next(true), Look::default());
                self.add(paragraph);
            }
            NodeValue::Paragraph if place.list.is_none() && heads_sources(node) => {
                self.names_sources = true;
                self.add(Paragraph::new().style("Heading3").keep_next(true).add_run(Run::new().add_text(say!("answers-sources"))));
            }
            NodeValue::Paragraph => {
                let paragraph = self.inlines(node, placed(place), Look::default());
                self.add(paragraph);
            }
            NodeValue::BlockQuote => self.blocks(node, Place { quoted: place.quoted + 1, ..place }),
            NodeValue::List(list) => self.list(node, &list, place),
            NodeValue::CodeBlock(code) => {
                let lines = code.literal.trim_end().split('\n');
                let run = lines.enumerate().fold(Run::new(), |run, (index, line)| {
                    let run = if index > 0 { run.add_break(BreakType::TextWrapping) } else { run };
                    run.add_text(line)
                });
                self.add(placed(Place { numbered: true, ..place }).style("Code").keep_lines(true).add_run(run));
            }
            NodeValue::Table(_) => {
                let table = self.table(node);
                self.docx = std::mem::take(&mut self.docx).add_table(table);
                // Two tables in a row would become one.
                self.add(Paragraph::new());
            }
            // Notes stand where they are referred to.
            NodeValue::FootnoteDefinition(_) | NodeValue::ThematicBreak => {}
            NodeValue::HtmlBlock(html) => self.add(placed(place).add_run(Look::default().run(html.literal.trim()))),
            _ => self.blocks(node, place),
        }
    }

    fn add(&mut self, paragraph: Paragraph) {
        self.docx = std::mem::take(&mut self.docx).add_paragraph(paragraph);
    }

    fn list(&mut self, node: &'a AstNode<'a>, list: &NodeList, place: Place) {
        if std::mem::take(&mut self.names_sources) {
            for source in node.children().flat_map(AstNode::children) {
                let indent = Some(SpecialIndentType::Hanging(HANGING));
                let paragraph = self.inlines(source, Paragraph::new().indent(Some(HANGING), indent, None, None), Look::default());
                self.add(paragraph);
            }
            return;
        }
        let level = place.list.map_or(0, |(_, level)| (level + 1).min(LEVELS - 1));
        let id = if list.list_type == ListType::Bullet {
            BULLETS
        } else {
            // A list of its own, so that it begins with its own number.
            self.lists += 1;
            let numbering = Numbering::new(self.lists, NUMBERS).add_override(LevelOverride::new(level).start(list.start));
            self.docx = std::mem::take(&mut self.docx).add_numbering(numbering);
            self.lists
        };
        for item in node.children() {
            self.blocks(item, Place { list: Some((id, level)), numbered: false, ..place });
        }
    }

    fn table(&mut self, node: &'a AstNode<'a>) -> Table {
        let columns = node.children().map(|row| row.children().count()).max().unwrap_or(1).max(1);
        let width = TEXT_WIDTH / columns;
        let rows = node.children().map(|row| {
            let is_head = matches!(row.data.borrow().value, NodeValue::TableRow(true));
            let cells = row.children().map(|cell| {
                let look = Look { bold: is_head, ..Look::default() };
                let cell = TableCell::new().width(width, WidthType::Dxa).add_paragraph(self.inlines(cell, Paragraph::new(), look));
                if is_head { cell.shading(Shading::new().fill("EEEEEE")) } else { cell }
            });
            TableRow::new(cells.collect())
        });
        Table::new(rows.collect()).set_grid(vec![width; columns]).width(TEXT_WIDTH, WidthType::Dxa)
    }

    /// What stands in a block, put into its paragraph.
    fn inlines(&self, node: &'a AstNode<'a>, paragraph: Paragraph, look: Look) -> Paragraph {
        node.children().fold(paragraph, |paragraph, child| self.inline(child, paragraph, look))
    }

    fn inline(&self, node: &'a AstNode<'a>, paragraph: Paragraph, look: Look) -> Paragraph {
        let value = node.data.borrow().value.clone();
        match value {
            NodeValue::Text(text) => paragraph.add_run(look.run(&text)),
            NodeValue::SoftBreak => paragraph.add_run(look.run(" ")),
            NodeValue::LineBreak => paragraph.add_run(Run::new().add_break(BreakType::TextWrapping)),
            NodeValue::Code(code) => paragraph.add_run(Look { code: true, ..look }.run(&code.literal)),
            NodeValue::Math(math) => paragraph.add_run(Look { code: true, ..look }.run(&math.literal)),
            NodeValue::HtmlInline(html) => paragraph.add_run(look.run(&html)),
            NodeValue::Emph => self.inlines(node, paragraph, Look { italic: true, ..look }),
            NodeValue::Strong => self.inlines(node, paragraph, Look { bold: true, ..look }),
            NodeValue::Strikethrough => self.inlines(node, paragraph, Look { strike: true, ..look }),
            NodeValue::TaskItem(task) => {
                let paragraph = paragraph.add_run(look.run(if task.symbol.is_some() { "☑ " } else { "☐ " }));
                self.inlines(node, paragraph, look)
            }
            NodeValue::FootnoteReference(note) => match self.notes.get(&note.name) {
                Some(blocks) => {
                    let mut footnote = Footnote::new();
                    for block in blocks {
                        footnote.add_content(self.inlines(block, Paragraph::new(), Look::default()));
                    }
                    paragraph.add_run(Run::new().add_footnote_reference(footnote))
                }
                None => paragraph.add_run(look.run(&format!("[{}]", note.name))),
            },
            // Only addresses that a browser or a file manager may open become links.
            NodeValue::Link(link) if ["https://", "http://", "file://", "mailto:"].iter().any(|scheme| link.url.starts_with(scheme)) => {
                let inner = self.inlines(node, Paragraph::new(), Look { link: true, ..look });
                let mut made = Hyperlink::new(&link.url, HyperlinkType::External);
                made.children = inner.children;
                paragraph.add_hyperlink(made)
            }
            _ => self.inlines(node, paragraph, look),
        }
    }
}

/// Whether a paragraph is the line above the sources.
fn heads_sources<'a>(paragraph: &'a AstNode<'a>) -> bool {
    let only = |node: &'a AstNode<'a>| node.first_child().filter(|child| child.next_sibling().is_none());
    let Some(strong) = only(paragraph).filter(|node| matches!(node.data.borrow().value, NodeValue::Strong)) else { return false };
    only(strong).is_some_and(|text| matches!(&text.data.borrow().value, NodeValue::Text(text) if **text == *say!("answers-sources")))
}

/// An empty paragraph of this place.
fn placed(place: Place) -> Paragraph {
    let paragraph = Paragraph::new().style(if place.quoted > 0 { "Quote" } else { "Normal" });
    let deep = place.list.map_or(0, |(_, level)| level as i32 + 1) + place.quoted as i32;
    match place.list {
        Some((id, level)) if !place.numbered => paragraph.numbering(NumberingId::new(id), IndentLevel::new(level)),
        _ if deep > 0 => paragraph.indent(Some(INDENT * deep), None, None, None),
        _ => paragraph,
    }
}
