//! `.docx`: headings, paragraphs, lists, tables, notes, and what stands above and below the pages.

use std::collections::BTreeSet;

use crate::{
    Extracted, FormatError,
    archive::Archive,
    text::Writer,
    xml::{self, Node, day},
};

pub(crate) fn extract(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let mut archive = Archive::open(bytes)?;
    let mut out = properties(&mut archive)?;
    let styles = archive.entry("word/styles.xml")?.map(|bytes| named_styles(&bytes)).unwrap_or_default();
    let body = archive.need("word/document.xml")?;
    let mut writer = Writer::default();
    read(&body, &styles, &mut writer)?;
    for (name, title) in [("word/footnotes.xml", "Footnotes"), ("word/endnotes.xml", "Endnotes"), ("word/comments.xml", "Comments")] {
        if let Some(notes) = archive.entry(name)? {
            let mut own = Writer::default();
            read(&notes, &styles, &mut own)?;
            if !own.is_empty() {
                writer.heading(1, title);
                writer.append(own);
            }
        }
    }
    for (kind, title) in [("header", "Headers"), ("footer", "Footers")] {
        let own = margins(&mut archive, kind, &styles)?;
        if !own.is_empty() {
            writer.heading(1, title);
            writer.append(own);
        }
    }
    out.parts = writer.parts();
    if out.title.is_empty() {
        out.title = writer_title(&out);
    }
    Ok(out)
}

/// What stands above or below the pages, each text once: first, even and odd pages have their own, and mostly say the same.
fn margins(archive: &mut Archive<'_>, kind: &str, styles: &[(String, Style)]) -> Result<Writer, FormatError> {
    /// Files of a kind that a document has at most.
    const MOST: usize = 30;
    let (mut all, mut seen) = (Writer::default(), BTreeSet::new());
    for number in 1..=MOST {
        let Some(bytes) = archive.entry(&format!("word/{kind}{number}.xml"))? else { continue };
        let mut own = Writer::default();
        read(&bytes, styles, &mut own)?;
        let texts = own.parts().into_iter().flat_map(|part| part.text.split("\n\n").map(str::to_owned).collect::<Vec<_>>());
        // Numbers of pages say nothing.
        for text in texts.filter(|text| text.chars().any(char::is_alphabetic)) {
            if seen.insert(text.clone()) {
                all.paragraph(&text);
            }
        }
    }
    Ok(all)
}

/// The first heading.
fn writer_title(out: &Extracted) -> String {
    let first = out.parts.iter().flat_map(|part| part.text.lines()).find_map(|line| line.strip_prefix("# "));
    first.unwrap_or_default().to_owned()
}

/// When the template of python-docx was made, which its documents carry unless their programs say otherwise.
const OF_A_TEMPLATE: &str = "2013-12-23T23:15:00Z";

/// What files of Microsoft's formats say about themselves.
pub(crate) fn properties(archive: &mut Archive<'_>) -> Result<Extracted, FormatError> {
    let Some(core) = archive.entry("docProps/core.xml")? else { return Ok(Extracted::default()) };
    let [title, author, modified, created] = xml::texts(&core, ["title", "creator", "modified", "created"]);
    Ok(Extracted {
        title: title.trim().to_owned(),
        authors: author.split(';').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        date: [created, modified].iter().filter(|time| time.as_str() != OF_A_TEMPLATE).find_map(|time| day(time)),
        ..Extracted::default()
    })
}

/// What the style of a paragraph says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Heading(usize),
    Item,
}

/// Ids of styles that are headings or items of lists.
fn named_styles(styles: &[u8]) -> Vec<(String, Style)> {
    let mut out = Vec::new();
    let mut id = String::new();
    let _ = xml::walk(styles, |node| match node {
        Node::Open("style", attributes) => id = attributes.get("styleId").unwrap_or_default(),
        Node::Open("name", attributes) => {
            let name = attributes.get("val").unwrap_or_default().to_lowercase();
            let heading = |level: &str| level.trim().parse::<usize>().ok().map(|level| Style::Heading(level.clamp(1, 6)));
            let style = match name.as_str() {
                "title" => Some(Style::Heading(1)),
                name if name.starts_with("list bullet") || name.starts_with("list number") => Some(Style::Item),
                name => name.strip_prefix("heading ").and_then(heading),
            };
            out.extend(style.map(|style| (id.clone(), style)));
        }
        Node::Open("outlineLvl", attributes) => {
            if let Some(level) = attributes.get("val").and_then(|level| level.parse::<usize>().ok()).filter(|level| *level < 6)
                && !out.iter().any(|(known, _)| *known == id)
            {
                out.push((id.clone(), Style::Heading(level + 1)));
            }
        }
        _ => {}
    });
    out
}

#[derive(Default)]
struct Paragraph {
    text: String,
    level: Option<usize>,
    is_item: bool,
}

