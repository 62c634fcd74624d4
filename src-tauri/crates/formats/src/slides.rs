//! `.pptx`: the text of every slide with its notes.

use nexi_core::place::Place;

use crate::{
    Extracted, FormatError, Part,
    archive::{Archive, relations, resolve},
    text::Writer,
    word::properties,
    xml::{self, Node},
};

/// Slides that are read.
const MAX_SLIDES: usize = 2000;

pub(crate) fn extract(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let mut archive = Archive::open(bytes)?;
    let mut out = properties(&mut archive)?;
    let presentation = archive.need("ppt/presentation.xml")?;
    let links = archive.entry("ppt/_rels/presentation.xml.rels")?.unwrap_or_default();
    // The order of the slides is that of the presentation, and not that of their names.
    let mut order = Vec::new();
    xml::walk(&presentation, |node| {
        if let Node::Open("sldId", attributes) = node {
            // One attribute is the slide's own id, the other one the relation's, which is not a number.
            order.extend(attributes.get_not_number("id"));
        }
    })?;
    let known = relations(&links);
    let files = order.iter().filter_map(|id| known.iter().find(|(known, _)| known == id).map(|(_, target)| resolve("ppt", target)));
    for (index, file) in files.take(MAX_SLIDES).enumerate().collect::<Vec<_>>() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let Some(slide) = archive.entry(&file)? else { continue };
        let mut writer = Writer::default();
        read(&slide, &mut writer)?;
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", &file));
        let own = archive.entry(&format!("{folder}/_rels/{name}.rels"))?.unwrap_or_default();
        for (_, target) in relations(&own) {
            if target.contains("notesSlide")
                && let Some(notes) = archive.entry(&resolve(folder, &target))?
            {
                let mut noted = Writer::default();
                read(&notes, &mut noted)?;
                writer.append(noted);
            }
        }
        let text = writer.parts().into_iter().map(|part| part.text).collect::<Vec<_>>().join("\n\n");
        out.parts.push(Part::new(Place::Slide { number }, text));
    }
    if out.title.is_empty() {
        let first = out.parts.first().and_then(|part| part.text.lines().next()).unwrap_or_default();
        out.title = first.trim_start_matches('#').trim().to_owned();
    }
    Ok(out)
}

fn read(bytes: &[u8], writer: &mut Writer) -> Result<(), FormatError> {
    let (mut is_title, mut is_text, mut is_skipped) = (false, false, false);
    let mut paragraph = String::new();
    xml::walk(bytes, |node| match node {
        Node::Open("sp", _) => (is_title, is_skipped) = (false, false),
        Node::Open("ph", attributes) => {
            let kind = attributes.get("type").unwrap_or_default();
            is_title = matches!(kind.as_str(), "title" | "ctrTitle");
            // Numbers and dates that stand on every slide.
            is_skipped = matches!(kind.as_str(), "sldNum" | "dt" | "ftr" | "sldImg" | "hdr");
        }
        Node::Open("t", _) => is_text = true,
        Node::Close("t") => is_text = false,
        Node::Text(text) if is_text => paragraph.push_str(text),
        Node::Open("br", _) => paragraph.push(' '),
        Node::Close("p") => {
            let text = std::mem::take(&mut paragraph);
            if is_skipped {
                return;
            }
            if is_title && !writer.in_table() { writer.heading(1, &text) } else { writer.paragraph(&text) }
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
