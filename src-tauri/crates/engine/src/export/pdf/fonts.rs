//! Fonts of a PDF with only the letters that its pages use.

use std::collections::{BTreeMap, BTreeSet};

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream};
use subsetter::GlyphRemapper;

/// Drawings within drawings that are followed.
const MAX_DEPTH: usize = 8;

/// Glyphs that are used, by the font that they are of.
type Used = BTreeMap<ObjectId, BTreeSet<u16>>;

/// Makes the fonts of a document smaller; one that is of another kind than WebKit's, or cannot be read, stays as it is.
pub(super) fn shrink(document: &mut Document) {
    let mut used = Used::new();
    for page in document.get_pages().into_values() {
        let resources = resources_of(document, page);
        let Ok(content) = document.get_page_content(page) else { return };
        if !collect(document, &content, &resources, &mut used, 0) {
            return;
        }
    }
    // Several fonts of a document may share one file.
    let mut files: BTreeMap<ObjectId, (BTreeSet<u16>, BTreeSet<ObjectId>)> = BTreeMap::new();
    for (font, glyphs) in &used {
        if let Some((descendant, file)) = embedded(document, *font) {
            let (all, descendants) = files.entry(file).or_default();
            all.extend(glyphs);
            descendants.insert(descendant);
        }
    }
    for (file, (glyphs, descendants)) in files {
        // Whether something else leads to the file, whose letters are not known here.
        let others = leading_to(document, file).into_iter().any(|descendant| !descendants.contains(&descendant));
        if !others && let Some((data, map)) = subset(document, file, &glyphs) {
            let length = i64::try_from(data.len()).unwrap_or_default();
            let mut stream = Stream::new(Dictionary::new(), data);
            stream.dict.set("Length1", length);
            document.objects.insert(file, Object::Stream(stream));
            let map = document.add_object(Stream::new(Dictionary::new(), map));
            for descendant in descendants {
                if let Ok(font) = document.get_dictionary_mut(descendant) {
                    font.set("CIDToGIDMap", Object::Reference(map));
                }
            }
        }
    }
}

fn resources_of(document: &Document, page: ObjectId) -> Dictionary {
    let page = document.get_dictionary(page).ok();
    let resources = page.and_then(|page| page.get_deref(b"Resources", document).ok()).and_then(|resources| resources.as_dict().ok());
    resources.cloned().unwrap_or_default()
}

/// Notes the glyphs that a content draws; false where it cannot be understood.
fn collect(document: &Document, content: &[u8], resources: &Dictionary, used: &mut Used, depth: usize) -> bool {
    let Ok(content) = Content::decode(content) else { return false };
    let fonts = resources.get_deref(b"Font", document).and_then(Object::as_dict).ok();
    let drawings = resources.get_deref(b"XObject", document).and_then(Object::as_dict).ok();
    let mut font: Option<ObjectId> = None;
    for operation in &content.operations {
        match operation.operator.as_str() {
            "Tf" => {
                let name = operation.operands.first().and_then(|name| name.as_name().ok());
                font = name.and_then(|name| fonts?.get(name).ok()?.as_reference().ok());
            }
            "Tj" | "'" | "\"" | "TJ" => {
                let Some(font) = font else { return false };
                let glyphs = used.entry(font).or_default();
                for operand in &operation.operands {
                    let strings = match operand {
                        Object::Array(parts) => parts.as_slice(),
                        one => std::slice::from_ref(one),
                    };
                    for string in strings.iter().filter_map(|part| part.as_str().ok()) {
                        glyphs.extend(string.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])));
                    }
                }
            }
            "Do" => {
                let name = operation.operands.first().and_then(|name| name.as_name().ok());
                let drawing = name.and_then(|name| drawings?.get_deref(name, document).ok()?.as_stream().ok());
                let Some(drawing) =
                    drawing.filter(|drawing| drawing.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Form"))
                else {
                    continue;
                };
                let inner = drawing.dict.get_deref(b"Resources", document).and_then(Object::as_dict).ok();
                let content = drawing.decompressed_content().unwrap_or_else(|_| drawing.content.clone());
                if depth >= MAX_DEPTH || !collect(document, &content, inner.unwrap_or(resources), used, depth + 1) {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

/// The part of a font that has the letters, and its file, where letters are named by the numbers of their glyphs.
fn embedded(document: &Document, font: ObjectId) -> Option<(ObjectId, ObjectId)> {
    let font = document.get_dictionary(font).ok()?;
    let is =
        |dictionary: &Dictionary, key: &[u8], value: &[u8]| dictionary.get(key).and_then(Object::as_name).is_ok_and(|name| name == value);
    if !is(font, b"Subtype", b"Type0") || !is(font, b"Encoding", b"Identity-H") {
        return None;
    }
    let descendant = font.get_deref(b"DescendantFonts", document).ok()?.as_array().ok()?.first()?.as_reference().ok()?;
    let inner = document.get_dictionary(descendant).ok()?;
    if !is(inner, b"Subtype", b"CIDFontType2")
        || inner.get(b"CIDToGIDMap").is_ok_and(|map| map.as_name().is_ok_and(|name| name != b"Identity") || map.as_reference().is_ok())
    {
        return None;
    }
    Some((descendant, file_of(document, inner)?))
}

fn file_of(document: &Document, font: &Dictionary) -> Option<ObjectId> {
    let descriptor = font.get_deref(b"FontDescriptor", document).ok()?.as_dict().ok()?;
    descriptor.get(b"FontFile2").ok()?.as_reference().ok()
}

/// Every font whose letters are in this file.
fn leading_to(document: &Document, file: ObjectId) -> Vec<ObjectId> {
    let leads = |object: &Object| object.as_dict().is_ok_and(|font| file_of(document, font) == Some(file));
    document.objects.iter().filter(|(_, object)| leads(object)).map(|(id, _)| *id).collect()
}

/// The font with these glyphs alone, and for each glyph of before the one of now.
fn subset(document: &Document, file: ObjectId, glyphs: &BTreeSet<u16>) -> Option<(Vec<u8>, Vec<u8>)> {
    let stream = document.get_object(file).ok()?.as_stream().ok()?;
    let data = stream.decompressed_content().ok()?;
    let mut remapper = GlyphRemapper::new();
    let mut map = vec![0_u8; 2 * (usize::from(*glyphs.last()?) + 1)];
    for glyph in glyphs {
        let at = 2 * usize::from(*glyph);
        map[at..at + 2].copy_from_slice(&remapper.remap(*glyph).to_be_bytes());
    }
    let smaller = subsetter::subset(&data, 0, &remapper).ok()?;
    (smaller.len() < data.len()).then_some((smaller, map))
}