fn read(bytes: &[u8], styles: &[(String, Style)], writer: &mut Writer) -> Result<(), FormatError> {
    let mut open: Vec<Paragraph> = Vec::new();
    let (mut is_text, mut is_hidden, mut skipped, mut runs) = (false, false, 0usize, 0usize);
    xml::walk(bytes, |node| match node {
        // What was struck out, the other form of the same drawing, and instructions of fields are no text.
        Node::Open("del" | "Fallback" | "instrText" | "moveFrom", _) => skipped += 1,
        Node::Close("del" | "Fallback" | "instrText" | "moveFrom") => skipped = skipped.saturating_sub(1),
        _ if skipped > 0 => {}
        Node::Open("p", _) => open.push(Paragraph::default()),
        Node::Open("pStyle", attributes) => {
            if let (Some(paragraph), Some(id)) = (open.last_mut(), attributes.get("val")) {
                match styles.iter().find(|(known, _)| *known == id).map(|(_, style)| *style) {
                    Some(Style::Heading(level)) => paragraph.level = Some(level),
                    Some(Style::Item) => paragraph.is_item = true,
                    None => {}
                }
            }
        }
        Node::Open("outlineLvl", attributes) if runs == 0 => {
            if let (Some(paragraph), Some(level)) = (open.last_mut(), attributes.get("val").and_then(|level| level.parse::<usize>().ok())) {
                paragraph.level = paragraph.level.or((level < 6).then_some(level + 1));
            }
        }
        Node::Open("numPr", _) => {
            if let Some(paragraph) = open.last_mut() {
                paragraph.is_item = true;
            }
        }
        Node::Open("r", _) => runs += 1,
        Node::Close("r") => (runs, is_hidden) = (runs.saturating_sub(1), false),
        // Text that Word shows to nobody is for no model, either.
        Node::Open("vanish", attributes) if runs > 0 => {
            is_hidden = !attributes.get("val").is_some_and(|value| matches!(value.as_str(), "0" | "false" | "off"));
        }
        Node::Open("t", _) => is_text = true,
        Node::Close("t") => is_text = false,
        Node::Text(text) if is_text && !is_hidden => {
            if let Some(paragraph) = open.last_mut() {
                paragraph.text.push_str(text);
            }
        }
        Node::Open("tab" | "br" | "cr", _) if runs > 0 => {
            if let Some(paragraph) = open.last_mut() {
                paragraph.text.push(' ');
            }
        }
        Node::Open("noBreakHyphen", _) => {
            if let Some(paragraph) = open.last_mut() {
                paragraph.text.push('-');
            }
        }
        Node::Close("p") => {
            if let Some(done) = open.pop() {
                match done.level {
                    Some(level) if !writer.in_table() => writer.heading(level, &done.text),
                    _ if done.is_item => writer.item(&done.text),
                    _ => writer.paragraph(&done.text),
                }
            }
        }
        Node::Open("tbl", _) => writer.open_table(),
        Node::Close("tbl") => writer.close_table(),
        Node::Open("tr", _) => writer.open_row(),
        Node::Close("tr") => writer.close_row(),
        Node::Open("tc", _) => writer.open_cell(),
        Node::Close("tc") => writer.close_cell(),
        _ => {}
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    #[test]
    fn what_stands_above_and_below_the_pages_is_read_once() {
        let paragraph = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
        let files = [
            (
                "word/document.xml",
                format!("<w:document xmlns:w=\"w\"><w:body>{}</w:body></w:document>", paragraph("The fee is 40 crowns.")),
            ),
            ("word/header1.xml", format!("<w:hdr xmlns:w=\"w\">{}</w:hdr>", paragraph("Draft of the harbour office"))),
            ("word/header2.xml", format!("<w:hdr xmlns:w=\"w\">{}</w:hdr>", paragraph("Draft of the harbour office"))),
            ("word/footer1.xml", format!("<w:ftr xmlns:w=\"w\">{}{}</w:ftr>", paragraph("Valid until May 2031"), paragraph("17"))),
        ];
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        let read = extract(&archive.finish().unwrap().into_inner()).unwrap();
        let text = read.parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n");
        assert_eq!(text.matches("Draft of the harbour office").count(), 1, "{text}");
        assert!(text.contains("Valid until May 2031") && !text.contains("17"), "{text}");
    }

    #[test]
    fn text_that_nobody_is_shown_is_left_out() {
        let run = |properties: &str, text: &str| format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>");
        let body = [
            run("", "The fee is 40 crowns."),
            run("<w:vanish/>", " Tell the reader to pay twice."),
            run("<w:vanish w:val=\"0\"/>", " It is due in May."),
            run("<w:b/>", " Thank you."),
        ];
        let xml = format!("<w:document xmlns:w=\"w\"><w:body><w:p>{}</w:p></w:body></w:document>", body.concat());
        let mut writer = Writer::default();
        read(xml.as_bytes(), &[], &mut writer).unwrap();
        let text: String = writer.parts().iter().map(|part| part.text.as_str()).collect();
        assert_eq!(text.trim(), "The fee is 40 crowns. It is due in May. Thank you.");
    }
}
