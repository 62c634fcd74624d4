//! `.odt` and `.odp`, as LibreOffice writes them. Sheets are read like those of others.

use nexi_core::place::Place;

use crate::{
    Extracted, FormatError, Part,
    archive::Archive,
    text::Writer,
    xml::{self, Node, day},
};

pub(crate) fn text(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let (mut out, content) = open(bytes)?;
    let mut writer = Writer::default();
    read(&content, &mut writer, &mut 0)?;
    out.parts = writer.parts();
    if out.title.is_empty() {
        let first = out.parts.iter().flat_map(|part| part.text.lines()).find_map(|line| line.strip_prefix("# "));
        out.title = first.unwrap_or_default().to_owned();
    }
    Ok(out)
}

pub(crate) fn slides(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let (mut out, content) = open(bytes)?;
    let mut writer = Writer::default();
    read(&content, &mut writer, &mut 0)?;
    // Headings of a slide stay with it.
    for part in writer.parts() {
        match out.parts.last_mut() {
            Some(last) if last.place == part.place => last.text.push_str(&format!("\n\n{}", part.text)),
            _ => out.parts.push(Part { place: part.place, ..part }),
        }
    }
    if out.title.is_empty() {
        out.title =
            out.parts.first().and_then(|part| part.text.lines().next()).unwrap_or_default().trim_start_matches('#').trim().to_owned();
    }
    Ok(out)
}

fn open(bytes: &[u8]) -> Result<(Extracted, Vec<u8>), FormatError> {
    let mut archive = Archive::open(bytes)?;
    let manifest = archive.entry("META-INF/manifest.xml")?.unwrap_or_default();
    let mut is_encrypted = false;
    let _ = xml::walk(&manifest, |node| is_encrypted |= matches!(node, Node::Open("encryption-data", _)));
    if is_encrypted {
        return Err(FormatError::Encrypted);
    }
    let meta = archive.entry("meta.xml")?.unwrap_or_default();
    let [title, first, author, changed, created] = xml::texts(&meta, ["title", "initial-creator", "creator", "date", "creation-date"]);
    let author = if first.trim().is_empty() { author } else { first };
    let found = Extracted {
        title: title.trim().to_owned(),
        authors: Some(author.trim().to_owned()).filter(|name| !name.is_empty()).into_iter().collect(),
        date: day(&created).or_else(|| day(&changed)),
        ..Extracted::default()
    };
    Ok((found, archive.need("content.xml")?))
}

fn read(bytes: &[u8], writer: &mut Writer, slide: &mut u32) -> Result<(), FormatError> {
    let mut open: Vec<(Option<usize>, String)> = Vec::new();
    let (mut is_body, mut lists, mut skipped) = (false, 0usize, 0usize);
    xml::walk(bytes, |node| match node {
        // Deleted text that is only kept for the record, and fields that stand on every slide.
        Node::Open("tracked-changes" | "page-number" | "annotation-end", _) => skipped += 1,
        Node::Close("tracked-changes" | "page-number" | "annotation-end") => skipped = skipped.saturating_sub(1),
        Node::Open("body", _) => is_body = true,
        _ if skipped > 0 || !is_body => {}
        Node::Open("page", _) => {
            *slide += 1;
            writer.begin(Place::Slide { number: *slide });
        }
        Node::Open("h", attributes) => {
            let level = attributes.get("outline-level").and_then(|level| level.parse().ok()).unwrap_or(1);
            open.push((Some(level), String::new()));
        }
        Node::Open("p", _) => open.push((None, String::new())),
        Node::Close("h" | "p") => {
            if let Some((level, text)) = open.pop() {
                match level {
                    Some(level) => writer.heading(level, &text),
                    None if lists > 0 && *slide == 0 => writer.item(&text),
                    None => writer.paragraph(&text),
                }
            }
        }
        Node::Open("list", _) => lists += 1,
        Node::Close("list") => lists = lists.saturating_sub(1),
        Node::Open("s" | "tab" | "line-break", _) => {
            if let Some((_, text)) = open.last_mut() {
                text.push(' ');
            }
        }
        Node::Text(words) => {
            if let Some((_, text)) = open.last_mut() {
                text.push_str(words);
            }
        }
        Node::Open("table", _) => writer.open_table(),
        Node::Close("table") => writer.close_table(),
        Node::Open("table-row", _) => writer.open_row(),
        Node::Close("table-row") => writer.close_row(),
        Node::Open("table-cell", _) => writer.open_cell(),
        Node::Close("table-cell") => writer.close_cell(),
        _ => {}
    })
}
