//! What an Excel workbook says of its cells besides their values: comments, and which numbers are shown as percentages.

use std::collections::{HashMap, HashSet};

use nexi_core::text::{fold_space, truncate};

use crate::{
    archive::{Archive, relations, resolve},
    xml::{self, Node},
};

/// Comments that are kept of one sheet.
const MAX_COMMENTS: usize = 2000;
/// Bytes that are kept of a comment.
const MAX_COMMENT: usize = 2000;
/// Files with comments that are read for one sheet.
const MAX_FILES: usize = 4;
/// Cells shown as percentages that are kept of one sheet.
const MAX_PERCENTAGES: usize = 500_000;
/// The formats `0%` and `0.00%`, which every workbook has.
const PERCENT_FORMATS: [u32; 2] = [9, 10];

/// What a sheet says of its cells.
#[derive(Debug, Default)]
pub(super) struct SheetAnnotations {
    /// Comments by their row, from 0, each with the name of its cell.
    pub comments: HashMap<u32, Vec<String>>,
    /// Rows and columns, from 0, of the numbers that are shown as percentages.
    pub percentages: HashSet<(u32, u32)>,
}

/// What a workbook says of its cells, read sheet by sheet. What cannot be read is left out: the values are there.
pub(super) struct Annotations<'a> {
    archive: Archive<'a>,
    /// The entry of each sheet, by its name.
    files: HashMap<String, String>,
    /// The styles of numbers that are shown as percentages.
    styles: HashSet<u32>,
}

impl<'a> Annotations<'a> {
    pub(super) fn new(mut archive: Archive<'a>) -> Self {
        let mut sheets = Vec::new();
        let _ = xml::walk(&entry(&mut archive, "xl/workbook.xml"), |node| {
            if let Node::Open("sheet", attributes) = node {
                sheets.extend(attributes.get("name").zip(attributes.get("id")));
            }
        });
        let targets: HashMap<String, String> = relations(&entry(&mut archive, "xl/_rels/workbook.xml.rels")).into_iter().collect();
        let files = sheets.into_iter().filter_map(|(name, id)| Some((name, resolve("xl", targets.get(&id)?)))).collect();
        let styles = percent_styles(&entry(&mut archive, "xl/styles.xml"));
        Self { archive, files, styles }
    }

    /// Of the sheet with this name.
    pub(super) fn of(&mut self, name: &str) -> SheetAnnotations {
        let mut out = SheetAnnotations::default();
        let Some(file) = self.files.get(name) else { return out };
        let (folder, entry_name) = file.rsplit_once('/').unwrap_or(("", file));
        if !self.styles.is_empty() {
            out.percentages = percentages(&entry(&mut self.archive, file), &self.styles);
        }
        let mut related = relations(&entry(&mut self.archive, &format!("{folder}/_rels/{entry_name}.rels")));
        // A conversation is kept as a comment, too, with a note for older programs; the conversation comes first.
        related.retain(|(_, target)| target.to_lowercase().contains("comment") && target.ends_with(".xml"));
        related.sort_by_key(|(_, target)| !target.contains("threaded"));
        let mut comments = Vec::new();
        for (_, target) in related.into_iter().take(MAX_FILES) {
            add_comments(&entry(&mut self.archive, &resolve(folder, &target)), &mut comments);
        }
        for (cell, said) in comments {
            let Some((row, _)) = place_of(&cell) else { continue };
            out.comments.entry(row).or_default().push(format!("comment on {cell}: {said}"));
        }
        out
    }
}

fn entry(archive: &mut Archive<'_>, name: &str) -> Vec<u8> {
    archive.entry(name).ok().flatten().unwrap_or_default()
}

/// The comments of a file with the cell they belong to, such as `B2`, in its order, except for cells that
/// already have one from another file.
fn add_comments(bytes: &[u8], out: &mut Vec<(String, String)>) {
    let known: HashSet<String> = out.iter().map(|(cell, _)| cell.clone()).collect();
    let mut current: Option<(String, String)> = None;
    let mut is_text = false;
    let _ = xml::walk(bytes, |node| match node {
        Node::Open("comment" | "threadedComment", attributes) => current = attributes.get("ref").map(|cell| (cell, String::new())),
        Node::Open("t" | "text", _) => is_text = true,
        Node::Close("t" | "text") => is_text = false,
        Node::Text(text) if is_text => {
            if let Some((_, said)) = current.as_mut().filter(|(_, said)| said.len() < MAX_COMMENT) {
                said.push_str(text);
            }
        }
        Node::Close("comment" | "threadedComment") => {
            let Some((cell, said)) = current.take() else { return };
            let said = truncate(&fold_space(&said), MAX_COMMENT);
            if !said.is_empty() && out.len() < MAX_COMMENTS && !known.contains(&cell) {
                out.push((cell, said));
            }
        }
        _ => {}
    });
}

