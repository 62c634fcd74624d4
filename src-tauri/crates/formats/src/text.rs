//! Headings, paragraphs, lists and tables as Markdown, section by section.

use nexi_core::{place::Place, text::fold_space};

use crate::Part;

/// Tables within tables that are kept apart; deeper ones become words of their cell.
const MAX_TABLES: usize = 4;

/// Writes the text of a document. Each heading begins a part, whose place is the section.
#[derive(Default)]
pub(crate) struct Writer {
    done: Vec<Part>,
    section: Option<Place>,
    text: String,
    tables: Vec<Table>,
    was_item: bool,
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cell: String,
}

impl Writer {
    pub(crate) fn is_empty(&self) -> bool {
        self.done.is_empty() && self.text.trim().is_empty()
    }

    pub(crate) fn in_table(&self) -> bool {
        !self.tables.is_empty()
    }

    pub(crate) fn heading(&mut self, level: usize, text: &str) {
        let text = fold_space(text);
        if text.is_empty() {
            return;
        }
        if self.in_table() {
            self.paragraph(&text);
            return;
        }
        self.end_part();
        self.text = format!("{} {text}", "#".repeat(level.clamp(1, 6)));
        self.section = Some(Place::Section { name: nexi_core::text::truncate(&text, 120) });
    }

    pub(crate) fn paragraph(&mut self, text: &str) {
        self.block(text, false);
    }

    pub(crate) fn item(&mut self, text: &str) {
        self.block(text, true);
    }

    fn block(&mut self, text: &str, is_item: bool) {
        let text = fold_space(text);
        // Bullets that are letters, those of symbol fonts among them.
        let bare = text.trim_start_matches(['•', '◦', '▪', '‣', '\u{f0b7}', '\u{f0a7}', '\u{f0d8}']).trim_start();
        let (text, is_item) = (bare, is_item || bare.len() < text.len());
        if text.is_empty() {
            return;
        }
        if let Some(table) = self.tables.last_mut() {
            if !table.cell.is_empty() {
                table.cell.push(' ');
            }
            table.cell.push_str(text);
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(if is_item && self.was_item { "\n" } else { "\n\n" });
        }
        self.was_item = is_item;
        if is_item {
            self.text.push_str("- ");
        }
        self.text.push_str(text);
    }

    pub(crate) fn open_table(&mut self) {
        if self.tables.len() < MAX_TABLES {
            self.tables.push(Table::default());
        }
    }

    pub(crate) fn open_row(&mut self) {
        if let Some(table) = self.tables.last_mut() {
            table.row.clear();
        }
    }

    pub(crate) fn open_cell(&mut self) {
        if let Some(table) = self.tables.last_mut() {
            table.cell.clear();
        }
    }

    pub(crate) fn close_cell(&mut self) {
        if let Some(table) = self.tables.last_mut() {
            let cell = std::mem::take(&mut table.cell);
            table.row.push(cell);
        }
    }

    pub(crate) fn close_row(&mut self) {
        if let Some(table) = self.tables.last_mut() {
            let row = std::mem::take(&mut table.row);
            if row.iter().any(|cell| !cell.is_empty()) {
                table.rows.push(row);
            }
        }
    }

    pub(crate) fn close_table(&mut self) {
        let Some(table) = self.tables.pop() else { return };
        if let Some(outer) = self.tables.last_mut() {
            for row in table.rows {
                outer.cell.push_str(&format!(" {}", row.join(", ")));
            }
            return;
        }
        let width = table.rows.iter().map(Vec::len).max().unwrap_or_default();
        if width == 0 {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.was_item = false;
        for (index, row) in table.rows.iter().enumerate() {
            let cells: Vec<String> = (0..width).map(|at| row.get(at).map(|cell| cell.replace('|', "\\|")).unwrap_or_default()).collect();
            self.text.push_str(&format!("| {} |\n", cells.join(" | ")));
            if index == 0 {
                self.text.push_str(&format!("|{}\n", " --- |".repeat(width)));
            }
        }
        self.text.truncate(self.text.trim_end().len());
    }

    /// Begins a part with this place.
    pub(crate) fn begin(&mut self, place: Place) {
        self.end_part();
        self.section = Some(place);
    }

    /// Adds the parts of another.
    pub(crate) fn append(&mut self, other: Writer) {
        let mut parts = other.parts().into_iter();
        // What has no place belongs to the heading it was put under.
        if let Some(first) = parts.next() {
            if first.place.is_none() {
                for paragraph in first.text.split("\n\n") {
                    self.text.push_str(&format!("\n\n{paragraph}"));
                }
            } else {
                self.end_part();
                self.done.push(first);
            }
        }
        let rest: Vec<Part> = parts.collect();
        if !rest.is_empty() {
            self.end_part();
            self.done.extend(rest);
        }
    }

    fn end_part(&mut self) {
        while self.in_table() {
            self.close_table();
        }
        let text = std::mem::take(&mut self.text);
        if !text.trim().is_empty() {
            self.done.push(Part::new(self.section.clone(), text));
        }
        self.was_item = false;
    }

    pub(crate) fn parts(mut self) -> Vec<Part> {
        self.end_part();
        self.done
    }
}

/// Gives every paragraph of a text without headings its number, so that a citation can name it.
pub(crate) fn number_paragraphs(parts: &mut Vec<Part>) {
    if parts.iter().any(|part| part.place.is_some() || part.html) {
        return;
    }
    let texts: Vec<String> = std::mem::take(parts).into_iter().map(|part| part.text).collect();
    let paragraphs = texts.iter().flat_map(|text| text.split("\n\n")).filter(|paragraph| !paragraph.trim().is_empty());
    *parts = (1..).zip(paragraphs).map(|(number, paragraph)| Part::new(Place::Paragraph { number }, paragraph)).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_of_a_text_without_headings_have_numbers() {
        let mut writer = Writer::default();
        writer.paragraph("One.");
        writer.item("a");
        writer.item("b");
        writer.paragraph("Two.");
        let mut parts = writer.parts();
        number_paragraphs(&mut parts);
        let found: Vec<_> = parts.iter().map(|part| (part.place.clone().unwrap().to_string(), part.text.as_str())).collect();
        assert_eq!(found, [("paragraph 1".into(), "One."), ("paragraph 2".into(), "- a\n- b"), ("paragraph 3".into(), "Two.")]);
        let mut headed = Writer::default();
        headed.paragraph("Before.");
        headed.heading(1, "Fees");
        let mut parts = headed.parts();
        number_paragraphs(&mut parts);
        assert_eq!(parts[0].place, None);
    }
}
