//! Tables of data; those that only lay a page out are written as what they hold.

use nexi_core::text;

use super::{MAX_LINKS, MAX_OUTPUT, Writer};
use crate::page::dom::{Attribute, Id};
use crate::page::tag::Tag;

/// Cells with more than this hold layout and no data.
const MAX_CELL: usize = 600;
/// Rows and columns that a cell may span.
const MAX_SPAN: usize = 200;
/// Columns of a table that are shown.
const MAX_COLUMNS: usize = 200;

impl Writer<'_> {
    fn rows(&self, id: Id) -> Vec<Vec<Id>> {
        let mut rows = Vec::new();
        let mut inside = id + 1;
        while inside < self.dom.end(id) {
            match self.dom.tag(inside) {
                Some(Tag::Tr) => {
                    let cells: Vec<Id> = self
                        .dom
                        .children(inside)
                        .filter(|cell| matches!(self.dom.tag(*cell), Some(Tag::Td | Tag::Th)) && !self.content.dropped[*cell])
                        .collect();
                    if !self.content.dropped[inside] && !cells.is_empty() {
                        rows.push(cells);
                    }
                    inside = self.dom.end(inside);
                }
                Some(Tag::Table) => inside = self.dom.end(inside),
                _ => inside += 1,
            }
        }
        rows
    }

    /// The rows of a table that holds data and not the layout of a page.
    pub(super) fn data_rows(&self, id: Id) -> Option<Vec<Vec<Id>>> {
        let rows = self.rows(id);
        let is_wide = rows.iter().any(|row| row.len() >= 2);
        let nests = |inside| matches!(self.dom.tag(inside), Some(Tag::Table | Tag::Pre | Tag::H1 | Tag::H2));
        let bytes = |cell: &Id| (*cell..self.dom.end(*cell)).map(|inside| self.dom.text(inside).len()).sum::<usize>();
        let is_data = is_wide && !(id + 1..self.dom.end(id)).any(nests) && rows.iter().flatten().all(|cell| bytes(cell) <= MAX_CELL);
        is_data.then_some(rows)
    }

    pub(super) fn table(&mut self, id: Id, rows: Vec<Vec<Id>>) {
        let dom = self.dom;
        for caption in dom.children(id).filter(|child| dom.is(*child, Tag::Caption)) {
            self.node(caption);
        }
        self.end_block();
        let span = |cell: Id, name| dom.attribute(cell, name).and_then(|value| value.trim().parse().ok()).unwrap_or(1).clamp(1, MAX_SPAN);
        let width = |row: &Vec<Id>| row.iter().map(|cell| span(*cell, Attribute::Colspan)).sum::<usize>();
        let columns = rows.iter().map(width).max().unwrap_or(0).min(MAX_COLUMNS);
        let mut lines: Vec<String> = Vec::new();
        // What spans several rows or columns stands in each of them.
        let mut bytes = 0;
        let mut below: Vec<(usize, String)> = vec![(0, String::new()); columns];
        for row in rows {
            let mut texts: Vec<String> = Vec::with_capacity(columns);
            let mut cells = row.into_iter();
            while texts.len() < columns {
                let column = texts.len();
                if below[column].0 > 0 {
                    below[column].0 -= 1;
                    texts.push(below[column].1.clone());
                    continue;
                }
                let Some(cell) = cells.next() else { break };
                let (wide, high) = (span(cell, Attribute::Colspan), span(cell, Attribute::Rowspan));
                let text = self.cell(cell);
                let end = (column + wide).min(columns);
                for place in &mut below[column..end] {
                    *place = (high - 1, text.clone());
                    texts.push(text.clone());
                }
            }
            let said = texts.iter().any(|text| !text.is_empty());
            texts.resize(columns, String::new());
            if said {
                let line = format!("| {} |", texts.join(" | "));
                bytes += line.len();
                lines.push(line);
            }
            if self.out.len() + bytes > MAX_OUTPUT {
                break;
            }
        }
        if lines.is_empty() {
            return;
        }
        self.separate();
        let prefix = self.prefix(false);
        self.mark.clear();
        lines.insert(1, format!("|{}", " --- |".repeat(columns)));
        for line in lines {
            self.out.push_str(&prefix);
            self.out.push_str(&line);
            self.out.push('\n');
        }
        self.tight = false;
    }

    fn cell(&mut self, id: Id) -> String {
        // Blocks inside a cell follow each other on its one line.
        let mut inner = Writer::new(self.dom, self.content, self.base);
        inner.inside(id);
        inner.end_block();
        for link in inner.links {
            if self.links.len() < MAX_LINKS && self.linked.insert(link.url.clone()) {
                self.links.push(link);
            }
        }
        text::fold_space(&inner.out).replace('|', "\\|")
    }
}