/// The styles of cells whose numbers are shown as percentages, by their place.
fn percent_styles(bytes: &[u8]) -> HashSet<u32> {
    let number = |text: Option<String>| text.and_then(|text| text.parse::<u32>().ok());
    let mut formats: HashSet<u32> = PERCENT_FORMATS.into();
    let (mut styles, mut at, mut is_cell) = (HashSet::new(), 0, false);
    let _ = xml::walk(bytes, |node| match node {
        Node::Open("numFmt", attributes) => {
            let code = attributes.get("formatCode").unwrap_or_default();
            if multiplies(&code) {
                formats.extend(number(attributes.get("numFmtId")));
            }
        }
        Node::Open("cellXfs", _) => is_cell = true,
        Node::Close("cellXfs") => is_cell = false,
        Node::Open("xf", attributes) if is_cell => {
            if number(attributes.get("numFmtId")).is_some_and(|format| formats.contains(&format)) {
                styles.insert(at);
            }
            at += 1;
        }
        _ => {}
    });
    styles
}

/// Whether a format shows numbers as percentages. A sign in quotation marks, or behind one of the characters that say how the
/// next one is shown, multiplies nothing.
fn multiplies(code: &str) -> bool {
    let mut quoted = false;
    let mut letters = code.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => quoted = !quoted,
            '\\' | '_' | '*' if !quoted => drop(letters.next()),
            '%' if !quoted => return true,
            _ => {}
        }
    }
    false
}

fn percentages(sheet: &[u8], styles: &HashSet<u32>) -> HashSet<(u32, u32)> {
    let mut out = HashSet::new();
    let _ = xml::walk(sheet, |node| {
        if let Node::Open("c", attributes) = node
            && let Some(style) = attributes.get("s").and_then(|style| style.parse().ok())
            && styles.contains(&style)
            && out.len() < MAX_PERCENTAGES
        {
            out.extend(attributes.get("r").and_then(|cell| place_of(&cell)));
        }
    });
    out
}

/// Row and column of `B2`, from 0.
fn place_of(cell: &str) -> Option<(u32, u32)> {
    let letters = cell.bytes().take_while(u8::is_ascii_uppercase).count();
    let column =
        cell.get(..letters)?.bytes().try_fold(0u32, |sum, letter| sum.checked_mul(26)?.checked_add(u32::from(letter - b'A') + 1))?;
    Some((cell.get(letters..)?.parse::<u32>().ok()?.checked_sub(1)?, column.checked_sub(1)?))
}

/// A share as a percentage, without the digits that only binary numbers have.
pub(super) fn percentage(share: f64) -> String {
    format!("{}%", (share * 100.0 * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_places() {
        assert_eq!((place_of("A1"), place_of("B2"), place_of("AA10")), (Some((0, 0)), Some((1, 1)), Some((9, 26))));
        assert_eq!((place_of("A0"), place_of("7"), place_of("")), (None, None, None));
    }

    #[test]
    fn percentages_have_no_digits_of_their_own() {
        assert_eq!((percentage(0.07), percentage(0.195), percentage(-1.2)), ("7%".into(), "19.5%".into(), "-120%".into()));
    }

    #[test]
    fn a_percent_sign_may_be_only_shown() {
        assert!(["0%", "0.00%", "[Red]0%;-0%", r#""about "0%"#].iter().all(|code| multiplies(code)));
        assert!([r"0\%", "#,##0_%_);(#,##0)_%", r#"0"%""#, "0*%", "0.00", r#"0\""%""#].iter().all(|code| !multiplies(code)));
    }

    #[test]
    fn only_formats_that_multiply_are_percentages() {
        let styles = br#"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0%"/><numFmt numFmtId="165" formatCode="0&quot;%&quot;"/></numFmts>
            <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
            <cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>"#;
        assert_eq!(percent_styles(styles), HashSet::from([1, 2]));
    }

    #[test]
    fn a_conversation_takes_the_place_of_its_note() {
        let mut comments = Vec::new();
        add_comments(
            br#"<ThreadedComments><threadedComment ref="B2"><text>Ask Olaf.</text></threadedComment></ThreadedComments>"#,
            &mut comments,
        );
        add_comments(
            br#"<comments><commentList><comment ref="B2"><text><t>[Threaded comment] Your version&#10;Ask Olaf.</t></text></comment>
            <comment ref="C3"><text><r><t>Maja:</t></r><r><t xml:space="preserve">
 not yet paid</t></r></text></comment></commentList></comments>"#,
            &mut comments,
        );
        assert_eq!(comments, [("B2".to_owned(), "Ask Olaf.".to_owned()), ("C3".to_owned(), "Maja: not yet paid".to_owned())]);
    }
}
