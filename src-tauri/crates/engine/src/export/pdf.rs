//! What WebKit leaves out of a PDF: numbers at the foot of the pages, and fonts with only the letters that are used.

mod fonts;

use std::path::Path;

use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

/// What the font of the numbers is called within a page.
const FONT: &str = "NexiNumbers";
/// In points.
const SIZE: f32 = 9.0;
/// From the lower edge of the page, in points.
const HEIGHT: f32 = 26.0;
/// How wide a letter is, as a share of its size, more or less.
const LETTER: f32 = 0.5;

/// Numbers the pages of a file (`2 / 3` at the bottom of each) and removes the glyphs its text does not use from its
/// fonts. A single page gets no number.
///
/// # Errors
/// When the file is no PDF, or cannot be written; it is as it was then.
pub fn finish_pdf(path: &Path) -> Result<(), lopdf::Error> {
    let mut document = Document::load(path)?;
    fonts::shrink(&mut document);
    number(&mut document)?;
    document.prune_objects();
    document.compress();
    let mut bytes = Vec::new();
    document.save_to(&mut bytes)?;
    nexi_store::files::write_atomically(path, &bytes, true).map_err(lopdf::Error::IO)
}

fn number(document: &mut Document) -> Result<(), lopdf::Error> {
    let pages = document.get_pages();
    let count = pages.len();
    if count < 2 {
        return Ok(());
    }
    let font = document.add_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" });
    for (number, page) in pages {
        let text = format!("{number} / {count}");
        let left = (width(document, page) - text.len() as f32 * SIZE * LETTER) / 2.0;
        let before = document.get_page_content(page)?;
        // What the page does to its ground must not move the number.
        let foot = format!("\nQ\nBT /{FONT} {SIZE} Tf 0.4 g 1 0 0 1 {left:.1} {HEIGHT} Tm ({text}) Tj ET\n");
        let content = [b"q\n".as_slice(), &before, foot.as_bytes()].concat();
        document.change_page_content(page, content)?;
        add_font(document, page, font)?;
    }
    Ok(())
}

/// The width of a page in points; of A4 where it does not say.
fn width(document: &Document, page: ObjectId) -> f32 {
    let page = document.get_dictionary(page).ok();
    let edges = page.and_then(|page| page.get_deref(b"MediaBox", document).ok()).and_then(|edges| edges.as_array().ok());
    let edge = |at: usize| edges.and_then(|edges| edges.get(at)).and_then(|edge| edge.as_float().ok());
    edge(2).zip(edge(0)).map_or(595.0, |(right, left)| right - left)
}

/// Makes the font known to a page.
fn add_font(document: &mut Document, page: ObjectId, font: ObjectId) -> Result<(), lopdf::Error> {
    let resources = document.get_or_create_resources(page)?.as_dict()?.clone();
    let mut fonts = match resources.get(b"Font") {
        Ok(fonts) => document.dereference(fonts)?.1.as_dict()?.clone(),
        Err(_) => Dictionary::new(),
    };
    fonts.set(FONT, Object::Reference(font));
    document.get_or_create_resources(page)?.as_dict_mut()?.set("Font", Object::Dictionary(fonts));
    Ok(())
}
